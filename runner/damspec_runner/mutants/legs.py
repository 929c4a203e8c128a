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
    """A piece's way from one square to another within a move, by square numbers; `over` is what it captures, or 0.

    `piece` is what the piece was when the move began. `length` counts the squares from start to end, `reach` those up
    to what is captured; `direction` is as the side sees it.
    """

    side: Side
    piece: Mover
    way: Literal["move", "capture"]
    direction: str
    start: int
    over: int
    end: int
    length: int
    reach: int


def move_legs(position: Position, move: Move) -> list[tuple[Leg, ...]]:
    """Return the legs of each path of a move."""
    piece: Mover = "kings" if position.board.bit(move.start) & position.kings(position.turn) else "men"
    return [_legs(position.board, position.turn, piece, path, move.captured) for path in move.paths]


def is_lost(position: Position, move: Move, lost: Callable[[Leg], bool]) -> bool:
    """Return whether a move has a `lost` leg on every path."""
    return all(any(map(lost, path)) for path in move_legs(position, move))


@cache
def _legs(board: Board, side: Side, piece: Mover, path: tuple[int, ...], captured: tuple[int, ...]) -> tuple[Leg, ...]:
    slides, left, found = len(path) - 1 - len(captured), list(captured), []
    for place, (start, end) in enumerate(pairwise(path)):
        over = 0
        if place >= slides:
            line = [board.number(bit) for bit in board.between(start, end) or ()]
            over = next(square for square in line if square in left)
            left.remove(over)
        found.append(make_leg(board, side, piece, start, over, end))
    return tuple(found)


def make_leg(board: Board, side: Side, piece: Mover, start: int, over: int, end: int) -> Leg:
    """Return the leg of a piece from one square to another, over a third or none."""
    columns, rows = (there - here for here, there in zip(board.places[start - 1], board.places[end - 1], strict=True))
    length = len(board.between(start, end) or ()) + 1
    sign = 1 if side == "white" else -1
    direction = _NAMES[sign * _sign(columns), sign * _sign(rows)]
    reach = len(board.between(start, over) or ()) + 1 if over else 0
    return Leg(side, piece, "capture" if over else "move", direction, start, over, end, length, reach)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
