"""Faults in reading a position: pieces for which there is no room, and squares that have each other's numbers."""

from __future__ import annotations

import re
from dataclasses import replace

from damspec import Action, Huff, Move, Position
from damspec.board import opponent
from damspec.pieces import with_side, without
from damspec.position import KingRun
from damspec.turn import Turns

from .turns import Faulty, Listed, Seeing


class Few(Seeing):
    """Knows the first pieces of each side, in the order of the squares, and no more."""

    def __init__(self, right: Turns, most: int) -> None:
        super().__init__(right)
        self._most = most

    def seen(self, position: Position) -> Position:
        """The position without the pieces for which there is no room."""
        for side in (position.turn, opponent(position.turn)):
            squares = position.board.numbers(position.occupied(side))
            if len(squares) > self._most:
                known = position.board.mask(squares[: self._most])
                position = with_side(position, side, position.men(side) & known, position.kings(side) & known)
        return position


class FewInAll(Seeing):
    """Knows the first pieces of both sides together, by their squares or White's before Black's, and no more."""

    def __init__(self, right: Turns, most: int, *, white_first: bool) -> None:
        super().__init__(right)
        self._most, self._white_first = most, white_first

    def seen(self, position: Position) -> Position:
        """The position without the pieces for which there is no room."""
        squares = [*position]
        if self._white_first:
            squares.sort(key=lambda square: bool(position.board.bit(square) & position.occupied("black")))
        return without(position, position.board.mask(squares[self._most :]))


class Swapped(Faulty):
    """Two squares have each other's numbers, in what is read and in what is written."""

    invents = True

    def __init__(self, right: Turns, one: int, other: int) -> None:
        super().__init__(right)
        self._named = {one: other, other: one}
        self._both = right.rules.board.mask((one, other))

    def actions(self, position: Position) -> list[Action]:
        """What is listed as legal."""
        return self._renamed_all(self.right.actions(self._turned(position)))

    def lapses(self, position: Position) -> list[Move]:
        """What is listed as lapses."""
        return self._renamed_all(self.right.lapses(self._turned(position)))

    def after(self, position: Position, action: Action) -> Position:
        """The position after an action that is listed."""
        return self._turned(self.right.after(self._turned(position), self._renamed(action)))

    def _turned(self, position: Position) -> Position:
        return replace(
            position,
            white_men=self._mask(position.white_men),
            white_kings=self._mask(position.white_kings),
            black_men=self._mask(position.black_men),
            black_kings=self._mask(position.black_kings),
            white_run=self._run(position.white_run),
            black_run=self._run(position.black_run),
            huffable=position.huffable and re.sub(r"\d+", lambda n: str(self._name(int(n[0]))), position.huffable),
        )

    def _run(self, run: KingRun | None) -> KingRun | None:
        return run and KingRun(self._name(run.square), run.moves)

    def _mask(self, mask: int) -> int:
        return mask ^ self._both if mask & self._both not in (0, self._both) else mask

    def _name(self, square: int) -> int:
        return self._named.get(square, square)

    def _renamed_all(self, actions: list[Listed]) -> list[Listed]:
        return [self._renamed(action) for action in actions]

    def _renamed(self, action: Listed) -> Listed:
        if isinstance(action, Move):
            return replace(
                action,
                start=self._name(action.start),
                end=self._name(action.end),
                captured=tuple(map(self._name, action.captured)),
                paths=tuple(tuple(map(self._name, path)) for path in action.paths),
            )
        return replace(action, square=self._name(action.square)) if isinstance(action, Huff) else action
