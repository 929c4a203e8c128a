"""The squares that each move found touches, and the moves in the order of these, in compiled code.

A search for captures does not keep them. Where just one way leads over what is captured, if all is allowed that some
rules allow, it is the one that was taken.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from .compiling import inner
from .memory import end_of, neighbour, start_of
from .sets import either, has, load, single, size, some, without
from .table import (
    AS_KING,
    AS_MAN_ELSE_KING,
    CAPTURED,
    FOUND,
    KING_CAPTURES,
    LANDING,
    LAST_DIRECTION,
    MAN_FIRST,
    MAN_LATER,
    MID_CAPTURE,
    MOVES,
    REACH_ONE,
    ROW,
    WAYS,
)  # fmt: skip

#: Of how many moves the squares are kept, and how many of each; of those the first says how many there are.
MOST_KEPT, KEPT = 1024, 32
#: What stands behind them: how many ways were found, how many steps were tried, and the squares of the way followed.
COUNT, STEPS, TRAIL = MOST_KEPT * KEPT, MOST_KEPT * KEPT + 1, MOST_KEPT * KEPT + 2
SIZE = TRAIL + KEPT
_MOST_STEPS = 2_000


@inner
def _goes(way, king, side, table):
    """Whether a capture can go in a direction."""
    for list_ in range(3 if king else 2):
        base = (MAN_FIRST if list_ == 0 else MAN_LATER if list_ == 1 else KING_CAPTURES) + WAYS * side
        for place in range(1, table[base] + 1):
            if table[base + place] == way:
                return True
    return False


@inner
def _follow(square, left, end, blocked, done, king, side, number, ways, table):
    """Follows every way from a square over what is left to capture; one that comes to the end is kept."""
    ways[STEPS] += 1
    if ways[STEPS] > _MOST_STEPS:
        ways[COUNT] = 2
        return
    for way in range(LAST_DIRECTION + 1):
        if not _goes(way, king, side, table):
            continue
        over = neighbour(table, way, square)
        if king and not table[REACH_ONE]:
            while over >= 0 and not has(left, over) and not has(blocked, over):
                over = neighbour(table, way, over)
        if over < 0 or not has(left, over):
            continue
        rest = without(left, single(over, left))
        land = neighbour(table, way, over)
        reach = table[LANDING] if king else 1
        while reach > 0 and land >= 0 and not has(blocked, land) and not has(rest, land):
            ways[TRAIL + done] = land
            if some(rest):
                _follow(land, rest, end, blocked, done + 1, king, side, number, ways, table)
            elif land == end:
                ways[COUNT] += 1
                for place in range(done + 1):
                    ways[number * KEPT + 2 + place] = ways[TRAIL + place]
            if ways[COUNT] > 1:
                return
            reach -= 1
            land = neighbour(table, way, land)


@inner
def _before(one, other, ways):
    """Whether the squares of a move come before those of another."""
    first, second = one * KEPT, other * KEPT
    for place in range(1, min(ways[first], ways[second]) + 1):
        if ways[first + place] != ways[second + place]:
            return ways[first + place] < ways[second + place]
    return ways[first] < ways[second]


@inner
def sorted_by_squares(men, kings, enemy_men, enemy_kings, side, numbers, order, ways, table, work):
    """Keeps the squares of all moves found, by their `numbers`, and their order; False where they are not known."""
    count = (table[FOUND] - MOVES) // ROW
    if count > MOST_KEPT:
        return False
    for number in range(count):
        row = MOVES + ROW * number
        start, end, captured = start_of(work[row]), end_of(work[row]), load(work, row + CAPTURED, men)
        jumps = size(captured)
        squares = number * KEPT
        if jumps > 1:
            if jumps > KEPT - 3:
                return False
            own = without(either(men, kings), single(start, men))
            blocked = either(own, without(either(enemy_men, enemy_kings), captured))
            king = has(kings, start) or table[MID_CAPTURE] == AS_KING or table[MID_CAPTURE] == AS_MAN_ELSE_KING
            ways[COUNT] = ways[STEPS] = 0
            _follow(start, captured, end, blocked, np.int64(0), king, side, number, ways, table)
            if ways[COUNT] != 1:
                return False
        else:
            jumps = 1
            ways[squares + 2] = end
        ways[squares] = jumps + 1
        ways[squares + 1] = start
        for place in range(1, jumps + 2):
            ways[squares + place] = numbers[ways[squares + place]]
    for number in range(count):
        place = number
        while place > 0 and _before(number, order[place - 1], ways):
            order[place] = order[place - 1]
            place -= 1
        order[place] = number
    return True
