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
    """A game: its positions, and what was played in each but the last."""

    states: list[State]
    played: list[Option]


class Play(ABC, Generic[State, Option]):
    """How games of a ruleset are played."""

    def __init__(self, ruleset: Ruleset, rng: random.Random) -> None:
        self.ruleset, self.rng = ruleset, rng
        self.start = Position.start(ruleset.rules)

    def game(self, line: Line[State, Option], plies: int, other: Option | None = None) -> tuple[Action, ...]:
        """The first actions of a game; then, if there is an `other`, this one instead of what was played."""
        played = line.played[:plies] if other is None else [*line.played[:plies], other]
        return tuple(self.action(state, one) for state, one in zip(line.states, played, strict=False))

    @abstractmethod
    def line(self, plies: int) -> Line[State, Option]:
        """A random game, until it is over or has lasted so many plies."""

    @abstractmethod
    def others(self, state: State, played: Option) -> Iterator[Option]:
        """The moves that can be played in a position but for one that was."""

    @abstractmethod
    def after(self, state: State, option: Option) -> State:
        """The position after something is played."""

    @abstractmethod
    def sort(self, state: State) -> Hashable:
        """What sort of position it is, said fast: who has kings, and what is pending."""

    @abstractmethod
    def position(self, state: State) -> Position:
        """A position written out."""

    @abstractmethod
    def action(self, state: State, option: Option) -> Action:
        """Something that can be played in a position written out."""


def play(ruleset: Ruleset, rng: random.Random) -> OnBitboards | InTurns:
    """How games of a ruleset are played fastest."""
    return OnBitboards(ruleset, rng) if ruleset.turns.bare else InTurns(ruleset, rng)


#: The pieces as the side to move sees them, and that side.
Seen = tuple[Pieces, int]


class OnBitboards(Play[Seen, Step]):
    """Games in which a turn is one move of a piece."""

    def __init__(self, ruleset: Ruleset, rng: random.Random) -> None:
        super().__init__(ruleset, rng)
        self._generator = ruleset.turns.movement.generator
        self._quickly = ruleset.rules.capture.duty == "compulsory" and ruleset.rules.king.move_slides == "once"

    def line(self, plies: int) -> Line[Seen, Step]:
        line: Line[Seen, Step] = Line([seen_by_mover(self.start)], [])
        state = line.states[0]
        while len(line.played) < plies:
            if sum(state[0]).bit_count() <= 2 and ended(self.ruleset.turns, self.position(state)).is_over:
                break
            step = self._quick_step(*state) if self._quickly else self._step(*state)
            if step is None:
                break
            state = self.after(state, step)
            line.played.append(step)
            line.states.append(state)
        return line

    def _step(self, pieces: Pieces, side: int) -> Step | None:
        """A random move."""
        steps = self._generator.steps(pieces, side)
        weights = [CROWNING if s[3] else CAPTURE if s[2] else KING if s[0] & pieces[1] else 1 for s in steps]
        return self.rng.choices(steps, weights)[0] if steps else None

    def _quick_step(self, pieces: Pieces, side: int) -> Step | None:
        """A random move where captures come before all others, and those are single slides."""
        captures = self._generator.captures(pieces, side)
        if captures:
            return captures[int(self.rng.random() * len(captures))]
        slides, kings = self._generator.slides(pieces, side), pieces[1]
        if not slides:
            return None
        crownhead = self._generator.tables.promotion_rows[side]
        if kings or any(end & crownhead for _, end in slides):
            weights = [KING if start & kings else CROWNING if end & crownhead else 1 for start, end in slides]
            start, end = self.rng.choices(slides, weights)[0]
        else:
            start, end = slides[int(self.rng.random() * len(slides))]
        return Step(start, end, 0, bool(end & crownhead) and not start & kings, (start, end))

    def others(self, state: Seen, played: Step) -> Iterator[Step]:
        return (step for step in self._generator.steps(*state) if step[:4] != played[:4])

    def after(self, state: Seen, option: Step) -> Seen:
        return self._generator.after(state[0], option), 1 - state[1]

    def sort(self, state: Seen) -> Hashable:
        _, kings, _, enemy_kings = state[0]
        return kings.bit_count(), not enemy_kings

    def position(self, state: Seen) -> Position:
        return with_pieces(self.start, *state)

    def action(self, state: Seen, option: Step) -> Action:
        ways = (
            [step for step in self._generator.steps(*state) if step[:4] == option[:4]] if option.captured else [option]
        )
        return self.ruleset.turns.movement.moves(self.start, ways)[0]


class InTurns(Play[Position, Action]):
    """Games of any ruleset."""

    def line(self, plies: int) -> Line[Position, Action]:
        line: Line[Position, Action] = Line([self.start], [])
        for ply in walk(self.ruleset, self.rng, self.start, plies):
            if ply.chosen is not None and ply.after is not None:
                line.played.append(ply.chosen)
                line.states.append(ply.after)
        return line

    def others(self, state: Position, played: Action) -> Iterator[Action]:
        turns = self.ruleset.turns
        options = (*turns.actions(state), *turns.lapses(state))
        return (one for one in options if isinstance(one, Move) and one != played)

    def after(self, state: Position, option: Action) -> Position:
        return self.ruleset.turns.after(state, option)

    def sort(self, state: Position) -> Hashable:
        (_, kings, _, enemy_kings), _ = seen_by_mover(state)
        run = state.run(state.turn)
        pending = state.spin, bool(state.huffable), state.compelled, run.moves if run else 0
        return kings.bit_count(), not enemy_kings, *pending

    def position(self, state: Position) -> Position:
        return state

    def action(self, state: Position, option: Action) -> Action:
        return option
