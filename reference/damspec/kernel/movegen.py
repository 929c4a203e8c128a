"""Moves of pieces and actions of a turn in compiled code: captures, capture precedence, quiet moves, spins, sliders.

Every function takes the `rules` as a record and the record of a `search` (`rule_table`), to which it adds the moves
it finds. Men and kings are sets as the side to move sees them; White is side 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from . import compiled
from .bitset import (
    Bits,
    both,
    either,
    has,
    load,
    lowest,
    mix_hash,
    same,
    shift,
    single,
    size,
    some,
    store,
    without,
)
from .rule_table import (
    ANY_FALL,
    AS_KING,
    AS_MAN_ELSE_KING,
    CLOSES_AT_ONCE,
    COMPULSORY,
    DUE,
    FIRST_RESULT,
    KIND,
    KING_FIRST,
    LAST_DIRECTION,
    MAY_CLOSE,
    MEN_FALL,
    MOST_KINGS,
    MOST_MOVES,
    MOST_PIECES,
    MOST_SEEN,
    MOVES,
    MULTIPLE,
    MULTIPLE_WHEN_MIXED,
    OPTIONAL,
    PATHS,
    PHASE,
    RUN,
    RUN_MOVES,
    RUN_SQUARE,
    RUN_WIDTH,
    RUNS,
    SEQUENCES,
    SPINS,
    STANDING,
    STOPS,
    UNIQUE,
    WITH_KING,
)

#: A record, which mypy cannot check.
Record = Any

#: The number of jumps from which a search looks for places visited before, and that at which it gives up.
_LONG, _TOO_LONG = 3, 60
#: Plain numbers would each be a type of their own for numba, which would compile their calls separately.
_Number: Any = np.int64
#: Flags of a capturing piece: it is a king, it was a man, the capture may end here, it left the promotion row.
_A_KING, _NEW_KING, _CAN_END, _PASSED = map(_Number, (1, 2, 4, 8))
#: The move of an action that moves no piece: its order is the state after it, its captures are the pieces that fall.
_NO_MOVE = 1 << 20
_0, _1, _8 = np.uint64(0), np.uint64(1), np.uint64(8)
_NO_JUMP, _ONE_JUMP = map(_Number, (0, 1))


# --- moves found ----------------------------------------------------------------------------------------------------
@compiled
def pack_move(start: int, end: int, crowned: bool) -> Any:
    """Return a move without its captures, as a number."""
    return start | end << 8 | _Number(crowned) << 16


@compiled
def start_of(move: int) -> int:
    """Return the start of a packed move."""
    return move & 0xFF


@compiled
def end_of(move: int) -> int:
    """Return the end of a packed move."""
    return move >> 8 & 0xFF


@compiled
def crowns(move: int) -> bool:
    """Return whether a packed move crowns a man."""
    return move >> 16 != 0


@compiled
def _add(move: int, order: Any, captured: Bits, search: Record) -> None:
    """Add a move; if there is no room for it, give up the whole search."""
    found = search.found
    if found >= MOST_MOVES:
        search.gave_up = True
        return
    search.move[found] = move
    search.order[found] = order
    store(search.captured[found], captured)
    search.found = found + 1


@compiled
def _replace(place: int, other: int, captured: Bits, search: Record) -> None:
    """Copy the move at `other`, whose captures are `captured`, to `place`."""
    search.move[place] = search.move[other]
    search.order[place] = search.order[other]
    store(search.captured[place], captured)


@compiled
def _forget_seen(search: Record) -> None:
    """Empty the table of places visited."""
    search.searches += 1
    search.seen = 0


@compiled
def _mark_visited(what: int, order: Any, captured: Bits, search: Record) -> bool:
    """Return whether a place was visited before in this search, and record it."""
    place = _Number(mix_hash(captured, np.uint64(what) ^ order) & np.uint64(MOST_SEEN - 1))
    while True:
        if search.seen_in[place] != search.searches:
            if search.seen > MOST_SEEN // 2:
                search.gave_up = True
                return True
            search.seen += 1
            search.seen_in[place] = search.searches
            search.seen_what[place] = what
            search.seen_order[place] = order
            store(search.seen_captured[place], captured)
            return False
        if (
            search.seen_what[place] == what
            and search.seen_order[place] == order
            and same(load(search.seen_captured[place], captured), captured)
        ):
            return True
        place = (place + 1) & (MOST_SEEN - 1)


@compiled
def keep_distinct(first: int, search: Record, like: Bits) -> None:
    """Remove from the moves from `first` on those that the convention counts as the same move."""
    if search.convention == PATHS:
        return
    _forget_seen(search)
    end = first
    for place in range(first, search.found):
        captured = load(search.captured[place], like)
        order = search.order[place] if search.convention == SEQUENCES else _0
        if not _mark_visited(search.move[place], order, captured, search):
            _replace(end, place, captured, search)
            end += 1
    search.found = end


@compiled
def _may_repeat(first: int, search: Record, like: Bits) -> bool:
    """Return whether moves from `first` on can be the same: there are two, and one captures two pieces or more."""
    if search.found - first < 2:
        return False
    for place in range(first, search.found):  # noqa: SIM110  (compiled code has no any)
        if size(load(search.captured[place], like)) > 1:
            return True
    return False


# --- captures -------------------------------------------------------------------------------------------------------
@compiled
def _add_capture(start: int, square: int, captured: Bits, crowned: bool, order: Any, search: Record) -> None:
    """Add a finished capture; a piece that ends on an open door is not crowned."""
    _add(pack_move(start, square, crowned and not has(load(search.doors, captured), square)), order, captured, search)


@compiled
def _first_enemy(square: int, way: int, enemies: Bits, empty: Bits, rules: Record, search: Record) -> int:
    """Return the square of the piece that a king can jump in a direction; -1 if there is none."""
    over = rules.neighbours[way, square]
    while over >= 0 and not has(enemies, over):
        if rules.king_capture_adjacent or not has(empty, over) or has(load(search.ends, empty), over):
            return -1
        over = rules.neighbours[way, over]
    if over < 0:
        return -1
    land = rules.neighbours[way, over]
    return over if land >= 0 and has(empty, land) else -1


@compiled
def _can_jump(square: int, came: int, enemies: Bits, empty: Bits, side: int, rules: Record, search: Record) -> bool:
    """Return whether a king that came to a square in a direction has a jump."""
    for number in range(1, rules.king_capture_directions[side, 0] + 1):
        way = rules.king_capture_directions[side, number]
        if rules.king_capture_not_back and way == LAST_DIRECTION - came:
            continue
        if _first_enemy(square, way, enemies, empty, rules, search) >= 0:
            return True
    return False


@compiled
def _goes_on(land: int, way: int, rest: Bits, free: Bits, side: int, rules: Record, search: Record) -> bool:
    """Return whether a king that lands on a square can jump again."""
    if has(load(search.pits, free), land):
        return False
    return _can_jump(land, way, rest, without(free, load(search.walls, free)), side, rules, search)


@compiled
def _can_go_on(
    over: int, way: int, floor: Bits, rest: Bits, free: Bits, side: int, rules: Record, search: Record
) -> bool:
    """Return whether a king that jumps a piece can land on a square from which it can jump again."""
    land = rules.neighbours[way, over]
    reached = 0
    while land >= 0 and reached < rules.king_capture_landing and has(floor, land):
        if _goes_on(land, way, rest, free, side, rules, search):
            return True
        if has(load(search.ends, floor), land):
            return False
        reached += 1
        land = rules.neighbours[way, land]
    return False


@compiled
def _append_king(order: Any, jumps: int, over: int, captured: Bits, rules: Record, search: Record) -> Any:
    """Return the order of captured kings after one more jump, earlier ones in higher bits.

    Where sequences are counted, it is the squares of all captured pieces instead.
    """
    if search.convention == SEQUENCES:
        if jumps >= 8:
            search.gave_up = True
        return order << _8 | np.uint64(over)
    if rules.capture_king_first and has(load(search.enemy_kings, captured), over):
        return order | _1 << np.uint64(63 - jumps)
    return order


@compiled
def _follow(
    flags: int, start: int, square: int, came: int, captured: Bits, enemies: Bits, empty: Bits, order: Any, jumps: int,
    side: int, rules: Record, search: Record,
) -> None:  # fmt: skip
    """Add every capture that continues or ends on a square.

    The piece came there in the direction `came`, after `jumps` jumps. `enemies` are those it has not jumped, `empty`
    the squares open to it, `order` says which of its jumps were over kings.
    """
    if search.gave_up:
        return
    if jumps >= _LONG:
        if jumps >= _TOO_LONG:
            search.gave_up = True
            return
        what = start | square << 8 | flags << 16
        if rules.king_capture_not_back:
            what |= (came + 1) << 24
        if search.convention == UNIQUE and _mark_visited(what, order, captured, search):
            return
    if jumps > 0 and has(load(search.pits, captured), square):
        if flags & _CAN_END:
            _add(pack_move(start, square, False), order, captured, search)
        return
    if not flags & _A_KING:
        promotion_row = load(rules.promotion_rows[side], captured)
        at_top = has(promotion_row, square)
        if jumps > 0 and rules.capture_one:
            _add_capture(start, square, captured, at_top, order, search)
            return
        if at_top and rules.promotion_mid_capture == STOPS:
            _add_capture(start, square, captured, True, order, search)
            return
        if not at_top or rules.promotion_mid_capture != AS_KING:
            goes_on = False
            for number in range(1, rules.man_capture_later[side, 0] + 1):
                way = rules.man_capture_later[side, number]
                over = rules.neighbours[way, square]
                if over < 0 or not has(enemies, over):
                    continue
                land = rules.neighbours[way, over]
                if land < 0 or not has(empty, land):
                    continue
                if not rules.man_capture_takes_any and not has(load(search.enemy_men, captured), over):
                    continue
                goes_on = True
                bit = single(over, captured)
                then = flags | _PASSED if at_top and not has(promotion_row, land) else flags
                _follow(
                    then, start, land, way, either(captured, bit), without(enemies, bit),
                    either(empty, bit) if rules.capture_at_once else empty,
                    _append_king(order, jumps, over, captured, rules, search), jumps + 1, side, rules, search,
                )  # fmt: skip
            if goes_on and not rules.capture_may_stop:
                return
            crowned = at_top and (rules.promotion_return_crowned or not flags & _PASSED)
            if not crowned or rules.promotion_mid_capture != AS_MAN_ELSE_KING or goes_on:
                _add_capture(start, square, captured, crowned, order, search)
                return
        flags |= _A_KING | _NEW_KING
    elif jumps > 0 and rules.capture_one:
        if flags & _CAN_END:
            _add_capture(start, square, captured, False, order, search)
        return
    goes_on = False
    floor = without(empty, load(search.walls, empty))
    for number in range(1, rules.king_capture_directions[side, 0] + 1):
        way = rules.king_capture_directions[side, number]
        if jumps > 0 and rules.king_capture_not_back and way == LAST_DIRECTION - came:
            continue
        over = _first_enemy(square, way, enemies, floor, rules, search)
        if over < 0:
            continue
        goes_on = True
        bit = single(over, captured)
        rest = without(enemies, bit)
        free = either(empty, bit) if rules.capture_at_once else empty
        in_order = _append_king(order, jumps, over, captured, rules, search)
        only_on = rules.king_capture_finish_continuing and _can_go_on(over, way, floor, rest, free, side, rules, search)
        halts = rules.king_capture_finish_behind_last_king and has(load(search.enemy_kings, captured), over)
        land = rules.neighbours[way, over]
        reached = 0
        while land >= 0 and reached < rules.king_capture_landing and has(floor, land):
            if not only_on or _goes_on(land, way, rest, free, side, rules, search):
                then = flags | _CAN_END
                if halts and reached > 0:
                    then ^= _CAN_END
                _follow(
                    then, start, land, way, either(captured, bit), rest, free, in_order, jumps + 1, side, rules, search
                )
            if has(load(search.ends, floor), land):
                break
            reached += 1
            land = rules.neighbours[way, land]
    if jumps > 0 and flags & _CAN_END and (not goes_on or rules.capture_may_stop):
        _add_capture(start, square, captured, flags & _NEW_KING != 0, order, search)


@compiled
def captures(
    men: Bits, kings: Bits, enemy_men: Bits, enemy_kings: Bits, side: int, rules: Record, search: Record
) -> None:
    """Add every capture that capture precedence leaves, once for each path followed."""
    first = search.found
    enemies = either(enemy_men, enemy_kings)
    empty = without(load(rules.squares, men), either(either(men, kings), enemies))
    targets = enemies if rules.man_capture_takes_any else enemy_men
    _forget_seen(search)
    store(search.enemy_men, enemy_men)
    store(search.enemy_kings, enemy_kings)
    for number in range(1, rules.man_capture_first[side, 0] + 1):
        way = rules.man_capture_first[side, number]
        up, down, inside = rules.shift_up[way], rules.shift_down[way], load(rules.inside[way], men)
        overs = both(shift(both(men, inside), up, down), targets)
        lands = both(shift(both(overs, inside), up, down), empty)
        while some(lands):
            land = lowest(lands)
            lands = without(lands, single(land, lands))
            over = rules.neighbours[LAST_DIRECTION - way, land]
            start = rules.neighbours[LAST_DIRECTION - way, over]
            bit = single(over, men)
            open_ = either(empty, bit) if rules.capture_at_once else empty
            if rules.capture_origin_empty:
                open_ = either(open_, single(start, men))
            order = _append_king(_0, _NO_JUMP, over, men, rules, search)
            _follow(
                _CAN_END, start, land, way, bit, without(enemies, bit), open_, order, _ONE_JUMP, side, rules, search
            )
    left = kings
    while some(left):
        start = lowest(left)
        left = without(left, single(start, left))
        open_ = either(empty, single(start, men)) if rules.capture_origin_empty else empty
        _follow(
            _A_KING | _CAN_END,
            start,
            start,
            start,
            without(men, men),
            enemies,
            open_,
            _0,
            _NO_JUMP,
            side,
            rules,
            search,
        )
    _apply_precedence(first, kings, enemy_kings, rules, search)


@compiled
def _worth(criterion: int, place: int, kings: Bits, enemy_kings: Bits, rules: Record, search: Record) -> Any:
    """Return the value of a capture by a criterion of `capture.choice`."""
    if criterion == KING_FIRST:
        return search.order[place]
    if criterion == WITH_KING:
        return np.uint64(has(kings, start_of(search.move[place])))
    captured = load(search.captured[place], kings)
    if criterion == MOST_KINGS:
        return np.uint64(size(both(captured, enemy_kings)))
    number = 100 * size(captured) + rules.capture_king_extra * size(both(captured, enemy_kings))
    return np.uint64(number) if criterion == MOST_PIECES else np.uint64(number >= 200)


@compiled
def _mixed_captures(first: int, kings: Bits, search: Record) -> bool:
    """Return whether both men and kings have captures among those left."""
    a_man = a_king = False
    for place in range(first, search.found):
        if search.alive[place]:
            if has(kings, start_of(search.move[place])):
                a_king = True
            else:
                a_man = True
    return a_man and a_king


@compiled
def _apply_precedence(first: int, kings: Bits, enemy_kings: Bits, rules: Record, search: Record) -> None:
    """Remove from the captures from `first` on those that `capture.choice` and `capture.binds` rule out."""
    end = search.found
    if end - first < 2 or rules.capture_criteria == 0:
        return
    for place in range(first, end):
        search.alive[place] = 1
    for number in range(rules.capture_criteria):
        criterion = rules.capture_choice[number]
        if criterion == MULTIPLE_WHEN_MIXED:
            if not _mixed_captures(first, kings, search):
                continue
            criterion = MULTIPLE
        best = _0
        for place in range(first, end):
            if search.alive[place]:
                best = max(best, _worth(criterion, place, kings, enemy_kings, rules, search))
        for place in range(first, end):
            if search.alive[place] and _worth(criterion, place, kings, enemy_kings, rules, search) < best:
                search.alive[place] = 0
    starts = without(kings, kings)
    if rules.capture_binds_piece:
        for place in range(first, end):
            if search.alive[place]:
                starts = either(starts, single(start_of(search.move[place]), kings))
    last = first
    for place in range(first, end):
        if search.alive[place] or (rules.capture_binds_piece and has(starts, start_of(search.move[place]))):
            if place != last:
                _replace(last, place, load(search.captured[place], kings), search)
            last += 1
    search.found = last


# --- moves of pieces ------------------------------------------------------------------------------------------------
@compiled
def quiet_moves(
    men: Bits, kings: Bits, enemy_men: Bits, enemy_kings: Bits, side: int, rules: Record, search: Record
) -> None:
    """Add every move of one slide."""
    none = without(men, men)
    empty = without(load(rules.squares, men), either(either(men, kings), either(enemy_men, enemy_kings)))
    doors = load(search.doors, men)
    top = without(load(rules.promotion_rows[side], men), doors)
    forbidden = none if rules.doors_quiet_landing_falls else doors
    ways = rules.man_move_directions[side]
    if rules.man_move_reach == 1:
        for number in range(1, ways[0] + 1):
            way = ways[number]
            inside = load(rules.inside[way], men)
            ends = shift(both(men, inside), rules.shift_up[way], rules.shift_down[way])
            ends = both(ends, without(empty, forbidden))
            while some(ends):
                end = lowest(ends)
                ends = without(ends, single(end, ends))
                start = rules.neighbours[LAST_DIRECTION - way, end]
                _add(pack_move(start, end, has(top, end)), _0, none, search)
    else:
        _slides(men, ways, rules.man_move_reach, empty, forbidden, none, top, rules, search)
    _jumps_over_own(men, either(men, kings), without(empty, forbidden), top, side, rules, search)
    if some(kings):
        kings = without(kings, load(search.resting, kings))
        floor, last = without(empty, load(search.walls, men)), load(search.ends, men)
        ways = rules.king_move_directions[side]
        _slides(kings, ways, rules.king_move_reach, floor, forbidden, last, none, rules, search)


@compiled
def _jumps_over_own(men: Bits, own: Bits, ends: Bits, top: Bits, side: int, rules: Record, search: Record) -> None:
    """Add the jumps of men over a piece of their own side to one of `ends`."""
    none = without(men, men)
    ways = rules.man_move_over_own[side]
    for number in range(1, ways[0] + 1):
        way = ways[number]
        landed = _landed_over_own(men, own, ends, way, rules)
        while some(landed):
            end = lowest(landed)
            landed = without(landed, single(end, landed))
            start = rules.neighbours[LAST_DIRECTION - way, rules.neighbours[LAST_DIRECTION - way, end]]
            _add(pack_move(start, end, has(top, end)), _0, none, search)


@compiled
def _landed_over_own(men: Bits, own: Bits, ends: Bits, way: int, rules: Record) -> Bits:
    """Return the squares of `ends` that men reach by a jump in one direction over a piece of their own side."""
    inside, up, down = load(rules.inside[way], men), rules.shift_up[way], rules.shift_down[way]
    over = both(shift(both(men, inside), up, down), own)
    return both(shift(both(over, inside), up, down), ends)


@compiled
def _slides(
    pieces: Bits, ways: Any, reach: int, empty: Bits, forbidden: Bits, last: Bits, top: Bits, rules: Record,
    search: Record,
) -> None:  # fmt: skip
    """Add the slides of some pieces: none ends on a `forbidden` square, none passes a `last` one."""
    none = without(pieces, pieces)
    while some(pieces):
        start = lowest(pieces)
        pieces = without(pieces, single(start, pieces))
        for number in range(1, ways[0] + 1):
            way = ways[number]
            end = rules.neighbours[way, start]
            left = reach
            while left > 0 and end >= 0 and has(empty, end):
                if not has(forbidden, end):
                    _add(pack_move(start, end, has(top, end)), _0, none, search)
                if has(last, end):
                    break
                left -= 1
                end = rules.neighbours[way, end]


@compiled
def count_quiet_moves(
    men: Bits, kings: Bits, enemy_men: Bits, enemy_kings: Bits, side: int, rules: Record, search: Record
) -> int:
    """Return the number of moves of one slide."""
    number = 0
    none = without(men, men)
    empty = without(load(rules.squares, men), either(either(men, kings), either(enemy_men, enemy_kings)))
    forbidden = none if rules.doors_quiet_landing_falls else load(search.doors, men)
    ways = rules.man_move_directions[side]
    if rules.man_move_reach == 1:
        ends = without(empty, forbidden)
        for place in range(1, ways[0] + 1):
            way = ways[place]
            inside = load(rules.inside[way], men)
            number += size(both(shift(both(men, inside), rules.shift_up[way], rules.shift_down[way]), ends))
    else:
        number += _count_slides(men, ways, rules.man_move_reach, empty, forbidden, none, rules)
    own, ways = either(men, kings), rules.man_move_over_own[side]
    for place in range(1, ways[0] + 1):
        number += size(_landed_over_own(men, own, without(empty, forbidden), ways[place], rules))
    if some(kings):
        kings = without(kings, load(search.resting, kings))
        floor, last = without(empty, load(search.walls, men)), load(search.ends, men)
        ways = rules.king_move_directions[side]
        number += _count_slides(kings, ways, rules.king_move_reach, floor, forbidden, last, rules)
    return number


@compiled
def _count_slides(pieces: Bits, ways: Any, reach: int, empty: Bits, forbidden: Bits, last: Bits, rules: Record) -> int:
    """Return the number of slides of some pieces, as `_slides` adds them."""
    count = 0
    while some(pieces):
        start = lowest(pieces)
        pieces = without(pieces, single(start, pieces))
        for number in range(1, ways[0] + 1):
            way = ways[number]
            end = rules.neighbours[way, start]
            left = reach
            while left > 0 and end >= 0 and has(empty, end):
                count += _Number(not has(forbidden, end))
                if has(last, end):
                    break
                left -= 1
                end = rules.neighbours[way, end]
    return count


@compiled
def second_slides(
    first: int, men: Bits, kings: Bits, enemy_men: Bits, enemy_kings: Bits, side: int, rules: Record, search: Record
) -> None:
    """Add the second slides of kings, with the captures that follow, for all moves from `first` on.

    A resting king makes two slides only where it then captures.
    """
    resting = load(search.resting, men)
    enemies = either(enemy_men, enemy_kings)
    empty = without(load(rules.squares, men), either(either(men, kings), enemies))
    ways = rules.king_move_directions[side]
    none = without(men, men)
    last = search.found
    _slides(resting, ways, rules.king_move_reach, empty, none, none, none, rules, search)
    slid = search.found
    for place in range(first, slid):
        start, middle = start_of(search.move[place]), end_of(search.move[place])
        if not has(kings, start):
            continue
        open_ = either(empty, single(start, men))
        for number in range(1, ways[0] + 1):
            way = ways[number]
            end = rules.neighbours[way, middle]
            left = rules.king_move_reach
            while left > 0 and end >= 0 and has(open_, end):
                if end != start:
                    before = search.found
                    _forget_seen(search)
                    floor = open_ if rules.capture_origin_empty else without(open_, single(end, men))
                    _follow(
                        _A_KING | _CAN_END, start, end, start, none, enemies, floor, _0, _NO_JUMP, side, rules, search
                    )
                    if search.found == before:
                        if not has(resting, start):
                            _add(pack_move(start, end, False), _0, none, search)
                    else:
                        _apply_precedence(before, kings, enemy_kings, rules, search)
                    if search.gave_up:
                        return
                left -= 1
                end = rules.neighbours[way, end]
    for place in range(slid, search.found):  # the first slides of a resting king are no moves by themselves
        _replace(place - slid + last, place, load(search.captured[place], men), search)
    search.found -= slid - last


@compiled
def _must_capture(first: int, enemy_men: Bits, rules: Record, search: Record) -> bool:
    """Return whether the captures found rule out the quiet moves: `capture.duty`."""
    if search.found == first or rules.capture_duty == OPTIONAL:
        return False
    if rules.capture_duty == COMPULSORY:
        return True
    for place in range(first, search.found):  # noqa: SIM110  (compiled code has no any)
        if some(both(load(search.captured[place], enemy_men), enemy_men)):
            return True
    return False


@compiled
def legal_moves(
    men: Bits, kings: Bits, enemy_men: Bits, enemy_kings: Bits, side: int, rules: Record, search: Record
) -> None:
    """Add every legal move once."""
    first = search.found
    captures(men, kings, enemy_men, enemy_kings, side, rules, search)
    none_captures = search.found == first
    if not _must_capture(first, enemy_men, rules, search):
        quiet_moves(men, kings, enemy_men, enemy_kings, side, rules, search)
        if none_captures and rules.king_move_twice:
            second_slides(first, men, kings, enemy_men, enemy_kings, side, rules, search)
    if rules.king_move_twice or _may_repeat(first, search, men):
        keep_distinct(first, search, men)


@compiled
def after_move(
    place: int, men: Bits, kings: Bits, enemy_men: Bits, enemy_kings: Bits, search: Record
) -> tuple[Bits, Bits, Bits, Bits]:
    """Return the pieces after a move with all doors shut, as the other side sees them."""
    move, captured = search.move[place], load(search.captured[place], men)
    left, reached = single(start_of(move), men), single(end_of(move), men)
    enemy_men, enemy_kings = without(enemy_men, captured), without(enemy_kings, captured)
    if has(kings, start_of(move)):
        return enemy_men, enemy_kings, men, either(without(kings, left), reached)
    if crowns(move):
        return enemy_men, enemy_kings, without(men, left), either(kings, reached)
    return enemy_men, enemy_kings, either(without(men, left), reached), kings


# --- turns ----------------------------------------------------------------------------------------------------------
@compiled
def open_doors(doors: Bits, rules: Record, search: Record) -> None:
    """Open some doors and shut all others."""
    none = without(doors, doors)
    store(search.doors, doors)
    store(search.pits, doors if rules.doors_capture_landing_ends else none)
    store(search.walls, doors if rules.doors_passing_blocked else none)
    store(search.ends, doors if rules.doors_passing_falls else none)


@compiled
def _open_by_sliders(state: int, none: Bits, rules: Record, search: Record) -> None:
    """Open the doors that the sliders of a state open."""
    standing = state >> STANDING
    if search.opened == standing:
        return
    search.opened = standing
    doors = none
    for number in range(rules.sliders):
        letter = standing >> 2 * number & 3
        if letter > 0:
            doors = either(doors, single(rules.slider_doors[number, letter], none))
    open_doors(doors, rules, search)


@compiled
def _apply_state(men: Bits, kings: Bits, side: int, state: int, rules: Record, search: Record) -> None:
    """Open the doors of a state, and let a king at the limit of its run rest while its side has men."""
    if rules.sliders > 0:
        _open_by_sliders(state, without(men, men), rules, search)
    if state & RUNS:
        run = state >> RUN + RUN_WIDTH * side
        resting = without(kings, kings)
        if some(men) and (run >> RUN_MOVES & RUN_SQUARE) >= rules.king_move_limit:
            resting = both(single(run & RUN_SQUARE, kings), kings)
        store(search.resting, resting)


@compiled
def _may_spin(
    men: Bits, kings: Bits, enemy_men: Bits, enemy_kings: Bits, side: int, rules: Record, search: Record
) -> Any:
    """Add the captures that come before a spin; return whether there are none, so that the side may spin."""
    first = search.found
    captures(men, kings, enemy_men, enemy_kings, side, rules, search)
    if search.found > first:
        if _may_repeat(first, search, men):
            keep_distinct(first, search, men)
        return False
    if count_quiet_moves(men, kings, enemy_men, enemy_kings, side, rules, search) > 0:
        return True
    return rules.spin_when_blocked and some(either(men, kings))


@compiled
def actions(
    men: Bits, kings: Bits, enemy_men: Bits, enemy_kings: Bits, side: int, state: int, rules: Record, search: Record
) -> None:
    """Add every action of a turn."""
    allowed = rules.phase_allows[state & PHASE]
    if allowed & MOVES:
        _apply_state(men, kings, side, state, rules, search)
        if allowed == MOVES:
            legal_moves(men, kings, enemy_men, enemy_kings, side, rules, search)
            return
        if not _may_spin(men, kings, enemy_men, enemy_kings, side, rules, search):
            return
    rest = state ^ (state & PHASE)
    if allowed & SPINS:
        for result in range(FIRST_RESULT, len(rules.phase_allows)):
            if rules.phase_allows[result] > 0:
                _add(_NO_MOVE, np.uint64(rest | result), without(men, men), search)
    elif allowed > 0:
        falls = either(enemy_men, enemy_kings)
        if rules.doors_falls == ANY_FALL:
            falls = either(falls, either(men, kings))
        if rules.doors_falls == MEN_FALL:
            falls = either(men, enemy_men)
        _pushes(allowed, rest, falls, rules, search)


@compiled
def _pushes(allowed: int, state: int, falls: Bits, rules: Record, search: Record) -> None:
    """Add the pushes of sliders of the allowed colours, and declining them; `falls` are the pieces that can fall."""
    none = without(falls, falls)
    for number in range(rules.sliders):
        place = STANDING + 2 * number
        if not allowed & rules.slider_colour[number]:
            continue
        letter = state >> place & 3
        others = state ^ letter << place
        for to in range(3):
            if to == letter or (letter > 0 and to > 0 and not rules.doors_step_through):
                continue
            gone = both(single(rules.slider_doors[number, to], none), falls) if to > 0 else none
            after = others if rules.doors_closing == CLOSES_AT_ONCE else others | to << place
            _add(_NO_MOVE, np.uint64(after), gone, search)
            if rules.doors_closing == MAY_CLOSE and letter == 0:
                _add(_NO_MOVE, np.uint64(others), gone, search)
    if rules.spin_may_decline:
        _add(_NO_MOVE, np.uint64(state), none, search)


@compiled
def count_actions(
    men: Bits, kings: Bits, enemy_men: Bits, enemy_kings: Bits, side: int, state: int, rules: Record, search: Record
) -> Any:
    """Return the number of actions of a turn, without listing quiet moves of one slide."""
    first = search.found
    if rules.phase_allows[state & PHASE] != MOVES or rules.king_move_twice:
        actions(men, kings, enemy_men, enemy_kings, side, state, rules, search)
        number = search.found - first
        search.found = first
        return number
    _apply_state(men, kings, side, state, rules, search)
    captures(men, kings, enemy_men, enemy_kings, side, rules, search)
    number = search.found - first
    if number > 0:
        bound = _must_capture(first, enemy_men, rules, search)
        if _may_repeat(first, search, men):
            keep_distinct(first, search, men)
            number = search.found - first
        search.found = first
        if bound:
            return number
    return number + count_quiet_moves(men, kings, enemy_men, enemy_kings, side, rules, search)


@compiled
def after_action(
    place: int, men: Bits, kings: Bits, enemy_men: Bits, enemy_kings: Bits, side: int, state: int, rules: Record,
    search: Record,
) -> tuple[Bits, Bits, Bits, Bits, int, int]:  # fmt: skip
    """Return the pieces after an action, as the side then to move sees them, that side, and the state."""
    move, gone = search.move[place], load(search.captured[place], men)
    if move == _NO_MOVE:
        then = _Number(search.order[place])
        men, kings = without(men, gone), without(kings, gone)
        enemy_men, enemy_kings = without(enemy_men, gone), without(enemy_kings, gone)
        if then & PHASE:
            return men, kings, enemy_men, enemy_kings, side, then
        return enemy_men, enemy_kings, men, kings, 1 - side, then
    a, b, c, d = after_move(place, men, kings, enemy_men, enemy_kings, search)
    if rules.sliders > 0:
        _open_by_sliders(state, without(men, men), rules, search)
        hole = both(load(search.doors, men), single(end_of(move), men))
        c, d = without(c, hole), without(d, hole)
        if rules.spin_after_capture and not state & PHASE and some(gone):
            return c, d, a, b, side, state | DUE
        return a, b, c, d, 1 - side, state ^ (state & PHASE)
    if state & RUNS:
        run = 0
        start = start_of(move)
        if some(c) and not some(gone) and has(kings, start):
            last = state >> RUN + RUN_WIDTH * side
            moves = (last >> RUN_MOVES & RUN_SQUARE) + 1 if last & RUN_SQUARE == start else 1
            run = end_of(move) | moves << RUN_MOVES
        other = state >> RUN + RUN_WIDTH * (1 - side) & (1 << RUN_WIDTH) - 1
        if not some(a) or not has(b, other & RUN_SQUARE):
            other = 0
        state = state & KIND | run << RUN + RUN_WIDTH * side | other << RUN + RUN_WIDTH * (1 - side)
    return a, b, c, d, 1 - side, state
