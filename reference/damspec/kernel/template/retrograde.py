"""Numbers of positions with few pieces, and their values worked out from the end of the game back."""

from __future__ import annotations

from typing import Any

from ..sets import count, load, lowest, place_of, single
from .moves import Record, after, pieces_of, store_pieces
from .outcome import list_quiet, value_by_pieces, value_with_actions
from .rules import (
    CLOSED,
    DRAW,
    FAR,
    KING_MOVE_LIMIT,
    LOSS,
    MOST_DISTANCE,
    NO_POSITION,
    NO_VALUE,
    NONE,
    PROMOTION_TOP,
    RUN,
    RUN_MOVES,
    RUN_PLACE,
    RUN_WIDTH,
    RUNS,
    SAFE,
    VALUE,
    VALUE_BITS,
    WIN,
    both_sides,
    entry,
)


# --- numbers of positions -------------------------------------------------------------------------------------------
def rank_of(pieces: int, taken: int, skipped: int, side: int, geometry: Record) -> int:
    """Return the rank of a set of squares among those of its size; squares that are `taken` are not counted."""
    rank, number, place_in_order = 0, count(pieces), 0
    while pieces:
        place = place_of(pieces)
        pieces &= ~lowest(pieces)
        place_in_order += 1
        index = number + 1 - place_in_order if side == 1 else place_in_order
        before = taken_before(taken, place, side, geometry)
        rank += geometry.ways[geometry.number[side, place] - skipped - before, index]
    return rank


def squares_of(rank: int, number: int, taken: int, skipped: int, side: int, free: int, geometry: Record) -> int:
    """Return the set of `number` squares with a rank, of `free` ones."""
    found, square = NONE, free - 1
    while number > 0:
        if number == 1:
            square = rank
        while geometry.ways[square, number] > rank:
            square -= 1
        rank -= geometry.ways[square, number]
        place = geometry.place[side, square + skipped]
        passed = 0
        while taken != NONE and passed != taken_before(taken, place, side, geometry):
            passed = taken_before(taken, place, side, geometry)
            place = geometry.place[side, square + passed]
        found |= single(place, found)
        number -= 1
        square -= 1
    return found


def taken_before(taken: int, place: int, side: int, geometry: Record) -> int:
    """Return how many squares are taken up to a place, in the order of a side."""
    before = count(taken & load(geometry.below, place, NONE))
    if side == 1:
        return count(taken) - before
    return before + count(taken & single(place, taken))


def run_rank(state: int, whose: int, kings: int, side: int, rules: Record, geometry: Record) -> int:
    """Return the rank of a side's king run in a state, as a side to move counts squares."""
    run = state >> RUN + RUN_WIDTH * whose & (1 << RUN_WIDTH) - 1
    moves = run >> RUN_MOVES
    if moves == 0:
        return 0
    before = count(kings & load(geometry.below, run & RUN_PLACE, NONE))
    if side == 1:
        before = count(kings) - 1 - before
    return 1 + before * KING_MOVE_LIMIT + moves - 1


def run_of(rank: int, kings: int, side: int, rules: Record) -> int:
    """Return the king run with a rank."""
    if rank == 0:
        return 0
    before = (rank - 1) // KING_MOVE_LIMIT
    if side == 1:
        before = count(kings) - 1 - before
    for _ in range(before):
        kings &= ~lowest(kings)
    return place_of(kings) | (rank - 1) % KING_MOVE_LIMIT + 1 << RUN_MOVES


def placement_of(
    men: int, kings: int, enemy_men: int, enemy_kings: int, side: int, section: Record, geometry: Record
) -> int:
    """Return the number of a placement within its section."""
    all_men = men | enemy_men
    number = rank_of(men, NONE, geometry.excluded[side], side, geometry)
    number = number * section.enemy_men_ways + rank_of(enemy_men, NONE, 0, side, geometry)
    number = number * section.kings_ways + rank_of(kings, all_men, 0, side, geometry)
    return number * section.enemy_kings_ways + rank_of(enemy_kings, all_men | kings, 0, side, geometry)


def number_of(
    men: int, kings: int, enemy_men: int, enemy_kings: int, side: int, state: int, rules: Record, geometry: Record,
    sections: Any, found: Any,
) -> int:  # fmt: skip
    """Return the number of a position among all sections; -1 if its section is not there."""
    place = found[side % geometry.sides, count(men), count(kings), count(enemy_men), count(enemy_kings)]
    if place < 0:
        return -1
    section = sections[place]
    number = placement_of(men, kings, enemy_men, enemy_kings, side, section, geometry)
    if KING_MOVE_LIMIT:
        own, enemy = 0, 0
        if section.runs > 1:
            own = run_rank(state, side, kings, side, rules, geometry)
        if section.enemy_runs > 1:
            enemy = run_rank(state, 1 - side, enemy_kings, side, rules, geometry)
        number = (number * section.runs + own) * section.enemy_runs + enemy
    return section.first + number


