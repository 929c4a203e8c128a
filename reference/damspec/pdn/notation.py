"""How PDN writes the squares, moves and positions of one ruleset, and what a move that it writes can mean."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise

from ..board import Board
from ..move import Move, read_squares, shortens
from ..position import Position
from ..ruleset import Ruleset
from .gametype import UNKNOWN, gametype_of

#: A move in letters without a sign, `c3d4`.
_JOINED = re.compile("([a-z][0-9]{1,2})([a-wyz][0-9]{1,2})")


class Notation:
    """The notation of a ruleset's games: squares in letters where its GameType says so, else in numbers.

    Both are read, with any sign between the squares; squares of a capture may be left out where only one can be meant.

    >>> from damspec import load_ruleset
    >>> notation = notation_of(load_ruleset("russian"))
    >>> notation.squares("c3:e5"), notation.square(22)
    (((22, 15), 1), 'c3')
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.board: Board = ruleset.rules.board
        self.gametype = gametype_of(ruleset)
        self.known = self.gametype.known if self.gametype else UNKNOWN
        self.algebraic = self.gametype is not None and self.gametype.notation == "A"

    def square(self, number: int) -> str:
        """A square as it is written."""
        return self.board.name(number) if self.algebraic else str(number)

    def fen(self, position: Position) -> str:
        """A position, its squares written as in moves."""
        return position.fen(algebraic=self.algebraic)

    def squares(self, text: str) -> tuple[tuple[int, ...], int]:
        """The squares that a move's text names, and how many of its legs are captures. Raises InvalidMove."""
        joined = _JOINED.fullmatch(text)
        if joined:
            text = f"{joined[1]}-{joined[2]}"
        return read_squares(text, self.board)

    def moves(self, position: Position) -> list[Move]:
        """Every move that can be played: the legal ones, and lapses."""
        turns = self.ruleset.turns
        return [*(action for action in turns.actions(position) if isinstance(action, Move)), *turns.lapses(position)]

    def meant(self, text: str, moves: Sequence[Move]) -> list[Move]:
        """Those of some moves that a text can mean: with its sign if there are such, else by its squares alone.

        Raises InvalidMove.
        """
        squares, captures = self.squares(text)
        alike = [move for move in moves if move.start == squares[0] and move.end == squares[-1]]
        return _on(squares, [move for move in alike if bool(move.captured) == bool(captures)]) or _on(squares, alike)

    def written(self, position: Position, move: Move) -> str:
        """A move that can be played in a position: from and to; if that means several, every square on the way."""
        moves = self.moves(position)
        ways = [(move.start, move.end), *_ways(self.board, move), *move.paths]
        texts = [self._text(way, move) for way in ways]
        return next((text for text in texts if self.meant(text, moves) == [move]), texts[-1])

    def _text(self, way: tuple[int, ...], move: Move) -> str:
        names = [self.square(number) for number in way]
        slides = len(way) - 1 - (min(len(move.captured), len(way) - 1))
        signs = ["-" if leg < slides else self.known.captures for leg in range(len(way) - 1)]
        return "".join([names[0], *(sign + name for sign, name in zip(signs, names[1:], strict=True))])


@cache
def notation_of(ruleset: Ruleset) -> Notation:
    """The notation of a ruleset's games."""
    return Notation(ruleset)


def _on(squares: tuple[int, ...], moves: Sequence[Move]) -> list[Move]:
    """The moves that have a path, else those whose path it shortens."""
    exact = [move for move in moves if squares in move.paths]
    return exact or [move for move in moves if any(shortens(squares, path) for path in move.paths)]


def _ways(board: Board, move: Move) -> Iterator[tuple[int, ...]]:
    """The ways of a capture as the standard has them: where it goes straight on, it lands right behind each piece."""

    def lands_right(start: int, middle: int, end: int) -> bool:
        straight = board.bit(middle) in (board.between(start, end) or ())
        return not straight or board.number((board.between(start, middle) or (0,))[-1]) in move.captured

    for path in move.paths:
        legs = zip(pairwise(path), path[2:], strict=False)
        if all(lands_right(*leg, end) for leg, end in legs if board.between(*leg)):
            yield path
