"""What counts as one move where sequences of moves are counted: the three conventions that are published.

They differ only where a piece can capture the same pieces in several ways that end on the same square. Counted once
are, by *unique*, the moves with the same start, end and set of captured pieces, as everywhere else; by *sequences*
those that capture them in the same order; by *paths* those that touch the same squares.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Literal, get_args

from .errors import expect_word
from .move import Action, Move
from .movegen import MOST_SEEN

if TYPE_CHECKING:
    from .board import Board
    from .position import Position
    from .turn import ActionGenerator

Convention = Literal["unique", "sequences", "paths"]

#: The conventions by their names.
COUNTS: tuple[Convention, ...] = get_args(Convention)
#: The greatest length of a sequence: from most positions 20 is out of reach.
DEEPEST = 100


def count_nodes(turns: ActionGenerator, position: Position, depth: int, count: Convention = "unique") -> int:
    """The number of sequences of legal actions of a length. Raises ArgumentError for another convention."""
    expect_word(count, "count", COUNTS)
    return turns.perft(position, depth, count)


def by_ways(
    turns: ActionGenerator,
    position: Position,
    depth: int,
    count: Convention,
    seen: dict[tuple[Position, int], int] | None = None,
) -> int:
    """The same without compiled code, each action as many times as it has ways; `seen` has the numbers found before."""
    seen = {} if seen is None else seen
    if depth == 0:
        return 1
    if (position, depth) in seen:
        return seen[position, depth]
    found = 0
    for action in turns.actions(position):
        rest = by_ways(turns, turns.after(position, action), depth - 1, count, seen) if depth > 1 else 1
        found += rest * ways(action, position.board, count)
    if depth > 1 and len(seen) < MOST_SEEN:
        seen[position, depth] = found
    return found


def ways(action: Action, board: Board, count: Convention) -> int:
    """As how many moves an action counts."""
    if count == "unique" or not isinstance(action, Move) or len(action.paths) < 2:
        return 1
    return len(action.paths) if count == "paths" else len({*orders(action, board)})


def orders(move: Move, board: Board) -> list[tuple[int, ...]]:
    """For each path of a move the squares of the captured pieces in the order in which it jumps them."""
    return [_order(path, move.captured, board.places) for path in move.paths]


def _order(path: tuple[int, ...], captured: tuple[int, ...], places: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    # A piece may pass over a square again whose piece it has jumped before: each leg jumps one that is still there.
    order: list[int] = []
    for leg, (start, end) in enumerate(pairwise(path)):
        if leg < len(path) - 1 - len(captured):
            continue  # a king's slide before it captures
        over = [
            square
            for square in captured
            if square not in order and _between(places[start - 1], places[square - 1], places[end - 1])
        ]
        assert len(over) == 1, f"{path} jumps {over} of {captured}"
        order += over
    return tuple(order)


def _between(start: tuple[int, int], place: tuple[int, int], end: tuple[int, int]) -> bool:
    """Whether a place lies on the straight line between two others."""
    (c0, r0), (c, r), (c1, r1) = start, place, end
    return (c - c0) * (r1 - r0) == (r - r0) * (c1 - c0) and (c - c0) * (c1 - c) + (r - r0) * (r1 - r) > 0
