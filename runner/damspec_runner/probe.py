"""Telling explanations apart by asking: positions that they answer differently, put to the engine until one is left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from damspec import MoveError, Position, Ruleset

from .check import ask_params
from .compare import Key, move_key
from .diagnosis import Explanation, Given, telling
from .engine import Engine
from .judge import Fields, Player, fields
from .protocol import EngineError, Hello, Unsupported

#: Questions asked at most.
QUESTIONS = 40


@dataclass(frozen=True)
class Probed:
    """What is left after probing, and how many positions were asked."""

    left: tuple[Explanation, ...]
    asked: tuple[str, ...]


def probe(engine: Engine, rules: Ruleset, hello: Hello, explanations: Sequence[Explanation]) -> Probed:
    """Ask an engine positions that explanations answer differently, until one is left or none tells the rest apart.

    Raises EngineError if the engine fails.
    """
    left = [(explanation, Player(explanation.hypothesis.rules)) for explanation in explanations]
    asked: list[str] = []
    while len(left) > 1 and len(asked) < QUESTIONS:
        position = telling([player for _, player in left], rules, seed=len(asked))
        if position is None:
            break
        asked.append(position.fen())
        try:
            given = _answer(engine, rules, hello, position)
        except Unsupported:
            continue
        left = [
            (explanation, player)
            for explanation, player in left
            if given.agrees(player.moves(position) | player.lapses(position))
        ]
    return Probed(tuple(explanation for explanation, _ in left), tuple(asked))


def _answer(engine: Engine, rules: Ruleset, hello: Hello, position: Position) -> Given:
    """What the engine lists in a position, and where each leads if it says."""
    params = ask_params(rules, hello, position.fen())
    answer = engine.ask("moves", params)
    reader = Player(rules)
    listed: set[Key | None] = set()
    after: dict[Key | None, Fields | None] = {}
    for given in [*answer["moves"], *answer.get("lapses", [])]:
        try:
            key = move_key(position, given)
            listed.add(key)
            if "play" in hello.questions:
                fen = engine.ask("play", {**params, "move": given})["position"]
                after[key] = fields(reader.read(fen))
        except MoveError:
            listed.add(f"unreadable {given}")
        except EngineError as error:
            if error.kind != "refused":
                raise
        except ValueError:
            after[key] = ("unreadable",)
    return Given(frozenset(listed), after)
