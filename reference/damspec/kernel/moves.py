"""The moves of a side in compiled code: all of them, their number, and the pieces after one."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from .captures import A_KING, CAN_END, captures, follow
from .choice import choose
from .compiling import inner
from .found import add, begin, distinct, move_row, several
from .memory import crowns, end_of, neighbour, packed, start_of
from .sets import both, either, has, load, lowest, shifted, single, size, some, without
from .table import (
    ALL,
    CAPTURED,
    CROWNHEAD,
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
    OPTIONAL,
    ORIGIN_EMPTY,
    QUIET_FALLS,
    RESTING,
    ROW,
    SHIFTS,
    TWICE,
    WALLS,
    WAYS,
    WIDTH,
)  # fmt: skip


@inner
def _binding(first, enemy_men, table, work):
    """Whether captures rule out the quiet moves: `capture.duty`."""
    if table[FOUND] == first or table[OPTIONAL]:
        return False
    if not table[FOR_MEN]:
        return True
    for row in range(first, table[FOUND], ROW):  # noqa: SIM110  (compiled code has no any)
        if some(both(load(work, row + CAPTURED, enemy_men), enemy_men)):
            return True
    return False


@inner
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


@inner
def count(men, kings, enemy_men, enemy_kings, side, table, work):
    """The number of legal moves where kings slide once; quiet ones are not made one by one."""
    first = table[FOUND]
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
    return number + count_quiet(men, kings, enemy_men, enemy_kings, side, table, work)


@inner
def count_quiet(men, kings, enemy_men, enemy_kings, side, table, work):
    """The number of moves of one slide."""
    number = 0
    empty = without(load(work, ALL, men), either(either(men, kings), either(enemy_men, enemy_kings)))
    forbidden = without(men, men) if table[QUIET_FALLS] else load(work, DOORS, men)
    if table[MAN_REACH] == 1:
        base, ends = MAN_MOVES + WAYS * side, without(empty, forbidden)
        for place in range(1, table[base] + 1):
            way = table[base + place]
            up, down = table[SHIFTS + 2 * way], table[SHIFTS + 2 * way + 1]
            number += size(both(shifted(both(men, load(work, INSIDE + WIDTH * way, men)), up, down), ends))
    else:
        none = without(men, men)
        number += _count_along(men, MAN_MOVES + WAYS * side, table[MAN_REACH], empty, forbidden, none, table)
    if some(kings):
        kings = without(kings, load(work, RESTING, kings))
        floor, last = without(empty, load(work, WALLS, men)), load(work, ENDS, men)
        number += _count_along(kings, KING_MOVES + WAYS * side, table[KING_REACH], floor, forbidden, last, table)
    return number


@inner
def _count_along(pieces, base, reach, empty, forbidden, last, table):
    """The number of slides of some pieces: none ends on a forbidden square, none goes on from a last one."""
    number = 0
    while some(pieces):
        start = lowest(pieces)
        pieces = without(pieces, single(start, pieces))
        for place in range(1, table[base] + 1):
            way = table[base + place]
            end = neighbour(table, way, start)
            left = reach
            while left > 0 and end >= 0 and has(empty, end):
                number += not has(forbidden, end)
                if has(last, end):
                    break
                left -= 1
                end = neighbour(table, way, end)
    return number


@inner
def quiet(men, kings, enemy_men, enemy_kings, side, table, work):
    """Adds every move of one slide."""
    none = without(men, men)
    empty = without(load(work, ALL, men), either(either(men, kings), either(enemy_men, enemy_kings)))
    top = load(work, CROWNHEAD + WIDTH * side, men)
    doors = load(work, DOORS, men)
    top = without(top, doors)
    forbidden = none if table[QUIET_FALLS] else doors
    base = MAN_MOVES + WAYS * side
    if table[MAN_REACH] == 1:
        for place in range(1, table[base] + 1):
            way = table[base + place]
            up, down = table[SHIFTS + 2 * way], table[SHIFTS + 2 * way + 1]
            ends = both(shifted(both(men, load(work, INSIDE + WIDTH * way, men)), up, down), without(empty, forbidden))
            while some(ends):
                end = lowest(ends)
                ends = without(ends, single(end, ends))
                add(
                    packed(neighbour(table, LAST_DIRECTION - way, end), end, has(top, end)),
                    np.uint64(0),
                    none,
                    table,
                    work,
                )
    else:
        _along(men, base, table[MAN_REACH], empty, forbidden, none, top, table, work)
    if some(kings):
        kings = without(kings, load(work, RESTING, kings))
        floor, last = without(empty, load(work, WALLS, men)), load(work, ENDS, men)
        _along(kings, KING_MOVES + WAYS * side, table[KING_REACH], floor, forbidden, last, none, table, work)


@inner
def _along(pieces, base, reach, empty, forbidden, last, top, table, work):
    """Adds the slides of some pieces: none ends on a forbidden square, none goes on from a last one."""
    none = without(pieces, pieces)
    while some(pieces):
        start = lowest(pieces)
        pieces = without(pieces, single(start, pieces))
        for place in range(1, table[base] + 1):
            way = table[base + place]
            end = neighbour(table, way, start)
            left = reach
            while left > 0 and end >= 0 and has(empty, end):
                if not has(forbidden, end):
                    add(packed(start, end, has(top, end)), np.uint64(0), none, table, work)
                if has(last, end):
                    break
                left -= 1
                end = neighbour(table, way, end)


@inner
def second_slides(first, men, kings, enemy_men, enemy_kings, side, table, work):
    """Adds what kings can do after the first of two slides, for all moves from one on.

    A king that may not go on moving makes two slides only where it then captures.
    """
    resting = load(work, RESTING, men)
    enemies = either(enemy_men, enemy_kings)
    empty = without(load(work, ALL, men), either(either(men, kings), enemies))
    base = KING_MOVES + WAYS * side
    none = without(men, men)
    last = table[FOUND]
    _along(resting, base, table[KING_REACH], empty, none, none, none, table, work)
    slid = table[FOUND]
    for row in range(first, slid, ROW):
        start, middle = start_of(work[row]), end_of(work[row])
        if not has(kings, start):
            continue
        open_ = either(empty, single(start, men))
        for place in range(1, table[base] + 1):
            way = table[base + place]
            end = neighbour(table, way, middle)
            left = table[KING_REACH]
            while left > 0 and end >= 0 and has(open_, end):
                if end != start:
                    before = table[FOUND]
                    begin(table)
                    floor = open_ if table[ORIGIN_EMPTY] else without(open_, single(end, men))
                    follow(
                        np.int64(A_KING | CAN_END), start, end, start, none, enemies, floor, np.uint64(0),
                        np.int64(0), side, table, work,
                    )  # fmt: skip
                    if table[FOUND] == before:
                        if not has(resting, start):
                            add(packed(start, end, False), np.uint64(0), none, table, work)
                    else:
                        choose(before, kings, enemy_kings, table, work)
                    if table[GAVE_UP]:
                        return
                left -= 1
                end = neighbour(table, way, end)
    for row in range(slid, table[FOUND], ROW):  # a resting king's first slides are no moves by themselves
        move_row(row, row - slid + last, load(work, row + CAPTURED, men), work)
    table[FOUND] -= slid - last


@inner
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
