"""Moves leg by leg: the geometry that an engine's fault can be about, and every leg that rules can allow."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Literal, NamedTuple

from damspec import Board, Move, Position, Ruleset
from damspec.board import DIRECTIONS, Side
from damspec.rules import Reach

Mover = Literal["men", "kings"]
Way = Literal["move", "capture"]

_BOTH: tuple[Mover, Mover] = ("men", "kings")
_NAMES = {offset: name for name, offset in DIRECTIONS.items()}


class Leg(NamedTuple):
    """A piece's way from one square to another within a move, by square numbers; `over` is what it captures, or 0.

    `piece` is what the piece was when the move began. `length` counts the squares from start to end, `reach` those up
    to what is captured; `direction` is as the side sees it.
    """

    side: Side
    piece: Mover
    way: Way
    direction: str
    start: int
    over: int
    end: int
    length: int
    reach: int


def legs(position: Position, move: Move) -> list[tuple[Leg, ...]]:
    """The legs of each path of a move."""
    piece: Mover = "kings" if position.board.bit(move.start) & position.kings(position.turn) else "men"
    return [_legs(position.board, position.turn, piece, path, move.captured) for path in move.paths]


@cache
def _legs(board: Board, side: Side, piece: Mover, path: tuple[int, ...], captured: tuple[int, ...]) -> tuple[Leg, ...]:
    slides, left, found = len(path) - 1 - len(captured), list(captured), []
    for place, (start, end) in enumerate(pairwise(path)):
        over = 0
        if place >= slides:
            line = [board.number(bit) for bit in board.between(start, end) or ()]
            over = next(square for square in line if square in left)
            left.remove(over)
        found.append(_leg(board, side, piece, start, over, end))
    return tuple(found)


def _leg(board: Board, side: Side, piece: Mover, start: int, over: int, end: int) -> Leg:
    columns, rows = (there - here for here, there in zip(board.places[start - 1], board.places[end - 1], strict=True))
    length = len(board.between(start, end) or ()) + 1
    sign = 1 if side == "white" else -1
    direction = _NAMES[sign * _sign(columns), sign * _sign(rows)]
    reach = len(board.between(start, over) or ()) + 1 if over else 0
    return Leg(side, piece, "capture" if over else "move", direction, start, over, end, length, reach)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def possible_legs(ruleset: Ruleset) -> Iterator[Leg]:
    """Every leg that some piece could have by the rules of directions and reach, on a board as empty as it needs.

    No legal move has another one.
    """
    board, man, king = ruleset.rules.board, ruleset.rules.man, ruleset.rules.king
    landing = {"behind": 1, "within-two": 2}.get(king.capture_landing, len(board))
    jumps = tuple(dict.fromkeys((*man.capture_first, *man.capture_later)))
    goes_on_as_king = ruleset.rules.promotion.mid_capture in ("as-king", "as-man-else-king")
    sides: tuple[Side, Side] = ("white", "black")
    for side in sides:
        for start in range(1, len(board) + 1):
            yield from _slides(board, side, "men", start, man.move_directions, man.move_reach)
            yield from _slides(board, side, "kings", start, king.move_directions, king.move_reach)
            yield from _jumps(board, side, "men", start, jumps, 1, 1)
            for piece in _BOTH if goes_on_as_king else _BOTH[1:]:
                yield from _jumps(board, side, piece, start, king.capture_directions, king.capture_reach, landing)


def _slides(
    board: Board, side: Side, piece: Mover, start: int, directions: tuple[str, ...], reach: Reach
) -> Iterator[Leg]:
    for direction in directions:
        for end in _ray(board, start, direction, side)[: None if reach == "any" else reach]:
            yield _leg(board, side, piece, start, 0, end)


def _jumps(
    board: Board, side: Side, piece: Mover, start: int, directions: tuple[str, ...], reach: Reach, landing: int
) -> Iterator[Leg]:
    for direction in directions:
        ray = _ray(board, start, direction, side)
        for place, over in enumerate(ray[: None if reach == "any" else reach], 1):
            for end in ray[place : place + landing]:
                yield _leg(board, side, piece, start, over, end)


def _ray(board: Board, start: int, direction: str, side: Side) -> list[int]:
    return [board.number(bit) for bit in board.ray(board.bit(start), direction, side)]
