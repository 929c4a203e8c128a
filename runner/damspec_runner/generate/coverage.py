"""What a set of positions covers: rule values that change an answer, sides and kinds of moves, squares."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from damspec.board import Side

from ..variants.mutants import Mutant
from .answered import KINDS, Answered, Answering

_SIDES: tuple[Side, ...] = ("white", "black")


@dataclass
class Counted:
    """How many positions there are, by the side to move and the ways in which it can move."""

    positions: int = 0
    kinds: Counter[tuple[Side, str]] = field(default_factory=Counter)

    def count(self, answered: Answered) -> None:
        """Count a position."""
        side = answered.position.turn
        self.positions += 1
        self.kinds.update([(side, ""), *((side, kind) for kind in answered.kinds)])

    def row(self) -> list[int]:
        """The numbers of `KINDS` for White, then for Black."""
        return [self.kinds[side, kind] for side in _SIDES for kind in KINDS]

    def as_json(self) -> dict[str, Any]:
        """The numbers as plain data."""
        sides: dict[str, Any] = {
            side: {"positions": self.kinds[side, ""], **{kind: self.kinds[side, kind] for kind in KINDS}}
            for side in _SIDES
        }
        return {"positions": self.positions, **sides}


@dataclass(frozen=True)
class Coverage:
    """What positions cover: all of them, those with another answer by each rule value and by each rule, the squares.

    `squares` says of each square in how many positions a piece stands on it.
    """

    every: Counted
    values: Mapping[Mutant, Counted]
    rules: Mapping[str, Counted]
    squares: Sequence[int]

    def shown(self, rule: str) -> tuple[int, int]:
        """How many values of a rule change some answer, and how many there are."""
        numbers = [counted.positions for mutant, counted in self.values.items() if mutant.rules_changed == (rule,)]
        return sum(map(bool, numbers)), len(numbers)

    def as_json(self) -> dict[str, Any]:
        """The coverage as plain data."""
        values = [
            {"rule": rule, "value": value, **counted.as_json()}
            for mutant, counted in self.values.items()
            for rule, value in mutant.changes
        ]
        return {**self.every.as_json(), "values": values, "squares": list(self.squares)}


def coverage(by: Answering, answered: Iterable[Answered]) -> Coverage:
    """What positions answered by a ruleset cover, of the values that its rules can have instead."""
    every, squares = Counted(), Counter[int]()
    values = {mutant: Counted() for mutant in (by.values.mutants if by.values else ())}
    rules = {rule: Counted() for mutant in values for rule in mutant.rules_changed}
    for one in answered:
        every.count(one)
        squares.update(number for number, _ in one.position.pieces())
        shown = [mutant for other in one.others for mutant in other.mutants]
        for mutant in shown:
            values[mutant].count(one)
        for rule in {rule for mutant in shown for rule in mutant.rules_changed}:
            rules[rule].count(one)
    numbers = range(1, len(by.ruleset.rules.board) + 1)
    return Coverage(every, values, rules, [squares[number] for number in numbers])
