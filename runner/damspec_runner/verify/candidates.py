"""Candidate moves to offer to an engine, and the moves that lead to a position."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

from damspec import Action, DamspecError, Move, Position, Ruleset, load_ruleset, ruleset_ids
from damspec.board import DIRECTIONS, Side, each, opponent
from damspec.position import KingRun, with_piece_moved
from damspec.validity import find_invalidity

from ..answers.answer_diff import fits
from ..answers.player import RulePlayer, key, keys
from ..cases.notation import Key, move_effect
from ..engines.hub import LeadIn, Squares, move_squares
from ..engines.protocol import move_entry
from ..mutants.fault_catalogue import FaultyGenerator, faults
from ..mutants.mutants import single_mutants
from ..mutants.ruleset_diff import ends, in_no_position

#: The most candidates returned; legal ones are never left out.
MOST = 5000


def candidates(ruleset: Ruleset, position: Position) -> tuple[Action, ...]:
    """Return every action worth asking about in a position, each once: the legal ones, the lapses, then the others.

    Legal captures by several paths count as one action.
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
                seen = player.fit(position)
                yield from player.actions(seen)
                yield from player.lapsing(seen)
        except DamspecError:
            continue  # an invalid position by these rules
    yield from _geometric(position)


@lru_cache(maxsize=8)
def _players(ruleset: Ruleset) -> tuple[RulePlayer, ...]:
    """Return who may list other moves: mutants, readings, games on the same board, faults that invent moves.

    Rulesets that differ only in how a game begins and ends are left out.
    """
    others = (
        *(mutant.ruleset for mutant in single_mutants(ruleset)),
        *ruleset.alternatives.values(),
        *(load_ruleset(id) for id in ruleset_ids()),
    )
    known = [_listing_rules(ruleset)]
    found = []
    for other in others:
        listing = _listing_rules(other)
        if other.rules.board == ruleset.rules.board and listing not in known:
            known.append(listing)
            found.append(RulePlayer(other))
    for fault in faults(ruleset):
        turns = fault.turns(ruleset.turns)
        if isinstance(turns, FaultyGenerator) and turns.invents and not turns.remembers:
            found.append(RulePlayer(ruleset, turns))
    return tuple(found)


def _listing_rules(ruleset: Ruleset) -> dict[str, object]:
    """Return the rules on which the lists of moves depend."""
    return {rule: value for rule, value in ruleset.values.items() if not (in_no_position(rule) or ends(rule))}


def _geometric(position: Position) -> Iterator[Move]:
    """Yield whatever looks like a move: each piece along each line, over empty squares and over any single piece.

    Pieces of the side not to move have theirs too, and own pieces can be jumped.
    """
    board = position.board
    for side in (position.turn, opponent(position.turn)):
        promotion_row = board.nearest_rows(1, opponent(side))
        for bit in each(position.occupied(side)):
            start, is_man = board.number(bit), bool(bit & position.men(side))
            for direction in DIRECTIONS:
                over: list[int] = []
                for place in board.ray(bit, direction, side):
                    end = board.number(place)
                    crowned = is_man and bool(place & promotion_row)
                    yield Move(start, end, (), crowned, paths=((start, end),))
                    if end in position:
                        over.append(end)
                        if len(over) > 1:
                            break
                    elif over:
                        yield Move(start, end, tuple(over), crowned, paths=((start, end),))


#: The size of the caches of offers and lead-ins: a case is asked more than once.
_CACHED = 4096


@lru_cache(maxsize=_CACHED)
def offers(ruleset: Ruleset, position: Position) -> tuple[tuple[Squares, Any], ...]:
    """Return the moves to offer in a position, each with its notation; none can be taken for a legal one.

    Lapses are left out: who takes one may mean that it is legal, or that it can be played.
    """
    # Engines identify a move by its squares: equal ones would be taken for the legal move.
    legal = {_touched(move): move for move in ruleset.turns.actions(position) if isinstance(move, Move)}
    lapses = keys(ruleset.turns.lapses(position))
    return tuple(
        (move_squares(move), _notation(position, move))
        for move in candidates(ruleset, position)
        if isinstance(move, Move) and key(move) not in lapses and key(legal.get(_touched(move), move)) == key(move)
    )


def _touched(move: Move) -> frozenset[int]:
    return frozenset((move.start, move.end, *move.captured))


def _notation(position: Position, move: Move) -> Any:
    """Return a move's text if that is unambiguous, else an object with its squares and captures."""
    text = str(move)
    if not move.captured or move_effect(position, text) == key(move):
        return text
    return move_entry(move.start, move.end, move.captured)


#: The most positions visited before the search gives up.
_MOST_VISITED = 3000


@lru_cache(maxsize=_CACHED)
def lead_in(ruleset: Ruleset, position: Position) -> LeadIn | None:
    """Return a position without runs of kings and the moves from there to `position`; None if none is found."""
    turns, visits = ruleset.turns, iter(range(_MOST_VISITED))

    def search_backwards(position: Position) -> LeadIn | None:
        if not (position.white_run or position.black_run):
            return position, ()
        for before in _predecessors(position):
            if next(visits, None) is None:
                return None
            if find_invalidity(turns, before) is not None:
                continue
            moves = (action for action in turns.actions(before) if isinstance(action, Move))
            move = next((one for one in moves if turns.after(before, one) == position), None)
            if move and (found := search_backwards(before)):
                return found[0], (*found[1], move_squares(move))
        return None

    return search_backwards(position)


def _predecessors(position: Position) -> Iterator[Position]:
    """Yield positions from which a quiet move, legal or not, may lead to a position."""
    mover = opponent(position.turn)
    run = position.run(mover)
    if run is not None:
        for square in _empty_lines(position, position.board.bit(run.square), mover):
            earlier = KingRun(square, run.moves - 1) if run.moves > 1 else None
            yield _move_back(position, mover, run.square, square).with_run(mover, earlier)
        return
    # Men go first: kings that move are counted, but for those of a side without men.
    for bit in (*each(position.men(mover)), *each(position.kings(mover))):
        for square in _empty_lines(position, bit, mover):
            yield _move_back(position, mover, position.board.number(bit), square)
    for bit in each(position.men(mover)):
        yield from _jump_predecessors(position, bit, mover)


def _jump_predecessors(position: Position, bit: int, mover: Side) -> Iterator[Position]:
    """Yield positions from which a man may have reached a square by jumping one man."""
    men = f"{opponent(mover)}_men"
    for direction in DIRECTIONS:
        over, start = (*position.board.ray(bit, direction, mover), 0, 0)[:2]
        if start and not (over | start) & (position.occupied("white") | position.occupied("black")):
            earlier = _move_back(position, mover, position.board.number(bit), position.board.number(start))
            yield replace(earlier, **{men: getattr(earlier, men) | over})


def _empty_lines(position: Position, bit: int, side: Side) -> Iterator[int]:
    """Yield the empty squares along all lines from a square, up to the next piece."""
    for direction in DIRECTIONS:
        for place in position.board.ray(bit, direction, side):
            square = position.board.number(place)
            if square in position:
                break
            yield square


def _move_back(position: Position, mover: Side, start: int, end: int) -> Position:
    """Return the position with one piece moved and the mover to move."""
    bit = position.board.bit
    return replace(with_piece_moved(position, bit(start), bit(end)), turn=mover)
