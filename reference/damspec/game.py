"""Playing: the three questions (legal moves, the position after one, the outcome), perft, and games with history."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Literal, overload

from .action import Action, is_move_text
from .board import Side, opponent
from .errors import AmbiguousMove, IllegalMove, InvalidMove, PositionError
from .move import Move, matching
from .position import Position
from .possible import objection
from .ruleset import Ruleset, load_ruleset
from .trapdoors import with_sliders
from .turn import Turns


@dataclass(frozen=True)
class Outcome:
    """Whether the game is over: `result` is `ongoing`, a side that has won, or `draw`; `reason` says by what."""

    result: Literal["ongoing", "white", "black", "draw"]
    reason: str | None = None

    def __str__(self) -> str:
        return f"{self.result} ({self.reason})" if self.reason else self.result


@cache
def _turns(ruleset: Ruleset) -> Turns:
    return Turns(ruleset.rules)


def read_position(ruleset: Ruleset, text: str) -> Position:
    """The position of `start` or a FEN, if a game by these rules can have it. Raises PositionError."""
    if text == "start":
        return Position.start(ruleset.rules)
    position = with_sliders(ruleset.rules, Position.from_fen(text, ruleset.rules.board))
    wrong = objection(_turns(ruleset), position)
    if wrong:
        raise PositionError(f"position {text!r} in {ruleset.id}: {wrong}")
    return position


class LegalMoves(Sequence[Action]):
    """The legal actions of a position, worked out when they are first looked at.

    >>> moves = legal_moves(load_ruleset("vl"), "W:W22:B18")
    >>> len(moves), "22x15" in moves, moves
    (1, True, <LegalMoves 22x15>)
    """

    def __init__(self, ruleset: Ruleset, position: Position) -> None:
        self.ruleset, self.position = ruleset, position

    @cached_property
    def _actions(self) -> list[Action]:
        return _turns(self.ruleset).actions(self.position)

    @cached_property
    def lapses(self) -> list[Move]:
        """The moves that break the duty to capture and can be played all the same; none where there is no huffing."""
        return _turns(self.ruleset).lapses(self.position)

    @cached_property
    def moves(self) -> list[Move]:
        """Those of the actions that move a piece; all of them where there is neither spinner nor huffing."""
        return [action for action in self._actions if isinstance(action, Move)]

    def __len__(self) -> int:
        return len(self._actions)

    @overload
    def __getitem__(self, place: int) -> Action: ...
    @overload
    def __getitem__(self, place: slice) -> list[Action]: ...
    def __getitem__(self, place: int | slice) -> Action | list[Action]:
        return self._actions[place]

    def __iter__(self) -> Iterator[Action]:
        return iter(self._actions)

    def __contains__(self, action: object) -> bool:
        if not isinstance(action, str):
            return action in self._actions
        try:
            return len(self._meant(action, self._actions)) == 1
        except InvalidMove:
            return False

    def __repr__(self) -> str:
        return f"<LegalMoves {_listed(self._actions)}>"

    def find(self, text: str) -> Action:
        """The legal action or the lapse that a notation means; short forms of captures where they mean only one.

        Raises InvalidMove, IllegalMove or AmbiguousMove.
        """
        found = self._meant(text, [*self._actions, *self.lapses])
        where = f"{text!r} in {self.position.fen()} ({self.ruleset.id})"
        if not found:
            raise IllegalMove(f"illegal move {where}; legal: {_listed(self._actions)}")
        if len(found) > 1:
            raise AmbiguousMove(f"ambiguous move {where}: {_listed(found)}")
        return found[0]

    def _meant(self, text: str, actions: Sequence[Action]) -> list[Action]:
        if is_move_text(text):
            return [*matching(text, [a for a in actions if isinstance(a, Move)], self.position.board)]
        return [action for action in actions if str(action) == text]


def _listed(actions: Sequence[Action]) -> str:
    return ", ".join(map(str, actions)) or "none"


def legal_moves(ruleset: Ruleset, position: Position | str) -> LegalMoves:
    """Every action open to the side to move, by the rules of movement alone."""
    return LegalMoves(ruleset, _read(ruleset, position))


def play(ruleset: Ruleset, position: Position | str, action: Action | str) -> Position:
    """The position after an action, or a lapse, given as a value or in any of its notations. Raises a MoveError.

    >>> play(load_ruleset("lb"), "B:W32:B1", "1-6").fen()
    'W:W32:B6'
    """
    before = _read(ruleset, position)
    moves = LegalMoves(ruleset, before)
    if isinstance(action, str):
        action = moves.find(action)
    elif action not in moves and action not in moves.lapses:
        raise IllegalMove(f"illegal move {str(action)!r} in {before.fen()} ({ruleset.id})")
    return _turns(ruleset).after(before, action)


def outcome(ruleset: Ruleset, position: Position | str) -> Outcome:
    """Whether the game is over in a position, and why.

    >>> print(outcome(load_ruleset("vl"), "W:W22:B18"))
    draw (one-piece-each)
    """
    now = _read(ruleset, position)
    ending = ruleset.rules.ending
    decided = _decided(ruleset, now)
    # ending.draws, ending.order
    drawn = next((Outcome("draw", draw) for draw in ending.draws if _is_drawn(ruleset, now, draw)), None)
    first, second = (drawn, decided) if ending.order == "draws-first" else (decided, drawn)
    return first or second or Outcome("ongoing")


def _decided(ruleset: Ruleset, position: Position) -> Outcome | None:
    ending = ruleset.rules.ending
    empty = [side for side in (position.turn, opponent(position.turn)) if not position.pieces(side)]
    if len(empty) == 2 and ending.both_empty:  # ending.both-empty
        mover = position.turn if position.spin == "due" else opponent(position.turn)
        verb = {"mover-wins": "wins", "mover-loses": "loses", "draw": "draws"}[ending.both_empty]
        return _verdict(verb, mover, "both-empty")
    if empty:  # ending.no-pieces
        return _verdict(ending.no_pieces, empty[0], "no-pieces")
    if not _turns(ruleset).actions(position):  # ending.no-moves
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


def _is_drawn(ruleset: Ruleset, position: Position, draw: str) -> bool:
    white, black = position.pieces("white"), position.pieces("black")
    if white.bit_count() != 1 or black.bit_count() != 1:
        return False
    match draw:
        case "one-piece-each":
            return True
        case "one-piece-each-same-kind":
            return bool(position.white_men) == bool(position.black_men)
        case _:  # one-piece-each-no-capture
            return not _turns(ruleset).can_capture(position)


def perft(ruleset: Ruleset, position: Position | str, depth: int) -> int:
    """The number of sequences of `depth` legal actions (convention *unique*: a move is counted once, however many
    paths it has). Outcomes of chance are actions, lapses are not counted, and draws do not end a sequence.

    >>> perft(load_ruleset("english"), "start", 4)
    1469
    """
    if depth < 0:
        raise ValueError(f"found depth {depth}, expected 0 or more")
    return _turns(ruleset).perft(_read(ruleset, position), depth)


def divide(ruleset: Ruleset, position: Position | str, depth: int) -> dict[Action, int]:
    """For each legal action the number of sequences of length `depth` that begin with it."""
    if depth < 1:
        raise ValueError(f"found depth {depth}, expected 1 or more")
    now, turns = _read(ruleset, position), _turns(ruleset)
    return {action: turns.perft(turns.after(now, action), depth - 1) for action in turns.actions(now)}


def _read(ruleset: Ruleset, position: Position | str) -> Position:
    return read_position(ruleset, position) if isinstance(position, str) else position


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
        self.ruleset = load_ruleset(rules) if isinstance(rules, str) else rules
        self._positions = [_read(self.ruleset, position)]
        self.moves: list[Action] = []

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

    def push(self, move: Action | str) -> Position:
        """Play a move; the position after it. Raises a MoveError and leaves the game as it was."""
        found = self.legal_moves.find(move) if isinstance(move, str) else move
        self._positions.append(play(self.ruleset, self.position, found))
        self.moves.append(found)
        return self.position

    def pop(self) -> Action:
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
