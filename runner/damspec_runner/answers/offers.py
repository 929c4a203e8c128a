"""The moves that an engine is offered which says of a single move whether it is legal, as Hub and others write them."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from damspec import Move, Position, Ruleset

from ..cases.notation import trace
from .candidates import candidates
from .player import key

#: A move by value, and its notation in a list of moves.
Offer = tuple[tuple[int, int, frozenset[int]], Any]
#: Positions whose offers are kept: a case is asked more than once.
_KEPT = 4096


def offers(ruleset: Ruleset) -> Callable[[Position], tuple[Offer, ...]]:
    """What is offered in a position of a ruleset: the moves among its candidates, none for another that is legal."""

    @lru_cache(maxsize=_KEPT)
    def offered(position: Position) -> tuple[Offer, ...]:
        moves = [action for action in candidates(ruleset, position) if isinstance(action, Move)]
        legal = {_squares(move): move for move in ruleset.turns.actions(position) if isinstance(move, Move)}
        return tuple(
            ((move.start, move.end, frozenset(move.captured)), _notation(position, move))
            for move in moves
            if key(legal.get(_squares(move), move)) == key(move)
        )

    return offered


def _squares(move: Move) -> frozenset[int]:
    """All that a move is to engines that know it by its squares alone: these take what has the same for a legal one."""
    return frozenset((move.start, move.end, *move.captured))


def _notation(position: Position, move: Move) -> Any:
    """A move's notation: its text, if that says it all, or from where to where and what it captures."""
    text = str(move)
    if not move.captured or trace(position, text) == key(move):
        return text
    return {"move": f"{move.start}x{move.end}", "captured": sorted(move.captured)}
