"""Boards as text, as SVG, and in words. `signs` and `doors` draw what a picture is made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from html import escape
from typing import Literal, get_args

from . import doors, signs
from .action import Action, Spin
from .board import SIDES, Board, Side
from .errors import ArgumentTypeError, PositionError, expect, expect_number, expect_word, shown
from .layout import Layout
from .move import Move
from .position import Position
from .signs import DISCS, EDGE, INK, LETTER, Grid
from .signs import UNIT as UNIT
from .trapdoors import standing

_LETTERS = {("white", "man"): "w", ("white", "king"): "W", ("black", "man"): "b", ("black", "king"): "B"}
_SYMBOLS = {("white", "man"): "⛀", ("white", "king"): "⛁", ("black", "man"): "⛂", ("black", "king"): "⛃"}


def text(position: Position, *, numbers: bool = True, symbols: bool = False, orientation: Side = "white") -> str:
    """The board as lines of text, `w` and `b` men, `W` and `B` kings, dots on empty playable squares.

    With `numbers`, the numbers of the first and last square of each row stand beside it; with `symbols`, pieces are
    drawn as ⛀ ⛁ ⛂ ⛃. `orientation` is the side at the bottom.
    """
    expect(position, "position", Position, "a Position")
    expect_word(orientation, "orientation", SIDES)
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

#: The line below a board: how high it is, what it is written on, and how much of an action it tells.
_STATE, _PAPER, _MOST = 24, "#f7efe2", 26
#: How large the names of squares have to be as they are shown; smaller ones are left out.
LEGIBLE = 9

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
) -> str:
    """The board as an SVG picture, `size` pixels wide, the side of `orientation` at the bottom.

    `squares` are marked, and those where `lastmove` began and ended; `arrows` are paths through the middles of the
    squares they name, and `dashed` paths of dashes; `crosses` marks captured pieces. Trapdoors are drawn by the layout
    of the position, or the one given: closed doors are outlined, open ones are holes. With `coordinates` the names of
    columns and rows stand at the edges; with `state` a line below says who is to move, what was spun and what was done
    last. Without `board` there are no squares, for an empty board to lie under the picture. The picture says its
    position in words (or `title`) to readers who do not see it. It has no ids, so that it can be part of anything.
    Raises ArgumentError for any other word and PositionError for a square that is not on the board.

    With `numbers` the squares are named, in the `notation` given. A picture in `either` is a file of its own: it has
    both, shows the letters where its address ends in `#letters`, and leaves out what would be too small to read.

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
    marked = sorted({*_squares(position.board, "squares", squares), *_ends(position.board, lastmove)})
    crossed = _squares(position.board, "crosses", crosses)
    paths = [(path, True) for path in _paths(position.board, "dashed", dashed)]
    paths += [(path, False) for path in _paths(position.board, "arrows", arrows)]
    sheet = Grid(position.board, orientation, named=bool(numbers) or layout is not None)
    edge = EDGE if coordinates else 0
    width, height = sheet.width + edge, sheet.height + edge + (doors.strip(sheet, layout) if layout else 0)
    whole = height + (_STATE if state else 0)
    letters = standing(layout, position) if layout else ""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="{-edge} 0 {width} {whole}"'
        f' width="{size}" height="{size * whole // width}">',
        f"<title>{escape(described(position, layout) if title is None else title)}</title>",
        _style(width) if notation == "either" else "",
        signs.squares(sheet) if board else "",
        signs.edges(sheet) if coordinates else "",
        *(signs.marked(sheet, number) for number in marked),
        doors.doors(sheet, layout, letters) if layout else "",
        *(signs.piece(piece, *sheet.middle(number)) for number, piece in position.pieces()),
        doors.sliders(sheet, layout, letters) if layout else "",
        *(signs.arrow(sheet, path, dashes=dashes) for path, dashes in paths),
        *(signs.crossed(*sheet.middle(number)) for number in crossed),
        _names(sheet, None if board else tuple(marked), notation) if numbers else "",
        doors.tags(sheet, layout) if layout else "",
        _line(position, lastmove, (-edge, height, width)) if state else "",
    ]
    return "".join([*parts, "</svg>"])


