"""`damspec check`: put cases, games and perft counts to an engine, report, and explain."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click
from rich.console import Console

import damspec
from damspec import DamspecError, PositionError, Ruleset, data

from ..cases.case_files import read_case_files
from ..cases.cases import TOPICS, Case, cases_for, for_ruleset, select
from ..cases.perft_tables import PerftSuite, read_suite, suite_of
from ..engines import known, registry
from ..engines.process import Engine
from ..engines.process_tree import adopt_orphans
from ..engines.protocol import EngineError, Hello
from ..tasks.journal import LockedError
from ..verify import baseline as held
from ..verify.fuzz import MOST, FuzzConfig, fuzz
from ..verify.journal import (
    Journal,
    digests,
    is_cut_header,
    is_journal,
    is_unfinished,
    load_reports,
    read_headers,
    read_journal,
)
from ..verify.perft_suite import Counts, counts, explain_counts
from ..verify.report import render
from ..verify.report.serialize import ruleset_entry
from ..verify.report.terminal import show, show_explanation
from ..verify.result import FAILING, FuzzResult, Report, Result
from ..verify.run import INTERRUPTED, RESTARTS, SECOND_ASKS, RunConfig, RunObserver
from ..verify.run import check as run
from . import interruption, output
from .options import (
    ADDRESSES,
    SPEAKING,
    TREATING,
    WRITING,
    EngineOptions,
    FuzzOptions,
    WithCommand,
    add_engine_options,
    add_fuzz_options,
    check_fitting,
    complete_words,
    rulesets_and_command,
)
from .output import OutputError, OutputTarget, console, json_option, print_json, strict_option

if TYPE_CHECKING:
    from ..verify.diagnosis import Diagnosis

#: The exit status where damspec itself failed after the verdicts, in an explanation or in games.
FAILED = 5


class ExplainingError(DamspecError):
    """An explanation could not be worked out, by a fault of damspec's own."""


@contextmanager
def guard_explaining(what: str) -> Iterator[None]:
    """Make an ExplainingError of whatever fails, but for an engine."""
    try:
        yield
    except (interruption.TimeLimitError, EngineError):
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

    with guard_explaining("explaining"):
        if start is None or not done.hello.setup or done.hello.manner == "played":
            return diagnosis.explain(done, tell=tell)
        with Interview(done.ruleset, start, done.hello) as interview:
            return diagnosis.explain(done, interview, tell)


def unexplained(done: Report, error: ExplainingError) -> dict[str, Any]:
    """The diagnosis of a run whose explanation failed, as plain data: nothing is explained, and why."""
    failed = [result.case.id for result in done.answers if result.status in ("failed", "reading")]
    counts = {"failures": len(failed), "passes": done.counts["passed"]}
    return {**counts, "complete": [], "partial": [], "unexplained": failed, "lines": [str(error)]}


def probe_further(ruleset: Ruleset, found: Diagnosis, engine: Engine) -> Diagnosis:
    """The diagnosis with the explanations that further questions leave. Raises EngineError or ExplainingError."""
    from ..verify.probe import probe

    if len(found.complete) < 2:
        return found
    try:
        with guard_explaining("probing"):
            answers = probe(engine, ruleset, engine.hello(), found.complete)
    finally:
        engine.close()
    return replace(found, complete=answers.left, probed=answers.asked, ask_next=None)


def warn_of_explaining_error(label: str, line: str) -> None:
    """Say on standard error what is wrong with the run of an engine."""
    click.echo(f"damspec: engine {label!r}: {line}", err=True)


#: What ended a run before its end, if anything did: somebody, or a fault of damspec's own.
Ending = Literal["interrupted", "failed"] | None
#: Seconds for an explanation after the run was interrupted.
_EXPLAINED_WITHIN = 2.0


@dataclass(frozen=True)
class PlannedCheck:
    """An engine to be checked on a ruleset; `baseline` is the file of its known failures, if it is held to them.

    `scope` is what is compared beyond the cases, if anything is; games may begin with the positions of `origins`.
    """

    ruleset: Ruleset
    cases: Sequence[Case]
    label: str
    words: Sequence[str]
    environment: Mapping[str, str]
    engine_options: EngineOptions
    baseline: Path | None = None
    scope: FuzzConfig | None = None
    origins: Sequence[Case] = ()

    def engine(self) -> Engine:
        """The engine, not started yet."""
        return self.engine_options.engine(self.words, self.environment, self.ruleset)


