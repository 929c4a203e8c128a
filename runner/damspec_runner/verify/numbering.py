"""Moves named by other numbers than the board has: seen from another corner, or one too high."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import get_args

from damspec import Board
from damspec.board import Numbering, Side

#: A move as written: its first and last number, and whether it captures.
_Ends = tuple[int, int, bool]


def numberings(board: Board, turn: Side, expected: Iterable[str], listed: Iterable[str]) -> Iterator[str]:
    """How the squares of moves that are listed are numbered, in words, if the moves are right but for that.

    Said of the side to move first, then of both sides.
    """
    right, given = (_ends(texts) for texts in (expected, listed))
    if not right or given == right:
        return
    for words, numbers in _others(board).items():
        if given == _renumbered(right, numbers):
            yield f"number the squares of {turn.capitalize()}'s moves {words}"
            yield f"number the squares of moves {words}"


def contradicts(board: Board, turn: Side, expected: Iterable[str], said: str) -> bool:
    """Whether a right list is not right if the squares are numbered as is `said`."""
    right = _ends(expected)
    about = (f"number the squares of {turn.capitalize()}'s moves", "number the squares of moves")
    others = _others(board).items()
    return any(
        said in [f"{each} {words}" for each in about] and _renumbered(right, numbers) != right
        for words, numbers in others
    )


@cache
def _others(board: Board) -> Mapping[str, Mapping[int, int]]:
    """Other numbers of all squares, by what is said of them."""
    found: dict[str, Mapping[int, int]] = {}
    for numbering in get_args(Numbering):
        if numbering != board.numbering:
            other = {place: number for number, place in enumerate(replace(board, numbering=numbering).places, 1)}
            numbers = {number: other[place] for number, place in enumerate(board.places, 1)}
            is_turned = all(number + other == len(board) + 1 for number, other in numbers.items())
            words = f"from the {numbering.replace('-', ' ')}"
            found[words + f", {len(board) + 1} less the number" * is_turned] = numbers
    for words, more in (("one too high", 1), ("one too low", -1)):
        found[words] = {number: number + more for number in range(1, len(board) + 1)}
    return found


def _ends(texts: Iterable[str]) -> frozenset[_Ends] | None:
    """The ends of moves; None where one is not written with numbers."""
    found = set()
    for text in texts:
        squares = re.split("[-x:]", text.partition(" (")[0])
        if len(squares) < 2 or not all(square.isdecimal() for square in squares):
            return None
        found.add((int(squares[0]), int(squares[-1]), "-" not in text))
    return frozenset(found)


def _renumbered(ends: frozenset[_Ends] | None, numbers: Mapping[int, int]) -> frozenset[_Ends] | None:
    return ends and frozenset((numbers[start], numbers[end], captures) for start, end, captures in ends)
