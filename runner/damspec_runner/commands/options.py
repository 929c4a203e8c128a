"""Options and arguments shared by commands."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, TypeVar

import click

from damspec import PositionError, Ruleset, data
from damspec.ruleset import load_source

from ..engines import dxp
from ..engines.dxp import DxpEngine, Opponent
from ..engines.hub import HubEngine
from ..engines.position_parts import TEN
from ..engines.process import Engine, SubprocessEngine
from ..engines.protocol import LEVEL, AnswerLimits, level_seconds
from ..engines.registry import speaks_lines
from ..engines.sandbox import SandboxConfig
from ..options import option
from ..tasks.executor import TaskRunner, cluster, processes, run_tasks
from ..tasks.journal import JobHeader, TaskJournal
from ..verify.ask import draw_positions as positions_drawn
from ..verify.candidates import lead_in, offers
from ..verify.capabilities import CapabilityAdapter
from ..verify.conventions import Conventions
from ..verify.games import FuzzConfig
from .arguments import ADDRESS, RenamedOptionsCommand, Seconds, TextParam, jobs_option
from .output import progress_bar, say
from .parameters import check_usage, is_given

_AFTER = "damspec.after_dashes"


class WithCommand(RenamedOptionsCommand):
    """A command whose arguments end at the first `--`; `command_words` returns the words after it."""

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        """Set aside the words after `--`, then parse the rest."""
        if "--" in args:
            place = args.index("--")
            args, context.meta[_AFTER] = args[:place], tuple(args[place + 1 :])
        return super().parse_args(context, args)

    def format_usage(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the usage, with the engine's command at its end."""
        pieces = [piece for piece in self.collect_usage_pieces(context) if piece]
        formatter.write_usage(context.command_path, " ".join([*pieces, "[-- COMMAND...]"]))


def command_words() -> tuple[str, ...] | None:
    """Return the words after `--`, or None if there is no `--`."""
    found: tuple[str, ...] | None = click.get_current_context().meta.get(_AFTER)
    return found


def rulesets_and_command(words: tuple[str, ...], *, named: bool) -> tuple[list[Ruleset], tuple[str, ...]]:
    """Split words into rulesets and the engine's command; `named` is whether an engine is given by name.

    All words before `--` are rulesets. With neither `--` nor a named engine, the first word is the ruleset and the rest
    the command.
    """
    command = command_words()
    if command is None and not named:
        words, command = words[:1], words[1:]
    if not words:
        raise click.UsageError("Missing argument 'RULESET...'.")
    twice = next((word for place, word in enumerate(words) if word in words[:place]), None)
    if twice is not None:
        raise click.UsageError(f"{twice}: named twice")
    return [load_source(word) for word in words], command or ()


def _check_level(text: str) -> str:
    """Return a thinking level, such as `move-time=0.1` or `depth=8`. Raises ValueError."""
    level_seconds(text)
    return text


