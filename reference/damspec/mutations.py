"""What a rule can be changed to, and the changes proved to change nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Literal

from . import data
from .board import DIRECTION_GROUPS
from .errors import RulesetError
from .layout import Layout, Slider
from .readings import load_readings
from .rules import rule_names
from .ruleset import Ruleset, load_ruleset, ruleset_ids
from .vocabulary import affects

#: Lists whose order means something.
_RANKED = {"capture.choice"}


def mutate_rule(ruleset: Ruleset, rule: str) -> tuple[Ruleset, ...]:
    """The ruleset with every other value of a rule that goes with its other rules.

    Raises RulesetError where none does, with why.
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
    """Every small change of a rule's value, None if it has none; no change for a rule with an open vocabulary.

    A list loses one entry, gains one, or, where its order means something, has two neighbours swapped or gains one in
    front. A number that counts moves is one less, one more or gone, alone as well as in a mapping.
    """
    form = form_of(rule)
    if "enum" in form:
        return [other for other in form["enum"] if other != value]
    if value is None:
        return []
    if form.get("type") == "array" and "properties" not in form:
        return _changed_lists(rule, value, entries_of(form), form.get("minItems", 0))
    if rule == "spin.outcomes":
        return _changed_outcomes(value, form["properties"])
    counts = "history" in affects(rule) or (form.get("type") == "integer" and "turn" in affects(rule))
    return _changed_counts(value, form) if counts else []


def whole_values(rule: str, value: Any) -> list[Any]:
    """Every other value that is one idea, although more than a small change of this one: see the first lines."""
    if value is None or "enum" in form_of(rule) or not (small := changed_values(rule, value)):
        return []
    found: list[Any] = []
    for other in (*groups_of(rule, value), *_in_use().get(rule, ())):
        if not any(_same(rule, other, known) for known in (value, *small, *found)):
            found.append(other)
    return found


def other_layouts(ruleset: Ruleset) -> list[Layout]:
    """Layouts with the same sliders: their doors exchanged, their colours, and all doors one square further on."""
    trapdoors = ruleset.rules.trapdoors
    if trapdoors is None:
        return []
    layout, squares = trapdoors.layout, len(ruleset.rules.board)
    found = []
    for name, sliders in _changed(layout.sliders, squares):
        other = replace(layout, id=f"{layout.id}-{name}", name=f"{layout.name}, {name}", assumed=True, sliders=sliders)
        if other.sliders != layout.sliders:
            found.append(other)
    return found


def _changed(sliders: tuple[Slider, ...], squares: int) -> Iterator[tuple[str, tuple[Slider, ...]]]:
    yield "doors-exchanged", tuple(replace(one, left=one.right, right=one.left) for one in sliders)
    colours: dict[str, Literal["green", "orange"]] = {"green": "orange", "orange": "green"}
    yield "colours-exchanged", tuple(replace(one, colour=colours[one.colour]) for one in sliders)
    yield (
        "doors-moved",
        tuple(replace(one, left=one.left % squares + 1, right=one.right % squares + 1) for one in sliders),
    )


def groups_of(rule: str, value: Any) -> list[tuple[str, ...]]:
    """Every group of directions, for a rule that lists directions and does not list just these."""
    if value is None or "direction" not in form_of(rule).get("items", {}).get("$ref", ""):
        return []
    return [group for group in DIRECTION_GROUPS.values() if not _same(rule, group, value)]


@cache
def _in_use() -> Mapping[str, list[Any]]:
    """The values that shipped rulesets and readings of them, give each rule."""
    ids = ruleset_ids()
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


def _changed_counts(value: Any, form: Mapping[str, Any]) -> list[Any]:
    """A number, or one of a mapping, that is one less, one more or gone; None where nothing is left."""
    if not isinstance(value, Mapping):
        return [*(number for number in (value - 1, value + 1) if number >= form["minimum"]), None]
    changed: list[Any] = []
    for key, number in value.items():
        for other in _changed_counts(number, form["additionalProperties"]):
            entries = {name: other if name == key else count for name, count in value.items()}
            changed.append({name: count for name, count in entries.items() if count is not None} or None)
    return changed


def form_of(rule: str) -> Mapping[str, Any]:
    """The schema of a rule's value, without the null that takes an optional rule away."""
    form: Mapping[str, Any] = data.schema("ruleset")["properties"]["rules"]["properties"][rule]["properties"]["value"]
    if "anyOf" in form and {"type": "null"} in form["anyOf"]:
        form = form["anyOf"][0]
    return form


def entries_of(form: Mapping[str, Any]) -> tuple[str, ...]:
    """The words that a list of a form can have, without those for several directions."""
    items = form["items"]
    if "$ref" in items:
        items = data.schema("ruleset")["$defs"][items["$ref"].rpartition("/")[2]]
    return tuple(entry for entry in items["enum"] if entry not in DIRECTION_GROUPS)


def equivalents_path() -> Path:
    """Where they are on record."""
    return data.root() / "cases" / "equivalents.yaml"


@cache
def equivalent_mutants() -> Mapping[tuple[str, str], str]:
    """For each ruleset and mutant why it shows in no position (`cases/equivalents.yaml`)."""
    content = data.load_yaml(equivalents_path())
    data.check(content, "equivalents", data.path_text(equivalents_path()))
    return {(id, entry["change"]): entry["because"] for entry in content["equivalents"] for id in entry["rulesets"]}


def proof(ruleset: Ruleset, change: str) -> str | None:
    """Why a change of a ruleset shows in no position, if that is proved; a file of your own may have the same rules."""
    for (id, proved), because in equivalent_mutants().items():
        if proved == change and (
            id == ruleset.id or (not ruleset.shipped and load_ruleset(id).values == ruleset.values)
        ):
            return because
    return None
