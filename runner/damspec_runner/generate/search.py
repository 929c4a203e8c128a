"""The search for wanted positions: among random ones, in random games, or through all, fewest pieces first."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

from damspec import Position
from damspec.board import Side
from damspec.possible import objection

from ..positions.enumeration import (
    AFFORDABLE,
    crownheads,
    everywhere,
    in_phases,
    sides,
    size,
    slider_positions,
    stripped,
)
from ..positions.sampling import Sampler, fewest_pieces, phases
from ..positions.walks import from_the_start
from .goal import Found, Wanted

#: How many times as much it costs to compare whole turns as to compare moves.
_WHOLE_TURNS = 8
#: Up to how many pieces all positions are tried where random ones find nothing more.
_TINY = 2


@dataclass(frozen=True)
class Exhausted:
    """All positions with `pieces` pieces were tried: how many, and with at most how many open doors (None: any)."""

    pieces: int
    doors: int | None
    positions: int


@dataclass
class Hunt:
    """A search for wanted positions, the same for the same seed. It ends when `tries` in a row found nothing new.

    `tell` is told now and then how many positions were tried and found. `few` has the best found by a search for the
    fewest pieces that is not over yet.
    """

    wanted: Wanted
    seed: int = 0
    tries: int = 200_000
    tell: Callable[[int, int], None] = lambda tried, found: None
    tried: int = 0
    exhausted: list[Exhausted] = field(default_factory=list)
    few: dict[Position, Found] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._rng = random.Random(self.seed)
        self._found: dict[Position, Found] = {}
        self._last = 0

    def anywhere(self) -> Iterator[Found]:
        """Wanted positions among random ones and, where they are rare, among those much like the ones found.

        At last, where chance finds no more, all positions with the fewest pieces.
        """
        for position in self._search(self.wanted):
            yield from self._new(Found(position))
        for number in range(self._lowest, min(_TINY, self.wanted.pieces[1]) + 1):
            if self._affordable_doors(number) is None:
                yield from self._exhaust(number, None)

    def reached(self) -> Iterator[Found]:
        """Wanted positions out of random games."""
        for position, game in from_the_start(self.wanted.ruleset, self._rng):
            if not self._goes_on():
                return
            if position not in self._found and self.wanted.met(position):
                yield from self._new(Found(position, game))

    def fewest(self) -> Iterator[Found]:
        """Wanted positions with the fewest pieces: all are tried while they are few enough, then random ones."""
        for number in range(self._lowest, self.wanted.pieces[1] + 1):
            doors = self._affordable_doors(number)
            if doors != -1:
                found = len(self._found)
                yield from self._exhaust(number, doors)
                if len(self._found) > found:
                    return
            if doors is not None:
                yield from self._few(number)
                return

    def fewest_reached(self) -> Iterator[Found]:
        """Wanted positions out of random games, those with the fewest pieces found."""
        least = self.wanted.pieces[1] + 1
        for position, game in from_the_start(self.wanted.ruleset, self._rng):
            if not self._goes_on():
                break
            if len(position) <= least and position not in self.few and self.wanted.met(position):
                if len(position) < least:
                    least, self.few, self._last = len(position), {}, self.tried
                self.few[position] = Found(position, game)
        yield from self.few.values()

    @property
    def proved_below(self) -> int:
        """The number of pieces below which every position was tried."""
        return max([self._lowest, *(one.pieces + 1 for one in self.exhausted if one.doors is None)])

    # --- by search ----------------------------------------------------------------------------

    def _count(self) -> None:
        """Count a position tried."""
        self.tried += 1
        if self.tried % 512 == 0:
            self.tell(self.tried, len(self._found))

    def _goes_on(self) -> bool:
        """Count a try; False when there were enough without success."""
        self._count()
        return self.tried - self._last <= self.tries

    def _new(self, found: Found) -> Iterator[Found]:
        """Yield what was found, unless it was found before."""
        if found.position not in self._found:
            self._found[found.position] = found
            self._last = self.tried
            yield found

    def _search(self, wanted: Wanted, known: Iterable[Position] = ()) -> Iterator[Position]:
        sampler = Sampler(wanted.ruleset, self._rng, wanted.pieces, wanted.phase)
        hits = list(known)
        self._last = drawn = self.tried
        while self._goes_on():
            rare = len(hits) * 50 < self.tried - drawn
            around = bool(hits) and rare and self._rng.random() < 0.6
            position = sampler.near(self._rng.choice(hits)) if around else sampler.draw()
            if position is not None and position not in self._found and wanted.met(position):
                hits.append(position)
                yield position

    def _few(self, lowest: int) -> Iterator[Found]:
        """Positions with few pieces: found by search, and pieces taken off as long as they stay wanted."""
        least = self.wanted.pieces[1] + 1
        fewer = True
        while fewer:
            fewer = False
            wanted = replace(self.wanted, pieces=(lowest, min(least, self.wanted.pieces[1])))
            for position in self._search(wanted, self.few):
                position = stripped(position, partial(self._stays_wanted, lowest))
                fewer = len(position) < least
                if fewer:
                    least, self.few = len(position), {position: Found(position)}
                    break
                if len(position) == least:
                    self.few[position] = Found(position)
                if least == lowest == self.proved_below:
                    for found in list(self.few.values()):
                        yield from self._new(found)
        for found in self.few.values():
            yield from self._new(found)

    def _stays_wanted(self, lowest: int, fewer: Position) -> bool:
        return len(fewer) >= lowest and not objection(self.wanted.player.turns, fewer) and self.wanted.met(fewer)

    @property
    def _lowest(self) -> int:
        return max(self.wanted.pieces[0], fewest_pieces(self.wanted.ruleset))

    # --- by exhaustion ------------------------------------------------------------------------

    def _exhaust(self, number: int, doors: int | None) -> Iterator[Found]:
        """Wanted positions among all with `number` pieces."""
        before = self.tried
        for position in self._everywhere(number, doors):
            self._count()
            if self.wanted.met(position):
                yield from self._new(Found(position))
                if self._sides == ("white",) and not (position.sliders or position.huffable):
                    yield from self._new(Found(position.mirrored()))
        self.exhausted.append(Exhausted(number, doors, self.tried - before))

    def _affordable_doors(self, number: int) -> int | None:
        """With how many open doors all positions with `number` pieces can be tried: None any number, -1 not at all."""
        cost = size(self.wanted.ruleset.rules.board, number, self._sides)
        cost *= _WHOLE_TURNS if self.wanted.whole_turns or self.wanted.ruleset.rules.huff else 1
        for doors in (None, 1, 0):
            if cost * len(slider_positions(self.wanted.ruleset, doors)) <= AFFORDABLE:
                return doors
        return -1

    @cached_property
    def _sides(self) -> tuple[Side, ...]:
        return sides((self.wanted.ruleset,))

    def _everywhere(self, number: int, doors: int | None) -> Iterator[Position]:
        """Every position with `number` pieces, in every phase, that may meet the goals."""
        ruleset, turns = self.wanted.ruleset, self.wanted.player.turns
        board, heads = ruleset.rules.board, crownheads(ruleset)
        for sliders in slider_positions(ruleset, doors):
            for position in everywhere(board, number, heads, self._sides, sliders):
                if ruleset.rules.huff is None and not self.wanted.may_meet(position):
                    self._count()
                    continue
                for one in in_phases(position, phases(ruleset), turns):
                    if not objection(turns, one):
                        yield one
