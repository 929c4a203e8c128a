"""The list of moves that is being found, and what a search has seen: rows of the work, written by compiled code."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from .compiling import inner
from .sets import load, mixed, same, size, store
from .table import (
    ALIVE,
    CAPTURED,
    CONVENTION,
    FOUND,
    GAVE_UP,
    KEPT,
    MOST_SEEN,
    ORDER,
    PATHS,
    ROW,
    SEARCH,
    SEEN,
    SEQUENCES,
)  # fmt: skip


@inner
def add(move, order, captured, table, work):
    """A packed move is found; where there is no room for it the whole count is given up."""
    row = table[FOUND]
    if row >= SEEN:
        table[GAVE_UP] = 1
        return
    work[row] = move
    work[row + ORDER] = order
    store(work, row + CAPTURED, captured)
    table[FOUND] = row + ROW


@inner
def move_row(source, row, captured, work):
    """The move of one row written to another."""
    work[row] = work[source]
    work[row + ORDER] = work[source + ORDER]
    store(work, row + CAPTURED, captured)


@inner
def begin(table):
    """What was seen before is forgotten."""
    table[SEARCH] += 1
    table[KEPT] = 0


@inner
def seen(what, order, captured, table, work):
    """Whether this was seen before since `begin`; from here on it was."""
    search = np.uint64(table[SEARCH])
    place = np.int64(mixed(captured, what ^ order) & np.uint64(MOST_SEEN - 1))
    while True:
        row = SEEN + ROW * place
        if work[row + ALIVE] != search:
            if table[KEPT] > MOST_SEEN // 2:
                table[GAVE_UP] = 1
                return True
            table[KEPT] += 1
            work[row + ALIVE] = search
            work[row] = what
            work[row + ORDER] = order
            store(work, row + CAPTURED, captured)
            return False
        if work[row] == what and work[row + ORDER] == order and same(load(work, row + CAPTURED, captured), captured):
            return True
        place = (place + 1) & (MOST_SEEN - 1)


@inner
def distinct(first, table, work, like):
    """Of the moves from one on, those that the convention has for the same count once."""
    if table[CONVENTION] == PATHS:
        return
    begin(table)
    kept = first
    for row in range(first, table[FOUND], ROW):
        captured = load(work, row + CAPTURED, like)
        order = work[row + ORDER] if table[CONVENTION] == SEQUENCES else np.uint64(0)
        if not seen(work[row], order, captured, table, work):
            move_row(row, kept, captured, work)
            kept += ROW
    table[FOUND] = kept


@inner
def several(first, table, work, like):
    """Whether there are two moves from one on, and one captures two pieces or more."""
    last = table[FOUND]
    if last - first < 2 * ROW:
        return False
    for row in range(first, last, ROW):  # noqa: SIM110  (compiled code has no any)
        if size(load(work, row + CAPTURED, like)) > 1:
            return True
    return False
