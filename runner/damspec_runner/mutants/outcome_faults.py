"""Faults in outcomes: draws that come too early, too late or not at all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from damspec import Action, Move, Outcome, Position
from damspec.board import opponent
from damspec.endings import REASONS, find_draw, outcome_of_position
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
        kings, men = position.white_kings | position.black_kings, position.white_men | position.black_men
        return (
            outcome_of_position(self._without, position)
            if (men if self._kings else kings)
            else super().outcome_of(position)
        )


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
        endings = (self.rules.draws and self.rules.draws.endings) or ()
        return any({(force, other), (other, force)} & {*endings_named(key)} for key in endings)


class OutOfTurn(OutcomeFault):
    """A side that cannot move ends the game although the other side is to move."""

    def outcome_of(self, position: Position) -> Outcome:
        """Return the outcome of a position."""
        now = super().outcome_of(position)
        other = super().outcome_of(replace(position, turn=opponent(position.turn)))
        return other if not now.is_over and other.reason == "no-moves" else now


# --- draws by history

#: The positions that a game went through, and the actions between them.
History = tuple[Sequence[Position], Sequence[Action]]


class MisreadHistory(OutcomeFault):
    """One rule of draws, a field of `DrawRules`, is applied to another history than the right one."""

    def __init__(self, right: ActionGenerator, rule: str, misread: Callable[[History], History]) -> None:
        super().__init__(right)
        self._misread = misread
        others = {name.partition(".")[2].replace("-", "_") for name in REASONS} - {rule}
        self._alone, self._others = (
            replace(self.rules, draws=self.rules.draws and replace(self.rules.draws, **dict.fromkeys(left)))
            for left in (others, {rule})
        )

    def draw_of(self, positions: Sequence[Position], actions: Sequence[Action]) -> Outcome:
        """Return the draw by the history of a game, or an ongoing outcome."""
        found = find_draw(self._alone, *self._misread((positions, actions)))
        return found if found.is_over else find_draw(self._others, positions, actions)


#: The moves that begin a count of moves again, by the rules or by a fault.
_EVENTS: dict[str, Callable[[Position, Move], bool]] = {
    "a move of a man": lambda position, move: (
        not move.captured and bool(position.men(position.turn) & position.board.bit(move.start))
    ),
    "a capture": lambda position, move: bool(move.captured),
    "a promotion": lambda position, move: move.promotes,
    "a move onto the main road": lambda position, move: (
        [bool(position.board.main_road & position.board.bit(square)) for square in (move.start, move.end)]
        == [False, True]
    ),
}


def _places(event: str, history: History) -> list[int]:
    """Return the places in a history of the moves of a kind."""
    moves = enumerate(zip(*history, strict=False))
    return [place for place, (before, move) in moves if isinstance(move, Move) and _EVENTS[event](before, move)]


def since(event: str, history: History, skip: int = 1) -> History:
    """Return the history after the last move of a kind, or with `skip=0` with that move."""
    first = max(_places(event, history), default=-skip) + skip
    return history[0][first:], history[1][first:]


def unchanged_by(event: str, history: History, *, counted: bool) -> History:
    """Return a history whose pieces stood all along as after the last move of a kind.

    Moves of that kind are left out unless `counted`.
    """
    (positions, actions), places = history, _places(event, history)
    last = max(places, default=-1) + 1
    kept = [place for place in range(last) if counted or place not in places]
    # The square that the last of them left is empty then, so that none of the moves is one of a man.
    return (
        [*(replace(positions[last], turn=positions[place].turn) for place in kept), *positions[last:]],
        [*(actions[last - 1] for _ in kept), *actions[last:]],
    )
