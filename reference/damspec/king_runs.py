"""King runs: consecutive quiet moves of one king, which `king.move.limit` can restrict.

A run lasts while its side plays nothing else. It is part of the position: the FEN says how long it is, and a king that
has reached the limit has no quiet move. A side without men has no runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from .board import SIDES, Side, opponent
from .move import Move, PackedMove
from .position import KingRun, Position, with_sliders
from .rules import Rules


def is_at_limit(limit: int | None, position: Position) -> int:
    """Return the king of the side to move that has reached the limit, as a bitboard; 0 if there is none."""
    run = position.run(position.turn)
    if limit is None or run is None or run.moves < limit or not position.men(position.turn):
        return 0
    return position.board.bit(run.square) & position.kings(position.turn)


def moves_within_limit(limit: int | None, position: Position, steps: list[PackedMove]) -> list[PackedMove]:
    """Return packed moves without the quiet moves of a king that has reached the limit."""
    king = is_at_limit(limit, position)
    return [step for step in steps if step.captured or step.start != king] if king else steps


def run_after(limit: int | None, position: Position, move: Move, after: Position) -> Position:
    """Return the position after a move with the runs of both sides updated: extended, begun or ended."""
    if limit is None:
        return after
    side, run = position.turn, None
    if not move.captured and position.board.bit(move.start) & position.kings(side):
        last = position.run(side)
        run = KingRun(move.end, last.moves + 1 if last and last.square == move.start else 1)
    other = opponent(side)
    return drop_moot_runs(after.with_run(side, run).with_run(other, position.run(other)))


def drop_moot_runs(position: Position) -> Position:
    """Return the position without a run whose king is gone or whose side has only kings."""
    for side in SIDES:
        if find_run_invalidity(position, side):
            position = position.with_run(side, None)
    return position


def without_runs(position: Position) -> Position:
    """Return the position without runs."""
    return replace(position, white_run=None, black_run=None) if position.white_run or position.black_run else position


def fit_runs(limit: int | None, position: Position) -> Position:
    """Return the position as a game with this limit records it: without runs if there is no limit."""
    return without_runs(position) if limit is None else position


def fit_position(rules: Rules, position: Position) -> Position:
    """Return the position as a game by these rules records it: without the sliders, spin and runs that they lack."""
    position = fit_runs(rules.king.move_limit, position)
    if rules.trapdoors is not None:
        return with_sliders(rules, position)
    has_fields = position.sliders is not None or position.spin is not None
    return replace(position, sliders=None, spin=None) if has_fields else position


def find_run_invalidity(position: Position, side: Side) -> str | None:
    """Return why a side cannot have its run, or None if it can or has none."""
    run = position.run(side)
    if run is None:
        return None
    if not 1 <= run.square <= len(position.board) or not position.board.bit(run.square) & position.kings(side):
        return f"no {side} king stands on {run.square}"
    return None if position.men(side) else f"{side} has kings only, whose moves are not counted"


def king_runs(side: Side, position: Position, limit: int | None) -> Iterator[Position]:
    """Yield the position with every run that a side can have: each king, from one move up to the limit."""
    if position.men(side):
        for square in position.board.numbers(position.kings(side)):
            for moves in range(1, (limit or 0) + 1):
                yield position.with_run(side, KingRun(square, moves))


def can_end(limit: int | None, position: Position, depth: int) -> bool:
    """Return whether a king can reach the limit early enough to affect a move count at `depth`."""
    if limit is None:
        return False
    moves = {position.turn: (depth + 1) // 2, opponent(position.turn): depth // 2}
    return any(number > limit - (run.moves if (run := position.run(side)) else 0) for side, number in moves.items())
