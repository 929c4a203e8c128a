"""Boards as text and as SVG."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from .board import Side
from .position import Piece, Position

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


def svg(
    position: Position,
    *,
    size: int = 320,
    orientation: Side = "white",
    numbers: bool = True,
    highlight: Iterable[int] = (),
    arrows: Iterable[tuple[int, ...]] = (),
    crosses: Iterable[int] = (),
) -> str:
    """The board as an SVG picture, `size` pixels wide.

    `highlight` marks squares, `arrows` draws paths through the middles of the squares they name, `crosses` marks
    captured pieces. The picture carries its position as a title for readers who do not see it.
    """
    board = position.board
    unit = 40
    width, height = board.columns * unit, board.rows * unit

    def corner(number: int) -> tuple[int, int]:
        column, row = board.places[number - 1]
        if orientation == "black":
            return (board.columns - 1 - column) * unit, row * unit
        return column * unit, (board.rows - 1 - row) * unit

    def middle(number: int) -> tuple[int, int]:
        x, y = corner(number)
        return x + unit // 2, y + unit // 2

    marked = set(highlight)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width} {height}" width="{size}"'
        f' height="{size * board.rows // board.columns}">',
        f"<title>{escape(position.fen())}</title>",
        f'<rect width="{width}" height="{height}" fill="#f0d9b5"/>',
    ]
    for number in range(1, len(board) + 1):
        x, y = corner(number)
        fill = "#e0b040" if number in marked else "#a9744f"
        edge = ' stroke="#f0d9b5"' if board.squares == "all" else ""
        parts.append(f'<rect x="{x}" y="{y}" width="{unit}" height="{unit}" fill="{fill}"{edge}/>')
        if numbers:
            parts.append(
                f'<text x="{x + 3}" y="{y + 10}" font-size="9" font-family="sans-serif" fill="#fff8ec">{number}</text>'
            )
        piece = position[number]
        if piece:
            parts.append(_piece(piece, *middle(number)))
    for path in arrows:
        points = " ".join(f"{x},{y}" for x, y in map(middle, path))
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="#1f6feb" stroke-width="4" stroke-linejoin="round"'
            ' stroke-opacity="0.85" marker-end="url(#tip)"/>'
        )
    if "marker-end" in parts[-1]:
        parts.insert(
            2,
            '<defs><marker id="tip" viewBox="0 0 6 6" refX="4" refY="3" markerWidth="4" markerHeight="4" orient="auto">'
            '<path d="M0,0 L6,3 L0,6 z" fill="#1f6feb"/></marker></defs>',
        )
    for number in crosses:
        x, y = middle(number)
        parts.append(f'<path d="M{x - 9},{y - 9} l18,18 M{x - 9},{y + 9} l18,-18" stroke="#d1242f" stroke-width="4"/>')
    return "".join([*parts, "</svg>"])


def _piece(piece: Piece, x: int, y: int) -> str:
    fill, line = ("#fffaf0", "#5c4630") if piece.side == "white" else ("#2b2320", "#d9c7b0")
    disc = f'<circle cx="{x}" cy="{y}" r="14" fill="{fill}" stroke="{line}" stroke-width="2"/>'
    if piece.kind == "king":
        crown = f"M{x - 8},{y + 6} l-1,-11 l5,5 l4,-8 l4,8 l5,-5 l-1,11 z"
        return disc + f'<path d="{crown}" fill="{line}"/>'
    return disc + f'<circle cx="{x}" cy="{y}" r="9" fill="none" stroke="{line}" stroke-width="1"/>'
