"""Drawings of boards for pages: of wood to look at, of paper to read beside a sentence.

Both use the shapes of `symbols.svg`, of which a page contains those that its boards need, once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Literal

from markupsafe import Markup, escape

from damspec import Layout, Position
from damspec.board import Board
from damspec.drawing import describe_position
from damspec.position import slider_letters
from damspec_runner.cases.notation import in_both_notations

from .pages import WrittenAs, in_notation

Paths = tuple[tuple[int, ...], ...]
Look = Literal["wood", "paper"]

#: The side of a square.
_UNIT = 100
#: The width of the frame at the sides of a board with knobs.
_KNOBS = 104
#: Where the knob of a slider stands in its slot.
_NOTCHES = {"L": -25, "M": 0, "R": 25}
_COLOURS = {"green": "#2a9461", "orange": "#ef8a26"}

_ID = re.compile(r' id="([^"]+)"')
_NAMED = re.compile(r"#([a-z]+(?:-[a-z]+)*)")


@dataclass(frozen=True)
class Picture:
    """A board on a page: a position, with paths and squares marked on it.

    `arrows` are moves, `dashed` those that were possible, `forbidden` those that are not allowed; `crosses` are on
    pieces taken, `falls` are squares of pieces that fall through an open door, and `marked` squares those of a last
    move. Paper shows the squares `around`, or else those of pieces that fall, or else those with pieces and marks, and
    at `least` so many columns and rows. What a player reads is drawn, with the text alternative `words`; a long list
    of positions is drawn by a script where it is seen, and without scripts read as FEN.
    """

    position: Position
    layout: Layout | None = None
    arrows: Paths = ()
    dashed: Paths = ()
    crosses: tuple[int, ...] = ()
    falls: tuple[int, ...] = ()
    marked: tuple[int, ...] = ()
    forbidden: Paths = ()
    around: tuple[int, ...] = ()
    least: tuple[int, int] = (3, 3)
    knobs: tuple[str, ...] = ()
    says: str = ""
    words: str = ""

    @property
    def board(self) -> Board:
        """The board of the position."""
        return self.position.board

    @property
    def geometry(self) -> str:
        """The board in the words of the rules, and the layout of its trapdoors, for the script."""
        board, layout = self.board, self.layout or (self.position.layout if self.position.sliders else None)
        words = f"{board.columns}x{board.rows} {board.squares} {board.dark_corner} {board.numbering}"
        return f"{words} {layout.id}" if layout else words

    @property
    def marks(self) -> Mapping[str, str]:
        """What is drawn besides the position and what is said of it, for the script."""
        found = {
            "arrows": " ".join("-".join(map(str, path)) for path in self.arrows),
            "dashed": " ".join("-".join(map(str, path)) for path in self.dashed),
            "crosses": " ".join(map(str, self.crosses)),
            "squares": " ".join(map(str, self.marked)),
            "says": self.says,
        }
        return {name: text for name, text in found.items() if text}

    @property
    def look(self) -> tuple[object, ...]:
        """What is seen. Pictures with the same look are drawn alike, whatever is said of them."""
        position = self.position
        pieces = position.white_men, position.white_kings, position.black_men, position.black_kings, position.sliders
        marks = self.arrows, self.dashed, self.forbidden, self.crosses, self.falls, self.marked
        return self.board, pieces, self.layout, marks

    @property
    def alt(self) -> str:
        """The text alternative."""
        return self.words or f"{describe_position(self.position, self.layout)}. {self.says}".strip()

    @property
    def marked_squares(self) -> set[int]:
        """The squares with a mark."""
        paths = (square for path in (*self.arrows, *self.dashed, *self.forbidden) for square in path)
        return {*paths, *self.crosses, *self.marked}

    @property
    def touched(self) -> set[int]:
        """The squares that a drawing of paper shows at least."""
        return {*(self.around or self.falls)} or {*self.position, *self.marked_squares}

    def width(self, usual: int) -> int:
        """Return the width at which squares are as large as on eight columns in the usual width."""
        return usual * self.board.columns // 8


@dataclass(frozen=True)
class _Part:
    """A part of a board, from a column and row up to others, seen by White."""

    board: Board
    left: int
    bottom: int
    right: int
    top: int

    @property
    def columns(self) -> int:
        return self.right - self.left + 1

    @property
    def rows(self) -> int:
        return self.top - self.bottom + 1

    def corner(self, square: int) -> tuple[int, int]:
        """Return the upper left corner of a square."""
        column, row = self.board.places[square - 1]
        return column * _UNIT, (self.board.rows - 1 - row) * _UNIT

    def middle(self, square: int) -> tuple[int, int]:
        """Return the middle of a square."""
        x, y = self.corner(square)
        return x + _UNIT // 2, y + _UNIT // 2

    def has(self, square: int) -> bool:
        """Return whether a square is in this part."""
        column, row = self.board.places[square - 1]
        return self.left <= column <= self.right and self.bottom <= row <= self.top

    @property
    def squares(self) -> list[int]:
        """The playable squares."""
        return [number for number in range(1, len(self.board) + 1) if self.has(number)]

    @property
    def box(self) -> tuple[int, int, int, int]:
        """Left, upper edge, width and height."""
        upper = (self.board.rows - 1 - self.top) * _UNIT
        return self.left * _UNIT, upper, self.columns * _UNIT, self.rows * _UNIT


def draw(
    picture: Picture,
    look: Look,
    notation: WrittenAs = "numbers",
    *,
    whole: bool = False,
    plain: bool = False,
    named: bool = False,
) -> Markup:
    """Draw a board; of paper only the squares that matter and those around them, unless it is `whole`.

    A `plain` board of wood has neither knobs in its frame nor names of squares; one of paper has the names of empty
    squares with marks if it is `named`.
    """
    position, board, layout = picture.position, picture.board, picture.layout
    part = _cropped(picture) if look == "paper" and not whole else _Part(board, 0, 0, board.columns - 1, board.rows - 1)
    letters = slider_letters(layout, position) if layout else ""
    marked = sorted(picture.marked_squares - {*position}) if named else []
    names = part.squares if look == "wood" and layout and not plain else marked
    doors = {square for slider in (layout.sliders if layout else ()) for square in (slider.left, slider.right)}
    shown = replace(picture, layout=None) if plain else picture
    ground, left, upper, width, height = (_wood if look == "wood" else _paper)(part, shown, letters)
    drawn = [
        *(_use("gold-square", *part.corner(square)) for square in picture.marked),
        *(_doors(part, layout, letters, look) if layout else ()),
        *(_name(part, square, notation, square in doors) for square in names),
        *_pieces(picture, part, look),
        *(_arrow(part, path, "would") for path in _lines(board, picture.dashed)),
        *(_arrow(part, path, "not") for path in _lines(board, picture.forbidden)),
        *(_arrow(part, path) for path in _lines(board, picture.arrows)),
        *(_use("cross", *part.corner(square)) for square in picture.crosses),
    ]
    size = f'viewBox="{left} {upper} {width} {height}" style="--columns:{part.columns};--rows:{part.rows}"'
    label = f'role="img" aria-label="{escape(picture.alt)}"'
    return Markup(f'<svg class="bd {look}" {size} {label}>{ground}{"".join(drawn)}</svg>')


def shown_columns(pictures: Iterable[Picture]) -> int:
    """Return how many columns drawings of paper show together."""
    return sum(_cropped(picture).columns for picture in pictures)


def alike(pictures: Sequence[Picture]) -> tuple[Picture, ...]:
    """Return pictures of which paper shows as many columns and rows."""
    parts = [_cropped(picture) for picture in pictures]
    least = max(part.columns for part in parts), max(part.rows for part in parts)
    return tuple(replace(picture, least=least) for picture in pictures)


def shapes(drawn: str) -> list[str]:
    """Return what drawings refer to shapes by, so that a page that a script draws on has them too."""
    return sorted(f"#{id}" for id in {*_NAMED.findall(drawn)} & {*_symbols()})


def symbols(html: str) -> Markup:
    """Return the shapes that the drawings of a page use."""
    known, found = _symbols(), dict[str, str]()
    missing = {*_NAMED.findall(html)} & {*known}
    while missing:
        id = missing.pop()
        found[id] = known[id]
        missing |= ({*_NAMED.findall(known[id])} & {*known}) - {*found}
    shapes = "".join(known[id] for id in known if id in found)
    return Markup(f'<svg class="symbols" width="0" height="0" aria-hidden="true">{shapes}</svg>' if shapes else "")


@cache
def _symbols() -> dict[str, str]:
    """Return the lines of `symbols.svg` by id, in order."""
    text = (Path(__file__).parent / "symbols.svg").read_text(encoding="utf-8")
    return {found[1]: line for line in text.splitlines() if (found := _ID.search(line))}


def _cropped(picture: Picture) -> _Part:
    """Return the part of a board with the squares that matter and one more on each side; all of it without any."""
    board = picture.board
    places = [board.places[square - 1] for square in picture.touched] or [(0, 0), (board.columns - 1, board.rows - 1)]
    (left, right), (bottom, top) = (
        _span(min(each), max(each), size, least)
        for each, size, least in zip(zip(*places, strict=True), (board.columns, board.rows), picture.least, strict=True)
    )
    return _Part(board, left, bottom, right, top)


def _span(low: int, high: int, size: int, least: int) -> tuple[int, int]:
    """Widen a range by one at each end, and to the least width, within a size."""
    low, high = max(low - 1, 0), min(high + 1, size - 1)
    while high - low + 1 < min(least, size):
        low, high = (low - 1, high) if low else (low, high + 1)
    return low, high


def _outline(part: _Part) -> str:
    """Return the outlines of the playable squares as a path."""
    return "".join("M{} {}h100v100h-100z".format(*part.corner(square)) for square in part.squares)


def _paper(part: _Part, picture: Picture, letters: str) -> tuple[str, int, int, int, int]:
    """Draw hatched squares and the edge of the board, as far as it is seen; all playable squares have outlines."""
    (x, y, width, height), board = part.box, part.board
    outline = _outline(part)
    squares = (
        f'<path class="grid" d="{outline}"/>'
        if board.squares == "all"
        else f'<path class="dark" d="{outline}"/><path fill="url(#hatch)" d="{outline}"/>'
    )
    ground = (
        f'<rect class="light" x="{x}" y="{y}" width="{width}" height="{height}"/>{squares}'
        f'<rect class="edge" width="{board.columns * _UNIT}" height="{board.rows * _UNIT}"/>'
    )
    left, upper = x - 5 * (part.left == 0), y - 5 * (part.top == board.rows - 1)
    right, lower = x + width + 5 * (part.right == board.columns - 1), y + height + 5 * (part.bottom == 0)
    return ground, left, upper, right - left, lower - upper


def _wood(part: _Part, picture: Picture, letters: str) -> tuple[str, int, int, int, int]:
    """Draw a whole board in its frame, with knobs if it has trapdoors; return it with its left, top, width, height."""
    (_, _, width, height), layout = part.box, picture.layout
    frame = 4 * part.columns + 2
    side = _KNOBS if layout else frame
    outline = _outline(part)
    all_wood = f'x="{-side}" y="{-frame}" width="{width + 2 * side}" height="{height + 2 * frame}"'
    inner = f'x="{3 - side}" y="{3 - frame}" width="{width + 2 * side - 6}" height="{height + 2 * frame - 6}"'
    mitres = f"M{-side} {-frame}L0 0M{width + side} {-frame}L{width} 0M{-side} {height + frame}L0 {height}"
    mitres += f"M{width + side} {height + frame}L{width} {height}"
    whole = f'<rect width="{width}" height="{height}" fill="url(#{{}})"/>'.format
    squares = (
        f'<path d="{outline}" fill="none" stroke="#6b4020" stroke-width="4"/>'
        if part.board.squares == "all"
        else f'<path d="{outline}" fill="url(#dark-wood)"/><path d="{outline}" fill="url(#grain)"/>'
    )
    drawn = (
        f'<rect {all_wood} rx="14" fill="url(#walnut)"/><rect {all_wood} rx="14" fill="url(#grain)"/>'
        f'<path d="{"" if layout else mitres}" stroke="#2a170b" stroke-opacity=".45" stroke-width="2"/>'
        f'<rect {inner} rx="11" fill="none" stroke="#fff" stroke-opacity=".13" stroke-width="3"/>'
        f'<rect x="-8" y="-8" width="{width + 16}" height="{height + 16}" fill="#2a170b"/>'
        f'<rect x="-5" y="-5" width="{width + 10}" height="{height + 10}" fill="#d9b877"/>'
        f"{whole('maple')}{whole('grain-down')}{squares}{whole('lamp')}"
        f'<path d="M0 0H{width}M0 0V{height}" stroke="#1c0f06" stroke-opacity=".55" stroke-width="7"/>'
    )
    knobs = "".join(_knobs(part, layout, picture.knobs, letters)) if layout else ""
    return drawn + knobs, -side, -frame, width + 2 * side, height + 2 * frame


def _knobs(part: _Part, layout: Layout, names: Sequence[str], letters: str) -> Iterator[str]:
    """Draw the knobs in the frame, left and right in turn, each with an inlaid line to its two doors."""
    _, _, width, _ = part.box
    named = names or [slider.id for slider in layout.sliders]
    for place, (slider, letter) in enumerate(zip(layout.sliders, letters, strict=True)):
        (left, y), (right, _) = part.corner(slider.left), part.corner(slider.right)
        line = f"M0 {y + 97}H{right + 90}" if place % 2 == 0 else f"M{left + 10} {y + 97}H{width}"
        yield f'<path d="{line}" stroke="{_COLOURS[slider.colour]}" stroke-width="4" stroke-opacity=".85"/>'
        x = (-54 if place % 2 == 0 else width + 54) + _NOTCHES[letter]
        slot = _use("slot", x - _NOTCHES[letter] - 50, y + 14, 100, 72)
        knob = _use(f"knob-{slider.colour}", x - 26, y + 12, 54, 80)
        yield f'{slot}{knob}<text class="knob" x="{x}" y="{y + 58}">{named[place]}</text>'


def _doors(part: _Part, layout: Layout, letters: str, look: Look) -> Iterator[str]:
    for slider, letter in zip(layout.sliders, letters, strict=True):
        for square in filter(part.has, (slider.left, slider.right)):
            corner = part.corner(square)
            if square == slider.door(letter):
                yield _use(f"pit-{slider.colour}", *corner)
            else:
                yield (_use(f"leaf-{slider.colour}", *corner) if look == "wood" else "") + _use(
                    f"door-{slider.colour}", *corner
                )


def _use(symbol: str, x: int, y: int, width: int = _UNIT, height: int = _UNIT, attributes: str = "") -> str:
    return f'<use href="#{symbol}" x="{x}" y="{y}" width="{width}" height="{height}"{attributes}/>'


def _pieces(picture: Picture, part: _Part, look: Look) -> Iterator[str]:
    for square, piece in picture.position.pieces():
        if part.has(square):
            (x, y), symbol = part.corner(square), f"{look[0]}-{piece.kind[0]}{piece.side[0]}"
            if square in picture.falls:
                yield _use(symbol, x + 18, y + 22, 64, 64, ' class="falls"')
            else:
                yield _use(symbol, x, y, attributes=' class="taken"' if square in picture.crosses else "")


def _name(part: _Part, square: int, notation: WrittenAs, inside: bool) -> str:
    """Draw the name of a square in its corner, or `inside` the frame of the door that it is."""
    x, y = part.corner(square)
    shown, other = in_notation(in_both_notations(str(square), part.board), notation)
    x, y = (x + 21, y + 37) if inside else (x + 7, y + 25)
    return f'<text class="nr squares" {other} x="{x}" y="{y}">{shown}</text>'


def _lines(board: Board, paths: Paths) -> list[tuple[int, ...]]:
    """Return paths, those of a piece to several squares of a line as one that stops on each of them."""

    def passed(path: Sequence[int]) -> list[int]:
        return [board.number(bit) for bit in board.between(path[-2], path[-1]) or ()]

    stops = {(*path[:-1], square) for path in paths for square in passed(path)}
    return [
        (*path[:-1], *(square for square in passed(path) if (*path[:-1], square) in paths), path[-1])
        for path in paths
        if path not in stops
    ]


def _arrow(part: _Part, path: Sequence[int], kind: str = "") -> str:
    """Draw an arrow from the edge of a piece to the middle of the last square, with a dot at each landing between."""
    start, *between, end = (complex(*part.middle(square)) for square in path)
    first, last = [*between, end][0] - start, end - [start, *between][-1]
    out, along = first / abs(first), last / abs(last)
    line = _points(start + 38 * out, *between, end - 34 * along)
    head = _points(end - 4 * along, end - (40 - 24j) * along, end - (40 + 24j) * along)
    dots = "".join(f'<circle cx="{dot.real:.0f}" cy="{dot.imag:.0f}" r="13"/>' for dot in between)
    return (
        f'<g class="{f"arrow {kind}".strip()}"><polyline class="casing" points="{line}"/>'
        f'<polygon class="casing" points="{head}"/><polyline points="{line}"/><polygon points="{head}"/>{dots}</g>'
    )


def _points(*points: complex) -> str:
    return " ".join(f"{point.real:.0f},{point.imag:.0f}" for point in points)
