"""Traits of questions, positions and moves, by which wrong answers are told from right ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations, pairwise
from typing import NamedTuple

from damspec import Move, Position
from damspec.board import opponent
from damspec.layout import Layout
from damspec.move import is_move_text, read_squares
from damspec.position import open_doors, with_side

from ..answers.player import CaseQuestion, key
from ..cases.notation import move_effect

#: The families of traits, in the order of their words in a sentence. A pattern has at most one of each family.
#: The last ones say little by themselves: if others fit as well, those are taken.
SORT, SIDE, KIND, ORDER, WAY, NUMBER, LENGTH, PLACE, END, LIKE, SQUARE, COUNT, FROM, STATE = range(14)
#: The fewest pieces, moves and squares worth mentioning.
_PIECES, _MOVES, _SQUARES = 2, 1, 2
#: The trait of a move from a square without a piece of the side to move.
NO_PIECE = "from squares without an own piece"


class Feature(NamedTuple):
    """A trait that an answer or a move has or lacks; `size` orders thresholds, the tightest is the greatest."""

    family: int
    text: str
    size: int = 0


class Measure(NamedTuple):
    """A number that an answer or a move has; the words have a place for the least, or, if `falling`, the most."""

    family: int
    words: str
    falling: bool = False

    def at(self, size: int) -> Feature:
        """Return the feature of having at least `size`, which is negative if `falling`."""
        return Feature(self.family, self.words.format(-size if self.falling else size), size)


#: The size of each measure, and 1 for each feature.
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
    """Return the traits of a move by its notation, on a board with open `doors`.

    Raises MoveError for a square that is not there.
    """
    return _MoveTraits(position, text, doors).all


def of_action(position: Position, text: str, layout: Layout | None = None) -> Traits:
    """Return the traits of an action that moves no piece, by its notation; `layout` is that of the trapdoors."""
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
            self._square_traits(),
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
        """Yield the place of the piece among its side's pieces and kings, from either end."""
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

    def _square_traits(self) -> _Sized:
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
    """Return the traits of a move that is not legal. Raises MoveError for a square that is not there."""
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
    """Return whether a leg of a capture goes over several enemy pieces."""
    enemies = position.occupied(opponent(position.turn))
    for start, end in pairwise(squares):
        jumped = [bit for bit in position.board.between(start, end) or () if bit & enemies]
        if len(jumped) > 1:
            return True
        enemies &= ~sum(jumped)  # where it has been captured nothing is jumped again
    return False


def doors(question: CaseQuestion, position: Position) -> int:
    """Return the open trapdoors of a position as a bitboard."""
    return open_doors(question.reader.ruleset.rules, position)


def layout(question: CaseQuestion) -> Layout | None:
    """Return the trapdoor layout of a question's ruleset, if it has one."""
    trapdoors = question.reader.ruleset.rules.trapdoors
    return trapdoors.layout if trapdoors else None


def of_answer(question: CaseQuestion) -> Traits:
    """Return the traits of a question and its right answer."""
    position = question.position
    parts = [_question_traits(question), _standing(position), _pending(position)]
    if doors(question, position):
        parts.append(iter([(Feature(STATE, "with an open door"), 1)]))
    return {trait: size for part in parts for trait, size in part}


def _question_traits(question: CaseQuestion) -> _Sized:
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
    """Yield which choices of captures there are, which an engine may mix up."""
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
    """Yield the traits of a position's state beyond the pieces."""
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
