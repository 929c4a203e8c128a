"""Generated positions as SVG and PNG pictures and an HTML gallery."""

from __future__ import annotations

import re
import struct
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from html import escape, unescape
from math import isqrt
from pathlib import Path
from typing import Any
from urllib.parse import quote
from zlib import crc32

from damspec import Move, Position, legal_moves, png
from damspec.board import Board
from damspec.drawing import UNIT, corners, middles, svg
from damspec.vocabulary import vocabulary

from .annotate import KINDS, AnnotatedPosition, values_by_rule
from .diversity import Coverage
from .formats import with_game

#: Sizes in pixels: a square whose number is legible, the gap between pictures, the width of a letter of a FEN.
_SQUARE, _GAP, _LETTER = 48, 24, 6.7
#: The most pictures in a PNG: more take hundreds of megabytes.
MOST_IN_PNG = 60
#: The bytes of a PNG before its text chunk: the signature and the header chunk.
_HEAD = 8 + 25
_HERE = Path(__file__).parent


def picture(answered: AnnotatedPosition, *, board: bool = True) -> str:
    """Draw a position as SVG: the board with trapdoors, the side to move, the spin and the last move.

    The metadata have the FEN, and the game if there is one. Without `board`, only the pieces are drawn, to lie over an
    empty board.
    """
    last, trapdoors = answered.last, answered.ruleset.rules.trapdoors
    drawn = svg(
        answered.position,
        layout=trapdoors.layout if trapdoors else None,
        lastmove=last,
        arrows=[last.path] if last and len(last.path) > 2 else [],
        size=_SQUARE * answered.position.board.columns,
        state=True,
        board=board,
    )
    return drawn.replace("</title>", f"</title><metadata>{escape(with_game(answered))}</metadata>", 1)


def sheet(answered: Sequence[AnnotatedPosition]) -> str:
    """Draw all positions in one SVG, each with its FEN; a single one is drawn without."""
    if len(answered) == 1:
        return picture(answered[0])
    board = answered[0].position.board
    wide = board.columns * _SQUARE
    fens = [textwrap.wrap(one.fen, int(wide / _LETTER), break_on_hyphens=False) for one in answered]
    below = 16 * max(map(len, fens)) + _GAP
    high = board.rows * _SQUARE + wide * 24 // (board.columns * 40) + below
    columns = min(len(answered), max(1, isqrt(len(answered) * 3 // 2)), 6)
    rows = -(-len(answered) // columns)
    width, height = columns * (wide + _GAP) + _GAP, rows * (high + _GAP) + _GAP
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">',
        f"<title>{len(answered)} positions of {escape(answered[0].ruleset.id)}</title>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    ]
    for place, (one, lines) in enumerate(zip(answered, fens, strict=True)):
        row, column = divmod(place, columns)
        x, y = _GAP + column * (wide + _GAP), _GAP + row * (high + _GAP)
        top = high - below + 18
        text = "".join(
            f'<tspan x="0" y="{top + 16 * number}">{escape(line)}</tspan>' for number, line in enumerate(lines)
        )
        parts.append(
            f'<g transform="translate({x},{y})">{picture(one)}'
            f'<text font-size="11" font-family="sans-serif" fill="#241c15">{text}</text></g>'
        )
    return "".join([*parts, "</svg>"])


def as_png(drawn: str) -> bytes:
    """Render an SVG as PNG with its metadata as comment. Raises MissingPackageError."""
    rendered = png(drawn)
    said = "\n".join(map(unescape, re.findall("<metadata>(.*?)</metadata>", drawn)))
    chunk = b"tEXtComment\0" + said.encode("latin-1", "replace")
    checksum = struct.pack(">I", crc32(chunk))
    return b"".join([rendered[:_HEAD], struct.pack(">I", len(chunk) - 4), chunk, checksum, rendered[_HEAD:]])


def picture_files(answered: Iterable[AnnotatedPosition]) -> dict[str, str]:
    """Return a picture of each position by file name without extension."""
    return {f"{one.ruleset.base}-{one.digest}": picture(one) for one in answered}


def gallery_page(answered: Sequence[AnnotatedPosition], covered: Coverage, about: Mapping[str, Any]) -> str:
    """Return the positions as an HTML page; `about` is the summary of the search as JSON."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader([_HERE / "templates", _HERE.parent]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    ruleset = answered[0].ruleset
    board = ruleset.rules.board
    return environment.get_template("gallery.html").render(
        about=about,
        ruleset=ruleset,
        positions=answered,
        covered=covered,
        kinds=[kind.replace("-", " ") for kind in KINDS],
        missing=values_by_rule(mutant for mutant, counted in covered.values.items() if not counted.positions),
        titles={rule: vocabulary()[rule].asks for rule in covered.rules},
        board=quote(svg(Position(board, 0, 0, 0, 0, "white"), title="")),
        numbered={mutant: number for number, mutant in enumerate(covered.values)},
        middles=middles(board),
        picture=partial(picture, board=False),
        actions=_actions,
        unit=UNIT,
        width=board.columns * UNIT,
        height=board.rows * UNIT,
        squares=list(_squares(board, covered)),
    )


def _actions(answered: AnnotatedPosition) -> Iterator[tuple[str, str, str, str]]:
    """Yield each legal action and lapse: text, squares of the path, captured squares, position after."""
    legal = legal_moves(answered.ruleset, answered.position)
    for action in (*legal, *legal.lapses):
        text = str(action)
        path, taken = (action.path, action.captured) if isinstance(action, Move) else ((), ())
        after = answered.moves.get(text) or answered.lapses[text]
        yield text, _numbers(path), _numbers(taken), after


def _numbers(numbers: Sequence[int]) -> str:
    return ",".join(map(str, numbers))


def _squares(board: Board, covered: Coverage) -> Iterator[dict[str, Any]]:
    """Yield the squares of the heat map: corner, number, positions with a piece there, proportion of the highest."""
    most = max(covered.squares, default=0) or 1
    for number, ((x, y), times) in enumerate(zip(corners(board), covered.squares, strict=True), 1):
        yield {"x": x, "y": y, "number": number, "times": times, "part": round(times / most, 2)}
