"""The moves of a side in compiled code: all of them, their number, and the pieces after one."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np
from numba import njit

from .captures import captures, king_from
from .choice import choose
from .found import add, begin, crowns, distinct, end_of, packed, several, start_of
from .sets import both, either, has, load, lowest, shifted, single, size, some, without
from .table import (
    ALL,
    CAPTURED,
    CROWNHEAD,
    DOORED,
    DOORS,
    ENDS,
    FOR_MEN,
    FOUND,
    GAVE_UP,
    INSIDE,
    KING_MOVES,
    KING_REACH,
    LAST_DIRECTION,
    MAN_MOVES,
    MAN_REACH,
    NEIGHBOURS,
    OPTIONAL,
    QUIET_FALLS,
    ROW,
    SHIFTS,
    SQUARES,
    TWICE,
    WALLS,
    WAYS,
    WIDTH,
)  # fmt: skip


@njit
def _binding(first, enemy_men, table, work):
    """Whether captures rule out the quiet moves: `capture.duty`."""
    if table[FOUND] == first or table[OPTIONAL]:
        return False
    if not table[FOR_MEN]:
        return True
    for row in range(first, table[FOUND], ROW):
        if some(both(load(work, row + CAPTURED, enemy_men), enemy_men)):
            return True
    return False


@njit
def steps(men, kings, enemy_men, enemy_kings, side, table, work):
    """Adds every legal move once."""
    first = table[FOUND]
    captures(men, kings, enemy_men, enemy_kings, side, table, work)
    none_captures = table[FOUND] == first
    if not _binding(first, enemy_men, table, work):
        quiet(men, kings, enemy_men, enemy_kings, side, table, work)
        if none_captures and table[TWICE]:
            second_slides(first, men, kings, enemy_men, enemy_kings, side, table, work)
    if several(first, table, work, men) or table[TWICE]:
        distinct(first, table, work, men)


@njit
def count(men, kings, enemy_men, enemy_kings, side, table, work):
    """The number of legal moves where all doors are shut; the quiet ones are counted without making them."""
    first = table[FOUND]
    if table[TWICE]:
        steps(men, kings, enemy_men, enemy_kings, side, table, work)
        number = (table[FOUND] - first) // ROW
        table[FOUND] = first
        return number
    captures(men, kings, enemy_men, enemy_kings, side, table, work)
    number = (table[FOUND] - first) // ROW
    if number:
        bound = _binding(first, enemy_men, table, work)
        if number > 1 and several(first, table, work, men):
            distinct(first, table, work, men)
            number = (table[FOUND] - first) // ROW
        table[FOUND] = first
        if bound:
            return number
    empty = without(load(work, ALL, men), either(either(men, kings), either(enemy_men, enemy_kings)))
    if table[MAN_REACH] == 1:
        base = MAN_MOVES + WAYS * side
        for place in range(1, table[base] + 1):
            way = table[base + place]
            up, down = np.uint64(table[SHIFTS + 2 * way]), np.uint64(table[SHIFTS + 2 * way + 1])
            number += size(both(shifted(both(men, load(work, INSIDE + WIDTH * way, men)), up, down), empty))
    else:
        number += _count_along(men, MAN_MOVES + WAYS * side, table[MAN_REACH], empty, table)
    if some(kings):
        number += _count_along(kings, KING_MOVES + WAYS * side, table[KING_REACH], empty, table)
    return number


@njit
def _count_along(pieces, base, reach, empty, table):
    """The number of slides of some pieces."""
    number = 0
    while some(pieces):
        start = lowest(pieces)
        pieces = without(pieces, single(start, pieces))
        for place in range(1, table[base] + 1):
            line = NEIGHBOURS + SQUARES * table[base + place]
            end = table[line + start]
            left = reach
            while left > 0 and end >= 0 and has(empty, end):
                number += 1
                left -= 1
                end = table[line + end]
    return number


@njit
def quiet(men, kings, enemy_men, enemy_kings, side, table, work):
    """Adds every move of one slide."""
    none = without(men, men)
    empty = without(load(work, ALL, men), either(either(men, kings), either(enemy_men, enemy_kings)))
    top = load(work, CROWNHEAD + WIDTH * side, men)
    ends_there = none
    if table[DOORED]:
        doors = load(work, DOORS, men)
        top = without(top, doors)
        if not table[QUIET_FALLS]:
            ends_there = doors
    base = MAN_MOVES + WAYS * side
    if table[MAN_REACH] == 1:
        for place in range(1, table[base] + 1):
            way = table[base + place]
            up, down = np.uint64(table[SHIFTS + 2 * way]), np.uint64(table[SHIFTS + 2 * way + 1])
            ends = both(shifted(both(men, load(work, INSIDE + WIDTH * way, men)), up, down), without(empty, ends_there))
            back = NEIGHBOURS + SQUARES * (LAST_DIRECTION - way)
            while some(ends):
                end = lowest(ends)
                ends = without(ends, single(end, ends))
                add(packed(table[back + end], end, np.int64(has(top, end))), np.uint64(0), none, table, work)
    else:
        _along(men, base, table[MAN_REACH], empty, ends_there, none, top, table, work)
    if some(kings):
        floor, last = empty, none
        if table[DOORED]:
            floor = without(empty, load(work, WALLS, men))
            last = load(work, ENDS, men)
        _along(kings, KING_MOVES + WAYS * side, table[KING_REACH], floor, ends_there, last, none, table, work)


@njit
def _along(pieces, base, reach, empty, forbidden, last, top, table, work):
    """Adds the slides of some pieces: none ends on a forbidden square, none goes on from a last one."""
    none = without(pieces, pieces)
    while some(pieces):
        start = lowest(pieces)
        pieces = without(pieces, single(start, pieces))
        for place in range(1, table[base] + 1):
            line = NEIGHBOURS + SQUARES * table[base + place]
            end = table[line + start]
            left = reach
            while left > 0 and end >= 0 and has(empty, end):
                if not has(forbidden, end):
                    add(packed(start, end, np.int64(has(top, end))), np.uint64(0), none, table, work)
                if has(last, end):
                    break
                left -= 1
                end = table[line + end]


@njit
def second_slides(first, men, kings, enemy_men, enemy_kings, side, table, work):
    """Adds what kings can do after the first of two slides, for all moves from one on."""
    enemies = either(enemy_men, enemy_kings)
    empty = without(load(work, ALL, men), either(either(men, kings), enemies))
    base = KING_MOVES + WAYS * side
    none = without(men, men)
    for row in range(first, table[FOUND], ROW):
        start, middle = start_of(work[row]), end_of(work[row])
        if not has(kings, start):
            continue
        open_ = either(empty, single(start, men))
        for place in range(1, table[base] + 1):
            line = NEIGHBOURS + SQUARES * table[base + place]
            end = table[line + middle]
            left = table[KING_REACH]
            while left > 0 and end >= 0 and has(open_, end):
                if end != start:
                    before = table[FOUND]
                    begin(table)
                    king_from(start, end, enemies, open_, side, table, work)
                    if table[FOUND] == before:
                        add(packed(start, end, 0), np.uint64(0), none, table, work)
                    else:
                        choose(before, kings, enemy_kings, table, work)
                    if table[GAVE_UP]:
                        return
                left -= 1
                end = table[line + end]


@njit
def after(row, men, kings, enemy_men, enemy_kings, work):
    """The pieces after a move where all doors are shut, as the other side sees them."""
    start, end = start_of(work[row]), end_of(work[row])
    captured = load(work, row + CAPTURED, men)
    left, reached = single(start, men), single(end, men)
    if has(kings, start):
        return without(enemy_men, captured), without(enemy_kings, captured), men, either(without(kings, left), reached)
    if crowns(work[row]):
        return without(enemy_men, captured), without(enemy_kings, captured), without(men, left), either(kings, reached)
    return without(enemy_men, captured), without(enemy_kings, captured), either(without(men, left), reached), kings
