"""The verdict of a questionnaire: the game, or the nearest with its house rules, and answers that clash."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from damspec import Ruleset, load_ruleset
from damspec.contradictions import find_contradictions
from damspec.data import thaw
from damspec.rules import rule_names
from damspec.vocabulary import word_value

from ..cases.questionnaire import AGAIN, RECAP, Letter, PersonQuestion
from ..mutants.mutants import UNTOLD, essential
from .facts import Facts
from .known import of_value
from .session import Candidate, Session
from .statements import Statement, Unit

#: The number of games compared.
_COMPARED = 6


@dataclass(frozen=True)
class Changed:
    """A rule in which a game differs from its ruleset: the two values, None where there is no such rule."""

    rule: str
    value: Any
    instead: Any

    @property
    def words(self) -> str:
        """The rule's value in a sentence."""
        if self.value is None:
            return f"Not so: {word_value(self.rule, self.instead)}"
        return word_value(self.rule, self.value)


@dataclass(frozen=True)
class Nearest:
    """A known game compared with the answers: how many it agrees with, of how many that apply to it."""

    id: str
    name: str
    agrees: int
    of: int
    differs: tuple[Changed, ...]


@dataclass(frozen=True)
class Identification:
    """The identified game: the nearest known one, its probability, and the rule values, which may be changed."""

    session: Session
    facts: Facts
    nearest_known: Candidate
    share: float
    values: Mapping[str, Any]

    @property
    def base(self) -> Ruleset:
        """The ruleset of the game, without its changes."""
        return load_ruleset(self.nearest_known.base)

    @cached_property
    def ruleset(self) -> Ruleset:
        """The game's rules, under the name of its ruleset."""
        return replace(self.base, values=self.values)

    @property
    def alike(self) -> tuple[str, ...]:
        """The known games that no question tells from it."""
        return () if self.is_changed else self.nearest_known.alike

    @property
    def is_changed(self) -> bool:
        """Whether it has house rules."""
        return self.values != self.nearest_known.values

    @cached_property
    def changes(self) -> tuple[Changed, ...]:
        """The changes to the ruleset, without those that follow from others."""
        changes = {each.rule: each for each in differing_rules(self.base, self.ruleset)}
        said = essential(self.base.values, {rule: each.value for rule, each in changes.items()})
        return tuple(changes[rule] for rule in said)

    @property
    def title(self) -> str:
        """The game in words: `Flemish draughts, and your house rule: A captured king counts two men.`"""
        return game_name(self.base.name, self.changes)

    @cached_property
    def unclear(self) -> tuple[Unit, ...]:
        """The rules that are otherwise than in the known games asked about, while it is not clear how."""
        return tuple(unit for unit in self.facts.doubted if not self.facts.is_settled(unit))

    @cached_property
    def unasked(self) -> tuple[str, ...]:
        """The rules of the game about which nothing was answered."""
        asked = {rule for question in self._answered for rule in self._rules(question)}
        return tuple(rule for rule in self.session.enquiries.topic_of if rule in self.values and rule not in asked)

    @property
    def _answered(self) -> list[PersonQuestion | Statement]:
        """The questions answered yes or no; of a statement answered twice, the second."""
        said = {id: word for id, word in self.session.said.items() if word != "unknown"}
        return [question for id in said if AGAIN + id not in said and (question := self.session.question(id))]

    def is_withdrawn(self, id: str) -> bool:
        """Return whether an answer was taken back: by another to the same, to a sentence of it, or to all rules."""
        said, rules_of = self.session.said, self.facts.rules_of
        if said.get(AGAIN + id, "unknown") not in ("unknown", said[id]):
            return True
        if id not in rules_of or not self._contradicts(id):
            return False
        later = [*rules_of][[*rules_of].index(id) + 1 :]
        denied = (set(rules_of[each]) < set(rules_of[id]) for each in later if said[each] == "no")
        return (said[id] == "yes" and any(denied)) or (RECAP in later and said[RECAP] == "yes")

    def _contradicts(self, id: str) -> bool:
        question = self.session.question(id)
        return question is not None and self.answer(question) not in ("-", self.session.said[id][0])

    def answer(self, question: PersonQuestion | Statement) -> Letter:
        """Return the game's answer; none on a board, if it has house rules, and of what is unclear."""
        if isinstance(question, Statement):
            rules = self.facts.rules_of.get(question.id)
            unclear = any(not set(unit).isdisjoint(rules or ()) for unit in self.unclear)
            return "-" if unclear else "y" if self.facts.holds(question, self.values) else "n"
        if question.kind == "value" and not question.setting:
            return of_value(question, self.values)
        return "-" if self.is_changed else self.session.word(self.nearest_known, question.id)

    @cached_property
    def against(self) -> tuple[str, ...]:
        """The ids of the answers that the game contradicts."""
        found = (each.id for each in self._answered if self._contradicts(each.id))
        return tuple(id for id in found if not self.is_withdrawn(id))

    @cached_property
    def clashes(self) -> tuple[tuple[str, ...], ...]:
        """Each answer that the game contradicts, with those about the same rules that it gives."""
        found = []
        for id in self.against:
            rules = self._rules(self.session.question(id))
            others = [each.id for each in self._answered if each.id not in self.against and self._rules(each) & rules]
            if others:
                found.append((id, *others))
        return tuple(found)

    def _rules(self, question: PersonQuestion | Statement | None) -> set[str]:
        if isinstance(question, Statement):
            return set() if question.kind == "recap" else set(self.facts.rules_of[question.id])
        return {question.rule} if question else set()

    def nearest(self, number: int = _COMPARED) -> list[Nearest]:
        """Return the known games that agree best with the answers."""
        found = []
        for game in self.session.candidates:
            words = [agrees for each in self._answered if (agrees := self._agrees(game, each)) is not None]
            found.append((sum(words), len(words), game))
        found.sort(key=lambda each: (-each[0], each[1], each[2] is not self.nearest_known, "?" in each[2].id))
        return [
            Nearest(
                game.id, load_ruleset(game.id).name, agrees, of, differing_rules(load_ruleset(game.id), self.ruleset)
            )
            for agrees, of, game in found[:number]
        ]

    def _agrees(self, game: Candidate, question: PersonQuestion | Statement) -> bool | None:
        if isinstance(question, PersonQuestion):
            return self.session.agrees(game, question.id)
        return self.facts.holds(question, game.values) == (self.session.said[question.id] == "yes")

    def ruleset_file(self, id: str = "as-told") -> str:
        """Return the game as the text of a ruleset file."""
        head = {
            "damspec": 1,
            "id": id,
            "name": f"{self.base.name} as it was told",
            "about": self.title,
            "extends": self.base.id,
            "documents": [],
        }
        lines = [f"{key}: {_flow(value)}" for key, value in head.items()]
        rules = [f"  {each.rule}: {{value: {_flow(each.value)}}}" for each in self.changes]
        return "\n".join([*lines, *(["rules:", *rules] if rules else ["rules: {}"])]) + "\n"


