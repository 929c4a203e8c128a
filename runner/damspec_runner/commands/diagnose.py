"""Explaining a saved report."""

from __future__ import annotations

import sys

import click

from ..cases.cases import cases_for
from ..verify.diagnosis import explain
from ..verify.report.reading import load_reports
from ..verify.result import Report
from .output import console, json_option, print_json


@click.command()
@click.argument("report", metavar="FILE")
@json_option
def diagnose(report: str, as_json: bool) -> None:
    """Explain the failures in a saved report.

    The explanation names the rules that would give the answers the engine gave.

    FILE is what `damspec check --json` printed, or a journal; `-` is standard input.

    Exit status: 0 if every failure is explained, 1 if not; 2 for a file that is no report.
    """
    found = []
    err = console(stderr=True)

    def tell(line: str) -> None:
        if err.is_terminal:
            err.print(line, style="dim")

    for each in load_reports(report):
        _check_cases(each, report)
        found.append((each.label, explain(each, tell=tell)))
    if as_json:
        entries = [{"engine": label, "ruleset": one.ruleset, **one.as_json()} for label, one in found]
        print_json({"diagnoses": entries})
    else:
        for label, diagnosis in found:
            for line in diagnosis.lines() or ["nothing failed"]:
                click.echo(f"{label}: {line}")
    sys.exit(1 if any(diagnosis.unexplained for _, diagnosis in found) else 0)


def _check_cases(report: Report, name: str) -> None:
    """Answers can be explained only to the cases that there are."""
    cases = {case.id: case for case in cases_for(report.ruleset)}
    for result in report.results:
        if cases.get(result.case.id) != result.case:
            raise click.UsageError(
                f"{name}: no case {result.case.id!r} in {report.ruleset.id}; is it of another version?"
            )