class CheckJournal:
    """The journal of a check, and what an earlier one has in it; or none."""

    def __init__(
        self, journal: Path | None, resumed: Path | None, runs: Sequence[PlannedCheck], options: Mapping[str, Any]
    ) -> None:
        """Raises UsageError for a file that cannot be written, FileError for one that is no journal of these runs."""
        #: What went wrong when it was written, if anything did.
        self.failed: OutputError | None = None
        self._options = dict(options)
        self._old: dict[tuple[str, str], Report] = {}
        self._journal: Journal | None = None
        self._path = path = journal or resumed
        if path is None:
            return
        option = "--journal" if journal else "--resume"
        if journal is not None:
            OutputTarget(option, journal)
        try:
            self._journal = Journal(path)
        except LockedError as error:
            raise click.UsageError(f"{option}: {error}") from None
        except OSError as error:
            raise click.UsageError(f"{option}: cannot write {str(path)!r}: {error.strerror}") from None
        try:
            if journal is not None:
                _check_replaceable(journal, self._journal.content)
                self._journal.restart()
            elif not is_cut_header(self._journal.content):
                self._old = _read(path, self._journal.content, runs, self._options)
                self._journal.resume()
        except BaseException:
            self._journal.close()
            raise

    def old(self, one: PlannedCheck) -> Report | None:
        """What is written down of a run."""
        return self._old.get((one.ruleset.id, one.label))

    def begin(self, one: PlannedCheck, hello: Hello) -> None:
        """Begin a run, or go on with it. Raises EngineError if it was another engine's."""
        old = self.old(one)
        if old is None:
            self._write(lambda journal: journal.begin(one.ruleset, one.label, hello, one.cases, self._options))
        elif (old.hello.name, old.hello.version) != (hello.name, hello.version):
            was, now = (f"{each.name} {each.version}".strip() for each in (old.hello, hello))
            raise EngineError("journal", f"is {now}, and the journal's is {was}")

    def add(self, result: Result) -> None:
        """Write a result down."""
        self._write(lambda journal: journal.add(result))

    def end(self, report: Report) -> None:
        """Write the end of a run down, if it has not been before."""
        old = self._old.get((report.ruleset.id, report.label))
        if old is None or old.interrupted:
            self._write(lambda journal: journal.end(report))

    def _write(self, how: Callable[[Journal], None]) -> None:
        if self._journal is None:
            return
        try:
            how(self._journal)
        except OSError as error:
            self._journal = None
            self.failed = OutputError(f"--journal: cannot write {str(self._path)!r}: {error.strerror}")
            click.echo(f"damspec: {self.failed.message}; the run goes on without it", err=True)


def _check_replaceable(path: Path, content: bytes) -> None:
    """Raise UsageError for a file that a new journal may not replace: no journal, or that of a run not yet finished."""
    name = str(path)
    if not is_journal(content):
        found = data.quote(content[:60].decode("utf-8", "replace"))
        raise click.UsageError(f"--journal: {name!r} is no journal: found {found}, expected a journal or a new file")
    if is_unfinished(content):
        raise click.UsageError(
            f"--journal: {name!r} has a run that is not finished: go on with it by"
            f" --resume {shlex.quote(name)}, or remove it"
        )


