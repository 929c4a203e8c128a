"""Adapter for the Python package `magmacrunch-checkers` (written for 0.1.1): rows and columns.

Its player moves up the board and begins. So the player is Black here, and the board is turned round.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from _loop import UnsupportedError, serve  # type: ignore[import-not-found]
from _squares import Turn, answers, cell, ends, read_position, square, write  # type: ignore[import-not-found]
from checkers import rules  # type: ignore[import-not-found]

PIECES = {
    rules.PLAYER_PIECE: "b",
    rules.PLAYER_KING: "B",
    rules.AI_PIECE: "w",
    rules.AI_KING: "W",
}
ON_BOARD = {piece: of for of, piece in PIECES.items()}
SIDES = {"B": rules.PLAYER, "W": rules.AI}
NAMES = {rules.PLAYER: "black", rules.AI: "white", None: "ongoing"}


def grid(on: dict[int, str]) -> list[list[int]]:
    board = [[rules.EMPTY] * 8 for _ in range(8)]
    for n, piece in on.items():
        row, column = cell(33 - n)
        board[row][column] = ON_BOARD[piece]
    return board


def fen(side: str, board: list[list[int]]) -> str:
    at = {n: board[row][column] for n in range(1, 33) for row, column in [cell(33 - n)]}
    return str(write(side, {n: PIECES[of] for n, of in at.items() if of != rules.EMPTY}))


def described(move: Any) -> Any:
    first, last, *captured = (33 - square(*place) for place in (move.frm, move.to, *move.jumps))
    return ends(first, last, captured)


def turns(ruleset: str, position: str) -> Iterator[Turn]:
    side, on = read_position(position)
    for move in rules.legal_moves(grid(on), SIDES[side]):
        board = grid(on)
        rules.apply_move(board, move)
        yield described(move), fen("W" if side == "B" else "B", board)


def plays(ruleset: str, position: str, level: Mapping[str, Any]) -> Any:
    side, on = read_position(position)
    if side == "B":
        raise UnsupportedError("its computer has the pieces that move down the board")
    move = rules.choose_move(grid(on))
    return move and described(move)


if __name__ == "__main__":
    questions = {
        "start": lambda ruleset: fen("B", rules.initial()),
        **answers(turns),
        "outcome": lambda ruleset, position: NAMES[rules.winner(grid(read_position(position)[1]))],
        "plays": plays,
    }
    serve("magmacrunch-checkers", ["english", "lb"], questions)
