"""Perft counts that somebody has published (`cases/published.yaml`): read, checked for mistakes, written.

Each table is of one ruleset, one position and one convention (`damspec.counting`), with all who published it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from damspec import DamspecError, Ruleset, data, load_ruleset
from damspec.counting import Convention

from .writing import listed, text_of, wrapped

_HEADER = """\
# Perft counts that somebody has published: schemas/published.schema.json says what the keys mean, docs/perft.md shows
# all of them, and `damspec cases perft` counts them again. `damspec cases perft --record` writes how deep it came
# ("counted") and the page; `damspec cases deepen` counts each game from its start and writes what is new, the last
# depth with a table of what was counted before and without one ("twice").
"""


@dataclass(frozen=True)
class Publisher:
    """Who has published counts, and where."""

    id: str
    name: str
    where: str


@dataclass(frozen=True)
class Publication:
    """That a publisher has a table, up to a depth; `at` says where in what it published."""

    by: str
    to: int
    at: str | None = None


@dataclass(frozen=True)
class Dispute:
    """A table that is not right from a depth on, and why; by rules with the values of `plays` it would be right."""

    since: int
    because: str
    plays: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class PublishedTable:
    """Numbers of sequences by their length, as published.

    `counted` is the depth to which they were counted again, `twice` the one that compiled code has counted both with a
    table of what was counted before and without one.
    """

    ruleset: str
    position: str
    count: Convention
    nodes: Mapping[int, int] = field(hash=False)
    published: tuple[Publication, ...]
    counted: int
    name: str | None = None
    note: str | None = None
    disputed: Dispute | None = None
    twice: int = 0

    @property
    def title(self) -> str:
        """What it is of, in a few words."""
        return f"{self.ruleset}, {self.name or self.position}, {self.count}"


@dataclass(frozen=True)
class Published:
    """All tables, and who published them by their ids."""

    publishers: Mapping[str, Publisher] = field(hash=False)
    tables: tuple[PublishedTable, ...]


def place() -> Path:
    """Where the tables are."""
    return data.root() / "cases" / "published.yaml"


def published(path: Path | None = None) -> Published:
    """The tables shipped, or those of another file. Raises FileError."""
    path = path or place()
    content = data.load_yaml(path)
    data.check(content, "published", data.shown(path))
    return Published(
        {entry["id"]: Publisher(**entry) for entry in content["publishers"]},
        tuple(_table(entry) for entry in content["tables"]),
    )


def rules_of(table: PublishedTable) -> Ruleset:
    """The rules that a table is about. Raises RulesetError."""
    return load_ruleset(table.ruleset)


def _table(entry: Mapping[str, Any]) -> PublishedTable:
    disputed = entry.get("disputed")
    return PublishedTable(
        entry["ruleset"],
        entry["position"],
        entry["count"],
        dict(enumerate(entry["nodes"], entry.get("first", 1))),
        tuple(Publication(one["by"], one["to"], one.get("at")) for one in entry["published"]),
        entry["counted"],
        entry.get("name"),
        entry.get("note"),
        disputed and Dispute(disputed["since"], disputed["because"], disputed.get("plays", {})),
        entry.get("twice", 0),
    )


def lint_published() -> Iterator[str]:
    """What is wrong with the tables, a line each. Their numbers are not looked at."""
    where = data.shown(place())
    try:
        found = published()
    except DamspecError as error:
        yield str(error)
        return
    used = {one.by for table in found.tables for one in table.published}
    yield from (f"{where}: publisher {id!r} has published no table" for id in found.publishers.keys() - used)
    seen: set[tuple[object, ...]] = set()
    for table in found.tables:
        yield from (f"{where}: {table.title}: {line}" for line in _complaints(table, found.publishers))
        # Where two publishers do not agree there are two tables, one of them disputed.
        key = (table.ruleset, table.position, table.count, table.disputed and table.published)
        if key in seen:
            yield f"{where}: {table.title}: is there before"
        seen.add(key)


def _complaints(table: PublishedTable, publishers: Mapping[str, Publisher]) -> Iterator[str]:
    try:
        ruleset = rules_of(table)
        fen = ruleset.position(table.position).fen()
        if table.position not in (fen, "start"):
            yield f"position: found {table.position!r}, expected it written {fen!r}"
        if table.position != "start" and fen == ruleset.position("start").fen():
            yield "position: this is the start, expected 'start'"
        if table.disputed:
            for rule, value in table.disputed.plays.items():
                ruleset.with_value(rule, value)
    except DamspecError as error:
        yield str(error)
    for one in table.published:
        if one.by not in publishers:
            yield f"published: no publisher {one.by!r}"
        if one.to not in table.nodes:
            yield f"published: {one.by}: found depth {one.to}, expected one of the table"
    if max(one.to for one in table.published) != max(table.nodes):
        yield f"nodes: nobody has published depth {max(table.nodes)}"
    if table.counted and table.counted not in table.nodes:
        yield f"counted: found depth {table.counted}, expected one of the table or 0"
    if table.twice and (table.twice not in table.nodes or table.twice > table.counted):
        yield f"twice: found depth {table.twice}, expected one that was counted"
    if table.disputed and table.disputed.since not in table.nodes:
        yield f"disputed: found depth {table.disputed.since}, expected one of the table"


# --- as text ----------------------------------------------------------------------------------


def written(found: Published) -> str:
    """The text of the file."""
    lines = [*_HEADER.splitlines(), "publishers:"]
    for one in found.publishers.values():
        lines += [f"  - id: {text_of(one.id)}", *_text("name", one.name), *_text("where", one.where), ""]
    lines.append("tables:")
    for table in found.tables:
        lines += [*_table_lines(table), ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _table_lines(table: PublishedTable) -> Iterator[str]:
    yield f"  - ruleset: {text_of(table.ruleset)}"
    yield f"    position: {text_of(table.position)}"
    if table.name:
        yield from _text("name", table.name)
    yield f"    count: {table.count}"
    if (first := min(table.nodes)) > 1:
        yield f"    first: {first}"
    yield from wrapped(f"nodes: [{', '.join(map(str, table.nodes.values()))}]", "    ", "      ")
    yield "    published:"
    for one in table.published:
        at = f", at: {listed(one.at)}" if one.at else ""
        yield f"      - {{by: {text_of(one.by)}, to: {one.to}{at}}}"
    yield f"    counted: {table.counted}"
    if table.twice:
        yield f"    twice: {table.twice}"
    if table.note:
        yield from _text("note", table.note)
    if table.disputed:
        yield "    disputed:"
        yield f"      since: {table.disputed.since}"
        if table.disputed.plays:
            plays = ", ".join(f"{rule}: {_value(value)}" for rule, value in table.disputed.plays.items())
            yield f"      plays: {{{plays}}}"
        yield from (f"  {line}" for line in _text("because", table.disputed.because))


def _value(value: Any) -> str:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"[{', '.join(map(_value, value))}]"
    return text_of(value) if isinstance(value, str) else str(value)


def _text(key: str, text: str) -> list[str]:
    """A text, folded over several lines where it is long."""
    line = f"    {key}: {text_of(text)}"
    if len(line) <= 120:
        return [line]
    return [f"    {key}: >-", *wrapped(text, "      ", "      ")]
