"""Draws by what went before: repetition, moves of kings alone, and endings that have lasted long enough.

A position does not show them, so they are asked about a game: its positions, and the actions between them. Counts are
of moves that each side has made with a piece. Spins and slides do not count, and a move that was taken back was not
made; but what changes the pieces on the board, whatever it is, ends every count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from .action import Action, Retract
from .board import Side, opponent
from .ending import Outcome, ended
from .move import Move
from .position import Position
from .rules import DrawRules, Force, Rules, endings_named, totals_named
from .turn import Turns

#: What the outcome's reason is called, by the rule that draws.
REASONS = {
    "draws.repetition": "repetition",
    "draws.king-moves": "king-moves",
    "draws.endings": "ending",
    "draws.balance": "balance",
    "draws.main-road": "main-road",
}
_BOTH: tuple[Side, Side] = ("white", "black")


class _Done(NamedTuple):
    """What was done in a position; `move` is None where no piece was moved."""

    before: Position
    move: Move | None
    after: Position


def standing(
    turns: Turns, positions: Sequence[Position], actions: Sequence[Action], legal: Sequence[Action] | None = None
) -> Outcome:
    """How a game stands after `actions` that led through `positions`, the first before and the last after all of them.

    Who has won on the board has won; only then is it asked what went before. `legal` are the actions that are open now,
    if they are known.
    """
    now = ended(turns, positions[-1], legal)
    return now if now.is_over else drawn(turns.rules, positions, actions)


def drawn(rules: Rules, positions: Sequence[Position], actions: Sequence[Action]) -> Outcome:
    """The draw that a game's positions and actions make now, the first in the order of the rules; else it goes on."""
    if rules.draws is None or not actions:
        return Outcome("ongoing")
    rule = next(_draws(rules.draws, positions, _steps(positions, actions)), None)
    return Outcome("ongoing") if rule is None else Outcome("draw", REASONS[rule])


def _draws(draws: DrawRules, positions: Sequence[Position], steps: Sequence[_Done]) -> Iterator[str]:
    """Each rule by which the game is drawn now."""
    now = positions[-1]
    # draws.repetition
    if draws.repetition is not None and positions.count(now) >= draws.repetition:
        yield "draws.repetition"
    # draws.king-moves
    if draws.king_moves is not None and _made(steps, _is_no_progress) >= draws.king_moves:
        yield "draws.king-moves"
    # draws.endings
    if _has_lasted(draws.endings, now, steps, _is_ending):
        yield "draws.endings"
    # draws.balance
    if _has_lasted(draws.balance, now, steps, lambda key, position: _is_balance(key, position, now)):
        yield "draws.balance"
    # draws.main-road
    if _has_lasted(draws.main_road, now, steps, _is_on_main_road):
        yield "draws.main-road"


def _has_lasted(
    numbers: Mapping[str, int] | None, now: Position, steps: Sequence[_Done], names: Callable[[str, Position], bool]
) -> bool:
    """Whether some key names the position now, and has named it for its number of moves."""
    for key, number in (numbers or {}).items():
        if names(key, now) and _made(steps, partial(_is_named, names, key)) >= number:
            return True
    return False


def _is_named(names: Callable[[str, Position], bool], key: str, step: _Done) -> bool:
    return names(key, step.before)


def _made(steps: Sequence[_Done], lasts: Callable[[_Done], bool]) -> int:
    """The number of moves that each side has made at least in the last steps of which something is true."""
    made = dict.fromkeys(_BOTH, 0)
    for step in reversed(steps):
        if not lasts(step):
            break
        if step.move is not None:
            made[step.before.turn] += 1
    return min(made.values())


def _steps(positions: Sequence[Position], actions: Sequence[Action]) -> list[_Done]:
    steps: list[_Done] = []
    for (before, after), action in zip(pairwise(positions), actions, strict=True):
        if not isinstance(action, Retract):
            steps.append(_Done(before, action if isinstance(action, Move) else None, after))
        elif steps:
            steps.pop()
    return steps


def _is_no_progress(step: _Done) -> bool:
    by_man = step.move is not None and step.before.men(step.before.turn) & step.before.board.bit(step.move.start)
    return not by_man and _forces(step.before) == _forces(step.after)


def _is_ending(key: str, position: Position) -> bool:
    white, black = _forces(position)
    return (white, black) in endings_named(key) or (black, white) in endings_named(key)


def _is_balance(key: str, position: Position, now: Position) -> bool:
    (white, _), (black, _) = forces = _forces(position)
    return len(position) in totals_named(key) and white > 0 and black > 0 and forces == _forces(now)


def _is_on_main_road(key: str, position: Position) -> bool:
    """Whether it is such an ending and the weaker side holds the main road: it stands there with all it has."""
    road = position.board.main_road
    return any(
        (_force(position, opponent(weak)), _force(position, weak)) in endings_named(key)
        and not position.occupied(weak) & ~road
        for weak in _BOTH
    )


def _forces(position: Position) -> tuple[Force, Force]:
    return _force(position, "white"), _force(position, "black")


def _force(position: Position, side: Side) -> Force:
    return position.kings(side).bit_count(), position.men(side).bit_count()
