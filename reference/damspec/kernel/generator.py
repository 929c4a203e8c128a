"""Moves and perft by one set of rules, compiled: bitboards go in and come out, as in the reference's generator."""

from __future__ import annotations

import numpy as np

from ..position import Position
from ..rules import Rules
from ..tables import SIDES, Pieces
from . import perft as compiled
from .places import SquarePlaces, Words
from .state import OPENED, state_of, write_turns
from .table import (
    CAPTURED,
    CONVENTION,
    CONVENTIONS,
    DOORS,
    ENDS,
    FOUND,
    GAVE_UP,
    IN_ORDER,
    LANDING_ENDS,
    MOVES,
    PASSING_BLOCKED,
    PASSING_FALLS,
    PATHS,
    PITS,
    REACH_ONE,
    RESTING,
    ROW,
    SEQUENCES,
    TWICE,
    UNIQUE,
    WALLS,
    tables,
)  # fmt: skip

#: Start, end, captured pieces as bitboards, and whether a man is crowned.
CompiledStep = tuple[int, int, int, bool]


class Kernel:
    """What a side can do by one set of rules; pieces are four bitboards, as the side to move sees them."""

    def __init__(self, rules: Rules) -> None:
        self.places = SquarePlaces(rules.board)
        self._rules = rules
        self._table, self._work = tables(rules, self.places)
        write_turns(self._table, rules, self.places)
        self._rows, self._known = 0, np.zeros(0, np.uint64)

    def remember(self, size: int) -> None:
        """From here on a perft knows what it has counted before, in a table of at most so many bytes."""
        width = 2 + 4 * self.places.words
        fit = size // (8 * width)
        rows = 1 << fit.bit_length() - 1 if fit else 0
        if rows != self._rows:
            self._rows, self._known = rows, np.zeros(rows * width, np.uint64)

    def perft(self, pieces: Pieces, side: int, depth: int) -> int | None:
        """The number of sequences of moves, all doors shut; None where captures are more than it can hold."""
        return self._counted(pieces, side, depth) if depth else 1

    def sequences(self, position: Position, depth: int, count: str = "unique") -> int | None:
        """The number of sequences of actions from a position, outcomes of chance among them.

        None where something is to be answered by huffing, where there are too many sliders, where captures are more
        than it can hold, and by another convention than *unique* where kings slide twice, or reach far and the order of
        captured kings counts.
        """
        table, convention = self._table, CONVENTIONS.index(count)
        if convention == SEQUENCES and table[REACH_ONE]:
            convention = PATHS  # there is one to each
        if (convention != UNIQUE and table[TWICE]) or (convention == SEQUENCES and table[IN_ORDER]):
            return None
        state = state_of(self._rules, position, depth, self.places, convention)
        if not depth or state is None:
            return None if depth else 1
        side = SIDES.index(position.turn)
        own, enemy = SIDES[side], SIDES[1 - side]
        pieces = position.men(own), position.kings(own), position.men(enemy), position.kings(enemy)
        table[CONVENTION] = convention
        number = self._counted(pieces, side, depth, state=state)
        table[CONVENTION] = UNIQUE
        return number

    def steps(self, pieces: Pieces, side: int, doors: int = 0) -> list[CompiledStep] | None:
        """Every legal move once; `doors` are the open ones. None where captures are more than it can hold."""
        number = self._counted(pieces, side, 0, doors)
        if number is None:
            return None
        return [self._step(self._work[row : row + ROW]) for row in range(MOVES, MOVES + ROW * number, ROW)]

    def _counted(self, pieces: Pieces, side: int, depth: int, doors: int = 0, state: int = 0) -> int | None:
        self.begin(doors)
        number = compiled.perft(
            *map(self.row, pieces), side, state, depth, *self.addresses, self._known.ctypes.data, self._rows,
        )  # fmt: skip
        return None if self._table[GAVE_UP] else int(number)

    @property
    def addresses(self) -> tuple[int, int]:
        """Where the rules are that compiled code reads, and the room that it works in."""
        return self._table.ctypes.data, self._work.ctypes.data

    def begin(self, doors: int) -> None:
        """Nothing is found yet, and these doors are open."""
        table = self._table
        table[FOUND], table[GAVE_UP], table[OPENED] = MOVES, 0, -1
        for place, there in (
            (DOORS, True),
            (PITS, table[LANDING_ENDS]),
            (WALLS, table[PASSING_BLOCKED]),
            (ENDS, table[PASSING_FALLS]),
        ):
            self.places.write(doors if there else 0, self._work, place)
        self.places.write(0, self._work, RESTING)

    def row(self, mask: int) -> np.uint64 | tuple[np.uint64, ...]:
        """A bitboard as compiled code takes it."""
        row = [np.uint64(word) for word in self.places.row(mask)]
        return row[0] if len(row) == 1 else tuple(row)

    def _step(self, row: Words) -> CompiledStep:
        move, captured = int(row[0]), self.places.mask(row[CAPTURED : CAPTURED + self.places.words])
        return self.places.bit(move & 0xFF), self.places.bit(move >> 8 & 0xFF), captured, bool(move >> 16)
