"""Search for positions: at random, in games, or exhaustively with few pieces."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial

from damspec import Position, RulesetError
from damspec.sampling import PositionSampler
from damspec.validity import fewest_pieces, find_invalidity, phase_of

from ..answers.player import RulePlayer
from ..cases.cases import cases_for
from ..positions.enumeration import AFFORDABLE, minimise
from ..positions.random_games import PLIES
from ..tasks.executor import TaskRunner, run_in_process
from .diversity import DistinctPositions
from .exhaustive import ExhaustiveSearch, SearchedLevel
from .game_search import GamePlace, GameSearch
from .goal import FoundPosition, SearchGoal

#: The most positions to walk from, and the least and greatest proportion of tries that do so.
_WALKERS, _LEAST, _MOST = 300, 0.1, 0.8
#: The probability of drawing in the phase of a position that was wanted.
_SAME_PHASE_PROBABILITY = 0.7


@dataclass
class _DrawStatistics:
    """Statistics of a way to draw positions: tries, and positions found that are apart from all earlier ones."""

    tried: int = 10
    apart: int = 1

    @property
    def worth(self) -> float:
        return self.apart / self.tried


def case_positions(player: RulePlayer) -> list[Position]:
    """Return the valid positions of the cases for a player's ruleset; a file of your own may have none."""
    try:
        cases = cases_for(player.ruleset)
    except RulesetError:
        return []
    read = dict.fromkeys(player.parse_position(case.position) for case in cases)
    return [position for position in read if not find_invalidity(player.turns, position)]


class RandomSearch:
    """Random drawing of positions that adapts to which of them were wanted."""

    def __init__(self, wanted: SearchGoal, rng: random.Random, known: Iterable[Position] = ()) -> None:
        self._rng, self._sampler = (
            rng,
            PositionSampler(wanted.ruleset, rng, wanted.pieces, wanted.phase, wanted.criteria.captures),
        )
        self._walkers = list(known)
        self._drawn, self._walked = _DrawStatistics(), _DrawStatistics()
        self._way, self._place = self._drawn, 0

    def walk_from(self, positions: Iterable[Position]) -> None:
        """Also walk from wanted positions found in other ways."""
        self._walkers += positions

    def draw(self) -> Position | None:
        """Return a position valid in the ruleset, or None if this try failed."""
        rng, walkers = self._rng, self._walkers
        if walkers and rng.random() < self._walk_probability:
            self._way, self._place = self._walked, rng.randrange(len(walkers))
            position = self._sampler.near(walkers[self._place])
        else:
            self._way = self._drawn
            same = walkers and rng.random() < _SAME_PHASE_PROBABILITY
            position = self._sampler.draw(phase_of(rng.choice(walkers)) if same else None)
        self._way.tried += 1
        return position

    def record(self, position: Position, *, apart: bool) -> None:
        """Record that the position drawn last is wanted, and whether it is apart from all earlier ones."""
        self._way.apart += apart
        if self._way is self._walked:
            self._walkers[self._place] = position
        elif len(self._walkers) < _WALKERS:
            self._walkers.append(position)
        elif apart:
            self._walkers[self._rng.randrange(_WALKERS)] = position

    @property
    def _walk_probability(self) -> float:
        return min(max(self._walked.worth / (self._walked.worth + self._drawn.worth), _LEAST), _MOST)


#: The highest cost at which all positions are tried before any is drawn.
_SMALL = 60_000
#: After `_WIDER` tries the search also walks from the cases, if fewer than the proportion `_RARE` was wanted.
_WIDER, _RARE = 2_000, 0.01
#: After `_PATIENCE` tries without success all positions with up to `_TINY` pieces are tried.
_PATIENCE, _TINY = 5_000, 2


