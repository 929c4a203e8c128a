"""How an engine writes what is no rule: where its square 1 lies, which colour it calls white, what ends a FEN.

A convention is no fault. What is mended here is said in the report, for the options are there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from damspec import Board, Position
from damspec.position import KingRun

#: A square's number in a FEN, where letters of sides and kings stand before it, and in a move.
_IN_FEN, _IN_MOVE = re.compile("(?<![a-z0-9])[0-9]+"), re.compile("(?<![A-WYZa-wyz0-9])[0-9]+")
_OTHER = {"W": "B", "B": "W"}
#: Where square 1 may lie, seen by White.
Corner = Literal["top-left", "top-right", "bottom-left", "bottom-right"]
_OTHER_SIDE = {"white": "black", "black": "white"}


@dataclass(frozen=True)
class Conventions:
    """The conventions of an engine that are not those of damspec.

    `numbering` is the corner, seen by White, in which its square 1 lies; `rotate` that its board is turned half round
    besides; `swap_colours` that its white is black; `full_stop` that it wants one at the end of a FEN.
    """

    numbering: Corner | None = None
    rotate: bool = False
    swap_colours: bool = False
    full_stop: bool = False

    def __bool__(self) -> bool:
        return bool(self.numbering or self.rotate or self.swap_colours or self.full_stop)

    def on(self, board: Board) -> Translation:
        """What is written by them on a board."""
        return Translation(self, board)


#: Those of damspec.
OURS = Conventions()


@dataclass(frozen=True)
class Translation:
    """Positions, moves and outcomes between damspec and an engine with other conventions, on one board."""

    conventions: Conventions
    board: Board

    @cached_property
    def numbers(self) -> Mapping[int, int]:
        """The engine's number of each square."""
        board, numbering = self.board, self.conventions.numbering
        named = replace(board, numbering=numbering) if numbering else board
        numbers = {place: number for number, place in enumerate(named.places, 1)}
        theirs = {number: numbers[place] for number, place in enumerate(board.places, 1)}
        return {ours: len(board) + 1 - number for ours, number in theirs.items()} if self.conventions.rotate else theirs

    @cached_property
    def _ours(self) -> Mapping[int, int]:
        return {theirs: ours for ours, theirs in self.numbers.items()}

    def position_out(self, fen: str) -> str:
        """A position as the engine reads it."""
        if fen != "start":
            fen = self._written(fen, self.numbers)
            fen += "." if self.conventions.full_stop else ""
        return fen

    def position_in(self, fen: str) -> str:
        """A position that the engine has written, if damspec can read it."""
        return self._written(Position.from_fen(fen, self.board).fen(), self._ours)

    def side_in(self, letter: str) -> str:
        """Whose turn the engine says it is, as a capital."""
        letter = letter.upper()
        return _OTHER.get(letter, letter) if self.conventions.swap_colours else letter

    def outcome_in(self, outcome: str) -> str:
        """How a game stands, as the engine says it."""
        return _OTHER_SIDE.get(outcome, outcome) if self.conventions.swap_colours else outcome

    def move_out(self, move: Any) -> Any:
        """A move as the engine reads it."""
        return _renumbered(move, self.numbers)

    def move_in(self, move: Any) -> Any:
        """A move that the engine has written."""
        return _renumbered(move, self._ours)

    def _written(self, fen: str, numbers: Mapping[int, int]) -> str:
        """A position with other numbers, and perhaps the other colours."""
        read = Position.from_fen(fen, self.board)
        # A run has its square behind the number of moves, and Black's first: it is not to be found in the text.
        black, white = (
            run and KingRun(numbers.get(run.square, run.square), run.moves) for run in (read.black_run, read.white_run)
        )
        fen = replace(read, white_run=None, black_run=None).fen()
        turn, *parts = _IN_FEN.sub(lambda found: str(numbers.get(int(found[0]), found[0])), fen).split(":")
        if self.conventions.swap_colours:
            turn, parts = _OTHER[turn], [_OTHER.get(part[:1], part[:1]) + part[1:] for part in parts]
            black, white = white, black
        written = Position.from_fen(":".join([turn, *parts]), self.board)
        return replace(written, white_run=white, black_run=black).fen()


def _renumbered(move: Any, numbers: Mapping[int, int]) -> Any:
    if isinstance(move, Mapping):
        captured = [numbers.get(square, square) for square in move["captured"]]
        return {"move": _renumbered(move["move"], numbers), "captured": captured}
    return _IN_MOVE.sub(lambda found: str(numbers.get(int(found[0]), found[0])), move)
