"""Cases answered by rules instead of an engine: whether a set of rules gives the answer that a case expects.

The runner never asks this while it checks an engine. It is how mutants are killed and how wrong answers are explained.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from damspec import Action, DamspecError, Game, Move, Outcome, Position, Ruleset
from damspec.move import read_squares, shortens

from ..cases.cases import Case, Expectation
from ..cases.notation import Key, trace
from .player import Answer, Fields, Player, fields, keys


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
        """The lapses expected: those the case gives; none where there is no huffing; otherwise None, for any."""
        if self.expected.lapses is None:
            return None if self.reader.ruleset.rules.huff else frozenset()
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
    def line(self) -> tuple[Sequence[Position], Sequence[Action]]:
        """The positions that the history of the case goes through, and its actions. Raises a MoveError.

        They are played by the case's own rules, not by those of whoever is asked how the game stands after them.
        """
        game = Game(self.reader.ruleset, self.position)
        return [self.position, *map(game.push, self.case.history)], game.history

    def outcome_by(self, player: Player) -> str:
        """How the game stands for a player in the position, or after the history of the case."""
        return player.outcome_after(*self.line) if self.case.history else player.outcome(player.fitted(self.position))

    @cached_property
    def _long(self) -> list[tuple[int, ...]]:
        """The squares of each capture expected that has some on the way, so that a shorter one may be taken for it."""
        expected = self.expected
        texts = [*(expected.moves or ()), *(expected.lapses or ()), *(action for action, _ in expected.game)]
        return [read_squares(text, self.position.board)[0] for text in texts if text.count("x") > 1]

    @property
    def may_be_shortened(self) -> bool:
        """Whether there is such a capture."""
        return bool(self._long)

    def may_be_short(self, move: Move) -> bool:
        """Whether a move may be taken for a longer one that is expected."""
        return any(shortens(move.path, path) for path in self._long)

    def put_to(self, player: Player) -> Question:
        """The question as a player on another board reads it."""
        same = player.ruleset.rules.board == self.reader.ruleset.rules.board
        return self if same else Question(self.case, player, self.expected)

    def start_of(self, player: Player) -> Fields:
        """Where a player's game starts, in the terms of the ruleset of the case."""
        return fields(self.reader.fitted(player.read("start")))

    def answered_by(self, player: Player, *, starting: bool = True, leading: bool = True) -> bool:
        """Whether a player gives the answer expected; if `starting`, from a start that is the expected one.

        Unless `leading`, the positions after the moves are not looked at. Raises PositionError if its board does not
        have the position.
        """
        question = self.put_to(player)
        if starting and self.case.position == "start" and question.start_of(player) != fields(question.position):
            return False
        return question._answered_by(player, leading)

    def _answered_by(self, player: Player, leading: bool) -> bool:
        if self.expected.outcome is not None:
            return self.outcome_by(player) == self.expected.outcome.result
        position = player.fitted(self.position)
        if self.expected.end is not None:
            return self._played_by(player) and self._ended_by(player, self.expected.end)
        if not _gives(player, position, player.actions(position), self.moves, leading):
            return False
        return self.lapses is None or _gives(player, position, player.lapsing(position), self.lapses, leading)

    def _played_by(self, player: Player) -> bool:
        for before, action, after in self.game:
            position = player.fitted(before)
            if (action, after) not in player.moves(position) | player.lapses(position):
                return False
        return True

    def _ended_by(self, player: Player, end: Outcome) -> bool:
        last = self.reader.read(self.expected.game[-1][1]) if self.expected.game else self.position
        return player.outcome(player.fitted(last)) == end.result

    def _read(self, position: Position, moves: Mapping[str, str]) -> Answer:
        return frozenset((trace(position, text), fields(self.reader.read(fen))) for text, fen in moves.items())


def _gives(player: Player, position: Position, actions: Sequence[Action], expected: Answer, leading: bool) -> bool:
    """Whether the actions that a player lists are those expected, if `leading` each with the same position after it."""
    # That one list is another is quickly seen, and most are where wrong answers are explained.
    if keys(actions) != {key for key, _ in expected}:
        return False
    return not leading or player.answer(position, actions) == expected


def questions(ruleset: Ruleset, cases: Iterable[Case]) -> list[Question]:
    """Cases as questions on the board of a ruleset."""
    reader = Player(ruleset)
    return [Question(case, reader, case.expected) for case in cases]


def answers(player: Player, question: Question) -> bool:
    """Whether a player answers as expected; not if its board does not even have the position."""
    try:
        return question.answered_by(player)
    except DamspecError:
        return False  # on a board where the position cannot even be read
