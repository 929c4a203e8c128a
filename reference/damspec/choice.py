"""The choice among captures (`capture.choice`): ranked criteria, each keeping those that are best by it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from .tables import Pieces, Step, Tables


def chosen(tables: Tables, found: list[Step], pieces: Pieces) -> list[Step]:
    """The captures that the rules let a side choose from.

    `capture.binds`: whether the criteria bind to the best captures, or only to a piece that has one of them.
    """
    best = found
    for criterion in tables.capture_choice:
        best = _best(tables, best, criterion, pieces)
    if tables.capture_binds_piece:
        starts = {step.start for step in best}
        return [step for step in found if step.start in starts]
    return best


def _best(tables: Tables, found: list[Step], criterion: str, pieces: Pieces) -> list[Step]:
    """The captures that are best by one criterion of `capture.choice`.

    `capture.king-weight` is what a king adds to a count of pieces; counts are in hundredths of a man.
    """
    _, kings, _, enemy_kings = pieces
    extra = tables.capture_king_weight - 100

    def count(step: Step) -> int:
        return 100 * step.captured.bit_count() + extra * (step.captured & enemy_kings).bit_count()

    value: Callable[[Step], int | list[int]]
    match criterion:
        case "most-pieces" if not extra:
            most = max([step[2].bit_count() for step in found])
            return [step for step in found if step[2].bit_count() == most]
        case "most-pieces":
            value = count
        case "multiple-before-single":

            def value(step: Step) -> bool:
                return count(step) >= 200
        case "multiple-when-mixed":
            if len({step.start & kings != 0 for step in found}) == 1:
                return found
            return _best(tables, found, "multiple-before-single", pieces)
        case "with-king":

            def value(step: Step) -> bool:
                return step.start & kings != 0
        case "most-kings":

            def value(step: Step) -> int:
                return (step.captured & enemy_kings).bit_count()
        case _:  # king-first

            def value(step: Step) -> list[int]:
                return [-place for place, over in enumerate(_order(tables, step)) if over & enemy_kings]

    values = [value(step) for step in found]
    top = max(values)
    return [step for step, worth in zip(found, values, strict=True) if worth == top]


def _order(tables: Tables, step: Step) -> list[int]:
    """The captured pieces in the order of the jumps; a slide before the first of them passes over none."""
    board = tables.board
    left, order = step.captured, []
    for start, end in pairwise([board.number(bit) for bit in step.path]):
        over = [bit for bit in board.between(start, end) or () if bit & left][:1]
        left ^= sum(over)
        order += over
    return order
