"""The choice among the captures that were found, in compiled code: `capture.choice` and what goes with it."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from .compiling import inner
from .found import move_row
from .memory import start_of
from .sets import both, either, has, load, single, size, without
from .table import (
    ALIVE,
    BINDS_PIECE,
    CAPTURED,
    CHOICE,
    FOUND,
    KING_EXTRA,
    KING_FIRST,
    MOST_KINGS,
    MOST_PIECES,
    MULTIPLE,
    MULTIPLE_WHEN_MIXED,
    ORDER,
    ROW,
    WITH_KING,
)  # fmt: skip


@inner
def _worth(criterion, row, kings, enemy_kings, table, work):
    """How good a capture is by a criterion."""
    captured = load(work, row + CAPTURED, kings)
    if criterion == KING_FIRST:
        return work[row + ORDER]
    if criterion == WITH_KING:
        return np.uint64(has(kings, start_of(work[row])))
    if criterion == MOST_KINGS:
        return np.uint64(size(both(captured, enemy_kings)))
    number = 100 * size(captured)
    if table[KING_EXTRA]:
        number += table[KING_EXTRA] * size(both(captured, enemy_kings))
    return np.uint64(number) if criterion == MOST_PIECES else np.uint64(number >= 200)


@inner
def _mixed(first, kings, table, work):
    """Whether of the captures that are left some are a man's and some a king's."""
    a_man = a_king = False
    for row in range(first, table[FOUND], ROW):
        if work[row + ALIVE]:
            if has(kings, start_of(work[row])):
                a_king = True
            else:
                a_man = True
    return a_man and a_king


@inner
def choose(first, kings, enemy_kings, table, work):
    """Of the captures from one on, those that the rules let a side choose from."""
    begin, end = first, table[FOUND]
    if end - begin < 2 * ROW or table[CHOICE] == 0:
        return
    for row in range(begin, end, ROW):
        work[row + ALIVE] = 1
    for place in range(CHOICE + 1, CHOICE + 1 + table[CHOICE]):
        criterion = table[place]
        if criterion == MULTIPLE_WHEN_MIXED:
            if not _mixed(first, kings, table, work):
                continue
            criterion = MULTIPLE
        best = np.uint64(0)
        for row in range(begin, end, ROW):
            if work[row + ALIVE]:
                best = max(best, _worth(criterion, row, kings, enemy_kings, table, work))
        for row in range(begin, end, ROW):
            if work[row + ALIVE] and _worth(criterion, row, kings, enemy_kings, table, work) < best:
                work[row + ALIVE] = 0
    starts = without(kings, kings)
    if table[BINDS_PIECE]:
        for row in range(begin, end, ROW):
            if work[row + ALIVE]:
                starts = either(starts, single(start_of(work[row]), kings))
    kept = begin
    for row in range(begin, end, ROW):
        if work[row + ALIVE] or (table[BINDS_PIECE] and has(starts, start_of(work[row]))):
            captured = load(work, row + CAPTURED, kings)
            if row != kept:
                move_row(row, kept, captured, work)
            kept += ROW
    table[FOUND] = kept
