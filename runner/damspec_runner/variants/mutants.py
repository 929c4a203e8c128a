"""Mutants: a ruleset with one rule value changed, or two; every change that the schema's closed vocabularies allow.

A list changes by one entry, or as a whole to what is one idea: a group of directions, or what some game gives the rule;
games whose cases are not complete (cases/unfinished.yaml) are not asked.
The rules whose vocabulary is open (the size of a board, where the men start, a layout) have no mutants.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

from damspec import Ruleset, data, load_readings, load_ruleset
from damspec.board import DIRECTION_GROUPS
from damspec.completeness import finished_ids
from damspec.contradictions import contradictions
from damspec.rules import rule_names

from .effects import is_movement

#: Lists whose order means something.
_RANKED = {"capture.choice"}


@dataclass(frozen=True, eq=False)
class Mutant:
    """A ruleset changed: `changes` are the rules changed on purpose, `values` all rules after that.

    A change can make another rule meaningless, or need one; that is then taken away, or added with its first value.
    """

    of: str
    changes: tuple[tuple[str, Any], ...]
    values: Mapping[str, Any]

    @property
    def name(self) -> str:
        """The changes in words: `capture.duty = optional`."""
        return " and ".join(self.names)

    @property
    def names(self) -> tuple[str, ...]:
        """Each change in words."""
        return tuple(f"{rule} = {_shown(value)}" for rule, value in self.changes)

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
    changes = [
        (rule, value)
        for rule in rule_names()
        for values in (changed_values, whole_values)
        for value in values(rule, ruleset.values.get(rule))
    ]
    return _mutants(ruleset, ((change,) for change in changes))


def pairs(ruleset: Ruleset) -> Iterator[Mutant]:
    """Every mutant with two small changes, of two different rules of movement, capture or promotion.

    Then every one with the same group of directions for two rules: kings that neither move nor capture backwards.
    """
    moving = [rule for rule in rule_names() if is_movement(rule)]
    small = [(rule, value) for rule in moving for value in changed_values(rule, ruleset.values.get(rule))]
    groups = [(rule, value) for rule in moving for value in _groups(rule, ruleset.values.get(rule))]
    alike = [(first, second) for first, second in combinations(groups, 2) if first[1] == second[1]]
    both = [(first, second) for first, second in combinations(small, 2) if first[0] != second[0]]
    yield from _mutants(ruleset, [*both, *(pair for pair in alike if pair not in both)])


def groups(ruleset: Ruleset) -> Iterator[Mutant]:
    """Every mutant with all rules of movement of one group (men, kings, captures, promotion) as another game has them.

    Only where that is more than one change.
    """
    moving = [rule for rule in rule_names() if is_movement(rule)]
    taken: dict[tuple[tuple[str, Any], ...], None] = {}
    for other in (load_ruleset(id).values for id in finished_ids()):
        for group in dict.fromkeys(rule.partition(".")[0] for rule in moving):
            changes = tuple(
                (rule, other[rule])
                for rule in moving
                if rule.startswith(f"{group}.") and rule in other and other[rule] != ruleset.values.get(rule)
            )
            if len(changes) > 1:
                taken[changes] = None
    yield from _mutants(ruleset, taken)


def _mutants(ruleset: Ruleset, changes: Iterable[tuple[tuple[str, Any], ...]]) -> list[Mutant]:
    made = (mutant_of(ruleset.base, ruleset.values, each) for each in changes)
    return [mutant for mutant in made if mutant]


def changed_values(rule: str, value: Any) -> list[Any]:
    """Every small change of a rule's value, None if it has none; no change for a rule with an open vocabulary.

    A list loses one entry, gains one, or, where its order means something, has two neighbours swapped or gains one in
    front.
    """
    form = _form(rule)
    if "enum" in form:
        return [other for other in form["enum"] if other != value]
    if value is None:
        return []
    if form.get("type") == "array" and "properties" not in form:
        return _changed_lists(rule, value, _entries(form), form.get("minItems", 0))
    if rule == "spin.outcomes":
        return _changed_outcomes(value, form["properties"])
    return []


def whole_values(rule: str, value: Any) -> list[Any]:
    """Every other value that is one idea, although more than a small change of this one: see the first lines."""
    if value is None or "enum" in _form(rule) or not (small := changed_values(rule, value)):
        return []
    found: list[Any] = []
    for other in (*_groups(rule, value), *_in_use().get(rule, ())):
        if not any(_same(rule, other, known) for known in (value, *small, *found)):
            found.append(other)
    return found


def _groups(rule: str, value: Any) -> list[tuple[str, ...]]:
    """Every group of directions, for a rule that lists directions and does not list just these."""
    if value is None or "direction" not in _form(rule).get("items", {}).get("$ref", ""):
        return []
    return [group for group in DIRECTION_GROUPS.values() if not _same(rule, group, value)]


@cache
def _in_use() -> Mapping[str, list[Any]]:
    """The values that shipped rulesets with all their cases, and readings of them, give each rule."""
    ids = finished_ids()
    about = [reading for reading in load_readings() if not set(ids).isdisjoint(reading.rulesets)]
    given = [dict(load_ruleset(id).values) for id in ids]
    given += [dict(word.set) for reading in about for word in reading.alternatives.values()]
    return {rule: [values[rule] for values in given if values.get(rule) is not None] for rule in rule_names()}


def _same(rule: str, one: Any, other: Any) -> bool:
    """Whether two values of a rule say the same; the order of a list matters in some rules only."""
    if rule in _RANKED or not isinstance(one, tuple):
        return bool(one == other)
    return set(one) == set(other)


def _changed_lists(rule: str, value: tuple[str, ...], entries: tuple[str, ...], fewest: int) -> list[tuple[str, ...]]:
    changed = [value[:place] + value[place + 1 :] for place in range(len(value))] if len(value) > fewest else []
    for entry in entries:
        if entry in value:
            continue
        changed.append((*value, entry))
        if rule in _RANKED and value:
            changed.append((entry, *value))
    if rule in _RANKED:
        for place in range(len(value) - 1):
            changed.append((*value[:place], value[place + 1], value[place], *value[place + 2 :]))
    return changed


def _changed_outcomes(value: Mapping[str, str], forms: Mapping[str, Any]) -> list[dict[str, str]]:
    changed = []
    for outcome, form in forms.items():
        if outcome in value and len(value) > 1:
            changed.append({key: allowed for key, allowed in value.items() if key != outcome})
        changed += [{**value, outcome: allowed} for allowed in form["enum"] if allowed != value.get(outcome)]
    return changed


def mutant_of(of: str, values: Mapping[str, Any], changes: tuple[tuple[str, Any], ...]) -> Mutant | None:
    """The mutant with some changes; None if they contradict each other or the rest."""
    changed = {**values, **dict(changes)}
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
    form = _form(rule)
    return form["enum"][0] if "enum" in form else _entries(form)


def _form(rule: str) -> Mapping[str, Any]:
    """The schema of a rule's value, without the null that takes an optional rule away."""
    form: Mapping[str, Any] = data.schema("ruleset")["properties"]["rules"]["properties"][rule]["properties"]["value"]
    if "anyOf" in form and {"type": "null"} in form["anyOf"]:
        form = form["anyOf"][0]
    return form


def _entries(form: Mapping[str, Any]) -> tuple[str, ...]:
    items = form["items"]
    if "$ref" in items:
        items = data.schema("ruleset")["$defs"][items["$ref"].rpartition("/")[2]]
    return tuple(entry for entry in items["enum"] if entry not in DIRECTION_GROUPS)


def _shown(value: Any) -> str:
    if isinstance(value, tuple):
        group = next((word for word, group in DIRECTION_GROUPS.items() if set(group) == set(value)), None)
        if group:
            return f"[{group}]"
        return f"[{', '.join(map(str, value))}]"
    return json.dumps(value) if isinstance(value, dict) else str(value)
