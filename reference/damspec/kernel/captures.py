"""Captures, jump by jump, in compiled code: what men and kings can jump, and where a capture ends."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np
from numba import njit

from .choice import choose
from .found import add, begin, packed, seen
from .sets import both, either, has, load, lowest, shifted, single, some, store, without
from .table import (
    ALL,
    AS_KING,
    AS_MAN_ELSE_KING,
    AT_ONCE,
    BEHIND_LAST_KING,
    CONTINUING,
    CROWNHEAD,
    DOORED,
    DOORS,
    ENDS,
    ENEMY_KINGS,
    ENEMY_MEN,
    FOUND,
    GAVE_UP,
    IN_ORDER,
    INSIDE,
    KING_CAPTURES,
    LANDING,
    LAST_DIRECTION,
    MAN_FIRST,
    MAN_LATER,
    MAY_STOP,
    MID_CAPTURE,
    NEIGHBOURS,
    NOT_BACK,
    ORIGIN_EMPTY,
    PITS,
    REACH_ONE,
    RETURN_CROWNED,
    SHIFTS,
    SQUARES,
    STOPS,
    TAKES_ANY,
    WALLS,
    WAYS,
    WIDTH,
)  # fmt: skip

#: From so many jumps on a search looks whether it was in the same place before.
_LONG = 3

#: What is told of a piece that captures.
A_KING, NEW_KING, CAN_END, PASSED = 1, 2, 4, 8


@njit
def _end(start, square, captured, crowned, order, table, work):
    """A capture ends; a crown is lost with the piece on an open door."""
    if table[DOORED] and has(load(work, DOORS, captured), square):
        crowned = 0
    add(packed(start, square, crowned), order, captured, table, work)


@njit
def _first_enemy(square, way, enemies, empty, table, work):
    """The piece that a king on a square can jump in a direction, if it can land behind it; -1 if there is none."""
    over = table[NEIGHBOURS + SQUARES * way + square]
    while over >= 0 and not has(enemies, over):
        if table[REACH_ONE] or not has(empty, over):
            return -1
        if table[DOORED] and has(load(work, ENDS, empty), over):
            return -1
        over = table[NEIGHBOURS + SQUARES * way + over]
    if over < 0:
        return -1
    land = table[NEIGHBOURS + SQUARES * way + over]
    return over if land >= 0 and has(empty, land) else -1


@njit
def _can_jump(square, came, enemies, empty, side, table, work):
    """Whether a king that came to a square has a jump."""
    base = KING_CAPTURES + WAYS * side
    for number in range(1, table[base] + 1):
        way = table[base + number]
        if table[NOT_BACK] and way == LAST_DIRECTION - came:
            continue
        if _first_enemy(square, way, enemies, empty, table, work) >= 0:
            return True
    return False


@njit
def _floor(empty, table, work):
    """The squares that a king can pass and land on."""
    if table[DOORED]:
        return without(empty, load(work, WALLS, empty))
    return empty


@njit
def follow(flags, start, square, came, captured, enemies, empty, order, jumps, side, table, work):
    """Every capture that goes on from here.

    A piece stands on a square; it came there the way `came`, after so many jumps. `enemies` are those it has not
    jumped, `empty` the squares open to it, `order` says which of its jumps were over kings. `flags` tell of a king
    (A_KING), one that was a man (NEW_KING), whether the capture can end here (CAN_END), and whether a man has been on
    the crownhead and left it (PASSED).
    """
    if table[GAVE_UP]:
        return
    if jumps >= _LONG:
        if jumps >= 60:
            table[GAVE_UP] = 1
            return
        what = start | square << 8 | flags << 16
        if table[NOT_BACK]:
            what |= (came + 1) << 24
        if seen(np.uint64(what), order, captured, table, work):
            return
    if jumps > 0 and table[DOORED] and has(load(work, PITS, captured), square):
        if flags & CAN_END:
            add(packed(start, square, 0), order, captured, table, work)
        return
    if not flags & A_KING:
        at_top = has(load(work, CROWNHEAD + WIDTH * side, captured), square)
        if at_top and table[MID_CAPTURE] == STOPS:
            _end(start, square, captured, 1, order, table, work)
            return
        if not at_top or table[MID_CAPTURE] != AS_KING:
            goes_on = False
            base = MAN_LATER + WAYS * side
            for number in range(1, table[base] + 1):
                way = table[base + number]
                over = table[NEIGHBOURS + SQUARES * way + square]
                if over < 0 or not has(enemies, over):
                    continue
                land = table[NEIGHBOURS + SQUARES * way + over]
                if land < 0 or not has(empty, land):
                    continue
                if not table[TAKES_ANY] and not has(load(work, ENEMY_MEN, captured), over):
                    continue
                goes_on = True
                bit = single(over, captured)
                then = flags
                if at_top and not has(load(work, CROWNHEAD + WIDTH * side, captured), land):
                    then = flags | PASSED
                follow(
                    then, start, land, way, either(captured, bit), without(enemies, bit),
                    either(empty, bit) if table[AT_ONCE] else empty,
                    _ordered(order, jumps, over, captured, table, work), jumps + 1, side, table, work,
                )  # fmt: skip
            if goes_on and not table[MAY_STOP]:
                return
            crowned = at_top and (table[RETURN_CROWNED] != 0 or not flags & PASSED)
            if not crowned or table[MID_CAPTURE] != AS_MAN_ELSE_KING or goes_on:
                _end(start, square, captured, np.int64(crowned), order, table, work)
                return
        flags |= A_KING | NEW_KING
    goes_on = False
    floor = _floor(empty, table, work)
    base = KING_CAPTURES + WAYS * side
    for number in range(1, table[base] + 1):
        way = table[base + number]
        if jumps > 0 and table[NOT_BACK] and way == LAST_DIRECTION - came:
            continue
        over = _first_enemy(square, way, enemies, floor, table, work)
        if over < 0:
            continue
        goes_on = True
        bit = single(over, captured)
        rest = without(enemies, bit)
        free = either(empty, bit) if table[AT_ONCE] else empty
        in_order = _ordered(order, jumps, over, captured, table, work)
        only_onward = table[CONTINUING] and _onward(over, way, floor, rest, free, side, table, work)
        halts = table[BEHIND_LAST_KING] and has(load(work, ENEMY_KINGS, captured), over)
        land = table[NEIGHBOURS + SQUARES * way + over]
        reached = 0
        while land >= 0 and reached < table[LANDING] and has(floor, land):
            if not only_onward or _goes_onward(land, way, rest, free, side, table, work):
                then = flags | CAN_END
                if halts and reached:
                    then ^= CAN_END
                follow(
                    then, start, land, way, either(captured, bit), rest, free, in_order, jumps + 1, side, table, work
                )
            if table[DOORED] and has(load(work, ENDS, floor), land):
                break
            reached += 1
            land = table[NEIGHBOURS + SQUARES * way + land]
    if jumps > 0 and flags & CAN_END and (not goes_on or table[MAY_STOP]):
        _end(start, square, captured, np.int64(flags & NEW_KING != 0), order, table, work)


@njit
def king_from(start, square, enemies, empty, side, table, work):
    """The captures of a king that stands on a square, and began its turn at `start`."""
    flags, jumps, none = np.int64(A_KING | CAN_END), np.int64(0), without(empty, empty)
    follow(flags, start, square, start, none, enemies, empty, np.uint64(0), jumps, side, table, work)


@njit
def _ordered(order, jumps, over, captured, table, work):
    """The order of kings among what was captured with one piece more; earlier ones are higher bits."""
    if table[IN_ORDER] and has(load(work, ENEMY_KINGS, captured), over):
        return order | np.uint64(1) << np.uint64(63 - jumps)
    return order


@njit
def _goes_onward(land, way, rest, free, side, table, work):
    """Whether a king that lands there can jump again."""
    if table[DOORED] and has(load(work, PITS, free), land):
        return False
    return _can_jump(land, way, rest, _floor(free, table, work), side, table, work)


@njit
def _onward(over, way, floor, rest, free, side, table, work):
    """Whether a king that jumps a piece can land somewhere from where it can jump again."""
    land = table[NEIGHBOURS + SQUARES * way + over]
    reached = 0
    while land >= 0 and reached < table[LANDING] and has(floor, land):
        if _goes_onward(land, way, rest, free, side, table, work):
            return True
        if table[DOORED] and has(load(work, ENDS, floor), land):
            return False
        reached += 1
        land = table[NEIGHBOURS + SQUARES * way + land]
    return False


@njit
def captures(men, kings, enemy_men, enemy_kings, side, table, work):
    """Adds every capture that the choice leaves, once for each path that the search has followed."""
    first = table[FOUND]
    enemies = either(enemy_men, enemy_kings)
    empty = without(load(work, ALL, men), either(either(men, kings), enemies))
    targets = enemies if table[TAKES_ANY] else enemy_men
    began = False
    base = MAN_FIRST + WAYS * side
    for number in range(1, table[base] + 1):
        way = table[base + number]
        up, down = np.uint64(table[SHIFTS + 2 * way]), np.uint64(table[SHIFTS + 2 * way + 1])
        inside = load(work, INSIDE + WIDTH * way, men)
        overs = both(shifted(both(men, inside), up, down), targets)
        lands = both(shifted(both(overs, inside), up, down), empty)
        if some(lands):
            if not began:
                began = True
                _begin(enemy_men, enemy_kings, table, work)
            back = NEIGHBOURS + SQUARES * (LAST_DIRECTION - way)
            while some(lands):
                land = lowest(lands)
                lands = without(lands, single(land, lands))
                over = table[back + land]
                start = table[back + over]
                bit = single(over, men)
                open_ = either(empty, bit) if table[AT_ONCE] else empty
                if table[ORIGIN_EMPTY]:
                    open_ = either(open_, single(start, men))
                order = _ordered(np.uint64(0), np.int64(0), over, men, table, work)
                follow(
                    np.int64(CAN_END), start, land, way, bit, without(enemies, bit), open_, order, np.int64(1), side,
                    table, work,
                )  # fmt: skip
    if some(kings):
        if not began:
            _begin(enemy_men, enemy_kings, table, work)
        left = kings
        while some(left):
            start = lowest(left)
            left = without(left, single(start, left))
            open_ = either(empty, single(start, men)) if table[ORIGIN_EMPTY] else empty
            king_from(start, start, enemies, open_, side, table, work)
    choose(first, kings, enemy_kings, table, work)


@njit
def _begin(enemy_men, enemy_kings, table, work):
    """A search begins: it knows which enemies are kings, and has seen nothing."""
    begin(table)
    store(work, ENEMY_MEN, enemy_men)
    store(work, ENEMY_KINGS, enemy_kings)
