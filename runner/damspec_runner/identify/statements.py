"""Statements about the rules of a game, which somebody can say are so or not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

from damspec import load_ruleset, ruleset_ids

from ..cases.questionnaire import AGAIN, RECAP, VALUE_KINDS, Kind, Questionnaire, slug
from ..mutants.mutants import changes
from .known import known_games

#: The token of a rule that a game has not, and of an empty list.
NONE, NOTHING = "none", "nothing"

#: Rules that go together in a sentence.
Unit = tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Statement:
    """A statement about `rules`, all of one topic; its game or token is the last part of its id."""

    id: str
    kind: Kind
    topic: str
    rules: Unit
    last: str

    @property
    def once(self) -> str:
        """Its id when it is put for the first time."""
        return self.id.removeprefix(AGAIN * self.id.count(AGAIN))

    @property
    def is_again(self) -> bool:
        """Whether it was put before."""
        return self.id != self.once

    def again(self) -> Statement:
        """Return the statement to be put once more."""
        return replace(self, id=AGAIN + self.id)

    @property
    def is_of_topic(self) -> bool:
        """Whether it speaks of a whole topic."""
        return self.kind in ("all-as", "rest-as")

    @cached_property
    def values(self) -> Mapping[str, Any]:
        """The rule values of the game that it speaks of."""
        return known_games()[self.last].values

    def holds(self, values: Mapping[str, Any], rules: Unit | None = None) -> bool:
        """Return whether it is so by some rule values; of a topic, as far as it speaks of `rules`."""
        match self.kind:
            case "has":
                return self.last in tokens(values.get(self.rules[0]))
            case "begins" | "ends":
                return tokens(values.get(self.rules[0]))[0 if self.kind == "begins" else -1] == self.last
            case "is":
                return whole_token(self.rules, values) == self.last
            case "recap":
                return True
            case "all-as" | "rest-as" | "as":
                return all(values.get(rule) == self.values.get(rule) for rule in rules or self.rules)

    def names(self, told: Mapping[str, Any]) -> bool:
        """Return whether the values of a unit have what its token names."""
        return self.holds(told) if self.kind == "is" else self.last in tokens(told[self.rules[0]])

    def part(self, told: Mapping[str, Any]) -> Any:
        """Return as much of the values of a unit as its token names."""
        if self.kind == "is":
            return told
        value = told[self.rules[0]]
        if isinstance(value, Mapping):
            return {key: each for key, each in value.items() if self.last in tokens({key: each})}
        if isinstance(value, tuple | list):
            return tuple(each for each in value if slug(each) == self.last)
        return value


def tokens(value: Any) -> tuple[str, ...]:
    """Return the parts of a rule's value as parts of ids: the entries of a list or mapping, or the value itself."""
    if value is None:
        return (NONE,)
    if isinstance(value, Mapping):
        return tuple(slug(f"{key}-{part}") for key, part in value.items())
    if isinstance(value, tuple | list):
        return tuple(map(slug, value)) or (NOTHING,)
    return (slug(value),)


def whole_token(rules: Unit, values: Mapping[str, Any]) -> str:
    """Return the values of a unit as a part of an id."""
    return "-".join(token for rule in rules for token in tokens(values.get(rule)))


@cache
def make_statement(enquiries: Questionnaire, head: str, kind: Kind, last: str) -> Statement:
    """Return the statement about a topic or a rule; `last` is the id of a game, or a token.

    Games with the same rules about it share one statement.
    """
    topic = head if head in enquiries.topics else enquiries.topic_of[head]
    units = enquiries.topics[topic]
    rules = units_rules(units) if head == topic else next(unit for unit in units if head in unit)
    if kind in VALUE_KINDS:
        about = rules if kind == "is" else (head,)
        return Statement(f"{slug(head)}-{kind}-{last}", kind, topic, about, last)
    game = _first_like(rules, last)
    return Statement(f"{slug(rules[0] if head != topic else head)}-{kind}-{slug(game)}", kind, topic, rules, game)


def units_rules(units: tuple[Unit, ...]) -> Unit:
    """Return all rules of some units."""
    return tuple(rule for unit in units for rule in unit)


@cache
def _first_like(rules: Unit, game: str) -> str:
    """Return the first known game with the same values of some rules."""
    values = known_games()[game].values
    return next(
        id for id, known in known_games().items() if all(known.values.get(rule) == values.get(rule) for rule in rules)
    )


@cache
def read_statement(enquiries: Questionnaire, id: str) -> Statement | None:
    """Return the statement with an id, which may name any game that has the same; None if there is none."""
    if id == RECAP:
        return Statement(RECAP, "recap", "", (), "")
    found = enquiries.split_statement(id)
    return replace(make_statement(enquiries, *found), id=id) if found else None


@dataclass(frozen=True)
class Change:
    """A change of a game's rules: the values of those that change, None for one that is gone.

    `told` are the values of the rules of the sentence that is changed; `weight` says how common they are.
    """

    values: Mapping[str, Any]
    told: Mapping[str, Any]
    weight: float


@cache
def alternatives(statement: Statement) -> tuple[Change, ...]:
    """Return what the rules of a statement about one sentence can be where they are not as it says.

    They weigh by the number of rulesets that have them.
    """
    base = load_ruleset(statement.last.partition("?")[0]).values
    found = [each for rule, each in changes(statement.last.partition("?")[0]) if rule in statement.rules]
    games = [_told(load_ruleset(id).values, statement.rules) for id in ruleset_ids()]
    made: list[Change] = []
    for each in (*found, _told(base, statement.rules), *games):
        told = _told({**base, **each}, statement.rules)
        if told != _told(statement.values, statement.rules) and all(told != one.told for one in made):
            made.append(Change(each, told, 1 + games.count(told)))
    return tuple(made)


def _told(values: Mapping[str, Any], rules: Unit) -> dict[str, Any]:
    return {rule: values.get(rule) for rule in rules}
