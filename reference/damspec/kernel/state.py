"""The state of a position besides its pieces, as one number (`constants`)."""

from __future__ import annotations

from ..board import SIDES
from ..position import KingRun, Position
from ..rules import Rules
from .constants import MOST_SLIDERS, PHASES, RUN, RUN_MOVES, RUN_WIDTH, RUNS, STANDING, places_of
from .places import SquarePlaces

_STANDING_OF = {"M": 0, "L": 1, "R": 2}


def state_of(rules: Rules, position: Position, depth: int) -> int | None:
    """Return the state of a position, to look `depth` moves ahead; None if it cannot be expressed.

    King runs are left out where they cannot affect the count.
    """
    if position.huffable is not None or position.compelled:
        return None
    places = places_of(rules.board)
    if rules.trapdoors:
        letters = position.sliders or rules.trapdoors.layout.middle_letters
        if len(letters) > MOST_SLIDERS:
            return None
        standing = sum(_STANDING_OF[letter] << STANDING + 2 * place for place, letter in enumerate(letters))
        return standing | PHASES[position.spin]
    if _shows(rules.king.move_limit, position, depth):
        white, black = (_run(position, position.run(side), places) for side in SIDES)
        return RUNS | white << RUN | black << RUN + RUN_WIDTH
    return 0


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
    return places.place[position.board.bit(run.square)] | run.moves << RUN_MOVES if run else 0
