"""Symmetries of a game: the board turned round with the colours changed, and left and right exchanged."""

from __future__ import annotations

from collections.abc import Callable

from damspec import Board, Position, Ruleset
from damspec.board import DIRECTIONS, each

#: Where a square goes: column and row to column and row.
Mapped = Callable[[int, int], tuple[int, int]]


def same_turned_round(ruleset: Ruleset) -> bool:
    """Whether a position and the one with the colours changed and the board turned round have the same answers."""
    return _keeps_squares(ruleset, _turned(ruleset.rules.board))


def same_reflected(ruleset: Ruleset) -> bool:
    """Whether a position and the one with left and right exchanged have the same answers."""
    lists = (value for value in ruleset.values.values() if isinstance(value, tuple) and {*value} <= DIRECTIONS.keys())
    return _keeps_squares(ruleset, _reflected(ruleset.rules.board)) and all(
        {*map(_other_hand, directions)} == {*directions} for directions in lists
    )


class Sameness:
    """The positions that count as the same in one game: those with other fields, and those that a symmetry gives."""

    def __init__(self, ruleset: Ruleset) -> None:
        board = ruleset.rules.board
        self._width = board.all.bit_length()
        turned, reflected = _turned(board), _reflected(board)
        self._ways: list[tuple[dict[int, int], bool]] = []
        if same_turned_round(ruleset):
            self._ways.append((_permutation(board, turned), True))
        if same_reflected(ruleset):
            self._ways.append((_permutation(board, reflected), False))
        if len(self._ways) == 2:
            self._ways.append((_permutation(board, lambda column, row: turned(*reflected(column, row))), True))

    def standings(self, position: Position) -> list[int]:
        """What stands where, as a number of which each bit is a kind of piece on a square: as it is, then mirrored."""
        white, black = (position.white_men, position.white_kings), (position.black_men, position.black_kings)
        found = [self._packed((*white, *black))]
        for goes, colours_change in self._ways:
            masks = (*black, *white) if colours_change else (*white, *black)
            found.append(self._packed([sum(goes[bit] for bit in each(mask)) for mask in masks]))
        return found

    def _packed(self, masks: tuple[int, ...] | list[int]) -> int:
        packed = 0
        for mask in masks:
            packed = packed << self._width | mask
        return packed


def _turned(board: Board) -> Mapped:
    return lambda column, row: (board.columns - 1 - column, board.rows - 1 - row)


def _reflected(board: Board) -> Mapped:
    return lambda column, row: (board.columns - 1 - column, row)


def _other_hand(direction: str) -> str:
    """A direction with left and right exchanged."""
    return "-".join({"left": "right", "right": "left"}.get(word, word) for word in direction.split("-"))


def _permutation(board: Board, way: Mapped) -> dict[int, int]:
    """Where the bit of each square goes."""
    bits = dict(zip(board.places, board.bits, strict=True))
    return {bit: bits[way(*place)] for place, bit in bits.items()}


def _keeps_squares(ruleset: Ruleset, way: Mapped) -> bool:
    """Whether squares go to squares, and doors to doors of sliders of the same colours."""
    board, trapdoors = ruleset.rules.board, ruleset.rules.trapdoors
    if {way(*place) for place in board.places} != {*board.places}:
        return False
    if trapdoors is None:
        return True
    places = board.places
    doors = [(slider.colour, (slider.left, slider.right)) for slider in trapdoors.layout.sliders]
    now = {(colour, frozenset(places[door - 1] for door in pair)) for colour, pair in doors}
    then = {(colour, frozenset(way(*places[door - 1]) for door in pair)) for colour, pair in doors}
    return now == then
