"""Moves by several sets of rules in the same positions: all placements of some number of pieces."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..sets import load, single, store
from .moves import Record, captures, keep_distinct, pieces_of, quiet_moves, second_slides
from .rules import ALIKE, EVERYWHERE, KING_MOVE_SLIDES, NONE, UNKNOWN, UNLIKE, WITHOUT_CAPTURE, both_sides, entry


@entry
def lay_out(
    place: int, step: int, number_of_placements: int, many: int, number: int, squares: Any, ways: Any, kept_free: Any,
    sides: Any, positions: Any,
) -> int:  # fmt: skip
    """Write the valid ones of `many` placements, for each of some sides to move; return the number of positions.

    `ways` has the binomial coefficients; `kept_free` are the squares without a White man, without a Black man, and
    without any piece.
    """
    rows, other_rows, barred = load(kept_free, 0, NONE), load(kept_free, 1, NONE), load(kept_free, 2, NONE)
    chosen, choice, written = np.zeros(number, np.int64), -1, 0
    for _ in range(many):
        if choice != place >> 2 * number:
            rest = place >> 2 * number
            choice, square = rest, 0
            for piece in range(number):
                while rest >= ways[len(squares) - square - 1, number - piece - 1]:
                    rest -= ways[len(squares) - square - 1, number - piece - 1]
                    square += 1
                chosen[piece] = squares[square]
                square += 1
        men, kings, other_men, other_kings = NONE, NONE, NONE, NONE
        for piece in range(number):
            one, kind = single(chosen[piece], NONE), place >> 2 * (number - 1 - piece) & 3
            if kind == 0:
                men |= one
            elif kind == 1:
                kings |= one
            elif kind == 2:
                other_men |= one
            else:
                other_kings |= one
        place += step
        if place >= number_of_placements:
            place -= number_of_placements
        if men & rows | other_men & other_rows | (men | kings | other_men | other_kings) & barred == NONE:
            for side in sides:
                positions[written].side = side
                store(positions[written].pieces, 2 * side, men)
                store(positions[written].pieces, 2 * side + 1, kings)
                store(positions[written].pieces, 2 - 2 * side, other_men)
                store(positions[written].pieces, 3 - 2 * side, other_kings)
                written += 1
    return written


@both_sides
def find_captures(side: int, pieces: Any, rules: Record, search: Record) -> None:
    """Find the captures of a position, each once."""
    search.found, search.gave_up = 0, False
    men, kings, enemy_men, enemy_kings = pieces_of(pieces)
    captures(men, kings, enemy_men, enemy_kings, rules, search)


@both_sides
def add_quiet(side: int, pieces: Any, rules: Record, search: Record) -> None:
    """Add the moves that do not begin with a capture, each once, to the captures."""
    men, kings, enemy_men, enemy_kings = pieces_of(pieces)
    first = search.found
    quiet_moves(men, kings, enemy_men, enemy_kings, side, 0, rules, search)
    if KING_MOVE_SLIDES == "twice" and first == 0:
        second_slides(first, men, kings, enemy_men, enemy_kings, side, 0, rules, search)
        keep_distinct(first, rules, search)


def same_moves(first: int, last: int, search: Record, other_last: int, other: Record) -> bool:
    """Return whether two searches have found the same moves from `first` on, each once."""
    if last != other_last:
        return False
    for place in range(first, last):
        there, tried = place, first  # mostly both found them in the same order
        while not same_move(place, search, there, other):
            there += 1
            tried += 1
            if there >= last:
                there = first
            if tried >= last:
                return False
    return True


def same_move(place: int, search: Record, there: int, other: Record) -> bool:
    """Return whether a move of one search is that of another one."""
    return (
        load(search.start, place, NONE) == load(other.start, there, NONE)
        and load(search.end, place, NONE) == load(other.end, there, NONE)
        and load(search.captured, place, NONE) == load(other.captured, there, NONE)
        and search.crowned[place] == other.crowned[there]
    )


@entry
def compare(tables: Any, searches: Any, quiet: Any, positions: Any, begins: bool, each: bool, verdicts: Any) -> None:
    """Write for each position the verdict on each of the others, compared with the first rules."""
    rules, search, other_search = tables[0], searches[0], searches[1]
    for place in range(len(positions)):
        side, pieces, doors = positions[place].side, positions[place].pieces, load(positions[place].doors, 0, NONE)
        men, kings, enemy_men, enemy_kings = pieces_of(pieces)
        if (men | kings | enemy_men | enemy_kings) & doors:
            verdicts[place, :] = UNKNOWN
        else:
            store(search.doors, 0, doors)
            store(other_search.doors, 0, doors)
            find_captures(side, pieces, rules, search)
            found, gave_up, last = search.found, search.gave_up, -1
            for number in range(1, len(tables)):
                other, verdict = tables[number], ALIKE
                with_quiet = quiet[number] == EVERYWHERE or (quiet[number] == WITHOUT_CAPTURE and found == 0)
                if gave_up:
                    verdict = UNKNOWN
                elif begins or with_quiet or found > 0:
                    other_search.found, other_search.gave_up = 0, False
                    if begins or found > 0:
                        find_captures(side, pieces, other, other_search)
                    if other_search.gave_up:
                        verdict = UNKNOWN
                    elif not same_moves(0, found, search, other_search.found, other_search):
                        verdict = UNLIKE
                    elif with_quiet:
                        if last < 0:
                            add_quiet(side, pieces, rules, search)
                            last = search.found
                        add_quiet(side, pieces, other, other_search)
                        if search.gave_up or other_search.gave_up:
                            verdict = UNKNOWN
                        elif not same_moves(found, last, search, other_search.found, other_search):
                            verdict = UNLIKE
                verdicts[place, number - 1] = verdict
                if verdict != ALIKE and not each:
                    break
    return
