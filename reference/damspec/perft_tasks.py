"""A perft in shares: positions some plies on, each with how many sequences lead there, to be counted in any order, by
anyone, more than once if need be.
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
    """What is left to count after a position, and how many sequences lead to it."""

    ruleset: Ruleset
    position: Position
    depth: int
    times: int
    count: Convention = "unique"


def split_perft(
    ruleset: Ruleset, position: Position, depth: int, count: Convention = "unique", *, enough: int = 1
) -> Iterator[PerftTask]:
    """The shares of a perft of some plies: as soon as there are enough of them, or one ply is left."""
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
    """The sequences of a share, all that lead there counted; the compiled kernel may keep what it counts in `memory`.

    Where it is one among many, compiled code has to be made ready for all of them once.
    """
    return share.times * count_nodes(_turns(share.ruleset, among, memory), share.position, share.depth, share.count)


@lru_cache(2)
def _turns(ruleset: Ruleset, among: int, memory: int) -> ActionGenerator:
    """The turns of a ruleset, the same for all its shares."""
    turns = ActionGenerator(ruleset.rules)
    turns.much //= among
    turns.remember(memory)
    return turns
