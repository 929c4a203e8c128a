"""Faults in capture precedence: which captures are compared, what counts, which of two is better."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from damspec.move import PackedMove
from damspec.movegen import MoveGenerator, apply_capture_precedence
from damspec.position import Pieces
from damspec.rules import Rules
from damspec.tables import Tables
from damspec.turn import ActionGenerator

from .faulty_turns import FaultyGenerator

#: A function that returns the captures of one side, with the pieces as the side to move sees them.
FindCaptures = Callable[[Pieces, int, int], list[PackedMove]]


class ReplacedCaptures(MoveGenerator):
    """The right moves of pieces, with other captures."""

    def __init__(self, rules: Rules, found: FindCaptures) -> None:
        super().__init__(rules)
        self._found = found

    def captures(self, pieces: Pieces, side: int, doors: int = 0) -> list[PackedMove]:
        """Return the captures that are found instead."""
        return self._found(pieces, side, doors)


class CaptureFault(FaultyGenerator):
    """Turns with other captures than the right ones."""

    invents = True

    def __init__(self, right: ActionGenerator, found: FindCaptures) -> None:
        turns = ActionGenerator(right.rules)
        turns.movement.generator = ReplacedCaptures(right.rules, found)
        super().__init__(turns)


#: What reversed precedence prefers, with the criterion of `capture.choice` that is reversed.
WORST = {
    "with the fewest pieces where the rules want the most": "most-pieces",
    "with the fewest kings where the rules want the most": "most-kings",
    "by men where the rules want those by kings": "with-king",
    "with the kings latest where the rules want them earliest": "king-first",
}


class CapturePrecedence:
    """Capture precedence, criterion by criterion; a fault overrides `best` or `chosen`."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._tables = {
            criterion: Tables(replace(rules, capture=replace(rules.capture, choice=(criterion,), binds=None)))
            for criterion in rules.capture.choice
        }

    def best(self, criterion: str, captures: list[PackedMove], pieces: Pieces) -> list[PackedMove]:
        """Return the best of some captures by one criterion."""
        return apply_capture_precedence(self._tables[criterion], captures, pieces)

    def chosen(self, captures: list[PackedMove], pieces: Pieces) -> list[PackedMove]:
        """Return the captures that a side may choose from."""
        left = captures
        for criterion in self._rules.capture.choice:
            left = self.best(criterion, left, pieces)
        if self._rules.capture.binds == "piece":
            starts = {step.start for step in left}
            return [step for step in captures if step.start in starts]
        return left


class PrecedencePerPiece(CapturePrecedence):
    """Precedence applied to each piece, or each kind of piece, by itself."""

    def __init__(self, rules: Rules, whose: str) -> None:
        super().__init__(rules)
        self._each_piece = whose == "each piece"

    def chosen(self, captures: list[PackedMove], pieces: Pieces) -> list[PackedMove]:
        """Return the captures that a side may choose from."""
        alike: dict[int, list[PackedMove]] = {}
        for step in captures:
            alike.setdefault(step.start if self._each_piece else int(bool(step.start & pieces[1])), []).append(step)
        right = super().chosen
        return [step for each in alike.values() for step in right(each, pieces)]


class MiscountedPrecedence(CapturePrecedence):
    """Precedence that counts captured pieces in another way."""

    def __init__(self, rules: Rules, count: Callable[[PackedMove, Pieces], int]) -> None:
        super().__init__(rules)
        self._count = count

    def best(self, criterion: str, captures: list[PackedMove], pieces: Pieces) -> list[PackedMove]:
        """Return the best of some captures by one criterion."""
        if criterion != "most-pieces":
            return super().best(criterion, captures, pieces)
        numbers = [self._count(step, pieces) for step in captures]
        most = max(numbers)
        return [step for step, number in zip(captures, numbers, strict=True) if number == most]


class ReversedPrecedence(CapturePrecedence):
    """Precedence of the captures that are worst by one criterion."""

    def __init__(self, rules: Rules, criterion: str) -> None:
        super().__init__(rules)
        self._criterion = criterion

    def best(self, criterion: str, captures: list[PackedMove], pieces: Pieces) -> list[PackedMove]:
        """Return the best of some captures by one criterion."""
        right, left = super().best, captures
        while criterion == self._criterion and len(better := right(criterion, left, pieces)) < len(left):
            left = [step for step in left if step not in better]
        return left if criterion == self._criterion else right(criterion, captures, pieces)


def uncounted(rules: Rules, piece: str) -> CapturePrecedence:
    """Return precedence that leaves captured men, or kings, out of the number of pieces."""
    others = 2 if piece == "kings" else 3
    return MiscountedPrecedence(rules, lambda step, pieces: (step.captured & pieces[others]).bit_count())


def with_precedence(right: ActionGenerator, choice: CapturePrecedence) -> ActionGenerator:
    """Return turns with another capture precedence."""
    every = MoveGenerator(replace(right.rules, capture=replace(right.rules.capture, choice=())))

    def found(pieces: Pieces, side: int, doors: int) -> list[PackedMove]:
        captures = every.captures(pieces, side, doors)
        return choice.chosen(captures, pieces) if len(captures) > 1 else captures

    return CaptureFault(right, found)
