"""What rules answer to the questions put to people: yes, no, or nothing."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from damspec import Move, Position, PositionError, Ruleset, RulesetError
from damspec.contradictions import contradictions
from damspec.ending import ended
from damspec.frozen import FrozenDict, frozen
from damspec.move import read_squares

from ..cases.enquiries import Enquiries, Enquiry, Letter

#: How many sets of rules, and answers of them, are kept.
_RULES, _ANSWERS = 2_000, 200_000


class Respondent:
    """A game that is asked: its rule values, put on the board of each question."""

    def __init__(self, values: Mapping[str, Any], enquiries: Enquiries) -> None:
        self._values = values
        self._placed: dict[str, Any] = {
            name: None if (placed := setting.placed(values)) is None else frozen(placed)
            for name, setting in enquiries.settings.items()
        }

    def answer(self, enquiry: Enquiry) -> Letter:
        """What it answers to one question."""
        if enquiry.setting and self._placed[enquiry.setting] is None:
            return "-"
        if enquiry.kind == "value":
            return of_value(enquiry, self._values)
        return _answer(enquiry, self._placed[enquiry.setting])

    def answers(self, enquiries: Enquiries) -> str:
        """What it answers to all of them."""
        return "".join(map(self.answer, enquiries.questions))


def of_value(enquiry: Enquiry, values: Mapping[str, Any]) -> Letter:
    """The answer to a question about a rule's value."""
    value = values.get(enquiry.rule)
    if enquiry.key and value is not None:
        value = next((number for key, number in value.items() if enquiry.key in key.split()), None)
    if value is None:
        return enquiry.absent
    there = enquiry.values is None or value in enquiry.values
    return "y" if there and all(values.get(rule) in wanted for rule, wanted in enquiry.also.items()) else "n"


@lru_cache(_ANSWERS)
def _answer(enquiry: Enquiry, placed: FrozenDict) -> Letter:
    """The answer to a question about a position."""
    ruleset = playable(placed)
    if ruleset is None:
        return "-"
    try:
        position = ruleset.position(enquiry.position)
    except PositionError:
        return "-"
    if enquiry.kind == "outcome":
        return "y" if ended(ruleset.turns, position).result == enquiry.result else "n"
    return of_move(enquiry, ruleset, position)


def of_move(enquiry: Enquiry, ruleset: Ruleset, position: Position) -> Letter:
    """The answer to a question about a move in a position: it has to be made just so, over the same squares."""
    squares, captures = read_squares(enquiry.move, position.board)
    moves = [each for each in ruleset.turns.actions(position) if isinstance(each, Move)]
    same = [each for each in moves if squares in each.paths and bool(each.captured) == bool(captures)]
    if enquiry.kind == "legal":
        return "y" if same else "n"
    return "-" if not same else "y" if same[0].promotes else "n"


@lru_cache(_RULES)
def playable(placed: FrozenDict) -> Ruleset | None:
    """Rule values as a ruleset; None if they contradict each other."""
    if any(contradictions(placed)):
        return None
    try:
        return Ruleset("placed", "placed", "", (), placed, {}, (), Path("placed")).checked()
    except RulesetError:
        return None
