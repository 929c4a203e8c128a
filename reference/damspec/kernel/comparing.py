"""Sets of rules compared in compiled code, in every placement of so many pieces; what is compiled begins here."""

# mypy: ignore-errors
from __future__ import annotations

from .captures import captures
from .compiling import entry, inner
from .memory import numbers_at, words_at
from .moves import quiet, second_slides
from .placing import placed
from .sets import both, breadth, has, load, same, some, store
from .table import CAPTURED, FOUND, GAVE_UP, MOVES, ROW, TWICE, WIDTH

#: Where the sets stand on which no man of either side, and no piece at all, is put.
HEADS, BARRED = 0, 2 * WIDTH
#: What is told of the squares: how many there are, then where each lies, and from here on which of them were chosen;
#: where those lie is kept further on.
CHOSEN, HERE = 256, 288


@inner
def _within(first, last, work, other_first, other_last, other_work, like):
    """Whether all moves of some rows are among those that other rules have found."""
    for row in range(first, last, ROW):
        captured = load(work, row + CAPTURED, like)
        there = False
        for other in range(other_first, other_last, ROW):
            if work[row] == other_work[other] and same(captured, load(other_work, other + CAPTURED, like)):
                there = True
                break
        if not there:
            return False
    return True


@inner
def _slides(men, kings, enemy_men, enemy_kings, side, table, work):
    """Adds the moves without capture, whether or not there is a duty, to captures that were found."""
    last = table[FOUND]
    quiet(men, kings, enemy_men, enemy_kings, side, table, work)
    if last == MOVES and table[TWICE]:
        second_slides(MOVES, men, kings, enemy_men, enemy_kings, side, table, work)


@inner
def _alike(men, kings, enemy_men, enemy_kings, side, begins, slides, captured, table, work, other_table, other_work):
    """Whether other rules have the same captures, and if it matters the same moves without capture.

    What the first have is known, with the row after the last capture. Unless it matters which captures begin, the other
    rules have none where the first have none.
    """
    other_table[FOUND] = MOVES
    other_table[GAVE_UP] = table[GAVE_UP]
    if begins or captured > MOVES:
        captures(men, kings, enemy_men, enemy_kings, side, other_table, other_work)
    other_captured = other_table[FOUND]
    if not _within(MOVES, captured, work, MOVES, other_captured, other_work, men):
        return False
    if not _within(MOVES, other_captured, other_work, MOVES, captured, work, men):
        return False
    if slides:
        _slides(men, kings, enemy_men, enemy_kings, side, other_table, other_work)
        last, other_last = table[FOUND], other_table[FOUND]
        if not _within(captured, last, work, other_captured, other_last, other_work, men):
            return False
        if not _within(other_captured, other_last, other_work, captured, last, work, men):
            return False
    return not other_table[GAVE_UP]


@entry
def compare(
    like, side, number, many, begins, slides, places_at, sets_at, table_at, work_at, others_at, others, found_at, room,
):  # fmt: skip
    """How many placements were compared of so many pieces on so many choices of squares, the first choice given.

    One set of rules is compared with several others, whose tables and works are at the addresses that are at
    `others_at`. Where one does not move alike a row is written down: its number, and four sets, White's men and kings
    and Black's; there has to be room for those of one choice. What is at `places_at` says where the squares lie and
    which were chosen last, and how far it got: the choices left, and the number written.
    """
    places, sets = numbers_at(places_at), words_at(sets_at)
    table, work, addresses = numbers_at(table_at), words_at(work_at), numbers_at(others_at)
    found = words_at(found_at)
    width, squares, chosen = breadth(like), places[0], CHOSEN
    heads, other_heads, barred = load(sets, HEADS, like), load(sets, HEADS + WIDTH, like), load(sets, BARRED, like)
    ways = 1 << 2 * number
    count = written = 0
    while many > 0 and written + ways * others <= room:
        free = True
        for place in range(number):
            places[HERE + place] = places[1 + places[chosen + place]]
            if has(barred, places[HERE + place]):
                free = False
        for code in range(ways if free else 0):
            white_men, white_kings, black_men, black_kings = placed(code, number, places, HERE, like)
            if some(both(white_men, heads)) or some(both(black_men, other_heads)):
                continue
            count += 1
            men, kings, enemy_men, enemy_kings = white_men, white_kings, black_men, black_kings
            if side:
                men, kings, enemy_men, enemy_kings = black_men, black_kings, white_men, white_kings
            table[FOUND], table[GAVE_UP] = MOVES, 0
            captures(men, kings, enemy_men, enemy_kings, side, table, work)
            captured = table[FOUND]
            if not (begins or slides or captured > MOVES or table[GAVE_UP]):
                continue
            if slides:
                _slides(men, kings, enemy_men, enemy_kings, side, table, work)
            for place in range(others):
                other_table, other_work = numbers_at(addresses[2 * place]), words_at(addresses[2 * place + 1])
                if not _alike(
                    men, kings, enemy_men, enemy_kings, side, begins, slides, captured,
                    table, work, other_table, other_work,
                ):  # fmt: skip
                    row = written * (1 + 4 * width)
                    found[row] = place
                    store(found, row + 1, white_men)
                    store(found, row + 1 + width, white_kings)
                    store(found, row + 1 + 2 * width, black_men)
                    store(found, row + 1 + 3 * width, black_kings)
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
