"""Adapter for the Python package `samuel` (written for 0.1.9): pieces in an array, moves by where each jump ends.

It does not list moves, but says whether the player may go from one square to another: each pair near enough is tried.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from itertools import pairwise

from _loop import serve  # type: ignore[import-not-found]
from _squares import Hop, cell, hop_answers, read_position, square, write  # type: ignore[import-not-found]
from samuel import engine  # type: ignore[import-not-found]

#: Where each row begins in its array, counted from its other end.
ROWS = [5, 10, 14, 19, 23, 28, 32, 37]
PLACES = {4 * row + place + 1: begins + 3 - place for row, begins in enumerate(ROWS) for place in range(4)}
LETTERS = {1: "b", 2: "w", 5: "B", 6: "W"}
GAME_OVER, LEGAL, SIDE = 49, 50, 51  # where its answer has these
GOES_ON = 2000
SIDES = {1: "B", 2: "W"}
WINNERS = {0: "ongoing", 1: "black", 2: "white"}
sys.stdout = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)  # its C++ prints there
engine.init("", "", "", "")


def fen(found: list[int]) -> str:
    on = {n: LETTERS[found[at]] for n, at in PLACES.items() if found[at] in LETTERS}
    return str(write(SIDES[found[SIDE]], on))


def played(position: str, way: list[int]) -> list[int]:
    """Its answer after it was told to go from each square to the next."""
    found = engine.setposfromFEN(position + ".")  # without a full stop it may read on behind the end
    for first, last in pairwise(way):
        found = engine.hmove(PLACES[first], PLACES[last])
    return found  # type: ignore[no-any-return]


def hops(state: tuple[str, list[int]]) -> Iterator[Hop]:
    position, way = state
    side, on = read_position(position)
    for first in way[-1:] or [n for n in on if on[n].upper() == side]:
        for last in near(first):
            longer = [*(way or [first]), last]
            if legal := played(position, longer)[LEGAL]:
                yield first, last, (position, longer), legal == GOES_ON


def near(n: int) -> list[int]:
    """The squares that one step or jump leads to."""
    row, column = cell(n)
    ways = [(y * steps, x * steps) for y in (1, -1) for x in (1, -1) for steps in (1, 2)]
    return [square(row + y, column + x) for y, x in ways if 0 <= row + y < 8 and 0 <= column + x < 8]


if __name__ == "__main__":
    serve(
        "samuel",
        ["english", "lb"],
        {
            "start": lambda ruleset: fen(engine.newgame()),
            **hop_answers(lambda position: (position, []), hops, lambda state: fen(played(*state))),
            "outcome": lambda ruleset, position: WINNERS[played(position, [])[GAME_OVER]],
        },
    )
