"""The options that say how an engine is treated: how long it may take, how much it may say, what it is let have."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any, get_args

import click

from damspec import Ruleset

from ..engines.confinement import Confinement
from ..engines.forms import LIMITS, Limits
from ..engines.process import Engine
from ..verify.abilities.able import Able
from ..verify.abilities.conventions import OURS, Conventions, Corner

#: What the options of its conventions are called, and all of them.
WRITING = ("numbering", "rotate", "swap_colours", "full_stop")
TREATING = ("lines", "timeout", "max_answer", "max_moves", "passed", "memory", "cpu", "scratch", "sandbox", *WRITING)


@dataclass(frozen=True)
class Treatment:
    """What the options say."""

    timeout: float
    limits: Limits
    confinement: Confinement
    #: Whether it is asked in plain lines.
    lines: bool = False
    #: How it writes what is no rule.
    conventions: Conventions = OURS

    def engine(self, command: Sequence[str], environment: Mapping[str, str], ruleset: Ruleset) -> Able:
        """An engine to be treated so and to be asked about a ruleset, not started yet."""
        return Able(self.process(command, environment), ruleset, self.conventions)

    def process(self, command: Sequence[str], environment: Mapping[str, str]) -> Engine:
        """The same as it is, to be asked nothing that it does not answer itself."""
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
    click.option(
        "--numbering",
        type=click.Choice(get_args(Corner)),
        help="The corner, seen by White, in which its square 1 lies, where that is another one.",
    ),
    click.option("--rotate", is_flag=True, help="Its board is turned half round: its last square is square 1."),
    click.option("--swap-colours", is_flag=True, help="What it calls white is black."),
    click.option("--full-stop", is_flag=True, help="A FEN that it is given ends with a full stop."),
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
        numbering: Corner | None,
        rotate: bool,
        swap_colours: bool,
        full_stop: bool,
        **others: Any,
    ) -> Any:
        limits = Limits(answer=max_answer, moves=max_moves)
        confinement = Confinement(frozenset(passed), memory, cpu, scratch, sandbox)
        conventions = Conventions(numbering, rotate, swap_colours, full_stop)
        return command(treatment=Treatment(timeout, limits, confinement, lines, conventions), **others)

    for option in reversed(_OPTIONS):
        treated = option(treated)
    return treated