def identify_game(session: Session) -> Identification:
    """Return the game that the answers identify so far: the nearest known game, with the rules that are otherwise."""
    facts = session.facts
    standing = session.standing(facts)
    values = _with_facts(session, standing[0][0].values, facts)
    shares = dict(standing)
    near = min(
        (game for game in session.candidates if game.id == game.base or not _distance(session, game, values)),
        key=lambda game: (_distance(session, game, values), -shares[game]),
    )
    return Identification(session, facts, near, shares[near], _with_facts(session, near.values, facts))


def _with_facts(session: Session, values: Mapping[str, Any], facts: Facts) -> Mapping[str, Any]:
    """Return rule values with what is known, but for one sentence if it contradicts others; all or nothing then."""
    for left_out in ((), *session.enquiries.units):
        known = {rule: value for rule, value in facts.values.items() if rule not in left_out}
        if all(values.get(rule) == value for rule, value in known.items()):
            return values
        changed = {rule: value for rule, value in {**values, **known}.items() if value is not None}
        if not any(find_contradictions(changed)):
            return changed
    return values


def _distance(session: Session, game: Candidate, values: Mapping[str, Any]) -> int:
    """Return in how many sentences a known game differs from rule values."""
    return sum(any(game.values.get(rule) != values.get(rule) for rule in unit) for unit in session.enquiries.units)


def differing_rules(one: Ruleset, other: Ruleset) -> tuple[Changed, ...]:
    """Return the rules in which two games differ noticeably, with the value of `other` and instead of which."""
    return tuple(
        Changed(rule, other.values.get(rule), one.values.get(rule))
        for rule in rule_names()
        if rule != UNTOLD and one.values.get(rule) != other.values.get(rule)
    )


def game_name(name: str, changes: Sequence[Changed]) -> str:
    """Return a game's name with its changes."""
    if not changes:
        return name
    rules = "house rule" if len(changes) == 1 else "house rules"
    return f"{name}, and your {rules}: {' '.join(each.words for each in changes)}"


def _flow(value: Any) -> str:
    """Return a value as one line of YAML."""
    return json.dumps(thaw(value), ensure_ascii=False)