def _read(
    path: Path, content: bytes, runs: Sequence[PlannedCheck], options: Mapping[str, Any]
) -> dict[tuple[str, str], Report]:
    """The runs in a journal, if they are those that are to be gone on with. Raises FileError."""
    where = str(path)
    cases = {one.ruleset.id: one.cases for one in runs}
    try:
        text = content.decode("utf-8")
        headers = [*read_headers(text, where)]
        for header, one in zip(headers, runs, strict=False):
            if said := _otherwise(header, one, options):
                raise data.FileError(f"{where}: is of {said}")
        if len(headers) > len(runs):
            raise data.FileError(f"{where}: has {len(headers)} runs, expected at most {len(runs)}")
        reports = read_journal(text, where, lambda ruleset: cases.get(ruleset.id, ()))
    except UnicodeDecodeError:
        raise data.FileError(f"--resume: {where}: cannot be read: not UTF-8") from None
    except data.FileError as error:
        raise data.FileError(f"--resume: {error}") from None
    except DamspecError as error:
        raise data.FileError(f"--resume: {where}: {error}") from None
    return {(one.ruleset.id, one.label): report for report, one in zip(reports, runs, strict=False)}


def _otherwise(header: Mapping[str, Any], one: PlannedCheck, options: Mapping[str, Any]) -> str | None:
    """What a header says that is not so of a run, and what is; the first such thing, if there is any."""
    id, label, now = one.ruleset.id, header["engine"]["label"], digests(one.ruleset, one.cases)
    then, given = header.get("digests", {}), header.get("options", {})
    ids = [case.id for case in one.cases]
    if header["damspec"] != damspec.__version__ or not then:
        return f"damspec {header['damspec']}{' or older' * (not then)}, expected {damspec.__version__}"
    named = {key: header[key] for key in ("ruleset", "ruleset_file") if key in header}
    if (named, label) != (ruleset_entry(one.ruleset), one.label):
        return f"{header['ruleset']} by {label}, expected {id} by {one.label}"
    if then["rules"] != now["rules"]:
        return f"other rules of {id} than there are now"
    if header["cases"] != ids:
        counts = f"{len(header['cases'])} with {_words(given)}, expected {len(ids)} with {_words(options)}"
        return f"other cases of {id} than are chosen now: {counts}"
    if given != options:
        return f"a run with {_words(given)}, expected {_words(options)}"
    if then["cases"] != now["cases"]:
        return f"cases of {id} that have changed since"
    return None


def _words(options: Mapping[str, Any]) -> str:
    return " ".join(f"{name}={data.quote(value)}" for name, value in options.items()) or "no options"


def checked(
    one: PlannedCheck, run_config: RunConfig, record: CheckJournal, options: Mapping[str, Any], *, quiet: bool
) -> tuple[Report, Ending]:
    """Have the cases asked, those that a journal has no answer of; how that ended.

    Raises EngineError if the engine cannot be run.
    """
    old = record.old(one)
    if old is not None and not old.interrupted:
        return replace(old, diagnosis=None), None
    before = {result.case.id: result for result in old.results if result.status != "not-asked"} if old else {}
    with _Progress(one, len(before), total=len(one.cases), quiet=quiet) as progress:

        done = run(
            one.ruleset,
            one.cases,
            one.engine,
            label=one.label,
            run_config=run_config,
            before=before,
            observer=_Observer(one, record, progress),
        )
    ending: Ending = None
    if one.scope is not None and not done.interrupted:
        try:
            with guard_explaining("comparing"):
                done = _beyond(one, one.scope, done, run_config, quiet=quiet)
        except ExplainingError as error:
            warn_of_explaining_error(one.label, str(error))
            done, ending = replace(done, games=FuzzResult(one.scope.seed, ended=str(error))), "failed"
    if done.left:
        warn_of_explaining_error(one.label, f"processes that could not be ended: {', '.join(map(str, done.left))}")
    if one.baseline is not None:
        done = replace(done, known=tuple(held.unexpected_results(known.read(one.baseline), done)))
    return replace(done, options=dict(options)), "interrupted" if done.interrupted else ending


def _beyond(one: PlannedCheck, scope: FuzzConfig, done: Report, run_config: RunConfig, *, quiet: bool) -> Report:
    """The report with what is compared beyond the cases, once these have all been asked."""
    if done.counts["not-asked"]:
        return replace(done, games=FuzzResult(scope.seed, ended="the cases have not all been asked"))
    origins = []
    for case in one.origins:
        with suppress(PositionError):
            origins.append(one.ruleset.position(case.position))
    number = scope.games if scope.given is None else len(scope.given)
    with _Progress(one, 0, total=number, quiet=quiet) as progress:
        games = fuzz(
            one.ruleset,
            one.engine,
            done.hello,
            scope,
            list(dict.fromkeys(origins)),
            most=min(MOST, run_config.max_failures or MOST),
            restarts=run_config.restarts,
            tell=progress.reach,
        )
    return replace(done, games=games, interrupted=games.ended == INTERRUPTED)


