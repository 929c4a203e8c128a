"""Exhaustive comparison of rulesets over all positions with few pieces."""

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
from damspec.kernel import is_available
from damspec.movegen import MoveGenerator
from damspec.position import Pieces, to_mover_view

from ..answers.answer_diff import PossibleDifferences
from ..mutants.ruleset_diff import decides_moves, moves_pieces
from ..positions.enumeration import AFFORDABLE, all_positions, placements, promotion_rows, sides, size

if TYPE_CHECKING:
    from damspec.kernel.compare import RuleComparison

#: The approximate number of placements in a task.
_TASK_SIZE = 16_000_000
#: The number of pieces up to which all moves are compared, whatever the rules affect.
_COMPARED_IN_FULL = 3

#: The number of placements compared, and the differing ones, each with the index of the other ruleset.
Compared = tuple[int, list[tuple[int, Pieces]]]


@dataclass(frozen=True)
class MovementTask:
    """A range of the placements of `number` pieces on which one ruleset is compared with others.

    `choices` are indexes of choices of squares. The `doors` are open, with no piece on them; no man stands on its
    side's promotion rows in `promotion_rows`.
    """

    one: Ruleset
    others: tuple[Ruleset, ...]
    number: int
    choices: range
    promotion_rows: tuple[int, int]
    doors: int = 0
    side: Side = "white"


def movement_rules(ruleset: Ruleset, decides: Callable[[str], bool] = decides_moves) -> str:
    """Return all rules that decide how pieces move, and the board, as text: equal texts mean equal moves."""
    values = {rule: value for rule, value in ruleset.values.items() if decides(rule)}
    return json.dumps(values, sort_keys=True, default=str)


def movement_tasks(
    one: Ruleset,
    others: Sequence[Ruleset],
    number: int,
    promotion_rows: tuple[int, int],
    doors: int = 0,
    side: Side = "white",
) -> Iterator[MovementTask]:
    """Yield tasks of about equal size that cover all placements of `number` pieces."""
    every, many = comb(len(one.rules.board), number), max(1, _TASK_SIZE >> 2 * number)
    for first in range(0, every, many):
        yield MovementTask(one, (*others,), number, range(first, min(first + many, every)), promotion_rows, doors, side)


def compared(task: MovementTask) -> dict[str, Any]:
    """Return a task's number of positions and the first in which each of the others differs, as plain data."""
    count, differs = 0, dict[int, Pieces]()
    for more, found in find_differing_placements(task):
        count += more
        for place, pieces in found:
            differs.setdefault(place, pieces)
    return {"positions": count, "differs": [[place, *pieces] for place, pieces in differs.items()]}


def find_differing_placements(task: MovementTask) -> Iterator[Compared]:
    """Yield, in batches, the number of placements compared and those in which one of the others moves differently.

    Captures are compared, and quiet moves whether or not a capture must be made. With more than three pieces, rules are
    trusted to change only what `spec/rules.yaml` says they affect.
    """
    if not is_available():
        yield from _find_by_reference(task)
        return
    comparison = _comparison(task.one, task.others, task.number <= _COMPARED_IN_FULL)
    yield from comparison.differing(task.number, task.choices, SIDES.index(task.side), task.doors, task.promotion_rows)


@lru_cache(2)
def _comparison(one: Ruleset, others: tuple[Ruleset, ...], few: bool) -> RuleComparison:
    from damspec.kernel.compare import RuleComparison

    contrasts = [PossibleDifferences.between(one, other) for other in others]
    begins, quiet = any(each.beginnings for each in contrasts), any(each.quiet for each in contrasts)
    rules = [other.rules for other in others]
    return RuleComparison(one.rules, rules, [few or quiet] * len(rules), begins=few or begins)


def _find_by_reference(task: MovementTask) -> Iterator[Compared]:
    """Compare by the reference, as the compiled kernel does."""
    first, *others = (MoveGenerator(each.rules) for each in (task.one, *task.others))
    board, side = task.one.rules.board, SIDES.index(task.side)
    every = placements(board, task.number, task.promotion_rows, choices=(task.choices.start, task.choices.stop))
    free = (pieces for pieces in every if not task.doors & (pieces[0] | pieces[1] | pieces[2] | pieces[3]))
    while some := [*islice(free, 10_000)]:
        told = list[tuple[int, Pieces]]()
        for pieces in some:
            seen = pieces if side == 0 else (*pieces[2:], *pieces[:2])
            right = _moves(first, seen, side, task.doors)
            told += [(n, pieces) for n, each in enumerate(others) if _moves(each, seen, side, task.doors) != right]
        yield len(some), told


