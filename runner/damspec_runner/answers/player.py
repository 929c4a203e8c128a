"""Rules in the place of an engine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain

from damspec import Action, DamspecError, Move, Position, Ruleset
from damspec.game import unchecked_position
from damspec.king_runs import fit_position
from damspec.outcomes import outcome_of_game, outcome_of_position
from damspec.turn import ActionGenerator

from ..cases.answer import Answer, Positions, Question
from ..cases.notation import Key
from ..mutants.fault_catalogue import OutcomeFault


def key(action: Action) -> Key:
    """Return the key of an action: start, end and captures of a move, else the text."""
    if isinstance(action, Move):
        return (action.start, action.end, frozenset(action.captured))
    return str(action)


def keys(actions: Iterable[Action]) -> frozenset[Key]:
    """Return the keys of actions."""
    return frozenset(map(key, actions))


class RulePlayer:
    """Rules that answer the questions of cases, without checking that their positions can occur."""

    def __init__(self, ruleset: Ruleset, turns: ActionGenerator | None = None) -> None:
        """`turns` are those it plays, if they are not simply the rules'; who has won it knows by the rules.

        Unless the fault of `turns` is in that: then they say it.
        """
        self.ruleset = ruleset
        self.turns = turns or ActionGenerator(ruleset.rules, every_path=False)
        # Not the ruleset's own where it has others: what they remember would last as long as the ruleset.
        self._by_rules = ruleset.turns if turns else self.turns

    def parse_position(self, text: str) -> Position:
        """Parse a position of a case on this board. Omitted sliders are in the middle."""
        return unchecked_position(self.ruleset, text)

    def fit(self, position: Position) -> Position:
        """Return a position without the sliders and king runs that these rules lack."""
        return fit_position(self.ruleset.rules, position)

    def actions(self, position: Position) -> Sequence[Action]:
        """Return every legal action."""
        return self.turns.actions(position)

    def lapsing(self, position: Position) -> Sequence[Action]:
        """Return every lapse."""
        return self.turns.lapses(position)

    def outcome(self, position: Position) -> str:
        """Return whether the game is over, and who has won."""
        if isinstance(self.turns, OutcomeFault):
            return self.turns.outcome_of(position).result
        return outcome_of_position(self._by_rules, position).result

    def outcome_after(self, positions: Iterable[Position], actions: Sequence[Action]) -> str:
        """Return the outcome of a game that went through these positions by these actions, which are not checked."""
        gone_through = [*map(self.fit, positions)]
        if isinstance(self.turns, OutcomeFault):
            return self.turns.game_outcome(gone_through, actions).result
        return outcome_of_game(self._by_rules, gone_through, actions).result


# --- answers


def answer_of(rules: Ruleset | RulePlayer, question: Question) -> Answer:
    """Return what rules, with or without a fault, answer to a question. Raises DamspecError where they cannot.

    Where their board is another one, its squares have the numbers of the case, and the answer is one on that board: to
    be compared with that to `question.on_board_of(rules)`.
    """
    player = RulePlayer(rules) if isinstance(rules, Ruleset) else rules
    question = question.on_board_of(player.ruleset)
    wanted = question.wanted
    start = question.fit(player.parse_position("start")) if question.case.position == "start" else None
    if wanted.outcome is not None:
        history = question.case.history
        outcome = player.outcome_after(*question.line) if history else player.outcome(player.fit(question.position))
        return Answer(outcome=outcome, start=start)
    if wanted.end is None:
        position = player.fit(question.position)
        lapses = None if question.expected.lapses is None else player.lapsing(position)
        return _listed(player, position, player.actions(position), lapses, start)
    steps = []
    for before, expected in zip(question.game_positions, question.expected.game, strict=False):
        position, (action,) = player.fit(before), expected.moves or {}
        able = {key(one): one for one in chain(player.actions(position), player.lapsing(position))}
        done = {action: able[action]} if action in able else {}
        # At once: an engine with a fault may remember what it was asked before.
        after = {one: player.turns.after(position, each) for one, each in done.items()}
        steps.append(Answer(done, after=after))
    return Answer(outcome=player.outcome(player.fit(question.game_positions[-1])), start=start, game=tuple(steps))


def passes(player: RulePlayer, question: Question, *, with_successors: bool = True) -> bool:
    """Return whether rules give the expected answer to a case; False if their board does not have the position.

    Unless `with_successors`, the positions after the moves are not compared.
    """
    try:
        expected, answer = question.on_board_of(player.ruleset).expected, answer_of(player, question)
        return expected.agrees(answer if with_successors else replace(answer, after={}))
    except DamspecError:
        return False


def list_actions(player: RulePlayer, position: Position) -> Answer:
    """Return the legal actions and the lapses by rules, with the positions after them."""
    return _listed(player, position, player.actions(position), player.lapsing(position))


def answer_differently(one: RulePlayer, other: RulePlayer, position: Position) -> bool:
    """Return whether two rules on one board differ in their lists, in where these lead, or in the outcome."""
    here, there = one.fit(position), other.fit(position)
    same = list_actions(one, here).agrees(list_actions(other, there))
    return not same or one.outcome(here) != other.outcome(there)


def _listed(
    player: RulePlayer,
    position: Position,
    actions: Iterable[Action],
    lapses: Iterable[Action] | None,
    start: Position | None = None,
) -> Answer:
    moves = {key(action): action for action in actions}
    others = None if lapses is None else {key(action): action for action in lapses}
    every = {**moves, **others} if others else moves
    return Answer(moves, others, Positions(every, lambda action: player.turns.after(position, action)), start=start)
