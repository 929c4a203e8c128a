"""The squares that words name, by number or by letter: in the `why` of a case, in moves, in what a case shows.

A number is a square unless it counts something (`66 moves`) or is that of a row.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from damspec import PositionError
from damspec.board import Board

#: What follows a number that counts, and what stands before one that is a row's.
_COUNTED = "kings|men|moves|pieces|rounds|squares|turns"
_SQUARE = r"(?:[a-wyz][1-9][0-9]?|[1-9][0-9]{0,2})"
_NAMED = re.compile(
    rf"(?<![\w.,-])(?!(?:(?<=row )|(?<=Row ))[0-9])(?![0-9]+(?:\s(?:{_COUNTED})|x[0-9]+\sboard)\b)"
    rf"({_SQUARE}(?:[-x:]{_SQUARE})*)(?![\w%-])(?![.,][0-9])"
)
_EACH = re.compile(_SQUARE)


@dataclass(frozen=True)
class NamedSquares:
    """A square, or the squares of a move, in both notations."""

    numbers: str
    letters: str


def parts(text: str, board: Board) -> Iterator[str | NamedSquares]:
    """Text in its order: what names squares of the board, and what stands between. Squares it has not are just text."""
    done = 0
    for found in _NAMED.finditer(text):
        try:
            named = in_both(found[1], board)
        except PositionError:
            continue
        if found.start() > done:
            yield text[done : found.start()]
        yield named
        done = found.end()
    if done < len(text):
        yield text[done:]


def in_both(squares: str, board: Board) -> NamedSquares:
    """A square or a move in both notations. Raises PositionError where the board has no such square."""

    def each(name: Callable[[int], str]) -> str:
        return _EACH.sub(lambda found: name(board.square(found[0])), squares)

    return NamedSquares(each(str), each(board.name))


def strange(text: str, board: Board) -> list[str]:
    """What reads like a square but is none of the board."""

    def there(square: str) -> bool:
        try:
            board.square(square)
        except PositionError:
            return False
        return True

    return [square for found in _NAMED.finditer(text) for square in _EACH.findall(found[1]) if not there(square)]
