"""The options that say how an engine is treated: how long it may take, how much it may say, what it is let have."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any

import click

from ..engines.confinement import Confinement
from ..engines.forms import LIMITS, Limits
from ..engines.installed import speaks_lines
from ..engines.process import Engine

#: What the options are called.
TREATING = ("lines", "timeout", "max_answer", "max_moves", "passed", "memory", "cpu", "scratch", "sandbox")


@dataclass(frozen=True)
class Treatment:
    """What the options say."""

    timeout: float
    limits: Limits
    confinement: Confinement
    #: Whether it is asked in plain lines.
    lines: bool = False

    def of(self, name: str) -> Treatment:
        """The treatment of the engine of a name: one whose adapter speaks plain lines is asked in them."""
        return replace(self, lines=self.lines or speaks_lines(name))

    def engine(self, command: Sequence[str], environment: Mapping[str, str]) -> Engine:
        """An engine to be treated so, not started yet."""
        return Engine(
            command,
            timeout=self.timeout,
            environment=environment,
            limits=self.limits,
            confinement=self.confinement,
            lines=self.lines,
        )


class _Seconds(click.FloatRange):
    """A time that comes to an end."""

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        seconds = super().convert(value, parameter, context)
        if not math.isfinite(seconds):
            self.fail(f"{value} is no number of seconds.", parameter, context)
        return seconds


_OPTIONS = (
    click.option("--lines", is_flag=True, help="The engine speaks plain lines of text (docs/lines.md), not JSON."),
    click.option(
        "--timeout",
        type=_Seconds(0.01),
        default=10.0,
        show_default=True,
        help="Seconds for each question.",
    ),
    click.option(
        "--max-answer",
        type=click.IntRange(1024),
        default=LIMITS.answer,
        show_default=True,
        metavar="BYTES",
        help="The longest line an engine may answer with.",
    ),
    click.option(
        "--max-moves",
        type=click.IntRange(1),
        default=LIMITS.moves,
        show_default=True,
        metavar="N",
        help="The most moves it may list.",
    ),
    click.option(
        "--env",
        "passed",
        multiple=True,
        metavar="NAME",
        help="Let it have this variable although the name looks like a secret's; repeatable.",
    ),
    click.option("--memory", type=click.IntRange(1), metavar="MB", help="Address space for each of its processes."),
    click.option(
        "--cpu", type=click.IntRange(1), metavar="SECONDS", help="Processor time for each of its processes, in all."
    ),
    click.option("--scratch", is_flag=True, help="Run it in an empty folder of its own, removed afterwards."),
    click.option("--sandbox", is_flag=True, help="Run it in bubblewrap: no network, nothing to write to but /tmp."),
)


def treatment_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options, given to a command as one `treatment`."""

    @wraps(command)
    def treated(
        *,
        lines: bool,
        timeout: float,
        max_answer: int,
        max_moves: int,
        passed: tuple[str, ...],
        memory: int | None,
        cpu: int | None,
        scratch: bool,
        sandbox: bool,
        **others: Any,
    ) -> Any:
        limits = Limits(answer=max_answer, moves=max_moves)
        confinement = Confinement(frozenset(passed), memory, cpu, scratch, sandbox)
        return command(treatment=Treatment(timeout, limits, confinement, lines), **others)

    for option in reversed(_OPTIONS):
        treated = option(treated)
    return treated
