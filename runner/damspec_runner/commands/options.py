"""Options and arguments shared by commands."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, partial, wraps
from inspect import signature
from pathlib import Path
from typing import Any, TypeVar, get_args

import click
from click.core import ParameterSource

from damspec import PositionError, Ruleset, data

from ..engines import dxp
from ..engines.dxp import DxpEngine, Opponent
from ..engines.hub import HubEngine
from ..engines.position_parts import TEN
from ..engines.process import Engine, SubprocessEngine
from ..engines.protocol import LEVEL, LIMITS, AnswerLimits, level_seconds
from ..engines.registry import speaks_lines
from ..engines.sandbox import SandboxConfig
from ..tasks.executor import TaskRunner, cluster, processes, run_tasks
from ..tasks.journal import JobHeader, TaskJournal
from ..verify.ask import draw_positions as positions_drawn
from ..verify.candidates import lead_in, offers
from ..verify.capabilities import CapabilityAdapter
from ..verify.conventions import OURS, Conventions, Corner
from ..verify.games import FuzzConfig
from ..verify.notations import NOTATIONS
from .arguments import Address, RenamedOptionsCommand, RulesetParam, Seconds
from .output import console


def check_fitting(option: str, fitting: Container[str]) -> None:
    """Raise UsageError if an option that is not in `fitting` was given together with `option`."""
    context = click.get_current_context()
    for parameter in context.command.params:
        name = parameter.name or ""
        if name not in fitting and context.get_parameter_source(name) is not ParameterSource.DEFAULT:
            raise click.UsageError(f"{parameter.opts[0]} does not go with {option}")


def _add_option_group(
    name: str, options: Sequence[Callable[[Any], Any]], make: Callable[..., Any]
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator that adds options to a command, which gets what `make` makes of them as one argument."""
    own = tuple(signature(make).parameters)

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def with_group(**values: Any) -> Any:
            group = make(**{key: values.pop(key) for key in own})
            return command(**{name: group}, **values)

        for option in reversed(options):
            with_group = option(with_group)
        return with_group

    return add


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


def named_ruleset(word: str) -> Ruleset:
    """Load a ruleset as named on the command line. Raises RulesetError or FileError."""
    return RulesetParam().convert(word, None, None)


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
    return [named_ruleset(word) for word in words], command or ()


#: The names of the protocol options.
PROTOCOL_PARAMETERS = ("lines", "hub", "plays", "level", "parameters", "dxp", "dxp_listen")
#: Those whose values are a host and a port.
ADDRESSES = ("dxp", "dxp_listen")


@dataclass(frozen=True)
class ProtocolOptions:
    """Protocol options; `plays` is whether the engine is asked for the move it would play."""

    lines: bool = False
    hub: bool = False
    plays: bool = False
    level: str = LEVEL
    parameters: Mapping[str, str] = field(default_factory=dict)
    #: The player to connect to, if the protocol is DXP.
    opponent: Opponent | None = None

    @property
    def seconds(self) -> float:
        """The engine's time for a move in seconds, as far as `level` sets one."""
        return level_seconds(self.level)


class _ThinkingLevel(click.ParamType):  # type: ignore[type-arg]  # generic since click 8.5
    """A thinking level, such as `move-time=0.1` or `depth=8`."""

    name = "level"

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> str:
        try:
            level_seconds(str(value))
        except ValueError as error:
            self.fail(f"{error}.", parameter, context)
        return str(value)


_PROTOCOL_OPTIONS = (
    click.option("--lines", is_flag=True, help="The engine speaks plain lines of text (docs/lines.md), not JSON."),
    click.option("--hub", is_flag=True, help="The engine speaks Hub (docs/hub.md): it judges moves, it lists none."),
    click.option("--plays", is_flag=True, help="Ask for a move to play, which must be legal, not for a list."),
    click.option(
        "--level",
        type=_ThinkingLevel(),
        default=LEVEL,
        show_default=True,
        help="How long an engine that plays thinks: move-time=SECONDS, depth=N or nodes=N; by DXP only the first.",
    ),
    click.option(
        "--param",
        "parameters",
        multiple=True,
        metavar="NAME=VALUE",
        help="With --hub: set this parameter of the engine first; repeatable.",
    ),
    click.option(
        "--dxp",
        type=Address(),
        metavar="HOST:PORT",
        help="Connect to a DXP player (docs/hub.md) that listens there, instead of a COMMAND.",
    ),
    click.option(
        "--dxp-listen",
        type=Address(),
        metavar="[HOST:]PORT",
        help="Listen for a DXP player; on this machine only unless HOST says otherwise.",
    ),
)


