"""Example cases: for each rule of a game the case that shows it best."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from damspec import FileError, Position, Reading, Ruleset, RulesetError, data
from damspec.mutations import changed_values, equivalent_mutants, other_layouts, whole_values
from damspec.vocabulary import affects, vocabulary

from ..answers.player import RulePlayer, answer_of, passes
from ..cases.answer import After, Question
from ..cases.case import Case
from ..cases.cases import cases_for
from ..cases.notation import Key
from ..mutants.mutants import make_mutant
from .links import LinkKind, link_of, links, plainness, players_by_value


def of_the_board(rule: str) -> bool:
    """Return whether a rule is fully visible on the initial board: its squares, and where men start."""
    return affects(rule) <= {"board", "setup"}


def proofs(ruleset: Ruleset, rule: str) -> list[str]:
    """Return the proofs that other values of a rule show in no position, without duplicates."""
    value = ruleset.values[rule]
    mutants = (make_mutant(ruleset.base, ruleset.values, ((rule, other),)) for other in changed_values(rule, value))
    found = (equivalent_mutants().get((ruleset.base, mutant.name)) for mutant in mutants if mutant)
    return [*dict.fromkeys(because for because in found if because)]


@dataclass(frozen=True)
class RelevantCase:
    """A case that kills other values of a rule; a smaller `key` is better."""

    case: Case
    grade: tuple[bool, ...]
    key: tuple[Any, ...]


@dataclass(frozen=True)
class _OtherValue:
    """Another value of a rule, as a player; `less` is whether it is the value with a part removed."""

    player: RulePlayer
    less: bool


class RuleRelevance:
    """A ranking of a ruleset's cases by how well they show the value of a rule."""

    def __init__(self, ruleset: Ruleset, cases: Iterable[Case], readings: Mapping[str, Reading]) -> None:
        self.ruleset = ruleset
        self._readings = readings
        self._cases = [case for case in cases if "faults" not in case.tags]  # cases for engine faults are long
        self._questions = [Question(case, ruleset) for case in self._cases]

    @cached_property
    def best_cases(self) -> Mapping[str, Case]:
        """For each rule the case that shows its value; rules without one are missing."""
        ranked = {rule: [*self.rank(rule)] for rule in self.ruleset.values}
        good = {rule: [bite.case for bite in found if bite.grade == found[0].grade] for rule, found in ranked.items()}
        taken = {("start", "outcome")}  # drawn like the start's moves, but shows less
        chosen = {}
        for rule in sorted(good, key=lambda rule: len({*map(_drawing_key, good[rule])})):
            if good[rule]:
                free = (case for case in good[rule] if _drawing_key(case) not in taken)
                chosen[rule] = next(free, good[rule][0])
                taken |= {_drawing_key(chosen[rule])} if not of_the_board(rule) else set()
        return {rule: chosen[rule] for rule in self.ruleset.values if rule in chosen}

    def best(self, rule: str) -> Case | None:
        """Return the case that shows a rule best, regardless of other rules."""
        return next((bite.case for bite in self.rank(rule)), None)

    def rank(self, rule: str) -> list[RelevantCase]:
        """Return the cases that can show a rule, the best first."""
        if of_the_board(rule):
            starts = [case for case in self._cases if case.position == "start" and case.question == "moves"]
            return self._by_plainness([case for case in starts if self._is_linked(case, rule)] or starts)
        others = [*self._others(rule)]
        if not others:
            by_subject = [case for case in self._cases if case.topic == vocabulary()[rule].topic]
            return self._by_plainness([case for case in by_subject if self._is_linked(case, rule)])
        killing_cases = [
            (question, found) for question in self._questions if (found := _killed_values(question, others))
        ]
        parts = max((_count_parts(found) for _, found in killing_cases), default=0)
        most = max((len(found) for _, found in killing_cases), default=0)
        bites = [self._relevant_case(rule, question.case, found, parts, most) for question, found in killing_cases]
        return sorted(bites, key=lambda bite: bite.key)

    def _by_plainness(self, cases: Sequence[Case]) -> list[RelevantCase]:
        """Rank cases by plainness, those that capture more (up to two pieces) first."""
        taken = {case.id: max((text.count("x") for text in case.expected.moves or ()), default=0) for case in cases}
        return [
            RelevantCase(case, (), ())
            for case in sorted(cases, key=lambda case: (-min(2, taken[case.id]), plainness(case)))
        ]

    def _is_linked(self, case: Case, rule: str) -> bool:
        return link_of(case, self.ruleset, rule, self._readings) != "notices"

    def _relevant_case(
        self, rule: str, case: Case, found: list[tuple[_OtherValue, bool]], parts: int, most: int
    ) -> RelevantCase:
        played, endless, *plain = plainness(case)
        grade = (
            not self._is_linked(case, rule),
            played or endless,
            3 * _count_parts(found) < 2 * parts,
            not any(more for _, more in found),
        )
        few, elsewhere = 3 * len(found) < 2 * most, case.topic != vocabulary()[rule].topic
        beside = len({*case.clauses, *case.readings} - {*self.ruleset.rests_on[rule]})
        return RelevantCase(case, grade, (*grade, few, elsewhere, beside, *plain))

    def _others(self, rule: str) -> Iterator[_OtherValue]:
        """Yield every other allowed value of a rule, unless it is proved to change nothing."""
        value = self.ruleset.values[rule]
        layouts = [layout.content() for layout in other_layouts(self.ruleset)] if rule == "trapdoors.layout" else []
        others = (*changed_values(rule, value), *whole_values(rule, value), *layouts)
        for other, player in players_by_value(self.ruleset, rule, others):
            yield _OtherValue(player, _is_part(other, value))


