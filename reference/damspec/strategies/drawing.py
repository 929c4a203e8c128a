"""Positions drawn by Hypothesis, through the sampler that random numbers use too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from hypothesis import reject
from hypothesis import strategies as st

from ..board import each
from ..king_runs import drop_moot_runs
from ..position import Position, without
from ..sampling import Draw, PositionSampler
from .requests import PositionRequest

#: How many times a position is drawn before giving up.
_ATTEMPTS = 8
#: How many values a number from 0 to 1 can have.
_PARTS = 256
T = TypeVar("T")


@dataclass(frozen=True)
class HypothesisDraw:
    """Hypothesis's choices in place of random numbers; each shrinks to 0, or to the first."""

    draw: st.DrawFn

    def random(self) -> float:
        """Draw a number from 0 to 1, excluding 1."""
        return self.randint(0, _PARTS - 1) / _PARTS

    def getrandbits(self, k: int) -> int:
        """Draw a number of `k` bits."""
        return self.randint(0, (1 << k) - 1)

    def randint(self, a: int, b: int) -> int:
        """Draw a number from `a` to `b`, both included."""
        return self.draw(st.integers(a, b)) if a < b else a

    def choice(self, seq: Sequence[T]) -> T:
        """Draw one of several values."""
        return seq[self.randint(0, len(seq) - 1)]

    def sample(self, population: Sequence[T], k: int) -> list[T]:
        """Draw `k` different values."""
        left = [*population]
        return [left.pop(self.randint(0, len(left) - 1)) for _ in range(k)]


def sampler_for(request: PositionRequest, draw: Draw, *, crowning: bool = False) -> PositionSampler:
    """Return a sampler of positions that are likely to fit a request; with `crowning`, of those with long captures."""
    fewest, most = request.pieces
    jumps = max(request.jumps, 2 * crowning)
    captures = (jumps, most) if jumps else None
    pieces = (min(most, max(fewest, 4 * crowning)), most)
    return PositionSampler(request.ruleset, draw, pieces, request.phase, captures, crowning=crowning)


def drawn_positions(request: PositionRequest) -> st.SearchStrategy[Position]:
    """Return a strategy for positions that fit a request, half of them with captures through the promotion row."""
    none = request.captures is not None and not request.captures
    ways = (False,) if none or request.jumps > 2 else (False, True)
    return _draw_position(request, [sampler_for(request, Random(0), crowning=way) for way in ways])


@st.composite
def _draw_position(draw: st.DrawFn, request: PositionRequest, samplers: list[PositionSampler]) -> Position:
    sampler = draw(st.sampled_from(samplers))
    sampler = sampler.with_draw(HypothesisDraw(draw))
    for _ in range(_ATTEMPTS):
        position = sampler.draw()
        if position is not None and request.captures is not None and not request.captures:
            position = _without_captures(request, position)
        if position is not None and request.fits(position):
            return position
    return reject()


def _without_captures(request: PositionRequest, position: Position) -> Position:
    """Return the position with pieces removed until nothing can be captured."""
    while steps := request.turns.movement.captures(position):
        position = drop_moot_runs(without(position, next(each(steps[0].captured))))
    return position
