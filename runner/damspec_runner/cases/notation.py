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


def is_possible_capture(position: Position, text: str) -> bool:
    """Return whether the piece can make a capture just as it is written, whatever the rules make of it.

    Each jump goes over one opponent's piece, otherwise over vacant squares, to a vacant square; a man that has not
    been on the farthest row jumps over the next square only. Raises InvalidMove for a text that is no action.
    """
    if not is_move_text(text) or trace(position, text) is None:
        return False
    board = position.board
    squares, captures = read_squares(text, board)
    first = board.bit(squares[0])
    occupied = (position.occupied("white") | position.occupied("black")) & ~first
    enemies = position.occupied(opponent(position.turn))
    flies = bool(first & position.kings(position.turn))
    farthest = board.rows - 1 if position.turn == "white" else 0
    for start, end in list(pairwise(squares))[len(squares) - 1 - captures :]:
        crossed = board.between(start, end) or ()
        jumped = next(bit for bit in crossed if bit & enemies)
        enemies ^= jumped
        occupied ^= jumped
        if (board.bit(end) | sum(crossed)) & occupied or (len(crossed) > 1 and not flies):
            return False
        flies = flies or board.places[end - 1][1] == farthest
    return True
