"""The turn as a small state machine: what the side to move can do, and the position after it.

Without trapdoors and huffing a turn is one move of a piece (`movement`). With a spinner it is a capture, or a spin and
then what its result allows (`spinner`, `trapdoors`). With huffing, a turn that breaks the duty to capture can be
played, and the opponent can answer it (`huffing`).
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from .huffing import Huffing
from .kernel.installed import installed, kernel
from .king_runs import can_end
from .move import Action, Huff, Move, Pass, Retract, SliderPush, Spin
from .movegen import PieceMoves
from .perft_counts import Convention, by_ways, ways
from .position import Position, passed, to_mover_view
from .rules import Rules
from .trapdoors import Spinner, push_slider

if TYPE_CHECKING:
    from .kernel.generator import Kernel

#: From about how many sequences on a perft is worth the half second that it takes to have compiled code ready.
MUCH = 5_000_000
#: How many are counted in one go, about: while that lasts nobody can interrupt it.
AT_ONCE = 300_000_000


class ActionGenerator:
    """Turns by one set of rules; a move has every path to make it, or just some, which is quicker in long captures."""

    def __init__(self, rules: Rules, *, every_path: bool = True) -> None:
        self.rules = rules
        self.movement = PieceMoves(rules, every_path=every_path)
        self.spinner = Spinner(rules.spin, rules.trapdoors, self.movement) if rules.spin and rules.trapdoors else None
        self.huffing = Huffing(rules.huff, self.movement) if rules.huff else None
        self.much = MUCH

    @property
    def plain(self) -> bool:
        """Whether each turn is one move of a piece."""
        return self.spinner is None and self.huffing is None

    @property
    def bare(self) -> bool:
        """Whether each turn is one move of a piece, and a position its pieces and the side to move, nothing else."""
        return self.plain and self.rules.king.move_limit is None

    def actions(self, position: Position) -> list[Action]:
        """Every legal action: moves by their squares, then the others."""
        if self.spinner:
            return self.spinner.actions(position)
        if self.huffing:
            return self.huffing.actions(position)
        return [*self.movement.legal(position)]

    def lapses(self, position: Position) -> list[Move]:
        """The moves that break the duty to capture and can be played nevertheless."""
        return self.huffing.lapses(position) if self.huffing else []

    def can_capture(self, position: Position) -> bool:
        """Whether the side to move has a capture."""
        return bool(self.movement.captures(position))

    def after(self, position: Position, action: Action) -> Position:
        """The position after an action or a lapse that is open to the side to move."""
        match action:
            case Move():
                return self._moved(position, action)
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

    def _moved(self, position: Position, move: Move) -> Position:
        after = self.movement.after(position, move)
        if self.huffing:
            return replace(after, huffable=self.huffing.lapsed(position, move))
        if self.spinner and self.spinner.is_due(position, bool(move.captured)):
            return replace(after, turn=position.turn, spin="due")
        return after

    def perft(self, position: Position, depth: int, count: Convention = "unique") -> int:
        """The number of sequences of legal actions of a length; outcomes of chance are actions, lapses are left out.

        They are counted by compiled code, where that is ready or there are many.
        """
        ready = "kernel" in self.__dict__
        if not ready and depth > 3 and installed():
            ready = self.counted(position, 3) ** (depth / 3) > self.much
        compiled = ready and self.kernel
        return self._compiled(position, depth, count) if compiled else self.counted(position, depth, count)

    def _compiled(self, position: Position, depth: int, count: Convention) -> int:
        """The same by compiled code: in parts if it takes long, so that one can interrupt it, or is too much for it."""
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
            ways(action, position.board, count) * self._compiled(self.after(position, action), depth - 1, count)
            for action in self.actions(position)
        )

    @cached_property
    def kernel(self) -> Kernel | None:
        """The compiled kernel by these rules, where it can be had."""
        return kernel(self.rules)

    def remember(self, memory: int) -> None:
        """From here on the compiled kernel, if there is one, keeps what it has counted in so many bytes at most."""
        if memory and self.kernel:
            self.kernel.remember(memory)

    def counted(self, position: Position, depth: int, count: Convention = "unique") -> int:
        """The same number, counted without compiled code."""
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
        """Whether actions are to be counted one by one: turns are more than moves, or depend on more than pieces."""
        if self.spinner or position.huffable is not None or position.compelled:
            return True
        return can_end(self.rules.king.move_limit, position, depth)
