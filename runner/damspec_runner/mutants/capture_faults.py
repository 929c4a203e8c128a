"""Faults in captures: in their precedence, and in the search for them, jump by jump."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import pairwise
from typing import Any, NamedTuple

from damspec import Board
from damspec.board import SIDES, each
from damspec.move import PackedMove
from damspec.movegen import MoveGenerator, apply_capture_precedence
from damspec.position import Pieces
from damspec.rules import Rules
from damspec.tables import Tables

from .faults import FaultyGenerator, FindCaptures, FunctionT, Values, hook

Captures = list[PackedMove]

# --- the choice among captures

#: A function that returns the best of some captures by one criterion.
Best = Callable[[Rules, str, Captures, Pieces], Captures]


def best_by(rules: Rules, criterion: str, captures: Captures, pieces: Pieces) -> Captures:
    """Return the best of some captures by one criterion."""
    return apply_capture_precedence(_tables(rules, criterion), captures, pieces)


@lru_cache(maxsize=64)
def _tables(rules: Rules, criterion: str) -> Tables:
    return Tables(replace(rules, capture=replace(rules.capture, choice=(criterion,), binds=None)))


def choose(rules: Rules, captures: Captures, pieces: Pieces, best: Best = best_by) -> Captures:
    """Return the captures that a side may choose from, criterion by criterion."""
    left = captures
    for criterion in rules.capture.choice:
        left = best(rules, criterion, left, pieces)
    if rules.capture.binds == "piece":
        starts = {step.start for step in left}
        return [step for step in captures if step.start in starts]
    return left


def choosing(*ids: str) -> Callable[[FunctionT], FunctionT]:
    """Register a function that chooses among several captures."""

    def register(function: FunctionT) -> FunctionT:
        def captures(v: Values, turns: FaultyGenerator) -> FindCaptures:
            every, rules = _without_choice(turns.rules), turns.rules

            def find(pieces: Pieces, side: int, doors: int) -> Captures:
                found = every.captures(pieces, side, doors)
                return function(v, rules, found, pieces) if len(found) > 1 else found

            return find

        hook("captures", *ids)(captures)
        return function

    return register


def _without_choice(rules: Rules) -> MoveGenerator:
    return MoveGenerator(replace(rules, capture=replace(rules.capture, choice=())))


@choosing("chosen-apart")
def chosen_apart(v: Values, rules: Rules, captures: Captures, pieces: Pieces) -> Captures:
    alike: dict[int, Captures] = {}
    for step in captures:
        group = step.start if v["whose"] == "each piece" else int(bool(step.start & pieces[1]))
        alike.setdefault(group, []).append(step)
    return [step for each in alike.values() for step in choose(rules, each, pieces)]


def _choose_by_number(rules: Rules, captures: Captures, pieces: Pieces, count: Callable[[PackedMove], int]) -> Captures:
    """Return the captures to choose from where captured pieces are counted in another way."""

    def best(rules: Rules, criterion: str, captures: Captures, pieces: Pieces) -> Captures:
        if criterion != "most-pieces":
            return best_by(rules, criterion, captures, pieces)
        most = max(map(count, captures))
        return [step for step in captures if count(step) == most]

    return choose(rules, captures, pieces, best)


@choosing("choice-uncounted")
def choice_uncounted(v: Values, rules: Rules, captures: Captures, pieces: Pieces) -> Captures:
    others = pieces[2 if v["piece"] == "kings" else 3]
    return _choose_by_number(rules, captures, pieces, lambda step: (step.captured & others).bit_count())


@choosing("count-begins-again")
def count_begins_again(v: Values, rules: Rules, captures: Captures, pieces: Pieces) -> Captures:
    return _choose_by_number(rules, captures, pieces, lambda step: step.captured.bit_count() % v["n"])


@choosing("count-stops")
def count_stops(v: Values, rules: Rules, captures: Captures, pieces: Pieces) -> Captures:
    return _choose_by_number(rules, captures, pieces, lambda step: min(step.captured.bit_count(), v["n"]))


#: What reversed precedence prefers, with the criterion of `capture.choice` that is reversed.
WORST = {
    "with the fewest pieces where the rules want the most": "most-pieces",
    "with the fewest kings where the rules want the most": "most-kings",
    "by men where the rules want those by kings": "with-king",
    "with the kings latest where the rules want them earliest": "king-first",
}


@choosing("choice-turned-round")
def choice_turned_round(v: Values, rules: Rules, captures: Captures, pieces: Pieces) -> Captures:
    def best(rules: Rules, criterion: str, captures: Captures, pieces: Pieces) -> Captures:
        left = captures
        if criterion != WORST[v["captures"]]:
            return best_by(rules, criterion, captures, pieces)
        while len(better := best_by(rules, criterion, left, pieces)) < len(left):
            left = [step for step in left if step not in better]
        return left

    return choose(rules, captures, pieces, best)


# --- own pieces


@hook("captures", "own-passed", "own-captured")
def past_own_pieces(v: Values, turns: FaultyGenerator) -> FindCaptures:
    """Men or kings capture their own pieces, or pass one of them on the way to a capture."""
    rules, tables, every = turns.rules, Tables(turns.rules), _without_choice(turns.rules)

    def find(pieces: Pieces, side: int, doors: int) -> Captures:
        men, kings, other_men, other_kings = pieces
        taken = "piece" in v  # own pieces are passed where none is named
        wrong = (
            step
            for own in each(men | kings)
            for step in every.captures((men & ~own, kings & ~own, other_men | own * taken, other_kings), side, doors)
            if step.start & (men if v.get("piece") == "men" else kings) and _is_past(rules.board, step, own)
        )
        found = [*dict.fromkeys([*every.captures(pieces, side, doors), *wrong])]
        return apply_capture_precedence(tables, found, pieces) if found else []

    return find


def _is_past(board: Board, step: PackedMove, square: int) -> bool:
    """Return whether a leg of a capture passes a square, on which it does not land, before what it captures."""
    lines = (board.between(*leg) or () for leg in pairwise(map(board.number, step.path)))
    return square not in step.path and any(
        square in line and step.captured & sum(line[line.index(square) :]) for line in lines
    )


# --- the search, jump by jump

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
Jumps = Sequence[Jump]
#: Every capture, finished or not, by the path of all but its last jump.
Tree = dict[tuple[int, ...], Captures]


class JumpSearch:
    """A search for the right captures, jump by jump; a fault replaces `goes`, `leads_on` or `may_end`.

    `goes` returns the jumps of `jumps` with which a piece may continue, `leads_on` whether jumps let a king continue
    where it must land so that it can, `may_end` whether a capture that cannot continue may end.
    """

    def __init__(self, rules: Rules, **fault: Callable[..., Any]) -> None:
        self.rules, self.board, self._tables = rules, rules.board, Tables(rules)
        self._goes = fault.get("goes", partial(may_turn, rules))
        self._leads_on = fault.get("leads_on", bool)
        self._may_end = fault.get("may_end", bool)

    def find(self, pieces: Pieces, side: int, doors: int) -> Captures:
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
        if trail and (may_stop or not going) and self._is_behind_a_king(trail, pieces) and self._may_end(trail):
            yield trail[-1].step

    def _is_behind_a_king(self, trail: Trail, pieces: Pieces) -> bool:
        """Return whether a capture ends behind its last piece, if that is a king: `king.capture.finish`."""
        last = trail[-1]
        halts = self.rules.king.capture_finish == "behind-last-king" and last.king and last.over & pieces[3]
        return not halts or last.landing == 1

    def _going(self, trail: Trail, start: int, tree: Tree, pieces: Pieces) -> Jumps:
        """Return the jumps with which a capture can continue."""
        path = trail[-1].step.path if trail else (start,)
        taken = trail[-1].step.captured if trail else 0
        crowned = bool(trail) and trail[-1].step.crowned and self.rules.promotion.mid_capture != "as-man"
        king = crowned or bool(start & pieces[1])
        going: Jumps = self._goes(trail, [_jump(self.board, step, taken, king) for step in tree.get(path, ())])
        return going

    def _landing(self, trail: Trail, jumps: Jumps, tree: Tree, pieces: Pieces) -> Iterator[Jump]:
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
                if len(alike) > 1 and self._leads_on(self._going((*trail, jump), jump.step.start, tree, pieces))
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


def may_turn(rules: Rules, trail: Trail, jumps: Jumps) -> Jumps:
    """Return the jumps with which a piece may continue (`king.capture.turning`)."""
    return _not_against(trail[-1:], jumps) if rules.king.capture_turning == "not-back" else jumps


def _not_against(trail: Trail, jumps: Jumps) -> Jumps:
    """Return the jumps without those of a king against the direction of the first one of a trail."""
    against = [(-column, -row) for column, row in (jump.way for jump in trail[:1])]
    return [jump for jump in jumps if not (jump.king and jump.way in against)]


def searching(part: str, *ids: str) -> Callable[[FunctionT], FunctionT]:
    """Register a function as a part of the search for captures."""

    def register(function: FunctionT) -> FunctionT:
        def captures(v: Values, turns: FaultyGenerator) -> FindCaptures:
            return JumpSearch(turns.rules, **{part: partial(function, v, turns.rules)}).find

        hook("captures", *ids)(captures)
        return function

    return register


@searching("goes", "short-of-edge")
def short_of_edge(v: Values, rules: Rules, trail: Trail, jumps: Jumps) -> Jumps:
    columns, rows = (0, rules.board.columns - 1), (0, rules.board.rows - 1)
    places = enumerate(rules.board.places, 1)
    edge = rules.board.mask(number for number, (column, row) in places if column in columns or row in rows)
    short = {"men": (False,), "kings": (True,)}.get(v["piece"], (False, True))
    return [jump for jump in may_turn(rules, trail, jumps) if not (jump.king in short and jump.step.end & edge)]


@searching("goes", "looks-short")
def looks_short(v: Values, rules: Rules, trail: Trail, jumps: Jumps) -> Jumps:
    return [jump for jump in may_turn(rules, trail, jumps) if not jump.king or jump.reach <= v["n"]]


@searching("goes", "lands-short")
def lands_short(v: Values, rules: Rules, trail: Trail, jumps: Jumps) -> Jumps:
    return [jump for jump in may_turn(rules, trail, jumps) if not jump.king or jump.landing <= v["n"]]


@searching("goes", "new-king-short")
def new_king_short(v: Values, rules: Rules, trail: Trail, jumps: Jumps) -> Jumps:
    right = may_turn(rules, trail, jumps)
    if not trail or trail[0].king:
        return right
    return [jump for jump in right if not jump.king or jump.reach == jump.landing == 1]


@searching("goes", "one-way")
def one_way(v: Values, rules: Rules, trail: Trail, jumps: Jumps) -> Jumps:
    right = may_turn(rules, trail, jumps)
    ways = {jump.way for jump in right if jump.king}
    order = (rules.board.offset(direction, SIDES[0]) for direction in v["order"].split(", "))
    first = next((way for way in order if way in ways), None)
    return [jump for jump in right if not jump.king or jump.way == first]


@searching("goes", "turns-by-first")
def turns_by_first(v: Values, rules: Rules, trail: Trail, jumps: Jumps) -> Jumps:
    return _not_against(trail, jumps)


@searching("may_end", "ends-behind")
def ends_behind(v: Values, rules: Rules, trail: Trail) -> bool:
    return not trail[-1].king or trail[-1].landing == 1


@searching("leads_on", "looks-nearby")
def looks_nearby(v: Values, rules: Rules, jumps: Jumps) -> bool:
    return any(jump.reach == 1 for jump in jumps)
