"""Exhaustive search of all positions with few pieces, in tasks that can run anywhere."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from damspec import Position
from damspec.board import Side
from damspec.kernel import is_available
from damspec.validity import find_invalidity, phases

from ..positions.enumeration import (
    AFFORDABLE,
    ScatteredOrder,
    all_positions,
    choices,
    in_phases,
    promotion_rows,
    sides,
    size,
    slider_positions,
)
from ..tasks.executor import TaskRunner, run_in_process
from .goal import SearchGoal

if TYPE_CHECKING:
    from damspec.kernel.compare import RuleComparison

#: The number of positions from which compiling a filter, which may take seconds, is worth it.
MUCH = 60_000
#: The cost of comparing whole turns relative to comparing moves.
_WHOLE_TURNS = 8
#: The approximate number of positions in a task.
_AT_ONCE = 1_024


@dataclass(frozen=True)
class SearchedLevel:
    """All positions with `pieces` pieces and at most `doors` open doors (None: any number), all tried."""

    pieces: int
    doors: int | None
    positions: int


class ExhaustiveSearch:
    """Enumeration of all positions by their number of pieces, filtered by what is wanted."""

    def __init__(self, wanted: SearchGoal) -> None:
        self.wanted = wanted
        self._one_side = sides((wanted.ruleset,))

    def cost(self, number: int, doors: int | None = None) -> int:
        """Estimate the cost of trying all positions with `number` pieces and at most `doors` open doors."""
        ruleset = self.wanted.ruleset
        weight = _WHOLE_TURNS if self.wanted.whole_turns or ruleset.rules.huff else 1
        return weight * size(ruleset.rules.board, number, self._one_side) * len(slider_positions(ruleset, doors))

    def affordable_doors(self, number: int) -> int | None:
        """Return how many open doors are affordable with `number` pieces: None any number, -1 not even none."""
        return next((doors for doors in (None, 1, 0) if self.cost(number, doors) <= AFFORDABLE), -1)

    def shuffled_groups(
        self, number: int, doors: int | None, rng: random.Random, task_runner: TaskRunner = run_in_process
    ) -> Iterator[list[Position]]:
        """Yield, for each position up to mirror images, the wanted ones among it and its mirror image.

        Consecutive positions are far apart.
        """
        for position in self._each(number, self._one_side, doors, rng, task_runner):
            if position is None:
                yield []
            elif len(self._one_side) == 1 and not (position.sliders or position.huffable):
                both = [position, position.mirrored()]
                yield both[:: rng.choice((1, -1))]
            else:
                yield [position]

    def in_order(self, number: int, task_runner: TaskRunner = run_in_process) -> Iterator[Position | None]:
        """Yield each position with `number` pieces if it is wanted, else None."""
        return self._each(number, ("white", "black"), None, None, task_runner)

    def _each(
        self,
        number: int,
        sides: tuple[Side, ...],
        doors: int | None,
        rng: random.Random | None,
        task_runner: TaskRunner,
    ) -> Iterator[Position | None]:
        """Yield every position in every phase if it is wanted, else None."""
        ruleset = self.wanted.ruleset
        board, wanted = ruleset.rules.board, replace(self.wanted)
        for sliders in slider_positions(ruleset, doors):
            scattered = ScatteredOrder.by_chance(board, number, rng) if rng else None
            every, many = choices(board, number, scattered), max(1, _AT_ONCE >> (0 if rng else 2 * number))
            tasks = (
                LevelTask(wanted, number, sides, sliders, scattered, (first, min(first + many, every)))
                for first in range(0, every, many)
            )
            for found in task_runner(search_level_task, {task.key: task for task in tasks}):
                places = dict(found["wanted"])
                for place in range(found["tried"]):
                    yield Position.from_fen(places[place], board) if place in places else None


@dataclass(frozen=True)
class LevelTask:
    """A range of the positions with a number of pieces and one state of the sliders, by index in an order."""

    goal: SearchGoal
    number: int
    sides: tuple[Side, ...]
    sliders: str | None
    order: ScatteredOrder | None
    choices: tuple[int, int]

    @property
    def key(self) -> str:
        """The key of the task in a journal."""
        order = f"{self.order.first}+{self.order.step}" if self.order else "in order"
        return f"{self.number} pieces, {self.sliders}, {order}: {self.choices[0]} to {self.choices[1]}"


def search_level_task(task: LevelTask) -> dict[str, Any]:
    """Count the positions of a task, in every phase, and return the wanted ones with their places."""
    wanted, found, tried = _intern(task.goal), [], 0
    for position in _positions(task, wanted):
        if position and wanted.is_met(position):
            found.append([tried, position.fen()])
        tried += 1
    return {"tried": tried, "wanted": found}


@lru_cache(1)
def _intern(wanted: SearchGoal) -> SearchGoal:
    """Return one shared instance of equal goals, so that all tasks use its caches."""
    return wanted


def _positions(task: LevelTask, wanted: SearchGoal) -> Iterator[Position | None]:
    """Yield every position of a task in every phase; None for one that cannot meet the goals in any phase."""
    ruleset, turns = wanted.ruleset, wanted.player.turns
    named = phases(ruleset.rules) if wanted.phase is None else (wanted.phase,)
    for position in _placements(task, wanted):
        if position is None or (ruleset.rules.huff is None and not wanted.may_meet(position)):
            yield None
            continue
        for one in in_phases(position, named, turns):
            if not find_invalidity(turns, one):
                yield one


def _placements(task: LevelTask, wanted: SearchGoal) -> Iterator[Position | None]:
    """Yield every position of a task; None for one that compiled code has ruled out for the first goal."""
    ruleset, scattered = wanted.ruleset, task.order
    board, rows = ruleset.rules.board, promotion_rows(ruleset)
    many = size(board, task.number, task.sides) * len(slider_positions(ruleset))
    sieve = _sieve(wanted) if many >= MUCH and task.number else None
    if sieve is None:
        yield from all_positions(
            board, task.number, rows, task.sides, task.sliders, scattered=scattered, choices=task.choices
        )
        return
    first, last = task.choices
    if scattered is None:  # choices of squares alone, each with every choice of kinds
        first, last, scattered = first << 2 * task.number, last << 2 * task.number, ScatteredOrder(0, 1)
    trapdoors = ruleset.rules.trapdoors
    doors = trapdoors.layout.open_doors(board, task.sliders) if trapdoors and task.sliders else 0
    places = range(scattered.first + first * scattered.step, scattered.first + last * scattered.step, scattered.step)
    for pieces, differing in sieve.may_differ(task.number, places, rows, len(task.sides), doors):
        for side, may_meet in zip(task.sides, differing, strict=True):
            yield Position(board, *pieces, side, task.sliders) if may_meet and pieces else None


@lru_cache(1)
def _sieve(wanted: SearchGoal) -> RuleComparison | None:
    """Return the compiled filter for the first goal, or None where compiled code cannot decide it."""
    first_differences = wanted.first_differences
    seen = all(not (differences.turns or differences.outcomes) for _, differences in first_differences)
    if not (first_differences and seen and is_available()) or wanted.ruleset.rules.huff:
        return None
    from damspec.kernel.compare import RuleComparison

    others = [player.ruleset.rules for player, _ in first_differences]
    return RuleComparison(wanted.ruleset.rules, others, [differences.quiet for _, differences in first_differences])
