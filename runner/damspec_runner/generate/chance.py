"""Random positions for a search: drawn anew, or much like wanted ones, whichever finds more that are apart.

From a wanted position a walk goes on to the next one like it, so that it leaves behind what it began with, piece by
piece. Without that, where wanted positions are rare, all would be near copies of the first.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass

from damspec import Position
from damspec.scope import phase_of

from ..positions.sampling import Sampler
from .goal import Wanted

#: How many positions are walked on from, and the least and the greatest part of the tries that do so.
_WALKERS, _LEAST, _MOST = 300, 0.1, 0.8
#: How often a position is drawn in a phase that a wanted one is in.
_SAME_PHASE = 0.7


@dataclass
class _Way:
    """A way to come by positions: how often it was tried, and how many positions apart from all before it found."""

    tried: int = 10
    apart: int = 1

    @property
    def worth(self) -> float:
        return self.apart / self.tried


class Chance:
    """Draws positions, and learns from which of them were wanted."""

    def __init__(self, wanted: Wanted, rng: random.Random, known: Iterable[Position] = ()) -> None:
        self._rng, self._sampler = rng, Sampler(wanted.ruleset, rng, wanted.pieces, wanted.phase)
        self._walkers = list(known)
        self._drawn, self._walked = _Way(), _Way()
        self._way, self._place = self._drawn, 0

    def walk_from(self, positions: Iterable[Position]) -> None:
        """Walk from wanted positions found in other ways, too."""
        self._walkers += positions

    def draw(self) -> Position | None:
        """A position that the ruleset can have; None if this try came to nothing."""
        rng, walkers = self._rng, self._walkers
        if walkers and rng.random() < self._walked_part:
            self._way, self._place = self._walked, rng.randrange(len(walkers))
            position = self._sampler.near(walkers[self._place])
        else:
            self._way = self._drawn
            same = walkers and rng.random() < _SAME_PHASE
            position = self._sampler.draw(phase_of(rng.choice(walkers)) if same else None)
        self._way.tried += 1
        return position

    def met(self, position: Position, *, apart: bool) -> None:
        """Take in that the position drawn last is wanted, and whether it was found to be apart from all before."""
        self._way.apart += apart
        if self._way is self._walked:
            self._walkers[self._place] = position
        elif len(self._walkers) < _WALKERS:
            self._walkers.append(position)
        elif apart:
            self._walkers[self._rng.randrange(_WALKERS)] = position

    @property
    def _walked_part(self) -> float:
        return min(max(self._walked.worth / (self._walked.worth + self._drawn.worth), _LEAST), _MOST)
