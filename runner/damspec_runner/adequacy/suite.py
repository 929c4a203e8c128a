"""What a perft suite can tell apart: every mutant of a ruleset is counted in its positions.

A mutant that no number shows is one that perft cannot show, for a reason that is worked out, or one that the suite
lacks a position for. As a control the unchanged ruleset has to give all the numbers.
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
from .measure import Void

#: The greatest depth at which a mutant is to be told.
DEEPEST = 3
#: How many changes are a share of the work.
_AT_ONCE = 5


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
    def left(self) -> bool:
        """Whether the suite lacks a position for it."""
        return not self.depth and self.because is None


@dataclass(frozen=True)
class SuiteAdequacy:
    """What the suite of a ruleset tells of all mutants with one change."""

    ruleset: str
    positions: int
    mutants: tuple[SuiteMutant, ...]

    def at(self, depth: int) -> int:
        """How many mutants are told at a depth and at none before."""
        return sum(one.depth == depth for one in self.mutants)

    @property
    def hidden(self) -> int:
        """How many mutants no perft shows."""
        return sum(one.because is not None for one in self.mutants)

    @property
    def left(self) -> int:
        """How many mutants the suite lacks a position for."""
        return sum(one.left for one in self.mutants)


@dataclass(frozen=True)
class SuiteTask:
    """Some changes of a ruleset, by their places in the list of these, to be counted in the positions of its suite."""

    ruleset: Ruleset
    suite: PerftSuite
    first: int
    last: int


def measure_suites(rulesets: Sequence[Ruleset], task_runner: TaskRunner = run_in_process) -> Iterator[SuiteAdequacy]:
    """What the suite shipped for each ruleset tells. Raises FileError if there is none, Void if the control fails."""
    shares = [[*_shares(ruleset, suite_of(ruleset))] for ruleset in rulesets]
    named = {
        f"{place}: {each.ruleset.id} {each.first} to {each.last}": each
        for place, share in enumerate(shares)
        for each in share
    }
    found = task_runner(_counted, named, "changes")
    for share in shares:
        told = tuple(SuiteMutant(*each) for entries in islice(found, len(share)) for each in entries)
        yield SuiteAdequacy(share[0].ruleset.id, len(share[0].suite.positions), told)


def _shares(ruleset: Ruleset, suite: PerftSuite) -> Iterator[SuiteTask]:
    """The first has no change and is the control."""
    yield SuiteTask(ruleset, suite, 0, 0)
    for first in range(0, len(single_changes(ruleset)), _AT_ONCE):
        yield SuiteTask(ruleset, suite, first, first + _AT_ONCE)


def _counted(share: SuiteTask) -> list[list[Any]]:
    """How the changes of a share are told, the fields of each as plain data."""
    ruleset, suite = share.ruleset, share.suite
    if not share.last:
        _control(ruleset, suite)
    wrong = changes_counts(ruleset, single_changes(ruleset)[share.first : share.last])
    return [[*astuple(_told(ruleset, suite, each))] for each in wrong]


def _told(ruleset: Ruleset, suite: PerftSuite, wrong: PerftMutant) -> SuiteMutant:
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


def _control(ruleset: Ruleset, suite: PerftSuite) -> None:
    unchanged = RulePlayer(damspec.from_values(ruleset.values, ruleset.id))
    for one in suite.positions:
        for depth, right in enumerate(one.nodes, 1):
            if (found := mutant_nodes(unchanged, one.position, depth)) != right:
                raise Void(f"{ruleset.id} unchanged has {found} nodes at depth {depth} in {one.position}, not {right}")
