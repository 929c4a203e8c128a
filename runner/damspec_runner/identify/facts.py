"""What somebody's answers to statements come to: the rules that are known, and what others can be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

from damspec.data import freeze

from ..cases.questionnaire import VALUE_KINDS, Questionnaire, Saying
from .statements import Change, Statement, Unit, alternatives, read_statement


@dataclass
class PossibleValues:
    """A unit of which some game's sentence was denied: what it can be, each with its probability.

    The first is what that sentence says, since the denial may be a slip.
    """

    changes: tuple[Change, ...]
    shares: list[float]

    @property
    def likeliest(self) -> tuple[Change, float]:
        """The likeliest change with its probability."""
        return max(zip(self.changes, self.shares, strict=True), key=lambda each: each[1])


class Facts:
    """What the answers to statements come to, taken in their order.

    `values` are the rules that are known, None for one that the game has not; `following` those of them that only
    follow from others. `doubted` are the units that are, or may be, otherwise than was said; `rules_of` the rules
    that each statement spoke of when it was made; `open` has by topic the statements that are not so, as long as it
    is not found what is otherwise.
    """

    def __init__(self, enquiries: Questionnaire, said: Mapping[str, Saying]) -> None:
        self.values: dict[str, Any] = {}
        self.following: set[str] = set()
        self.doubted: dict[Unit, PossibleValues] = {}
        self.rules_of: dict[str, Unit] = {}
        self.open: dict[str, list[Statement]] = {}
        self._belief = enquiries.belief
        self._parts: dict[str, Any] = {}
        self._about: dict[Unit, list[tuple[Statement, bool]]] = {}
        self._units = {rule: unit for unit in enquiries.units for rule in unit}
        for id, word in said.items():
            if id not in enquiries.by_id and (statement := read_statement(enquiries, id)):
                self._add_answer(statement, word)

    def rules(self, statement: Statement) -> Unit:
        """Return the rules that a statement speaks of: one about a topic, of those not known or in doubt."""
        if statement.id in self.rules_of:
            return self.rules_of[statement.id]
        if statement.kind == "recap":
            return tuple(self.values)
        if not statement.is_of_topic:
            return statement.rules
        dependent, mine = self._dependent, statement.values
        free = [r for r in statement.rules if r not in dependent and self._units[r] not in self.doubted]
        if statement.once in self.rules_of:
            same = {r for r in self.rules_of[statement.once] if self.values.get(r, mine.get(r)) == mine.get(r)}
            return tuple(rule for rule in free if rule in same)
        return tuple(rule for rule in free if rule not in self.values)

    @property
    def _dependent(self) -> set[str]:
        """The rules that may follow from a unit that is in doubt."""
        unsettled = (doubted for unit, doubted in self.doubted.items() if not self.is_settled(unit))
        return {rule for doubted in unsettled for change in doubted.changes for rule in change.values}

    def holds(self, statement: Statement, values: Mapping[str, Any]) -> bool:
        """Return whether a statement is so by some rule values, of all that it speaks of."""
        if statement.kind == "recap":
            return all(values.get(rule) == value for rule, value in self.part(statement).items())
        return statement.holds(values, self.rules(statement))

    def is_settled(self, unit: Unit) -> bool:
        """Return whether it is certain what a doubted unit is."""
        return self.doubted[unit].likeliest[1] >= self._belief.certain

    def part(self, statement: Statement) -> Any:
        """Return what a statement about a value names: that part of a rule's value, None for no such rule.

        For all of a unit, or of the game, it is the value of each rule.
        """
        if statement.id in self._parts:
            return self._parts[statement.id]
        if statement.kind == "recap":
            return self.values
        unit = self._units[statement.rules[0]]
        told = (each.told for each in (self.doubted[unit].changes if unit in self.doubted else ()))
        return next((statement.part(each) for each in told if statement.names(each)), None)

    def _add_answer(self, statement: Statement, said: Saying) -> None:
        rules = self.rules_of[statement.id] = self.rules(statement)
        if statement.kind in VALUE_KINDS or statement.kind == "recap":
            part = self.part(statement)
            self._parts[statement.id] = dict(part) if statement.kind == "recap" else part
        if said == "unknown" or statement.kind == "recap":
            return
        if not statement.is_of_topic:
            self._weigh(statement, said == "yes")
        elif said == "yes":
            self.values |= {rule: statement.values.get(rule) for rule in rules}
            self.open.pop(statement.topic, None)
        else:
            if statement.is_again and statement.once not in {each.id for each in self.open.get(statement.topic, ())}:
                self.values = {rule: value for rule, value in self.values.items() if rule not in rules}
            self.open.setdefault(statement.topic, []).append(statement)
        left = {topic: [each for each in denied if not self._explains(each)] for topic, denied in self.open.items()}
        self.open = {topic: denied for topic, denied in left.items() if denied}

    def _explains(self, statement: Statement) -> bool:
        """Return whether a rule that is known is otherwise than a statement about a topic says."""
        known = ((rule, self.values[rule]) for rule in self.rules_of[statement.id] if rule in self.values)
        return any(statement.values.get(rule) != value for rule, value in known)

    def _weigh(self, statement: Statement, is_so: bool) -> None:
        """Take in an answer about a unit, and note its values if they are certain."""
        unit, wrong = self._units[statement.rules[0]], self._belief.wrong
        about = self._about.setdefault(unit, [])
        about.append((statement, is_so))
        denied = [each for each, so in about if each.kind == "as" and not so]
        if not denied:
            if statement.kind == "as":
                self.values |= {rule: statement.values.get(rule) for rule in unit}
            return
        gone = {*unit, *(self.doubted[unit].likeliest[0].values if unit in self.doubted else ())}
        self.values = {rule: value for rule, value in self.values.items() if rule not in gone}
        self.following -= gone
        same = {rule: denied[0].values.get(rule) for rule in unit}
        told = {freeze(each.told): each for one in reversed(denied) for each in alternatives(one)}
        others = [each for each in told.values() if each.told != same]
        changes = (Change(same, same, self._belief.same * (sum(each.weight for each in others) or 1)), *others)
        weights = [
            change.weight * prod(1 - wrong if each.holds(change.told) == so else wrong for each, so in about)
            for change in changes
        ]
        self.doubted[unit] = PossibleValues(changes, [each / sum(weights) for each in weights])
        if self.is_settled(unit):
            found = self.doubted[unit].likeliest[0].values
            self.values |= found
            self.following |= found.keys() - {*unit}
            for rule in found.keys() - {*unit}:
                self.doubted.pop(self._units.get(rule, ()), None)
