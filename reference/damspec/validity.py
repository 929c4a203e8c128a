"""Valid positions: which can occur under a ruleset, what is wrong with the others, and the phases of a turn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from .board import SIDES, Side, each, opponent
from .huffing import HuffableOffence, before_lapse, lapse_of
from .king_runs import find_run_invalidity
from .move import Spin
from .position import Position, open_doors
from .rules import Rules
from .turn import ActionGenerator


def find_invalidity(turns: ActionGenerator, position: Position) -> str | None:
    """Return in one line why a position cannot occur under these rules, or None if it can."""
    for check in _CHECKS:
        if wrong := check(turns, position):
            return wrong
    return None


def _check_pieces(turns: ActionGenerator, position: Position) -> str | None:
    """Check that there are pieces, unless doors can take the last ones, and no man stands on its promotion row.

    `promotion.return` may leave a man uncrowned that passed over the row in a capture and came back.
    """
    rules, board = turns.rules, position.board
    if rules.trapdoors is None and not position.occupied("white") | position.occupied("black"):
        return "no pieces on the board"
    for side in SIDES if rules.promotion.return_ != "not-crowned" else ():
        uncrowned = position.men(side) & turns.movement.generator.tables.promotion_rows[SIDES.index(side)]
        if uncrowned:
            squares = ", ".join(map(str, board.numbers(uncrowned)))
            return f"{side} man on its promotion row: {squares}, expected a king"
    return None


def _check_fields(turns: ActionGenerator, position: Position) -> str | None:
    """Check that sliders, spin and huffing fields occur only under rules that have them."""
    rules = turns.rules
    if rules.trapdoors is None:
        for name, value in (("sliders", position.sliders), ("spin", position.spin)):
            if value:
                return f"found {name}={value}, but there are no trapdoors in these rules"
    elif len(position.sliders or "") != len(rules.trapdoors.layout.sliders):
        names = ", ".join(slider.id for slider in rules.trapdoors.layout.sliders)
        return f"found sliders={position.sliders}, expected a letter for each of {names}"
    if rules.huff is None and (position.huffable or position.compelled):
        found = "compelled" if position.compelled else f"huffable={position.huffable}"
        return f"found {found}, but there is no huffing in these rules"
    if rules.huff is not None and position.compelled and not rules.compels:
        return "found compelled, but a move taken back compels nobody in these rules"
    return None


def _check_doors(turns: ActionGenerator, position: Position) -> str | None:
    """Check that doors that close at once (`trapdoors.closing`) are shut, and no piece stands where it would fall.

    Where only the opponent's pieces fall (`trapdoors.falls`), any piece may stand on an open door: it depends on who
    opened it.
    """
    trapdoors = turns.rules.trapdoors
    if trapdoors is None:
        return None
    doors = open_doors(turns.rules, position)
    standing = {
        "any": position.occupied("white") | position.occupied("black"),
        "men": position.men("white") | position.men("black"),
        "opponents": 0,
    }[trapdoors.falls]
    if trapdoors.closing == "at-once" and doors:
        return f"found sliders={position.sliders}, but doors close again at once: expected all sliders in the middle"
    if standing & doors:
        squares = ", ".join(map(str, position.board.numbers(standing & doors)))
        return f"piece on an open door: {squares}, expected it to have fallen"
    return None


def _check_spin(turns: ActionGenerator, position: Position) -> str | None:
    """Check that the spinner has this result, and that the side to move could spin.

    Where the spin may have followed a capture (`spin.when`), the position before it need not be the beginning of a
    turn.
    """
    spin, found = turns.rules.spin, position.spin
    if spin is None or found is None:
        return None
    if found == "due":
        return None if spin.when == "after-capture" else "found spin=due, but no spin follows a capture in these rules"
    if found not in spin.outcomes:
        return f"found spin={found}, expected one of {', '.join(spin.outcomes)}"
    if spin.when == "after-capture" or Spin(found) in turns.actions(replace(position, spin=None)):
        return None
    if turns.can_capture(position):
        return f"found spin={found}, but a capture is possible, which comes before a spin"
    return f"found spin={found}, but {position.turn} cannot move a piece and does not spin: the game is over"


def _check_huffing(turns: ActionGenerator, position: Position) -> str | None:
    """Check that a compelled side has a capture, and that a huffable offence can have been played."""
    if position.huffable is None:
        if position.compelled and not turns.can_capture(position):
            return "found compelled, but no capture is possible"
        return None
    if position.compelled:
        return f"found huffable={position.huffable} with compelled, expected one of them"
    what = f"found huffable={position.huffable}"
    lapse = HuffableOffence.of(position)
    start, end = lapse.start, lapse.end
    board, side = position.board, opponent(position.turn)
    if str(lapse) != position.huffable:
        return f"{what}, expected it written {lapse}"
    if not all(1 <= square <= len(board) for square in (start, end, *lapse.captured)):
        return f"{what}, but the board has squares 1 to {len(board)}"
    emptied = {start, *lapse.captured}
    if len(emptied) <= len(lapse.captured):
        return f"{what}, but names a square twice"
    for square in sorted(emptied - {end} if lapse.captured else emptied):  # a capture can end where it began
        if position[square] is not None:
            return f"{what}, but square {square} is not empty"
    piece = position[end]
    if piece is None or piece.side != side:
        return f"{what}, but no {side} piece stands on {end}"
    if lapse.crowned and piece.kind == "man":
        return f"{what}, but the piece on {end} is a man, expected a king"
    before = before_lapse(position)
    if lapse not in [lapse_of(before, move) for move in turns.lapses(before)]:
        if not turns.can_capture(before):
            return f"{what}, but no capture was possible before that move"
        return f"{what}, but that move could not be played"
    return None


def _check_runs(turns: ActionGenerator, position: Position) -> str | None:
    """Check that king runs are within `king.move.limit`, of a king that is there, on a side that has a man."""
    limit = turns.rules.king.move_limit
    for side in SIDES if position.white_run or position.black_run else ():
        run = position.run(side)
        if run is None:
            continue
        what = f"found a run of {run.moves} by the {side} king on {run.square}"
        if limit is None:
            return f"{what}, but these rules do not limit the moves of a king"
        if run.moves > limit:
            return f"{what}, expected at most {limit}"
        if wrong := find_run_invalidity(position, side):
            return f"{what}, but {wrong}"
    return None


_CHECKS: tuple[Callable[[ActionGenerator, Position], str | None], ...] = (
    _check_pieces,
    _check_fields,
    _check_doors,
    _check_spin,
    _check_huffing,
    _check_runs,
)


def may_be_reached(turns: ActionGenerator, position: Position) -> bool:
    """Return whether a game may come to a valid position; False is certain.

    These conditions are necessary, by the rules, and not sufficient:

    - no side has more pieces than it began with;
    - where the first king ends the game (`ending.first-king`), it is the only one, and the side that moved last has it;
    - the side that moved last, which is not to move, has a piece, since its moves cost it none: two where a side with
      one piece has lost (`ending.one-piece`), for it had no more before its move;
    - if it has men only, one of them has an empty square behind it, in a direction in which men move, or two in one in
      which they capture: from there it came, and what it captured is gone.

    Of the last two neither holds at the start, nor where doors can take a side's own pieces (`trapdoors`). The third
    does not hold after a huff that keeps the turn (`huff.turn`), the fourth after any remedy (`huff`).
    """
    rules, last = turns.rules, opponent(position.turn)
    crowned = rules.ending.first_king and (position.kings(position.turn) or position.kings(last).bit_count() > 1)
    if crowned or not within(material(rules), position):
        return False
    if rules.trapdoors or position == Position.start(rules):
        return True
    kept = rules.huff is not None and rules.huff.turn == "kept"
    if not kept and position.occupied(last).bit_count() < (2 if rules.ending.one_piece else 1):
        return False
    return bool(rules.huff or position.kings(last) or rules.man.move_over_own) or _may_have_come(rules, position, last)


def _may_have_come(rules: Rules, position: Position, side: Side) -> bool:
    """Return whether a man of a side has empty squares behind it from which it can have moved or jumped."""
    board, taken = position.board, position.occupied("white") | position.occupied("black")
    ways = dict.fromkeys((*rules.man.capture_first, *rules.man.capture_later), 2 + (rules.man.capture_gap or 0))
    return any(
        # A direction as the other side sees it is the way back.
        len(way_back := board.ray(bit, way, opponent(side))[:steps]) == steps and not sum(way_back) & taken
        for way, steps in (ways | dict.fromkeys(rules.man.move_directions, 1)).items()
        for bit in each(position.men(side))
    )


#: The phase in which nothing is pending: no spin, no huffable offence, no compelled capture, no king run.
PLAIN = "plain"


def fewest_pieces(rules: Rules) -> int:
    """Return the minimum number of pieces: 0 only where trapdoors can take the last pieces of both sides."""
    return 1 if rules.trapdoors is None else 0


def material(rules: Rules) -> tuple[int, int]:
    """Return the maximum number of pieces of White and of Black: as many as they begin with."""
    start = Position.start(rules)
    return start.occupied("white").bit_count(), start.occupied("black").bit_count()


def within(material: tuple[int, int], position: Position) -> bool:
    """Return whether a position has at most `material` pieces of White and of Black."""
    white, black = position.occupied("white"), position.occupied("black")
    return white.bit_count() <= material[0] and black.bit_count() <= material[1]


def phases(rules: Rules) -> tuple[str, ...]:
    """Return the phases of a turn that positions can be in, named after their FEN field; the first is `plain`.

    In phase `run` a king has made several quiet moves in a row, where that is limited.
    """
    spin, huff = rules.spin, rules.huff
    found = [PLAIN]
    if spin is not None:
        found += [f"spin={result}" for result in spin.outcomes]
        found += ["spin=due"] if spin.when == "after-capture" else []
    if huff is not None:
        found += ["huffable"]
        found += ["compelled"] if rules.compels else []
    if rules.king.move_limit is not None:
        found += ["run"]
    return tuple(found)


def phase_of(position: Position) -> str:
    """Return the phase of a turn that a position is in."""
    if position.spin is not None:
        return f"spin={position.spin}"
    if position.white_run or position.black_run:
        return "run"
    return "huffable" if position.huffable else "compelled" if position.compelled else PLAIN
