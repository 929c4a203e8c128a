"""Named engines: those damspec has an adapter for, where each is installed, and how it is run.

Each is installed from a registry of packages, each file by its checksum, into a folder of its own. It is put together
in a folder beside its own and then given its name at once. So an installation that is interrupted leaves nothing, one
that was killed only what the next takes away, and two at the same time do not meet.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

from damspec import DamspecError, data

_ADAPTERS = Path(__file__).parent / "adapters"
#: The reference's own name among the engines.
REFERENCE = "damspec"
#: What says in an engine's folder that it was installed whole.
_DONE = "installed.json"


class EngineNameError(DamspecError):
    """An engine that damspec has no adapter for, or one that is not installed."""


@dataclass(frozen=True)
class Adapter:
    """A third-party engine that damspec can talk to: where it comes from, and the program that speaks for it.

    `plays` are the rulesets it is checked on, `thorough` those of them that CI asks in every run. `built` is a package
    that has to be built from its source, `source` the file of a source package with its checksum, and `build` the
    compiler and the files that make the program of it.
    """

    name: str
    registry: Literal["pypi", "npm", "debian"]
    package: str
    version: str
    program: str
    plays: tuple[str, ...]
    about: str
    thorough: tuple[str, ...] = ()
    built: bool = False
    source: Mapping[str, str] = field(default_factory=dict)
    build: Mapping[str, Any] = field(default_factory=dict)

    @property
    def folder(self) -> Path:
        """Where it is, or would be, installed."""
        return home() / f"{self.name}-{self.version}"

    @property
    def lock(self) -> Path:
        """The file that names every package it needs, each with its checksum."""
        return _ADAPTERS / "locks" / f"{self.name}.{'json' if self.registry == 'npm' else 'txt'}"

    @property
    def made_for(self) -> dict[str, str]:
        """What an installation is good for, as it is written down when it is complete."""
        made = {"package": self.package, "version": self.version, "registry": self.registry}
        return made | ({"python": f"{sys.version_info[0]}.{sys.version_info[1]}"} if self.registry == "pypi" else {})

    @property
    def installed(self) -> bool:
        """Whether an installation for this Python is complete. Raises EngineNameError if that cannot be seen."""
        try:
            return bool(json.loads((self.folder / _DONE).read_text(encoding="utf-8")) == self.made_for)
        except (FileNotFoundError, NotADirectoryError, ValueError):
            return False
        except OSError as error:
            raise self.unseen(error) from None

    @property
    def lines(self) -> bool:
        """Whether its program speaks plain lines (docs/lines.md)."""
        return self.registry == "debian"

    @property
    def command(self) -> list[str]:
        """The command that runs it as an engine."""
        if self.registry == "debian":
            return [str(self.folder / "adapter")]
        program = str(self.program_file)
        if self.registry == "npm":
            return [shutil.which("node") or "node", program]
        return [sys.executable, "-S", program]  # without the packages of this Python: just the engine's own

    @property
    def environment(self) -> dict[str, str]:
        """The environment variables for the adapter: where its engine is."""
        where = {"DAMSPEC_ENGINE_DIR": str(self.folder)}
        return where | ({"PYTHONPATH": str(self.folder)} if self.registry == "pypi" else {})

    @property
    def program_file(self) -> Path:
        """The file of its adapter."""
        return _ADAPTERS / self.program

    def complete(self, folder: Path) -> None:
        """Write down that the installation in a folder is complete."""
        (folder / _DONE).write_text(json.dumps(self.made_for) + "\n", encoding="utf-8")

    def unseen(self, error: OSError) -> EngineNameError:
        """The error for a folder that cannot be looked into."""
        return EngineNameError(f"engine {self.name!r} cannot be looked for in {self.folder}: {error.strerror}")


def home() -> Path:
    """The folder for installed engines: `$DAMSPEC_ENGINES`, or the user's data folder."""
    import platformdirs

    chosen = os.environ.get("DAMSPEC_ENGINES")
    return Path(chosen) if chosen else platformdirs.user_data_path("damspec", appauthor=False) / "engines"


@cache
def adapters() -> dict[str, Adapter]:
    """The adapters there are, by name. Raises FileError for a list of another form."""
    path = _ADAPTERS / "engines.yaml"
    content = data.load_yaml(path)
    data.check(content, "registry", path.name)
    return {
        entry["name"]: Adapter(
            **{**entry, "plays": tuple(entry["plays"]), "thorough": tuple(entry.get("thorough", ()))}
        )
        for entry in content["engines"]
    }


def adapter(name: str) -> Adapter:
    """The adapter of a name. Raises EngineNameError."""
    if name == REFERENCE:
        raise EngineNameError(f"engine {name!r} is the reference itself: there is nothing to install or remove")
    if name not in adapters():
        raise EngineNameError(f"no engine named {name!r}{data.nearest(name, [REFERENCE, *adapters()])}")
    return adapters()[name]


def named_command(name: str) -> tuple[list[str], dict[str, str]]:
    """The command and environment of a named engine that is installed. Raises EngineNameError."""
    if name == REFERENCE:
        return [sys.executable, "-m", "damspec_runner", "serve"], {}
    found = adapter(name)
    if not found.installed:
        raise EngineNameError(f"engine {name!r} is not installed: run `damspec engines install {name}`")
    return found.command, found.environment


def speaks_lines(name: str) -> bool:
    """Whether this is the name of an engine whose adapter speaks plain lines."""
    return name in adapters() and adapters()[name].lines


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
    where = {"adapter": found.program_file.parent, "fen": template_folder("c"), "source": folder}
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


#: Adapters to begin with, in a folder for each language: a program that speaks plain lines, and one that reads FEN.
_TEMPLATES = Path(__file__).parent / "templates"


def template_languages() -> list[str]:
    """The languages there are."""
    return sorted(each.name for each in _TEMPLATES.iterdir() if each.is_dir() and not each.name.startswith("_"))


def template_folder(language: str) -> Path:
    """Where the files of a language are."""
    return _TEMPLATES / language


def template_files(language: str) -> dict[str, str]:
    """The files of a language by their names, the program first."""
    return {
        path.name: path.read_text(encoding="utf-8")
        for path in sorted(template_folder(language).glob("*.*"), key=_order)
    }


def _order(path: Path) -> tuple[bool, str]:
    return path.stem.lower() != "adapter", path.name
