"""Perft suites and published perft counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from damspec import DamspecError, FileError, Ruleset, data, load_ruleset, ruleset_ids
from damspec.perft_counts import Convention

from .case_files import text_of, wrap_text, yaml_list_item

#: A placeholder for spaces at which lines must not break.
_UNBROKEN = "\N{NO-BREAK SPACE}"


@dataclass(frozen=True)
class CountedPosition:
    """A position with its perft at depths 1, 2, ..., and the mutants it is the first to kill.

    `tells` has their names by depth: no position kills them at a smaller depth, and none before this at the same.
    """

    position: str
    nodes: tuple[int, ...]
    tells: Mapping[int, tuple[str, ...]] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class PerftSuite:
    """The perft suite of a ruleset; `untold` has the surviving mutants by name, with the reason."""

    ruleset: str
    positions: tuple[CountedPosition, ...]
    untold: Mapping[str, str] = field(default_factory=dict, hash=False)

    def as_json(self) -> dict[str, Any]:
        """Return the suite in the form of its file (schemas/suite.schema.json)."""
        return {
            "ruleset": self.ruleset,
            "positions": [_entry(one) for one in self.positions],
            "untold": [{"name": name, "because": because} for name, because in self.untold.items()],
        }


def perft_folder() -> Path:
    """Return the folder of the suites."""
    return data.root() / "cases" / "generated" / "perft"


def suite_of(ruleset: Ruleset) -> PerftSuite:
    """Return the suite shipped for a ruleset. Raises FileError if there is none."""
    path = perft_folder() / f"{ruleset.base}.yaml"
    if not ruleset.shipped or ruleset.id != ruleset.base or not path.exists():
        raise FileError(
            f"no perft suite of {ruleset.id}; make one: damspec generate {ruleset.id} --perft 4 -o FILE.yaml,"
            " and give it: --cases FILE.yaml"
        )
    return read_suite(path)


def read_suite(path: Path) -> PerftSuite:
    """Read a suite from a file. Raises FileError if it is malformed."""
    content = data.load_yaml(path)
    data.check(content, "suite", data.path_text(path))
    return PerftSuite(
        content["ruleset"],
        tuple(
            CountedPosition(
                entry["fen"],
                tuple(entry["nodes"]),
                {int(depth): tuple(names) for depth, names in entry.get("tells", {}).items()},
            )
            for entry in content["positions"]
        ),
        {entry["name"]: entry["because"] for entry in content.get("untold", ())},
    )


def lint_suites() -> Iterator[str]:
    """Yield the problems of the suites, a line each. Their numbers are not checked."""
    for path in sorted(perft_folder().glob("*.yaml")):
        where = data.path_text(path)
        try:
            found = read_suite(path)
        except DamspecError as error:
            yield str(error)
            continue
        yield from (f"{where}: {line}" for line in _suite_complaints(found, path))
    for id in ruleset_ids():
        if not (perft_folder() / f"{id}.yaml").exists():
            yield f"{data.path_text(perft_folder())}: no suite of {id}: python tools/record.py"


def _suite_complaints(suite: PerftSuite, path: Path) -> Iterator[str]:
    try:
        ruleset = load_ruleset(suite.ruleset)
    except DamspecError as error:
        yield f"ruleset: {error}"
        return
    if suite.ruleset != path.stem:
        yield f"ruleset: found {suite.ruleset!r}, expected {path.stem!r} as the file's name says"
    seen: set[str] = set()
    told: set[str] = set(suite.untold)
    for place, one in enumerate(suite.positions, 1):
        where = f"positions, {place}"
        try:
            fen = ruleset.position(one.position).fen()
            if fen != one.position:
                yield f"{where}: found {one.position!r}, expected it written {fen!r}"
        except DamspecError as error:
            yield f"{where}: {error}"
        if one.position in seen:
            yield f"{where}: {one.position} is there before"
        seen.add(one.position)
        for depth, names in one.tells.items():
            if depth > len(one.nodes):
                yield f"{where}: tells {names[0]!r} at depth {depth}, which it is not counted to"
            for name in names:
                if name in told:
                    yield f"{where}: {name!r} is told before, or said to be told by none"
                told.add(name)


# --- as text ----------------------------------------------------------------------------------


def suite_file(suite: PerftSuite) -> str:
    """Return the text of a suite's file."""
    lines = [f"ruleset: {suite.ruleset}", "positions:"]
    for one in suite.positions:
        lines += [f"  - fen: {text_of(one.position)}", f"    nodes: [{', '.join(map(str, one.nodes))}]"]
        if one.tells:
            lines.append("    tells:")
        for depth, names in one.tells.items():
            unbroken = ", ".join(yaml_list_item(name).replace(" ", _UNBROKEN) for name in names)
            told = wrap_text(f"'{depth}': [{unbroken}]", "      ", "        ")
            lines += [line.replace(_UNBROKEN, " ") for line in told]
        lines.append("")
    if suite.untold:
        lines.append("untold:")
    for name, because in suite.untold.items():
        lines += [f"  - name: {text_of(name)}", f"    because: {text_of(because)}"]
    return "\n".join(lines).rstrip("\n") + "\n"


def suite_lines(suite: PerftSuite) -> str:
    """Return a line for each position: the FEN, then `;D`, each depth and its number of nodes."""
    return "".join(
        one.position + "".join(f" ;D{depth} {nodes}" for depth, nodes in enumerate(one.nodes, 1)) + "\n"
        for one in suite.positions
    )


