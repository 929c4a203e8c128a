"""Notation of moves: what a text means on the board, and squares in prose."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from damspec import InvalidMoveError, Position, PositionError
from damspec.board import Board, opponent
from damspec.move import is_move_text, read_squares

#: The identity of an action: from, to and captured squares of a move; the text of an action that moves no piece.
Key = tuple[int, int, frozenset[int]] | str


def read_path(text: str, board: Board) -> tuple[tuple[int, ...], int]:
    """Return the squares of a move's text and the number of its legs that capture; none of what is no move."""
    try:
        return read_squares(text, board)
    except InvalidMoveError:
        return (), 0


def move_effect(position: Position, text: str) -> Key | None:
    """Return the effect of a full notation; None if it leaves squares out.

    A jump passes over one piece, or over several with nothing between them, as some kings do (`king.capture.pieces`).
    Raises InvalidMoveError for a text that is no action.
    """
    if not is_move_text(text):
        return text
    squares, captures = read_squares(text, position.board)
    board = position.board
    enemies = position.occupied(opponent(position.turn))
    captured: set[int] = set()
    for start, end in list(pairwise(squares))[len(squares) - 1 - captures :]:
        line = board.between(start, end) or ()
        over = [place for place, bit in enumerate(line) if bit & enemies]
        if not over or over[-1] - over[0] >= len(over):
            return None
        enemies ^= sum(line[place] for place in over)
        captured.update(board.number(line[place]) for place in over)
    return squares[0], squares[-1], frozenset(captured)


def is_possible_capture(position: Position, text: str) -> bool:
    """Return whether the piece can make a capture just as it is written, whatever the rules make of it.

    Each jump goes over one opponent's piece, otherwise over vacant squares, to a vacant square; a man that has not
    been on the farthest row jumps over the next square only. Raises InvalidMoveError for a text that is no action.
    """
    if not is_move_text(text) or move_effect(position, text) is None:
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


#: Words after a number that is no square but a count.
_COUNTABLE = "kings|men|moves|pieces|rounds|squares|turns"
_SQUARE = r"(?:[a-wyz][1-9][0-9]?|[1-9][0-9]{0,2})"
_SQUARE_NAMES = re.compile(
    rf"(?<![\w.,-])(?!(?:(?<=row )|(?<=Row ))[0-9])(?![0-9]+(?:\s(?:{_COUNTABLE})|x[0-9]+\sboard)\b)"
    rf"({_SQUARE}(?:[-x:]{_SQUARE})*)(?![\w%-])(?![.,][0-9])"
)
_EACH = re.compile(_SQUARE)
_DIGIT = re.compile("[0-9]")


@dataclass(frozen=True)
class NamedSquares:
    """A square, or the squares of a move, in both notations."""

    numbers: str
    letters: str


def split_squares(text: str, board: Board) -> Iterator[str | NamedSquares]:
    """Split text into names of squares of the board and the text between them."""
    done = 0
    for found in _SQUARE_NAMES.finditer(text) if _DIGIT.search(text) else ():
        try:
            named = in_both_notations(found[1], board)
        except PositionError:
            continue
        if found.start() > done:
            yield text[done : found.start()]
        yield named
        done = found.end()
    if done < len(text):
        yield text[done:]


@lru_cache(maxsize=10_000)
def in_both_notations(squares: str, board: Board) -> NamedSquares:
    """Return a square or a move in both notations. Raises PositionError if the board lacks a square."""

    def each(name: Callable[[int], str]) -> str:
        return _EACH.sub(lambda found: name(board.square(found[0])), squares)

    return NamedSquares(each(str), each(board.name))


def unknown_squares(text: str, board: Board) -> list[str]:
    """Return what reads like a square but is none of the board."""

    def there(square: str) -> bool:
        try:
            board.square(square)
        except PositionError:
            return False
        return True

    return [square for found in _SQUARE_NAMES.finditer(text) for square in _EACH.findall(found[1]) if not there(square)]
