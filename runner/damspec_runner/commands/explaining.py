"""What a check adds when its cases have been asked: which rules would give the answers that the engine gave."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from damspec import Ruleset

from ..engines.process import Engine
from ..verify import diagnosis
from ..verify.diagnosis import Diagnosis
from ..verify.interview import Interview
from ..verify.probe import probe
from ..verify.result import Report
from .output import console


def explain(done: Report, start: Callable[[], Engine] | None = None) -> Diagnosis | None:
    """The explanation of a run's failures; None if there are none, or the run was under another reading.

    What `start` makes, an engine that has not been started, is asked further positions to confirm it.
    """
    wrong = ("failed", "reading", "error", "timeout", "unstable")
    if done.ruleset.id != done.ruleset.base or not any(result.status in wrong for result in done.answers):
        return None
    err = console(stderr=True)

    def tell(line: str) -> None:
        if err.is_terminal:
            err.print(line, style="dim")

    if start is None or not done.hello.setup or done.hello.manner == "played":
        return diagnosis.explain(done, tell=tell)
    with Interview(done.ruleset, start, done.hello) as interview:
        return diagnosis.explain(done, interview, tell)


def probed(ruleset: Ruleset, found: Diagnosis, engine: Engine) -> Diagnosis:
    """The diagnosis with the explanations that further questions leave."""
    if len(found.complete) < 2:
        return found
    try:
        answers = probe(engine, ruleset, engine.hello(), found.complete)
    finally:
        engine.close()
    return replace(found, complete=answers.left, probed=answers.asked, ask_next=None)
