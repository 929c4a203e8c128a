"""The search for positions: at random, near known ones, from games, or through all of few pieces."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from damspec import Position, RulesetError
from damspec.board import Side
from damspec.kernel.installed import installed
from damspec.validity import fewest_pieces, find_invalidity, phase_of, phases

from ..cases.cases import cases_for
from ..positions.enumeration import (
    AFFORDABLE,
    Scattered,
    choices,
    crownheads,
    everywhere,
    in_phases,
    minimise,
    sides,
    size,
    slider_positions,
)
from ..positions.random_games import PLIES, BitboardPlayout, Line, Play, playout
from ..positions.sampling import PositionSampler
from ..tasks.executor import TaskRunner, run_in_process
from .diversity import DistinctPositions
from .goal import Found, SearchGoal

if TYPE_CHECKING:
    from damspec.kernel.sieve import Sieve

#: How many positions are walked on from, and the least and the greatest part of the tries that do so.
_WALKERS, _LEAST, _MOST = 300, 0.1, 0.8
#: How often a position is drawn in a phase that a wanted one is in.
_SAME_PHASE = 0.7


@dataclass
class _Way:
    """A way to come by positions: how often it was tried, and how many positions apart from all before it found."""

    tried: int = 10
    apart: int = 1

    @property
    def worth(self) -> float:
        return self.apart / self.tried


class RandomSearch:
    """Draws positions, and learns from which of them were wanted."""

    def __init__(self, wanted: SearchGoal, rng: random.Random, known: Iterable[Position] = ()) -> None:
        self._rng, self._sampler = rng, PositionSampler(wanted.ruleset, rng, wanted.pieces, wanted.phase)
        self._walkers = list(known)
        self._drawn, self._walked = _Way(), _Way()
        self._way, self._place = self._drawn, 0

    def walk_from(self, positions: Iterable[Position]) -> None:
        """Walk from wanted positions found in other ways, too."""
        self._walkers += positions

    def draw(self) -> Position | None:
        """A position that the ruleset can have; None if this try came to nothing."""
        rng, walkers = self._rng, self._walkers
        if walkers and rng.random() < self._walked_part:
            self._way, self._place = self._walked, rng.randrange(len(walkers))
            position = self._sampler.near(walkers[self._place])
        else:
            self._way = self._drawn
            same = walkers and rng.random() < _SAME_PHASE
            position = self._sampler.draw(phase_of(rng.choice(walkers)) if same else None)
        self._way.tried += 1
        return position

    def met(self, position: Position, *, apart: bool) -> None:
        """Take in that the position drawn last is wanted, and whether it was found to be apart from all before."""
        self._way.apart += apart
        if self._way is self._walked:
            self._walkers[self._place] = position
        elif len(self._walkers) < _WALKERS:
            self._walkers.append(position)
        elif apart:
            self._walkers[self._rng.randrange(_WALKERS)] = position

    @property
    def _walked_part(self) -> float:
        return min(max(self._walked.worth / (self._walked.worth + self._drawn.worth), _LEAST), _MOST)


#: From how many positions on it is worth the seconds that it may take to compile what leaves most of them out.
MUCH = 60_000
#: How many times as much it costs to compare whole turns as to compare moves.
_WHOLE_TURNS = 8
#: About how many positions are tried at once.
_AT_ONCE = 1_024


@dataclass(frozen=True)
class SearchedLevel:
    """All positions with `pieces` pieces were tried: how many, and with at most how many open doors (None: any)."""

    pieces: int
    doors: int | None
    positions: int


class ExhaustiveSearch:
    """All positions of a ruleset by their number of pieces, with an eye on what is wanted."""

    def __init__(self, wanted: SearchGoal) -> None:
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
        self, number: int, doors: int | None, rng: random.Random, task_runner: TaskRunner = run_in_process
    ) -> Iterator[list[Position]]:
        """For each position with a number of pieces, up to mirror images, those wanted among it and its mirror image.

        Positions that follow each other are far apart.
        """
        for position in self._each(number, self._one_side, doors, rng, task_runner):
            if position is None:
                yield []
            elif len(self._one_side) == 1 and not (position.sliders or position.huffable):
                both = [position, position.mirrored()]
                yield both[:: rng.choice((1, -1))]
            else:
                yield [position]

    def in_order(self, number: int, task_runner: TaskRunner = run_in_process) -> Iterator[Position | None]:
        """For each position with a number of pieces itself if it is wanted, else None."""
        return self._each(number, ("white", "black"), None, None, task_runner)

    def _each(
        self,
        number: int,
        sides: tuple[Side, ...],
        doors: int | None,
        rng: random.Random | None,
        task_runner: TaskRunner,
    ) -> Iterator[Position | None]:
        """Every position, in every phase, if it is wanted; else None."""
        ruleset = self.wanted.ruleset
        board, wanted = ruleset.rules.board, replace(self.wanted)
        for sliders in slider_positions(ruleset, doors):
            scattered = Scattered.by_chance(board, number, rng) if rng else None
            every, many = choices(board, number, scattered), max(1, _AT_ONCE >> (0 if rng else 2 * number))
            shares = (
                LevelTask(wanted, number, sides, sliders, scattered, (first, min(first + many, every)))
                for first in range(0, every, many)
            )
            for found in task_runner(met, {share.key: share for share in shares}):
                places = dict(found["wanted"])
                for place in range(found["tried"]):
                    yield Position.from_fen(places[place], board) if place in places else None


@dataclass(frozen=True)
class LevelTask:
    """Some of the positions with a number of pieces and the sliders one way, by their choices in an order."""

    wanted: SearchGoal
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


def met(share: LevelTask) -> dict[str, Any]:
    """How many positions of a share were tried, in every phase, and which of them are wanted, by their places."""
    wanted, found, tried = _ready(share.wanted), [], 0
    for position in _positions(share, wanted):
        if position and wanted.met(position):
            found.append([tried, position.fen()])
        tried += 1
    return {"tried": tried, "wanted": found}


@lru_cache(1)
def _ready(wanted: SearchGoal) -> SearchGoal:
    """What is wanted, the same for all shares: it keeps what it has worked out."""
    return wanted


def _positions(share: LevelTask, wanted: SearchGoal) -> Iterator[Position | None]:
    """Every position of a share, in every phase; None for one that cannot meet the goals, whatever the phase."""
    ruleset, turns = wanted.ruleset, wanted.player.turns
    named = phases(ruleset) if wanted.phase is None else (wanted.phase,)
    for position in _placed(share, wanted):
        if position is None or (ruleset.rules.huff is None and not wanted.may_meet(position)):
            yield None
            continue
        for one in in_phases(position, named, turns):
            if not find_invalidity(turns, one):
                yield one


def _placed(share: LevelTask, wanted: SearchGoal) -> Iterator[Position | None]:
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
def _sieve(wanted: SearchGoal) -> Sieve | None:
    """What leaves out positions in which the first goal is not met, where compiled code can see it."""
    contrasts = wanted.first_contrasts
    seen = all(not (contrast.turns or contrast.ending) for _, contrast in contrasts)
    if not (contrasts and seen and installed()) or wanted.ruleset.rules.huff:
        return None
    from damspec.kernel.sieve import Sieve

    others = [(player.ruleset.rules, contrast.quiet) for player, contrast in contrasts]
    return Sieve(wanted.ruleset.rules, others)


#: A sort of positions is known when so many were looked at. It is poor if another has so many times as many that are
#: wanted; then this part of them is looked at.
_FAMILIAR, _POOR, _LOOKED_AT = 500, 10, 0.02


class Spot(NamedTuple):
    """A position by its place in a game: after so many plies, the last of them perhaps another than was played."""

    plies: int
    other: Any = None


@dataclass(slots=True)
class _Sort:
    """Positions of one sort: how many were looked at, how many of them were wanted, and whether those are few."""

    tried: int = 0
    wanted: int = 0
    poor: bool = False


class GameSearch:
    """Random games, each in as many parts as positions are taken of it: those reached after MIN to MAX `plies`.

    What else could have been played is looked at too, as the end of another game. `tried` counts the positions looked
    at, `played` those of them that are in the games themselves.
    """

    def __init__(self, wanted: SearchGoal, rng: random.Random, plies: tuple[int, int]) -> None:
        self.wanted, self.plies = wanted, plies
        self.tried = self.played = 0
        self._sorts: defaultdict[Hashable, _Sort] = defaultdict(_Sort)
        self._best = 0.0
        self._rng = rng
        self._play: Play[Any, Any] = playout(wanted.ruleset, rng)
        self._may_meet: Callable[[Any], bool] = wanted.may_meet_with
        if not isinstance(self._play, BitboardPlayout):
            self._may_meet = lambda position: position.huffable is not None or wanted.may_meet(position)

    def play(self) -> None:
        """Play the next game."""
        self._line: Line[Any, Any] = self._play.line(self.plies[1])

    def parts(self, number: int) -> Iterator[Iterator[tuple[Spot, Position]]]:
        """The wanted positions of the game, in parts of the same length; each part from anywhere in it on."""
        first, length = self.plies[0], max(0, len(self._line.states) - self.plies[0])
        for part in range(number):
            plies = range(first + length * part // number, first + length * (part + 1) // number)
            start = self._rng.randrange(len(plies)) if plies else 0
            yield self._wanted([*plies[start:], *plies[:start]])

    def from_the_end(self) -> Iterator[tuple[Spot, Position]]:
        """The wanted positions of the game, the last first."""
        return self._wanted(reversed(range(self.plies[0], len(self._line.states))))

    def found(self, spot: Spot) -> Found:
        """A spot with the game that leads to it."""
        ply, other = spot
        if other is None:
            return Found(self._play.position(self._line.states[ply]), self._play.game(self._line, ply))
        state = self._play.after(self._line.states[ply - 1], other)
        return Found(self._play.position(state), self._play.game(self._line, ply - 1, other))

    def _wanted(self, plies: Iterable[int]) -> Iterator[tuple[Spot, Position]]:
        """Those wanted in some plies; what else could have been played leads to positions of the same sort mostly."""
        line, play = self._line, self._play
        for ply in plies:
            self.played += 1
            state = line.states[ply]
            sort = self._sorts[play.sort(state)]
            if sort.poor and self._rng.random() > _LOOKED_AT:
                continue
            if position := self._looked_at(state, sort):
                yield Spot(ply), position
            if ply:
                before = line.states[ply - 1]
                for other in play.others(before, line.played[ply - 1]):
                    state = play.after(before, other)
                    if position := self._looked_at(state, self._sorts[play.sort(state)]):
                        yield Spot(ply, other), position

    def _looked_at(self, state: Any, sort: _Sort) -> Position | None:
        """The position if it is wanted."""
        self.tried += 1
        sort.tried += 1
        found: Position | None = None
        if self._may_meet(state):
            position = self._play.position(state)
            if self.wanted.met(position):
                found = position
                sort.wanted += 1
        if sort.tried > _FAMILIAR:
            part = (sort.wanted + 1) / sort.tried
            self._best = max(self._best, part if sort.wanted else 0.0)
            sort.poor = part * _POOR < self._best
        return found


#: What it may cost to try all positions there are before any is drawn.
_SMALL = 60_000
#: After how many tries it goes wider, if fewer than this part of them was wanted.
_WIDER, _RARE = 2_000, 0.01
#: After how many tries without success all positions with very few pieces are tried, and how many pieces those are.
_PATIENCE, _TINY = 5_000, 2


@dataclass
class PositionSearch:
    """A search for `number` wanted positions, the same for the same seed. It gives up after `tries` without success.

    `tell` is told now and then how many positions were tried and how many found. Whenever it is broken off, what was
    found is in `positions`, and `exhausted` says where nothing else is.
    """

    wanted: SearchGoal
    number: int = 1
    seed: int = 0
    tries: int = 30_000
    tell: Callable[[int, int], None] = lambda tried, found: None
    #: Who tries all positions there are.
    task_runner: TaskRunner = run_in_process
    tried: int = 0
    exhausted: list[SearchedLevel] = field(default_factory=list)
    #: Whether the fewest pieces were searched for, or everything in order; from how many positions of cases it went on.
    few: bool = False
    ordered: bool = False
    walked_from: int = 0

    def __post_init__(self) -> None:
        self.found = DistinctPositions(self.wanted.ruleset)
        self._levels = ExhaustiveSearch(self.wanted)
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
            for position in self._levels.in_order(number, self.task_runner):
                self._count()
                if position:
                    self._every.append(Found(position))
                    self.found.add(self._every[-1])
            self.exhausted.append(SearchedLevel(number, None, self.tried - before))
        return self.positions

    def reached(self, plies: tuple[int, int] = (0, PLIES), each: int = 1) -> list[Found]:
        """Wanted positions out of random games, after MIN to MAX `plies`, at most `each` of a game."""
        games = GameSearch(self.wanted, self._rng, plies)
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
        games = GameSearch(self.wanted, self._rng, plies)
        least = self.wanted.pieces[1] + 1
        while self._plays_on(games):
            for spot, position in games.from_the_end():
                if len(position) < least:
                    least, self.found, self._last = len(position), DistinctPositions(self.wanted.ruleset), games.played
                if len(position) == least and len(self.found.apart) < self.number:
                    self.found.add(games.found(spot))
                break
            self.tried = games.tried
        return self.positions

    def _plays_on(self, games: GameSearch) -> bool:
        """Play a game; False when there were enough plies without success, or enough altogether."""
        self.tell(self.tried, len(self.found))
        if games.played - self._last > self.tries or (self._until is not None and self.tried >= self._until):
            return False
        games.play()
        return True

    # --- by chance ----------------------------------------------------------------------------

    def _by_chance(self) -> None:
        """Take wanted positions that are drawn, or much like others that are wanted."""
        chance = RandomSearch(self.wanted, self._rng)
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
            chance = RandomSearch(wanted, self._rng, (one for one in known if len(one) <= least))
            self._last = self.tried
            while not fewer and self._goes_on():
                position = chance.draw()
                if position is None or not wanted.met(position):
                    continue
                few = minimise(position, partial(self._stays_wanted, lowest))
                fewer = len(few) < least
                if fewer:
                    least, self.found = len(few), DistinctPositions(self.wanted.ruleset)
                    known = [few, *known]
                enough = len(self.found.apart) >= self.number
                if enough and least == self.proved_below:
                    return
                chance.met(position, apart=not enough and len(few) == least and self.found.add(Found(few)))

    def _stays_wanted(self, lowest: int, fewer: Position) -> bool:
        return len(fewer) >= lowest and not find_invalidity(self.wanted.player.turns, fewer) and self.wanted.met(fewer)

    def _from_cases(self) -> list[Position]:
        """The positions of the ruleset's cases that are wanted, however many pieces they have."""
        try:
            cases = cases_for(self.wanted.ruleset)
        except RulesetError:  # a file of your own may have none
            return []
        player = self.wanted.player
        wanted = replace(self.wanted, pieces=(0, len(self.wanted.ruleset.rules.board)))
        read = dict.fromkeys(player.read(case.position) for case in cases)
        return [one for one in read if not find_invalidity(player.turns, one) and wanted.met(one)]

    # --- all there are ------------------------------------------------------------------------

    def _exhaust(self, number: int, doors: int | None) -> Iterator[Position]:
        """The wanted positions among all with `number` pieces, those far apart that follow each other."""
        before = self.tried
        for positions in self._levels.scattered(number, doors, self._rng, self.task_runner):
            self._count()
            yield from positions
        self.exhausted.append(SearchedLevel(number, doors, self.tried - before))

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
