"""Notation of a ruleset in PDN: its GameType tag, and how squares, moves and positions are written.

In the games of whole collections the squares are named from another side than the ruleset's: letters can run from the
other side, rows be counted from the other side, or both change places; numbers can begin in another corner or run the
other way. These are `orientations`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from itertools import pairwise
from typing import Any, get_args

from .. import data
from ..board import Board, Numbering, Side
from ..errors import InvalidMoveError, PdnError, quote_value
from ..inheritance import ruleset_ids
from ..move import Action, Move, is_other_text, read_squares, shortens
from ..position import Position
from ..ruleset import Ruleset, load_ruleset
from ..vocabulary import affects
from .record import Element, Setup, Variation, WrittenGame, WrittenMove

#: The corners of square 1 by their numbers in the tag, as the side that begins sees them.
_CORNERS = ("bottom-left", "bottom-right", "top-left", "top-right")
_FORM = re.compile(r"([0-9]{1,4})(?:,([WB]),([0-9]{1,2}),([0-9]{1,2}),([ANS])([0-3])(?:,([01]))?)?")


@dataclass(frozen=True)
class KnownType:
    """A game with a number in PDN: the whole tag, the sign for captures, and how results are written."""

    number: int
    name: str
    full: str
    captures: str = "x"
    results: tuple[str, str, str] = ("1-0", "1/2-1/2", "0-1")

    def result(self, outcome: str) -> str:
        """Return the tag Result for an outcome, `*` if the game is ongoing."""
        return dict(zip(("white", "draw", "black"), self.results, strict=True)).get(outcome, "*")


@dataclass(frozen=True)
class GameType:
    """A GameType tag, parsed.

    >>> str(GameType.of_text("20"))
    '20,W,10,10,N2,0'
    """

    number: int
    first: Side
    columns: int
    rows: int
    notation: str
    corner: int
    inverted: bool

    @classmethod
    def of_text(cls, text: str) -> GameType:
        """Parse a tag; a number alone stands for the whole tag in the standard. Raises PdnError."""
        found = _FORM.fullmatch(text.replace(" ", ""))
        if not found:
            raise PdnError(f"found GameType {quote_value(text)}, expected one like '20' or '20,W,10,10,N2,0'")
        if found[2] is None:
            if int(found[1]) not in known_types():
                there = ", ".join(f"{known.number} ({known.name})" for known in known_types().values())
                raise PdnError(f"unknown GameType {quote_value(text)}; there is {there}")
            return cls.of_text(known_types()[int(found[1])].full)
        first: Side = "white" if found[2] == "W" else "black"
        columns, rows = int(found[3]), int(found[4])
        return cls(int(found[1]), first, columns, rows, found[5], int(found[6]), found[7] == "1")

    @property
    def numbering(self) -> str:
        """The corner of square 1 as White sees it, as a value of `board.numbering`."""
        return _CORNERS[self.corner if self.first == "white" else 3 - self.corner]

    @property
    def known(self) -> KnownType:
        """The standard's entry for the number, or `UNKNOWN` if it has none."""
        return known_types().get(self.number, UNKNOWN)

    def __str__(self) -> str:
        corner, inverted = f"{self.notation}{self.corner}", int(self.inverted)
        return f"{self.number},{self.first[0].upper()},{self.columns},{self.rows},{corner},{inverted}"


#: The defaults for games without a number in PDN.
UNKNOWN = KnownType(-1, "no game of the standard", "")


@cache
def known_types() -> Mapping[int, KnownType]:
    """Load the games that have a number in PDN (spec/pdn.yaml), by number."""
    entries = ({**entry, "results": tuple(entry.get("results", UNKNOWN.results))} for entry in _pdn_data()["types"])
    return {entry["number"]: KnownType(**entry) for entry in entries}


@cache
def variants() -> Mapping[str, str]:
    """Load the rulesets that sites mean by names (tag Variant, casefolded) and numbers (tag GameType) of their own."""
    return {str(name).casefold(): entry["ruleset"] for entry in _pdn_data()["variants"] for name in entry["names"]}


@cache
def _pdn_data() -> dict[str, Any]:
    path = data.root() / "spec" / "pdn.yaml"
    content: dict[str, Any] = data.load_yaml(path)
    data.check(content, "pdn", data.path_text(path))
    return content


@cache
def claims() -> Mapping[str, GameType]:
    """Return the tags that shipped rulesets claim, by ruleset id."""
    every = (load_ruleset(id) for id in ruleset_ids())
    return {ruleset.id: GameType.of_text(ruleset.gametype) for ruleset in every if ruleset.gametype}


