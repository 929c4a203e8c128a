"""A ruleset on the boards of others: as large as theirs, with as many rows of men."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from damspec import Ruleset, load_ruleset, ruleset_ids

from .mutants import Mutant, mutant_of

#: What goes with a board: how large it is, and where the men start on it.
BOARD = ("board.size", "start.men")


@cache
def boards() -> tuple[tuple[tuple[str, Any], ...], ...]:
    """The boards that rulesets are played on, with where their men start: some rows of so many squares."""
    pairs = (tuple((rule, load_ruleset(id).values[rule]) for rule in BOARD) for id in ruleset_ids())
    return tuple(board for board in dict.fromkeys(pairs) if _by_rows(dict(board)))


def elsewhere(ruleset: Ruleset) -> list[Mutant]:
    """A ruleset on the board of every other; none for one whose board has doors, or men on squares of their own."""
    if "trapdoors.layout" in ruleset.values or not _by_rows(ruleset.values):
        return []
    made = (mutant_of(ruleset.base, ruleset.values, board) for board in boards())
    return [mutant for mutant in made if mutant and mutant.values != ruleset.values]


def _by_rows(values: Mapping[str, Any]) -> bool:
    return isinstance(values["start.men"], int)
