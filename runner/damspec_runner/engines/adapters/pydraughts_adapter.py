"""Adapter for the Python package `pydraughts` (written for 0.6.7); needs the Python that has the package.

Colours are damspec's. So are the numbers, except that for Russian, Brazilian and Turkish draughts the package counts
the rows from the bottom (1 is a1), and writes positions with the names of the squares.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from _loop import serve  # type: ignore[import-not-found]
from draughts import BLACK, WHITE, Board  # type: ignore[import-not-found]

VARIANTS = {
    "brazilian": "brazilian",
    "english": "english",
    "frisian": "frisian",
    "frysk": "frysk!",
    "international": "standard",
    "international+losing": "antidraughts",
    "italian": "italian",
    "lb": "english",
    "russian": "russian",
    "turkish": "turkish",
}
#: Squares in a row, of the games whose rows are counted from the bottom.
FROM_BOTTOM = {"brazilian": 4, "russian": 4, "turkish": 8}
RESULTS = {None: "ongoing", WHITE: "white", BLACK: "black", 0: "draw"}


def turned(ruleset: str, square: int) -> int:
    """The number of a square of the 8x8 board when the rows are counted from the other side."""
    width = FROM_BOTTOM[ruleset]
    row, place = divmod(square - 1, width)
    return width * (7 - row) + place + 1


def named(ruleset: str, name: str) -> int:
    """The number of the square of the 8x8 board that has this name."""
    width = FROM_BOTTOM[ruleset]
    return width * (8 - int(name[1])) + "abcdefgh".index(name[0]) * width // 8 + 1


def board(ruleset: str, position: str) -> Any:
    if ruleset in FROM_BOTTOM:
        position = re.sub(r"\d+", lambda number: str(turned(ruleset, int(number[0]))), position)
    return Board(VARIANTS[ruleset], position)


def fen(ruleset: str, game: Any) -> str:
    """The position in the package's own words, with the squares numbered and in order."""
    side, *lists = game.fen.split(":")
    fields = [side]
    for pieces in lists:
        colour, names = pieces[0], filter(None, pieces[1:].split(","))
        kings = {name.removeprefix("K"): "K" if name.startswith("K") else "" for name in names}
        squares = {named(ruleset, name) if ruleset in FROM_BOTTOM else int(name): king for name, king in kings.items()}
        fields.append(colour + ",".join(f"{squares[square]}{square}" for square in sorted(squares)))
    return ":".join(fields)


def text(ruleset: str, move: Any) -> str:
    squares = [turned(ruleset, square) if ruleset in FROM_BOTTOM else square for square in move.steps_move]
    return ("x" if move.captures else "-").join(map(str, squares))


@lru_cache(1)
def legal(ruleset: str, position: str) -> list[tuple[str, Any]]:
    """The legal moves, in words and in the package's own form; kept, since each of them may be played next."""
    return [(text(ruleset, move), move) for move in board(ruleset, position).legal_moves()]


def play(ruleset: str, position: str, chosen: str) -> str:
    game = board(ruleset, position)
    game.push(dict(legal(ruleset, position))[chosen])
    return fen(ruleset, game)


if __name__ == "__main__":
    serve(
        "pydraughts",
        VARIANTS,
        {
            "start": lambda ruleset: fen(ruleset, Board(VARIANTS[ruleset])),
            "moves": lambda ruleset, position: [move for move, _ in legal(ruleset, position)],
            "play": play,
            "outcome": lambda ruleset, position: RESULTS[board(ruleset, position).winner()],
        },
    )
