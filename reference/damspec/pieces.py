"""The pieces of a position: as the side to move sees them, and a position after a change of them."""

from __future__ import annotations

from dataclasses import replace

from .board import Side, opponent
from .frozen import unchecked
from .position import Position
from .tables import SIDES, Pieces


def seen_by_mover(position: Position) -> tuple[Pieces, int]:
    """The bitboards as the side to move sees them, and that side's index."""
    white, black = (position.white_men, position.white_kings), (position.black_men, position.black_kings)
    return ((*white, *black), 0) if position.turn == "white" else ((*black, *white), 1)


def with_pieces(position: Position, pieces: Pieces, side: int) -> Position:
    """The position of bitboards as `side`, now to move, sees them; nothing is pending."""
    own, enemy = pieces[:2], pieces[2:]
    white, black = (own, enemy) if side == 0 else (enemy, own)
    return unchecked(
        Position,
        board=position.board,
        white_men=white[0],
        white_kings=white[1],
        black_men=black[0],
        black_kings=black[1],
        turn=SIDES[side],
        sliders=position.sliders,
        spin=None,
        huffable=None,
        compelled=False,
        white_run=None,
        black_run=None,
        layout=position.layout,
    )


def with_side(position: Position, side: Side, men: int, kings: int) -> Position:
    """The position with other pieces of one side."""
    if side == "white":
        return replace(position, white_men=men, white_kings=kings)
    return replace(position, black_men=men, black_kings=kings)


def without(position: Position, gone: int) -> Position:
    """The position without the pieces on some squares."""
    return replace(
        position,
        white_men=position.white_men & ~gone,
        white_kings=position.white_kings & ~gone,
        black_men=position.black_men & ~gone,
        black_kings=position.black_kings & ~gone,
    )


def passed(position: Position) -> Position:
    """The position with the turn passed to the other side, nothing pending."""
    return replace(position, turn=opponent(position.turn), spin=None, huffable=None, compelled=False)
