"""`damspec report`: print a saved run in another format, explain it again, or compare two."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from ..cases.cases import cases_for
from ..options import option
from ..verify.journal import load_reports
from ..verify.report import IN_FULL, Format, render
from ..verify.report.regressions import CHANGES, ReportComparison, compare_reports
from ..verify.report.terminal import show as print_report
from ..verify.result import Report
from .explanation import FAILED, explain
from .output import console, json_field, output_field, output_target, print_json, write_output
from .parameters import Command, with_options


@click.command(cls=Command)
@click.argument("file", required=False)
@with_options
def report(
    file: str | None,
    *,
    format: Format = option("The format to print.", "pretty"),
    output: Path | None = output_field(),
    show: int = option("Show N failures in full (pretty and markdown).", IN_FULL, least=0),
    compare: tuple[str, str] | None = option("Say which cases were fixed and which broke.", nargs=2, metavar="OLD NEW"),
    diagnose: bool = option("Explain the failures: the rules that would give the engine's answers.", False),
    as_json: bool = json_field(),
) -> None:
    """Print the report in FILE in another form, explain or compare it.

    FILE is what `damspec check --json` printed, or a journal; `-` is standard input.

    \b
      damspec report report.json --format html -o report.html
      damspec report report.json --format markdown >> "$GITHUB_STEP_SUMMARY"
      damspec report report.json --diagnose
      damspec report --compare before.json after.json

    Exit status: 0; with --compare 1 if a case that was right fails now, with --diagnose 1 if a failure is not
    explained; 2 for a file that is no report; 5 if explaining failed.
    """
    if (file is None) == (compare is None):
        raise click.UsageError("expected either a FILE or --compare OLD NEW")
    if compare:
        if diagnose:
            raise click.UsageError("--diagnose: of one report, not with --compare")
        _compare(*compare, as_json=as_json)
        return
    if diagnose:
        if output or format != "pretty":
            raise click.UsageError("--diagnose: it is text, or --json, without --format and --output")
        _diagnose(file or "-", as_json=as_json)
        return
    target = output_target("--output", output)
    reports = load_reports(file or "-")
    form: Format = "json" if as_json else format
    if form == "pretty" and target is None:
        for each in reports:
            print_report(each, console(), in_full=show)
    else:
        write_output(target, render(reports, form, show))


def _compare(old: str, new: str, *, as_json: bool) -> None:
    if old == new == "-":
        raise click.UsageError("--compare: standard input is one report, expected two")
    found = compare_reports(load_reports(old), load_reports(new))
    if not any(progress.found == "both" for progress in found):
        raise click.UsageError(f"--compare: no ruleset and engine is in both {old} and {new}")
    if as_json:
        print_json({"comparisons": [progress.as_json() for progress in found]})
    else:
        for progress in found:
            _print_comparison(progress)
    sys.exit(1 if any(progress.worse for progress in found) else 0)


def _print_comparison(progress: ReportComparison) -> None:
    """Print a comparison: what became worse first, the counts last."""
    about = f"{progress.ruleset} by {progress.engine}"
    if progress.found != "both":
        click.echo(f"{about}: only in the {progress.found} report, {len(progress.cases)} cases")
        return
    for change in ("broken", "changed", "fixed"):
        for case in progress.of(change):
            then, now = (result.status if result else "" for result in (case.old, case.new))
            click.echo(f"  {change:<8} {case.id}  {then if then == now else f'{then} -> {now}'}")
    if progress.games != (None, None):
        old, new = ("no games" if number is None else str(number) for number in progress.games)
        click.echo(f"  disagreements in games: {old} -> {new}")
    counts = ((change, len(progress.of(change))) for change in CHANGES)
    always = ("fixed", "broken", "same")
    click.echo(f"{about}: {', '.join(f'{n} {change}' for change, n in counts if n or change in always)}")


def _diagnose(file: str, *, as_json: bool) -> None:
    """Explain the failures in a saved report."""
    found: list[tuple[Report, dict[str, Any]]] = []
    failed = False
    for each in load_reports(file):
        _check_cases(each, file)
        diagnosis, fails = explain(each)
        found.append((each, diagnosis))
        failed = failed or fails
    if as_json:
        entries = [{"engine": each.label, "ruleset": each.ruleset.id, **one} for each, one in found]
        print_json({"diagnoses": entries})
    else:
        for each, one in found:
            for line in one["lines"] or ["nothing failed"]:
                click.echo(f"{each.label}: {line}")
    sys.exit(FAILED if failed else int(any(one["unexplained"] for _, one in found)))


def _check_cases(report: Report, name: str) -> None:
    """Raise UsageError unless the report's cases are those of this version: no others can be explained."""
    cases = {case.id: case for case in cases_for(report.ruleset)}
    for result in report.results:
        if cases.get(result.case.id) != result.case:
            raise click.UsageError(
                f"{name}: no case {result.case.id!r} in {report.ruleset.id}; is it of another version?"
            )
