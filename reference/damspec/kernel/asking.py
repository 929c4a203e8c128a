"""Two sets of rules asked for their legal moves in given positions, in compiled code; what is compiled begins here."""

# mypy: ignore-errors
from __future__ import annotations

from .captures import captures
from .compiling import entry, inner
from .found import distinct
from .memory import numbers_at, words_at
from .moves import quiet, steps
from .sets import breadth, load, same, store, without
from .table import (
    CAPTURED,
    DOORS,
    ENDS,
    FOUND,
    GAVE_UP,
    LANDING_ENDS,
    MOVES,
    PASSING_BLOCKED,
    PASSING_FALLS,
    PITS,
    ROW,
    WALLS,
)  # fmt: skip

#: What is asked of a position: all legal moves, or the captures and, where there is none, whether there is a move.
LEGAL, CAPTURES = range(2)


@inner
def opened(doors, table, work):
    """Nothing is found yet, and these doors are open."""
    none = without(doors, doors)
    table[FOUND], table[GAVE_UP] = MOVES, 0
    store(work, DOORS, doors)
    store(work, PITS, doors if table[LANDING_ENDS] else none)
    store(work, WALLS, doors if table[PASSING_BLOCKED] else none)
    store(work, ENDS, doors if table[PASSING_FALLS] else none)


@inner
def _list(what, men, kings, enemy_men, enemy_kings, doors, side, table, work):
    """Finds what is asked for, each move once; where there is no capture, whether there is a move is what is left."""
    opened(doors, table, work)
    if what == LEGAL:
        steps(men, kings, enemy_men, enemy_kings, side, table, work)
        return 0
    captures(men, kings, enemy_men, enemy_kings, side, table, work)
    if table[FOUND] > MOVES:
        distinct(MOVES, table, work, men)
        return 0
    quiet(men, kings, enemy_men, enemy_kings, side, table, work)
    moves = 1 if table[FOUND] > MOVES else 0
    table[FOUND] = MOVES
    return moves


@inner
def found_alike(like, table, work, other_table, other_work):
    """Whether the two have found the same moves, each of them once."""
    if table[FOUND] != other_table[FOUND]:
        return False
    for row in range(MOVES, table[FOUND], ROW):
        captured = load(work, row + CAPTURED, like)
        other = row  # mostly both have found them in the same order
        while not (work[row] == other_work[other] and same(captured, load(other_work, other + CAPTURED, like))):
            other += ROW
            if other >= table[FOUND]:
                other = MOVES
            if other == row:
                return False
    return True


@entry
def unlike(like, asked_at, order_at, number, enough, table_at, work_at, other_table_at, other_work_at, found_at):
    """How many of the positions asked the two answer differently, each by its place; those places are written down.

    They are asked in the order given, until there are `enough`. -1 where captures are more than can be held. A row of
    what is asked is what and by which side, four sets as that side sees them, and the open doors.
    """
    asked, order, found = words_at(asked_at), numbers_at(order_at), numbers_at(found_at)
    table, work = numbers_at(table_at), words_at(work_at)
    other_table, other_work = numbers_at(other_table_at), words_at(other_work_at)
    width = breadth(like)
    count = 0
    for each in range(number):
        if count == enough:
            break
        row = order[each] * (1 + 5 * width)
        what, side = int(asked[row]) >> 1, int(asked[row]) & 1
        men, kings = load(asked, row + 1, like), load(asked, row + 1 + width, like)
        enemy_men, enemy_kings = load(asked, row + 1 + 2 * width, like), load(asked, row + 1 + 3 * width, like)
        doors = load(asked, row + 1 + 4 * width, like)
        moves = _list(what, men, kings, enemy_men, enemy_kings, doors, side, table, work)
        others = _list(what, men, kings, enemy_men, enemy_kings, doors, side, other_table, other_work)
        if table[GAVE_UP] or other_table[GAVE_UP]:
            return -1
        if moves != others or not found_alike(like, table, work, other_table, other_work):
            found[count] = order[each]
            count += 1
    return count
