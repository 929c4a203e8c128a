"""Explaining the failures of a run; a fault of damspec's own loses the explanation, never the verdicts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from damspec import DamspecError, Ruleset

from ..engines.process import Engine
from ..engines.protocol import EngineError
from ..verify.result import Report
from .interruption import TimeLimitError
from .output import console

if TYPE_CHECKING:
    from ..verify.diagnosis import Diagnosis

#: The exit status if damspec itself failed after the verdicts, in an explanation or in games.
FAILED = 5


class ExplainingError(DamspecError):
    """A failed explanation, by a fault of damspec's own."""


@contextmanager
def guard_explaining(what: str) -> Iterator[None]:
    """Turn any exception into an ExplainingError, but for those of an engine or a time limit."""
    try:
        yield
    except (TimeLimitError, EngineError):
        raise
    except Exception as error:
        found = " ".join(f"{type(error).__name__}: {error}".split())
        raise ExplainingError(f"{what} failed, by a fault of damspec's own ({found}); the verdicts stand") from error


def can_be_explained(report: Report) -> bool:
    """Return whether there is something to explain: a failure, in a run that was not under another reading."""
    wrong = ("failed", "reading", "error", "timeout", "unstable")
    return report.ruleset.id == report.ruleset.base and any(result.status in wrong for result in report.answers)


def explain(report: Report, start: Callable[[], Engine] | None = None) -> Diagnosis:
    """Explain a run's failures. Raises ExplainingError.

    `start` makes an engine, not started yet, which is asked about further positions to confirm the explanation.
    """
    from ..verify import diagnosis
    from ..verify.interview import Interview

    err = console(stderr=True)

    def tell(line: str) -> None:
        if err.is_terminal:
            err.print(line, style="dim")

    with guard_explaining("explaining"):
        if start is None or not report.hello.setup or report.hello.manner == "played":
            return diagnosis.explain(report, tell=tell)
        with Interview(report.ruleset, start, report.hello) as interview:
            return diagnosis.explain(report, interview, tell)


def failed_diagnosis(report: Report, error: ExplainingError) -> dict[str, Any]:
    """Return the diagnosis, as plain data, of a run whose explanation failed: nothing is explained, and why."""
    failed = [result.case.id for result in report.answers if result.status in ("failed", "reading")]
    counts = {"failures": len(failed), "passes": report.counts["passed"]}
    return {**counts, "complete": [], "partial": [], "unexplained": failed, "lines": [str(error)]}


def probe_further(ruleset: Ruleset, found: Diagnosis, engine: Engine) -> Diagnosis:
    """Return the diagnosis with the explanations that further questions leave.

    Raises EngineError or ExplainingError.
    """
    from ..verify.diagnosis import probe

    if len(found.complete) < 2:
        return found
    try:
        with guard_explaining("probing"):
            return probe(engine, ruleset, found)
    finally:
        engine.close()


def warn(label: str, line: str) -> None:
    """Print a warning about an engine or its run on standard error."""
    click.echo(f"damspec: engine {label!r}: {line}", err=True)
