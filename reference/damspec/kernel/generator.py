"""Moves and perft by one set of rules, compiled: bitboards go in and come out, as in the reference's generator."""

from __future__ import annotations

import numpy as np

from ..rules import Rules
from ..tables import Pieces
from . import perft as compiled
from .found import crowns, end_of, start_of
from .table import (
    CAPTURED, DOORED, DOORS, ENDS, FOUND, GAVE_UP, LANDING_ENDS, MOVES, PASSING_BLOCKED, PASSING_FALLS, PITS, ROW,
    WALLS, Places, Words, tables,
)  # fmt: skip

#: Start, end, captured pieces as bitboards, and whether a man is crowned.
Found = tuple[int, int, int, bool]


class Kernel:
    """What a side can do by one set of rules; pieces are four bitboards, as the side to move sees them.

    With `memory`, a perft knows what it has counted before, in a table of at most so many bytes.
    """

    def __init__(self, rules: Rules, *, memory: int = 0) -> None:
        self._places = Places(rules.board)
        self._table, self._work = tables(rules, self._places)
        width = 2 + 4 * self._places.words
        self._rows = 1 << (memory // (8 * width)).bit_length() - 1 if memory >= 8 * width else 0
        self._known = np.zeros(self._rows * width, np.uint64)

    def perft(self, pieces: Pieces, side: int, depth: int) -> int | None:
        """The number of sequences of moves, all doors shut; None where a capture is longer than the kernel can hold."""
        if depth == 0:
            return 1
        self._begin(0)
        known = self._known.ctypes.data
        number = compiled.perft(*map(self._set, pieces), side, depth, *self._addresses(), known, self._rows)
        return None if self._table[GAVE_UP] else int(number)

    def steps(self, pieces: Pieces, side: int, doors: int = 0) -> list[Found] | None:
        """Every legal move once; None as above."""
        self._begin(doors)
        number = compiled.steps(*map(self._set, pieces), side, *self._addresses())
        if self._table[GAVE_UP]:
            return None
        return [self._step(self._work[row : row + ROW]) for row in range(MOVES, MOVES + ROW * number, ROW)]

    def _begin(self, doors: int) -> None:
        table = self._table
        table[FOUND], table[GAVE_UP], table[DOORED] = MOVES, 0, doors != 0
        if doors:
            uses = ((DOORS, 1), (PITS, LANDING_ENDS), (WALLS, PASSING_BLOCKED), (ENDS, PASSING_FALLS))
            for place, rule in uses:
                self._places.write(doors if rule == 1 or table[rule] else 0, self._work, place)

    def _addresses(self) -> tuple[int, int]:
        return self._table.ctypes.data, self._work.ctypes.data

    def _set(self, mask: int) -> np.uint64 | tuple[np.uint64, ...]:
        row = [np.uint64(word) for word in self._places.row(mask)]
        return row[0] if len(row) == 1 else tuple(row)

    def _step(self, row: Words) -> Found:
        move, words = row[0], row[CAPTURED : CAPTURED + self._places.words]
        captured = sum(int(word) << 64 * place for place, word in enumerate(words))
        bit = self._places.bit
        return bit(start_of.py_func(move)), bit(end_of.py_func(move)), self._places.spread(captured), crowns.py_func(move)
