"""Moves that lead to a king's run from a position without one, for protocols that have no word for a run (Hub)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache

from damspec import Move, Position, Ruleset
from damspec.board import DIRECTIONS, Side, each, opponent
from damspec.position import KingRun
from damspec.possible import objection

from ..engines.hubengine import LeadIn

#: How many positions are looked at before the search is given up.
_MOST = 3000
#: Positions whose lead-ins are kept: a case is asked more than once.
_KEPT = 4096


def lead_in(ruleset: Ruleset, position: Position) -> LeadIn | None:
    """A position without runs and the moves from there that lead to `position`; None if none is found."""
    try:
        found = _Search(ruleset).back(position)
    except _TooMany:
        return None
    return found and (found[0], tuple((move.start, move.end, frozenset(move.captured)) for move in found[1]))


def lead_ins(ruleset: Ruleset) -> Callable[[Position], LeadIn | None]:
    """`lead_in` by the rules of a ruleset; what it finds is kept."""

    @lru_cache(maxsize=_KEPT)
    def found(position: Position) -> LeadIn | None:
        return lead_in(ruleset, position)

    return found


class _TooMany(Exception):
    """The search has looked at too many positions."""


class _Search:
    """Takes moves back, one ply after another, as long as there is a run."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._turns, self._left = ruleset.turns, _MOST

    def back(self, position: Position) -> tuple[Position, tuple[Move, ...]] | None:
        """A position without runs, and the moves from there to `position`. Raises _TooMany."""
        if not (position.white_run or position.black_run):
            return position, ()
        for before in _before(position):
            self._left -= 1
            if self._left < 0:
                raise _TooMany
            if objection(self._turns, before) is None and (move := self._between(before, position)):
                found = self.back(before)
                if found:
                    return found[0], (*found[1], move)
        return None

    def _between(self, before: Position, after: Position) -> Move | None:
        """The legal move from one position to another."""
        for action in self._turns.actions(before):
            if isinstance(action, Move) and self._turns.after(before, action) == after:
                return action
        return None


def _before(position: Position) -> Iterator[Position]:
    """Positions from which a quiet move may lead to a position: whether it is legal is not looked at."""
    mover = opponent(position.turn)
    run = position.run(mover)
    if run is not None:
        for square in _empty_lines(position, position.board.bit(run.square), mover):
            earlier = KingRun(square, run.moves - 1) if run.moves > 1 else None
            yield _moved(position, mover, run.square, square).with_run(mover, earlier)
        return
    # Men go first: kings that move are counted, but for those of a side without men.
    for bit in (*each(position.men(mover)), *each(position.kings(mover))):
        for square in _empty_lines(position, bit, mover):
            yield _moved(position, mover, position.board.number(bit), square)
    for bit in each(position.men(mover)):
        yield from _before_jump(position, bit, mover)


def _before_jump(position: Position, bit: int, mover: Side) -> Iterator[Position]:
    """Positions from which a man may have come to a square by jumping one man."""
    men = f"{opponent(mover)}_men"
    for direction in DIRECTIONS:
        over, start = (*position.board.ray(bit, direction, mover), 0, 0)[:2]
        if start and not (over | start) & (position.occupied("white") | position.occupied("black")):
            earlier = _moved(position, mover, position.board.number(bit), position.board.number(start))
            yield replace(earlier, **{men: getattr(earlier, men) | over})


def _empty_lines(position: Position, bit: int, side: Side) -> Iterator[int]:
    """The empty squares along all lines from a square, up to the next piece."""
    for direction in DIRECTIONS:
        for place in position.board.ray(bit, direction, side):
            square = position.board.number(place)
            if square in position:
                break
            yield square


def _moved(position: Position, mover: Side, start: int, end: int) -> Position:
    """The position with one piece on another square and the mover to move."""
    flip = position.board.bit(start) | position.board.bit(end)
    names = [name for name in (f"{mover}_men", f"{mover}_kings") if getattr(position, name) & flip]
    return replace(position, turn=mover, **{name: getattr(position, name) ^ flip for name in names})