def _is_part(other: Any, value: Any) -> bool:
    """Return whether a list is another with something removed; True if `value` is no list, or empty."""
    return not isinstance(value, list | tuple) or not value or set(other or ()) < set(value)


def _count_parts(found: list[tuple[_OtherValue, bool]]) -> int:
    """Return how many of the values with something removed a case kills."""
    return sum(other.less for other, _ in found)


def _drawing_key(case: Case) -> tuple[str, str]:
    """Return what determines the drawing of a case: cases with the same are drawn alike."""
    return case.position, case.question


def _killed_values(question: Question, others: Iterable[_OtherValue]) -> list[tuple[_OtherValue, bool]]:
    """Return the other values under which a case has another answer, each with whether less happens there."""
    return [(other, _more_happens(question, other.player)) for other in others if not passes(other.player, question)]


def _more_happens(question: Question, player: RulePlayer) -> bool:
    """Return whether more happens in the expected answer than in the player's different one."""
    if question.wanted.outcome is not None:
        return question.wanted.outcome.is_over
    expected, given = question.expected, answer_of(player, question)
    if question.wanted.end is not None or expected.start != given.start:
        return True
    lost, gained = (expected.after.items() - given.after.items(), given.after.items() - expected.after.items())
    return max(map(_effect_size, lost), default=()) > max(map(_effect_size, gained), default=())


def _effect_size(done: tuple[Key, After]) -> tuple[int, ...]:
    """Return how much an action does: captured pieces, then the kings there are, and the pieces gone."""
    key, after = done
    kings = (after.white_kings | after.black_kings).bit_count() if isinstance(after, Position) else 0
    return len(key[2]) if isinstance(key, tuple) else 0, kings, -len(after)


@dataclass(frozen=True)
class RuleExample:
    """A case that shows a value, and how it is linked to it."""

    case: Case
    by: LinkKind


def example(ruleset: Ruleset, rule: str) -> Case | None:
    """Return the case that best shows the value a ruleset gives a rule; None if there is none.

    Raises RulesetError for a rule that the ruleset does not have.
    """
    if rule not in ruleset.values:
        raise RulesetError(f"{ruleset.id} has no rule {rule!r}{data.nearest(rule, list(ruleset.values))}")
    shipped = links().rulesets.get(ruleset.id) == ruleset
    return (
        _examples_on_record()[ruleset.id].get(rule)
        if shipped and ruleset.id in _examples_on_record()
        else _relevance(ruleset).best(rule)
    )


def find_example(ruleset: Ruleset, rule: str) -> RuleExample | None:
    """Return the example with its link to the value."""
    case = example(ruleset, rule)
    return RuleExample(case, link_of(case, ruleset, rule, _readings(ruleset))) if case else None


def path() -> Path:
    """Return the path of the record."""
    return data.root() / "cases" / "generated" / "examples.yaml"


@cache
def _examples_on_record() -> Mapping[str, Mapping[str, Case]]:
    content, where = data.load_yaml(path()), data.path_text(path())
    data.check(content, "examples", where)
    found: dict[str, dict[str, Case]] = {}
    for id, examples in content["examples"].items():
        cases = {case.id: case for case in links().cases.get(id, ())}
        for rule, case in examples.items():
            if case not in cases:
                raise FileError(f"{where}: examples.{id}.{rule}: {id} has no case {case!r}, expected one that it has")
        found[id] = {rule: cases[case] for rule, case in examples.items()}
    return found


@cache
def _relevance(ruleset: Ruleset) -> RuleRelevance:
    return RuleRelevance(ruleset, cases_for(ruleset), _readings(ruleset))


def _readings(ruleset: Ruleset) -> Mapping[str, Any]:
    """Return all readings by id, including those of a file of one's own."""
    return {**links().readings, **{reading.id: reading for reading in ruleset.own_readings}}