@dataclass(frozen=True)
class ProtocolOptions:
    """How an engine is spoken to. Raises UsageError for options that do not go together."""

    lines: bool = option("It speaks plain lines (docs/lines.md), not JSON.", False, section="The engine")
    hub: bool = option("It speaks Hub (docs/hub.md).", False)
    plays: bool = option("Ask for a move to play, which must be legal, not for a list.", False, rare=True)
    level: str = option(
        "How long an engine that plays thinks: move-time=SECONDS, depth=N or nodes=N; by DXP only the first.",
        LEVEL,
        rare=True,
        type=TextParam("level", _check_level),
    )
    parameters: tuple[str, ...] = option(
        "With --hub: set this parameter of the engine first; repeatable.",
        (),
        "--param",
        rare=True,
        metavar="NAME=VALUE",
    )
    dxp: tuple[str, int] | None = option(
        "Connect to a DXP player (docs/hub.md) that listens there, instead of a COMMAND.",
        rare=True,
        type=ADDRESS,
        metavar="HOST:PORT",
    )
    dxp_listen: tuple[str, int] | None = option(
        "Listen for a DXP player; on this machine only unless HOST says otherwise.",
        rare=True,
        type=ADDRESS,
        metavar="[HOST:]PORT",
    )

    def __post_init__(self) -> None:
        pairs = [text.partition("=") for text in self.parameters]
        wrong = next(("".join(pair) for pair in pairs if not (pair[0] and pair[1])), None)
        check_usage(
            (
                sum(map(bool, (self.lines, self.hub, self.dxp, self.dxp_listen))) > 1,
                "--lines, --hub, --dxp, --dxp-listen: an engine speaks one of them",
            ),
            (
                self.opponent and not self.level.startswith("move-time="),
                f"--level: found {self.level!r}, expected move-time=SECONDS: DXP has nothing but clocks",
            ),
            (self.parameters and not self.hub, "--param: expected it with --hub"),
            (wrong is not None, f"--param: found {wrong!r}, expected NAME=VALUE"),
        )

    @property
    def opponent(self) -> Opponent | None:
        """The player to connect to, if the protocol is DXP."""
        place = self.dxp or self.dxp_listen
        return Opponent(*place, listens=self.dxp is None) if place else None

    @property
    def only_plays(self) -> bool:
        """Whether the engine is asked for the move it would play."""
        return self.plays or self.opponent is not None


@dataclass(frozen=True, kw_only=True)
class EngineOptions:
    """Options for running an engine: limits, confinement, protocol and conventions."""

    protocol: ProtocolOptions
    conventions: Conventions
    timeout: float = option("For each question.", 10.0, section="Limits", type=Seconds(0.01), metavar="SECONDS")
    limits: AnswerLimits
    sandbox: SandboxConfig
    _meetings: list[DxpEngine] = field(default_factory=list, repr=False)

    def __post_init__(self) -> None:
        if self.conventions and not self.can_list_moves:
            raise click.UsageError(
                "--numbering, --rotate, --swap-colours, --full-stop, --notation: not with Hub or DXP"
            )

    def for_engine(self, name: str) -> EngineOptions:
        """Return the options for a named engine; one whose adapter speaks plain lines is asked in them."""
        return replace(
            self,
            protocol=replace(self.protocol, lines=self.protocol.lines or (self.can_list_moves and speaks_lines(name))),
        )

    def playing(self) -> EngineOptions:
        """Return the options for an engine that is asked which move it plays, whatever else it can be asked."""
        return replace(self, protocol=replace(self.protocol, plays=True))

    @property
    def can_list_moves(self) -> bool:
        """Whether the protocol has a word for lists of moves."""
        return not (self.protocol.hub or self.protocol.opponent)

    def engine(self, command: Sequence[str], environment: Mapping[str, str], ruleset: Ruleset) -> Engine:
        """Return an engine, not started yet, adapted to its capabilities for questions about a ruleset."""
        return self.adapt(self.process(command, environment, ruleset), ruleset)

    def adapt(self, engine: Engine, ruleset: Ruleset) -> Engine:
        """Wrap an engine so that missing capabilities are made up for, if its protocol has lists of moves."""
        if not self.can_list_moves:
            return engine
        options = self.protocol
        return CapabilityAdapter(engine, ruleset, self.conventions, play=options.plays, level=options.level)

    def process(self, command: Sequence[str], environment: Mapping[str, str], ruleset: Ruleset | None) -> Engine:
        """Return the bare engine, not started yet, without making up for missing capabilities. Raises UsageError."""
        if not self.can_list_moves:
            if ruleset is None:
                raise click.UsageError("expected a RULESET, or a --request, which names one")
            if self.protocol.opponent:
                return self._dxp_engine(ruleset)
            return HubEngine(
                command,
                ruleset.rules.board,
                None if self.protocol.plays else partial(offers, ruleset),
                lead_ins=partial(lead_in, ruleset),
                timeout=self.timeout,
                environment=environment,
                limits=self.limits,
                sandbox=self.sandbox,
                level=self.protocol.level,
                parameters=dict(text.split("=", 1) for text in self.protocol.parameters),
            )
        return SubprocessEngine(
            command,
            timeout=self.timeout,
            environment=environment,
            limits=self.limits,
            sandbox=self.sandbox,
            lines=self.protocol.lines,
        )

    def _dxp_engine(self, ruleset: Ruleset) -> DxpEngine:
        """Return the DXP player, the same one until the command ends. Raises UsageError for another board."""
        board = ruleset.rules.board
        if len(board) != dxp.SQUARES:
            raise click.UsageError(f"{ruleset.id} has {len(board)} squares, the board of DXP {dxp.SQUARES}")
        if board not in TEN:
            raise click.UsageError(
                f"{ruleset.id} has another board of {dxp.SQUARES} squares than DXP: its has 10 columns, 10 rows, a dark"
                " corner on the left and square 1 at the top left"
            )
        if not self._meetings:
            assert self.protocol.opponent is not None
            meeting = DxpEngine(
                self.protocol.opponent,
                board,
                timeout=self.timeout,
                seconds=level_seconds(self.protocol.level),
                tell=say,
            )
            click.get_current_context().call_on_close(meeting.hang_up)
            self._meetings.append(meeting)
        return self._meetings[0]


