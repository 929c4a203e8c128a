"""Moves of pieces and actions of a turn by one set of rules: captures, capture precedence, quiet moves, spins, sliders.

Men and kings are sets as the side to move sees them. Moves are added to a `search` (`records.search_dtype`).
"""

from __future__ import annotations

from typing import Any

from ..sets import count, load, lowest, mix, place_of, row_of, several, single, store, word
from .rules import (
    ALL,
    CAPTURE_BINDS,
    CAPTURE_CHOICE,
    CAPTURE_COMPLETION,
    CAPTURE_DUTY,
    CAPTURE_ORIGIN,
    CAPTURE_REMOVAL,
    COUNTS_PATHS,
    COUNTS_SEQUENCES,
    COUNTS_UNIQUE,
    DUE,
    FEW,
    FIRST_RESULT,
    FLIES,
    HAS_DOORS,
    HAS_SPIN,
    KING_CAPTURE_DIRECTIONS,
    KING_CAPTURE_FINISH,
    KING_CAPTURE_KINGS_ONLY,
    KING_CAPTURE_ONLY_FIRST,
    KING_CAPTURE_ONLY_LATER,
    KING_CAPTURE_PIECES,
    KING_CAPTURE_TURNING,
    KING_CAPTURE_WAYS,
    KING_EXTRA,
    KING_FIRST,
    KING_LANDS,
    KING_MOVE_DIRECTIONS,
    KING_MOVE_LIMIT,
    KING_MOVE_SLIDES,
    KING_STEPS,
    LAST_RESULT,
    LONG_CAPTURE,
    MAN_CAPTURE_FIRST,
    MAN_CAPTURE_GAP,
    MAN_CAPTURE_LATER,
    MAN_CAPTURE_TAKES,
    MAN_MOVE_DIRECTIONS,
    MAN_MOVE_OVER_OWN,
    MAN_STEPS,
    MIXED_BIT,
    MOST_JUMPS,
    MOST_MOVES,
    MOST_QUIET,
    MOVES,
    NO_WAY,
    NONE,
    PHASE,
    PROMOTION_MID_CAPTURE,
    PROMOTION_RETURN,
    PROMOTION_TOP,
    RUN,
    RUN_MOVES,
    RUN_PLACE,
    RUN_WIDTH,
    RUNS,
    SPIN_BLOCKED,
    SPIN_SLIDE,
    SPIN_WHEN,
    SPINS,
    STANDING,
    STREAMS,
    TRAPDOORS_CAPTURE_LANDING,
    TRAPDOORS_CLOSING,
    TRAPDOORS_FALLS,
    TRAPDOORS_PASSING,
    TRAPDOORS_QUIET_LANDING,
    TRAPDOORS_STEP,
    VISITED,
    WHEN_MIXED,
    opposite,
)

#: A record, which mypy cannot check.
Record = Any


def step(squares: int, way: int, rules: Record) -> int:
    """Return the squares one step away, without those beyond the edge."""
    inside = squares & load(rules.inside, way, NONE)
    return inside << rules.shift_up[way] >> rules.shift_down[way]


def pieces_of(sets: Any) -> tuple[int, int, int, int]:
    """Return the sets of an array: men and kings of the side to move, then those of the other."""
    return load(sets, 0, NONE), load(sets, 1, NONE), load(sets, 2, NONE), load(sets, 3, NONE)


def store_pieces(sets: Any, men: int, kings: int, enemy_men: int, enemy_kings: int) -> None:
    """Write men and kings of both sides to an array."""
    store(sets, 0, men)
    store(sets, 1, kings)
    store(sets, 2, enemy_men)
    store(sets, 3, enemy_kings)


# --- moves found ----------------------------------------------------------------------------------------------------
def put(start: int, end: int, captured: int, crowned: bool, search: Record) -> None:
    """Add a move; if there is no room for it, give up the whole search."""
    found = search.found
    if found >= MOST_MOVES:
        search.gave_up = True
        return
    write(found, start, end, captured, crowned, search)
    search.found = found + 1


def write(place: int, start: int, end: int, captured: int, crowned: bool, search: Record) -> None:
    """Write a move to a place."""
    store(search.start, place, start)
    store(search.end, place, end)
    store(search.captured, place, captured)
    search.crowned[place] = crowned


