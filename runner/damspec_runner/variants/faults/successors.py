"""Faults in the position after a move: pieces that stay or go, men that are not crowned, turns that do not pass."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from damspec import Action, Move, Position
from damspec.board import opponent
from damspec.pieces import with_side
from damspec.turn import Turns

from .legs import legs
from .turns import Faulty, after_moves, kinds


def left_standing(right: Turns, stays: Callable[[list[int]], list[int]]) -> Turns:
    """Of the pieces captured, in the order of the jumps, some stay on the board."""

    def wrong(position: Position, move: Move, after: Position) -> Position:
        jumped = [leg.over for leg in legs(position, move)[0] if leg.over]
        left, side = position.board.mask(stays(jumped)), opponent(position.turn)
        men, kings = after.men(side) | position.men(side) & left, after.kings(side) | position.kings(side) & left
        return with_side(after, side, men, kings)

    return after_moves(right, wrong)


def kind_left_standing(right: Turns, piece: str, which: str) -> Turns:
    """Men or kings that are captured stay on the board: all, those captured alone, or the first or last of several."""

    def wrong(position: Position, move: Move, after: Position) -> Position:
        jumped = [leg.over for leg in legs(position, move)[0] if leg.over]
        several, side = len(jumped) > 1, opponent(position.turn)
        match which:
            case "at all":
                stays = jumped
            case "alone":
                stays = [] if several else jumped
            case "as the first of several":
                stays = jumped[:1] if several else []
            case _:
                stays = jumped[-1:] if several else []
        left = position.board.mask(stays)
        if piece == "men":
            return with_side(after, side, after.men(side) | position.men(side) & left, after.kings(side))
        return with_side(after, side, after.men(side), after.kings(side) | position.kings(side) & left)

    return after_moves(right, wrong)


def lost_at_home(right: Turns) -> Turns:
    """A piece whose capture ends where it began goes off the board."""

    def wrong(position: Position, move: Move, after: Position) -> Position:
        gone = position.board.bit(move.end) if move.captured and move.start == move.end else 0
        side = position.turn
        return with_side(after, side, after.men(side) & ~gone, after.kings(side) & ~gone)

    return after_moves(right, wrong)


def uncrowned(right: Turns, side: str, way: str, square: int) -> Turns:
    """Men of a side that move to a square, or end a capture there, are not crowned."""

    def wrong(position: Position, move: Move, after: Position) -> Position:
        if not move.promotes or position.turn != side or move.end != square:
            return after
        if bool(move.captured) != (way == "capture"):
            return after
        bit = position.board.bit(square)
        return with_side(after, position.turn, after.men(position.turn) | bit, after.kings(position.turn) & ~bit)

    return after_moves(right, wrong)


class Unturned(Faulty):
    """After a kind of action it is the other side's turn than it should be."""

    def __init__(self, right: Turns, action: str) -> None:
        super().__init__(right)
        self._action = action

    def after(self, position: Position, action: Action) -> Position:
        """The position after an action that is listed."""
        after = self.right.after(position, action)
        return (
            replace(after, turn=opponent(after.turn)) if self._action in kinds(self.right, position, action) else after
        )
