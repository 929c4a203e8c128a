"""All positions with so many pieces that may be wanted: which numbers can be tried whole, and trying one."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from damspec import Position
from damspec.board import Side
from damspec.possible import objection
from damspec.scope import phases

from ..positions.enumeration import AFFORDABLE, crownheads, everywhere, in_phases, sides, size, slider_positions
from .goal import Wanted

#: How many times as much it costs to compare whole turns as to compare moves.
_WHOLE_TURNS = 8


@dataclass(frozen=True)
class Exhausted:
    """All positions with `pieces` pieces were tried: how many, and with at most how many open doors (None: any)."""

    pieces: int
    doors: int | None
    positions: int


class Levels:
    """All positions of a ruleset by their number of pieces, with an eye on what is wanted."""

    def __init__(self, wanted: Wanted) -> None:
        self.wanted = wanted
        self._one_side = sides((wanted.ruleset,))

    def cost(self, number: int, doors: int | None = None) -> int:
        """About what it costs to try all positions with a number of pieces, and at most so many open doors."""
        ruleset = self.wanted.ruleset
        weight = _WHOLE_TURNS if self.wanted.whole_turns or ruleset.rules.huff else 1
        return weight * size(ruleset.rules.board, number, self._one_side) * len(slider_positions(ruleset, doors))

    def affordable_doors(self, number: int) -> int | None:
        """With how many open doors all positions with `number` pieces can be tried: None any number, -1 not at all."""
        return next((doors for doors in (None, 1, 0) if self.cost(number, doors) <= AFFORDABLE), -1)

    def scattered(self, number: int, doors: int | None, rng: random.Random) -> Iterator[list[Position]]:
        """For each position with a number of pieces, up to mirror images, those wanted among it and its mirror image.

        Positions that follow each other are far apart.
        """
        for position in self._positions(number, self._one_side, doors, rng):
            if position is None or not self.wanted.met(position):
                yield []
            elif len(self._one_side) == 1 and not (position.sliders or position.huffable):
                both = [position, position.mirrored()]
                yield both[:: rng.choice((1, -1))]
            else:
                yield [position]

    def in_order(self, number: int) -> Iterator[Position | None]:
        """For each position with a number of pieces itself if it is wanted, else None."""
        for position in self._positions(number, ("white", "black"), None, None):
            yield position if position and self.wanted.met(position) else None

    def _positions(
        self, number: int, sides: tuple[Side, ...], doors: int | None, rng: random.Random | None
    ) -> Iterator[Position | None]:
        """Every position, in every phase; None for one that cannot meet the goals, whatever the phase."""
        ruleset, turns = self.wanted.ruleset, self.wanted.player.turns
        board, heads = ruleset.rules.board, crownheads(ruleset)
        named = phases(ruleset) if self.wanted.phase is None else (self.wanted.phase,)
        for sliders in slider_positions(ruleset, doors):
            for position in everywhere(board, number, heads, sides, sliders, rng=rng):
                if ruleset.rules.huff is None and not self.wanted.may_meet(position):
                    yield None
                    continue
                for one in in_phases(position, named, turns):
                    if not objection(turns, one):
                        yield one
