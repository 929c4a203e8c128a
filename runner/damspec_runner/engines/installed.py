"""Named engines: those damspec has an adapter for, and installing each in an environment of its own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from damspec import DamspecError, data

_ADAPTERS = Path(__file__).parent / "adapters"
#: The reference's own name among the engines.
REFERENCE = "damspec"


class EngineNameError(DamspecError):
    """An engine that damspec has no adapter for, or one that is not installed."""


class InstallError(Exception):
    """An installation that did not work; `str()` is one line."""


@dataclass(frozen=True)
class Adapter:
    """A third-party engine that damspec can talk to: where it comes from, and the program that speaks for it."""

    name: str
    registry: Literal["pypi", "npm"]
    package: str
    version: str
    program: str
    plays: tuple[str, ...]
    about: str

    @property
    def folder(self) -> Path:
        """Where it is, or would be, installed."""
        return home() / f"{self.name}-{self.version}"

    @property
    def installed(self) -> bool:
        """Whether an installation was completed there. Raises EngineNameError if that cannot be seen."""
        return _is_there(self.folder / "installed.json", self)

    @property
    def command(self) -> list[str]:
        """The command that runs it as an engine."""
        program = str(_ADAPTERS / self.program)
        if self.registry == "npm":
            return [shutil.which("node") or "node", program]
        return [str(_python(self.folder)), program]

    @property
    def environment(self) -> dict[str, str]:
        """The environment variables for the adapter: where its engine is."""
        return {"DAMSPEC_ENGINE_DIR": str(self.folder)}


def home() -> Path:
    """The folder for installed engines: `$DAMSPEC_ENGINES`, or the user's data folder."""
    import platformdirs

    chosen = os.environ.get("DAMSPEC_ENGINES")
    return Path(chosen) if chosen else platformdirs.user_data_path("damspec", appauthor=False) / "engines"


@cache
def adapters() -> dict[str, Adapter]:
    """The adapters there are, by name."""
    entries = data.load_yaml(_ADAPTERS / "engines.yaml")["engines"]
    return {entry["name"]: Adapter(**{**entry, "plays": tuple(entry["plays"])}) for entry in entries}


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


def install(found: Adapter, say: Callable[[str], None]) -> None:
    """Install an engine's package into its own folder; `say` is told what and where. Raises InstallError."""
    folder = found.folder
    say(f"installing {found.package} {found.version} from {found.registry} into {folder}")
    shutil.rmtree(folder, ignore_errors=True)
    try:
        if found.registry == "npm":
            npm = shutil.which("npm")
            if npm is None or shutil.which("node") is None:
                raise InstallError(f"{found.name} needs Node.js with npm, which are not on the PATH")
            folder.mkdir(parents=True)
            (folder / "package.json").write_text('{"private": true}\n', encoding="utf-8")
            _run([npm, "install", "--no-audit", "--no-fund", f"{found.package}@{found.version}"], folder)
        else:
            folder.parent.mkdir(parents=True, exist_ok=True)
            _run([sys.executable, "-m", "venv", str(folder)], folder.parent)
            pip = [str(_python(folder)), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
            _run([*pip, f"{found.package}=={found.version}"], folder)
        done = {"package": found.package, "version": found.version, "registry": found.registry}
        (folder / "installed.json").write_text(json.dumps(done) + "\n", encoding="utf-8")
    except BaseException as error:
        shutil.rmtree(folder, ignore_errors=True)
        if isinstance(error, OSError):
            raise InstallError(f"cannot install {found.name}: {error.strerror or error}: {folder}") from None
        raise


def remove(found: Adapter) -> bool:
    """Remove an installed engine; whether there was one. Raises EngineNameError if it cannot be seen or removed."""
    was_there = _is_there(found.folder, found)
    shutil.rmtree(found.folder, ignore_errors=True)
    if was_there and found.folder.exists():
        raise EngineNameError(f"engine {found.name!r} cannot be removed from {found.folder}")
    return was_there


def _is_there(path: Path, found: Adapter) -> bool:
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise EngineNameError(
            f"engine {found.name!r} cannot be looked for in {found.folder}: {error.strerror}"
        ) from None
    return True


def _python(folder: Path) -> Path:
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def _run(command: list[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = [line for line in (done.stderr or done.stdout).splitlines() if line.strip()]
        errors = [line for line in lines if line.lower().startswith(("error", "npm error"))]
        reason = (errors or lines[-1:] or ["no message"])[0]
        raise InstallError(f"{Path(command[0]).name} failed with status {done.returncode}: {reason.strip()}")
