"""Criteria that solved endgames decide: who wins and in how many plies, only moves, zugzwang, studies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from damspec import Action, Position
from damspec.board import opponent
from damspec.outcomes import outcome_of_position
from damspec.turn import ActionGenerator
from damspec.validity import find_invalidity

if TYPE_CHECKING:
    from ..solve.lookup import Endgames, SolvedValue
    from ..solve.place import Value


@dataclass(frozen=True)
class SolvedCriteria:
    """What a position has to come to for the side to move; what is None or False does not matter.

    `plies` are the fewest and the most to the end. By `only_move` one move of several keeps the result; in `zugzwang`
    the side to move has no capture, and would do better if it could pass. In a `study` it wins, and every move of its
    own up to the end is the only one that wins, whatever the loser plays to hold out longest.

    Where a limit of moves may draw the game before a win ends it, nothing is met.
    """

    result: Value | None = None
    plies: tuple[int, int] | None = None
    only_move: bool = False
    zugzwang: bool = False
    study: bool = False

    def are_met(self, endgames: Endgames, turns: ActionGenerator, position: Position) -> bool:
        """Return whether a position that is not finished meets the criteria. Raises FileError if it is not solved."""
        if not (position.occupied("white") and position.occupied("black")):
            return False
        value = endgames.value(position)
        if self.result not in (None, value.value) or not endgames.is_certain(position, value):
            return False
        if self.plies is not None and not self.plies[0] <= value.distance <= self.plies[1]:
            return False
        moves = endgames.moves(position) if self.only_move or self.study else []
        if (self.only_move or self.study) and not _is_only(moves):
            return False
        if self.only_move and not all(endgames.is_certain(position, each) for _, each in moves):
            return False
        if self.zugzwang and not _is_zugzwang(endgames, turns, position, value):
            return False
        return not self.study or _is_study(endgames, turns, position)


def _is_only(moves: Sequence[tuple[Action, SolvedValue]]) -> bool:
    """Return whether one move of several keeps the value, given the best first."""
    return len(moves) > 1 and moves[0][1].value != moves[1][1].value


def _is_zugzwang(endgames: Endgames, turns: ActionGenerator, position: Position, value: SolvedValue) -> bool:
    if turns.can_capture(position):
        return False
    passed = replace(position, turn=opponent(position.turn))
    if find_invalidity(turns, passed) or outcome_of_position(turns, passed).is_over:
        return False
    after = endgames.value(passed)
    return 2 - after.half_points > value.half_points and endgames.is_certain(passed, after)


def _is_study(endgames: Endgames, turns: ActionGenerator, position: Position) -> bool:
    """Return whether each winning move is the only one, to the end; a forced move is."""
    moves = endgames.moves(position)
    if not moves or moves[0][1].value != "win" or (moves[1:] and moves[1][1].value == "win"):
        return False
    after = turns.after(position, moves[0][0])
    if outcome_of_position(turns, after).is_over:
        return True
    replies = endgames.moves(after)
    return all(
        _is_study(endgames, turns, turns.after(after, action))
        for action, value in replies
        if value.distance == replies[0][1].distance
    )
