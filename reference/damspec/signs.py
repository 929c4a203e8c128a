"""What a picture of a board is made of: its squares and their names, pieces, arrows and crosses.

A piece lies a little below the middle of its square, so that the name of the square stands above it and neither covers
the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import atan2, degrees

from .board import Board, Side
from .position import Piece

#: The side of a square, in the units of a picture.
UNIT = 40
#: How large the names of squares are; how much lower than the middle a piece lies below one.
LETTER, _LIFT = 14, 4
#: How far a piece reaches from its middle, its line included.
REACH = 13
LIGHT, INK, FRAME = "#f0dcbb", "#241c15", "#4f3320"
DISCS = {"white": ("#fffaf0", "#5c4630"), "black": ("#2b2320", "#d9c7b0")}
_DARK, _MARKED, _NAME = "#96633f", "#d9a72e", "#fffaf2"
_ARROW, _CROSS, _CASING = "#1f5fd0", "#c8202c", "#ffffff"
#: How much room a letter needs that is wider or narrower than the others.
_ROOM = {"m": 14, "w": 14, "f": 6, "i": 6, "j": 6, "l": 6, "r": 7, "t": 7}
#: How wide the frame is on which the names of columns and rows stand.
EDGE = 14


@dataclass(frozen=True)
class Grid:
    """Where the squares of a board lie in a picture; `named` if there are names on them, for which pieces make room."""

    board: Board
    orientation: Side = "white"
    named: bool = True

    @property
    def width(self) -> int:
        return self.board.columns * UNIT

    @property
    def height(self) -> int:
        return self.board.rows * UNIT

    def place(self, column: int, row: int) -> tuple[int, int]:
        """The upper left corner of a column and row, which need be no square of the game."""
        if self.orientation == "black":
            return (self.board.columns - 1 - column) * UNIT, row * UNIT
        return column * UNIT, (self.board.rows - 1 - row) * UNIT

    def corner(self, number: int) -> tuple[int, int]:
        """The upper left corner of a square."""
        return self.place(*self.board.places[number - 1])

    def middle(self, number: int) -> tuple[int, int]:
        """Where a piece lies on a square."""
        x, y = self.corner(number)
        return x + UNIT // 2, y + UNIT // 2 + (_LIFT if self.named else 0)


# --- the board ---------------------------------------------------------------------------------


def squares(sheet: Grid) -> str:
    """All squares, the light ones too."""
    corners = (sheet.corner(number) for number in range(1, len(sheet.board) + 1))
    outline = "".join(f"M{x} {y}h{UNIT}v{UNIT}h-{UNIT}z" for x, y in corners)
    edge = f' stroke="{LIGHT}"' if sheet.board.squares == "all" else ""
    return (
        f'<rect width="{sheet.width}" height="{sheet.height}" fill="{LIGHT}"/>'
        f'<path d="{outline}" fill="{_DARK}"{edge}/>'
    )


def marked(sheet: Grid, number: int) -> str:
    """A square that stands out."""
    x, y = sheet.corner(number)
    return f'<rect x="{x}" y="{y}" width="{UNIT}" height="{UNIT}" fill="{_MARKED}"/>'


def names(sheet: Grid, numbers: Iterable[int], *, letters: bool = False) -> str:
    """The names of squares, each in the upper left of its own: numbers, or letters and numbers.

    Those of a row are one text whose letters have a place each, for there are thousands of pictures.
    """
    board, rows = sheet.board, dict[int, tuple[list[str], str]]()
    for number in numbers:
        x, y = sheet.corner(number)
        name = board.name(number) if letters else str(number)
        places, text = rows.get(y, ([], ""))
        rows[y] = ([*places, *(f"{x + 1 + step}" for step in _steps(name))], text + name)
    texts = (f'<text x="{" ".join(places)}" y="{y + 11}">{text}</text>' for y, (places, text) in rows.items())
    return f"<g {written(_NAME)}{_cased(FRAME)}>{''.join(texts)}</g>"


def _steps(name: str) -> list[int]:
    """Where each letter of a name begins, by the widest fonts that browsers write with."""
    return [0, *accumulate(_ROOM.get(letter, 9) for letter in name[:-1])]


def written(fill: str) -> str:
    """How names are written, as the attributes of a group; by its font-size a style sheet knows such a group."""
    return f'font-size="{LETTER}" font-family="sans-serif" fill="{fill}"'


def _cased(colour: str) -> str:
    """The attributes of what is to be legible on whatever lies below it."""
    return f' stroke="{colour}" stroke-width="2.5" stroke-linejoin="round" paint-order="stroke"'


def edges(sheet: Grid) -> str:
    """The frame at the left and below, with the names of columns and rows as the squares in them have them."""
    named = {}
    for number in range(1, len(sheet.board) + 1):
        (x, y), name = sheet.corner(number), sheet.board.name(number)
        named[f'x="{x + UNIT // 2}" y="{sheet.height + 10}"'] = name[0]
        named[f'x="{-EDGE / 2}" y="{y + UNIT // 2 + 3}"'] = name[1:]
    texts = "".join(f"<text {place}>{name}</text>" for place, name in named.items())
    frame = f"M0,0 H{-EDGE} V{sheet.height + EDGE} H{sheet.width} v{-EDGE} H0 z"
    return (
        f'<path d="{frame}" fill="{FRAME}"/>'
        f'<g font-size="9" font-family="sans-serif" text-anchor="middle" fill="{LIGHT}">{texts}</g>'
    )


# --- what lies on it ---------------------------------------------------------------------------


def piece(kind: Piece, x: int, y: int) -> str:
    """A man or a king."""
    fill, line = DISCS[kind.side]
    disc = f'<circle cx="{x}" cy="{y}" r="{REACH - 1}" fill="{fill}" stroke="{line}" stroke-width="2"/>'
    if kind.kind == "king":
        crown = f"M{x - 8},{y + 6} l-1,-11 l5,5 l4,-8 l4,8 l5,-5 l-1,11 z"
        return disc + f'<path d="{crown}" fill="{line}"/>'
    return disc + f'<circle cx="{x}" cy="{y}" r="7" fill="none" stroke="{line}" stroke-width="1"/>'


def arrow(sheet: Grid, path: Sequence[int], *, dashes: bool) -> str:
    """An arrow through the squares of a path."""
    middles = [sheet.middle(number) for number in path]
    points = " ".join(f"{x},{y}" for x, y in middles)
    line = f'<polyline points="{points}" fill="none" stroke-linejoin="round" stroke'
    dash = ' stroke-dasharray="6 4"' if dashes else ""
    (first_x, first_y), (before_x, before_y), (x, y) = middles[0], middles[-2], middles[-1]
    turn = round(degrees(atan2(y - before_y, x - before_x)))
    edged = f'fill="{_ARROW}" stroke="{_CASING}" stroke-width="1.3"'
    return (
        f'{line}="{_CASING}" stroke-width="6" stroke-opacity="0.85"{dash}/>'
        f'{line}="{_ARROW}" stroke-width="4"{dash}/>'
        f'<circle cx="{first_x}" cy="{first_y}" r="4.3" {edged}/>'
        f'<path d="M-9,-7 L5,0 L-9,7 z" transform="translate({x},{y}) rotate({turn})" {edged}/>'
    )


def crossed(x: int, y: int) -> str:
    """A cross over what is captured."""
    cross = f"M{x - 9},{y - 9} l18,18 M{x - 9},{y + 9} l18,-18"
    return "".join(
        f'<path d="{cross}" stroke="{stroke}" stroke-width="{wide}" stroke-linecap="round"/>'
        for stroke, wide in ((_CASING, 7), (_CROSS, 4))
    )
