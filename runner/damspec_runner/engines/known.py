"""The known failures of a named engine (`known/ENGINE/RULESET.yaml`): which cases it fails, how, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from damspec import data


@dataclass(frozen=True)
class Known:
    """The known failures of an engine on a ruleset: the causes in words; for each failing case its cause and faults."""

    engine: str
    version: str
    ruleset: str
    causes: Mapping[str, str]
    failures: Mapping[str, Mapping[str, Any]]

    def failing(self, cause: str) -> list[str]:
        """The cases that fail for a cause."""
        return [id for id, failure in self.failures.items() if failure["cause"] == cause]


def path(engine: str, ruleset: str) -> Path:
    """Where the known failures of an engine on a ruleset are written down."""
    return data.root() / "known" / engine / f"{ruleset}.yaml"


def load(engine: str, ruleset: str) -> Known:
    """The known failures. Raises FileError for a file that is missing or malformed."""
    return read(path(engine, ruleset))


def read(file: Path) -> Known:
    """The known failures that a file has. Raises FileError if it is missing or malformed."""
    content = data.load_yaml(file)
    data.check(content, "known", data.path_text(file))
    for id, failure in content["failures"].items():
        if failure["cause"] not in content["causes"]:
            causes = ", ".join(content["causes"])
            raise data.FileError(
                f"{data.path_text(file)}: failures.{id}.cause: found {failure['cause']!r}, expected one of {causes}"
            )
    return Known(**content)
