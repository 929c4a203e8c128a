"""Playing: the three questions (legal moves, the position after one, the outcome), perft, and games with history."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, overload

from .board import Side, opponent
from .errors import AmbiguousMove, IllegalMove, InvalidMove
from .move import Move, matching
from .moves import SIDES, Generator, Pieces, Step
from .position import Position, read_position
from .ruleset import Ruleset, ruleset


@dataclass(frozen=True)
class Outcome:
    """Whether the game is over: `result` is `ongoing`, a side that has won, or `draw`; `reason` says by what."""

    result: Literal["ongoing", "white", "black", "draw"]
    reason: str | None = None

    def __str__(self) -> str:
        return f"{self.result} ({self.reason})" if self.reason else self.result


@cache
def _generator(rules: Ruleset) -> Generator:
    return Generator(rules.rules)


def _pieces(position: Position) -> tuple[Pieces, int]:
    """The bitboards as the side to move sees them, and that side's index."""
    white, black = (position.white_men, position.white_kings), (position.black_men, position.black_kings)
    return ((*white, *black), 0) if position.turn == "white" else ((*black, *white), 1)


def _position(before: Position, pieces: Pieces, side: int) -> Position:
    """The position of bitboards as `side`, now to move, sees them."""
    own, enemy = pieces[:2], pieces[2:]
    white, black = (own, enemy) if side == 0 else (enemy, own)
    return Position(before.board, *white, *black, SIDES[side])


class LegalMoves(Sequence[Move]):
    """The legal moves of a position, worked out when they are first looked at.

    >>> moves = legal_moves(ruleset("vl"), "W:W22:B18")
    >>> len(moves), "22x15" in moves, moves
    (1, True, <LegalMoves 22x15>)
    """

    def __init__(self, rules: Ruleset, position: Position) -> None:
        self.ruleset, self.position = rules, position
        self._moves: list[Move] | None = None

    def _all(self) -> list[Move]:
        if self._moves is None:
            pieces, side = _pieces(self.position)
            self._moves = _moves(_generator(self.ruleset), pieces, side)
        return self._moves

    def __len__(self) -> int:
        return len(self._all())

    @overload
    def __getitem__(self, place: int) -> Move: ...
    @overload
    def __getitem__(self, place: slice) -> list[Move]: ...
    def __getitem__(self, place: int | slice) -> Move | list[Move]:
        return self._all()[place]

    def __iter__(self) -> Iterator[Move]:
        return iter(self._all())

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, str):
            return move in self._all()
        try:
            return len(matching(move, self._all(), self.position.board)) == 1
        except InvalidMove:
            return False

    def __repr__(self) -> str:
        return f"<LegalMoves {', '.join(map(str, self._all())) or 'none'}>"

    def find(self, text: str) -> Move:
        """The legal move that a notation means; short forms where they mean only one.

        Raises InvalidMove, IllegalMove or AmbiguousMove.
        """
        found = matching(text, self._all(), self.position.board)
        fen = self.position.fen()
        if not found:
            listed = ", ".join(map(str, self._all())) or "none"
            raise IllegalMove(f"illegal move {text!r} in {fen} ({self.ruleset.id}); legal: {listed}")
        if len(found) > 1:
            listed = ", ".join(map(str, found))
            raise AmbiguousMove(f"ambiguous move {text!r} in {fen} ({self.ruleset.id}): {listed}")
        return found[0]


def legal_moves(rules: Ruleset, position: Position | str) -> LegalMoves:
    """Every move open to the side to move, by the rules of movement alone."""
    return LegalMoves(rules, _read(rules, position))


def play(rules: Ruleset, position: Position | str, move: Move | str) -> Position:
    """The position after a move, given as a Move or in any of its notations. Raises a MoveError.

    >>> play(ruleset("lb"), "B:W32:B1", "1-6").fen()
    'W:W32:B6'
    """
    before = _read(rules, position)
    moves = LegalMoves(rules, before)
    if isinstance(move, str):
        move = moves.find(move)
    elif move not in moves:
        raise IllegalMove(f"illegal move {str(move)!r} in {before.fen()} ({rules.id})")
    pieces, side = _pieces(before)
    board = before.board
    step = Step(board.bit(move.start), board.bit(move.end), board.mask(move.captured), move.promotes, ())
    return _position(before, _generator(rules).after(pieces, step), 1 - side)


def outcome(rules: Ruleset, position: Position | str) -> Outcome:
    """Whether the game is over in a position, and why.

    >>> print(outcome(ruleset("vl"), "W:W22:B18"))
    draw (one-piece-each)
    """
    now = _read(rules, position)
    ending = rules.rules.ending
    decided = _decided(rules, now)
    drawn = next((Outcome("draw", draw) for draw in ending.draws if _is_drawn(rules, now, draw)), None)
    first, second = (drawn, decided) if ending.order == "draws-first" else (decided, drawn)
    return first or second or Outcome("ongoing")


