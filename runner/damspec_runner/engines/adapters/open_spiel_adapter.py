"""Adapter for OpenSpiel's checkers (package `open_spiel`, written for 2.0.2): hop by hop from the start, no position.

Its first player begins at the bottom of its board, where Black sits: the board is turned half round.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pyspiel  # type: ignore[import-not-found]
from _loop import serve  # type: ignore[import-not-found]
from _squares import write  # type: ignore[import-not-found]

SIDES = "BW"
PIECES = {"o": "b", "8": "B", "+": "w", "*": "W"}


def number(file: int, rank: int) -> int:
    """The square of a file and a rank, both from 0, on the board turned round."""
    return 4 * rank + (7 - file) // 2 + 1


def written(action: str) -> str:
    """A hop such as `a3b4`."""
    (file, rank, to_file, to_rank) = (ord(letter) - ord("a1"[place % 2]) for place, letter in enumerate(action[:4]))
    return f"{number(file, rank)}{'x' if abs(to_file - file) == 2 else '-'}{number(to_file, to_rank)}"


def hops(state: Any) -> dict[str, int]:
    return {written(state.action_to_string(action)): action for action in state.legal_actions()}


@cache
def after(played: tuple[str, ...]) -> Any:
    """The engine's game after some hops."""
    if not played:
        return pyspiel.load_game("checkers").new_initial_state()
    state = after(played[:-1]).clone()
    state.apply_action(hops(state)[played[-1]])
    return state


def fen(state: Any, side: str) -> str:
    rows = ((int(line[0]) - 1, enumerate(line[1:9])) for line in str(state).splitlines()[:8])
    on = {number(file, rank): PIECES[letter] for rank, row in rows for file, letter in row if letter in PIECES}
    return str(write(side, on))


def play(ruleset: str, played: list[str], move: str) -> str:
    mover, state = after(tuple(played)).current_player(), after((*played, move))
    return fen(state, SIDES[1 - mover if state.is_terminal() else state.current_player()])


def outcome(ruleset: str, played: list[str]) -> str:
    state = after(tuple(played))
    if not state.is_terminal():
        return "ongoing"
    black, white = state.returns()
    return "draw" if black == white else "black" if black > white else "white"


if __name__ == "__main__":
    questions = {
        "start": lambda ruleset: fen(after(()), "B"),
        "moves": lambda ruleset, played: [*hops(after(tuple(played)))],
        "play": play,
        "outcome": outcome,
    }
    serve("OpenSpiel", ["english"], questions, led=True, package="open_spiel")
