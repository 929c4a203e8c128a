"""Telling explanations apart by asking: positions that they answer differently, put to the engine until one is left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from damspec import DamspecError, MoveError, Position, Ruleset

from ..answers.player import Fields, Player, fields
from ..cases.notation import Key
from ..engines.process import Engine
from ..engines.protocol import EngineError, Hello, Unsupported
from .asking import ask_params
from .diagnosis import telling
from .evidence import Fit
from .moves import move_key
from .observation import Given

#: The most questions asked.
QUESTIONS = 40


@dataclass(frozen=True)
class _Answers:
    """What the engine says of a position: the actions, and the outcome; None where it is not asked."""

    position: Position
    given: Given | None
    outcome: str | None

    def agrees(self, player: Player) -> bool:
        """Whether rules would have said the same."""
        position = player.fitted(self.position)
        if self.outcome is not None and player.outcome(position) != self.outcome:
            return False
        if self.given is None:
            return True
        return self.given.agrees(player, position, [*player.actions(position), *player.lapsing(position)])


@dataclass(frozen=True)
class Probed:
    """What is left after probing, and how many positions were asked."""

    left: tuple[Fit, ...]
    asked: tuple[str, ...]


def probe(engine: Engine, ruleset: Ruleset, hello: Hello, explanations: Sequence[Fit]) -> Probed:
    """Ask an engine positions that explanations answer differently, until one is left or none tells the rest apart.

    Raises EngineError if the engine fails.
    """
    left = [(explanation, explanation.hypothesis.player) for explanation in explanations]
    asked: list[str] = []
    while len(left) > 1 and len(asked) < QUESTIONS:
        position = telling([player for _, player in left], ruleset, seed=len(asked))
        if position is None:
            break
        asked.append(position.fen())
        answers = _answers(engine, ruleset, hello, position)
        left = [(explanation, player) for explanation, player in left if answers.agrees(player)]
    return Probed(tuple(explanation for explanation, _ in left), tuple(asked))


def _answers(engine: Engine, ruleset: Ruleset, hello: Hello, position: Position) -> _Answers:
    params = ask_params(ruleset, hello, position.fen())
    moves, end = (_asked(engine, hello, method, params) for method in ("moves", "outcome"))
    given = None if moves is None else _given(engine, ruleset, hello, position, moves)
    return _Answers(position, given, None if end is None else end["outcome"])


def _given(engine: Engine, ruleset: Ruleset, hello: Hello, position: Position, answer: Mapping[str, Any]) -> Given:
    """What the engine lists in a position, and where each leads if it says."""
    params = ask_params(ruleset, hello, position.fen())
    reader = Player(ruleset)
    listed: set[Key | None] = set()
    after: dict[Key | None, Fields | None] = {}
    for given in [*answer["moves"], *answer.get("lapses", [])]:
        try:
            key = move_key(position, given)
        except MoveError:
            listed.add(f"unreadable {given}")
            continue
        listed.add(key)
        played = _asked(engine, hello, "play", {**params, "move": given})
        if played is not None:
            try:
                after[key] = fields(reader.read(played["position"]))
            except DamspecError:
                after[key] = ("unreadable",)
    return Given(frozenset(listed), after)


def _asked(engine: Engine, hello: Hello, method: str, params: Mapping[str, Any]) -> Any:
    """The answer to a question; None if the engine does not answer it. Raises EngineError for any other fault."""
    if method not in hello.questions:
        return None
    try:
        return engine.ask(method, params)
    except Unsupported:
        return None
    except EngineError as error:
        if error.kind != "refused":
            raise
        return None
