"""A survey of all positions with few pieces: which of some rulesets move their pieces alike in each.

It is made once for any number of rulesets, since many of them have the same rules of movement.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce

from damspec import Position, Ruleset
from damspec.moves import Generator
from damspec.pieces import seen_by_mover

from ..positions.enumeration import AFFORDABLE, crownheads, everywhere, sides, size
from ..variants.effects import moves_pieces


@dataclass(frozen=True)
class Level:
    """All positions with one number of pieces and one state of the sliders.

    `positions` is how many there are. `telling` has those in which not all rulesets move alike, each with a number for
    each way of moving (rulesets with the same rules of movement share one). Equal numbers mean equal moves there.
    """

    positions: int
    telling: list[tuple[Position, tuple[int, ...]]]


class Survey:
    """Positions on the common board of some rulesets, White to move if the game is the same turned round."""

    def __init__(self, rulesets: Sequence[Ruleset], tell: Callable[[str], None] = lambda line: None) -> None:
        self.board = rulesets[0].rules.board
        self.sides = sides(rulesets)
        layouts = [ruleset.rules.trapdoors.layout for ruleset in rulesets if ruleset.rules.trapdoors]
        self._layout = layouts[0] if layouts else None
        self._tell = tell
        self.heads = reduce(lambda a, b: (a[0] & b[0], a[1] & b[1]), map(crownheads, rulesets))
        self._ways: dict[str, int] = {}
        self._way_of: dict[Ruleset, int] = {}
        self._generators: list[Generator] = []
        for ruleset in rulesets:
            movement = {rule: value for rule, value in ruleset.values.items() if moves_pieces(rule)}
            way = json.dumps(movement, sort_keys=True, default=str)
            if way not in self._ways:
                self._ways[way] = len(self._generators)
                self._generators.append(Generator(ruleset.rules))
            self._way_of[ruleset] = self._ways[way]
        self._levels: dict[tuple[int, str | None, bool], Level] = {}
        #: Two ways of moving that compiled code found alike, with a number of pieces and open doors: in how many.
        self.found_alike: dict[tuple[int, int, str, str], int] = {}

    def affordable(self, number: int) -> bool:
        """Whether there are few enough positions with `number` pieces to try them all."""
        return size(self.board, number, self.sides) <= AFFORDABLE

    def alike(self, one: Ruleset, other: Ruleset, seen: tuple[int, ...]) -> bool:
        """Whether two of the rulesets move alike in a telling position."""
        return seen[self._way_of[one]] == seen[self._way_of[other]]

    def everywhere(self, number: int, sliders: str | None) -> Iterator[Position]:
        """Every position with `number` pieces, none on an open door."""
        return everywhere(self.board, number, self.heads, self.sides, sliders, self.doors(sliders))

    def level(self, number: int, sliders: str | None, *, quiet: bool) -> Level:
        """The level of `number` pieces with the sliders one way; moves without capture are compared only if `quiet`.

        Different moves count as different even if the piece falls and the same pieces are left.
        """
        key = number, sliders, quiet
        if key not in self._levels:
            self._levels[key] = self._surveyed(number, sliders, quiet)
        return self._levels[key]

    def _surveyed(self, number: int, sliders: str | None, quiet: bool) -> Level:
        doors, generators = self.doors(sliders), self._generators
        telling, seen = [], 0
        for position in self.everywhere(number, sliders):
            seen += 1
            if seen % 20_000 == 0:
                self._tell(f"{number} pieces: {seen:,} positions")
            pieces, side = seen_by_mover(position)
            found: list[object] = [{step[:4] for step in one.captures(pieces, side, doors)} for one in generators]
            if quiet:
                slides = [{step[:4] for step in one.quiet(pieces, side, doors)} for one in generators]
                found = list(zip(found, slides, strict=True))
            first = tuple(map(found.index, found))
            if any(first):
                telling.append((position, first))
        return Level(seen, telling)

    def doors(self, sliders: str | None) -> int:
        """The doors that are open with the sliders one way."""
        return self._layout.open_doors(self.board, sliders) if sliders and self._layout else 0
