"""Adapter for the Python package `play-checkers` (written for 1.0.5): a game that asks its players in a terminal.

Its player one moves up the board and begins. So player one is Black here, and the board is turned round.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from _loop import serve  # type: ignore[import-not-found]
from _squares import Turn, answers, cell, read_position, square, turn, write  # type: ignore[import-not-found]
from play_checkers import play  # type: ignore[import-not-found]

PIECES = {"b": play.BLACK, "B": play.BLACK_KINGED, "w": play.WHITE, "W": play.WHITE_KINGED}
LETTERS = {of: piece for piece, of in PIECES.items()}
PLAYERS = {"B": play.PLAYER_ONE, "W": play.PLAYER_TWO}
play.print = lambda *said: None


class SquareNeededError(Exception):
    """It asks how to go on: the squares to choose from."""


def places(on: dict[int, str]) -> dict[tuple[int, int], str]:
    board = {(x, y): play.get_board_square(x, y) for x in range(8) for y in range(8)}
    return board | {cell(33 - n): PIECES[piece] for n, piece in on.items()}


def fen(side: str, board: dict[tuple[int, int], str]) -> str:
    on = {n: LETTERS[board[cell(33 - n)]] for n in range(1, 33) if board[cell(33 - n)] in LETTERS}
    return str(write(side, on))


def played(position: str, way: list[tuple[int, int]]) -> str:
    """The position after a turn in which these squares are named. Raises SquareNeededError where more are needed."""
    side, on = read_position(position)
    board, player, said = places(on), PLAYERS[side], list(way)

    def answer(prompt: str) -> Any:
        return play.coordinates_to_string(*said.pop(0))

    def choose(capturing: list[tuple[int, int]]) -> Any:
        if capturing and not said:
            raise SquareNeededError(capturing)
        return goes_on(capturing)

    play.input, play.choose_follow_up_move = answer, choose
    to, piece = play.initial_player_move(board, player)
    to, piece = play.follow_up_player_move(board, player, to, piece)
    play.make_kinged_piece(board, player, to, piece)
    return fen("W" if side == "B" else "B", board)


goes_on = play.choose_follow_up_move


def turns(ruleset: str, position: str) -> Iterator[Turn]:
    side, on = read_position(position)
    board, player = places(on), PLAYERS[side]

    def follow(way: list[tuple[int, int]]) -> Iterator[Turn]:
        try:
            after = played(position, way)
        except SquareNeededError as asked:
            for place in asked.args[0]:
                yield from follow([*way, place])
        else:
            yield turn([33 - square(*place) for place in way], position, after)

    for place in board:
        if play.is_current_player_piece(board, player, place):
            directions = play.get_piece_moves(player, board[place])
            for to in play.allowed_moves_for_piece(board, player, place, directions):
                yield from follow([place, to])


def start(ruleset: str) -> str:
    board = places({})
    play.setup_board(board)
    return fen("B", board)


if __name__ == "__main__":
    serve("play-checkers", ["english"], {"start": start, **answers(turns)})
