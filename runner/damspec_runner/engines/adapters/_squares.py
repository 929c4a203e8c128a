"""Positions and squares, for the adapters of engines that have neither FEN nor numbers.

Used by adapters in Python, which run with nothing but the standard library and their engine.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from _loop import UnsupportedError  # type: ignore[import-not-found]

Pieces = Mapping[int, str]
#: What a move is called, and the position after it.
Turn = tuple[Any, str]
#: A step or jump from one square to another, the engine's state after it, and whether the piece goes on.
Hop = tuple[int, int, Any, bool]


def read_position(position: str) -> tuple[str, dict[int, str]]:
    """Whose turn it is, `W` or `B`, and what stands on a square: `w` `b` a man, `W` `B` a king."""
    side, *lists = position.split(":")
    on = {}
    for pieces in lists:
        for piece in filter(None, pieces[1:].split(",")):
            on[int(piece.removeprefix("K"))] = pieces[0] if piece.startswith("K") else pieces[0].lower()
    return side, on


def write(side: str, on: Pieces) -> str:
    """The position as text."""
    lists = (
        letter + ",".join(("K" if on[n] == letter else "") + str(n) for n in sorted(on) if on[n].upper() == letter)
        for letter in "WB"
    )
    return ":".join([side, *lists])


def cell(square: int) -> tuple[int, int]:
    """Row and column of a square of the 8x8 board, both from 0 at the top left."""
    row, place = divmod(square - 1, 4)
    return row, 2 * place + (row + 1) % 2


def square(row: int, column: int) -> int:
    """The number of the square in a row and a column."""
    return 4 * row + column // 2 + 1


def path(squares: list[int], *, capture: bool) -> str:
    """A move by all the squares the piece touches."""
    return ("x" if capture else "-").join(map(str, squares))


def ends(first: int, last: int, captured: list[int]) -> Any:
    """A move by where it begins and ends, and what it captures."""
    return {"move": f"{first}x{last}", "captured": sorted(captured)} if captured else f"{first}-{last}"


def whole(
    state: Any, hops: Callable[[Any], Iterable[Hop]], way: tuple[int, ...] = ()
) -> Iterator[tuple[list[int], Any]]:
    """Every way to the end of a turn by an engine that goes hop by hop: its squares, and the state after it."""
    for first, last, after, goes_on in hops(state):
        longer = (*(way or (first,)), last)
        if goes_on:
            yield from whole(after, hops, longer)
        else:
            yield [*longer], after


def turn(way: list[int], before: str, after: str) -> Turn:
    """A turn by its squares and the positions before and after it: a capture, if there are fewer pieces."""
    return path(way, capture=len(read_position(after)[1]) < len(read_position(before)[1])), after


def answers(turns: Callable[[str, str], Iterable[Turn]]) -> dict[str, Callable[..., Any]]:
    """The questions `moves` and `play`, by a function that yields all turns of a position."""

    @lru_cache(1)  # each of the moves listed may be played next
    def listed(ruleset: str, position: str) -> list[Turn]:
        return [*turns(ruleset, position)]

    def moves(ruleset: str, position: str) -> list[Any]:
        return [move for move, _ in listed(ruleset, position)]

    def play(ruleset: str, position: str, chosen: Any) -> str:
        wanted = json.dumps(chosen, sort_keys=True)
        for move, after in listed(ruleset, position):
            if json.dumps(move, sort_keys=True) == wanted:
                return after
        raise UnsupportedError(f"lists no move {wanted}")

    return {"moves": moves, "play": play}


def hop_answers(
    read: Callable[[str], Any], hops: Callable[[Any], Iterable[Hop]], fen: Callable[[Any], str]
) -> dict[str, Callable[..., Any]]:
    """The same for an engine that goes hop by hop: by what reads a position, lists hops, and writes a position."""

    def turns(ruleset: str, position: str) -> Iterator[Turn]:
        return (turn(way, position, fen(after)) for way, after in whole(read(position), hops))

    return answers(turns)
