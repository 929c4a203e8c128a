"""Adapter for the checkers of the Python package `pettingzoo` (written for 1.3.5): hop by hop, squares from 0."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from copy import deepcopy
from typing import Any
from unittest.mock import MagicMock

from _loop import serve  # type: ignore[import-not-found]
from _squares import Hop, hop_answers, read_position, write  # type: ignore[import-not-found]

# What describes actions to those who learn: the rules do not use it.
sys.modules.update(dict.fromkeys(("gym", "gym.spaces"), MagicMock()))
from pettingzoo.classic.checkers.checkers import CheckersRules  # type: ignore[import-not-found]  # noqa: E402

SIDES = {"B": "black", "W": "white"}
KINDS = {"b": ("black", "men"), "B": ("black", "kings"), "w": ("white", "men"), "W": ("white", "kings")}


def game(position: str) -> Any:
    side, on = read_position(position)
    board = CheckersRules.empty_board()
    for n, piece in on.items():
        owner, kind = KINDS[piece]
        board[owner][kind].add(n - 1)
    return CheckersRules(board=board, turn=SIDES[side])


def fen(found: Any) -> str:
    on = {n + 1: piece for piece, (owner, kind) in KINDS.items() for n in found.board[owner][kind]}
    return str(write("B" if found.turn == "black" else "W", on))


def hops(found: Any) -> Iterator[Hop]:
    for first, last in found.legal_moves():
        after = deepcopy(found)
        after.move(first, last)
        yield first + 1, last + 1, after, after.turn == found.turn


if __name__ == "__main__":
    serve(
        "pettingzoo", ["english", "lb"], {"start": lambda ruleset: fen(CheckersRules()), **hop_answers(game, hops, fen)}
    )
