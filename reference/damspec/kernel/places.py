"""The place of each square of a board in the sets of compiled code."""

from __future__ import annotations

from ..board import Board
from ..errors import RulesetError

#: The maximum number of places for squares.
MOST_PLACES = 256


class SquarePlaces:
    """The place of each square of a board in the sets of compiled code.

    Where only dark squares are playable, places are the bits of `board`, so that one step in a direction is one shift.
    Where all are, they are numbered without gaps, and squares at the edge are removed before a shift. Raises
    RulesetError for a board that is too large.
    """

    def __init__(self, board: Board) -> None:
        self._moved = board.squares == "all"
        places = [
            (board.rows - 1 - row) * board.columns + column if self._moved else bit.bit_length() - 1
            for (column, row), bit in zip(board.places, board.bits, strict=True)
        ]
        if max(places) >= MOST_PLACES:
            raise RulesetError(f"board.size: found {board.columns}x{board.rows}, too large for compiled code")
        #: The place of the square with a bit in bitboards, and the bit of the square at a place.
        self.place = dict(zip(board.bits, places, strict=True))
        self.bit = dict(zip(places, board.bits, strict=True))
        needed = max(places) // 64 + 1
        self.words = needed if needed < 3 else 4

    def whole(self, mask: int) -> int:
        """Return a bitboard as a set, in one number."""
        if self._moved:
            return sum(1 << place for bit, place in self.place.items() if bit & mask)
        return mask

    def mask(self, squares: int) -> int:
        """Return the bitboard of a set, given as one number."""
        if self._moved:
            return sum(bit for place, bit in self.bit.items() if squares >> place & 1)
        return squares


def words_of(number: int, words: int) -> list[int]:
    """Return a number as words of 64 bits, the lowest first."""
    return [number >> 64 * word & 0xFFFF_FFFF_FFFF_FFFF for word in range(words)]


def fits(board: Board) -> bool:
    """Return whether a board is small enough for compiled code."""
    try:
        SquarePlaces(board)
    except RulesetError:
        return False
    return True
