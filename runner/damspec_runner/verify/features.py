"""What wrong answers have in common, as a developer would say it: moves of kings to the lower right, say.

Every answer, move and position after a move has features, such as how many pieces it captures. What is looked for is
one feature, or two or three together, that what is wrong has and what is right has not.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from itertools import pairwise, permutations
from operator import and_
from typing import NamedTuple

from damspec import MoveError, Position
from damspec.action import is_move_text
from damspec.board import opponent
from damspec.move import read_squares

from ..answers.question import Question
from ..cases.notation import trace
from .observation import Observation
from .shapes import after_shape, list_shape

#: The least share of what is wrong that a pattern covers, and of what it covers that is wrong.
COVERED, WRONG = 0.8, 0.85
#: Fewer wrong ones have nothing in common.
FEWEST = 2
#: How much better a pattern with one feature more has to be.
_WORTH = 0.02
#: Of how many wrong ones what they share beside is said.
_SURE = 5
#: How many features are tried together with all others.
_TRIED = 12


class Feature(NamedTuple):
    """Something an answer or a move has. Features of one family exclude each other in a pattern.

    `text` has the words, put together in the order of the families; `size` tells thresholds apart.
    """

    family: int
    text: str
    size: int = 0


@dataclass(frozen=True)
class Item:
    """An answer, a move or a position after a move."""

    case: str
    features: frozenset[Feature]
    wrong: bool


@dataclass(frozen=True)
class Pattern:
    """What wrong ones have in common; how many have it, of how many, and how many right ones have it too.

    `cases` are those with a wrong one that has it.
    """

    about: str
    words: str
    wrong: int
    of: int
    right: int
    cases: tuple[str, ...]

    @property
    def exact(self) -> bool:
        """Whether all wrong ones have it, and no right one."""
        return self.wrong == self.of and not self.right

    def line(self) -> str:
        """In a sentence."""
        every = f"all {self.of}" if self.wrong == self.of else f"{self.wrong} of {self.of}"
        also = f", and {self.right} right ones too" if self.right else ", and no right one"
        return f"{self.about} {self.words} ({every}{also})"


def patterns(seen: Iterable[Observation], listed: Sequence[Observation] = ()) -> list[Pattern]:
    """What the wrong ones have in common, among the answers seen: of the moves that are missing or too many, of the
    positions after moves, and of the answers as a whole where these say nothing.

    `listed` are more answers of which just the list of moves is known to be right.
    """
    seen = [observation for observation in seen if observation.passed or observation.faults]
    lists = [*seen, *listed]
    after = after_shape(seen)
    groups: list[tuple[str, str, Sequence[Observation], Callable[[Observation], Iterator[Item]]]] = [
        ("missing", "missing: moves", lists, partial(_moves, fault="missing")),
        ("extra", "too many: moves", lists, _too_many),
        (
            "after",
            f"wrong in the position after moves{f': {after}' if after else ''}: those",
            seen,
            partial(_moves, fault="after"),
        ),
    ]
    found = [
        pattern
        for fault, about, those, items in groups
        if any(observation.faults.get(fault) for observation in those)
        and (pattern := _pattern(about, (item for observation in those for item in items(observation))))
    ]
    whole = _pattern(
        "wrong: answers", [_item(one.question, wrong=not one.passed) for one in (seen if after else lists)]
    )
    if whole and not (found and whole.right):
        found.insert(0, whole)
    shape = list_shape(lists)
    if shape:
        cases = tuple(dict.fromkeys(one.question.case.id for one in shape.those))
        number = len(shape.those)
        found.insert(0, Pattern("wrong lists of moves", shape.words, number, shape.of, shape.right, cases))
    return found


def in_breaking(seen: Iterable[Observation], broken: Iterable[Question]) -> Pattern | None:
    """What the questions that break the engine have in common, beside those that it answered."""
    items = [_item(question, wrong=True) for question in broken]
    return _pattern("breaks the engine: questions", [*items, *(_item(one.question, wrong=False) for one in seen)])


def _item(question: Question, *, wrong: bool) -> Item:
    return Item(question.case.id, frozenset(_answer(question)), wrong)


# --- finding what is common


def _pattern(about: str, items: Iterable[Item]) -> Pattern | None:
    """The fewest features that set the wrong ones apart; None if none do."""
    items = list(items)
    wrong, right = ([item for item in items if item.wrong is which] for which in (True, False))
    if len(wrong) < FEWEST:
        return None
    among_wrong = {
        feature: having
        for feature, having in _having(wrong).items()
        if feature.family == _SQUARE or having.bit_count() >= COVERED * len(wrong)
    }
    among_right = _having(right, among_wrong)
    common = [feature for feature, having in among_wrong.items() if having.bit_count() >= COVERED * len(wrong)]
    for one, other in _either(among_wrong, len(wrong)):
        either = Feature(_SQUARE, f"{one.text} or {other.text.rpartition(' ')[2]}")
        among_wrong[either] = among_wrong[one] | among_wrong[other]
        among_right[either] = among_right[one] | among_right[other]
        common.append(either)

    def measured(chosen: tuple[Feature, ...]) -> tuple[float, int, int]:
        of_wrong = reduce(and_, (among_wrong[feature] for feature in chosen)).bit_count()
        of_right = reduce(and_, (among_right[feature] for feature in chosen)).bit_count()
        return 2 * of_wrong / (len(wrong) + of_wrong + of_right), of_wrong, of_right

    best: tuple[float, tuple[Feature, ...], int, int] | None = None
    beam: list[tuple[Feature, ...]] = [()]
    for _ in range(3):
        tried = {
            tuple(sorted((*chosen, feature))): None
            for chosen in beam
            for feature in common
            if all(feature.family != other.family for other in chosen)
        }
        ranked = sorted(((measured(chosen), chosen) for chosen in tried), key=lambda one: (-one[0][0], _rank(one[1])))
        beam = [chosen for _, chosen in ranked[:_TRIED]]
        if ranked and (best is None or ranked[0][0][0] > best[0] + _WORTH):
            (score, of_wrong, of_right), chosen = ranked[0]
            best = score, chosen, of_wrong, of_right
    if best is None or best[2] < COVERED * len(wrong) or best[2] < WRONG * (best[2] + best[3]):
        return None
    those = reduce(and_, (among_wrong[feature] for feature in best[1]))
    # The side and the kind of piece that they all share too, where that is not so of all right ones.
    shared = [
        feature
        for feature in common
        if feature.family in (_SIDE, _KIND)
        and all(feature.family != other.family for other in best[1])
        and among_wrong[feature] & those == those
        and among_right[feature].bit_count() < len(right)
    ]
    chosen = tuple(sorted((*best[1], *(shared if best[2] >= _SURE else ()))))
    cases = dict.fromkeys(item.case for place, item in enumerate(wrong) if those >> place & 1)
    words = " ".join(feature.text for feature in chosen)
    return Pattern(about, words, best[2], len(wrong), measured(chosen)[2], tuple(cases))


def _having(items: Sequence[Item], features: Collection[Feature] | None = None) -> dict[Feature, int]:
    """For each feature, or each of those given, which items have it: a bit for each item."""
    found = dict.fromkeys(features or (), 0)
    for place, item in enumerate(items):
        for feature in item.features if features is None else item.features & found.keys():
            found[feature] = found.get(feature, 0) | 1 << place
    return found


def _rank(chosen: tuple[Feature, ...]) -> tuple[object, ...]:
    """What goes first of patterns that are as good: the tightest threshold."""
    return (len(chosen), *((feature.family, -feature.size, feature.text) for feature in chosen))


def _either(among: Mapping[Feature, int], number: int) -> Iterator[tuple[Feature, Feature]]:
    """Two squares that make up a feature together, where one alone is in too few of the wrong ones."""
    counted = {feature: having.bit_count() for feature, having in among.items() if feature.family == _SQUARE}
    squares = sorted(counted, key=lambda feature: (-counted[feature], feature))
    for one, other in permutations(squares[:_TRIED], 2):
        alike = one.text.rpartition(" ")[0] == other.text.rpartition(" ")[0] and one.size < other.size
        too_few = max(counted[one], counted[other]) < number
        if alike and too_few and counted[one] + counted[other] >= COVERED * number:
            yield one, other


# --- the features; the families in the order in which their words stand in a sentence

_SORT, _SIDE, _KIND, _ORDER, _WAY, _NUMBER, _LENGTH, _PLACE, _SQUARE, _END = range(10)

_WAYS = {
    (-1, 1): "to the upper left",
    (1, 1): "to the upper right",
    (-1, -1): "to the lower left",
    (1, -1): "to the lower right",
    (0, 1): "straight up",
    (0, -1): "straight down",
    (-1, 0): "straight left",
    (1, 0): "straight right",
}


def _moves(observation: Observation, fault: str) -> Iterator[Item]:
    """The moves expected, those missing or followed by a wrong position as wrong."""
    position = observation.question.position
    missing = observation.faults.get("missing", ())
    wrong: Sequence[str] | Mapping[str, object] = observation.faults.get(fault, ())
    for text in observation.question.expected.moves or ():
        if is_move_text(text) and (fault == "missing" or text not in missing):
            yield Item(observation.question.case.id, frozenset(_move(position, text)), text in wrong)


def _too_many(observation: Observation) -> Iterator[Item]:
    """The moves listed: those that are not legal as wrong."""
    position = observation.question.position
    for text in observation.faults.get("extra", ()):
        text = text.partition(" (")[0]
        if is_move_text(text):
            try:
                yield Item(observation.question.case.id, frozenset(_move(position, text)), True)
            except (MoveError, ValueError):
                continue
    yield from (item for item in _moves(observation, "missing") if not item.wrong)


def _move(position: Position, text: str) -> Iterator[Feature]:
    """The features of a move by its notation. Raises MoveError for a square that is not there."""
    board, side = position.board, position.turn
    squares, captures = read_squares(text, board)
    start, end = squares[0], squares[-1]
    king = bool(position.kings(side) & board.bit(start))
    yield Feature(_SORT, "that capture" if captures else "that capture nothing")
    yield Feature(_SIDE, f"of {side.capitalize()}")
    yield Feature(_KIND, "by kings" if king else "by men")
    own = board.numbers(position.occupied(side))
    if len(own) > 2 and start in (own[0], own[-1]):
        yield Feature(_ORDER, f"by the own piece on the {'lowest' if start == own[0] else 'highest'} number")
    places = [board.places[square - 1] for square in squares]
    ways = [_way(one, other) for one, other in pairwise(places)]
    for way in set(ways):
        if way in _WAYS:
            yield Feature(_WAY, _WAYS[way])
    for forward in {way[1] * (1 if side == "white" else -1) for way in ways}:
        yield Feature(_WAY, ("sideways", "forward", "backward")[forward])
    if any(one != other for one, other in pairwise(ways)):
        yield Feature(_WAY, "with a turn on the way")
    yield from (Feature(_NUMBER, f"that take {number} or more pieces", number) for number in range(2, captures + 1))
    if captures:
        taken = trace(position, text)
        if isinstance(taken, tuple):
            kings = position.kings(opponent(side))
            kinds = {"king" if board.bit(square) & kings else "man" for square in taken[2]}
            yield from (Feature(_NUMBER, f"that take a {kind}") for kind in kinds)
            yield from (Feature(_SQUARE, f"that take on {square}", square) for square in taken[2])
            yield from (Feature(_SQUARE, f"that touch {square}", square) for square in {*taken[2], *squares})
    else:
        yield from (Feature(_SQUARE, f"that touch {square}", square) for square in squares)
    longest = max(max(abs(a - c), abs(b - d)) for (a, b), (c, d) in pairwise(places))
    yield from (Feature(_LENGTH, f"over {length} or more squares", length) for length in range(3, longest + 1))
    yield Feature(_SQUARE, f"from {start}", start)
    yield Feature(_SQUARE, f"to {end}", end)
    yield from (Feature(_PLACE, f"from the {edge} edge") for edge in _edges(position, places[0]))
    yield from (Feature(_PLACE, f"onto the {edge} edge") for edge in _edges(position, places[-1]))
    if not king and places[-1][1] == (board.rows - 1 if side == "white" else 0):
        yield Feature(_END, "that end on the far row")
    if start == end:
        yield Feature(_END, "that end where they began")


def _way(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    columns, rows = other[0] - one[0], other[1] - one[1]
    return (columns > 0) - (columns < 0), (rows > 0) - (rows < 0)


def _edges(position: Position, place: tuple[int, int]) -> Iterator[str]:
    board = position.board
    ends = {"left": place[0] == 0, "right": place[0] == board.columns - 1}
    ends |= {"lower": place[1] == 0, "upper": place[1] == board.rows - 1}
    return (edge for edge, there in ends.items() if there)


def _answer(question: Question) -> Iterator[Feature]:
    """The features of a question."""
    position, expected = question.position, question.expected
    side = position.turn
    if expected.outcome is not None:
        yield Feature(_SORT, "about the outcome")
    elif expected.end is not None:
        yield Feature(_SORT, "in games played through")
    else:
        yield Feature(_SORT, "about moves")
        moves = [text for text in expected.moves or () if is_move_text(text)]
        yield from (Feature(_NUMBER, f"with more than {number} moves", number) for number in range(1, len(moves)))
        most = max((text.count("x") for text in moves), default=0)
        yield Feature(_WAY, "with a capture" if most else "without a capture")
        yield from (Feature(_WAY, f"with captures of {number} or more", number) for number in range(2, most + 1))
    yield Feature(_SIDE, f"for {side.capitalize()}")
    yield Feature(_KIND, "with kings to move" if position.kings(side) else "without kings to move")
    if position.kings("white") | position.kings("black"):
        yield Feature(_KIND, "with kings on the board")
    for whose, number in (("own ", position.occupied(side).bit_count()), ("", len(position))):
        yield from (Feature(_LENGTH, f"with {few} or more {whose}pieces", few) for few in range(2, number + 1))
    yield from (Feature(_SQUARE, f"with a piece on {square}", square) for square in position)
    if position.spin is not None:
        yield Feature(_PLACE, "with a spin")
