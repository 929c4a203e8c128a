"""Diagrams of positions: SVG pictures, text boards, and descriptions in words.

A piece lies a little below the middle of its square, so that the square's name stands above it and neither covers the
other. A slider lies on a square that is not playable, the nearest to the middle between its two doors, so that no piece
can be below it; where all squares are playable, the sliders lie in a strip below the board.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from html import escape
from itertools import accumulate
from math import atan2, degrees
from types import MappingProxyType
from typing import Literal, get_args

from .board import SIDES, Board, Side
from .errors import ArgumentError, ArgumentTypeError, PositionError, expect, expect_number, expect_word, quote_any
from .layout import Layout, Slider
from .move import Action, Move, Spin
from .position import Piece, Position, slider_letters

#: The side of a square, in the picture's own units.
UNIT = 40
#: The font size of square names, which leaves them in the corner beside a piece; then of sliders' names.
LETTER, _LABEL = 7, 14
#: The radius of a piece, its outline included: four fifths of a square are its width.
REACH = 16
#: How far the upper disc of a king lies above the lower one.
_RAISED = 5
LIGHT, DARK, ARROW, INK = "#f0dcbb", "#96633f", "#1f5fd0", "#241c15"
DISCS = {"white": ("#fffaf0", "#5c4630"), "black": ("#2b2320", "#d9c7b0")}
_CASING = "#ffffff"
#: The widths of letters that are wider or narrower than the others.
_ROOM = {"m": 7, "w": 7, "f": 3, "i": 3, "j": 3, "l": 3, "r": 3.5, "t": 3.5}
#: The width of the frame for the coordinates.
EDGE = 14
#: A colour as SVG writes it: `#` and hexadecimal digits, or a name.
_COLOUR = re.compile("#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})|[a-zA-Z]{3,30}")


@dataclass(frozen=True)
class Palette:
    """The colours of a picture: of squares, their names, pieces and their lines, marks and the frame."""

    light: str = LIGHT
    dark: str = DARK
    highlight: str = "#d9a72e"
    number: str = "#fffaf2"
    white: str = DISCS["white"][0]
    white_line: str = DISCS["white"][1]
    black: str = DISCS["black"][0]
    black_line: str = DISCS["black"][1]
    arrow: str = ARROW
    cross: str = "#c8202c"
    frame: str = "#4f3320"

    @classmethod
    def of(cls, colours: Mapping[str, str]) -> Palette:
        """Return the default colours with some replaced, by the names of the fields. Raises ArgumentError."""
        expect(colours, "colours", Mapping, "a mapping of names such as 'dark' to colours such as '#96633f'")
        names = tuple(each.name for each in fields(cls))
        for name, colour in colours.items():
            expect_word(name, "colours", names)
            expect(colour, name, str, "a colour such as '#96633f'")
            if not _COLOUR.fullmatch(colour):
                raise ArgumentError(f"{name}: found {quote_any(colour)}, expected a colour such as '#96633f' or 'navy'")
        return cls(**colours)

    def disc(self, side: Side) -> tuple[str, str]:
        """Return the colours of a side's pieces and of their lines."""
        return (self.white, self.white_line) if side == "white" else (self.black, self.black_line)


@dataclass(frozen=True)
class Grid:
    """The layout of a board's squares in a picture, and its colours."""

    board: Board
    orientation: Side = "white"
    colours: Palette = Palette()

    @property
    def width(self) -> int:
        return self.board.columns * UNIT

    @property
    def height(self) -> int:
        return self.board.rows * UNIT

    def place(self, column: int, row: int) -> tuple[int, int]:
        """Return the upper left corner of a column and row, playable or not."""
        if self.orientation == "black":
            return (self.board.columns - 1 - column) * UNIT, row * UNIT
        return column * UNIT, (self.board.rows - 1 - row) * UNIT

    def corner(self, number: int) -> tuple[int, int]:
        """Return the upper left corner of a square."""
        return self.place(*self.board.places[number - 1])

    def middle(self, number: int) -> tuple[int, int]:
        """Return the centre of a piece on a square."""
        x, y = self.corner(number)
        return x + UNIT // 2, y + UNIT // 2


