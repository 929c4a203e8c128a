"""Which positions a game by some rules can have, as far as a position shows it; and what is wrong with the others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from .action import Spin
from .board import opponent
from .huffing import Lapse, before_lapse, lapse_of
from .position import Position
from .runs import objection as run_objection
from .tables import SIDES
from .trapdoors import open_doors
from .turn import Turns


def objection(turns: Turns, position: Position) -> str | None:
    """Why a game by the rules of these turns cannot have the position, in one line; None if it can."""
    for chapter in _CHAPTERS:
        if wrong := chapter(turns, position):
            return wrong
    return None


def _to_pieces(turns: Turns, position: Position) -> str | None:
    """No game begins without pieces, and only doors take the last ones; a man on its crownhead is crowned.

    `promotion.return`: one that passed over it in a capture and came back may not be.
    """
    rules, board = turns.rules, position.board
    if rules.trapdoors is None and not position.occupied("white") | position.occupied("black"):
        return "no pieces on the board"
    for side in SIDES if rules.promotion.return_ != "not-crowned" else ():
        uncrowned = position.men(side) & turns.movement.generator.tables.promotion_rows[SIDES.index(side)]
        if uncrowned:
            squares = ", ".join(map(str, board.numbers(uncrowned)))
            return f"{side} man on its crownhead: {squares}, expected a king"
    return None


def _to_fields(turns: Turns, position: Position) -> str | None:
    """What is pending, and the sliders, are those of a game that has them."""
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
    if rules.huff is not None and position.compelled and rules.huff.retracted != "must-capture":
        return "found compelled, but a move taken back compels nobody in these rules"
    return None


def _to_doors(turns: Turns, position: Position) -> str | None:
    """No door is open that closes at once (`trapdoors.closing`), and nothing stands on one that it falls through.

    `trapdoors.falls`: whose pieces may stand on an open door depends on who opened it, where it is the opponent's.
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


def _to_spin(turns: Turns, position: Position) -> str | None:
    """A spin has a result that the spinner has, and was one that the side to move had.

    Where it may have followed a capture (`spin.when`), the position before the spin need not be one to begin a turn.
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


def _to_huffing(turns: Turns, position: Position) -> str | None:
    """A side is compelled to a capture that it has, and a lapse can have been played."""
    if position.huffable is None:
        if position.compelled and not turns.can_capture(position):
            return "found compelled, but no capture is possible"
        return None
    if position.compelled:
        return f"found huffable={position.huffable} with compelled, expected one of them"
    what = f"found huffable={position.huffable}"
    lapse = Lapse.of(position)
    start, end = lapse.start, lapse.end
    board, side = position.board, opponent(position.turn)
    if str(lapse) != position.huffable:
        return f"{what}, expected it written {lapse}"
    if not all(1 <= square <= len(board) for square in (start, end, *lapse.captured)):
        return f"{what}, but the board has squares 1 to {len(board)}"
    emptied = {start, *lapse.captured}
    if len(emptied) <= len(lapse.captured):
        return f"{what}, but names a square twice"
    for square in sorted(emptied - {end} if lapse.captured else emptied):  # a capture can end where it has been
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


def _to_runs(turns: Turns, position: Position) -> str | None:
    """A run is no longer than `king.move.limit` lets it be, of a king that is there, and of a side that has a man."""
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
        if wrong := run_objection(position, side):
            return f"{what}, but {wrong}"
    return None


_CHAPTERS: tuple[Callable[[Turns, Position], str | None], ...] = (
    _to_pieces,
    _to_fields,
    _to_doors,
    _to_spin,
    _to_huffing,
    _to_runs,
)