@dataclass
class PositionSearch:
    """A search for `number` wanted positions, reproducible by seed. It gives up after `tries` without success.

    `tell` is called now and then with the numbers of positions tried and found. If the search is interrupted,
    `positions` has what was found and `exhausted` the levels that were searched completely.
    """

    goal: SearchGoal
    number: int = 1
    seed: int = 0
    tries: int = 30_000
    tell: Callable[[int, int], None] = lambda tried, found: None
    #: Runs the tasks of an exhaustive search.
    task_runner: TaskRunner = run_in_process
    tried: int = 0
    exhausted: list[SearchedLevel] = field(default_factory=list)
    #: Whether the fewest pieces, or everything in order, were searched for; the positions of cases walked from.
    few: bool = False
    ordered: bool = False
    walked_from: int = 0

    def __post_init__(self) -> None:
        self.found = DistinctPositions(self.goal.ruleset)
        self._levels = ExhaustiveSearch(self.goal)
        self._rng = random.Random(self.seed)
        self._every: list[FoundPosition] = []
        self._last = 0
        self._last_apart = 0
        self._until: int | None = None

    @property
    def positions(self) -> list[FoundPosition]:
        """The positions found, at most `number`: those apart from all earlier ones, then others."""
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
        """Whether every possible position was tried."""
        return self.proved_below > self.goal.pieces[1]

    # --- where to search ----------------------------------------------------------------------

    def search(self) -> list[FoundPosition]:
        """Search with any number of pieces: exhaustively if there are few positions, else at random."""
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

    def fewest(self) -> list[FoundPosition]:
        """Search for the fewest pieces: exhaustively while affordable, then at random."""
        self.few = True
        for number in self._numbers:
            doors = self._levels.affordable_doors(number)
            if doors != -1:
                self._take(self._exhaust(number, doors))
                if self.found:
                    break
            if doors is not None:
                self._search_fewest(number)
                break
        return self.positions

    def enumerate(self) -> list[FoundPosition]:
        """Search exhaustively, by the number of pieces and in the order of the squares."""
        self.ordered = True
        for number in self._numbers:
            before = self.tried
            for position in self._levels.in_order(number, self.task_runner):
                self._count()
                if position:
                    self._every.append(FoundPosition(position))
                    self.found.add(self._every[-1])
            self.exhausted.append(SearchedLevel(number, None, self.tried - before))
        return self.positions

    def search_games(self, plies: tuple[int, int] = (0, PLIES), each: int = 1) -> list[FoundPosition]:
        """Search random games, after MIN to MAX `plies`, taking at most `each` positions of a game."""
        games = GameSearch(self.goal, self._rng, plies)
        while not self._enough() and self._play_next(games):
            for part in games.parts(each):
                near: GamePlace | None = None
                for spot, position in part:
                    if position not in self.found:
                        near = near or spot
                        if self.found.would_be_apart(position, games.changes(spot)):
                            near = spot
                            break
                if near is not None:
                    self._add(games.position_at(near))
                    self._last = games.played
            self.tried = games.tried
        return self.positions

    def fewest_reached(self, plies: tuple[int, int] = (0, PLIES)) -> list[FoundPosition]:
        """Search random games for the fewest pieces, taking one position of a game."""
        self.few = True
        games = GameSearch(self.goal, self._rng, plies)
        least = self.goal.pieces[1] + 1
        while self._play_next(games):
            for spot, position in games.from_the_end():
                if len(position) < least:
                    least, self.found, self._last = len(position), DistinctPositions(self.goal.ruleset), games.played
                if len(position) == least and len(self.found.apart) < self.number:
                    self.found.add(games.position_at(spot))
                break
            self.tried = games.tried
        return self.positions

    def _play_next(self, games: GameSearch) -> bool:
        """Play a game and return True; return False after too many plies without success, or enough in all."""
        self.tell(self.tried, len(self.found))
        if games.played - self._last > self.tries or self._is_late():
            return False
        games.play()
        return True

    # --- by chance ----------------------------------------------------------------------------

    def _by_chance(self) -> None:
        """Add wanted positions that are drawn at random or near other wanted ones."""
        chance = RandomSearch(self.goal, self._rng)
        met = 0
        while self._continue():
            if self.tried == _WIDER and met < _RARE * _WIDER:
                known = self._from_cases()
                chance.walk_from(known)
                self.walked_from = len(known)
            if self.tried == _PATIENCE and not self.found:
                for number in self._tiny:
                    self._take(self._exhaust(number, None))
                chance.walk_from(one.position for one in self.positions)
            position = chance.draw()
            if position is not None and (position in self.found or self.goal.is_met(position)):
                met += 1
                chance.record(position, apart=self._take([position]))
                if self._enough():
                    return

    def _search_fewest(self, lowest: int) -> None:
        """Add wanted positions with few pieces: draw, then remove pieces while the position stays wanted."""
        least, known = self.goal.pieces[1] + 1, self._from_cases()
        fewer = True
        while fewer:
            fewer = False
            wanted = replace(self.goal, pieces=(lowest, min(least, self.goal.pieces[1])))
            chance = RandomSearch(wanted, self._rng, (one for one in known if len(one) <= least))
            self._last = self.tried
            while not fewer and self._continue():
                position = chance.draw()
                if position is None or not wanted.is_met(position):
                    continue
                few = minimise(position, partial(self._stays_wanted, lowest))
                fewer = len(few) < least
                if fewer:
                    least, self.found = len(few), DistinctPositions(self.goal.ruleset)
                    known = [few, *known]
                enough = len(self.found.apart) >= self.number
                if enough and least == self.proved_below:
                    return
                chance.record(position, apart=not enough and len(few) == least and self.found.add(FoundPosition(few)))

    def _stays_wanted(self, lowest: int, fewer: Position) -> bool:
        return len(fewer) >= lowest and not find_invalidity(self.goal.player.turns, fewer) and self.goal.is_met(fewer)

    def _from_cases(self) -> list[Position]:
        """Return the wanted positions of the ruleset's cases, with any number of pieces, or as many as are solved."""
        most = self.goal.pieces[1] if self.goal.solved else len(self.goal.ruleset.rules.board)
        wanted = replace(self.goal, pieces=(0, most))
        return [*filter(wanted.is_met, case_positions(self.goal.player))]

    # --- all there are ------------------------------------------------------------------------

    def _exhaust(self, number: int, doors: int | None) -> Iterator[Position]:
        """Yield the wanted positions among all with `number` pieces; consecutive ones are far apart."""
        before = self.tried
        for positions in self._levels.shuffled_groups(number, doors, self._rng, self.task_runner):
            self._count()
            yield from positions
        self.exhausted.append(SearchedLevel(number, doors, self.tried - before))

    @property
    def _lowest(self) -> int:
        return max(self.goal.pieces[0], fewest_pieces(self.goal.ruleset.rules))

    @property
    def _numbers(self) -> range:
        return range(self._lowest, self.goal.pieces[1] + 1)

    @property
    def _tiny(self) -> list[int]:
        """The very small numbers of pieces with which all positions can be tried."""
        return [number for number in self._numbers if number <= _TINY and self._levels.cost(number) <= _SMALL]

    def _costs_at_most(self, most: int) -> bool:
        """Return whether trying all positions costs at most `most`."""
        return sum(map(self._levels.cost, self._numbers)) <= most

    # --- counting -----------------------------------------------------------------------------

    def _take(self, positions: Iterable[Position]) -> bool:
        """Add wanted positions until there are enough; return whether the last one was apart."""
        apart = False
        for position in positions:
            known = len(self.found)
            apart = self._add(FoundPosition(position))
            if len(self.found) > known:
                self._last = self.tried
            if self._enough():
                break
        return apart

    def _enough(self) -> bool:
        """Return whether enough was found.

        If too few are apart from each other, go on for as long again as it took, or three times as long if most are
        alike, and for as long again as it took to find the last one apart.
        """
        apart = len(self.found.apart)
        if apart >= self.number:
            return True
        if self._until is None and len(self.found) >= self.number:
            self._until = (2 if 2 * apart >= self.number else 4) * self.tried + _PATIENCE
        return self._is_late()

    def _is_late(self) -> bool:
        """Return whether enough positions were found, and no more that are apart for long."""
        return self._until is not None and self.tried >= max(self._until, 2 * self._last_apart + _PATIENCE)

    def _add(self, found: FoundPosition) -> bool:
        """Add a position; return whether it is apart from all earlier ones."""
        apart = self.found.add(found)
        if apart:
            self._last_apart = self.tried
        return apart

    def _continue(self) -> bool:
        """Count a try; return False after too many without success, or enough in all."""
        self._count()
        return self.tried - self._last <= self.tries and not self._is_late()

    def _count(self) -> None:
        """Count a position tried and report progress now and then."""
        self.tried += 1
        if self.tried % 512 == 0:
            self.tell(self.tried, len(self.found))
