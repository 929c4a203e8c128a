"""The boards of the site: every distinct picture has one address, made from its content."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import pairwise

from damspec import Layout, Position
from damspec.action import is_move_text
from damspec.board import Board
from damspec.drawing import described, svg
from damspec.move import read_squares

from ...cases.notation import trace
from . import links

_TITLE = re.compile("<title>.*?</title>")


@dataclass(frozen=True)
class Picture:
    """A picture of a board: its path in the site, its description in words, and the board.

    Pictures with the same `look` are drawn alike, whatever their descriptions say.
    """

    src: str
    alt: str
    board: Board
    look: str = field(compare=False)

    def saying(self, words: str) -> Picture:
        """The picture with other words for it."""
        return replace(self, alt=words)

    def width(self, usual: int) -> int:
        """The width of a picture whose squares are as large as those of eight columns in the usual width."""
        return usual * self.board.columns // 8

    def height(self, usual: int) -> int:
        """The height that goes with it."""
        return usual * self.board.rows // 8


@dataclass
class Gallery:
    """The pictures by their addresses, drawn as pages ask for them."""

    drawn: dict[str, bytes] = field(default_factory=dict)

    def board(
        self,
        position: Position,
        layout: Layout | None = None,
        *,
        arrows: Iterable[Sequence[int]] = (),
        dashed: Iterable[Sequence[int]] = (),
        crosses: Iterable[int] = (),
        marked: Iterable[int] = (),
        says: str = "",
    ) -> Picture:
        """The picture of a position; `says` is added to the words for it."""
        alt = f"{described(position, layout)}. {says}".strip()
        picture = svg(
            position,
            arrows=arrows,
            dashed=dashed,
            crosses=crosses,
            squares=marked,
            layout=layout,
            title=alt,
            notation="either",
        )
        drawn = picture.encode()
        src = links.board(drawn)
        self.drawn[src] = drawn
        look = sha256(_TITLE.sub("", picture).encode()).hexdigest()
        return Picture(src, alt, position.board, look)

    def answers(
        self,
        position: Position,
        layout: Layout | None,
        moves: Iterable[str],
        lapses: Iterable[str] = (),
        ending: str = "",
    ) -> Picture:
        """A position with what can be done there: moves as arrows, lapses as broken ones, what is captured crossed."""
        listed, lapsing = [*moves], [*lapses]
        says = [ending] if ending else [f"Moves: {_listed(position, listed)}."]
        if lapsing:
            says.append(f"Lapses: {_listed(position, lapsing)}.")
        crosses = sorted({square for text in listed for square in captured(position, text)})
        return self.board(
            position,
            layout,
            arrows=[path for text in listed if (path := squares(position, text))],
            dashed=[path for text in lapsing if (path := squares(position, text))],
            crosses=crosses,
            says=" ".join(says),
        )

    def after(self, position: Position, layout: Layout | None, before: Position, text: str) -> Picture:
        """The position after an action, with where the piece came from and went to."""
        path = squares(before, text)
        marked = (path[0], path[-1]) if path else ()
        return self.board(position, layout, marked=marked, says=f"After {text}.")


def squares(position: Position, text: str) -> tuple[int, ...]:
    """The squares a move touches; none for what moves no piece."""
    return read_squares(text, position.board)[0] if is_move_text(text) else ()


def run_over(position: Position, text: str) -> tuple[int, ...]:
    """The squares that the arrow of a move runs over, from its first to its last; none for what moves no piece."""
    path, board = squares(position, text), position.board
    over = [board.number(bit) for here, there in pairwise(path) for bit in board.between(here, there) or ()]
    return (*path, *over)


def captured(position: Position, text: str) -> tuple[int, ...]:
    """The squares of what an action takes from the board, by a capture or a huff."""
    if text.startswith("huff "):
        return (int(text.removeprefix("huff ")),)
    found = trace(position, text)
    return tuple(sorted(found[2])) if isinstance(found, tuple) else ()


def _listed(position: Position, texts: Sequence[str]) -> str:
    return "; ".join(_told(position, text) for text in texts) or "none"


def _told(position: Position, text: str) -> str:
    taken = captured(position, text)
    return f"{text} capturing {', '.join(map(str, taken))}" if taken and is_move_text(text) else text
