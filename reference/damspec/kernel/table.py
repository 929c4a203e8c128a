"""The rules of one game as arrays of numbers, which compiled code reads: flags, directions, shifts, neighbours.

`table` is an array of integers, `work` one of words in rows: sets that the rules name, what was found so far, and what
a search has seen. Names in capitals say where what stands.
"""

from __future__ import annotations

from itertools import count

import numpy as np

from ..board import DIRECTIONS, Board
from ..rules import Rules
from ..tables import SIDES
from .places import Numbers, SquarePlaces, Words

# --- the table: first what a search writes, then the values of rules -------------------------------------------
_place = count()
FOUND, GAVE_UP, SEARCH, KEPT = (next(_place) for _ in range(4))
MAN_REACH, KING_REACH, TWICE, TAKES_ANY = (next(_place) for _ in range(4))
REACH_ONE, LANDING, BEHIND_LAST_KING, CONTINUING, NOT_BACK = (next(_place) for _ in range(5))
OPTIONAL, FOR_MEN, MAY_STOP, BINDS_PIECE, KING_EXTRA, AT_ONCE, ORIGIN_EMPTY = (next(_place) for _ in range(7))
MID_CAPTURE, RETURN_CROWNED = (next(_place) for _ in range(2))
LANDING_ENDS, QUIET_FALLS, PASSING_BLOCKED, PASSING_FALLS = (next(_place) for _ in range(4))
IN_ORDER = next(_place)
#: What counts as one move (`counting`), and its values.
CONVENTION = next(_place)
UNIQUE, SEQUENCES, PATHS = range(3)
CONVENTIONS = ("unique", "sequences", "paths")
#: How many criteria of the choice there are, and then the criteria.
CHOICE = next(_place)

#: Values of `promotion.mid-capture`.
STOPS, AS_MAN, AS_KING, AS_MAN_ELSE_KING = range(4)
_MID_CAPTURE = ("stops", "as-man", "as-king", "as-man-else-king")
#: The criteria of `capture.choice`.
MOST_PIECES, MULTIPLE, MULTIPLE_WHEN_MIXED, WITH_KING, MOST_KINGS, KING_FIRST = range(6)
_CRITERIA = (
    "most-pieces", "multiple-before-single", "multiple-when-mixed", "with-king", "most-kings", "king-first",
)  # fmt: skip

# Lists of directions, for each side how many and which, as White sees them: opposite ones add up to LAST_DIRECTION.
WAYS = 9
MAN_MOVES, MAN_FIRST, MAN_LATER, KING_MOVES, KING_CAPTURES = range(48, 48 + 5 * 2 * WAYS, 2 * WAYS)
LAST_DIRECTION = 7
#: For each direction how far a set is shifted up and how far down.
SHIFTS = 144
#: For each direction and square its neighbour, -1 if there is none.
NEIGHBOURS, SQUARES = 160, 256
#: What turns with sliders and a spinner are (`state`).
TURNS = NEIGHBOURS + len(DIRECTIONS) * SQUARES
_TABLE = TURNS + 128

# --- the work: sets of so many words, then the moves that were found, then what a search has seen ----------------
WIDTH = 4
ALL, CROWNHEAD, ENEMY_MEN, ENEMY_KINGS, DOORS, PITS, WALLS, ENDS = (WIDTH * n for n in (0, 1, 3, 4, 5, 6, 7, 8))
#: For each direction the squares that have a neighbour there.
INSIDE = WIDTH * 9
#: A king that makes no quiet move.
RESTING = WIDTH * 17
#: A row of the work is a move, in one word (`packed`), the order of kings among what it captures, whether the choice
#: has left it, and what it captures.
ROW = 8
ORDER, ALIVE, CAPTURED = range(1, 4)
MOVES, MOST_MOVES = 16 * ROW, 1 << 16
SEEN, MOST_SEEN = MOVES + ROW * MOST_MOVES, 1 << 18
_WORK = SEEN + ROW * MOST_SEEN


