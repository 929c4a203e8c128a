"""Trapdoors: which doors are open, which sliders can be pushed where, and what falls.

What an open door is to a piece that moves over or onto it is decided where its moves are found (`moves`, `captures`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from .action import Slide
from .board import opponent
from .layout import Layout
from .pieces import passed, without
from .position import Position
from .rules import Rules, TrapdoorRules


def standing(layout: Layout, position: Position) -> str:
    """A letter for each slider of a layout; a position that leaves them out has them all in the middle."""
    return position.sliders or layout.closed


def with_sliders(rules: Rules, position: Position) -> Position:
    """The position with the letters of its sliders, and where they are, if these rules have sliders."""
    if rules.trapdoors is None:
        return position
    layout = rules.trapdoors.layout
    if position.sliders and position.layout is layout:
        return position
    return replace(position, sliders=standing(layout, position), layout=layout)


def open_doors(rules: Rules, position: Position) -> int:
    """The open doors of a position, as a bitboard: `trapdoors.layout`."""
    if rules.trapdoors is None:
        return 0
    layout = rules.trapdoors.layout
    return layout.open_doors(position.board, standing(layout, position))


def slides(trapdoors: TrapdoorRules, position: Position, colours: frozenset[str]) -> Iterator[Slide]:
    """The pushes of a slider of some colours.

    `trapdoors.step` says how far a slider goes, `trapdoors.closing` whether the mover may choose to close the door
    again in the same turn.
    """
    layout, letters = trapdoors.layout, standing(trapdoors.layout, position)
    for place, letter in layout.steps(letters, colours, through=trapdoors.step == "through"):
        yield Slide(layout.sliders[place].id, letter)
        if trapdoors.closing == "optional" and letters[place] == "M":
            yield Slide(layout.sliders[place].id, letter, closes=True)


def slid(trapdoors: TrapdoorRules, position: Position, slide: Slide) -> Position:
    """The position after a push: a door opens, what stands there falls, and it may close again.

    `trapdoors.falls` says which pieces fall, `trapdoors.closing` whether the door closes at once.
    """
    layout, letters = trapdoors.layout, standing(trapdoors.layout, position)
    place, slider = next((n, s) for n, s in enumerate(layout.sliders) if s.id == slide.slider)
    door = slider.door(slide.to)
    hole = position.board.bit(door) if door is not None else 0
    side, other = position.turn, opponent(position.turn)
    falls = {
        "any": position.occupied(side) | position.occupied(other),
        "men": position.men(side) | position.men(other),
        "opponents": position.occupied(other),
    }[trapdoors.falls]
    letter = "M" if slide.closes or trapdoors.closing == "at-once" else slide.to
    sliders = letters[:place] + letter + letters[place + 1 :]
    return passed(replace(without(position, hole & falls), sliders=sliders))
