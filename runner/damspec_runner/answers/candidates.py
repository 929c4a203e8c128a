"""Moves to try on an engine that lists none: what it can say yes or no to in a position.

They are the legal ones, all that a change of the rules, another reading, another game or a fault of the catalogue would
allow, and then whatever looks like a move: along any line, over any piece.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from damspec import Action, DamspecError, Move, Position, Ruleset, load_ruleset, ruleset_ids
from damspec.board import DIRECTIONS, each, opponent

from ..cases.notation import Key
from ..variants.effects import ends, in_no_position
from ..variants.faults import Faulty, faults
from ..variants.mutants import single
from .contrast import fits
from .player import Player, key

#: How many are given at most; legal ones are never left out.
MOST = 5000


def candidates(ruleset: Ruleset, position: Position) -> tuple[Action, ...]:
    """Every action worth asking about in a position, each once: first the legal ones, then the lapses.

    The legal ones have every path that leads to the same.
    """
    found: dict[Key, Action] = {}
    right = [*ruleset.turns.actions(position), *ruleset.turns.lapses(position)]
    for action in right:
        found.setdefault(key(action), action)
    for action in _others(ruleset, position):
        if len(found) >= MOST:
            break
        found.setdefault(key(action), action)
    return tuple(found.values())


def _others(ruleset: Ruleset, position: Position) -> Iterator[Action]:
    for player in _players(ruleset):
        try:
            if fits(player, position):
                seen = player.fitted(position)
                yield from player.actions(seen)
                yield from player.lapsing(seen)
        except DamspecError:
            continue  # a position that these rules cannot have
    yield from _geometric(position)


@lru_cache(maxsize=8)
def _players(ruleset: Ruleset) -> tuple[Player, ...]:
    """Who else may list something: changed rules, readings, games on the same board, faults that make moves up.

    What differs only in how a game begins and ends lists the same.
    """
    others = (
        *(mutant.ruleset for mutant in single(ruleset)),
        *ruleset.alternatives.values(),
        *(load_ruleset(id) for id in ruleset_ids()),
    )
    known = [_listing(ruleset)]
    found = []
    for other in others:
        listing = _listing(other)
        if other.rules.board == ruleset.rules.board and listing not in known:
            known.append(listing)
            found.append(Player(other))
    for fault in faults(ruleset):
        turns = fault.turns(ruleset.turns)
        if isinstance(turns, Faulty) and turns.invents and not turns.remembers:
            found.append(Player(ruleset, turns))
    return tuple(found)


def _listing(ruleset: Ruleset) -> dict[str, object]:
    """The rules on which the lists of moves depend."""
    return {rule: value for rule, value in ruleset.values.items() if not (in_no_position(rule) or ends(rule))}


def _geometric(position: Position) -> Iterator[Move]:
    """What looks like a move: each piece along each line over empty squares, and on over any piece, taking it or not.

    Pieces of the side that is not to move have their steps and jumps too, and own pieces can be jumped.
    """
    board = position.board
    for side in (position.turn, opponent(position.turn)):
        crownhead = board.nearest_rows(1, opponent(side))
        for bit in each(position.occupied(side)):
            start, is_man = board.number(bit), bool(bit & position.men(side))
            for direction in DIRECTIONS:
                over: list[int] = []
                for place in board.ray(bit, direction, side):
                    end = board.number(place)
                    crowned = is_man and bool(place & crownhead)
                    yield Move(start, end, (), crowned, paths=((start, end),))
                    if end in position:
                        over.append(end)
                        if len(over) > 1:
                            break
                    elif over:
                        yield Move(start, end, tuple(over), crowned, paths=((start, end),))
