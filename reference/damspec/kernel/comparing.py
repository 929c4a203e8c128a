"""Two sets of rules compared in compiled code, in every placement of so many pieces; what is compiled begins here."""

# mypy: ignore-errors
from __future__ import annotations

from .captures import captures
from .compiling import entry, inner
from .memory import numbers_at, words_at
from .moves import quiet, second_slides
from .sets import both, breadth, either, has, load, same, single, some, store
from .table import CAPTURED, FOUND, GAVE_UP, MOVES, ROW, TWICE, WIDTH

#: Where the sets stand on which no man of either side, and no piece at all, is put.
HEADS, BARRED = 0, 2 * WIDTH
#: What is told of the squares: how many there are, then where each lies, and from here on which of them were chosen.
CHOSEN = 256


@inner
def _within(first, table, work, other_first, other_table, other_work, like):
    """Whether all moves found from one row on are among those that the other rules have found."""
    for row in range(first, table[FOUND], ROW):
        captured = load(work, row + CAPTURED, like)
        there = False
        for other in range(other_first, other_table[FOUND], ROW):
            if work[row] == other_work[other] and same(captured, load(other_work, other + CAPTURED, like)):
                there = True
                break
        if not there:
            return False
    return True


@inner
def _alike(men, kings, enemy_men, enemy_kings, side, begins, slides, table, work, other_table, other_work):
    """Whether captures are the same, and if it matters the moves without capture, whether or not there is a duty.

    Unless it matters which captures begin, the other rules have none where the first have none.
    """
    table[FOUND] = other_table[FOUND] = MOVES
    table[GAVE_UP] = other_table[GAVE_UP] = 0
    captures(men, kings, enemy_men, enemy_kings, side, table, work)
    if begins or table[FOUND] > MOVES:
        captures(men, kings, enemy_men, enemy_kings, side, other_table, other_work)
    if table[GAVE_UP] or other_table[GAVE_UP]:
        return False
    if table[FOUND] > MOVES or other_table[FOUND] > MOVES:
        if not _within(MOVES, table, work, MOVES, other_table, other_work, men):
            return False
        if not _within(MOVES, other_table, other_work, MOVES, table, work, men):
            return False
    if not slides:
        return True
    none = table[FOUND] == MOVES
    table[FOUND] = other_table[FOUND] = MOVES
    quiet(men, kings, enemy_men, enemy_kings, side, table, work)
    quiet(men, kings, enemy_men, enemy_kings, side, other_table, other_work)
    if none and table[TWICE]:
        second_slides(MOVES, men, kings, enemy_men, enemy_kings, side, table, work)
    if none and other_table[TWICE]:
        second_slides(MOVES, men, kings, enemy_men, enemy_kings, side, other_table, other_work)
    if table[GAVE_UP] or other_table[GAVE_UP]:
        return False
    if not _within(MOVES, table, work, MOVES, other_table, other_work, men):
        return False
    return _within(MOVES, other_table, other_work, MOVES, table, work, men)


@entry
def compare(
    like, side, number, many, begins, slides, places_at, sets_at,
    table_at, work_at, other_table_at, other_work_at, found_at, room,
):  # fmt: skip
    """How many placements were compared of so many pieces on so many choices of squares, the first choice given.

    Where the two do not move alike is written down: four sets for each, White's men and kings and Black's, in rows of
    four times the words of a set; there has to be room for those of one choice. What is at `places_at` says where the
    squares lie and which were chosen last, and how far it got: the choices left, and the number written.
    """
    places, sets = numbers_at(places_at), words_at(sets_at)
    table, work = numbers_at(table_at), words_at(work_at)
    other_table, other_work = numbers_at(other_table_at), words_at(other_work_at)
    found = words_at(found_at)
    width, squares, chosen = breadth(like), places[0], CHOSEN
    heads, others, barred = load(sets, HEADS, like), load(sets, HEADS + WIDTH, like), load(sets, BARRED, like)
    nothing = load(sets, BARRED + WIDTH, like)
    ways = 1 << 2 * number
    count = written = 0
    while many > 0 and written + ways <= room:
        free = True
        for place in range(number):
            if has(barred, places[1 + places[chosen + place]]):
                free = False
        for code in range(ways if free else 0):
            white_men = white_kings = black_men = black_kings = nothing
            for place in range(number):
                one = single(places[1 + places[chosen + place]], like)
                kind = code >> 2 * (number - 1 - place) & 3
                if kind == 0:
                    white_men = either(white_men, one)
                elif kind == 1:
                    white_kings = either(white_kings, one)
                elif kind == 2:
                    black_men = either(black_men, one)
                else:
                    black_kings = either(black_kings, one)
            if some(both(white_men, heads)) or some(both(black_men, others)):
                continue
            count += 1
            men, kings, enemy_men, enemy_kings = white_men, white_kings, black_men, black_kings
            if side:
                men, kings, enemy_men, enemy_kings = black_men, black_kings, white_men, white_kings
            if not _alike(
                men, kings, enemy_men, enemy_kings, side, begins, slides, table, work, other_table, other_work
            ):
                row = written * 4 * width
                store(found, row, white_men)
                store(found, row + width, white_kings)
                store(found, row + 2 * width, black_men)
                store(found, row + 3 * width, black_kings)
                written += 1
        many -= 1
        last = number - 1
        while last >= 0 and places[chosen + last] == squares - number + last:
            last -= 1
        if last < 0:
            break
        places[chosen + last] += 1
        for place in range(last + 1, number):
            places[chosen + place] = places[chosen + place - 1] + 1
    places[chosen + number] = many
    places[chosen + number + 1] = written
    return count
