"""What a move's notation does on the board: which notations are the same move, with no rules asked."""

from __future__ import annotations

from itertools import pairwise

from damspec import Position
from damspec.action import is_move_text
from damspec.board import opponent
from damspec.move import read_squares

#: From, to, captured squares: what makes two notations one move. Actions that move no piece are their text.
Key = tuple[int, int, frozenset[int]] | str


def trace(position: Position, text: str) -> Key | None:
    """What a full notation does on the board; None if it leaves squares out or jumps over nothing.

    Raises InvalidMove for a text that is no action.
    """
    if not is_move_text(text):
        return text
    squares, captures = read_squares(text, position.board)
    board = position.board
    enemies = position.occupied(opponent(position.turn))
    captured = set()
    jumps = list(pairwise(squares))[len(squares) - 1 - captures :]
    for start, end in jumps:
        over = [bit for bit in board.between(start, end) or () if bit & enemies]
        if len(over) != 1:
            return None
        enemies ^= over[0]
        captured.add(board.number(over[0]))
    return squares[0], squares[-1], frozenset(captured)
