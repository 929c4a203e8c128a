"""Mutants that are no change at all, with the proof of it (`cases/equivalents.yaml`)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from damspec import data


@cache
def equivalents() -> Mapping[tuple[str, str], str]:
    """Why a mutant, by ruleset and name, is no change at all (`cases/equivalents.yaml`)."""
    path = data.root() / "cases" / "equivalents.yaml"
    content = data.load_yaml(path)
    data.check(content, "equivalents", data.shown(path))
    return {(id, entry["change"]): entry["because"] for entry in content["equivalents"] for id in entry["rulesets"]}
