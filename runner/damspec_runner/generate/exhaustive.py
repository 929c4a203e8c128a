"""All positions with so many pieces that may be wanted: which numbers can be tried whole, and trying one."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

from damspec import Position
from damspec.board import Side
from damspec.kernel.installed import installed
from damspec.possible import objection
from damspec.scope import phases

from ..positions.enumeration import AFFORDABLE, crownheads, everywhere, in_phases, order, sides, size, slider_positions
from .goal import Wanted

if TYPE_CHECKING:
    from damspec.kernel.sieve import Sieve

#: From how many positions on it is worth the seconds that it may take to compile what leaves most of them out.
_MUCH = 60_000
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
        opened = slider_positions(ruleset, doors)
        sieve = self._sieve if len(opened) * size(board, number, sides) >= _MUCH else None
        for sliders in opened:
            positions: Iterator[Position | None]
            if sieve is not None:
                positions = self._sifted(sieve, number, sides, sliders, rng)
            else:
                positions = everywhere(board, number, heads, sides, sliders, rng=rng)
            for position in positions:
                if position is None or (ruleset.rules.huff is None and not self.wanted.may_meet(position)):
                    yield None
                    continue
                for one in in_phases(position, named, turns):
                    if not objection(turns, one):
                        yield one

    def _sifted(
        self, sieve: Sieve, number: int, sides: tuple[Side, ...], sliders: str | None, rng: random.Random | None
    ) -> Iterator[Position | None]:
        """The same as `everywhere`, with None for those in which compiled code has seen that the goals are not met."""
        rules, heads = self.wanted.ruleset.rules, crownheads(self.wanted.ruleset)
        choices = [*combinations(rules.board.bits, number)]
        count = len(choices) << 2 * number
        place, step = order(count, rng)
        doors = rules.trapdoors.layout.open_doors(rules.board, sliders) if rules.trapdoors and sliders else 0
        told = sieve.sifted(number, (place, step), heads, len(sides), doors)
        for _ in range(count):
            for side in sides:
                unlike = next(told)
                if unlike:
                    masks = [0, 0, 0, 0]
                    for piece, bit in enumerate(reversed(choices[place >> 2 * number])):
                        masks[place >> 2 * piece & 3] |= bit
                    white_men, white_kings, black_men, black_kings = masks
                    yield Position(rules.board, white_men, white_kings, black_men, black_kings, side, sliders)
                elif unlike is not None:
                    yield None
            place = (place + step) % count

    @cached_property
    def _sieve(self) -> Sieve | None:
        """What leaves out positions in which the first goal is not met, where compiled code can see it."""
        contrasts = self.wanted.first_contrasts
        seen = all(not (contrast.turns or contrast.ending) for _, contrast in contrasts)
        if not (contrasts and seen and installed()) or self.wanted.ruleset.rules.huff:
            return None
        from damspec.kernel.sieve import Sieve

        others = [(player.ruleset.rules, contrast.quiet) for player, contrast in contrasts]
        return Sieve(self.wanted.ruleset.rules, others)
