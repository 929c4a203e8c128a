"""Findings from games in every form of a report: shown as failed cases are, and complete."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from damspec import data
from damspec_runner.verify.explain.diagnosis import explain
from damspec_runner.verify.journal import load_reports
from damspec_runner.verify.report import FORMATS, Format, render
from damspec_runner.verify.report.serialize import as_json
from damspec_runner.verify.result import FuzzResult, Report
from damspec_runner.verify.run import INTERRUPTED
from reports import CLEAN, FOUND, GAMES, ON_LB, SHOWN, WRONG


def test_it_fails_the_run() -> None:
    assert not SHOWN.clean()
    assert CLEAN.clean()
    reading = replace(FOUND, result=replace(WRONG, status="reading", reading="origin=occupied"))
    only_read = replace(SHOWN, games=replace(GAMES, divergences=(reading,)))
    assert (only_read.clean(), only_read.clean(strict=True)) == (True, False)


@pytest.mark.parametrize("report", [SHOWN, CLEAN], ids=["found", "clean"])
@pytest.mark.parametrize("form", ["json", "jsonl"])
def test_nothing_is_lost(report: Report, form: Format, tmp_path: Path) -> None:
    file = tmp_path / f"report.{form}"
    file.write_text(render([report], form), encoding="utf-8")
    assert as_json(load_reports(str(file))) == as_json([report])


def test_json_has_its_schema() -> None:
    content = json.loads(render([SHOWN, CLEAN], "json"))
    assert data.schema_problem(content, "report") is None
    one, other = (report["games"] for report in content["reports"])
    assert {name: one[name] for name in ("seed", "games", "positions", "questions", "unsupported")} == {
        "seed": 4,
        "games": 20,
        "positions": 700,
        "questions": 2000,
        "unsupported": 2,
    }
    assert one["found"][0]["first"] == "B:W18,32:BK9"
    assert one["found"][0]["rules"] == ["king.capture.reach"]
    assert "seed" not in other
    content["reports"][0]["games"]["found"][0]["id"] = "17"
    assert data.schema_problem(content, "report") is not None
    for line in render([SHOWN], "jsonl").splitlines():
        assert data.schema_problem(json.loads(line), "journal") is None


@pytest.mark.thorough
def test_a_saved_report_is_explained_with_it() -> None:
    (report,) = load_again(SHOWN)
    assert explain(report).failures == 1


def load_again(report: Report) -> list[Report]:
    from damspec_runner.verify.report.serialize import read_reports

    return read_reports(json.loads(json.dumps(as_json([report]))), "a report")


@pytest.mark.parametrize("form", FORMATS)
def test_an_interruption_is_said(form: Format) -> None:
    cut = replace(ON_LB, interrupted=True, games=FuzzResult(1, 2, 30, 90, ended=INTERRUPTED))
    text = render([cut], form)
    if form in ("pretty", "markdown", "html", "json", "jsonl", "tap"):
        assert "interrupted" in text
    if form == "tap":
        assert "ok 1 - games # SKIP not asked: the run was interrupted" in text
