"""Adapter for the Python package `english-checkers` (written for 0.0.2): rows and columns, from the top left."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from _loop import serve  # type: ignore[import-not-found]
from _squares import Turn, answers, cell, path, read_position, square, write  # type: ignore[import-not-found]
from checkers.board import Cell  # type: ignore[import-not-found]
from checkers.game import Color, Game, GameState  # type: ignore[import-not-found]

CELLS = {"b": Cell.BLACK, "w": Cell.WHITE, "B": Cell.BLACK_QUEEN, "W": Cell.WHITE_QUEEN}
PIECES = {of: piece for piece, of in CELLS.items()}
SIDES = {"B": Color.BLACK, "W": Color.WHITE}
RESULTS = {
    GameState.UNFINISHED: "ongoing",
    GameState.TIE: "draw",
    GameState.BLACK_WON: "black",
    GameState.WHITE_WON: "white",
}


def game(position: str) -> Any:
    side, on = read_position(position)
    found = Game(8)
    for n in range(1, 33):
        found.board.set_cell(*cell(n), CELLS.get(on.get(n, ""), Cell.EMPTY))
    found.turn = SIDES[side]
    found.black_count = sum(piece in "bB" for piece in on.values())
    found.white_count = len(on) - found.black_count
    return found


def fen(found: Any) -> str:
    on = {n: PIECES[of] for n in range(1, 33) if (of := found.board.get_cell(*cell(n))) != Cell.EMPTY}
    return str(write("B" if found.turn == Color.BLACK else "W", on))


def turns(ruleset: str, position: str) -> Iterator[Turn]:
    before = game(position)
    for move in before.get_all_moves():
        after = deepcopy(before)
        after.make_move(move)
        first = move.steps[0]
        jumps = abs(first[0] - move.start[0]) > 1
        yield path([square(*place) for place in (move.start, *move.steps)], capture=jumps), fen(after)


def outcome(ruleset: str, position: str) -> str:
    found = game(position)
    found._update_state()
    return RESULTS[found.state]


if __name__ == "__main__":
    serve(
        "english-checkers",
        ["english", "lb"],
        {"start": lambda ruleset: fen(Game(8)), **answers(turns), "outcome": outcome},
    )
