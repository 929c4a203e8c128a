"""Changes of rules that show in no position, with the proof (`cases/equivalents.yaml`)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from damspec import data


@cache
def equivalents() -> Mapping[tuple[str, str], str]:
    """For each ruleset and mutant why it shows in no position (`cases/equivalents.yaml`)."""
    path = data.root() / "cases" / "equivalents.yaml"
    content = data.load_yaml(path)
    data.check(content, "equivalents", data.shown(path))
    return {(id, entry["change"]): entry["because"] for entry in content["equivalents"] for id in entry["rulesets"]}
