"""Records for compiled code: the rules of a game, a search for moves, and the state of a position."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import cache
from typing import Any, TypeAlias

import numpy as np

from ..board import DIRECTIONS, SIDES, Board
from ..errors import RulesetError, quote_any
from ..position import KingRun, Position
from ..rules import Directions, Rules, TrapdoorRules, steps_of

#: An array of records.
Records: TypeAlias = np.ndarray[Any, np.dtype[np.void]]
Words: TypeAlias = np.ndarray[Any, np.dtype[np.uint64]]

#: The maximum number of places for squares, and of sliders.
MOST_PLACES, MOST_SLIDERS = 256, 20
#: The capacity of a search: moves, and entries of its hash table (a power of two).
MOST_MOVES, MOST_SEEN = 1 << 16, 1 << 18

#: Values of `capture.duty`; compiled code does not play huffing.
COMPULSORY, FOR_MEN, OPTIONAL = range(3)
_DUTY = {"compulsory": COMPULSORY, "compulsory-for-men": FOR_MEN, "optional": OPTIONAL, "huffing": COMPULSORY}
#: Values of `capture.completion`.
WHOLE, MAY_STOP, ONE = range(3)
_COMPLETION = {"whole": WHOLE, "may-stop": MAY_STOP, "one": ONE}
#: Values of `promotion.mid-capture`.
STOPS, AS_MAN, AS_KING, AS_MAN_ELSE_KING = range(4)
_MID_CAPTURE = {"stops": STOPS, "as-man": AS_MAN, "as-king": AS_KING, "as-man-else-king": AS_MAN_ELSE_KING}
#: The criteria of `capture.choice`.
MOST_PIECES, MULTIPLE, MULTIPLE_WHEN_MIXED, WITH_KING, MOST_KINGS, KING_FIRST = range(6)
_CRITERIA = {
    "most-pieces": MOST_PIECES,
    "multiple-before-single": MULTIPLE,
    "multiple-when-mixed": MULTIPLE_WHEN_MIXED,
    "with-king": WITH_KING,
    "most-kings": MOST_KINGS,
    "king-first": KING_FIRST,
}
#: Values of `trapdoors.closing` and of `trapdoors.falls`.
STAYS_OPEN, CLOSES_AT_ONCE, MAY_CLOSE = range(3)
_CLOSING = {"stays-open": STAYS_OPEN, "at-once": CLOSES_AT_ONCE, "optional": MAY_CLOSE}
ANY_FALL, MEN_FALL, OPPONENTS_FALL = range(3)
_FALLS = {"any": ANY_FALL, "men": MEN_FALL, "opponents": OPPONENTS_FALL}

#: The phases of a turn: not spun, a spin is due, and the results of the spinner.
PHASES: Mapping[str | None, int] = {None: 0, "due": 1, "disc": 2, "green": 3, "orange": 4, "both": 5}
DUE, FIRST_RESULT = 1, 2
#: What a phase allows, as bits; MOVES and SPINS together allow a spin only where there is no capture.
MOVES, SPINS, GREEN, ORANGE = 1, 2, 4, 8
_OUTCOMES = {"piece": MOVES, "green-slider": GREEN, "orange-slider": ORANGE, "any-slider": GREEN | ORANGE}
_COLOURS = {"green": GREEN, "orange": ORANGE}

#: What counts as one move (`perft_counts`).
UNIQUE, SEQUENCES, PATHS = range(3)
CONVENTIONS = {"unique": UNIQUE, "sequences": SEQUENCES, "paths": PATHS}

#: Directions as White sees them: opposite ones add up to LAST_DIRECTION.
LAST_DIRECTION = len(DIRECTIONS) - 1


@cache
def rule_dtype(words: int) -> np.dtype[np.void]:
    """Return the record type of a set of rules, on boards that need `words` words; fields are named after rules.

    Directions are, for each side, their number and then each of them. Squares are places (`SquarePlaces`).
    """
    number, flag, bits = np.int64, np.bool_, np.uint64
    directions = (2, 1 + len(DIRECTIONS))
    fields: list[Any] = [
        ("squares", bits, (words,)),
        ("inside", bits, (len(DIRECTIONS), words)),  # squares that have a neighbour in a direction
        ("shift_up", bits, (len(DIRECTIONS),)),
        ("shift_down", bits, (len(DIRECTIONS),)),
        ("neighbours", number, (len(DIRECTIONS), 64 * words)),  # -1 if there is none
        ("promotion_rows", bits, (2, words)),
        ("promotion_mid_capture", number),
        ("promotion_return_crowned", flag),
        ("man_move_directions", number, directions),
        ("man_move_reach", number),
        ("man_move_over_own", number, directions),
        ("man_capture_first", number, directions),
        ("man_capture_later", number, directions),
        ("man_capture_takes_any", flag),
        ("king_move_directions", number, directions),
        ("king_move_reach", number),
        ("king_move_twice", flag),
        ("king_move_limit", number),
        ("king_capture_directions", number, directions),
        ("king_capture_adjacent", flag),
        ("king_capture_landing", number),  # the number of squares it can land on
        ("king_capture_finish_behind_last_king", flag),
        ("king_capture_finish_continuing", flag),
        ("king_capture_not_back", flag),
        ("capture_duty", number),
        ("capture_may_stop", flag),
        ("capture_one", flag),  # a single jump
        ("capture_criteria", number),
        ("capture_choice", number, (len(_CRITERIA),)),
        ("capture_king_first", flag),
        ("capture_binds_piece", flag),
        ("capture_king_extra", number),  # in hundredths of a man
        ("capture_at_once", flag),
        ("capture_origin_empty", flag),
        ("doors_quiet_landing_falls", flag),
        ("doors_capture_landing_ends", flag),
        ("doors_passing_blocked", flag),
        ("doors_passing_falls", flag),
        ("doors_step_through", flag),
        ("doors_closing", number),
        ("doors_falls", number),
        ("sliders", number),
        ("slider_colour", number, (MOST_SLIDERS,)),
        ("slider_doors", number, (MOST_SLIDERS, 3)),  # none with the slider closed, then left and right
        ("spin_results", number),
        ("spin_after_capture", flag),
        ("spin_when_blocked", flag),
        ("spin_may_decline", flag),
        ("phase_allows", number, (len(PHASES),)),
    ]
    return np.dtype(fields, align=True)


@cache
def search_dtype(words: int) -> np.dtype[np.void]:
    """Return the record type of a search: the moves found, the open doors, and a hash table of places visited."""
    number, bits = np.int64, np.uint64
    fields: list[Any] = [
        ("convention", number),
        ("found", number),  # the number of moves
        ("gave_up", np.bool_),  # there was not enough room
        ("opened", number),  # the sliders when the doors were last opened
        ("doors", bits, (words,)),
        ("pits", bits, (words,)),  # doors where a capture ends
        ("walls", bits, (words,)),  # doors that no king passes
        ("ends", bits, (words,)),  # doors where a passing king falls
        ("resting", bits, (words,)),  # a king that may not make a quiet move
        ("enemy_men", bits, (words,)),
        ("enemy_kings", bits, (words,)),
        ("move", number, (MOST_MOVES,)),  # start, end and whether it crowns a man (`movegen.packed`)
        ("order", bits, (MOST_MOVES,)),  # which jumps were over kings; of an action, the state after it
        ("captured", bits, (MOST_MOVES, words)),
        ("alive", np.uint8, (MOST_MOVES,)),  # whether capture precedence leaves it
        ("searches", number),
        ("seen", number),  # entries used by this search
        ("seen_in", number, (MOST_SEEN,)),
        ("seen_what", number, (MOST_SEEN,)),
        ("seen_order", bits, (MOST_SEEN,)),
        ("seen_captured", bits, (MOST_SEEN, words)),
    ]
    return np.dtype(fields, align=True)


class SquarePlaces:
    """The place of each square of a board in the sets of compiled code.

    Where only dark squares are playable, places are the bits of `board`, so that one step in a direction is one shift.
    Where all are, they are numbered without gaps, and squares at the edge are removed before a shift. Raises
    RulesetError for a board that is too large.
    """

    def __init__(self, board: Board) -> None:
        self._moved = board.squares == "all"
        places = [
            (board.rows - 1 - row) * board.columns + column if self._moved else bit.bit_length() - 1
            for (column, row), bit in zip(board.places, board.bits, strict=True)
        ]
        if max(places) >= MOST_PLACES:
            raise RulesetError(f"board.size: found {board.columns}x{board.rows}, too large for compiled code")
        self._place = dict(zip(board.bits, places, strict=True))
        self._bit = dict(zip(places, board.bits, strict=True))
        needed = max(places) // 64 + 1
        self.words = needed if needed < 3 else 4

    def place(self, bit: int) -> int:
        """Return the place of the square with this bit in bitboards."""
        return self._place[bit]

    def bit(self, place: int) -> int:
        """Return the bit in bitboards of the square at a place."""
        return self._bit[place]

    def row(self, mask: int) -> list[int]:
        """Return a bitboard as the words of a set."""
        if self._moved:
            mask = sum(1 << self._place[bit] for bit in self._place if bit & mask)
        return [mask >> 64 * word & 0xFFFF_FFFF_FFFF_FFFF for word in range(self.words)]

    def mask(self, row: Words) -> int:
        """Return the bitboard of a set."""
        number: int = sum(int(word) << 64 * place for place, word in enumerate(row))
        if self._moved:
            return sum(bit for place, bit in self._bit.items() if number >> place & 1)
        return number


def fits(board: Board) -> bool:
    """Return whether a board is small enough for compiled code."""
    try:
        SquarePlaces(board)
    except RulesetError:
        return False
    return True


def rule_table(rules: Rules, places: SquarePlaces) -> Records:
    """Return an array with one record: these rules.

    Raises RulesetError for a value of a rule that compiled code does not know.
    """
    table = np.zeros(1, rule_dtype(places.words))
    fill(table[0], rules, places)
    return table


def new_search(words: int, number: int = 1) -> Records:
    """Return records for searches, in which nothing has been found."""
    return np.zeros(number, search_dtype(words))


def begin(searches: Records, convention: int = UNIQUE) -> None:
    """Reset searches: nothing found, all doors shut and no king resting."""
    searches["convention"], searches["found"], searches["gave_up"], searches["opened"] = convention, 0, False, -1
    for field in ("doors", "pits", "walls", "ends", "resting"):
        searches[field] = 0


def fill(table: Any, rules: Rules, places: SquarePlaces) -> None:
    """Write rules to a record. Raises RulesetError for a value of a rule that compiled code does not know."""
    board, far = rules.board, len(rules.board)
    man, king, capture, promotion = rules.man, rules.king, rules.capture, rules.promotion
    _fill_board(table, board, places)
    for name, directions in {
        "man_move_directions": man.move_directions,
        "man_move_over_own": man.move_over_own or (),
        "man_capture_first": man.capture_first,
        "man_capture_later": man.capture_later,
        "king_move_directions": king.move_directions,
        "king_capture_directions": king.capture_directions,
    }.items():
        _fill_directions(table[name], name, directions)
    for side, other in enumerate(SIDES[::-1]):
        table["promotion_rows"][side] = places.row(board.nearest_rows(promotion.rows, other))
    completion = _number_of("capture.completion", capture.completion, _COMPLETION)
    values = {
        "man_move_reach": steps_of("man.move.reach", man.move_reach, board),
        "man_capture_takes_any": _number_of("man.capture.takes", man.capture_takes, {"any": True, "men": False}),
        "king_move_reach": steps_of("king.move.reach", king.move_reach, board),
        "king_move_twice": _number_of("king.move.slides", king.move_slides, {"once": False, "twice": True}),
        "king_move_limit": king.move_limit or 0,
        "king_capture_adjacent": _number_of("king.capture.reach", king.capture_reach, {1: True, "any": False}),
        "king_capture_landing": _number_of(
            "king.capture.landing", king.capture_landing, {"behind": 1, "within-two": 2, "any": far}
        ),
        "king_capture_finish_continuing": _number_of(
            "king.capture.finish", king.capture_finish, {None: False, "continuing": True, "behind-last-king": False}
        ),
        "king_capture_finish_behind_last_king": king.capture_finish == "behind-last-king",
        "king_capture_not_back": _number_of(
            "king.capture.turning", king.capture_turning, {None: False, "not-back": True}
        ),
        "capture_duty": _number_of("capture.duty", capture.duty, _DUTY),
        "capture_may_stop": completion == MAY_STOP,
        "capture_one": completion == ONE,
        "capture_king_first": "king-first" in capture.choice,
        "capture_binds_piece": _number_of("capture.binds", capture.binds, {None: False, "path": False, "piece": True}),
        "capture_king_extra": round(100 * (capture.king_weight or 1)) - 100,
        "capture_at_once": _number_of("capture.removal", capture.removal, {"at-once": True, "at-end": False}),
        "capture_origin_empty": _number_of("capture.origin", capture.origin, {"empty": True, "occupied": False}),
        "promotion_mid_capture": _number_of("promotion.mid-capture", promotion.mid_capture, _MID_CAPTURE),
        "promotion_return_crowned": _number_of(
            "promotion.return", promotion.return_, {None: True, "crowned": True, "not-crowned": False}
        ),
        "capture_criteria": len(capture.choice),
    }
    for name, value in values.items():
        table[name] = value
    for place, criterion in enumerate(capture.choice):
        table["capture_choice"][place] = _number_of("capture.choice", criterion, _CRITERIA)
    _fill_turns(table, rules, places)


def _number_of(rule: str, value: Hashable, numbers: Mapping[Any, int]) -> int:
    """Return the number in the record for a value of a rule. Raises RulesetError if there is none."""
    if value not in numbers:
        raise RulesetError(f"{rule}: found {quote_any(value)}, which compiled code does not know")
    return numbers[value]


def _fill_board(table: Any, board: Board, places: SquarePlaces) -> None:
    table["squares"] = places.row(board.all)
    table["neighbours"] = -1
    for number, direction in enumerate(DIRECTIONS):
        inside, distance = 0, 0
        for bit in board.bits:
            if there := board.step(bit, direction, "white"):
                here, next_ = places.place(bit), places.place(there)
                table["neighbours"][number, here] = next_
                inside, distance = inside | bit, next_ - here
        table["inside"][number] = places.row(inside)
        table["shift_up"][number] = max(distance, 0)
        table["shift_down"][number] = max(-distance, 0)


def _fill_directions(field: Any, rule: str, directions: Directions) -> None:
    """Write a list of directions for both sides: Black's forward is White's backward."""
    numbers = {direction: number for number, direction in enumerate(DIRECTIONS)}
    seen = [_number_of(rule.replace("_", "."), direction, numbers) for direction in directions]
    field[:, 0] = len(seen)
    field[0, 1 : 1 + len(seen)] = seen
    field[1, 1 : 1 + len(seen)] = [LAST_DIRECTION - number for number in seen]


def _fill_turns(table: Any, rules: Rules, places: SquarePlaces) -> None:
    """Write what doors and the spinner do; without a spinner a turn is one move."""
    table["phase_allows"] = MOVES
    table["sliders"] = table["spin_results"] = 0
    flags = ("quiet_landing_falls", "capture_landing_ends", "passing_blocked", "passing_falls")
    for name in flags:
        table[f"doors_{name}"] = False
    if rules.trapdoors:
        _fill_doors(table, rules.trapdoors)
    if not (rules.trapdoors and rules.spin):
        return
    doors, spin = rules.trapdoors, rules.spin
    table["phase_allows"] = 0
    table["phase_allows"][:FIRST_RESULT] = MOVES | SPINS, SPINS
    for result, allowed in spin.outcomes.items():
        phase = _number_of(
            "spin.outcomes", result, {name: PHASES[name] for name in ("disc", "green", "orange", "both")}
        )
        table["phase_allows"][phase] = _number_of("spin.outcomes", allowed, _OUTCOMES)
    table["spin_results"] = len(spin.outcomes)
    table["spin_after_capture"] = _number_of("spin.when", spin.when, {"no-capture": False, "after-capture": True})
    table["spin_when_blocked"] = _number_of("spin.blocked", spin.blocked, {"loses": False, "spins": True})
    table["spin_may_decline"] = _number_of("spin.slide", spin.slide, {"compulsory": False, "may-decline": True})
    sliders = doors.layout.sliders[:MOST_SLIDERS]
    table["sliders"] = len(sliders)
    for number, slider in enumerate(sliders):
        table["slider_colour"][number] = _number_of("trapdoors.layout", slider.colour, _COLOURS)
        squares = [places.place(rules.board.bit(square)) for square in (slider.left, slider.right)]
        table["slider_doors"][number] = 0, *squares


def _fill_doors(table: Any, doors: TrapdoorRules) -> None:
    quiet, capture = doors.quiet_landing, doors.capture_landing
    passing = _number_of("trapdoors.passing", doors.passing, {"over": 0, "blocked": 1, "falls": 2})
    table["doors_quiet_landing_falls"] = _number_of(
        "trapdoors.quiet-landing", quiet, {"falls": True, "forbidden": False}
    )
    table["doors_capture_landing_ends"] = _number_of(
        "trapdoors.capture-landing", capture, {"ends": True, "only-last": False}
    )
    table["doors_passing_blocked"] = passing == 1
    table["doors_passing_falls"] = passing == 2
    table["doors_step_through"] = _number_of("trapdoors.step", doors.step, {"through": True, "one": False})
    table["doors_closing"] = _number_of("trapdoors.closing", doors.closing, _CLOSING)
    table["doors_falls"] = _number_of("trapdoors.falls", doors.falls, _FALLS)


# --- the state of a position besides its pieces -------------------------------------------------------------------
#: One number: three bits are the phase of the turn, and the next is set where king runs are recorded.
PHASE, RUNS = 7, 8
#: The king runs of both sides, each a square and a number of moves, 0 without a run; a game with doors has none.
RUN, RUN_WIDTH, RUN_SQUARE, RUN_MOVES = 8, 16, 0xFF, 8
#: Two bits for the convention; the mask of all that does not belong to the position itself.
_CONVENTION, KIND = 4, 0x38
#: Two bits for each slider: closed, left, right.
STANDING = 8
_STANDING_OF = {"M": 0, "L": 1, "R": 2}


def state_of(rules: Rules, position: Position, depth: int, places: SquarePlaces, convention: int) -> int | None:
    """Return the state of a position, to count `depth` moves by a convention; None if it cannot be expressed.

    King runs are left out where they cannot affect the count.
    """
    if position.huffable is not None or position.compelled:
        return None
    kind = convention << _CONVENTION
    if rules.trapdoors:
        letters = position.sliders or rules.trapdoors.layout.middle_letters
        if len(letters) > MOST_SLIDERS:
            return None
        standing = sum(_STANDING_OF[letter] << STANDING + 2 * place for place, letter in enumerate(letters))
        return kind | standing | PHASES[position.spin]
    if _shows(rules.king.move_limit, position, depth):
        white, black = (_run(position, position.run(side), places) for side in SIDES)
        return kind | RUNS | white << RUN | black << RUN + RUN_WIDTH
    return kind


def _shows(limit: int | None, position: Position, depth: int) -> bool:
    """Return whether a king can reach the limit early enough to affect a count of `depth` moves.

    Each side makes every other move, all but the last of which can extend its run.
    """
    if limit is None:
        return False
    runs = [run.moves if run else 0 for run in (position.run(side) for side in SIDES)]
    own = SIDES.index(position.turn)
    return runs[own] + (depth - 1) // 2 >= limit or runs[1 - own] + (depth - 2) // 2 >= limit


def _run(position: Position, run: KingRun | None, places: SquarePlaces) -> int:
    return places.place(position.board.bit(run.square)) | run.moves << RUN_MOVES if run else 0