def position_of(number: int, section: Record, rules: Record, geometry: Record) -> tuple[bool, int, int, int, int, int]:
    """Return whether a number is a position, its pieces and its state."""
    side, squares, excluded = section.side, geometry.squares, geometry.excluded[section.side]
    rank, enemy_run = divmod(number - section.first, section.enemy_runs)
    rank, own_run = divmod(rank, section.runs)
    rank, enemy_kings_rank = divmod(rank, section.enemy_kings_ways)
    rank, kings_rank = divmod(rank, section.kings_ways)
    rank, enemy_men_rank = divmod(rank, section.enemy_men_ways)
    men = squares_of(rank, section.men, NONE, excluded, side, squares - excluded, geometry)
    enemy_men = squares_of(enemy_men_rank, section.enemy_men, NONE, 0, side, squares, geometry)
    if men & enemy_men:
        return False, men, NONE, enemy_men, NONE, 0
    free = squares - section.men - section.enemy_men
    kings = squares_of(kings_rank, section.kings, men | enemy_men, 0, side, free, geometry)
    taken = men | enemy_men | kings
    enemy_kings = squares_of(enemy_kings_rank, section.enemy_kings, taken, 0, side, free - section.kings, geometry)
    state = 0
    if KING_MOVE_LIMIT:
        state = RUNS | run_of(own_run, kings, side, rules) << RUN + RUN_WIDTH * side
        state |= run_of(enemy_run, enemy_kings, side, rules) << RUN + RUN_WIDTH * (1 - side)
    return True, men, kings, enemy_men, enemy_kings, state


def section_of(number: int, sections: Any) -> int:
    """Return the place of the section that a number belongs to."""
    place = 0
    while number >= sections[place].first + sections[place].size:
        place += 1
    return place


@entry
def write_position(tables: Any, geometries: Any, sections: Any, pieces: Any, number: int) -> int:
    """Write the pieces of a position; return its state."""
    place = section_of(number, sections)
    _, men, kings, enemy_men, enemy_kings, state = position_of(number, sections[place], tables[0], geometries[0])
    store_pieces(pieces, men, kings, enemy_men, enemy_kings)
    return state


@entry
def find_number(tables: Any, geometries: Any, sections: Any, found: Any, pieces: Any, side: int, state: int) -> int:
    """Return the number of a position; -1 if its section is not there."""
    men, kings, enemy_men, enemy_kings = pieces_of(pieces)
    return number_of(men, kings, enemy_men, enemy_kings, side, state, tables[0], geometries[0], sections, found)


# --- values ---------------------------------------------------------------------------------------------------------
def code_after(
    men: int, kings: int, enemy_men: int, enemy_kings: int, side: int, state: int, rules: Record, search: Record,
    geometry: Record, sections: Any, found: Any, codes: Any,
) -> int:  # fmt: skip
    """Return the code of a position after a capture or a promotion."""
    if men | kings == NONE or enemy_men | enemy_kings == NONE:
        return value_by_pieces(men, kings, enemy_men, enemy_kings, side, rules, search)
    number = number_of(men, kings, enemy_men, enemy_kings, side, state, rules, geometry, sections, found)
    if number < 0:
        search.gave_up = True
        return DRAW
    return codes[number] + 0


def value_of_moves(
    whole: bool, men: int, kings: int, enemy_men: int, enemy_kings: int, side: int, state: int, rules: Record,
    search: Record, geometry: Record, sections: Any, found: Any, codes: Any,
) -> tuple[int, int, int, bool]:  # fmt: skip
    """Return what the moves found lead to: the nearest win, the farthest loss, the number of moves inside, any draw.

    The nearest win is `FAR` if there is none. Moves that stay inside their section are only counted, unless the
    `whole` position is weighed.
    """
    win, loss, inside, draws = FAR, 0, 0, False
    for place in range(search.found):
        if not whole and search.crowned[place] == 0 and load(search.captured, place, NONE) == NONE:
            inside += 1
        else:
            last = search.found
            a, b, c, d, then, state_after = after(place, men, kings, enemy_men, enemy_kings, side, state, rules, search)
            code = code_after(a, b, c, d, then, state_after, rules, search, geometry, sections, found, codes)
            search.found = last
            value, distance = code & VALUE, code >> VALUE_BITS
            if value == LOSS:
                win = min(win, distance + 1)
            elif value == WIN:
                loss = max(loss, distance + 1)
            else:
                draws = True
    return win, loss, inside, draws


