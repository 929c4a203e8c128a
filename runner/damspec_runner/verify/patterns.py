"""What wrong answers have in common: features of positions and moves."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, partial, reduce
from itertools import combinations, pairwise, permutations
from operator import and_
from typing import Any, NamedTuple

from damspec import DamspecError, Move, Position
from damspec.board import SIDES, Side, opponent
from damspec.layout import Layout
from damspec.move import is_move_text, is_other_text, read_squares, shortens
from damspec.position import open_doors, with_side

from ..answers.player import CaseQuestion, key
from ..cases.notation import Key, is_possible_capture, move_effect
from .numbering import contradicts, numberings
from .observation import Observation

#: The squares of a move in their order.
Path = tuple[int, ...]

#: The share of the wrong answers that have to have a shape.
SHARE = 0.9
#: The one shape that a right list can have too: a side may have no move.
_EMPTY = "are empty"
_HYPHENS = "have captures written with hyphens"
_ONE_DIGIT = "the square of a king's run is written with one digit"
_LEFT_OUT = "leave out squares on the way of captures"
#: Which squares of a capture's path are written then, where it is always the same.
_KEPT: Mapping[str, Callable[[Path], Path]] = {
    "have only the first and the last square of captures": lambda path: (path[0], path[-1]),
    "leave out the first square on which a capture of several jumps lands": lambda path: (path[0], *path[2:]),
    "leave out the last square on the way of a capture of several jumps": lambda path: (*path[:-2], path[-1]),
}
#: The shapes that say all that is wrong with an answer; others say what it looks like.
_ENTIRE = {_HYPHENS, _ONE_DIGIT, _LEFT_OUT, *_KEPT}


def is_entire(shape: str) -> bool:
    """Whether a shape says all that is wrong with an answer."""
    return shape in _ENTIRE or shape.startswith("stop at ")


@dataclass(frozen=True)
class AnswerShape:
    """What nearly all wrong lists of moves are: those that are, of how many wrong ones, and how many right ones are."""

    words: str
    those: tuple[Observation, ...]
    of: int
    right: int = 0
    #: Whether it says what wrong lists look like only, and not what is wrong.
    symptom: bool = True


def list_shape(seen: Sequence[Observation]) -> AnswerShape | None:
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
        return AnswerShape(f"stop at {max(cut)} moves", tuple(one for one, _ in wrong), len(wrong), symptom=False)
    # Where it may be one square of captures that is left out or another, it is squares.
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
    """How a list writes every capture that is missing in it, if it is there in another notation."""
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
    # What can be played as it is written is another capture.
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
    """What is wrong with a position after a move."""
    reader, before = one.question.reader, one.question.position
    try:
        expected, got = reader.read(given["expected"]), reader.read(given["got"])
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


#: The families of traits, in the order in which their words stand in a sentence. Those of one family exclude each other
#: in a pattern. The last ones say little by themselves: where others say as much those are taken.
SORT, SIDE, KIND, ORDER, WAY, NUMBER, LENGTH, PLACE, END, LIKE, SQUARE, COUNT, FROM, STATE = range(14)
#: How many pieces, moves and squares are worth being said: fewer is nothing special.
_PIECES, _MOVES, _SQUARES = 2, 1, 2
#: What is said of a move that is none of a piece of the side to move.
NO_PIECE = "from squares without an own piece"


class Feature(NamedTuple):
    """Something that an answer or a move has; `size` tells thresholds apart, the tightest is the greatest."""

    family: int
    text: str
    size: int = 0


class Measure(NamedTuple):
    """A number that an answer or a move has: the words have a place for the least, or, if it is `falling`, the most."""

    family: int
    words: str
    falling: bool = False

    def at(self, size: int) -> Feature:
        """Having so much or more of it; what falls is counted below 0."""
        return Feature(self.family, self.words.format(-size if self.falling else size), size)


#: Features are just there, measures have a size.
Traits = Mapping[Feature | Measure, int]
_Sized = Iterator[tuple[Feature | Measure, int]]

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


def of_move(position: Position, text: str, doors: int = 0) -> Traits:
    """The traits of a move by its notation, on a board with open `doors`.

    Raises MoveError for a square that is not there.
    """
    return _MoveTraits(position, text, doors).all


def of_action(position: Position, text: str, layout: Layout | None = None) -> Traits:
    """The traits of an action that moves no piece, by its notation, on a board with the trapdoors of a `layout`."""
    return {trait: size for part in (_action(position, text, layout), _pending(position)) for trait, size in part}


def _action(position: Position, text: str, layout: Layout | None) -> _Sized:
    word, _, value = text.replace(" ", "=").partition("=")
    yield Feature(SIDE, f"of {position.turn.capitalize()}"), 1
    match word:
        case "spin":
            yield Feature(SORT, "that spin"), 1
            yield Feature(WAY, f"that spin {value}"), 1
        case "huff":
            yield Feature(SORT, "that huff"), 1
            yield Feature(SQUARE, f"that huff on square {value}", int(value)), 1
        case "retract":
            yield Feature(SORT, "that take a move back"), 1
        case "pass":
            yield Feature(SORT, "that pass"), 1
        case _:
            yield Feature(SORT, "that push a slider"), 1
            yield Feature(ORDER, f"that push slider {word}"), 1
            if value in _PUSHED:
                yield Feature(WAY, f"that push a slider to the {_PUSHED[value]}"), 1
            if value[1:]:
                yield Feature(END, "that close the door again"), 1
            pushed = next((slider for slider in layout.sliders if slider.id == word), None) if layout else None
            door = pushed.door(value) if pushed and value in _PUSHED else None
            if door and door in position:
                yield Feature(END, "that open a door under a piece"), 1


_PUSHED = {"L": "left", "M": "middle", "R": "right"}


class _MoveTraits:
    """A move that is looked at from several sides."""

    def __init__(self, position: Position, text: str, doors: int) -> None:
        self.position, self.board, self.side = position, position.board, position.turn
        self.doors = doors
        self.text = text
        self.squares, self.captures = read_squares(text, self.board)
        self.places = [self.board.places[square - 1] for square in self.squares]
        self.king = bool(position.kings(self.side) & self.board.bit(self.squares[0]))

    @cached_property
    def all(self) -> Traits:
        """All its traits."""
        parts = (
            self._words(),
            self._order(),
            self._ways(),
            self._taking(),
            self._ends(),
            self._touched(),
            _pending(self.position),
        )
        return {trait: size for part in parts for trait, size in part}

    def _words(self) -> _Sized:
        yield Feature(SORT, "that capture" if self.captures else "that capture nothing"), 1
        yield Feature(SIDE, f"of {self.side.capitalize()}"), 1
        if self.king:
            yield Feature(KIND, "by kings"), 1
        elif self.position.men(self.side) & self.board.bit(self.squares[0]):
            yield Feature(KIND, "by men"), 1
        else:
            yield Feature(KIND, NO_PIECE), 1

    def _order(self) -> _Sized:
        """The place of the piece among those of its side, from either end, and among its kings."""
        start = self.squares[0]
        own = self.board.numbers(self.position.occupied(self.side))
        if start not in own:
            return
        for which, square in (("lowest", own[0]), ("highest", own[-1])):
            if start == square:
                yield Feature(ORDER, f"by the own piece on the {which} number"), 1
        kings = self.board.numbers(self.position.kings(self.side)) if self.king else []
        for kind, alike in (("pieces", own), ("kings", kings)):
            if alike:
                place = alike.index(start)
                words = f"by number {{}} or later of the own {kind}"
                numbers = ((words, place + 1), (f"{words}, from the last square on", len(alike) - place))
                yield from ((Measure(COUNT, each), number) for each, number in numbers if number > 1)  # 1 says nothing

    def _ways(self) -> _Sized:
        ways = [_way(one, other) for one, other in pairwise(self.places) if one != other]
        for way in set(ways):
            yield Feature(WAY, _WAYS[way]), 1
        for forward in {way[1] * (1 if self.side == "white" else -1) for way in ways}:
            yield Feature(WAY, ("sideways", "forward", "backward")[forward]), 1
        turns = [one != other for one, other in pairwise(ways)]
        if any(turns):
            yield Feature(WAY, "with a turn between two legs"), 1
        if self.captures > 1 and not all(turns):
            yield Feature(WAY, "that go straight on after a jump"), 1
        lengths = [(abs(a - c), abs(b - d)) for (a, b), (c, d) in pairwise(self.places)]
        if any(one != other and one and other for one, other in lengths):
            yield Feature(WAY, "along no line of the board"), 1
        if (longest := max(max(length) for length in lengths)) >= _SQUARES:
            yield Measure(LENGTH, "over {} or more squares"), longest

    def _taking(self) -> _Sized:
        if self.captures >= _PIECES:
            yield Measure(NUMBER, "that capture {} or more pieces"), self.captures
        taken = move_effect(self.position, self.text) if self.captures else None
        if isinstance(taken, tuple):
            kings = self.position.kings(opponent(self.side))
            for kind in {"king" if self.board.bit(square) & kings else "man" for square in taken[2]}:
                yield Feature(NUMBER, f"that capture a {kind}"), 1
            for square in taken[2]:
                yield Feature(SQUARE, f"that capture on square {square}", square), 1
                yield Feature(SQUARE, f"that touch square {square}", square), 1

    def _ends(self) -> _Sized:
        first, last, columns = self.places[0], self.places[-1], self.board.columns - 1
        for edge in self._edges(first):
            yield Feature(PLACE, f"from the {edge} edge"), 1
        for edge in self._edges(last):
            yield Feature(PLACE, f"onto the {edge} edge"), 1
        if {first[0], last[0]} == {0, columns}:
            yield Feature(PLACE, "from the left edge to the right one or back"), 1
        far = self.board.rows - 1 if self.side == "white" else 0
        if not self.king and any(row == far for _, row in self.places[1:]):
            yield Feature(END, "that reach the far row"), 1
            passing = last[1] != far
            yield Feature(END, "that pass the far row on the way" if passing else "that end on the far row"), 1
        if self.squares[0] == self.squares[-1]:
            yield Feature(END, "that end where they began"), 1
        if self.doors & self.board.bit(self.squares[-1]):
            yield Feature(END, "that end on an open door"), 1

    def _touched(self) -> _Sized:
        start, end = self.squares[0], self.squares[-1]
        for square in self.squares:
            yield Feature(SQUARE, f"that touch square {square}", square), 1
        yield Feature(SQUARE, f"from square {start}", start), 1
        yield Feature(SQUARE, f"to square {end}", end), 1
        if start > 1:
            yield Measure(FROM, "from square {} or a higher one"), start
        if start < len(self.board):
            yield Measure(FROM, "from square {} or a lower one", falling=True), -start

    def _edges(self, place: tuple[int, int]) -> Iterator[str]:
        ends = {"left": place[0] == 0, "right": place[0] == self.board.columns - 1}
        ends |= {"lower": place[1] == 0, "upper": place[1] == self.board.rows - 1}
        return (edge for edge, there in ends.items() if there)


def _way(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    columns, rows = other[0] - one[0], other[1] - one[1]
    return (columns > 0) - (columns < 0), (rows > 0) - (rows < 0)


def of_illegal_move(question: CaseQuestion, text: str) -> Traits:
    """The traits of a move that is not legal. Raises MoveError for a square that is not there."""
    position = question.position
    found = dict(of_move(position, text, doors(question, position)))
    squares, captures = read_squares(text, position.board)
    start = position.board.bit(squares[0])
    men, kings = position.men(position.turn), position.kings(position.turn)
    if start & men:
        crowned = with_side(position, position.turn, men ^ start, kings | start)
        if move_effect(position, text) in {key(action) for action in question.reader.ruleset.turns.actions(crowned)}:
            found[Feature(LIKE, "like kings")] = 1
    legal = [one for one in question.reader.ruleset.turns.actions(position) if isinstance(one, Move)]
    if _jumps_several(position, squares[len(squares) - 1 - captures :]):
        found[Feature(WAY, "that jump over several pieces at once")] = 1
    most = max((len(one.captured) for one in legal), default=0)
    paths = [path for one in legal for path in one.paths if len(path) > len(squares)]
    if not captures and most:
        found[Feature(LIKE, "beside a capture")] = 1
    elif captures and any(path[: len(squares)] == squares for path in paths):
        found[Feature(LIKE, "that stop short of a legal capture")] = 1
    elif captures and captures < most:
        found[Feature(LIKE, "that capture fewer pieces than another")] = 1
    return found


def _jumps_several(position: Position, squares: Sequence[int]) -> bool:
    """Whether a leg of a capture goes over more than one piece of the other side."""
    enemies = position.occupied(opponent(position.turn))
    for start, end in pairwise(squares):
        jumped = [bit for bit in position.board.between(start, end) or () if bit & enemies]
        if len(jumped) > 1:
            return True
        enemies &= ~sum(jumped)  # where it has been captured nothing is jumped again
    return False


def doors(question: CaseQuestion, position: Position) -> int:
    """The open doors of a position that a question is about, where the board has trapdoors."""
    return open_doors(question.reader.ruleset.rules, position)


def layout(question: CaseQuestion) -> Layout | None:
    """The trapdoors of the board that a question is about, if it has some."""
    trapdoors = question.reader.ruleset.rules.trapdoors
    return trapdoors.layout if trapdoors else None


def of_answer(question: CaseQuestion) -> Traits:
    """The traits of a question and its right answer."""
    position = question.position
    parts = [_asked(question), _standing(position), _pending(position)]
    if doors(question, position):
        parts.append(iter([(Feature(STATE, "with an open door"), 1)]))
    return {trait: size for part in parts for trait, size in part}


def _asked(question: CaseQuestion) -> _Sized:
    expected = question.expected
    if expected.outcome is not None:
        yield Feature(SORT, "about the outcome"), 1
        yield Feature(END, _ending_words(expected.outcome.reason or "")), 1
        return
    if expected.end is not None:
        yield Feature(SORT, "in games played through"), 1
        return
    yield Feature(SORT, "about moves"), 1
    moves = [text for text in expected.moves or () if is_move_text(text)]
    if len(moves) > _MOVES:
        yield Measure(NUMBER, "with more than {} moves"), len(moves) - 1
    most = max((text.count("x") for text in moves), default=0)
    yield Feature(WAY, "with a capture" if most else "without a capture"), 1
    if most >= _PIECES:
        yield Measure(WAY, "with captures of {} or more"), most
    if not moves:
        yield Feature(END, "where the side to move has no move"), 1
    for words in _choices(question.position, moves):
        yield Feature(END, words), 1


_ENDS = {"": "where the game goes on", "no-moves": "where the side to move has no move"}


def _ending_words(reason: str) -> str:
    return _ENDS.get(reason, f"that end by {reason.replace('-', ' ')}")


def _choices(position: Position, moves: Iterable[str]) -> Iterator[str]:
    """What captures of one piece there are to choose from, and to mix up."""
    by_start: dict[int, list[tuple[int, frozenset[int]]]] = {}
    for text in moves:
        if "x" in text and isinstance(taken := move_effect(position, text), tuple):
            by_start.setdefault(taken[0], []).append(taken[1:])
    found = Counter[str]()
    several = [start for start, captures in by_start.items() if any(len(jumped) > 1 for _, jumped in captures)]
    found["with captures by more than one piece"] += len(by_start) > 1
    found["with captures of several pieces by more than one piece"] += len(several) > 1
    for captures in by_start.values():
        if len(captures) > 1:
            found["with more than one capture by the same piece"] += 1
        for (end, jumped), (other_end, other) in combinations(captures, 2):
            found["with more than one way for the same piece to capture the same"] += bool(jumped & other)
            found["with captures of the same pieces that end on other squares"] += jumped == other
            found["with captures with the same start and end"] += end == other_end
    return (words for words, number in found.items() if number)


def _standing(position: Position) -> _Sized:
    side, other = position.turn, opponent(position.turn)
    yield Feature(SIDE, f"for {side.capitalize()}"), 1
    yield Feature(KIND, "with kings to move" if position.kings(side) else "without kings to move"), 1
    if not position.men(side):
        yield Feature(KIND, "without men to move"), 1
    if position.kings("white") | position.kings("black"):
        yield Feature(KIND, "with kings on the board"), 1
    only = [which for which in (side, other) if position.kings(which) and not position.men(which)]
    if only:
        yield Feature(KIND, "where a side has kings only", 1), 1
    for which in only:
        yield Feature(KIND, f"where the side {'' if which == side else 'not '}to move has kings only", 2), 1
    yield from (
        (Feature(END, f"where {each.capitalize()} has no piece"), 1)
        for each in (side, other)
        if not position.occupied(each)
    )
    own, kings = position.occupied(side).bit_count(), position.kings(side).bit_count()
    most = max(own, position.occupied(other).bit_count())
    most_kings = max(kings, position.kings(other).bit_count())
    counted = {"pieces": len(position), "own pieces": own, "pieces of one side": most}
    for whose, number in {**counted, "own kings": kings, "kings of one side": most_kings}.items():
        if number >= _PIECES:
            yield Measure(LENGTH, f"with {{}} or more {whose}"), number
    for square in position:
        yield Feature(SQUARE, f"with a piece on square {square}", square), 1


def _pending(position: Position) -> _Sized:
    """What a position has beside pieces, as an answer about it or a move in it has it."""
    if position.spin is not None:
        yield Feature(PLACE, "with a spin"), 1
        yield Feature(STATE, f"where the spin is {position.spin}"), 1
    if (position.sliders or "").strip("M"):
        yield Feature(STATE, "with a slider out of the middle"), 1
    if position.huffable is not None:
        yield Feature(STATE, "after a lapse"), 1
    if position.compelled:
        yield Feature(STATE, "after a move was taken back"), 1
    for whose, side in (("the own", position.turn), ("the other side's", opponent(position.turn))):
        if run := position.run(side):
            yield Measure(STATE, f"where {whose} king has a run of {{}} or more"), run.moves


#: The least share of what is wrong that a pattern covers, and of what it covers that is wrong.
COVERED, WRONG = 0.8, 0.85
#: Fewer wrong ones have nothing in common.
FEWEST = 2
#: How much better a pattern with one feature more has to be.
_WORTH = 0.02
#: Of how many wrong ones what they share beside is said.
_SURE = 5
#: The most right ones that have what is said beside, but for sides and kinds of pieces.
_RARE = 0.1
#: How many features are tried together with all others.
_TRIED = 12
#: Of how many moves and questions the traits are kept.
_CACHED = 30_000


@dataclass(frozen=True)
class Item:
    """An answer, a move or a position after a move."""

    case: str
    traits: Traits
    wrong: bool


@dataclass(frozen=True)
class Condition:
    """A feature as a test: there, there by so much or more of a measure, or there as one of two."""

    feature: Feature
    measure: Measure | None = None
    either: tuple[Feature, ...] = ()

    def holds(self, traits: Traits) -> bool:
        """Whether something with these traits has the feature."""
        if self.measure is not None:
            return self.measure in traits and traits[self.measure] >= self.feature.size
        return any(feature in traits for feature in self.either or (self.feature,))

    def narrowly(self, traits: Traits) -> bool:
        """Whether it just has it, or just has it not, where it is a matter of more or less."""
        return self.measure is None or abs(2 * (self._size(traits) - self.feature.size) + 1) <= 3

    def _size(self, traits: Traits) -> int:
        return traits.get(self.measure, 0) if self.measure is not None else 0


@dataclass(frozen=True)
class Pattern:
    """What wrong ones have in common; how many have it, of how many, and how many right ones have it too.

    `cases` are those with a wrong one that has it, `tried` in how many further positions it was tried and held. A
    `symptom` says what wrong answers look like, and not which are wrong: it explains nothing.
    """

    about: str
    words: str
    wrong: int
    of: int
    right: int
    cases: tuple[str, ...]
    tried: int = 0
    symptom: bool = False
    group: str = field(default="", compare=False, repr=False)
    conditions: tuple[Condition, ...] = field(default=(), compare=False, repr=False)

    @property
    def is_doubtful(self) -> bool:
        """Whether it may be a coincidence: there are right ones too, or which pieces there are goes with an outcome.

        Positions that come to an end with other pieces are too rare to be tried.
        """
        return self.right > 0 or (self.group == "outcome" and len(self.conditions) > 1)

    def line(self) -> str:
        """In a sentence."""
        every = f"all {self.of}" if self.wrong == self.of else f"{self.wrong} of {self.of}"
        also = f", and {self.right} right ones too" if self.right else ", and no right one" if self.group else ""
        tried = f"; tried in {self.tried} further positions" if self.tried else ""
        said = "unexplained: " if self.symptom else "perhaps " if self.is_doubtful else ""
        return f"{said}{self.about} {self.words} ({every}{also}{tried})"

    def as_json(self) -> dict[str, Any]:
        """The pattern as plain data."""
        return {
            "about": self.about,
            "words": self.words,
            "wrong": self.wrong,
            "of": self.of,
            "right": self.right,
            "cases": list(self.cases),
            **({"tried": self.tried} if self.tried else {}),
            **({"symptom": True} if self.symptom else {}),
        }

    def holds(self, traits: Traits) -> bool:
        """Whether something with these traits is what the pattern is about."""
        return all(condition.holds(traits) for condition in self.conditions)

    def missed_by(self, traits: Traits) -> Condition | None:
        """The one condition that something with these traits does not meet, where it meets all others."""
        missed = [condition for condition in self.conditions if not condition.holds(traits)]
        return missed[0] if len(missed) == 1 else None


@dataclass
class Known:
    """What is known of an engine's answers, and the questions that it refused and that broke it."""

    seen: list[Observation] = field(default_factory=list)
    refused: list[CaseQuestion] = field(default_factory=list)
    broken: list[CaseQuestion] = field(default_factory=list)

    def add(self, other: Known) -> None:
        """Know more."""
        self.seen += other.seen
        self.refused += other.refused
        self.broken += other.broken

    def without(self, cases: Collection[str]) -> Known:
        """The same but for some cases."""
        seen = [one for one in self.seen if one.question.case.id not in cases]
        return Known(seen, [*self.refused], [*self.broken])

    @property
    def wrong(self) -> Iterator[CaseQuestion]:
        """The questions that had a wrong answer, or none."""
        yield from (one.question for one in self.seen if not one.passed)
        yield from self.refused
        yield from self.broken


