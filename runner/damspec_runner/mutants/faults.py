"""Faults of engines: each is a function, registered under its id in spec/faults.yaml by what of an engine it changes.

The first two arguments of each function are the values of the fault, and the turns that have it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any, Literal, NamedTuple, TypeVar

from damspec import Action, Move, Outcome, Position
from damspec.move import PackedMove
from damspec.movegen import MoveGenerator
from damspec.outcomes import find_draw, outcome_of_position
from damspec.position import Pieces
from damspec.turn import ActionGenerator

from .legs import Leg, is_lost

#: What a fault changes: the steps and jumps that are found, whether an action is listed, the lists of actions and of
#: lapses or one of them, the position after an action, the one that is read or written, the names of actions, the
#: captures that pieces have, and the outcome of a position or of a game.
HookKind = Literal[
    "legs", "keeps", "lists", "actions", "lapses", "after", "reads", "writes", "names", "captures", "outcome", "history"
]


class Hook(NamedTuple):
    """A function that changes something, and the kind of actions that it is for."""

    function: Callable[..., Any]
    of: type


#: The values of a fault by their names in the catalogue.
Values = Mapping[str, Any]
#: A function that returns the captures of one side, with the pieces as the side to move sees them.
FindCaptures = Callable[[Pieces, int, int], list[PackedMove]]

#: What each fault changes, by its id.
HOOKS: dict[str, dict[HookKind, Hook]] = {}
#: The faults whose answers depend on what was asked before.
REMEMBERING: set[str] = set()

FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])


def hook(kind: HookKind, *ids: str, of: type = object, remembers: bool = False) -> Callable[[FunctionT], FunctionT]:
    """Register a function under the ids of faults; it is called for actions `of` a kind only.

    One that `remembers` has a `memory` in its turns.
    """

    def register(function: FunctionT) -> FunctionT:
        for id in ids:
            HOOKS.setdefault(id, {})[kind] = Hook(function, of)
        REMEMBERING.update(ids if remembers else ())
        return function

    return register


def keeps(*ids: str, of: type = Move) -> Callable[[FunctionT], FunctionT]:
    """Register a test that listed actions `of` a kind have to pass to be listed still."""
    return hook("keeps", *ids, of=of)


def after(*ids: str, of: type = Move) -> Callable[[FunctionT], FunctionT]:
    """Register a function that makes the position after an action `of` a kind from the right one."""
    return hook("after", *ids, of=of)


class CachedGenerator(ActionGenerator):
    """The right turns with a cache, since many faults ask them the same."""

    def __init__(self, right: ActionGenerator) -> None:
        super().__init__(right.rules)
        self._actions, self._lapses = cache(super().actions), cache(super().lapses)
        self._after = cache(super().after)

    def actions(self, position: Position) -> list[Action]:
        """Return every legal action."""
        return self._actions(position)

    def lapses(self, position: Position) -> list[Move]:
        """Return the moves that break the duty to capture but may be played."""
        return self._lapses(position)

    def after(self, position: Position, action: Action) -> Position:
        """Return the position after an action."""
        return self._after(position, action)


class FaultyGenerator(ActionGenerator):
    """The right turns, except for what the hooks of a fault change.

    Those of an engine that `remembers`, whose answers depend on what it was asked before, begin with no memory.
    """

    follows_rules = False

    def __init__(self, right: ActionGenerator, id: str, values: Values) -> None:
        self.remembers, self.memory, self.rules = id in REMEMBERING, dict[Any, Any](), right.rules
        hooks = HOOKS[id]
        self._hooks = {kind: partial(hook.function, values, self) for kind, hook in hooks.items()}
        self._of = {kind: hook.of for kind, hook in hooks.items()}
        if "captures" in hooks:
            right = ActionGenerator(right.rules)
            right.movement.generator = _ReplacedCaptures(right, self._hooks["captures"]())
        # What the right turns have made is shared, since there are hundreds of faults.
        self.movement, self.spinner, self.huffing = right.movement, right.spinner, right.huffing
        self.right = right

    @property
    def invents(self) -> bool:
        """Whether it may list what is not legal."""
        return not self._hooks.keys().isdisjoint(("actions", "reads", "captures"))

    def loses(self, leg: Leg) -> bool:
        """Return whether a step or jump is not found."""
        return bool(self._hooks["legs"](leg))

    def actions(self, position: Position) -> list[Action]:
        """Return the actions listed as legal."""
        return self._list("actions", position, self.right.actions)

    def lapses(self, position: Position) -> list[Move]:
        """Return the moves listed as lapses."""
        return self._list("lapses", position, self.right.lapses)

    def after(self, position: Position, action: Action) -> Position:
        """Return the position after a listed action."""
        read = self._read(position)
        if names := self._hooks.get("names"):
            meant = (*self.right.actions(read), *self.right.lapses(read))
            action = next((one for one in meant if names(position, one) == action), action)
        found: Position = self.right.after(read, action)
        if "after" in self._hooks and isinstance(action, self._of["after"]):
            found = self._hooks["after"](read, action, found)
        return self._hooks["writes"](found) if "writes" in self._hooks else found

    def _read(self, position: Position) -> Position:
        return self._hooks["reads"](position) if "reads" in self._hooks else position

    def _list(
        self, kind: Literal["actions", "lapses"], position: Position, right: Callable[[Position], list[Any]]
    ) -> list[Any]:
        read = self._read(position)
        listed = right(read)
        if "legs" in self._hooks:
            listed = [one for one in listed if not (isinstance(one, Move) and is_lost(read, one, self.loses))]
        if keeps := self._hooks.get("keeps"):
            listed = [one for one in listed if not isinstance(one, self._of["keeps"]) or keeps(read, one)]
        for change in (self._hooks[each] for each in ("lists", kind) if each in self._hooks):
            listed = change(read, listed)
        if names := self._hooks.get("names"):
            listed = [names(position, one) for one in listed]
        return listed


class OutcomeFault(FaultyGenerator):
    """Turns with a fault in the outcome of a position or of a game."""

    def outcome_of(self, position: Position) -> Outcome:
        """Return the outcome of a position."""
        wrong = self._hooks.get("outcome")
        return wrong(position) if wrong else outcome_of_position(self.right, position)

    def game_outcome(self, positions: Sequence[Position], actions: Sequence[Action]) -> Outcome:
        """Return the outcome of a game through these positions."""
        now, wrong = self.outcome_of(positions[-1]), self._hooks.get("history")
        if now.is_over:
            return now
        return wrong(positions, actions) if wrong else find_draw(self.rules, positions, actions)


class _ReplacedCaptures(MoveGenerator):
    """The right moves of pieces, with other captures."""

    def __init__(self, right: ActionGenerator, found: FindCaptures) -> None:
        super().__init__(right.rules)
        self._found = found

    def captures(self, pieces: Pieces, side: int, doors: int = 0) -> list[PackedMove]:
        """Return the captures that are found instead."""
        return self._found(pieces, side, doors)
