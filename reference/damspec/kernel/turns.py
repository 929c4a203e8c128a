"""Turns in compiled code: the moves of a piece, the results of a spin, the pushes of sliders; and what follows each."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from .captures import captures
from .compiling import inner
from .found import add, distinct, several
from .memory import end_of, start_of
from .moves import after, count, count_quiet, steps
from .sets import both, either, has, load, single, some, store, without
from .state import (
    ALLOWED,
    ANY_FALL,
    BLOCKED_SPINS,
    CHAPTER,
    CHAPTERS,
    CLOSES,
    CLOSES_AT_ONCE,
    DUE,
    FALLS,
    FIRST_RESULT,
    KIND,
    LIMIT,
    MAY_CLOSE,
    MAY_DECLINE,
    MEN_FALL,
    MOVES,
    OPENED,
    RESULTS,
    RUN,
    RUN_MOVES,
    RUN_SQUARE,
    RUN_WIDTH,
    RUNS,
    SLIDER,
    SLIDER_WIDTH,
    SLIDERS,
    SPINS,
    SPINS_AFTER_CAPTURE,
    STANDING,
    THROUGH,
)
from .table import (
    CAPTURED,
    DOORS,
    ENDS,
    FOUND,
    LANDING_ENDS,
    ORDER,
    PASSING_BLOCKED,
    PASSING_FALLS,
    PITS,
    RESTING,
    ROW,
    TWICE,
    WALLS,
)

#: What stands in a row in the place of a move, if it is none: its order is the state after it, its captures what falls.
_NO_MOVE = np.uint64(1 << 20)


@inner
def _open(state, none, table, work):
    """The doors are opened that the sliders say."""
    standing = state >> STANDING
    if table[OPENED] == standing:
        return
    table[OPENED] = standing
    doors = none
    for number in range(table[SLIDERS]):
        letter = standing >> 2 * number & 3
        if letter:
            doors = either(doors, single(table[SLIDER + SLIDER_WIDTH * number + letter], none))
    store(work, DOORS, doors)
    store(work, PITS, doors if table[LANDING_ENDS] else none)
    store(work, WALLS, doors if table[PASSING_BLOCKED] else none)
    store(work, ENDS, doors if table[PASSING_FALLS] else none)


@inner
def _rest(men, kings, side, state, table, work):
    """A king that has come to the limit makes no quiet move while its side has men."""
    run = state >> RUN + RUN_WIDTH * side
    resting = without(kings, kings)
    if some(men) and (run >> RUN_MOVES & RUN_SQUARE) >= table[LIMIT]:
        resting = both(single(run & RUN_SQUARE, kings), kings)
    store(work, RESTING, resting)


@inner
def _ready(men, kings, side, state, table, work):
    """What a state is to the moves of pieces."""
    if table[SLIDERS]:
        _open(state, without(men, men), table, work)
    if state & RUNS:
        _rest(men, kings, side, state, table, work)


@inner
def _spins(men, kings, enemy_men, enemy_kings, side, table, work):
    """Adds the captures that come before a spin; whether there is a spin, because there are none."""
    first = table[FOUND]
    captures(men, kings, enemy_men, enemy_kings, side, table, work)
    if table[FOUND] > first:
        if several(first, table, work, men):
            distinct(first, table, work, men)
        return False
    if count_quiet(men, kings, enemy_men, enemy_kings, side, table, work) > 0:
        return True
    return table[BLOCKED_SPINS] != 0 and some(either(men, kings))


@inner
def actions(men, kings, enemy_men, enemy_kings, side, state, table, work):
    """Adds every action of a turn."""
    allowed = table[ALLOWED + (state & CHAPTER)]
    if allowed & MOVES:
        _ready(men, kings, side, state, table, work)
        if allowed == MOVES:
            steps(men, kings, enemy_men, enemy_kings, side, table, work)
            return
        if not _spins(men, kings, enemy_men, enemy_kings, side, table, work):
            return
    rest = state ^ (state & CHAPTER)
    if allowed & SPINS:
        for result in range(FIRST_RESULT, CHAPTERS):
            if table[ALLOWED + result]:
                add(_NO_MOVE, np.uint64(rest | result), without(men, men), table, work)
    elif allowed:
        falls = either(enemy_men, enemy_kings)
        if table[FALLS] == ANY_FALL:
            falls = either(falls, either(men, kings))
        if table[FALLS] == MEN_FALL:
            falls = either(men, enemy_men)
        _slides(allowed, rest, falls, table, work)


@inner
def _slides(allowed, state, falls, table, work):
    """Adds the pushes of sliders of some colours, and declining them; where a door opens one of some pieces falls."""
    none = without(falls, falls)
    for number in range(table[SLIDERS]):
        slider, place = SLIDER + SLIDER_WIDTH * number, STANDING + 2 * number
        if not allowed & table[slider]:
            continue
        letter = state >> place & 3
        others = state ^ letter << place
        for to in range(3):
            if to == letter or (letter and to and not table[THROUGH]):
                continue
            gone = both(single(table[slider + to], none), falls) if to else none
            kept = others if table[CLOSES] == CLOSES_AT_ONCE else others | to << place
            add(_NO_MOVE, np.uint64(kept), gone, table, work)
            if table[CLOSES] == MAY_CLOSE and not letter:
                add(_NO_MOVE, np.uint64(others), gone, table, work)
    if table[MAY_DECLINE]:
        add(_NO_MOVE, np.uint64(state), none, table, work)


@inner
def _count_slides(allowed, state, table):
    """How many of these there are."""
    number = table[MAY_DECLINE]
    for slider in range(table[SLIDERS]):
        if allowed & table[SLIDER + SLIDER_WIDTH * slider]:
            if state >> STANDING + 2 * slider & 3:
                number += 1 + table[THROUGH]
            else:
                number += 4 if table[CLOSES] == MAY_CLOSE else 2
    return number


@inner
def count_actions(men, kings, enemy_men, enemy_kings, side, state, table, work):
    """The number of actions of a turn."""
    allowed = table[ALLOWED + (state & CHAPTER)]
    if allowed & MOVES:
        _ready(men, kings, side, state, table, work)
        if allowed == MOVES and not table[TWICE]:
            return count(men, kings, enemy_men, enemy_kings, side, table, work)
        first = table[FOUND]
        if allowed == MOVES:
            steps(men, kings, enemy_men, enemy_kings, side, table, work)
        elif _spins(men, kings, enemy_men, enemy_kings, side, table, work):
            return table[RESULTS]
        number = (table[FOUND] - first) // ROW
        table[FOUND] = first
        return number
    if allowed & SPINS:
        return table[RESULTS]
    return _count_slides(allowed, state, table) if allowed else 0


@inner
def after_action(row, men, kings, enemy_men, enemy_kings, side, state, table, work):
    """The pieces after an action, as the side then to move sees them; that side, and the state."""
    gone = load(work, row + CAPTURED, men)
    if work[row] == _NO_MOVE:
        then = np.int64(work[row + ORDER])
        men, kings = without(men, gone), without(kings, gone)
        enemy_men, enemy_kings = without(enemy_men, gone), without(enemy_kings, gone)
        if then & CHAPTER:
            return men, kings, enemy_men, enemy_kings, side, then
        return enemy_men, enemy_kings, men, kings, 1 - side, then
    a, b, c, d = after(row, men, kings, enemy_men, enemy_kings, work)
    if table[SLIDERS]:
        _open(state, without(men, men), table, work)
        hole = both(load(work, DOORS, men), single(end_of(work[row]), men))
        c, d = without(c, hole), without(d, hole)
        if table[SPINS_AFTER_CAPTURE] and not state & CHAPTER and some(gone):
            return c, d, a, b, side, state | DUE
        return a, b, c, d, 1 - side, state ^ (state & CHAPTER)
    if state & RUNS:
        run = np.int64(0)
        start = start_of(work[row])
        if some(c) and not some(gone) and has(kings, start):
            last = state >> RUN + RUN_WIDTH * side
            moves = (last >> RUN_MOVES & RUN_SQUARE) + 1 if last & RUN_SQUARE == start else 1
            run = end_of(work[row]) | moves << RUN_MOVES
        other = state >> RUN + RUN_WIDTH * (1 - side) & (1 << RUN_WIDTH) - 1
        if not some(a) or not has(b, other & RUN_SQUARE):
            other = np.int64(0)
        state = state & KIND | run << RUN + RUN_WIDTH * side | other << RUN + RUN_WIDTH * (1 - side)
    return a, b, c, d, 1 - side, state