# --- what is looked at

#: What can be wrong, and how a sentence about it begins.
GROUPS: Mapping[str, str] = {
    "refused": "answered with an error: questions",
    "broken": "breaks the engine: questions",
    "whole": "wrong: answers",
    "missing": "missing: moves",
    "extra": "too many: moves",
    "lapses": "missing: lapses",
    "after": "wrong in the position after moves{}: those",
    "outcome": "wrong outcomes{}: answers",
}


def about(group: str, known: Known) -> str:
    """How a sentence about what is wrong begins, with what wrong positions or outcomes look like."""
    shape = _shape(group, known)
    return GROUPS[group].format(f": {shape[0]}" if shape else "")


def _shape(group: str, known: Known) -> tuple[str, int, int] | None:
    return after_shape(known.seen) if group == "after" else outcome_shape(known.seen) if group == "outcome" else None


def items(group: str, known: Known) -> list[Item]:
    """Whatever is wrong or right in one respect: answers, moves, positions after moves."""
    if group in ("refused", "broken"):
        silent = known.refused if group == "refused" else known.broken
        wrong = [Item(question.case.id, _of_answer(question), wrong=True) for question in silent]
        return [*wrong, *(Item("", _of_answer(one.question), wrong=False) for one in known.seen)]
    of_one: Callable[[Observation], Iterator[Item]]
    match group:
        case "missing" | "lapses" | "after":
            of_one = partial(_moves, fault=group)
        case "extra":
            of_one = _too_many
        case _:
            of_one = _whole
    return [item for one in _about(group, known.seen) for item in of_one(one)]