#: The default number of positions drawn for an engine that plays.
DRAWN = 100
#: The number of positions of each material and value that a player is asked in endgames, unless told.
DRAWN_ENDGAMES = 10


@dataclass(frozen=True)
class FuzzOptions:
    """Games and positions compared beyond the cases. Raises UsageError for options that do not go together."""

    games: int | None = option("Then play N random games.", section="Games", least=1)
    seconds: float | None = option(
        "Stop the games after S seconds; without --games, play as many as fit.", type=Seconds(), metavar="S", rare=True
    )
    seed: int = option("The same seed gives the same games.", 0, rare=True)
    positions: Path | None = option(
        "Compare the positions of a file instead of games, one FEN a line; `-` is standard input.",
        type=click.Path(dir_okay=False, path_type=Path, allow_dash=True),
        metavar="FILE",
        rare=True,
    )
    drawn: int | None = option(
        f"With --plays: draw N positions, most with one legal move [default: {DRAWN}]. With --endgames: N of each"
        f" material and value [default: {DRAWN_ENDGAMES}].",
        least=0,
        rare=True,
    )
    no_cases: bool = option("Skip the cases: only games or positions.", False, rare=True)

    def __post_init__(self) -> None:
        plays = self.games is not None or self.seconds is not None
        check_usage(
            (self.drawn is not None and self.positions is not None, "--drawn, --positions: expected one of both"),
            (
                self.positions is not None and plays,
                "--positions: compares those positions and plays no games, expected no --games",
            ),
        )

    def __bool__(self) -> bool:
        """Return whether anything beyond the cases is asked for."""
        return any(each is not None for each in (self.games, self.seconds, self.positions, self.drawn))

    def fitting(self, *, plays: bool) -> FuzzOptions:
        """Return the options completed for an engine that is asked what it `plays`. Raises UsageError."""
        if not plays and self.drawn is not None:
            raise click.UsageError("--drawn: positions are drawn for an engine that plays, expected --plays")
        found = replace(self, drawn=DRAWN) if plays and not self else self
        if found.no_cases and not found:
            raise click.UsageError("--no-cases: nothing is left to ask, expected --games, --seconds or --positions")
        return found

    def drawn_scope(self, ruleset: Ruleset) -> FuzzConfig | None:
        """Return positions to play in, if any are wanted: what an engine that only plays is asked, unless told."""
        given = positions_drawn(ruleset, DRAWN if self.drawn is None else self.drawn, self.seed)
        return FuzzConfig(seed=self.seed, positions=given, random=True) if given else None

    def scope(self, ruleset: Ruleset) -> FuzzConfig | None:
        """Return what to compare on a ruleset, or None. Raises FileError for a position the ruleset cannot have."""
        if self.drawn is not None:
            return self.drawn_scope(ruleset)
        if self.positions is None:
            return FuzzConfig(self.games, self.seconds, self.seed) if self else None
        where = "standard input" if str(self.positions) == "-" else str(self.positions)
        found = []
        for number, line in enumerate(self._text.splitlines(), 1):
            if text := line.partition(";")[0].strip():  # after the semicolon: EPD operations, a game
                try:
                    found.append((number, ruleset.read_position(text)))
                except PositionError as error:
                    raise data.FileError(f"{where}:{number}: {error}") from None
        if not found:
            raise data.FileError(f"{where}: found no line with a position, expected one FEN on each line")
        return FuzzConfig(positions=tuple(found))

    @cached_property
    def _text(self) -> str:
        from ..verify.journal import read_content

        content = read_content(str(self.positions), "positions")
        try:
            return content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            where = "standard input" if str(self.positions) == "-" else str(self.positions)
            raise data.FileError(f"{where}: byte {error.start + 1}: not UTF-8 text") from None


