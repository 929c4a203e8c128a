"""The legs of a move: the steps and jumps of a piece from square to square."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import pairwise
from typing import Literal, NamedTuple

from damspec import Board, Move, Position
from damspec.board import DIRECTIONS, Side

Mover = Literal["men", "kings"]

BOTH: tuple[Mover, Mover] = ("men", "kings")
_NAMES = {offset: name for name, offset in DIRECTIONS.items()}


class Leg(NamedTuple):
    """A piece's way from one square to another within a move, by square numbers; `over` are the pieces it captures.

    `piece` is what the piece was when the move began. `length` counts the squares from start to end, `reach` those up
    to the first piece captured, `landing` those from the last one; `direction` is as the side sees it.
    """

    side: Side
    piece: Mover
    way: Literal["move", "capture"]
    direction: str
    start: int
    over: tuple[int, ...]
    end: int
    length: int
    reach: int
    landing: int


def move_legs(position: Position, move: Move) -> list[tuple[Leg, ...]]:
    """Return the legs of each path of a move."""
    piece: Mover = "kings" if position.board.bit(move.start) & position.kings(position.turn) else "men"
    return [_legs(position.board, position.turn, piece, path, move.captured) for path in move.paths]


def is_lost(position: Position, move: Move, lost: Callable[[Leg], bool]) -> bool:
    """Return whether a move has a `lost` leg on every path."""
    return all(any(map(lost, path)) for path in move_legs(position, move))


@cache
def _legs(board: Board, side: Side, piece: Mover, path: tuple[int, ...], captured: tuple[int, ...]) -> tuple[Leg, ...]:
    left, found = {*captured}, []
    for start, end in pairwise(path):
        over = tuple(square for bit in board.between(start, end) or () if (square := board.number(bit)) in left)
        left.difference_update(over)
        found.append(make_leg(board, side, piece, start, over, end))
    return tuple(found)


def make_leg(board: Board, side: Side, piece: Mover, start: int, over: tuple[int, ...], end: int) -> Leg:
    """Return the leg of a piece from one square to another, over some others or none."""
    columns, rows = (there - here for here, there in zip(board.places[start - 1], board.places[end - 1], strict=True))
    sign = 1 if side == "white" else -1
    direction = _NAMES[sign * _sign(columns), sign * _sign(rows)]
    reach, landing = (_steps(board, start, over[0]), _steps(board, over[-1], end)) if over else (0, 0)
    length = _steps(board, start, end)
    return Leg(side, piece, "capture" if over else "move", direction, start, over, end, length, reach, landing)


def _steps(board: Board, start: int, end: int) -> int:
    return len(board.between(start, end) or ()) + 1


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