class _Observer(RunObserver):
    """Writes a run to its journal and shows its progress."""

    def __init__(self, one: PlannedCheck, record: CheckJournal, progress: _Progress) -> None:
        self._one, self._record, self._progress = one, record, progress

    def on_start(self, hello: Hello) -> None:
        self._record.begin(self._one, hello)

    def on_warning(self, line: str) -> None:
        warn_of_explaining_error(self._one.label, f"preflight: it {line}")

    def on_result(self, result: Result) -> None:
        self._record.add(result)
        self._progress.tell(result)

    def on_revision(self, result: Result) -> None:
        self._record.add(result)


class _Progress:
    """How far a run is, on a terminal; `total` is how much there is to do, None where that is not known."""

    def __init__(self, one: PlannedCheck, done: int, *, total: int | None, quiet: bool) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        err = console(stderr=True)
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[failed]}"),
        )
        self._shown = not quiet and err.is_terminal
        self._progress = Progress(*columns, console=err, transient=True, disable=not self._shown)
        title = f"{one.ruleset.id} by {one.label}"
        self._task = self._progress.add_task(title, total=total, completed=done, failed="")
        self._failed = 0

    def __enter__(self) -> _Progress:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def tell(self, result: Result) -> None:
        """One more."""
        if self._shown:
            self._failed += result.status in FAILING
            self._progress.update(self._task, advance=1, failed=f"{self._failed} failed" if self._failed else "")

    def reach(self, done: int) -> None:
        """So much is done."""
        if self._shown:
            self._progress.update(self._task, completed=done)


class Screen:
    """What is printed. Where nobody takes it any more that is not said before everything else has been written."""

    def __init__(self) -> None:
        #: What went wrong, if anything did.
        self.failed: OSError | None = None
        self._console = console()

    def report(self, report: Report, *, in_full: int) -> None:
        """Print a report but for what explains it."""
        self.print(lambda out: show(replace(report, diagnosis=None), out, in_full=in_full))

    def explanation(self, report: Report) -> None:
        """Print what explains it."""
        self.print(lambda out: show_explanation(report, out))

    def print(self, how: Callable[[Console], None]) -> None:
        """Print something, if it can be."""
        if self.failed is None:
            try:
                how(self._console)
            except OSError as error:
                self.failed = error


def explain_run(done: Report, one: PlannedCheck, *, probing: bool) -> tuple[Report, Ending]:
    """The report with what explains its failures, and how that ended.

    After an interruption it may take a moment only; being interrupted once more ends everything.
    """
    ending: Ending = "interrupted" if done.interrupted else None
    if not can_be_explained(done):
        return done, ending
    found = None
    try:
        if done.interrupted:
            with interruption.limit_time(_EXPLAINED_WITHIN):
                found = explain(done)
        else:
            found = explain(done, one.engine)
            if probing:
                found = probe_further(one.ruleset, found, one.engine())
    except interruption.TimeLimitError:
        return done, ending
    except KeyboardInterrupt:
        if done.interrupted:
            raise
        ending = "interrupted"
    except EngineError as error:
        warn_of_explaining_error(one.label, f"probing: {error}")
    except ExplainingError as error:
        warn_of_explaining_error(one.label, str(error))
        if found is None:
            return replace(done, diagnosis=unexplained(done, error)), ending or "failed"
        ending = "failed"
    return (replace(done, diagnosis=found.as_json()) if found else done), ending


#: The options of `check` that go with it.
_FITTING = {"words", "names", "install", "sources", "show", "perft", "as_json", *TREATING}
#: An engine: its label, its command, and what is added to its environment.
Named = tuple[str, Sequence[str], Mapping[str, str]]


def check_only_counts() -> None:
    """Raise UsageError for an option of `check` that does not go with --perft."""
    check_fitting("--perft", _FITTING)