def expected_items(group: str, question: CaseQuestion) -> Iterator[Traits]:
    """The traits of what a question will show in one respect, but for moves that are too many."""
    if group in ("missing", "lapses", "after"):
        texts = question.expected.lapses if group == "lapses" else question.expected.moves
        yield from (_of_text(question, text) for text in texts or ())
    elif group != "extra" and (group != "outcome" or question.expected.outcome is not None):
        yield _of_answer(question)


def _about(group: str, seen: Sequence[Observation]) -> Iterable[Observation]:
    """The observations that show something in one respect."""
    led = any(one.faults.get("after") for one in seen)
    for one in seen:
        understood = one.passed or one.faults
        is_outcome = one.question.expected.outcome is not None
        full = one.leading or not one.passed
        if understood and {"outcome": is_outcome, "after": full, "whole": full or not led}.get(group, True):
            yield one


def _whole(observation: Observation) -> Iterator[Item]:
    """An answer as a whole."""
    question = observation.question
    yield Item(question.case.id, _of_answer(question), not observation.passed)


def _moves(observation: Observation, fault: str) -> Iterator[Item]:
    """The moves expected, those missing or followed by a wrong position as wrong."""
    question = observation.question
    missing = observation.faults.get("missing", ())
    if fault == "lapses":
        for text in question.expected.lapses or ():
            yield Item(question.case.id, _of_text(question, text), f"lapse {text}" in missing)
        return
    wrong: Collection[str] = observation.faults.get(fault, ())
    for place, ((text, _), (before, _, _)) in enumerate(zip(question.expected.game, question.game, strict=True), 1):
        name = f"{place}. {text}"
        if fault == "missing" or name not in missing:
            yield Item(question.case.id, _of_played(question, before, text), name in wrong)
    unclear = _written_otherwise(observation)
    for text in question.expected.moves or ():
        if text in missing and _move_ends(text) in unclear:
            continue
        if fault == "missing" or text not in missing:
            yield Item(question.case.id, _of_text(question, text), text in wrong)


