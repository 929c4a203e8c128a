"""The end of the game: who has won, or that it is drawn, and by what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NoReturn

from .action import Action
from .board import Side, opponent
from .errors import expect, expect_word
from .move import Move
from .position import Position
from .turn import Turns

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


def ended(turns: Turns, position: Position, actions: Sequence[Action] | None = None) -> Outcome:
    """The outcome in a position by some rules; `actions` are those open to the side to move, if they are known."""
    decided, drawn = _decided(turns, position, actions), _drawn(turns, position)
    # ending.order
    first, second = (drawn, decided) if turns.rules.ending.order == "draws-first" else (decided, drawn)
    if first is not None:
        return first
    return second if second is not None else Outcome("ongoing")


def _decided(turns: Turns, position: Position, actions: Sequence[Action] | None) -> Outcome | None:
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


def _is_blocked(turns: Turns, position: Position, actions: Sequence[Action] | None) -> bool:
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


def _drawn(turns: Turns, position: Position) -> Outcome | None:
    """The draw that the pieces on the board make; the first that is listed, if several do."""
    # ending.draws
    found = (draw for draw in turns.rules.ending.draws if _is_drawn(turns, position, draw))
    return next((Outcome("draw", draw) for draw in found), None)


def _is_drawn(turns: Turns, position: Position, draw: str) -> bool:
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
