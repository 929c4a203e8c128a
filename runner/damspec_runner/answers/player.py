"""Rules that answer instead of an engine: what a set of rules says to the questions that cases put.

The runner never asks this while it checks an engine. It is how mutants are killed and how wrong answers are explained.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from damspec import Action, Move, Position, Ruleset
from damspec.draws import standing
from damspec.ending import ended
from damspec.runs import fitted
from damspec.trapdoors import with_sliders
from damspec.turn import Turns

from ..cases.notation import Key

#: A position by value, so that positions of equal boards compare fast.
Fields = tuple[object, ...]
#: What can be done in a position, each with the position after it.
Answer = frozenset[tuple[Key | None, Fields]]
#: The same, before it is made to be compared.
Played = list[tuple[Action, Position]]


def compared(played: Played) -> Answer:
    """What was played, so that two who play the same are equal."""
    return frozenset((key(action), fields(after)) for action, after in played)


def fields(position: Position) -> Fields:
    """A position as a tuple of all that it is made of except the board."""
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
    """What makes an action the same as another: for moves start, end and what is captured, else its text."""
    if isinstance(action, Move):
        return (action.start, action.end, frozenset(action.captured))
    return str(action)


def keys(actions: Iterable[Action]) -> frozenset[Key]:
    """What makes each of some actions the same as another."""
    return frozenset(map(key, actions))


class Player:
    """Rules that answer the questions of cases. They are not asked whether they can have a position."""

    def __init__(self, ruleset: Ruleset, turns: Turns | None = None) -> None:
        """`turns` are those it plays, if they are not simply the ruleset's; who has won it knows by the ruleset."""
        self.ruleset = ruleset
        self.turns = turns or Turns(ruleset.rules, every_path=False)

    def read(self, text: str) -> Position:
        """A position of a case, on this board. Sliders that are left out stand in the middle."""
        if text == "start":
            return Position.start(self.ruleset.rules)
        return self.fitted(Position.from_fen(text, self.ruleset.rules.board))

    def fitted(self, position: Position) -> Position:
        """A position with sliders if these rules have them, and without if not; without runs where none is limited."""
        rules = self.ruleset.rules
        position = fitted(rules.king.move_limit, position)
        if rules.trapdoors is None and position.sliders is not None:
            return replace(position, sliders=None, spin=None)
        return with_sliders(rules, position)

    def actions(self, position: Position) -> Sequence[Action]:
        """Every action that is listed as legal."""
        return self.turns.actions(position)

    def lapsing(self, position: Position) -> Sequence[Action]:
        """Every move that is listed as a lapse."""
        return self.turns.lapses(position)

    def moves(self, position: Position) -> Answer:
        """Every legal action with the position after it."""
        return self.answer(position, self.actions(position))

    def lapses(self, position: Position) -> Answer:
        """Every lapse with the position after it."""
        return self.answer(position, self.lapsing(position))

    def outcome(self, position: Position) -> str:
        """Whether the game is over, and who has won."""
        return ended(self.ruleset.turns, position).result

    def outcome_after(self, positions: Iterable[Position], actions: Sequence[Action]) -> str:
        """The same of a game that went through these positions by these actions, whose legality is not asked about."""
        return standing(self.ruleset.turns, [*map(self.fitted, positions)], actions).result

    def answer(self, position: Position, actions: Iterable[Action]) -> Answer:
        """Actions that are listed in a position, each with the position after it."""
        return compared(self.played(position, actions))

    def played(self, position: Position, actions: Iterable[Action]) -> Played:
        """Actions, each with the position after it."""
        return [(action, self.turns.after(position, action)) for action in actions]