def move_at(place: int, search: Record) -> tuple[int, int, int]:
    """Return the start, the end and the captured pieces of a move."""
    return load(search.start, place, NONE), load(search.end, place, NONE), load(search.captured, place, NONE)


def copy(place: int, other: int, rules: Record, search: Record) -> None:
    """Copy the move at `other` to `place`."""
    start, end, captured = move_at(other, search)
    write(place, start, end, captured, search.crowned[other] > 0, search)
    if COUNTS_SEQUENCES:
        search.order[place] = search.order[other]


def forget_visited(search: Record) -> None:
    """Empty the table of places visited."""
    search.searches += 1
    search.visited = 0


def visit(what: int, order: int, start: int, end: int, captured: int, search: Record) -> bool:
    """Return whether a place was visited before in this search, and record it."""
    row = row_of(mix(captured, mix(start, mix(end, word(what) ^ word(order)))), VISITED)
    while search.visited_in[row] == search.searches:
        if (
            search.visited_what[row] == what
            and search.visited_order[row] == order
            and load(search.visited_start, row, NONE) == start
            and load(search.visited_end, row, NONE) == end
            and load(search.visited_captured, row, NONE) == captured
        ):
            return True
        row = row + 1 & VISITED - 1
    if search.visited > VISITED // 2:
        search.gave_up = True
        return True
    search.visited += 1
    search.visited_in[row] = search.searches
    search.visited_what[row] = what
    search.visited_order[row] = order
    store(search.visited_start, row, start)
    store(search.visited_end, row, end)
    store(search.visited_captured, row, captured)
    return False


def keep_distinct(first: int, rules: Record, search: Record) -> None:
    """Remove the moves from `first` on that equal an earlier one."""
    forget_visited(search)
    last = first
    for place in range(first, search.found):
        start, end, captured = move_at(place, search)
        order = search.order[place] if COUNTS_SEQUENCES else 0
        if not visit(search.crowned[place] + 0, order, start, end, captured, search):
            copy(last, place, rules, search)
            last += 1
    search.found = last


# --- captures -------------------------------------------------------------------------------------------------------
def add(start: int, end: int, captured: int, crowned: bool, order: int, rules: Record, search: Record) -> None:
    """Add a finished capture, unless it was found before or precedence rules it out.

    A piece that ends on an open door is not crowned.
    """
    if HAS_DOORS:
        crowned = crowned and end & load(search.doors, 0, NONE) == NONE
    worth = 0
    for criterion in CAPTURE_CHOICE:
        if criterion == "most-pieces" or criterion == "multiple-before-single" or criterion == "multiple-when-mixed":
            value = 100 * count(captured)
            if KING_EXTRA:
                value += KING_EXTRA * count(captured & load(search.enemy_kings, 0, NONE))
            worth = worth << 20 | value if criterion == "most-pieces" else worth << 1 | (value >= 200)
        if criterion == "with-king":
            worth = worth << 1 | (load(search.kings, 0, NONE) & start != NONE)
        if criterion == "most-kings":
            worth = worth << 8 | count(captured & load(search.enemy_kings, 0, NONE))
        if criterion == "king-first":
            worth = worth << 26 | order
    if STREAMS:
        if worth < search.best:
            return
        if worth > search.best:
            search.best = worth
            search.found = search.first
    found = search.found
    if several(captured):
        if found - search.first >= FEW:
            search.may_repeat = True
        elif not COUNTS_PATHS:
            for place in range(search.first, found):
                if (
                    load(search.captured, place, NONE) == captured
                    and load(search.end, place, NONE) == end
                    and load(search.start, place, NONE) == start
                    and search.crowned[place] == crowned
                ) and (not COUNTS_SEQUENCES or search.order[place] == order):
                    if CAPTURE_CHOICE and not STREAMS:
                        search.worth[place] = max(search.worth[place], worth)
                    return
    put(start, end, captured, crowned, search)
    if CAPTURE_CHOICE and not STREAMS and found < MOST_MOVES:
        search.worth[found] = worth
    if COUNTS_SEQUENCES and found < MOST_MOVES:
        search.order[found] = order


def in_order(order: int, over: int, jumps: int, rules: Record, search: Record) -> int:
    """Return which jumps were over kings, earlier ones in higher bits.

    Where sequences are counted, return the places of all captured pieces instead.
    """
    if COUNTS_SEQUENCES:
        if jumps >= 8:
            search.gave_up = True
        return order << 8 | place_of(over)
    if KING_FIRST and over & load(search.enemy_kings, 0, NONE) != NONE:
        if jumps >= 26:
            search.gave_up = True
            return order
        return order | 1 << 25 - jumps
    return order


