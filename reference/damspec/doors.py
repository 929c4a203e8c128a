"""Trapdoors in a picture: doors with the name of their slider, sliders where they stand, and the signs of a legend.

A slider lies on a square that is none of the game, the nearest to the middle between its doors, so that no piece can be
below it. Where all squares are of the game, the sliders lie in a strip below the board.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from .layout import Layout, Slider
from .signs import UNIT, Grid, written

COLOURS = {"green": "#35b56e", "orange": "#ff9d2e"}
_LINE, _HOLE, _FLAP, _SLOT = "#1d140c", "#0b0705", "#5b4330", "#3a2a1c"
#: How far a slider's handle lies from the middle of its slot.
_AWAY = {"L": -8, "M": 0, "R": 8}

Sign = Literal["shut", "open", "slider", "disc", "green", "orange", "both"]


def strip(sheet: Grid, layout: Layout) -> int:
    """How high the strip below a board is, where no square is left for sliders."""
    return -(-len(layout.sliders) // sheet.board.columns) * UNIT if sheet.board.squares == "all" else 0


def doors(sheet: Grid, layout: Layout, letters: str) -> str:
    """The doors of a layout whose sliders stand as the letters say."""
    return "".join(
        _door(*sheet.corner(square), slider.colour, is_open=square == slider.door(letter))
        for slider, letter in zip(layout.sliders, letters, strict=True)
        for square in (slider.left, slider.right)
    )


def tags(sheet: Grid, layout: Layout) -> str:
    """The name of its slider on each door."""
    found = (_tag(*sheet.corner(square), slider) for slider in layout.sliders for square in (slider.left, slider.right))
    return f"<g {_bold()}>{''.join(found)}</g>"


def sliders(sheet: Grid, layout: Layout, letters: str) -> str:
    """The slots with the handles, where they stand."""
    placed = [*zip(layout.sliders, letters, spots(sheet, layout), strict=True)]
    handles = "".join(_slider(*spot, slider.colour, _away(sheet, letter)) for slider, letter, spot in placed)
    labels = "".join(_name(x + UNIT // 2 + _away(sheet, letter), y + 25, slider) for slider, letter, (x, y) in placed)
    return f"{handles}<g {_bold()}>{labels}</g>"


def spots(sheet: Grid, layout: Layout) -> Sequence[tuple[int, int]]:
    """The corner of the place of each slider, in their order."""
    board = sheet.board
    if board.squares == "all":
        return [
            (place % board.columns * UNIT, sheet.height + place // board.columns * UNIT)
            for place in range(len(layout.sliders))
        ]
    free = {(column, row) for column in range(board.columns) for row in range(board.rows)} - {*board.places}
    found = []
    for slider in layout.sliders:
        (left, low), (right, high) = board.places[slider.left - 1], board.places[slider.right - 1]
        column, row = (left + right) / 2, (low + high) / 2

        def farness(spot: tuple[int, int], column: float = column, row: float = row) -> tuple[float, ...]:
            """How far it is, along the column rather than the row, and away from the middle of the board."""
            aside, along = abs(spot[0] - column), abs(spot[1] - row)
            return aside**2 + along**2, aside, -abs(2 * spot[1] - board.rows + 1), *spot

        spot = min(free, key=farness)
        free.remove(spot)
        found.append(sheet.place(*spot))
    return found


def sign(kind: Sign, colour: str = "green", size: int = 30) -> str:
    """A sign of the legend as a picture of its own, which says nothing to those who do not see it.

    A door that is shut or open, a slider, or what the spinner shows: a disc, or one or both colours.
    """
    signs = {
        "shut": lambda: _door(0, 0, colour, is_open=False),
        "open": lambda: _door(0, 0, colour, is_open=True),
        "slider": lambda: _slider(0, 0, colour, 0),
        "disc": lambda: f'<circle cx="20" cy="20" r="13" fill="#fffaf0" stroke="{_LINE}" stroke-width="2"/>',
        "green": lambda: _spot(11, "green"),
        "orange": lambda: _spot(11, "orange"),
        "both": lambda: _spot(1, "green") + _spot(21, "orange"),
    }
    ground = f'<rect width="{UNIT}" height="{UNIT}" fill="#96633f"/>' if kind in ("shut", "open") else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" aria-hidden="true" viewBox="0 0 {UNIT} {UNIT}"'
        f' width="{size}" height="{size}">{ground}{signs[kind]()}</svg>'
    )


def _away(sheet: Grid, letter: str) -> int:
    return -_AWAY[letter] if sheet.orientation == "black" else _AWAY[letter]


def _door(x: int, y: int, colour: str, *, is_open: bool) -> str:
    frame = f'<rect x="{x + 3}" y="{y + 3}" width="34" height="34" rx="4"'
    if not is_open:
        return f'{frame} fill="none" stroke="{COLOURS[colour]}" stroke-width="3" stroke-dasharray="5 3"/>'
    flap = f"M{x + 7},{y + 33} V{y + 15} L{x + 14},{y + 21} V{y + 33} z"
    return f'{frame} fill="{_HOLE}" stroke="{COLOURS[colour]}" stroke-width="4"/><path d="{flap}" fill="{_FLAP}"/>'


def _tag(x: int, y: int, slider: Slider) -> str:
    return (
        f'<rect x="{x + 19}" y="{y}" width="21" height="11" rx="2" fill="{COLOURS[slider.colour]}"/>'
        f"{_name(x + 29.5, y + 10.5, slider)}"
    )


def _name(x: float, y: float, slider: Slider) -> str:
    """The name of a slider, as wide as its handle has room for."""
    return f'<text x="{x}" y="{y}" textLength="18" lengthAdjust="spacingAndGlyphs">{slider.id}</text>'


def _slider(x: int, y: int, colour: str, away: int) -> str:
    return (
        f'<rect x="{x + 1}" y="{y + 15}" width="38" height="10" rx="5" fill="{_SLOT}"/>'
        f'<rect x="{x + 9 + away}" y="{y + 11}" width="22" height="18" rx="4" fill="{COLOURS[colour]}"'
        f' stroke="{_LINE}" stroke-width="1.5"/>'
    )


def _spot(x: int, colour: str) -> str:
    return f'<rect x="{x}" y="11" width="18" height="18" rx="4" fill="{COLOURS[colour]}" stroke="{_LINE}"/>'


def _bold() -> str:
    return f'{written(_LINE)} font-weight="bold" text-anchor="middle"'
