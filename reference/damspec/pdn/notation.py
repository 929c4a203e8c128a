"""Notation of a ruleset in PDN: its GameType tag, and how squares, moves and positions are written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

from .. import data
from ..board import Board, Side
from ..errors import InvalidMoveError, PdnError, quote_value
from ..inheritance import ruleset_ids
from ..move import Move, read_squares, shortens
from ..position import Position
from ..ruleset import Ruleset, load_ruleset
from ..vocabulary import affects

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
    alike = [id for id, tag in claims().items() if tag.number == wanted.number]
    exact = [id for id in alike if claims()[id] == wanted]
    same_board = [id for id in alike if (claims()[id].columns, claims()[id].rows) == (wanted.columns, wanted.rows)]
    found = [*exact, *same_board]
    if not found:
        size = f" on {wanted.columns}x{wanted.rows}" if alike else ""
        there = ", ".join(f"{tag.number} ({id})" for id, tag in claims().items())
        raise PdnError(f"no ruleset for GameType {quote_value(text)}, {wanted.known.name}{size}; there is {there}")
    return load_ruleset(found[0])


def movement_rules(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return only the values that affect movement, regardless of how squares are numbered."""
    return {
        rule: value
        for rule, value in values.items()
        if rule != "board.numbering" and not affects(rule) <= {"setup", "first", "outcome", "history"}
    }


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

    def square(self, number: int) -> str:
        """Return a square in this notation."""
        return self.board.name(number) if self.algebraic else str(number)

    def fen(self, position: Position) -> str:
        """Return a position as FEN, with squares written as in moves."""
        return position.fen(algebraic=self.algebraic)

    def squares(self, text: str) -> tuple[tuple[int, ...], int]:
        """Parse the squares of a move and the number of its legs that capture. Raises InvalidMoveError."""
        text = text.lower()
        if _WITHOUT_SIGN.fullmatch(text):
            text = "-".join(re.findall("[a-z][0-9]+", text))
        return read_squares(text, self.board)

    def moves(self, position: Position) -> list[Move]:
        """Return every move that can be played: the legal ones, and those that break the duty to capture."""
        turns = self.ruleset.turns
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
        return _with_path(squares, [move for move in alike if bool(move.captured) == bool(captures)]) or _with_path(
            squares, alike
        )

    def _is_move(self, text: str) -> bool:
        try:
            return bool(self.squares(text))
        except InvalidMoveError:
            return False

    def text_of(self, position: Position, move: Move) -> str:
        """Return a move's text: start and end, or as many squares as needed to be unambiguous."""
        moves = self.moves(position)
        ways = [(move.start, move.end), *_standard_paths(self.board, move), *move.paths]
        texts = [self._text(way, move) for way in ways]
        return next((text for text in texts if self.matching_moves(text, moves) == [move]), texts[-1])

    def _text(self, way: tuple[int, ...], move: Move) -> str:
        names = [self.square(number) for number in way]
        slides = len(way) - 1 - (min(len(move.captured), len(way) - 1))
        signs = ["-" if leg < slides else self.known.captures for leg in range(len(way) - 1)]
        return "".join([names[0], *(sign + name for sign, name in zip(signs, names[1:], strict=True))])


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
