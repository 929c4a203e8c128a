"""Named engines: those damspec has an adapter for, where each is installed, and how it is run."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
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
