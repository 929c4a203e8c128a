"""Faults in outcomes: draws that come too early, too late or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from damspec import Action, Move, Outcome, Position
from damspec.board import opponent
from damspec.endings import find_draw, outcome_of_position
from damspec.king_runs import without_runs
from damspec.rules import endings_named
from damspec.turn import ActionGenerator

from .faulty_turns import FaultyGenerator


class OutcomeFault(FaultyGenerator):
    """The right turns, with a fault in the outcome of a position or of a game."""

    def outcome_of(self, position: Position) -> Outcome:
        """Return the outcome of a position."""
        return outcome_of_position(self.right, position)

    def draw_of(self, positions: Sequence[Position], actions: Sequence[Action]) -> Outcome:
        """Return the draw by the history of a game, or an ongoing outcome."""
        return find_draw(self.rules, positions, actions)

    def game_outcome(self, positions: Sequence[Position], actions: Sequence[Action]) -> Outcome:
        """Return the outcome of a game through these positions."""
        now = self.outcome_of(positions[-1])
        return now if now.is_over else self.draw_of(positions, actions)


class NoKingLimit(OutcomeFault):
    """`king.move.limit` is ignored, though the moves of a king in a row are counted."""

    invents = True

    def actions(self, position: Position) -> list[Action]:
        """Return the actions listed as legal."""
        return self.right.actions(without_runs(position))

    def outcome_of(self, position: Position) -> Outcome:
        """Return the outcome of a position."""
        return super().outcome_of(without_runs(position))


class SameKindDraw(OutcomeFault):
    """One piece on each side is a draw only if both are kings, or both men."""

    def __init__(self, right: ActionGenerator, piece: str) -> None:
        super().__init__(right)
        self._kings = piece == "kings"
        draws = tuple(draw for draw in self.rules.ending.draws if not draw.startswith("one-piece-each"))
        self._without = ActionGenerator(replace(self.rules, ending=replace(self.rules.ending, draws=draws)))

    def outcome_of(self, position: Position) -> Outcome:
        """Return the outcome of a position."""
        others = position.white_men | position.black_men
        if not self._kings:
            others = position.white_kings | position.black_kings
        return outcome_of_position(self._without, position) if others else super().outcome_of(position)


class ImmediateEndingDraw(OutcomeFault):
    """An ending that is drawn after some moves is drawn as soon as it arises."""

    def outcome_of(self, position: Position) -> Outcome:
        """Return the outcome of a position."""
        now = super().outcome_of(position)
        return Outcome("draw", "ending") if not now.is_over and self._is_ending(position) else now

    def _is_ending(self, position: Position) -> bool:
        force, other = (
            (position.kings(side).bit_count(), position.men(side).bit_count())
            for side in (position.turn, opponent(position.turn))
        )
        endings = self.rules.draws.endings if self.rules.draws else None
        return any({(force, other), (other, force)} & {*endings_named(key)} for key in endings or ())


class MenMovesCounted(OutcomeFault):
    """Moves of men count as moves of kings alone (`draws.king-moves`)."""

    def draw_of(self, positions: Sequence[Position], actions: Sequence[Action]) -> Outcome:
        """Return the draw by the history of a game, or an ongoing outcome."""
        made = {"white": 0, "black": 0}
        for before, action in zip(reversed(positions[:-1]), reversed(actions), strict=True):
            if not isinstance(action, Move) or action.captured:
                break
            made[before.turn] += 1
        most = self.rules.draws.king_moves if self.rules.draws else None
        if most is not None and min(made.values()) >= most:
            return Outcome("draw", "king-moves")
        return super().draw_of(positions, actions)


class FirstPositionUncounted(OutcomeFault):
    """Repetitions of the first position are not counted."""

    def draw_of(self, positions: Sequence[Position], actions: Sequence[Action]) -> Outcome:
        """Return the draw by the history of a game, or an ongoing outcome."""
        draws, now = self.rules.draws, positions[-1]
        if draws is None or draws.repetition is None or positions[1:].count(now) >= draws.repetition:
            return super().draw_of(positions, actions)
        return find_draw(replace(self.rules, draws=replace(draws, repetition=None)), positions, actions)
