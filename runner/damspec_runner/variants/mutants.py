"""Mutants: a ruleset with one rule value changed, or two; every change that `damspec.neighbours` knows of.

The rules whose vocabulary is open (the size of a board, where the men start, a layout) have no mutants.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

from damspec import Ruleset, load_ruleset, ruleset_ids
from damspec.contradictions import contradictions
from damspec.neighbours import changed_values, entries_of, form_of, groups_of, whole_values
from damspec.rules import rule_names
from damspec.shorthand import shortened

from .effects import is_movement

#: Rules with the values that they are changed to.
Changes = tuple[tuple[str, Any], ...]


@dataclass(frozen=True, eq=False)
class Mutant:
    """A ruleset changed: `changes` are the rules changed on purpose, `values` all rules after that.

    A change can make another rule meaningless, or need one; that is then taken away, or added with its first value.
    """

    of: str
    changes: Changes
    values: Mapping[str, Any]

    @property
    def name(self) -> str:
        """The changes in words: `capture.duty = optional`."""
        return " and ".join(self.names)

    @property
    def names(self) -> tuple[str, ...]:
        """Each change in words."""
        return tuple(f"{rule} = {shortened(value)}" for rule, value in self.changes)

    @property
    def rules_changed(self) -> tuple[str, ...]:
        """The names of the rules changed on purpose."""
        return tuple(rule for rule, _ in self.changes)

    @cached_property
    def ruleset(self) -> Ruleset:
        """The mutant as a ruleset; its values need no further check."""
        id = f"{self.of} with {self.name}"
        return Ruleset(id, id, id, (), self.values, dict.fromkeys(self.values, ()), (), Path(id))


def single(ruleset: Ruleset) -> list[Mutant]:
    """Every mutant with one change, in the order of the rules: small changes of a rule's value, then whole values."""
    return mutants(ruleset, single_changes(ruleset))


def single_changes(ruleset: Ruleset) -> list[Changes]:
    """The changes of these, and some that contradict the other rules."""
    return [
        ((rule, value),)
        for rule in rule_names()
        for values in (changed_values, whole_values)
        for value in values(rule, ruleset.values.get(rule))
    ]


def pairs(ruleset: Ruleset) -> list[Mutant]:
    """Every mutant with two small changes, of two different rules of movement, capture or promotion.

    Then every one with the same group of directions for two rules: kings that neither move nor capture backwards.
    """
    return mutants(ruleset, pair_changes(ruleset))


def pair_changes(ruleset: Ruleset) -> list[Changes]:
    """The changes of these, and some that contradict each other or the other rules."""
    moving = [rule for rule in rule_names() if is_movement(rule)]
    small = [(rule, value) for rule in moving for value in changed_values(rule, ruleset.values.get(rule))]
    groups = [(rule, value) for rule in moving for value in groups_of(rule, ruleset.values.get(rule))]
    alike = [(first, second) for first, second in combinations(groups, 2) if first[1] == second[1]]
    both = [(first, second) for first, second in combinations(small, 2) if first[0] != second[0]]
    return [*both, *(pair for pair in alike if pair not in both)]


def groups(ruleset: Ruleset) -> Iterator[Mutant]:
    """Every mutant with all rules of movement of one group (men, kings, captures, promotion) as another game has them.

    Only where that is more than one change.
    """
    moving = [rule for rule in rule_names() if is_movement(rule)]
    taken: dict[Changes, None] = {}
    for other in (load_ruleset(id).values for id in ruleset_ids()):
        for group in dict.fromkeys(rule.partition(".")[0] for rule in moving):
            changes = tuple(
                (rule, other[rule])
                for rule in moving
                if rule.startswith(f"{group}.") and rule in other and other[rule] != ruleset.values.get(rule)
            )
            if len(changes) > 1:
                taken[changes] = None
    yield from mutants(ruleset, taken)


def mutants(ruleset: Ruleset, changes: Iterable[Changes]) -> list[Mutant]:
    """The mutants with some changes, without those that contradict each other or the rest."""
    made = (mutant_of(ruleset.base, ruleset.values, each) for each in changes)
    return [mutant for mutant in made if mutant]


def mutant_of(of: str, values: Mapping[str, Any], changes: Changes) -> Mutant | None:
    """The mutant with some changes; None if they contradict each other or the rest."""
    changed = {rule: value for rule, value in {**values, **dict(changes)}.items() if value is not None}
    if found := {rule for rule, _ in contradictions(changed)}:
        if not found.isdisjoint(rule for rule, _ in changes):
            return None
        changed = without_moot(changed)
        if any(contradictions(changed)):
            return None
    return Mutant(of, changes, changed)


def without_moot(values: Mapping[str, Any]) -> dict[str, Any]:
    """Rule values without those that the others make meaningless, and with those that the others need."""
    fitted = dict(values)
    for rule in dict.fromkeys(rule for rule, _ in contradictions(values)):
        if rule in fitted:
            del fitted[rule]
        else:
            fitted[rule] = _first(rule)
    return fitted


def _first(rule: str) -> Any:
    """The value of a rule that a change makes necessary: the first of its vocabulary; for a list, all entries."""
    form = form_of(rule)
    return form["enum"][0] if "enum" in form else entries_of(form)
