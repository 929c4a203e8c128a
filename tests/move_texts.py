"""What the generator finds, in text: a step for each path, `22x15x8(11,18)`, with `=K` behind one that crowns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from damspec import Board, Position, from_values
from damspec.move import PackedMove
from damspec.movegen import MoveGenerator
from damspec.position import Pieces


def generator(values: dict[str, Any]) -> MoveGenerator:
    """The generator of bare rule values."""
    return MoveGenerator(from_values(values, "bare values").rules)


def seen(board: Board, fen: str) -> tuple[Pieces, int]:
    """The pieces of a position as the side to move sees them, and that side: 0 is White."""
    position = Position.from_fen(fen, board)
    white, black = (position.white_men, position.white_kings), (position.black_men, position.black_kings)
    return ((*white, *black), 0) if position.turn == "white" else ((*black, *white), 1)


def captures(values: dict[str, Any], fen: str, doors: Sequence[int] = ()) -> list[str]:
    """Every legal capture of the side to move; `doors` are the squares with open trapdoors."""
    moves = generator(values)
    return shown(moves.board, moves.captures(*seen(moves.board, fen), moves.board.mask(doors)))


def steps(values: dict[str, Any], fen: str, doors: Sequence[int] = ()) -> list[str]:
    """Every legal move of the side to move."""
    moves = generator(values)
    return shown(moves.board, moves.steps(*seen(moves.board, fen), moves.board.mask(doors)))


def shown(board: Board, found: Iterable[PackedMove]) -> list[str]:
    """Steps in text, sorted."""
    return sorted(_text(board, step) for step in found)


def _text(board: Board, step: PackedMove) -> str:
    captured = board.numbers(step.captured)
    slides = len(step.path) - 1 - len(captured)
    text = "".join(
        ("" if leg < 0 else "-" if leg < slides else "x") + str(board.number(bit))
        for leg, bit in enumerate(step.path, -1)
    )
    return text + (f"({','.join(map(str, captured))})" if captured else "") + ("=K" if step.crowned else "")
