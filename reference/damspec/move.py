"""Moves and the other actions of a turn: Move, Spin, SliderPush, Huff, Retract, Pass, and their notation."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, NamedTuple, Self

from .board import MOST_SQUARES, SIDES, Board, Side
from .data import schema_problem
from .errors import (
    ArgumentError,
    InvalidMoveError,
    PositionError,
    expect,
    expect_number,
    expect_word,
    quote_any,
    quote_value,
)
from .other_names import OtherNames

#: The maximum length of a move's notation; a king that touches every square of the largest board needs less.
LONGEST = 4000
_LEGS = re.compile("[-x:]")
#: Legs without a capture come first; only kings that may move twice in a turn have several, or one before captures.
_NOTATION = re.compile(r"[a-z]?[0-9]+(?=[-x:])(-[a-z]?[0-9]+)*([x:][a-z]?[0-9]+)*")


@dataclass(frozen=True)
class _BaseAction(metaclass=OtherNames):
    """What all actions have in common.

    `side` is the side that makes it, None if nobody said which: it is no part of the value, and two actions that differ
    only in it are equal.
    """

    kind: ClassVar[str]
    side: Side | None = field(default=None, compare=False, repr=False, kw_only=True)

    def __post_init__(self) -> None:
        if self.side is not None:
            expect_word(self.side, "side", SIDES)

    @property
    def text(self) -> str:
        """The notation, which is also its `str`: `21x14x7`, `spin=disc`."""
        return str(self)

    def algebraic(self, board: Board) -> str:
        """Return the notation with the names of squares on a board: `a3xc5xe7`."""
        expect(board, "board", Board, "a Board")
        return self._notation(board.name)

    def __str__(self) -> str:
        return self._notation(str)

    def _notation(self, name: Callable[[int], str]) -> str:
        """Return the notation with squares as a function names them; it is the kind where there is no more to say."""
        return self.kind

    def to_dict(self) -> dict[str, Any]:
        """Return the action as a dict for JSON, in the form of the engine protocol; `side` is left out.

        >>> Move(21, 7, (10, 17), False, paths=((21, 14, 7),)).to_dict()
        {'move': '21x14x7', 'from': 21, 'to': 7, 'path': [21, 14, 7], 'captured': [10, 17], 'promotes': False}
        >>> Spin("disc").to_dict()
        {'move': 'spin=disc', 'captured': []}
        """
        return {"move": str(self), "captured": []}

    @classmethod
    def from_dict(cls, entry: Mapping[str, Any]) -> Self:
        """Return the action that `to_dict` wrote; of the paths of a move it has the one in the dict.

        `action_from_dict` reads all kinds of actions. Raises ArgumentError.

        >>> Huff.from_dict({"move": "huff 18", "captured": []})
        Huff(square=18)
        """
        found = action_from_dict(entry)
        if not isinstance(found, cls):
            raise ArgumentError(f"entry: found {quote_any(entry)}, expected a {cls.__name__}")
        return found


@dataclass(frozen=True)
class _PiecelessAction(_BaseAction):
    """An action that moves no piece: it has no squares."""

    start: ClassVar[None] = None
    end: ClassVar[None] = None
    captured: ClassVar[tuple[int, ...]] = ()
    path: ClassVar[tuple[int, ...]] = ()
    promotes: ClassVar[bool] = False
    falls: ClassVar[bool] = False
    is_capture: ClassVar[bool] = False


@dataclass(frozen=True)
class Move(_BaseAction):
    """A move of a piece: start, end, captured squares, whether a man is crowned, whether it falls through a door.

    Moves that agree in these are equal; `paths` has every way to make the move, and `path` is the one printed. The
    meaning of a text depends on the position: `LegalMoves.find` parses what `text` writes.

    >>> Move(21, 7, (10, 17), False, False, ((21, 14, 7),)).text
    '21x14x7'
    """

    kind: ClassVar[Literal["move"]] = "move"
    start: int
    end: int
    captured: tuple[int, ...]
    promotes: bool
    falls: bool = False
    paths: tuple[tuple[int, ...], ...] = field(default=(), compare=False, repr=False)
    #: What the generator that found the move wrote: it saves translating the squares again when the move is made.
    packed: PackedMove | None = field(default=None, init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if type(self.promotes) is not bool or type(self.falls) is not bool:
            expect(self.promotes, "promotes", bool, "True or False")
            expect(self.falls, "falls", bool, "True or False")
        _check_squares((self.start, self.end), "start and end")
        _check_squares(self.captured, "captured")
        expect(self.paths, "paths", tuple, "a tuple of paths, each a tuple of the numbers of squares")
        for path in self.paths:
            _check_squares(path, "paths", 2)

    @property
    def path(self) -> tuple[int, ...]:
        """Every square the piece touches, from start to end: the shortest path, or of several the lowest.

        A move constructed without paths has just its start and end.
        """
        return self.paths[0] if self.paths else (self.start, self.end)

    @property
    def is_capture(self) -> bool:
        """Whether the move captures."""
        return bool(self.captured)

    def to_dict(self) -> dict[str, Any]:
        squares = {"from": self.start, "to": self.end, "path": [*self.path], "captured": [*self.captured]}
        return {"move": str(self), **squares, "promotes": self.promotes} | ({"falls": True} if self.falls else {})

    def _notation(self, name: Callable[[int], str]) -> str:
        """Join the squares of the path: with x in legs that capture, with - in others."""
        names = [name(square) for square in self.path]
        if not self.captured:
            return "-".join(names)
        slides = max(0, len(names) - 1 - len(self.captured))
        return "".join(("" if leg < 0 else "-" if leg < slides else "x") + name for leg, name in enumerate(names, -1))


class PackedMove(NamedTuple):
    """A move as bitboards, quiet if nothing is captured; `path` has every square the piece touches."""

    start: int
    end: int
    captured: int
    crowned: bool
    path: tuple[int, ...]


def _check_squares(numbers: tuple[int, ...], name: str, fewest: int = 0) -> None:
    """Raise an error unless `numbers` can be squares of some board."""
    expect(numbers, name, tuple, "a tuple of the numbers of squares")
    for number in numbers:
        if type(number) is not int or not 0 < number <= MOST_SQUARES:
            expect_number(number, name, 1, MOST_SQUARES)
    if len(numbers) < fewest:
        raise ArgumentError(f"{name}: found {quote_any(numbers)}, expected {fewest} squares or more")


def read_squares(text: str, board: Board) -> tuple[tuple[int, ...], int]:
    """Parse the squares of a move's notation and the number of its legs that capture. Raises InvalidMoveError."""
    if len(text) > LONGEST or not _NOTATION.fullmatch(text):
        raise InvalidMoveError(f"{quote_value(text)} is no move: expected one like '21-17' or '21x14x7'")
    try:
        written = board.bits_by_text
        squares = tuple([int(part) if part in written else board.square(part) for part in _LEGS.split(text)])
    except PositionError as error:
        raise InvalidMoveError(f"{quote_value(text)} is no move: {error}") from None
    return squares, text.count("x") + text.count(":")