@cache
def gametype_of(ruleset: Ruleset) -> GameType | None:
    """Return the tag for a ruleset's games: the one it claims, else that of a shipped ruleset with the same moves.

    In the latter case the side that begins and the placement of the board are the ruleset's own. None if there is no
    such ruleset, or the tag cannot express the numbering.
    """
    if ruleset.gametype:
        return GameType.of_text(ruleset.gametype)
    moves = movement_rules(ruleset.values)
    like = next((tag for id, tag in claims().items() if movement_rules(load_ruleset(id).values) == moves), None)
    board, first = ruleset.rules.board, ruleset.rules.start.first
    if like is None:
        return None
    if like.notation == "A":
        corner = like.corner
    elif board.numbering in _CORNERS:
        corner = _CORNERS.index(board.numbering) if first == "white" else 3 - _CORNERS.index(board.numbering)
    else:
        return None
    return GameType(like.number, first, board.columns, board.rows, like.notation, corner, board.dark_corner == "right")


@lru_cache(1 << 10)
def ruleset_of(text: str) -> Ruleset:
    """Return the shipped ruleset for a tag: one that claims exactly this tag, else one with its number and board size.

    Raises PdnError.
    """
    if ruleset := variants().get(text.strip()):
        return load_ruleset(ruleset)
    wanted = GameType.of_text(text)
    alike = {id: tag for id, tag in claims().items() if tag.number == wanted.number}
    same_board = [id for id, tag in alike.items() if (tag.columns, tag.rows) == (wanted.columns, wanted.rows)]
    if not same_board:
        size = f" on {wanted.columns}x{wanted.rows}" if alike else ""
        there = ", ".join(f"{tag.number} ({id})" for id, tag in claims().items())
        raise PdnError(f"no ruleset for GameType {quote_value(text)}, {wanted.known.name}{size}; there is {there}")
    return load_ruleset(next((id for id in same_board if alike[id] == wanted), same_board[0]))