# --- the board ---------------------------------------------------------------------------------


def draw_squares(sheet: Grid) -> str:
    """Draw all squares, the light ones too."""
    corners = (sheet.corner(number) for number in range(1, len(sheet.board) + 1))
    outline = "".join(f"M{x} {y}h{UNIT}v{UNIT}h-{UNIT}z" for x, y in corners)
    light, dark = sheet.colours.light, sheet.colours.dark
    edge = f' stroke="{light}"' if sheet.board.squares == "all" else ""
    return (
        f'<rect width="{sheet.width}" height="{sheet.height}" fill="{light}"/><path d="{outline}" fill="{dark}"{edge}/>'
    )


def draw_mark(sheet: Grid, number: int) -> str:
    """Highlight a square."""
    x, y = sheet.corner(number)
    return f'<rect x="{x}" y="{y}" width="{UNIT}" height="{UNIT}" fill="{sheet.colours.highlight}"/>'


def square_names(sheet: Grid, numbers: Iterable[int], *, letters: bool = False) -> str:
    """Draw the names of squares, numbers or algebraic names, each at the upper left of its square.

    The names of a row are a single text element with a position for each letter, to keep pictures small.
    """
    board, rows = sheet.board, dict[int, tuple[list[str], str]]()
    for number in numbers:
        x, y = sheet.corner(number)
        name = board.name(number) if letters else str(number)
        places, text = rows.get(y, ([], ""))
        rows[y] = ([*places, *(f"{x + 0.5 + step:g}" for step in _letter_offsets(name))], text + name)
    texts = (f'<text x="{" ".join(places)}" y="{y + 5.6:g}">{text}</text>' for y, (places, text) in rows.items())
    return f'<g {written_numbers(sheet.colours.number)} fill-opacity="0.8">{"".join(texts)}</g>'


def _letter_offsets(name: str) -> list[float]:
    """Return the horizontal offset of each letter of a name, wide enough for the widest common browser fonts."""
    return [0, *accumulate(_ROOM.get(letter, 4.5) for letter in name[:-1])]


def written_numbers(fill: str, size: int = LETTER) -> str:
    """Return the attributes of a group of names; style sheets recognise such a group by its font-size."""
    return f'font-size="{size}" font-family="sans-serif" fill="{fill}"'


def draw_edges(sheet: Grid) -> str:
    """Draw the frame at the left and below, with the coordinates of columns and rows."""
    named = {}
    for number in range(1, len(sheet.board) + 1):
        (x, y), name = sheet.corner(number), sheet.board.name(number)
        named[f'x="{x + UNIT // 2}" y="{sheet.height + 10}"'] = name[0]
        named[f'x="{-EDGE / 2}" y="{y + UNIT // 2 + 3}"'] = name[1:]
    texts = "".join(f"<text {place}>{name}</text>" for place, name in named.items())
    frame = f"M0,0 H{-EDGE} V{sheet.height + EDGE} H{sheet.width} v{-EDGE} H0 z"
    return (
        f'<path d="{frame}" fill="{sheet.colours.frame}"/>'
        f'<g font-size="9" font-family="sans-serif" text-anchor="middle" fill="{sheet.colours.light}">{texts}</g>'
    )


# --- pieces and marks --------------------------------------------------------------------------


def draw_piece(sheet: Grid, number: int, piece: Piece) -> str:
    """Draw a man or a king on a square."""
    (x, y), (fill, line) = sheet.middle(number), sheet.colours.disc(piece.side)
    if piece.kind == "king":
        heights = (y + _RAISED / 2, y - _RAISED / 2)
        discs = "".join(_disc(x, height, REACH - _RAISED / 2, fill, line) for height in heights)
        return f'{discs}<circle cx="{x}" cy="{heights[1]}" r="5" fill="{line}"/>'
    return f'{_disc(x, y, REACH, fill, line)}<circle cx="{x}" cy="{y}" r="9" fill="none" stroke="{line}"/>'


