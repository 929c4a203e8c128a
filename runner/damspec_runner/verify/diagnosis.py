"""Explaining failures: which other rules would give exactly the answers that an engine gave.

The hypotheses are every mutant of the ruleset, every alternative reading and every other ruleset on the same board;
where none of them explains all, every pair of changes, a few thousand. Where no pair does either, several together
may explain a part each. What is compared are the answers to the cases, those that passed too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from damspec import Position, Ruleset

from ..answers.player import Player
from ..variants.mutants import Mutant
from .features import Pattern, patterns
from .hypotheses import Hypothesis, merged, plain_hypotheses, two_changes
from .observation import Observation, observations, observe

__all__ = ["Diagnosis", "Fit", "Hypothesis", "diagnose", "observations", "observe", "telling"]

#: How many positions are looked at to find one that tells two hypotheses apart.
LOOKED_AT = 20_000

#: The least share of the failures left that an explanation has to explain to be shown.
SHARE = 0.2

#: How many of the changes that explain most are tried in pairs, beside the pairs that are tried always.
JOINED = 40

#: How many complete explanations are shown in sentences; the JSON has them all.
SHOWN = 5


@dataclass(frozen=True)
class Fit:
    """A hypothesis that contradicts no pass, with the failures it explains."""

    hypothesis: Hypothesis
    explains: tuple[str, ...]
    contradicts: tuple[str, ...] = ()


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

    def lines(self) -> list[str]:
        """The diagnosis in sentences."""
        said = [self._line(explanation) for explanation in self.complete[:SHOWN] or self.partial]
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
        name, kind = explanation.hypothesis.name, explanation.hypothesis.kind
        plays = f"{name} in the place of {self.ruleset}" if kind == "ruleset" else f"{self.ruleset} except {name}"
        passes = f"{len(explanation.contradicts) or 'none'} of {self.passes} passes"
        return (
            f"plays {plays} (explains {len(explanation.explains)} of {self.failures} failures and contradicts {passes})"
        )

    def as_json(self) -> dict[str, Any]:
        """The diagnosis as plain data."""

        def entry(explanation: Fit) -> dict[str, Any]:
            return {
                "names": list(explanation.hypothesis.names),
                "kind": explanation.hypothesis.kind,
                "explains": list(explanation.explains),
                "contradicts": list(explanation.contradicts),
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
            **({"patterns": [asdict(pattern) for pattern in self.patterns]} if self.patterns else {}),
        }


def diagnose(
    ruleset: Ruleset,
    seen: Sequence[Observation],
    failed: Sequence[str],
    *,
    tell: Callable[[str], None] = lambda line: None,
) -> Diagnosis:
    """Explain the failures of a run, given by what was observed and the ids of all cases that failed.

    `tell` hears what is being tried, since pairs of changes take their time.
    """
    evidence = _Evidence(seen)
    passes = len(evidence.right)
    if not failed:
        return Diagnosis(ruleset.id, 0, passes, (), (), ())
    plain = plain_hypotheses(ruleset)
    observed = len(evidence.wrong) == len(failed)
    complete = [hypothesis for hypothesis in plain if evidence.fits(hypothesis)] if observed else []
    allowed: list[Hypothesis] = []
    if not complete and evidence.wrong:
        two = two_changes(ruleset, _telling_most(evidence, plain))
        tell(f"no single change explains it: trying {len(two)} pairs of changes")
        allowed = [hypothesis for hypothesis in two if evidence.allows(hypothesis)]
        if observed:
            complete = merged(hypothesis for hypothesis in allowed if evidence.fits(hypothesis))
    if not complete:
        partial = _parts(evidence, plain, allowed, len(failed)) if evidence.wrong else []
        explained = {id for fit in partial for id in fit.explains}
        common = patterns(seen)
        if len({id for pattern in common for id in pattern.cases}) > len(explained):
            partial, explained = [], set()
        elif explained:
            common = patterns(one for one in seen if one.question.case.id not in explained)
        unexplained = tuple(id for id in failed if id not in explained)
        return Diagnosis(ruleset.id, len(failed), passes, (), tuple(partial), unexplained, patterns=tuple(common))
    explanations = tuple(Fit(hypothesis, tuple(failed)) for hypothesis in complete)
    found = Diagnosis(ruleset.id, len(failed), passes, explanations, (), ())
    if len(complete) == 1:
        return found
    tell(f"{len(complete)} explanations: looking for a position that tells them apart")
    apart = telling([hypothesis.player for hypothesis in complete], ruleset)
    return replace(found, ask_next=apart.fen() if apart else None)


def telling(players: Sequence[Player], ruleset: Ruleset, seed: int = 0) -> Position | None:
    """A position that not all players answer alike; None if none was found."""
    import random
    from itertools import islice

    from ..answers.contrast import differing
    from ..positions.sampling import positions

    candidates = islice(positions(ruleset, random.Random(seed)), LOOKED_AT)
    return next(iter(differing(players, candidates)), None)


class _Evidence:
    """What was observed, with what refuted the last hypothesis first, since it often refutes the next too."""

    def __init__(self, seen: Sequence[Observation]) -> None:
        self.seen = seen
        self.wrong = [observation for observation in seen if not observation.passed]
        self.right = [observation for observation in seen if observation.passed]

    def fits(self, hypothesis: Hypothesis) -> bool:
        """Whether a hypothesis explains every wrong answer and contradicts no right one."""
        return _all_agree(self.wrong, hypothesis.player) and _all_agree(self.right, hypothesis.player)

    def allows(self, hypothesis: Hypothesis) -> bool:
        """Whether a hypothesis contradicts no right answer."""
        return _all_agree(self.right, hypothesis.player)

    def explained_by(self, hypothesis: Hypothesis) -> Fit:
        """The wrong answers that a hypothesis explains."""
        wrong = [observation for observation in self.seen if not observation.passed]
        return Fit(hypothesis, tuple(o.question.case.id for o in wrong if o.agrees(hypothesis.player)))


def _all_agree(seen: list[Observation], player: Player) -> bool:
    for place, observation in enumerate(seen):
        if not observation.agrees(player):
            seen.insert(0, seen.pop(place))
            return False
    return True


def _telling_most(evidence: _Evidence, plain: Sequence[Hypothesis]) -> list[Mutant]:
    """The changes that explain most failures each, whatever they contradict: two of them may be it together."""
    explained = {hypothesis.mutant: len(evidence.explained_by(hypothesis).explains) for hypothesis in plain}
    ranked = sorted((mutant for mutant in explained if mutant and explained[mutant]), key=lambda m: -explained[m])
    return ranked[:JOINED]


def _parts(evidence: _Evidence, plain: Sequence[Hypothesis], two: Sequence[Hypothesis], failures: int) -> list[Fit]:
    """Few explanations of some failures each: single changes, and two where they explain more than each alone."""
    alone = {name: set(fit.explains) for fit in map(evidence.explained_by, plain) for name in fit.hypothesis.names}
    found = [evidence.explained_by(hypothesis) for hypothesis in plain if evidence.allows(hypothesis)]
    for fit in map(evidence.explained_by, two):
        names = fit.hypothesis.mutant.names if fit.hypothesis.mutant else ()
        if set(fit.explains) - set().union(*(alone.get(name, set()) for name in names)):
            found.append(fit)
    return _cover(found, failures)


def _cover(found: Sequence[Fit], failures: int) -> list[Fit]:
    """Few explanations that together explain as much as all, the one that explains most first.

    One that explains less than `SHARE` of the failures that those before it leave says nothing, and ends them.
    """
    chosen: list[Fit] = []
    left = {id for fit in found for id in fit.explains}
    unexplained = failures
    while left:
        best = max(found, key=lambda fit: len(left & set(fit.explains)))
        explained = len(left & set(best.explains))
        if explained < SHARE * unexplained:
            break
        chosen.append(best)
        left -= set(best.explains)
        unexplained -= explained
    return chosen