def movement_rules(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return only the values that affect movement, regardless of how squares are numbered."""
    return {
        rule: value
        for rule, value in values.items()
        if rule != "board.numbering" and not affects(rule) <= {"setup", "first", "outcome", "history"}
    }


#: A square in a move or a position.
_SQUARE = re.compile("[a-wyz][0-9]{1,2}|[0-9]{1,3}")
#: The most ambiguous moves in a row that are tried in each way.
_MOST_FORKS = 3
#: A move in letters without a sign, `c3d4`.
_WITHOUT_SIGN = re.compile("[a-z][0-9]{1,2}(?:[a-wyz][0-9]{1,2})+")
#: The start and end of a move in numbers without a sign, `3228`; three digits can be split in two ways.
_JOINED = {3: (1, 2), 4: (2,)}


class Notation:
    """The notation of a ruleset's games: algebraic squares where its GameType says so, else numbers.

    Both are read, with any sign between the squares; squares inside a capture may be omitted if the move is
    unambiguous.

    >>> from damspec import load_ruleset
    >>> notation = notation_of(load_ruleset("russian"))
    >>> notation.squares("c3:e5"), notation.square(22)
    (((22, 15), 1), 'c3')
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.board: Board = ruleset.rules.board
        self.gametype = gametype_of(ruleset)
        self.known = self.gametype.known if self.gametype else UNKNOWN
        self.algebraic = self.gametype is not None and self.gametype.notation == "A"
        self._read_squares = lru_cache(1 << 14)(partial(_read_squares, board=self.board))

    def square(self, number: int) -> str:
        """Return a square in this notation."""
        return self.board.name(number) if self.algebraic else str(number)

    def fen(self, position: Position) -> str:
        """Return a position as FEN, with squares written as in moves."""
        return position.fen(algebraic=self.algebraic)

    def squares(self, text: str) -> tuple[tuple[int, ...], int]:
        """Parse the squares of a move and the number of its legs that capture. Raises InvalidMoveError."""
        return self._read_squares(text)

    def moves(self, position: Position) -> list[Move]:
        """Return every move that can be played: the legal ones, and those that break the duty to capture."""
        turns = self.ruleset.turns
        if turns.plain:
            return turns.movement.legal(position)
        return [*(action for action in turns.actions(position) if isinstance(action, Move)), *turns.lapses(position)]

    def matching_moves(self, text: str, moves: Sequence[Move]) -> list[Move]:
        """Return the moves that `text` can denote: by its sign and squares, else by its squares alone.

        Raises InvalidMoveError.
        """
        if text.isdecimal() and len(text) in _JOINED:
            ways = {f"{text[:place]}-{text[place:]}" for place in _JOINED[len(text)]}
            return [move for way in sorted(ways) if self._is_move(way) for move in self.matching_moves(way, moves)]
        squares, captures = self.squares(text)
        alike = [move for move in moves if move.start == squares[0] and move.end == squares[-1]]
        if len(alike) < 2 and len(squares) == 2:
            return alike
        return _with_path(squares, [move for move in alike if bool(move.captured) == bool(captures)]) or _with_path(
            squares, alike
        )

    def _is_move(self, text: str) -> bool:
        try:
            return bool(self.squares(text))
        except InvalidMoveError:
            return False

    def meanings(self, text: str, position: Position, following: Iterable[str] = ()) -> list[Action]:
        """Return the actions that `text` can denote; of several those after which most of `following` can be played.

        Raises InvalidMoveError.
        """
        found = self._matching_actions(text, position)
        if len(found) < 2:
            return found
        after, texts = self.ruleset.turns.after_listed, [*following]
        reach = [self._count_playable(after(position, action), texts, _MOST_FORKS) for action in found]
        return [action for action, plies in zip(found, reach, strict=True) if plies == max(reach)]

    def read(self, text: str, position: Position, following: Iterable[str] = ()) -> Action:
        """Return the action that `text` denotes, by `meanings`. Raises PdnError if there is none, or several."""
        try:
            found = self.meanings(text, position, following)
        except InvalidMoveError as error:
            raise PdnError(str(error)) from None
        if len(found) == 1:
            return found[0]
        listed = " or ".join(self.text_of(position, action) for action in found)
        says = f"is ambiguous: it can be {listed}" if found else f"is illegal in {position.fen()} ({self.ruleset.id})"
        raise PdnError(f"{quote_value(text)} {says}")

    def _matching_actions(self, text: str, position: Position) -> list[Action]:
        if is_other_text(text):
            return [action for action in self.ruleset.turns.actions(position) if str(action) == text]
        return [*self.matching_moves(text, self.moves(position))]

    def _count_playable(self, position: Position, texts: Sequence[str], forks: int) -> int:
        """Return how many moves can be played one after another; `forks` limits how many of them can be ambiguous."""
        after = self.ruleset.turns.after_listed
        for place, text in enumerate(texts):
            try:
                found = self._matching_actions(text, position)
            except InvalidMoveError:
                return place
            if not found:
                return place
            if len(found) > 1 and forks:
                ways = (after(position, action) for action in found)
                return place + 1 + max(self._count_playable(way, texts[place + 1 :], forks - 1) for way in ways)
            position = after(position, found[0])
        return len(texts)

    def text_of(self, position: Position, action: Action) -> str:
        """Return an action as a game writes it: a move by its ends, or as many squares as make it unambiguous."""
        if not isinstance(action, Move):
            return str(action)
        moves = self.moves(position)
        ways = [(action.start, action.end), *_standard_paths(self.board, action), *action.paths]
        texts = [self._text(way, action) for way in ways]
        return next((text for text in texts if self.matching_moves(text, moves) == [action]), texts[-1])

    def _text(self, way: tuple[int, ...], move: Move) -> str:
        names = [self.square(number) for number in way]
        slides = len(way) - 1 - (min(len(move.captured), len(way) - 1))
        signs = ["-" if leg < slides else self.known.captures for leg in range(len(way) - 1)]
        return "".join([names[0], *(sign + name for sign, name in zip(signs, names[1:], strict=True))])


def _read_squares(text: str, board: Board) -> tuple[tuple[int, ...], int]:
    text = text.lower()
    if _WITHOUT_SIGN.fullmatch(text):
        text = "-".join(re.findall("[a-z][0-9]+", text))
    return read_squares(text, board)


@cache
def notation_of(ruleset: Ruleset) -> Notation:
    """Return the notation of a ruleset's games."""
    return Notation(ruleset)


def _with_path(squares: tuple[int, ...], moves: Sequence[Move]) -> list[Move]:
    """Return the moves with exactly this path, else those whose path it abbreviates."""
    exact = [move for move in moves if squares in move.paths]
    return exact or [move for move in moves if any(shortens(squares, path) for path in move.paths)]


def _standard_paths(board: Board, move: Move) -> Iterator[tuple[int, ...]]:
    """Yield a capture's paths in standard form: going straight on, it lands right behind each piece."""

    def lands_right(start: int, middle: int, end: int) -> bool:
        straight = board.bit(middle) in (board.between(start, end) or ())
        return not straight or board.number((board.between(start, middle) or (0,))[-1]) in move.captured

    for path in move.paths:
        legs = zip(pairwise(path), path[2:], strict=False)
        if all(lands_right(*leg, end) for leg, end in legs if board.between(*leg)):
            yield path


@dataclass(frozen=True)
class Orientation:
    """A way to name squares: `words` describes it, `square` converts a name to the ruleset's, or to None.

    >>> next(orientations(Board(8, 8), letters=True)).square("a1")
    'h8'
    """

    words: str
    square: Callable[[str], str | None]

    def reorient(self, record: WrittenGame) -> WrittenGame | None:
        """Return the game with its squares as the ruleset names them, or None if a square has no counterpart."""
        try:
            tags = {name: self._fen(value) if name == "FEN" else value for name, value in record.tags.items()}
            return replace(record, tags=tags, body=tuple(map(self._element, record.body)))
        except _NoSquareError:
            return None

    def _element(self, item: Element) -> Element:
        match item:
            case WrittenMove(text):
                return replace(item, text=self._text(text))
            case Variation(body):
                return Variation(tuple(map(self._element, body)))
            case Setup(fen):
                return replace(item, fen=self._fen(fen))
        return item

    def _fen(self, fen: str) -> str:
        turn, *sides = fen.strip().rstrip(".").split(":")
        if any("-" in side for side in sides):
            raise _NoSquareError  # a range of numbers is no range in another numbering
        return ":".join([turn, *map(self._text, sides[:2]), *sides[2:]])

    def _text(self, text: str) -> str:
        return _SQUARE.sub(self._square, text)

    def _square(self, found: re.Match[str]) -> str:
        square = self.square(found[0])
        if square is None:
            raise _NoSquareError
        return square


class _NoSquareError(Exception):
    """A square without a counterpart in another orientation."""


def orientations(board: Board, *, letters: bool) -> Iterator[Orientation]:
    """Yield every other way to name the squares of a board, likeliest first: algebraic with `letters`, or numeric."""
    yield from _letter_orientations(board) if letters else _number_orientations(board)


def _letter_orientations(board: Board) -> Iterator[Orientation]:
    columns, rows = board.columns - 1, board.rows - 1
    ways: list[tuple[str, Callable[[int, int], tuple[int, int]]]] = [
        ("the board turned by half", lambda column, row: (columns - column, rows - row)),
        ("the columns counted from the other side", lambda column, row: (columns - column, row)),
        ("the rows counted from the other side", lambda column, row: (column, rows - row)),
    ]
    if columns == rows:
        ways += [
            ("columns and rows exchanged", lambda column, row: (row, column)),
            ("the board turned by a quarter", lambda column, row: (row, columns - column)),
            ("the board turned by a quarter the other way", lambda column, row: (rows - row, column)),
            (
                "the board turned by half, columns and rows exchanged",
                lambda column, row: (rows - row, columns - column),
            ),
        ]
    for words, place in ways:

        def square(text: str, place: Callable[[int, int], tuple[int, int]] = place) -> str | None:
            column, row = place(ord(text[0]) - ord("a"), int(text[1:]) - 1) if text[0].isalpha() else (-1, -1)
            return f"{chr(ord('a') + column)}{row + 1}" if 0 <= column <= columns and 0 <= row <= rows else None

        yield Orientation(f"{words} (a1 is {square('a1')})", square)


def _number_orientations(board: Board) -> Iterator[Orientation]:
    by_place = {place: number for number, place in enumerate(board.places, 1)}
    seen = {tuple(board.places)}
    others = [replace(board, numbering=way) for way in get_args(Numbering)]
    for other in sorted(others, key=lambda other: other.places[::-1] != board.places):
        if other.places in seen:
            continue
        seen.add(other.places)

        def square(text: str, other: Board = other) -> str | None:
            number = int(text) if text.isdecimal() else 0
            return str(by_place[other.places[number - 1]]) if 1 <= number <= len(other) else None

        vertical, horizontal, *along = other.numbering.split("-")
        by_columns = " column by column" if along else ""
        yield Orientation(
            f"the squares numbered{by_columns} from the {vertical} {horizontal} (1 is {square('1')})", square
        )
