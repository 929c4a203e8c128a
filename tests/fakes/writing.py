"""Engines that write their moves in a notation of their own: `writing.py HABIT [CHANGE]`.

They play the rules they are asked about, or a mutant of them. How they write is worked out here anew from the path of
each move, without the runner's own way to read it; they take back nothing but what they have listed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any

import damspec
from damspec import Board, LegalMoves, Move
from partial import Params, Partial, Refused, speak_json


def places(board: Board, *, last: bool = False) -> Mapping[int, tuple[int, int]]:
    """The row and column of each square from the top left, counted from 0; from the bottom left if `last`."""
    rows = range(board.rows) if last else range(board.rows - 1, -1, -1)
    found = {}
    for number, (column, row) in enumerate(board.places, 1):
        found[number] = (rows[row], column)
    return found


def joined(sign: str) -> Callable[[Move, Board], Any]:
    """Numbers with one sign, whatever the move does."""
    return lambda move, board: sign.join(map(str, move.path))


def run_together(move: Move, board: Board) -> str:
    """Numbers of two digits with nothing between them."""
    return "".join(f"{square:02}" for square in move.path)


def run_on(move: Move, board: Board) -> str:
    """Numbers of one or two digits with nothing between them."""
    return "".join(map(str, move.path))


def taking(move: Move, board: Board) -> Any:
    """The first and the last square, and what is captured."""
    return {"from": move.start, "to": move.end, "captured": list(move.captured)}


def taking_from_zero(move: Move, board: Board) -> Any:
    """The same with squares counted from 0."""
    return {"move": f"{move.start - 1}-{move.end - 1}", "captured": [square - 1 for square in move.captured]}


def by_rows(move: Move, board: Board) -> Any:
    """A list of pairs of row and column."""
    return [list(places(board)[square]) for square in move.path]


def by_rows_in_text(move: Move, board: Board) -> Any:
    """The pairs as a text."""
    return " ".join("{},{}".format(*places(board)[square]) for square in move.path)


def by_rows_in_digits(move: Move, board: Board) -> Any:
    """Each pair as two digits; for boards up to 10x10."""
    return "-".join("{}{}".format(*places(board)[square]) for square in move.path)


def by_columns(move: Move, board: Board) -> Any:
    """Column and row from the bottom left, counted from 1."""
    found = (places(board, last=True)[square] for square in move.path)
    return [[column + 1, row + 1] for row, column in found]


def named(sign: str) -> Callable[[Move, Board], Any]:
    """Squares by their names."""
    return lambda move, board: sign.join(map(board.name, move.path))


#: How each habit writes a move; None for the board after it.
HABITS: Mapping[str, Callable[[Move, Board], Any] | None] = {
    "crosses": joined("x"),
    "hyphens": joined("-"),
    "arrows": joined(" -> "),
    "run-together": run_together,
    "run-on": run_on,
    "from-zero": lambda move, board: "-".join(str(square - 1) for square in move.path),
    "taking": taking,
    "taking-from-zero": taking_from_zero,
    "by-rows": by_rows,
    "by-rows-in-text": by_rows_in_text,
    "by-rows-in-digits": by_rows_in_digits,
    "by-columns": by_columns,
    "named": named(""),
    "named-large": lambda move, board: named("-")(move, board).upper(),
    "boards": None,
}


class NotationEngine(Partial):
    """An engine with a habit."""

    def __init__(self, habit: str, change: str = "") -> None:
        super().__init__("plain", change)
        self.habit = habit
        self._listed: dict[tuple[str, str], list[tuple[Any, str]]] = {}

    def listing(self, params: Params) -> list[tuple[Any, str]]:
        """What it writes of its moves in a position, and the moves."""
        asked = params["ruleset"], params["position"]
        if asked not in self._listed:
            legal = self.legal(params)
            write, board = HABITS[self.habit], legal.position.board
            self._listed[asked] = [(self.written(write, action, legal, board), str(action)) for action in legal]
        return self._listed[asked]

    def legal(self, params: Params) -> LegalMoves:
        """Its legal moves."""
        return damspec.legal_moves(self.ruleset(params["ruleset"]), params["position"])

    def written(self, write: Any, action: Any, legal: LegalMoves, board: Board) -> Any:
        """A move as it writes it."""
        if write is None:
            return legal.after(str(action)).fen()
        return write(action, board) if isinstance(action, Move) else str(action)

    def answer(self, method: str, params: Params) -> Any:
        """The answer. Raises Refused, or a DamspecError."""
        if method == "moves":
            return {"moves": [text for text, _ in self.listing(params)]}
        if method == "play":
            found = [move for text, move in self.listing(params) if text == params["move"]]
            if not found:
                raise Refused(f"has not listed {params['move']}")
            return {"position": self.legal(params).after(found[0]).fen()}
        return super().answer(method, params)


def main(habit: str, change: str = "") -> None:
    """Answer JSON until told to quit."""
    speak_json(NotationEngine(habit, change))


if __name__ == "__main__":
    main(*sys.argv[1:])
