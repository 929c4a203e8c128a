"""Named engines: third-party engines that damspec has an adapter for, how each is installed and run.

Each is installed from a package registry, with every file checked by its checksum, into its own folder. It is built in
a temporary folder that is then renamed. So an interrupted installation leaves nothing, a killed one only what the next
removes, and two at the same time do not interfere.
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
#: The reference's name among the engines.
REFERENCE = "damspec"
#: The file in an engine's folder that marks a complete installation.
_DONE = "installed.json"


class EngineNameError(DamspecError):
    """An engine without an adapter, or one that is not installed."""


@dataclass(frozen=True)
class Adapter:
    """A third-party engine: its package, and the program that adapts it to the protocol.

    `plays` are the rulesets it is checked on, `thorough` those of them that CI checks in every run. `built` marks a
    package that has to be built from source; `source` is the file of a source package with its checksum, `build` the
    compiler and its arguments.
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
        """The folder of its installation."""
        return home() / f"{self.name}-{self.version}"

    @property
    def lock(self) -> Path:
        """The file that lists every package it needs, each with its checksum."""
        return _ADAPTERS / "locks" / f"{self.name}.{'json' if self.registry == 'npm' else 'txt'}"

    @property
    def made_for(self) -> dict[str, str]:
        """The package and, from PyPI, the Python version that an installation is for."""
        made = {"package": self.package, "version": self.version, "registry": self.registry}
        return made | ({"python": f"{sys.version_info[0]}.{sys.version_info[1]}"} if self.registry == "pypi" else {})

    @property
    def installed(self) -> bool:
        """Whether it is installed for this Python. Raises EngineNameError if its folder cannot be read."""
        try:
            return bool(json.loads((self.folder / _DONE).read_text(encoding="utf-8")) == self.made_for)
        except (FileNotFoundError, NotADirectoryError, ValueError):
            return False
        except OSError as error:
            raise self.folder_error(error) from None

    @property
    def lines(self) -> bool:
        """Whether its program speaks the line protocol."""
        return self.registry == "debian"

    @property
    def command(self) -> list[str]:
        """The command that runs it as an engine."""
        if self.registry == "debian":
            return [str(self.folder / "adapter")]
        program = str(self.program_file)
        if self.registry == "npm":
            return [shutil.which("node") or "node", program]
        return [sys.executable, "-S", program]  # with the engine's packages only

    @property
    def environment(self) -> dict[str, str]:
        """The environment variables that tell the adapter where its engine is."""
        where = {"DAMSPEC_ENGINE_DIR": str(self.folder)}
        return where | ({"PYTHONPATH": str(self.folder)} if self.registry == "pypi" else {})

    @property
    def program_file(self) -> Path:
        """The file of its adapter."""
        return _ADAPTERS / self.program

    def complete(self, folder: Path) -> None:
        """Mark the installation in a folder as complete."""
        (folder / _DONE).write_text(json.dumps(self.made_for) + "\n", encoding="utf-8")

    def folder_error(self, error: OSError) -> EngineNameError:
        """Return the error for a folder that cannot be read."""
        return EngineNameError(f"engine {self.name!r} cannot be looked for in {self.folder}: {error.strerror}")


def home() -> Path:
    """Return the folder for installed engines: `$DAMSPEC_ENGINES`, or one in the user's data folder."""
    import platformdirs

    chosen = os.environ.get("DAMSPEC_ENGINES")
    return Path(chosen) if chosen else platformdirs.user_data_path("damspec", appauthor=False) / "engines"


@cache
def adapters() -> dict[str, Adapter]:
    """Return the adapters by name. Raises FileError."""
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
    """Return the adapter of a name. Raises EngineNameError."""
    if name == REFERENCE:
        raise EngineNameError(f"engine {name!r} is the reference itself: there is nothing to install or remove")
    if name not in adapters():
        raise EngineNameError(f"no engine named {name!r}{data.nearest(name, [REFERENCE, *adapters()])}")
    return adapters()[name]


def named_command(name: str) -> tuple[list[str], dict[str, str]]:
    """Return the command and environment of an installed engine. Raises EngineNameError."""
    if name == REFERENCE:
        return [sys.executable, "-m", "damspec_runner", "serve"], {}
    found = adapter(name)
    if not found.installed:
        raise EngineNameError(f"engine {name!r} is not installed: run `damspec engines install {name}`")
    return found.command, found.environment


