"""Positions in which changed rules are asked for their legal moves beside the rules themselves: compiled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from ..rules import Rules
from ..tables import Pieces
from .asking import CAPTURES, LEGAL, unlike
from .places import Numbers, SquarePlaces
from .table import rewrite, tables

_WHAT = {"legal": LEGAL, "captures": CAPTURES}


class AskedPosition(NamedTuple):
    """A position as the side to move sees it, the open doors, and what is asked: all legal moves, or the captures and,
    where there is none, whether there is another move.
    """

    pieces: Pieces
    side: int
    doors: int
    what: Literal["legal", "captures"]


class Positions:
    """Positions on the board of some rules; which of them changed rules answer otherwise.

    The changed rules have the same board, and doors if these have some.
    """

    def __init__(self, rules: Rules, asked: Sequence[AskedPosition]) -> None:
        self._places = places = SquarePlaces(rules.board)
        self._tables, self._others = tables(rules, places), tables(rules, places)
        self._asked = np.zeros((len(asked), 1 + 5 * places.words), np.uint64)
        for row, one in zip(self._asked, asked, strict=True):
            row[0] = _WHAT[one.what] << 1 | one.side
            row[1:] = [word for mask in (*one.pieces, one.doors) for word in places.row(mask)]
        nothing = [np.uint64(0)] * places.words
        self._like = nothing[0] if places.words == 1 else tuple(nothing)
        self._found: Numbers = np.zeros(len(asked), np.int64)

    def unlike(self, changed: Rules, order: Sequence[int], enough: int) -> list[int] | None:
        """The places of those that changed rules answer otherwise, asked in an order, until there are `enough`.

        None where captures are more than can be held.
        """
        rewrite(*self._others, changed, self._places)
        places = np.array(order, np.int64)
        addresses = (part.ctypes.data for part in (*self._tables, *self._others, self._found))
        number = unlike(
            self._like, self._asked.ctypes.data, places.ctypes.data, len(order), enough, *addresses,
        )  # fmt: skip
        return None if number < 0 else self._found[:number].tolist()