@lru_cache(maxsize=_CACHED)
def _of_text(question: CaseQuestion, text: str) -> Traits:
    """The traits of a move or another action; many are looked at more than once."""
    return _of_played(question, question.position, text)


def _of_played(question: CaseQuestion, position: Position, text: str) -> Traits:
    if is_other_text(text):
        return of_action(position, text, layout(question))
    return of_move(position, text, doors(question, position))


def _move_ends(text: str) -> tuple[str, str]:
    """The first and the last square of a move by its notation."""
    squares = re.split("[-x:]", text.partition(" (")[0])
    return squares[0], squares[-1]


def _written_otherwise(observation: Observation) -> set[tuple[str, str]]:
    """The ends of legal captures that are missing where moves between the same squares are too many.

    Whether those are other moves, or the captures in another notation, does not show.
    """
    faults = observation.faults
    missing, extra = (
        [text for text in faults.get(word, ()) if not is_other_text(text)] for word in ("missing", "extra")
    )
    return {_move_ends(text) for text in missing if "x" in text} & {_move_ends(text) for text in extra}


def _finds_no_capture(observation: Observation) -> bool:
    """Whether all captures are missing: then moves without capture are what an engine has to list."""
    captures = [text for text in observation.question.expected.moves or () if "x" in text]
    return bool(captures) and {*captures} <= {*observation.faults.get("missing", ())}


