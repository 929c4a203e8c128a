"""Conventions of an engine: numbering, colours, how it writes moves, and lenient FEN."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from damspec import Board, Position, PositionError
from damspec.position import KingRun

from ..options import option

#: A square's number in a FEN, where letters of sides and kings stand before it, and in a move.
_IN_FEN, _IN_MOVE = re.compile("(?<![a-z0-9])[0-9]+"), re.compile("(?<![A-WYZa-wyz0-9])[0-9]+")
#: The letter of the other side in a FEN.
OTHER_LETTER = {"W": "B", "B": "W"}
#: Where square 1 may lie, seen by White.
Corner = Literal["top-left", "top-right", "bottom-left", "bottom-right"]
_OTHER_SIDE = {"white": "black", "black": "white"}


def _notations() -> Iterable[str]:
    from .notations import NOTATIONS  # which is written in terms of conventions

    return NOTATIONS


@dataclass(frozen=True)
class Conventions:
    """The conventions of an engine that are not those of damspec; verify/notations.py has the notations."""

    numbering: Corner | None = option(
        "The corner of the engine's square 1, as White sees the board, if it differs.",
        section="Its habits",
        rare=True,
    )
    rotate: bool = option(
        "The engine's board is rotated by half a turn: its last square is square 1.", False, rare=True
    )
    swap_colours: bool = option("What the engine calls white is black.", False, rare=True)
    full_stop: bool = option("End each FEN sent with a full stop.", False, rare=True)
    notation: str | None = option(
        "How the engine writes moves, where that is not found out: numbers, numbers-from-0, letters, boards, or"
        " like row-column-from-0-top-left.",
        rare=True,
        choices=_notations,
        metavar="NAME",
    )

    def __bool__(self) -> bool:
        return self != OURS

    def on(self, board: Board) -> Translation:
        """Return the translation for a board."""
        return Translation(self, board)


#: The conventions of damspec.
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
    def ours(self) -> Mapping[int, int]:
        """The number here of each of the engine's."""
        return {theirs: ours for ours, theirs in self.numbers.items()}

    def position_out(self, fen: str) -> str:
        """Translate a FEN into the engine's."""
        if fen != "start":
            fen = self._write_position(fen, self.numbers)
            fen += "." if self.conventions.full_stop else ""
        return fen

    def position_in(self, fen: str) -> str:
        """Translate the engine's FEN into damspec's. Raises PositionError."""
        return self._write_position(fen, self.ours)

    def side_in(self, letter: str) -> str:
        """Translate the letter of the side to move into damspec's."""
        letter = letter.upper()
        return OTHER_LETTER.get(letter, letter) if self.conventions.swap_colours else letter

    def outcome_in(self, outcome: str) -> str:
        """Translate an outcome into damspec's."""
        return _OTHER_SIDE.get(outcome, outcome) if self.conventions.swap_colours else outcome

    def move_out(self, move: Any) -> Any:
        """Translate a move into the engine's."""
        return _renumber(move, self.numbers)

    def move_in(self, move: Any) -> Any:
        """Translate the engine's move into damspec's."""
        return _renumber(move, self.ours)

    def _write_position(self, fen: str, numbers: Mapping[int, int]) -> str:
        """Return a position with other numbers, and perhaps the other colours."""
        read = Position.from_fen(fen, self.board)
        # A king's run has its square after a number, and Black's comes first: it is translated apart.
        black, white = (
            run and KingRun(numbers.get(run.square, run.square), run.moves) for run in (read.black_run, read.white_run)
        )
        fen = replace(read, white_run=None, black_run=None).fen()
        turn, *parts = _IN_FEN.sub(lambda found: str(numbers.get(int(found[0]), found[0])), fen).split(":")
        if self.conventions.swap_colours:
            turn, parts = OTHER_LETTER[turn], [OTHER_LETTER.get(part[:1], part[:1]) + part[1:] for part in parts]
            black, white = white, black
        written = Position.from_fen(":".join([turn, *parts]), self.board)
        return replace(written, white_run=white, black_run=black).fen()


def _renumber(move: Any, numbers: Mapping[int, int]) -> Any:
    if isinstance(move, Mapping):
        captured = [numbers.get(square, square) for square in move["captured"]]
        return {"move": _renumber(move["move"], numbers), "captured": captured}
    return _IN_MOVE.sub(lambda found: str(numbers.get(int(found[0]), found[0])), move)


#: Parts of a FEN: a side with its squares, and the fields of damspec's rules.
_SIDE = re.compile(r"[wWbB]([^=]*)")
_FIELD = re.compile(r"(sliders|spin|huffable)=.*|compelled|\+[0-9]+\+[0-9]+")
#: A square or a range of them, with a king's letter before it.
_SQUARE = re.compile(r"([kK]?)([0-9]+(?:-[0-9]+)?|[a-zA-Z][0-9]+)")


def read_lenient_fen(text: str, board: Board) -> str | None:
    """Read a FEN that is not well-formed, and return it as damspec writes it; None if it cannot be read.

    A side without pieces may be missing, other fields are left out (`:H0:F1`), letters may be small, and there may be
    blanks, quotation marks and a full stop.
    """
    turn, *parts = "".join(text.split()).strip("\"'").rstrip(".").split(":")
    if turn not in ("w", "W", "b", "B"):
        return None
    sides: dict[str, str] = {}
    fields = []
    for part in parts:
        if _FIELD.fullmatch(part):
            fields.append(part)
        elif side := _SIDE.fullmatch(part):
            squares = _squares(side[1], board)
            if squares is None or part[0].upper() in sides:
                return None
            sides[part[0].upper()] = squares
    if not sides:
        return None
    fen = ":".join([turn.upper(), *(side + sides.get(side, "") for side in "WB"), *fields])
    try:
        return Position.from_fen(fen, board).fen()
    except PositionError:
        return None


def _squares(text: str, board: Board) -> str | None:
    """Return the squares of a side as damspec writes them; None if they cannot be read."""
    found = []
    for token in filter(None, text.split(",")):
        read = _SQUARE.fullmatch(token)
        if read is None:
            return None
        king, square = read.groups()
        if king == "k" and board.columns > ord("k") - ord("a"):  # then k is a column
            king, square = "", token
        found.append(("K" if king else "") + square.lower())
    return ",".join(found)
