"""Values of single positions and of the moves in them, from the files of solved positions."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from damspec import Position, PositionError, Ruleset, RulesetError
from damspec.board import SIDES
from damspec.data import FileError
from damspec.kernel.retrograde import DRAW, LOSS, VALUE_BITS, WIN, Section, SectionTables
from damspec.move import Action
from damspec.outcomes import outcome_of_position
from damspec.position import to_mover_view

from .endgame_file import EndgameFile
from .material import Materials, section_of
from .place import MOST, Value
from .solve import Folder
from .summary import shortest_limit

#: Values by their codes, and what each is worth in half points.
VALUES: Mapping[int, Value] = {WIN: "win", LOSS: "loss", DRAW: "draw"}
HALF_POINTS: Mapping[Value, int] = {"loss": 0, "draw": 1, "win": 2}


class SolvedValue(NamedTuple):
    """What a position comes to for the side to move, and in how many plies; 0 for a draw."""

    value: Value
    distance: int

    @property
    def half_points(self) -> int:
        """What it is worth in half points: 0, 1 or 2."""
        return HALF_POINTS[self.value]

    def in_words(self) -> str:
        """Return the value as a person reads it: `win in 33 plies`."""
        if self.value == "draw":
            return self.value
        return f"{self.value} in {self.distance} {'ply' if self.distance == 1 else 'plies'}"

    def turned(self) -> SolvedValue:
        """Return the value of the move that led here, as the side that made it sees it."""
        other: dict[Value, Value] = {"win": "loss", "loss": "win", "draw": "draw"}
        return SolvedValue(other[self.value], 0 if self.value == "draw" else self.distance + 1)


class Endgames:
    """The solved positions in a folder."""

    def __init__(self, folder: Folder) -> None:
        self._folder, self._ruleset = folder, folder.ruleset
        self._opened, self._limit = cache(self._open), cache(self._find_limit)

    def value(self, position: Position) -> SolvedValue:
        """Return the value of a position.

        Raises FileError for one that is in no file, or in one without distances; PositionError for one in which a lapse
        can be huffed.
        """
        if position.huffable is not None or position.compelled:
            raise PositionError(f"{position.fen()}: positions with a pending huff are not solved")
        if not (position.occupied("white") and position.occupied("black")):
            outcome = outcome_of_position(self._ruleset.turns, position)
            return SolvedValue("win" if outcome.winner == position.turn else "loss" if outcome.winner else "draw", 0)
        if len(position) > MOST:
            raise self._folder.not_solved(f"{len(position)} pieces", len(position))
        section, board = section_of(position, self._folder.retrograde.sides), position.board
        file, tables = self._opened(section)
        white, black = ((board.bit(run.square), run.moves) if (run := position.run(each)) else (0, 0) for each in SIDES)
        number = tables.number(*to_mover_view(position), (white, black))
        if number < 0:
            raise FileError(f"{file.path}: has no position {position.fen()}")
        code = file.code(section, number)
        return SolvedValue(VALUES[code & 3], code >> VALUE_BITS)

    def probe(self, position: Position) -> tuple[int, int] | None:
        """Return who wins for the side to move, 1, 0 or -1, and in how many plies, for `damspec.search`.

        None for a position that is in no file.
        """
        if len(position) > MOST or not position.occupied("white") or not position.occupied("black"):
            return None
        try:
            found = self.value(position)
        except (FileError, PositionError):
            return None
        return found.half_points - 1, found.distance

    def moves(self, position: Position) -> list[tuple[Action, SolvedValue]]:
        """Return every legal move with what it comes to for the side that makes it, the best first.

        A win in fewer plies is better, and so is a loss in more. Raises FileError.
        """
        turns = self._ruleset.turns
        found = [(action, self.value(turns.after(position, action)).turned()) for action in turns.actions(position)]
        return sorted(found, key=lambda each: _rank(each[1]), reverse=True)

    def line(self, position: Position) -> list[Action]:
        """Return the best moves of both sides from a won or lost position to the end; none from a draw."""
        found, turns = list[Action](), self._ruleset.turns
        while self.value(position).value != "draw" and not outcome_of_position(turns, position).is_over:
            action, _ = self.moves(position)[0]
            found.append(action)
            position = turns.after(position, action)
        return found

    def is_certain(self, position: Position, value: SolvedValue) -> bool:
        """Return whether no limit of moves can draw a game that begins in a position and comes to a value."""
        limit = self._limit(section_of(position, self._folder.retrograde.sides))
        return value.value == "draw" or limit is None or value.distance <= limit

    def _find_limit(self, section: Section) -> int | None:
        """Return the plies up to which no limit of moves draws a win, in a material and all that it leads to."""
        materials = Materials(self._folder.retrograde, sum(section[1:]))
        material = materials.of(section)
        limits = [shortest_limit(self._ruleset.rules.draws, material)]
        limits += map(self._limit, materials.neighbours(material))
        return min((limit for limit in limits if limit is not None), default=None)

    def _open(self, section: Section) -> tuple[EndgameFile, SectionTables]:
        materials = Materials(self._folder.retrograde, sum(section[1:]))
        return self._folder.open(materials.of(section), distances=True), self._folder.retrograde.tables([section])


def check_solvable_exactly(ruleset: Ruleset) -> None:
    """Raise RulesetError for rules in which values are not all: huffing, which may make a lapse the better move."""
    if ruleset.rules.huff is not None:
        raise RulesetError(f"{ruleset.id}: huffing is left out of solved endgames, and may excuse a move")


def _rank(value: SolvedValue) -> tuple[int, int]:
    return value.half_points, -value.distance if value.value == "win" else value.distance
