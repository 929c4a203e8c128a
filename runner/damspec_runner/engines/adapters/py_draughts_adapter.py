"""Adapter for the Python package `py-draughts` (written for 1.10.1); needs the Python that has the package.

Its boards number and colour as damspec does: 1 at the top left, White at the bottom moving up.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import draughts  # type: ignore[import-not-found]
from _loop import serve  # type: ignore[import-not-found]

BOARDS = {
    "brazilian": draughts.BrazilianBoard,
    "english": draughts.AmericanBoard,
    "frisian": draughts.FrisianBoard,
    "frysk": draughts.FryskBoard,
    "international": draughts.StandardBoard,
    "international+losing": draughts.AntidraughtsBoard,
    "lb": draughts.AmericanBoard,
    "russian": draughts.RussianBoard,
}
RESULTS = {"-": "ongoing", "1-0": "white", "0-1": "black", "1/2-1/2": "draw"}


def board(ruleset: str, position: str) -> Any:
    return BOARDS[ruleset].from_fen(position)


def fen(game: Any) -> str:
    return str(game.fen).removeprefix('[FEN "').removesuffix('"]')


def play(ruleset: str, position: str, chosen: str) -> str:
    game = board(ruleset, position)
    game.push({str(move): move for move in game.legal_moves}[chosen])
    return fen(game)


def plays(ruleset: str, position: str, level: Mapping[str, Any]) -> str | None:
    game = board(ruleset, position)
    if not game.legal_moves:
        return None
    limits = {"depth_limit": level.get("depth", 20), "time_limit": level.get("move-time")}
    return str(draughts.SimpleEngine(**limits).get_best_move(game))


if __name__ == "__main__":
    serve(
        "py-draughts",
        BOARDS,
        {
            "start": lambda ruleset: fen(BOARDS[ruleset]()),
            "moves": lambda ruleset, position: [str(move) for move in board(ruleset, position).legal_moves],
            "play": play,
            "outcome": lambda ruleset, position: RESULTS[board(ruleset, position).result],
            "plays": plays,
        },
    )