def _make_protocol_options(
    lines: bool,
    hub: bool,
    plays: bool,
    level: str,
    parameters: tuple[str, ...],
    dxp: tuple[str, int] | None,
    dxp_listen: tuple[str, int] | None,
) -> ProtocolOptions:
    if sum(map(bool, (lines, hub, dxp, dxp_listen))) > 1:
        raise click.UsageError("--lines, --hub, --dxp, --dxp-listen: an engine speaks one of them")
    place = dxp or dxp_listen
    opponent = Opponent(*place, listens=dxp is None) if place else None
    if opponent and not level.startswith("move-time="):
        raise click.UsageError(f"--level: found {level!r}, expected move-time=SECONDS: DXP has nothing but clocks")
    if parameters and not hub:
        raise click.UsageError("--param: expected it with --hub")
    given = {}
    for text in parameters:
        name, equals, value = text.partition("=")
        if not (name and equals):
            raise click.UsageError(f"--param: found {text!r}, expected NAME=VALUE")
        given[name] = value
    return ProtocolOptions(lines, hub, plays or opponent is not None, level, given, opponent)


#: Add the protocol options to a command, which gets them as one `protocol_options`.
add_protocol_options = _add_option_group("protocol_options", _PROTOCOL_OPTIONS, _make_protocol_options)


#: The names of the options for an engine's conventions, and of all engine options.
CONVENTION_PARAMETERS = ("numbering", "rotate", "swap_colours", "full_stop", "notation")
ENGINE_PARAMETERS = (
    *PROTOCOL_PARAMETERS,
    "timeout",
    "max_answer",
    "max_moves",
    "passed",
    "memory",
    "cpu",
    "scratch",
    "sandbox",
    *CONVENTION_PARAMETERS,
)


@dataclass(frozen=True)
class EngineOptions:
    """Options for running an engine: limits, confinement, protocol and conventions."""

    timeout: float
    limits: AnswerLimits
    sandbox: SandboxConfig
    protocol_options: ProtocolOptions
    #: How it writes what is no rule.
    conventions: Conventions = OURS
    _meetings: list[DxpEngine] = field(default_factory=list, repr=False)

    def of(self, name: str) -> EngineOptions:
        """Return the options for a named engine; one whose adapter speaks plain lines is asked in them."""
        lines = self.protocol_options.lines or speaks_lines(name)
        return replace(self, protocol_options=replace(self.protocol_options, lines=lines))

    def playing(self) -> EngineOptions:
        """Return the options for an engine that is asked which move it plays, whatever else it can be asked."""
        return replace(self, protocol_options=replace(self.protocol_options, plays=True))

    @property
    def lists(self) -> bool:
        """Whether the protocol has a word for lists of moves."""
        return not (self.protocol_options.hub or self.protocol_options.opponent)

    def engine(self, command: Sequence[str], environment: Mapping[str, str], ruleset: Ruleset) -> Engine:
        """Return an engine, not started yet, adapted to its capabilities for questions about a ruleset."""
        return self.able(self.process(command, environment, ruleset), ruleset)

    def able(self, engine: Engine, ruleset: Ruleset) -> Engine:
        """Wrap an engine so that missing capabilities are made up for, if its protocol has lists of moves."""
        if not self.lists:
            return engine
        options = self.protocol_options
        return CapabilityAdapter(engine, ruleset, self.conventions, play=options.plays, level=options.level)

    def process(self, command: Sequence[str], environment: Mapping[str, str], ruleset: Ruleset | None) -> Engine:
        """Return the bare engine, not started yet, without making up for missing capabilities. Raises UsageError."""
        if not self.lists:
            if ruleset is None:
                raise click.UsageError("expected a RULESET, or a --request, which names one")
            if self.protocol_options.opponent:
                return self._dxp_engine(ruleset)
            return HubEngine(
                command,
                ruleset.rules.board,
                None if self.protocol_options.plays else partial(offers, ruleset),
                lead_ins=partial(lead_in, ruleset),
                timeout=self.timeout,
                environment=environment,
                limits=self.limits,
                sandbox=self.sandbox,
                level=self.protocol_options.level,
                parameters=self.protocol_options.parameters,
            )
        return SubprocessEngine(
            command,
            timeout=self.timeout,
            environment=environment,
            limits=self.limits,
            sandbox=self.sandbox,
            lines=self.protocol_options.lines,
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
            assert self.protocol_options.opponent is not None
            meeting = DxpEngine(
                self.protocol_options.opponent,
                board,
                timeout=self.timeout,
                seconds=self.protocol_options.seconds,
                tell=lambda line: click.echo(f"damspec: {line}", err=True),
            )
            click.get_current_context().call_on_close(meeting.hang_up)
            self._meetings.append(meeting)
        return self._meetings[0]


_ENGINE_OPTIONS = (
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
        help="The longest line accepted from the engine.",
    ),
    click.option(
        "--max-moves",
        type=click.IntRange(1),
        default=LIMITS.moves,
        show_default=True,
        metavar="N",
        help="The most moves accepted in a list.",
    ),
    click.option(
        "--env",
        "passed",
        multiple=True,
        metavar="NAME",
        help="Pass this environment variable even though its name looks secret; repeatable.",
    ),
    click.option("--memory", type=click.IntRange(1), metavar="MB", help="Address space of each engine process."),
    click.option(
        "--cpu", type=click.IntRange(1), metavar="SECONDS", help="Total processor time of each engine process."
    ),
    click.option("--scratch", is_flag=True, help="Run the engine in an empty temporary folder."),
    click.option("--sandbox", is_flag=True, help="Run the engine in bubblewrap: no network, only /tmp is writable."),
    click.option(
        "--numbering",
        type=click.Choice(get_args(Corner)),
        help="The corner of the engine's square 1, as White sees the board, if it differs.",
    ),
    click.option(
        "--rotate", is_flag=True, help="The engine's board is rotated by half a turn: its last square is square 1."
    ),
    click.option("--swap-colours", is_flag=True, help="What the engine calls white is black."),
    click.option("--full-stop", is_flag=True, help="End each FEN sent with a full stop."),
    click.option(
        "--notation",
        type=click.Choice([*NOTATIONS]),
        metavar="NAME",
        help="How the engine writes moves, where that is not found out: numbers, numbers-from-0, letters, boards, or"
        " like row-column-from-0-top-left.",
    ),
)


