"""The search for wanted positions that are apart: among random ones, or through all there are.

Where chance finds few it goes wider: it walks from positions of the cases, which show on purpose what is rare.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial

from damspec import Position, RulesetError
from damspec.possible import objection
from damspec.scope import fewest_pieces

from ..cases.cases import cases_for
from ..positions.enumeration import AFFORDABLE, stripped
from ..positions.walks import PLIES
from ..work.sharing import Doing, here
from .apart import Collection
from .chance import Chance
from .exhaustive import Exhausted, Levels
from .games import Spot, Walks
from .goal import Found, Wanted

#: What it may cost to try all positions there are before any is drawn.
_SMALL = 60_000
#: After how many tries it goes wider, if fewer than this part of them was wanted.
_WIDER, _RARE = 2_000, 0.01
#: After how many tries without success all positions with very few pieces are tried, and how many pieces those are.
_PATIENCE, _TINY = 5_000, 2


@dataclass
class Hunt:
    """A search for `number` wanted positions, the same for the same seed. It gives up after `tries` without success.

    `tell` is told now and then how many positions were tried and how many found. Whenever it is broken off, what was
    found is in `positions`, and `exhausted` says where nothing else is.
    """

    wanted: Wanted
    number: int = 1
    seed: int = 0
    tries: int = 30_000
    tell: Callable[[int, int], None] = lambda tried, found: None
    #: Who tries all positions there are.
    doing: Doing = here
    tried: int = 0
    exhausted: list[Exhausted] = field(default_factory=list)
    #: Whether the fewest pieces were searched for, or everything in order; from how many positions of cases it went on.
    few: bool = False
    ordered: bool = False
    walked_from: int = 0

    def __post_init__(self) -> None:
        self.found = Collection(self.wanted.ruleset)
        self._levels = Levels(self.wanted)
        self._rng = random.Random(self.seed)
        self._every: list[Found] = []
        self._last = 0
        self._until: int | None = None

    @property
    def positions(self) -> list[Found]:
        """What was found, at most as many as asked for: those apart from all before, then others."""
        if self.ordered:
            return self._every
        return [*self.found.apart, *self.found.near][: self.number]

    @property
    def apart(self) -> int:
        """How many of these are apart from each other."""
        apart = len(self.found.apart)
        return apart if self.ordered else min(self.number, apart)

    @property
    def proved_below(self) -> int:
        """The number of pieces below which every position was tried."""
        return max([self._lowest, *(one.pieces + 1 for one in self.exhausted if one.doors is None)])

    @property
    def complete(self) -> bool:
        """Whether every position there can be was tried."""
        return self.proved_below > self.wanted.pieces[1]

    # --- where to search ----------------------------------------------------------------------

    def anywhere(self) -> list[Found]:
        """Wanted positions with any number of pieces: among all if these are few, else among random ones."""
        if self._costs_at_most(_SMALL):
            every = [position for number in self._numbers for position in self._exhaust(number, None)]
            self._rng.shuffle(every)
            self._take(every)
            return self.positions
        self._by_chance()
        if len(self.found) < self.number:
            for number in self._numbers if self._costs_at_most(AFFORDABLE) else self._tiny:
                if number >= self.proved_below:
                    self._take(self._exhaust(number, None))
        return self.positions

    def fewest(self) -> list[Found]:
        """Wanted positions with the fewest pieces: all are tried while they are few enough, then random ones."""
        self.few = True
        for number in self._numbers:
            doors = self._levels.affordable_doors(number)
            if doors != -1:
                self._take(self._exhaust(number, doors))
                if self.found:
                    break
            if doors is not None:
                self._few(number)
                break
        return self.positions

    def everything(self) -> list[Found]:
        """Every wanted position there is, by the number of pieces and in the order of the squares."""
        self.ordered = True
        for number in self._numbers:
            before = self.tried
            for position in self._levels.in_order(number, self.doing):
                self._count()
                if position:
                    self._every.append(Found(position))
                    self.found.add(self._every[-1])
            self.exhausted.append(Exhausted(number, None, self.tried - before))
        return self.positions

    def reached(self, plies: tuple[int, int] = (0, PLIES), each: int = 1) -> list[Found]:
        """Wanted positions out of random games, after MIN to MAX `plies`, at most `each` of a game."""
        games = Walks(self.wanted, self._rng, plies)
        while not self._enough() and self._plays_on(games):
            for part in games.parts(each):
                near: Spot | None = None
                for spot, position in part:
                    if position not in self.found:
                        near = near or spot
                        if self.found.would_be_apart(position):
                            near = spot
                            break
                if near is not None:
                    self.found.add(games.found(near))
                    self._last = games.played
            self.tried = games.tried
        return self.positions

    def fewest_reached(self, plies: tuple[int, int] = (0, PLIES)) -> list[Found]:
        """Wanted positions out of random games, those with the fewest pieces found, one of a game."""
        self.few = True
        games = Walks(self.wanted, self._rng, plies)
        least = self.wanted.pieces[1] + 1
        while self._plays_on(games):
            for spot, position in games.from_the_end():
                if len(position) < least:
                    least, self.found, self._last = len(position), Collection(self.wanted.ruleset), games.played
                if len(position) == least and len(self.found.apart) < self.number:
                    self.found.add(games.found(spot))
                break
            self.tried = games.tried
        return self.positions

    def _plays_on(self, games: Walks) -> bool:
        """Play a game; False when there were enough plies without success, or enough altogether."""
        self.tell(self.tried, len(self.found))
        if games.played - self._last > self.tries or (self._until is not None and self.tried >= self._until):
            return False
        games.play()
        return True

    # --- by chance ----------------------------------------------------------------------------

    def _by_chance(self) -> None:
        """Take wanted positions that are drawn, or much like others that are wanted."""
        chance = Chance(self.wanted, self._rng)
        met = 0
        while self._goes_on():
            if self.tried == _WIDER and met < _RARE * _WIDER:
                known = self._from_cases()
                chance.walk_from(known)
                self.walked_from = len(known)
            if self.tried == _PATIENCE and not self.found:
                for number in self._tiny:
                    self._take(self._exhaust(number, None))
                chance.walk_from(one.position for one in self.positions)
            position = chance.draw()
            if position is not None and (position in self.found or self.wanted.met(position)):
                met += 1
                chance.met(position, apart=self._take([position]))
                if self._enough():
                    return

    def _few(self, lowest: int) -> None:
        """Take wanted positions with few pieces: drawn, and pieces taken off as long as they stay wanted."""
        least, known = self.wanted.pieces[1] + 1, self._from_cases()
        fewer = True
        while fewer:
            fewer = False
            wanted = replace(self.wanted, pieces=(lowest, min(least, self.wanted.pieces[1])))
            chance = Chance(wanted, self._rng, (one for one in known if len(one) <= least))
            self._last = self.tried
            while not fewer and self._goes_on():
                position = chance.draw()
                if position is None or not wanted.met(position):
                    continue
                few = stripped(position, partial(self._stays_wanted, lowest))
                fewer = len(few) < least
                if fewer:
                    least, self.found = len(few), Collection(self.wanted.ruleset)
                    known = [few, *known]
                enough = len(self.found.apart) >= self.number
                if enough and least == self.proved_below:
                    return
                chance.met(position, apart=not enough and len(few) == least and self.found.add(Found(few)))

    def _stays_wanted(self, lowest: int, fewer: Position) -> bool:
        return len(fewer) >= lowest and not objection(self.wanted.player.turns, fewer) and self.wanted.met(fewer)

    def _from_cases(self) -> list[Position]:
        """The positions of the ruleset's cases that are wanted, however many pieces they have."""
        try:
            cases = cases_for(self.wanted.ruleset)
        except RulesetError:  # a file of your own may have none
            return []
        player = self.wanted.player
        wanted = replace(self.wanted, pieces=(0, len(self.wanted.ruleset.rules.board)))
        read = dict.fromkeys(player.read(case.position) for case in cases)
        return [one for one in read if not objection(player.turns, one) and wanted.met(one)]

    # --- all there are ------------------------------------------------------------------------

    def _exhaust(self, number: int, doors: int | None) -> Iterator[Position]:
        """The wanted positions among all with `number` pieces, those far apart that follow each other."""
        before = self.tried
        for positions in self._levels.scattered(number, doors, self._rng, self.doing):
            self._count()
            yield from positions
        self.exhausted.append(Exhausted(number, doors, self.tried - before))

    @property
    def _lowest(self) -> int:
        return max(self.wanted.pieces[0], fewest_pieces(self.wanted.ruleset))

    @property
    def _numbers(self) -> range:
        return range(self._lowest, self.wanted.pieces[1] + 1)

    @property
    def _tiny(self) -> list[int]:
        """The very small numbers of pieces with which all positions can be tried."""
        return [number for number in self._numbers if number <= _TINY and self._levels.cost(number) <= _SMALL]

    def _costs_at_most(self, most: int) -> bool:
        """Whether trying all positions there are costs no more than that."""
        cost = 0
        for number in self._numbers:
            cost += self._levels.cost(number)
            if cost > most:
                return False
        return True

    # --- counting -----------------------------------------------------------------------------

    def _take(self, positions: Iterable[Position]) -> bool:
        """Take in wanted positions until there are enough; whether the last was apart from all before."""
        apart = False
        for position in positions:
            known = len(self.found)
            apart = self.found.add(Found(position))
            if len(self.found) > known:
                self._last = self.tried
            if self._enough():
                break
        return apart

    def _enough(self) -> bool:
        """Whether enough was found. While some of them are much alike, it goes on for as long again as it took.

        For three times as long where most of them are.
        """
        apart = len(self.found.apart)
        if apart >= self.number:
            return True
        if self._until is None and len(self.found) >= self.number:
            self._until = (2 if 2 * apart >= self.number else 4) * self.tried + _PATIENCE
        return self._until is not None and self.tried >= self._until

    def _goes_on(self) -> bool:
        """Count a try; False when there were enough without success, or enough altogether."""
        self._count()
        return self.tried - self._last <= self.tries and not (self._until is not None and self.tried >= self._until)

    def _count(self) -> None:
        """Count a position tried."""
        self.tried += 1
        if self.tried % 512 == 0:
            self.tell(self.tried, len(self.found))
