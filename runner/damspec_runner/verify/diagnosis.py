"""Explaining failures: which other rules would give exactly the answers that an engine gave.

The hypotheses are every mutant of the ruleset, every alternative reading and every other ruleset on the same board;
where none of them explains all, every pair of changes, a few thousand. What is compared are the answers to the cases,
those that passed too.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any

from damspec import Position, Ruleset, load_ruleset, ruleset_ids

from ..answers.player import Player
from ..variants.mutants import Mutant, mutant_of, pairs, single
from .observation import Observation, observations, observe

__all__ = ["Diagnosis", "Fit", "Hypothesis", "diagnose", "observations", "observe", "telling"]

#: How many positions are looked at to find one that tells two hypotheses apart.
LOOKED_AT = 20_000

#: How many complete explanations are shown in sentences; the JSON has them all.
SHOWN = 5


@dataclass(frozen=True)
class Hypothesis:
    """Rules that the engine may play, by the names they go by, the plainest first."""

    names: tuple[str, ...]
    kind: str
    ruleset: Ruleset = field(repr=False)

    @cached_property
    def player(self) -> Player:
        """The rules, ready to answer."""
        return Player(self.ruleset)

    @property
    def name(self) -> str:
        """The names as a report gives them."""
        also = f" (the same as {', '.join(self.names[1:])})" if self.names[1:] else ""
        return self.names[0] + also


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
    complete: list[Hypothesis] = []
    if len(evidence.wrong) == len(failed):
        complete = [hypothesis for hypothesis in plain if evidence.fits(hypothesis)]
        if not complete:
            two = [Hypothesis((mutant.name,), "pair", mutant.ruleset) for mutant in two_changes(ruleset)]
            tell(f"no single change explains it: trying all {len(two)} pairs of changes")
            complete = merged(hypothesis for hypothesis in two if evidence.fits(hypothesis))
    if not complete:
        partial = _cover([evidence.explained_by(hypothesis) for hypothesis in plain if evidence.allows(hypothesis)])
        explained = {id for explanation in partial for id in explanation.explains}
        unexplained = tuple(id for id in failed if id not in explained)
        return Diagnosis(ruleset.id, len(failed), passes, (), tuple(partial), unexplained)
    explanations = tuple(Fit(hypothesis, tuple(failed)) for hypothesis in complete)
    found = Diagnosis(ruleset.id, len(failed), passes, explanations, (), ())
    if len(complete) == 1:
        return found
    tell(f"{len(complete)} explanations: looking for a position that tells them apart")
    apart = telling([hypothesis.player for hypothesis in complete], ruleset)
    return replace(found, ask_next=apart.fen() if apart else None)


@cache
def plain_hypotheses(ruleset: Ruleset) -> tuple[Hypothesis, ...]:
    """One change, another reading, another ruleset."""
    changes = [Hypothesis((mutant.name,), "change", mutant.ruleset) for mutant in single(ruleset)]
    readings = [Hypothesis((f"the reading {name}",), "reading", other) for name, other in ruleset.alternatives.items()]
    others = [load_ruleset(id) for id in ruleset_ids() if id != ruleset.base or not ruleset.shipped]
    same_board = [
        Hypothesis((other.id,), "ruleset", other) for other in others if other.rules.board == ruleset.rules.board
    ]
    return tuple(merged([*changes, *readings, *same_board]))


def two_changes(ruleset: Ruleset) -> Iterator[Mutant]:
    """Every pair of changes that is tried: of movement, capture or promotion, or of who begins and anything else."""
    yield from pairs(ruleset)
    changes = [mutant.changes[0] for mutant in single(ruleset)]
    for first in [change for change in changes if change[0] == "start.first"]:
        for other in changes:
            mutant = mutant_of(ruleset.base, ruleset.values, (other, first)) if other[0] != first[0] else None
            if mutant:
                yield mutant


def merged(hypotheses: Iterable[Hypothesis]) -> list[Hypothesis]:
    """Hypotheses, those with the same rules joined into one under all their names."""
    by_values: dict[str, Hypothesis] = {}
    for hypothesis in hypotheses:
        values = json.dumps(hypothesis.ruleset.values, sort_keys=True, default=str)
        known = by_values.get(values)
        names = (*known.names, *hypothesis.names) if known else hypothesis.names
        by_values[values] = Hypothesis(names, known.kind if known else hypothesis.kind, hypothesis.ruleset)
    return list(by_values.values())


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


def _cover(harmless: list[Fit]) -> list[Fit]:
    """Few explanations that together explain as much as all, the one that explains most first."""
    left = {id for explanation in harmless for id in explanation.explains}
    chosen = []
    while left:
        best = max(harmless, key=lambda explanation: len(left & set(explanation.explains)))
        chosen.append(best)
        left -= set(best.explains)
    return chosen
