"""All positions with so many pieces that may be wanted: which numbers can be tried whole, and trying one."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from damspec import Position
from damspec.board import Side
from damspec.kernel.installed import installed
from damspec.possible import objection
from damspec.scope import phases

from ..positions.enumeration import (
    AFFORDABLE,
    Scattered,
    choices,
    crownheads,
    everywhere,
    in_phases,
    sides,
    size,
    slider_positions,
)
from ..work.sharing import Doing, here
from .goal import Wanted

if TYPE_CHECKING:
    from damspec.kernel.sieve import Sieve

#: From how many positions on it is worth the seconds that it may take to compile what leaves most of them out.
MUCH = 60_000
#: How many times as much it costs to compare whole turns as to compare moves.
_WHOLE_TURNS = 8
#: About how many positions are tried at once.
_AT_ONCE = 1_024


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

    def scattered(
        self, number: int, doors: int | None, rng: random.Random, doing: Doing = here
    ) -> Iterator[list[Position]]:
        """For each position with a number of pieces, up to mirror images, those wanted among it and its mirror image.

        Positions that follow each other are far apart.
        """
        for position in self._each(number, self._one_side, doors, rng, doing):
            if position is None:
                yield []
            elif len(self._one_side) == 1 and not (position.sliders or position.huffable):
                both = [position, position.mirrored()]
                yield both[:: rng.choice((1, -1))]
            else:
                yield [position]

    def in_order(self, number: int, doing: Doing = here) -> Iterator[Position | None]:
        """For each position with a number of pieces itself if it is wanted, else None."""
        return self._each(number, ("white", "black"), None, None, doing)

    def _each(
        self, number: int, sides: tuple[Side, ...], doors: int | None, rng: random.Random | None, doing: Doing
    ) -> Iterator[Position | None]:
        """Every position, in every phase, if it is wanted; else None."""
        ruleset = self.wanted.ruleset
        board, wanted = ruleset.rules.board, replace(self.wanted)
        for sliders in slider_positions(ruleset, doors):
            scattered = Scattered.by_chance(board, number, rng) if rng else None
            every, many = choices(board, number, scattered), max(1, _AT_ONCE >> (0 if rng else 2 * number))
            shares = (
                LevelShare(wanted, number, sides, sliders, scattered, (first, min(first + many, every)))
                for first in range(0, every, many)
            )
            for found in doing(met, {share.key: share for share in shares}):
                places = dict(found["wanted"])
                for place in range(found["tried"]):
                    yield Position.from_fen(places[place], board) if place in places else None


@dataclass(frozen=True)
class LevelShare:
    """Some of the positions with a number of pieces and the sliders one way, by their choices in an order."""

    wanted: Wanted
    number: int
    sides: tuple[Side, ...]
    sliders: str | None
    scattered: Scattered | None
    choices: tuple[int, int]

    @property
    def key(self) -> str:
        """What it is called."""
        order = f"{self.scattered.first}+{self.scattered.step}" if self.scattered else "in order"
        return f"{self.number} pieces, {self.sliders}, {order}: {self.choices[0]} to {self.choices[1]}"


def met(share: LevelShare) -> dict[str, Any]:
    """How many positions of a share were tried, in every phase, and which of them are wanted, by their places."""
    wanted, found, tried = _ready(share.wanted), [], 0
    for position in _positions(share, wanted):
        if position and wanted.met(position):
            found.append([tried, position.fen()])
        tried += 1
    return {"tried": tried, "wanted": found}


@lru_cache(1)
def _ready(wanted: Wanted) -> Wanted:
    """What is wanted, the same for all shares: it keeps what it has worked out."""
    return wanted


def _positions(share: LevelShare, wanted: Wanted) -> Iterator[Position | None]:
    """Every position of a share, in every phase; None for one that cannot meet the goals, whatever the phase."""
    ruleset, turns = wanted.ruleset, wanted.player.turns
    named = phases(ruleset) if wanted.phase is None else (wanted.phase,)
    for position in _placed(share, wanted):
        if position is None or (ruleset.rules.huff is None and not wanted.may_meet(position)):
            yield None
            continue
        for one in in_phases(position, named, turns):
            if not objection(turns, one):
                yield one


def _placed(share: LevelShare, wanted: Wanted) -> Iterator[Position | None]:
    """Every position of a share; None for one in which compiled code has seen that the first goal is not met."""
    ruleset, scattered = wanted.ruleset, share.scattered
    board, heads = ruleset.rules.board, crownheads(ruleset)
    many = size(board, share.number, share.sides) * len(slider_positions(ruleset))
    sieve = _sieve(wanted) if many >= MUCH and share.number else None
    if sieve is None:
        yield from everywhere(
            board, share.number, heads, share.sides, share.sliders, scattered=scattered, choices=share.choices
        )
        return
    first, last = share.choices
    if scattered is None:  # choices of squares alone, each with every choice of kinds
        first, last, scattered = first << 2 * share.number, last << 2 * share.number, Scattered(0, 1)
    trapdoors = ruleset.rules.trapdoors
    doors = trapdoors.layout.open_doors(board, share.sliders) if trapdoors and share.sliders else 0
    places = range(scattered.first + first * scattered.step, scattered.first + last * scattered.step, scattered.step)
    for pieces, unlike in sieve.sifted(share.number, places, heads, len(share.sides), doors):
        for side, may_meet in zip(share.sides, unlike, strict=True):
            yield Position(board, *pieces, side, share.sliders) if may_meet and pieces else None


@lru_cache(1)
def _sieve(wanted: Wanted) -> Sieve | None:
    """What leaves out positions in which the first goal is not met, where compiled code can see it."""
    contrasts = wanted.first_contrasts
    seen = all(not (contrast.turns or contrast.ending) for _, contrast in contrasts)
    if not (contrasts and seen and installed()) or wanted.ruleset.rules.huff:
        return None
    from damspec.kernel.sieve import Sieve

    others = [(player.ruleset.rules, contrast.quiet) for player, contrast in contrasts]
    return Sieve(wanted.ruleset.rules, others)
