"""`damspec check`: put cases, games and perft counts to an engine, report, and explain."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import click
from rich.console import Console

from damspec import Ruleset, data

from ..cases.case_files import read_case_files
from ..cases.cases import TOPICS, Case, cases_for, for_ruleset, select
from ..engines import known, registry
from ..engines.process_tree import adopt_orphans
from ..engines.protocol import EngineError
from ..options import option
from ..solve.place import MOST
from ..verify.baseline import baseline_text
from ..verify.journal import load_reports
from ..verify.report import IN_FULL, render
from ..verify.report.terminal import show_details, show_verdict
from ..verify.result import FAILING, Report
from ..verify.run import RESTARTS, SECOND_ASKS, RunConfig
from . import interruption
from .arguments import RulesetParam, jobs_option
from .check_endgames import check_endgames
from .check_perft import check_perft
from .check_run import CheckJournal, NamedEngine, PlannedCheck, RunEnd, run_check
from .engines import try_install
from .explanation import FAILED, can_be_explained, explain, warn
from .options import EngineOptions, FuzzOptions, WithCommand, rulesets_and_command
from .output import OutputTarget, console, json_field, output_target, strict_field
from .parameters import check_fitting, given_options, with_options
from .solve import SOLVED_ON_DEMAND

#: Seconds for an explanation after the run was interrupted.
_EXPLAINED_WITHIN = 2.0


@dataclass(frozen=True)
class CaseOptions:
    """Which cases of a ruleset are asked."""

    cases: tuple[Path, ...] = option(
        "Cases of this file, folder or bundle instead; with --perft, a suite; repeatable.",
        (),
        section="Which cases",
        type=click.Path(exists=True, path_type=Path),
    )
    patterns: tuple[str, ...] = option("Only ids that match or contain this; repeatable.", (), "-k", metavar="PATTERN")
    topics: tuple[str, ...] = option(
        f"Only this topic; repeatable: {', '.join(TOPICS)}.", (), "--topic", type=click.Choice(TOPICS), metavar="TOPIC"
    )


@dataclass(frozen=True)
class RunLimits:
    """When a run ends early, and how often an engine is asked and restarted."""

    max_fail: int | None = option("Stop after N failures.", section="Limits", rare=True, least=1)
    repeat: int = option("Ask every question N times; different answers are flaky.", 1, rare=True, least=1)
    restarts: int = option(
        "Restart the engine after at most N cases that break it, then give up.", RESTARTS, rare=True, least=0
    )


@dataclass(frozen=True)
class EngineNames:
    """Engines that are called by a name."""

    names: tuple[str, ...] = option(
        "A named engine (`damspec engines`); repeatable.", (), "--engine", section="The engine", metavar="NAME"
    )
    install: bool = option("Install named engines that are not installed yet.", False)


@dataclass(frozen=True, kw_only=True)
class CheckOptions:
    """The options of `damspec check`."""

    chosen: CaseOptions
    rerun_failed: str | None = option(
        "Only cases that failed in this report (JSON or a journal).",
        section="Which cases",
        rare=True,
        metavar="REPORT",
    )
    perft: bool = option("Compare perft counts instead of cases.", False)
    endgames: bool = option("Judge the moves the engine plays in solved endgames.", False)
    pieces: int | None = option(
        f"With --endgames: the most pieces; up to {SOLVED_ON_DEMAND} are solved if need be."
        f"  [default: {SOLVED_ON_DEMAND}]",
        rare=True,
        least=2,
        most=MOST,
    )
    fuzz: FuzzOptions
    engines: EngineNames
    engine: EngineOptions
    jobs: int = jobs_option("Engine processes at once.", section="The engine")
    run: RunLimits
    show: int = option("Show N failures in full.", IN_FULL, section="Report", rare=True, least=0)
    strict: bool = strict_field(rare=True)
    baseline: str | None = option(
        "Fail only on failures not listed in FILE, or in known/.",
        is_flag=False,
        flag_value="",
        metavar="[FILE]",
    )
    update_baseline: str | None = option(
        "Write the failures to the baseline; of named engines, in known/.",
        rare=True,
        is_flag=False,
        flag_value="",
        metavar="[FILE]",
    )
    diagnose: bool = option(
        "Explain failures: the rules or mistakes that would cause them.",
        True,
        "--diagnose/--no-diagnose",
        rare=True,
    )
    explain: float | None = option(
        "Explain for at most so many seconds of processor time and waiting; 0: not at all.  [default: 10]",
        rare=True,
        least=0,
        metavar="SECONDS",
    )
    probe: bool = option("Ask further positions until one explanation is left.", False, rare=True)
    junit: Path | None = option("Also write a JUnit file.", type=click.Path(path_type=Path))
    journal: Path | None = option(
        "Append each result to a journal that --resume can continue.", rare=True, type=click.Path(path_type=Path)
    )
    resume: Path | None = option(
        "Resume the run of a journal.",
        rare=True,
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        metavar="JOURNAL",
    )
    as_json: bool = json_field()


@click.command(cls=WithCommand)
@click.argument("words", nargs=-1, metavar="RULESET...", shell_complete=RulesetParam().shell_complete)
@with_options
def check(words: tuple[str, ...], *, options: CheckOptions) -> None:
    """Check engines against the cases of each RULESET. The engine is a COMMAND that speaks the protocol, after `--`,
    or a NAME.

    \b
      damspec check lb vl -- python my_engine.py
      damspec check lb --engine damspec --engine pydraughts --install
      damspec check lb --journal run.jsonl -- python my_engine.py
      damspec check lb --games 1000 -- python my_engine.py
      damspec check lb --perft -- python my_engine.py
      damspec check english --endgames -- python my_player.py

    Exit status: 0 all cases pass (with --baseline: no other failures), 1 failures, 2 usage, 3 the engine could not run,
    4 the output could not be written, 5 damspec itself failed, 130 or 143 interrupted; what was done is reported.
    """
    sys.exit(_check(words, options))


def _check(words: tuple[str, ...], options: CheckOptions) -> int:
    """Run `damspec check` and return its exit status."""
    opponent = options.engine.protocol.opponent
    rulesets, command = rulesets_and_command(words, named=bool(options.engines.names or opponent))
    if opponent and (command or options.engines.names or len(rulesets) > 1 or options.jobs > 1):
        raise click.UsageError("--dxp, --dxp-listen: one player, one ruleset, one game at a time, and no other engine")
    if not (command or options.engines.names or opponent):
        raise click.UsageError("no engine: give --engine NAME, or a command after --")
    if options.perft:
        check_fitting("--perft", EngineNames, EngineOptions, "perft", "cases", "show", "as_json")
    if options.endgames:
        check_fitting(
            "--endgames", EngineNames, EngineOptions, "endgames", "pieces", "seed", "drawn", "show", "as_json"
        )
        return check_endgames(
            rulesets,
            _engines(options, command),
            options.engine,
            pieces=options.pieces or SOLVED_ON_DEMAND,
            number=options.fuzz.drawn,
            seed=options.fuzz.seed,
            show=options.show,
            as_json=options.as_json,
        )
    if options.pieces is not None:
        raise click.UsageError("--pieces: counts the pieces of solved endgames, expected --endgames")
    fuzz_options = options.fuzz.fitting(plays=options.engine.protocol.only_plays)
    if options.journal and options.resume:
        raise click.UsageError("--journal, --resume: --resume goes on writing to its journal, expected one of both")
    baseline = _Baseline(options, command, rulesets)
    junit = output_target("--junit", options.junit)
    failed = load_reports(options.rerun_failed) if options.rerun_failed else None
    cases = read_case_files(options.chosen.cases) if options.chosen.cases and not options.perft else None
    engines = _engines(options, command)
    if options.perft:
        files, quiet = options.chosen.cases, options.as_json
        return check_perft(rulesets, engines, options.engine, files, show=options.show, as_json=quiet)
    checks: list[PlannedCheck] = []
    for ruleset in rulesets:
        chosen = _choose_cases(options, ruleset, cases)
        fuzz_config = fuzz_options.scope(ruleset)
        for engine in engines:
            picked = chosen if failed is None else _select_failed(chosen, failed, ruleset, engine.label)
            if picked or fuzz_config:
                picked = [] if fuzz_options.no_cases else picked
                engine_options = options.engine.for_engine(engine.label)
                expected = baseline.expected(engine.label, ruleset)
                drawn = partial(fuzz_options.drawn_scope, ruleset)
                checks.append(
                    PlannedCheck(ruleset, picked, engine, engine_options, expected, fuzz_config, chosen, drawn)
                )
    if not checks:
        click.echo(f"no case that is chosen failed by {options.rerun_failed}")
        return 0
    return _run_checks(checks, options, baseline, junit)


def _engines(options: CheckOptions, command: Sequence[str]) -> list[NamedEngine]:
    """Return the engines to check, those with a name first."""
    opponent = options.engine.protocol.opponent
    engines = [_named_engine(name, options.engines.install) for name in options.engines.names]
    if command or opponent:
        engines.append(NamedEngine(shlex.join(command) if command else str(opponent), list(command), {}))
    return engines


def _named_engine(name: str, install: bool) -> NamedEngine:
    if install and name != registry.REFERENCE:
        found = registry.adapter(name)
        if not found.installed and not try_install(found):
            sys.exit(3)
    return NamedEngine(name, *registry.named_command(name))


def _choose_cases(
    options: CheckOptions, ruleset: Ruleset, found: Sequence[tuple[Case, tuple[str, ...]]] | None
) -> list[Case]:
    """Return the cases of a ruleset that the options choose, of those `found` in files, or shipped.

    Raises UsageError if there are none.
    """
    of_ruleset = cases_for(ruleset) if found is None else for_ruleset(found, ruleset)
    chosen = select(of_ruleset, options.chosen.patterns, options.chosen.topics)
    if not chosen:
        where = f" in {', '.join(map(str, options.chosen.cases))}" if options.chosen.cases else ""
        like = f"has an id like {' or '.join(options.chosen.patterns)} in {options.chosen.topics or 'any topic'}"
        raise click.UsageError(f"no case of {ruleset.id} {like if of_ruleset else 'is there'}{where}")
    return [*chosen]


def _select_failed(chosen: Sequence[Case], reports: Sequence[Report], ruleset: Ruleset, label: str) -> list[Case]:
    """Return the cases that failed on a ruleset by reports: the engine's own, if there are any, else any engine's."""
    about = [report for report in reports if report.ruleset.id == ruleset.id]
    about = [report for report in about if report.label == label] or about
    ids = {result.case.id for report in about for result in report.results if result.status in FAILING}
    return [case for case in chosen if case.id in ids]


# --- running what is planned ----------------------------------------------------------------------


def _run_checks(
    checks: Sequence[PlannedCheck], options: CheckOptions, baseline: _Baseline, junit: OutputTarget | None
) -> int:
    """Run checks, print and write the reports requested, and return the exit status."""
    recorded = given_options(CaseOptions, RunLimits, EngineOptions, FuzzOptions)
    journal = CheckJournal(options.journal, options.resume, checks, recorded)
    run_config = RunConfig(
        jobs=options.jobs,
        max_failures=options.run.max_fail,
        restarts=options.run.restarts,
        times=options.run.repeat,
        second_asks=SECOND_ASKS,
        preflight=True,
    )
    click.get_current_context().with_resource(adopt_orphans())
    screen = _Screen()
    reports: list[Report] = []
    not_run, ends = 0, set[RunEnd]()
    for planned in checks:
        try:
            report, end = run_check(planned, run_config, journal, recorded, quiet=options.as_json)
        except EngineError as error:
            warn(planned.label, str(error))
            not_run += 1
            continue
        except KeyboardInterrupt:
            ends.add("interrupted")
            break
        ends.add(end)
        if not options.as_json:
            screen.print(partial(show_verdict, report))
        if options.diagnose and options.explain != 0:
            check, seconds = planned.in_notation_of(report), options.explain
            report, end = _explain(report, check, seconds=seconds, probing=options.probe)
            ends.add(end)
        baseline.write(planned.label, report)
        if not options.as_json:
            screen.print(partial(show_details, report, in_full=options.show))
        journal.end(report)
        reports.append(report)
        if planned.cases and report.counts["unsupported"] == len(report.results):
            warn(planned.label, f"none of the {len(planned.cases)} cases could be put to it")
            not_run += 1
        if "interrupted" in ends:
            break
    if options.as_json and reports:
        screen.print(lambda out: click.echo(render(reports, "json"), nl=False))
    if junit and reports:
        junit.write(render(reports, "junit"))
    journal.finish()
    if screen.error is not None:
        raise screen.error
    if "interrupted" in ends:
        return interruption.report_interruption()
    if journal.error is not None:
        return journal.error.exit_code
    if not_run:
        return 3
    return FAILED if "failed" in ends else int(any(report.fails(strict=options.strict) for report in reports))


def _explain(report: Report, planned: PlannedCheck, *, seconds: float | None, probing: bool) -> tuple[Report, RunEnd]:
    """Return the report with the explanation of the failures that are not expected, and the exit status of explaining.

    After an interruption it may take a moment only; being interrupted once more ends everything.
    """
    end: RunEnd = "interrupted" if report.interrupted else None
    new = replace(report, results=tuple(result for result in report.results if result not in report.expected))
    if not can_be_explained(new):
        return report, end
    start = None if report.interrupted else planned.make_engine
    try:
        with interruption.limit_time(_EXPLAINED_WITHIN) if report.interrupted else nullcontext():
            found, fails = explain(new, start, seconds=seconds, probing=probing)
    except interruption.TimeLimitError:
        return report, end
    except KeyboardInterrupt:
        if report.interrupted:
            raise
        return report, "interrupted"
    except EngineError as error:
        warn(planned.label, f"explaining: {error}")
        return report, end
    return replace(report, diagnosis=found), end or ("failed" if fails else None)


class _Screen:
    """Standard output. If it is closed, that is raised only after everything else has been written."""

    def __init__(self) -> None:
        #: What went wrong, if anything did.
        self.error: OSError | None = None
        self._console = console()

    def print(self, write: Callable[[Console], None]) -> None:
        """Print unless the output is closed."""
        if self.error is None:
            try:
                write(self._console)
            except OSError as error:
                self.error = error


class _Baseline:
    """The files with the expected failures of engines, to be read or written."""

    def __init__(self, options: CheckOptions, command: Sequence[str], rulesets: Sequence[Ruleset]) -> None:
        """Raises UsageError for options that do not go together."""
        engines = len(options.engines.names) + bool(command)
        for name, file in (("--baseline", options.baseline), ("--update-baseline", options.update_baseline)):
            if file == "" and command:
                raise click.UsageError(f"{name} without a FILE is about named engines, not a command: {name} FILE")
            if file and len(rulesets) * engines > 1:
                raise click.UsageError(f"{name} {file}: a file is for one engine on one ruleset")
            own = next((ruleset.id for ruleset in rulesets if ruleset.source != ruleset.base), None)
            if file == "" and own is not None:
                raise click.UsageError(f"{name} without a FILE is about shipped rulesets, not {own}: {name} FILE")
        self._read, self._update = options.baseline, options.update_baseline
        self._old: dict[tuple[str, str], known.ExpectedFailures] = {}
        self._target = OutputTarget("--update-baseline", Path(self._update)) if self._update else None
        some = options.chosen.patterns or options.chosen.topics or options.run.max_fail or options.rerun_failed
        if self._update is not None and (some or any("?" in ruleset.id for ruleset in rulesets)):
            raise click.UsageError("--update-baseline needs a run of all cases of a ruleset")
        if options.fuzz.no_cases and (self._read is not None or self._update is not None):
            raise click.UsageError(
                "--no-cases: known failures are of cases, expected no --baseline and no --update-baseline"
            )

    def expected(self, label: str, ruleset: Ruleset) -> known.ExpectedFailures | None:
        """Return the failures expected of a run, if any are. Raises FileError if they cannot be read.

        This and the file to be updated are read before the engine is run, which might change them.
        """
        path, by_name = known.path(label, ruleset.base), label != registry.REFERENCE
        update = Path(self._update) if self._update else path
        if self._update is not None and update.is_file():
            self._old[label, ruleset.base] = _read_baseline("--update-baseline", update, ruleset)
        if self._read is None or not (self._read or by_name):
            return None
        file = Path(self._read) if self._read else path
        return _read_baseline("--baseline", file, ruleset) if self._update is None or file.exists() else None

    def write(self, label: str, report: Report) -> None:
        """Write the failures of a run if requested and the run was not interrupted. Raises OutputError."""
        if self._update is None or report.interrupted:
            return
        if self._target is None and label == registry.REFERENCE:
            return
        target = self._target or _known_target(label, report.ruleset)
        target.write(baseline_text(label, report, self._old.get((label, report.ruleset.base))))
        click.echo(f"written: {data.path_text(target.path)}", err=True)


def _read_baseline(option: str, file: Path, ruleset: Ruleset) -> known.ExpectedFailures:
    found = known.read(file)
    if found.ruleset != ruleset.base:
        raise click.UsageError(f"{option}: {str(file)!r} has the failures of {found.ruleset}, expected {ruleset.base}")
    return found


def _known_target(label: str, ruleset: Ruleset) -> OutputTarget:
    path = known.path(label, ruleset.base)
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
    return OutputTarget("--update-baseline", path)
