"""Rules in the place of an engine, and their answers to cases."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from damspec import Action, DamspecError, Game, Move, MoveError, Outcome, Position, Ruleset
from damspec.endings import outcome_of_game, outcome_of_position
from damspec.king_runs import fit_runs
from damspec.move import read_squares, shortens
from damspec.position import with_sliders
from damspec.rules import Rules
from damspec.turn import ActionGenerator

from ..cases.cases import Case, Expectation
from ..cases.notation import Key, move_effect
from ..mutants.fault_catalogue import OutcomeFault

#: A position by value, so that positions of equal boards compare fast.
Fields = tuple[object, ...]
#: What can be done in a position, each with the position after it.
Answer = frozenset[tuple[Key | None, Fields]]
#: The same, before it is made to be compared.
Played = list[tuple[Action, Position]]


def comparable_actions(played: Played) -> Answer:
    """Return actions and positions in a comparable form."""
    return frozenset((key(action), fields(after)) for action, after in played)


def fields(position: Position) -> Fields:
    """Return all fields of a position but the board, as a tuple."""
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
        position.white_run,
        position.black_run,
    )


def key(action: Action) -> Key:
    """Return the key of an action: start, end and captures of a move, else the text."""
    if isinstance(action, Move):
        return (action.start, action.end, frozenset(action.captured))
    return str(action)


def keys(actions: Iterable[Action]) -> frozenset[Key]:
    """Return the keys of actions."""
    return frozenset(map(key, actions))


def fit_position(rules: Rules, position: Position) -> Position:
    """Return a position without the sliders and king runs that rules lack."""
    position = fit_runs(rules.king.move_limit, position)
    if rules.trapdoors is None and position.sliders is not None:
        return replace(position, sliders=None, spin=None)
    return with_sliders(rules, position)


class RulePlayer:
    """Rules that answer the questions of cases, without checking that their positions can occur."""

    def __init__(
        self, ruleset: Ruleset, turns: ActionGenerator | None = None, read: Callable[[Position], Position] | None = None
    ) -> None:
        """`turns` are those it plays, if they are not simply the rules'; who has won it knows by the rules.

        `read` says what it takes a position for when it is asked about the outcome, if that is another one.

        Unless the fault of `turns` is in that: then they say it.
        """
        self.ruleset = ruleset
        self._read = read
        self.turns = turns or ActionGenerator(ruleset.rules, every_path=False)
        # Not the ruleset's own where it has others: what they remember would last as long as the ruleset.
        self._by_rules = ruleset.turns if turns else self.turns

    def parse_position(self, text: str) -> Position:
        """Parse a position of a case on this board. Omitted sliders are in the middle."""
        if text == "start":
            return Position.start(self.ruleset.rules)
        return self.fit(Position.from_fen(text, self.ruleset.rules.board))

    def fit(self, position: Position) -> Position:
        """Return a position without the sliders and king runs that these rules lack."""
        return fit_position(self.ruleset.rules, position)

    def actions(self, position: Position) -> Sequence[Action]:
        """Return every legal action."""
        return self.turns.actions(position)

    def lapsing(self, position: Position) -> Sequence[Action]:
        """Return every lapse."""
        return self.turns.lapses(position)

    def moves(self, position: Position) -> Answer:
        """Return every legal action with the position after it."""
        return self.answer(position, self.actions(position))

    def lapses(self, position: Position) -> Answer:
        """Return every lapse with the position after it."""
        return self.answer(position, self.lapsing(position))

    def outcome(self, position: Position) -> str:
        """Return whether the game is over, and who has won."""
        seen = self._read(position) if self._read else position
        if isinstance(self.turns, OutcomeFault):
            return self.turns.outcome_of(seen).result
        return outcome_of_position(self._by_rules, seen).result

    def outcome_after(self, positions: Iterable[Position], actions: Sequence[Action]) -> str:
        """Return the outcome of a game that went through these positions by these actions, which are not checked."""
        gone_through = [*map(self.fit, positions)]
        if self._read and (first := self._read(gone_through[0])) != gone_through[0]:
            gone_through = [first]
            for action in actions:
                gone_through.append(self._after(gone_through[-1], action))
        if isinstance(self.turns, OutcomeFault):
            return self.turns.game_outcome(gone_through, actions).result
        return outcome_of_game(self._by_rules, gone_through, actions).result

    def _after(self, position: Position, action: Action) -> Position:
        """Return the position after an action by the ruleset. Raises MoveError if it is not legal there."""
        turns = self._by_rules
        if key(action) not in keys([*turns.actions(position), *turns.lapses(position)]):
            raise MoveError(f"{action} is not legal in {position.fen()}")
        return turns.after(position, action)

    def answer(self, position: Position, actions: Iterable[Action]) -> Answer:
        """Return actions listed in a position, each with the position after it."""
        return comparable_actions(self.successors(position, actions))

    def successors(self, position: Position, actions: Iterable[Action]) -> Played:
        """Return actions, each with the position after it."""
        return [(action, self.turns.after(position, action)) for action in actions]


@dataclass(frozen=True, eq=False)
class CaseQuestion:
    """A case as a question to players: position and expectation, parsed once, on the board of its own ruleset."""

    case: Case
    reader: RulePlayer
    expected: Expectation

    @cached_property
    def position(self) -> Position:
        """The position."""
        return self.reader.parse_position(self.case.position)

    @cached_property
    def moves(self) -> Answer:
        """The moves expected."""
        return self._answer_of(self.position, self.expected.moves or {})

    @cached_property
    def lapses(self) -> Answer | None:
        """The expected lapses: those of the case; none without huffing; else None, for any."""
        if self.expected.lapses is None:
            return None if self.reader.ruleset.rules.huff else frozenset()
        return self._answer_of(self.position, self.expected.lapses)

    @cached_property
    def game(self) -> list[tuple[Position, Key | None, Fields]]:
        """The steps of a game: position before, action, position after."""
        steps, position = [], self.position
        for action, fen in self.expected.game:
            after = self.reader.parse_position(fen)
            steps.append((position, move_effect(position, action), fields(after)))
            position = after
        return steps

    @cached_property
    def line(self) -> tuple[Sequence[Position], Sequence[Action]]:
        """The positions that the history of the case goes through, and its actions. Raises a MoveError.

        They are played by the case's own rules, not by those of whoever is asked how the game stands after them.
        """
        game = Game(self.reader.ruleset, self.position)
        return [self.position, *map(game.push, self.case.history)], game.history

    def outcome_by(self, player: RulePlayer) -> str:
        """Return how the game stands for a player in the position, or after the history of the case."""
        return player.outcome_after(*self.line) if self.case.history else player.outcome(player.fit(self.position))

    @cached_property
    def _long(self) -> list[tuple[int, ...]]:
        """The squares of each expected capture with intermediate squares, which a shorter notation may stand for."""
        expected = self.expected
        texts = [*(expected.moves or ()), *(expected.lapses or ()), *(action for action, _ in expected.game)]
        return [read_squares(text, self.position.board)[0] for text in texts if text.count("x") > 1]

    @property
    def may_be_shortened(self) -> bool:
        """Whether there is such a capture."""
        return bool(self._long)

    def may_be_short(self, move: Move) -> bool:
        """Return whether a move may be the short form of an expected capture."""
        return any(shortens(move.path, path) for path in self._long)

    def put_to(self, player: RulePlayer) -> CaseQuestion:
        """Return the question on the board of another player."""
        same = player.ruleset.rules.board == self.reader.ruleset.rules.board
        return self if same else CaseQuestion(self.case, player, self.expected)

    def start_of(self, player: RulePlayer) -> Fields:
        """Return where a player's game starts, in the terms of the ruleset of the case."""
        return fields(self.reader.fit(player.parse_position("start")))

    def answered_by(self, player: RulePlayer, *, starting: bool = True, leading: bool = True) -> bool:
        """Return whether a player gives the answer expected; if `starting`, from a start that is the expected one.

        Unless `leading`, the positions after the moves are not looked at. Raises PositionError if its board does not
        have the position.
        """
        question = self.put_to(player)
        if starting and self.case.position == "start" and question.start_of(player) != fields(question.position):
            return False
        return question._answered_by(player, leading)

    def _answered_by(self, player: RulePlayer, leading: bool) -> bool:
        if self.expected.outcome is not None:
            return self.outcome_by(player) == self.expected.outcome.result
        position = player.fit(self.position)
        if self.expected.end is not None:
            return self._played_by(player) and self._ended_by(player, self.expected.end)
        if not _gives(player, position, player.actions(position), self.moves, leading):
            return False
        return self.lapses is None or _gives(player, position, player.lapsing(position), self.lapses, leading)

    def _played_by(self, player: RulePlayer) -> bool:
        for before, action, after in self.game:
            position = player.fit(before)
            if (action, after) not in player.moves(position) | player.lapses(position):
                return False
        return True

    def _ended_by(self, player: RulePlayer, end: Outcome) -> bool:
        last = self.reader.parse_position(self.expected.game[-1][1]) if self.expected.game else self.position
        return player.outcome(player.fit(last)) == end.result

    def _answer_of(self, position: Position, moves: Mapping[str, str]) -> Answer:
        return frozenset(
            (move_effect(position, text), fields(self.reader.parse_position(fen))) for text, fen in moves.items()
        )


def _gives(player: RulePlayer, position: Position, actions: Sequence[Action], expected: Answer, leading: bool) -> bool:
    """Return whether a player lists the expected actions, with `leading` also the expected positions after them."""
    # That one list is another is quickly seen, and most are where wrong answers are explained.
    if keys(actions) != {key for key, _ in expected}:
        return False
    return not leading or player.answer(position, actions) == expected


def case_questions(ruleset: Ruleset, cases: Iterable[Case]) -> list[CaseQuestion]:
    """Return cases as questions on the board of a ruleset."""
    reader = RulePlayer(ruleset)
    return [CaseQuestion(case, reader, case.expected) for case in cases]


def answer_question(player: RulePlayer, question: CaseQuestion) -> bool:
    """Return whether a player answers as expected; False if its board does not have the position."""
    try:
        return question.answered_by(player)
    except DamspecError:
        return False  # on a board where the position cannot even be read
