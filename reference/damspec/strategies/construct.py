"""Random positions for a request, by the sampler, with captures through the promotion row frequent."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar

from hypothesis import reject
from hypothesis import strategies as st

from ..board import each
from ..position import Piece, Position, without
from ..sampling import PositionSampler
from .requests import PositionRequest

if TYPE_CHECKING:
    from _typeshed import SupportsLenAndGetItem

_T = TypeVar("_T")
#: The most pieces of a capture that is constructed if one of a minimum length is requested.
_LONGEST = 20
#: The probability that a constructed capture is that of a man which reaches the promotion row: mistakes are the rarest
#: there, and the hardest to find.
_CROWNING = 0.7
#: How many times a position is drawn before giving up.
_ATTEMPTS = 4
#: Of so many pieces one is removed again, and one becomes a man.
_CHANGED = 60


class DrawnRandom(random.Random):
    """Random numbers that Hypothesis draws and shrinks; those of `hypothesis.strategies.randoms` are not uniform."""

    def __init__(self, draw: st.DrawFn) -> None:
        super().__init__(0)
        self._draw = draw

    def random(self) -> float:
        """Return a number of hundredths from 0 to 1, excluding 1."""
        return self._draw(st.integers(0, 99)) / 100

    def getrandbits(self, k: int) -> int:
        """Return a number of `k` bits."""
        return self._draw(st.integers(0, (1 << k) - 1))

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        """Return one of a range of numbers: the usual way draws until a number fits."""
        numbers = range(start) if stop is None else range(start, stop, step)
        return numbers[self._draw(st.integers(0, len(numbers) - 1))]

    def choice(self, seq: SupportsLenAndGetItem[_T]) -> _T:
        """Return one of some elements."""
        return seq[self.randrange(len(seq))]

    def sample(self, population: Sequence[_T], k: int, *, counts: Iterable[int] | None = None) -> list[_T]:
        """Return `k` of some elements, each time one of the rest."""
        rest = [*population]
        return [rest.pop(self.randrange(len(rest))) for _ in range(k)]


def constructed_positions(request: PositionRequest) -> st.SearchStrategy[Position]:
    """Return a strategy that constructs positions to fit a request."""
    captures = (request.jumps, max(request.jumps, _LONGEST)) if request.captures else None
    return _draw_position(request, request.sampler(captures, crowning=_CROWNING))


@st.composite
def _draw_position(draw: st.DrawFn, request: PositionRequest, sampler: PositionSampler) -> Position:
    sampler.rng = DrawnRandom(draw)
    for _ in range(_ATTEMPTS):
        position = sampler.draw()
        if position is not None and request.is_quiet:
            position = _without_captures(request, position)
        if position is not None and request.fits(position):
            return _simplify(draw, request, position)
    return reject()


def _without_captures(request: PositionRequest, position: Position) -> Position:
    """Return the position with pieces removed until nothing can be captured."""
    while steps := request.turns.movement.captures(position):
        position = without(position, next(each(steps[0].captured)))
    return position


def _simplify(draw: st.DrawFn, request: PositionRequest, position: Position) -> Position:
    """Return the position with some pieces removed, and some kings as men: to Hypothesis the simplest choices."""
    for square, piece in position.pieces():
        choice = draw(st.integers(0, _CHANGED - 1))
        if choice < 2:
            man = Piece(piece.side, "man")
            simpler = position.with_piece_at(square, man) if choice else position.without_piece_at(square)
            position = simpler if request.fits(simpler) else position
    return position