def leads_nowhere(
    kind: int, start: int, square: int, came: int, captured: int, order: int, jumps: int, rules: Record, search: Record
) -> bool:
    """Return whether a long capture has come to a place where this search was before, or the search has given up."""
    if search.gave_up:
        return True
    if jumps >= MOST_JUMPS:
        search.gave_up = True
        return True
    if COUNTS_UNIQUE and jumps >= LONG_CAPTURE:
        counts = KING_CAPTURE_TURNING == "not-back" or KING_CAPTURE_TURNING == "straight"
        what = kind | came + 1 << 4 if counts else kind
        return visit(what, order, start, square, captured, search)
    return False


def is_pit(square: int, rules: Record, search: Record) -> bool:
    """Return whether a capture ends on a square because it is an open door."""
    return TRAPDOORS_CAPTURE_LANDING == "ends" and square & load(search.doors, 0, NONE) != NONE


def man_jumps(
    start: int, square: int, came: int, captured: int, enemies: int, empty: int, left_top: bool, order: int,
    jumps: int, rules: Record, search: Record,
) -> None:  # fmt: skip
    """Add every capture of a man that has come to a square by a jump.

    `enemies` are those it has not jumped, `empty` the squares open to it; `left_top` says whether it has left the
    promotion row in this capture.
    """
    if leads_nowhere(4 + left_top, start, square, came, captured, order, jumps, rules, search):
        return
    at_top = square & PROMOTION_TOP != NONE
    if CAPTURE_COMPLETION == "one" or (PROMOTION_MID_CAPTURE == "stops" and at_top) or is_pit(square, rules, search):
        add(start, square, captured, at_top, order, rules, search)
        return
    if PROMOTION_MID_CAPTURE == "as-king" and at_top:
        king_jumps(start, square, came, captured, enemies, empty, True, True, order, jumps, rules, search)
        return
    goes_on = False
    for way in MAN_CAPTURE_LATER:
        near = square
        if MAN_CAPTURE_GAP == 1:
            near = step(square, way, rules) & empty
        over = step(near, way, rules) & enemies
        if MAN_CAPTURE_TAKES == "men":
            over &= ~load(search.enemy_kings, 0, NONE)
        land = step(over, way, rules) & empty
        if land:
            goes_on = True
            left = left_top or (PROMOTION_RETURN == "not-crowned" and at_top and land & PROMOTION_TOP == NONE)
            then, free = in_order(order, over, jumps, rules, search), vacated(empty, over, rules)
            man_jumps(start, land, way, captured | over, enemies & ~over, free, left, then, jumps + 1, rules, search)
    if not goes_on or CAPTURE_COMPLETION == "may-stop":
        crowned = at_top and not left_top
        if PROMOTION_MID_CAPTURE == "as-man-else-king" and crowned and not goes_on:
            king_jumps(start, square, came, captured, enemies, empty, True, True, order, jumps, rules, search)
            return
        add(start, square, captured, crowned, order, rules, search)


def vacated(empty: int, over: int, rules: Record) -> int:
    """Return the empty squares after a jump."""
    return empty | over if CAPTURE_REMOVAL == "at-once" else empty


def left_by(start: int, empty: int, rules: Record) -> int:
    """Return the empty squares in a capture that begins on `start`."""
    return empty | start if CAPTURE_ORIGIN == "empty" else empty


def jump_starts(way: int, targets: int, empty: int, rules: Record) -> int:
    """Return the squares from which a man can jump over a target in a direction."""
    near = step(step(empty, opposite(way), rules) & targets, opposite(way), rules)
    return step(near & empty, opposite(way), rules) if MAN_CAPTURE_GAP == 1 else near


def first_enemy(square: int, way: int, enemies: int, empty: int, rules: Record, search: Record) -> int:
    """Return what a king can jump in a direction, if anything; `empty` is where it may pass."""
    over = step(square, way, rules)
    if FLIES:
        while over & empty:
            if TRAPDOORS_PASSING == "falls" and over & load(search.doors, 0, NONE) != NONE:
                return NONE
            over = step(over, way, rules)
    targets = enemies
    for limited in KING_CAPTURE_KINGS_ONLY:
        if limited == way:
            targets &= load(search.enemy_kings, 0, NONE)
    over &= targets
    if KING_CAPTURE_PIECES == "any":
        last = step(over, way, rules) & targets
        while last:
            over |= last
            last = step(last, way, rules) & targets
    return over if step(over, way, rules) & empty else NONE