def _decided(rules: Ruleset, position: Position) -> Outcome | None:
    ending = rules.rules.ending
    for side in (position.turn, opponent(position.turn)):
        if not position.pieces(side):
            return _verdict(ending.no_pieces, side, "no-pieces")
    pieces, index = _pieces(position)
    if not _generator(rules).count(pieces, index):
        return _verdict(ending.no_moves, position.turn, "no-moves")
    return None


def _verdict(verb: str, side: Side, reason: str) -> Outcome:
    match verb:
        case "loses":
            return Outcome(opponent(side), reason)
        case "wins":
            return Outcome(side, reason)
        case _:
            return Outcome("draw", reason)


def _is_drawn(rules: Ruleset, position: Position, draw: str) -> bool:
    white, black = position.pieces("white"), position.pieces("black")
    if white.bit_count() != 1 or black.bit_count() != 1:
        return False
    match draw:
        case "one-piece-each":
            return True
        case "one-piece-each-same-kind":
            return bool(position.white_men) == bool(position.black_men)
        case _:  # one-piece-each-no-capture
            return not _generator(rules).captures(*_pieces(position))


def perft(rules: Ruleset, position: Position | str, depth: int) -> int:
    """The number of move sequences of length `depth` (convention *unique*: a move is counted once, however many
    paths it has). The end of the game by a draw is not looked at.

    >>> perft(ruleset("english"), "start", 4)
    1469
    """
    if depth < 0:
        raise ValueError(f"found depth {depth}, expected 0 or more")
    return _generator(rules).perft(*_pieces(_read(rules, position)), depth)


def divide(rules: Ruleset, position: Position | str, depth: int) -> dict[Move, int]:
    """For each legal move the number of sequences of length `depth` that begin with it."""
    if depth < 1:
        raise ValueError(f"found depth {depth}, expected 1 or more")
    now = _read(rules, position)
    return {move: perft(rules, play(rules, now, move), depth - 1) for move in legal_moves(rules, now)}


def _moves(generator: Generator, pieces: Pieces, side: int) -> list[Move]:
    number = generator.board.number
    steps = generator.captures(pieces, side)
    if not steps or generator.optional:
        steps = steps + generator.quiet(pieces, side)
    paths: dict[tuple[int, int, int, bool], set[tuple[int, ...]]] = defaultdict(set)
    for step in steps:
        paths[step[:4]].add(tuple(number(bit) for bit in step.path))
    moves = [
        Move(number(start), number(end), tuple(generator.board.numbers(captured)), crowned, tuple(sorted(ways)))
        for (start, end, captured, crowned), ways in paths.items()
    ]
    return sorted(moves, key=lambda move: move.path)


def _read(rules: Ruleset, position: Position | str) -> Position:
    return read_position(rules, position) if isinstance(position, str) else position


class Game:
    """A game in progress: a ruleset, a position and the moves that led to it.

    >>> game = Game("lb")
    >>> game.push("11-15").fen()
    'W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,15'
    >>> game.legal_moves
    <LegalMoves 21-17, 22-17, 22-18, 23-18, 23-19, 24-19, 24-20>
    >>> str(game.pop()), str(game.outcome())
    ('11-15', 'ongoing')
    """

    def __init__(self, rules: Ruleset | str, position: Position | str = "start") -> None:
        self.ruleset = ruleset(rules) if isinstance(rules, str) else rules
        self._positions = [_read(self.ruleset, position)]
        self.moves: list[Move] = []

    @property
    def position(self) -> Position:
        """The position now."""
        return self._positions[-1]

    @property
    def turn(self) -> Side:
        """The side to move."""
        return self.position.turn

    @property
    def legal_moves(self) -> LegalMoves:
        """The legal moves now; `"11-15" in game.legal_moves` works too."""
        return LegalMoves(self.ruleset, self.position)

    def push(self, move: Move | str) -> Position:
        """Play a move; the position after it. Raises a MoveError and leaves the game as it was."""
        found = self.legal_moves.find(move) if isinstance(move, str) else move
        self._positions.append(play(self.ruleset, self.position, found))
        self.moves.append(found)
        return self.position

    def pop(self) -> Move:
        """Take the last move back and return it. Raises IndexError at the start."""
        move = self.moves.pop()
        self._positions.pop()
        return move

    def outcome(self) -> Outcome:
        """Whether the game is over now."""
        return outcome(self.ruleset, self.position)

    def fen(self) -> str:
        """The position now as FEN."""
        return self.position.fen()

    def __str__(self) -> str:
        return str(self.position)

    def __repr__(self) -> str:
        return f"damspec.Game({self.ruleset.id!r}, {self.fen()!r})"

    def _repr_svg_(self) -> str:
        return self.position._repr_svg_()
