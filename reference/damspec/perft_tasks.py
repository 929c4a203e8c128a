"""A perft split into tasks that can run anywhere, in any order.

Each task is a position some plies into the tree, with the number of sequences that lead to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from .perft_counts import Convention, count_nodes, ways
from .position import Position
from .ruleset import Ruleset
from .turn import ActionGenerator


@dataclass(frozen=True)
class PerftTask:
    """The rest of a perft from one position, with the number of sequences that lead to it (`times`)."""

    ruleset: Ruleset
    position: Position
    depth: int
    times: int
    count: Convention = "unique"


def split_perft(
    ruleset: Ruleset, position: Position, depth: int, count: Convention = "unique", *, enough: int = 1
) -> Iterator[PerftTask]:
    """Yield the tasks of a perft, going deeper until there are at least `enough` or one ply is left."""
    turns, ways_to = ruleset.turns, Counter({position: 1})
    while depth > 1 and 0 < len(ways_to) < enough:
        further = Counter[Position]()
        for here, times in ways_to.items():
            for action in turns.actions(here):
                further[turns.after(here, action)] += times * ways(action, here.board, count)
        ways_to, depth = further, depth - 1
    for here, times in ways_to.items():
        yield PerftTask(ruleset, here, depth, times, count)


def perft_task_nodes(share: PerftTask, *, among: int = 1, memory: int = 0) -> int:
    """Count the nodes of a task, times the sequences that lead to it.

    The compiled kernel may use `memory` bytes to cache counts. `among` is the number of tasks in the perft: the more
    there are, the sooner the one-off cost of preparing compiled code pays off.
    """
    return share.times * count_nodes(_turns(share.ruleset, among, memory), share.position, share.depth, share.count)


@lru_cache(2)
def _turns(ruleset: Ruleset, among: int, memory: int) -> ActionGenerator:
    """Return the action generator that all tasks of a ruleset share."""
    turns = ActionGenerator(ruleset.rules)
    turns.much //= among
    turns.remember(memory)
    return turns
