"""Shapes: what wrong lists of moves, positions after moves and outcomes look like."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import get_args

from damspec import Board, DamspecError, Move, Position
from damspec.board import SIDES, Numbering, Side, opponent
from damspec.move import is_move_text, read_squares, shortens

from ..answers.player import key
from ..cases.notation import Key, is_possible_capture, move_effect
from .observation import Observation

#: The squares that a move touches, in order.
Path = tuple[int, ...]

#: The least share of wrong answers that have a shape.
SHARE = 0.9
#: The one shape that right lists can have too.
_EMPTY = "are empty"
_HYPHENS = "have captures written with hyphens"
_ONE_DIGIT = "the square of a king's run is written with one digit"
_LEFT_OUT = "leave out squares on the way of captures"
#: The squares of a capture's path that are written, for shapes that always leave out the same ones.
_KEPT: Mapping[str, Callable[[Path], Path]] = {
    "have only the first and the last square of captures": lambda path: (path[0], path[-1]),
    "leave out the first square on which a capture of several jumps lands": lambda path: (path[0], *path[2:]),
    "leave out the last square on the way of a capture of several jumps": lambda path: (*path[:-2], path[-1]),
}
#: The shapes that explain a wrong answer fully; others are symptoms.
_ENTIRE = {_HYPHENS, _ONE_DIGIT, _LEFT_OUT, *_KEPT}


def is_entire(shape: str) -> bool:
    """Return whether a shape explains a wrong answer fully."""
    return shape in _ENTIRE or shape.startswith("stop at ")


@dataclass(frozen=True)
class AnswerShape:
    """The shape of nearly all wrong lists: those that have it, of how many wrong ones, and how many right ones do."""

    words: str
    those: tuple[Observation, ...]
    of: int
    right: int = 0
    #: Whether it only says what wrong lists look like, not what is wrong.
    symptom: bool = True


def list_shape(seen: Sequence[Observation]) -> AnswerShape | None:
    """Return the shape of nearly all wrong lists of moves; None if they have none."""
    lists = [(one, [*_listed_texts(one)]) for one in seen if one.question.expected.moves is not None]
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
        return AnswerShape(f"stop at {max(cut)} moves", tuple(one for one, _ in wrong), len(wrong), symptom=False)
    # If several exact descriptions fit, the general one is taken.
    whole = [shape for shape in _KEPT if len(shapes.get(shape, ())) == len(shapes.get(_LEFT_OUT, ()))]
    for shape in whole if len(whole) > 1 else ():
        shapes.pop(shape, None)
    for shape, those in sorted(shapes.items(), key=lambda item: -len(item[1])):
        if len(those) >= max(SHARE * len(wrong), 2):
            passed = [(one, listed) for one, listed in lists if one.passed]
            if shape == _EMPTY:
                return AnswerShape(shape, tuple(those), len(wrong), sum(not listed for _, listed in passed))
            numbered = shape.startswith("number ")
            if numbered and any(_is_numbered_otherwise(one, shape) for one, _ in passed):
                continue
            return AnswerShape(shape, tuple(those), len(wrong), symptom=not numbered)
    return None


def after_shape(seen: Iterable[Observation]) -> tuple[str, int, int] | None:
    """Return the shape of nearly all wrong positions after moves, in words: the most exact of those as common.

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
    """Return the shape of nearly all wrong outcomes, in words; how many have it, and how many are wrong."""
    counts: Counter[str] = Counter()
    for one in seen:
        if "outcome" in one.faults:
            counts[_outcome(one.question.position.turn, one.faults["outcome"]["got"])] += 1
    best = counts.most_common(1)
    return (*best[0], counts.total()) if best and best[0][1] >= SHARE * counts.total() else None


def _outcome(turn: Side, got: str) -> str:
    words = {"ongoing": "the game goes on", "draw": "a draw", turn: "the side to move has won"}
    return words.get(got, "the side to move has lost")


def _is_wrong_list(one: Observation) -> bool:
    return any(one.faults.get(word) for word in ("missing", "extra"))


def _listed_texts(one: Observation) -> Iterator[str]:
    missing = one.faults.get("missing", ())
    yield from (text for text in one.question.expected.moves or () if text not in missing)
    yield from (text for text in one.faults.get("extra", ()) if not text.startswith("lapse "))


def _shapes(one: Observation, listed: Sequence[str]) -> Iterator[str]:
    position = one.question.position
    if not listed:
        yield _EMPTY
        return
    given = [*listed, *one.faults.get("unparsable", ())]
    yield from numberings(position.board, position.turn, one.question.expected.moves or (), given)
    extra = [text.partition(" (")[0] for text in one.faults.get("extra", ()) if is_move_text(text.partition(" (")[0])]
    starts = [_start(position, text) for text in extra]
    own, theirs = position.occupied(position.turn), position.occupied(opponent(position.turn))
    if starts and all(bit & theirs for bit in starts):
        yield "have moves of the other side's pieces"
    if starts and not any(bit & (own | theirs) for bit in starts):
        yield "have moves of pieces that are not there"
    yield from _notations(one)


