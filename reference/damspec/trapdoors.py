"""Trapdoors and the spinner: slider pushes, pieces that fall, spins and what their results allow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from .board import opponent
from .move import Action, Pass, SliderPush, Spin
from .piece_moves import PieceMoves
from .position import Position, pass_turn, slider_letters, without
from .rules import SpinRules, TrapdoorRules, meaning_of


def slider_pushes(trapdoors: TrapdoorRules, position: Position, colours: frozenset[str]) -> Iterator[SliderPush]:
    """Yield the pushes of sliders of some colours.

    `trapdoors.step` says how far a slider goes, `trapdoors.closing` whether the mover may choose to close the door
    that it opens again in the same turn.
    """
    layout, letters = trapdoors.layout, slider_letters(trapdoors.layout, position)
    through = meaning_of("trapdoors.step", trapdoors.step, {"one": False, "through": True})
    may_close = _closing(trapdoors) == "optional"
    for place, letter in layout.steps(letters, colours, through=through):
        yield SliderPush(layout.sliders[place].id, letter, side=position.turn)
        if may_close and letter != "M":
            yield SliderPush(layout.sliders[place].id, letter, closes=True, side=position.turn)


def push_slider(trapdoors: TrapdoorRules, position: Position, slide: SliderPush) -> Position:
    """Return the position after a push: a door opens, pieces on it fall, and it may close again.

    `trapdoors.falls` says which pieces fall, `trapdoors.closing` whether the door closes at once.
    """
    layout, letters = trapdoors.layout, slider_letters(trapdoors.layout, position)
    place, slider = next((n, s) for n, s in enumerate(layout.sliders) if s.id == slide.slider)
    door = slider.door(slide.to)
    hole = position.board.bit(door) if door is not None else 0
    side, other = position.turn, opponent(position.turn)
    meanings = {
        "any": position.occupied(side) | position.occupied(other),
        "men": position.men(side) | position.men(other),
        "opponents": position.occupied(other),
    }
    falls = meaning_of("trapdoors.falls", trapdoors.falls, meanings)
    letter = "M" if slide.closes or _closing(trapdoors) == "at-once" else slide.to
    sliders = letters[:place] + letter + letters[place + 1 :]
    return pass_turn(replace(without(position, hole & falls), sliders=sliders))


def _closing(trapdoors: TrapdoorRules) -> str:
    return meaning_of("trapdoors.closing", trapdoors.closing, {each: each for each in _CLOSING})


_CLOSING = ("stays-open", "at-once", "optional")
_COLOURS = {
    "green-slider": frozenset({"green"}),
    "orange-slider": frozenset({"orange"}),
    "any-slider": frozenset({"green", "orange"}),
}


class Spinner:
    """Turns with a spin: a capture, or a spin followed by what its result allows."""

    def __init__(self, spin: SpinRules, trapdoors: TrapdoorRules, movement: PieceMoves) -> None:
        self.spin, self.trapdoors, self.movement = spin, trapdoors, movement
        self._after_capture = meaning_of("spin.when", spin.when, {"no-capture": False, "after-capture": True})
        self._when_blocked = meaning_of("spin.blocked", spin.blocked, {"loses": False, "spins": True})
        self._may_decline = meaning_of("spin.slide", spin.slide, {"compulsory": False, "may-decline": True})

    def actions(self, position: Position) -> list[Action]:
        """Return every legal action: captures before any spin, the results of a spin, or what a result allows."""
        match position.spin:
            case None:
                captures = self.movement.captures(position)
                if captures:
                    return [*self.movement.moves(position, captures)]
                return self._spins(position) if self._can_spin(position) else []
            case "due":
                return self._spins(position)
            case result:
                return self._actions_for(position, result)

    def is_due(self, position: Position, captured: bool) -> bool:
        """Return whether a spin follows a piece's move in the same turn: after a capture made before any spin.

        `spin.when` says whether that is so, or the capture is the whole turn.
        """
        return self._after_capture and captured and position.spin is None

    def _can_spin(self, position: Position) -> bool:
        """Return whether a side that cannot capture may spin; `spin.blocked` decides if no piece can move."""
        if self.movement.quiet(position):
            return True
        return self._when_blocked and bool(position.occupied(position.turn))

    def _spins(self, position: Position) -> list[Action]:
        """Return the results that the spinner has (`spin.outcomes`)."""
        return [Spin(result, side=position.turn) for result in self.spin.outcomes]

    def _actions_for(self, position: Position, result: str) -> list[Action]:
        """Return what a result allows (`spin.outcomes`); `spin.slide` says whether a push may be declined."""
        allows = self.spin.outcomes.get(result)
        if allows is None:  # not a result of this spinner
            return []
        if allows == "piece":
            return [*self.movement.legal(position)]
        declining: list[Action] = [Pass(side=position.turn)] if self._may_decline else []
        colours = meaning_of("spin.outcomes", allows, _COLOURS)
        return [*slider_pushes(self.trapdoors, position, colours), *declining]
