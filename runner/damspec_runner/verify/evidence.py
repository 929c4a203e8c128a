"""What was observed of an engine, held against what it may play: which hypotheses fit it, or explain a part of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..answers.player import Player
from ..variants.mutants import Mutant
from .hypotheses import Hypothesis
from .observation import Observation

#: How many of the changes that explain most are tried in pairs, beside the pairs that are tried always, and of how many
#: wrong answers that is judged.
JOINED, JUDGED = 40, 40
#: How many pieces a capture takes at most to be looked at early.
SHORT = 8


@dataclass(frozen=True)
class Fit:
    """A hypothesis that contradicts no pass, with the failures it explains.

    `tried` is in how many further positions it foretold a wrong answer that the engine gave.
    """

    hypothesis: Hypothesis
    explains: tuple[str, ...]
    tried: int = 0
    #: Whether it was tried as far as it can be.
    confirmed: bool = False


class Evidence:
    """What was observed, with what refuted the last hypothesis first, since it often refutes the next too."""

    def __init__(
        self,
        seen: Iterable[Observation],
        beside: Iterable[Observation] = (),
        plain: Sequence[Hypothesis] = (),
    ) -> None:
        """`beside` are answers beyond the cases: wrong ones, and ones of which just the list is known to be right.

        `plain` are the hypotheses of one change, another reading, another ruleset.
        """
        self.seen = list(seen)
        #: The answers to the cases, wrong and right.
        self.failed = [observation for observation in self.seen if not observation.passed]
        self.right = [observation for observation in self.seen if observation.passed]
        # What is quickly looked at goes first.
        self._short: list[Observation] = []
        self._long: list[Observation] = []
        self._right: list[Observation] = []
        self._plain = plain
        self._by_name = {name: hypothesis for hypothesis in plain for name in hypothesis.names}
        self._fits: dict[Hypothesis, Fit] = {}
        self._contradicting: dict[Hypothesis, Observation | None] = {}
        self.add([*self.seen, *beside])

    @property
    def wrong(self) -> list[Observation]:
        """Every wrong answer."""
        return [*self._short, *self._long]

    def add(self, observations: Iterable[Observation]) -> None:
        """Take in more answers, to questions beyond the cases."""
        for one in observations:
            if one.passed:
                self._right.append(one)
            else:
                (self._long if _is_long(one) else self._short).append(one)
        self._right.sort(key=_is_long)
        self._contradicting = {each: against for each, against in self._contradicting.items() if against}

    def fits(self, hypothesis: Hypothesis) -> bool:
        """Whether a hypothesis explains every wrong answer and contradicts no right one."""
        if hypothesis.remembers:
            player = hypothesis.fresh()
            return all(observation.agrees(player) for observation in self.seen)
        player = hypothesis.player
        if _disagreeing(self._short, player):
            return False
        return self.allows(hypothesis) and _disagreeing(self._long, player) is None

    def allows(self, hypothesis: Hypothesis) -> bool:
        """Whether a hypothesis contradicts no right answer; not known of one that remembers other questions."""
        return not hypothesis.remembers and self._contradicted_by(hypothesis) is None

    def _contradicted_by(self, hypothesis: Hypothesis) -> Observation | None:
        """A right answer that a hypothesis contradicts; first is tried what one of its two changes contradicts."""
        if hypothesis not in self._contradicting:
            player = hypothesis.player
            likely = [self._contradicted_by(change) for change in self._changes(hypothesis)]
            against = next((seen for seen in likely if seen and not seen.agrees(player)), None)
            self._contradicting[hypothesis] = against or _disagreeing(self._right, player)
        return self._contradicting[hypothesis]

    def _changes(self, hypothesis: Hypothesis) -> list[Hypothesis]:
        """The changes of a hypothesis with two, each as a hypothesis of its own."""
        names = hypothesis.mutant.names if hypothesis.mutant else ()
        return [self._by_name[name] for name in names if name in self._by_name] if len(names) > 1 else []

    def telling_most(self) -> list[Mutant]:
        """The changes that explain most failures each, whatever they contradict: two of them may be it together."""
        judged = self._short[:JUDGED]
        explained = {
            hypothesis.mutant: sum(seen.agrees(hypothesis.player, at_once=True) for seen in judged)
            for hypothesis in self._plain
            if hypothesis.mutant
        }
        return sorted((mutant for mutant in explained if explained[mutant]), key=lambda m: -explained[m])[:JOINED]

    def parts(self, others: Iterable[Hypothesis]) -> list[Fit]:
        """The hypotheses that explain a part and contradict no right answer, those that explain most first.

        Two changes are for what neither explains alone.
        """
        found = [self._explained(one) for one in self._plain if self.allows(one)]
        # A fault is right in most positions: it explains nothing sooner than it contradicts something.
        found += [fit for one in others if (fit := self._explained(one)).explains and self.allows(one)]
        fits = []
        for fit in found:
            alone = (self._explained(change).explains for change in self._changes(fit.hypothesis))
            if set(fit.explains).difference(*alone):
                fits.append(fit)
        return sorted(fits, key=lambda fit: -len(fit.explains))

    def _explained(self, hypothesis: Hypothesis) -> Fit:
        if hypothesis not in self._fits:
            self._fits[hypothesis] = self._explains(hypothesis)
        return self._fits[hypothesis]

    def _explains(self, hypothesis: Hypothesis) -> Fit:
        def explained(among: Iterable[Observation]) -> list[str]:
            return [seen.question.case.id for seen in among if seen.agrees(hypothesis.player, at_once=True)]

        short, long = ([seen for seen in self.failed if _is_long(seen) is which] for which in (False, True))
        found = explained(short)
        # What explains none of the short ones is seldom the reason of the long ones, and takes long to be tried.
        if found or not short:
            found += explained(long)
        return Fit(hypothesis, tuple(found))


def _is_long(observation: Observation) -> bool:
    """Whether an expected move captures so many pieces that changed rules take long to find all their ways."""
    return any(text.count("x") > SHORT for text in observation.question.expected.moves or ())


def _disagreeing(seen: list[Observation], player: Player) -> Observation | None:
    """An observation that a player would not have given, which is put first: it often refutes the next player too."""
    for place, observation in enumerate(seen):
        if not observation.agrees(player):
            if not _is_long(observation):
                seen.insert(0, seen.pop(place))
            return observation
    return None
