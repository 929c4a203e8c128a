"""Moves and the other actions of a turn: Move, Spin, SliderPush, Huff, Retract, Pass, and their notation."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from .board import MOST_SQUARES, Board
from .errors import (
    ArgumentError,
    InvalidMoveError,
    PositionError,
    expect,
    expect_number,
    expect_word,
    quote_any,
    quote_value,
)
from .other_names import OtherNames

#: The maximum length of a move's notation; a king that touches every square of the largest board needs less.
LONGEST = 4000
_LEGS = re.compile("[-x:]")
#: Legs without a capture come first; only kings that may move twice in a turn have several, or one before captures.
_NOTATION = re.compile(r"[a-z]?[0-9]+(?=[-x:])(-[a-z]?[0-9]+)*([x:][a-z]?[0-9]+)*")


@dataclass(frozen=True)
class Move(metaclass=OtherNames):
    """A move of a piece: start, end, captured squares, whether a man is crowned, whether it falls through a door.

    Moves that agree in these are equal; `paths` has every way to make the move, and `path` is the one printed. The
    meaning of a text depends on the position: `LegalMoves.find` parses what `str` and `text` write.

    >>> str(Move(21, 7, (10, 17), False, False, ((21, 14, 7),)))
    '21x14x7'
    """

    start: int
    end: int
    captured: tuple[int, ...]
    promotes: bool
    falls: bool = False
    paths: tuple[tuple[int, ...], ...] = field(default=(), compare=False, repr=False)
    #: What the generator that found the move wrote: it saves translating the squares again when the move is made.
    packed: PackedMove | None = field(default=None, init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        if type(self.promotes) is not bool or type(self.falls) is not bool:
            expect(self.promotes, "promotes", bool, "True or False")
            expect(self.falls, "falls", bool, "True or False")
        _check_squares((self.start, self.end), "start and end")
        _check_squares(self.captured, "captured")
        expect(self.paths, "paths", tuple, "a tuple of paths, each a tuple of the numbers of squares")
        for path in self.paths:
            _check_squares(path, "paths", 2)

    @property
    def path(self) -> tuple[int, ...]:
        """Every square the piece touches, from start to end: the shortest path, or of several the lowest.

        A move constructed without paths has just its start and end.
        """
        return self.paths[0] if self.paths else (self.start, self.end)

    @property
    def is_capture(self) -> bool:
        """Whether the move captures."""
        return bool(self.captured)

    def text(self, board: Board | None = None) -> str:
        """Return the notation, algebraic if a board is given; legs that capture are written with x, others with -."""
        expect(board, "board", Board | None, "a Board or None")
        names = [board.name(number) if board else str(number) for number in self.path]
        if not self.captured:
            return "-".join(names)
        slides = len(names) - 1 - len(self.captured)
        return "".join(("" if leg < 0 else "-" if leg < slides else "x") + name for leg, name in enumerate(names, -1))

    def __str__(self) -> str:
        return self.text()


class PackedMove(NamedTuple):
    """A move as bitboards, quiet if nothing is captured; `path` has every square the piece touches."""

    start: int
    end: int
    captured: int
    crowned: bool
    path: tuple[int, ...]


def _check_squares(numbers: tuple[int, ...], name: str, fewest: int = 0) -> None:
    """Raise an error unless `numbers` can be squares of some board."""
    expect(numbers, name, tuple, "a tuple of the numbers of squares")
    for number in numbers:
        if type(number) is not int or not 0 < number <= MOST_SQUARES:
            expect_number(number, name, 1, MOST_SQUARES)
    if len(numbers) < fewest:
        raise ArgumentError(f"{name}: found {quote_any(numbers)}, expected {fewest} squares or more")


def read_squares(text: str, board: Board) -> tuple[tuple[int, ...], int]:
    """Parse the squares of a move's notation and the number of its legs that capture. Raises InvalidMoveError."""
    if len(text) > LONGEST or not _NOTATION.fullmatch(text):
        raise InvalidMoveError(f"{quote_value(text)} is no move: expected one like '21-17' or '21x14x7'")
    try:
        written = board.bits_by_text
        squares = tuple([int(part) if part in written else board.square(part) for part in _LEGS.split(text)])
    except PositionError as error:
        raise InvalidMoveError(f"{quote_value(text)} is no move: {error}") from None
    return squares, text.count("x") + text.count(":")


def matching(text: str, moves: Iterable[Move], board: Board) -> list[Move]:
    """Return the moves that `text` denotes: those with exactly that path, else those it abbreviates."""
    squares, captures = read_squares(text, board)
    candidates = [move for move in moves if bool(move.captured) == bool(captures)]
    exact = [move for move in candidates if squares in move.paths]
    return exact or [move for move in candidates if any(shortens(squares, path) for path in move.paths)]


def shortens(squares: tuple[int, ...], path: tuple[int, ...]) -> bool:
    """Return whether `squares` is `path` with some of the squares in the middle left out."""
    if squares[0] != path[0] or squares[-1] != path[-1]:
        return False
    rest = iter(path[1:-1])
    return all(square in rest for square in squares[1:-1])


@dataclass(frozen=True)
class Spin:
    """A result of the spinner: `disc`, `green`, `orange` or `both`. It is up to chance, but written as an action."""

    outcome: str

    def __post_init__(self) -> None:
        expect_word(self.outcome, "outcome", ("disc", "green", "orange", "both"))

    def __str__(self) -> str:
        return f"spin={self.outcome}"


@dataclass(frozen=True)
class SliderPush:
    """A slider pushed to `L`, `M` or `R`; `closes` if the mover chooses to close the door again at once."""

    slider: str
    to: str
    closes: bool = False

    def __post_init__(self) -> None:
        expect(self.slider, "slider", str, "the id of a slider")
        expect_word(self.to, "to", ("L", "M", "R"))
        expect(self.closes, "closes", bool, "True or False")

    def __str__(self) -> str:
        return f"{self.slider}={self.to}{'M' if self.closes else ''}"


@dataclass(frozen=True)
class Huff:
    """The removal of the opponent's piece on a square, because it could have captured."""

    square: int

    def __post_init__(self) -> None:
        expect_number(self.square, "square", 1, MOST_SQUARES)

    def __str__(self) -> str:
        return f"huff {self.square}"


@dataclass(frozen=True)
class Retract:
    """The retraction of the opponent's last move."""

    def __str__(self) -> str:
        return "retract"


@dataclass(frozen=True)
class Pass:
    """The decision not to do what the spinner allows."""

    def __str__(self) -> str:
        return "pass"


Action = Move | Spin | SliderPush | Huff | Retract | Pass

_OTHER = re.compile(r"spin=[a-z]+|[A-Z][0-9]+=[LMR]M?|huff [0-9]+|retract|pass")


def is_other_text(text: str) -> bool:
    """Return whether `text` is an action that moves no piece."""
    return _OTHER.fullmatch(text) is not None


def is_move_text(text: str) -> bool:
    """Return whether `text` looks like the move of a piece; False for the other actions.

    Raises InvalidMoveError for a text that is neither.
    """
    if is_other_text(text):
        return False
    if text[:1].isalnum() and any(sign in text for sign in "-x:"):
        return True
    raise InvalidMoveError(
        f"{quote_value(text)} is no action: expected one like '21-17', '21x14x7', 'spin=disc', 'G1=L', 'huff 18'"
    )
