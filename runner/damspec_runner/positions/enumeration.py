"""Enumeration of all positions with few pieces, and symmetries between positions."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, islice, product
from math import comb, gcd

from damspec import Board, Position, Ruleset
from damspec.board import DIRECTIONS, Side, each, opponent
from damspec.king_runs import drop_moot_runs, king_runs
from damspec.position import Pieces, without
from damspec.turn import ActionGenerator
from damspec.validity import PLAIN

#: A map of the board's squares: from column and row to column and row.
Mapped = Callable[[int, int], tuple[int, int]]


def same_turned_round(ruleset: Ruleset) -> bool:
    """Return whether a position and the one with colours swapped and the board rotated have the same answers."""
    return _keeps_squares(ruleset, _rotation(ruleset.rules.board))


def same_reflected(ruleset: Ruleset) -> bool:
    """Return whether a position and its left-right mirror image have the same answers."""
    lists = (value for value in ruleset.values.values() if isinstance(value, tuple) and {*value} <= DIRECTIONS.keys())
    return _keeps_squares(ruleset, _reflection(ruleset.rules.board)) and all(
        {*map(_other_hand, directions)} == {*directions} for directions in lists
    )


class Symmetries:
    """The symmetries of a game, under which positions count as the same."""

    def __init__(self, ruleset: Ruleset) -> None:
        board = ruleset.rules.board
        self._width = board.all.bit_length()
        turned, reflected = _rotation(board), _reflection(board)
        self._ways: list[tuple[dict[int, int], bool]] = []
        if same_turned_round(ruleset):
            self._ways.append((_permutation(board, turned), True))
        if same_reflected(ruleset):
            self._ways.append((_permutation(board, reflected), False))
        if len(self._ways) == 2:
            self._ways.append((_permutation(board, lambda column, row: turned(*reflected(column, row))), True))

    def standings(self, position: Position) -> list[int]:
        """Return the placement of the pieces, then its images under the symmetries of the game.

        Each is a number in which each bit is a kind of piece on a square.
        """
        white, black = (position.white_men, position.white_kings), (position.black_men, position.black_kings)
        found = [self._pack((*white, *black))]
        for goes, colours_change in self._ways:
            masks = (*black, *white) if colours_change else (*white, *black)
            found.append(self._pack([sum(goes[bit] for bit in each(mask)) for mask in masks]))
        return found

    def _pack(self, masks: Sequence[int]) -> int:
        return sum(mask << self._width * place for place, mask in enumerate(reversed(masks)))


def _rotation(board: Board) -> Mapped:
    return lambda column, row: (board.columns - 1 - column, board.rows - 1 - row)


def _reflection(board: Board) -> Mapped:
    return lambda column, row: (board.columns - 1 - column, row)


def _other_hand(direction: str) -> str:
    """Return a direction with left and right exchanged."""
    return "-".join({"left": "right", "right": "left"}.get(word, word) for word in direction.split("-"))


def _permutation(board: Board, way: Mapped) -> dict[int, int]:
    """Map the bit of each square to the bit of its image."""
    bits = dict(zip(board.places, board.bits, strict=True))
    return {bit: bits[way(*place)] for place, bit in bits.items()}


def _keeps_squares(ruleset: Ruleset, way: Mapped) -> bool:
    """Return whether squares map to squares, and doors to doors of sliders of the same colours."""
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


#: The approximate number of positions up to which a level is searched exhaustively.
AFFORDABLE = 1_500_000


def without_one_piece(position: Position) -> Iterator[Position]:
    """Yield the position with each one of its pieces removed."""
    for bit in position.board.bits:
        fewer = drop_moot_runs(without(position, bit))
        if fewer != position:
            yield fewer


def minimise(position: Position, wanted: Callable[[Position], bool]) -> Position:
    """Remove pieces from a wanted position until none of the rest can be removed."""
    for fewer in without_one_piece(position):
        if wanted(fewer):
            return minimise(fewer, wanted)
    return position


def sides(rulesets: Iterable[Ruleset]) -> tuple[Side, ...]:
    """Return the sides to move that must be looked at: White alone if all games are symmetrical."""
    return ("white",) if all(map(same_turned_round, rulesets)) else ("white", "black")


def placements(
    board: Board,
    number: int,
    promotion_rows: tuple[int, int],
    scattered: ScatteredOrder | None = None,
    choices: tuple[int, int | None] = (0, None),
) -> Iterator[Pieces]:
    """Yield every placement of `number` pieces, men and kings of both sides, no man on its promotion row.

    Each is White's men, White's kings, Black's men and Black's kings as bitboards, in the order of the squares, or
    `scattered` so that consecutive ones are far apart. `choices` limits the range: by choice of squares alone, or if
    scattered by squares and kinds.
    """
    for squares, kinds in _square_kinds(board, number, scattered, choices):
        masks = [0, 0, 0, 0]
        for bit, kind in zip(squares, kinds, strict=True):
            masks[kind] |= bit
        if not (masks[0] & promotion_rows[0] or masks[2] & promotion_rows[1]):
            yield masks[0], masks[1], masks[2], masks[3]


@dataclass(frozen=True)
class ScatteredOrder:
    """An order in which consecutive placements are far apart: its first index, and the step to the next."""

    first: int
    step: int

    @classmethod
    def by_chance(cls, board: Board, number: int, rng: random.Random) -> ScatteredOrder:
        """Return a random order of the placements of `number` pieces."""
        count = size(board, number, ("white",))
        step = rng.randint(1, count)
        while gcd(step, count) > 1:
            step += 1
        return cls(rng.randrange(count), step)


def choices(board: Board, number: int, scattered: ScatteredOrder | None = None) -> int:
    """Return the number of choices that `placements` ranges over."""
    return comb(len(board), number) if scattered is None else size(board, number, ("white",))


def _square_kinds(
    board: Board, number: int, scattered: ScatteredOrder | None, choices: tuple[int, int | None]
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Yield choices of squares with choices of kinds."""
    if scattered is None:
        yield from product(islice(combinations(board.bits, number), *choices), product(range(4), repeat=number))
        return
    squares, kinds = _squares(board, number), [*product(range(4), repeat=number)]
    count = len(squares) * len(kinds)
    for place in range(count)[slice(*choices)]:
        at = (scattered.first + place * scattered.step) % count
        yield squares[at // len(kinds)], kinds[at % len(kinds)]


@lru_cache(2)
def _squares(board: Board, number: int) -> list[tuple[int, ...]]:
    return [*combinations(board.bits, number)]


def all_positions(
    board: Board,
    number: int,
    promotion_rows: tuple[int, int],
    sides: Iterable[Side],
    sliders: str | None,
    doors: int = 0,
    scattered: ScatteredOrder | None = None,
    choices: tuple[int, int | None] = (0, None),
) -> Iterator[Position]:
    """Yield every plain position with `number` pieces, with the sliders one way and none on the bitboard `doors`.

    The order and the choices are those of `placements`.
    """
    sides = tuple(sides)
    for pieces in placements(board, number, promotion_rows, scattered, choices):
        if not (doors and (pieces[0] | pieces[1] | pieces[2] | pieces[3]) & doors):
            for side in sides:
                yield Position(board, *pieces, side, sliders)


def size(board: Board, number: int, sides: Iterable[Side]) -> int:
    """Return about how many positions `all_positions` yields; men on their promotion row are counted too."""
    return comb(len(board), number) * (1 << 2 * number) * len(tuple(sides))


def promotion_rows(ruleset: Ruleset) -> tuple[int, int]:
    """Return the squares on which no man of White, and none of Black, ever stands."""
    promotion, board = ruleset.rules.promotion, ruleset.rules.board
    if promotion.return_ == "not-crowned":
        return 0, 0
    return board.nearest_rows(promotion.rows, "black"), board.nearest_rows(promotion.rows, "white")


def slider_positions(ruleset: Ruleset, doors: int | None = None) -> list[str | None]:
    """Return the states of the sliders with at most `doors` open, those with the fewest open doors first."""
    trapdoors = ruleset.rules.trapdoors
    if trapdoors is None:
        return [None]
    letters = "M" if trapdoors.closing == "at-once" else "MLR"
    every = ["".join(one) for one in product(letters, repeat=len(trapdoors.layout.sliders))]
    every.sort(key=lambda one: -one.count("M"))
    return [one for one in every if doors is None or len(one) - one.count("M") <= doors]


def in_phases(position: Position, phases: Iterable[str], turns: ActionGenerator) -> Iterator[Position]:
    """Yield a plain position in several phases; for a claim, after each lapse that the other side could have made.

    For runs of kings, yield all that the side to move can have; those of the other side do not affect its moves.
    """
    for phase in phases:
        if phase == PLAIN:
            yield position
        elif phase == "run":
            yield from king_runs(position.turn, position, turns.rules.king.move_limit)
        elif phase == "compelled":
            yield replace(position, compelled=True)
        elif phase == "huffable":
            before = replace(position, turn=opponent(position.turn))
            yield from (turns.after(before, lapse) for lapse in turns.lapses(before))
        else:
            yield replace(position, spin=phase.removeprefix("spin="))
