"""Random games from the start, played fast, for a search to look through: a game as a line of play.

Where a turn is one move of a piece they are played on bitboards, with the weights of `walks`, and only what is found is
written out. Else they are those of `walks`.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from damspec import Action, Move, Position, Ruleset
from damspec.ending import ended
from damspec.pieces import seen_by_mover, with_pieces
from damspec.tables import Pieces, Step

from .walks import CAPTURE, CROWNING, KING, walk

#: A position of a game while it is played, and something that can be played in it.
State = TypeVar("State")
Option = TypeVar("Option")


@dataclass(frozen=True)
class Line(Generic[State, Option]):
    """A game: its positions, and for each but the last what could be played there, with the place of what was."""

    states: list[State]
    options: list[list[Option]]
    chosen: list[int]


class Play(ABC, Generic[State, Option]):
    """How games of a ruleset are played."""

    def __init__(self, ruleset: Ruleset, rng: random.Random) -> None:
        self.ruleset, self.rng = ruleset, rng
        self.start = Position.start(ruleset.rules)

    def game(self, line: Line[State, Option], ply: int, other: int | None = None) -> tuple[Action, ...]:
        """So many actions of a game; then, if there is an `other`, the option in that place."""
        places = line.chosen[:ply] if other is None else [*line.chosen[:ply], other]
        return tuple(self.action(options, place) for options, place in zip(line.options, places, strict=False))

    @abstractmethod
    def line(self, plies: int) -> Line[State, Option]:
        """A random game, until it is over or has lasted so many plies."""

    @abstractmethod
    def after(self, state: State, option: Option) -> State:
        """The position after one of its options."""

    @abstractmethod
    def others(self, options: list[Option], chosen: int) -> Iterator[int]:
        """The places of the moves among the options, without the chosen one."""

    @abstractmethod
    def sort(self, state: State) -> Hashable:
        """What sort of position it is, said fast: who has kings, and what is pending."""

    @abstractmethod
    def position(self, state: State) -> Position:
        """A position written out."""

    @abstractmethod
    def action(self, options: list[Option], place: int) -> Action:
        """One of the options of a position written out."""


def play(ruleset: Ruleset, rng: random.Random) -> OnBitboards | InTurns:
    """How games of a ruleset are played fastest."""
    rules = ruleset.rules
    return OnBitboards(ruleset, rng) if rules.spin is None and rules.huff is None else InTurns(ruleset, rng)


#: The pieces as the side to move sees them, and that side.
Seen = tuple[Pieces, int]


class OnBitboards(Play[Seen, Step]):
    """Games in which a turn is one move of a piece."""

    def __init__(self, ruleset: Ruleset, rng: random.Random) -> None:
        super().__init__(ruleset, rng)
        self._generator = ruleset.turns.movement.generator

    def line(self, plies: int) -> Line[Seen, Step]:
        line: Line[Seen, Step] = Line([seen_by_mover(self.start)], [], [])
        while len(line.options) < plies:
            state = pieces, side = line.states[-1]
            if sum(pieces).bit_count() <= 2 and ended(self.ruleset.turns, self.position(state)).is_over:
                break
            options = self._generator.steps(pieces, side)
            if not options:
                break
            place = self._choice(options, pieces[1])
            line.options.append(options)
            line.chosen.append(place)
            line.states.append(self.after(state, options[place]))
        return line

    def _choice(self, options: list[Step], kings: int) -> int:
        if len(options) == 1 or not (kings or any(step[2] or step[3] for step in options)):
            return int(self.rng.random() * len(options))
        weights = [CROWNING if s[3] else CAPTURE if s[2] else KING if s[0] & kings else 1 for s in options]
        return self.rng.choices(range(len(options)), weights)[0]

    def after(self, state: Seen, option: Step) -> Seen:
        return self._generator.after(state[0], option), 1 - state[1]

    def others(self, options: list[Step], chosen: int) -> Iterator[int]:
        return (place for place in range(len(options)) if place != chosen)

    def sort(self, state: Seen) -> Hashable:
        _, kings, _, enemy_kings = state[0]
        return kings.bit_count(), not enemy_kings

    def position(self, state: Seen) -> Position:
        return with_pieces(self.start, *state)

    def action(self, options: list[Step], place: int) -> Action:
        same = [step for step in options if step[:4] == options[place][:4]]
        return self.ruleset.turns.movement.moves(self.start, same)[0]


class InTurns(Play[Position, Action]):
    """Games of any ruleset."""

    def line(self, plies: int) -> Line[Position, Action]:
        line: Line[Position, Action] = Line([self.start], [], [])
        for ply in walk(self.ruleset, self.rng, self.start, plies):
            if ply.chosen is not None and ply.after is not None:
                options = [*ply.actions, *ply.lapses]
                line.options.append(options)
                line.chosen.append(options.index(ply.chosen))
                line.states.append(ply.after)
        return line

    def after(self, state: Position, option: Action) -> Position:
        return self.ruleset.turns.after(state, option)

    def others(self, options: list[Action], chosen: int) -> Iterator[int]:
        return (place for place, one in enumerate(options) if place != chosen and isinstance(one, Move))

    def sort(self, state: Position) -> Hashable:
        (_, kings, _, enemy_kings), _ = seen_by_mover(state)
        return kings.bit_count(), not enemy_kings, state.spin, bool(state.huffable), state.compelled

    def position(self, state: Position) -> Position:
        return state

    def action(self, options: list[Action], place: int) -> Action:
        return options[place]
