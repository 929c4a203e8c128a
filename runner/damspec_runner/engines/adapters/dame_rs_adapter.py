"""Adapter for the Python package `dame-rs` (written for 0.2.0): FEN, numbers and colours are damspec's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import dame  # type: ignore[import-not-found]
from _loop import serve  # type: ignore[import-not-found]
from _squares import Turn, answers, ends  # type: ignore[import-not-found]

WINNERS = {dame.WHITE: "white", dame.BLACK: "black", None: "draw"}


def turns(ruleset: str, position: str) -> Iterator[Turn]:
    for move in dame.Board(position).legal_moves:
        after = dame.Board(position)
        after.push(move)
        yield ends(move.from_square, move.to_square, move.captured), after.fen()


def plays(ruleset: str, position: str, level: Mapping[str, Any]) -> Any:
    limits = {name: level[key] for name, key in (("depth",) * 2, ("nodes",) * 2, ("time", "move-time")) if key in level}
    move = dame.Engine(hash_mb=1).search(dame.Board(position), **limits or {"depth": 8}).best_move
    return move and ends(move.from_square, move.to_square, move.captured)


def outcome(ruleset: str, position: str) -> str:
    ended = dame.Board(position).outcome()
    return "ongoing" if ended is None else WINNERS[ended.winner]


if __name__ == "__main__":
    serve(
        "dame-rs",
        ["international"],
        {"start": lambda ruleset: dame.Board().fen(), **answers(turns), "outcome": outcome, "plays": plays},
    )
