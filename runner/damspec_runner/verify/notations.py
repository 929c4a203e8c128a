"""Notations of moves other than damspec's: squares counted from 0, by row and column or by name, or boards alone.

What stands between squares is never looked at: whether a piece moves or captures shows on the board.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, get_args

from damspec import Board, Move, Position, Ruleset
from damspec.board import opponent
from damspec.move import is_other_text
from damspec.position import with_sliders

from ..engines.protocol import UnsupportedError, clean_text, move_entry, move_notation
from .conventions import Corner, Translation, read_lenient_fen

#: The squares that a move touches, in order.
Path = tuple[int, ...]
#: A move with its captured squares behind it, in brackets.
_TAKING = re.compile(r"\s*([^\s(][^(]*)\(([^()]*)\)\s*")
_NAMED = re.compile(r"[^a-wyz0-9]*(?:[a-z][0-9]+[^a-wyz0-9]*)+")
_NUMBERED = re.compile("[^a-wyz]*[0-9][^a-wyz]*")


@dataclass(frozen=True)
class MoveNotation:
    """How an engine writes moves.

    Numbers, rows and columns begin with `first`. Rows and columns count from `corner`, seen by White; the column comes
    first if `column_first`. Numbers without a sign between them have all the same width; those that "run on" do not.
    """

    kind: Literal["numbers", "run-on", "letters", "places", "boards"]
    first: int = 1
    corner: Corner = "top-left"
    column_first: bool = False

    @property
    def name(self) -> str:
        """The name, as the option has it."""
        match self.kind:
            case "numbers" | "run-on":
                run_on = "-run-on" * (self.kind == "run-on")
                return f"numbers{run_on}{'' if self.first else '-from-0'}"
            case "places":
                order = "column-row" if self.column_first else "row-column"
                return f"{order}-from-{self.first}-{self.corner}"
            case kind:
                return kind

    def describe(self, board: Board) -> str:
        """Return what an engine with this notation does, in words."""
        match self.kind:
            case "numbers" if self.first:
                return "writes squares as numbers, with signs of its own or none between them"
            case "numbers":
                return f"writes squares as 0 to {len(board) - 1}"
            case "run-on":
                last = len(board) - 1 + self.first
                return f"writes squares as {self.first} to {last}, of one digit or more, with no sign between them"
            case "letters":
                return "writes squares by name, with signs of its own or none between them"
            case "places":
                order = "column and row" if self.column_first else "row and column"
                return f"writes squares as {order}, each from {self.first}, from the {self.corner.replace('-', ' ')}"
            case "boards":
                return "lists the boards after its moves and not the moves"


#: Every notation besides damspec's, by its name.
NOTATIONS: Mapping[str, MoveNotation] = {
    notation.name: notation
    for notation in (
        *(MoveNotation("numbers", first) for first in (1, 0)),
        *(MoveNotation("run-on", first) for first in (1, 0)),
        MoveNotation("letters"),
        MoveNotation("boards"),
        *(
            MoveNotation("places", first, corner, column_first)
            for column_first in (False, True)
            for first in (0, 1)
            for corner in get_args(Corner)
        ),
    )
}


class _ListedText(str):
    """A move in damspec's notation, with what the engine wrote."""

    __slots__ = ("written",)
    written: Any


class _ListedObject(dict[str, Any]):
    """A move with its captured squares, with what the engine wrote."""

    __slots__ = ("written",)
    written: Any


def engine_notation(given: Any) -> Any:
    """Return what an engine wrote for a move that was read from its list; None for any other move."""
    return getattr(given, "written", None)


