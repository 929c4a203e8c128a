"""Explaining a saved report."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

import damspec
from damspec import data

from ..answers.question import questions
from ..cases.cases import cases_for
from ..verify.diagnosis import diagnose as explain
from ..verify.diagnosis import observe
from .output import console, json_option, print_json


@click.command()
@click.argument("report", type=click.Path(dir_okay=False, path_type=Path))
@json_option
def diagnose(report: Path, as_json: bool) -> None:
    """Explain the failures in a saved REPORT of `check --json`.

    The explanation names the rules that would give the answers the engine gave.

    Exit status: 0 if every failure is explained, 1 if not.
    """
    content = _load(report)
    ruleset = damspec.load_ruleset(content["ruleset"])
    asked = {question.case.id: question for question in questions(ruleset, cases_for(ruleset))}
    found = []
    err = console(stderr=True)

    def tell(line: str) -> None:
        if err.is_terminal:
            err.print(line, style="dim")

    for entry in content["reports"]:
        unknown = [result["id"] for result in entry["results"] if result["id"] not in asked]
        if unknown:
            raise click.UsageError(f"{report}: no case {unknown[0]!r} in {ruleset.id}; is it of another version?")
        failed = [result["id"] for result in entry["results"] if result["status"] in ("failed", "reading")]
        seen = [observe(asked[result["id"]], result["status"], result) for result in entry["results"]]
        diagnosis = explain(ruleset, [o for o in seen if o], failed, tell=tell)
        found.append((entry["engine"]["label"], diagnosis))
    if as_json:
        print_json({"diagnoses": [{"engine": label, **diagnosis.as_json()} for label, diagnosis in found]})
    else:
        for label, diagnosis in found:
            for line in diagnosis.lines() or ["nothing failed"]:
                click.echo(f"{label}: {line}")
    sys.exit(1 if any(diagnosis.unexplained for _, diagnosis in found) else 0)


def _load(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise click.UsageError(f"cannot read {str(path)!r}: {error.strerror}") from None
    except ValueError as error:
        raise click.UsageError(f"{path}: not JSON: {error}") from None
    data.check(content, "report", str(path))
    return dict(content)