def check_counts(
    rulesets: Sequence[Ruleset],
    engines: Sequence[Named],
    engine_options: EngineOptions,
    files: Sequence[Path],
    *,
    show: int,
    as_json: bool,
) -> int:
    """Have the suites of rulesets counted by engines and print what came out; the exit status.

    The suites are those in `files`, else those shipped. Raises FileError for a ruleset without one.
    """
    given = {suite.ruleset: suite for suite in map(read_suite, files)}
    suites = [(ruleset, given.get(ruleset.id) or suite_of(ruleset)) for ruleset in rulesets]
    click.get_current_context().with_resource(adopt_orphans())
    found: list[Counts] = []
    status = 0
    for ruleset, suite in suites:
        for label, words, environment in engines:
            engine = engine_options.of(label).engine(words, environment, ruleset)
            try:
                done = _counted(ruleset, suite, engine, quiet=as_json)
            except EngineError as error:
                warn_of_explaining_error(label, str(error))
                status = 3
                continue
            finally:
                engine.close()
            if not as_json:
                _show(done, suite, show)
            if not done.interrupted:
                try:
                    with guard_explaining("explaining"):
                        done = replace(done, explained=explain_counts(ruleset, done))
                    if not as_json:
                        _show_explanation(done)
                except ExplainingError as error:
                    warn_of_explaining_error(label, str(error))
                    status = status or FAILED
                except KeyboardInterrupt:
                    done = replace(done, interrupted=True)
            found.append(done)
            if done.interrupted:
                break
    if as_json:
        print_json({"counts": [done.as_json() for done in found]})
    if any(done.interrupted for done in found):
        click.echo("damspec: interrupted", err=True)
        return interruption.exit_status()
    if any(not done.numbers for done in found):
        return 3
    return status or int(any(done.wrong or done.unanswered for done in found))


def _counted(ruleset: Ruleset, suite: PerftSuite, engine: Engine, *, quiet: bool) -> Counts:
    err = console(stderr=True)
    if quiet or not err.is_terminal:
        return counts(ruleset, suite, engine)
    with err.status(ruleset.id) as status:
        return counts(
            ruleset,
            suite,
            engine,
            lambda done: status.update(f"{ruleset.id}: {done} of {len(suite.positions)} positions"),
        )


def _show(done: Counts, suite: PerftSuite, show: int) -> None:
    by_position: dict[str, list[str]] = {}
    for number in done.wrong:
        said = f"depth {number.depth}: found {number.found}, expected {number.expected}"
        by_position.setdefault(number.position, []).append(said)
    for position, message in done.unanswered:
        by_position.setdefault(position, []).append(f"engine {message}")
    for position, lines in list(by_position.items())[:show]:
        click.echo("\n".join([position, *(f"  {line}" for line in lines)]))
    if len(by_position) > show:
        click.echo(f"... and {len(by_position) - show} positions more")
    asked = "asked perft" if done.way == "perft" else "counted by its moves"
    wrong = f"{len(done.wrong)} wrong" if done.wrong else "all right"
    left = f", {len(done.unanswered)} of {len(suite.positions)} positions without a whole answer"
    click.echo(
        f"{done.ruleset} by {done.engine}, {asked}: {len(done.numbers)} numbers, {wrong}"
        f"{left if done.unanswered else ''}{' (interrupted)' if done.interrupted else ''}"
    )


def _show_explanation(done: Counts) -> None:
    if done.wrong:
        click.echo("Explanation")
        for line in done.explained:
            click.echo(f"  {line} (gives all {len(done.numbers)} numbers)")
        if not done.explained:
            click.echo("  no change of one or two rules, other game or fault of the catalogue gives all the numbers")


#: The options that a journal has to have been written with to be gone on with, and that a report names.
_NAMED: tuple[str, ...] = ("patterns", "topics", "sources", "max_fail", "repeat", "restarts", "timeout", "max_answer")
_NAMED += ("max_moves", "games", "seconds", "seed", "positions", "drawn", "no_cases", *SPEAKING, *WRITING)
_NAMED += ("passed", "memory", "cpu", "scratch", "sandbox")


