"""Minimising a position that shows a fault: fewer pieces, men for kings, doors shut, nothing pending."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations

from damspec import Position
from damspec.board import SIDES
from damspec.king_runs import drop_moot_runs
from damspec.position import with_piece_moved, without

#: The most pieces with which two are removed at once, or one is removed and another moved.
_FEW = 7


def shrink(position: Position, shows: Callable[[Position], bool]) -> Position:
    """Minimise a position by small steps, as long as `shows` returns true.

    `shows` is called at most once for each position.
    """
    tried = {position}

    def still(smaller: Position) -> bool:
        if smaller in tried:
            return False
        tried.add(smaller)
        return shows(smaller)

    while True:
        position = _fewer(position, still)
        ways = (_nothing_pending, _doors_shut, _men_for_kings, _two_fewer, _one_fewer_one_moved)
        smaller = next((smaller for way in ways for smaller in way(position) if still(smaller)), None)
        if smaller is None:
            return position
        position = smaller


def _fewer(position: Position, still: Callable[[Position], bool]) -> Position:
    """Remove pieces: half of them at once, then fewer, then one by one."""
    at_once = max(len(position) // 2, 1)
    while True:
        bits = [bit for bit in position.board.bits if bit & (position.occupied("white") | position.occupied("black"))]
        for place in range(0, len(bits), at_once):
            smaller = drop_moot_runs(without(position, sum(bits[place : place + at_once])))
            position = smaller if smaller != position and still(smaller) else position
        if at_once == 1:
            return position
        at_once //= 2


def _nothing_pending(position: Position) -> Iterator[Position]:
    if position.spin or position.huffable or position.compelled:
        yield replace(position, spin=None, huffable=None, compelled=False)
    for side in SIDES:
        if position.run(side):
            yield position.with_run(side, None)


def _doors_shut(position: Position) -> Iterator[Position]:
    """Yield the position with all sliders in the middle, or one more."""
    sliders = position.sliders or ""
    if sliders.strip("M"):
        yield replace(position, sliders="M" * len(sliders))
        for place, letter in enumerate(sliders):
            if letter != "M":
                yield with_slider(position, place, "M")


def with_slider(position: Position, place: int, letter: str) -> Position:
    """Return the position with one of its sliders elsewhere."""
    sliders = position.sliders or ""
    return replace(position, sliders=f"{sliders[:place]}{letter}{sliders[place + 1 :]}")


def _men_for_kings(position: Position) -> Iterator[Position]:
    for bit in position.board.bits:
        if bit & position.white_kings:
            yield replace(position, white_kings=position.white_kings ^ bit, white_men=position.white_men | bit)
        elif bit & position.black_kings:
            yield replace(position, black_kings=position.black_kings ^ bit, black_men=position.black_men | bit)


def _two_fewer(position: Position) -> Iterator[Position]:
    if len(position) <= _FEW:
        for two in combinations([position.board.bit(square) for square in position], 2):
            yield drop_moot_runs(without(position, sum(two)))


def _one_fewer_one_moved(position: Position) -> Iterator[Position]:
    """Yield positions with one piece fewer and another one moved, which may do the work of both."""
    if not 2 < len(position) <= _FEW:
        return
    for gone in position:
        fewer = drop_moot_runs(without(position, position.board.bit(gone)))
        empty = [bit for bit in position.board.bits if not bit & (fewer.occupied("white") | fewer.occupied("black"))]
        for square in fewer:
            for bit in empty:
                yield with_piece_moved(fewer, fewer.board.bit(square), bit)
