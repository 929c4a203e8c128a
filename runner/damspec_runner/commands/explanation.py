"""Explaining the failures of a run; a fault of damspec's own loses the explanation, never the verdicts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from damspec import DamspecError

from ..engines.process import Engine
from ..engines.protocol import EngineError
from ..verify.result import Report
from .interruption import TimeLimitError
from .output import say, status_line

#: The exit status if damspec itself failed after the verdicts, in an explanation or in games.
FAILED = 5
#: The most positions asked to tell explanations apart when that is requested.
PROBES = 40


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


def explain(
    report: Report,
    start: Callable[[], Engine] | None = None,
    *,
    seconds: float | None = None,
    probing: bool = False,
) -> tuple[dict[str, Any], bool]:
    """Return the diagnosis of a run's failures as plain data, in so many seconds, and whether explaining failed.

    A diagnosis that failed explains nothing, and says why. Raises EngineError.

    `start` makes an engine, not started yet, which is asked about further positions: those that tell explanations
    apart, as many as there are when `probing`, and those of experiments.
    """
    from ..verify.explain import diagnosis
    from ..verify.explain.engine_under_test import SECONDS, Budget
    from ..verify.explain.search import APART

    try:
        with guard_explaining("explaining"), status_line("explaining", after=1) as tell:
            budget = Budget(SECONDS if seconds is None else seconds, tell=tell)
            return diagnosis.explain(report, start, budget, apart=PROBES if probing else APART).as_json(), False
    except ExplainingError as error:
        warn(report.label, str(error))
        failed = [result.case.id for result in report.answers if result.status in ("failed", "reading")]
        counts = {"failures": len(failed), "passes": report.counts["passed"]}
        return {**counts, "complete": [], "partial": [], "unexplained": failed, "lines": [str(error)]}, True


def warn(label: str, line: str) -> None:
    """Print a warning about an engine or its run on standard error."""
    say(f"engine {label!r}: {line}")
