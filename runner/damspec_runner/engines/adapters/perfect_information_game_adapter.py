"""Adapter for the checkers of the Python package `perfect-information-game` (written for 0.0.11): boards after a hop.

Its first player, red, moves up the board. So red is Black here, and the board is turned round.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any
from unittest.mock import MagicMock

import numpy as np
from _loop import serve  # type: ignore[import-not-found]
from _squares import Hop, cell, hop_answers, read_position, write  # type: ignore[import-not-found]

# For its window and its players.
sys.modules.update(dict.fromkeys(("easygui", "keras", "pygame", "tensorflow"), MagicMock()))
from perfect_information_game.games import Checkers  # type: ignore[import-not-found]  # noqa: E402

LAYERS = "bBwW"  # one for each kind of piece; then where a jump goes on, and whose turn it is


def state(position: str) -> Any:
    side, on = read_position(position)
    found = np.zeros(Checkers.STATE_SHAPE, np.uint8)
    for n, piece in on.items():
        found[(*cell(33 - n), LAYERS.index(piece))] = 1
    found[:, :, 5] = side == "B"
    return found


def pieces(found: Any) -> dict[int, str]:
    return {n: LAYERS[k] for n in range(1, 33) for k in range(4) if found[(*cell(33 - n), k)]}


def black(found: Any) -> bool:
    return bool(found[0, 0, 5])


def hops(found: Any) -> Iterator[Hop]:
    own, on = "bB" if black(found) else "wW", pieces(found)
    for after in Checkers.get_possible_moves(found):
        then = pieces(after)
        (first,) = (n for n in on if on[n] in own and n not in then)
        (last,) = (n for n in then if then[n] in own and n not in on)
        yield first, last, after, black(after) == black(found)


def fen(found: Any) -> str:
    return str(write("B" if black(found) else "W", pieces(found)))


def outcome(ruleset: str, position: str) -> str:
    found = state(position)
    return {1: "black", -1: "white"}[Checkers.get_winner(found)] if Checkers.is_over(found) else "ongoing"


if __name__ == "__main__":
    questions = {
        "start": lambda ruleset: fen(Checkers.STARTING_STATE),
        **hop_answers(state, hops, fen),
        "outcome": outcome,
    }
    serve("perfect-information-game", ["english"], questions)
