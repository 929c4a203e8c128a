"""Adapter for the checkers of the Python package `seoulai-gym` (written for 0.1.2): rows and columns.

It does not decide whose turn it is: its user says so. After each move the other side is to move.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.metadata import distribution
from types import ModuleType
from typing import Any

from _loop import serve  # type: ignore[import-not-found]
from _squares import Turn, answers, cell, read_position, square, turn, write  # type: ignore[import-not-found]

# Its package imports all its games, with the windows they need: here it is no more than the folder of its modules.
package = sys.modules["seoulai_gym"] = ModuleType("seoulai_gym")
package.__path__ = [str(distribution("seoulai-gym").locate_file("seoulai_gym"))]
from seoulai_gym.envs.checkers.base import Constants, DarkPiece, LightPiece  # type: ignore[import-not-found]  # noqa: E402
from seoulai_gym.envs.checkers.board import Board  # type: ignore[import-not-found]  # noqa: E402

SIDES = {"B": Constants.DARK, "W": Constants.LIGHT}
LETTERS = {Constants.DARK: "bB", Constants.LIGHT: "wW"}


def board(on: dict[int, str]) -> Any:
    found = Board()
    found.board_list = [[None] * 8 for _ in range(8)]
    for n, letter in on.items():
        row, column = cell(n)
        piece = DarkPiece() if letter in "bB" else LightPiece()
        if letter.isupper():
            piece.make_king()
        found.board_list[row][column] = piece
    return found


def fen(side: str, found: Any) -> str:
    at = {n: found.board_list[row][column] for n in range(1, 33) for row, column in [cell(n)]}
    return str(write(side, {n: LETTERS[piece.ptype][piece.king] for n, piece in at.items() if piece}))


def turns(ruleset: str, position: str) -> Iterator[Turn]:
    side, on = read_position(position)
    before = board(on)
    listed = before.generate_valid_moves(before.board_list, SIDES[side], before.size)
    for (row, column), places in listed.items():
        for to_row, to_column in places:
            after = board(on)
            after.move(SIDES[side], row, column, to_row, to_column)
            way = [square(row, column), square(to_row, to_column)]
            yield turn(way, position, fen("W" if side == "B" else "B", after))


if __name__ == "__main__":
    serve("seoulai-gym", ["english"], answers(turns))
