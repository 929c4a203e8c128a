"""Running planned checks: cases and games put to an engine, the journal, progress on a terminal."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar

import click

import damspec
from damspec import DamspecError, Ruleset, data

from ..cases.cases import Case
from ..engines import known
from ..engines.process import Engine
from ..engines.process_tree import adopt_orphans
from ..engines.protocol import EngineError, Hello
from ..tasks.journal import JsonLinesFile, LockedError
from ..verify.baseline import unexpected_results
from ..verify.games import MOST, FuzzConfig, fuzz, game_origins
from ..verify.journal import (
    digests,
    footer_entry,
    header_entry,
    is_cut_header,
    is_journal,
    is_unfinished,
    read_sections,
    resume_size,
)
from ..verify.report.serialize import result_entry, ruleset_entry
from ..verify.result import FAILING, FuzzResult, Report, Result
from ..verify.run import INTERRUPTED, RunConfig, RunObserver
from ..verify.run import check as run_cases
from . import interruption
from .explanation import FAILED, ExplainingError, guard_explaining, warn
from .options import EngineOptions
from .output import OutputError, OutputTarget, print_json, progress_bar, say

#: What ended a run early, if anything did: somebody, or a fault of damspec's own.
RunEnd = Literal["interrupted", "failed"] | None


@dataclass(frozen=True)
class NamedEngine:
    """An engine as a command names it: its label, its command, and what is added to its environment."""

    label: str
    command: Sequence[str]
    environment: Mapping[str, str]


class Judgement(Protocol):
    """What is found out about an engine on a ruleset."""

    @property
    def interrupted(self) -> bool:
        """Whether somebody ended it early."""

    def as_json(self) -> Mapping[str, Any]:
        """Return it as plain data."""


_J = TypeVar("_J", bound=Judgement)


def judge_engines(
    rulesets: Sequence[Ruleset],
    engines: Sequence[NamedEngine],
    engine_options: EngineOptions,
    ask: Callable[[Ruleset, NamedEngine, Engine], _J],
    conclude: Callable[[Ruleset, NamedEngine, _J], tuple[_J, int]],
    *,
    json_key: str,
    as_json: bool,
) -> int:
    """Ask each engine on each ruleset, print what is found, and return the exit status of all.

    `conclude` prints what an engine was found to do, and returns it with the exit status for it alone.
    """
    click.get_current_context().with_resource(adopt_orphans())
    found: list[_J] = []
    statuses: set[int] = set()
    for ruleset, named in product(rulesets, engines):
        engine = engine_options.for_engine(named.label).engine(named.command, named.environment, ruleset)
        try:
            asked = ask(ruleset, named, engine)
        except EngineError as error:
            warn(named.label, str(error))
            statuses.add(3)
            continue
        finally:
            engine.close()
        judged, status = conclude(ruleset, named, asked)
        found.append(judged)
        statuses.add(status)
        if judged.interrupted:
            break
    if as_json:
        print_json({json_key: [each.as_json() for each in found]})
    if any(each.interrupted for each in found):
        return interruption.report_interruption()
    return next((status for status in (3, FAILED, 1) if status in statuses), 0)


@dataclass(frozen=True)
class PlannedCheck:
    """An engine to be checked on a ruleset.

    `baseline` has the expected failures, which are read before the engine is run. `fuzz_config` says what is compared
    beyond the cases, if anything is, and `player_fuzz` what an engine is asked then that turns out to play only; games
    may begin with the positions of `origins`.
    """

    ruleset: Ruleset
    cases: Sequence[Case]
    engine: NamedEngine
    engine_options: EngineOptions
    baseline: known.ExpectedFailures | None = None
    fuzz_config: FuzzConfig | None = None
    origins: Sequence[Case] = ()
    player_fuzz: Callable[[], FuzzConfig | None] = lambda: None

    @property
    def label(self) -> str:
        """What the run calls the engine."""
        return self.engine.label

    @property
    def title(self) -> str:
        """What progress is shown of."""
        return f"{self.ruleset.id} by {self.label}"

    def make_engine(self) -> Engine:
        """Return the engine, not started yet."""
        return self.engine_options.engine(self.engine.command, self.engine.environment, self.ruleset)

    def in_notation_of(self, report: Report) -> PlannedCheck:
        """Return the check with the notation that the engine was asked in, which the preflight may have found."""
        conventions = replace(self.engine_options.conventions, notation=report.hello.notation)
        return replace(self, engine_options=replace(self.engine_options, conventions=conventions))


def run_check(
    planned: PlannedCheck, run_config: RunConfig, journal: CheckJournal, options: Mapping[str, Any], *, quiet: bool
) -> tuple[Report, RunEnd]:
    """Run a check, but for the cases that the journal has a result of; return its report and how it ended.

    Raises EngineError if the engine cannot be run.
    """
    earlier = journal.earlier(planned)
    if earlier is not None and not earlier.interrupted:
        return replace(earlier, diagnosis=None), None
    before = {result.case.id: result for result in earlier.results if result.status != "not-asked"} if earlier else {}
    with progress_bar(planned.title, len(planned.cases), quiet=quiet) as progress:
        report = run_cases(
            planned.ruleset,
            planned.cases,
            planned.make_engine,
            label=planned.label,
            run_config=run_config,
            before=before,
            observer=_Observer(planned, journal, progress, before),
        )
    end: RunEnd = None
    fuzz_config = planned.fuzz_config
    if fuzz_config is None and report.hello.manner == "played":
        fuzz_config = planned.player_fuzz()
    if fuzz_config is not None and not report.interrupted:
        try:
            with guard_explaining("comparing"):
                report = _fuzz(planned.in_notation_of(report), fuzz_config, report, run_config, quiet=quiet)
        except ExplainingError as error:
            warn(planned.label, str(error))
            report, end = replace(report, games=FuzzResult(fuzz_config.seed, ended=str(error))), "failed"
    if report.stray_processes:
        warn(planned.label, f"processes that could not be ended: {', '.join(map(str, report.stray_processes))}")
    if planned.baseline is not None:
        report = replace(report, unexpected=unexpected_results(planned.baseline, report))
    return replace(report, options=dict(options)), "interrupted" if report.interrupted else end


def _fuzz(
    planned: PlannedCheck, fuzz_config: FuzzConfig, report: Report, run_config: RunConfig, *, quiet: bool
) -> Report:
    """Return the report with games or positions compared after the cases."""
    if report.counts["not-asked"]:
        return replace(report, games=FuzzResult(fuzz_config.seed, ended="the cases have not all been asked"))
    number = fuzz_config.games if fuzz_config.positions is None else len(fuzz_config.positions)
    began = time.monotonic()

    def report_progress(done: int) -> None:
        progress(completed=done)
        if done != TIMED or number is None or fuzz_config.seconds is not None or quiet:
            return
        if said := forecast(number, time.monotonic() - began, run_config.jobs):
            warn(planned.label, said)

    with progress_bar(planned.title, number, quiet=quiet) as progress:
        games = fuzz(
            planned.ruleset,
            planned.make_engine,
            report.hello,
            fuzz_config,
            game_origins(planned.ruleset, planned.origins),
            jobs=run_config.jobs,
            most=min(MOST, run_config.max_failures or MOST),
            restarts=run_config.restarts,
            report_progress=report_progress,
        )
    return replace(report, games=games, interrupted=games.ended == INTERRUPTED)


#: After how many games, or positions, it is said how long the rest takes; and the seconds worth saying so.
TIMED, _LONG = 10, 20.0


def forecast(number: int, seconds: float, jobs: int) -> str:
    """Return in words how long the rest of games or positions takes, if the first took `seconds`; "" if not long."""
    rest = seconds / TIMED * (number - TIMED)
    if rest < _LONG:
        return ""
    time_left = f"{rest:.0f} seconds" if rest < 120 else f"{rest / 60:.0f} minutes"
    more = f"; -j spreads them over more than {jobs} {'process' if jobs == 1 else 'processes'}"
    return f"{TIMED} of {number:,} done in {seconds:.0f} s, about {time_left} to go{more}"


# --- hearing of a run -----------------------------------------------------------------------------


class _Observer(RunObserver):
    """Writes a run to its journal and shows its progress; `done` are the cases that need not be asked."""

    def __init__(
        self,
        planned: PlannedCheck,
        journal: CheckJournal,
        progress: Callable[..., None],
        done: Collection[str],
    ) -> None:
        self._planned, self._journal, self._progress = planned, journal, progress
        self._done, self._failed = set(done), set[str]()
        progress(completed=len(done))

    def on_start(self, hello: Hello) -> None:
        self._journal.begin(self._planned, hello)

    def on_warning(self, line: str) -> None:
        warn(self._planned.label, f"preflight: it {line}")

    def on_result(self, result: Result) -> None:
        self._journal.add(result)
        self._done.add(result.case.id)
        self._failed |= {result.case.id} if result.status in FAILING else set()
        self._progress(completed=len(self._done), note=f"{len(self._failed)} failed" if self._failed else "")


# --- the journal ----------------------------------------------------------------------------------


class CheckJournal:
    """The journal of a check, if any, with the reports of an earlier run."""

    def __init__(
        self,
        journal: Path | None,
        resume: Path | None,
        checks: Sequence[PlannedCheck],
        options: Mapping[str, Any],
    ) -> None:
        """Open it. Raises UsageError for a file that cannot be written, FileError for no journal of these checks."""
        #: Why it could not be written to the end, if it could not.
        self.error: OutputError | None = None
        self._options = dict(options)
        self._earlier: dict[tuple[str, str], Report] = {}
        self._file: JsonLinesFile | None = None
        self._path = path = journal or resume
        if path is None:
            return
        option = "--journal" if journal else "--resume"
        if journal is not None:
            OutputTarget(option, journal)
        try:
            self._file = JsonLinesFile(path)
        except LockedError as error:
            raise click.UsageError(f"{option}: {error}") from None
        except OSError as error:
            raise click.UsageError(f"{option}: cannot write {str(path)!r}: {error.strerror}") from None
        try:
            if journal is not None:
                _check_replaceable(journal, self._file.content)
                self._file.keep(0)
            elif not is_cut_header(self._file.content):
                self._earlier = _read_reports(path, self._file.complete, checks, self._options)
                self._file.keep(resume_size(self._file.complete))
        except BaseException:
            self._file.close()
            raise

    def earlier(self, planned: PlannedCheck) -> Report | None:
        """Return the report of an earlier run of a check."""
        return self._earlier.get((planned.ruleset.id, planned.label))

    def begin(self, planned: PlannedCheck, hello: Hello) -> None:
        """Begin a check, or resume it. Raises EngineError if it was another engine's."""
        earlier = self.earlier(planned)
        if earlier is None:
            self._write(header_entry(planned.ruleset, planned.label, hello, planned.cases, self._options))
        elif (earlier.hello.name, earlier.hello.version) != (hello.name, hello.version):
            was, now = (f"{each.name} {each.version}".strip() for each in (earlier.hello, hello))
            raise EngineError("journal", f"is {now}, and the journal's is {was}")

    def add(self, result: Result) -> None:
        """Append a result; of several of a case the last one counts."""
        self._write(result_entry(result))

    def end(self, report: Report) -> None:
        """Append the end of a check, unless an earlier run did."""
        earlier = self._earlier.get((report.ruleset.id, report.label))
        if earlier is None or earlier.interrupted:
            self._write(footer_entry(report))

    def finish(self) -> None:
        """Check, once all engines have ended, that none has changed the file."""
        self._use(JsonLinesFile.finish)

    def _write(self, entry: Mapping[str, Any]) -> None:
        self._use(lambda file: file.write(entry))

    def _use(self, action: Callable[[JsonLinesFile], None]) -> None:
        if self._file is None:
            return
        try:
            action(self._file)
        except OSError as error:
            self._file = None
            self.error = OutputError(f"--journal: cannot write {str(self._path)!r}: {error.strerror}")
            say(f"{self.error.message}; the run does without it")