def _disc(x: int, y: float, radius: float, fill: str, line: str) -> str:
    return f'<circle cx="{x}" cy="{y}" r="{radius - 1}" fill="{fill}" stroke="{line}" stroke-width="2"/>'


def draw_arrow(sheet: Grid, path: Sequence[int], *, dashes: bool) -> str:
    """Draw an arrow through the squares of a path."""
    middles = [sheet.middle(number) for number in path]
    points = " ".join(f"{x},{y}" for x, y in middles)
    line = f'<polyline points="{points}" fill="none" stroke-linejoin="round" stroke'
    dash = ' stroke-dasharray="6 4"' if dashes else ""
    (first_x, first_y), (before_x, before_y), (x, y) = middles[0], middles[-2], middles[-1]
    turn = round(degrees(atan2(y - before_y, x - before_x)))
    edged = f'fill="{sheet.colours.arrow}" stroke="{_CASING}" stroke-width="1.3"'
    return (
        f'{line}="{_CASING}" stroke-width="6" stroke-opacity="0.85"{dash}/>'
        f'{line}="{sheet.colours.arrow}" stroke-width="4"{dash}/>'
        f'<circle cx="{first_x}" cy="{first_y}" r="4.3" {edged}/>'
        f'<path d="M-9,-7 L5,0 L-9,7 z" transform="translate({x},{y}) rotate({turn})" {edged}/>'
    )


def draw_cross(sheet: Grid, number: int) -> str:
    """Draw a cross over a captured piece."""
    x, y = sheet.middle(number)
    cross = f"M{x - 9},{y - 9} l18,18 M{x - 9},{y + 9} l18,-18"
    return "".join(
        f'<path d="{cross}" stroke="{stroke}" stroke-width="{wide}" stroke-linecap="round"/>'
        for stroke, wide in ((_CASING, 7), (sheet.colours.cross, 4))
    )


COLOURS = {"green": "#35b56e", "orange": "#ff9d2e"}
_LINE, _HOLE, _FLAP, _SLOT = "#1d140c", "#0b0705", "#5b4330", "#3a2a1c"
#: The offset of a slider's handle from the middle of its slot.
_AWAY = {"L": -8, "M": 0, "R": 8}


