"""The turn as a small state machine: the legal actions of a position, and the position after each.

Without trapdoors and huffing a turn is one move of a piece (`movegen`). With a spinner it is a capture, or a spin and
then what its result allows (`trapdoors`). With huffing, a turn that breaks the duty to capture may be played, and the
opponent can answer it (`huffing`).
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from .huffing import Huffing
from .kernel import compiled_rules, is_available
from .king_runs import can_end
from .move import Action, Huff, Move, Pass, Retract, SliderPush, Spin
from .movegen import PieceMoves
from .perft_counts import Convention, by_ways, ways
from .position import Position, passed, to_mover_view
from .rules import Rules
from .trapdoors import Spinner, push_slider

if TYPE_CHECKING:
    from .kernel.perft import CompiledRules

#: The estimated number of sequences from which a perft is worth the half second of preparing compiled code.
MUCH = 5_000_000
#: The estimated number of sequences counted in one call, which cannot be interrupted.
AT_ONCE = 300_000_000


class ActionGenerator:
    """Legal actions under one set of rules.

    With `every_path` a move has every path by which it can be made; without it only some, which is faster in long
    captures.
    """

    def __init__(self, rules: Rules, *, every_path: bool = True) -> None:
        self.rules = rules
        self.movement = PieceMoves(rules, every_path=every_path)
        self.spinner = Spinner(rules.spin, rules.trapdoors, self.movement) if rules.spin and rules.trapdoors else None
        self.huffing = Huffing(rules.huff, self.movement) if rules.huff else None
        self.much = MUCH

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
                return passed(position)
            case Huff(square):
                assert self.huffing
                return self.huffing.huffed(position, square)
            case Retract():
                assert self.huffing
                return self.huffing.retracted(position)

    def _after_move(self, position: Position, move: Move) -> Position:
        after = self.movement.after(position, move)
        if self.huffing:
            return replace(after, huffable=self.huffing.lapsed(position, move))
        if self.spinner and self.spinner.is_due(position, bool(move.captured)):
            return replace(after, turn=position.turn, spin="due")
        return after

    def perft(self, position: Position, depth: int, count: Convention = "unique") -> int:
        """Count the sequences of `depth` legal actions; results of a spin count, moves that break the duty do not.

        Compiled code does the counting if it is ready, or if the count is large enough to be worth preparing it.
        """
        ready = "kernel" in self.__dict__
        if not ready and depth > 3 and is_available():
            ready = self.counted(position, 3) ** (depth / 3) > self.much
        compiled = ready and self.kernel
        return self._kernel_perft(position, depth, count) if compiled else self.counted(position, depth, count)

    def _kernel_perft(self, position: Position, depth: int, count: Convention) -> int:
        """Count with the compiled kernel, split by the first action where one call would take too long.

        Splitting keeps long counts interruptible, and handles counts too large for the kernel.
        """
        assert self.kernel
        number = self.kernel.sequences(position, min(depth, 3), count)
        if depth > 3 and number is not None:
            long = number ** (depth / 3) > AT_ONCE
            number = None if long else self.kernel.sequences(position, depth, count)
        if number is not None:
            return number
        if depth <= 3:
            return self.counted(position, depth, count)
        return sum(
            ways(action, position.board, count) * self._kernel_perft(self.after(position, action), depth - 1, count)
            for action in self.actions(position)
        )

    @cached_property
    def kernel(self) -> CompiledRules | None:
        """The compiled kernel for these rules, or None if it is not available."""
        return compiled_rules(self.rules)

    def remember(self, memory: int) -> None:
        """Let the compiled kernel, if there is one, cache counts in up to `memory` bytes."""
        if memory and self.kernel:
            self.kernel.remember(memory)

    def counted(self, position: Position, depth: int, count: Convention = "unique") -> int:
        """Count the sequences of `depth` legal actions in pure Python."""
        if count != "unique":
            return by_ways(self, position, depth, count)
        if not self.one_by_one(position, depth):
            return self.movement.generator.perft(*to_mover_view(position), depth)
        if depth == 0:
            return 1
        actions = self.actions(position)
        if depth == 1:
            return len(actions)
        return sum(self.counted(self.after(position, action), depth - 1) for action in actions)

    def one_by_one(self, position: Position, depth: int) -> bool:
        """Return whether to count actions one by one: turns are not just moves, or depend on more than pieces."""
        if self.spinner or position.huffable is not None or position.compelled:
            return True
        return can_end(self.rules.king.move_limit, position, depth)
