"""How a wrong answer is wrong, whatever the position: a list that stops at ten moves, a captured piece left standing.

A shape is said of the wrong answers if nearly all of them have it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from damspec import DamspecError, Position
from damspec.action import is_move_text
from damspec.board import Side, opponent
from damspec.move import read_squares
from damspec.tables import SIDES

from ..cases.notation import trace
from .observation import Observation

#: The share of the wrong answers that have to have a shape.
SHARE = 0.9
#: The one shape that a right list can have too: a side may have no move.
_EMPTY = "are empty"


@dataclass(frozen=True)
class Shape:
    """What nearly all wrong lists of moves are: those that are, of how many wrong ones, and how many right ones are."""

    words: str
    those: tuple[Observation, ...]
    of: int
    right: int = 0


def list_shape(seen: Sequence[Observation]) -> Shape | None:
    """What nearly all wrong lists of moves are; None if nothing is common to them."""
    lists = [(one, [*_listed(one)]) for one in seen if one.question.expected.moves is not None]
    wrong = [(one, listed) for one, listed in lists if not one.passed and _is_wrong_list(one)]
    if not wrong:
        return None
    shapes: dict[str, list[Observation]] = {}
    for one, listed in wrong:
        for shape in _shapes(one, listed):
            shapes.setdefault(shape, []).append(one)
    longest = max((len(listed) for one, listed in lists if one.passed), default=0)
    cut = Counter(len(listed) for one, listed in wrong if not one.faults.get("extra"))
    if len(cut) == 1 and cut.total() == len(wrong) and longest <= max(cut) > 0:
        return Shape(f"stop at {max(cut)} moves", tuple(one for one, _ in wrong), len(wrong))
    for shape, those in sorted(shapes.items(), key=lambda item: -len(item[1])):
        if len(those) >= max(SHARE * len(wrong), 2):
            right = sum(not listed for one, listed in lists if one.passed) if shape == _EMPTY else 0
            return Shape(shape, tuple(those), len(wrong), right)
    return None


def after_shape(seen: Iterable[Observation]) -> tuple[str, int, int] | None:
    """What nearly all wrong positions after moves are, in words: of what is said of as many the most exact.

    With how many are that, and how many wrong ones there are.
    """
    shapes: Counter[str] = Counter()
    number = 0
    for one in seen:
        for text, given in one.faults.get("after", {}).items():
            if text in (one.question.expected.moves or ()):
                number += 1
                shapes.update(set(_after(one, text, given)))
    enough = [shape for shape, those in shapes.items() if those >= SHARE * number]
    best = max(enough, key=lambda shape: (round(10 * shapes[shape] / number), len(shape)), default=None)
    return (best, shapes[best], number) if best else None


def outcome_shape(seen: Iterable[Observation]) -> tuple[str, int, int] | None:
    """What nearly all wrong outcomes are said to be, in words; how many are, and how many wrong ones there are."""
    said: Counter[str] = Counter()
    for one in seen:
        if "outcome" in one.faults:
            said[_outcome(one.question.position.turn, one.faults["outcome"]["got"])] += 1
    best = said.most_common(1)
    return (*best[0], said.total()) if best and best[0][1] >= SHARE * said.total() else None


def _outcome(turn: Side, got: str) -> str:
    words = {"ongoing": "the game goes on", "draw": "a draw", turn: "the side to move has won"}
    return words.get(got, "the side to move has lost")


def _is_wrong_list(one: Observation) -> bool:
    return any(one.faults.get(word) for word in ("missing", "extra"))


def _listed(one: Observation) -> Iterator[str]:
    missing = one.faults.get("missing", ())
    yield from (text for text in one.question.expected.moves or () if text not in missing)
    yield from (text for text in one.faults.get("extra", ()) if not text.startswith("lapse "))


def _shapes(one: Observation, listed: Sequence[str]) -> Iterator[str]:
    position = one.question.position
    if not listed:
        yield _EMPTY
        return
    extra = [text.partition(" (")[0] for text in one.faults.get("extra", ()) if is_move_text(text.partition(" (")[0])]
    starts = [_start(position, text) for text in extra]
    own, theirs = position.occupied(position.turn), position.occupied(opponent(position.turn))
    if starts and all(bit & theirs for bit in starts):
        yield "have moves of the other side's pieces"
    if starts and not any(bit & (own | theirs) for bit in starts):
        yield "have moves of pieces that are not there"


def _start(position: Position, text: str) -> int:
    try:
        return position.board.bit(read_squares(text, position.board)[0][0])
    except DamspecError:
        return 0


def _after(one: Observation, text: str, given: Mapping[str, str]) -> Iterator[str]:
    """What is wrong with a position after a move."""
    reader, before = one.question.reader, one.question.position
    try:
        expected, got = reader.read(given["expected"]), reader.read(given["got"])
        squares, _ = read_squares(text, before.board)
        taken = trace(before, text)
    except DamspecError:
        return
    side, other, board = before.turn, opponent(before.turn), before.board
    if got.turn != expected.turn and got.occupied(side) == expected.occupied(side):
        yield "the other side is to move"
    left = [*_order(before, squares, taken[2])] if isinstance(taken, tuple) else []
    standing = [square for square in left if got.occupied(other) & board.bit(square)]
    if standing and got.occupied(side) == expected.occupied(side):
        places = ", ".join(str(place) for place, square in enumerate(left, 1) if square in standing)
        yield f"captured piece number {places} still stands"
        if len(standing) == len(left):
            yield "all captured pieces still stand"
        if all(board.bit(square) & before.kings(other) for square in standing):
            yield "the captured kings still stand"
    end = board.bit(squares[-1])
    if got.occupied(side) == expected.occupied(side) and (got.kings(side) ^ expected.kings(side)) & end:
        yield "a man is not crowned" if expected.kings(side) & end else "a man is crowned that is not to be"
    if got.occupied(side) & end and not expected.occupied(side) & end:
        yield "the piece that moved does not fall"
    if expected.occupied(side) & end and not got.occupied(side) & end:
        yield "the piece that moved is gone"
    elif squares[0] != squares[-1] and got.occupied(side) & board.bit(squares[0]):
        yield "the piece that moved still stands where it began"
    yield from _others(before, expected, got, end | board.mask([squares[0], *left]))


def _others(before: Position, expected: Position, got: Position, moved: int) -> Iterator[str]:
    """What is wrong with the pieces that have nothing to do with the move."""
    board = expected.board
    for side in SIDES:
        there, given = expected.occupied(side) & ~moved, got.occupied(side) & ~moved
        gone, more = there & ~given, given & ~there
        if gone:
            yield "pieces are gone that did not move"
            yield f"pieces of {side.capitalize()} are gone that did not move"
            squares = board.numbers(before.occupied(side))
            for which, square in (("lowest", squares[0]), ("highest", squares[-1])):
                if gone == board.bit(square):
                    yield f"the piece of {side.capitalize()} on the {which} number is gone, which did not move"
        if more:
            yield "pieces stand where none is to be"
            yield from (f"a piece stands on square {square} where none is to be" for square in board.numbers(more))


def _order(position: Position, squares: Sequence[int], taken: frozenset[int]) -> Iterator[int]:
    """The captured squares in the order in which they are jumped."""
    for start, end in pairwise(squares):
        for bit in position.board.between(start, end) or ():
            if (number := position.board.number(bit)) in taken:
                yield number
