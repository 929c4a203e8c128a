"""Faults in the choice among captures: what is compared with what, what counts, which of two is the better one."""

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

#: What an engine finds in the place of the captures of one side, as the side to move sees the pieces.
Found = Callable[[Pieces, int, int], list[PackedMove]]


class Captures(MoveGenerator):
    """The right moves of pieces, but for the captures."""

    def __init__(self, rules: Rules, found: Found) -> None:
        super().__init__(rules)
        self._found = found

    def captures(self, pieces: Pieces, side: int, doors: int = 0) -> list[PackedMove]:
        """Return the captures that are found instead."""
        return self._found(pieces, side, doors)


class Capturing(FaultyGenerator):
    """Turns in which other captures are found than the right ones."""

    invents = True

    def __init__(self, right: ActionGenerator, found: Found) -> None:
        turns = ActionGenerator(right.rules)
        turns.movement.generator = Captures(right.rules, found)
        super().__init__(turns)


#: What a choice turned round prefers, with the criterion of `capture.choice` that says the contrary.
WORST = {
    "with the fewest pieces where the rules want the most": "most-pieces",
    "with the fewest kings where the rules want the most": "most-kings",
    "by men where the rules want those by kings": "with-king",
    "with the kings latest where the rules want them earliest": "king-first",
}


class Choice:
    """The choice among captures, criterion by criterion: right unless another `best` is put in."""

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
        """Those of all captures that a side may choose from."""
        left = captures
        for criterion in self._rules.capture.choice:
            left = self.best(criterion, left, pieces)
        if self._rules.capture.binds == "piece":
            starts = {step.start for step in left}
            return [step for step in captures if step.start in starts]
        return left


class Apart(Choice):
    """The best captures of each piece, or of each kind of piece, by themselves."""

    def __init__(self, rules: Rules, whose: str) -> None:
        super().__init__(rules)
        self._each_piece = whose == "each piece"

    def chosen(self, captures: list[PackedMove], pieces: Pieces) -> list[PackedMove]:
        """Those of all captures that a side may choose from."""
        alike: dict[int, list[PackedMove]] = {}
        for step in captures:
            alike.setdefault(step.start if self._each_piece else int(bool(step.start & pieces[1])), []).append(step)
        right = super().chosen
        return [step for each in alike.values() for step in right(each, pieces)]


class Counting(Choice):
    """A choice in which captured pieces are counted in another way."""

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


class TurnedRound(Choice):
    """A choice in which those captures go first that are the worst by one criterion."""

    def __init__(self, rules: Rules, criterion: str) -> None:
        super().__init__(rules)
        self._criterion = criterion

    def best(self, criterion: str, captures: list[PackedMove], pieces: Pieces) -> list[PackedMove]:
        """Return the best of some captures by one criterion."""
        right, left = super().best, captures
        while criterion == self._criterion and len(better := right(criterion, left, pieces)) < len(left):
            left = [step for step in left if step not in better]
        return left if criterion == self._criterion else right(criterion, captures, pieces)


def uncounted(rules: Rules, piece: str) -> Choice:
    """Captured men, or kings, do not count where the number of pieces decides."""
    others = 2 if piece == "kings" else 3
    return Counting(rules, lambda step, pieces: (step.captured & pieces[others]).bit_count())


def with_choice(right: ActionGenerator, choice: Choice) -> ActionGenerator:
    """Turns in which others of all captures are chosen."""
    every = MoveGenerator(replace(right.rules, capture=replace(right.rules.capture, choice=())))

    def found(pieces: Pieces, side: int, doors: int) -> list[PackedMove]:
        captures = every.captures(pieces, side, doors)
        return choice.chosen(captures, pieces) if len(captures) > 1 else captures

    return Capturing(right, found)