def _too_many(observation: Observation) -> Iterator[Item]:
    """The moves listed: those that are not legal as wrong, but for such as follow from captures that are missing."""
    question, unclear = observation.question, _written_otherwise(observation)
    blind = _finds_no_capture(observation)
    for text in observation.faults.get("extra", ()):
        text = text.partition(" (")[0]
        if _move_ends(text) in unclear or (blind and "x" not in text and is_move_text(text)):
            continue
        try:
            if is_other_text(text):
                yield Item(question.case.id, of_action(question.position, text, layout(question)), True)
            elif is_move_text(text):
                yield Item(question.case.id, _of_illegal_move(question, text), True)
        except (DamspecError, ValueError):
            continue
    yield from (item for item in _moves(observation, "missing") if not item.wrong)


_of_answer = lru_cache(maxsize=_CACHED)(of_answer)
_of_illegal_move = lru_cache(maxsize=_CACHED)(of_illegal_move)


# --- finding what is common


def pattern(group: str, known: Known) -> Pattern | None:
    """What the wrong ones have in common in one respect; None if nothing."""
    found = items(group, known)
    conditions = _conditions(found) if sum(item.wrong for item in found) >= FEWEST else None
    return None if conditions is None else _measured(about(group, known), group, conditions, found)


def measured(found: Pattern, known: Known, tried: int) -> Pattern:
    """A pattern with the numbers of all that is known."""
    if not found.group:
        return replace(found, tried=tried)
    counted = _measured(about(found.group, known), found.group, found.conditions, items(found.group, known))
    return replace(counted, tried=tried)