def speaks_lines(name: str) -> bool:
    """Return whether this is the name of an engine whose adapter speaks the line protocol."""
    return name in adapters() and adapters()[name].lines


#: Seconds after which an unfinished installation counts as abandoned.
_ABANDONED = 3600.0
_PIP = ("--quiet", "--disable-pip-version-check", "--no-input")


class InstallError(Exception):
    """A failed installation; `str()` is one line."""


def install(found: Adapter, say: Callable[[str], None]) -> None:
    """Install an engine into its own folder; `say` is called with a line of progress. Raises InstallError."""
    folder = found.folder
    say(f"installing {found.package} {found.version} from {found.registry} into {folder}")
    part: Path | None = None
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        _remove_abandoned(folder)
        part = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
        _FROM[found.registry](found, part)
        found.complete(part)
        _rename(part, found)
    except OSError as error:
        raise InstallError(f"cannot install {found.name}: {error.strerror or error}: {folder}") from None
    finally:
        if part is not None:
            shutil.rmtree(part, ignore_errors=True)


def remove(found: Adapter) -> bool:
    """Remove an installed engine, and return whether there was one. Raises EngineNameError if that fails."""
    try:
        found.folder.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise found.folder_error(error) from None
    shutil.rmtree(found.folder, ignore_errors=True)
    if found.folder.exists():
        raise EngineNameError(f"engine {found.name!r} cannot be removed from {found.folder}")
    return True


def _remove_abandoned(folder: Path) -> None:
    """Remove what killed installations of this engine have left."""
    for left in folder.parent.glob(f".{folder.name}.*"):
        if time.time() - left.stat().st_mtime > _ABANDONED:
            shutil.rmtree(left, ignore_errors=True)


def _rename(part: Path, found: Adapter) -> None:
    """Rename the temporary folder, unless another installation has been quicker."""
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
    """Install with pip only what the lock file lists; a package is built by the locked builder."""
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
    """Return the command of this Python's pip, or of one in a new virtual environment."""
    if find_spec("pip") is not None:
        return [sys.executable, "-m", "pip"]
    made = folder / ".pip"
    _run([sys.executable, "-m", "venv", str(made)], folder)
    return [str(made / ("Scripts/python.exe" if os.name == "nt" else "bin/python")), "-m", "pip"]


def _from_npm(found: Adapter, folder: Path) -> None:
    """Install with npm what the lock file lists, without running scripts of packages."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        raise InstallError(f"{found.name} needs Node.js with npm, which are not on the PATH")
    (folder / "package.json").write_text(
        f'{{"private": true, "dependencies": {{"{found.package}": "{found.version}"}}}}\n', encoding="utf-8"
    )
    shutil.copyfile(found.lock, folder / "package-lock.json")
    _run([npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], folder)


def _from_debian(found: Adapter, folder: Path) -> None:
    """Download the author's source archive with apt-get, and compile it together with the adapter."""
    apt, compiler = shutil.which("apt-get"), shutil.which(found.build["compiler"])
    if apt is None or compiler is None:
        raise InstallError(f"{found.name} needs apt-get and {found.build['compiler']}, which are not on the PATH")
    private = folder / ".apt"
    options = _apt_options(private)
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


def _apt_options(folder: Path) -> list[str]:
    """Return options for apt-get to use this machine's sources for source packages, with all state in a folder."""
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
    """Return a file of apt sources changed from binary to source packages."""
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


#: Templates of adapters, a folder for each language: a program for the line protocol, and a reader of FEN.
_TEMPLATES = Path(__file__).parent / "templates"


def template_languages() -> list[str]:
    """Return the languages that have a template."""
    return sorted(each.name for each in _TEMPLATES.iterdir() if each.is_dir() and not each.name.startswith("_"))


def template_folder(language: str) -> Path:
    """Return the folder of a language's template."""
    return _TEMPLATES / language


def template_files(language: str) -> dict[str, str]:
    """Return the texts of a language's template by file name, the program first."""
    return {
        path.name: path.read_text(encoding="utf-8")
        for path in sorted(
            template_folder(language).glob("*.*"), key=lambda path: (path.stem.lower() != "adapter", path.name)
        )
    }
