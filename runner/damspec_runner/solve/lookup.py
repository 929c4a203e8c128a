"""Values of single positions and of the moves in them, from the files of solved positions."""

from __future__ import annotations

from functools import cache
from typing import Literal, NamedTuple

from damspec import Position, PositionError
from damspec.board import SIDES
from damspec.data import FileError
from damspec.endings import outcome_of_position
from damspec.kernel.retrograde import DRAW, LOSS, VALUE_BITS, WIN, Section, SectionTables
from damspec.move import Action

from .endgame_file import EndgameFile
from .material import Materials
from .solve import Folder

Value = Literal["win", "loss", "draw"]
_VALUES: dict[int, Value] = {WIN: "win", LOSS: "loss", DRAW: "draw"}


class SolvedValue(NamedTuple):
    """What a position comes to for the side to move, and in how many plies; 0 for a draw."""

    value: Value
    distance: int

    def in_words(self) -> str:
        """Return the value as a person reads it: `win in 33 plies`."""
        if self.value == "draw":
            return self.value
        return f"{self.value} in {self.distance} {'ply' if self.distance == 1 else 'plies'}"

    def turned(self) -> SolvedValue:
        """Return the value of the move that led here, as the side that made it sees it."""
        other: dict[Value, Value] = {"win": "loss", "loss": "win", "draw": "draw"}
        return SolvedValue(other[self.value], 0 if self.value == "draw" else self.distance + 1)


class Endings:
    """The solved positions in a folder."""

    def __init__(self, folder: Folder) -> None:
        self._folder, self._ruleset = folder, folder.ruleset
        self._opened = cache(self._open)

    def value(self, position: Position) -> SolvedValue:
        """Return the value of a position.

        Raises FileError for one that is in no file, PositionError for one in which a lapse can be huffed.
        """
        if position.huffable is not None or position.compelled:
            raise PositionError(f"{position.fen()}: positions with a pending huff are not solved")
        if not (position.occupied("white") and position.occupied("black")):
            outcome = outcome_of_position(self._ruleset.turns, position)
            return SolvedValue("win" if outcome.winner == position.turn else "loss" if outcome.winner else "draw", 0)
        side, board = SIDES.index(position.turn), position.board
        own, enemy = position.turn, SIDES[1 - side]
        pieces = position.men(own), position.kings(own), position.men(enemy), position.kings(enemy)
        men, kings, enemy_men, enemy_kings = (mask.bit_count() for mask in pieces)
        section = Section(side % self._folder.retrograde.sides, men, kings, enemy_men, enemy_kings)
        file, tables = self._opened(section)
        white, black = ((board.bit(run.square), run.moves) if (run := position.run(each)) else (0, 0) for each in SIDES)
        number = tables.number(pieces, side, (white, black))
        if number < 0:
            raise FileError(f"{file.path}: has no position {position.fen()}")
        code = file.code(section, number)
        return SolvedValue(_VALUES[code & 3], code >> VALUE_BITS)

    def moves(self, position: Position) -> list[tuple[Action, SolvedValue]]:
        """Return every legal move with what it comes to for the side that makes it, the best first.

        A win in fewer plies is better, and so is a loss in more. Raises FileError.
        """
        turns = self._ruleset.turns
        found = [(action, self.value(turns.after(position, action)).turned()) for action in turns.actions(position)]
        return sorted(found, key=lambda each: _rank(each[1]), reverse=True)

    def _open(self, section: Section) -> tuple[EndgameFile, SectionTables]:
        materials = Materials(self._folder.retrograde, sum(section[1:]))
        return self._folder.open(materials.of(section)), self._folder.retrograde.tables([section])


def _rank(value: SolvedValue) -> tuple[int, int]:
    match value.value:
        case "win":
            return 1, -value.distance
        case "draw":
            return 0, 0
        case "loss":
            return -1, value.distance