def _make_engine_options(
    protocol_options: ProtocolOptions,
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
    notation: str | None,
) -> EngineOptions:
    limits = AnswerLimits(answer=max_answer, moves=max_moves)
    config = SandboxConfig(frozenset(passed), memory, cpu, scratch, sandbox)
    conventions = Conventions(numbering, rotate, swap_colours, full_stop, notation)
    found = EngineOptions(timeout, limits, config, protocol_options, conventions)
    if conventions and not found.lists:
        raise click.UsageError("--numbering, --rotate, --swap-colours, --full-stop, --notation: not with Hub or DXP")
    return found


def add_engine_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the engine and protocol options to a command, which gets them as one `engine_options`."""
    return add_protocol_options(_add_option_group("engine_options", _ENGINE_OPTIONS, _make_engine_options)(command))


#: The default number of positions drawn for an engine that plays.
DRAWN = 100
#: The number of positions of each material and value that a player is asked in endings, unless told.
DRAWN_ENDINGS = 10


@dataclass(frozen=True)
class FuzzOptions:
    """Options for games and positions compared beyond the cases; `cases` is whether the cases are asked too."""

    games: int | None
    seconds: float | None
    seed: int
    file: Path | None
    cases: bool
    #: The number of positions drawn for an engine that plays.
    drawn: int | None = None

    def __bool__(self) -> bool:
        """Return whether anything beyond the cases is asked for."""
        return any(each is not None for each in (self.games, self.seconds, self.file, self.drawn))

    def fitting(self, *, plays: bool) -> FuzzOptions:
        """Return the options completed for an engine that is asked what it `plays`. Raises UsageError."""
        if not plays and self.drawn is not None:
            raise click.UsageError("--drawn: positions are drawn for an engine that plays, expected --plays")
        found = replace(self, drawn=DRAWN) if plays and not self else self
        if not (found or found.cases):
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
        if self.file is None:
            return FuzzConfig(self.games, self.seconds, self.seed) if self else None
        where = "standard input" if str(self.file) == "-" else str(self.file)
        found = []
        for number, line in enumerate(self._text.splitlines(), 1):
            if text := line.partition(";")[0].strip():  # after the semicolon: EPD operations, a game
                try:
                    found.append((number, ruleset.position(text)))
                except PositionError as error:
                    raise data.FileError(f"{where}:{number}: {error}") from None
        if not found:
            raise data.FileError(f"{where}: found no line with a position, expected one FEN on each line")
        return FuzzConfig(positions=tuple(found))

    @cached_property
    def _text(self) -> str:
        from ..verify.journal import read_content

        content = read_content(str(self.file), "positions")
        try:
            return content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            where = "standard input" if str(self.file) == "-" else str(self.file)
            raise data.FileError(f"{where}: byte {error.start + 1}: not UTF-8 text") from None


_FUZZ_OPTIONS = (
    click.option("--games", type=click.IntRange(1), metavar="N", help="Then play N random games, comparing positions."),
    click.option(
        "--seconds",
        type=Seconds(),
        metavar="S",
        help="Stop the games after S seconds; without --games, play as many as fit.",
    ),
    click.option("--seed", type=int, default=0, show_default=True, help="The same seed gives the same games."),
    click.option(
        "--positions",
        type=click.Path(dir_okay=False, path_type=Path, allow_dash=True),
        metavar="FILE",
        help="Compare the positions of a file instead of games, one FEN a line; `-` is standard input.",
    ),
    click.option(
        "--drawn",
        type=click.IntRange(0),
        metavar="N",
        help=f"With --plays: draw N positions, most with one legal move [default: {DRAWN}]. With --endings: N of each"
        f" material and value [default: {DRAWN_ENDINGS}].",
    ),
    click.option("--no-cases", is_flag=True, help="Skip the cases: only games or positions."),
)


def _make_fuzz_options(
    games: int | None, seconds: float | None, seed: int, positions: Path | None, drawn: int | None, no_cases: bool
) -> FuzzOptions:
    if drawn is not None and positions is not None:
        raise click.UsageError("--drawn, --positions: expected one of both")
    if positions is not None and (games is not None or seconds is not None):
        raise click.UsageError("--positions: compares those positions and plays no games, expected no --games")
    return FuzzOptions(games, seconds, seed, positions, not no_cases, drawn)


#: Add the fuzz options to a command, which gets them as one `fuzz_options`.
add_fuzz_options = _add_option_group("fuzz_options", _FUZZ_OPTIONS, _make_fuzz_options)


S = TypeVar("S")
R = TypeVar("R")
#: A context manager of an executor with the given number of jobs on this machine.
Here = Callable[[int], AbstractContextManager[Executor | None]]


@dataclass(frozen=True)
class ExecutorOptions:
    """Where tasks run, `jobs` processes of this machine or a dask cluster, and the journal of finished ones."""

    jobs: int
    dask: str | None
    journal: Path | None

    @property
    def several(self) -> bool:
        """Whether more than one process works."""
        return self.jobs > 1 or self.dask is not None

    @property
    def is_set(self) -> bool:
        """Whether any of the options was given a value other than one process without a journal."""
        return self.several or self.journal is not None

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
                    _say(f"{len(journal.known):,} {done} done already, by {str(self.journal)!r}")
            who = here(self.jobs) if self.dask is None else cluster(self.dask, _say)
            executor = stack.enter_context(who)
            try:
                yield _with_progress(partial(run_tasks, executor, journal=journal))
            except KeyboardInterrupt:
                if journal:
                    _say(f"what is done is in {str(self.journal)!r}: the same command goes on")
                raise

    def _journal(self, work: JobHeader) -> TaskJournal | None:
        if self.journal is None:
            return None
        try:
            return TaskJournal(self.journal, work)
        except OSError as error:
            raise click.UsageError(f"--journal: cannot write {str(self.journal)!r}: {error.strerror}") from None


def add_executor_options(
    jobs: int, *, what: str = "Processes", journal: Path | None = None, show: bool = True
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator that adds the executor options to a command, which gets them as one `workers`."""
    options = (
        click.option(
            "-j", "--jobs", type=click.IntRange(1, 64), default=jobs, show_default=show, help=f"{what} at once."
        ),
        click.option("--dask", metavar="HOST:PORT", help="Use the workers of a dask scheduler (docs/scale.md)."),
        click.option(
            "--journal",
            type=click.Path(dir_okay=False, path_type=Path),
            default=journal,
            show_default=journal is not None,
            help="Journal finished tasks; the same command resumes after an interruption.",
        ),
    )

    return _add_option_group("workers", options, _make_executor_options)


def _make_executor_options(jobs: int, dask: str | None, journal: Path | None) -> ExecutorOptions:
    if dask is not None and _is_given("jobs"):
        raise click.UsageError("--jobs does not go with --dask: the scheduler knows its workers")
    return ExecutorOptions(1 if dask is not None else jobs, dask, journal)


def _is_given(name: str) -> bool:
    return click.get_current_context().get_parameter_source(name) is not ParameterSource.DEFAULT


def _with_progress(by: Callable[..., Iterator[Any]]) -> TaskRunner:
    err = console(stderr=True)

    def task_runner(function: Callable[[S], R], tasks: Mapping[str, S], title: str = "") -> Iterator[R]:
        if not title or not err.is_terminal:
            yield from by(function, tasks, tell=lambda result: None)
            return
        from rich.progress import Progress

        with Progress(console=err, transient=True, redirect_stdout=False) as progress:
            bar = progress.add_task(title, total=len(tasks))
            yield from by(function, tasks, tell=lambda result: progress.advance(bar))

    return task_runner


def _say(line: str) -> None:
    click.echo(f"damspec: {line}", err=True)
