"""Perft of a game from its start, deeper than anybody has published it, for the tables of `published`: by the compiled
kernel with a table of what was counted before, and the last number without one too, in shares.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count

from damspec import load_ruleset
from damspec.perft_tasks import perft_task_nodes, split_perft

from .perft_tables import Publication, PublishedCounts, PublishedTable

#: Who publishes what is counted here.
_OWN = "damspec"
#: How many shares there are, at least, where there is no table of what was counted.
_SHARES = 10_000


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


class Deepening:
    """The table of a game's unique moves from its start, counted depth by depth."""

    def __init__(self, table: PublishedTable, memory: int) -> None:
        self.table, self._memory = table, memory
        self._ruleset = load_ruleset(table.ruleset)
        self._position = self._ruleset.position(table.position)

    def until(self, enough: int) -> Iterator[Depth]:
        """Depth after depth to the first with enough sequences, which is counted twice; none after one that is wrong.

        `table` has them from then on. Nothing is counted where that was done before.
        """
        if self.table.twice and self.table.nodes[self.table.twice] >= enough:
            return
        for depth in count(1):
            hashed = self._counted(depth, 1, self._memory)
            last = hashed >= enough or not hashed
            plain = self._counted(depth, _SHARES, 0) if last else None
            found = Depth(depth, hashed, plain, self.table.nodes.get(depth))
            if found.agrees:
                self.table = _with(self.table, found)
            yield found
            if last or not found.agrees:
                return

    def _counted(self, depth: int, enough: int, memory: int) -> int:
        work = [*split_perft(self._ruleset, self._position, depth, enough=enough)]
        return sum(perft_task_nodes(share, among=_SHARES, memory=memory) for share in work)


def own_table(found: PublishedCounts, ruleset: str) -> PublishedTable:
    """The table of a game's unique moves from its start: that of others or our own, empty if there is none."""
    for table in found.tables:
        if (table.ruleset, table.position, table.count, table.disputed) == (ruleset, "start", "unique", None):
            return table
    return PublishedTable(ruleset, "start", "unique", {}, (), 0)


def with_table(found: PublishedCounts, before: PublishedTable, after: PublishedTable) -> PublishedCounts:
    """All tables with one in the place of another, at the end if that was not there."""
    if before in found.tables:
        return replace(found, tables=tuple(after if table == before else table for table in found.tables))
    return replace(found, tables=(*found.tables, after))


def _with(table: PublishedTable, found: Depth) -> PublishedTable:
    """A table with one more depth counted, published by us if by nobody else."""
    depth, published = found.depth, table.published
    if depth not in table.nodes:
        others = tuple(one for one in published if one.by != _OWN)
        published = (*others, Publication(_OWN, depth))
    return replace(
        table,
        nodes={**table.nodes, depth: found.hashed},
        published=published,
        counted=max(table.counted, depth),
        twice=table.twice if found.plain is None else depth,
    )
