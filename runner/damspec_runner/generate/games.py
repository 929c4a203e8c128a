"""Wanted positions in random games from the start: spread over a game, and few of each."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from damspec import Position

from ..positions.lines import Line, OnBitboards, Play, play
from .goal import Found, Wanted

#: A sort of positions is known when so many were looked at. It is poor if another has so many times as many that are
#: wanted; then this part of them is looked at.
_FAMILIAR, _POOR, _LOOKED_AT = 500, 10, 0.01


class Spot(NamedTuple):
    """A position by its place in a game: after so many plies, the last of them perhaps another than was played."""

    plies: int
    other: int | None = None


@dataclass(slots=True)
class _Sort:
    """Positions of one sort: how many were looked at, how many of them were wanted, and whether those are few."""

    tried: int = 0
    wanted: int = 0
    poor: bool = False


class Walks:
    """Random games, each in as many parts as positions are taken of it: those reached after MIN to MAX `plies`.

    What else could have been played is looked at too, as the end of another game. `tried` counts the positions looked
    at, `played` those of them that are in the games themselves.
    """

    def __init__(self, wanted: Wanted, rng: random.Random, plies: tuple[int, int]) -> None:
        self.wanted, self.plies = wanted, plies
        self.tried = self.played = 0
        self._sorts: defaultdict[Hashable, _Sort] = defaultdict(_Sort)
        self._best = 0.0
        self._rng = rng
        self._play: Play[Any, Any] = play(wanted.ruleset, rng)
        self._may_meet: Callable[[Any], bool] = wanted.may_meet_with
        if not isinstance(self._play, OnBitboards):
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
        state = self._play.after(self._line.states[ply - 1], self._line.options[ply - 1][other])
        return Found(self._play.position(state), self._play.game(self._line, ply - 1, other))

    def _wanted(self, plies: Iterable[int]) -> Iterator[tuple[Spot, Position]]:
        line, play = self._line, self._play
        for ply in plies:
            self.played += 1
            if position := self._looked_at(line.states[ply]):
                yield Spot(ply), position
            if ply:
                before, options = line.states[ply - 1], line.options[ply - 1]
                for other in play.others(options, line.chosen[ply - 1]):
                    if position := self._looked_at(play.after(before, options[other])):
                        yield Spot(ply, other), position

    def _looked_at(self, state: Any) -> Position | None:
        """The position if it is wanted; of a poor sort only a few are looked at."""
        sort = self._sorts[self._play.sort(state)]
        if sort.poor and self._rng.random() > _LOOKED_AT:
            return None
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