def list_pattern(known: Known) -> Pattern | None:
    """What nearly all wrong lists of moves look like; None if nothing is common to them."""
    shape = list_shape(known.seen)
    if shape is None:
        return None
    cases = tuple(dict.fromkeys(one.question.case.id for one in shape.those))
    those, of, right = len(shape.those), shape.of, shape.right
    symptom = shape.symptom and not is_entire(shape.words)
    return Pattern("wrong lists of moves", shape.words, those, of, right, cases, symptom=symptom)


def shape_pattern(group: str, known: Known) -> Pattern | None:
    """What nearly all wrong positions after moves, or wrong outcomes, look like, whichever they are."""
    if (shape := _shape(group, known)) is None:
        return None
    words, number, of = shape
    faults = (one.question.case.id for one in known.seen if one.faults.get(group))
    cases = tuple(dict.fromkeys(faults))
    symptom = not (is_entire(words) and number == of)
    return Pattern(GROUPS[group].partition("{")[0] + ":", words, number, of, 0, cases, symptom=symptom)


def _measured(about: str, group: str, conditions: Sequence[Condition], found: Sequence[Item]) -> Pattern:
    ordered = tuple(sorted(conditions, key=lambda condition: condition.feature))
    words = " ".join(condition.feature.text for condition in ordered) or "of any kind"
    having = [item for item in found if all(condition.holds(item.traits) for condition in ordered)]
    cases = dict.fromkeys(item.case for item in having if item.wrong)
    wrong = sum(item.wrong for item in having)
    number = sum(item.wrong for item in found)
    symptom = any(condition.feature.text == NO_PIECE for condition in ordered)
    right = len(having) - wrong
    return Pattern(about, words, wrong, number, right, tuple(cases), symptom=symptom, group=group, conditions=ordered)


