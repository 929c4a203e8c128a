"""The options that say how an engine is treated: how long it may take, how much it may say, what it is let have."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import wraps
from typing import Any, get_args

import click

from damspec import Ruleset

from ..answers.lead_in import lead_ins
from ..answers.offers import offers
from ..engines import hub
from ..engines.confinement import Confinement
from ..engines.dxpengine import DxpEngine
from ..engines.forms import LIMITS, Limits
from ..engines.hubengine import HubEngine
from ..engines.installed import speaks_lines
from ..engines.position_parts import TEN
from ..engines.process import Engine
from ..verify.abilities.able import Able
from ..verify.abilities.conventions import OURS, Conventions, Corner
from .arguments import Seconds
from .spoken import SPEAKING, Spoken, spoken_options

#: What the options of its conventions are called, and all of them.
WRITING = ("numbering", "rotate", "swap_colours", "full_stop")
TREATING = (*SPEAKING, "timeout", "max_answer", "max_moves", "passed", "memory", "cpu", "scratch", "sandbox", *WRITING)


@dataclass(frozen=True)
class Treatment:
    """What the options say."""

    timeout: float
    limits: Limits
    confinement: Confinement
    spoken: Spoken
    #: How it writes what is no rule.
    conventions: Conventions = OURS
    _meetings: list[DxpEngine] = field(default_factory=list, repr=False)

    def of(self, name: str) -> Treatment:
        """The treatment of the engine of a name: one whose adapter speaks plain lines is asked in them."""
        lines = self.spoken.lines or speaks_lines(name)
        return replace(self, spoken=replace(self.spoken, lines=lines))

    @property
    def lists(self) -> bool:
        """Whether it speaks a protocol in which an engine can list its moves."""
        return not (self.spoken.hub or self.spoken.opponent)

    def engine(self, command: Sequence[str], environment: Mapping[str, str], ruleset: Ruleset) -> Engine:
        """An engine to be treated so and to be asked about a ruleset, not started yet."""
        return self.able(self.process(command, environment, ruleset), ruleset)

    def able(self, engine: Engine, ruleset: Ruleset) -> Engine:
        """An engine with its abilities made up for, where its protocol has any to make up for."""
        return Able(engine, ruleset, self.conventions) if self.lists else engine

    def process(self, command: Sequence[str], environment: Mapping[str, str], ruleset: Ruleset | None) -> Engine:
        """The same as it is, to be asked nothing that it does not answer itself."""
        if not self.lists:
            if ruleset is None:
                raise click.UsageError("expected a RULESET, or a --request, which names one")
            board = ruleset.rules.board
            if len(board) != hub.SQUARES:
                raise click.UsageError(f"{ruleset.id} has {len(board)} squares, the board of Hub and DXP {hub.SQUARES}")
            if board not in TEN:
                raise click.UsageError(
                    f"{ruleset.id} has another board of {hub.SQUARES} squares than Hub and DXP: theirs has 10 columns,"
                    " 10 rows, a dark corner on the left and square 1 at the top left"
                )
            if self.spoken.opponent:
                return self._met(ruleset)
            return HubEngine(
                command,
                board,
                None if self.spoken.plays else offers(ruleset),
                lead_ins=lead_ins(ruleset),
                timeout=self.timeout,
                environment=environment,
                limits=self.limits,
                confinement=self.confinement,
                level=self.spoken.level,
                parameters=self.spoken.parameters,
            )
        return Engine(
            command,
            timeout=self.timeout,
            environment=environment,
            limits=self.limits,
            confinement=self.confinement,
            lines=self.spoken.lines,
        )

    def _met(self, ruleset: Ruleset) -> DxpEngine:
        """The player of DXP: the same one always, until the command ends."""
        if not self._meetings:
            assert self.spoken.opponent is not None
            meeting = DxpEngine(
                self.spoken.opponent,
                ruleset.rules.board,
                timeout=self.timeout,
                seconds=self.spoken.seconds,
                tell=lambda line: click.echo(f"damspec: {line}", err=True),
            )
            click.get_current_context().call_on_close(meeting.hang_up)
            self._meetings.append(meeting)
        return self._meetings[0]


_OPTIONS = (
    click.option(
        "--timeout",
        type=Seconds(0.01),
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
        spoken: Spoken,
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
        found = Treatment(timeout, limits, confinement, spoken, conventions)
        if conventions and not found.lists:
            raise click.UsageError("--numbering, --rotate, --swap-colours, --full-stop: not with Hub or DXP")
        return command(treatment=found, **others)

    for option in reversed(_OPTIONS):
        treated = option(treated)
    return spoken_options(treated)
