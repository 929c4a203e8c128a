"""Faults of an engine that keeps something from one question to the next: what it answers depends on their order.

Each is to be asked a run of questions, and a new one is wanted for another run. Actions, lapses and what follows them
in one position are one question.
"""

from __future__ import annotations

from dataclasses import replace

from damspec import Action, Position
from damspec.board import opponent
from damspec.pieces import with_side
from damspec.runs import without_runs
from damspec.turn import Turns

from .turns import Faulty, Seeing


class OneLate(Seeing):
    """Answers about the position that was asked before; about the first one as it is."""

    remembers = True

    def __init__(self, right: Turns) -> None:
        super().__init__(right)
        self._before: Position | None = None
        self._now: Position | None = None

    def seen(self, position: Position) -> Position:
        """The position asked before."""
        if position != self._now:
            self._before, self._now = self._now, position
        return self._before or position


class Untidy(OneLate):
    """A piece of the position asked before stays on the board if its square is empty now: the first or last of all."""

    def __init__(self, right: Turns, place: int) -> None:
        super().__init__(right)
        self._place = place

    def seen(self, position: Position) -> Position:
        """The position with the piece that stayed."""
        before = super().seen(position)
        square = [*before][self._place] if before else None
        piece = before[square] if square else None
        if square is None or piece is None or square in position:
            return position
        bit, side = position.board.bit(square), piece.side
        men, kings = position.men(side), position.kings(side)
        return with_side(position, side, *((men | bit, kings) if piece.kind == "man" else (men, kings | bit)))


class Silent(Faulty):
    """Lists nothing at one question in so many."""

    remembers = True

    def __init__(self, right: Turns, every: int) -> None:
        super().__init__(right)
        self._every, self._asked = every, 0

    def actions(self, position: Position) -> list[Action]:
        """What is listed as legal."""
        self._asked += 1
        return [] if self._asked % self._every == 0 else self.right.actions(position)


class Recalling(Seeing):
    """Answers as it did about a position that it takes for the same, since it does not look at everything."""

    remembers = True

    def __init__(self, right: Turns, blind_to: str) -> None:
        super().__init__(right)
        self._blind_to = blind_to
        self._known: dict[object, Position] = {}

    def seen(self, position: Position) -> Position:
        """The position first asked about of those that it takes for the same."""
        return self._known.setdefault(self._looked_at(position), position)

    def _looked_at(self, position: Position) -> object:
        match self._blind_to:
            case "the side to move":
                return replace(position, turn="white")
            case "the kind of a piece":
                for side in (position.turn, opponent(position.turn)):
                    position = with_side(position, side, position.occupied(side), 0)
                return position
            case _:  # spin, sliders, a lapse to answer, a run
                return without_runs(replace(position, spin=None, sliders=None, huffable=None, compelled=False))
