"""Which hypotheses give an engine's answers: all of them, or a part; each is put to further positions on the engine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations, islice

from damspec import Position, Ruleset

from ...answers.player import RulePlayer, passes
from ...mutants.mutants import Mutant, differing_values
from ...mutants.ruleset_diff import begins
from ..result import Result
from .engine_under_test import Budget, EngineUnderTest
from .hypotheses import Hypothesis, combine, merge_equal, plain_hypotheses, seen_faults, several_changes
from .imitation import gives, gives_part, has_answer

#: The changes that explain most and are tried in pairs, and the wrong answers by which that is judged.
JOINED, JUDGED = 40, 40
#: The most pieces that a capture takes to be looked at early.
SHORT = 8
#: Parts that are tried together, by twos and by threes, and the most explanations that are put to a test.
_TWOS, _THREES, _MANY = 12, 5, 400
#: Positions in which complete explanations are tried whatever they predict, that tell them apart, and, for each of so
#: many of them, in which they predict a wrong answer.
_ANYWHERE, APART, _FORETOLD, _EACH = 20, 12, 10, 6
#: Correct predictions of a wrong answer that confirm an explanation.
_ENOUGH = 3
#: The most partial explanations; the least share of the failures left that one explains, and, if it cannot be tried,
#: the fewest of them.
_PARTS, _SHARE, _FEWEST = 4, 0.2, 3
#: The shares of the limits up to which one rule, several, and those that explain a part are tried.
_PLAIN_SHARE, _PAIRS_SHARE, _PARTS_SHARE = 0.3, 0.4, 0.55


@dataclass(frozen=True)
class Fit:
    """A hypothesis that contradicts no pass, with the failures it explains.

    `tried` is the number of further positions in which it predicted the engine's wrong answer, `confirmed` whether it
    passed all the tests that there are for it.
    """

    hypothesis: Hypothesis
    explains: tuple[str, ...]
    tried: int = 0
    confirmed: bool = False


class Evidence:
    """The answers of an engine, ordered so that those that refute hypotheses quickly come first.

    Of the thousands of hypotheses few explain anything. Each is judged by a player of its own that is not kept: what a
    player remembers of the positions it has seen comes to hundreds of kilobytes.
    """

    def __init__(
        self, results: Sequence[Result], beside: Iterable[Result] = (), *, with_successors: bool = True
    ) -> None:
        """Start with the answers to the cases, and those `beside` them; as to `with_successors` see `gives`."""
        self.failed = [one for one in results if has_answer(one) and one.status != "passed"]
        self.with_successors = with_successors
        self._short: list[Result] = []
        self._long: list[Result] = []
        self._right: list[Result] = []
        self._explained: dict[Hypothesis, tuple[str, ...]] = {}
        self.add([*results, *beside])

    @property
    def wrong(self) -> list[Result]:
        """Every wrong answer."""
        return [*self._short, *self._long]

    def add(self, results: Iterable[Result]) -> None:
        """Add further answers."""
        for one in filter(has_answer, results):
            (self._right if one.status == "passed" else self._long if _is_long(one) else self._short).append(one)
        self._right.sort(key=_is_long)

    def fits(self, hypothesis: Hypothesis) -> bool:
        """Return whether a hypothesis explains every wrong answer and contradicts no right one."""
        player = hypothesis.fresh()
        return all(self._agree(answers, player) for answers in (self._short, self._right, self._long))

    def allows(self, hypothesis: Hypothesis) -> bool:
        """Return whether a hypothesis contradicts no right answer."""
        return self._agree(self._right, hypothesis.fresh())

    def _agree(self, answers: list[Result], player: RulePlayer) -> bool:
        """Return whether a player gives all the answers; one that it does not comes first: it may refute others too."""
        for place, result in enumerate(answers):
            if not gives(player, result, with_successors=self.with_successors):
                if not _is_long(result):
                    answers.insert(0, answers.pop(place))
                return False
        return True

    def explained(self, hypothesis: Hypothesis) -> tuple[str, ...]:
        """Return the ids of the wrong answers to cases that a hypothesis explains; none if it explains none of some."""
        if hypothesis not in self._explained:
            player = hypothesis.fresh()
            # What explains no short ones seldom explains long ones, which may take seconds each.
            ordered = sorted(self.failed, key=_is_long)
            first = min(JUDGED, sum(not _is_long(one) for one in ordered) or len(ordered))
            found = [one for one in ordered[:first] if gives(player, one, quick=True)]
            found += [one for one in ordered[first:] if found and gives(player, one, quick=True)]
            self._explained[hypothesis] = tuple(one.case.id for one in found)
        return self._explained[hypothesis]

    def most_explaining(self, hypotheses: Iterable[Hypothesis]) -> list[Mutant]:
        """Return the changes that explain most failures each, whatever they contradict: a pair of them may fit."""
        found = {one.mutant: len(self.explained(one)) for one in hypotheses if one.mutant}
        return sorted((mutant for mutant in found if found[mutant]), key=lambda mutant: -found[mutant])[:JOINED]


def _is_long(result: Result) -> bool:
    """Return whether an expected move captures so many pieces that changed rules take long to find all ways."""
    return any(isinstance(key, tuple) and len(key[2]) > SHORT for key in result.question.expected.moves or ())


class Search:
    """The search for what gives an engine's answers; without an engine nothing can be put to a test."""

    def __init__(
        self, ruleset: Ruleset, evidence: Evidence, budget: Budget, engine: EngineUnderTest | None, apart: int
    ) -> None:
        self.ruleset, self.evidence, self.budget, self.engine = ruleset, evidence, budget, engine
        #: The positions that told explanations apart.
        self.probed: list[Position] = []
        self._apart = apart
        self._ids = tuple(one.case.id for one in evidence.failed)
        self._plain_ones = [*plain_hypotheses(ruleset), *seen_faults(ruleset)]
        self._pairs: list[Hypothesis] = []

    def find_complete(self) -> list[Fit]:
        """Return the explanations of all wrong answers, of the first kind of hypothesis that has any."""
        fits: list[Fit] = []
        plain = self._within(self._plain_ones, _PLAIN_SHARE)
        for hypotheses in (plain, self._several(), self._parts_together()):
            fitting = merge_equal(one for one in hypotheses if self.evidence.fits(one))
            known = [fit.hypothesis for fit in fits]
            if fitting and self.engine:
                self.budget.tell(f"asking further positions to confirm {len(fitting) + len(known)} explanations")
                fits = self._confirm_complete([*known, *fitting[:_MANY]], self.engine)
            else:
                fits += [Fit(one, self._ids) for one in fitting]
            if any(fit.confirmed for fit in fits) or (fits and not self.engine) or self.budget.is_over(_PAIRS_SHARE):
                break
        return sorted(fits, key=lambda fit: not fit.confirmed)

    def _several(self) -> Iterator[Hypothesis]:
        self.budget.tell("no single change explains it: trying pairs of changes")
        telling = self.evidence.most_explaining(self._within(self._plain_ones, _PAIRS_SHARE))
        for one in self._within(several_changes(self.ruleset, telling), _PAIRS_SHARE):
            if self.evidence.allows(one):
                self._pairs.append(one)
                yield one

    def _parts_together(self) -> Iterator[Hypothesis]:
        """Yield pairs and triples of changes that explain a part each."""
        parts = [fit.hypothesis for fit in self._parts() if fit.hypothesis.mutant]
        for several in (*combinations(parts[:_TWOS], 2), *combinations(parts[:_THREES], 3)):
            if found := combine(self.ruleset, several):
                yield found

    def _within(self, hypotheses: Iterable[Hypothesis], share: float) -> Iterator[Hypothesis]:
        """Yield hypotheses until a share of the limits is used up."""
        for one in hypotheses:
            if self.budget.is_over(share):
                return
            yield one

    def _parts(self) -> list[Fit]:
        """Return what explains a part and contradicts no right answer, what explains most first."""
        found: list[Fit] = []
        for one in self._within([*self._plain_ones, *self._pairs], _PARTS_SHARE):
            explains = self.evidence.explained(one)
            if explains and self.evidence.allows(one):
                alone = [fit.explains for fit in found if one.mutant and _is_part(fit.hypothesis.mutant, one.mutant)]
                if set(explains).difference(*alone):
                    found.append(Fit(one, explains))
        return sorted(found, key=lambda fit: -len(fit.explains))

    def find_partial(self) -> list[Fit]:
        """Return few explanations that together explain as much as all."""
        candidates, chosen, left = self._parts(), list[Fit](), set(self._ids)
        for _ in range(_PARTS):
            candidates = [fit for fit in candidates if left.intersection(fit.explains)]
            if not candidates or self.budget.is_over(_PARTS_SHARE):
                break
            best = max(candidates, key=lambda fit: len(left.intersection(fit.explains)))
            candidates.remove(best)
            number = len(left.intersection(best.explains))
            if number < max(_SHARE * len(left), 0 if self.engine else _FEWEST):
                break
            found = self._confirm_partial(best, self.engine) if self.engine else best
            if found:
                chosen.append(found)
                left -= set(found.explains)
        # An engine cannot play two values of one rule: it plays neither.
        changed = [rule for fit in chosen for rule in _rules(fit)]
        return [fit for fit in chosen if all(changed.count(rule) == 1 for rule in _rules(fit))]

    # --- putting them to a test

    def _ask(self, engine: EngineUnderTest, position: Position) -> list[Result]:
        """Return the engine's answers about a position, as far as it gave any."""
        answers = [result for kind in engine.kinds if has_answer(result := engine.ask(position, kind))]
        self.evidence.add(answers)
        return answers

    def _near(self) -> list[Position]:
        return [*dict.fromkeys(one.question.position for one in self.evidence.wrong)]

    def _confirm_complete(self, hypotheses: Sequence[Hypothesis], engine: EngineUnderTest) -> list[Fit]:
        """Return the hypotheses that predict every further answer too."""
        left = dict.fromkeys(hypotheses, 0)
        near = self._near()

        def ask_about(position: Position) -> bool:
            """Ask about a position; return whether there was an answer."""
            answers = [] if self.budget.is_over() else self._ask(engine, position)
            for one in [*left]:
                if not all(gives(one.player, each, with_successors=self.evidence.with_successors) for each in answers):
                    del left[one]
            return bool(answers)

        for position in islice(engine.positions(near), _ANYWHERE if left else 0):
            ask_about(position)
        for _ in range(self._apart):
            apart = engine.differing([one.player for one in left], near) if len(left) > 1 else iter(())
            telling = next(apart, None)
            if telling is None or not ask_about(telling):
                break
            self.probed.append(telling)
        for one in [*left][:_EACH]:
            for position in islice(engine.differing([engine.player, one.player], near), _FORETOLD):
                if one in left and ask_about(position) and one in left:
                    left[one] += 1
        return [self._fit(one, tried) for one, tried in left.items()]

    def _fit(self, hypothesis: Hypothesis, tried: int) -> Fit:
        changed = differing_values(self.ruleset.values, hypothesis.ruleset.values)
        # A rule about the start shows in no other position, and the start has been asked for.
        of_the_start = not hypothesis.turns and all(map(begins, changed))
        larger = hypothesis.with_larger_numbers(self.ruleset)
        is_bounded = larger is None or not self.evidence.fits(larger)
        return Fit(hypothesis, self._ids, tried, is_bounded and (tried >= _ENOUGH or of_the_start))

    def _confirm_partial(self, fit: Fit, engine: EngineUnderTest) -> Fit | None:
        """Return a hypothesis that explains a part of the failures if its predictions come true; else None.

        An answer may have more wrong than it predicts: where there are two mistakes. But in half of them it has to be
        all, near the failures and elsewhere, and it has to explain half of what is wrong nearby.
        """
        player, with_successors = fit.hypothesis.player, self.evidence.with_successors
        near = [one.question.position for one in self.evidence.failed if one.case.id in fit.explains]
        hits = exact = other = 0
        both = (islice(engine.differing([engine.player, player], where), _FORETOLD) for where in (near, ()))
        for position in chain.from_iterable(both):
            for result in self._ask(engine, position):
                if passes(player, result.question, with_successors=with_successors):
                    continue
                if result.status == "passed":
                    return None
                same = gives(player, result, with_successors=with_successors)
                part = same or gives_part(player, result)
                hits, exact, other = hits + part, exact + same, other + (not part)
        if hits < _ENOUGH or other > hits / 4 or exact < hits / 2:
            return None
        further = islice(engine.positions(near), 2 * _FORETOLD)
        answers = [each for position in further for each in self._ask(engine, position)]
        wrong = [each for each in answers if each.status != "passed"]
        if 2 * sum(
            gives(player, each, with_successors=with_successors) or gives_part(player, each) for each in wrong
        ) < len(wrong):
            return None
        larger = fit.hypothesis.with_larger_numbers(self.ruleset)
        return replace(fit, tried=hits, confirmed=larger is None or not self.evidence.allows(larger))


def _is_part(one: Mutant | None, other: Mutant) -> bool:
    """Return whether the changes of a mutant are some of those of another."""
    return one is not None and set(one.names) < set(other.names)


def _rules(fit: Fit) -> tuple[str, ...]:
    return fit.hypothesis.mutant.rules_changed if fit.hypothesis.mutant else ()
