"""Retrograde analysis in compiled code: who wins each position of some material, and in how many plies.

A position is seen by its side to move: squares are counted row by row from the corner at the top left of its own view,
so that its promotion rows come first. Where the board is the same when turned round, both sides to move have the same
numbers. The positions of one material are numbered without a table (docs/solve.md); `Sections` has the numbering.

What a move leads to outside its material, after a capture or a promotion, has been solved before. Each position is
looked at once to see what such moves give and how many moves stay inside; then every position that is won or lost is
followed back, the nearest to the end first, by quiet moves made in reverse.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from math import comb
from typing import Any, NamedTuple

import numpy as np

from ..board import SIDES
from ..errors import RulesetError
from ..position import Pieces
from ..rules import EndingRules, Rules
from . import cached, compiled, entry
from .bitset import Bits, bits_of, both, either, has, load, lowest, single, size, some, store, without
from .movegen import (
    Record,
    actions,
    after_action,
    captures,
    count_quiet_moves,
    crowns,
    end_of,
    quiet_moves,
    start_of,
)
from .rule_table import (
    RUN,
    RUN_MOVES,
    RUN_SQUARE,
    RUN_WIDTH,
    RUNS,
    Records,
    SquarePlaces,
    begin,
    new_search,
    rule_table,
)

#: The value of a position for the side to move, the low two bits of its code; the distance in plies is above them.
DRAW, WIN, LOSS, NO_POSITION = range(4)
VALUE_BITS = 2
#: The greatest number of pieces, and the greatest distance that a code can express.
MOST_PIECES, MOST_DISTANCE = 8, (1 << 14) - 1
#: The number of moves that stay inside is replaced by these: no move does, or the position cannot be lost.
_CLOSED, _SAFE = 0xFFFF, 0xFFFE
#: No value yet; the number of positions handled in one call.
_NONE, _AT_ONCE = -1, 1 << 18
_FAR = MOST_DISTANCE + 1
#: A flag as a number of the one type that numba shall see.
_Number: Any = np.int64
_VALUE = {"wins": WIN, "loses": LOSS, "draws": DRAW}


class Section(NamedTuple):
    """The positions of one material with one side to move: its men and kings, and those of the other side.

    `side` is 0 where both sides to move are numbered alike.
    """

    side: int
    men: int
    kings: int
    enemy_men: int
    enemy_kings: int

    def turned(self, sides: int) -> Section:
        """Return the section with the other side to move; `sides` is the number of sides that are numbered apart."""
        return Section((1 - self.side) % sides, *self[3:], *self[1:3])


def find_unsupported(rules: Rules) -> str | None:
    """Return why positions by some rules cannot be solved, or None if they can."""
    if rules.spin is not None:
        return "spin.outcomes: what is won depends on the spinner"
    if rules.king.move_slides == "twice":
        return "king.move.slides: found twice, whose moves cannot be made in reverse"
    return None


class Retrograde:
    """Retrograde analysis by one set of rules.

    Raises RulesetError for rules that cannot be solved (`find_unsupported`) and boards too large for compiled code.
    """

    def __init__(self, rules: Rules) -> None:
        if reason := find_unsupported(rules):
            raise RulesetError(reason)
        board = rules.board
        self._places = places = SquarePlaces(board)
        self._table, self._search = rule_table(rules, places), new_search(places.words)
        begin(self._search)
        last = board.columns - 1, board.rows - 1
        #: The number of sides to move that are numbered apart: 1 where the board is the same when turned round.
        self.sides = 1 if {(last[0] - x, last[1] - y) for x, y in board.places} == {*board.places} else 2
        self._limit = rules.king.move_limit or 0
        # A man that has left its promotion row can stand there again uncrowned.
        rows = 0 if rules.promotion.return_ == "not-crowned" else rules.promotion.rows
        #: For each side the number of squares on which its men never stand, the first ones as it sees them.
        self.excluded = tuple(board.nearest_rows(rows, other).bit_count() for other in SIDES[::-1])
        self._without_men = tuple(board.nearest_rows(rows, other) for other in SIDES[::-1])
        self._squares = sorted(board.bits, key=places.place)
        self._geometry = self._make_geometry()
        self._ending = np.zeros(1, _ENDING)
        _fill_ending(self._ending[0], rules.ending)

    @property
    def squares(self) -> list[int]:
        """The bit of each square as White sees them, row by row from the top left."""
        return self._squares

    def size(self, section: Section) -> int:
        """Return the number of entries of a section; a few are no positions (docs/solve.md)."""
        return int(self._section(section)["size"])

    def runs(self, section: Section) -> int:
        """Return how many entries each placement of a section has: the king runs of both sides."""
        record = self._section(section)
        return int(record["runs"]) * int(record["enemy_runs"])

    def neighbours(self, section: Section) -> set[Section]:
        """Return the sections to which captures and promotions lead, without those where a side has no piece."""
        found = set[Section]()
        side, men, kings, enemy_men, enemy_kings = section
        other = (1 - side) % self.sides
        for promoted in range(min(men, 1) + 1):
            for left_men in range(enemy_men + 1):
                for left_kings in range(enemy_kings + 1):
                    taken = enemy_men + enemy_kings - left_men - left_kings
                    if left_men + left_kings and (taken or promoted):
                        found.add(Section(other, left_men, left_kings, men - promoted, kings + promoted))
        return found

    def tables(self, sections: Sequence[Section]) -> SectionTables:
        """Return the numbering of some sections, one after the other."""
        return SectionTables(self, sections)

    def _section(self, section: Section, first: int = 0) -> Any:
        side, men, kings, enemy_men, enemy_kings = section
        squares = len(self._squares)
        record = np.zeros(1, _SECTION)[0]
        for name, value in section._asdict().items():
            record[name] = value
        free = squares - men - enemy_men
        own, enemy = self.excluded[side], self.excluded[1 - side]
        record["enemy_men_ways"] = comb(squares - enemy, enemy_men)
        record["kings_ways"], record["enemy_kings_ways"] = comb(free, kings), comb(free - kings, enemy_kings)
        record["runs"] = 1 + kings * self._limit if men else 1
        record["enemy_runs"] = 1 + enemy_kings * self._limit if enemy_men else 1
        number = comb(squares - own, men)
        for name in ("enemy_men_ways", "kings_ways", "enemy_kings_ways", "runs", "enemy_runs"):
            number *= int(record[name])
        record["first"], record["size"] = first, number
        return record

    def _make_geometry(self) -> Records:
        places, squares = self._places, [self._places.place(bit) for bit in self._squares]
        geometry = np.zeros(1, _geometry_dtype(places.words))
        record = geometry[0]
        record["squares"], record["sides"] = len(squares), self.sides
        record["excluded"] = self.excluded
        for side, seen in enumerate((squares, squares[::-1])):
            for number, place in enumerate(seen):
                record["place"][side, number], record["number"][side, place] = place, number
        mask = 0
        for place in range(64 * places.words):
            record["below"][place] = [mask >> 64 * word & 0xFFFF_FFFF_FFFF_FFFF for word in range(places.words)]
            mask |= 1 << place
        for number in range(len(squares) + 1):
            record["ways"][number] = [comb(number, k) for k in range(MOST_PIECES + 1)]
        return geometry


class SectionTables:
    """The codes of some sections, in one array: those to solve, then those that they lead to.

    The code of a position is its value and, `VALUE_BITS` higher, its distance.
    """

    def __init__(self, rules: Retrograde, sections: Sequence[Section]) -> None:
        self._rules, self.sections = rules, tuple(sections)
        most = 1 + max(max(section[1:]) for section in sections)
        self._found = np.full((2, most, most, most, most), -1, np.int64)
        self._records = np.zeros(len(sections), _SECTION)
        first = 0
        for number, section in enumerate(sections):
            self._records[number] = rules._section(section, first)
            self._found[section] = number
            first += int(self._records[number]["size"])
        self.codes = np.zeros(first, np.uint16)

    def part(self, section: Section) -> Any:
        """Return the codes of a section, as a part of the array."""
        record = self._records[self._found[section]]
        return self.codes[int(record["first"]) : int(record["first"] + record["size"])]

    def first(self, section: Section) -> int:
        """Return the number of the first entry of a section."""
        return int(self._records[self._found[section]]["first"])

    def solve(self, sections: int) -> Iterator[int]:
        """Solve the first `sections` sections, given the codes of the others; yield the work done, in positions.

        Raises RulesetError where there are too many captures, or a distance is too great for a code.
        """
        last = self._end(sections)
        left = np.zeros(last, np.uint16)
        for start in range(0, last, _AT_ONCE):
            stop = min(start + _AT_ONCE, last)
            self._call(_initialise, left, start, stop, False)
            yield stop - start
        distance = 0
        while True:
            further = False
            for start in range(0, last, _AT_ONCE):
                stop = min(start + _AT_ONCE, last)
                further |= self._call(_propagate, left, start, stop, distance) > 0
                yield 0
            distance += 1
            if not further:
                break
        solved = self.codes[:last]
        solved[solved & 3 == DRAW] = DRAW

    def find_mistakes(self, sections: int) -> Iterator[int]:
        """Compare each code of the first sections with those of its successors; yield the number of each that differs.

        Between them -1 is yielded, so that a caller can show progress.
        """
        last = self._end(sections)
        nothing = np.zeros(0, np.uint16)
        for start in range(0, last, _AT_ONCE):
            stop = min(start + _AT_ONCE, last)
            while start < stop:
                start = self._call(_initialise, nothing, start, stop, True)
                if start < stop:
                    yield start
                    start += 1
            yield -1

    def pieces(self, number: int) -> tuple[Pieces, int, tuple[tuple[int, int], tuple[int, int]]]:
        """Return the position with a number: the pieces as the side to move sees them, that side, and its king runs.

        A run is the bit of a square and a number of moves, (0, 0) without one; White's is first.
        """
        places = self._rules._places
        found = np.zeros((4, places.words), np.uint64)
        state = self._call(_lay_out, found, number)
        men, kings, enemy_men, enemy_kings = map(places.mask, found)
        runs = [state >> RUN + RUN_WIDTH * side & (1 << RUN_WIDTH) - 1 for side in range(2)]
        white, black = [
            (places.bit(run & RUN_SQUARE), run >> RUN_MOVES) if run >> RUN_MOVES else (0, 0) for run in runs
        ]
        side = int(self._records[np.searchsorted(self._records["first"], number, "right") - 1]["side"])
        return (men, kings, enemy_men, enemy_kings), side, (white, black)

    def number(self, pieces: Pieces, side: int, runs: tuple[tuple[int, int], tuple[int, int]]) -> int:
        """Return the number of a position given as `pieces` returns it; -1 where a man stands on its promotion row."""
        places, without_men = self._rules._places, self._rules._without_men
        if pieces[0] & without_men[side] or pieces[2] & without_men[1 - side]:
            return -1
        found = np.array([places.row(mask) for mask in pieces], np.uint64)
        state = RUNS if self._rules._limit else 0
        for place, (bit, moves) in enumerate(runs):
            if moves:
                state |= (places.place(bit) | moves << RUN_MOVES) << RUN + RUN_WIDTH * place
        return self._call(_find_number, found, side, state)

    def _end(self, sections: int) -> int:
        record = self._records[sections - 1]
        return int(record["first"] + record["size"])

    def _call(self, function: Any, *arguments: Any) -> int:
        rules = self._rules
        like = bits_of([0] * rules._places.words)
        search = rules._search[0]
        search["found"], search["gave_up"] = 0, False
        found = function(
            like, rules._table, rules._search, rules._ending, rules._geometry, self._records, self._found, self.codes,
            *arguments,
        )  # fmt: skip
        if search["gave_up"]:
            raise RulesetError("a position has too many captures for compiled code, or is too many plies from its end")
        return int(found)


# --- records --------------------------------------------------------------------------------------------------------
_SECTION = np.dtype(
    [
        *((name, np.int64) for name in Section._fields),
        ("first", np.int64),
        ("size", np.int64),
        ("enemy_men_ways", np.int64),
        ("kings_ways", np.int64),
        ("enemy_kings_ways", np.int64),
        ("runs", np.int64),
        ("enemy_runs", np.int64),
    ],
    align=True,
)

_ENDING = np.dtype(
    [
        ("no_pieces", np.int64),
        ("no_moves", np.int64),
        ("no_step", np.bool_),
        ("draws_first", np.bool_),
        ("first_king", np.bool_),
        ("one_piece", np.bool_),
        ("king_to_man", np.bool_),
        ("one_each", np.bool_),
        ("one_each_same_kind", np.bool_),
        ("one_each_no_capture", np.bool_),
    ],
    align=True,
)


@cache
def _geometry_dtype(words: int) -> np.dtype[np.void]:
    """Return the record type of a board: numbers of squares for each side to move, and binomial coefficients."""
    number = np.int64
    fields: list[Any] = [
        ("squares", number),
        ("sides", number),
        ("excluded", number, (2,)),
        ("place", number, (2, 64 * words)),
        ("number", number, (2, 64 * words)),
        ("below", np.uint64, (64 * words, words)),  # all places below one
        ("ways", number, (64 * words + 1, MOST_PIECES + 1)),
    ]
    return np.dtype(fields, align=True)


def _fill_ending(record: Any, ending: EndingRules) -> None:
    known: list[tuple[str, Any, tuple[Any, ...]]] = [
        ("ending.first-king", ending.first_king, (None, "wins")),
        ("ending.one-piece", ending.one_piece, (None, "loses")),
        ("ending.king-to-man", ending.king_to_man, (None, "wins")),
        ("ending.no-pieces", ending.no_pieces, ("loses", "wins")),
        ("ending.no-moves", ending.no_moves, ("loses", "wins", "draws")),
        ("ending.order", ending.order, (None, "losses-first", "draws-first")),
        ("ending.blocked", ending.blocked, (None, "no-action", "no-piece-move", "no-step")),
        *(
            ("ending.draws", draw, ("one-piece-each", "one-piece-each-same-kind", "one-piece-each-no-capture"))
            for draw in ending.draws
        ),
    ]
    for rule, value, values in known:
        if value not in values:
            raise RulesetError(f"{rule}: found {value!r}, which compiled code does not know")
    record["no_pieces"], record["no_moves"] = _VALUE[ending.no_pieces], _VALUE[ending.no_moves]
    record["no_step"], record["draws_first"] = ending.blocked == "no-step", ending.order == "draws-first"
    record["first_king"], record["one_piece"] = ending.first_king is not None, ending.one_piece is not None
    record["king_to_man"] = ending.king_to_man is not None
    record["one_each"] = "one-piece-each" in ending.draws
    record["one_each_same_kind"] = "one-piece-each-same-kind" in ending.draws
    record["one_each_no_capture"] = "one-piece-each-no-capture" in ending.draws


# --- numbers of positions -------------------------------------------------------------------------------------------
@compiled
def _rank(pieces: Bits, taken: Bits, skipped: int, side: int, geometry: Record) -> Any:
    """Return the rank of a set of squares among those of its size; squares that are `taken` are not counted."""
    rank, number = 0, size(pieces)
    all_taken, place_in_order = size(taken), 0
    while some(pieces):
        place = lowest(pieces)
        pieces = without(pieces, single(place, pieces))
        before = size(both(taken, load(geometry.below[place], taken)))
        if side == 1:
            before = all_taken - before
        place_in_order += 1
        rank += geometry.ways[
            geometry.number[side, place] - skipped - before,
            place_in_order if side == 0 else number + 1 - place_in_order,
        ]
    return rank


@compiled
def _choose(rank: int, number: int, taken: Bits, skipped: int, side: int, free: int, geometry: Record) -> Bits:
    """Return the set of `number` squares with a rank, of `free` ones."""
    found = without(taken, taken)
    square = free - 1
    while number > 0:
        if number == 1:
            square = rank
        else:
            while geometry.ways[square, number] > rank:
                square -= 1
        rank -= geometry.ways[square, number]
        place = geometry.place[side, square + skipped]
        if some(taken):
            passed = 0
            while True:  # squares that are taken do not count
                up_to = size(both(taken, load(geometry.below[place], taken)))
                up_to = size(taken) - up_to if side == 1 else up_to + _Number(has(taken, place))
                if up_to == passed:
                    break
                passed = up_to
                place = geometry.place[side, square + passed]
        found = either(found, single(place, found))
        number -= 1
        square -= 1
    return found


@compiled
def _run_rank(state: int, whose: int, kings: Bits, side: int, rules: Record, geometry: Record) -> Any:
    """Return the rank of a side's king run in a state, as a side to move counts squares."""
    run = state >> RUN + RUN_WIDTH * whose & (1 << RUN_WIDTH) - 1
    moves = run >> RUN_MOVES
    if moves == 0:
        return 0
    place = run & RUN_SQUARE
    before = size(both(kings, load(geometry.below[place], kings)))
    if side == 1:
        before = size(kings) - 1 - before
    return 1 + before * rules.king_move_limit + moves - 1


