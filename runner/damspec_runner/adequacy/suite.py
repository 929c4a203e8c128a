"""Adequacy of perft suites: which mutants of a ruleset a suite kills.

A mutant that survives is either one that no perft can show, for a known reason, or one for which the suite lacks a
position. As a control the unchanged ruleset must give all the numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from itertools import islice
from typing import Any

import damspec
from damspec import Ruleset

from ..answers.mutant_perft import LAPSES, PerftMutant, changes_counts, differs_in_lapses, mutant_nodes
from ..answers.player import RulePlayer
from ..cases.cases import cases_for
from ..cases.perft_tables import PerftSuite, suite_of
from ..mutants.mutants import single_changes
from ..tasks.executor import TaskRunner, run_in_process
from .measure import VoidRunError

#: The greatest depth at which mutants are counted.
DEEPEST = 3
#: The number of changes in a task.
_TASK_SIZE = 5


@dataclass(frozen=True)
class SuiteMutant:
    """The smallest depth at which a mutant gives another number, and in how many positions; 0 and 0 if nowhere.

    `because` is why no perft shows it, if that is known.
    """

    mutant: str
    depth: int
    positions: int
    because: str | None = None

    @property
    def is_uncovered(self) -> bool:
        """Whether the suite lacks a position for the mutant."""
        return not self.depth and self.because is None


@dataclass(frozen=True)
class SuiteAdequacy:
    """Which of the single mutants of a ruleset its suite kills."""

    ruleset: str
    positions: int
    mutants: tuple[SuiteMutant, ...]

    def at(self, depth: int) -> int:
        """Return how many mutants are killed at a depth and at none before."""
        return sum(one.depth == depth for one in self.mutants)

    @property
    def undetectable(self) -> int:
        """The number of mutants that no perft shows."""
        return sum(one.because is not None for one in self.mutants)

    @property
    def uncovered(self) -> int:
        """The number of mutants for which the suite lacks a position."""
        return sum(one.is_uncovered for one in self.mutants)


@dataclass(frozen=True)
class SuiteTask:
    """A range of the single changes of a ruleset, to be counted in the positions of its suite."""

    ruleset: Ruleset
    suite: PerftSuite
    first: int
    last: int


def measure_suites(rulesets: Sequence[Ruleset], task_runner: TaskRunner = run_in_process) -> Iterator[SuiteAdequacy]:
    """Measure the suite shipped for each ruleset. Raises FileError or VoidRunError."""
    tasks = [[*_suite_tasks(ruleset, suite_of(ruleset))] for ruleset in rulesets]
    named = {
        f"{place}: {each.ruleset.id} {each.first} to {each.last}": each
        for place, task in enumerate(tasks)
        for each in task
    }
    found = task_runner(_measure_task, named, "changes")
    for task in tasks:
        told = tuple(SuiteMutant(*each) for entries in islice(found, len(task)) for each in entries)
        yield SuiteAdequacy(task[0].ruleset.id, len(task[0].suite.positions), told)


def _suite_tasks(ruleset: Ruleset, suite: PerftSuite) -> Iterator[SuiteTask]:
    """Yield the tasks of a ruleset; the first has no change and is the control."""
    yield SuiteTask(ruleset, suite, 0, 0)
    for first in range(0, len(single_changes(ruleset)), _TASK_SIZE):
        yield SuiteTask(ruleset, suite, first, first + _TASK_SIZE)


def _measure_task(task: SuiteTask) -> list[list[Any]]:
    """Measure the changes of a task and return the fields of each result as plain data."""
    ruleset, suite = task.ruleset, task.suite
    if not task.last:
        _check_control(ruleset, suite)
    wrong = changes_counts(ruleset, single_changes(ruleset)[task.first : task.last])
    return [[*astuple(_measure_mutant(ruleset, suite, each))] for each in wrong]


def _measure_mutant(ruleset: Ruleset, suite: PerftSuite, wrong: PerftMutant) -> SuiteMutant:
    for depth in range(1, DEEPEST + 1):
        counted = [one for one in suite.positions if depth <= len(one.nodes)]
        if number := sum(wrong.nodes(one.position, depth) != one.nodes[depth - 1] for one in counted):
            return SuiteMutant(wrong.name, depth, number)
    if wrong.hidden is None and differs_in_lapses(RulePlayer(ruleset), wrong, _positions(ruleset, suite)):
        return SuiteMutant(wrong.name, 0, 0, LAPSES)
    return SuiteMutant(wrong.name, 0, 0, wrong.hidden)


def _positions(ruleset: Ruleset, suite: PerftSuite) -> Iterator[str]:
    yield from (one.position for one in suite.positions)
    yield from (case.position for case in cases_for(ruleset))


def _check_control(ruleset: Ruleset, suite: PerftSuite) -> None:
    unchanged = RulePlayer(damspec.from_values(ruleset.inline_values, ruleset.id))
    for one in suite.positions:
        for depth, right in enumerate(one.nodes, 1):
            if (found := mutant_nodes(unchanged, one.position, depth)) != right:
                raise VoidRunError(
                    f"{ruleset.id} unchanged has {found} nodes at depth {depth} in {one.position}, not {right}"
                )
