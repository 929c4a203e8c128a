"""Faults in captures: own pieces that are passed or captured."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from damspec import Board
from damspec.board import each
from damspec.move import PackedMove
from damspec.movegen import MoveGenerator, apply_capture_precedence
from damspec.position import Pieces
from damspec.tables import Tables

from .faults import FaultyGenerator, FindCaptures, Values, hook


@hook("captures", "own-passed", "own-captured")
def past_own_pieces(v: Values, turns: FaultyGenerator) -> FindCaptures:
    """Men or kings capture their own pieces, or pass one of them on the way to a capture."""
    rules, tables = turns.rules, Tables(turns.rules)
    every = MoveGenerator(replace(rules, capture=replace(rules.capture, choice=())))

    def find(pieces: Pieces, side: int, doors: int) -> list[PackedMove]:
        men, kings, other_men, other_kings = pieces
        taken = "piece" in v  # own pieces are passed where none is named
        wrong = (
            step
            for own in each(men | kings)
            for step in every.captures((men & ~own, kings & ~own, other_men | own * taken, other_kings), side, doors)
            if step.start & (men if v.get("piece") == "men" else kings) and _is_past(rules.board, step, own)
        )
        found = [*dict.fromkeys([*every.captures(pieces, side, doors), *wrong])]
        return apply_capture_precedence(tables, found, pieces) if found else []

    return find


def _is_past(board: Board, step: PackedMove, square: int) -> bool:
    """Return whether a leg of a capture passes a square, on which it does not land, before what it captures."""
    lines = (board.between(*leg) or () for leg in pairwise(map(board.number, step.path)))
    return square not in step.path and any(
        square in line and step.captured & sum(line[line.index(square) :]) for line in lines
    )