def may_jump(came: int, way: int, rules: Record, search: Record) -> bool:
    """Return whether a king may jump in a direction, having come in another by its last jump, if there was one."""
    for limited in KING_CAPTURE_ONLY_FIRST:
        if limited == way and came != NO_WAY:
            return False
    for limited in KING_CAPTURE_ONLY_LATER:
        if limited == way and came == NO_WAY:
            return False
    if KING_CAPTURE_TURNING == "not-back":
        return came != opposite(way)
    return KING_CAPTURE_TURNING != "straight" or came == NO_WAY or came == way


def floor_of(empty: int, rules: Record, search: Record) -> int:
    """Return the empty squares that a king may pass."""
    return empty & ~load(search.doors, 0, NONE) if TRAPDOORS_PASSING == "blocked" else empty


def king_can_jump(square: int, came: int, enemies: int, empty: int, rules: Record, search: Record) -> bool:
    """Return whether a king that came to a square in a direction has a jump."""
    if is_pit(square, rules, search):
        return False
    floor = floor_of(empty, rules, search)
    for way in KING_CAPTURE_WAYS:
        if may_jump(came, way, rules, search) and first_enemy(square, way, enemies, floor, rules, search):
            return True
    return False


def king_jumps(
    start: int, square: int, came: int, captured: int, enemies: int, empty: int, was_man: bool, can_end: bool,
    order: int, jumps: int, rules: Record, search: Record,
) -> None:  # fmt: skip
    """Add every capture of a king that is on a square after some jumps; `can_end` says whether it may end here."""
    if leads_nowhere(was_man << 1 | can_end, start, square, came, captured, order, jumps, rules, search):
        return
    if jumps > 0 and (CAPTURE_COMPLETION == "one" or is_pit(square, rules, search)):
        if can_end:
            add(start, square, captured, False, order, rules, search)
        return
    goes_on = False
    floor = floor_of(empty, rules, search)
    for way in KING_CAPTURE_WAYS:
        over = first_enemy(square, way, enemies, floor, rules, search)
        if not may_jump(came, way, rules, search):
            over = NONE
        if over:
            goes_on = True
            rest, free = enemies & ~over, vacated(empty, over, rules)
            piece, then, taken = over, order, jumps
            if KING_CAPTURE_PIECES == "any":  # the first of them
                piece &= ~step(over, way, rules)
            while piece:
                then = in_order(then, piece, taken, rules, search)
                piece, taken = step(piece, way, rules) & over, taken + 1
            land, reached = step(over, way, rules) & floor, 0
            only_on = False
            if KING_CAPTURE_FINISH == "continuing":
                while land != NONE and not only_on and reached < KING_LANDS:
                    only_on = king_can_jump(land, way, rest, free, rules, search)
                    if TRAPDOORS_PASSING == "falls" and land & load(search.doors, 0, NONE) != NONE:
                        break
                    land = step(land, way, rules) & floor
                    reached += 1
                land, reached = step(over, way, rules) & floor, 0
            may_end = True
            while land != NONE and reached < KING_LANDS:
                if (
                    KING_CAPTURE_FINISH != "continuing"
                    or not only_on
                    or king_can_jump(land, way, rest, free, rules, search)
                ):
                    king_jumps(
                        start, land, way, captured | over, rest, free, was_man, may_end, then, taken, rules, search
                    )
                if KING_CAPTURE_FINISH == "behind-last-king" and over & load(search.enemy_kings, 0, NONE) != NONE:
                    may_end = False
                if KING_CAPTURE_FINISH == "behind-last":
                    may_end = False
                if TRAPDOORS_PASSING == "falls" and land & load(search.doors, 0, NONE) != NONE:
                    break
                land = step(land, way, rules) & floor
                reached += 1
    if jumps > 0 and can_end and (not goes_on or CAPTURE_COMPLETION == "may-stop"):
        add(start, square, captured, was_man, order, rules, search)


