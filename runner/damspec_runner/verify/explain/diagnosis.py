"""Explaining the failures of a run: first by rules, then by experiments on the engine.

The rules are every change of one, the readings, every other game on the board, and where none of them explains all,
pairs and groups of changes; beside them stand a few mistakes that real engines were seen to make. What is compared are
the answers to the cases, those that passed too, and in games. An explanation is put to further positions on the engine
first; what cannot be, or was in too few, says so before anything else. What is left is looked into by experiments.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from damspec import Position, Ruleset
from damspec.errors import list_some
from damspec.sampling import sample_positions

from ...answers.player import RulePlayer
from ...cases.case import Case
from ...engines.process import Engine
from ...engines.serve import HELLO, InProcessEngine
from ..ask import ask
from ..result import Report
from .engine_under_test import Budget, EngineUnderTest, differing_positions
from .experiments import Experiment, Experiments
from .search import APART, Evidence, Fit, Search

#: How many explanations are shown in sentences; the JSON has them all.
SHOWN = 5
#: How many of the unexplained failures are shown, those with the fewest pieces.
SMALLEST = 3
#: The most positions looked at to find one that tells explanations apart.
LOOKED_AT = 20_000


@dataclass(frozen=True)
class Diagnosis:
    """The explanation of a run's failures: `complete` fits explain all of them, `partial` ones some."""

    ruleset: Ruleset
    failures: int
    passes: int
    complete: tuple[Fit, ...] = ()
    partial: tuple[Fit, ...] = ()
    #: The unexplained failures, and the cases without an answer, those with the fewest pieces first.
    unexplained: tuple[str, ...] = ()
    #: The positions of the smallest of them, by their ids.
    smallest: dict[str, str] = field(default_factory=dict)
    #: What experiments showed of all wrong answers, and of groups of them.
    common: tuple[str, ...] = ()
    experiments: tuple[Experiment, ...] = ()
    #: A position whose answer tells several complete explanations apart, if one was found.
    ask_next: str | None = None
    #: The positions that told explanations apart, if as many as possible were to be asked.
    probed: tuple[str, ...] = ()
    #: How many failed cases were right when asked alone of a fresh process.
    unstable: int = 0

    def lines(self) -> list[str]:
        """Return the diagnosis in sentences: what explains less than half of the failures comes last."""
        lines = []
        if self.unstable:
            alone = f"{self.unstable} wrong answers were right when asked alone"
            lines.append(f"{alone}: they depend on earlier questions or on chance")
        main = [fit for fit in self.partial if 2 * len(fit.explains) >= self.failures]
        lines += [self._describe_fit(fit) for fit in self.complete[:SHOWN] or main]
        if self.complete[SHOWN:]:
            lines.append(f"and {len(self.complete) - SHOWN} more that explain as much")
        if self.probed:
            lines.append(f"{len(self.probed)} further positions were asked to tell explanations apart")
        if len(self.complete) > 1:
            lines.append(
                f"these {len(self.complete)} cannot be told apart by the cases"
                + (f"; ask the moves of {self.ask_next}" if self.ask_next else ", nor by any position tried")
            )
        lines += [*self.common, *(line for experiment in self.experiments for line in experiment.lines)]
        lines += [self._describe_fit(fit) for fit in self.partial if fit not in main]
        if self.unexplained:
            shown = [f"{id} ({self.smallest[id]})" if id in self.smallest else id for id in self.unexplained]
            lines.append(f"unexplained by rules: {list_some(shown, SMALLEST)}")
        return lines

    def _describe_fit(self, fit: Fit) -> str:
        sure = "not confirmed: perhaps " if not fit.confirmed else "perhaps " if len(self.complete) > 1 else ""
        told, number = fit.hypothesis.describe(self.ruleset), f"{len(fit.explains)} of {self.failures} failures"
        tried = f"; tried in {fit.tried} further positions" if fit.tried else ""
        contradicts = f"contradicts none of {self.passes} passes{tried}"
        if fit in self.partial:
            return f"{sure}answers {number} like one that {told}; that {contradicts}"
        return f"{sure}{told}: explains {number} and {contradicts}"

    def as_json(self) -> dict[str, Any]:
        """Return the diagnosis as plain data."""

        def entry(fit: Fit) -> dict[str, Any]:
            return {
                "names": list(fit.hypothesis.names),
                "kind": fit.hypothesis.kind,
                "explains": list(fit.explains),
                "confirmed": fit.confirmed,
                **({"tried": fit.tried} if fit.tried else {}),
            }

        experiments = [
            {"position": each.position, "alike": each.alike, "lines": list(each.lines)} for each in self.experiments
        ]
        optional = {
            "ask_next": self.ask_next,
            "probed": list(self.probed),
            "unstable": self.unstable,
            "experiments": experiments,
        }
        return {
            "failures": self.failures,
            "passes": self.passes,
            "complete": [entry(fit) for fit in self.complete],
            "partial": [entry(fit) for fit in self.partial],
            "unexplained": list(self.unexplained),
            "lines": self.lines(),
            **{key: value for key, value in optional.items() if value},
        }


