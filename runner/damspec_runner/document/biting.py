"""In which cases a rule bites: its value decides there what can be done, so that a board of it shows the rule.

A case bites for the value of a rule if it has another answer under another value. It bites the better

- if it is about the value: it names a clause or a reading that the value rests on;
- if it is one question about a position, and no game played through;
- if it notices that a part of the value is taken away, and not only that something is added to it;
- if more happens than under some other value: an action more, a longer capture, one more king, the end of the game;
- if it notices many other values: two thirds of the most that a case notices are as good as all;
- if it is filed under the subject of the rule, and if it is plain.

Two rules of a ruleset should have two boards. So `chosen` gives each rule the best case that no other rule has, among
those as good as its best one but for the last two lines. A rule for which none is left shares its best one. A rule of
the board has the start of the game. A rule that can have no other value beside the others, or none that shows, has a
plain case under its subject that names what it rests on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from damspec import Reading, Ruleset
from damspec.equivalents import equivalents
from damspec.neighbours import changed_values, other_layouts, whole_values
from damspec.vocabulary import affects, vocabulary

from ..answers.player import Answer, Fields, Player, fields
from ..answers.question import Question, answers, questions
from ..cases.case import Case
from ..cases.notation import Key
from ..variants.mutants import mutant_of
from .links import link_of, plainness


def of_the_board(rule: str) -> bool:
    """Whether all that a rule says is seen on the board with which a game begins: the squares, and where men stand."""
    return affects(rule) <= {"board", "setup"}


def proofs(ruleset: Ruleset, rule: str) -> list[str]:
    """Why other values of a rule show in no position, each reason once."""
    value = ruleset.values[rule]
    mutants = (mutant_of(ruleset.base, ruleset.values, ((rule, other),)) for other in changed_values(rule, value))
    found = (equivalents().get((ruleset.base, mutant.name)) for mutant in mutants if mutant)
    return [*dict.fromkeys(because for because in found if because)]


@dataclass(frozen=True)
class Bite:
    """A case that notices other values of a rule, as good as its `key` is small."""

    case: Case
    grade: tuple[bool, ...]
    key: tuple[Any, ...]


@dataclass(frozen=True)
class _OtherValue:
    """Another value of a rule: what plays by it, and whether it is the value with a part taken away."""

    player: Player
    less: bool


class Bites:
    """The cases of a ruleset, asked which of them shows the value of a rule best."""

    def __init__(self, ruleset: Ruleset, cases: Iterable[Case], readings: Mapping[str, Reading]) -> None:
        self.ruleset = ruleset
        self._readings = readings
        self._cases = [case for case in cases if "faults" not in case.tags]  # those are about engines, and long
        self._questions = questions(ruleset, self._cases)
        self._moot = {change for id, change in equivalents() if id == ruleset.base}

    @cached_property
    def chosen(self) -> Mapping[str, Case]:
        """For each rule the case that shows its value; none for a rule that no case is about."""
        ranked = {rule: [*self.ranked(rule)] for rule in self.ruleset.values}
        good = {rule: [bite.case for bite in found if bite.grade == found[0].grade] for rule, found in ranked.items()}
        taken = {("start", "outcome")}  # the same board as that of the start, and it says less
        chosen = {}
        for rule in sorted(good, key=lambda rule: len({*map(_board, good[rule])})):
            if good[rule]:
                free = (case for case in good[rule] if _board(case) not in taken)
                chosen[rule] = next(free, good[rule][0])
                taken |= {_board(chosen[rule])} if not of_the_board(rule) else set()
        return {rule: chosen[rule] for rule in self.ruleset.values if rule in chosen}

    def best(self, rule: str) -> Case | None:
        """The case that shows a rule best, whatever shows the others."""
        return next((bite.case for bite in self.ranked(rule)), None)

    def ranked(self, rule: str) -> list[Bite]:
        """The cases that can show a rule, the one that shows it best first."""
        if of_the_board(rule):
            starts = [case for case in self._cases if case.position == "start" and case.question == "moves"]
            return self._named([case for case in starts if self._is_linked(case, rule)] or starts)
        others = [*self._others(rule)]
        if not others:
            by_subject = [case for case in self._cases if case.topic == vocabulary()[rule].topic]
            return self._named([case for case in by_subject if self._is_linked(case, rule)])
        noticing = [(question, found) for question in self._questions if (found := _noticed(question, others))]
        parts = max((_parts(found) for _, found in noticing), default=0)
        most = max((len(found) for _, found in noticing), default=0)
        bites = [self._bite(rule, question.case, found, parts, most) for question, found in noticing]
        return sorted(bites, key=lambda bite: bite.key)

    def _named(self, cases: Sequence[Case]) -> list[Bite]:
        """Cases that nothing is known of but what they are about: those first that take more at once, up to two."""
        taken = {case.id: max((text.count("x") for text in case.expected.moves or ()), default=0) for case in cases}
        return [
            Bite(case, (), ()) for case in sorted(cases, key=lambda case: (-min(2, taken[case.id]), plainness(case)))
        ]

    def _is_linked(self, case: Case, rule: str) -> bool:
        return link_of(case, self.ruleset, rule, self._readings) != "notices"

    def _bite(self, rule: str, case: Case, found: list[tuple[_OtherValue, bool]], parts: int, most: int) -> Bite:
        played, endless, *plain = plainness(case)
        grade = (
            not self._is_linked(case, rule),
            played or endless,
            3 * _parts(found) < 2 * parts,
            not any(more for _, more in found),
        )
        few, elsewhere = 3 * len(found) < 2 * most, case.topic != vocabulary()[rule].topic
        beside = len({*case.clauses, *case.readings} - {*self.ruleset.rests_on[rule]})
        return Bite(case, grade, (*grade, few, elsewhere, beside, *plain))

    def _others(self, rule: str) -> Iterator[_OtherValue]:
        """Every other value that a rule can have here, if it is not proved that it changes nothing."""
        value = self.ruleset.values[rule]
        layouts = [layout.content() for layout in other_layouts(self.ruleset)] if rule == "trapdoors.layout" else []
        for other in (*changed_values(rule, value), *whole_values(rule, value), *layouts):
            mutant = mutant_of(self.ruleset.base, self.ruleset.values, ((rule, other),))
            if mutant and mutant.name not in self._moot:
                yield _OtherValue(Player(mutant.ruleset), _is_part(other, value))


def _is_part(other: Any, value: Any) -> bool:
    """Whether a list is another with something taken away; what is no list, or an empty one, has no parts."""
    return not isinstance(value, list | tuple) or not value or set(other or ()) < set(value)


def _parts(found: list[tuple[_OtherValue, bool]]) -> int:
    """How many values with something taken away are among those that a case notices."""
    return sum(other.less for other, _ in found)


def _board(case: Case) -> tuple[str, str]:
    """What the board of a case is told by: cases that share it are drawn alike."""
    return case.position, case.question


def _noticed(question: Question, others: Iterable[_OtherValue]) -> list[tuple[_OtherValue, bool]]:
    """The other values under which a case has another answer, each with whether less happens there than expected."""
    return [(other, _more(question, other.player)) for other in others if not answers(other.player, question)]


def _more(question: Question, player: Player) -> bool:
    """Whether more happens as a case expects than as a player answers otherwise."""
    expected = question.expected
    if expected.outcome is not None:
        return expected.outcome.is_over
    another_start = question.case.position == "start" and question.start_of(player) != fields(question.position)
    if expected.end is not None or another_start:
        return True
    position = player.fitted(question.position)
    given, wanted = player.moves(position), question.moves
    if question.lapses is not None:
        given, wanted = given | player.lapses(position), wanted | question.lapses
    return _most(wanted - given) > _most(given - wanted)


def _most(answer: Answer) -> tuple[int, ...]:
    """The most that happens by an action of an answer; nothing, which is less than anything, if there is none."""
    return max((_happening(*each) for each in answer), default=())


def _happening(key: Key | None, after: Fields) -> tuple[int, int, int]:
    """How much happens by an action: the pieces that are captured, then the kings there are, and the pieces gone."""
    masks: tuple[Any, ...] = after[:4]
    white_men, white_kings, black_men, black_kings = (mask.bit_count() for mask in masks)
    kings = white_kings + black_kings
    return len(key[2]) if isinstance(key, tuple) else 0, kings, -kings - white_men - black_men
