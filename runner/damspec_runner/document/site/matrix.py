"""The table of all rules of all games: as a page on which the reader chooses the columns, and as CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import yaml

from damspec import Ruleset
from damspec.vocabulary import Group, Rule, groups, vocabulary

from ..family import root
from . import links
from .library import Library, alike
from .pages import SECTIONS, File, Page
from .rules import short


@dataclass(frozen=True)
class GameColumn:
    """A game, with how many more there are of its family if it is the first of one."""

    ruleset: Ruleset
    family: str
    more: int

    @property
    def first(self) -> bool:
        """Whether it stands for its family where that is folded."""
        return self.ruleset.id == self.family


@dataclass(frozen=True)
class Cell:
    """A game's value; `kind` counts the different values of the row, `more` those that its family has besides."""

    short: str
    spoken: str
    kind: int
    more: int


@dataclass(frozen=True)
class RuleRow:
    """A rule with all its values."""

    rule: Rule
    different: int
    cells: list[Cell]


def pages(library: Library) -> Iterator[Page | File]:
    """The page, the style by which a game that is not chosen has no column there, and the table to download."""
    columns = _columns(library)
    yield Page(
        links.MATRIX,
        "matrix.html",
        "All rules of all games",
        "Every rule of every game side by side, of which you choose the columns.",
        "compare",
        (SECTIONS["compare"],),
        ("matrix.js",),
        {
            "columns": columns,
            "groups": [(group, list(_rows(group, columns))) for group in groups()],
            "families": [[each for each in columns if each.family == one.family] for one in columns if one.first],
        },
    )
    yield File(links.COLUMNS, _style(columns).encode())
    yield File(links.TABLE, table(library).encode())


def table(library: Library) -> str:
    """All rules as CSV: a line for each, its name and title, then a column for each game, with values as in YAML."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["rule", "title", *library.rulesets])
    for rule in vocabulary().values():
        values = [ruleset.values.get(rule.name) for ruleset in library.rulesets.values()]
        writer.writerow([rule.name, rule.title, *("" if value is None else _as_yaml(value) for value in values)])
    return text.getvalue()


def _style(columns: list[GameColumn]) -> str:
    hidden = [
        f"main:has(#game-{column.ruleset.id}:not(:checked)) .matrix:not(.paper) tr > :nth-child({place}):not([colspan])"
        for place, column in enumerate(columns, 2)
    ]
    return ",\n".join(hidden) + " { display: none; }\n"


def _as_yaml(value: Any) -> str:
    plain = json.loads(json.dumps(value))
    return yaml.safe_dump(plain, default_flow_style=True, width=10_000, sort_keys=False).removesuffix("...\n").strip()


def _columns(library: Library) -> list[GameColumn]:
    """The games by families, each behind the first of it."""
    families: dict[str, list[Ruleset]] = {id: [] for id in sorted(library.rulesets, key=lambda id: root(id) != id)}
    for ruleset in library.rulesets.values():
        families[root(ruleset.id)].append(ruleset)
    return [
        GameColumn(ruleset, first, len(family) - 1 if ruleset.id == first else 0)
        for first, family in families.items()
        for ruleset in sorted(family, key=lambda one: one.id != first)
    ]


def _rows(group: Group, columns: list[GameColumn]) -> Iterator[RuleRow]:
    for rule in group.rules:
        found = alike({column.ruleset.id: column.ruleset.values.get(rule.name) for column in columns})
        kinds = {id: kind for kind, (_, names) in enumerate(found) for id in names}
        family: dict[str, set[int]] = {}
        for column in columns:
            family.setdefault(column.family, set()).add(kinds[column.ruleset.id])
        cells = [
            Cell(*short(found[kinds[id]][0]), kinds[id], len(family[id]) - 1 if column.first else 0)
            for column in columns
            for id in (column.ruleset.id,)
        ]
        yield RuleRow(rule, len(found), cells)