def captures(men: int, kings: int, enemy_men: int, enemy_kings: int, rules: Record, search: Record) -> None:
    """Add every capture that capture precedence leaves, each once unless paths are counted."""
    enemies = enemy_men | enemy_kings
    empty = ALL & ~(men | kings | enemies)
    targets = enemy_men if MAN_CAPTURE_TAKES == "men" else enemies
    search.first, search.may_repeat = search.found, False
    starts = NONE
    for way in MAN_CAPTURE_FIRST:
        starts |= jump_starts(way, targets, empty, rules)
    starts &= men
    kings_left = kings
    if not FLIES and KING_CAPTURE_PIECES != "any":
        kings_left = NONE
        for way in KING_CAPTURE_DIRECTIONS:
            kings_left |= step(step(empty, opposite(way), rules) & enemies, opposite(way), rules)
        kings_left &= kings
    if starts | kings_left == NONE:
        return
    forget_visited(search)
    search.best = 0
    store(search.kings, 0, kings)
    store(search.enemy_kings, 0, enemy_kings)
    if starts:
        further = NONE  # where a man can jump again: what its first jump vacates is out of reach of its second
        for way in MAN_CAPTURE_LATER:
            further |= jump_starts(way, targets, empty, rules)
        if PROMOTION_MID_CAPTURE == "as-king" or PROMOTION_MID_CAPTURE == "as-man-else-king":
            further |= PROMOTION_TOP
        for way in MAN_CAPTURE_FIRST:
            near = starts
            if MAN_CAPTURE_GAP == 1:
                near = step(starts, way, rules) & empty
            lands = step(step(near, way, rules) & targets, way, rules) & empty
            while lands:
                land = lowest(lands)
                lands ^= land
                over = step(land, opposite(way), rules)
                start = step(over, opposite(way), rules)
                if MAN_CAPTURE_GAP == 1:
                    start = step(start, opposite(way), rules)
                order = in_order(0, over, 0, rules, search)
                if land & further:
                    rest = left_by(start, vacated(empty, over, rules), rules)
                    man_jumps(start, land, way, over, enemies & ~over, rest, False, order, 1, rules, search)
                else:
                    add(start, land, over, land & PROMOTION_TOP != NONE, order, rules, search)
    while kings_left:
        start = lowest(kings_left)
        kings_left ^= start
        rest = left_by(start, empty, rules)
        king_jumps(start, start, NO_WAY, NONE, enemies, rest, False, False, 0, 0, rules, search)
    if CAPTURE_CHOICE and not STREAMS:
        precede(kings, rules, search)
    if not COUNTS_PATHS and search.may_repeat:
        keep_distinct(search.first, rules, search)


def precede(kings: int, rules: Record, search: Record) -> None:
    """Remove the captures that precedence rules out, where that depends on all of them together."""
    first, found = search.first, search.found
    best = 0
    if WHEN_MIXED:  # a bit of the worth counts only where both men and kings have the best of the bits above it
        for place in range(first, found):
            best = max(best, search.worth[place] >> MIXED_BIT + 1)
        by_man = by_king = False
        for place in range(first, found):
            if search.worth[place] >> MIXED_BIT + 1 == best:
                if load(search.start, place, NONE) & kings:
                    by_king = True
                else:
                    by_man = True
        if not (by_man and by_king):
            for place in range(first, found):
                search.worth[place] &= ~(1 << MIXED_BIT)
        best = 0
    for place in range(first, found):
        best = max(best, search.worth[place])
    starts = NONE
    if CAPTURE_BINDS == "piece":
        for place in range(first, found):
            if search.worth[place] == best:
                starts |= load(search.start, place, NONE)
    last = first
    for place in range(first, found):
        if search.worth[place] == best or load(search.start, place, NONE) & starts != NONE:
            copy(last, place, rules, search)
            last += 1
    search.found = last


# --- quiet moves ----------------------------------------------------------------------------------------------------
def past(squares: int, rules: Record, search: Record) -> int:
    """Return the squares of a slide on which a king does not fall."""
    return squares & ~load(search.doors, 0, NONE) if TRAPDOORS_PASSING == "falls" else squares


def ends_of(empty: int, rules: Record, search: Record) -> int:
    """Return the empty squares on which a quiet move may end."""
    return empty & ~load(search.doors, 0, NONE) if TRAPDOORS_QUIET_LANDING == "forbidden" else empty


