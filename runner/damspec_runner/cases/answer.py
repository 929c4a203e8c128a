"""What a player says about a case, whether an engine or rules, and the one comparison of two answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Any, Generic, Literal, TypeVar

from damspec import Action, DamspecError, Game, Position, Ruleset
from damspec.errors import strip_control_characters
from damspec.king_runs import fit_position
from damspec.move import is_move_text, read_squares, shortens
from damspec.position import with_sliders

from .case import Case, Expectation
from .notation import Key, is_possible_capture, move_effect

#: A position, or in its place what the player said: a text that is none, an error.
After = Position | str
#: The two lists of what can be done in a position.
ListName = Literal["moves", "lapses"]
LISTS: tuple[ListName, ...] = ("moves", "lapses")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing in which an answer differs from another; `step` is the place in a game, 0 outside of one."""

    what: Literal["missing", "extra", "after", "outcome", "start", "played"]
    key: Key | None = None
    among: ListName = "moves"
    step: int = 0


class Positions(Mapping[Key, After], Generic[T]):
    """The positions after moves, each worked out when it is first looked at; `sources` is what they are made from."""

    def __init__(self, sources: Mapping[Key, T], make: Callable[[T], After]) -> None:
        self._sources, self._make = sources, make
        self._made: dict[Key, After] = {}

    def __getitem__(self, key: Key) -> After:
        if key not in self._made:
            self._made[key] = self._make(self._sources[key])
        return self._made[key]

    def __iter__(self) -> Iterator[Key]:
        return iter(self._sources)

    def __len__(self) -> int:
        return len(self._sources)

    def __contains__(self, key: object) -> bool:
        return key in self._sources


@dataclass(frozen=True)
class Answer:
    """What a player says about a case; None, or a key that is not there, is what it was not asked or does not say.

    `moves` and `lapses` have by its key how each is written, `after` the positions after them. A key that is a text is
    no move of pieces on this board. `game` has an answer for each action of a game, about that action alone. `played`
    is the one move of a player that lists nothing, empty if it plays none.

    The rest is only shown: `texts` and `start_text` have the positions as they were written, `unparsable` what among
    the moves is no notation, `duplicates` what was listed again.
    """

    moves: Mapping[Key, str | Action] | None = None
    lapses: Mapping[Key, str | Action] | None = None
    after: Mapping[Key, After] = field(default_factory=dict)
    outcome: str | None = None
    start: After | None = None
    game: tuple[Answer, ...] = ()
    played: Mapping[Key, str] | None = None
    texts: Mapping[Key, str] = field(default_factory=dict)
    start_text: str | None = None
    unparsable: tuple[str, ...] = ()
    duplicates: tuple[str, ...] = ()

    def differs(self, other: Answer) -> tuple[Difference, ...]:
        """Return in what another answer differs, where both say something; empty if they agree."""
        return tuple(self.differences(other))

    def agrees(self, other: Answer) -> bool:
        """Return whether another answer differs in nothing; positions are worked out only as far as it takes."""
        return next(self.differences(other), None) is None

    def differences(self, other: Answer) -> Iterator[Difference]:
        """Yield in what another answer differs, where both say something."""
        if self.played is not None and other.played is not None and self.played.keys() != other.played.keys():
            yield Difference("played", next(iter(other.played), None))
        if self.moves is not None and other.played is not None:
            able = self.moves.keys() | (self.lapses or {}).keys()
            if not able & other.played.keys() and (able or other.played):
                yield Difference("played", next(iter(other.played), None))
        if self.outcome is not None and other.outcome is not None and self.outcome != other.outcome:
            yield Difference("outcome")
        if self.start is not None and other.start is not None and self.start != other.start:
            yield Difference("start")
        for among in LISTS:
            mine, given = getattr(self, among), getattr(other, among)
            if mine is not None and given is not None and mine.keys() != given.keys():
                yield from (Difference("missing", one, among) for one in mine if one not in given)
                yield from (Difference("extra", one, among) for one in given if one not in mine)
        for one in other.after:
            text = other.texts.get(one) if other.texts else None
            is_same_text = text is not None and text == self.texts.get(one)
            if one in self.after and not is_same_text and self.after[one] != other.after[one]:
                yield Difference("after", one)
        for step, (mine, given) in enumerate(zip(self.game, other.game, strict=False), 1):
            yield from (replace(difference, step=step) for difference in mine.differences(given))


