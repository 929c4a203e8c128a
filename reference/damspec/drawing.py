"""Boards as text, as SVG, and in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import atan2, degrees

from .action import Action, Spin
from .board import Board, Side
from .layout import Layout, Slider
from .move import Move
from .position import Piece, Position
from .tables import SIDES
from .trapdoors import standing

_LETTERS = {("white", "man"): "w", ("white", "king"): "W", ("black", "man"): "b", ("black", "king"): "B"}
_SYMBOLS = {("white", "man"): "⛀", ("white", "king"): "⛁", ("black", "man"): "⛂", ("black", "king"): "⛃"}


def text(position: Position, *, numbers: bool = True, symbols: bool = False, orientation: Side = "white") -> str:
    """The board as lines of text, `w` and `b` men, `W` and `B` kings, dots on empty playable squares.

    With `numbers`, the numbers of the first and last square of each row stand beside it; with `symbols`, pieces are
    drawn as ⛀ ⛁ ⛂ ⛃. `orientation` is the side at the bottom.
    """
    board = position.board
    by_place = {place: number for number, place in enumerate(board.places, 1)}
    pieces = _SYMBOLS if symbols else _LETTERS
    lines = []
    turn = 1 if orientation == "white" else -1
    for row in range(board.rows - 1, -1, -1)[::turn]:
        squares = [by_place.get((column, row)) for column in range(board.columns)[::turn]]
        cells = [" " if n is None else pieces[piece] if (piece := position[n]) else "." for n in squares]
        there = [n for n in squares if n is not None]
        beside = f"{there[0]:>4} {' '.join(cells)}  {there[-1]}" if numbers and there else " ".join(cells)
        lines.append(beside.rstrip())
    lines.append(f"{'     ' if numbers else ''}{position.turn.capitalize()} to move" + _extras(position))
    return "\n".join(lines)


def _extras(position: Position) -> str:
    return "".join(f", {part}" for part in position.fen().split(":")[3:])


# --- in words ----------------------------------------------------------------------------------


def described(position: Position, layout: Layout | None = None) -> str:
    """The position in words, for readers who do not see the board; a layout names the sliders and open doors.

    >>> described(Position.from_fen("W:W21,K30:B10,17", Board(8, 8)))
    'White to move: White man 21, king 30; Black men 10, 17'
    """
    parts = [_side(position, "white"), _side(position, "black"), *_state(position, layout)]
    return f"{position.turn.capitalize()} to move: {'; '.join(parts)}"


def _side(position: Position, side: Side) -> str:
    kinds = []
    for one, many, mask in (("man", "men", position.men(side)), ("king", "kings", position.kings(side))):
        numbers = position.board.numbers(mask)
        if numbers:
            kinds.append(f"{one if len(numbers) == 1 else many} {', '.join(map(str, numbers))}")
    return f"{side.capitalize()} {', '.join(kinds) or 'has no pieces'}"


def _state(position: Position, layout: Layout | None) -> Iterator[str]:
    """What a position has beside its pieces."""
    letters = position.sliders or ""
    if layout is not None:
        standing = zip(layout.sliders, letters, strict=False)
        moved = [f"{slider.id} open on {door}" for slider, letter in standing if (door := slider.door(letter))]
        yield f"doors {', '.join(moved)}" if moved else "all doors shut"
    elif letters:
        yield f"sliders {letters}"
    yield from _pending(position)


def situation(position: Position) -> str:
    """What a board does not show: `Black to move; a spin is due`."""
    return "; ".join((f"{position.turn.capitalize()} to move", *_pending(position)))


def _pending(position: Position) -> Iterator[str]:
    """What is due in a position, or may not be."""
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

#: The side of a square, in the units of a picture.
UNIT = 40
_EDGE = 14
_LIGHT, _DARK, _MARKED, _FRAME = "#f0dcbb", "#96633f", "#d9a72e", "#4f3320"
_ARROW, _CROSS, _CASING = "#1f5fd0", "#c8202c", "#ffffff"
_SLIDERS = {"green": "#35b56e", "orange": "#ff9d2e"}
_DISCS = {"white": ("#fffaf0", "#5c4630"), "black": ("#2b2320", "#d9c7b0")}
#: The line below a board: how high it is, what it is written on and with, and how much of an action it tells.
_STATE, _PAPER, _INK, _MOST = 24, "#f7efe2", "#241c15", 26


@dataclass(frozen=True)
class _Sheet:
    """Where the squares of a board lie in a picture."""

    board: Board
    orientation: Side

    @property
    def width(self) -> int:
        return self.board.columns * UNIT

    @property
    def height(self) -> int:
        return self.board.rows * UNIT

    def corner(self, number: int) -> tuple[int, int]:
        column, row = self.board.places[number - 1]
        if self.orientation == "black":
            return (self.board.columns - 1 - column) * UNIT, row * UNIT
        return column * UNIT, (self.board.rows - 1 - row) * UNIT

    def middle(self, number: int) -> tuple[int, int]:
        x, y = self.corner(number)
        return x + UNIT // 2, y + UNIT // 2


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
) -> str:
    """The board as an SVG picture, `size` pixels wide, the side of `orientation` at the bottom.

    `squares` are marked, and those where `lastmove` began and ended; `arrows` are paths through the middles of the
    squares they name, and `dashed` paths of dashes; `crosses` marks captured pieces. Trapdoors are drawn by the layout
    of the position, or the one given: closed doors are outlined, open ones are holes. With `coordinates` the names of
    columns and rows stand at the edges; with `state` a line below says who is to move, what was spun and what was done
    last. Without `board` there are no squares, for an empty board to lie under the picture. The picture says its
    position in words (or `title`) to readers who do not see it. It has no ids, so that it can be part of anything.

    >>> picture = svg(Position.from_fen("W:W21,K30:B10,17", Board(8, 8)), squares=[21], arrows=[(21, 14, 7)])
    >>> picture.startswith("<svg"), picture.count("<polyline")
    (True, 2)
    """
    layout = layout or (position.layout if position.sliders else None)
    marked = {*squares, *_ends(lastmove)}
    sheet = _Sheet(position.board, orientation)
    edge = _EDGE if coordinates else 0
    width, height = sheet.width + edge, sheet.height + edge
    whole = height + (_STATE if state else 0)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="{-edge} 0 {width} {whole}"'
        f' width="{size}" height="{size * whole // width}">',
        f"<title>{escape(described(position, layout) if title is None else title)}</title>",
        f'<rect width="{sheet.width}" height="{sheet.height}" fill="{_LIGHT}"/>' if board else "",
        _edges(sheet) if coordinates else "",
        _squares(sheet) if board else "",
        *(_square(sheet, number) for number in sorted(marked)),
        *(_doors(sheet, *pair) for pair in _standing(position, layout)),
        _labels(sheet, range(1, len(sheet.board) + 1) if board else sorted(marked)) if numbers else "",
        *(_piece(piece, *sheet.middle(number)) for number, piece in position.pieces()),
        *(_handle(sheet, *pair) for pair in _standing(position, layout)),
        *(_arrow(sheet, path, dashes) for paths, dashes in ((dashed, True), (arrows, False)) for path in paths),
        *(_crossed(*sheet.middle(number)) for number in crosses),
        _line(position, lastmove, (-edge, height, width)) if state else "",
    ]
    return "".join([*parts, "</svg>"])


def middles(board: Board) -> list[tuple[int, int]]:
    """The middle of each square in a picture, in the order of the numbers, White's side at the bottom.

    They are in the picture's own units, as its viewBox has them.
    """
    sheet = _Sheet(board, "white")
    return [sheet.middle(number) for number in range(1, len(board) + 1)]


def _ends(action: Action | None) -> tuple[int, ...]:
    """Where an action began and ended; none for what moves no piece."""
    return (action.start, action.end) if isinstance(action, Move) else ()


def _squares(sheet: _Sheet) -> str:
    corners = (sheet.corner(number) for number in range(1, len(sheet.board) + 1))
    outline = "".join(f"M{x} {y}h{UNIT}v{UNIT}h-{UNIT}z" for x, y in corners)
    edge = f' stroke="{_LIGHT}"' if sheet.board.squares == "all" else ""
    return f'<path d="{outline}" fill="{_DARK}"{edge}/>'


def _edges(sheet: _Sheet) -> str:
    """The frame at the left and below, with the names of rows and columns."""
    columns, rows = sheet.board.columns, sheet.board.rows
    turn = 1 if sheet.orientation == "white" else -1
    names = [chr(ord("a") + column) for column in range(columns)][::turn]
    below, beside = rows * UNIT + 10, -_EDGE / 2
    text = "".join(f'<text x="{n * UNIT + UNIT // 2}" y="{below}">{name}</text>' for n, name in enumerate(names))
    for place, row in enumerate(range(rows, 0, -1)[::turn]):
        text += f'<text x="{beside}" y="{place * UNIT + UNIT // 2 + 3}">{row}</text>'
    frame = f"M0,0 H{-_EDGE} V{rows * UNIT + _EDGE} H{columns * UNIT} v{-_EDGE} H0 z"
    return (
        f'<path d="{frame}" fill="{_FRAME}"/>'
        f'<g font-size="9" font-family="sans-serif" text-anchor="middle" fill="{_LIGHT}">{text}</g>'
    )


def _square(sheet: _Sheet, number: int) -> str:
    x, y = sheet.corner(number)
    return f'<rect x="{x}" y="{y}" width="{UNIT}" height="{UNIT}" fill="{_MARKED}"/>'


def _labels(sheet: _Sheet, numbers: Iterable[int]) -> str:
    corners = ((number, *sheet.corner(number)) for number in numbers)
    labels = "".join(f'<text x="{x + 2}" y="{y + 9}">{number}</text>' for number, x, y in corners)
    return f'<g font-size="8.5" font-family="sans-serif" fill="#fffaf2">{labels}</g>'


def _piece(piece: Piece, x: int, y: int) -> str:
    fill, line = _DISCS[piece.side]
    disc = f'<circle cx="{x}" cy="{y}" r="13" fill="{fill}" stroke="{line}" stroke-width="2"/>'
    if piece.kind == "king":
        crown = f"M{x - 8},{y + 6} l-1,-11 l5,5 l4,-8 l4,8 l5,-5 l-1,11 z"
        return disc + f'<path d="{crown}" fill="{line}"/>'
    return disc + f'<circle cx="{x}" cy="{y}" r="8" fill="none" stroke="{line}" stroke-width="1"/>'


def _arrow(sheet: _Sheet, path: Sequence[int], dashes: bool) -> str:
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


def _crossed(x: int, y: int) -> str:
    cross = f"M{x - 9},{y - 9} l18,18 M{x - 9},{y + 9} l18,-18"
    return "".join(
        f'<path d="{cross}" stroke="{stroke}" stroke-width="{wide}" stroke-linecap="round"/>'
        for stroke, wide in ((_CASING, 7), (_CROSS, 4))
    )


def _line(position: Position, lastmove: Action | None, place: tuple[int, int, int]) -> str:
    """The line below a board: who is to move, what was spun, what was done last."""
    left, top, width = place
    middle = top + _STATE // 2
    fill, line = _DISCS[position.turn]
    said = [f"{position.turn.capitalize()} to move"]
    if position.spin:
        said.append("a spin is due" if position.spin == "due" else f"{position.spin} spun")
    if position.compelled:
        said.append("has to capture")
    if run := position.run(position.turn):
        said.append(f"{run.square} moved {_times(run.moves)}")
    if position.huffable:
        said.append(f"lapse {position.huffable}")
    elif not (lastmove is None or isinstance(lastmove, Spin)):
        told = str(lastmove)
        said.append(f"after {told if len(told) <= _MOST else told[: _MOST - 1] + '…'}")
    spun = [colour for word, colour in _SLIDERS.items() if position.spin in (word, "both")]
    spots = (
        f'<rect x="{right}" y="{middle - 7}" width="14" height="14" rx="3" fill="{colour}" stroke="{_INK}"/>'
        for right, colour in zip((left + width - 22, left + width - 42), spun, strict=False)
    )
    return (
        f'<rect x="{left}" y="{top}" width="{width}" height="{_STATE}" fill="{_PAPER}"/>'
        f'<circle cx="{left + 14}" cy="{middle}" r="7" fill="{fill}" stroke="{line}" stroke-width="1.5"/>'
        f'<text x="{left + 27}" y="{middle + 4}" font-size="12" font-family="sans-serif" fill="{_INK}">'
        f"{escape(', '.join(said))}</text>{''.join(spots)}"
    )


def _standing(position: Position, layout: Layout | None) -> list[tuple[Slider, str]]:
    """The sliders of a layout, each with where it stands."""
    if layout is None:
        return []
    return [*zip(layout.sliders, standing(layout, position), strict=True)]


def _doors(sheet: _Sheet, slider: Slider, letter: str) -> str:
    """A slider's two doors, and the track between them."""
    colour, is_open = _SLIDERS[slider.colour], slider.door(letter)
    doors = (_door(*sheet.corner(n), colour, is_open=n == is_open) for n in (slider.left, slider.right))
    left, right, y = _track(sheet, slider)
    track = f'<path d="M{left},{y} H{right}" stroke="#3a2a1c" stroke-width="3" stroke-linecap="round"/>'
    return "".join([*doors, track])


