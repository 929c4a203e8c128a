"""Perft in compiled code, with a table of what was counted before or without; what is compiled begins here."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from .compiling import entry
from .memory import numbers_at, words_at
from .moves import steps
from .sets import breadth, load, mixed, same, store
from .table import FOUND, GAVE_UP, ROW
from .turns import actions, after_action, count_actions


@entry
def perft(men, kings, enemy_men, enemy_kings, side, state, depth, table_at, work_at, known_at, rows):
    """The number of sequences of so many actions, the last ply counted in bulk.

    With depth 0 it is the number of moves of a piece, with the doors as they are, which are left in the work. It is
    given the addresses of a table and a work (`table`), and that of rows of what was counted before: state, depth and
    side, the number, and the four sets, compared whole. There is a power of two of rows, or none.
    """
    table, work, known = numbers_at(table_at), words_at(work_at), words_at(known_at)
    if depth == 1:
        return count_actions(men, kings, enemy_men, enemy_kings, side, state, table, work)
    first = table[FOUND]
    if depth == 0:
        steps(men, kings, enemy_men, enemy_kings, side, table, work)
        number = (table[FOUND] - first) // ROW
        table[FOUND] = first
        return number
    width = breadth(men)
    key = np.uint64(state << 9 | depth << 1 | side)
    here = np.int64(0)
    if rows and depth > 2:
        number = mixed(men, mixed(kings, mixed(enemy_men, mixed(enemy_kings, key))))
        here = np.int64(number & np.uint64(rows - 1)) * (2 + 4 * width)
        if (
            known[here] == key
            and same(load(known, here + 2, men), men)
            and same(load(known, here + 2 + width, men), kings)
            and same(load(known, here + 2 + 2 * width, men), enemy_men)
            and same(load(known, here + 2 + 3 * width, men), enemy_kings)
        ):
            return np.int64(known[here + 1])
    actions(men, kings, enemy_men, enemy_kings, side, state, table, work)
    total = 0
    for row in range(first, table[FOUND], ROW):
        a, b, c, d, whose, then = after_action(row, men, kings, enemy_men, enemy_kings, side, state, table, work)
        total += perft(a, b, c, d, whose, then, depth - 1, table_at, work_at, known_at, rows)
        if table[GAVE_UP]:
            break
    table[FOUND] = first
    if rows and depth > 2 and not table[GAVE_UP]:
        known[here] = key
        known[here + 1] = np.uint64(total)
        store(known, here + 2, men)
        store(known, here + 2 + width, kings)
        store(known, here + 2 + 2 * width, enemy_men)
        store(known, here + 2 + 3 * width, enemy_kings)
    return total
