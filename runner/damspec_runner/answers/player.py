"""Rules in the place of an engine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from damspec import Action, Move, Position, Ruleset
from damspec.endings import outcome_of_game, outcome_of_position
from damspec.game import unchecked_position
from damspec.king_runs import fit_position
from damspec.turn import ActionGenerator

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
