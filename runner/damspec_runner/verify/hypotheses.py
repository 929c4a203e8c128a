"""Hypotheses about an engine's mistakes, and the evidence for each."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from itertools import combinations
from weakref import WeakKeyDictionary

from damspec import Ruleset, load_ruleset, ruleset_ids
from damspec.mutations import next_larger
from damspec.turn import ActionGenerator

from ..answers.player import RulePlayer
from ..mutants.fault_catalogue import (
    CachedGenerator,
    Fault,
    FaultyGenerator,
    NamingFault,
    ReadingFault,
    faults,
    faults_in_form,
)
from ..mutants.mutants import Mutant, further, groups, make_mutant, pair_mutants, single_mutants
from .observation import Observation

#: A fault of the catalogue, or one in form.
AnyFault = Fault | ReadingFault | NamingFault


@dataclass(frozen=True, eq=False)
class Hypothesis:
    """Rules, perhaps with faults, that the engine may play; `names` has the plainest first."""

    names: tuple[str, ...]
    kind: str
    ruleset: Ruleset = field(repr=False)
    #: The changed rules, if it is a change of rules.
    mutant: Mutant | None = field(default=None, repr=False)
    #: Makes the action generator with a fault; None for rules without one.
    turns: Callable[[], ActionGenerator] | None = field(default=None, repr=False)
    #: Those faults.
    faults: tuple[AnyFault, ...] = field(default=(), repr=False)

    @cached_property
    def player(self) -> RulePlayer:
        """A player by these rules, which is kept."""
        return self.fresh()

    def fresh(self) -> RulePlayer:
        """Return a new player by these rules, which has been asked nothing."""
        if self.turns is None:
            return RulePlayer(self.ruleset)
        turns = self.turns()
        return RulePlayer(self.ruleset, turns, turns.read_position if isinstance(turns, FaultyGenerator) else None)

    @cached_property
    def remembers(self) -> bool:
        """Whether its answers depend on earlier questions."""
        turns = self.turns and self.turns()
        return isinstance(turns, FaultyGenerator) and turns.remembers

    def describe(self, ruleset: str, word: str = "plays") -> str:
        """Return in words what an engine plays instead of a ruleset; `word` says how sure that is."""
        match self.kind:
            case "ruleset":
                return f"{word} {self.name} in the place of {ruleset}"
            case "fault":
                return f"{word} {ruleset}, but {self.name}"
            case _:
                return f"{word} {ruleset} except {self.name}"

    def with_larger_numbers(self, ruleset: Ruleset) -> Hypothesis | None:
        """Return the same with the next larger value for each number: an engine that allows four may allow any number.

        None if no number is changed, or none to which the rule language has a larger value.
        """
        changes = self.mutant.changes if self.mutant and not self.turns else ()
        larger = {rule: next_larger(rule, value) for rule, value in changes if type(value) is int}
        if all(value is None for value in larger.values()):
            return None
        raised = tuple((rule, value if larger.get(rule) is None else larger[rule]) for rule, value in changes)
        mutant = make_mutant(ruleset.base, ruleset.values, raised)
        return Hypothesis((mutant.name,), self.kind, mutant.ruleset, mutant) if mutant else None

    @property
    def name(self) -> str:
        """The names as a report gives them."""
        also = f" (the same as {', '.join(self.names[1:])})" if self.names[1:] else ""
        return self.names[0] + also


@cache
def plain_hypotheses(ruleset: Ruleset) -> tuple[Hypothesis, ...]:
    """Return one change, another reading, another ruleset."""
    mutants = [*single_mutants(ruleset), *further(ruleset)]
    changes = [Hypothesis((mutant.name,), "change", mutant.ruleset, mutant) for mutant in mutants]
    readings = [Hypothesis((f"the reading {name}",), "reading", other) for name, other in ruleset.alternatives.items()]
    others = [load_ruleset(id) for id in ruleset_ids() if id != ruleset.base or not ruleset.shipped]
    same_board = [
        Hypothesis((other.id,), "ruleset", other) for other in others if other.rules.board == ruleset.rules.board
    ]
    return tuple(merge_equal([*changes, *readings, *same_board]))


def with_faults(ruleset: Ruleset) -> list[Hypothesis]:
    """Return the right rules with each fault of the catalogue in turn."""
    return _each(ruleset, faults(ruleset, "faults", "further", "outcomes"))


def with_faults_in_form(ruleset: Ruleset) -> list[Hypothesis]:
    """Return the right rules with each fault in reading or writing positions and actions."""
    return _each(ruleset, faults_in_form(ruleset))


def _each(ruleset: Ruleset, found: Iterable[AnyFault]) -> list[Hypothesis]:
    right = CachedGenerator(ruleset.turns)
    return [
        Hypothesis((fault.name,), "fault", ruleset, turns=partial(fault.turns, right), faults=(fault,))
        for fault in found
    ]


def several_changes(ruleset: Ruleset, telling: Sequence[Mutant] = ()) -> list[Hypothesis]:
    """Return the pairs of changes that are tried, and each group of rules as another game has it.

    Pairs are two of movement, capture or promotion; who begins and anything else; any two of `telling`.
    """
    alone = single_mutants(ruleset)
    begins = [mutant.changes[0] for mutant in alone if mutant.rules_changed == ("start.first",)]
    wanted = [(other.changes[0], first) for first in begins for other in alone]
    every = enumerate([*alone, *further(ruleset)])
    order = {mutant.name: (mutant.rules_changed == ("start.first",), place) for place, mutant in every}
    wanted += combinations([one.changes[0] for one in sorted(telling, key=lambda one: order[one.name])], 2)
    found = {mutant.name: mutant for mutant in pair_mutants(ruleset)}
    for first, second in wanted:
        mutant = make_mutant(ruleset.base, ruleset.values, (first, second)) if first[0] != second[0] else None
        if mutant:
            found.setdefault(mutant.name, mutant)
    for mutant in groups(ruleset):
        found.setdefault(mutant.name, mutant)
    return [
        Hypothesis((mutant.name,), "pair" if len(mutant.changes) == 2 else "group", mutant.ruleset, mutant)
        for mutant in found.values()
    ]


def combine(ruleset: Ruleset, first: Hypothesis, second: Hypothesis) -> Hypothesis | None:
    """Return two hypotheses as one: changes, faults, or both; None if they cannot be combined."""
    both = first, second
    changes = {rule: value for one in both if one.mutant for rule, value in one.mutant.changes}
    number = sum(len(one.mutant.changes) for one in both if one.mutant)
    turned = [one for one in both if one.turns]
    if len(changes) < number or any(one.remembers for one in turned):
        return None
    if not all(one.mutant or one.turns for one in both):
        return None
    mutant = make_mutant(ruleset.base, ruleset.values, tuple(changes.items())) if changes else None
    if changes and mutant is None:
        return None
    if not turned:
        assert mutant is not None
        return Hypothesis((mutant.name,), "pair" if number == 2 else "group", mutant.ruleset, mutant)
    made = [fault for one in both for fault in one.faults]
    under = mutant.ruleset if mutant else ruleset
    name = " and ".join(fault.name for fault in made)
    if mutant is None:
        return _faulty(under, made, name, "fault")
    return replace(_faulty(under, made, f"{mutant.name}, and {name}", "change-and-fault"), mutant=mutant)


def _faulty(ruleset: Ruleset, made: Sequence[AnyFault], name: str, kind: str) -> Hypothesis:
    def turns() -> ActionGenerator:
        found: ActionGenerator = CachedGenerator(ruleset.turns)
        for fault in made:
            found = fault.turns(found)
        return found

    return Hypothesis((name,), kind, ruleset, turns=turns, faults=tuple(made))


def merge_equal(hypotheses: Iterable[Hypothesis]) -> list[Hypothesis]:
    """Join hypotheses with the same rules into one under all their names."""
    by_values: dict[str, Hypothesis] = {}
    for hypothesis in hypotheses:
        values = json.dumps(hypothesis.ruleset.values, sort_keys=True, default=str)
        known = by_values.get(values)
        names = (*known.names, *hypothesis.names) if known else hypothesis.names
        by_values[values] = replace(known or hypothesis, names=names)
    return list(by_values.values())


#: The changes that explain most and are tried in pairs, beside the pairs that are always tried; and the wrong answers
#: by which that is judged.
JOINED, JUDGED = 40, 40
#: The most pieces that a capture takes to be looked at early.
SHORT = 8


@dataclass(frozen=True)
class Fit:
    """A hypothesis that contradicts no pass, with the failures it explains.

    `tried` is the number of further positions in which it predicted the engine's wrong answer.
    """

    hypothesis: Hypothesis
    explains: tuple[str, ...]
    tried: int = 0
    #: Whether it passed all tests that there are for it.
    confirmed: bool = False


class Evidence:
    """The observations of a run, ordered so that those that refute hypotheses quickly come first.

    Of the thousands of hypotheses few explain anything. Each is judged by a player of its own that is not kept: what a
    player remembers of the positions it has seen comes to hundreds of kilobytes.
    """

    def __init__(
        self,
        seen: Iterable[Observation],
        beside: Iterable[Observation] = (),
        plain: Sequence[Hypothesis] = (),
    ) -> None:
        """Start with observations of the cases, and `beside` those beyond them.

        Of right answers `beside` only the list is known to be right. `plain` are the result of `plain_hypotheses`.
        """
        self.seen = list(seen)
        #: The answers to the cases, wrong and right.
        self.failed = [observation for observation in self.seen if not observation.passed]
        self.right = [observation for observation in self.seen if observation.passed]
        # Quick ones are looked at first.
        self._short: list[Observation] = []
        self._long: list[Observation] = []
        self._right: list[Observation] = []
        self._plain = plain
        self._by_name = {name: hypothesis for hypothesis in plain for name in hypothesis.names}
        self._explained = WeakKeyDictionary[Hypothesis, tuple[str, ...]]()
        self._contradicting = WeakKeyDictionary[Hypothesis, Observation | None]()
        self.add([*self.seen, *beside])

    @property
    def wrong(self) -> list[Observation]:
        """Every wrong answer."""
        return [*self._short, *self._long]

    def add(self, observations: Iterable[Observation]) -> None:
        """Add answers to questions beyond the cases."""
        for one in observations:
            if one.passed:
                self._right.append(one)
            else:
                (self._long if _is_long(one) else self._short).append(one)
        self._right.sort(key=_is_long)
        self._contradicting = WeakKeyDictionary(
            {each: against for each, against in self._contradicting.items() if against}
        )

    def fits(self, hypothesis: Hypothesis) -> bool:
        """Return whether a hypothesis explains every wrong answer and contradicts no right one."""
        player = hypothesis.fresh()
        if hypothesis.remembers:
            return all(observation.agrees(player) for observation in self.seen)
        if _find_disagreeing(self._short, player):
            return False
        return self.allows(hypothesis) and _find_disagreeing(self._long, player) is None

    def allows(self, hypothesis: Hypothesis) -> bool:
        """Return whether a hypothesis contradicts no right answer; False for one that remembers questions."""
        return not hypothesis.remembers and self._contradicted_by(hypothesis) is None

    def _contradicted_by(self, hypothesis: Hypothesis) -> Observation | None:
        """Return a right answer that a hypothesis contradicts, perhaps one that one of its changes contradicts."""
        if hypothesis not in self._contradicting:
            player = hypothesis.fresh()
            likely = [self._contradicted_by(change) for change in self._changes(hypothesis)]
            against = next((seen for seen in likely if seen and not seen.agrees(player)), None)
            self._contradicting[hypothesis] = against or _find_disagreeing(self._right, player)
        return self._contradicting[hypothesis]

    def _changes(self, hypothesis: Hypothesis) -> list[Hypothesis]:
        """Return the changes of a hypothesis with several, each as a hypothesis of its own."""
        names = hypothesis.mutant.names if hypothesis.mutant else ()
        return [self._by_name[name] for name in names if name in self._by_name] if len(names) > 1 else []

    def most_explaining(self) -> list[Mutant]:
        """Return the changes that explain most failures each, whatever they contradict: a pair of them may fit."""
        judged = self._short[:JUDGED]
        explained = {
            hypothesis.mutant: sum(seen.agrees(player, at_once=True) for seen in judged)
            for hypothesis in self._plain
            if hypothesis.mutant and (player := hypothesis.fresh())
        }
        return sorted((mutant for mutant in explained if explained[mutant]), key=lambda m: -explained[m])[:JOINED]

    def parts(self, others: Iterable[Hypothesis]) -> list[Fit]:
        """Return the hypotheses that explain a part and contradict no right answer, those that explain most first.

        A pair of changes is left out unless it explains something that neither explains alone.
        """
        found = [self._fit(one) for one in self._plain if self.allows(one)]
        # A fault shows in few positions, so checking what it explains rejects it sooner than what it contradicts.
        found += [fit for one in others if (fit := self._fit(one)).explains and self.allows(one)]
        fits = []
        for fit in found:
            alone = (self._fit(change).explains for change in self._changes(fit.hypothesis))
            if set(fit.explains).difference(*alone):
                fits.append(fit)
        return sorted(fits, key=lambda fit: -len(fit.explains))

    def _fit(self, hypothesis: Hypothesis) -> Fit:
        if hypothesis not in self._explained:
            self._explained[hypothesis] = self._explains(hypothesis)
        return Fit(hypothesis, self._explained[hypothesis])

    def _explains(self, hypothesis: Hypothesis) -> tuple[str, ...]:
        player = hypothesis.fresh()

        def explained_cases(among: Iterable[Observation]) -> list[str]:
            return [seen.question.case.id for seen in among if seen.agrees(player, at_once=True)]

        short, long = ([seen for seen in self.failed if _is_long(seen) is which] for which in (False, True))
        found = explained_cases(short)
        # A hypothesis that explains no short ones seldom explains long ones, which take long to check.
        if found or not short:
            found += explained_cases(long)
        return tuple(found)


def _is_long(observation: Observation) -> bool:
    """Return whether an expected move captures so many pieces that changed rules take long to find all ways."""
    return any(text.count("x") > SHORT for text in observation.question.expected.moves or ())


def _find_disagreeing(seen: list[Observation], player: RulePlayer) -> Observation | None:
    """Return an observation that disagrees with a player, and move it to the front: it may refute the next too."""
    for place, observation in enumerate(seen):
        if not observation.agrees(player):
            if not _is_long(observation):
                seen.insert(0, seen.pop(place))
            return observation
    return None