def movable(men: int, kings: int, side: int, state: int, rules: Record) -> int:
    """Return the kings that may make a quiet move: a side with men may not move one king too often in a row."""
    if KING_MOVE_LIMIT and men != NONE:
        run = state >> RUN + RUN_WIDTH * side
        if run >> RUN_MOVES & RUN_PLACE >= KING_MOVE_LIMIT:
            return kings & ~single(run & RUN_PLACE, kings)
    return kings


def count_quiet(
    men: int, kings: int, enemy_men: int, enemy_kings: int, side: int, state: int, rules: Record, search: Record
) -> int:
    """Return the number of moves of one slide."""
    number = 0
    empty = ALL & ~(men | kings | enemy_men | enemy_kings)
    ends = ends_of(empty, rules, search)
    for way in MAN_MOVE_DIRECTIONS:
        land, reached = step(men, way, rules) & empty, 1
        number += count(land & ends)
        while reached < MAN_STEPS and land != NONE:
            land = step(land, way, rules) & empty
            number += count(land & ends)
            reached += 1
    for way in MAN_MOVE_OVER_OWN:
        number += count(step(step(men, way, rules) & (men | kings), way, rules) & ends)
    sliding = movable(men, kings, side, state, rules)
    if sliding:
        floor = floor_of(empty, rules, search)
        for way in KING_MOVE_DIRECTIONS:
            land, reached = step(sliding, way, rules) & floor, 1
            number += count(land & ends)
            while reached < KING_STEPS and land != NONE:
                land = step(past(land, rules, search), way, rules) & floor
                number += count(land & ends)
                reached += 1
    return number


def quiet_moves(
    men: int, kings: int, enemy_men: int, enemy_kings: int, side: int, state: int, rules: Record, search: Record
) -> None:
    """Add every move of one slide."""
    found = search.found
    if found > MOST_MOVES - MOST_QUIET:
        search.gave_up = True
        return
    empty = ALL & ~(men | kings | enemy_men | enemy_kings)
    ends = ends_of(empty, rules, search)
    top = PROMOTION_TOP & ~load(search.doors, 0, NONE) if HAS_DOORS else PROMOTION_TOP
    for way in MAN_MOVE_DIRECTIONS:
        lands = step(men, way, rules) & empty
        while lands:
            land = lowest(lands)
            lands ^= land
            start, reached = step(land, opposite(way), rules), 0
            while land != NONE and reached < MAN_STEPS:
                if TRAPDOORS_QUIET_LANDING != "forbidden" or land & ends != NONE:
                    write(found, start, land, NONE, land & top != NONE, search)
                    found += 1
                land = step(land, way, rules) & empty
                reached += 1
    for way in MAN_MOVE_OVER_OWN:
        lands = step(step(men, way, rules) & (men | kings), way, rules) & ends
        while lands:
            land = lowest(lands)
            lands ^= land
            start = step(step(land, opposite(way), rules), opposite(way), rules)
            write(found, start, land, NONE, land & top != NONE, search)
            found += 1
    sliding = movable(men, kings, side, state, rules)
    search.found = king_slides(found, sliding, floor_of(empty, rules, search), ends, rules, search)


def king_slides(found: int, kings: int, floor: int, ends: int, rules: Record, search: Record) -> int:
    """Write every slide of some kings over the squares of `floor` that ends on one of `ends`.

    The first is written to the place `found`; the place after the last is returned.
    """
    while kings:
        start = lowest(kings)
        kings ^= start
        for way in KING_MOVE_DIRECTIONS:
            land, reached = step(start, way, rules) & floor, 0
            while land != NONE and reached < KING_STEPS:
                if TRAPDOORS_QUIET_LANDING != "forbidden" or land & ends != NONE:
                    write(found, start, land, NONE, False, search)
                    found += 1
                land = step(past(land, rules, search), way, rules) & floor
                reached += 1
    return found


def second_slides(
    first: int, men: int, kings: int, enemy_men: int, enemy_kings: int, side: int, state: int, rules: Record,
    search: Record,
) -> None:  # fmt: skip
    """Add the second slides of kings, with the captures that follow, for all moves from `first` on.

    A resting king makes two slides only where it then captures.
    """
    enemies = enemy_men | enemy_kings
    empty = ALL & ~(men | kings | enemies)
    resting = kings & ~movable(men, kings, side, state, rules)
    last = search.found
    slid = search.found = king_slides(last, resting, empty, empty, rules, search)
    for place in range(first, slid):
        start, middle = load(search.start, place, NONE) & kings, load(search.end, place, NONE)
        floor = empty | start
        for way in KING_MOVE_DIRECTIONS:
            land, reached = step(middle, way, rules) & floor, 0
            while start != NONE and land != NONE and reached < KING_STEPS:
                if land != start:
                    second_slide(start, land, kings, enemies, enemy_kings, floor, resting, rules, search)
                land = step(land, way, rules) & floor
                reached += 1
    number = search.found - slid
    for place in range(number):  # the first slides of a resting king are no moves by themselves
        copy(last + place, slid + place, rules, search)
    search.found = last + number


