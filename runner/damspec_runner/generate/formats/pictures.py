"""Positions as pictures: SVG, PNG made from it, and sheets that show many."""

from __future__ import annotations

import re
import struct
import textwrap
from collections.abc import Iterable, Sequence
from html import escape, unescape
from math import isqrt
from pathlib import Path
from zlib import crc32

from damspec import DamspecError, Move
from damspec.drawing import svg

from ..answered import Answered
from .lines import with_game

#: Pixels of a square, so that its number can be read; between the pictures of a sheet; of a letter of a FEN.
_SQUARE, _GAP, _LETTER = 48, 24, 6.7
#: How many pictures a PNG can show: more take hundreds of megabytes.
MOST_IN_PNG = 60
#: Bytes of a PNG before what is said of it: its signature and its first chunk.
_HEAD = 8 + 25
_FONT = Path(__file__).parent / "font" / "DejaVuSans-ASCII.ttf"


class NoRenderer(DamspecError):
    """The library that makes PNG is not installed."""


def picture(answered: Answered, *, board: bool = True) -> str:
    """A position: its board with trapdoors, who is to move, what was spun, and the move that led there.

    Its metadata have the FEN, and the game if there is one. Without `board` it is to lie on a picture of an empty one.
    """
    last, trapdoors = answered.last, answered.ruleset.rules.trapdoors
    drawn = svg(
        answered.position,
        layout=trapdoors.layout if trapdoors else None,
        lastmove=last,
        arrows=[last.path] if isinstance(last, Move) and len(last.path) > 2 else [],
        size=_SQUARE * answered.position.board.columns,
        state=True,
        board=board,
    )
    return drawn.replace("</title>", f"</title><metadata>{escape(with_game(answered))}</metadata>", 1)


def sheet(answered: Sequence[Answered]) -> str:
    """One picture of all positions, each with its FEN; of a single one just that."""
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
    """An SVG picture as PNG, the same everywhere, with the metadata as its comment. Raises NoRenderer."""
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise NoRenderer("png: needs the library resvg-py: pip install 'damspec[png]'") from None
    png = svg_to_bytes(
        svg_string=drawn, skip_system_fonts=True, font_files=[str(_FONT)], sans_serif_family="DejaVu Sans"
    )
    said = "\n".join(map(unescape, re.findall("<metadata>(.*?)</metadata>", drawn)))
    chunk = b"tEXtComment\0" + said.encode("latin-1", "replace")
    return png[:_HEAD] + struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", crc32(chunk)) + png[_HEAD:]


def files(answered: Iterable[Answered]) -> dict[str, str]:
    """A picture of each position, by the names of files without their endings."""
    return {f"{one.ruleset.base}-{one.digest}": picture(one) for one in answered}
