"""Adapter for the Python package `imparaai-checkers` (written for 1.4.2): one hop at a time, joined to turns here.

Its pieces are objects with a number of damspec's each; player 1 is Black.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from _loop import serve  # type: ignore[import-not-found]
from _squares import Hop, hop_answers, read_position, write  # type: ignore[import-not-found]
from checkers.game import Game  # type: ignore[import-not-found]
from checkers.piece import Piece  # type: ignore[import-not-found]

PLAYERS = {"B": 1, "W": 2}
WINNERS = {1: "black", 2: "white", None: "draw"}


def game(position: str) -> Any:
    side, on = read_position(position)
    found, pieces = Game(), []
    for n, letter in sorted(on.items()):
        piece = Piece()
        piece.player, piece.position, piece.king = PLAYERS[letter.upper()], n, letter.isupper()
        piece.board = found.board
        pieces.append(piece)
    found.board.player_turn = PLAYERS[side]
    found.board.pieces = pieces
    return found


def fen(board: Any) -> str:
    letters = {(1, False): "b", (1, True): "B", (2, False): "w", (2, True): "W"}
    on = {piece.position: letters[piece.player, bool(piece.king)] for piece in board.pieces if not piece.captured}
    return str(write("B" if board.player_turn == 1 else "W", on))


def hops(board: Any) -> Iterator[Hop]:
    for first, last in board.get_possible_moves():
        after = board.create_new_board_from_move([first, last])
        yield first, last, after, after.player_turn == board.player_turn


def outcome(ruleset: str, position: str) -> str:
    found = game(position)
    return WINNERS[found.get_winner()] if found.is_over() else "ongoing"


if __name__ == "__main__":
    questions = {
        "start": lambda ruleset: fen(Game().board),
        **hop_answers(lambda position: game(position).board, hops, fen),
        "outcome": outcome,
    }
    serve("imparaai-checkers", ["english", "lb"], questions)
