"""Faults in captures: in their precedence, and in the search for them, jump by jump."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple

from damspec import Board
from damspec.board import SIDES, each
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

    def choose(self, captures: list[PackedMove], pieces: Pieces) -> list[PackedMove]:
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

    def choose(self, captures: list[PackedMove], pieces: Pieces) -> list[PackedMove]:
        """Return the captures that a side may choose from."""
        alike: dict[int, list[PackedMove]] = {}
        for step in captures:
            alike.setdefault(step.start if self._each_piece else int(bool(step.start & pieces[1])), []).append(step)
        right = super().choose
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


def precedence_without(rules: Rules, piece: str) -> CapturePrecedence:
    """Return precedence that leaves captured men, or kings, out of the number of pieces."""
    others = 2 if piece == "kings" else 3
    return MiscountedPrecedence(rules, lambda step, pieces: (step.captured & pieces[others]).bit_count())


def with_precedence(right: ActionGenerator, choice: CapturePrecedence) -> ActionGenerator:
    """Return turns with another capture precedence."""
    every = MoveGenerator(replace(right.rules, capture=replace(right.rules.capture, choice=())))

    def find(pieces: Pieces, side: int, doors: int) -> list[PackedMove]:
        captures = every.captures(pieces, side, doors)
        return choice.choose(captures, pieces) if len(captures) > 1 else captures

    return CaptureFault(right, find)


#: The number of positions whose captures are cached, since many faults ask for the same.
_KEPT = 500


class Jump(NamedTuple):
    """A jump within a capture; `step` is the capture up to where it lands.

    `king` says whether the piece goes as a king, `reach` how many steps away the captured piece stands, `landing` how
    many steps behind that it lands.
    """

    step: PackedMove
    over: int
    way: tuple[int, int]
    king: bool
    reach: int
    landing: int


#: The jumps of a capture so far.
Trail = tuple[Jump, ...]
#: Every capture, finished or not, by the path of all but its last jump.
Tree = dict[tuple[int, ...], list[PackedMove]]


class JumpSearch:
    """A search for the right captures, jump by jump; a fault overrides `open`, `leads_on` or `may_end`."""

    def __init__(self, rules: Rules) -> None:
        self.rules, self.board = rules, rules.board
        self._tables = Tables(rules)

    # --- what a fault changes

    def open(self, trail: Trail, jumps: Sequence[Jump]) -> Sequence[Jump]:
        """Return the jumps with which a piece may continue (`king.capture.turning`)."""
        if trail and self.rules.king.capture_turning == "not-back":
            return [jump for jump in jumps if not (jump.king and _is_back(jump, trail[-1]))]
        return jumps

    def leads_on(self, jumps: Sequence[Jump]) -> bool:
        """Return whether these jumps let a king continue where it must land so that it can."""
        return bool(jumps)

    def may_end(self, trail: Trail) -> bool:
        """Return whether a capture that cannot continue may end."""
        return True

    # --- the search

    def find(self, pieces: Pieces, side: int, doors: int) -> list[PackedMove]:
        """Return the captures that are found."""
        tree = _tree(self.rules, pieces, side, doors)
        starts = dict.fromkeys(path[0] for path in tree)
        steps = [step for start in starts for step in self._ends((), start, tree, pieces)]
        return apply_capture_precedence(self._tables, steps, pieces) if len(steps) > 1 else steps

    def _ends(self, trail: Trail, start: int, tree: Tree, pieces: Pieces) -> Iterator[PackedMove]:
        going = self._going(trail, start, tree, pieces)
        for jump in self._landing(trail, going, tree, pieces):
            yield from self._ends((*trail, jump), start, tree, pieces)
        may_stop = self.rules.capture.completion == "may-stop"
        if trail and (may_stop or not going) and self._is_behind_a_king(trail, pieces) and self.may_end(trail):
            yield trail[-1].step

    def _is_behind_a_king(self, trail: Trail, pieces: Pieces) -> bool:
        """Return whether a capture ends behind its last piece, if that is a king: `king.capture.finish`."""
        last = trail[-1]
        halts = self.rules.king.capture_finish == "behind-last-king" and last.king and last.over & pieces[3]
        return not halts or last.landing == 1

    def _going(self, trail: Trail, start: int, tree: Tree, pieces: Pieces) -> Sequence[Jump]:
        """Return the jumps with which a capture can continue."""
        path = trail[-1].step.path if trail else (start,)
        taken = trail[-1].step.captured if trail else 0
        crowned = bool(trail) and trail[-1].step.crowned and self.rules.promotion.mid_capture != "as-man"
        king = crowned or bool(start & pieces[1])
        return self.open(trail, [_jump(self.board, step, taken, king) for step in tree.get(path, ())])

    def _landing(self, trail: Trail, jumps: Sequence[Jump], tree: Tree, pieces: Pieces) -> Iterator[Jump]:
        """Yield the jumps that land where they must (`king.capture.finish`)."""
        if self.rules.king.capture_finish != "continuing":
            yield from jumps
            return
        over: dict[int, list[Jump]] = {}
        for jump in jumps:
            over.setdefault(jump.over, []).append(jump)
        for alike in over.values():
            onward = [
                jump
                for jump in alike
                if len(alike) > 1 and self.leads_on(self._going((*trail, jump), jump.step.start, tree, pieces))
            ]
            yield from onward or alike


@lru_cache(maxsize=_KEPT)
def _tree(rules: Rules, pieces: Pieces, side: int, doors: int) -> Tree:
    """Return every capture that a rule of captures other than those of the search allows, finished or not."""
    tree: Tree = {}
    for step in _every(rules).captures(pieces, side, doors):
        tree.setdefault(step.path[:-1], []).append(step)
    return tree


@lru_cache(maxsize=8)
def _every(rules: Rules) -> MoveGenerator:
    return MoveGenerator(
        replace(
            rules,
            capture=replace(rules.capture, choice=(), completion="may-stop"),
            king=replace(rules.king, capture_finish=None, capture_turning=None),
        )
    )


def _jump(board: Board, step: PackedMove, taken: int, king: bool) -> Jump:
    start, end = (board.number(bit) for bit in step.path[-2:])
    over = step.captured ^ taken
    between = board.between(start, end) or ()
    reach = between.index(over) + 1
    (column, row), (other, line) = board.places[start - 1], board.places[end - 1]
    way = (other > column) - (other < column), (line > row) - (line < row)
    return Jump(step, over, way, king, reach, len(between) + 1 - reach)


def _is_back(jump: Jump, other: Jump) -> bool:
    return jump.way == (-other.way[0], -other.way[1])


# --- faults


class NoEdgeLanding(JumpSearch):
    """No jump of some pieces lands on the edge of the board."""

    def __init__(self, rules: Rules, piece: str) -> None:
        super().__init__(rules)
        self._kings = {"men": (False,), "kings": (True,)}.get(piece, (False, True))
        columns, rows = (0, self.board.columns - 1), (0, self.board.rows - 1)
        places = enumerate(self.board.places, 1)
        self._edge = self.board.mask(number for number, at in places if at[0] in columns or at[1] in rows)

    def open(self, trail: Trail, jumps: Sequence[Jump]) -> Sequence[Jump]:
        """Return the jumps that land elsewhere."""
        right = super().open(trail, jumps)
        return [jump for jump in right if not (jump.king in self._kings and jump.step.end & self._edge)]


class EndsBehindLast(JumpSearch):
    """A king's capture ends directly behind the last piece only."""

    def may_end(self, trail: Trail) -> bool:
        """Return whether the last jump lands directly behind."""
        return not trail[-1].king or trail[-1].landing == 1