def _moves(
    generator: MoveGenerator, pieces: Pieces, side: int, doors: int, *, quiet: bool = True
) -> tuple[set[object], set[object]]:
    """Return the captures, and if wanted the quiet moves, in comparable form."""
    captures: set[object] = {step[:4] for step in generator.captures(pieces, side, doors)}
    return captures, {step[:4] for step in generator.quiet(pieces, side, doors)} if quiet else set()


@dataclass(frozen=True)
class SurveyLevel:
    """All positions with one number of pieces and one state of the sliders.

    `positions` is their number. `telling` has those in which not all rulesets move alike, each with a number for each
    way of moving; rulesets with the same movement rules share one. Equal numbers mean equal moves.
    """

    positions: int
    telling: list[tuple[Position, tuple[int, ...]]]


class LevelSurvey:
    """A survey of the positions on the common board of rulesets, with White to move if all are symmetrical."""

    def __init__(self, rulesets: Sequence[Ruleset], tell: Callable[[str], None] = lambda line: None) -> None:
        self.board = rulesets[0].rules.board
        self.sides = sides(rulesets)
        layouts = [ruleset.rules.trapdoors.layout for ruleset in rulesets if ruleset.rules.trapdoors]
        self._layout = layouts[0] if layouts else None
        self._tell = tell
        self.promotion_rows = reduce(lambda a, b: (a[0] & b[0], a[1] & b[1]), map(promotion_rows, rulesets))
        self._ways: dict[str, int] = {}
        self._way_of: dict[Ruleset, int] = {}
        self._generators: list[MoveGenerator] = []
        for ruleset in rulesets:
            way = movement_rules(ruleset, moves_pieces)
            if way not in self._ways:
                self._ways[way] = len(self._generators)
                self._generators.append(MoveGenerator(ruleset.rules))
            self._way_of[ruleset] = self._ways[way]
        self._levels: dict[tuple[int, str | None, bool], SurveyLevel] = {}
        #: How many placements compiled code found alike, by number of pieces, open doors and two ways of moving.
        self.found_alike: dict[tuple[int, int, str, str], int] = {}

    def affordable(self, number: int) -> bool:
        """Return whether there are few enough positions with `number` pieces to try them all."""
        return size(self.board, number, self.sides) <= AFFORDABLE

    def alike(self, one: Ruleset, other: Ruleset, seen: tuple[int, ...]) -> bool:
        """Return whether two of the rulesets move alike in a telling position."""
        return seen[self._way_of[one]] == seen[self._way_of[other]]

    def all_positions(self, number: int, sliders: str | None) -> Iterator[Position]:
        """Yield every position with `number` pieces, none on an open door."""
        return all_positions(self.board, number, self.promotion_rows, self.sides, sliders, self.doors(sliders))

    def level(self, number: int, sliders: str | None, *, quiet: bool) -> SurveyLevel:
        """Return the level of `number` pieces with the sliders one way; quiet moves are compared only if `quiet`.

        Different moves count as different even if the piece falls and the same pieces are left.
        """
        key = number, sliders, quiet
        if key not in self._levels:
            self._levels[key] = self._survey(number, sliders, quiet)
        return self._levels[key]

    def _survey(self, number: int, sliders: str | None, quiet: bool) -> SurveyLevel:
        doors, generators = self.doors(sliders), self._generators
        telling, seen = [], 0
        for position in self.all_positions(number, sliders):
            seen += 1
            if seen % 20_000 == 0:
                self._tell(f"{number} pieces: {seen:,} positions")
            pieces, side = to_mover_view(position)
            found = [_moves(one, pieces, side, doors, quiet=quiet) for one in generators]
            first = tuple(map(found.index, found))
            if any(first):
                telling.append((position, first))
        return SurveyLevel(seen, telling)

    def doors(self, sliders: str | None) -> int:
        """Return the open doors, as a bitboard, with the sliders one way."""
        return self._layout.open_doors(self.board, sliders) if sliders and self._layout else 0