@click.command(cls=WithCommand)
@click.argument("words", nargs=-1, metavar="RULESET...", shell_complete=complete_words)
@click.option(
    "--engine", "names", multiple=True, metavar="NAME", help="A named engine (`damspec engines`); repeatable."
)
@click.option("--install", is_flag=True, help="Install named engines that are not installed yet.")
@click.option(
    "--cases",
    "sources",
    multiple=True,
    type=click.Path(exists=True, path_type=Path),
    help="Use the cases of this file, folder or bundle instead of those shipped; with --perft, a suite; repeatable.",
)
@click.option(
    "-k",
    "patterns",
    multiple=True,
    metavar="PATTERN",
    help="Only cases whose id matches this pattern or contains it; repeatable.",
)
@click.option("--topic", "topics", multiple=True, type=click.Choice(TOPICS), help="Only this topic; repeatable.")
@click.option("--rerun-failed", metavar="REPORT", help="Only cases that failed in this report (JSON or a journal).")
@click.option("--max-fail", type=click.IntRange(1), help="Stop after N failures.")
@click.option(
    "-j", "--jobs", type=click.IntRange(1, 64), default=1, show_default=True, help="Engine processes at once."
)
@click.option(
    "--repeat",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Ask every question N times; different answers are flaky.",
)
@click.option(
    "--restarts",
    type=click.IntRange(0),
    default=RESTARTS,
    show_default=True,
    help="Restart the engine after at most N cases that break it, then give up.",
)
@click.option("--perft", is_flag=True, help="Compare perft counts of the perft suite instead of cases.")
@click.option("--show", type=click.IntRange(0), default=10, show_default=True, help="Show N failures in full.")
@add_engine_options
@add_fuzz_options
@strict_option
@click.option(
    "--baseline",
    "held",
    is_flag=False,
    flag_value="",
    metavar="[FILE]",
    help="Fail only on failures not listed in FILE; of named engines, in known/.",
)
@click.option(
    "--update-baseline",
    is_flag=False,
    flag_value="",
    metavar="[FILE]",
    help="Write the failures to the baseline; of named engines, in known/.",
)
@click.option(
    "--diagnose/--no-diagnose", default=True, help="Explain failures: the rules or mistakes that would cause them."
)
@click.option("--probe", "probing", is_flag=True, help="Ask further positions until one explanation is left.")
@click.option("--junit", type=click.Path(path_type=Path), help="Also write a JUnit file.")
@click.option(
    "--journal", type=click.Path(path_type=Path), help="Append each result to a journal that --resume can continue."
)
@click.option(
    "--resume",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="JOURNAL",
    help="Resume the run of a journal.",
)
@json_option
def check(
    words: tuple[str, ...],
    names: tuple[str, ...],
    install: bool,
    sources: tuple[Path, ...],
    patterns: tuple[str, ...],
    topics: tuple[str, ...],
    rerun_failed: str | None,
    max_fail: int | None,
    jobs: int,
    repeat: int,
    restarts: int,
    perft: bool,
    show: int,
    engine_options: EngineOptions,
    fuzz_options: FuzzOptions,
    strict: bool,
    held: str | None,
    update_baseline: str | None,
    diagnose: bool,
    probing: bool,
    junit: Path | None,
    journal: Path | None,
    resume: Path | None,
    as_json: bool,
) -> None:
    """Check engines against the cases of each RULESET.

    The engine is a COMMAND that speaks the protocol, after `--`, or a NAME.

    \b
      damspec check lb vl -- python my_engine.py
      damspec check lb --engine damspec --engine pydraughts --install
      damspec check lb --journal run.jsonl -- python my_engine.py
      damspec check lb --games 1000 -- python my_engine.py
      damspec check lb --perft -- python my_engine.py

    Exit status: 0 all cases pass (with --baseline: no other failures), 1 failures, 2 usage, 3 the engine could not run,
    4 the output could not be written, 5 damspec itself failed in an explanation or in games, 130 or 143 interrupted:
    what was done is reported all the same.
    """
    rulesets, command = rulesets_and_command(words, named=bool(names or engine_options.protocol_options.opponent))
    met = engine_options.protocol_options.opponent
    if met and (command or names or len(rulesets) > 1 or jobs > 1):
        raise click.UsageError("--dxp, --dxp-listen: one player, one ruleset, one game at a time, and no other engine")
    if not (command or names or met):
        raise click.UsageError("no engine: give --engine NAME, or a command after --")
    if perft:
        check_only_counts()
    fuzz_options = fuzz_options.fitting(plays=engine_options.protocol_options.plays)
    labels = [*names, *([shlex.join(command)] if command else [])] or [str(met)]
    if journal and resume:
        raise click.UsageError("--journal, --resume: --resume goes on writing to its journal, expected one of both")
    baseline = _Baseline(held, update_baseline, names, command, rulesets)
    if update_baseline is not None and (
        patterns or topics or max_fail or rerun_failed or any("?" in r.id for r in rulesets)
    ):
        raise click.UsageError("--update-baseline needs a run of all cases of a ruleset")
    if not fuzz_options.cases and (held is not None or update_baseline is not None):
        raise click.UsageError(
            "--no-cases: known failures are of cases, expected no --baseline and no --update-baseline"
        )
    junit_file = output.output_target("--junit", junit)
    failed = load_reports(rerun_failed) if rerun_failed else None
    found = read_case_files(sources) if sources and not perft else None
    options = _options()
    engines = [(name, *_named(name, install)) for name in names]
    if command or met:
        engines.append((labels[-1], list(command), {}))
    if perft:
        sys.exit(check_counts(rulesets, engines, engine_options, sources, show=show, as_json=as_json))
    runs = []
    for ruleset in rulesets:
        of_ruleset = cases_for(ruleset) if found is None else for_ruleset(found, ruleset)
        chosen = select(of_ruleset, patterns, topics)
        if not chosen:
            where = f" in {', '.join(map(str, sources))}" if sources else ""
            like = f"has an id like {' or '.join(patterns)} in {topics or 'any topic'}" if of_ruleset else "is there"
            raise click.UsageError(f"no case of {ruleset.id} {like}{where}")
        scope = fuzz_options.scope(ruleset)
        for label, line, environment in engines:
            cases = chosen if failed is None else _failed(chosen, failed, ruleset, label)
            if cases or scope:
                file = baseline.file(label, ruleset)
                asked = cases if fuzz_options.cases else []
                treated = engine_options.of(label)
                runs.append(PlannedCheck(ruleset, asked, label, line, environment, treated, file, scope, chosen))
    if not runs:
        click.echo(f"no case that is chosen failed by {rerun_failed}")
        return
    record = CheckJournal(journal, resume, runs, options)
    run_config = RunConfig(
        jobs=jobs, max_failures=max_fail, restarts=restarts, times=repeat, second_asks=SECOND_ASKS, preflight=True
    )
    click.get_current_context().with_resource(adopt_orphans())
    screen = Screen()
    reports: list[Report] = []
    unrun, endings = 0, set[Ending]()
    for one in runs:
        try:
            done, ending = checked(one, run_config, record, options, quiet=as_json)
        except EngineError as error:
            warn_of_explaining_error(one.label, str(error))
            unrun += 1
            continue
        except KeyboardInterrupt:
            endings.add("interrupted")
            break
        endings.add(ending)
        baseline.write(one.label, done)
        if not as_json:
            screen.report(done, in_full=show)
        if diagnose:
            done, ending = explain_run(done, one, probing=probing)
            endings.add(ending)
            if not as_json:
                screen.explanation(done)
        record.end(done)
        reports.append(done)
        if one.cases and done.counts["unsupported"] == len(done.results):
            warn_of_explaining_error(one.label, f"none of the {len(one.cases)} cases could be put to it")
            unrun += 1
        if "interrupted" in endings:
            break
    if as_json and reports:
        screen.print(lambda out: click.echo(render(reports, "json"), nl=False))
    if junit_file and reports:
        junit_file.write(render(reports, "junit"))
    if screen.failed is not None:
        raise screen.failed
    if "interrupted" in endings:
        click.echo("damspec: interrupted", err=True)
        sys.exit(interruption.exit_status())
    if record.failed is not None:
        sys.exit(record.failed.exit_code)
    if unrun:
        sys.exit(3)
    if "failed" in endings:
        sys.exit(FAILED)
    sys.exit(1 if any(_wrong(done, strict=strict) for done in reports) else 0)


