"""Installing named engines: from registries of packages, each file by its checksum, into a folder of its own.

An engine is put together in a folder beside its own and then given its name at once. So an installation that is
interrupted leaves nothing, one that was killed only what the next takes away, and two at the same time do not meet.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path

from . import templates
from .installed import Adapter, EngineNameError

#: Seconds after which a folder of an installation that was never finished is nobody's any more.
_FORGOTTEN = 3600.0
_PIP = ("--quiet", "--disable-pip-version-check", "--no-input")


class InstallError(Exception):
    """An installation that did not work; `str()` is one line."""


def install(found: Adapter, say: Callable[[str], None]) -> None:
    """Install an engine into its own folder; `say` is told what and where. Raises InstallError."""
    folder = found.folder
    say(f"installing {found.package} {found.version} from {found.registry} into {folder}")
    part: Path | None = None
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        _forget(folder)
        part = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
        _FROM[found.registry](found, part)
        found.complete(part)
        _name(part, found)
    except OSError as error:
        raise InstallError(f"cannot install {found.name}: {error.strerror or error}: {folder}") from None
    finally:
        if part is not None:
            shutil.rmtree(part, ignore_errors=True)


def remove(found: Adapter) -> bool:
    """Remove an installed engine; whether there was one. Raises EngineNameError if it cannot be seen or removed."""
    try:
        found.folder.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise found.unseen(error) from None
    shutil.rmtree(found.folder, ignore_errors=True)
    if found.folder.exists():
        raise EngineNameError(f"engine {found.name!r} cannot be removed from {found.folder}")
    return True


def _forget(folder: Path) -> None:
    """Take away what installations of this engine have left that were killed long ago."""
    for left in folder.parent.glob(f".{folder.name}.*"):
        if time.time() - left.stat().st_mtime > _FORGOTTEN:
            shutil.rmtree(left, ignore_errors=True)


def _name(part: Path, found: Adapter) -> None:
    """Give the folder its name, unless another installation has been quicker."""
    for _ in range(3):
        if found.installed:
            return
        shutil.rmtree(found.folder, ignore_errors=True)
        try:
            part.rename(found.folder)
            return
        except FileExistsError:
            continue
        except OSError as error:
            if not found.folder.exists():
                raise error
    raise InstallError(f"cannot install {found.name}: {found.folder} is in the way")


def _from_pypi(found: Adapter, folder: Path) -> None:
    """With pip, nothing but what the lock file names; what is built is built by a builder that it names too."""
    pip, environment = _pip(folder), dict(os.environ)
    wanted = [*pip, "install", *_PIP, "--no-deps", "--require-hashes", "--target", str(folder), "-r", str(found.lock)]
    if not found.built:
        _run([*wanted, "--only-binary", ":all:"], folder)
        return
    builder = folder / ".builder"
    lock = found.lock.with_name("builder.txt")
    _run([*pip, "install", *_PIP, "--no-deps", "--require-hashes", "--target", str(builder), "-r", str(lock)], folder)
    _run([*wanted, "--no-build-isolation"], folder, environment | {"PYTHONPATH": str(builder)})
    shutil.rmtree(builder)


def _pip(folder: Path) -> list[str]:
    """The pip of this Python, or one in an environment made for it."""
    if find_spec("pip") is not None:
        return [sys.executable, "-m", "pip"]
    made = folder / ".pip"
    _run([sys.executable, "-m", "venv", str(made)], folder)
    return [str(made / ("Scripts/python.exe" if os.name == "nt" else "bin/python")), "-m", "pip"]


def _from_npm(found: Adapter, folder: Path) -> None:
    """With npm, what the lock file names; the scripts of packages are not run."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        raise InstallError(f"{found.name} needs Node.js with npm, which are not on the PATH")
    (folder / "package.json").write_text(
        f'{{"private": true, "dependencies": {{"{found.package}": "{found.version}"}}}}\n', encoding="utf-8"
    )
    shutil.copyfile(found.lock, folder / "package-lock.json")
    _run([npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], folder)


def _from_debian(found: Adapter, folder: Path) -> None:
    """With apt-get, the file that its author released; it is compiled together with the adapter."""
    apt, compiler = shutil.which("apt-get"), shutil.which(found.build["compiler"])
    if apt is None or compiler is None:
        raise InstallError(f"{found.name} needs apt-get and {found.build['compiler']}, which are not on the PATH")
    private = folder / ".apt"
    options = _private(private)
    _run([apt, *options, "update"], private)
    _run([apt, *options, "source", "--download-only", "--tar-only", found.package], private)
    archive = private / found.source["file"]
    if not archive.is_file():
        raise InstallError(f"{found.name}: the source package has no {found.source['file']}: another version")
    checksum = hashlib.sha256(archive.read_bytes()).hexdigest()
    if checksum != found.source["sha256"]:
        raise InstallError(f"{found.name}: {archive.name} has the checksum {checksum}, not {found.source['sha256']}")
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
    shutil.rmtree(private)
    where = {"adapter": found.program_file.parent, "fen": templates.folder("c"), "source": folder}
    words = [word.format_map(where) for word in found.build["words"]]
    _run([compiler, "-o", str(folder / "adapter"), *words], folder)


def _private(folder: Path) -> list[str]:
    """Options that make apt-get keep everything in a folder, where the machine's own sources are asked for source."""
    for each in ("lists/partial", "cache/archives/partial", "parts"):
        (folder / each).mkdir(parents=True)
    etc = Path("/etc/apt")
    found = 0
    for path in [etc / "sources.list", *sorted((etc / "sources.list.d").glob("*"))]:
        if path.is_file() and path.suffix in (".list", ".sources"):
            kept = _as_source(path.read_text(encoding="utf-8"), path.suffix)
            (folder / "parts" / f"{found}{path.suffix}").write_text(kept, encoding="utf-8")
            found += 1
    if not found:
        raise InstallError(f"no sources of packages in {etc}")
    where = {
        "Dir::Etc::sourcelist": "/dev/null",
        "Dir::Etc::sourceparts": folder / "parts",
        "Dir::State::lists": folder / "lists",
        "Dir::Cache": folder / "cache",
        "APT::Sandbox::User": "root",
    }
    return ["-qq", *(word for key, value in where.items() for word in ("-o", f"{key}={value}"))]


def _as_source(text: str, suffix: str) -> str:
    """A file of sources with the source packages in the place of the compiled ones."""
    lines = []
    for line in text.splitlines():
        words = line.split()
        if suffix == ".sources" and words[:1] == ["Types:"]:
            line = "Types: deb-src"
        elif suffix == ".list" and words[:1] in (["deb"], ["deb-src"]):
            line = " ".join(["deb-src", *words[1:]])
        lines.append(line)
    return "\n".join(lines) + "\n"


_FROM: Mapping[str, Callable[[Adapter, Path], None]] = {
    "pypi": _from_pypi,
    "npm": _from_npm,
    "debian": _from_debian,
}


def _run(command: list[str], folder: Path, environment: Mapping[str, str] | None = None) -> None:
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = [line for line in (done.stderr or done.stdout).splitlines() if line.strip()]
        errors = [line for line in lines if line.lower().startswith(("error", "npm error", "e: "))]
        reason = (errors or lines[-1:] or ["no message"])[0]
        raise InstallError(f"{Path(command[0]).name} failed with status {done.returncode}: {reason.strip()}")
