"""Checking engines against the cases of a ruleset."""

from __future__ import annotations

import shlex
import sys
from dataclasses import replace
from pathlib import Path

import click

import damspec
from damspec import Ruleset

from ..cases.cases import TOPICS, Case, cases_for, select
from ..engines import installed
from ..engines.family import adopting
from ..engines.process import Engine
from ..engines.protocol import EngineError
from ..verify import known
from ..verify.diagnosis import Diagnosis, observations
from ..verify.diagnosis import diagnose as explain
from ..verify.probe import probe
from ..verify.report.junit import as_junit
from ..verify.report.plain import as_json as in_json
from ..verify.report.terminal import show as print_report
from ..verify.result import FAILING, Report, Result
from ..verify.run import check as run
from .arguments import ruleset_argument
from .output import console, json_option, print_json
from .treatment import Treatment, treatment_options


@click.command(context_settings={"ignore_unknown_options": False})
@ruleset_argument
@click.argument("command", nargs=-1, type=click.UNPROCESSED)
@click.option(
    "--engine", "names", multiple=True, metavar="NAME", help="A named engine (`damspec engines`); repeatable."
)
@click.option("--install", is_flag=True, help="Install named engines that are not installed yet.")
@click.option("-k", "patterns", multiple=True, metavar="GLOB", help="Only cases whose id matches; repeatable.")
@click.option("--topic", "topics", multiple=True, type=click.Choice(TOPICS), help="Only this topic; repeatable.")
@click.option("--max-fail", type=click.IntRange(1), help="Stop after so many failures.")
@click.option(
    "-j", "--jobs", type=click.IntRange(1, 64), default=1, show_default=True, help="Engine processes at once."
)
@click.option("--show", type=click.IntRange(0), default=10, show_default=True, help="Show so many failures in full.")
@treatment_options
@click.option(
    "--known",
    "strict",
    is_flag=True,
    help="Hold named engines to their known failures (known/): others fail the run.",
)
@click.option("--update-known", is_flag=True, help="Write the failures of named engines down in known/.")
@click.option("--diagnose/--no-diagnose", default=True, help="Explain failures by the rules that would give them.")
@click.option("--probe", "probing", is_flag=True, help="Ask further positions until one explanation is left.")
@click.option("--junit", type=click.Path(dir_okay=False, path_type=Path), help="Write a JUnit file too.")
@json_option
def check(
    ruleset: Ruleset,
    command: tuple[str, ...],
    names: tuple[str, ...],
    install: bool,
    patterns: tuple[str, ...],
    topics: tuple[str, ...],
    max_fail: int | None,
    jobs: int,
    show: int,
    treatment: Treatment,
    strict: bool,
    update_known: bool,
    diagnose: bool,
    probing: bool,
    junit: Path | None,
    as_json: bool,
) -> None:
    """Check engines against the cases of RULESET.

    The engine is a COMMAND that speaks the protocol, after `--`, or a NAME.

    \b
      damspec check lb -- python my_engine.py
      damspec check lb --engine damspec --engine pydraughts --install

    Exit status: 0 all cases pass (with --known: all is as known), 1 failures, 2 usage, 3 the engine could not be run.
    """
    chosen = select(cases_for(ruleset), patterns, topics)
    if not chosen:
        raise click.UsageError(
            f"no case of {ruleset.id} has an id like {' or '.join(patterns)} in {topics or 'any topic'}"
        )
    if not command and not names:
        raise click.UsageError("no engine: give --engine NAME, or a command after --")
    if (strict or update_known) and command:
        raise click.UsageError("--known and --update-known are about named engines, not a command")
    if update_known and (patterns or topics or max_fail or "?" in ruleset.id):
        raise click.UsageError("--update-known needs a run of all cases of a ruleset")
    if junit and not junit.absolute().parent.is_dir():
        raise click.UsageError(f"--junit: no folder {str(junit.parent)!r}")
    runs = [(name, *_named(name, install)) for name in names]
    if command:
        runs.append((shlex.join(command), list(command), {}))
    click.get_current_context().with_resource(adopting())
    reports: list[Report] = []
    unrun = 0
    out = console()
    for label, words, environment in runs:
        try:
            done = _run(ruleset, chosen, label, words, environment, treatment, jobs, max_fail, quiet=as_json)
        except EngineError as error:
            click.echo(f"damspec: engine {label!r}: {error}", err=True)
            unrun += 1
            continue
        if update_known and label != installed.REFERENCE:
            click.echo(f"written: {damspec.data.shown(known.update(label, done))}", err=True)
        as_known = known.load(label, ruleset.base) if strict and label != installed.REFERENCE else None
        if as_known:
            done = replace(done, known=tuple(as_known.surprises(done)))
        found = _diagnose(ruleset, done) if diagnose else None
        if found and probing:
            found = _probe(ruleset, found, treatment.engine(words, environment))
        if found:
            done = replace(done, diagnosis=found.as_json())
        reports.append(done)
        if not as_json:
            print_report(done, out, in_full=show)
        if done.counts["unsupported"] == len(done.results):
            click.echo(f"damspec: engine {label!r}: none of the {len(chosen)} cases could be put to it", err=True)
            unrun += 1
    if as_json and reports:
        print_json(in_json(reports))
    if junit and reports:
        try:
            junit.write_text(as_junit(reports), encoding="utf-8")
        except OSError as error:
            raise click.UsageError(f"--junit: cannot write {str(junit)!r}: {error.strerror}") from None
    if unrun:
        sys.exit(3)
    failed = [bool(done.known) if done.known is not None else not done.clean() for done in reports]
    sys.exit(1 if any(failed) else 0)


