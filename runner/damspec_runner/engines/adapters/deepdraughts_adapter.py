"""Adapter for the Python package `deepdraughts` (written for 1.2.0): hop by hop, places on all 64 squares from 0.

Only its game is imported, not what it learns to play by.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from copy import deepcopy
from typing import Any

from _loop import serve  # type: ignore[import-not-found]
from _squares import Hop, cell, hop_answers, read_position, square, write  # type: ignore[import-not-found]

with redirect_stdout(sys.stderr):  # it says which rules it plays
    from deepdraughts import env  # type: ignore[import-not-found]

SIDES = {"W": env.WHITE, "B": env.BLACK}
LETTERS = {env.WHITE: "wW", env.BLACK: "bB"}
RESULTS = {
    env.GAME_CONTINUE: "ongoing",
    env.GAME_WHITE_WIN: "white",
    env.GAME_BLACK_WIN: "black",
    env.GAME_DRAW: "draw",
}


def place(n: int) -> int:
    row, column = cell(n)
    return int(8 * row + column)


def game(position: str) -> Any:
    side, on = read_position(position)
    found = env.Game(init_board=False)
    white, black = ([n for n in on if on[n] in letters] for letters in ("wW", "bB"))
    kings = ([on[n].isupper() for n in own] for own in (white, black))
    found.current_board.set_board([place(n) for n in white], [place(n) for n in black], *kings)
    found.current_player = SIDES[side]
    return found


def fen(found: Any) -> str:
    pieces = found.current_board.pieces
    on = {square(*divmod(at, 8)): LETTERS[piece.player][piece.isking] for at, piece in pieces.items()}
    return str(write("W" if found.current_player == env.WHITE else "B", on))


def hops(found: Any) -> Iterator[Hop]:
    for move in found.get_all_available_moves():
        after = deepcopy(found)
        after.do_move(move)
        first, last = (square(*divmod(at, 8)) for at in move.pos)
        yield first, last, after, after.is_chain_taking


if __name__ == "__main__":
    serve(
        "deepdraughts",
        ["russian"],
        {
            "start": lambda ruleset: fen(env.Game()),
            **hop_answers(game, hops, fen),
            "outcome": lambda ruleset, position: RESULTS[game(position).query_game_status()],
        },
    )
