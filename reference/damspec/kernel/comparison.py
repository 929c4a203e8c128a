"""Where sets of rules move their pieces differently, among all placements of so many pieces: compiled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb

import numpy as np

from ..rules import Rules
from ..tables import Pieces
from .comparing import BARRED, CHOSEN, HEADS, HERE, compare
from .generator import Kernel
from .places import Words
from .table import WIDTH

#: About how many placements are compared in one go: while that lasts nobody can interrupt it.
_AT_ONCE = 2_000_000


class CompiledComparison:
    """One set of rules and others on the same board; unless `quiet`, only captures are compared.

    Unless `begins`, it is known that all have a capture wherever the first has.
    """

    def __init__(self, one: Rules, others: Sequence[Rules], *, begins: bool = True, quiet: bool = True) -> None:
        self._one, self._others = Kernel(one), [*map(Kernel, others)]
        self._begins, self._quiet = begins, quiet
        self._board = one.board

    def differing(
        self, number: int, choices: range, side: int, doors: int, heads: tuple[int, int]
    ) -> Iterator[tuple[int, list[tuple[int, Pieces]]]]:
        """All placements of some pieces: how many were compared, and where which of the others does not move alike.

        It is told in parts, in the order of the squares. `choices` are numbers of choices of squares in that order.
        The first two of four bitboards are White's men and kings. No man stands on the head of its side, no piece on
        one of the `doors`, which are open.
        """
        places, words, bits = self._one.places, self._one.places.words, self._board.bits
        for kernel in (self._one, *self._others):
            kernel.begin(doors)
        others = np.array([kernel.addresses for kernel in self._others], np.int64)
        squares = np.zeros(HERE + number, np.int64)
        squares[0] = len(bits)
        squares[1 : 1 + len(bits)] = [places.place(bit) for bit in bits]
        squares[CHOSEN : CHOSEN + number] = chosen(len(bits), number, choices.start)
        sets = np.zeros(4 * WIDTH, np.uint64)
        for mask, place in ((heads[0], HEADS), (heads[1], HEADS + WIDTH), (doors, BARRED)):
            places.write(mask, sets, place)
        room = max(4096, len(others) << 2 * number)
        found = np.zeros((room, 1 + 4 * words), np.uint64)
        left = len(choices)
        while left:
            many = min(left, max(1, _AT_ONCE >> 2 * number))
            compared = compare(
                self._one.row(0), side, number, many, self._begins, self._quiet, squares.ctypes.data, sets.ctypes.data,
                *self._one.addresses, others.ctypes.data, len(others), found.ctypes.data, room,
            )  # fmt: skip
            left -= many - int(squares[CHOSEN + number])
            rows = found[: int(squares[CHOSEN + number + 1])]
            yield int(compared), [(int(row[0]), self._pieces(row[1:].reshape(4, words))) for row in rows]

    def _pieces(self, sets: Words) -> Pieces:
        white_men, white_kings, black_men, black_kings = map(self._one.places.mask, sets)
        return white_men, white_kings, black_men, black_kings


def chosen(squares: int, number: int, place: int) -> list[int]:
    """The choice of some of so many squares that has a place among all, in the order of `itertools.combinations`."""
    found: list[int] = []
    square = 0
    while len(found) < number:
        following = comb(squares - square - 1, number - len(found) - 1)
        if place < following:
            found.append(square)
        else:
            place -= following
        square += 1
    return found
