"""Checking engines against the cases of rulesets: what is asked for, and what is written in the end."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

import damspec
from damspec import Ruleset

from ..cases.cases import TOPICS, Case, cases_for, select
from ..cases.reading import for_ruleset, read_all
from ..engines import installed, installing, known
from ..engines.family import adopting
from ..engines.protocol import EngineError
from ..verify import held
from ..verify.report.formats import render
from ..verify.report.reading import load_reports
from ..verify.result import FAILING, Report
from ..verify.run import RESTARTS, SECOND_ASKS, Conduct
from . import files, interruption
from .arguments import offered
from .beyond import Beyond, beyond_options
from .checking import Ending, Record, Run, Screen, checked, explained
from .counts import check_counts, check_only_counts
from .explaining import FAILED, complain
from .output import json_option, strict_option
from .spoken import ADDRESSES, SPEAKING
from .treatment import WRITING, Treatment, treatment_options
from .words import WithCommand, rulesets_and_command

#: The options that a journal has to have been written with to be gone on with, and that a report names.
_NAMED: tuple[str, ...] = ("patterns", "topics", "sources", "max_fail", "repeat", "restarts", "timeout", "max_answer")
_NAMED += ("max_moves", "games", "seconds", "seed", "positions", "drawn", "no_cases", *SPEAKING, *WRITING)
_NAMED += ("passed", "memory", "cpu", "scratch", "sandbox")


@click.command(cls=WithCommand)
@click.argument("words", nargs=-1, metavar="RULESET...", shell_complete=offered)
@click.option(
    "--engine", "names", multiple=True, metavar="NAME", help="A named engine (`damspec engines`); repeatable."
)
@click.option("--install", is_flag=True, help="Install named engines that are not installed yet.")
@click.option(
    "--cases",
    "sources",
    multiple=True,
    type=click.Path(exists=True, path_type=Path),
    help="The cases in this file, folder or bundle in the place of those shipped; with --perft a suite; repeatable.",
)
@click.option(
    "-k",
    "patterns",
    multiple=True,
    metavar="PATTERN",
    help="Only cases whose id matches, or has this in it; repeatable.",
)
@click.option("--topic", "topics", multiple=True, type=click.Choice(TOPICS), help="Only this topic; repeatable.")
@click.option("--rerun-failed", metavar="REPORT", help="Only cases that failed by this report, JSON or a journal.")
@click.option("--max-fail", type=click.IntRange(1), help="Stop after so many failures.")
@click.option(
    "-j", "--jobs", type=click.IntRange(1, 64), default=1, show_default=True, help="Engine processes at once."
)
@click.option(
    "--repeat", type=click.IntRange(1), default=1, show_default=True, help="Ask every question so many times."
)
@click.option(
    "--restarts",
    type=click.IntRange(0),
    default=RESTARTS,
    show_default=True,
    help="Start the engine anew after so many cases that break it; then it is given up.",
)
@click.option("--perft", is_flag=True, help="Count the positions of the perft suite instead of asking the cases.")
@click.option("--show", type=click.IntRange(0), default=10, show_default=True, help="Show so many failures in full.")
@treatment_options
@beyond_options
@strict_option
@click.option(
    "--known",
    "held",
    is_flag=False,
    flag_value="",
    metavar="[FILE]",
    help="Hold the engine to its known failures, of named engines those in known/: others fail the run.",
)
@click.option(
    "--update-known",
    is_flag=False,
    flag_value="",
    metavar="[FILE]",
    help="Write the failures down, of named engines in known/.",
)
@click.option("--diagnose/--no-diagnose", default=True, help="Explain failures by the rules that would give them.")
@click.option("--probe", "probing", is_flag=True, help="Ask further positions until one explanation is left.")
@click.option("--junit", type=click.Path(path_type=Path), help="Write a JUnit file too.")
@click.option("--journal", type=click.Path(path_type=Path), help="Write each result down in a file as it comes.")
@click.option(
    "--resume",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="JOURNAL",
    help="Go on with a run that has a journal.",
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
    treatment: Treatment,
    beyond: Beyond,
    strict: bool,
    held: str | None,
    update_known: str | None,
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

    Exit status: 0 all cases pass (with --known: all is as known), 1 failures, 2 usage, 3 the engine could not be run,
    4 the output could not be written, 5 damspec itself failed in an explanation or in games, 130 or 143 interrupted:
    what was done is reported all the same.
    """
    rulesets, command = rulesets_and_command(words, named=bool(names or treatment.spoken.opponent))
    met = treatment.spoken.opponent
    if met and (command or names or len(rulesets) > 1 or jobs > 1):
        raise click.UsageError("--dxp, --dxp-listen: one player, one ruleset, one game at a time, and no other engine")
    if not (command or names or met):
        raise click.UsageError("no engine: give --engine NAME, or a command after --")
    if perft:
        check_only_counts()
    beyond = beyond.fitting(plays=treatment.spoken.plays)
    labels = [*names, *([shlex.join(command)] if command else [])] or [str(met)]
    if journal and resume:
        raise click.UsageError("--journal, --resume: --resume goes on writing to its journal, expected one of both")
    baseline = _Baseline(held, update_known, names, command, rulesets)
    if update_known is not None and (
        patterns or topics or max_fail or rerun_failed or any("?" in r.id for r in rulesets)
    ):
        raise click.UsageError("--update-known needs a run of all cases of a ruleset")
    if not beyond.cases and (held is not None or update_known is not None):
        raise click.UsageError("--no-cases: known failures are of cases, expected no --known and no --update-known")
    junit_file = files.target("--junit", junit)
    failed = load_reports(rerun_failed) if rerun_failed else None
    found = read_all(sources) if sources and not perft else None
    options = _options()
    engines = [(name, *_named(name, install)) for name in names]
    if command or met:
        engines.append((labels[-1], list(command), {}))
    if perft:
        sys.exit(check_counts(rulesets, engines, treatment, sources, show=show, as_json=as_json))
    runs = []
    for ruleset in rulesets:
        of_ruleset = cases_for(ruleset) if found is None else for_ruleset(found, ruleset)
        chosen = select(of_ruleset, patterns, topics)
        if not chosen:
            where = f" in {', '.join(map(str, sources))}" if sources else ""
            like = f"has an id like {' or '.join(patterns)} in {topics or 'any topic'}" if of_ruleset else "is there"
            raise click.UsageError(f"no case of {ruleset.id} {like}{where}")
        scope = beyond.scope(ruleset)
        for label, line, environment in engines:
            cases = chosen if failed is None else _failed(chosen, failed, ruleset, label)
            if cases or scope:
                file = baseline.file(label, ruleset)
                asked = cases if beyond.cases else []
                treated = treatment.of(label)
                runs.append(Run(ruleset, asked, label, line, environment, treated, file, scope, chosen))
    if not runs:
        click.echo(f"no case that is chosen failed by {rerun_failed}")
        return
    record = Record(journal, resume, runs, options)
    conduct = Conduct(
        jobs=jobs, max_failures=max_fail, restarts=restarts, times=repeat, second_asks=SECOND_ASKS, preflight=True
    )
    click.get_current_context().with_resource(adopting())
    screen = Screen()
    reports: list[Report] = []
    unrun, endings = 0, set[Ending]()
    for one in runs:
        try:
            done, ending = checked(one, conduct, record, options, quiet=as_json)
        except EngineError as error:
            complain(one.label, str(error))
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
            done, ending = explained(done, one, probing=probing)
            endings.add(ending)
            if not as_json:
                screen.explanation(done)
        record.end(done)
        reports.append(done)
        if one.cases and done.counts["unsupported"] == len(done.results):
            complain(one.label, f"none of the {len(one.cases)} cases could be put to it")
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
        sys.exit(interruption.status())
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
        for option, file in (("--known", held), ("--update-known", update)):
            if file == "" and command:
                raise click.UsageError(f"{option} without a FILE is about named engines, not a command: {option} FILE")
            if file and len(rulesets) * (len(names) + bool(command)) > 1:
                raise click.UsageError(f"{option} {file}: a file is for one engine on one ruleset")
            own = next((ruleset.id for ruleset in rulesets if ruleset.source != ruleset.base), None)
            if file == "" and own is not None:
                raise click.UsageError(f"{option} without a FILE is about shipped rulesets, not {own}: {option} FILE")
        self._held, self._update = held, update
        self._target = files.Target("--update-known", Path(update)) if update else None

    def file(self, label: str, ruleset: Ruleset) -> Path | None:
        """The file that a run is held to; it is read, so that what is wrong with it is said at once."""
        if self._held is None or (self._held == "" and label == installed.REFERENCE):
            return None
        file = Path(self._held) if self._held else known.path(label, ruleset.base)
        if not (self._update is not None and not file.exists()):
            known.read(file)
        return file

    def write(self, label: str, done: Report) -> None:
        """Write the failures of a run down, if that is asked for and the run has come to its end."""
        if self._update is None or done.interrupted:
            return
        if self._target is None and label == installed.REFERENCE:
            return
        target = self._target or _kept(label, done.ruleset)
        old = known.read(target.path) if target.path.is_file() else None
        target.write(held.written(label, done, old))
        click.echo(f"written: {damspec.data.shown(target.path)}", err=True)


def _kept(label: str, ruleset: Ruleset) -> files.Target:
    """The file in known/ that a named engine's failures are written to."""
    path = known.path(label, ruleset.base)
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
    return files.Target("--update-known", path)


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
    if install and name != installed.REFERENCE and not installed.adapter(name).installed:
        try:
            installing.install(installed.adapter(name), lambda line: click.echo(line, err=True))
        except installing.InstallError as error:
            click.echo(f"damspec: {error}", err=True)
            sys.exit(3)
    return installed.named_command(name)
