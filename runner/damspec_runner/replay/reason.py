"""Why a move is illegal: what is in its way, or the rule without which it would be legal; and whose rules allow it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from damspec import Move, Position, Ruleset, load_ruleset, ruleset_ids
from damspec.board import Board
from damspec.errors import InvalidMove
from damspec.pdn.notation import notation_of
from damspec.runs import without_runs
from damspec.vocabulary import worded

from ..answers.player import Player
from ..variants.lifting import lifted

#: Legal moves that are named as the nearest.
_NEAREST = 5


@dataclass(frozen=True)
class Refusal:
    """Why a move is illegal, in words; the rule behind it, if one is; the nearest legal moves; whose rules allow it."""

    says: str
    rule: str | None
    nearest: tuple[str, ...]
    legal_by: tuple[str, ...]


def reason(ruleset: Ruleset, position: Position, text: str) -> Refusal:
    """Why a move that a text means is illegal in a position."""
    says, rule = _obstacle(ruleset, position, text), None
    if says is None:
        rule = next((rule for rule, relaxed in _relaxed(ruleset) if _allows(relaxed, position, text)), None)
        says = worded(rule, ruleset.values.get(rule)).rstrip(".") if rule else "no such move"
    return Refusal(says, rule, _nearest(ruleset, position, text), tuple(_elsewhere(ruleset, position, text)))


def _obstacle(ruleset: Ruleset, position: Position, text: str) -> str | None:
    """What stands on the squares a move goes from and to, if that is why it cannot be played."""
    notation = notation_of(ruleset)
    try:
        squares, _ = notation.squares(text)
    except InvalidMove:
        return None
    start, end = squares[0], squares[-1]
    piece, mover = position[start], position.turn.capitalize()
    if piece is None:
        return f"no piece stands on {notation.square(start)}"
    if piece.side != position.turn:
        return f"{mover} is to move, and the piece on {notation.square(start)} is {piece.side.capitalize()}'s"
    if end != start and position[end] is not None:
        return f"a piece stands on {notation.square(end)}"
    return None


@cache
def _relaxed(ruleset: Ruleset) -> list[tuple[str, Player]]:
    return [(rule, Player(mutant.ruleset)) for rule, mutant in lifted(ruleset)]


def _allows(player: Player, position: Position, text: str) -> bool:
    """Whether a move is legal by other rules."""
    legal = [action for action in player.turns.actions(player.fitted(position)) if isinstance(action, Move)]
    try:
        return bool(notation_of(player.ruleset).meant(text, legal))
    except InvalidMove:
        return False


def _nearest(ruleset: Ruleset, position: Position, text: str) -> tuple[str, ...]:
    """The legal moves that are most like a text: of the same piece, to the same square, then the others."""
    notation, legal = notation_of(ruleset), ruleset.turns.actions(position)
    try:
        squares, _ = notation.squares(text)
    except InvalidMove:
        squares = (0,)
    near = sorted(
        legal,
        key=lambda action: (
            not isinstance(action, Move) or (action.start != squares[0], action.end != squares[-1]) == (True, True),
            isinstance(action, Move) and action.start != squares[0],
        ),
    )
    return tuple(
        notation.written(position, action) if isinstance(action, Move) else str(action) for action in near[:_NEAREST]
    )


def _elsewhere(ruleset: Ruleset, position: Position, text: str) -> Iterator[str]:
    """The shipped rulesets by which a move is legal in a position, on the same squares."""
    try:
        squares, captures = notation_of(ruleset).squares(text)
    except InvalidMove:
        return
    bits = [position.board.bit(square) for square in squares]
    for id in ruleset_ids():
        other = load_ruleset(id)
        board = other.rules.board
        if id == ruleset.base or not _same_squares(board, position.board):
            continue
        there = position if board == position.board else _renumbered(position, board)
        if _allows(Player(other), there, ("x" if captures else "-").join(str(board.number(bit)) for bit in bits)):
            yield id


def _same_squares(one: Board, other: Board) -> bool:
    return set(one.places) == set(other.places) and one.squares == other.squares


def _renumbered(position: Position, board: Board) -> Position:
    """A position on a board with the same squares under other numbers: the same bits."""
    return replace(without_runs(position), board=board, sliders=None, spin=None, huffable=None)
