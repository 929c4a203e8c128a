"""Rulesets changed as players can tell: on another board, or with a rule changed; and what has to be said then."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from damspec import Ruleset, load_ruleset, ruleset_ids
from damspec.contradictions import settled

from .mutants import Mutant, mutant_of, single

#: What goes with a board: how large it is, and where the men start on it.
BOARD = ("board.size", "start.men")
#: What nobody who plays can tell: how the squares are numbered.
UNTOLD = "board.numbering"


def single_changes(ruleset: Ruleset) -> list[Mutant]:
    """A game with each single rule changed that a player can tell."""
    return [mutant for mutant in single(ruleset) if UNTOLD not in mutant.rules_changed]


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


def essential(values: Mapping[str, Any], changes: Mapping[str, Any]) -> list[str]:
    """The rules that have to be said, of those changed from these values; None is that a rule is gone."""
    if len(changes) == 1:
        return [*changes]
    return [rule for rule in changes if not _follows(values, changes, rule)]


def _follows(values: Mapping[str, Any], changes: Mapping[str, Any], rule: str) -> bool:
    """Whether a change need not be said, since the rule depends on others and goes with them."""
    others = {name: value for name, value in changes.items() if name != rule}
    whole = {name: value for name, value in {**values, **others}.items() if value is not None}
    return bool(settled(whole, others.keys()).get(rule) == changes[rule])


def _by_rows(values: Mapping[str, Any]) -> bool:
    return isinstance(values["start.men"], int)