def tables(rules: Rules, places: SquarePlaces) -> tuple[Numbers, Words]:
    """The table and the work for a set of rules."""
    table = np.zeros(_TABLE, np.int64)
    work = np.zeros(_WORK, np.uint64)
    _write_neighbours(table, work, rules.board, places)
    places.write(rules.board.all, work, ALL)
    rewrite(table, work, rules, places)
    return table, work


def rewrite(table: Numbers, work: Words, rules: Rules, places: SquarePlaces) -> None:
    """Makes the table and the work those of other rules on the same board, with doors only if the first have some."""
    _write_flags(table, rules)
    _write_directions(table, rules)
    for side, other in enumerate(SIDES[::-1]):
        places.write(rules.board.nearest_rows(rules.promotion.rows, other), work, CROWNHEAD + WIDTH * side)


def _write_flags(table: Numbers, rules: Rules) -> None:
    man, king, capture, doors = rules.man, rules.king, rules.capture, rules.trapdoors
    far = len(rules.board)
    table[MAN_REACH] = far if man.move_reach == "any" else man.move_reach
    table[KING_REACH] = far if king.move_reach == "any" else king.move_reach
    table[TWICE] = king.move_slides == "twice"
    table[TAKES_ANY] = man.capture_takes == "any"
    table[REACH_ONE] = king.capture_reach == 1
    table[LANDING] = {"behind": 1, "within-two": 2}.get(king.capture_landing, far)
    table[BEHIND_LAST_KING] = king.capture_landing == "behind-last-king"
    table[CONTINUING] = king.capture_landing == "continuing"
    table[NOT_BACK] = king.capture_turning == "not-back"
    table[OPTIONAL] = capture.duty == "optional"
    table[FOR_MEN] = capture.duty == "compulsory-for-men"
    table[MAY_STOP] = capture.completion == "may-stop"
    table[BINDS_PIECE] = capture.binds == "piece"
    table[KING_EXTRA] = round(100 * (capture.king_weight or 1)) - 100
    table[AT_ONCE] = capture.removal == "at-once"
    table[ORIGIN_EMPTY] = capture.origin == "empty"
    table[MID_CAPTURE] = _MID_CAPTURE.index(rules.promotion.mid_capture)
    table[RETURN_CROWNED] = rules.promotion.return_ != "not-crowned"
    if doors:
        table[LANDING_ENDS] = doors.capture_landing == "ends"
        table[QUIET_FALLS] = doors.quiet_landing == "falls"
        table[PASSING_BLOCKED] = doors.passing == "blocked"
        table[PASSING_FALLS] = doors.passing == "falls"
    table[IN_ORDER] = "king-first" in capture.choice
    table[CHOICE] = len(capture.choice)
    for place, criterion in enumerate(capture.choice, CHOICE + 1):
        table[place] = _CRITERIA.index(criterion)


def _write_directions(table: Numbers, rules: Rules) -> None:
    names = [*DIRECTIONS]
    lists = {
        MAN_MOVES: rules.man.move_directions,
        MAN_FIRST: rules.man.capture_first,
        MAN_LATER: rules.man.capture_later,
        KING_MOVES: rules.king.move_directions,
        KING_CAPTURES: rules.king.capture_directions,
    }
    for base, directions in lists.items():
        numbers = [names.index(direction) for direction in directions]
        for start, seen in ((base, numbers), (base + WAYS, [LAST_DIRECTION - number for number in numbers])):
            table[start] = len(seen)
            table[start + 1 : start + 1 + len(seen)] = seen


def _write_neighbours(table: Numbers, work: Words, board: Board, places: SquarePlaces) -> None:
    table[NEIGHBOURS:] = -1
    for number, direction in enumerate(DIRECTIONS):
        inside, distance = 0, 0
        for bit in board.bits:
            if there := board.step(bit, direction, "white"):
                here, next_ = places.place(bit), places.place(there)
                table[NEIGHBOURS + SQUARES * number + here] = next_
                inside, distance = inside | bit, next_ - here
        places.write(inside, work, INSIDE + WIDTH * number)
        table[SHIFTS + 2 * number] = max(distance, 0)
        table[SHIFTS + 2 * number + 1] = max(-distance, 0)
