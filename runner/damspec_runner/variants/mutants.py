"""Mutants: a ruleset with one rule value changed, or two; every change that the schema's closed vocabularies allow.

The rules whose vocabulary is open (the size of a board, where the men start, a layout) have no mutants.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

from damspec import Ruleset, data
from damspec.board import DIRECTION_GROUPS
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
        return " and ".join(f"{rule} = {_shown(value)}" for rule, value in self.changes)

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
    """Every mutant with one change, in the order of the rules."""
    found = []
    for rule in rule_names():
        for value in changed_values(rule, ruleset.values.get(rule)):
            mutant = mutant_of(ruleset.base, ruleset.values, ((rule, value),))
            if mutant:
                found.append(mutant)
    return found


def pairs(ruleset: Ruleset) -> Iterator[Mutant]:
    """Every mutant with two changes, of two different rules of movement, capture or promotion."""
    changes = [m.changes[0] for m in single(ruleset) if is_movement(m.changes[0][0])]
    for first, second in combinations(changes, 2):
        if first[0] != second[0]:
            mutant = mutant_of(ruleset.base, ruleset.values, (first, second))
            if mutant:
                yield mutant


def changed_values(rule: str, value: Any) -> list[Any]:
    """Every single change of a rule's value, None if it has none; no change for a rule with an open vocabulary.

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
    on_purpose = {rule for rule, _ in changes}
    if any(rule in on_purpose for rule, _ in contradictions(changed)):
        return None
    changed = without_moot(changed)
    return None if any(contradictions(changed)) else Mutant(of, changes, changed)


def without_moot(values: Mapping[str, Any]) -> dict[str, Any]:
    """Rule values without those that the others make meaningless, and with those that the others need."""
    fitted = dict(values)
    for rule, _ in list(contradictions(values)):
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
        return f"[{', '.join(map(str, value))}]"
    return json.dumps(value) if isinstance(value, dict) else str(value)
