"""The recorder of `cases/generated/perft_counts.yaml` and of `docs/perft.md` and `.csv`: games counted from their
start, and the tables that others have published counted again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any, Literal

from damspec import Ruleset, data, load_ruleset, ruleset_ids
from damspec.perft_counts import MUCH, count_nodes, perft_task_nodes, split_perft
from damspec.turn import ActionGenerator
from damspec_runner.cases.perft_tables import (
    OWN,
    PublishedCounts,
    PublishedTable,
    counts_place,
    load_published,
    published_path,
    published_rules,
    with_counts,
)

from .parts import Job, Part, digest, text_of, without_history
from .perft_page import counts_csv, csv_path, page, page_path

#: The size of the compiled kernel's table of what was counted, in bytes, where there is much to count.
_MEMORY = 1 << 28
#: How many shares there are, at least, where there is no table of what was counted.
_SHARES = 10_000
#: The unit of the page, which shows all that is said of the tables; all others are rulesets.
_PAGE = "docs/perft.md"

HEADER = """\
# Our own counts of the unique moves of games, the last depth with a table of what was counted before and without one
# ("twice"); and how deep the tables of cases/published.yaml were counted again. Made by
# `python tools/record.py perft_counts`; schemas/perft_counts.schema.json says what the keys mean.
"""


def inputs() -> dict[str, str]:
    """By ruleset a digest of its rules and of what others have published of it; and one of all that is published."""
    content = data.load_yaml(published_path())
    known = dict.fromkeys([*ruleset_ids(), *(entry["ruleset"] for entry in content["tables"])])
    found = {}
    for id in known:
        keys = ("position", "count", "first", "nodes", "disputed")
        tables = [{key: entry.get(key) for key in keys} for entry in content["tables"] if entry["ruleset"] == id]
        found[id] = digest(without_history(load_ruleset(id).values), tables)
    return {**found, _PAGE: digest(content)}


def seconds(units: Collection[str]) -> float:
    """Return about how long one process takes."""
    return 8 * len(units)


def record(job: Job) -> Iterator[Part]:
    """Count some rulesets, one after another; a number that is not what was published is told, and not written."""
    units, gone = job.split(inputs())
    content, counts = data.load_yaml(published_path()), data.load_yaml(counts_place())
    counts = {kind: [each for each in entries if each["ruleset"] not in gone] for kind, entries in counts.items()}
    if gone or _PAGE in job.units:
        yield Part((*gone, _PAGE), _texts(content, counts))
    for id in units:
        if id == _PAGE:
            continue
        mine = [each for each in counts["own"] if each["ruleset"] == id]
        made = CountedRuleset(id, load_published(), mine, job.limits.nodes)
        if made.wrong:
            yield Part((), {}, made.wrong)
            continue
        counts = {kind: _replace_entries(counts[kind], id, entries) for kind, entries in made.entries.items()}
        yield Part((id,), _texts(content, counts))


def _replace_entries(entries: list[Any], id: str, new: list[Any]) -> list[Any]:
    """Return the entries with those of a ruleset replaced, or appended."""
    at = next((place for place, each in enumerate(entries) if each["ruleset"] == id), len(entries))
    left = [each for each in entries if each["ruleset"] != id]
    return [*left[:at], *new, *left[at:]]


def _texts(content: Mapping[str, Any], counts: Mapping[str, Any]) -> dict[Path, str]:
    found = with_counts(content, counts)
    return {
        counts_place(): text_of(HEADER, counts, width=120),
        page_path(): page(found),
        csv_path(): counts_csv(found),
    }


class CountedRuleset:
    """A ruleset counted from its start and wherever there is a table: new entries, or what is `wrong`, in lines."""

    def __init__(self, id: str, found: PublishedCounts, mine: list[Any], enough: int) -> None:
        self.entries: dict[str, list[Any]] = {"own": [], "counted": []}
        wrong: list[str] = []
        if id in ruleset_ids():
            deepening = Deepening(published_by_others(found, id))
            wrong += [f"{id}, {one}" for one in deepening.until(enough) if not one.agrees]
            numbers, twice = [*deepening.counted.values()], max(deepening.counted, default=0)
            self.entries["own"].append({"ruleset": id, "position": "start", "nodes": numbers, "twice": twice})
        for entry in mine:
            if entry["position"] != "start":
                turns, position = load_ruleset(id).turns, load_ruleset(id).position(entry["position"])
                numbers = [count_nodes(turns, position, depth) for depth in range(1, len(entry["nodes"]) + 1)]
                self.entries["own"].append({**entry, "nodes": numbers})
        own = {(each["position"], "unique") for each in self.entries["own"]}
        for table in found.tables:
            if table.ruleset == id and (table.disputed or (table.position, table.count) not in own):
                again = compare(table, _limit(table, enough))
                if again.verdict == "differs":
                    wrong.append(f"{table.title}: published {dict(table.nodes)}, counted {dict(again.differing)}")
                key = {"ruleset": id, "position": table.position, "count": table.count}
                self.entries["counted"].append({**key, "by": table.published[0].by, "counted": again.reached})
        self.wrong = (*wrong,)


def _limit(table: PublishedTable, enough: int) -> int:
    """Return the number of nodes of the first depth that has enough of them."""
    return min((number for number in table.nodes.values() if number >= enough), default=enough)


# --- games from their start -------------------------------------------------------------------


@dataclass(frozen=True)
class Depth:
    """The number of sequences of a length: with a table of what was counted, without one, and as it is published."""

    depth: int
    hashed: int
    plain: int | None
    published: int | None

    @property
    def agrees(self) -> bool:
        """Whether all that are there are the same."""
        return {self.hashed} == {self.hashed, self.plain, self.published} - {None}

    def __str__(self) -> str:
        said = f"depth {self.depth}: {self.hashed:,}"
        if self.plain not in (None, self.hashed):
            said += f", without a table {self.plain:,}"
        return said if self.published in (None, self.hashed) else f"{said}, published {self.published:,}"


class Deepening:
    """A game's unique moves from its start, counted depth by depth; `counted` has what others do not contradict."""

    def __init__(self, table: PublishedTable, memory: int = _MEMORY) -> None:
        self.counted: dict[int, int] = {}
        self._table, self._memory = table, memory
        self._ruleset = load_ruleset(table.ruleset)
        self._position = self._ruleset.position(table.position)

    def until(self, enough: int) -> Iterator[Depth]:
        """Depth after depth to the first with enough sequences, which is counted twice; none after a wrong one."""
        for depth in count(1):
            hashed = self._count(depth, 1, self._memory)
            last = hashed >= enough or not hashed
            plain = self._count(depth, _SHARES, 0) if last else None
            found = Depth(depth, hashed, plain, self._table.nodes.get(depth))
            if found.agrees:
                self.counted[depth] = hashed
            yield found
            if last or not found.agrees:
                return

    def _count(self, depth: int, enough: int, memory: int) -> int:
        work = [*split_perft(self._ruleset, self._position, depth, enough=enough)]
        return sum(perft_task_nodes(share, among=_SHARES, memory=memory) for share in work)


