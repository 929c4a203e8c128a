"""What a program takes of a game: its rules in one file that needs no other, as YAML and JSON, and its cases."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from damspec import Ruleset
from damspec.shorthand import shortened
from damspec.vocabulary import groups

from ...cases.case import Case
from ...cases.writing import bundled, text_of, wrapped
from . import links
from .library import Library
from .pages import File

_WIDTH = 120


def files(library: Library) -> Iterator[File]:
    """The files of every game."""
    for id, ruleset in library.rulesets.items():
        made = {
            "yaml": as_yaml(ruleset),
            "json": as_json(ruleset),
            "cases.json": cases_json(ruleset, library.played[id]),
        }
        yield from (File(links.download(id, ending), text.encode()) for ending, text in made.items())


def as_json(ruleset: Ruleset) -> str:
    """A ruleset with every rule, as JSON of the form of schemas/ruleset.schema.json."""
    rules = {name: {"value": ruleset.whole[name]} for _, names in _named(ruleset) for name in names}
    return json.dumps({**_head(ruleset), "rules": rules}, indent=1, ensure_ascii=False) + "\n"


def as_yaml(ruleset: Ruleset) -> str:
    """The same as YAML: a rule on each line below the name of its group, and behind it what it rests on."""
    lines = [
        f"# {ruleset.name}, with every rule stated: no other file is needed to play it.",
        "# Behind each value stand the clauses and readings that it rests on.",
        "damspec: 1",
        f"id: {text_of(ruleset.id)}",
        f"name: {text_of(ruleset.name)}",
        *_about(ruleset),
        f"documents: [{', '.join(ruleset.documents)}]",
        *([f"gametype: '{ruleset.gametype}'"] if ruleset.gametype else []),
        "",
        "rules:",
    ]
    for title, names in _named(ruleset):
        lines += [f"  # {title.lower()}", *(line for name in names for line in _rule(ruleset, name)), ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def cases_json(ruleset: Ruleset, cases: Iterable[Case]) -> str:
    """The cases of a ruleset, those it inherits too, as a bundle (schemas/bundle.schema.json), a case on each line."""
    content = bundled([ruleset], ((case, [ruleset.id]) for case in cases))
    entries = ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in content.pop("cases"))
    head = json.dumps(content, ensure_ascii=False).removesuffix("}")
    return f'{head}, "cases": [\n{entries}\n]}}\n'


def _head(ruleset: Ruleset) -> dict[str, Any]:
    tag = {"gametype": ruleset.gametype} if ruleset.gametype else {}
    facts = {"id": ruleset.id, "name": ruleset.name, "about": ruleset.about, "documents": list(ruleset.documents)}
    return {"damspec": 1, **facts, **tag}


def _named(ruleset: Ruleset) -> Iterator[tuple[str, list[str]]]:
    """The names of the rules that a ruleset has, below the titles of their groups."""
    for group in groups():
        if names := [rule.name for rule in group.rules if rule.name in ruleset.values]:
            yield group.title, names


def _rule(ruleset: Ruleset, name: str) -> list[str]:
    """The line of a rule; a layout, which is a file of its own otherwise, takes several."""
    value = ruleset.whole[name]
    text = json.dumps(value) if isinstance(value, Mapping) else shortened(value)
    line = f"  {f'{name}:':<26} {{value: {text}}}"
    lines = [line] if len(line) <= _WIDTH else wrapped(line, "", "    ")
    return [*lines[:-1], f"{lines[-1]:<66}  # {', '.join(ruleset.rests_on[name])}"]


def _about(ruleset: Ruleset) -> list[str]:
    line = f"about: {text_of(ruleset.about)}"
    return [line] if len(line) <= _WIDTH else ["about: >-", *wrapped(ruleset.about, "  ", "  ")]
