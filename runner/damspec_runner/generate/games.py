"""Wanted positions in random games from the start: spread over a game, and few of each."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from damspec import Position

from ..positions.lines import InTurns, Line, OnBitboards, Play
from .goal import Found, Wanted


@dataclass(frozen=True)
class Spot:
    """A place in a game that may be looked at: after so many plies, or with another last action than was played."""

    plies: int
    other: int | None = None


class Games:
    """Random games, each in as many parts as positions are taken of it: those reached after MIN to MAX `plies`.

    Where it can be, what else could have been played is looked at too, which is the end of another game.
    """

    def __init__(self, wanted: Wanted, rng: random.Random, plies: tuple[int, int], each: int) -> None:
        self.wanted, self._rng = wanted, rng
        self._plies, self._each = plies, each
        self._play: Play[Any, Any]
        self._may_meet: Callable[[Any], bool]
        rules = wanted.ruleset.rules
        if rules.spin is None and rules.huff is None:
            self._play, self._may_meet = OnBitboards(wanted.ruleset, rng), lambda seen: wanted.may_meet_with(*seen)
        else:
            self._play = InTurns(wanted.ruleset, rng)
            self._may_meet = lambda position: position.huffable is not None or wanted.may_meet(position)

    def play(self) -> None:
        """Play the next game."""
        self._line: Line[Any, Any] = self._play.line(self._plies[1])

    def parts(self) -> Iterator[Iterator[Spot]]:
        """The spots of the game, in parts of the same length; each part from anywhere in it on."""
        first, last = self._plies[0], min(self._plies[1], len(self._line.chosen))
        length = max(0, last + 1 - first)
        for part in range(self._each):
            plies = range(first + length * part // self._each, first + length * (part + 1) // self._each)
            start = self._rng.randrange(len(plies)) if plies else 0
            yield self._spots([*plies[start:], *plies[:start]])

    def from_the_end(self) -> Iterator[Spot]:
        """The spots of the game, the last first."""
        return self._spots(reversed(range(self._plies[0], len(self._line.states))))

    def wanted_at(self, spot: Spot) -> Position | None:
        """The position of a spot if it is wanted."""
        state = self._state(spot)
        if not self._may_meet(state):
            return None
        position = self._play.position(state)
        return position if self.wanted.met(position) else None

    def found(self, spot: Spot) -> Found:
        """A spot with the game that leads to it."""
        if spot.other is None:
            game = self._play.game(self._line, spot.plies)
        else:
            game = self._play.game(self._line, spot.plies - 1, spot.other)
        return Found(self._play.position(self._state(spot)), game)

    def _spots(self, plies: Iterable[int]) -> Iterator[Spot]:
        for ply in plies:
            yield Spot(ply)
            if ply:
                for other in range(len(self._line.options[ply - 1])):
                    if other != self._line.chosen[ply - 1]:
                        yield Spot(ply, other)

    def _state(self, spot: Spot) -> Any:
        line, before = self._line, spot.plies - 1
        if spot.other is None:
            return line.states[spot.plies]
        return self._play.after(line.states[before], line.options[before][spot.other])