def matching(text: str, moves: Iterable[Move], board: Board) -> list[Move]:
    """Return the moves that `text` denotes: those with exactly that path, else those it abbreviates."""
    squares, captures = read_squares(text, board)
    candidates = [move for move in moves if bool(move.captured) == bool(captures)]
    exact = [move for move in candidates if squares in move.paths]
    return exact or [move for move in candidates if any(shortens(squares, path) for path in move.paths)]


def shortens(squares: tuple[int, ...], path: tuple[int, ...]) -> bool:
    """Return whether `squares` is `path` with some of the squares in the middle left out."""
    if squares[0] != path[0] or squares[-1] != path[-1]:
        return False
    rest = iter(path[1:-1])
    return all(square in rest for square in squares[1:-1])


@dataclass(frozen=True)
class Spin(_PiecelessAction):
    """A result of the spinner: `disc`, `green`, `orange` or `both`. It is up to chance, but written as an action."""

    kind: ClassVar[Literal["spin"]] = "spin"
    outcome: str

    def __post_init__(self) -> None:
        super().__post_init__()
        expect_word(self.outcome, "outcome", ("disc", "green", "orange", "both"))

    def _notation(self, name: Callable[[int], str]) -> str:
        return f"spin={self.outcome}"


@dataclass(frozen=True)
class SliderPush(_PiecelessAction):
    """A slider pushed to `L`, `M` or `R`; `closes` if the mover chooses to close the door again at once."""

    kind: ClassVar[Literal["slider-push"]] = "slider-push"
    slider: str
    to: str
    closes: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        expect(self.slider, "slider", str, "the id of a slider")
        expect_word(self.to, "to", ("L", "M", "R"))
        expect(self.closes, "closes", bool, "True or False")

    def _notation(self, name: Callable[[int], str]) -> str:
        return f"{self.slider}={self.to}{'M' if self.closes else ''}"


