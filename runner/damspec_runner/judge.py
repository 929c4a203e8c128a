"""Cases answered by rules instead of an engine: whether a set of rules gives the answer that a case expects.

The runner never asks this while it checks an engine. It is how mutants are killed and how wrong answers are explained.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from damspec import Action, Move, Position, Ruleset
from damspec.game import outcome
from damspec.turn import Turns

from .cases import Case, Expectation
from .compare import Key, trace

#: A position by value, so that positions of equal boards compare fast.
Fields = tuple[object, ...]
#: What can be done in a position, each with the position after it.
Answer = frozenset[tuple[Key | None, Fields]]


def fields(position: Position) -> Fields:
    """A position as a tuple of what it is made of, but for the board."""
    return (
        position.white_men,
        position.white_kings,
        position.black_men,
        position.black_kings,
        position.turn,
        position.sliders,
        position.spin,
        position.huffable,
        position.compelled,
    )


def key(action: Action) -> Key:
    """What makes an action the same as another: for moves start, end and what is captured, else its text."""
    if isinstance(action, Move):
        return (action.start, action.end, frozenset(action.captured))
    return str(action)


class Player:
    """Rules that answer the questions of cases. They are not asked whether they can have a position."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.turns = Turns(rules.rules)
        trapdoors = rules.rules.trapdoors
        self._closed = trapdoors.layout.closed if trapdoors else None

    def read(self, text: str) -> Position:
        """A position of a case, on this board; sliders that are left out stand in the middle."""
        if text == "start":
            return Position.start(self.rules.rules)
        return self.fitted(Position.from_fen(text, self.rules.rules.board))

    def fitted(self, position: Position) -> Position:
        """A position with sliders exactly if these rules have them."""
        if self._closed is None:
            return position if position.sliders is None else _without_doors(position)
        return position if position.sliders else _with_sliders(position, self._closed)

    def moves(self, position: Position) -> Answer:
        """Every legal action with the position after it."""
        return self._answer(position, self.turns.actions(position))

    def lapses(self, position: Position) -> Answer:
        """Every lapse with the position after it."""
        return self._answer(position, self.turns.lapses(position))

    def outcome(self, position: Position) -> str:
        """Whether the game is over, and who has won."""
        return outcome(self.rules, position).result

    def _answer(self, position: Position, actions: Iterable[Action]) -> Answer:
        return frozenset((key(action), fields(self.turns.after(position, action))) for action in actions)


@dataclass(frozen=True, eq=False)
class Question:
    """A case as it is put to players: its position and expectation read once, on the board of its own ruleset."""

    case: Case
    reader: Player
    expected: Expectation

    @cached_property
    def position(self) -> Position:
        """The position."""
        return self.reader.read(self.case.position)

    @cached_property
    def moves(self) -> Answer:
        """The moves expected."""
        return self._read(self.position, self.expected.moves or {})

    @cached_property
    def lapses(self) -> Answer | None:
        """The lapses expected: those the case gives, none where there is no huffing, else anything."""
        if self.expected.lapses is None:
            return None if self.reader.rules.rules.huff else frozenset()
        return self._read(self.position, self.expected.lapses)

    @cached_property
    def game(self) -> list[tuple[Position, Key | None, Fields]]:
        """A game played through: before, what is done, after."""
        steps, position = [], self.position
        for action, fen in self.expected.game:
            after = self.reader.read(fen)
            steps.append((position, trace(position, action), fields(after)))
            position = after
        return steps

    @cached_property
    def may_be_shortened(self) -> bool:
        """Whether some capture expected has squares on the way, so that a shorter one may be taken for it."""
        expected = self.expected
        texts = [*(expected.moves or ()), *(expected.lapses or ()), *(action for action, _ in expected.game)]
        return any(text.count("x") > 1 for text in texts)

    def put_to(self, player: Player) -> Question:
        """The question as a player on another board reads it."""
        same = player.rules.rules.board == self.reader.rules.rules.board
        return self if same else Question(self.case, player, self.expected)

    def start_of(self, player: Player) -> Fields:
        """Where a player's game starts, as the ruleset of the case has it."""
        return fields(self.reader.fitted(player.read("start")))

    def answered_by(self, player: Player, *, starting: bool = True) -> bool:
        """Whether a player gives the answer expected; if `starting`, from a start that is the expected one.

        Raises PositionError if its board does not have the position.
        """
        question = self.put_to(player)
        if starting and self.case.position == "start" and question.start_of(player) != fields(question.position):
            return False
        return question._answered_by(player)

    def _answered_by(self, player: Player) -> bool:
        position = player.fitted(self.position)
        if self.expected.outcome:
            return player.outcome(position) == self.expected.outcome.result
        if self.expected.end:
            return self._played_by(player)
        if player.moves(position) != self.moves:
            return False
        return self.lapses is None or player.lapses(position) == self.lapses

    def _played_by(self, player: Player) -> bool:
        for before, action, after in self.game:
            position = player.fitted(before)
            if (action, after) not in player.moves(position) | player.lapses(position):
                return False
        assert self.expected.end
        last = self.reader.read(self.expected.game[-1][1]) if self.expected.game else self.position
        return player.outcome(player.fitted(last)) == self.expected.end.result

    def _read(self, position: Position, moves: Mapping[str, str]) -> Answer:
        return frozenset((trace(position, text), fields(self.reader.read(fen))) for text, fen in moves.items())


def questions(rules: Ruleset, cases: Iterable[Case]) -> list[Question]:
    """Cases as questions on the board of a ruleset."""
    reader = Player(rules)
    return [Question(case, reader, case.expected) for case in cases]


def _without_doors(position: Position) -> Position:
    return replace(position, sliders=None, spin=None)


def _with_sliders(position: Position, sliders: str) -> Position:
    return replace(position, sliders=sliders)