def _check_replaceable(path: Path, content: bytes) -> None:
    """Raise UsageError for a file that a new journal may not replace: no journal, or that of an unfinished run."""
    name = str(path)
    if not is_journal(content):
        found = data.quote(content[:60].decode("utf-8", "replace"))
        raise click.UsageError(f"--journal: {name!r} is no journal: found {found}, expected a journal or a new file")
    if is_unfinished(content):
        raise click.UsageError(
            f"--journal: {name!r} has a run that is not finished: resume it by"
            f" --resume {shlex.quote(name)}, or remove it"
        )


def _read_reports(
    path: Path, content: bytes, checks: Sequence[PlannedCheck], options: Mapping[str, Any]
) -> dict[tuple[str, str], Report]:
    """Return the reports in a journal by ruleset and engine. Raises FileError unless they are of these checks."""
    where = str(path)
    try:
        sections = read_sections(content, where)
        for section, planned in zip(sections, checks, strict=False):
            if difference := _find_difference(section.header, planned, options):
                raise data.FileError(f"{where}: is of {difference}")
        if len(sections) > len(checks):
            raise data.FileError(f"{where}: has {len(sections)} runs, expected at most {len(checks)}")
        return {
            (planned.ruleset.id, planned.label): section.report(planned.cases)
            for section, planned in zip(sections, checks, strict=False)
        }
    except DamspecError as error:
        raise data.FileError(f"--resume: {error}") from None


