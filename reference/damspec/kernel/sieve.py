"""Placements of some pieces in any order, sifted in compiled code: where others may move otherwise than some rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, combinations

import numpy as np

from ..rules import Rules
from . import sifting
from .places import SquarePlaces
from .table import tables

#: How many placements are sifted in one go.
_AT_ONCE = 1 << 14
_TOLD = {sifting.NONE: None, sifting.ALIKE: False, sifting.UNLIKE: True}


class Sieve:
    """Rules and others on the same board; of these each with whether moves without captures are compared too."""

    def __init__(self, rules: Rules, others: Sequence[tuple[Rules, bool]]) -> None:
        self._rules, self._others = rules, others
        self._places = SquarePlaces(rules.board)
        self._tables = [tables(each, self._places) for each in (rules, *(other for other, _ in others))]

    def sifted(
        self, pieces: int, order: tuple[int, int], heads: tuple[int, int], sides: int, doors: int
    ) -> Iterator[bool | None]:
        """Of each placement and each side to move whether others may move otherwise; None for one that cannot be.

        `order` is where it begins and the step to the next, of White's men none stands on the first of the `heads`
        and of Black's on the second, `doors` are open by the rules that have some.
        """
        places, bits = self._places, self._rules.board.bits
        chosen = [*chain.from_iterable(combinations(map(places.place, bits), pieces))]
        count = len(chosen) // pieces << 2 * pieces
        asked = np.zeros((len(self._others), sifting.CHOICES + len(chosen)), np.int64)
        sets = np.zeros((len(self._others), 4 * places.words), np.uint64)
        for row, masks, (other, slides) in zip(asked, sets, self._others, strict=True):
            bound = all(each.capture.duty == "compulsory" for each in (self._rules, other))
            row[: sifting.CHOICES - 1] = (*order, count, pieces, sides, slides, not bound)
            row[sifting.CHOICES :] = chosen
            opened = (doors if each.trapdoors else 0 for each in (self._rules, other))
            masks[:] = [word for mask in (*heads, *opened) for word in places.row(mask)]
        nothing = [np.uint64(0)] * places.words
        like = nothing[0] if places.words == 1 else tuple(nothing)
        for first in range(0, count, _AT_ONCE):
            many = min(_AT_ONCE, count - first)
            told = np.zeros(many * sides, np.uint8)
            for row, masks, arrays in zip(asked, sets, self._tables[1:], strict=True):
                addresses = (part.ctypes.data for part in (row, masks, *self._tables[0], *arrays, told))
                sifting.sift(like, many, *addresses)
            yield from map(_TOLD.__getitem__, told.tobytes())
