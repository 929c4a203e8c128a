"""The links between clauses, readings, rule values and cases, in both directions, and whether cases show a value.

A case shows the value of a rule if it names a clause that the value rests on, or has to do with a reading that it
rests on, and its answer is another when the value is changed. Where nothing can be changed (the vocabulary is open, no
other value goes with the rest, or every change is proved to change nothing) the link has to do.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, cached_property
from typing import Any, Literal

import damspec
from damspec import Clause, DamspecError, Position, Reading, Ruleset, load_ruleset
from damspec.equivalents import equivalents
from damspec.neighbours import changed_values
from damspec.statements import overlay, overlay_ids
from damspec.vocabulary import vocabulary

from ..answers.player import Player
from ..answers.question import answers, questions
from ..cases.cases import Case, cases_for
from ..variants.mutants import mutant_of


class UnknownId(DamspecError):
    """An id that nothing has."""

    @classmethod
    def of(cls, id: str, known: Iterable[str]) -> UnknownId:
        """The error for an id, naming the ids that are most like it."""
        folded = {each.casefold(): each for each in known}
        close = [folded[each] for each in get_close_matches(id.casefold(), folded, n=3, cutoff=0.5)]
        meant = f"; did you mean {' or '.join(map(repr, close))}?" if close else ""
        return cls(f"nothing is called {id!r}{meant}")


#: How a case is linked to a value: by a clause; by a reading; by nothing but that it notices a change of it; or by a
#: clause or a reading alone, as no change of the value could be noticed.
LinkKind = Literal["clause", "reading", "notices", "names"]
#: The value of a rule in a ruleset.
RulesetValue = tuple[str, str, Any]


def plainness(case: Case) -> tuple[bool, bool, int, bool, int, str]:
    """The key that sorts plain cases first: no game played through, no history that leads to no end, few pieces, White
    to move, few moves.
    """
    expected = case.expected
    endless = bool(case.history) and expected.outcome is not None and not expected.outcome.is_over
    listed = len(expected.moves or ()) + len(expected.lapses or ()) + len(case.history)
    black = case.position.startswith("B")
    return bool(expected.game), endless, _pieces(case.ruleset, case.position), black, listed, case.id


@cache
def _pieces(ruleset: str, position: str) -> int:
    rules = load_ruleset(ruleset).rules
    return len(Position.start(rules) if position == "start" else Position.from_fen(position, rules.board))


def written(value: Any) -> str:
    """A rule's value in one line, written as in a ruleset file."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(str, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key}: {written(part)}' for key, part in value.items())}}}"
    return "null" if value is None else str(value)


@dataclass(frozen=True, eq=False)
class Links:
    """Everything that is linked: clauses, readings, rulesets, and the cases each ruleset is checked with."""

    clauses: Mapping[str, Clause]
    readings: Mapping[str, Reading]
    rulesets: Mapping[str, Ruleset]
    cases: Mapping[str, tuple[Case, ...]]

    @cached_property
    def values_on(self) -> Mapping[str, tuple[RulesetValue, ...]]:
        """The values that rest on a clause or a reading, by its id."""
        found: dict[str, list[RulesetValue]] = defaultdict(list)
        for id, ruleset in self.rulesets.items():
            for rule, sources in ruleset.rests_on.items():
                for source in sources:
                    found[source].append((id, rule, ruleset.values[rule]))
        return {source: tuple(values) for source, values in found.items()}

    @cached_property
    def overlaying(self) -> frozenset[tuple[str, str]]:
        """Each clause that a value of an overlay rests on, with the rule."""
        stated = [overlay(id)["rules"].items() for id in overlay_ids()]
        return frozenset((source, rule) for rules in stated for rule, entry in rules for source in entry["from"])

    @cached_property
    def cases_on(self) -> Mapping[str, tuple[Case, ...]]:
        """The cases that name a clause or depend on a reading, by its id, the plainest first; each case once."""
        found: dict[str, dict[str, Case]] = defaultdict(dict)
        for case in self.every_case.values():
            for source in (*case.clauses, *case.readings):
                found[source][case.id] = case
        return {source: tuple(sorted(cases.values(), key=plainness)) for source, cases in found.items()}

    @cached_property
    def every_case(self) -> Mapping[str, Case]:
        """All cases by id, as their own ruleset has them."""
        own = {c.id: c for id, cases in self.cases.items() for c in cases if c.ruleset == id}
        return {c.id: c for cases in self.cases.values() for c in cases} | own

    @cached_property
    def shows(self) -> Mapping[str, Shows]:
        """For each ruleset how its cases show its values."""
        return {id: Shows(ruleset, self.cases[id], self.readings) for id, ruleset in self.rulesets.items()}


