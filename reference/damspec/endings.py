"""How a game ends: no pieces, no moves, and the draws that depend on its history."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Literal, NamedTuple, NoReturn

from .board import Side, opponent
from .errors import expect, expect_word
from .move import Action, Move, Retract
from .position import Position
from .rules import DrawRules, Force, Rules, endings_named, totals_named
from .turn import ActionGenerator

#: What an answer to `ending.both-empty` means for the side that moved last.
_BOTH_EMPTY = {"mover-wins": "wins", "mover-loses": "loses", "draw": "draws"}


@dataclass(frozen=True)
class Outcome:
    """Whether the game is over: `result` is `ongoing`, a side that has won, or `draw`; `reason` says by what.

    It is neither true nor false, since a game that goes on has an outcome too: ask `is_over` or `winner`.

    >>> over = Outcome("white", "no-pieces")
    >>> over.is_over, over.winner, str(over)
    (True, 'white', 'white (no-pieces)')
    """

    result: Literal["ongoing", "white", "black", "draw"]
    reason: str | None = None

    def __post_init__(self) -> None:
        expect_word(self.result, "result", ("ongoing", "white", "black", "draw"))
        expect(self.reason, "reason", str | None, "a text or None")

    @property
    def is_over(self) -> bool:
        """Whether a side has won, or the game is drawn."""
        return self.result != "ongoing"

    @property
    def winner(self) -> Side | None:
        """The side that has won; None in a draw, and while the game goes on."""
        return self.result if self.result in ("white", "black") else None

    def as_json(self) -> dict[str, str]:
        """As cases and `--json` write it: the result, and the reason if there is one."""
        return {"result": self.result, **({"reason": self.reason} if self.reason else {})}

    def __bool__(self) -> NoReturn:
        raise TypeError("an Outcome is neither true nor false: ask is_over or winner")

    def __str__(self) -> str:
        return f"{self.result} ({self.reason})" if self.reason else self.result


def outcome_of_position(turns: ActionGenerator, position: Position, actions: Sequence[Action] | None = None) -> Outcome:
    """The outcome in a position by some rules; `actions` are those open to the side to move, if they are known."""
    decided, drawn = _decided(turns, position, actions), _drawn(turns, position)
    # ending.order
    first, second = (drawn, decided) if turns.rules.ending.order == "draws-first" else (decided, drawn)
    if first is not None:
        return first
    return second if second is not None else Outcome("ongoing")


def _decided(turns: ActionGenerator, position: Position, actions: Sequence[Action] | None) -> Outcome | None:
    """The outcome when a side has a king where that decides, no pieces or no move."""
    ending, mover = turns.rules.ending, opponent(position.turn)
    # ending.first-king
    if ending.first_king:
        for side in (mover, position.turn):
            if position.kings(side):
                return _verdict(ending.first_king, side, "first-king")
    empty = [side for side in (position.turn, mover) if not position.occupied(side)]
    # ending.both-empty
    if len(empty) == 2 and ending.both_empty:
        last = position.turn if position.spin == "due" else mover
        return _verdict(_BOTH_EMPTY[ending.both_empty], last, "both-empty")
    # ending.no-pieces
    if empty:
        return _verdict(ending.no_pieces, empty[0], "no-pieces")
    # ending.no-moves
    if _is_blocked(turns, position, actions):
        return _verdict(ending.no_moves, position.turn, "no-moves")
    return None


def _is_blocked(turns: ActionGenerator, position: Position, actions: Sequence[Action] | None) -> bool:
    """Whether the side to move, which has pieces, cannot move.

    `ending.blocked`: whether where there is huffing a remedy counts as a move, or nothing but a quiet move does.
    """
    blocked = turns.rules.ending.blocked
    if blocked == "no-step":
        return not turns.movement.quiet(position)
    if actions is None:
        actions = turns.actions(position)
    return not (any(isinstance(action, Move) for action in actions) if blocked == "no-piece-move" else actions)


def _verdict(verb: str, side: Side, reason: str) -> Outcome:
    match verb:
        case "loses":
            return Outcome(opponent(side), reason)
        case "wins":
            return Outcome(side, reason)
        case _:
            return Outcome("draw", reason)


def _drawn(turns: ActionGenerator, position: Position) -> Outcome | None:
    """The draw that the pieces on the board make; the first that is listed, if several do."""
    # ending.draws
    found = (draw for draw in turns.rules.ending.draws if _is_drawn(turns, position, draw))
    return next((Outcome("draw", draw) for draw in found), None)


def _is_drawn(turns: ActionGenerator, position: Position, draw: str) -> bool:
    white, black = position.occupied("white"), position.occupied("black")
    if white.bit_count() != 1 or black.bit_count() != 1:
        return False
    match draw:
        case "one-piece-each":
            return True
        case "one-piece-each-same-kind":
            return bool(position.white_men) == bool(position.black_men)
        case _:  # one-piece-each-no-capture
            return not turns.can_capture(position)


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
    turns: ActionGenerator,
    positions: Sequence[Position],
    actions: Sequence[Action],
    legal: Sequence[Action] | None = None,
) -> Outcome:
    """How a game stands after `actions` that led through `positions`, the first before and the last after all of them.

    Who has won on the board has won; only then is it asked what went before. `legal` are the actions that are open now,
    if they are known.
    """
    now = outcome_of_position(turns, positions[-1], legal)
    return now if now.is_over else find_draw(turns.rules, positions, actions)


def find_draw(rules: Rules, positions: Sequence[Position], actions: Sequence[Action]) -> Outcome:
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
