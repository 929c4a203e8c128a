"""Telling explanations apart by asking: positions that they answer differently, put to the engine until one is left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from damspec import Ruleset

from ..cases.adapt import ABOUT_IT, make_case
from ..engines.process import Engine
from ..engines.protocol import Hello
from .ask import ask
from .diagnosis import telling
from .hypotheses import Fit
from .observation import observations

#: The most questions asked.
QUESTIONS = 40


@dataclass(frozen=True)
class Probed:
    """What is left after probing, and the positions that were asked about."""

    left: tuple[Fit, ...]
    asked: tuple[str, ...]


def probe(engine: Engine, ruleset: Ruleset, hello: Hello, explanations: Sequence[Fit]) -> Probed:
    """Ask an engine positions that explanations answer differently, until one is left or none tells the rest apart."""
    left = list(explanations)
    asked: list[str] = []
    while len(left) > 1 and len(asked) < QUESTIONS:
        position = telling([fit.hypothesis.player for fit in left], ruleset, seed=len(asked))
        if position is None:
            break
        asked.append(position.fen())
        cases = [make_case(ruleset, position, question, "probe", "games", readings=False) for question in ABOUT_IT]
        engine.restarts_left = max(engine.restarts_left, 1)
        results = [ask(engine, ruleset, hello, case) for case in cases]
        answers = observations(ruleset, results, leading="play" in hello.questions)
        if not answers:
            break
        left = [fit for fit in left if all(seen.agrees(fit.hypothesis.player) for seen in answers)]
    return Probed(tuple(left), tuple(asked))