@dataclass(frozen=True)
class Question:
    """A case, read once on the board of its ruleset; with a `reading` its other answer is the expected one."""

    case: Case
    ruleset: Ruleset
    reading: str | None = None

    def __hash__(self) -> int:
        return hash((self.case.id, self.reading))

    @property
    def wanted(self) -> Expectation:
        """The expected answer as the case writes it."""
        return self.case.expected if self.reading is None else self.case.otherwise[self.reading]

    @cached_property
    def position(self) -> Position:
        """The position. Raises PositionError."""
        return self.fit(self.parse_position(self.case.position))

    @cached_property
    def expected(self) -> Answer:
        """The expected answer."""
        wanted, position = self.wanted, self.position
        start = position if self.case.position == "start" else None
        if wanted.outcome is not None:
            return Answer(outcome=wanted.outcome.result, start=start)
        if wanted.end is not None:
            played = zip(self.game_positions, wanted.game, strict=False)
            steps = (self._listed(before, {text: fen}, None) for before, (text, fen) in played)
            return Answer(outcome=wanted.end.result, game=tuple(steps), start=start)
        lapses = wanted.lapses if self.ruleset.rules.huff else {}
        return replace(self._listed(position, wanted.moves or {}, lapses), start=start)

    def _listed(self, position: Position, moves: Mapping[str, str], lapses: Mapping[str, str] | None) -> Answer:
        keys = {text: read_key(position, text) for text in chain(moves, lapses or ())}
        fens = {keys[text]: fen for text, fen in chain(moves.items(), (lapses or {}).items())}
        return Answer(
            {keys[text]: text for text in moves},
            None if lapses is None else {keys[text]: text for text in lapses},
            Positions(fens, self.parse_position),
            texts=fens,
        )

    @cached_property
    def game_positions(self) -> Sequence[Position]:
        """The position before each action of a game, and that at its end."""
        return [self.position, *(self.parse_position(fen) for _, fen in self.wanted.game)]

    @cached_property
    def line(self) -> tuple[Sequence[Position], Sequence[Action]]:
        """The positions that the history of the case goes through, and its actions. Raises MoveError.

        They are played by the case's own rules, not by those of whoever is asked how the game stands after them.
        """
        game = Game(self.ruleset, self.position)
        return [self.position, *map(game.push, self.case.history)], game.history

    def parse_position(self, text: str) -> Position:
        """Parse a position for comparison, even an impossible one. Raises PositionError."""
        return read_position(self.ruleset, text)

    def fit(self, position: Position) -> Position:
        """Return a position without the sliders and king runs that the ruleset lacks."""
        return fit_position(self.ruleset.rules, position)

    def on_board_of(self, ruleset: Ruleset) -> Question:
        """Return the same question, on the board of other rules if that is another one."""
        board, own = ruleset.rules.board, self.ruleset.rules.board
        return self if board is own or board == own else replace(self, ruleset=ruleset)


def read_position(ruleset: Ruleset, text: str) -> Position:
    """Return a position for comparison, even an impossible one. Raises PositionError."""
    if text == "start":
        return Position.start(ruleset.rules)
    return with_sliders(ruleset.rules, Position.from_fen(text, ruleset.rules.board))


def said_position(ruleset: Ruleset, text: str) -> After:
    """Return the position that a player gives, or the error if it is none."""
    try:
        return read_position(ruleset, text)
    except DamspecError as error:
        return str(error)


# --- moves as an engine writes them


@dataclass(frozen=True, slots=True)
class ListedMove:
    """An entry of an engine's list: the move that it is by itself, and the longer one that it may be short for."""

    given: Any
    key: Key
    is_legible: bool = True
    longer: Key | None = None


def read_moves(
    position: Position, wanted: Mapping[Key, Any], listed: Sequence[Any], *, complete: bool = False
) -> list[ListedMove]:
    """Return the moves of a list (strings or objects, see docs/protocol.md), where some are expected.

    Squares left out of a notation are filled in where it can be short for one expected move only. A capture that is
    possible as it is written may be that capture or the `longer` one. If `complete`, no notation leaves out squares.
    """
    alone = [_read_alone(position, given) for given in listed]
    full = {own for own, _ in alone if own is not None}
    left = {one: text for one, text in wanted.items() if one not in full}
    found = []
    for given, (own, is_legible) in zip(listed, alone, strict=True):
        literal = move_text(given) if own is None else own
        may_be_short = is_legible and not complete and own not in wanted and isinstance(given, str)
        meant = _longer(position, given, wanted if own is None else left) if may_be_short else None
        if meant is not None and (own is None or not is_possible_capture(position, given)):
            found.append(ListedMove(given, meant))
        else:
            found.append(ListedMove(given, literal, is_legible, meant))
    return found


def _longer(position: Position, given: str, moves: Mapping[Key, Any]) -> Key | None:
    """Return the one expected capture that a notation may be short for."""
    if not is_move_text(given):
        return None
    squares, captures = read_squares(given, position.board)
    paths = ((one, *read_squares(text, position.board)) for one, text in moves.items() if is_move_text(text))
    longer = [one for one, path, jumps in paths if captures and jumps and shortens(squares, path)]
    return longer[0] if len(longer) == 1 else None


def _read_alone(position: Position, given: Any) -> tuple[Key | None, bool]:
    """Return the move that a notation is by itself, and whether it is one at all."""
    try:
        return move_key(position, given), True
    except DamspecError:
        return None, False


def move_text(given: Any) -> str:
    """Return an engine's move as text for a report; for an object, with what it captures."""
    if isinstance(given, dict):
        taken = ", ".join(map(str, given["captured"])) or "nothing"
        return f"{strip_control_characters(given['move'])} (takes {taken})"
    return strip_control_characters(given)


def move_key(position: Position, given: Any) -> Key | None:
    """Return the move an engine means, where no expected move is known. Raises InvalidMoveError."""
    notation = str(given["move"] if isinstance(given, dict) else given)
    if is_move_text(notation) and isinstance(given, dict):
        squares, _ = read_squares(notation, position.board)
        return squares[0], squares[-1], frozenset(given["captured"])
    return move_effect(position, notation)


def read_key(position: Position, given: Any) -> Key:
    """Return the move that is meant, or the text of what is none on this board or leaves open what it captures."""
    found, _ = _read_alone(position, given)
    return move_text(given) if found is None else found
