"""Where two sets of rules move their pieces differently, among all placements of so many pieces: compiled."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

import numpy as np

from ..rules import Rules
from ..tables import Pieces
from .comparing import BARRED, CHOSEN, HEADS, compare
from .generator import Kernel
from .table import WIDTH

#: About how many placements are compared in one go: while that lasts nobody can interrupt it.
_AT_ONCE = 2_000_000


class Comparison:
    """Two sets of rules on one board; unless `quiet`, only captures are compared.

    Unless `begins`, it is known that one has a capture wherever the other has.
    """

    def __init__(self, one: Rules, other: Rules, *, begins: bool = True, quiet: bool = True) -> None:
        self._one, self._other, self._begins, self._quiet = Kernel(one), Kernel(other), begins, quiet
        self._board = one.board

    def differing(
        self, number: int, choices: range, side: int, doors: int, heads: tuple[int, int]
    ) -> Iterator[tuple[int, list[Pieces]]]:
        """All placements of some pieces: how many were compared, and those of them in which the two do not move alike.

        It is told in parts, in the order of the squares. `choices` are numbers of choices of squares in that order.
        The first two of four bitboards are White's men and kings. No man stands on the head of its side, no piece on
        one of the `doors`, which are open.
        """
        places, words, bits = self._one.places, self._one.places.words, self._board.bits
        for kernel in (self._one, self._other):
            kernel.begin(doors)
        squares = np.zeros(CHOSEN + number + 2, np.int64)
        squares[0] = len(bits)
        squares[1 : 1 + len(bits)] = [places.place(bit) for bit in bits]
        squares[CHOSEN : CHOSEN + number] = chosen(len(bits), number, choices.start)
        sets = np.zeros(4 * WIDTH, np.uint64)
        for mask, place in ((heads[0], HEADS), (heads[1], HEADS + WIDTH), (doors, BARRED)):
            places.write(mask, sets, place)
        room = max(4096, 1 << 2 * number)
        found = np.zeros(room * 4 * words, np.uint64)
        left = len(choices)
        while left:
            many = min(left, max(1, _AT_ONCE >> 2 * number))
            compared = compare(
                self._one.row(0), side, number, many, self._begins, self._quiet, squares.ctypes.data, sets.ctypes.data,
                *self._one.addresses, *self._other.addresses, found.ctypes.data, room,
            )  # fmt: skip
            left -= many - int(squares[CHOSEN + number])
            rows = found[: 4 * words * int(squares[CHOSEN + number + 1])].reshape(-1, 4, words)
            yield int(compared), [(*map(places.mask, row),) for row in rows]  # type: ignore[misc]


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