def _wrong(done: Report, *, strict: bool) -> bool:
    """Whether a run failed. Where it is held to known failures it is by others, and by what came up beyond cases."""
    if done.known is None:
        return not done.clean(strict)
    sloppy = strict and not replace(done, results=tuple(done.with_status("passed", "unsupported"))).clean(strict)
    return bool(done.known) or sloppy or not replace(done, results=()).clean(strict)


class _Baseline:
    """Where the failures that are known of the engines are, and are to be written."""

    def __init__(
        self,
        held: str | None,
        update: str | None,
        names: Sequence[str],
        command: Sequence[str],
        rulesets: Sequence[Ruleset],
    ) -> None:
        for option, file in (("--baseline", held), ("--update-baseline", update)):
            if file == "" and command:
                raise click.UsageError(f"{option} without a FILE is about named engines, not a command: {option} FILE")
            if file and len(rulesets) * (len(names) + bool(command)) > 1:
                raise click.UsageError(f"{option} {file}: a file is for one engine on one ruleset")
            own = next((ruleset.id for ruleset in rulesets if ruleset.source != ruleset.base), None)
            if file == "" and own is not None:
                raise click.UsageError(f"{option} without a FILE is about shipped rulesets, not {own}: {option} FILE")
        self._held, self._update = held, update
        self._target = output.OutputTarget("--update-baseline", Path(update)) if update else None

    def file(self, label: str, ruleset: Ruleset) -> Path | None:
        """The file that a run is held to; it is read, so that what is wrong with it is said at once."""
        if self._held is None or (self._held == "" and label == registry.REFERENCE):
            return None
        file = Path(self._held) if self._held else known.path(label, ruleset.base)
        if not (self._update is not None and not file.exists()):
            known.read(file)
        return file

    def write(self, label: str, done: Report) -> None:
        """Write the failures of a run down, if that is asked for and the run has come to its end."""
        if self._update is None or done.interrupted:
            return
        if self._target is None and label == registry.REFERENCE:
            return
        target = self._target or _kept(label, done.ruleset)
        old = known.read(target.path) if target.path.is_file() else None
        target.write(held.baseline_text(label, done, old))
        click.echo(f"written: {damspec.data.path_text(target.path)}", err=True)


