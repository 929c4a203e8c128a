"""py-draughts' `SimpleEngine` as a process for `opponent.py`.

    python benchmarks/opponent_rival.py RULESET DEPTH

It runs under the Python that has py-draughts. The input is a line of JSON for each question: `{"position": FEN}` begins
a game, `{"push": MOVE}` plays a move, `{"think": ...}` asks for one, `{"measure": true}` only for the time that one
takes. A move is its first square, its last and those captured.
"""

from __future__ import annotations

import json
import sys
from time import process_time
from typing import Any

import draughts  # type: ignore[import-not-found]
from loguru import logger  # type: ignore[import-not-found]
from py_draughts_adapter import BOARDS  # type: ignore[import-not-found]


class ForcedAmericanBoard(draughts.AmericanBoard):  # type: ignore[misc]
    """py-draughts' American board without the quiet moves that it offers beside captures."""

    @property
    def legal_moves(self) -> list[Any]:
        moves = super().legal_moves
        return [move for move in moves if move.captured_list] or moves


def key(move: Any) -> list[Any]:
    squares = [square + 1 for square in move.square_list]
    return [squares[0], squares[-1], sorted(square + 1 for square in move.captured_list)]


def main() -> None:
    logger.remove()
    ruleset, depth = sys.argv[1], int(sys.argv[2])
    for line in sys.stdin:
        ((name, value),) = json.loads(line).items()
        answer = {}
        if name == "position":
            boards = {**BOARDS, "english": ForcedAmericanBoard}
            board, engine = boards[ruleset].from_fen(value), draughts.SimpleEngine(depth_limit=depth)
        elif name == "push":
            board.push(next(move for move in board.legal_moves if key(move) == value))
        else:
            thinks = draughts.SimpleEngine(depth_limit=depth) if name == "measure" else engine
            begun = process_time()
            answer = {"move": key(thinks.get_best_move(board)), "seconds": process_time() - begun}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
