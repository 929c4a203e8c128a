"""The search for the best action: alpha-beta with a hash table, captures followed to their end, chance by its mean."""

from __future__ import annotations

from typing import Any

from ..sets import count, load, mix, place_of, row_of, word
from .moves import Record, actions, after, captures, copy, move_at, open_doors, pieces_of, write
from .outcome import has_quiet, is_drawn, value_by_pieces, without_action
from .rules import (
    ADVANCE_1,
    ADVANCE_2,
    ADVANCE_4,
    ADVANCE_8,
    AT_LEAST,
    AT_MOST,
    BOUND,
    CAPTURE_DUTY,
    CODE,
    ENDING_BLOCKED,
    ENDING_NO_PIECES,
    ENEMY_ADVANCE_1,
    ENEMY_ADVANCE_2,
    ENEMY_ADVANCE_4,
    ENEMY_ADVANCE_8,
    EXACT,
    FIRST_RESULT,
    HAS_SPIN,
    KING_VALUE,
    LOSS,
    MATE,
    MOST_DEPTH,
    MOST_PLIES,
    MOVE,
    MOVE_BITS,
    MOVES,
    NO_VALUE,
    NONE,
    PHASE,
    SCORE,
    WIN,
    both_sides,
    entry,
)


def hash_of(men: int, kings: int, enemy_men: int, enemy_kings: int, side: int, state: int) -> int:
    """Return the hash of a position."""
    return mix(men, mix(kings, mix(enemy_men, mix(enemy_kings, word(state << 1 | side)))))


def score_of(value: int, ply: int) -> int:
    """Return the score of a game that is over: a nearer win is better."""
    if value == WIN:
        return MATE - ply
    if value == LOSS:
        return ply - MATE
    return 0


def from_here(score: int, ply: int) -> int:
    """Return a score for the hash table, in which a win is as many plies away as from the position itself."""
    if score > MATE - MOST_PLIES - 1:
        return score + ply
    if score < MOST_PLIES + 1 - MATE:
        return score - ply
    return score


def evaluate(men: int, kings: int, enemy_men: int, enemy_kings: int, side: int, rules: Record, search: Record) -> int:
    """Return what the pieces are worth to the side to move, in hundredths of a man, with the advance of men."""
    if is_drawn(men, kings, enemy_men, enemy_kings, side, rules, search):
        return 0
    number = 100 * (count(men) - count(enemy_men)) + KING_VALUE * (count(kings) - count(enemy_kings))
    if not search.counts_pieces:
        number += 2 * (count(men & ADVANCE_1) - count(enemy_men & ENEMY_ADVANCE_1))
        number += 4 * (count(men & ADVANCE_2) - count(enemy_men & ENEMY_ADVANCE_2))
        number += 8 * (count(men & ADVANCE_4) - count(enemy_men & ENEMY_ADVANCE_4))
        number += 16 * (count(men & ADVANCE_8) - count(enemy_men & ENEMY_ADVANCE_8))
    return -number if ENDING_NO_PIECES == "wins" else number


def repeats(key: int, ply: int, search: Record) -> bool:
    """Record a position of the line that is searched; return whether it has been there before."""
    place = search.before + ply
    search.path[place] = key
    for earlier in range(place):
        if search.path[earlier] == key:
            return True
    return False


def move_code(place: int, search: Record) -> int:
    """Return the action at a place as `code_of` has it."""
    start, end, captured = move_at(place, search)
    return code_of(start, end, captured)


def code_of(start: int, end: int, captured: int) -> int:
    """Return the start, the end and some bits of what is captured, as a number; 0 for an action that moves no piece."""
    if start == NONE:
        return 0
    code = 1 + place_of(start) << 8 | place_of(end)
    if captured:
        code |= (place_of(captured) + 37 * count(captured) & 127) << MOVE_BITS
    return code


def rate(first: int, best: int, ply: int, search: Record) -> None:
    """Rate the actions from `first` on: that of the hash table, captures by their size, killers, and by history."""
    for place in range(first, search.found):
        code = move_code(place, search)
        worth = search.history[code & MOVE] + (count(load(search.captured, place, NONE)) << 32)
        if code == best:
            worth = 1 << 60
        elif code == search.killers[2 * ply] or code == search.killers[2 * ply + 1]:
            worth += 1 << 31
        search.worth[place] = worth


def bring_best(place: int, rules: Record, search: Record) -> None:
    """Exchange the action at `place` for the best of those from it on."""
    best = place
    for each in range(place + 1, search.found):
        if search.worth[each] > search.worth[best]:
            best = each
    if best != place:
        start, end, captured = move_at(place, search)
        crowned, order = search.crowned[place] > 0, search.order[place]
        copy(place, best, rules, search)
        write(best, start, end, captured, crowned, search)
        search.order[place], search.order[best] = search.order[best], order
        search.worth[best] = search.worth[place]


