"""What a position has beside its pieces, packed in one number, and the rules of turns as numbers in the table.

The number has the chapter of a turn with a spinner and where the sliders stand, or the runs of both sides' kings: no
game has both.
"""

from __future__ import annotations

from itertools import count

from ..layout import Layout
from ..position import KingRun, Position
from ..rules import Rules
from ..tables import SIDES
from .places import Numbers, SquarePlaces
from .table import TURNS

#: The chapters of a turn, by the lowest bits: not spun, a spin is due, and the results of the spinner.
_CHAPTERS = (None, "due", "disc", "green", "orange", "both")
CHAPTER, DUE, FIRST_RESULT, CHAPTERS = 7, 1, 2, len(_CHAPTERS)
#: Set where the runs of kings are followed. Each side's run is a square and a number of moves, 0 without a run.
RUNS, RUN, RUN_WIDTH, RUN_SQUARE, RUN_MOVES = 8, 8, 16, 0xFF, 8
#: Two bits are what counts as one move; all that is not of the position itself.
_CONVENTION, KIND = 4, 0x38
#: Two bits for each slider: closed, left, right.
STANDING = 8
_LETTERS, _MOST_SLIDERS = "MLR", 20

# --- in the table -----------------------------------------------------------------------------------------------
_place = count(TURNS)
#: The limit of king runs; how the sliders stood when the doors were opened last; how many there are, and results.
LIMIT, OPENED, SLIDERS, RESULTS = (next(_place) for _ in range(4))
THROUGH, CLOSES, FALLS, SPINS_AFTER_CAPTURE, BLOCKED_SPINS, MAY_DECLINE = (next(_place) for _ in range(6))
#: For each chapter what it allows, and for each slider its colour and the squares of its left and its right door.
ALLOWED = TURNS + 16
SLIDER, SLIDER_WIDTH = ALLOWED + len(_CHAPTERS), 3

#: What a chapter allows, bits; with MOVES and SPINS a spin where there is no capture.
MOVES, SPINS, GREEN, ORANGE = 1, 2, 4, 8
_OUTCOMES = {"piece": MOVES, "green-slider": GREEN, "orange-slider": ORANGE, "any-slider": GREEN | ORANGE}
#: Values of `trapdoors.closing` and of `trapdoors.falls`.
STAYS_OPEN, CLOSES_AT_ONCE, MAY_CLOSE = range(3)
ANY_FALL, MEN_FALL, OPPONENTS_FALL = range(3)
_CLOSING, _FALLING = ("stays-open", "at-once", "optional"), ("any", "men", "opponents")


def write_turns(table: Numbers, rules: Rules, places: SquarePlaces) -> None:
    """Writes what turns are by these rules."""
    doors, spin = rules.trapdoors, rules.spin
    table[TURNS:] = 0
    table[LIMIT] = rules.king.move_limit or 0
    table[ALLOWED] = MOVES
    if doors and spin:
        table[ALLOWED : ALLOWED + FIRST_RESULT] = MOVES | SPINS, SPINS
        for result, allowed in spin.outcomes.items():
            table[ALLOWED + _CHAPTERS.index(result)] = _OUTCOMES[allowed]
        table[RESULTS] = len(spin.outcomes)
        table[THROUGH] = doors.step == "through"
        table[CLOSES] = _CLOSING.index(doors.closing)
        table[FALLS] = _FALLING.index(doors.falls)
        table[SPINS_AFTER_CAPTURE] = spin.when == "after-capture"
        table[BLOCKED_SPINS] = spin.blocked == "spins"
        table[MAY_DECLINE] = spin.slide == "may-decline"
        table[SLIDERS] = min(len(doors.layout.sliders), _MOST_SLIDERS)
        for number, slider in enumerate(doors.layout.sliders[:_MOST_SLIDERS]):
            squares = (places.place(rules.board.bit(square)) for square in (slider.left, slider.right))
            colour = GREEN if slider.colour == "green" else ORANGE
            start = SLIDER + SLIDER_WIDTH * number
            table[start : start + SLIDER_WIDTH] = colour, *squares


def state_of(rules: Rules, position: Position, depth: int, places: SquarePlaces, convention: int) -> int | None:
    """The number of a position, for so many moves by a convention; None if it has more than goes into it.

    Runs of kings are left out where they cannot show.
    """
    if position.huffable is not None or position.compelled:
        return None
    kind = convention << _CONVENTION
    if rules.trapdoors:
        standing = _standing(rules.trapdoors.layout, position)
        return None if standing is None else kind | standing
    if _shows(rules.king.move_limit, position, depth):
        white, black = (_run(position, position.run(side), places) for side in SIDES)
        return kind | RUNS | white << RUN | black << RUN + RUN_WIDTH
    return kind


def _standing(layout: Layout, position: Position) -> int | None:
    letters = position.sliders or layout.closed
    if len(letters) > _MOST_SLIDERS:
        return None
    number = _CHAPTERS.index(position.spin)
    for place, letter in enumerate(letters):
        number |= _LETTERS.index(letter) << STANDING + 2 * place
    return number


def _shows(limit: int | None, position: Position, depth: int) -> bool:
    """Whether a king can be at the limit when one of so many moves is to be made, so that its runs have to be known.

    Each side makes every other move, all but the last of which can make its run longer.
    """
    if limit is None:
        return False
    runs = [run.moves if run else 0 for run in (position.run(side) for side in SIDES)]
    own = SIDES.index(position.turn)
    return runs[own] + (depth - 1) // 2 >= limit or runs[1 - own] + (depth - 2) // 2 >= limit


def _run(position: Position, run: KingRun | None, places: SquarePlaces) -> int:
    return places.place(position.board.bit(run.square)) | run.moves << RUN_MOVES if run else 0
