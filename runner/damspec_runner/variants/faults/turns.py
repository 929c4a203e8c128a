"""Turns with a fault: the right turns, of which something is lost, mixed up or put in another's place.

A kind of fault is stated once, for any rules: as what it makes of the list of legal actions, of the position after one,
or of the position that is asked about.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from damspec import Action, Huff, Move, Pass, Position, Retract, Slide, Spin
from damspec.counting import Convention
from damspec.turn import Turns

Listed = TypeVar("Listed", bound=Action)


class Remembering(Turns):
    """The right turns, which keep what they have answered: many faults ask them the same."""

    def __init__(self, right: Turns) -> None:
        super().__init__(right.rules)
        self._actions: dict[Position, list[Action]] = {}
        self._lapses: dict[Position, list[Move]] = {}
        self._after: dict[tuple[Position, Action], Position] = {}

    def actions(self, position: Position) -> list[Action]:
        """Every legal action."""
        if position not in self._actions:
            self._actions[position] = super().actions(position)
        return self._actions[position]

    def lapses(self, position: Position) -> list[Move]:
        """The moves that break the duty to capture and can be played nevertheless."""
        if position not in self._lapses:
            self._lapses[position] = super().lapses(position)
        return self._lapses[position]

    def after(self, position: Position, action: Action) -> Position:
        """The position after an action."""
        if (position, action) not in self._after:
            self._after[position, action] = super().after(position, action)
        return self._after[position, action]


class Faulty(Turns):
    """The right turns, unless a kind of fault says otherwise."""

    #: Whether what it answers depends on what it was asked before.
    remembers = False
    #: Whether it lists what is not legal.
    invents = False

    def __init__(self, right: Turns) -> None:
        # What the right turns have made is shared, since there are hundreds of faults.
        self.rules, self.movement, self.spinner, self.huffing = (
            right.rules,
            right.movement,
            right.spinner,
            right.huffing,
        )
        self.right = right

    def actions(self, position: Position) -> list[Action]:
        """What is listed as legal."""
        return self.right.actions(position)

    def lapses(self, position: Position) -> list[Move]:
        """What is listed as lapses."""
        return self.right.lapses(position)

    def after(self, position: Position, action: Action) -> Position:
        """The position after an action that is listed."""
        return self.right.after(position, action)

    def perft(self, position: Position, depth: int, count: Convention = "unique") -> int:
        """Counted action by action, for the right turns count in bits and would not meet the fault."""
        return self.counted(position, depth, count)

    def one_by_one(self, position: Position, depth: int) -> bool:
        """Always, for that reason."""
        return True


class Listing(Faulty):
    """A fault in the list of actions."""

    def listed(self, position: Position, right: Sequence[Listed]) -> list[Listed]:
        """What is listed instead of the right list."""
        raise NotImplementedError

    def actions(self, position: Position) -> list[Action]:
        """What is listed as legal."""
        return self.listed(position, self.right.actions(position))

    def lapses(self, position: Position) -> list[Move]:
        """What is listed as lapses."""
        return self.listed(position, self.right.lapses(position))


class Seeing(Faulty):
    """A fault in the position that is asked about."""

    invents = True

    def seen(self, position: Position) -> Position:
        """The position that is answered about instead."""
        raise NotImplementedError

    def actions(self, position: Position) -> list[Action]:
        """What is listed as legal."""
        return self.right.actions(self.seen(position))

    def lapses(self, position: Position) -> list[Move]:
        """What is listed as lapses."""
        return self.right.lapses(self.seen(position))

    def after(self, position: Position, action: Action) -> Position:
        """The position after an action that is listed."""
        return self.right.after(self.seen(position), action)


class Leaving(Faulty):
    """A fault in the position after an action: `wrong` makes it of the one before, the action and the right one."""

    def __init__(self, right: Turns, wrong: Callable[[Position, Action, Position], Position]) -> None:
        super().__init__(right)
        self._wrong = wrong

    def after(self, position: Position, action: Action) -> Position:
        """The position after an action that is listed."""
        return self._wrong(position, action, self.right.after(position, action))


def after_moves(right: Turns, wrong: Callable[[Position, Move, Position], Position]) -> Turns:
    """The right turns with a fault in the position after a move of a piece; other actions lead where they should."""
    return Leaving(
        right, lambda position, action, after: wrong(position, action, after) if isinstance(action, Move) else after
    )


_WORDS: dict[type, str] = {
    Spin: "a spin",
    Slide: "a push of a slider",
    Pass: "a pass",
    Huff: "a huff",
    Retract: "a move taken back",
}


def kinds(turns: Turns, position: Position, action: Action) -> set[str]:
    """What an action is in the words of the catalogue: a promotion is a move or a capture too, a lapse only that."""
    if not isinstance(action, Move):
        return {_WORDS[type(action)]}
    if action in turns.lapses(position):
        return {"a lapse"}
    return {"a capture" if action.captured else "a move", *(["a promotion"] if action.promotes else [])}
