"""Other layouts of trapdoors to put in the place of one: what a rule of open vocabulary is changed to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from damspec import Ruleset
from damspec.layout import Layout, Slider


def other_layouts(ruleset: Ruleset) -> list[Layout]:
    """Layouts with the same sliders: their doors exchanged, their colours, and all doors one square further on."""
    trapdoors = ruleset.rules.trapdoors
    if trapdoors is None:
        return []
    layout, squares = trapdoors.layout, len(ruleset.rules.board)
    found = []
    for name, sliders in _changed(layout.sliders, squares):
        other = replace(layout, id=f"{layout.id}-{name}", name=f"{layout.name}, {name}", assumed=True, sliders=sliders)
        if other.sliders != layout.sliders:
            found.append(other)
    return found


def _changed(sliders: tuple[Slider, ...], squares: int) -> Iterator[tuple[str, tuple[Slider, ...]]]:
    yield "doors-exchanged", tuple(replace(one, left=one.right, right=one.left) for one in sliders)
    colours: dict[str, Literal["green", "orange"]] = {"green": "orange", "orange": "green"}
    yield "colours-exchanged", tuple(replace(one, colour=colours[one.colour]) for one in sliders)
    yield (
        "doors-moved",
        tuple(replace(one, left=one.left % squares + 1, right=one.right % squares + 1) for one in sliders),
    )
