"""Questions for a terminal: the board as text with the move drawn into it, and the move in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from damspec import Position
from damspec.board import opponent
from damspec.move import read_squares

from ..cases.enquiries import Enquiries, Enquiry
from ..cases.notation import trace

_LETTERS = {("white", "man"): "w", ("white", "king"): "W", ("black", "man"): "b", ("black", "king"): "B"}
#: The squares that a piece comes to, in their order.
_STOPS = "123456789abcdefghij"


@dataclass(frozen=True)
class Sketch:
    """A question's board as lines of text, and below it what the lines cannot show."""

    board: tuple[str, ...]
    below: tuple[str, ...]

    @property
    def lines(self) -> tuple[str, ...]:
        """All of it."""
        return (*self.board, *self.below)


def sketched(enquiries: Enquiries, enquiry: Enquiry) -> Sketch:
    """The board of a question, White at the bottom; nothing for one that has no board."""
    position = enquiries.board(enquiry)
    if position is None:
        return Sketch((), ())
    stops = _stops(position, enquiry)
    return Sketch(tuple(_rows(position, stops)), tuple(_below(position, enquiry)))


def _stops(position: Position, enquiry: Enquiry) -> dict[int, str]:
    """The squares the moving piece comes to, each with its mark; of two visits the last."""
    if not enquiry.move:
        return {}
    squares, _ = read_squares(enquiry.move, position.board)
    return {square: _STOPS[place] for place, square in enumerate(squares[1:]) if position[square] is None}


def _rows(position: Position, stops: dict[int, str]) -> Iterator[str]:
    board = position.board
    numbers = {place: number for number, place in enumerate(board.places, 1)}
    for row in range(board.rows - 1, -1, -1):
        cells = []
        for column in range(board.columns):
            number = numbers.get((column, row))
            piece = None if number is None else position[number]
            empty = " " if number is None else stops.get(number, ".")
            cells.append(empty if piece is None else _LETTERS[piece])
        yield " ".join(cells).rstrip()


def _below(position: Position, enquiry: Enquiry) -> Iterator[str]:
    if not enquiry.move:
        return
    squares, _ = read_squares(enquiry.move, position.board)
    piece = position[squares[0]]
    way = ", then to ".join(_STOPS[: len(squares) - 1])
    taken = trace(position, enquiry.move)
    number = len(taken[2]) if isinstance(taken, tuple) else 0
    takes = "" if not number else f", taking {number} {opponent(position.turn)} piece{'s' if number > 1 else ''}"
    letter = "the piece" if piece is None else _LETTERS[piece]
    yield f"{letter} goes to {way}{takes}: {enquiry.move}"