def _find_difference(header: Mapping[str, Any], planned: PlannedCheck, options: Mapping[str, Any]) -> str | None:
    """Return what the run of a journal was of, and what was expected: the first difference from a check, if any."""
    id, label, now = planned.ruleset.id, header["engine"]["label"], digests(planned.ruleset, planned.cases)
    then, old_options = header.get("digests", {}), header.get("options", {})
    ids = [case.id for case in planned.cases]
    if header["damspec"] != damspec.__version__ or not then:
        return f"damspec {header['damspec']}{' or older' * (not then)}, expected {damspec.__version__}"
    named = {key: header[key] for key in ("ruleset", "ruleset_file") if key in header}
    if (named, label) != (ruleset_entry(planned.ruleset), planned.label):
        return f"{header['ruleset']} by {label}, expected {id} by {planned.label}"
    if then["rules"] != now["rules"]:
        return f"other rules of {id} than there are now"
    if header["cases"] != ids:
        counts = f"{len(header['cases'])} with {_words(old_options)}, expected {len(ids)} with {_words(options)}"
        return f"other cases of {id} than are chosen now: {counts}"
    if old_options != options:
        return f"a run with {_words(old_options)}, expected {_words(options)}"
    if then["cases"] != now["cases"]:
        return f"cases of {id} that have changed since"
    return None


def _words(options: Mapping[str, Any]) -> str:
    return " ".join(f"{name}={data.quote(value)}" for name, value in options.items()) or "no options"