class Shows:
    """The cases of a ruleset, asked whether they show the value of a rule."""

    def __init__(self, ruleset: Ruleset, cases: Iterable[Case], readings: Mapping[str, Reading]) -> None:
        self.ruleset = ruleset
        self._readings = readings
        plain = (case for case in cases if "faults" not in case.tags)  # those are about engines, and long
        self._questions = sorted(questions(ruleset, plain), key=lambda question: plainness(question.case))
        self._moot = {change for id, change in equivalents() if id == ruleset.base}
        self._found: dict[str, LinkKind | None] = {}

    def link(self, rule: str) -> LinkKind | None:
        """The strongest link of a case that shows a value; None if none does."""
        if rule not in self._found:
            self._found[rule] = self._link(rule)
        return self._found[rule]

    def _link(self, rule: str) -> LinkKind | None:
        topic = vocabulary()[rule].topic
        by_subject = sorted(self._questions, key=lambda question: question.case.topic != topic)
        linked = {question: link_of(question.case, self.ruleset, rule, self._readings) for question in by_subject}
        changes = changed_values(rule, self.ruleset.values[rule])
        players = self._players(rule, changes)
        if not players:
            found = next((link for kind in ("clause", "reading") for link in linked.values() if link == kind), None)
            return "names" if found and changes else found
        for kind in ("clause", "reading", "notices"):
            for question in by_subject:
                if linked[question] == kind and not all(answers(player, question) for player in players):
                    return kind
        return None

    def can_be_shown(self, rule: str) -> bool:
        """Whether a case could show the value at all: some other value has to be allowed, and to change an answer."""
        changes = changed_values(rule, self.ruleset.values[rule])
        return not changes or bool(self._players(rule, changes))

    def _players(self, rule: str, changes: Iterable[Any]) -> list[Player]:
        """A player for each allowed change of a rule that is not proved to show in no position."""
        made = (mutant_of(self.ruleset.base, self.ruleset.values, ((rule, value),)) for value in changes)
        return [Player(mutant.ruleset) for mutant in made if mutant and mutant.name not in self._moot]


def link_of(case: Case, ruleset: Ruleset, rule: str, readings: Mapping[str, Reading]) -> LinkKind:
    """How a case is linked to the value of a rule: it `notices` a change if by nothing else."""
    sources = ruleset.rests_on[rule]
    about = {id for source in sources if source in readings for id in readings[source].clauses}
    if not set(case.clauses).isdisjoint(sources):
        return "clause"
    return "reading" if {*case.readings, *case.clauses} & {*sources, *about} else "notices"


@cache
def links() -> Links:
    """The links of all data shipped."""
    rulesets = {id: damspec.load_ruleset(id) for id in damspec.ruleset_ids()}
    return Links(
        damspec.load_clauses(),
        {reading.id: reading for reading in damspec.load_readings()},
        rulesets,
        {id: tuple(cases_for(ruleset)) for id, ruleset in rulesets.items()},
    )


def kind_of(id: str) -> str:
    """Whether an id is that of a `ruleset`, `rule`, `clause`, `reading` or `case`. Raises UnknownId."""
    for kind, ids in ids_by_kind().items():
        if id in ids:
            return kind
    raise UnknownId.of(id, [each for ids in ids_by_kind().values() for each in ids])


def ids_by_kind() -> Mapping[str, Mapping[str, Any]]:
    """All ids, by what they are of."""
    all = links()
    return {
        "ruleset": all.rulesets,
        "rule": vocabulary(),
        "clause": all.clauses,
        "reading": all.readings,
        "case": all.every_case,
    }


def cases_on(id: str) -> tuple[Case, ...]:
    """The cases of all rulesets that name a clause or depend on a reading, the plainest first."""
    return links().cases_on.get(id, ())


def values_on(id: str) -> tuple[RulesetValue, ...]:
    """The values, each with ruleset and rule, that rest on a clause or a reading."""
    return links().values_on.get(id, ())