def second_slide(
    start: int, land: int, kings: int, enemies: int, enemy_kings: int, floor: int, resting: int, rules: Record,
    search: Record,
) -> None:  # fmt: skip
    """Add the captures of a king that has made two slides, or the two slides where it has none."""
    if CAPTURE_ORIGIN == "occupied":
        floor &= ~land
    before = search.found
    search.first, search.best, search.may_repeat = before, 0, False
    forget_visited(search)
    store(search.kings, 0, kings)
    store(search.enemy_kings, 0, enemy_kings)
    king_jumps(start, land, NO_WAY, NONE, enemies, floor, False, False, 0, 0, rules, search)
    if search.found == before:
        if start & resting == NONE:
            put(start, land, NONE, False, search)
    elif CAPTURE_CHOICE and not STREAMS:
        precede(kings, rules, search)


def must_capture(first: int, enemy_men: int, rules: Record, search: Record) -> bool:
    """Return whether the captures found from `first` on rule out quiet moves: `capture.duty`."""
    if CAPTURE_DUTY == "optional" or search.found == first:
        return False
    if CAPTURE_DUTY == "compulsory-for-men":
        for place in range(first, search.found):
            if load(search.captured, place, NONE) & enemy_men:
                return True
        return False
    return True


def legal_moves(
    men: int, kings: int, enemy_men: int, enemy_kings: int, side: int, state: int, rules: Record, search: Record
) -> None:
    """Add every legal move once."""
    first = search.found
    captures(men, kings, enemy_men, enemy_kings, rules, search)
    if not must_capture(first, enemy_men, rules, search):
        has_captures = search.found > first
        quiet_moves(men, kings, enemy_men, enemy_kings, side, state, rules, search)
        if KING_MOVE_SLIDES == "twice" and not has_captures:
            second_slides(first, men, kings, enemy_men, enemy_kings, side, state, rules, search)
            keep_distinct(first, rules, search)


# --- turns ----------------------------------------------------------------------------------------------------------
def open_doors(state: int, rules: Record, search: Record) -> None:
    """Open the doors that the sliders of a state open."""
    doors = NONE
    for slider in range(rules.sliders):
        doors |= load(rules.slider_doors, 3 * slider + (state >> STANDING + 2 * slider & 3), NONE)
    store(search.doors, 0, doors)


def may_spin(
    men: int, kings: int, enemy_men: int, enemy_kings: int, side: int, state: int, rules: Record, search: Record
) -> bool:
    """Add the captures that come before a spin; return whether there are none, so that the side may spin."""
    first = search.found
    captures(men, kings, enemy_men, enemy_kings, rules, search)
    if search.found > first:
        return False
    if count_quiet(men, kings, enemy_men, enemy_kings, side, state, rules, search) > 0:
        return True
    return SPIN_BLOCKED == "spins" and men | kings != NONE


def actions(
    men: int, kings: int, enemy_men: int, enemy_kings: int, side: int, state: int, rules: Record, search: Record
) -> None:
    """Add every action of a turn. One that moves no piece has no start; its `order` is the state after it."""
    if HAS_SPIN:
        allowed = rules.phases[state & PHASE]
        if allowed & MOVES:
            open_doors(state, rules, search)
            if allowed == MOVES:
                legal_moves(men, kings, enemy_men, enemy_kings, side, state, rules, search)
                return
            if not may_spin(men, kings, enemy_men, enemy_kings, side, state, rules, search):
                return
        rest = state ^ (state & PHASE)
        if allowed & SPINS:
            for phase in range(FIRST_RESULT, LAST_RESULT + 1):
                if rules.phases[phase] > 0:
                    put_state(rest | phase, NONE, search)
        elif allowed > 0:
            pieces = enemy_men | enemy_kings
            if TRAPDOORS_FALLS == "any":
                pieces |= men | kings
            if TRAPDOORS_FALLS == "men":
                pieces = men | enemy_men
            pushes(allowed, rest, pieces, rules, search)
    else:
        legal_moves(men, kings, enemy_men, enemy_kings, side, state, rules, search)


