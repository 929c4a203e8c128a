"""The workshop: a page on which a game is made rule by rule, and the data that it works with in the browser.

The data is the rule language for a page: for each rule the form of its values, out of the schema, what it depends on
and what it does not go with, out of the reference's tables, and its sentences in every language of the rulebook.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from damspec import data
from damspec.board import DIRECTIONS
from damspec.contradictions import CLASHES, PRESENCE
from damspec.vocabulary import Group, Rule, groups, vocabulary

from ...cases.cases import cases_of
from ..apart import weights
from ..rulebook import languages
from ..witness import shown_on
from .library import Library
from .pages import SECTIONS, File, Page
from .scripts import data_script

#: What a page with the workshop loads, in this order.
SCRIPTS = (
    "play.js",
    "contradictions.js",
    "told.js",
    "controls.js",
    "rule-list.js",
    "nearest.js",
    "telling.js",
    "neighbours.js",
    "ruleset-file.js",
    "workshop.js",
)


def pages(library: Library) -> Iterator[Page | File]:
    """The page, the language for it, and positions that may tell games apart."""
    yield Page(
        SECTIONS["workshop"].href,
        "workshop.html",
        "The workshop",
        "Make a game of draughts of your own, rule by rule, play it, and see which known game it is or lies next to.",
        "workshop",
        (),
        SCRIPTS,
        {"said": _said()["en"], "games": library.rulesets.values(), "first": library.example["rulesets"][-1]},
    )
    yield data_script("workshop/language", language(library))
    yield data_script("workshop/positions", positions(library))


def language(library: Library) -> Mapping[str, Any]:
    """The rules with all that a page has to know of them, and the words in each language."""
    return {
        "groups": [_group(group) for group in groups()],
        "rules": {rule.name: _rule(rule) for rule in vocabulary().values()},
        "clashes": [asdict(clash) for clash in CLASHES],
        "weights": weights(),
        "languages": {
            tongue.tag: {
                "name": tongue.name,
                "said": _said()[tongue.tag],
                "games": {id: library.called(id, tongue.tag) for id in library.rulesets},
                "rules": tongue.content["rules"],
                "phrases": tongue.content["phrases"],
            }
            for tongue in languages()
        },
    }


def positions(library: Library) -> Mapping[str, list[str]]:
    """By the size of the board the positions of the cases and those on record as the smallest, fewest pieces first."""
    found: dict[str, dict[str, None]] = {}
    for id, ruleset in library.rulesets.items():
        for case in cases_of(id):
            if case.position != "start":
                found.setdefault(ruleset.values["board.size"], {})[case.position] = None
    for size, fen in shown_on():
        found.setdefault(size, {})[fen] = None
    return {size: sorted(fens, key=lambda fen: (fen.count(","), len(fen))) for size, fens in found.items()}


def form(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """What the values of a rule look like, by the kind of control that fits them, from its part of the schema."""
    ways = [way for way in schema.get("anyOf", [schema]) if way.get("type") != "null"]
    if len(ways) == 1 and ways[0] is not schema:
        return form(ways[0])
    match ways:
        case [{"enum": values}]:
            return {"kind": "choice", "values": values}
        case [{"type": "integer", **limits}]:
            return {"kind": "number", "least": limits["minimum"], "most": limits.get("maximum")}
        case [{"type": "string", "pattern": pattern}]:
            return {"kind": "text", "pattern": pattern}
        case [{"type": "array", "items": {"enum": values}, **limits}]:
            return {"kind": "list", "values": values, "least": limits.get("minItems", 0)}
        case [{"type": "array", "items": {"$ref": _}}]:
            return {"kind": "list", "values": [*DIRECTIONS], "least": 1, "places": [*DIRECTIONS.values()]}
        case [{"type": "object", "propertyNames": {"pattern": pattern}}]:
            return {"kind": "counts", "pattern": pattern}
        case [{"type": "object", "properties": properties}]:
            return {"kind": "mapping", "keys": [*properties], "values": next(iter(properties.values()))["enum"]}
        case [{"type": "integer"}, {"type": "object", "properties": sides}]:
            return {"kind": "squares", "sides": [*sides]}
        case _:
            return {"kind": "layout"}


def _group(group: Group) -> Mapping[str, Any]:
    return {
        "id": group.id,
        "titles": {"en": group.title, **group.heading},
        "rules": [rule.name for rule in group.rules],
        "brings": _mutual(group.id),
    }


def _mutual(group: str) -> list[str]:
    """The groups that are there exactly where this one is: a player chooses all of them at once."""
    there = {"there"}
    needs = [other for other in PRESENCE.get(group, PRESENCE["draws"]).when if other != group]
    return [
        other
        for other in needs
        if other in PRESENCE and PRESENCE[other].when.get(group) in there and PRESENCE[group].when[other] in there
    ]


def _rule(rule: Rule) -> Mapping[str, Any]:
    forms = data.schema("ruleset")["properties"]["rules"]["properties"]
    presence = PRESENCE.get(rule.name) or PRESENCE.get(rule.group)
    return {
        "titles": {"en": rule.title, **rule.heading},
        "asks": rule.asks,
        "says": rule.says,
        "form": form(forms[rule.name]["properties"]["value"]),
        "ordered": rule.ordered,
        "affects": sorted(rule.affects),
        "when": presence.when if presence else {},
        "free": bool(presence and presence.free),
        "unsaid": presence.unsaid if presence else None,
    }


@cache
def _said() -> Mapping[str, Mapping[str, str]]:
    """What the page itself says, in each language."""
    content: Mapping[str, Mapping[str, str]] = yaml.safe_load(
        (Path(__file__).parent / "workshop.yaml").read_text(encoding="utf-8")
    )
    return content
