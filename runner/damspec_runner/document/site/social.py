"""What other sites show of a page where it is linked: the picture of a board, and in which language it is.

Each game has one picture, that of the position in which it begins. What draws them is the library resvg-py; without it,
and for pages that are about no game, there is a general picture.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec

from damspec import Position, Ruleset
from damspec.drawing import described, svg

from .library import Library
from .pages import File, Page

#: The size that a picture should have, and the board in it.
WIDTH, HEIGHT, _BOARD = 1200, 630, 570
_PAPER = "#f7efe2"
_GENERAL = ("assets/damspec.png", "A board with draughts pieces on it.")


@dataclass(frozen=True)
class Social:
    """The picture that stands for a page, with its words."""

    src: str
    alt: str
    width: int = WIDTH
    height: int = HEIGHT


class Previews:
    """What stands for pages: the pictures of games, or the general one for all, and languages."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._drawing = find_spec("resvg_py") is not None

    def of(self, page: Page) -> Social:
        """The picture for a page."""
        if not (page.game and self._drawing):
            return Social(*_GENERAL)
        position = Position.start(self._library.rulesets[page.game].rules)
        return Social(_path(page.game), f"{described(position, self._library.layout(page.game))}.")

    def locale(self, language: str) -> str:
        """A language as other sites name it, with a country: that of its tag, or the one that stands for it."""
        tag, _, country = language.partition("-")
        return f"{tag}_{country or self._library.countries[tag]}"

    def files(self, ruleset: Ruleset) -> Iterator[File]:
        """The picture of a game, if it can be drawn."""
        if self._drawing:
            from resvg_py import svg_to_bytes

            position, layout = Position.start(ruleset.rules), self._library.layout(ruleset.id)
            board = svg(position, size=_BOARD, numbers=False, layout=layout, coordinates=False, title=ruleset.name)
            yield File(_path(ruleset.id), bytes(svg_to_bytes(svg_string=sheet(board), skip_system_fonts=True)))


def sheet(board: str) -> str:
    """A board in the middle of a sheet of the size that pictures should have."""
    place = f'<svg x="{(WIDTH - _BOARD) // 2}" y="{(HEIGHT - _BOARD) // 2}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}">'
        f'<rect width="100%" height="100%" fill="{_PAPER}"/>{board.replace("<svg", place, 1)}</svg>'
    )


def _path(id: str) -> str:
    return f"social/{id}.png"
