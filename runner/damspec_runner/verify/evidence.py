"""What was observed of an engine, held against what it may play: which hypotheses fit it, or explain a part of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from ..answers.player import Player
from ..variants.mutants import Mutant
from .hypotheses import Hypothesis
from .observation import Observation

#: The least share of the failures left that an explanation of a part has to explain to be shown.
SHARE = 0.2
#: How many of the changes that explain most are tried in pairs, beside the pairs that are tried always, and of how many
#: wrong answers that is judged.
JOINED, JUDGED = 40, 40
#: How many pieces a capture takes at most to be looked at early.
SHORT = 8
#: Where the right answers allow more pairs than this they say too little for any of them.
_MANY = 60


@dataclass(frozen=True)
class Fit:
    """A hypothesis that contradicts no pass, with the failures it explains."""

    hypothesis: Hypothesis
    explains: tuple[str, ...]
    contradicts: tuple[str, ...] = ()


class Evidence:
    """What was observed, with what refuted the last hypothesis first, since it often refutes the next too."""

    def __init__(self, seen: Iterable[Observation], beside: Iterable[Observation] = ()) -> None:
        """`beside` are answers beyond the cases: wrong ones, and ones of which just the list is known to be right."""
        self.seen = list(seen)
        beside = list(beside)
        #: The answers of which just the list of moves is known to be right.
        self.listed = [observation for observation in beside if observation.passed]
        #: What is known in full.
        self.all = [*self.seen, *(observation for observation in beside if not observation.passed)]
        self.wrong = _long_last(observation for observation in self.all if not observation.passed)
        self.right = _long_last(observation for observation in self.seen if observation.passed)
        #: How many of the cases were answered wrong.
        self.failed = sum(not observation.passed for observation in self.seen)
        self._fits: dict[Hypothesis, Fit] = {}

    def fits(self, hypothesis: Hypothesis) -> bool:
        """Whether a hypothesis explains every wrong answer and contradicts no right one."""
        if hypothesis.remembers:
            player = hypothesis.fresh()
            return all(observation.agrees(player) for observation in self.seen)
        return self.allows(hypothesis) and _all_agree(self.wrong, hypothesis.player)

    def allows(self, hypothesis: Hypothesis) -> bool:
        """Whether a hypothesis contradicts no right answer; not known of one that remembers other questions."""
        return not hypothesis.remembers and _all_agree(self.right, hypothesis.player)

    def telling_most(self, hypotheses: Iterable[Hypothesis]) -> list[Mutant]:
        """The changes that explain most failures each, whatever they contradict: two of them may be it together."""
        judged = [seen for seen in self.wrong if not _is_long(seen)][:JUDGED]
        explained = {
            hypothesis.mutant: sum(seen.agrees(hypothesis.player, at_once=True) for seen in judged)
            for hypothesis in hypotheses
            if hypothesis.mutant
        }
        return sorted((mutant for mutant in explained if explained[mutant]), key=lambda m: -explained[m])[:JOINED]

    def parts(
        self, plain: Iterable[Hypothesis], faulty: Iterable[Hypothesis], two: Collection[Hypothesis], failures: int
    ) -> list[Fit]:
        """Few explanations of a part each that together explain as much as all, the one that explains most first.

        They contradict no right answer. Two changes, allowed already, are for what neither explains alone. One that
        explains less than `SHARE` of the failures that those before it leave says nothing, and ends them.
        """
        singles = {name: hypothesis for hypothesis in plain for name in hypothesis.names}
        found = [self._explained(hypothesis) for hypothesis in (*plain, *faulty) if self.allows(hypothesis)]
        for hypothesis in two if len(two) <= _MANY else ():
            fit = self._explained(hypothesis)
            changes = hypothesis.mutant.names if hypothesis.mutant else ()
            alone = (set(self._explained(singles[name]).explains) for name in changes if name in singles)
            if set(fit.explains) - set().union(*alone):
                found.append(fit)
        return _cover(found, failures)

    def _explained(self, hypothesis: Hypothesis) -> Fit:
        if hypothesis not in self._fits:
            self._fits[hypothesis] = self._explains(hypothesis)
        return self._fits[hypothesis]

    def _explains(self, hypothesis: Hypothesis) -> Fit:
        wrong = [observation for observation in self.seen if not observation.passed]
        explained = (seen.question.case.id for seen in wrong if seen.agrees(hypothesis.player, at_once=True))
        return Fit(hypothesis, tuple(explained))


def _is_long(observation: Observation) -> bool:
    """Whether an expected move captures so many pieces that changed rules take long to find all their ways."""
    return any(text.count("x") > SHORT for text in observation.question.expected.moves or ())


def _long_last(seen: Iterable[Observation]) -> list[Observation]:
    return sorted(seen, key=_is_long)


def _all_agree(seen: list[Observation], player: Player) -> bool:
    for place, observation in enumerate(seen):
        if not observation.agrees(player):
            if not _is_long(observation):
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