@dataclass(frozen=True)
class Huff(_PiecelessAction):
    """The removal of the opponent's piece on a square, because it could have captured."""

    kind: ClassVar[Literal["huff"]] = "huff"
    square: int

    def __post_init__(self) -> None:
        super().__post_init__()
        expect_number(self.square, "square", 1, MOST_SQUARES)

    def _notation(self, name: Callable[[int], str]) -> str:
        return f"huff {name(self.square)}"


@dataclass(frozen=True)
class Retract(_PiecelessAction):
    """The retraction of the opponent's last move."""

    kind: ClassVar[Literal["retract"]] = "retract"


@dataclass(frozen=True)
class Pass(_PiecelessAction):
    """The decision not to do what the spinner allows."""

    kind: ClassVar[Literal["pass"]] = "pass"


#: An action of a turn. Each has `text`, `kind`, `side`, `start`, `end`, `path`, `captured`, `to_dict` and so on; what
#: moves no piece has None for `start` and `end`, and nothing in `path` and `captured`.
Action = Move | Spin | SliderPush | Huff | Retract | Pass

_OTHER = re.compile(r"spin=[a-z]+|[A-Z][0-9]+=[LMR]M?|huff [0-9]+|retract|pass")


def is_other_text(text: str) -> bool:
    """Return whether `text` is an action that moves no piece."""
    return _OTHER.fullmatch(text) is not None


def is_move_text(text: str) -> bool:
    """Return whether `text` looks like the move of a piece; False for the other actions.

    Raises InvalidMoveError for a text that is neither.
    """
    if is_other_text(text):
        return False
    if text[:1].isalnum() and any(sign in text for sign in "-x:"):
        return True
    raise InvalidMoveError(
        f"{quote_value(text)} is no action: expected one like '21-17', '21x14x7', 'spin=disc', 'G1=L', 'huff 18'"
    )


def action_from_dict(entry: Mapping[str, Any]) -> Action:
    """Return the action of any kind that `to_dict` wrote. Raises ArgumentError.

    >>> action_from_dict({"move": "G1=L", "captured": []})
    SliderPush(slider='G1', to='L', closes=False)
    """
    problem = schema_problem(entry, "protocol", "action")
    if problem is None and is_other_text(entry["move"]):
        return _read_other(entry["move"])
    if problem is None and "from" not in entry:
        problem = "no 'from': expected 'from', 'to', 'path', 'captured' and 'promotes' of a move"
    if problem is None:
        start, end, path, captured = (entry[name] for name in ("from", "to", "path", "captured"))
        move = Move(start, end, tuple(captured), entry["promotes"], entry.get("falls", False), (tuple(path),))
        if str(move) == entry["move"]:
            return move
        problem = f"move: found {quote_value(entry['move'])}, expected {str(move)!r} by its squares"
    raise ArgumentError(f"entry: found {quote_any(entry)}: {problem}")


def _read_other(text: str) -> Action:
    name, _, value = text.replace(" ", "=").partition("=")
    match name:
        case "retract":
            return Retract()
        case "pass":
            return Pass()
        case "spin":
            return Spin(value)
        case "huff":
            return Huff(int(value))
        case _:
            return SliderPush(name, value[0], len(value) > 1)
