"""Changes of rules that show in no position, with the proof (`cases/equivalents.yaml`)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from . import data
from .ruleset import Ruleset, load_ruleset


def path() -> Path:
    """Where they are on record."""
    return data.root() / "cases" / "equivalents.yaml"


@cache
def equivalents() -> Mapping[tuple[str, str], str]:
    """For each ruleset and mutant why it shows in no position (`cases/equivalents.yaml`)."""
    content = data.load_yaml(path())
    data.check(content, "equivalents", data.shown(path()))
    return {(id, entry["change"]): entry["because"] for entry in content["equivalents"] for id in entry["rulesets"]}


def proof(ruleset: Ruleset, change: str) -> str | None:
    """Why a change of a ruleset shows in no position, if that is proved; a file of your own may have the same rules."""
    for (id, proved), because in equivalents().items():
        if proved == change and (
            id == ruleset.id or (not ruleset.shipped and load_ruleset(id).values == ruleset.values)
        ):
            return because
    return None