@entry
def initialise(
    tables: Any, searches: Any, geometries: Any, sections: Any, found: Any, codes: Any, left: Any, start: int,
    stop: int, verify: bool,
) -> int:  # fmt: skip
    """Write for each position what its moves to other sections give, and how many moves stay inside.

    To `verify`, compare each code with what all moves give instead. Returns the first number that differs, or `stop`.
    """
    rules, search, geometry = tables[0], searches[0], geometries[0]
    for number in range(start, stop):
        place = section_of(number, sections)
        side, code, inside, draws = sections[place].side, NO_POSITION, 0, False
        valid, men, kings, enemy_men, enemy_kings, state = position_of(number, sections[place], rules, geometry)
        if valid:
            search.found = 0
            code = value_with_actions(men, kings, enemy_men, enemy_kings, side, state, rules, search)
            if code == NO_VALUE:
                win, loss, inside, draws = value_of_moves(
                    verify, men, kings, enemy_men, enemy_kings, side, state, rules, search, geometry, sections, found,
                    codes,
                )  # fmt: skip
                code = DRAW
                if win < FAR:
                    code = WIN | win << VALUE_BITS
                elif not draws:  # where moves stay inside, `loss` is the least distance if it is lost
                    code = (LOSS if inside == 0 else DRAW) | loss << VALUE_BITS
            if search.gave_up:
                return number
        if verify:
            if codes[number] != code:
                return number
        else:
            codes[number] = code
            left[number] = inside
            if inside == 0:
                left[number] = CLOSED
            elif draws:
                left[number] = SAFE
    return stop


def update(number: int, won: bool, distance: int, codes: Any, left: Any, search: Record) -> bool:
    """Record that a move inside leads to a won or lost position; return whether the position before is decided."""
    moves, code = left[number] + 0, codes[number] + 0
    if moves == CLOSED:
        return False
    if distance >= MOST_DISTANCE:
        search.gave_up = True
        return False
    if not won:
        if code & VALUE == WIN and code >> VALUE_BITS <= distance + 1:
            return False
        codes[number] = WIN | distance + 1 << VALUE_BITS
        return True
    if moves == SAFE or code & VALUE != DRAW:
        return False
    left[number] = moves - 1
    if moves > 1:
        return False
    codes[number] = LOSS | max(distance + 1, code >> VALUE_BITS) << VALUE_BITS
    return True


def step_back(
    at: int, source: int, men: int, kings: int, enemy_men: int, enemy_kings: int, side: int, state: int, won: bool,
    distance: int, rules: Record, search: Record, geometry: Record, sections: Any, found: Any, codes: Any, left: Any,
) -> bool:  # fmt: skip
    """Update the positions from which the other side made a move from `source` to `at`; return whether any is decided.

    They differ only in the king run of that side.
    """
    mover = 1 - side
    before_men, before_kings, by_king = enemy_men, enemy_kings, enemy_kings & at != NONE
    if by_king:
        before_kings = enemy_kings & ~at | source
    else:
        before_men = enemy_men & ~at | source
    if not KING_MOVE_LIMIT or enemy_men == NONE or enemy_kings == NONE:
        number = number_of(before_men, before_kings, men, kings, mover, state, rules, geometry, sections, found)
        return update(number, won, distance, codes, left, search)
    decided = False
    now = state >> RUN + RUN_WIDTH * mover & (1 << RUN_WIDTH) - 1
    rest = state & ~((1 << RUN_WIDTH) - 1 << RUN + RUN_WIDTH * mover)
    for rank in range(1 + count(before_kings) * KING_MOVE_LIMIT):
        run, then, moves = run_of(rank, before_kings, mover, rules), 0, 0
        if by_king:
            if run != 0 and run & RUN_PLACE == place_of(source):
                moves = run >> RUN_MOVES
            then = place_of(at) | moves + 1 << RUN_MOVES
        if moves < KING_MOVE_LIMIT and then == now:
            before = rest | run << RUN + RUN_WIDTH * mover
            number = number_of(before_men, before_kings, men, kings, mover, before, rules, geometry, sections, found)
            decided = update(number, won, distance, codes, left, search) or decided
    return decided


@both_sides
def top_of(side: int, search: Record, rules: Record) -> int:
    """Return the promotion rows of a side."""
    return PROMOTION_TOP


@entry
def propagate(
    tables: Any, searches: Any, geometries: Any, sections: Any, found: Any, codes: Any, left: Any, start: int,
    stop: int, distance: int,
) -> int:  # fmt: skip
    """Follow each position that is decided at a distance back by quiet moves; return whether any is decided further.

    In reverse a piece moves in the directions of the other side.
    """
    rules, search, geometry, further = tables[0], searches[0], geometries[0], 0
    for number in range(start, stop):
        code = codes[number] + 0
        value, far = code & VALUE, code >> VALUE_BITS
        if value == WIN or value == LOSS:
            if far > distance:
                further = 1
            if far == distance:
                place = section_of(number, sections)
                side, mover = sections[place].side, 1 - sections[place].side
                _, men, kings, enemy_men, enemy_kings, state = position_of(number, sections[place], rules, geometry)
                search.found = 0
                list_quiet(side, enemy_men, enemy_kings, men, kings, 0, rules, search)
                top = top_of(mover, search, rules)
                for move in range(search.found):
                    at, source = load(search.start, move, NONE), load(search.end, move, NONE)
                    from_top = at & top != NONE or (geometry.excluded[mover] > 0 and source & top != NONE)
                    if (enemy_kings & at != NONE or not from_top) and step_back(
                        at, source, men, kings, enemy_men, enemy_kings, side, state, value == WIN, distance, rules,
                        search, geometry, sections, found, codes, left,
                    ):  # fmt: skip
                        further = 1
                if search.gave_up:
                    return 0
    return further
