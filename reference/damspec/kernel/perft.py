"""Perft in compiled code, with a table of what was counted before or without; what is compiled begins here."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from .compiling import entry
from .memory import numbers_at, words_at
from .moves import after, count, steps
from .sets import breadth, load, mixed, same, store
from .table import FOUND, GAVE_UP, ROW, TWICE


@entry
def perft(men, kings, enemy_men, enemy_kings, side, depth, table_at, work_at, known_at, rows):
    """The number of sequences of so many moves, the last ply counted in bulk.

    With depth 0 it is the number of moves, which are left in the work. It is given the addresses of a table and a work
    (`table`), and that of rows of what was counted before: side and depth, the number, and the four sets, compared
    whole. There is a power of two of rows, or none.
    """
    table, work, known = numbers_at(table_at), words_at(work_at), words_at(known_at)
    if depth == 1 and not table[TWICE]:
        return count(men, kings, enemy_men, enemy_kings, side, table, work)
    width = breadth(men)
    key = np.uint64(2 * depth + side)
    here = np.int64(0)
    if rows and depth > 1:
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
    first = table[FOUND]
    steps(men, kings, enemy_men, enemy_kings, side, table, work)
    if depth < 2:
        number = (table[FOUND] - first) // ROW
        table[FOUND] = first
        return number
    total = 0
    for row in range(first, table[FOUND], ROW):
        a, b, c, d = after(row, men, kings, enemy_men, enemy_kings, work)
        total += perft(a, b, c, d, 1 - side, depth - 1, table_at, work_at, known_at, rows)
    table[FOUND] = first
    if rows and not table[GAVE_UP]:
        known[here] = key
        known[here + 1] = np.uint64(total)
        store(known, here + 2, men)
        store(known, here + 2 + width, kings)
        store(known, here + 2 + 2 * width, enemy_men)
        store(known, here + 2 + 3 * width, enemy_kings)
    return total