def put_state(state: int, fallen: int, search: Record) -> None:
    """Add an action that moves no piece."""
    put(NONE, NONE, fallen, False, search)
    if not search.gave_up:
        search.order[search.found - 1] = state


def pushes(allowed: int, state: int, pieces: int, rules: Record, search: Record) -> None:
    """Add the pushes of sliders of the allowed colours, and declining them; `pieces` are those that can fall."""
    for slider in range(rules.sliders):
        place = STANDING + 2 * slider
        letter = state >> place & 3
        others = state ^ letter << place
        if allowed & rules.slider_colour[slider]:
            for to in range(3):
                if to != letter and (letter == 0 or to == 0 or TRAPDOORS_STEP == "through"):
                    fallen = load(rules.slider_doors, 3 * slider + to, NONE) & pieces
                    put_state(others if TRAPDOORS_CLOSING == "at-once" else others | to << place, fallen, search)
                    if TRAPDOORS_CLOSING == "optional" and letter == 0:
                        put_state(others, fallen, search)
    if SPIN_SLIDE == "may-decline":
        put_state(state, NONE, search)


def count_actions(
    men: int, kings: int, enemy_men: int, enemy_kings: int, side: int, state: int, rules: Record, search: Record
) -> int:
    """Return the number of actions of a turn, without listing quiet moves of one slide."""
    first, number = search.found, 0
    if HAS_SPIN or KING_MOVE_SLIDES == "twice":
        actions(men, kings, enemy_men, enemy_kings, side, state, rules, search)
        number = search.found - first
    else:
        captures(men, kings, enemy_men, enemy_kings, rules, search)
        number = search.found - first
        if not must_capture(first, enemy_men, rules, search):
            number += count_quiet(men, kings, enemy_men, enemy_kings, side, state, rules, search)
    search.found = first
    return number


def after(
    place: int, men: int, kings: int, enemy_men: int, enemy_kings: int, side: int, state: int, rules: Record,
    search: Record,
) -> tuple[int, int, int, int, int, int]:  # fmt: skip
    """Return the pieces after an action, as the side then to move sees them, that side, and the state."""
    start, end, captured = move_at(place, search)
    a, b = enemy_men & ~captured, enemy_kings & ~captured
    if HAS_SPIN and start == NONE:
        then = search.order[place]
        if then & PHASE:
            return men & ~captured, kings & ~captured, a, b, side, then
        return a, b, men & ~captured, kings & ~captured, 1 - side, then
    if KING_MOVE_LIMIT and state & RUNS != 0:
        state = runs_after(start, end, captured, men, kings, a, b, side, state, rules)
    if kings & start:
        kings = kings & ~start | end
    else:
        men &= ~start
        if search.crowned[place]:
            kings |= end
        else:
            men |= end
    if HAS_SPIN:
        open_doors(state, rules, search)
        fallen = end & load(search.doors, 0, NONE)
        men, kings = men & ~fallen, kings & ~fallen
        if SPIN_WHEN == "after-capture" and state & PHASE == 0 and captured != NONE:
            return men, kings, a, b, side, state | DUE
        state ^= state & PHASE
    return a, b, men, kings, 1 - side, state


def runs_after(
    start: int, end: int, captured: int, men: int, kings: int, enemy_men: int, enemy_kings: int, side: int, state: int,
    rules: Record,
) -> int:  # fmt: skip
    """Return the state with the king runs after a move; the enemy's pieces are those left."""
    run = 0
    if men != NONE and captured == NONE and kings & start != NONE:
        last = state >> RUN + RUN_WIDTH * side
        run = place_of(end) | 1 << RUN_MOVES
        if last & RUN_PLACE == place_of(start):
            run += last & RUN_PLACE << RUN_MOVES
    other = state >> RUN + RUN_WIDTH * (1 - side) & (1 << RUN_WIDTH) - 1
    if enemy_men == NONE or single(other & RUN_PLACE, men) & enemy_kings == NONE:
        other = 0
    return state & RUNS | run << RUN + RUN_WIDTH * side | other << RUN + RUN_WIDTH * (1 - side)