def _notations(one: Observation) -> Iterator[str]:
    """Yield the other notations that all missing captures of a list may be written in."""
    position, missing = one.question.position, [text for text in one.faults.get("missing", ()) if "x" in text]
    written = [text for word in ("extra", "unparsable") for text in one.faults.get(word, ())]
    if not missing or not written or len(missing) < len(one.faults["missing"]):
        return
    if {_trace(position, text) for text in missing} <= {_trace(position, re.sub("-", "x", text)) for text in written}:
        yield _HYPHENS
    paths = {
        key(action): action.paths
        for action in one.question.reader.ruleset.turns.actions(position)
        if isinstance(action, Move) and len(action.path) > 2
    }
    of_missing = [paths.get(_trace(position, text) or "", ()) for text in missing]
    # A capture that is possible as it is written is another capture.
    others = (text for text in written if not _is_possible(position, text))
    squares = {tuple(map(int, re.findall("[0-9]+", text))) for text in others}
    for words, kept in _KEPT.items():
        if all(any(kept(path) in squares for path in each) for each in of_missing):
            yield words
    if all(
        any(1 < len(short) < len(path) and shortens(short, path) for path in each for short in squares)
        for each in of_missing
    ):
        yield _LEFT_OUT


def _trace(position: Position, text: str) -> Key | None:
    try:
        return move_effect(position, text)
    except DamspecError:
        return None


def _is_possible(position: Position, text: str) -> bool:
    try:
        return is_possible_capture(position, text)
    except DamspecError:
        return False


def _is_numbered_otherwise(one: Observation, shape: str) -> bool:
    position = one.question.position
    return contradicts(position.board, position.turn, one.question.expected.moves or (), shape)


def _start(position: Position, text: str) -> int:
    try:
        return position.board.bit(read_squares(text, position.board)[0][0])
    except DamspecError:
        return 0


def _after(one: Observation, text: str, given: Mapping[str, str]) -> Iterator[str]:
    reader, before = one.question.reader, one.question.position
    try:
        expected, got = reader.parse_position(given["expected"]), reader.parse_position(given["got"])
        squares, _ = read_squares(text, before.board)
        taken = move_effect(before, text)
    except DamspecError:
        # A run as "+16" for "+106" cannot be read; the message quotes what it found.
        field = given["expected"].rpartition(":")[2]
        if (short := re.sub(r"([+][1-9])0(?=[1-9])", r"\1", field)) != field and f"'{short}'" in given["got"]:
            yield _ONE_DIGIT
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
    """Yield the shapes of faults in pieces that the move does not concern."""
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
    for start, end in pairwise(squares):
        for bit in position.board.between(start, end) or ():
            if (number := position.board.number(bit)) in taken:
                yield number


# --- squares by other numbers than the board has ---------------------------------------------------

#: A move as written: its first and last number, and whether it captures.
_MoveEnds = tuple[int, int, bool]


def numberings(board: Board, turn: Side, expected: Iterable[str], listed: Iterable[str]) -> Iterator[str]:
    """Yield the numberings, in words, by which listed moves are right.

    Said of the side to move first, then of both sides.
    """
    right, given = (_move_ends(texts) for texts in (expected, listed))
    if not right or given == right:
        return
    for words, numbers in _other_numberings(board).items():
        if given == _renumber(right, numbers):
            yield f"number the squares of {turn.capitalize()}'s moves {words}"
            yield f"number the squares of moves {words}"


def contradicts(board: Board, turn: Side, expected: Iterable[str], shape: str) -> bool:
    """Return whether a right list would be wrong if squares were numbered as `shape` says."""
    right = _move_ends(expected)
    about = (f"number the squares of {turn.capitalize()}'s moves", "number the squares of moves")
    others = _other_numberings(board).items()
    return any(
        shape in [f"{each} {words}" for each in about] and _renumber(right, numbers) != right
        for words, numbers in others
    )


@cache
def _other_numberings(board: Board) -> Mapping[str, Mapping[int, int]]:
    """Return other numberings of all squares, by the words for them."""
    found: dict[str, Mapping[int, int]] = {}
    for numbering in get_args(Numbering):
        if numbering != board.numbering:
            other = {place: number for number, place in enumerate(replace(board, numbering=numbering).places, 1)}
            numbers = {number: other[place] for number, place in enumerate(board.places, 1)}
            is_turned = all(number + other == len(board) + 1 for number, other in numbers.items())
            words = f"from the {numbering.replace('-', ' ')}"
            found[words + f", {len(board) + 1} less the number" * is_turned] = numbers
    for words, more in (("one too high", 1), ("one too low", -1)):
        found[words] = {number: number + more for number in range(1, len(board) + 1)}
    return found


def _move_ends(texts: Iterable[str]) -> frozenset[_MoveEnds] | None:
    """Return the ends of moves; None if one is not written with numbers."""
    found = set()
    for text in texts:
        squares = re.split("[-x:]", text.partition(" (")[0])
        if len(squares) < 2 or not all(square.isdecimal() for square in squares):
            return None
        found.add((int(squares[0]), int(squares[-1]), "-" not in text))
    return frozenset(found)


def _renumber(ends: frozenset[_MoveEnds] | None, numbers: Mapping[int, int]) -> frozenset[_MoveEnds] | None:
    return ends and frozenset((numbers[start], numbers[end], captures) for start, end, captures in ends)
