"""Search of random games for the positions reached in them."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from damspec import Position

from ..positions.random_games import BitboardPlayout, Line, Play, playout
from .diversity import count_changes
from .goal import FoundPosition, SearchGoal

#: A sort of positions is judged after `_FAMILIAR` of them. It is poor if another yields `_POOR` times as many wanted
#: ones; then only the proportion `_POOR_PROPORTION` of it is looked at.
_FAMILIAR, _POOR, _POOR_PROPORTION = 500, 10, 0.02


class GamePlace(NamedTuple):
    """A place in a game: the number of plies, and an alternative to the last move played, if any."""

    plies: int
    other: Any = None


@dataclass(slots=True)
class _SortStatistics:
    """Positions of one sort: how many were looked at, how many were wanted, and whether those are few."""

    tried: int = 0
    wanted: int = 0
    poor: bool = False


class GameSearch:
    """Random games and the wanted positions reached in them after MIN to MAX `plies`.

    Alternatives to the moves played are looked at too, as the ends of other games. `tried` counts the positions looked
    at, `played` those in the games themselves.
    """

    def __init__(self, wanted: SearchGoal, rng: random.Random, plies: tuple[int, int]) -> None:
        self.wanted, self.plies = wanted, plies
        self.tried = self.played = 0
        self._sorts: defaultdict[Hashable, _SortStatistics] = defaultdict(_SortStatistics)
        self._best = 0.0
        self._rng = rng
        self._play: Play[Any, Any] = playout(wanted.ruleset, rng)
        self._may_meet: Callable[[Any], bool] = wanted.may_meet_with
        if not isinstance(self._play, BitboardPlayout):
            self._may_meet = lambda position: position.huffable is not None or wanted.may_meet(position)

    def play(self) -> None:
        """Play the next game."""
        self._line: Line[Any, Any] = self._play.line(self.plies[1])

    def parts(self, number: int) -> Iterator[Iterator[tuple[GamePlace, Position]]]:
        """Yield the wanted positions in `number` parts of the game of equal length, each from a random ply on."""
        first, length = self.plies[0], max(0, len(self._line.states) - self.plies[0])
        for part in range(number):
            plies = range(first + length * part // number, first + length * (part + 1) // number)
            start = self._rng.randrange(len(plies)) if plies else 0
            yield self._wanted_near([*plies[start:], *plies[:start]])

    def from_the_end(self) -> Iterator[tuple[GamePlace, Position]]:
        """Yield the wanted positions of the game, the last first."""
        return self._wanted_near(reversed(range(self.plies[0], len(self._line.states))))

    def changes(self, spot: GamePlace) -> int:
        """Return the plies before a spot, without spins."""
        return count_changes(self._line.played[: spot.plies])

    def position_at(self, spot: GamePlace) -> FoundPosition:
        """Return the position at a spot with the game that leads to it."""
        ply, other = spot
        if other is None:
            return FoundPosition(self._play.position(self._line.states[ply]), self._play.game(self._line, ply))
        state = self._play.after(self._line.states[ply - 1], other)
        return FoundPosition(self._play.position(state), self._play.game(self._line, ply - 1, other))

    def _wanted_near(self, plies: Iterable[int]) -> Iterator[tuple[GamePlace, Position]]:
        """Yield the wanted positions at some plies and of the alternatives to the moves played there."""
        line, play = self._line, self._play
        for ply in plies:
            self.played += 1
            state = line.states[ply]
            sort = self._sorts[play.sort(state)]
            if sort.poor and self._rng.random() > _POOR_PROPORTION:
                continue
            if position := self._look_at(state, sort):
                yield GamePlace(ply), position
            if ply:
                before = line.states[ply - 1]
                for other in play.others(before, line.played[ply - 1]):
                    state = play.after(before, other)
                    if position := self._look_at(state, self._sorts[play.sort(state)]):
                        yield GamePlace(ply, other), position

    def _look_at(self, state: Any, sort: _SortStatistics) -> Position | None:
        """Return the position if it is wanted, and update the statistics of its sort."""
        self.tried += 1
        sort.tried += 1
        found: Position | None = None
        if self._may_meet(state):
            position = self._play.position(state)
            if self.wanted.is_met(position):
                found = position
                sort.wanted += 1
        if sort.tried > _FAMILIAR:
            part = (sort.wanted + 1) / sort.tried
            self._best = max(self._best, part if sort.wanted else 0.0)
            sort.poor = part * _POOR < self._best
        return found