@both_sides
def value_of(
    side: int, men: int, kings: int, enemy_men: int, enemy_kings: int, state: int, depth: int, ply: int, alpha: int,
    beta: int, rules: Record, search: Record, table: Any,
) -> int:  # fmt: skip
    """Return the score of a position for the side to move, looking some plies ahead.

    The hash table has by turns the hash of a position, and its score, whether that is a bound, the depth and the best
    move.
    """
    search.nodes += 1
    if search.nodes > search.most_nodes:
        search.stopped = True
        return 0
    over = value_by_pieces(men, kings, enemy_men, enemy_kings, side, rules, search)
    if over != NO_VALUE:
        return score_of(over, ply)
    if (depth <= 0 and not search.follows_captures) or ply >= MOST_PLIES:
        return evaluate(men, kings, enemy_men, enemy_kings, side, rules, search)
    first, floor = search.found, alpha
    key, row, best_code, best = word(0), 0, -1, -MATE
    if depth > 0:
        key = hash_of(men, kings, enemy_men, enemy_kings, side, state) ^ search.salt
        if repeats(key, ply, search):
            return 0
        row = 2 * row_of(key, len(table) >> 1)
        if table[row] == key:
            stored = row_of(table[row + 1], 1 << 62)
            known, bound = from_here((stored >> SCORE) - MATE, -ply), stored >> BOUND & 3
            settles = bound == EXACT or (bound == AT_LEAST and known >= beta) or (bound == AT_MOST and known <= alpha)
            if settles and stored >> CODE & MOST_DEPTH >= depth:
                return known
            best_code = stored & (1 << CODE) - 1
    if depth <= 0:
        if HAS_SPIN:
            if rules.phases[state & PHASE] & MOVES == 0:
                return evaluate(men, kings, enemy_men, enemy_kings, side, rules, search)
            open_doors(state, rules, search)
        captures(men, kings, enemy_men, enemy_kings, rules, search)
        if CAPTURE_DUTY == "optional" or CAPTURE_DUTY == "compulsory-for-men" or search.found == first:
            best = evaluate(men, kings, enemy_men, enemy_kings, side, rules, search)
            alpha = max(alpha, best)
    else:
        actions(men, kings, enemy_men, enemy_kings, side, state, rules, search)
        if ENDING_BLOCKED == "no-step" and not has_quiet(
            side, men, kings, enemy_men, enemy_kings, state, rules, search
        ):
            search.found = first
        if search.found == first:
            return score_of(without_action(rules), ply)
        if is_drawn(men, kings, enemy_men, enemy_kings, side, rules, search):
            search.found = first
            return 0
    if search.gave_up:  # more captures than there is room for
        search.gave_up, search.found = False, first
        return evaluate(men, kings, enemy_men, enemy_kings, side, rules, search)
    if search.found == first:
        return best
    if HAS_SPIN and load(search.start, first, NONE) == NONE and search.order[first] & PHASE >= FIRST_RESULT:
        total, number = 0, search.found - first
        for place in range(first, search.found):
            total += value_of(
                side, men, kings, enemy_men, enemy_kings, search.order[place], depth - 1, ply + 1, -MATE, MATE,
                rules, search, table,
            )  # fmt: skip
        search.found = first
        return total // number
    if depth > 1:
        rate(first, best_code, ply, search)
    best_code = 0
    for place in range(first, search.found):
        if best < beta and not search.stopped:
            if depth > 1:
                bring_best(place, rules, search)
            a, b, c, d, whose, then = after(place, men, kings, enemy_men, enemy_kings, side, state, rules, search)
            if whose == side:
                score = value_of(whose, a, b, c, d, then, depth - 1, ply + 1, alpha, beta, rules, search, table)
            else:
                low = -beta
                if place > first and depth > 1:  # is it better at all?
                    low = -alpha - 1
                score = -value_of(whose, a, b, c, d, then, depth - 1, ply + 1, low, -alpha, rules, search, table)
                if low != -beta and score > alpha and score < beta:
                    score = -value_of(whose, a, b, c, d, then, depth - 1, ply + 1, -beta, -alpha, rules, search, table)
            if score > best:
                best, best_code = score, move_code(place, search)
                alpha = max(alpha, best)
                if best >= beta and load(search.captured, place, NONE) == NONE:
                    search.history[best_code & MOVE] += depth * depth
                    if search.killers[2 * ply] != best_code:
                        search.killers[2 * ply + 1] = search.killers[2 * ply]
                        search.killers[2 * ply] = best_code
    search.found = first
    if depth > 0 and not search.stopped:
        bound = EXACT
        if best >= beta:
            bound = AT_LEAST
        elif best <= floor:
            bound = AT_MOST
        table[row] = key
        table[row + 1] = word(from_here(best, ply) + MATE << SCORE | bound << BOUND | depth << CODE | best_code)
    return best


@entry
def search_position(
    side: int, pieces: Any, state: int, depth: int, ply: int, alpha: int, beta: int, tables: Any, searches: Any,
    table: Any,
) -> int:  # fmt: skip
    """Return the score of a position for its side to move."""
    men, kings, enemy_men, enemy_kings = pieces_of(pieces)
    return value_of(
        side, men, kings, enemy_men, enemy_kings, state, depth, ply, alpha, beta, tables[0], searches[0], table
    )


@entry
def hash_position(side: int, pieces: Any, state: int) -> int:
    """Return the hash of a position."""
    men, kings, enemy_men, enemy_kings = pieces_of(pieces)
    return hash_of(men, kings, enemy_men, enemy_kings, side, state)


@entry
def code_move(sets: Any) -> int:
    """Return a move as the hash table has it: an array with its start, its end and the captured pieces."""
    return code_of(load(sets, 0, NONE), load(sets, 1, NONE), load(sets, 2, NONE))
