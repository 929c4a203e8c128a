"""Links between clauses, readings, rule values and cases."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, cached_property
from typing import Any, Literal

import damspec
from damspec import Clause, DamspecError, Position, Reading, Ruleset, load_ruleset
from damspec.inheritance import overlay, overlay_ids
from damspec.mutations import changed_values, equivalent_mutants
from damspec.vocabulary import vocabulary

from ..answers.player import RulePlayer, passes
from ..cases.answer import Question
from ..cases.cases import Case, cases_for
from ..mutants.mutants import make_mutant
from .sources import load_documents


class UnknownIdError(DamspecError):
    """An id that nothing has."""

    @classmethod
    def of(cls, id: str, known: Iterable[str], rules: Iterable[str] = ()) -> UnknownIdError:
        """Return the error for an id, with the rules that players mean by it, or else the most similar known ids."""
        if of_rules := " and ".join(rules):
            return cls(f"nothing is called {id!r}; players say it of {of_rules}")
        folded = {each.casefold(): each for each in known}
        close = [folded[each] for each in get_close_matches(id.casefold(), folded, n=3)]
        meant = f"; did you mean {' or '.join(map(repr, close))}?" if close else ""
        return cls(f"nothing is called {id!r}{meant}")


#: How a case is linked to a value: by a clause; by a reading; only because its answer changes with the value
#: (`notices`); or by a clause or reading alone, where no change of the value could change an answer (`names`).
LinkKind = Literal["clause", "reading", "notices", "names"]
#: The value of a rule in a ruleset.
RulesetValue = tuple[str, str, Any]


def plainness(case: Case) -> tuple[bool, bool, int, bool, int, str]:
    """Return a key that sorts plain cases first.

    Plain is a case without a game or a history that leads to no end, with few pieces, White to move, and few moves.
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


def value_text(value: Any) -> str:
    """Return a rule's value in one line, written as in a ruleset file."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(str, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key}: {value_text(part)}' for key, part in value.items())}}}"
    return "null" if value is None else str(value)


@dataclass(frozen=True, eq=False)
class Links:
    """The linked things: clauses, readings, rulesets, and the cases each ruleset is checked with."""

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
        """The clauses that values of overlays rest on, each with the rule."""
        stated = [overlay(id).content["rules"].items() for id in overlay_ids()]
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
    def shows(self) -> Mapping[str, ValueCases]:
        """How the cases of each ruleset show its values."""
        return {id: ValueCases(ruleset, self.cases[id], self.readings) for id, ruleset in self.rulesets.items()}


class ValueCases:
    """The cases of a ruleset, and which rule values they show."""

    def __init__(self, ruleset: Ruleset, cases: Iterable[Case], readings: Mapping[str, Reading]) -> None:
        self.ruleset = ruleset
        self._readings = readings
        # Cases for faults are about engines, and long.
        plain = sorted((case for case in cases if "faults" not in case.tags), key=plainness)
        self._questions = [Question(case, ruleset) for case in plain]
        self._found: dict[str, LinkKind | None] = {}

    def link(self, rule: str) -> LinkKind | None:
        """Return the strongest link of a case that shows the value of a rule; None if none does."""
        if rule not in self._found:
            self._found[rule] = self._link(rule)
        return self._found[rule]

    def _link(self, rule: str) -> LinkKind | None:
        topic = vocabulary()[rule].topic
        by_subject = sorted(self._questions, key=lambda question: question.case.topic != topic)
        linked = {question: link_of(question.case, self.ruleset, rule, self._readings) for question in by_subject}
        changes = changed_values(rule, self.ruleset.values[rule])
        players = [player for _, player in players_by_value(self.ruleset, rule, changes)]
        if not players:
            found = next((link for kind in ("clause", "reading") for link in linked.values() if link == kind), None)
            return "names" if found and changes else found
        for kind in ("clause", "reading", "notices"):
            for question in by_subject:
                if linked[question] == kind and not all(passes(player, question) for player in players):
                    return kind
        return None

    def can_be_shown(self, rule: str) -> bool:
        """Return whether any case could show the value: another value must be allowed and change an answer."""
        changes = changed_values(rule, self.ruleset.values[rule])
        return not changes or any(players_by_value(self.ruleset, rule, changes))


def players_by_value(ruleset: Ruleset, rule: str, values: Iterable[Any]) -> Iterator[tuple[Any, RulePlayer]]:
    """Yield each value that a rule can have, and is not proved to show in no position, with a player by it."""
    for value in values:
        mutant = make_mutant(ruleset.base, ruleset.values, ((rule, value),))
        if mutant and (ruleset.base, mutant.name) not in equivalent_mutants():
            yield value, RulePlayer(mutant.ruleset)


def link_of(case: Case, ruleset: Ruleset, rule: str, readings: Mapping[str, Reading]) -> LinkKind:
    """Return how a case is linked to the value of a rule; `notices` if by no clause or reading."""
    sources = ruleset.rests_on[rule]
    about = {id for source in sources if source in readings for id in readings[source].clauses}
    if not set(case.clauses).isdisjoint(sources):
        return "clause"
    return "reading" if {*case.readings, *case.clauses} & {*sources, *about} else "notices"


@cache
def links() -> Links:
    """Return the links of all shipped data."""
    rulesets = {id: damspec.load_ruleset(id) for id in damspec.ruleset_ids()}
    return Links(
        damspec.load_clauses(),
        {reading.id: reading for reading in damspec.load_readings()},
        rulesets,
        {id: tuple(cases_for(ruleset)) for id, ruleset in rulesets.items()},
    )


def ids_by_kind() -> Mapping[str, Mapping[str, Any]]:
    """Return everything that has an id, by kind and id."""
    all = links()
    return {
        "ruleset": all.rulesets,
        "rule": vocabulary(),
        "clause": all.clauses,
        "reading": all.readings,
        "case": all.every_case,
        "document": load_documents(),
    }


def cases_on(id: str) -> tuple[Case, ...]:
    """Return the cases of all rulesets that name a clause or depend on a reading, the plainest first."""
    return links().cases_on.get(id, ())


def values_on(id: str) -> tuple[RulesetValue, ...]:
    """Return the values that rest on a clause or a reading, each with ruleset and rule."""
    return links().values_on.get(id, ())
