"""Random drawing of positions, anew and near those found."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass

from damspec import Position
from damspec.validity import phase_of

from ..positions.sampling import PositionSampler
from .goal import SearchGoal

#: The most positions to walk from, and the least and greatest proportion of tries that do so.
_WALKERS, _LEAST, _MOST = 300, 0.1, 0.8
#: The probability of drawing in the phase of a position that was wanted.
_SAME_PHASE_PROBABILITY = 0.7


@dataclass
class _DrawStatistics:
    """Statistics of a way to draw positions: tries, and positions found that are apart from all earlier ones."""

    tried: int = 10
    apart: int = 1

    @property
    def worth(self) -> float:
        return self.apart / self.tried


class RandomSearch:
    """Random drawing of positions that adapts to which of them were wanted."""

    def __init__(self, wanted: SearchGoal, rng: random.Random, known: Iterable[Position] = ()) -> None:
        self._rng, self._sampler = (
            rng,
            PositionSampler(wanted.ruleset, rng, wanted.pieces, wanted.phase, wanted.criteria.captures),
        )
        self._walkers = list(known)
        self._drawn, self._walked = _DrawStatistics(), _DrawStatistics()
        self._way, self._place = self._drawn, 0

    def walk_from(self, positions: Iterable[Position]) -> None:
        """Also walk from wanted positions found in other ways."""
        self._walkers += positions

    def draw(self) -> Position | None:
        """Return a position valid in the ruleset, or None if this try failed."""
        rng, walkers = self._rng, self._walkers
        if walkers and rng.random() < self._walk_probability:
            self._way, self._place = self._walked, rng.randrange(len(walkers))
            position = self._sampler.near(walkers[self._place])
        else:
            self._way = self._drawn
            same = walkers and rng.random() < _SAME_PHASE_PROBABILITY
            position = self._sampler.draw(phase_of(rng.choice(walkers)) if same else None)
        self._way.tried += 1
        return position

    def met(self, position: Position, *, apart: bool) -> None:
        """Record that the position drawn last is wanted, and whether it is apart from all earlier ones."""
        self._way.apart += apart
        if self._way is self._walked:
            self._walkers[self._place] = position
        elif len(self._walkers) < _WALKERS:
            self._walkers.append(position)
        elif apart:
            self._walkers[self._rng.randrange(_WALKERS)] = position

    @property
    def _walk_probability(self) -> float:
        return min(max(self._walked.worth / (self._walked.worth + self._drawn.worth), _LEAST), _MOST)
