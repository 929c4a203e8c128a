"""Where the squares of a board lie in the kernel's sets."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from ..board import Board

Numbers: TypeAlias = np.ndarray[Any, np.dtype[np.int64]]
Words: TypeAlias = np.ndarray[Any, np.dtype[np.uint64]]


class SquarePlaces:
    """Where each square of a board lies in a set.

    On dark boards these are the places of `board`, so that a step in a direction is one shift. Where all squares are
    played on they are numbered without gaps, and those at the edge are left out before a shift.
    """

    def __init__(self, board: Board) -> None:
        self._moved = board.squares == "all"
        places = [
            (board.rows - 1 - row) * board.columns + column if self._moved else bit.bit_length() - 1
            for (column, row), bit in zip(board.places, board.bits, strict=True)
        ]
        self._place = dict(zip(board.bits, places, strict=True))
        self._bit = dict(zip(places, board.bits, strict=True))
        needed = max(places) // 64 + 1
        self.words = needed if needed < 3 else 4

    def place(self, bit: int) -> int:
        """Where the square of a single bit of a bitboard lies."""
        return self._place[bit]

    def bit(self, place: int) -> int:
        """The bit of the square that lies there."""
        return self._bit[place]

    def row(self, mask: int) -> list[int]:
        """A bitboard as the words of a set."""
        if self._moved:
            mask = sum(1 << self._place[bit] for bit in self._place if bit & mask)
        return [mask >> 64 * word & 0xFFFF_FFFF_FFFF_FFFF for word in range(self.words)]

    def mask(self, row: Words) -> int:
        """The bitboard of a set."""
        number: int = sum(int(word) << 64 * place for place, word in enumerate(row))
        if self._moved:
            return sum(bit for place, bit in self._bit.items() if number >> place & 1)
        return number

    def write(self, mask: int, work: Words, place: int) -> None:
        """Writes a bitboard as a set."""
        work[place : place + self.words] = self.row(mask)
