"""Whether the reference counts what a published table says, as deep as a limit of nodes allows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from damspec import Ruleset
from damspec.turn import MUCH, ActionGenerator

from .perft_tables import PublishedTable, published_rules

#: `agrees`, or `argued` where the differences are those that the table's dispute explains; `unreached` where even the
#: smallest number is above the limit.
Judgement = Literal["agrees", "argued", "differs", "unreached"]


#: The size of the compiled kernel's table of what was counted, in bytes, where there is much to count.
_MEMORY = 1 << 28


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
    return {depth: turns.perft(position, depth, table.count) for depth in depths}