def published_by_others(found: PublishedCounts, ruleset: str) -> PublishedTable:
    """Return the table of a game's unique moves from its start as others have published it; empty if nobody has."""
    table = start_table(found, ruleset)
    others = tuple(one for one in table.published if one.by != OWN)
    deepest = max((one.to for one in others), default=0)
    known = {depth: number for depth, number in table.nodes.items() if depth <= deepest}
    return replace(table, nodes=known, published=others)


def start_table(found: PublishedCounts, ruleset: str) -> PublishedTable:
    """Return the table of a game's unique moves from its start: that of others or our own, empty if there is none."""
    for table in found.tables:
        if (table.ruleset, table.position, table.count, table.disputed) == (ruleset, "start", "unique", None):
            return table
    return PublishedTable(ruleset, "start", "unique", {}, (), 0)


# --- tables of others -------------------------------------------------------------------------


#: `agrees`, or `argued` where the differences are those that the table's dispute explains; `unreached` where even the
#: smallest number is above the limit.
Judgement = Literal["agrees", "argued", "differs", "unreached"]


@dataclass(frozen=True)
class Agreement:
    """A table counted again to a depth; `differing` has what was counted where it is not what was published.

    `imitated` has what the rules give that are said to explain the table, at the same depths.
    """

    table: PublishedTable
    reached: int
    differing: Mapping[int, int] = field(hash=False)
    imitated: Mapping[int, int] = field(hash=False)

    @property
    def verdict(self) -> Judgement:
        """What came out."""
        if not self.reached:
            return "unreached"
        dispute = self.table.disputed
        disputed = {depth for depth in self.table.nodes if dispute and dispute.since <= depth <= self.reached}
        explained = all(number == self.table.nodes[depth] for depth, number in self.imitated.items())
        if self.differing.keys() != disputed or not explained:
            return "differs"
        return "argued" if disputed else "agrees"


def compare(table: PublishedTable, limit: int) -> Agreement:
    """Count a table again, up to the depth whose number of nodes is at most the limit."""
    ruleset = published_rules(table)
    memory = _MEMORY if limit > MUCH else 0
    depths = [depth for depth, nodes in table.nodes.items() if nodes <= limit]
    counted = _counts(ruleset, table, depths, memory)
    differing = {depth: number for depth, number in counted.items() if number != table.nodes[depth]}
    imitated: dict[int, int] = {}
    if table.disputed and table.disputed.plays and differing:
        for rule, value in table.disputed.plays.items():
            ruleset = ruleset.with_value(rule, value)
        imitated = _counts(ruleset, table, depths, memory)
    return Agreement(table, max(depths, default=0), differing, imitated)


def _counts(ruleset: Ruleset, table: PublishedTable, depths: list[int], memory: int) -> dict[int, int]:
    turns, position = ActionGenerator(ruleset.rules), ruleset.position(table.position)
    turns.remember(memory)
    return {depth: count_nodes(turns, position, depth, table.count) for depth in depths}
