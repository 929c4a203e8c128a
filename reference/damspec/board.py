"""The board: its squares, their numbers and names, and their neighbours.

Callers see squares as numbers; internally each square is one bit of an integer (a *bitboard*). The bits run row by row
with spare columns at the side, so that one step in a direction is the same shift everywhere on the board, and a step
over the edge lands on a bit that belongs to no square.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache, cached_property
from typing import Any, Literal, get_args

from .errors import (
    ArgumentTypeError,
    DamspecError,
    PositionError,
    expect,
    expect_number,
    expect_word,
    quote_any,
    quote_value,
)
from .other_names import OtherNames

Side = Literal["white", "black"]
Kind = Literal["man", "king"]
#: The sides in the order in which tables are indexed: 0 is White, 1 is Black.
SIDES: tuple[Side, Side] = ("white", "black")
Numbering = Literal[
    "top-left", "top-right", "bottom-left", "bottom-right",
    "top-left-down", "top-right-down", "bottom-left-up", "bottom-right-up",
]  # fmt: skip

#: Directions as a side sees them: (columns to its right, rows forward).
DIRECTIONS: dict[str, tuple[int, int]] = {
    "forward-left": (-1, 1),
    "forward": (0, 1),
    "forward-right": (1, 1),
    "left": (-1, 0),
    "right": (1, 0),
    "backward-left": (-1, -1),
    "backward": (0, -1),
    "backward-right": (1, -1),
}

_DIRECTION_WORDS = tuple(DIRECTIONS)

#: Shorthands for groups of directions in rulesets.
DIRECTION_GROUPS: dict[str, tuple[str, ...]] = {
    "diagonals": ("forward-left", "forward-right", "backward-left", "backward-right"),
    "forward-diagonals": ("forward-left", "forward-right"),
    "backward-diagonals": ("backward-left", "backward-right"),
    "orthogonals": ("forward", "left", "right", "backward"),
    "all": tuple(DIRECTIONS),
}


#: The minimum and maximum number of columns and of rows.
_SIZES = (3, 26)
#: The number of squares on the largest board.
MOST_SQUARES = 26 * 26


def opponent(side: Side) -> Side:
    """Return the other side. Raises ArgumentError for a word other than `white` and `black`."""
    if side == "white":
        return "black"
    if side != "black":
        expect_word(side, "side", SIDES)
    return "white"


@dataclass(frozen=True)
class Board(metaclass=OtherNames):
    """The geometry of a board; what other libraries call a board, with pieces and moves, is a `Game`.

    `columns` and `rows` are the size in squares (`board.size`), `squares` says which are playable (`board.squares`),
    `dark_corner` which bottom corner is dark as White sees it (`board.dark-corner`), `numbering` in which corner
    square 1 lies and whether the numbers run along the columns (`board.numbering`).

    >>> board = Board(8, 8)
    >>> len(board), board.name(32), board.square("g1")
    (32, 'g1', 32)
    >>> Board(10, 10, dark_corner="right")
    Board(10, 10, dark_corner='right')
    """

    columns: int
    rows: int
    squares: Literal["dark", "all"] = "dark"
    dark_corner: Literal["left", "right"] = "left"
    numbering: Numbering = "top-left"

    def __post_init__(self) -> None:
        expect_number(self.columns, "columns", *_SIZES)
        expect_number(self.rows, "rows", *_SIZES)
        expect_word(self.squares, "squares", ("dark", "all"))
        expect_word(self.dark_corner, "dark_corner", ("left", "right"))
        expect_word(self.numbering, "numbering", get_args(Numbering))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle what a board is, without what has been worked out about it."""
        return Board, tuple(getattr(self, field.name) for field in fields(self))

    def __repr__(self) -> str:
        unusual = [
            f"{field.name}={value!r}"
            for field in fields(self)[2:]
            if (value := getattr(self, field.name)) != field.default
        ]
        return f"Board({', '.join([str(self.columns), str(self.rows), *unusual])})"

    def __len__(self) -> int:
        return len(self.places)

    @cached_property
    def places(self) -> tuple[tuple[int, int], ...]:
        """Column and row of each square, in order of the square numbers; (0, 0) is the bottom left corner."""
        vertical, horizontal, *along = self.numbering.split("-")
        rows = range(self.rows)[:: -1 if vertical == "top" else 1]
        columns = range(self.columns)[:: -1 if horizontal == "right" else 1]
        dark = 0 if self.dark_corner == "left" else (self.columns - 1) % 2
        by_rows = [(column, row) for row in rows for column in columns]
        order = [(column, row) for column in columns for row in rows] if along else by_rows
        return tuple(place for place in order if self.squares == "all" or sum(place) % 2 == dark)

    @cached_property
    def _width(self) -> int:
        # Spare columns keep sideways steps from wrapping round. Where only dark squares are playable, an odd
        # width gives all of them the same parity, so that every other bit can be left out.
        return self.columns + 1 if self.squares == "all" else (self.columns + 2) | 1

    def _index(self, column: int, row: int) -> int:
        place = (self.rows - 1 - row) * self._width + column
        return place if self.squares == "all" else place // 2

    @cached_property
    def bits(self) -> tuple[int, ...]:
        """The bit of each square, in order of the square numbers."""
        return tuple(1 << self._index(column, row) for column, row in self.places)

    @cached_property
    def _numbers(self) -> dict[int, int]:
        return {bit: number for number, bit in enumerate(self.bits, 1)}

    @cached_property
    def bits_by_text(self) -> dict[str, int]:
        """The bit of each square by its number as text."""
        return {str(number): bit for number, bit in enumerate(self.bits, 1)}

    @cached_property
    def _by_place(self) -> dict[tuple[int, int], int]:
        return dict(zip(self.places, self.bits, strict=True))

    @cached_property
    def _rows(self) -> tuple[int, ...]:
        """The squares of each row as bitboards, bottom row first."""
        return tuple(sum(bit for (_, row), bit in self._by_place.items() if row == each) for each in range(self.rows))

    @cached_property
    def all(self) -> int:
        """Every playable square, as a bitboard."""
        return sum(self.bits)

    @cached_property
    def main_road(self) -> int:
        """The squares of the diagonals from corner to corner, as a bitboard; 0 if there are none."""
        last = self.columns - 1
        lines = [[(n, n) for n in range(self.rows)], [(last - n, n) for n in range(self.rows)]]
        whole = [line for line in lines if self.columns == self.rows and self._by_place.keys() >= {*line}]
        return sum({self._by_place[place] for line in whole for place in line})

    def bit(self, number: int) -> int:
        """Return the bit of a square. Raises PositionError if there is no such square."""
        try:
            if 1 <= number <= len(self.bits):
                return self.bits[number - 1]
        except TypeError:
            pass
        expect(number, "square", int, f"a number from 1 to {len(self.bits)}")
        raise PositionError(f"no square {quote_any(number)}: the board has squares 1 to {len(self.bits)}")

    def number(self, bit: int) -> int:
        """Return the square number of a single bit. Raises PositionError if no square has that bit."""
        try:
            return self._numbers[bit]
        except (KeyError, TypeError):
            raise self._bits_error(bit, "the bit of a square") from None

    def numbers(self, mask: int) -> list[int]:
        """Return the square numbers of a bitboard, ascending. Raises PositionError for bits off the board."""
        try:
            return sorted([self._numbers[bit] for bit in each(mask)]) if mask else []
        except (KeyError, TypeError):
            raise self._bits_error(mask, "a bitboard") from None

    def _bits_error(self, found: object, expected: str) -> DamspecError:
        kind = PositionError if isinstance(found, int) else ArgumentTypeError
        return kind(f"found {quote_any(found)}, expected {expected} of {self!r}")

    def mask(self, numbers: Iterable[int]) -> int:
        """Return the bitboard of some squares. Raises PositionError if one does not exist."""
        result = 0
        try:
            for number in numbers:
                result |= self.bit(number)
        except TypeError:
            expect(numbers, "squares", Iterable, "numbers of squares")
            raise
        return result

    def offset(self, direction: str, side: Side) -> tuple[int, int]:
        """Return the columns and rows, as White sees them, to the next playable square in a side's direction."""
        if direction not in _DIRECTION_WORDS:
            expect_word(direction, "direction", _DIRECTION_WORDS)
        columns, rows = DIRECTIONS[direction]
        if side == "black":
            columns, rows = -columns, -rows
        elif side != "white":
            expect_word(side, "side", SIDES)
        if self.squares == "dark" and not (columns and rows):
            return 2 * columns, 2 * rows
        return columns, rows

    def shift(self, direction: str, side: Side) -> int:
        """Return by how many bits one step in a direction shifts to the left; negative for the right."""
        columns, rows = self.offset(direction, side)
        shift = columns - rows * self._width
        return shift if self.squares == "all" else shift // 2

    def step(self, bit: int, direction: str, side: Side) -> int:
        """Return the bit one step away in a direction, 0 if that is off the board."""
        column, row = self.places[self.number(bit) - 1]
        columns, rows = self.offset(direction, side)
        return self._by_place.get((column + columns, row + rows), 0)

    def ray(self, bit: int, direction: str, side: Side) -> tuple[int, ...]:
        """Return the bits from a square to the edge in a direction, nearest first."""
        squares = []
        while bit := self.step(bit, direction, side):
            squares.append(bit)
        return tuple(squares)

    def nearest_rows(self, count: int, side: Side) -> int:
        """Return the squares of the `count` rows nearest to a side, as a bitboard."""
        expect_number(count, "count", 0, self.rows)
        expect_word(side, "side", SIDES)
        return sum(self._rows[:count] if side == "white" else self._rows[self.rows - count :])

    def _to_letter_origin(self, column: int, row: int) -> tuple[int, int]:
        """Convert column and row between the bottom left origin and the corner of `a1`, either way."""
        vertical, horizontal, *along = self.numbering.split("-")
        return (
            self.columns - 1 - column if along and horizontal == "right" else column,
            self.rows - 1 - row if along and vertical == "top" else row,
        )

    def name(self, number: int) -> str:
        """Return the algebraic name of a square. Raises PositionError if there is no such square.

        `a1` lies at the bottom left; where numbers run along the columns it lies in the corner of the first square.
        """
        self.bit(number)
        column, row = self._to_letter_origin(*self.places[number - 1])
        return f"{chr(ord('a') + column)}{row + 1}"

    def square(self, text: str) -> int:
        """Return the number of the square named by `text`, a number or an algebraic name. Raises PositionError."""
        expect(text, "square", str, f"a number or a name such as {self.name(1)!r} as text")
        if text.isdecimal() and text.isascii() and len(text) <= 4:
            number = int(text)
            self.bit(number)
            return number
        named = re.fullmatch(r"([a-z])([0-9]{1,2})", text)
        if named:
            bit = self._by_place.get(self._to_letter_origin(ord(named[1]) - ord("a"), int(named[2]) - 1))
            if bit is None:
                raise PositionError(f"no playable square {quote_value(text)} on this board")
            return self._numbers[bit]
        raise PositionError(
            f"{quote_value(text)} is no square: expected a number from 1 to {len(self)} or a name like {self.name(1)!r}"
        )

    def between(self, start: int, end: int) -> tuple[int, ...] | None:
        """Return the bits strictly between two squares on a line in any of the eight directions, else None."""
        try:
            return self._lines[start, end]
        except (KeyError, TypeError):
            found = self._lines[start, end] = self._find_between(start, end)
            return found

    @cached_property
    def _lines(self) -> dict[tuple[int, int], tuple[int, ...] | None]:
        """What `between` has returned."""
        return {}

    def _find_between(self, start: int, end: int) -> tuple[int, ...] | None:
        (c0, r0), (c1, r1) = (self.places[self.number(self.bit(square)) - 1] for square in (start, end))
        columns, rows = c1 - c0, r1 - r0
        if start == end or (columns and rows and abs(columns) != abs(rows)):
            return None
        length = max(abs(columns), abs(rows))
        unit = (columns // length, rows // length)
        line = ((c0 + unit[0] * k, r0 + unit[1] * k) for k in range(1, length))
        return tuple(self._by_place[place] for place in line if place in self._by_place)


#: The rules that describe the board.
BOARD_RULES = tuple(f"board.{rule}" for rule in ("size", "squares", "dark-corner", "numbering"))


def board_of(values: Mapping[str, Any]) -> Board:
    """Return the board described by rule values; the same values give the same object, so its caches are shared."""
    return _board(*(values[rule] for rule in BOARD_RULES))


@cache
def _board(size: str, squares: Any, dark_corner: Any, numbering: Any) -> Board:
    columns, rows = size.split("x")
    return Board(int(columns), int(rows), squares, dark_corner, numbering)


def each(mask: int) -> Iterator[int]:
    """Yield the single bits of a bitboard, lowest first."""
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit
