"""Which of the rulesets shipped have a full set of cases, and which do not yet (cases/unfinished.yaml)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from . import data
from .frozen import FrozenDict
from .statements import ruleset_ids


@cache
def unfinished() -> Mapping[str, str]:
    """The rulesets whose cases do not show every rule yet, by id, each with a sentence on what there is.

    Raises FileError for a file of the wrong form, or one that names a ruleset that there is not.
    """
    path = data.root() / "cases" / "unfinished.yaml"
    content = data.load_yaml(path)
    data.check(content, "unfinished", data.shown(path))
    unknown = sorted(set(content["unfinished"]) - set(ruleset_ids()))
    if unknown:
        raise data.FileError(f"{data.shown(path)}: unfinished: no ruleset {unknown[0]!r}")
    return FrozenDict(content["unfinished"])


def finished_ids() -> list[str]:
    """The ids of the rulesets shipped whose cases are complete."""
    return [id for id in ruleset_ids() if id not in unfinished()]
