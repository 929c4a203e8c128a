"""Rulesets compared over every position of few pieces."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import islice
from math import comb
from typing import TYPE_CHECKING, Any

from damspec import Position, Ruleset
from damspec.board import SIDES, Side
from damspec.kernel.installed import installed
from damspec.movegen import MoveGenerator
from damspec.position import to_mover_view
from damspec.tables import Pieces

from ..mutants.ruleset_diff import decides_moves, moves_pieces
from ..positions.enumeration import AFFORDABLE, crownheads, everywhere, placements, sides, size
from .answer_diff import PossibleDifferences

if TYPE_CHECKING:
    from damspec.kernel.comparison import CompiledComparison

#: About how many placements a share has.
_SHARE = 16_000_000
#: With how many pieces everything is compared, whatever the rules are about.
_FEW = 3

#: How many placements were compared, and where which of the others moves pieces differently: White's come first.
Compared = tuple[int, list[tuple[int, Pieces]]]


@dataclass(frozen=True)
class MovementTask:
    """Some of the placements of `number` pieces, by numbers of choices of squares: one ruleset is compared with others.

    The `doors` are open, and no piece stands on one; no man of a side stands on its one of the `heads`.
    """

    one: Ruleset
    others: tuple[Ruleset, ...]
    number: int
    choices: range
    heads: tuple[int, int]
    doors: int = 0
    side: Side = "white"


def movement_rules(ruleset: Ruleset) -> str:
    """All rules that decide how pieces move, and the board, to be compared: equal ones move alike everywhere."""
    decides = {rule: value for rule, value in ruleset.values.items() if decides_moves(rule)}
    return json.dumps(decides, sort_keys=True, default=str)


def movement_tasks(
    one: Ruleset, others: Sequence[Ruleset], number: int, heads: tuple[int, int], doors: int = 0, side: Side = "white"
) -> Iterator[MovementTask]:
    """All placements of a number of pieces, in shares of about the same size."""
    every, many = comb(len(one.rules.board), number), max(1, _SHARE >> 2 * number)
    for first in range(0, every, many):
        yield MovementTask(one, (*others,), number, range(first, min(first + many, every)), heads, doors, side)


def compared(share: MovementTask) -> dict[str, Any]:
    """How many `positions` a share has, and the first one that `differs` for those of the others where one does."""
    count, differs = 0, dict[int, Pieces]()
    for more, found in find_differing_placements(share):
        count += more
        for place, pieces in found:
            differs.setdefault(place, pieces)
    return {"positions": count, "differs": [[place, *pieces] for place, pieces in differs.items()]}


def find_differing_placements(share: MovementTask) -> Iterator[Compared]:
    """The same bit by bit, with every placement in which one of the others moves pieces differently.

    Captures are compared, and moves without capture whether or not they are open where there is one. With more than
    a few pieces it is relied on that rules change nothing else than what they are about (`spec/rules.yaml`).
    """
    if not installed():
        yield from _plainly(share)
        return
    comparison = _comparison(share.one, share.others, share.number <= _FEW)
    yield from comparison.differing(share.number, share.choices, SIDES.index(share.side), share.doors, share.heads)


@lru_cache(2)
def _comparison(one: Ruleset, others: tuple[Ruleset, ...], few: bool) -> CompiledComparison:
    from damspec.kernel.comparison import CompiledComparison

    contrasts = [PossibleDifferences.between(one, other) for other in others]
    begins, quiet = any(each.beginnings for each in contrasts), any(each.quiet for each in contrasts)
    return CompiledComparison(one.rules, [other.rules for other in others], begins=few or begins, quiet=few or quiet)


def _plainly(share: MovementTask) -> Iterator[Compared]:
    """What the kernel does, by the reference."""
    first, *others = (MoveGenerator(each.rules) for each in (share.one, *share.others))
    board, side = share.one.rules.board, SIDES.index(share.side)
    every = placements(board, share.number, share.heads, choices=(share.choices.start, share.choices.stop))
    free = (pieces for pieces in every if not share.doors & (pieces[0] | pieces[1] | pieces[2] | pieces[3]))
    while some := [*islice(free, 10_000)]:
        told = list[tuple[int, Pieces]]()
        for pieces in some:
            seen = pieces if side == 0 else (*pieces[2:], *pieces[:2])
            right = _moves(first, seen, side, share.doors)
            told += [(n, pieces) for n, each in enumerate(others) if _moves(each, seen, side, share.doors) != right]
        yield len(some), told


def _moves(generator: MoveGenerator, pieces: Pieces, side: int, doors: int) -> tuple[object, object]:
    captures = frozenset(step[:4] for step in generator.captures(pieces, side, doors))
    return captures, frozenset(step[:4] for step in generator.quiet(pieces, side, doors))


@dataclass(frozen=True)
class SurveyLevel:
    """All positions with one number of pieces and one state of the sliders.

    `positions` is how many there are. `telling` has those in which not all rulesets move alike, each with a number for
    each way of moving (rulesets with the same rules of movement share one). Equal numbers mean equal moves there.
    """

    positions: int
    telling: list[tuple[Position, tuple[int, ...]]]


class LevelSurvey:
    """Positions on the common board of some rulesets, White to move if the game is the same turned round."""

    def __init__(self, rulesets: Sequence[Ruleset], tell: Callable[[str], None] = lambda line: None) -> None:
        self.board = rulesets[0].rules.board
        self.sides = sides(rulesets)
        layouts = [ruleset.rules.trapdoors.layout for ruleset in rulesets if ruleset.rules.trapdoors]
        self._layout = layouts[0] if layouts else None
        self._tell = tell
        self.heads = reduce(lambda a, b: (a[0] & b[0], a[1] & b[1]), map(crownheads, rulesets))
        self._ways: dict[str, int] = {}
        self._way_of: dict[Ruleset, int] = {}
        self._generators: list[MoveGenerator] = []
        for ruleset in rulesets:
            movement = {rule: value for rule, value in ruleset.values.items() if moves_pieces(rule)}
            way = json.dumps(movement, sort_keys=True, default=str)
            if way not in self._ways:
                self._ways[way] = len(self._generators)
                self._generators.append(MoveGenerator(ruleset.rules))
            self._way_of[ruleset] = self._ways[way]
        self._levels: dict[tuple[int, str | None, bool], SurveyLevel] = {}
        #: Two ways of moving that compiled code found alike, with a number of pieces and open doors: in how many.
        self.found_alike: dict[tuple[int, int, str, str], int] = {}

    def affordable(self, number: int) -> bool:
        """Whether there are few enough positions with `number` pieces to try them all."""
        return size(self.board, number, self.sides) <= AFFORDABLE

    def alike(self, one: Ruleset, other: Ruleset, seen: tuple[int, ...]) -> bool:
        """Whether two of the rulesets move alike in a telling position."""
        return seen[self._way_of[one]] == seen[self._way_of[other]]

    def everywhere(self, number: int, sliders: str | None) -> Iterator[Position]:
        """Every position with `number` pieces, none on an open door."""
        return everywhere(self.board, number, self.heads, self.sides, sliders, self.doors(sliders))

    def level(self, number: int, sliders: str | None, *, quiet: bool) -> SurveyLevel:
        """The level of `number` pieces with the sliders one way; moves without capture are compared only if `quiet`.

        Different moves count as different even if the piece falls and the same pieces are left.
        """
        key = number, sliders, quiet
        if key not in self._levels:
            self._levels[key] = self._surveyed(number, sliders, quiet)
        return self._levels[key]

    def _surveyed(self, number: int, sliders: str | None, quiet: bool) -> SurveyLevel:
        doors, generators = self.doors(sliders), self._generators
        telling, seen = [], 0
        for position in self.everywhere(number, sliders):
            seen += 1
            if seen % 20_000 == 0:
                self._tell(f"{number} pieces: {seen:,} positions")
            pieces, side = to_mover_view(position)
            found: list[object] = [{step[:4] for step in one.captures(pieces, side, doors)} for one in generators]
            if quiet:
                slides = [{step[:4] for step in one.quiet(pieces, side, doors)} for one in generators]
                found = list(zip(found, slides, strict=True))
            first = tuple(map(found.index, found))
            if any(first):
                telling.append((position, first))
        return SurveyLevel(seen, telling)

    def doors(self, sliders: str | None) -> int:
        """The doors that are open with the sliders one way."""
        return self._layout.open_doors(self.board, sliders) if sliders and self._layout else 0
