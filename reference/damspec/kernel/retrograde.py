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
from math import comb
from typing import Any, NamedTuple

import numpy as np

from ..board import SIDES
from ..errors import RulesetError
from ..position import Pieces
from ..rules import Rules
from .constants import (
    DRAW,
    LOSS,
    MOST_DISTANCE,
    NO_POSITION,
    RUN,
    RUN_MOVES,
    RUN_PLACE,
    RUN_WIDTH,
    RUNS,
    VALUE_BITS,
    WIN,
    places_of,
)
from .load import compiled_functions
from .records import Records, begin, mask_of, new_search, rows, rule_table, set_row, sets_shape

__all__ = [
    "DRAW",
    "LOSS",
    "MOST_DISTANCE",
    "NO_POSITION",
    "VALUE_BITS",
    "WIN",
    "Retrograde",
    "Section",
    "SectionTables",
]

#: The greatest number of pieces.
MOST_PIECES = 8
#: The number of positions handled in one call.
_AT_ONCE = 1 << 18


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
        self._places = places = places_of(board)
        self._table, self._search = rule_table(rules), new_search(places.words)
        self._functions: Any = compiled_functions("retrograde", rules, filled_in=False)
        last = board.columns - 1, board.rows - 1
        #: The number of sides to move that are numbered apart: 1 where the board is the same when turned round.
        self.sides = 1 if {(last[0] - x, last[1] - y) for x, y in board.places} == {*board.places} else 2
        self._limit = rules.king.move_limit or 0
        # A man that has left its promotion row can stand there again uncrowned.
        rows = 0 if rules.promotion.return_ == "not-crowned" else rules.promotion.rows
        self._without_men = tuple(board.nearest_rows(rows, other) for other in SIDES[::-1])
        #: For each side the number of squares on which its men never stand, the first ones as it sees them.
        self.excluded = tuple(mask.bit_count() for mask in self._without_men)
        #: The bit of each square as White sees them, row by row from the top left.
        self.squares = sorted(board.bits, key=lambda bit: places.place[bit])
        self._geometry = self._make_geometry()

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
        squares = len(self.squares)
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
        """Return a record of a board: numbers of squares for each side to move, and binomial coefficients."""
        words, squares = self._places.words, [self._places.place[bit] for bit in self.squares]
        fields: list[Any] = [
            ("squares", np.int64),
            ("sides", np.int64),
            ("excluded", np.int64, (2,)),
            ("place", np.int64, (2, 64 * words)),
            ("number", np.int64, (2, 64 * words)),
            ("below", np.uint64, sets_shape(64 * words, words)),  # all places below one
            ("ways", np.int64, (64 * words + 1, MOST_PIECES + 1)),
        ]
        geometry = np.zeros(1, np.dtype(fields, align=True))
        record = geometry[0]
        record["squares"], record["sides"] = len(squares), self.sides
        record["excluded"] = self.excluded
        for side, seen in enumerate((squares, squares[::-1])):
            for number, place in enumerate(seen):
                record["place"][side, number], record["number"][side, place] = place, number
        mask = 0
        for place in range(64 * words):
            set_row(record["below"], place, mask, words)
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
        left, solved = np.zeros(last, np.uint16), self.codes[:last]
        for start, stop in _parts(last):
            self._solve("initialise", left, start, stop, False)
            yield stop - start
        distance, further = 0, True
        while further:
            further = False
            for start, stop in _parts(last):
                further |= self._solve("propagate", left, start, stop, distance) > 0
                yield 0
            distance += 1
        solved[solved & 3 == DRAW] = DRAW

    def find_mistakes(self, sections: int) -> Iterator[int]:
        """Compare each code of the first sections with those of its successors; yield the number of each that differs.

        Between them -1 is yielded, so that a caller can show progress.
        """
        nothing = np.zeros(0, np.uint16)
        for start, stop in _parts(self._end(sections)):
            while start < stop:
                start = self._solve("initialise", nothing, start, stop, True)
                if start < stop:
                    yield start
                    start += 1
            yield -1

    def pieces(self, number: int) -> tuple[Pieces, int, tuple[tuple[int, int], tuple[int, int]]]:
        """Return the position with a number: the pieces as the side to move sees them, that side, and its king runs.

        A run is the bit of a square and a number of moves, (0, 0) without one; White's is first.
        """
        places = self._rules._places
        found = np.zeros(sets_shape(4, places.words), np.uint64)
        rules = self._rules
        state = rules._functions.write_position(rules._table, rules._geometry, self._records, found, number)
        men, kings, enemy_men, enemy_kings = (mask_of(places, row) for row in found)
        runs = [state >> RUN + RUN_WIDTH * side & (1 << RUN_WIDTH) - 1 for side in range(2)]
        white, black = [(places.bit[run & RUN_PLACE], run >> RUN_MOVES) if run >> RUN_MOVES else (0, 0) for run in runs]
        side = int(self._records[np.searchsorted(self._records["first"], number, "right") - 1]["side"])
        return (men, kings, enemy_men, enemy_kings), side, (white, black)

    def number(self, pieces: Pieces, side: int, runs: tuple[tuple[int, int], tuple[int, int]]) -> int:
        """Return the number of a position given as `pieces` returns it; -1 where a man stands on its promotion row."""
        rules = self._rules
        places, without_men = rules._places, rules._without_men
        if pieces[0] & without_men[side] or pieces[2] & without_men[1 - side]:
            return -1
        state = RUNS if rules._limit else 0
        for place, (bit, moves) in enumerate(runs):
            if moves:
                state |= (places.place[bit] | moves << RUN_MOVES) << RUN + RUN_WIDTH * place
        number = rules._functions.find_number(
            rules._table, rules._geometry, self._records, self._found, rows(places, pieces), side, state
        )
        return int(number)

    def _end(self, sections: int) -> int:
        return int(self._records[:sections]["size"].sum())

    def _solve(self, name: str, *arguments: Any) -> int:
        """Call a function of the solver; raise RulesetError where it gives up."""
        rules = self._rules
        begin(rules._search)
        result = getattr(rules._functions, name)(
            rules._table, rules._search, rules._geometry, self._records, self._found, self.codes, *arguments
        )
        if rules._search[0]["gave_up"]:
            raise RulesetError("a position has too many captures for compiled code, or is too many plies from its end")
        return int(result)


def _parts(last: int) -> list[tuple[int, int]]:
    """Return where each part of the numbers below `last` that one call handles begins and ends."""
    return [(start, min(start + _AT_ONCE, last)) for start in range(0, last, _AT_ONCE)]


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
