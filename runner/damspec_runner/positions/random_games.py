"""Random games: fast playouts on bitboards, and games by whole turns."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

from damspec import Action, Huff, Move, Outcome, Position, Retract, Ruleset, SliderPush, Spin
from damspec.move import PackedMove
from damspec.outcomes import outcome_of_position
from damspec.position import SPLITMIX_STEP, Pieces, from_mover_view, splitmix64, to_mover_view

#: The default maximum length of a game, in plies.
PLIES = 150
#: The probability of playing a lapse where there is one.
_LAPSE_PROBABILITY = 0.3
#: The weights of actions; a quiet move of a man has 1.
_CAPTURE, _CROWNING, _KING, _SLIDE, _REMEDY = 3, 4, 2, 3, 4
#: How often a move is drawn again that would give the opponent a capture, chosen anew for each game. With much care
#: both sides keep their men until some are crowned, and the game comes to an endgame with kings.
_CARE = (0, 3, 7)
#: The weight of a result of the spinner by which a piece moves, chosen anew for each game; another has 1. With 1 two of
#: three turns push a slider, so that few men come across the board, and half of the pieces fall.
_PIECE_SPINS = (1, 8, 30)


class SplitMix64(random.Random):
    """A random generator with 64 bits of state, which makes a game from its seed alone (splitmix64)."""

    def __init__(self, state: int) -> None:
        super().__init__(0)
        self._state = state

    def getrandbits(self, k: int) -> int:
        """Return a number of `k` bits."""
        return sum(self._word() << 64 * place for place in range(-(-k // 64))) >> -k % 64

    def random(self) -> float:
        """Return a number from 0 to 1, excluding 1."""
        return float((self._word() >> 11) * 2.0**-53)

    def _word(self) -> int:
        self._state += SPLITMIX_STEP
        return splitmix64(self._state)


@dataclass(frozen=True, slots=True)
class Ply:
    """A position of a game, its actions and lapses, its outcome, and what was played if the game goes on."""

    position: Position
    actions: list[Action]
    lapses: list[Move]
    outcome: Outcome
    chosen: Action | None = None
    after: Position | None = None


#: A function that chooses what is played in a position, from its actions and its lapses.
Choice = Callable[[Position, list[Action], list[Move]], Action]


def play_random_game(
    ruleset: Ruleset, rng: random.Random, position: Position, plies: int, choose: Choice | None = None
) -> Iterator[Ply]:
    """Yield the plies of a random game until it is over or has lasted `plies`.

    `choose` is the way to choose what is played; without it, captures, crownings and lapses are frequent.
    """
    turns, choose = ruleset.turns, choose or partial(_choose, rng)
    for _ in range(plies):
        actions, lapses = turns.actions(position), turns.lapses(position)
        outcome = outcome_of_position(turns, position, actions)
        if outcome.is_over:
            yield Ply(position, actions, lapses, outcome)
            return
        chosen = choose(position, actions, lapses)
        after = turns.after(position, chosen)
        yield Ply(position, actions, lapses, outcome, chosen, after)
        position = after


def _choose(rng: random.Random, position: Position, actions: list[Action], lapses: list[Move]) -> Action:
    """Choose an action or a lapse at random; a lapse if there is nothing else."""
    if lapses and (not actions or rng.random() < _LAPSE_PROBABILITY):
        return rng.choice(lapses)
    if len(actions) == 1:
        return actions[0]
    kings, board = position.kings(position.turn), position.board
    return rng.choices(actions, [_weight(action, kings, board.bits) for action in actions])[0]


def _weight(action: Action, kings: int, bits: tuple[int, ...]) -> int:
    match action:
        case Move():
            if action.promotes:
                return _CROWNING
            if action.captured:
                return _CAPTURE
            return _KING if bits[action.start - 1] & kings else 1
        case SliderPush():
            return _SLIDE
        case Huff() | Retract():
            return _REMEDY
        case _:
            return 1


#: A position of a game as a playout represents it, and a move in it.
State = TypeVar("State")
Option = TypeVar("Option")


@dataclass(frozen=True)
class Line(Generic[State, Option]):
    """A game: its positions, and what was played in each but the last."""

    states: list[State]
    played: list[Option]


class Play(ABC, Generic[State, Option]):
    """A way to play games of a ruleset."""

    def __init__(self, ruleset: Ruleset, rng: random.Random) -> None:
        self.ruleset, self.rng = ruleset, rng
        self.start = Position.start(ruleset.rules)

    def game(self, line: Line[State, Option], plies: int, other: Option | None = None) -> tuple[Action, ...]:
        """Return the first `plies` actions of a game, followed by `other` if it is given."""
        played = line.played[:plies] if other is None else [*line.played[:plies], other]
        return tuple(self.action(state, one) for state, one in zip(line.states, played, strict=False))

    @abstractmethod
    def line(self, plies: int) -> Line[State, Option]:
        """Play a random game until it is over or has lasted `plies`."""

    @abstractmethod
    def others(self, state: State, played: Option) -> Iterator[Option]:
        """Yield the moves of a position except the one played."""

    @abstractmethod
    def after(self, state: State, option: Option) -> State:
        """Return the position after a move."""

    @abstractmethod
    def sort(self, state: State) -> Hashable:
        """Return a cheap classification of a position: the kings on both sides, and what is pending."""

    @abstractmethod
    def position(self, state: State) -> Position:
        """Convert a state to a position."""

    @abstractmethod
    def action(self, state: State, option: Option) -> Action:
        """Convert an option to an action."""


def playout(ruleset: Ruleset, rng: random.Random) -> BitboardPlayout | TurnPlayout:
    """Return the fastest way to play games of a ruleset."""
    return BitboardPlayout(ruleset, rng) if ruleset.turns.bare else TurnPlayout(ruleset, rng)


#: The pieces from the side to move's point of view, and that side.
Seen = tuple[Pieces, int]


class BitboardPlayout(Play[Seen, PackedMove]):
    """Games in which a turn is a single move."""

    def __init__(self, ruleset: Ruleset, rng: random.Random) -> None:
        super().__init__(ruleset, rng)
        self._generator = ruleset.turns.movement.generator
        self._is_quick = ruleset.rules.capture.duty == "compulsory" and ruleset.rules.king.move_slides == "once"

    def line(self, plies: int) -> Line[Seen, PackedMove]:
        line: Line[Seen, PackedMove] = Line([to_mover_view(self.start)], [])
        state, care = line.states[0], self.rng.choice(_CARE)
        while len(line.played) < plies:
            if sum(state[0]).bit_count() <= 2 and outcome_of_position(self.ruleset.turns, self.position(state)).is_over:
                break
            step = self._careful_step(*state, care)
            if step is None:
                break
            state = self.after(state, step)
            line.played.append(step)
            line.states.append(state)
        return line

    def _careful_step(self, pieces: Pieces, side: int, care: int) -> PackedMove | None:
        """Return a random move, drawn again up to `care` times while it would give the opponent a capture."""
        draw, generator = self._quick_step if self._is_quick else self._step, self._generator
        step = draw(pieces, side)
        for _ in range(care):
            if step is None or step.captured or not generator.captures(generator.after(pieces, step), 1 - side):
                break
            step = draw(pieces, side)
        return step

    def _step(self, pieces: Pieces, side: int) -> PackedMove | None:
        """Return a random move."""
        steps = self._generator.steps(pieces, side)
        weights = [_CROWNING if s[3] else _CAPTURE if s[2] else _KING if s[0] & pieces[1] else 1 for s in steps]
        return self.rng.choices(steps, weights)[0] if steps else None

    def _quick_step(self, pieces: Pieces, side: int) -> PackedMove | None:
        """Return a random move where capturing is compulsory and other moves are single slides."""
        captures = self._generator.captures(pieces, side)
        if captures:
            return captures[int(self.rng.random() * len(captures))]
        slides, kings = self._generator.slides(pieces, side), pieces[1]
        if not slides:
            return None
        promotion_row = self._generator.tables.promotion_rows[side]
        if kings or any(end & promotion_row for _, end in slides):
            weights = [_KING if start & kings else _CROWNING if end & promotion_row else 1 for start, end in slides]
            start, end = self.rng.choices(slides, weights)[0]
        else:
            start, end = slides[int(self.rng.random() * len(slides))]
        return PackedMove(start, end, 0, bool(end & promotion_row) and not start & kings, (start, end))

    def others(self, state: Seen, played: PackedMove) -> Iterator[PackedMove]:
        return (step for step in self._generator.steps(*state) if step[:4] != played[:4])

    def after(self, state: Seen, option: PackedMove) -> Seen:
        return self._generator.after(state[0], option), 1 - state[1]

    def sort(self, state: Seen) -> Hashable:
        _, kings, _, enemy_kings = state[0]
        return kings.bit_count(), not enemy_kings

    def position(self, state: Seen) -> Position:
        return from_mover_view(self.start, *state)

    def action(self, state: Seen, option: PackedMove) -> Action:
        ways = (
            [step for step in self._generator.steps(*state) if step[:4] == option[:4]] if option.captured else [option]
        )
        return self.ruleset.turns.movement.moves(self.start, ways)[0]


class TurnPlayout(Play[Position, Action]):
    """Games of any ruleset."""

    def __init__(self, ruleset: Ruleset, rng: random.Random) -> None:
        super().__init__(ruleset, rng)
        self._spin = ruleset.rules.spin

    def _moves_piece(self, spin: Action) -> bool:
        """Return whether a piece moves by a result of the spinner."""
        return isinstance(spin, Spin) and self._spin is not None and self._spin.outcomes[spin.outcome] == "piece"

    def line(self, plies: int) -> Line[Position, Action]:
        line: Line[Position, Action] = Line([self.start], [])
        care, piece_spins = self.rng.choice(_CARE), self.rng.choice(_PIECE_SPINS) if self._spin else 1
        choose = partial(self._careful_action, care, piece_spins)
        for ply in play_random_game(self.ruleset, self.rng, self.start, plies, choose):
            if ply.chosen is not None and ply.after is not None:
                line.played.append(ply.chosen)
                line.states.append(ply.after)
        return line

    def _careful_action(
        self, care: int, piece_spins: int, position: Position, actions: list[Action], lapses: list[Move]
    ) -> Action:
        """Return a random action, drawn again as a move of `BitboardPlayout` is.

        `piece_spins` is the weight of a spin by which a piece moves.
        """
        turns = self.ruleset.turns
        if self._spin and isinstance(actions[0], Spin):
            return self.rng.choices(actions, [piece_spins if self._moves_piece(spin) else 1 for spin in actions])[0]
        chosen = _choose(self.rng, position, actions, lapses)
        for _ in range(care if len(actions) > 1 else 0):
            if not isinstance(chosen, Move) or chosen.captured:
                break
            after = turns.after(position, chosen)
            if after.turn == position.turn or not turns.can_capture(after):
                break
            chosen = _choose(self.rng, position, actions, lapses)
        return chosen

    def others(self, state: Position, played: Action) -> Iterator[Action]:
        turns = self.ruleset.turns
        options = (*turns.actions(state), *turns.lapses(state))
        return (one for one in options if isinstance(one, Move) and one != played)

    def after(self, state: Position, option: Action) -> Position:
        return self.ruleset.turns.after(state, option)

    def sort(self, state: Position) -> Hashable:
        (_, kings, _, enemy_kings), _ = to_mover_view(state)
        run = state.run(state.turn)
        pending = state.spin, bool(state.huffable), state.compelled, run.moves if run else 0
        return kings.bit_count(), not enemy_kings, *pending

    def position(self, state: Position) -> Position:
        return state

    def action(self, state: Position, option: Action) -> Action:
        return option
