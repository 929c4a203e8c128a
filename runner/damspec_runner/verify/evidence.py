"""What was observed of an engine, held against what it may play: which hypotheses fit it, or explain a part of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..answers.player import Player
from ..variants.mutants import Mutant
from .hypotheses import Hypothesis
from .observation import Observation

#: The least share of the failures left that an explanation of a part has to explain to be shown.
SHARE = 0.2
#: How many of the changes that explain most are tried in pairs, beside the pairs that are tried always.
JOINED = 40


@dataclass(frozen=True)
class Fit:
    """A hypothesis that contradicts no pass, with the failures it explains."""

    hypothesis: Hypothesis
    explains: tuple[str, ...]
    contradicts: tuple[str, ...] = ()


class Evidence:
    """What was observed, with what refuted the last hypothesis first, since it often refutes the next too."""

    def __init__(self, seen: Iterable[Observation]) -> None:
        self.seen = list(seen)
        self.wrong = [observation for observation in self.seen if not observation.passed]
        self.right = [observation for observation in self.seen if observation.passed]

    def fits(self, hypothesis: Hypothesis) -> bool:
        """Whether a hypothesis explains every wrong answer and contradicts no right one."""
        if hypothesis.remembers:
            player = hypothesis.fresh()
            return all(observation.agrees(player) for observation in self.seen)
        return _all_agree(self.wrong, hypothesis.player) and _all_agree(self.right, hypothesis.player)

    def allows(self, hypothesis: Hypothesis) -> bool:
        """Whether a hypothesis contradicts no right answer; not known of one that remembers other questions."""
        return not hypothesis.remembers and _all_agree(self.right, hypothesis.player)

    def telling_most(self, hypotheses: Iterable[Hypothesis]) -> list[Mutant]:
        """The changes that explain most failures each, whatever they contradict: two of them may be it together."""
        explained = {
            hypothesis.mutant: sum(observation.agrees(hypothesis.player, at_once=True) for observation in self.wrong)
            for hypothesis in hypotheses
            if hypothesis.mutant
        }
        return sorted((mutant for mutant in explained if explained[mutant]), key=lambda m: -explained[m])[:JOINED]

    def parts(
        self, plain: Iterable[Hypothesis], faulty: Iterable[Hypothesis], two: Iterable[Hypothesis], failures: int
    ) -> list[Fit]:
        """Few explanations of a part each that together explain as much as all, the one that explains most first.

        They contradict no right answer. Two changes, allowed already, are for what neither explains alone. One that
        explains less than `SHARE` of the failures that those before it leave says nothing, and ends them.
        """
        alone = {name: hypothesis for hypothesis in plain for name in hypothesis.names}
        found = [self._explained(hypothesis) for hypothesis in (*plain, *faulty) if self.allows(hypothesis)]
        for fit in map(self._explained, two):
            changes = fit.hypothesis.mutant.names if fit.hypothesis.mutant else ()
            single = [set(self._explained(alone[name]).explains) for name in changes if name in alone]
            if set(fit.explains) - set().union(*single):
                found.append(fit)
        return _cover(found, failures)

    def _explained(self, hypothesis: Hypothesis) -> Fit:
        wrong = [observation for observation in self.seen if not observation.passed]
        return Fit(hypothesis, tuple(o.question.case.id for o in wrong if o.agrees(hypothesis.player)))


def _all_agree(seen: list[Observation], player: Player) -> bool:
    for place, observation in enumerate(seen):
        if not observation.agrees(player):
            seen.insert(0, seen.pop(place))
            return False
    return True


def _cover(found: Sequence[Fit], failures: int) -> list[Fit]:
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
