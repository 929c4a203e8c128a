"""Findings from games in every form of a report: shown as failed cases are, and complete."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from damspec import data
from damspec_runner.verify.explain.diagnosis import explain
from damspec_runner.verify.report import FORMATS, Format, render
from damspec_runner.verify.report.serialize import as_json, read_reports
from damspec_runner.verify.result import FuzzResult
from damspec_runner.verify.run import INTERRUPTED
from reports import CLEAN, FOUND, GAMES, ON_LB, SHOWN, WRONG


def test_it_fails_the_run() -> None:
    assert not SHOWN.clean()
    assert CLEAN.clean()
    reading = replace(FOUND, result=replace(WRONG, status="reading", reading="origin=occupied"))
    only_read = replace(SHOWN, games=replace(GAMES, divergences=(reading,)))
    assert (only_read.clean(), only_read.clean(strict=True)) == (True, False)


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
    (report,) = read_reports(as_json([SHOWN]), "a report")
    assert explain(report).failures == 1


@pytest.mark.parametrize("form", FORMATS)
def test_an_interruption_is_said(form: Format) -> None:
    cut = replace(ON_LB, interrupted=True, games=FuzzResult(1, 2, 30, 90, ended=INTERRUPTED))
    text = render([cut], form)
    if form in ("pretty", "markdown", "html", "json", "jsonl", "tap"):
        assert "interrupted" in text
    if form == "tap":
        assert "ok 1 - games # SKIP not asked: the run was interrupted" in text