@compiled
def _run_of(rank: int, kings: Bits, side: int, rules: Record) -> Any:
    """Return the king run with a rank."""
    if rank == 0:
        return 0
    before = (rank - 1) // rules.king_move_limit
    if side == 1:
        before = size(kings) - 1 - before
    for _ in range(before):
        kings = without(kings, single(lowest(kings), kings))
    return lowest(kings) | (rank - 1) % rules.king_move_limit + 1 << RUN_MOVES


@compiled
def _placement(
    men: Bits, kings: Bits, enemy_men: Bits, enemy_kings: Bits, side: int, section: Record, geometry: Record
) -> Any:
    """Return the number of a placement within its section."""
    none, all_men = without(men, men), either(men, enemy_men)
    number = _rank(men, none, geometry.excluded[side], side, geometry)
    number = number * section.enemy_men_ways + _rank(enemy_men, none, 0, side, geometry)
    number = number * section.kings_ways + _rank(kings, all_men, 0, side, geometry)
    return number * section.enemy_kings_ways + _rank(enemy_kings, either(all_men, kings), 0, side, geometry)


@compiled
def _number(
    men: Bits, kings: Bits, enemy_men: Bits, enemy_kings: Bits, side: int, state: int, rules: Record,
    geometry: Record, sections: Records, found: Any,
) -> Any:  # fmt: skip
    """Return the number of a position among all sections; -1 if its section is not there."""
    place = found[side % geometry.sides, size(men), size(kings), size(enemy_men), size(enemy_kings)]
    if place < 0:
        return -1
    section = sections[place]
    number = _placement(men, kings, enemy_men, enemy_kings, side, section, geometry)
    if section.runs > 1 or section.enemy_runs > 1:
        own = _run_rank(state, side, kings, side, rules, geometry) if section.runs > 1 else 0
        enemy = _run_rank(state, 1 - side, enemy_kings, side, rules, geometry) if section.enemy_runs > 1 else 0
        number = (number * section.runs + own) * section.enemy_runs + enemy
    return section.first + number