def strip_height(sheet: Grid, layout: Layout) -> int:
    """Return the height of the strip for sliders below the board; 0 where they lie on unplayable squares."""
    return -(-len(layout.sliders) // sheet.board.columns) * UNIT if sheet.board.squares == "all" else 0


def draw_doors(sheet: Grid, layout: Layout, letters: str) -> str:
    """Draw the doors of a layout whose sliders stand as `letters` say."""
    return "".join(
        _door(*sheet.corner(square), slider.colour, is_open=square == slider.door(letter))
        for slider, letter in zip(layout.sliders, letters, strict=True)
        for square in (slider.left, slider.right)
    )


def draw_door_tags(sheet: Grid, layout: Layout) -> str:
    """Draw the name of its slider on each door."""
    found = (_tag(*sheet.corner(square), slider) for slider in layout.sliders for square in (slider.left, slider.right))
    return f"<g {_bold_attributes(LETTER)}>{''.join(found)}</g>"


def draw_sliders(sheet: Grid, layout: Layout, letters: str) -> str:
    """Draw the sliders' slots, with the handles where they stand."""
    placed = [*zip(layout.sliders, letters, door_spots(sheet, layout), strict=True)]
    handles = "".join(_slider(*spot, slider.colour, _away(sheet, letter)) for slider, letter, spot in placed)
    labels = "".join(
        _slider_label(x + UNIT // 2 + _away(sheet, letter), y + 25, slider, 18) for slider, letter, (x, y) in placed
    )
    return f"{handles}<g {_bold_attributes(_LABEL)}>{labels}</g>"


def door_spots(sheet: Grid, layout: Layout) -> Sequence[tuple[int, int]]:
    """Return the upper left corner of each slider's slot, in the order of the layout."""
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
            """Rank a spot by distance, preferring those in line with the column and far from the middle row."""
            aside, along = abs(spot[0] - column), abs(spot[1] - row)
            return aside**2 + along**2, aside, -abs(2 * spot[1] - board.rows + 1), *spot

        spot = min(free, key=farness)
        free.remove(spot)
        found.append(sheet.place(*spot))
    return found


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
        f'<rect x="{x + 29}" y="{y}" width="11" height="6" rx="2" fill="{COLOURS[slider.colour]}"/>'
        f"{_slider_label(x + 34.5, y + 5.6, slider, 9)}"
    )


def _slider_label(x: float, y: float, slider: Slider, width: int) -> str:
    """Draw the name of a slider, fitted to a width."""
    return f'<text x="{x}" y="{y}" textLength="{width}" lengthAdjust="spacingAndGlyphs">{slider.id}</text>'


def _slider(x: int, y: int, colour: str, away: int) -> str:
    return (
        f'<rect x="{x + 1}" y="{y + 15}" width="38" height="10" rx="5" fill="{_SLOT}"/>'
        f'<rect x="{x + 9 + away}" y="{y + 11}" width="22" height="18" rx="4" fill="{COLOURS[colour]}"'
        f' stroke="{_LINE}" stroke-width="1.5"/>'
    )


def _bold_attributes(size: int) -> str:
    return f'{written_numbers(_LINE, size)} font-weight="bold" text-anchor="middle"'


# --- in words ----------------------------------------------------------------------------------


def describe_position(position: Position, layout: Layout | None = None) -> str:
    """Describe the position in words, for readers who do not see the board.

    Given a layout, the description names the open doors and their sliders.

    >>> describe_position(Position.from_fen("W:W21,K30:B10,17", Board(8, 8)))
    'White to move: White man 21, king 30; Black men 10, 17'
    """
    parts = [_describe_side(position, "white"), _describe_side(position, "black"), *_describe_state(position, layout)]
    return f"{position.turn.capitalize()} to move: {'; '.join(parts)}"


def _describe_side(position: Position, side: Side) -> str:
    kinds = []
    for one, many, mask in (("man", "men", position.men(side)), ("king", "kings", position.kings(side))):
        numbers = position.board.numbers(mask)
        if numbers:
            kinds.append(f"{one if len(numbers) == 1 else many} {', '.join(map(str, numbers))}")
    return f"{side.capitalize()} {', '.join(kinds) or 'has no pieces'}"


def _describe_state(position: Position, layout: Layout | None) -> Iterator[str]:
    """Yield in words the state of a position beyond its pieces: doors, spin, huffing and king runs."""
    letters = position.sliders or ""
    if layout is not None:
        standing = zip(layout.sliders, letters, strict=False)
        moved = [f"{slider.id} open on {door}" for slider, letter in standing if (door := slider.door(letter))]
        yield f"doors {', '.join(moved)}" if moved else "all doors shut"
    elif letters:
        yield f"sliders {letters}"
    if position.spin:
        yield "a spin is due" if position.spin == "due" else f"the spin gave {position.spin}"
    if position.huffable:
        yield f"the last move, {position.huffable}, left a capture"
    if position.compelled:
        yield "a capture has to be made"
    for side in SIDES:
        if run := position.run(side):
            yield f"the {side} king on {run.square} has moved {_times(run.moves)} in a row"


def _times(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


# --- as a picture ------------------------------------------------------------------------------

#: The line below a board: its height, its background, and the maximum length of an action in it.
_STATE, _PAPER, _MOST = 24, "#f7efe2", 26
#: The smallest legible size of square names, in pixels; smaller ones are hidden.
LEGIBLE = 4

SquareNames = Literal["numbers", "letters", "either"]


def svg(
    position: Position,
    *,
    lastmove: Action | None = None,
    arrows: Iterable[Sequence[int]] = (),
    squares: Iterable[int] = (),
    orientation: Side = "white",
    size: int = 320,
    numbers: bool = True,
    dashed: Iterable[Sequence[int]] = (),
    crosses: Iterable[int] = (),
    layout: Layout | None = None,
    coordinates: bool = False,
    title: str | None = None,
    state: bool = False,
    board: bool = True,
    notation: SquareNames = "numbers",
    colours: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Draw the board as an SVG picture, `size` pixels wide, with the side of `orientation` at the bottom.

    `squares` are highlighted, as are the start and end of `lastmove`; `arrows` are paths through the squares they name,
    and `dashed` paths are drawn with dashes; `crosses` marks captured pieces. Trapdoors are drawn by `layout`, or else
    by the position's own: closed doors are outlined, open ones are holes. With `coordinates`, columns and rows are
    named at the edges; with `state`, a line below says who is to move, the result of the spin and the last action.
    Without `board` no squares are drawn, for a picture laid over an empty board. `colours` replaces some of the
    picture's, by the names of the fields of `Palette`, as in `{"dark": "#769656"}`. The picture has a title for screen
    readers: `title`, or the position in words. It contains no ids unless `notation` is `either`, so that it can be
    embedded anywhere. Raises ArgumentError for an unknown word and PositionError for a square that is not on the board.

    With `numbers` the squares are named, in the `notation` given. A picture in `either` is meant to be a file of its
    own: it contains both notations, shows letters where its address ends in `#letters`, and hides names too small to
    read.

    >>> picture = svg(Position.from_fen("W:W21,K30:B10,17", Board(8, 8)), squares=[21], arrows=[(21, 14, 7)])
    >>> picture.startswith("<svg"), picture.count("<polyline")
    (True, 2)
    """
    expect(position, "position", Position, "a Position")
    expect_word(orientation, "orientation", SIDES)
    expect_word(notation, "notation", get_args(SquareNames))
    expect_number(size, "size", 1)
    expect(title, "title", str | None, "a text or None")
    layout = _layout(position, layout)
    marked = sorted({*_squares(position.board, "squares", squares), *_move_squares(position.board, lastmove)})
    crossed = _squares(position.board, "crosses", crosses)
    paths = [(path, True) for path in _paths(position.board, "dashed", dashed)]
    paths += [(path, False) for path in _paths(position.board, "arrows", arrows)]
    sheet = Grid(position.board, orientation, Palette.of(colours))
    edge = EDGE if coordinates else 0
    width, height = sheet.width + edge, sheet.height + edge + (strip_height(sheet, layout) if layout else 0)
    whole = height + (_STATE if state else 0)
    letters = slider_letters(layout, position) if layout else ""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="{-edge} 0 {width} {whole}"'
        f' width="{size}" height="{size * whole // width}">',
        f"<title>{escape(describe_position(position, layout) if title is None else title)}</title>",
        _style(width) if notation == "either" else "",
        draw_squares(sheet) if board else "",
        draw_edges(sheet) if coordinates else "",
        *(draw_mark(sheet, number) for number in marked),
        draw_doors(sheet, layout, letters) if layout else "",
        _names(sheet, None if board else tuple(marked), notation) if numbers else "",
        *(draw_piece(sheet, number, piece) for number, piece in position.pieces()),
        draw_sliders(sheet, layout, letters) if layout else "",
        *(draw_arrow(sheet, path, dashes=dashes) for path, dashes in paths),
        *(draw_cross(sheet, number) for number in crossed),
        draw_door_tags(sheet, layout) if layout else "",
        _line(sheet, position, lastmove, (-edge, height, width)) if state else "",
    ]
    return "".join([*parts, "</svg>"])


#: What python-chess and py-draughts call it: `damspec.svg.board(position)`.
svg.board = svg  # type: ignore[attr-defined]


def middles(board: Board) -> list[tuple[int, int]]:
    """Return the centre of the piece on each square of a picture, by square number, White at the bottom.

    Coordinates are in the units of the picture's viewBox.
    """
    sheet = Grid(board)
    return [sheet.middle(number) for number in range(1, len(board) + 1)]


def corners(board: Board) -> list[tuple[int, int]]:
    """Return the upper left corner of each square of a picture, as `middles` does the centres."""
    sheet = Grid(board)
    return [sheet.corner(number) for number in range(1, len(board) + 1)]


def _layout(position: Position, layout: Layout | None) -> Layout | None:
    """Return the layout to draw: the one given, else the position's own.

    Raises PositionError if it does not fit the board.
    """
    expect(layout, "layout", Layout | None, "a Layout or None")
    board = f"{position.board.columns}x{position.board.rows}"
    if layout is None:
        return position.layout if position.sliders else None
    if layout.board != board:
        raise PositionError(f"layout: found {layout.id} of a board of {layout.board}, expected one of {board}")
    layout.open_doors(position.board, slider_letters(layout, position))
    return layout


def _squares(board: Board, name: str, numbers: Iterable[int]) -> list[int]:
    """Check and return square numbers. Raises PositionError for one that is not on the board."""
    if isinstance(numbers, str) or not isinstance(numbers, Iterable):
        raise ArgumentTypeError(f"{name}: found {quote_any(numbers)}, expected numbers of squares")
    return [board.number(board.bit(number)) for number in numbers]


def _paths(board: Board, name: str, paths: Iterable[Sequence[int]]) -> list[list[int]]:
    """Check and return paths of two squares or more."""
    if isinstance(paths, str) or not isinstance(paths, Iterable):
        raise ArgumentTypeError(f"{name}: found {quote_any(paths)}, expected paths, each the numbers of squares")
    found = [_squares(board, name, path) for path in paths]
    for path in found:
        if len(path) < 2:
            raise PositionError(f"{name}: found the path {quote_any(path)}, expected two squares or more")
    return found


def _move_squares(board: Board, action: Action | None) -> list[int]:
    """Return the start and end of a move; nothing for other actions."""
    expect(action, "lastmove", Action | None, "a move or None")
    return _squares(board, "lastmove", (action.start, action.end)) if isinstance(action, Move) else []


@cache
def _names(sheet: Grid, numbers: tuple[int, ...] | None, notation: SquareNames) -> str:
    """Draw the names of the given squares, or of all; for `either`, both notations, the letters first."""
    found = range(1, len(sheet.board) + 1) if numbers is None else numbers
    if notation != "either":
        return square_names(sheet, found, letters=notation == "letters")
    return square_names(sheet, found, letters=True).replace("<g", '<g id="letters"', 1) + square_names(sheet, found)


def _style(width: int) -> str:
    """Return a style sheet that shows one of two notations, and neither in a small picture."""
    small = LEGIBLE * width / LETTER
    return (
        "<style>#letters:not(:target),#letters:target+g{display:none}"
        f"@media(max-width:{small:.1f}px){{g[font-size]{{display:none}}}}</style>"
    )


def _line(sheet: Grid, position: Position, lastmove: Action | None, place: tuple[int, int, int]) -> str:
    """Draw the line below a board: who is to move, the result of the spin, the last action."""
    left, top, width = place
    middle = top + _STATE // 2
    fill, line = sheet.colours.disc(position.turn)
    parts = [f"{position.turn.capitalize()} to move"]
    if position.spin:
        parts.append("a spin is due" if position.spin == "due" else f"{position.spin} spun")
    if position.compelled:
        parts.append("has to capture")
    if run := position.run(position.turn):
        parts.append(f"{run.square} moved {_times(run.moves)}")
    if position.huffable:
        parts.append(f"lapse {position.huffable}")
    elif not (lastmove is None or isinstance(lastmove, Spin)):
        action_text = str(lastmove)
        parts.append(f"after {action_text if len(action_text) <= _MOST else action_text[: _MOST - 1] + '…'}")
    spun = [colour for word, colour in COLOURS.items() if position.spin in (word, "both")]
    spots = (
        f'<rect x="{right}" y="{middle - 7}" width="14" height="14" rx="3" fill="{colour}" stroke="{INK}"/>'
        for right, colour in zip((left + width - 22, left + width - 42), spun, strict=False)
    )
    return (
        f'<rect x="{left}" y="{top}" width="{width}" height="{_STATE}" fill="{_PAPER}"/>'
        f'<circle cx="{left + 14}" cy="{middle}" r="7" fill="{fill}" stroke="{line}" stroke-width="1.5"/>'
        f'<text x="{left + 27}" y="{middle + 4}" font-size="12" font-family="sans-serif" fill="{INK}">'
        f"{escape(', '.join(parts))}</text>{''.join(spots)}"
    )
