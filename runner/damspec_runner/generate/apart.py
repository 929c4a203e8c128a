"""Positions that are really different: how many pieces differ, whichever way the board is looked at.

Two positions are *apart* if, however the board is turned, at least a third of the pieces, and no fewer than three, are
on other squares, are of another kind or colour, or are in one of them only; of positions with fewer than three pieces,
all.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from damspec import Position, Ruleset
from damspec.board import each

from ..positions.symmetry import Sameness
from .goal import Found

#: How many pieces have to differ, and which part of those of the position that has more.
_PIECES, _PART = 3, 3


class Collection:
    """Positions that were found, none twice: those apart from all before are kept apart from the others."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.apart: list[Found] = []
        self.near: list[Found] = []
        self._sameness = Sameness(ruleset)
        self._known: set[Position] = set()
        #: What stands where in the positions that are apart, with how many pieces: by each piece on its square.
        self._standing: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        self._empty = False

    def __len__(self) -> int:
        return len(self._known)

    def __contains__(self, position: object) -> bool:
        return position in self._known

    def add(self, found: Found) -> bool:
        """Take a position in, if it is new; whether it is apart from all before."""
        position = found.position
        if position in self._known:
            return False
        self._known.add(position)
        if not self.would_be_apart(position):
            self.near.append(found)
            return False
        self.apart.append(found)
        standing, pieces = self._sameness.standings(position)[0], len(position)
        self._empty = self._empty or not pieces
        for piece in each(standing):
            self._standing[piece].append((standing, pieces))
        return True

    def would_be_apart(self, position: Position) -> bool:
        """Whether a position is apart from all that are kept."""
        pieces = len(position)
        if not pieces:
            return not self._empty
        for standing in self._sameness.standings(position):
            for other, others in self._candidates(standing, pieces):
                if (standing & other).bit_count() > _COMMON[pieces if pieces > others else others]:
                    return False
        return True

    def _candidates(self, standing: int, pieces: int) -> Iterator[tuple[int, int]]:
        """Those that may be near: of as many pieces as have to differ they have one, whichever these are."""
        shared = sorted((self._standing[piece] for piece in each(standing)), key=len)
        return (one for standings in shared[: least(pieces)] for one in standings)


def least(pieces: int) -> int:
    """How many pieces have to differ for two positions to be apart, if the one with more has so many."""
    return max(1, min(pieces, max(_PIECES, -(-pieces // _PART))))


#: How many pieces two positions that are apart can have in common, by how many there are in the one with more.
_COMMON = [pieces - least(pieces) for pieces in range(26 * 26 + 1)]