@compiled
def _position(
    number: int, section: Record, like: Bits, rules: Record, geometry: Record
) -> tuple[bool, Bits, Bits, Bits, Bits, int]:
    """Return whether a number is a position, its pieces and its state."""
    side, squares = section.side, geometry.squares
    rank = number - section.first
    enemy_run = rank % section.enemy_runs
    rank //= section.enemy_runs
    own_run = rank % section.runs
    rank //= section.runs
    enemy_kings_rank = rank % section.enemy_kings_ways
    rank //= section.enemy_kings_ways
    kings_rank = rank % section.kings_ways
    rank //= section.kings_ways
    excluded = geometry.excluded[side]
    men = _choose(rank // section.enemy_men_ways, section.men, like, excluded, side, squares - excluded, geometry)
    enemy_men = _choose(rank % section.enemy_men_ways, section.enemy_men, like, 0, side, squares, geometry)
    if some(both(men, enemy_men)):
        return False, men, like, enemy_men, like, 0
    taken = either(men, enemy_men)
    free = squares - section.men - section.enemy_men
    kings = _choose(kings_rank, section.kings, taken, 0, side, free, geometry)
    taken = either(taken, kings)
    enemy_kings = _choose(enemy_kings_rank, section.enemy_kings, taken, 0, side, free - section.kings, geometry)
    state = 0
    if rules.king_move_limit > 0:
        state = RUNS | _run_of(own_run, kings, side, rules) << RUN + RUN_WIDTH * side
        state |= _run_of(enemy_run, enemy_kings, side, rules) << RUN + RUN_WIDTH * (1 - side)
    return True, men, kings, enemy_men, enemy_kings, state


@entry
@cached
def _lay_out(
    like: Bits, tables: Records, searches: Records, endings: Records, geometries: Records, sections: Records,
    found: Any, codes: Any, pieces: Any, number: int,
) -> Any:  # fmt: skip
    """Write the pieces of a position; return its state."""
    place = 0
    while number >= sections[place].first + sections[place].size:
        place += 1
    _, men, kings, enemy_men, enemy_kings, state = _position(number, sections[place], like, tables[0], geometries[0])
    _store_all(pieces, men, kings, enemy_men, enemy_kings)
    return state


@entry
@cached
def _find_number(
    like: Bits, tables: Records, searches: Records, endings: Records, geometries: Records, sections: Records,
    found: Any, codes: Any, pieces: Any, side: int, state: int,
) -> Any:  # fmt: skip
    """Return the number of a position; -1 if its section is not there."""
    men, kings = load(pieces[0], like), load(pieces[1], like)
    enemy_men, enemy_kings = load(pieces[2], like), load(pieces[3], like)
    return _number(
        men, kings, enemy_men, enemy_kings, side, state, tables[0], geometries[0], sections, found
    )  # fmt: skip


@compiled
def _store_all(pieces: Any, men: Bits, kings: Bits, enemy_men: Bits, enemy_kings: Bits) -> None:
    store(pieces[0], men)
    store(pieces[1], kings)
    store(pieces[2], enemy_men)
    store(pieces[3], enemy_kings)


# --- values ---------------------------------------------------------------------------------------------------------
@compiled
def _other(value: int) -> int:
    """Return a value as the other side sees it."""
    if value == DRAW:
        return DRAW
    return LOSS if value == WIN else WIN


@compiled
def _can_capture(
    men: Bits, kings: Bits, enemy_men: Bits, enemy_kings: Bits, side: int, rules: Record, search: Record
) -> bool:
    """Return whether the side to move has a capture."""
    first = search.found
    captures(men, kings, enemy_men, enemy_kings, side, rules, search)
    can: bool = search.found > first
    search.found = first
    return can


@compiled
def _is_drawn(
    men: Bits, kings: Bits, enemy_men: Bits, enemy_kings: Bits, side: int, rules: Record, search: Record,
    ending: Record,
) -> bool:  # fmt: skip
    """Return whether the pieces on the board draw the game: `ending.draws`."""
    if size(either(men, kings)) != 1 or size(either(enemy_men, enemy_kings)) != 1:
        return False
    if ending.one_each or (ending.one_each_same_kind and some(men) == some(enemy_men)):
        return True
    return ending.one_each_no_capture and not _can_capture(men, kings, enemy_men, enemy_kings, side, rules, search)


@compiled
def _decision(
    men: Bits, kings: Bits, enemy_men: Bits, enemy_kings: Bits, side: int, rules: Record, search: Record,
    ending: Record,
) -> Any:  # fmt: skip
    """Return the value that the rules give a position before its moves are looked at; -1 if they give none."""
    if ending.first_king:
        if some(enemy_kings):
            return LOSS
        if some(kings):
            return WIN
    own, enemy = size(either(men, kings)), size(either(enemy_men, enemy_kings))
    if own == 0:
        return ending.no_pieces
    if enemy == 0:
        return _other(ending.no_pieces)
    if ending.draws_first and _is_drawn(men, kings, enemy_men, enemy_kings, side, rules, search, ending):
        return DRAW
    if ending.one_piece:
        if own == 1:
            return LOSS
        if enemy == 1:
            return WIN
    if ending.king_to_man and own == 1 and enemy == 1 and some(kings) != some(enemy_kings):
        if some(kings):
            return WIN
        if not _can_capture(men, kings, enemy_men, enemy_kings, side, rules, search):
            return LOSS
    return _NONE


@compiled
def _outcome(
    men: Bits, kings: Bits, enemy_men: Bits, enemy_kings: Bits, side: int, state: int, rules: Record, search: Record,
    ending: Record,
) -> Any:  # fmt: skip
    """Add the moves of a position and return its value if the game is over, else -1."""
    value = _decision(men, kings, enemy_men, enemy_kings, side, rules, search, ending)
    if value == _NONE:
        first = search.found
        actions(men, kings, enemy_men, enemy_kings, side, state, rules, search)
        blocked = search.found == first
        if ending.no_step:
            blocked = count_quiet_moves(men, kings, enemy_men, enemy_kings, side, rules, search) == 0
        if blocked:
            value = ending.no_moves
        elif _is_drawn(men, kings, enemy_men, enemy_kings, side, rules, search, ending):
            value = DRAW
    return value


@compiled
def _code_of(
    men: Bits, kings: Bits, enemy_men: Bits, enemy_kings: Bits, side: int, state: int, rules: Record, search: Record,
    ending: Record, geometry: Record, sections: Records, found: Any, codes: Any,
) -> Any:  # fmt: skip
    """Return the code of a position after a capture or a promotion."""
    if not some(either(men, kings)) or not some(either(enemy_men, enemy_kings)):
        return _decision(men, kings, enemy_men, enemy_kings, side, rules, search, ending)
    number = _number(men, kings, enemy_men, enemy_kings, side, state, rules, geometry, sections, found)
    if number < 0:
        search.gave_up = True
        return DRAW
    return np.int64(codes[number])


@compiled
def _value_of_exits(
    whole: bool, men: Bits, kings: Bits, enemy_men: Bits, enemy_kings: Bits, side: int, state: int, rules: Record,
    search: Record, ending: Record, geometry: Record, sections: Records, found: Any, codes: Any,
) -> tuple[int, int, int, bool]:  # fmt: skip
    """Return what the moves found lead to: the nearest win, the farthest loss, the number of moves inside, any draw.

    The nearest win is `_FAR` if there is none. Moves that stay inside their section are only counted, unless the
    `whole` position is weighed.
    """
    win: Any = _FAR
    loss: Any = 0
    inside, draws = 0, False
    for place in range(search.found):
        if not whole and not crowns(search.move[place]) and not some(load(search.captured[place], men)):
            inside += 1
            continue
        last = search.found
        a, b, c, d, then, after = after_action(place, men, kings, enemy_men, enemy_kings, side, state, rules, search)
        code = _code_of(a, b, c, d, then, after, rules, search, ending, geometry, sections, found, codes)
        search.found = last
        value, distance = code & 3, code >> VALUE_BITS
        if value == LOSS:
            win = min(win, distance + 1)
        elif value == WIN:
            loss = max(loss, distance + 1)
        else:
            draws = True
    return win, loss, inside, draws


@entry
@cached
def _initialise(
    like: Bits, tables: Records, searches: Records, endings: Records, geometries: Records, sections: Records,
    found: Any, codes: Any, left: Any, start: int, stop: int, verify: bool,
) -> int:  # fmt: skip
    """Write for each position what its moves to other sections give, and how many moves stay inside.

    To `verify`, compare each code with what all moves give instead. Returns the first number that differs, or `stop`.
    """
    rules, search, ending, geometry = tables[0], searches[0], endings[0], geometries[0]
    place = 0
    for number in range(start, stop):
        while number >= sections[place].first + sections[place].size:
            place += 1
        section = sections[place]
        side, code, inside, draws = section.side, NO_POSITION, 0, False
        valid, men, kings, enemy_men, enemy_kings, state = _position(number, section, like, rules, geometry)
        if valid:
            search.found = 0
            code = _outcome(men, kings, enemy_men, enemy_kings, side, state, rules, search, ending)
            if code == _NONE:
                win, loss, inside, draws = _value_of_exits(
                    verify, men, kings, enemy_men, enemy_kings, side, state, rules, search, ending, geometry,
                    sections, found, codes,
                )  # fmt: skip
                if win < _FAR:
                    code = WIN | win << VALUE_BITS
                elif draws:
                    code = DRAW
                elif inside == 0:
                    code = LOSS | loss << VALUE_BITS
                else:
                    code = DRAW | loss << VALUE_BITS  # the least distance if it is lost
            if search.gave_up:
                return number
        if not verify:
            codes[number] = code
            left[number] = _CLOSED if inside == 0 else _SAFE if draws else inside
        elif codes[number] != code:
            return number
    return stop


@compiled
def _update_predecessor(number: int, won: bool, distance: int, codes: Any, left: Any, search: Record) -> bool:
    """Tell a position that one of its moves inside leads to a won or lost position; return whether it is decided."""
    moves = left[number]
    if moves == _CLOSED:
        return False
    code = np.int64(codes[number])
    if distance >= MOST_DISTANCE:
        search.gave_up = True
        return False
    if not won:
        if code & 3 == WIN and code >> VALUE_BITS <= distance + 1:
            return False
        codes[number] = WIN | distance + 1 << VALUE_BITS
        return True
    if moves == _SAFE or code & 3 != DRAW:
        return False
    left[number] = moves - 1
    if moves > 1:
        return False
    farthest: Any = max(distance + 1, code >> VALUE_BITS)
    codes[number] = LOSS | farthest << VALUE_BITS
    return True


@entry
@cached
def _propagate(
    like: Bits, tables: Records, searches: Records, endings: Records, geometries: Records, sections: Records,
    found: Any, codes: Any, left: Any, start: int, stop: int, distance: int,
) -> int:  # fmt: skip
    """Follow each position that is decided at a distance back by quiet moves; return whether any is decided further.

    In reverse a piece moves in the directions of the other side.
    """
    rules, search, geometry = tables[0], searches[0], geometries[0]
    place, further = 0, 0
    store(search.resting, like)
    for number in range(start, stop):
        code = np.int64(codes[number])
        value = code & 3
        if value in (DRAW, NO_POSITION) or code >> VALUE_BITS < distance:
            continue
        if code >> VALUE_BITS > distance:
            further = 1
            continue
        while number >= sections[place].first + sections[place].size:
            place += 1
        section = sections[place]
        side, mover = section.side, 1 - section.side
        _, men, kings, enemy_men, enemy_kings, state = _position(number, section, like, rules, geometry)
        search.found = 0
        quiet_moves(enemy_men, enemy_kings, men, kings, side, rules, search)
        row = load(rules.promotion_rows[mover], like)
        now = state >> RUN + RUN_WIDTH * mover & (1 << RUN_WIDTH) - 1
        for move in range(search.found):
            at, source = start_of(search.move[move]), end_of(search.move[move])
            left_square, source_square = single(at, like), single(source, like)
            by_king = has(enemy_kings, at)
            before_men, before_kings = enemy_men, enemy_kings
            if by_king:
                before_kings = either(without(enemy_kings, left_square), source_square)
            else:
                if has(row, at) or (geometry.excluded[mover] > 0 and has(row, source)):
                    continue
                before_men = either(without(enemy_men, left_square), source_square)
            if rules.king_move_limit == 0 or not some(enemy_men) or not some(enemy_kings):
                other = _number(
                    before_men, before_kings, men, kings, mover, state, rules, geometry, sections, found
                )  # fmt: skip
                if _update_predecessor(other, value == WIN, distance, codes, left, search):
                    further = 1
                continue
            rest = state & ~(((1 << RUN_WIDTH) - 1) << RUN + RUN_WIDTH * mover)
            for rank in range(1 + size(before_kings) * rules.king_move_limit):
                run = _run_of(rank, before_kings, mover, rules)
                then = 0
                if by_king:
                    moves = run >> RUN_MOVES if run & RUN_SQUARE == source else 0
                    if run == 0:
                        moves = 0
                    if moves >= rules.king_move_limit:
                        continue
                    then = at | moves + 1 << RUN_MOVES
                if then == now:
                    before = rest | run << RUN + RUN_WIDTH * mover
                    other = _number(
                        before_men, before_kings, men, kings, mover, before, rules, geometry, sections, found
                    )  # fmt: skip
                    if _update_predecessor(other, value == WIN, distance, codes, left, search):
                        further = 1
        if search.gave_up:
            return 0
    return further