class _Having:
    """Which of some items have a feature, or a measure of some size: a bit for each item."""

    def __init__(self, items: Sequence[Item], wanted: Collection[Feature | Measure] | None = None) -> None:
        """`wanted` are the traits that matter, if not all do."""
        self.features: dict[Feature, int] = {}
        self.sizes: dict[Measure, list[tuple[int, int]]] = {}
        for place, item in enumerate(items):
            for trait in item.traits if wanted is None else item.traits.keys() & wanted:
                if isinstance(trait, Measure):
                    self.sizes.setdefault(trait, []).append((item.traits[trait], 1 << place))
                else:
                    self.features[trait] = self.features.get(trait, 0) | 1 << place

    def at(self, measure: Measure, least: int) -> int:
        """Those that have so much of it or more."""
        return sum(bit for size, bit in self.sizes.get(measure, ()) if size >= least)


def _common(wrong: Sequence[Item], right: Sequence[Item]) -> dict[Condition, tuple[int, int]]:
    """The features that enough of the wrong ones have: which of these, and which of the right ones, do."""
    enough = COVERED * len(wrong)
    having = _Having(wrong)
    plain = {feature for feature, those in having.features.items() if those.bit_count() >= enough}
    either = [*_either(having.features, len(wrong))]
    least = {
        measure: sorted({size for size, _ in sizes if sum(other >= size for other, _ in sizes) >= enough})
        for measure, sizes in having.sizes.items()
    }
    others = _Having(right, {*plain, *least, *(square for pair in either for square in pair)})
    found = {Condition(feature): (having.features[feature], others.features.get(feature, 0)) for feature in plain}
    for one, other in either:
        those = having.features[one] | having.features[other]
        also = others.features.get(one, 0) | others.features.get(other, 0)
        both = Feature(SQUARE, f"{one.text} or {other.text.rpartition(' ')[2]}")
        found[Condition(both, either=(one, other))] = those, also
    for measure, sizes in least.items():
        for size in sizes:
            found[Condition(measure.at(size), measure)] = having.at(measure, size), others.at(measure, size)
    return found


