"""Placements of some pieces in any order, sifted in compiled code: where others may move otherwise than some rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from ..rules import Rules
from ..tables import Pieces
from . import sifting
from .places import Numbers, SquarePlaces
from .table import tables


class Sieve:
    """Rules and others on the same board; of these each with whether moves without captures are compared too."""

    def __init__(self, rules: Rules, others: Sequence[tuple[Rules, bool]]) -> None:
        self._rules, self._others = rules, others
        self._places = SquarePlaces(rules.board)
        self._tables = [tables(each, self._places) for each in (rules, *(other for other, _ in others))]
        self._choices: dict[int, list[tuple[int, ...]]] = {}
        self._asked: dict[int, Numbers] = {}

    def sifted(
        self, number: int, places: range, heads: tuple[int, int], sides: int, doors: int
    ) -> Iterator[tuple[Pieces | None, list[bool]]]:
        """Some placements of so many pieces, by their places in the order that `sifting` has, round and round.

        For each that can be, of each side to move whether others may move otherwise, and where one may its pieces:
        White's men and kings, and Black's. Of White's men none stands on the first of the `heads` and of Black's none
        on the second, `doors` are open by the rules that have some.
        """
        asked = self._ready(number)
        count = len(self._choices[number]) << 2 * number
        sets = np.zeros((len(self._others), 4 * self._places.words), np.uint64)
        for row, masks, (other, slides) in zip(asked, sets, self._others, strict=True):
            bound = all(each.capture.duty == "compulsory" for each in (self._rules, other))
            row[: sifting.CHOICES - 1] = (
                places.start % count,
                places.step % count,
                count,
                number,
                sides,
                slides,
                not bound,
            )
            opened = (doors if each.trapdoors else 0 for each in (self._rules, other))
            masks[:] = [word for mask in (*heads, *opened) for word in self._places.row(mask)]
        nothing = [np.uint64(0)] * self._places.words
        like = nothing[0] if len(nothing) == 1 else tuple(nothing)
        told = np.zeros(len(places) * sides, np.uint8)
        for row, masks, arrays in zip(asked, sets, self._tables[1:], strict=True):
            addresses = (part.ctypes.data for part in (row, masks, *self._tables[0], *arrays, told))
            sifting.sift(like, len(places), *addresses)
        same, here = (None, [False] * sides), told.tobytes()
        for at, place in zip(range(0, len(here), sides), places, strict=True):
            each = here[at : at + sides]
            if sifting.UNLIKE in each:
                yield self._pieces(number, place % count), [one == sifting.UNLIKE for one in each]
            elif sifting.ALIKE in each:
                yield same

    def _ready(self, number: int) -> Numbers:
        """Where it is said what is asked about so many pieces, with the choices of their squares."""
        if number not in self._asked:
            self._choices[number] = [*combinations(self._rules.board.bits, number)]
            flat = [self._places.place(bit) for choice in self._choices[number] for bit in choice]
            self._asked[number] = np.zeros((len(self._others), sifting.CHOICES + len(flat)), np.int64)
            self._asked[number][:, sifting.CHOICES :] = flat
        return self._asked[number]

    def _pieces(self, number: int, place: int) -> Pieces:
        """The placement that has a place."""
        masks = [0, 0, 0, 0]
        for piece, bit in enumerate(reversed(self._choices[number][place >> 2 * number])):
            masks[place >> 2 * piece & 3] |= bit
        return masks[0], masks[1], masks[2], masks[3]