def _named(name: str, install: bool) -> tuple[list[str], dict[str, str]]:
    if install and name != installed.REFERENCE and not installed.adapter(name).installed:
        try:
            installed.install(installed.adapter(name), lambda line: click.echo(line, err=True))
        except installed.InstallError as error:
            click.echo(f"damspec: {error}", err=True)
            sys.exit(3)
    return installed.named_command(name)


def _run(
    ruleset: Ruleset,
    chosen: list[Case],
    label: str,
    words: list[str],
    environment: dict[str, str],
    treatment: Treatment,
    jobs: int,
    max_fail: int | None,
    quiet: bool,
) -> Report:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    engines: list[Engine] = []

    def start() -> Engine:
        engines.append(treatment.engine(words, environment))
        return engines[-1]

    err = console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[failed]}"),
    )
    with Progress(*columns, console=err, transient=True, disable=quiet or not err.is_terminal) as progress:
        task = progress.add_task(f"{ruleset.id} by {label}", total=len(chosen), failed="")
        failed = 0

        def tell(result: Result) -> None:
            nonlocal failed
            failed += result.status in FAILING
            progress.update(task, advance=1, failed=f"{failed} failed" if failed else "")

        try:
            return run(ruleset, chosen, start, label=label, jobs=jobs, max_failures=max_fail, progress=tell)
        finally:
            if left := [str(id) for engine in engines for id in engine.left]:
                click.echo(f"damspec: engine {label!r}: processes that could not be ended: {', '.join(left)}", err=True)


def _diagnose(ruleset: Ruleset, done: Report) -> Diagnosis | None:
    """The explanation of a run's failures; None if there are none, or the run was under another reading."""
    failed = [result.case.id for result in done.results if result.status in ("failed", "reading")]
    if not failed or ruleset.id != ruleset.base:
        return None
    err = console(stderr=True)

    def tell(line: str) -> None:
        if err.is_terminal:
            err.print(line, style="dim")

    return explain(ruleset, observations(ruleset, done), failed, tell=tell)


def _probe(ruleset: Ruleset, found: Diagnosis, engine: Engine) -> Diagnosis:
    """The diagnosis with the explanations that further questions leave."""
    if len(found.complete) < 2:
        return found
    try:
        probed = probe(engine, ruleset, engine.hello(), found.complete)
    finally:
        engine.close()
    return replace(found, complete=probed.left, probed=probed.asked, ask_next=None)