class MoveReader:
    """Reads lists of moves in a notation; with `hops` each is a single step or jump."""

    def __init__(
        self, notation: MoveNotation, ruleset: Ruleset, translation: Translation, *, hops: bool = False
    ) -> None:
        self.notation = notation
        self._ruleset, self._board, self._translation, self._hops = ruleset, ruleset.rules.board, translation, hops
        self._squares = _square_names(notation, self._board)

    def read(self, listed: Sequence[Any], position: Position, turn: Sequence[Any] = ()) -> list[Any]:
        """Return listed moves in damspec's notation; what cannot be read is said to be none.

        `turn` has the hops of the turn so far. Raises UnsupportedError for a move that may be one of several.
        """
        if self.notation.kind == "boards":
            return [move for board in dict.fromkeys(map(str, listed)) for move in self._moves_to(board, position)]
        goes_on = any("x" in move_notation(hop) for hop in turn)
        found = [self._move(given, position, bool(turn), goes_on) for given in listed]
        if not self._hops:
            self._check_quiet(found, position)
        return found

    # --- moves of squares ---------------------------------------------------------------------

    def _move(self, given: Any, position: Position, is_hop: bool, goes_on: bool) -> Any:
        if isinstance(given, str) and is_other_text(given):
            return _with_source(given, given)
        text, taken = _parts(given)
        if self.notation.kind == "run-on":
            path = self._divide_digits(text, position, is_hop) if text.isdecimal() else None
        else:
            path = self._path(self._names(text))
        if path is None or len(path) < 2:
            return self._unread(given)
        if taken is None:
            return _with_source(_in_words(position, path, goes_on), given)
        captured = self._path(self._names(taken)) if taken else ()
        if captured is None or bool(captured) != bool(taken):
            return self._unread(given)
        return _with_source(move_entry(path[0], path[-1], captured), given)

    def _unread(self, given: Any) -> str:
        """Return an entry that is no move in the notation, so that it is one in no other either."""
        return f"{given if isinstance(given, str) else json.dumps(given)} (not {self.notation.name})"

    def _names(self, text: str) -> Sequence[str]:
        """Return the names of the squares in a text; none for a text of another kind."""
        text = text.lower()
        numbers = re.findall("[0-9]+", text) if _NUMBERED.fullmatch(text) else []
        match self.notation.kind:
            case "letters":
                return re.findall("[a-z][0-9]+", text) if _NAMED.fullmatch(text) else ()
            case "numbers" | "run-on":
                width = len(str(max(map(int, self._squares))))
                if len(numbers) == 1 and self.notation.kind == "numbers" and len(numbers[0]) % width == 0:
                    numbers = [numbers[0][at : at + width] for at in range(0, len(numbers[0]), width)]
                return numbers
            case "places":
                if self._has_digits and all(len(one) == 1 or len(one) % 2 == 0 for one in numbers):
                    numbers = [*"".join(numbers)]
                if len(numbers) % 2:
                    return ()
                return [f"{one} {other}" for one, other in zip(numbers[::2], numbers[1::2], strict=True)]
            case "boards":
                return ()

    @property
    def _has_digits(self) -> bool:
        """Whether rows and columns are all of one digit."""
        return max(self._board.rows, self._board.columns) - 1 + self.notation.first < 10

    def _path(self, names: Iterable[str]) -> Path | None:
        """Return squares by their names; None if there is one that the board lacks."""
        path = tuple(self._square(name) for name in names)
        return None if 0 in path else path

    def _square(self, name: str) -> int:
        """Return a square by its name; 0 if the board lacks it."""
        number = self._squares.get(name if " " in name else name.lstrip("0") or "0", 0)
        return self._translation.ours[number] if number and self.notation.kind in ("numbers", "run-on") else number

    def _divide_digits(self, digits: str, position: Position, is_hop: bool) -> Path | None:
        """Return the one path along which a piece can go that digits without signs may mean.

        Else the one pair of squares, from a piece of the side to move to a vacant one; None if there is none. Raises
        UnsupportedError if there are several.
        """
        board = position.board
        own, theirs = position.occupied(position.turn), position.occupied(opponent(position.turn))
        starts = board.all if is_hop else own
        width = len(str(len(board)))

        def paths(rest: str, path: Path, enemies: int) -> Iterator[Path]:
            if not rest and len(path) > 1:
                yield path
            for size in range(1, 2 if rest[:1] == "0" else min(width, len(rest)) + 1):
                if not (square := self._square(rest[:size])):
                    continue
                if not path:
                    if board.bit(square) & starts:
                        yield from paths(rest[size:], (square,), enemies)
                    continue
                others = (own | enemies) & ~board.bit(path[0])
                between = board.between(path[-1], square)
                if between is None or board.bit(square) & others or any(bit & own & others for bit in between):
                    continue
                over = [bit for bit in between if bit & enemies]
                is_whole_move = len(path) == 1 and size == len(rest)
                if len(over) == 1 or (not over and (is_whole_move or self._slides)):
                    yield from paths(rest[size:], (*path, square), enemies & ~sum(over))

        found = [*paths(digits, (), theirs)]
        if not found:
            pairs = ((digits[:at], digits[at:]) for at in range(1, len(digits)))
            plain = (pair for pair in pairs if all(len(one) <= width and str(int(one)) == one for one in pair))
            ends = (path for pair in plain if (path := self._path(pair)))
            found = [path for path in ends if board.bit(path[0]) & starts and not board.bit(path[1]) & (own | theirs)]
        if len(found) > 1:
            meanings = " or ".join("-".join(map(str, path)) for path in found[:3])
            raise UnsupportedError(f"lists {clean_text(digits)}, which may be {meanings}")
        return found[0] if found else None

    @property
    def _slides(self) -> bool:
        """Whether a path can have legs without a capture among others."""
        return bool(self._ruleset.values["king.move.slides"] != "once")

    def _check_quiet(self, found: Sequence[Any], position: Position) -> None:
        """Raise UnsupportedError for a move without a capture that may be a capture with squares left out."""
        texts = [*map(move_notation, found)]
        ends = {_ends(text) for text in texts if text.count("x") + text.count("-") > 1}
        long = {
            (move.start, move.end)
            for move in self._ruleset.turns.actions(position)
            if isinstance(move, Move) and len(move.path) > 2 and move.captured
        }
        for move in found:
            if isinstance(move, str) and re.fullmatch("[0-9]+-[0-9]+", move) and _ends(move) in long - ends:
                raise UnsupportedError(
                    f"lists {clean_text(str(engine_notation(move)))}, which may be a move or a capture"
                )

    # --- boards -------------------------------------------------------------------------------

    def _moves_to(self, text: str, position: Position) -> Iterator[Any]:
        """Yield the legal moves that lead to a board; if there is none, the move that the two boards show."""
        fen = read_lenient_fen(text, self._board)
        if fen is None:
            yield self._unread(text)
            return
        after = Position.from_fen(self._translation.position_in(fen), self._board)
        turns, legal = self._ruleset.turns, False
        for action in (*turns.actions(position), *turns.lapses(position)):
            expected = turns.after(position, action)
            if isinstance(action, Move):
                is_same = _pieces(expected) == _pieces(after)
            else:
                is_same = expected == with_sliders(self._ruleset.rules, after)
            if is_same:
                legal = True
                yield _with_source(str(action), text)
        if not legal:
            move = _difference(position, after)
            yield self._unread(text) if move is None else _with_source(move, text)