def _kept(label: str, ruleset: Ruleset) -> output.OutputTarget:
    """The file in known/ that a named engine's failures are written to."""
    path = known.path(label, ruleset.base)
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
    return output.OutputTarget("--update-baseline", path)


def _failed(chosen: Sequence[Case], reports: Sequence[Report], ruleset: Ruleset, label: str) -> list[Case]:
    """The cases that failed on a ruleset by reports: the engine's own, if there are any of it, else anybody's."""
    about = [report for report in reports if report.ruleset.id == ruleset.id]
    about = [report for report in about if report.label == label] or about
    ids = {result.case.id for report in about for result in report.results if result.status in FAILING}
    return [case for case in chosen if case.id in ids]


def _options() -> dict[str, Any]:
    """The options that are not as they are when nothing is said, by their names."""
    context = click.get_current_context()
    said: dict[str, Any] = {}
    for parameter in context.command.params:
        value = context.params.get(parameter.name or "")
        if parameter.name in _NAMED and value and value != parameter.get_default(context):
            name = max(parameter.opts, key=len).lstrip("-")
            if parameter.name in ADDRESSES:
                said[name] = ":".join(map(str, value))
            else:
                said[name] = [str(each) for each in value] if isinstance(value, tuple) else value
    return said


def _named(name: str, install: bool) -> tuple[list[str], dict[str, str]]:
    if install and name != registry.REFERENCE and not registry.adapter(name).installed:
        try:
            registry.install(registry.adapter(name), lambda line: click.echo(line, err=True))
        except registry.InstallError as error:
            click.echo(f"damspec: {error}", err=True)
            sys.exit(3)
    return registry.named_command(name)
