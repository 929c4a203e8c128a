"""All positions of a ruleset with few pieces: placements, sliders, phases, and the symmetry of the colours."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, islice, product
from math import comb, gcd

from damspec import Board, Position, Ruleset
from damspec.board import Side, opponent
from damspec.pieces import without
from damspec.runs import in_runs, sound
from damspec.scope import PLAIN
from damspec.tables import Pieces
from damspec.turn import Turns

from .symmetry import same_turned_round

#: About how many positions a search through all with one number of pieces may have.
AFFORDABLE = 1_500_000


def thinned(position: Position) -> Iterator[Position]:
    """The position with each one of its pieces taken off."""
    for bit in position.board.bits:
        fewer = sound(without(position, bit))
        if fewer != position:
            yield fewer


def stripped(position: Position, wanted: Callable[[Position], bool]) -> Position:
    """A wanted position with pieces taken off, until none of those left can be taken off too."""
    for fewer in thinned(position):
        if wanted(fewer):
            return stripped(fewer, wanted)
    return position


def sides(rulesets: Iterable[Ruleset]) -> tuple[Side, ...]:
    """Who is to move in all positions that have to be looked at: White alone if the game is the same turned round."""
    return ("white",) if all(map(same_turned_round, rulesets)) else ("white", "black")


def placements(
    board: Board,
    number: int,
    crownheads: tuple[int, int],
    scattered: Scattered | None = None,
    choices: tuple[int, int | None] = (0, None),
) -> Iterator[Pieces]:
    """Every placement of a number of pieces, men and kings of both sides, no man on its crownhead.

    White's men, White's kings, Black's men, Black's kings, as bitboards; in the order of the squares, or so `scattered`
    that those that follow each other are far apart. The first and last of all `choices` can be given: by squares alone,
    or if scattered by squares and kinds.
    """
    for squares, kinds in _combined(board, number, scattered, choices):
        masks = [0, 0, 0, 0]
        for bit, kind in zip(squares, kinds, strict=True):
            masks[kind] |= bit
        if not (masks[0] & crownheads[0] or masks[2] & crownheads[1]):
            yield masks[0], masks[1], masks[2], masks[3]


@dataclass(frozen=True)
class Scattered:
    """An order in which what was far apart follows each other: where it begins, and how far it is to the next."""

    first: int
    step: int

    @classmethod
    def by_chance(cls, board: Board, number: int, rng: random.Random) -> Scattered:
        """An order of the placements of a number of pieces."""
        count = size(board, number, ("white",))
        step = rng.randint(1, count)
        while gcd(step, count) > 1:
            step += 1
        return cls(rng.randrange(count), step)


def choices(board: Board, number: int, scattered: Scattered | None = None) -> int:
    """How many choices there are."""
    return comb(len(board), number) if scattered is None else size(board, number, ("white",))


def _combined(
    board: Board, number: int, scattered: Scattered | None, choices: tuple[int, int | None]
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Choices of squares with choices of kinds."""
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


def everywhere(
    board: Board,
    number: int,
    crownheads: tuple[int, int],
    sides: Iterable[Side],
    sliders: str | None,
    doors: int = 0,
    scattered: Scattered | None = None,
    choices: tuple[int, int | None] = (0, None),
) -> Iterator[Position]:
    """Every position of a number of pieces with nothing pending, with the sliders one way; none on these `doors`.

    The order and the choices are those of `placements`.
    """
    sides = tuple(sides)
    for pieces in placements(board, number, crownheads, scattered, choices):
        if not (doors and (pieces[0] | pieces[1] | pieces[2] | pieces[3]) & doors):
            for side in sides:
                yield Position(board, *pieces, side, sliders)


def size(board: Board, number: int, sides: Iterable[Side]) -> int:
    """About how many positions `everywhere` gives; men on their crownhead are counted too."""
    return comb(len(board), number) * (1 << 2 * number) * len(tuple(sides))


def crownheads(ruleset: Ruleset) -> tuple[int, int]:
    """The squares on which no man of White's, and none of Black's, ever stands."""
    promotion, board = ruleset.rules.promotion, ruleset.rules.board
    if promotion.return_ == "not-crowned":
        return 0, 0
    return board.nearest_rows(promotion.rows, "black"), board.nearest_rows(promotion.rows, "white")


def slider_positions(ruleset: Ruleset, doors: int | None = None) -> list[str | None]:
    """The positions in which the sliders can be left, those with the fewest open doors first; at most so many open."""
    trapdoors = ruleset.rules.trapdoors
    if trapdoors is None:
        return [None]
    letters = "M" if trapdoors.closing == "at-once" else "MLR"
    every = ["".join(one) for one in product(letters, repeat=len(trapdoors.layout.sliders))]
    every.sort(key=lambda one: -one.count("M"))
    return [one for one in every if doors is None or len(one) - one.count("M") <= doors]


def in_phases(position: Position, phases: Iterable[str], turns: Turns) -> Iterator[Position]:
    """A plain position in several phases; for a claim, after each lapse of the other side if that were to move.

    Of runs all that the side to move can have come; those of the other side change nothing that it can do.
    """
    for phase in phases:
        if phase == PLAIN:
            yield position
        elif phase == "run":
            yield from in_runs(position.turn, position, turns.rules.king.move_limit)
        elif phase == "compelled":
            yield replace(position, compelled=True)
        elif phase == "huffable":
            before = replace(position, turn=opponent(position.turn))
            yield from (turns.after(before, lapse) for lapse in turns.lapses(before))
        else:
            yield replace(position, spin=phase.removeprefix("spin="))
