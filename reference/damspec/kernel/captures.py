"""Captures, jump by jump, in compiled code: what men and kings can jump, and where a capture ends."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from .choice import choose
from .compiling import inner
from .found import add, begin, seen
from .memory import neighbour, packed
from .sets import both, either, has, load, lowest, shifted, single, some, store, without
from .table import (
    ALL,
    AS_KING,
    AS_MAN_ELSE_KING,
    AT_ONCE,
    BEHIND_LAST_KING,
    CONTINUING,
    CONVENTION,
    CROWNHEAD,
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
    NOT_BACK,
    ORIGIN_EMPTY,
    PITS,
    REACH_ONE,
    RETURN_CROWNED,
    SEQUENCES,
    SHIFTS,
    STOPS,
    TAKES_ANY,
    UNIQUE,
    WALLS,
    WAYS,
    WIDTH,
)  # fmt: skip

#: From so many jumps on a search looks whether it was in the same place before.
_LONG = 3

#: What is told of a piece that captures.
A_KING, NEW_KING, CAN_END, PASSED = 1, 2, 4, 8


@inner
def _end(start, square, captured, crowned, order, table, work):
    """A capture ends; a crown is lost with the piece on an open door."""
    add(packed(start, square, crowned and not has(load(work, DOORS, captured), square)), order, captured, table, work)


@inner
def _first_enemy(square, way, enemies, empty, table, work):
    """The piece that a king on a square can jump in a direction, if it can land behind it; -1 if there is none."""
    over = neighbour(table, way, square)
    while over >= 0 and not has(enemies, over):
        if table[REACH_ONE] or not has(empty, over):
            return -1
        if has(load(work, ENDS, empty), over):
            return -1
        over = neighbour(table, way, over)
    if over < 0:
        return -1
    land = neighbour(table, way, over)
    return over if land >= 0 and has(empty, land) else -1


@inner
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


@inner
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
        if table[CONVENTION] == UNIQUE and seen(np.uint64(what), order, captured, table, work):
            return
    if jumps > 0 and has(load(work, PITS, captured), square):
        if flags & CAN_END:
            add(packed(start, square, False), order, captured, table, work)
        return
    if not flags & A_KING:
        at_top = has(load(work, CROWNHEAD + WIDTH * side, captured), square)
        if at_top and table[MID_CAPTURE] == STOPS:
            _end(start, square, captured, True, order, table, work)
            return
        if not at_top or table[MID_CAPTURE] != AS_KING:
            goes_on = False
            base = MAN_LATER + WAYS * side
            for number in range(1, table[base] + 1):
                way = table[base + number]
                over = neighbour(table, way, square)
                if over < 0 or not has(enemies, over):
                    continue
                land = neighbour(table, way, over)
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
                _end(start, square, captured, crowned, order, table, work)
                return
        flags |= A_KING | NEW_KING
    goes_on = False
    floor = without(empty, load(work, WALLS, empty))
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
        land = neighbour(table, way, over)
        reached = 0
        while land >= 0 and reached < table[LANDING] and has(floor, land):
            if not only_onward or _goes_onward(land, way, rest, free, side, table, work):
                then = flags | CAN_END
                if halts and reached:
                    then ^= CAN_END
                follow(
                    then, start, land, way, either(captured, bit), rest, free, in_order, jumps + 1, side, table, work
                )
            if has(load(work, ENDS, floor), land):
                break
            reached += 1
            land = neighbour(table, way, land)
    if jumps > 0 and flags & CAN_END and (not goes_on or table[MAY_STOP]):
        _end(start, square, captured, flags & NEW_KING != 0, order, table, work)


@inner
def _ordered(order, jumps, over, captured, table, work):
    """The order of kings among what was captured with one piece more; earlier ones are higher bits.

    Where sequences are counted it is the squares of all captured pieces.
    """
    if table[CONVENTION] == SEQUENCES:
        if jumps >= 8:
            table[GAVE_UP] = 1
        return order << np.uint64(8) | np.uint64(over)
    if table[IN_ORDER] and has(load(work, ENEMY_KINGS, captured), over):
        return order | np.uint64(1) << np.uint64(63 - jumps)
    return order


@inner
def _goes_onward(land, way, rest, free, side, table, work):
    """Whether a king that lands there can jump again."""
    if has(load(work, PITS, free), land):
        return False
    return _can_jump(land, way, rest, without(free, load(work, WALLS, free)), side, table, work)


@inner
def _onward(over, way, floor, rest, free, side, table, work):
    """Whether a king that jumps a piece can land somewhere from where it can jump again."""
    land = neighbour(table, way, over)
    reached = 0
    while land >= 0 and reached < table[LANDING] and has(floor, land):
        if _goes_onward(land, way, rest, free, side, table, work):
            return True
        if has(load(work, ENDS, floor), land):
            return False
        reached += 1
        land = neighbour(table, way, land)
    return False


@inner
def captures(men, kings, enemy_men, enemy_kings, side, table, work):
    """Adds every capture that the choice leaves, once for each path that the search has followed."""
    first = table[FOUND]
    enemies = either(enemy_men, enemy_kings)
    empty = without(load(work, ALL, men), either(either(men, kings), enemies))
    targets = enemies if table[TAKES_ANY] else enemy_men
    begin(table)
    store(work, ENEMY_MEN, enemy_men)
    store(work, ENEMY_KINGS, enemy_kings)
    base = MAN_FIRST + WAYS * side
    for number in range(1, table[base] + 1):
        way = table[base + number]
        up, down = table[SHIFTS + 2 * way], table[SHIFTS + 2 * way + 1]
        inside = load(work, INSIDE + WIDTH * way, men)
        overs = both(shifted(both(men, inside), up, down), targets)
        lands = both(shifted(both(overs, inside), up, down), empty)
        if some(lands):
            while some(lands):
                land = lowest(lands)
                lands = without(lands, single(land, lands))
                over = neighbour(table, LAST_DIRECTION - way, land)
                start = neighbour(table, LAST_DIRECTION - way, over)
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
        left = kings
        while some(left):
            start = lowest(left)
            left = without(left, single(start, left))
            open_ = either(empty, single(start, men)) if table[ORIGIN_EMPTY] else empty
            follow(
                np.int64(A_KING | CAN_END), start, start, start, without(men, men), enemies, open_, np.uint64(0),
                np.int64(0), side, table, work,
            )  # fmt: skip
    choose(first, kings, enemy_kings, table, work)
