"""What a check adds when its cases have been asked: which rules would give the answers that the engine gave.

An explanation that fails takes nothing with it: the verdicts stand, one line says so, and an exit status of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from damspec import DamspecError, Ruleset

from ..engines.process import Engine
from ..engines.protocol import EngineError
from ..verify.result import Report
from . import interruption
from .output import console

if TYPE_CHECKING:
    from ..verify.diagnosis import Diagnosis

#: The exit status where damspec itself failed after the verdicts, in an explanation or in games.
FAILED = 5


class ExplainingError(DamspecError):
    """An explanation could not be worked out, by a fault of damspec's own."""


@contextmanager
def guarded(what: str) -> Iterator[None]:
    """Make an ExplainingError of whatever fails, but for an engine."""
    try:
        yield
    except (interruption.TimeUp, EngineError):
        raise
    except Exception as error:
        said = " ".join(f"{type(error).__name__}: {error}".split())
        raise ExplainingError(f"{what} failed, by a fault of damspec's own ({said}); the verdicts stand") from error


def can_be_explained(done: Report) -> bool:
    """Whether there is something to explain: a failure, in a run that was not under another reading."""
    wrong = ("failed", "reading", "error", "timeout", "unstable")
    return done.ruleset.id == done.ruleset.base and any(result.status in wrong for result in done.answers)


def explain(done: Report, start: Callable[[], Engine] | None = None) -> Diagnosis:
    """The explanation of a run's failures. Raises ExplainingError.

    What `start` makes, an engine that has not been started, is asked further positions to confirm it.
    """
    from ..verify import diagnosis
    from ..verify.interview import Interview

    err = console(stderr=True)

    def tell(line: str) -> None:
        if err.is_terminal:
            err.print(line, style="dim")

    with guarded("explaining"):
        if start is None or not done.hello.setup or done.hello.manner == "played":
            return diagnosis.explain(done, tell=tell)
        with Interview(done.ruleset, start, done.hello) as interview:
            return diagnosis.explain(done, interview, tell)


def unexplained(done: Report, error: ExplainingError) -> dict[str, Any]:
    """The diagnosis of a run whose explanation failed, as plain data: nothing is explained, and why."""
    failed = [result.case.id for result in done.answers if result.status in ("failed", "reading")]
    counts = {"failures": len(failed), "passes": done.counts["passed"]}
    return {**counts, "complete": [], "partial": [], "unexplained": failed, "lines": [str(error)]}


def probed(ruleset: Ruleset, found: Diagnosis, engine: Engine) -> Diagnosis:
    """The diagnosis with the explanations that further questions leave. Raises EngineError or ExplainingError."""
    from ..verify.probe import probe

    if len(found.complete) < 2:
        return found
    try:
        with guarded("probing"):
            answers = probe(engine, ruleset, engine.hello(), found.complete)
    finally:
        engine.close()
    return replace(found, complete=answers.left, probed=answers.asked, ask_next=None)


def complain(label: str, line: str) -> None:
    """Say on standard error what is wrong with the run of an engine."""
    click.echo(f"damspec: engine {label!r}: {line}", err=True)