def explain(
    report: Report, start: Callable[[], Engine] | None = None, budget: Budget | None = None, *, apart: int = APART
) -> Diagnosis:
    """Explain all that went wrong in a run.

    `start` makes an engine, not started yet, on which explanations are put to a test, in so many positions that tell
    them `apart`, and experiments made; one that only plays, or takes no positions, is not asked. Raises EngineError.
    """
    budget = budget or Budget()
    if start is None or not report.hello.setup or report.hello.manner == "played":
        return _explain(report, budget, None, apart)
    with closing(EngineUnderTest(report.ruleset, start, report.hello, budget)) as engine:
        return _explain(report, budget, engine, apart)


def _explain(report: Report, budget: Budget, engine: EngineUnderTest | None, apart: int) -> Diagnosis:
    ruleset = report.ruleset
    failed = [result.case.id for result in report.answers if result.status in ("failed", "reading")]
    silent = [one for one in report.answers if one.status in ("error", "timeout")]
    evidence = Evidence(
        report.answers, report.games.sample if report.games else (), with_successors=report.hello.gives_successors
    )
    passes = sum(one.status == "passed" for one in report.answers)
    search = Search(ruleset, evidence, budget, engine, apart)
    complete = search.find_complete() if evidence.wrong else []
    partial = search.find_partial() if evidence.wrong and not complete else []
    if complete and not set(failed) <= {one.case.id for one in evidence.failed}:
        complete, partial = [], complete
    explained = {id for fit in (*complete, *partial) for id in fit.explains}
    explained |= {one.case.id for one in silent if _is_refused(ruleset, one.case, complete)}
    left = [id for id in dict.fromkeys([*failed, *(one.case.id for one in silent)]) if id not in explained]
    positions = {one.case.id: one.question.position for one in (*evidence.failed, *silent)}
    left.sort(key=lambda id: len(positions.get(id, ruleset.rules.board)))
    common, experiments = list[str](), list[Experiment]()
    if engine and not any(fit.confirmed for fit in complete):
        players = [fit.hypothesis.player for fit in partial if fit.confirmed]
        common, experiments = Experiments(engine, players).run(_positions(report, left))
    ask_next = None
    if engine is None and len(complete) > 1:
        budget.tell(f"{len(complete)} explanations: looking for a position that tells them apart")
        ask_next = find_telling_position([fit.hypothesis.player for fit in complete], ruleset)
    return Diagnosis(
        ruleset,
        len(failed),
        passes,
        tuple(complete),
        tuple(partial),
        tuple(left),
        {id: positions[id].fen() for id in left[:SMALLEST] if id in positions},
        tuple(common),
        tuple(experiments),
        ask_next.fen() if ask_next else None,
        tuple(one.fen() for one in search.probed) if apart > APART else (),
        sum(one.is_right_alone for one in report.answers),
    )


def _positions(report: Report, unexplained: Sequence[str]) -> list[Position]:
    """Return the positions of the failures that are left, then those of the unstable cases."""
    unstable = {one.case.id for one in report.answers if one.status == "unstable"}
    ids = {*unexplained, *unstable}
    return [one.question.position for one in report.answers if one.case.id in ids and not one.case.history]


def _is_refused(ruleset: Ruleset, case: Case, complete: Sequence[Fit]) -> bool:
    """Return whether an engine that plays by other rules would have refused a question."""
    engines = (InProcessEngine(fit.hypothesis.ruleset, strict=True) for fit in complete)
    return any(ask(engine, ruleset, HELLO, case).kind == "refused" for engine in engines)


def find_telling_position(players: Sequence[RulePlayer], ruleset: Ruleset) -> Position | None:
    """Return a position that not all players answer alike; None if none was found."""
    candidates = islice(sample_positions(ruleset, random.Random(0)), LOOKED_AT)
    return next(iter(differing_positions(players, candidates)), None)