class ShortLookahead(JumpSearch):
    """Where a king must land so that it can continue, only the neighbours of the square are examined."""

    def leads_on(self, jumps: Sequence[Jump]) -> bool:
        """Return whether a neighbour can be jumped."""
        return any(jump.reach == 1 for jump in jumps)


class ShortNewKing(JumpSearch):
    """A man crowned within a capture continues over neighbours only, to the squares directly behind them."""

    def open(self, trail: Trail, jumps: Sequence[Jump]) -> Sequence[Jump]:
        """Return only short jumps for a man that has become a king."""
        right = super().open(trail, jumps)
        if not any(jump.king for jump in trail[:1]):
            return [jump for jump in right if not jump.king or not trail or (jump.reach == 1 and jump.landing == 1)]
        return right


class ShortJumps(JumpSearch):
    """Kings find only pieces, or squares to land on behind them, that are a few steps away.

    `measure` is `reach` or `landing`. Where nothing nearer can be captured, there is nothing to capture.
    """

    def __init__(self, rules: Rules, measure: Literal["reach", "landing"], most: int) -> None:
        super().__init__(rules)
        self._measure, self._most = measure, most

    def open(self, trail: Trail, jumps: Sequence[Jump]) -> Sequence[Jump]:
        """Return the jumps that are short enough."""
        right = super().open(trail, jumps)
        return [jump for jump in right if not jump.king or getattr(jump, self._measure) <= self._most]


