"""The spinner: when a turn has a spin, and what its result allows."""

from __future__ import annotations

from .action import Action, Pass, Spin
from .movement import Movement
from .position import Position
from .rules import SpinRules, TrapdoorRules
from .trapdoors import slides

_COLOURS = {
    "green-slider": frozenset({"green"}),
    "orange-slider": frozenset({"orange"}),
    "any-slider": frozenset({"green", "orange"}),
}


class Spinner:
    """Turns with a spin: a capture, or a spin and then what its result allows."""

    def __init__(self, spin: SpinRules, trapdoors: TrapdoorRules, movement: Movement) -> None:
        self.spin, self.trapdoors, self.movement = spin, trapdoors, movement

    def actions(self, position: Position) -> list[Action]:
        """Every legal action: a capture before any spin, the results of a spin, or what one allows."""
        match position.spin:
            case None:
                captures = self.movement.captures(position)
                if captures:
                    return [*self.movement.moves(position, captures)]
                return self._spins() if self._begins_with_spin(position) else []
            case "due":
                return self._spins()
            case result:
                return self._allowed(position, result)

    def is_due(self, position: Position, captured: bool) -> bool:
        """Whether a spin follows the move of a piece in the same turn: after a capture that came before any spin.

        `spin.when`: whether the turn is that capture and nothing else.
        """
        return self.spin.when == "after-capture" and captured and position.spin is None

    def _begins_with_spin(self, position: Position) -> bool:
        """Whether a side that cannot capture spins; `spin.blocked` is for one that cannot move a piece at all."""
        if self.movement.quiet(position):
            return True
        return self.spin.blocked == "spins" and bool(position.occupied(position.turn))

    def _spins(self) -> list[Action]:
        """The results that the spinner has: `spin.outcomes`."""
        return [Spin(result) for result in self.spin.outcomes]

    def _allowed(self, position: Position, result: str) -> list[Action]:
        """What a result allows by `spin.outcomes`; `spin.slide`: whether a coloured one may be declined."""
        allows = self.spin.outcomes.get(result)
        if allows is None:  # a result that this spinner does not have
            return []
        if allows == "piece":
            return [*self.movement.legal(position)]
        declining: list[Action] = [Pass()] if self.spin.slide == "may-decline" else []
        return [*slides(self.trapdoors, position, _COLOURS[allows]), *declining]
