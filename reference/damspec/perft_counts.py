"""Perft: counting the sequences of legal actions, in one call or split into tasks that run anywhere, in any order.

There are three published conventions for what counts as one move. They differ only where a piece can capture the same
pieces in several ways that end on the same square. *Unique* counts such moves once if start, end and captured pieces
are the same, as everywhere else; *sequences* once for each order of capture; *paths* once for each list of squares
touched.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, get_args

from .board import Board
from .errors import expect_word
from .kernel import is_available
from .king_runs import can_end
from .move import Action, Move
from .movegen import MOST_SEEN, capture_order
from .position import Position, to_mover_view
from .ruleset import Ruleset
from .turn import ActionGenerator

if TYPE_CHECKING:
    from .kernel.perft import CompiledRules

Convention = Literal["unique", "sequences", "paths"]

#: The names of the conventions.
COUNTS: tuple[Convention, ...] = get_args(Convention)
#: The maximum depth; from most positions even 20 is out of reach.
DEEPEST = 100
#: The estimated number of sequences from which a perft is worth the half second of loading compiled code.
MUCH = 5_000_000
#: The estimated number of sequences from which it is worth the ten seconds of compiling code for these rules alone.
VERY_MANY = 1_000_000_000
#: The estimated number of sequences counted in one call, which cannot be interrupted.
AT_ONCE = 300_000_000


def count_nodes(
    turns: ActionGenerator, position: Position, depth: int, count: Convention = "unique", *, much: int = MUCH
) -> int:
    """Count the sequences of `depth` legal actions; results of a spin count, moves that break the duty do not.

    Compiled code does the counting if it is ready, or if there are more than about `much` sequences. Raises
    ArgumentError for an unknown convention.
    """
    expect_word(count, "count", COUNTS)
    is_ready = turns.is_kernel_ready
    if not is_ready and turns.follows_rules and depth > 3 and is_available():
        is_ready = count_in_python(turns, position, 3) ** (depth / 3) > much
    if is_ready and turns.follows_rules and turns.kernel:
        return _count_compiled(turns.kernel, turns, position, depth, count)
    return count_in_python(turns, position, depth, count)


def count_in_python(turns: ActionGenerator, position: Position, depth: int, count: Convention = "unique") -> int:
    """Count as `count_nodes` does, without compiled code."""
    if count != "unique":
        return _count_ways(turns, position, depth, count, {})
    if turns.follows_rules and _is_pieces_only(turns, position, depth):
        return turns.movement.generator.perft(*to_mover_view(position), depth)
    if depth == 0:
        return 1
    actions = turns.actions(position)
    if depth == 1:
        return len(actions)
    return sum(count_in_python(turns, turns.after(position, action), depth - 1) for action in actions)


def _is_pieces_only(turns: ActionGenerator, position: Position, depth: int) -> bool:
    """Return whether the count depends on the pieces alone, and every turn counted is one move of a piece."""
    if turns.spinner or position.huffable is not None or position.compelled:
        return False
    return not can_end(turns.rules.king.move_limit, position, depth)


def _count_compiled(
    kernel: CompiledRules, turns: ActionGenerator, position: Position, depth: int, count: Convention
) -> int:
    """Count with the compiled kernel, split by the first action where one call would take too long.

    Splitting keeps long counts interruptible, and handles counts too large for the kernel.
    """
    number = kernel.sequences(position, min(depth, 3), count)
    if depth > 3 and number is not None:
        nodes = number ** (depth / 3)
        if nodes > (VERY_MANY if count == "unique" else math.inf):
            kernel.specialise()
        is_long = nodes > AT_ONCE
        number = None if is_long else kernel.sequences(position, depth, count)
    if number is not None:
        return number
    if depth <= 3:
        return count_in_python(turns, position, depth, count)
    return sum(
        ways(action, position.board, count)
        * _count_compiled(kernel, turns, turns.after(position, action), depth - 1, count)
        for action in turns.actions(position)
    )


def _count_ways(
    turns: ActionGenerator,
    position: Position,
    depth: int,
    count: Convention,
    seen: dict[tuple[Position, int], int],
) -> int:
    """Count with each action weighted by its ways; `seen` caches counts by position and depth."""
    if depth == 0:
        return 1
    if (position, depth) in seen:
        return seen[position, depth]
    found = 0
    for action in turns.actions(position):
        rest = _count_ways(turns, turns.after(position, action), depth - 1, count, seen) if depth > 1 else 1
        found += rest * ways(action, position.board, count)
    if depth > 1 and len(seen) < MOST_SEEN:
        seen[position, depth] = found
    return found


def ways(action: Action, board: Board, count: Convention) -> int:
    """Return how many moves an action counts as."""
    if count == "unique" or not isinstance(action, Move) or len(action.paths) < 2:
        return 1
    return len(action.paths) if count == "paths" else len({*orders(action, board)})


def orders(move: Move, board: Board) -> list[tuple[int, ...]]:
    """Return, for each path of a move, the captured squares in the order in which they are jumped."""
    captured = board.mask(move.captured)
    found = [tuple(map(board.number, capture_order(board, path, captured))) for path in move.paths]
    assert {len(order) for order in found} <= {len(move.captured)}, f"{move.paths} jump {found} of {move.captured}"
    return found


# --- tasks --------------------------------------------------------------------------------------


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


def perft_task_nodes(task: PerftTask, *, among: int = 1, memory: int = 0) -> int:
    """Count the nodes of a task, times the sequences that lead to it.

    The compiled kernel may use `memory` bytes to cache counts. `among` is the number of tasks in the perft: the more
    there are, the sooner the one-off cost of preparing compiled code pays off.
    """
    turns = _shared_turns(task.ruleset, memory)
    return task.times * count_nodes(turns, task.position, task.depth, task.count, much=MUCH // among)


@lru_cache(2)
def _shared_turns(ruleset: Ruleset, memory: int) -> ActionGenerator:
    """Return the action generator that all tasks of a ruleset share."""
    turns = ActionGenerator(ruleset.rules)
    turns.remember(memory)
    return turns
