"""Two sets of rules compared in placements of some pieces, in any order of these; what is compiled begins here."""

# mypy: ignore-errors
from __future__ import annotations

from .asking import found_alike, opened
from .captures import captures
from .compiling import entry, inner
from .found import distinct
from .memory import bytes_at, numbers_at, words_at
from .moves import quiet, second_slides
from .placing import placed
from .sets import both, breadth, either, load, some
from .table import FOUND, GAVE_UP, MOVES, ROW, TWICE

#: What is told of a placement: that it is none, with a man on its crownhead; that both move alike; that they may not.
NONE, ALIKE, UNLIKE = range(3)
#: What is asked for, in numbers: the first place in the order and the step to the next, how many places there are,
#: how many pieces, how many sides are to move in each, and whether moves without captures are compared, and whether
#: they are where both can capture.
PLACE, STEP, COUNT, PIECES, SIDES, SLIDES, ALWAYS = range(7)
CHOICES = 8


@inner
def _captures(men, kings, enemy_men, enemy_kings, doors, side, table, work):
    """Finds the captures, each once."""
    opened(doors, table, work)
    captures(men, kings, enemy_men, enemy_kings, side, table, work)
    if table[FOUND] > MOVES + ROW:
        distinct(MOVES, table, work, men)


@inner
def _slides(men, kings, enemy_men, enemy_kings, captured, side, table, work):
    """Finds the moves without a capture at first, each once."""
    table[FOUND] = MOVES
    quiet(men, kings, enemy_men, enemy_kings, side, table, work)
    if table[TWICE] and not captured:
        second_slides(MOVES, men, kings, enemy_men, enemy_kings, side, table, work)
        distinct(MOVES, table, work, men)


@inner
def _alike(men, kings, enemy_men, enemy_kings, doors, others, side, asked, table, work, other_table, other_work):
    """Whether captures, and other moves if it matters, are the same."""
    _captures(men, kings, enemy_men, enemy_kings, doors, side, table, work)
    _captures(men, kings, enemy_men, enemy_kings, others, side, other_table, other_work)
    if table[GAVE_UP] or other_table[GAVE_UP] or not found_alike(men, table, work, other_table, other_work):
        return False
    captured = table[FOUND] > MOVES
    if not asked[SLIDES] or (captured and not asked[ALWAYS]):
        return True
    _slides(men, kings, enemy_men, enemy_kings, captured, side, table, work)
    _slides(men, kings, enemy_men, enemy_kings, captured, side, other_table, other_work)
    if table[GAVE_UP] or other_table[GAVE_UP]:
        return False
    return found_alike(men, table, work, other_table, other_work)


@entry
def sift(like, many, asked_at, sets_at, table_at, work_at, other_table_at, other_work_at, told_at):
    """Tells of so many placements, and of each side that is to move in them, what was told is unlike before included.

    They are numbered by the choice of their squares and then by the kinds of the pieces: those of White and then those
    of Black, men before kings, on the first square first. The sets are the squares on which no man of White's and no
    man of Black's stands, the open doors, and those by the other rules.
    """
    asked, sets, told = numbers_at(asked_at), words_at(sets_at), bytes_at(told_at)
    table, work = numbers_at(table_at), words_at(work_at)
    other_table, other_work = numbers_at(other_table_at), words_at(other_work_at)
    width = breadth(like)
    heads, other_heads = load(sets, 0, like), load(sets, width, like)
    doors, others = load(sets, 2 * width, like), load(sets, 3 * width, like)
    number, place = asked[PIECES], asked[PLACE]
    at = 0
    for _ in range(many):
        squares = CHOICES + (place >> 2 * number) * number
        white_men, white_kings, black_men, black_kings = placed(place, number, asked, squares, like)
        possible = not some(both(white_men, heads)) and not some(both(black_men, other_heads))
        taken = either(either(white_men, white_kings), either(black_men, black_kings))
        for side in range(asked[SIDES]):
            if not possible:
                told[at] = NONE
            elif some(both(taken, either(doors, others))):
                told[at] = UNLIKE
            elif told[at] != UNLIKE:
                if side == 0:
                    alike = _alike(
                        white_men, white_kings, black_men, black_kings, doors, others, side, asked,
                        table, work, other_table, other_work,
                    )  # fmt: skip
                else:
                    alike = _alike(
                        black_men, black_kings, white_men, white_kings, doors, others, side, asked,
                        table, work, other_table, other_work,
                    )  # fmt: skip
                told[at] = ALIKE if alike else UNLIKE
            at += 1
        place += asked[STEP]
        if place >= asked[COUNT]:
            place -= asked[COUNT]
    asked[PLACE] = place
    return at
