"""Diversity of positions, and how much of the rules they cover."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from damspec import Position, Ruleset, Spin
from damspec.board import SIDES, Side, each

from ..mutants.mutants import Mutant
from ..positions.enumeration import Symmetries
from .annotate import KINDS, AnnotatedPosition, Annotator
from .goal import FoundPosition

#: The pieces that must differ: at least `_PIECES`, and 1 in `_PART` of those of the larger position, or of the plies of
#: the longer game if these are fewer.
_PIECES, _PART = 3, 3
#: The plies of a position without a game.
_ANY_PLIES = 1 << 30


class DistinctPositions:
    """Found positions without duplicates; those far enough from all earlier ones are in `apart`, the rest in `near`."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.apart: list[FoundPosition] = []
        self.near: list[FoundPosition] = []
        self._sameness = Symmetries(ruleset)
        self._known: set[Position] = set()
        #: The placements apart from each other, with their numbers of pieces and plies, by each piece on its square.
        self._placements: defaultdict[int, list[tuple[int, int, int]]] = defaultdict(list)
        self._empty = False

    def __len__(self) -> int:
        return len(self._known)

    def __contains__(self, position: object) -> bool:
        return position in self._known

    def add(self, found: FoundPosition) -> bool:
        """Add a position if it is new; return whether it is apart from all earlier ones."""
        position = found.position
        if position in self._known:
            return False
        self._known.add(position)
        plies = _ANY_PLIES if found.game is None else count_changes(found.game)
        if not self.would_be_apart(position, plies):
            self.near.append(found)
            return False
        self.apart.append(found)
        standing, pieces = self._sameness.standings(position)[0], len(position)
        self._empty = self._empty or not pieces
        for piece in each(standing):
            self._placements[piece].append((standing, pieces, plies))
        return True

    def would_be_apart(self, position: Position, plies: int = _ANY_PLIES) -> bool:
        """Return whether a position, reached after `plies` if by a game, is apart from all kept so far."""
        pieces = len(position)
        if not pieces:
            return not self._empty
        for standing in self._sameness.standings(position):
            for other, others, their_plies in self._candidates(standing, pieces):
                more = pieces if pieces > others else others
                longer = plies if plies > their_plies else their_plies
                if more - (standing & other).bit_count() < least_distance(more, longer):
                    return False
        return True

    def _candidates(self, standing: int, pieces: int) -> Iterator[tuple[int, int, int]]:
        """Yield the kept positions that may be near one with these pieces.

        Of any `least_distance` pieces, a near position has at least one; the rarest of them are used.
        """
        shared = sorted((self._placements[piece] for piece in each(standing)), key=len)
        return (one for standings in shared[: least_distance(pieces)] for one in standings)


def count_changes(actions: Iterable[object]) -> int:
    """Return how many plies change what stands on the board or can: all but spins."""
    return sum(not isinstance(action, Spin) for action in actions)


@cache
def least_distance(pieces: int, plies: int = _ANY_PLIES) -> int:
    """Return how many pieces must differ for two positions to be apart.

    `pieces` are those of the larger one, `plies` those of the longer game that leads to one of them, without spins.
    """
    return max(1, min(pieces, max(_PIECES, -(-min(pieces, plies) // _PART))))


@dataclass
class PositionCounts:
    """Numbers of positions, by the side to move and the kinds of moves it has."""

    positions: int = 0
    kinds: Counter[tuple[Side, str]] = field(default_factory=Counter)

    def count(self, answered: AnnotatedPosition) -> None:
        """Count a position."""
        side = answered.position.turn
        self.positions += 1
        self.kinds.update([(side, ""), *((side, kind) for kind in answered.kinds)])

    def row(self) -> list[int]:
        """Return the numbers of `KINDS` for White, then for Black."""
        return [self.kinds[side, kind] for side in SIDES for kind in KINDS]

    def as_json(self) -> dict[str, Any]:
        """Return the numbers as plain data."""
        sides: dict[str, Any] = {
            side: {"positions": self.kinds[side, ""], **{kind: self.kinds[side, kind] for kind in KINDS}}
            for side in SIDES
        }
        return {"positions": self.positions, **sides}


@dataclass(frozen=True)
class Coverage:
    """What positions cover: all of them, and those with another answer by each rule value and each rule.

    `squares` has for each square the number of positions with a piece on it.
    """

    every: PositionCounts
    values: Mapping[Mutant, PositionCounts]
    rules: Mapping[str, PositionCounts]
    squares: Sequence[int]

    def values_shown(self, rule: str) -> tuple[int, int]:
        """Return how many values of a rule change some answer, and how many values there are."""
        numbers = [counted.positions for mutant, counted in self.values.items() if mutant.rules_changed == (rule,)]
        return sum(map(bool, numbers)), len(numbers)

    def as_json(self) -> dict[str, Any]:
        """Return the coverage as plain data."""
        values = [
            {"rule": rule, "value": value, **counted.as_json()}
            for mutant, counted in self.values.items()
            for rule, value in mutant.changes
        ]
        return {**self.every.as_json(), "values": values, "squares": list(self.squares)}


def coverage(by: Annotator, answered: Iterable[AnnotatedPosition]) -> Coverage:
    """Return what the answered positions cover of the alternative values of the rules."""
    every, squares = PositionCounts(), Counter[int]()
    values = {mutant: PositionCounts() for mutant in (by.values.mutants if by.values else ())}
    rules = {rule: PositionCounts() for mutant in values for rule in mutant.rules_changed}
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
