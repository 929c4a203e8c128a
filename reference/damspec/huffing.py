"""Huffing (`capture.duty`): turns that break the duty to capture, and the opponent's remedies."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple, assert_never

from .board import opponent
from .move import Action, Huff, Move, PackedMove, Retract
from .piece_moves import PieceMoves
from .position import Position, pass_turn, with_side, without
from .rules import HuffRules, meaning_of


class HuffableOffence(NamedTuple):
    """The opponent's last move, which broke the duty to capture: its squares, and whether it crowned a man.

    `men` and `kings` are the squares of the pieces it captured, ascending; if there are any, the offence is a capture
    that was left unfinished or was not a best one.
    """

    start: int
    end: int
    crowned: bool
    men: tuple[int, ...] = ()
    kings: tuple[int, ...] = ()

    @classmethod
    def of(cls, position: Position) -> HuffableOffence:
        """Return the offence that can be huffed in a position."""
        assert position.huffable is not None
        move, _, captured = position.huffable.partition("x")
        start, _, end = move.removesuffix("K").partition("-")
        squares = captured.split(",") if captured else []
        men = sorted(int(square) for square in squares if not square.startswith("K"))
        kings = sorted(int(square[1:]) for square in squares if square.startswith("K"))
        return cls(int(start), int(end), move.endswith("K"), tuple(men), tuple(kings))

    @property
    def captured(self) -> tuple[int, ...]:
        """The squares of all captured pieces, ascending."""
        return tuple(sorted(self.men + self.kings))

    def mirrored(self, squares: int) -> HuffableOffence:
        """Return the same offence on a board of `squares` squares turned by half."""
        men, kings = (tuple(sorted(squares + 1 - each for each in taken)) for taken in (self.men, self.kings))
        return HuffableOffence(squares + 1 - self.start, squares + 1 - self.end, self.crowned, men, kings)

    def __str__(self) -> str:
        squares = ",".join(f"{'K' if square in self.kings else ''}{square}" for square in self.captured)
        return f"{self.start}-{self.end}{'K' if self.crowned else ''}{'x' if squares else ''}{squares}"


def before_lapse(position: Position) -> Position:
    """Return the position before the opponent's last move, with the opponent to move."""
    lapse = HuffableOffence.of(position)
    board, side = position.board, opponent(position.turn)
    left, right = board.bit(lapse.start), board.bit(lapse.end)
    men, kings = position.men(side), position.kings(side)
    if lapse.crowned:
        men, kings = men | left, kings & ~right
    elif men & right:
        men = men & ~right | left
    else:
        kings = kings & ~right | left
    before = with_side(position, side, men, kings)
    if lapse.captured:
        men, kings = (position.men(position.turn), position.kings(position.turn))
        before = with_side(before, position.turn, men | board.mask(lapse.men), kings | board.mask(lapse.kings))
    return replace(before, turn=side, huffable=None)


def lapse_of(position: Position, move: Move) -> HuffableOffence:
    """Return a move of the side to move as the offence it commits if it breaks the duty to capture."""
    kings = position.kings(opponent(position.turn))
    taken_kings = tuple(square for square in move.captured if position.board.bit(square) & kings)
    men = tuple(square for square in move.captured if square not in taken_kings)
    return HuffableOffence(move.start, move.end, move.promotes, men, taken_kings)


class Huffing:
    """Turns under huffing, where the opponent may answer a missed capture."""

    def __init__(self, huff: HuffRules, movement: PieceMoves) -> None:
        self.huff, self.movement = huff, movement
        rules = movement.rules
        self._unranked = PieceMoves(replace(rules, capture=replace(rules.capture, choice=())))
        self._stopping = PieceMoves(replace(rules, capture=replace(rules.capture, completion="may-stop", choice=())))

    def actions(self, position: Position) -> list[Action]:
        """Return every legal action: moves in the order of their squares, then the remedies for an offence."""
        if position.compelled:
            return [*self.movement.moves(position, self.movement.captures(position))]
        return [*self.movement.legal(position), *self._remedies(position)]

    def lapses(self, position: Position) -> list[Move]:
        """Return the moves that break the duty to capture but may be played.

        `huff.offence` says whether these are all moves without a capture or only those of men, and which captures.
        """
        if position.compelled or not self.movement.captures(position):
            return []
        steps = self.movement.quiet(position)
        if self.huff.offence == "man-forward":
            men = position.men(position.turn)
            steps = [step for step in steps if step.start & men]
        return self.movement.moves(position, [*steps, *self._wrong_captures(position)])

    def _wrong_captures(self, position: Position) -> list[PackedMove]:
        """Return the captures that break the duty to capture, by every path.

        `huff.offence` says whether these are legal captures that were stopped after one of their jumps but the last, or
        all captures that are no legal ones, stopped or not.
        """
        match self.huff.offence:
            case "no-capture" | "man-forward":
                return []
            case "no-capture-or-unfinished":
                whole = self.movement.captures(position)
            case "no-capture-or-less":
                whole = self._unranked.captures(position)
            case never:
                assert_never(never)
        legal = {step[:4] for step in self.movement.captures(position)}
        beginnings = {step.path[:length] for step in whole for length in range(2, len(step.path) + 1)}
        stopping = self._stopping.captures(position)
        return [step for step in stopping if step.path in beginnings and step[:4] not in legal]

    def huffable_field(self, position: Position, move: Move) -> str | None:
        """Return the `huffable` field of the position after a move; None if the move is no offence."""
        lapse = lapse_of(position, move)
        if not move.captured:
            return str(lapse) if self.movement.captures(position) else None
        return str(lapse) if move in self.movement.moves(position, self._wrong_captures(position)) else None

    def _remedies(self, position: Position) -> list[Action]:
        """Return the remedies for an offence: which there are (`huff.remedies`), and for which piece (`huff.piece`)."""
        if position.huffable is None:
            return []
        lapse = HuffableOffence.of(position)
        start, end = lapse.start, lapse.end
        remedies: list[Action] = []
        if "huff" in self.huff.remedies:
            moved = meaning_of("huff.piece", self.huff.piece, {"able": False, "moved": True})
            if moved or (lapse.captured and self.huff.offence == "no-capture-or-unfinished"):
                squares = {end}
            else:
                before = before_lapse(position)
                starts = {position.board.number(step.start) for step in self.movement.captures(before)}
                squares = {end if square == start else square for square in starts}
            remedies += [Huff(square, side=position.turn) for square in sorted(squares)]
        if "retract" in self.huff.remedies:
            remedies.append(Retract(side=position.turn))
        return remedies

    def after_huff(self, position: Position, square: int) -> Position:
        """Return the position after a piece is huffed; `huff.turn` says whether huffing uses up the turn."""
        left = replace(without(position, position.board.bit(square)), huffable=None)
        return left if meaning_of("huff.turn", self.huff.turn, {"kept": True, "spent": False}) else pass_turn(left)

    def after_retract(self, position: Position) -> Position:
        """Return the position after a move is retracted; `huff.retracted` says who moves, and whether freely."""
        before = before_lapse(position)
        match self.huff.retracted:
            case "must-capture":
                return replace(before, compelled=True)
            case "turn-lost":
                return replace(before, turn=position.turn)
            case "free":
                return before
            case never:
                assert_never(never)