def _entry(one: CountedPosition) -> dict[str, Any]:
    tells = {str(depth): list(names) for depth, names in one.tells.items()}
    return {"fen": one.position, "nodes": list(one.nodes), **({"tells": tells} if tells else {})}


#: The publisher of our own counts.
OWN = "damspec"


@dataclass(frozen=True)
class Publisher:
    """A person or program that has published counts, and where."""

    id: str
    name: str
    where: str


@dataclass(frozen=True)
class Publication:
    """A publisher's table, up to a depth; `at` is the place in the publication."""

    by: str
    to: int
    at: str | None = None


@dataclass(frozen=True)
class Dispute:
    """A table that is wrong from a depth on, and why; with the rule values of `plays` it would be right."""

    since: int
    because: str
    plays: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class PublishedTable:
    """Perft counts of a position by depth, as published.

    `counted` is the depth to which we have verified them, `twice` the depth to which the compiled kernel has, both with
    and without a hash table.
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
        """A short title of the table."""
        return f"{self.ruleset}, {self.name or self.position}, {self.count}"


@dataclass(frozen=True)
class PublishedCounts:
    """All tables, and their publishers by id."""

    publishers: Mapping[str, Publisher] = field(hash=False)
    tables: tuple[PublishedTable, ...]


def published_path() -> Path:
    """Return the file of the tables that others have published."""
    return data.root() / "cases" / "published.yaml"


def counts_place() -> Path:
    """Return the file of our own counts, and of the depths to which others' tables were verified."""
    return data.root() / "cases" / "generated" / "perft_counts.yaml"


def load_published() -> PublishedCounts:
    """Load all tables, others' and our own. Raises FileError."""
    return with_counts(_load(published_path(), "published"), _load(counts_place(), "perft_counts"))


def with_counts(content: Mapping[str, Any], counts: Mapping[str, Any]) -> PublishedCounts:
    """Build all tables from the contents of the two files."""
    reached = {_key(entry, entry["by"]): entry["counted"] for entry in counts["counted"]}
    own = {(entry["ruleset"], entry["position"]): entry for entry in counts["own"]}
    tables = []
    for entry in content["tables"]:
        table = _table(entry, reached.get(_key(entry, entry["published"][0]["by"]), 0))
        mine = None if table.disputed or table.count != "unique" else own.pop((table.ruleset, table.position), None)
        tables.append(_with_own(table, mine) if mine else table)
    tables += [_with_own(PublishedTable(id, position, "unique", {}, (), 0), own[id, position]) for id, position in own]
    return PublishedCounts({entry["id"]: Publisher(**entry) for entry in content["publishers"]}, (*tables,))


def _load(path: Path, schema: str) -> Any:
    content = data.load_yaml(path)
    data.check(content, schema, data.path_text(path))
    return content


def _key(entry: Mapping[str, Any], by: str) -> tuple[str, str, str, str]:
    return entry["ruleset"], entry["position"], entry["count"], by


def _with_own(table: PublishedTable, own: Mapping[str, Any]) -> PublishedTable:
    """Return a table with our own counts added; we are a publisher if they go deeper than all others."""
    nodes = dict(enumerate(own["nodes"], 1))
    deeper = len(nodes) > max(table.nodes, default=0)
    return replace(
        table,
        nodes={**nodes, **table.nodes},
        published=(*table.published, *([Publication(OWN, len(nodes))] if deeper else [])),
        counted=len(nodes),
        name=table.name or own.get("name"),
        twice=own.get("twice", 0),
    )


def published_rules(table: PublishedTable) -> Ruleset:
    """Return the rules that a table is about. Raises RulesetError."""
    return load_ruleset(table.ruleset)


def _table(entry: Mapping[str, Any], counted: int) -> PublishedTable:
    disputed = entry.get("disputed")
    return PublishedTable(
        entry["ruleset"],
        entry["position"],
        entry["count"],
        dict(enumerate(entry["nodes"], entry.get("first", 1))),
        tuple(Publication(one["by"], one["to"], one.get("at")) for one in entry["published"]),
        counted,
        entry.get("name"),
        entry.get("note"),
        disputed and Dispute(disputed["since"], disputed["because"], disputed.get("plays", {})),
    )


def lint_published() -> Iterator[str]:
    """Yield the problems of the tables, a line each. Their numbers are not checked."""
    where = data.path_text(published_path())
    try:
        found = load_published()
    except DamspecError as error:
        yield str(error)
        return
    known = {(table.ruleset, table.position, table.count, table.published[0].by) for table in found.tables}
    for entry in _load(counts_place(), "perft_counts")["counted"]:
        name = _key(entry, entry["by"])
        if name not in known:
            yield f"{data.path_text(counts_place())}: counted: {', '.join(name)}: there is no such table"
    used = {one.by for table in found.tables for one in table.published}
    yield from (f"{where}: publisher {id!r} has published no table" for id in found.publishers.keys() - used)
    seen: set[tuple[object, ...]] = set()
    for table in found.tables:
        yield from (f"{where}: {table.title}: {line}" for line in _table_complaints(table, found.publishers))
        # Where two publishers do not agree there are two tables, one of them disputed.
        key = (table.ruleset, table.position, table.count, table.disputed and table.published)
        if key in seen:
            yield f"{where}: {table.title}: is there before"
        seen.add(key)


def _table_complaints(table: PublishedTable, publishers: Mapping[str, Publisher]) -> Iterator[str]:
    try:
        ruleset = published_rules(table)
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
