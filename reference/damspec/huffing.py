"""Huffing (`capture.duty`): turns that break the duty to capture, and what the opponent may do about them."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from .action import Action, Huff, Retract
from .board import opponent
from .move import Move
from .movement import Movement
from .pieces import passed, with_side, without
from .position import Position
from .rules import HuffRules


class Lapse(NamedTuple):
    """The opponent's last move, that broke the duty to capture: its squares, and whether it crowned a man."""

    start: int
    end: int
    crowned: bool

    @classmethod
    def of(cls, position: Position) -> Lapse:
        """The lapse that a position can be huffed for."""
        assert position.huffable is not None
        start, _, end = position.huffable.removesuffix("K").partition("-")
        return cls(int(start), int(end), position.huffable.endswith("K"))

    def __str__(self) -> str:
        return f"{self.start}-{self.end}{'K' if self.crowned else ''}"


def before_lapse(position: Position) -> Position:
    """The position in which the opponent's last move was made, the opponent to move."""
    start, end, crowned = Lapse.of(position)
    board, side = position.board, opponent(position.turn)
    left, right = board.bit(start), board.bit(end)
    men, kings = position.men(side), position.kings(side)
    if crowned:
        men, kings = men | left, kings & ~right
    elif men & right:
        men = men & ~right | left
    else:
        kings = kings & ~right | left
    return replace(with_side(position, side, men, kings), turn=side, huffable=None)


class Huffing:
    """Turns where a capture left undone can be answered."""

    def __init__(self, huff: HuffRules, movement: Movement) -> None:
        self.huff, self.movement = huff, movement

    def actions(self, position: Position) -> list[Action]:
        """Every legal action: moves by their squares, then the remedies for a lapse."""
        if position.compelled:
            return [*self.movement.moves(position, self.movement.captures(position))]
        return [*self.movement.legal(position), *self._remedies(position)]

    def lapses(self, position: Position) -> list[Move]:
        """The moves that break the duty to capture and can be played nevertheless.

        `huff.offence`: whether that is every move without capture, or only that of a man.
        """
        if position.compelled or not self.movement.captures(position):
            return []
        steps = self.movement.quiet(position)
        if self.huff.offence == "man-forward":
            men = position.men(position.turn)
            steps = [step for step in steps if step.start & men]
        return self.movement.moves(position, steps)

    def lapsed(self, position: Position, move: Move) -> str | None:
        """What a move leaves for the opponent to claim, as the position after it writes it; None if it is no lapse."""
        if move.captured or not self.movement.captures(position):
            return None
        return str(Lapse(move.start, move.end, move.promotes))

    def _remedies(self, position: Position) -> list[Action]:
        """What the side to move can do about a lapse: `huff.remedies`; and about which piece: `huff.piece`."""
        if position.huffable is None:
            return []
        start, end, _ = Lapse.of(position)
        remedies: list[Action] = []
        if "huff" in self.huff.remedies:
            if self.huff.piece == "moved":
                squares = {end}
            else:
                before = before_lapse(position)
                starts = {position.board.number(step.start) for step in self.movement.captures(before)}
                squares = {end if square == start else square for square in starts}
            remedies += [Huff(square) for square in sorted(squares)]
        if "retract" in self.huff.remedies:
            remedies.append(Retract())
        return remedies

    def huffed(self, position: Position, square: int) -> Position:
        """The position after a piece is huffed; `huff.turn`: whether that was the turn."""
        left = replace(without(position, position.board.bit(square)), huffable=None)
        return left if self.huff.turn == "kept" else passed(left)

    def retracted(self, position: Position) -> Position:
        """The position after a lapse is taken back; `huff.retracted`: who moves then, and whether freely."""
        before = before_lapse(position)
        match self.huff.retracted:
            case "must-capture":
                return replace(before, compelled=True)
            case "turn-lost":
                return replace(before, turn=position.turn)
            case _:
                return before
