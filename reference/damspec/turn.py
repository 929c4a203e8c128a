"""The turn as a small state machine: the legal actions of a position, and the position after each.

Without trapdoors and huffing a turn is one move of a piece (`movegen`). With a spinner it is a capture, or a spin and
then what its result allows (`trapdoors`). With huffing, a turn that breaks the duty to capture may be played, and the
opponent can answer it (`huffing`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from .huffing import Huffing
from .kernel import compiled_rules
from .move import Action, Huff, Move, Pass, Retract, SliderPush, Spin
from .piece_moves import PieceMoves
from .position import Position, pass_turn
from .rules import Rules
from .trapdoors import Spinner, push_slider

if TYPE_CHECKING:
    from .kernel.perft import CompiledRules


class ActionGenerator:
    """Legal actions under one set of rules.

    With `every_path` a move has every path by which it can be made; without it only some, which is faster in long
    captures.
    """

    #: Whether the actions are exactly those of `rules`, so that they may be counted without being listed.
    follows_rules = True

    def __init__(self, rules: Rules, *, every_path: bool = True) -> None:
        self.rules = rules
        self.movement = PieceMoves(rules, every_path=every_path)
        self.spinner = Spinner(rules.spin, rules.trapdoors, self.movement) if rules.spin and rules.trapdoors else None
        self.huffing = Huffing(rules.huff, self.movement) if rules.huff else None

    @property
    def plain(self) -> bool:
        """Whether every turn is one move of a piece."""
        return self.spinner is None and self.huffing is None

    @property
    def bare(self) -> bool:
        """Whether every turn is one move of a piece, and a position is just its pieces and the side to move."""
        return self.plain and self.rules.king.move_limit is None

    def actions(self, position: Position) -> list[Action]:
        """Return every legal action: moves in the order of their squares, then the others."""
        if self.spinner:
            return self.spinner.actions(position)
        if self.huffing:
            return self.huffing.actions(position)
        return [*self.movement.legal(position)]

    def lapses(self, position: Position) -> list[Move]:
        """Return the moves that break the duty to capture but may be played."""
        return self.huffing.lapses(position) if self.huffing else []

    def can_capture(self, position: Position) -> bool:
        """Return whether the side to move has a capture."""
        return bool(self.movement.captures(position))

    def after(self, position: Position, action: Action) -> Position:
        """Return the position after an action or huffable move that is open to the side to move."""
        match action:
            case Move():
                return self._after_move(position, action)
            case Spin(result):
                return replace(position, spin=result)
            case SliderPush():
                assert self.rules.trapdoors
                return push_slider(self.rules.trapdoors, position, action)
            case Pass():
                return pass_turn(position)
            case Huff(square):
                assert self.huffing
                return self.huffing.after_huff(position, square)
            case Retract():
                assert self.huffing
                return self.huffing.after_retract(position)

    @property
    def after_listed(self) -> Callable[[Position, Action], Position]:
        """The function that returns the position after an action listed in it: the same as `after`, but quicker.

        The action must be the very object that `actions` or `lapses` has listed: what it says of the board is trusted.
        """
        return self.movement.after_listed if self.plain and self.rules.trapdoors is None else self.after

    def _after_move(self, position: Position, move: Move) -> Position:
        after = self.movement.after(position, move)
        if self.huffing:
            return replace(after, huffable=self.huffing.huffable_field(position, move))
        if self.spinner and self.spinner.is_due(position, bool(move.captured)):
            return replace(after, turn=position.turn, spin="due")
        return after

    @cached_property
    def kernel(self) -> CompiledRules | None:
        """The compiled kernel for these rules, or None if it is not available."""
        return compiled_rules(self.rules)

    @property
    def is_kernel_ready(self) -> bool:
        """Whether the kernel has been prepared, or found not to be available."""
        return "kernel" in self.__dict__

    def remember(self, memory: int) -> None:
        """Let the compiled kernel, if there is one, cache counts in up to `memory` bytes."""
        if memory and self.kernel:
            self.kernel.remember(memory)
