"""What a check adds when its cases have been asked: which rules would give the answers that the engine gave."""

from __future__ import annotations

from dataclasses import replace

from damspec import Ruleset

from ..engines.process import Engine
from ..verify import diagnosis
from ..verify.diagnosis import Diagnosis
from ..verify.probe import probe
from ..verify.result import Report
from .output import console


def explain(done: Report) -> Diagnosis | None:
    """The explanation of a run's failures; None if there are none, or the run was under another reading."""
    if done.ruleset.id != done.ruleset.base or not done.with_status(
        "failed", "reading", "error", "timeout", "unstable"
    ):
        return None
    err = console(stderr=True)

    def tell(line: str) -> None:
        if err.is_terminal:
            err.print(line, style="dim")

    return diagnosis.explain(done, tell)


def probed(ruleset: Ruleset, found: Diagnosis, engine: Engine) -> Diagnosis:
    """The diagnosis with the explanations that further questions leave."""
    if len(found.complete) < 2:
        return found
    try:
        answers = probe(engine, ruleset, engine.hello(), found.complete)
    finally:
        engine.close()
    return replace(found, complete=answers.left, probed=answers.asked, ask_next=None)
