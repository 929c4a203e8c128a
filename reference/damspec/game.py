"""The playing interface: legal moves, the position after a move, the outcome, perft, and games with history.

Every `ruleset` argument also accepts an id, and every `position` argument a FEN.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, overload

from .arrays import move_index, move_index_size
from .board import Side
from .data import build_unchecked, schema_problem
from .drawing import svg
from .errors import (
    AmbiguousMoveError,
    ArgumentTypeError,
    IllegalMoveError,
    InvalidMoveError,
    MoveError,
    PdnError,
    as_index,
    expect,
    quote_any,
    whole_number,
)
from .king_runs import fit_position
from .move import Action, Move, is_move_text, matching, read_squares
from .other_names import OtherNames, OtherNamesABC
from .outcomes import Outcome, count_reversible_moves, outcome_of_game
from .pdn.parser import read_record
from .pdn.record import WrittenGame
from .pdn.tree import GameRecord
from .perft_counts import DEEPEST, Convention, count_nodes, ways
from .position import Piece, Position
from .ruleset import Ruleset, to_ruleset


@dataclass(frozen=True, repr=False)
class LegalMoves(Sequence[Action], metaclass=OtherNamesABC):
    """The legal actions of a position, generated on first use.

    Two are equal if their ruleset and position are.

    >>> moves = legal_moves("vl", "W:W22:B18")
    >>> len(moves), "22x15" in moves, moves
    (1, True, <LegalMoves 22x15>)
    """

    ruleset: Ruleset
    position: Position
    _place: ClassVar[int] = 0

    def __post_init__(self) -> None:
        expect(self.ruleset, "ruleset", Ruleset, "a Ruleset")
        expect(self.position, "position", Position, "a Position")
        self.ruleset.position_of(self.position)

    @cached_property
    def _actions(self) -> tuple[Action, ...]:
        return tuple(self.ruleset.turns.actions(self.position))

    @cached_property
    def lapses(self) -> tuple[Move, ...]:
        """The moves that break the duty to capture but may be played under huffing; empty without huffing."""
        return tuple(self.ruleset.turns.lapses(self.position))

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """The actions that move a piece; all of them where there is neither spinner nor huffing."""
        return tuple(action for action in self._actions if isinstance(action, Move))

    def _lists(self, action: object) -> bool:
        """Return whether an object is one of these very actions, which is quicker than comparing their values.

        A search plays them in order, so the one after the last is looked at first.
        """
        actions, place = self._actions, self._place
        if place < len(actions) and actions[place] is action:
            self.__dict__["_place"] = place + 1
            return True
        return id(action) in self._identities

    @cached_property
    def _identities(self) -> frozenset[int]:
        return frozenset(map(id, self._actions))

    def __len__(self) -> int:
        return len(self._actions)

    @overload
    def __getitem__(self, place: int) -> Action: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Action, ...]: ...
    def __getitem__(self, place: int | slice) -> Action | tuple[Action, ...]:
        number = as_index(place)
        if number is not None:
            return self._actions[number]
        expect(place, "place", slice, "a number or a slice")
        return self._actions[place]

    def __iter__(self) -> Iterator[Action]:
        return iter(self._actions)

    def __contains__(self, action: object) -> bool:
        if not isinstance(action, str):
            return action in self._actions
        try:
            return len(self._matching_actions(action, self._actions)) == 1
        except InvalidMoveError:
            return False

    if not TYPE_CHECKING:

        def __call__(self) -> NoReturn:
            raise TypeError("legal_moves is a property: write game.legal_moves, without ()")

    def __repr__(self) -> str:
        return f"<LegalMoves {_join_actions(self._actions)}>"

    def find(self, move: str | Mapping[str, Any]) -> Action:
        """Return the legal action or huffable move that a text denotes; unambiguous short forms of captures will do.

        A dict is read as the engine protocol reads an object: `move` is the text, of which only the first and the last
        square count if there is something in `captured`. So what an action's `to_dict` wrote is found again. Raises
        InvalidMoveError, IllegalMoveError or AmbiguousMoveError.

        >>> legal_moves("lb", "W:W21:B10,17").find({"move": "21x7", "captured": [17, 10]}).text
        '21x14x7'
        """
        expect(move, "move", (str, Mapping), "a move's notation, or a dict as its to_dict returns")
        actions = [*self._actions, *self.lapses]
        found = self._matching_actions(move, actions) if isinstance(move, str) else self._matching_entry(move, actions)
        if len(found) == 1:
            return found[0]
        if not found:
            raise self._illegal_move(move)
        where = f"{quote_any(move)} in {self.position.fen()} ({self.ruleset.id})"
        raise AmbiguousMoveError(f"ambiguous move {where}: {_join_actions(found)}")

    def _illegal_move(self, move: object) -> IllegalMoveError:
        """Return the error for a move that is not legal, which lists those that are."""
        legal = _join_actions(self._actions)
        return IllegalMoveError(
            f"illegal move {quote_any(move)} in {self.position.fen()} ({self.ruleset.id}); legal: {legal}"
        )

    def read(self, text: str) -> Action:
        """Return the action that `text` denotes as people write it: as `find` does, or with other signs, as in games.

        So does Hub's notation, where the end comes second and then the captured squares in any order. Raises as `find`.

        >>> print(legal_moves("english", "W:W30:B26,18,19").read("30-23-14"))
        30x23x14
        """
        from .pdn.notation import notation_of  # loaded on use: most programs read no games

        expect(text, "move", str, "a move's notation")
        try:
            return self.find(text)
        except MoveError as error:
            moves = [action for action in (*self._actions, *self.lapses) if isinstance(action, Move)]
            try:
                found = notation_of(self.ruleset).matching_moves(text, moves) or self._written_by_hub(text, moves)
            except InvalidMoveError:
                raise error from None
            if len(found) != 1:
                raise
            return found[0]

    def _written_by_hub(self, text: str, moves: Sequence[Move]) -> list[Move]:
        (start, end, *captured), _ = read_squares(text, self.position.board)
        return [move for move in moves if (move.start, move.end, [*move.captured]) == (start, end, sorted(captured))]

    def after(self, action: Action | str) -> Position:
        """Return the position after an action or huffable move, as a value or in notation. Raises MoveError."""
        if isinstance(action, str):
            return self.ruleset.turns.after_listed(self.position, self.find(action))
        if self._lists(action):
            return self.ruleset.turns.after_listed(self.position, action)
        expect(action, "move", Action, "a move or its notation")
        if action not in self and action not in self.lapses:
            raise self._illegal_move(str(action))
        return self.ruleset.turns.after(self.position, action)

    @property
    def move_index_size(self) -> int:
        """The number of indices that actions of this ruleset can have, legal or not."""
        return move_index_size(self.ruleset.rules)

    def move_index(self, action: Action | str) -> int:
        """Return the index of an action or huffable move for a program that learns, as a value or in notation.

        It is from 0 to `move_index_size` - 1 and depends on start and end alone, as the side to move sees them:
        moves that differ only in what they capture or promote share an index. docs/library.md has the table. Raises
        MoveError.

        >>> legal_moves("lb", "W:W21:B1").move_index("21-17"), legal_moves("lb", "B:W32:B12").move_index("12-16")
        (656, 656)
        """
        if isinstance(action, str):
            action = self.find(action)
        elif not self._lists(action) and action not in self and action not in self.lapses:
            expect(action, "move", Action, "a move or its notation")
            raise self._illegal_move(str(action))
        return move_index(self.ruleset.rules, self.position, action)

    def with_move_index(self, index: int) -> tuple[Action, ...]:
        """Return the legal actions and huffable moves that have an index: none, one, or moves that share it.

        >>> legal_moves("lb", "W:W21:B1").with_move_index(656)
        (Move(start=21, end=17, captured=(), promotes=False, falls=False),)
        """
        index = whole_number(index, "index", 0, self.move_index_size - 1)
        rules, position = self.ruleset.rules, self.position
        return tuple(each for each in (*self, *self.lapses) if move_index(rules, position, each) == index)

    def _matching_entry(self, entry: Mapping[str, Any], actions: Sequence[Action]) -> list[Action]:
        if problem := schema_problem(entry, "protocol", "action"):
            raise InvalidMoveError(f"{quote_any(entry)} is no action: {problem}")
        text, captured = entry["move"], {*entry["captured"]}
        if not captured:
            return [action for action in self._matching_actions(text, actions) if not action.captured]
        squares, _ = read_squares(text, self.position.board)
        ends = squares[0], squares[-1]
        return [action for action in actions if (action.start, action.end) == ends and {*action.captured} == captured]

    def _matching_actions(self, text: str, actions: Sequence[Action]) -> list[Action]:
        if is_move_text(text):
            return [*matching(text, [a for a in actions if isinstance(a, Move)], self.position.board)]
        return [action for action in actions if str(action) == text]


def unchecked_position(ruleset: Ruleset, text: str) -> Position:
    """Parse a FEN, or `start`, without checking that the position can occur under the ruleset. Raises PositionError."""
    if text == "start":
        return Position.start(ruleset.rules)
    return fit_position(ruleset.rules, Position.from_fen(text, ruleset.rules.board))


def unchecked_moves(ruleset: Ruleset, position: Position) -> LegalMoves:
    """Return the legal moves of a position without checking that it can occur under the ruleset."""
    return build_unchecked(LegalMoves, ruleset=ruleset, position=position)


def _listed_moves(ruleset: Ruleset, position: Position) -> LegalMoves:
    """Return the legal moves of a position, already generated."""
    moves = object.__new__(LegalMoves)
    fields = moves.__dict__
    fields["ruleset"], fields["position"] = ruleset, position
    fields["_actions"] = tuple(ruleset.turns.actions(position))
    return moves


def _join_actions(actions: Sequence[Action]) -> str:
    return ", ".join(map(str, actions)) or "none"


def legal_moves(ruleset: Ruleset | str, position: Position | str) -> LegalMoves:
    """Return every action open to the side to move, by the rules of movement alone."""
    return unchecked_moves(*_resolve(ruleset, position))


def play(ruleset: Ruleset | str, position: Position | str, action: Action | str) -> Position:
    """Return the position after an action or huffable move, as a value or in notation. Raises MoveError.

    >>> play("lb", "B:W32:B1", "1-6").fen()
    'W:W32:B6'
    """
    return legal_moves(ruleset, position).after(action)


def outcome(ruleset: Ruleset | str, position: Position | str, moves: Iterable[Action | str] = ()) -> Outcome:
    """Return the outcome of a position, or of the game after `moves` played from it.

    Draws by repetition and by counting moves are found only among `moves`: nothing before the position counts. Raises
    MoveError for a move that is not legal.

    >>> print(outcome("vl", "W:W22:B18"))
    draw (one-piece-each)
    >>> print(outcome("english", "W:WK32:BK1", 2 * ["32-28", "1-5", "28-32", "5-1"]))
    draw (repetition)
    """
    game = Game(ruleset, position)
    game.push_all(moves)
    return game.outcome()


def perft(ruleset: Ruleset | str, position: Position | str, depth: int, count: Convention = "unique") -> int:
    """Count the sequences of `depth` legal actions.

    The results of a spin count as actions. Moves that break the duty to capture are left out, and no draw ends a
    sequence, neither one by the position nor one by its history.

    `count` says how often to count a move that captures the same pieces in several ways: once ("unique"), once for each
    order in which it captures them ("sequences"), or once for each list of squares it touches ("paths", which is
    slower).

    >>> perft("english", "start", 4)
    1469
    >>> [perft("russian", "W:WK29:B15,25", 1, count) for count in ("unique", "sequences", "paths")]
    [3, 3, 6]
    """
    depth = whole_number(depth, "depth", 0, DEEPEST)
    by, now = _resolve(ruleset, position)
    return count_nodes(by.turns, now, depth, count)


def divide(
    ruleset: Ruleset | str, position: Position | str, depth: int, count: Convention = "unique"
) -> dict[Action, int]:
    """Return, for each legal action, the number of sequences of length `depth` that begin with it, as in `perft`."""
    depth = whole_number(depth, "depth", 1, DEEPEST)
    by, now = _resolve(ruleset, position)
    turns = by.turns
    return {
        action: ways(action, now.board, count) * count_nodes(turns, turns.after(now, action), depth - 1, count)
        for action in turns.actions(now)
    }


def _resolve(ruleset: Ruleset | str, position: Position | str) -> tuple[Ruleset, Position]:
    by = to_ruleset(ruleset)
    return by, by.position_of(position)


class Game(metaclass=OtherNames):
    """A game in progress: a ruleset, a position and the actions that led to it.

    >>> game = Game("lb")
    >>> game.push("11-15").fen()
    'W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,15'
    >>> game.legal_moves
    <LegalMoves 21-17, 22-17, 22-18, 23-18, 23-19, 24-19, 24-20>
    >>> str(game.peek()), str(game.pop()), game.is_over
    ('11-15', '11-15', False)
    """

    def __init__(self, ruleset: Ruleset | str, position: Position | str = "start") -> None:
        self.ruleset, first = _resolve(ruleset, position)
        self._positions = [first]
        self._history: list[Action] = []
        self._legal: list[LegalMoves | None] = [None]
        self._after = self.ruleset.turns.after_listed
        #: The game in PDN that this one came from, and its moves.
        self._pdn: tuple[GameRecord, tuple[Action, ...]] | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is found again: legal moves, and the function that plays them with all its tables."""
        return {**self.__dict__, "_legal": [None] * len(self._positions), "_after": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._after = self.ruleset.turns.after_listed

    @classmethod
    def from_pdn(cls, text: str | GameRecord, ruleset: Ruleset | str | None = None) -> Game:
        """Load the mainline of a game from PDN text, or from a game of `damspec.pdn`.

        The game is played by `ruleset` if given, else by the one that its headers name. `pdn` writes it back with its
        headers, comments and variations. Raises PdnError or RulesetError.

        >>> game = Game.from_pdn('[GameType "20"] 1. 32-28 {as always} 19-23 2. 28x19 14x23 1-1')
        >>> game.ruleset.id, len(game.history)
        ('international', 4)
        >>> print(game.pdn())
        [GameType "20"]
        <BLANKLINE>
        1. 32-28 {as always} 19-23 2. 28x19 14x23 1-1
        """
        # Loaded on use: most programs read no games.
        from .pdn.games import MAY_BE_MISREAD, find_orientation, replay, ruleset_for

        expect(text, "text", (str, GameRecord, WrittenGame), "a game in PDN or a pdn.GameRecord")
        if isinstance(text, GameRecord):
            ruleset, record = text.ruleset if ruleset is None else ruleset, text.to_written()
        else:
            record = read_record(text) if isinstance(text, str) else text
        by = ruleset_for(record) if ruleset is None else to_ruleset(ruleset)
        replayed = replay(record, by, is_strict=True)
        wrong = next((problem for problem in replayed.problems if problem.main and problem.kind != "form"), None)
        if wrong is None and replayed.start is not None:
            game = cls(by, replayed.start)
            for action in replayed.actions:  # found to be legal when they were read
                game._positions.append(by.turns.after(game._positions[-1], action))
            game._history += replayed.actions
            game._legal = [None] * len(game._positions)
            game._pdn = GameRecord.from_written(record, by), replayed.actions
            return game
        starts = replay(record, by).plies > 0
        if found := find_orientation([record], by, starts=starts):
            raise PdnError(f"line {record.line}: {found}")
        message = f"line {wrong.line}: {wrong}" if wrong else "nothing is played"
        raise PdnError(message if starts or "FEN" in record.tags else f"{message}; {MAY_BE_MISREAD}")

    def pdn(self, tags: Mapping[str, str] | None = None) -> str:
        """Return the game as PDN 3.0, with extra tags if given; `from_pdn` reads it back.

        A game that came from PDN keeps its headers, comments and variations, as far as its moves are still those.

        >>> print(Game("russian").pdn({"White": "Ann"}))
        [White "Ann"]
        [Result "*"]
        [GameType "25,W,8,8,A0,0"]
        <BLANKLINE>
        *
        """
        from .pdn.games import record_of

        if self._pdn is None:
            return str(record_of(self.ruleset, self._positions[0], self._history, tags))
        game, actions = self._pdn
        if tuple(self._history) != actions:
            game = self._annotate(game, actions)
        record = game.to_written()
        return str(
            WrittenGame({**record.tags, **(tags or {})}, record.body, termination_marker=record.termination_marker)
        )

    def _annotate(self, game: GameRecord, actions: Sequence[Action]) -> GameRecord:
        """Return a game of PDN with this game's moves for its mainline, and what it says of those that they share."""
        from .pdn.games import record_of

        written = GameRecord.from_written(record_of(self.ruleset, self._positions[0], self._history), self.ruleset)
        same = next((n for n, (a, b) in enumerate(zip(actions, self._history, strict=False)) if a != b), None)
        shared = min(len(actions), len(self._history)) if same is None else same
        if sum(1 for _ in game.mainline()) == len(actions):  # else captures are written jump by jump
            written.nags, written.comments = game.nags, game.comments
            for _, new, old in zip(range(shared), written.mainline(), game.mainline(), strict=False):
                new.annotate_from(old)
        result = written.headers["Result"]
        written.headers = {**game.headers, **written.headers, **game.headers, "Result": result}
        return written

    @property
    def position(self) -> Position:
        """The current position."""
        return self._positions[-1]

    @property
    def positions(self) -> tuple[Position, ...]:
        """The positions of the game: the first one, then that after each action."""
        return tuple(self._positions)

    @property
    def history(self) -> tuple[Action, ...]:
        """The actions played, in order."""
        return tuple(self._history)

    @property
    def turn(self) -> Side:
        """The side to move."""
        return self.position.turn

    @property
    def ply(self) -> int:
        """The number of actions played."""
        return len(self._history)

    @property
    def halfmove_clock(self) -> int:
        """The number of moves of both sides since the last capture or move of a man."""
        return count_reversible_moves(self._positions, self._history)

    @property
    def legal_moves(self) -> LegalMoves:
        """The legal moves of the current position; supports `"11-15" in game.legal_moves`."""
        legal = self._legal[-1]
        if legal is None:
            legal = self._legal[-1] = _listed_moves(self.ruleset, self._positions[-1])
        return legal

    def push(self, move: Action | str) -> Position:
        """Play a move and return the position after it. Raises MoveError and leaves the game unchanged."""
        legal = self._legal[-1]
        if legal is not None and legal._lists(move):
            after = self._after(self._positions[-1], move)  # type: ignore[arg-type]  # a listed move is no text
        else:
            legal = self.legal_moves
            if isinstance(move, str):
                move = legal.find(move)
            after = legal.after(move)
        self._positions.append(after)
        self._history.append(move)  # type: ignore[arg-type]
        self._legal.append(None)
        return after

    def push_all(self, moves: Iterable[Action | str]) -> Position:
        """Play moves one after another, texts as `LegalMoves.read` takes them, and return the position after them.

        Raises MoveError, which says which of them is not legal; those before it stay played.

        >>> Game("lb").push_all(["11-15", "21-17"]).turn
        'black'
        """
        if isinstance(moves, str) or not isinstance(moves, Iterable):
            raise ArgumentTypeError(f"moves: found {quote_any(moves)}, expected a list of moves or their notations")
        for number, move in enumerate(moves, 1):
            try:
                self.push(self.legal_moves.read(move) if isinstance(move, str) else move)
            except MoveError as error:
                raise type(error)(f"move {number}: {error}") from None
        return self.position

    def pop(self) -> Action:
        """Take back the last move and return it. Raises IndexError at the start."""
        if not self._history:
            self.peek()
        del self._positions[-1], self._legal[-1]
        return self._history.pop()

    def peek(self) -> Action:
        """Return the last move. Raises IndexError at the start."""
        if not self._history:
            raise IndexError(f"no move has been played in this game: {self!r}")
        return self._history[-1]

    def piece_at(self, square: int) -> Piece | None:
        """Return the piece on a square, or None. Raises PositionError if there is no such square."""
        return self.position[square]

    def copy(self) -> Game:
        """Return an independent copy of the game."""
        other = Game(self.ruleset)
        other._legal = self._legal[:]
        other._positions, other._history, other._pdn = self._positions[:], self._history[:], self._pdn
        return other

    def is_capture(self, move: Action | str) -> bool:
        """Return whether a move, as a value or in notation, captures. Raises MoveError if a text is no legal move."""
        found = self.legal_moves.find(move) if isinstance(move, str) else move
        expect(found, "move", Action, "a move or its notation")
        return found.is_capture

    def is_repetition(self, count: int = 3) -> bool:
        """Return whether the current position has occurred `count` times in this game, with the same side to move."""
        count = whole_number(count, "count", 1)
        return self._positions.count(self._positions[-1]) >= count

    def result(self) -> str:
        """Return the result as PDN writes it for this ruleset, such as `2-0` or `1-0`; `*` if the game goes on."""
        from .pdn.notation import notation_of

        return notation_of(self.ruleset).known.result(self.outcome().result)

    def __eq__(self, other: object) -> bool:
        """Return whether two games have the same ruleset, first position and moves; comments in PDN do not count."""
        if not isinstance(other, Game):
            return NotImplemented
        same = self.ruleset == other.ruleset and self._positions[0] == other._positions[0]
        return same and self._history == other._history

    __hash__ = None  # type: ignore[assignment]  # a game changes

    def outcome(self) -> Outcome:
        """Return the outcome of the game so far, including draws by repetition and by counting moves."""
        return outcome_of_game(self.ruleset.turns, self._positions, self._history)

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.outcome().is_over

    def fen(self) -> str:
        """Return the current position as FEN."""
        return self.position.fen()

    def __str__(self) -> str:
        return str(self.position)

    def __repr__(self) -> str:
        return f"damspec.Game({self.ruleset.id!r}, {self.fen()!r})"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Print the first position and the moves in IPython, and in Hypothesis's failing examples."""
        first = Game(self.ruleset, self._positions[0])
        printer.text(f"{first!r} after {_join_actions(self._history)}" if self._history else repr(first))

    def _repr_svg_(self) -> str:
        return svg(self.position, lastmove=self._history[-1] if self._history else None)
