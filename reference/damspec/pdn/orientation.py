"""Board orientations: detecting games whose squares are named from another side than the ruleset's.

Letters can run from the other side, rows be counted from the other side, or both change places; numbers can begin in
another corner or run the other way. In the games of one collection it is the same way for all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import get_args

from ..board import Board, Numbering
from ..ruleset import Ruleset
from .games import replay
from .record import Element, GameRecord, Setup, Variation, WrittenMove

#: The hint where the first move is illegal and no orientation makes the game legal.
MAY_BE_MISREAD = "squares may be numbered or named in another way, or it is another game"
#: The number of moves that are not all legal by chance if squares are misread.
SURE = 12
#: A square in a move or a position.
_SQUARE = re.compile("[a-wyz][0-9]{1,2}|[0-9]{1,3}")


@dataclass(frozen=True)
class Orientation:
    """A way to name squares: `words` describes it, `square` converts a name to the ruleset's, or to None.

    >>> next(orientations(Board(8, 8), letters=True)).square("a1")
    'h8'
    """

    words: str
    square: Callable[[str], str | None]

    def reorient(self, record: GameRecord) -> GameRecord | None:
        """Return the game with its squares as the ruleset names them, or None if a square has no counterpart."""
        try:
            tags = {name: self._fen(value) if name == "FEN" else value for name, value in record.tags.items()}
            return replace(record, tags=tags, body=self._body(record.body))
        except _NoSquareError:
            return None

    def _body(self, body: Sequence[Element]) -> tuple[Element, ...]:
        found: list[Element] = []
        for item in body:
            if isinstance(item, WrittenMove):
                found.append(replace(item, text=self._text(item.text)))
            elif isinstance(item, Variation):
                found.append(Variation(self._body(item.body)))
            else:
                found.append(replace(item, fen=self._fen(item.fen)) if isinstance(item, Setup) else item)
        return tuple(found)

    def _fen(self, fen: str) -> str:
        turn, *sides = fen.strip().rstrip(".").split(":")
        if any("-" in side for side in sides):
            raise _NoSquareError  # a range of numbers is no range in another numbering
        return ":".join([turn, *map(self._text, sides[:2]), *sides[2:]])

    def _text(self, text: str) -> str:
        return _SQUARE.sub(self._square, text)

    def _square(self, found: re.Match[str]) -> str:
        square = self.square(found[0])
        if square is None:
            raise _NoSquareError
        return square


class _NoSquareError(Exception):
    """A square without a counterpart in another orientation."""


def orientations(board: Board, *, letters: bool) -> Iterator[Orientation]:
    """Yield every other way to name the squares of a board, likeliest first: algebraic with `letters`, or numeric."""
    yield from _letter_orientations(board) if letters else _number_orientations(board)


@dataclass(frozen=True)
class OrientationFit:
    """An orientation in which most of some games are legal, with the number of those and of all."""

    orientation: Orientation
    legal: int
    games: int

    def __str__(self) -> str:
        many = f"{self.legal} of {self.games} such games are" if self.games > 1 else "the game is"
        return f"the squares are written in another way: with {self.orientation.words} {many} legal"


def find_orientation(records: Sequence[GameRecord], ruleset: Ruleset, *, starts: bool) -> OrientationFit | None:
    """Return the orientation that makes most of some games legal to the end, none being legal as written.

    None if that is not more than half of them, or if they have too few moves to be sure: where the first move is legal
    as written (`starts`), or a position is set up, a few moves can be legal by chance.
    """
    first = next((item.text for record in records for item in record.body if isinstance(item, WrittenMove)), "")
    best: OrientationFit | None = None
    for orientation in orientations(ruleset.rules.board, letters=first[:1].isalpha()):
        turned = (read for record in records if (read := orientation.reorient(record)))
        played = [replay(record, ruleset, is_terse=True) for record in turned]
        plies = [found.plies for found in played if found.is_whole and found.plies]
        is_sure = sum(plies) >= SURE or not (starts or any("FEN" in record.tags for record in records))
        if is_sure and 2 * len(plies) > len(records) and (best is None or len(plies) > best.legal):
            best = OrientationFit(orientation, len(plies), len(records))
    return best


def _letter_orientations(board: Board) -> Iterator[Orientation]:
    columns, rows = board.columns - 1, board.rows - 1
    ways: list[tuple[str, Callable[[int, int], tuple[int, int]]]] = [
        ("the board turned by half", lambda column, row: (columns - column, rows - row)),
        ("the columns counted from the other side", lambda column, row: (columns - column, row)),
        ("the rows counted from the other side", lambda column, row: (column, rows - row)),
    ]
    if columns == rows:
        ways += [
            ("columns and rows exchanged", lambda column, row: (row, column)),
            ("the board turned by a quarter", lambda column, row: (row, columns - column)),
            ("the board turned by a quarter the other way", lambda column, row: (rows - row, column)),
            (
                "the board turned by half, columns and rows exchanged",
                lambda column, row: (rows - row, columns - column),
            ),
        ]
    for words, place in ways:

        def square(text: str, place: Callable[[int, int], tuple[int, int]] = place) -> str | None:
            column, row = place(ord(text[0]) - ord("a"), int(text[1:]) - 1) if text[0].isalpha() else (-1, -1)
            return f"{chr(ord('a') + column)}{row + 1}" if 0 <= column <= columns and 0 <= row <= rows else None

        yield Orientation(f"{words} (a1 is {square('a1')})", square)


def _number_orientations(board: Board) -> Iterator[Orientation]:
    by_place = {place: number for number, place in enumerate(board.places, 1)}
    seen = {tuple(board.places)}
    others = [replace(board, numbering=way) for way in get_args(Numbering)]
    for other in sorted(others, key=lambda other: other.places[::-1] != board.places):
        if other.places in seen:
            continue
        seen.add(other.places)

        def square(text: str, other: Board = other) -> str | None:
            number = int(text) if text.isdecimal() else 0
            return str(by_place[other.places[number - 1]]) if 1 <= number <= len(other) else None

        vertical, horizontal, *along = other.numbering.split("-")
        by_columns = " column by column" if along else ""
        yield Orientation(
            f"the squares numbered{by_columns} from the {vertical} {horizontal} (1 is {square('1')})", square
        )
