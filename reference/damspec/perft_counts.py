"""Perft counting: the three published conventions for what counts as one move.

They differ only where a piece can capture the same pieces in several ways that end on the same square. *Unique* counts
such moves once if start, end and captured pieces are the same, as everywhere else; *sequences* once for each order of
capture; *paths* once for each list of squares touched.
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

#: The names of the conventions.
COUNTS: tuple[Convention, ...] = get_args(Convention)
#: The maximum depth; from most positions even 20 is out of reach.
DEEPEST = 100


def count_nodes(turns: ActionGenerator, position: Position, depth: int, count: Convention = "unique") -> int:
    """Count the sequences of `depth` legal actions. Raises ArgumentError for an unknown convention."""
    expect_word(count, "count", COUNTS)
    return turns.perft(position, depth, count)


def by_ways(
    turns: ActionGenerator,
    position: Position,
    depth: int,
    count: Convention,
    seen: dict[tuple[Position, int], int] | None = None,
) -> int:
    """Count in pure Python, weighting each action by its ways; `seen` caches counts by position and depth."""
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
    """Return how many moves an action counts as."""
    if count == "unique" or not isinstance(action, Move) or len(action.paths) < 2:
        return 1
    return len(action.paths) if count == "paths" else len({*orders(action, board)})


def orders(move: Move, board: Board) -> list[tuple[int, ...]]:
    """Return, for each path of a move, the captured squares in the order in which they are jumped."""
    return [_order(path, move.captured, board.places) for path in move.paths]


def _order(path: tuple[int, ...], captured: tuple[int, ...], places: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    # A piece may pass over the square of an already captured piece again: each leg jumps one not yet jumped.
    order: list[int] = []
    for leg, (start, end) in enumerate(pairwise(path)):
        if leg < len(path) - 1 - len(captured):
            continue  # a king's quiet move before it captures
        over = [
            square
            for square in captured
            if square not in order and _between(places[start - 1], places[square - 1], places[end - 1])
        ]
        assert len(over) == 1, f"{path} jumps {over} of {captured}"
        order += over
    return tuple(order)


def _between(start: tuple[int, int], place: tuple[int, int], end: tuple[int, int]) -> bool:
    """Return whether a place lies on the straight line between two others."""
    (c0, r0), (c, r), (c1, r1) = start, place, end
    return (c - c0) * (r1 - r0) == (r - r0) * (c1 - c0) and (c - c0) * (c1 - c) + (r - r0) * (r1 - r) > 0