def _with_source(move: Any, given: Any) -> Any:
    found: Any = _ListedObject(move) if isinstance(move, dict) else _ListedText(move)
    found.written = given
    return found


def _square_names(notation: MoveNotation, board: Board) -> Mapping[str, int]:
    """Return the number of each square by its name in a notation."""
    match notation.kind:
        case "numbers" | "run-on":
            return {str(number - 1 + notation.first): number for number in range(1, len(board) + 1)}
        case "letters":
            return {board.name(number): number for number in range(1, len(board) + 1)}
        case "places":
            vertical, horizontal = notation.corner.split("-")
            found = {}
            for number, (column, row) in enumerate(board.places, 1):
                place = [
                    row if vertical == "bottom" else board.rows - 1 - row,
                    column if horizontal == "left" else board.columns - 1 - column,
                ]
                name = " ".join(
                    str(each + notation.first) for each in (place[::-1] if notation.column_first else place)
                )
                found[name] = number
            return found
        case "boards":
            return {}


def _parts(given: Any) -> tuple[str, str | None]:
    """Return the squares of an entry, and its captured squares if it has them, as texts."""
    if isinstance(given, str) and given[:1] in ("[", "{", '"'):
        with suppress(ValueError, RecursionError):  # a line of plain text may begin so too
            given = json.loads(given)
    if isinstance(given, Mapping):
        squares = given["move"] if "move" in given else [given["from"], given["to"]]
        return _join(squares), _join(given["captured"]) if "captured" in given else None
    if isinstance(given, str) and (taking := _TAKING.fullmatch(given)):
        return taking[1], taking[2].strip()
    return _join(given), None


def _join(part: Any) -> str:
    return part if isinstance(part, str) else " ".join(map(_join, part)) if isinstance(part, list) else str(part)


def _in_words(position: Position, path: Path, captures: bool) -> str:
    """Return the notation of a path: from the first leg over an opponent's piece, or on no line, it captures."""
    board, enemies = position.board, position.occupied(opponent(position.turn))
    text = str(path[0])
    for start, end in pairwise(path):
        between = board.between(start, end)
        captures = captures or between is None or any(bit & enemies for bit in between)
        text += f"{'x' if captures else '-'}{end}"
    return text


def _ends(text: str) -> tuple[int, int]:
    squares = re.findall("[0-9]+", text) or ["0"]
    return int(squares[0]), int(squares[-1])


def _pieces(position: Position) -> tuple[int, int, int, int]:
    return position.white_men, position.white_kings, position.black_men, position.black_kings


def _difference(position: Position, after: Position) -> dict[str, Any] | None:
    """Return the move that two boards show: what has gone and come; None if that is no single move."""
    board, side = position.board, position.turn
    own, then = position.occupied(side), after.occupied(side)
    theirs, left = position.occupied(opponent(side)), after.occupied(opponent(side))
    gone, come = board.numbers(own & ~then), board.numbers(then & ~own)
    captured = board.numbers(theirs & ~left)
    if not gone and not come and captured:  # it ended where it began: the only piece, or the one that was crowned
        gone = come = board.numbers((position.kings(side) ^ after.kings(side)) or own)
    if len(gone) != 1 or len(come) != 1 or left & ~theirs:
        return None
    return move_entry(gone[0], come[0], captured)