class FirstDirectionOnly(JumpSearch):
    """A king that can capture in a direction does not look in those that come later in an order, as White sees them."""

    def __init__(self, rules: Rules, order: Sequence[str]) -> None:
        super().__init__(rules)
        self._order = [self.board.offset(direction, SIDES[0]) for direction in order]

    def open(self, trail: Trail, jumps: Sequence[Jump]) -> Sequence[Jump]:
        """Return the jumps in the first direction that has any."""
        right = super().open(trail, jumps)
        ways = {jump.way for jump in right if jump.king}
        first = next((way for way in self._order if way in ways), None)
        return [jump for jump in right if not jump.king or jump.way == first]


class NotAgainstFirstJump(JumpSearch):
    """A capturing king may turn straight back, but does not go against its first jump."""

    def open(self, trail: Trail, jumps: Sequence[Jump]) -> Sequence[Jump]:
        """Return the jumps that do not go against the first one."""
        return [jump for jump in jumps if not (trail and jump.king and _is_back(jump, trail[0]))]


def with_jump_search(right: ActionGenerator, jumps: JumpSearch) -> ActionGenerator:
    """Return turns with captures found by a faulty search."""
    return CaptureFault(right, jumps.find)


def past_own_pieces(right: ActionGenerator, piece: str, *, captured: bool) -> ActionGenerator:
    """Return turns in which men or kings capture their own pieces, or pass one of them on the way to a capture."""
    tables = Tables(right.rules)
    every = MoveGenerator(replace(right.rules, capture=replace(right.rules.capture, choice=())))

    def find(pieces: Pieces, side: int, doors: int) -> list[PackedMove]:
        men, kings, other_men, other_kings = pieces
        wrong = (
            step
            for own in each(men | kings)
            for step in every.captures((men & ~own, kings & ~own, other_men | own * captured, other_kings), side, doors)
            if step.start & (kings if piece == "kings" else men) and _is_past(right.rules.board, step, own)
        )
        found = [*dict.fromkeys([*every.captures(pieces, side, doors), *wrong])]
        return apply_capture_precedence(tables, found, pieces) if found else []

    return CaptureFault(right, find)


def _is_past(board: Board, step: PackedMove, square: int) -> bool:
    """Return whether a leg of a capture passes a square, on which it does not land, before what it captures."""
    lines = (board.between(*leg) or () for leg in pairwise(map(board.number, step.path)))
    return square not in step.path and any(
        square in line and step.captured & sum(line[line.index(square) :]) for line in lines
    )
