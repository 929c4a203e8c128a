"""Mutations of rules: the other values a rule can have, and the mutants proved equivalent.

A list changes by one entry, or as a whole to another value that makes sense: a group of directions, or the value of
some shipped game. A number that counts changes by one, or is removed. The other rules with an open vocabulary (the size
of a board, where the men start) have no such values; the layout of trapdoors has its doors or colours exchanged, or its
doors moved.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Literal

from . import data
from .board import DIRECTION_GROUPS
from .errors import RulesetError
from .inheritance import ruleset_ids
from .layout import Layout, Slider
from .readings import load_readings
from .rules import rule_names
from .ruleset import Ruleset, load_ruleset
from .vocabulary import Form, vocabulary


def mutate_rule(ruleset: Ruleset, rule: str) -> tuple[Ruleset, ...]:
    """Return the ruleset with each other value of a rule that is consistent with its other rules.

    Raises RulesetError, with the reasons, where there is none.
    """
    value = ruleset.values.get(rule)
    values = [*changed_values(rule, value), *whole_values(rule, value)]
    if rule == "trapdoors.layout":
        values += [layout.content() for layout in other_layouts(ruleset)]
    found, reasons = [], dict[str, None]()
    for other in values:
        try:
            found.append(ruleset.with_value(rule, other))
        except RulesetError as error:
            reasons[str(error).partition(": ")[2]] = None
    if not found:
        raise RulesetError(f"{ruleset.id} can have no other {rule}: {'; '.join(reasons)}")
    return tuple(found)


def changed_values(rule: str, value: Any) -> list[Any]:
    """Return every small change of a rule's value; none for a rule with an open vocabulary, or without a value.

    A list loses an entry, gains one or, where its order matters, has two neighbours swapped or gains an entry in front.
    A number that counts moves, alone or in a mapping, is one less, one more or gone (None); a word or a list of an
    optional rule is another or gone.
    """
    form, words = form_of(rule), vocabulary()[rule]
    if form.kind == "choice":
        others = [other for other in form.words if other != value]
        return others if value is None or not words.requirement else [*others, None]
    if value is None:
        return []
    if entries := entries_of(rule):
        changed = _change_list(value, entries, form.least, ranked=words.ordered)
        return [*changed, None] if words.is_free else changed
    if form.kind == "mapping":
        return _change_outcomes(value, form)
    return _change_counts(value, form) if form.kind in ("number", "counts") else []


def next_larger(rule: str, value: int) -> Any:
    """Return the next larger value of a rule that is a number, such as `any` after the largest; None if there is none.

    >>> next_larger("king.move.reach", 2), next_larger("king.capture.reach", 1), next_larger("promotion.rows", 3)
    ('any', 'any', None)
    >>> next_larger("king.move.limit", 8), next_larger("king.move.limit", 9), next_larger("start.men", 3)
    (9, None, 4)
    """
    form = form_of(rule)
    values = form.words if form.kind == "choice" else range(value, value + (1 if value == form.most else 2))
    return next(iter(values[values.index(value) + 1 :]), None)


def whole_values(rule: str, value: Any) -> list[Any]:
    """Return the other values of a list or number that make sense as a whole.

    They are the groups of directions, and the values that the rule has in shipped rulesets and readings.
    """
    if value is None or form_of(rule).kind == "choice" or not (small := changed_values(rule, value)):
        return []
    found: list[Any] = []
    for other in (*groups_of(rule, value), *_values_in_use().get(rule, ())):
        if not any(_is_same(rule, other, known) for known in (value, *small, *found)):
            found.append(other)
    return found


def other_layouts(ruleset: Ruleset) -> list[Layout]:
    """Return layouts with the same sliders: doors exchanged, colours exchanged, or doors moved one square on."""
    trapdoors = ruleset.rules.trapdoors
    if trapdoors is None:
        return []
    layout, squares = trapdoors.layout, len(ruleset.rules.board)
    found = []
    for name, sliders in _change_sliders(layout.sliders, squares):
        other = replace(layout, id=f"{layout.id}-{name}", name=f"{layout.name}, {name}", assumed=True, sliders=sliders)
        if other.sliders != layout.sliders:
            found.append(other)
    return found


def _change_sliders(sliders: tuple[Slider, ...], squares: int) -> Iterator[tuple[str, tuple[Slider, ...]]]:
    yield "doors-exchanged", tuple(replace(slider, left=slider.right, right=slider.left) for slider in sliders)
    colours: dict[str, Literal["green", "orange"]] = {"green": "orange", "orange": "green"}
    yield "colours-exchanged", tuple(replace(slider, colour=colours[slider.colour]) for slider in sliders)
    yield (
        "doors-moved",
        tuple(replace(slider, left=slider.left % squares + 1, right=slider.right % squares + 1) for slider in sliders),
    )


def groups_of(rule: str, value: Any) -> list[tuple[str, ...]]:
    """Return every other group of directions, for a rule that lists directions."""
    if value is None or form_of(rule).kind != "directions":
        return []
    return [group for group in DIRECTION_GROUPS.values() if not _is_same(rule, group, value)]


@cache
def _values_in_use() -> Mapping[str, list[Any]]:
    """Return, for each rule, its values in the shipped rulesets and in their readings."""
    ids = ruleset_ids()
    about = [reading for reading in load_readings() if not set(ids).isdisjoint(reading.rulesets)]
    in_use = [dict(load_ruleset(id).values) for id in ids]
    in_use += [dict(alternative.set) for reading in about for alternative in reading.alternatives.values()]
    return {rule: [values[rule] for values in in_use if values.get(rule) is not None] for rule in rule_names()}


def _is_same(rule: str, one: Any, other: Any) -> bool:
    """Return whether two values of a rule mean the same; the order of a list matters only for some rules."""
    if vocabulary()[rule].ordered or not isinstance(one, tuple) or other is None:
        return bool(one == other)
    return set(one) == set(other)


def _change_list(
    value: tuple[str, ...], entries: tuple[str, ...], fewest: int, *, ranked: bool
) -> list[tuple[str, ...]]:
    changed = [value[:place] + value[place + 1 :] for place in range(len(value))] if len(value) > fewest else []
    for entry in entries:
        if entry in value:
            continue
        changed.append((*value, entry))
        if ranked and value:
            changed.append((entry, *value))
    if ranked:
        for place in range(len(value) - 1):
            changed.append((*value[:place], value[place + 1], value[place], *value[place + 2 :]))
    return changed


def _change_outcomes(value: Mapping[str, str], form: Form) -> list[dict[str, str]]:
    changed = []
    for outcome in form.keys:
        if outcome in value and len(value) > 1:
            changed.append({key: allowed for key, allowed in value.items() if key != outcome})
        changed += [{**value, outcome: allowed} for allowed in form.words if allowed != value.get(outcome)]
    return changed


def _change_counts(value: Any, form: Form) -> list[Any]:
    """Return a number, or a mapping with one number, that is one less, one more or gone; None where nothing is left."""
    if not isinstance(value, Mapping):
        most = math.inf if form.most is None else form.most
        return [*(number for number in (value - 1, value + 1) if form.least <= number <= most), None]
    changed: list[Any] = []
    for key, number in value.items():
        for other in _change_counts(number, form):
            entries = {name: other if name == key else count for name, count in value.items()}
            changed.append({name: count for name, count in entries.items() if count is not None} or None)
    return changed


def form_of(rule: str) -> Form:
    """Return what a value of a rule looks like."""
    return vocabulary()[rule].form


def entries_of(rule: str) -> tuple[str, ...]:
    """Return the entries that a list may have, without the names of groups of directions; none for another rule."""
    form = form_of(rule)
    return form.words if form.kind in ("list", "directions") else ()


def equivalents_path() -> Path:
    """Return the path of the record of equivalent mutants."""
    return data.root() / "cases" / "generated" / "equivalents.yaml"


@cache
def equivalent_mutants() -> Mapping[tuple[str, str], str]:
    """Load the reason why a mutant shows in no position, by ruleset and mutant (`cases/generated/equivalents.yaml`)."""
    content = data.load_yaml(equivalents_path(), "equivalents")
    return {(id, entry["change"]): entry["because"] for entry in content["equivalents"] for id in entry["rulesets"]}


def proof(ruleset: Ruleset, change: str) -> str | None:
    """Return why a mutant is equivalent, if proved for this ruleset or a shipped one with the same rules."""
    for (id, proved), because in equivalent_mutants().items():
        if proved == change and (
            id == ruleset.id or (not ruleset.shipped and load_ruleset(id).values == ruleset.values)
        ):
            return because
    return None
