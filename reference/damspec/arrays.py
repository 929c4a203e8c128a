"""Positions as arrays and moves as numbers, for programs that learn.

Both are as the side to move sees them: for Black the board is turned by half and the sides change places.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from .board import Board
from .errors import PositionError
from .extras import import_extra
from .move import Action, Huff, Move, Pass, Retract, SliderPush, Spin
from .position import Position, to_mover_view
from .rules import Rules

if TYPE_CHECKING:
    from numpy import intp, uint8
    from numpy.typing import NDArray

#: The planes of `to_array`, in their order.
PLANES = ("own men", "own kings", "enemy men", "enemy kings", "playable squares", "open doors")
_SPINS = ("disc", "green", "orange", "both")
_LETTERS = "LMR"


def to_array(position: Position) -> NDArray[uint8]:
    """Return a position as `Position.to_array` does."""
    numpy = import_extra("numpy", "to_array", "numpy")
    board, (pieces, side) = position.board, to_mover_view(position)
    if position.sliders is not None and position.layout is None:
        raise PositionError(
            f"position {position.fen()!r}: which doors are open is known only to a ruleset, as in ruleset.position(fen)"
        )
    doors = position.layout.open_doors(board, position.sliders) if position.layout and position.sliders else 0
    size, (bits, rows, columns) = board.all.bit_length() // 8 + 1, _cells(board)
    masks = b"".join(mask.to_bytes(size, "little") for mask in (*pieces, board.all, doors))
    unpacked = numpy.unpackbits(numpy.frombuffer(masks, numpy.uint8).reshape(-1, size), axis=1, bitorder="little")
    array: NDArray[uint8] = numpy.zeros((len(PLANES), board.rows, board.columns), numpy.uint8)
    array[:, rows, columns] = unpacked[:, bits]
    return array[:, ::-1, ::-1].copy() if side else array


@cache
def _cells(board: Board) -> NDArray[intp]:
    """Return for each square the place of its bit in a bitboard, its row and its column in an array."""
    from numpy import array

    cells = zip(board.bits, board.places, strict=True)
    return array([(bit.bit_length() - 1, board.rows - 1 - row, column) for bit, (column, row) in cells]).T


def move_index_size(rules: Rules) -> int:
    """Return the number of indices of `move_index` by these rules."""
    squares, huff, trapdoors = len(rules.board), rules.huff, rules.trapdoors
    size = squares * squares
    if huff is not None:
        size += squares + 1
    if trapdoors is not None:
        size += len(_SPINS) + 1 + 2 * len(_LETTERS) * len(trapdoors.layout.sliders)
    return size


def move_index(rules: Rules, position: Position, action: Action) -> int:
    """Return the index of an action as `LegalMoves.move_index` does."""
    squares = len(rules.board)

    def seen(square: int) -> int:
        """Return the number of a square as the side to move sees it, from 0."""
        return square - 1 if position.turn == "white" else squares - square

    base = squares * squares
    match action:
        case Move():
            return seen(action.start) * squares + seen(action.end)
        case Huff(square):
            return base + seen(square)
        case Retract():
            return base + squares
    base += squares + 1 if rules.huff is not None else 0
    match action:
        case Spin(outcome):
            return base + _SPINS.index(outcome)
        case Pass():
            return base + len(_SPINS)
        case SliderPush(slider, to, closes):
            sliders = [one.id for one in rules.trapdoors.layout.sliders] if rules.trapdoors else []
            place = 2 * len(_LETTERS) * sliders.index(slider) + len(_LETTERS) * closes + _LETTERS.index(to)
            return base + len(_SPINS) + 1 + place
