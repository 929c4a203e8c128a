"""Engines that cannot be given a position: led there by moves, each as they list it themselves."""

from __future__ import annotations

from typing import Any

from damspec import Position, Ruleset

from ...engines.protocol import Unsupported
from ..moves import compare_moves
from .direct import Askable, Situation, words_of
from .reaching import Reaching

NO_WAY = "cannot be given a position, and no game was found that leads there"


class Leading:
    """Leads an engine. What was said on the way is kept, since many games begin alike."""

    def __init__(self, engine: Askable, ruleset: Ruleset) -> None:
        self._engine, self._ruleset = engine, ruleset
        self._reaching = Reaching(ruleset)
        self._led: dict[tuple[str, ...], Situation] = {}

    def to(self, fen: str) -> Situation:
        """How the engine comes to a position. Raises Unsupported if it does not."""
        line = self._reaching.line(fen)
        if line is None:
            raise Unsupported(NO_WAY)
        start = Position.start(self._ruleset.rules).fen()
        known = next((at for at in range(len(line), 0, -1) if line[:at] in self._led), 0)
        about = self._led[line[:known]] if known else Situation(start, "start")
        for place in range(known, len(line)):
            about = self._led[line[: place + 1]] = self.after(about, line[place])
        return about

    def after(self, about: Situation, action: str) -> Situation:
        """The situation after an action. Raises Unsupported if the engine does not list it."""
        after = self._ruleset.position(about.position)
        after = self._ruleset.turns.after(after, _found(self._ruleset, after, action))
        return about.played(*words_for(self._engine, self._ruleset, about, action), to=after.fen())

    def went_on(self, fen: str, given: Any) -> None:
        """A move was played in a position: if it is a legal one, it is known how to come to where it leads."""
        position = self._ruleset.position(fen)
        for action in self._ruleset.turns.actions(position):
            if str(action) in words_of(given)[:1]:
                self._reaching.went_on(fen, str(action), self._ruleset.turns.after(position, action).fen())


def words_for(engine: Askable, ruleset: Ruleset, about: Situation, action: str) -> tuple[Any, ...]:
    """What an engine is to be told of an action. Raises Unsupported if it does not list it."""
    answer = engine.moves(about)
    listed = [*answer["moves"], *answer.get("lapses", ())]
    position = Position.from_fen(about.position, ruleset.rules.board)
    given = compare_moves(position, [action], listed).listed.get(action)
    if given is None:
        raise Unsupported(f"cannot be led there: does not list {action} in {about.position}")
    return engine.words(about, given)


def _found(ruleset: Ruleset, position: Position, action: str) -> Any:
    actions = [*ruleset.turns.actions(position), *ruleset.turns.lapses(position)]
    return next(one for one in actions if str(one) == action)