S = TypeVar("S")
R = TypeVar("R")
#: A context manager of an executor with the given number of jobs on this machine.
Here = Callable[[int], AbstractContextManager[Executor | None]]


def journal_option(default: Path | None = None) -> Any:
    """Return the field of an option for the journal of finished tasks."""
    return option(
        "Journal finished tasks; the same command resumes after an interruption.",
        default,
        rare=True,
        type=click.Path(dir_okay=False, path_type=Path),
    )


@dataclass(frozen=True)
class ExecutorOptions:
    """Where tasks run, `jobs` processes of this machine or a dask cluster, and the journal of finished ones."""

    jobs: int = jobs_option()
    dask: str | None = option("Use the workers of a dask scheduler (docs/scale.md).", rare=True, metavar="HOST:PORT")
    journal: Path | None = journal_option()

    def __post_init__(self) -> None:
        if self.dask is not None and is_given("jobs"):
            raise click.UsageError("--jobs does not go with --dask: the scheduler knows its workers")

    @property
    def is_set(self) -> bool:
        """Whether any of the options was given a value other than one process without a journal."""
        return self.jobs > 1 or self.dask is not None or self.journal is not None

    @contextmanager
    def task_runner(self, command: str, arguments: Mapping[str, Any], here: Here = processes) -> Iterator[TaskRunner]:
        """Provide the runner of a command's tasks; `arguments` are those that the results depend on.

        Raises TaskError if no worker can be reached or the journal is of another job, UsageError if it cannot be
        written.
        """
        with ExitStack() as stack:
            journal = self._journal(JobHeader(command, arguments))
            if journal:
                stack.enter_context(journal)
                if journal.known:
                    done = "task is" if len(journal.known) == 1 else "tasks are"
                    say(f"{len(journal.known):,} {done} done already, by {str(self.journal)!r}")
            who = here(self.jobs) if self.dask is None else cluster(self.dask, say)
            executor = stack.enter_context(who)
            try:
                yield _with_progress(partial(run_tasks, executor, journal=journal))
            except KeyboardInterrupt:
                if journal:
                    say(f"what is done is in {str(self.journal)!r}: the same command goes on")
                raise

    def _journal(self, work: JobHeader) -> TaskJournal | None:
        if self.journal is None:
            return None
        try:
            return TaskJournal(self.journal, work)
        except OSError as error:
            raise click.UsageError(f"--journal: cannot write {str(self.journal)!r}: {error.strerror}") from None


@dataclass(frozen=True)
class ManyExecutorOptions(ExecutorOptions):
    """Where tasks run that keep all processors busy unless told."""

    jobs: int = jobs_option(default=os.cpu_count() or 1, show_default=False)


def _with_progress(by: Callable[..., Iterator[Any]]) -> TaskRunner:
    def task_runner(function: Callable[[S], R], tasks: Mapping[str, S], title: str = "") -> Iterator[R]:
        with progress_bar(title, len(tasks), quiet=not title) as tell:
            yield from by(function, tasks, tell=lambda result: tell(advance=1))

    return task_runner
