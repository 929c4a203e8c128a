"""Explaining failures: which other rules would give exactly the answers that an engine gave.

The hypotheses are every mutant of the ruleset, every alternative reading and every other ruleset on the same board;
where none of them explains all, every fault of the catalogue, and then pairs of changes, a few thousand. Where none
does either, several may explain a part each, or it is said what the wrong answers have in common. What is compared are
the answers to the cases, those that passed too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from damspec import Position, Ruleset

from ..answers.player import Player
from ..answers.question import Question, questions
from .evidence import Evidence, Fit
from .features import Pattern, in_unanswered, patterns
from .hypotheses import merged, plain_hypotheses, several_changes, with_faults
from .observation import Observation, observations, observe
from .result import RIGHT_ALONE, Report

__all__ = ["Diagnosis", "diagnose", "explain", "observations", "observe", "telling"]

#: How many positions are looked at to find one that tells two hypotheses apart.
LOOKED_AT = 20_000

#: The share of the failing cases that have to have something in common for that to go before several explanations.
COMMON = 2 / 3

#: How many complete explanations are shown in sentences; the JSON has them all.
SHOWN = 5


@dataclass(frozen=True)
class Diagnosis:
    """Where the failures come from. `complete` explain all of them; without those, `partial` are the best."""

    ruleset: str
    failures: int
    passes: int
    complete: tuple[Fit, ...]
    partial: tuple[Fit, ...]
    unexplained: tuple[str, ...]
    #: A position whose answer tells the complete explanations apart, if there are several and one was found.
    ask_next: str | None = None
    #: The positions that the engine was asked about to tell them apart.
    probed: tuple[str, ...] = ()
    #: What the answers that remain unexplained have in common.
    patterns: tuple[Pattern, ...] = ()
    #: How many cases failed at first and were right when a process was asked nothing else.
    unstable: int = 0

    def lines(self) -> list[str]:
        """The diagnosis in sentences."""
        said = []
        if self.unstable:
            alone = f"{self.unstable} wrong answers were right when asked alone"
            said.append(f"{alone}: they depend on earlier questions or on chance")
        said += [self._line(explanation) for explanation in self.complete[:SHOWN] or self.partial]
        if self.complete[SHOWN:]:
            said.append(f"and {len(self.complete) - SHOWN} more that explain as much")
        if self.probed:
            said.append(f"{len(self.probed)} further positions were asked to tell explanations apart")
        if len(self.complete) > 1:
            said.append(
                f"these {len(self.complete)} cannot be told apart by the cases"
                + (f"; ask the moves of {self.ask_next}" if self.ask_next else ", nor by any position tried")
            )
        said += [pattern.line() for pattern in self.patterns]
        if self.unexplained:
            more = f" and {len(self.unexplained) - 5} more" if len(self.unexplained) > 5 else ""
            said.append(f"unexplained: {', '.join(self.unexplained[:5])}{more}")
        return said

    def _line(self, explanation: Fit) -> str:
        explained = f"explains {len(explanation.explains)} of {self.failures} failures"
        return (
            f"{explanation.hypothesis.plays(self.ruleset)} ({explained} and contradicts none of {self.passes} passes)"
        )

    def as_json(self) -> dict[str, Any]:
        """The diagnosis as plain data."""

        def entry(explanation: Fit) -> dict[str, Any]:
            return {
                "names": list(explanation.hypothesis.names),
                "kind": explanation.hypothesis.kind,
                "explains": list(explanation.explains),
            }

        return {
            "failures": self.failures,
            "passes": self.passes,
            "complete": [entry(explanation) for explanation in self.complete],
            "partial": [entry(explanation) for explanation in self.partial],
            "unexplained": list(self.unexplained),
            "lines": self.lines(),
            **({"ask_next": self.ask_next} if self.ask_next else {}),
            **({"probed": list(self.probed)} if self.probed else {}),
            **({"unstable": self.unstable} if self.unstable else {}),
            **({"patterns": [asdict(pattern) for pattern in self.patterns]} if self.patterns else {}),
        }


def diagnose(
    ruleset: Ruleset,
    seen: Sequence[Observation],
    failed: Sequence[str],
    *,
    beside: Sequence[Observation] = (),
    unanswered: Sequence[tuple[str, Question]] = (),
    unstable: int = 0,
    tell: Callable[[str], None] = lambda line: None,
) -> Diagnosis:
    """Explain the failures of a run, given by what was observed and the ids of all cases that failed.

    `beside` are answers beyond those: wrong ones, and ones of which just the list of moves is known to be right.
    `unanswered` are the cases that had no answer, with the kind of error; `unstable` says how many were right when
    asked again. `tell` hears what is being tried, since pairs of changes take their time.
    """
    evidence = Evidence(seen, beside, plain_hypotheses(ruleset))
    found = _explained(ruleset, evidence, failed, tell) if failed else _nothing(ruleset, evidence)
    common = (*_in_unanswered(evidence, unanswered), *found.patterns)
    return replace(found, patterns=common, unstable=unstable)


def explain(report: Report, tell: Callable[[str], None] = lambda line: None) -> Diagnosis:
    """Explain all that went wrong in a run."""
    failed = [result.case.id for result in report.answers if result.status in ("failed", "reading")]
    unstable = sum(RIGHT_ALONE in (result.message or "") for result in report.answers if result.status == "unstable")
    seen = observations(report.ruleset, report.answers, leading=report.leading)
    sample = report.games.sample if report.games else ()
    silent = [result for result in (*report.answers, *sample) if result.status in ("error", "timeout")]
    unanswered = [
        (result.kind or "error", question)
        for result, question in zip(silent, questions(report.ruleset, [one.case for one in silent]), strict=True)
    ]
    beside = observations(report.ruleset, sample, leading=report.leading)
    return diagnose(report.ruleset, seen, failed, beside=beside, unanswered=unanswered, unstable=unstable, tell=tell)


def _nothing(ruleset: Ruleset, evidence: Evidence) -> Diagnosis:
    return Diagnosis(ruleset.id, 0, len(evidence.right), (), (), ())


def _in_unanswered(evidence: Evidence, unanswered: Sequence[tuple[str, Question]]) -> Iterator[Pattern]:
    """What the questions have in common that the engine refuses, and those that break it."""
    refused = [question for kind, question in unanswered if kind == "refused"]
    broken = [question for kind, question in unanswered if kind != "refused"]
    for about, those in (("answered with an error: questions", refused), ("breaks the engine: questions", broken)):
        if found := in_unanswered(about, evidence.seen, those):
            yield found


def _explained(ruleset: Ruleset, evidence: Evidence, failed: Sequence[str], tell: Callable[[str], None]) -> Diagnosis:
    all_seen = evidence.failed == len(failed)
    complete = [one for one in plain_hypotheses(ruleset) if evidence.fits(one)] if all_seen else []
    if not complete:
        faulty = with_faults(ruleset) if evidence.wrong else []
        complete = [hypothesis for hypothesis in faulty if evidence.fits(hypothesis)] if all_seen else []
    if not complete:
        two = several_changes(ruleset, evidence.telling_most()) if evidence.wrong else []
        if two:
            tell(f"no single change explains it: trying {len(two)} pairs of changes")
        two = [hypothesis for hypothesis in two if evidence.allows(hypothesis)]
        complete = merged(hypothesis for hypothesis in two if evidence.fits(hypothesis)) if all_seen else []
    if not complete:
        return _in_parts(ruleset, evidence, failed, evidence.parts(faulty, two, len(failed)))
    explanations = tuple(Fit(hypothesis, tuple(failed)) for hypothesis in complete)
    found = Diagnosis(ruleset.id, len(failed), len(evidence.right), explanations, (), ())
    if len(complete) == 1:
        return found
    tell(f"{len(complete)} explanations: looking for a position that tells them apart")
    apart = telling([hypothesis.player for hypothesis in complete], ruleset)
    return replace(found, ask_next=apart.fen() if apart else None)


def _in_parts(ruleset: Ruleset, evidence: Evidence, failed: Sequence[str], partial: Sequence[Fit]) -> Diagnosis:
    """What explains a part each, or, where it says more with less, what the wrong answers have in common."""
    explained = {id for fit in partial for id in fit.explains}
    common = patterns(evidence.all, evidence.listed)
    alike = {id for pattern in common for id in pattern.cases}.intersection(failed)
    plainer = len(alike) >= COMMON * len(failed) and (
        len(partial) > 2 or (all(p.exact for p in common) and len(partial) > 1)
    )
    if plainer or len(alike) > len(explained):
        partial, explained = (), set()
    elif explained:
        common = patterns((one for one in evidence.seen if one.question.case.id not in explained), evidence.listed)
    unexplained = tuple(id for id in failed if id not in explained)
    passes = len(evidence.right)
    return Diagnosis(ruleset.id, len(failed), passes, (), tuple(partial), unexplained, patterns=tuple(common))


def telling(players: Sequence[Player], ruleset: Ruleset, seed: int = 0) -> Position | None:
    """A position that not all players answer alike; None if none was found."""
    import random
    from itertools import islice

    from ..answers.contrast import differing
    from ..positions.sampling import positions

    candidates = islice(positions(ruleset, random.Random(seed)), LOOKED_AT)
    return next(iter(differing(players, candidates)), None)
