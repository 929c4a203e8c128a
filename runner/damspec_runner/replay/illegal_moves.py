"""Why a move is illegal: what stands in its way, or the rule without which it would be legal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from damspec import Move, Position, Ruleset, load_ruleset, ruleset_ids
from damspec.board import Board
from damspec.errors import InvalidMoveError
from damspec.king_runs import without_runs
from damspec.pdn.notation import Notation, notation_of
from damspec.vocabulary import word_value

from ..answers.player import RulePlayer
from ..mutants.mutants import relaxed_mutants

#: The number of nearest legal moves listed.
_NEAREST = 5


@dataclass(frozen=True)
class IllegalMoveReason:
    """Why a move is illegal: the reason, the rule if any, the nearest legal moves, the rulesets that allow it."""

    says: str
    rule: str | None
    nearest: tuple[str, ...]
    legal_by: tuple[str, ...]


def find_reason(ruleset: Ruleset, position: Position, text: str) -> IllegalMoveReason:
    """Explain why the move in `text` is illegal in a position."""
    notation, rule = notation_of(ruleset), None
    try:
        squares, captures = notation.squares(text)
    except InvalidMoveError:
        squares, captures = (), 0
    says = _find_obstacle(notation, position, squares) if squares else None
    if says is None:
        rule = next((rule for rule, relaxed in _relaxed_players(ruleset) if _allows(relaxed, position, text)), None)
        says = word_value(rule, ruleset.values.get(rule)).rstrip(".") if rule else "no such move"
    return IllegalMoveReason(
        says,
        rule,
        _nearest_moves(notation, position, squares or (0,)),
        tuple(_allowing_rulesets(ruleset, position, squares, "x" if captures else "-")),
    )


def _find_obstacle(notation: Notation, position: Position, squares: Sequence[int]) -> str | None:
    """Describe what stands on the move's first or last square, if that prevents it; else None."""
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
def _relaxed_players(ruleset: Ruleset) -> list[tuple[str, RulePlayer]]:
    return [(rule, RulePlayer(mutant.ruleset)) for rule, mutant in relaxed_mutants(ruleset)]


def _allows(player: RulePlayer, position: Position, text: str) -> bool:
    legal = [action for action in player.turns.actions(player.fit(position)) if isinstance(action, Move)]
    try:
        return bool(notation_of(player.ruleset).matching_moves(text, legal))
    except InvalidMoveError:
        return False


def _nearest_moves(notation: Notation, position: Position, squares: Sequence[int]) -> tuple[str, ...]:
    """Return the legal moves most like a move: of the same piece, to the same square, then the others."""
    near = sorted(
        notation.ruleset.turns.actions(position),
        key=lambda action: (
            not isinstance(action, Move) or (action.start != squares[0], action.end != squares[-1]) == (True, True),
            isinstance(action, Move) and action.start != squares[0],
        ),
    )
    return tuple(notation.text_of(position, action) for action in near[:_NEAREST])


def _allowing_rulesets(ruleset: Ruleset, position: Position, squares: Sequence[int], sign: str) -> Iterator[str]:
    """Yield the shipped rulesets by which a move over the same squares is legal."""
    bits = [position.board.bit(square) for square in squares]
    for id in ruleset_ids() if squares else ():
        other = load_ruleset(id)
        board = other.rules.board
        if id == ruleset.base or not _same_squares(board, position.board):
            continue
        there = position if board == position.board else _renumber(position, board)
        if _allows(RulePlayer(other), there, sign.join(str(board.number(bit)) for bit in bits)):
            yield id


def _same_squares(one: Board, other: Board) -> bool:
    return set(one.places) == set(other.places) and one.squares == other.squares


def _renumber(position: Position, board: Board) -> Position:
    """Return a position on a board with the same squares under other numbers."""
    return replace(without_runs(position), board=board, sliders=None, spin=None, huffable=None)
