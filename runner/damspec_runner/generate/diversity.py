"""Distinct positions, and how much of the rules they cover."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from damspec import Position, Ruleset
from damspec.board import Side, each

from ..mutants.mutants import Mutant
from ..positions.enumeration import Sameness
from .annotate import KINDS, AnnotatedPosition, Annotator
from .goal import Found

#: How many pieces have to differ, and which part of those of the position that has more.
_PIECES, _PART = 3, 3


class DistinctPositions:
    """Positions that were found, none twice: those apart from all before are kept apart from the others."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.apart: list[Found] = []
        self.near: list[Found] = []
        self._sameness = Sameness(ruleset)
        self._known: set[Position] = set()
        #: What stands where in the positions that are apart, with how many pieces: by each piece on its square.
        self._standing: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        self._empty = False

    def __len__(self) -> int:
        return len(self._known)

    def __contains__(self, position: object) -> bool:
        return position in self._known

    def add(self, found: Found) -> bool:
        """Take a position in, if it is new; whether it is apart from all before."""
        position = found.position
        if position in self._known:
            return False
        self._known.add(position)
        if not self.would_be_apart(position):
            self.near.append(found)
            return False
        self.apart.append(found)
        standing, pieces = self._sameness.standings(position)[0], len(position)
        self._empty = self._empty or not pieces
        for piece in each(standing):
            self._standing[piece].append((standing, pieces))
        return True

    def would_be_apart(self, position: Position) -> bool:
        """Whether a position is apart from all that are kept."""
        pieces = len(position)
        if not pieces:
            return not self._empty
        for standing in self._sameness.standings(position):
            for other, others in self._candidates(standing, pieces):
                if (standing & other).bit_count() > _COMMON[pieces if pieces > others else others]:
                    return False
        return True

    def _candidates(self, standing: int, pieces: int) -> Iterator[tuple[int, int]]:
        """Those that may be near: of as many pieces as have to differ they have one, whichever these are."""
        shared = sorted((self._standing[piece] for piece in each(standing)), key=len)
        return (one for standings in shared[: least_distance(pieces)] for one in standings)


def least_distance(pieces: int) -> int:
    """How many pieces have to differ for two positions to be apart, if the one with more has so many."""
    return max(1, min(pieces, max(_PIECES, -(-pieces // _PART))))


#: How many pieces two positions that are apart can have in common, by how many there are in the one with more.
_COMMON = [pieces - least_distance(pieces) for pieces in range(26 * 26 + 1)]


_SIDES: tuple[Side, ...] = ("white", "black")


@dataclass
class Counted:
    """How many positions there are, by the side to move and the ways in which it can move."""

    positions: int = 0
    kinds: Counter[tuple[Side, str]] = field(default_factory=Counter)

    def count(self, answered: AnnotatedPosition) -> None:
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


def coverage(by: Annotator, answered: Iterable[AnnotatedPosition]) -> Coverage:
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