def _handle(sheet: _Sheet, slider: Slider, letter: str) -> str:
    """A slider's handle with its name, where it stands."""
    left, right, y = _track(sheet, slider)
    x = {"L": left, "M": (left + right) // 2, "R": right}[letter]
    return (
        f'<rect x="{x - 10}" y="{y - 6}" width="20" height="10" rx="3" fill="{_SLIDERS[slider.colour]}"'
        f' stroke="#1d140c"/><text x="{x}" y="{y + 2}" font-size="8" font-weight="bold" font-family="sans-serif"'
        f' text-anchor="middle" fill="#1d140c">{slider.id}</text>'
    )


def _track(sheet: _Sheet, slider: Slider) -> tuple[int, int, int]:
    """Where a slider runs: from, to, and how far down, along the lower edge of its row."""
    (left, y), (right, _) = sheet.middle(slider.left), sheet.middle(slider.right)
    return left, right, y + UNIT // 2 - 4


def _door(x: int, y: int, colour: str, *, is_open: bool) -> str:
    frame = f'<rect x="{x + 3}" y="{y + 3}" width="34" height="34" rx="4"'
    if not is_open:
        return f'{frame} fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="5 3"/>'
    hole = (
        f"M{x + 7},{y + 33} V{y + 11} Q{x + 7},{y + 7} {x + 11},{y + 7} H{x + 33} Q{x + 12},{y + 12} {x + 7},{y + 33} z"
    )
    return f'{frame} fill="#0b0705" stroke="{colour}" stroke-width="3"/><path d="{hole}" fill="#4a3524"/>'