def middles(board: Board) -> list[tuple[int, int]]:
    """The middle of the piece on each square in a picture, in the order of the numbers, White's side at the bottom.

    They are in the picture's own units, as its viewBox has them.
    """
    sheet = Grid(board)
    return [sheet.middle(number) for number in range(1, len(board) + 1)]


def corners(board: Board) -> list[tuple[int, int]]:
    """The upper left corner of each square in such a picture."""
    sheet = Grid(board)
    return [sheet.corner(number) for number in range(1, len(board) + 1)]


def _layout(position: Position, layout: Layout | None) -> Layout | None:
    """The layout given, or that of the position. Raises an error if it is not of the board."""
    expect(layout, "layout", Layout | None, "a Layout or None")
    board = f"{position.board.columns}x{position.board.rows}"
    if layout is None:
        return position.layout if position.sliders else None
    if layout.board != board:
        raise PositionError(f"layout: found {layout.id} of a board of {layout.board}, expected one of {board}")
    layout.open_doors(position.board, standing(layout, position))
    return layout


def _squares(board: Board, name: str, numbers: Iterable[int]) -> list[int]:
    """Numbers of squares. Raises PositionError for one that is not on the board."""
    if isinstance(numbers, str) or not isinstance(numbers, Iterable):
        raise ArgumentTypeError(f"{name}: found {shown(numbers)}, expected numbers of squares")
    return [board.number(board.bit(number)) for number in numbers]


def _paths(board: Board, name: str, paths: Iterable[Sequence[int]]) -> list[list[int]]:
    """Paths of two squares or more."""
    if isinstance(paths, str) or not isinstance(paths, Iterable):
        raise ArgumentTypeError(f"{name}: found {shown(paths)}, expected paths, each the numbers of squares")
    found = [_squares(board, name, path) for path in paths]
    for path in found:
        if len(path) < 2:
            raise PositionError(f"{name}: found the path {shown(path)}, expected two squares or more")
    return found


def _ends(board: Board, action: Action | None) -> list[int]:
    """Where an action began and ended; none for what moves no piece."""
    expect(action, "lastmove", Action | None, "a move or None")
    return _squares(board, "lastmove", (action.start, action.end)) if isinstance(action, Move) else []


@cache
def _names(sheet: Grid, numbers: tuple[int, ...] | None, notation: SquareNames) -> str:
    """The names of some squares, or of all; in either notation both, the letters first."""
    found = range(1, len(sheet.board) + 1) if numbers is None else numbers
    if notation != "either":
        return signs.names(sheet, found, letters=notation == "letters")
    return signs.names(sheet, found, letters=True).replace("<g", '<g id="letters"', 1) + signs.names(sheet, found)


def _style(width: int) -> str:
    """Shows one notation, and in a small picture none. Whatever has names is a group with a font-size."""
    small = LEGIBLE * width / LETTER
    return (
        "<style>#letters:not(:target),#letters:target+g{display:none}"
        f"@media(max-width:{small:.1f}px){{g[font-size]{{display:none}}}}</style>"
    )


def _line(position: Position, lastmove: Action | None, place: tuple[int, int, int]) -> str:
    """The line below a board: who is to move, what was spun, what was done last."""
    left, top, width = place
    middle = top + _STATE // 2
    fill, line = DISCS[position.turn]
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
    spun = [colour for word, colour in doors.COLOURS.items() if position.spin in (word, "both")]
    spots = (
        f'<rect x="{right}" y="{middle - 7}" width="14" height="14" rx="3" fill="{colour}" stroke="{INK}"/>'
        for right, colour in zip((left + width - 22, left + width - 42), spun, strict=False)
    )
    return (
        f'<rect x="{left}" y="{top}" width="{width}" height="{_STATE}" fill="{_PAPER}"/>'
        f'<circle cx="{left + 14}" cy="{middle}" r="7" fill="{fill}" stroke="{line}" stroke-width="1.5"/>'
        f'<text x="{left + 27}" y="{middle + 4}" font-size="12" font-family="sans-serif" fill="{INK}">'
        f"{escape(', '.join(said))}</text>{''.join(spots)}"
    )