def _conditions(found: Sequence[Item]) -> tuple[Condition, ...] | None:
    """The fewest features that set the wrong ones apart; none of them where nothing is right; None if none do."""
    wrong, right = ([item for item in found if item.wrong is which] for which in (True, False))
    if not right:
        return ()
    common = _common(wrong, right)

    def those(chosen: Iterable[Condition], which: int) -> int:
        """The wrong ones (0), or right ones (1), that have all of them."""
        return reduce(and_, (common[condition][which] for condition in chosen))

    def counted(chosen: tuple[Condition, ...]) -> tuple[float, int, int]:
        of_wrong, of_right = those(chosen, 0).bit_count(), those(chosen, 1).bit_count()
        return 2 * of_wrong / (len(wrong) + of_wrong + of_right), of_wrong, of_right

    best: tuple[float, tuple[Condition, ...], int, int] | None = None
    beam: list[tuple[Condition, ...]] = [()]
    for _ in range(3):
        tried = {
            tuple(sorted((*chosen, condition), key=lambda one: one.feature)): None
            for chosen in beam
            for condition in common
            if all(condition.feature.family != other.feature.family for other in chosen)
        }
        ranked = sorted(((counted(chosen), chosen) for chosen in tried), key=lambda one: (-one[0][0], _rank(one[1])))
        beam = [chosen for _, chosen in ranked[:_TRIED]]
        if ranked and (best is None or ranked[0][0][0] > best[0] + _WORTH):
            (score, of_wrong, of_right), chosen = ranked[0]
            best = score, chosen, of_wrong, of_right
    if best is None or best[2] < COVERED * len(wrong) or best[2] < WRONG * (best[2] + best[3]):
        return None
    shared = _shared(common, best[1], those(best[1], 0), len(right)) if best[2] >= _SURE else ()
    return (*best[1], *shared)


def _shared(
    common: Mapping[Condition, tuple[int, int]], chosen: Sequence[Condition], which: int, right: int
) -> Iterator[Condition]:
    """What those of a pattern share besides: their side and kind of piece, if not all right ones have that too, and
    what few right ones have.
    """
    for family in (SIDE, KIND, ORDER, WAY, PLACE, END, LIKE):
        most = right - 1 if family in (SIDE, KIND) else _RARE * right
        fitting = [
            (others.bit_count(), condition.feature, condition)
            for condition, (those, others) in common.items()
            if condition.feature.family == family and those & which == which and others.bit_count() <= most
        ]
        if fitting and all(family != other.feature.family for other in chosen):
            yield min(fitting, key=lambda one: one[:2])[2]


def _rank(chosen: tuple[Condition, ...]) -> tuple[object, ...]:
    """What goes first of patterns that are as good: the tightest threshold."""
    features = [condition.feature for condition in chosen]
    return (len(features), *((feature.family, -feature.size, feature.text) for feature in features))


def _either(among: Mapping[Feature, int], number: int) -> Iterator[tuple[Feature, Feature]]:
    """Two squares that make up a feature together, where one alone is in too few of the wrong ones."""
    counted = {feature: having.bit_count() for feature, having in among.items() if feature.family == SQUARE}
    squares = sorted(counted, key=lambda feature: (-counted[feature], feature))
    for one, other in permutations(squares[:_TRIED], 2):
        alike = one.text.rpartition(" ")[0] == other.text.rpartition(" ")[0] and one.size < other.size
        too_few = max(counted[one], counted[other]) < number
        if alike and too_few and counted[one] + counted[other] >= COVERED * number:
            yield one, other
