"""Positions that are really different: how many pieces differ, whichever way the board is looked at.

Two positions are *apart* if, however the board is turned, at least a third of the pieces, and no fewer than three, are
on other squares, are of another kind or colour, or are in one of them only; of positions with fewer than three pieces,
all.
"""

from __future__ import annotations

from collections.abc import Iterable

from damspec import Position, Ruleset

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
        self._standings: list[tuple[int, int]] = []
        self._known: set[Position] = set()

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
        standings, pieces = self._sameness.standings(position), len(position)
        if self._is_apart(standings, pieces):
            self._standings.append((standings[0], pieces))
            self.apart.append(found)
            return True
        self.near.append(found)
        return False

    def would_be_apart(self, position: Position) -> bool:
        """Whether a position is apart from all that are kept."""
        return self._is_apart(self._sameness.standings(position), len(position))

    def _is_apart(self, standings: Iterable[int], pieces: int) -> bool:
        for other, others in self._standings:
            common = _COMMON[pieces if pieces > others else others]
            for one in standings:
                if (one & other).bit_count() > common:
                    return False
        return True


def least(pieces: int) -> int:
    """How many pieces have to differ for two positions to be apart, if the one with more has so many."""
    return max(1, min(pieces, max(_PIECES, -(-pieces // _PART))))


#: How many pieces two positions that are apart can have in common, by how many there are in the one with more.
_COMMON = [pieces - least(pieces) for pieces in range(26 * 26 + 1)]
