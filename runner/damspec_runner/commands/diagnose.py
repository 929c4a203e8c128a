"""Explaining a saved report."""

from __future__ import annotations

import sys
from typing import Any

import click

from ..cases.cases import cases_for
from ..verify.report.reading import load_reports
from ..verify.result import Report
from .explaining import FAILED, ExplainingError, complain, explain, unexplained
from .output import json_option, print_json


@click.command()
@click.argument("report", metavar="FILE")
@json_option
def diagnose(report: str, as_json: bool) -> None:
    """Explain the failures in a saved report.

    The explanation names the rules that would give the answers the engine gave.

    FILE is what `damspec check --json` printed, or a journal; `-` is standard input.

    Exit status: 0 if every failure is explained, 1 if not; 2 for a file that is no report; 5 if explaining failed.
    """
    found: list[tuple[Report, dict[str, Any]]] = []
    failed = False
    for each in load_reports(report):
        _check_cases(each, report)
        try:
            found.append((each, explain(each).as_json()))
        except ExplainingError as error:
            complain(each.label, str(error))
            found.append((each, unexplained(each, error)))
            failed = True
    if as_json:
        entries = [{"engine": each.label, "ruleset": each.ruleset.id, **one} for each, one in found]
        print_json({"diagnoses": entries})
    else:
        for each, one in found:
            for line in one["lines"] or ["nothing failed"]:
                click.echo(f"{each.label}: {line}")
    sys.exit(FAILED if failed else int(any(one["unexplained"] for _, one in found)))


def _check_cases(report: Report, name: str) -> None:
    """Answers can be explained only to the cases that there are."""
    cases = {case.id: case for case in cases_for(report.ruleset)}
    for result in report.results:
        if cases.get(result.case.id) != result.case:
            raise click.UsageError(
                f"{name}: no case {result.case.id!r} in {report.ruleset.id}; is it of another version?"
            )
