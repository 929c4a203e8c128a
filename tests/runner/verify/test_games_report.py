"""Findings from games in every form of a report: shown as failed cases are, and complete."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path

import pytest

from damspec import data
from damspec_runner.cases.adapt import make_case
from damspec_runner.verify.explain.diagnosis import explain
from damspec_runner.verify.journal import load_reports
from damspec_runner.verify.report import FORMATS, Format, render
from damspec_runner.verify.report.serialize import as_json
from damspec_runner.verify.result import Divergence, FuzzResult, Report, describe_divergence
from damspec_runner.verify.run import INTERRUPTED
from reports import LB, RIGHT, result

#: A king jumps from 9 over 14, and cannot jump over 18 from afar.
CASE = replace(make_case(LB, LB.position("B:W18:BK9"), "moves", "game-17.23", "games"), clauses=("lb-030",))
WRONG = result(CASE, "failed", missing=["9-13", "9-14", "9-5", "9-6"], extra=["9x22"])
FOUND = describe_divergence(Divergence(WRONG, "B:W18,32:BK9", 3, ("king.capture.reach",)), 4)
GAMES = FuzzResult(4, 20, 700, 2000, 2, (FOUND,), 1.5)
ON_LB = replace(RIGHT, ruleset=LB, results=())
SHOWN = replace(ON_LB, games=GAMES)
CLEAN = replace(ON_LB, games=FuzzResult(None, 0, 3, 6))
WHY = "In doubt: king.capture.reach. Came up in game 17 of seed 4, after 23 actions, and in 2 more games. First seen in"


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


@pytest.mark.parametrize("form", ["pretty", "markdown", "html"])
def test_what_people_read(form: Format) -> None:
    text = " ".join(render([SHOWN], form).replace("\\", "").split())
    for shown in (
        "game-17.23",
        "9x22",
        "king.capture.reach",
        "B:W18:BK9",
        "lb-030",
        "700 positions in 20 games of seed 4",
    ):
        assert shown in text, shown
    assert WHY in text
    assert "1 disagreement, seen 3 times" in text
    clean = " ".join(render([CLEAN], form).split())
    assert "3 positions given, 6 questions: no disagreement" in clean


def test_tap() -> None:
    lines = render([SHOWN, CLEAN], "tap").splitlines()
    assert lines[1] == "1..2"
    assert "not ok 1 - game-17.23" in lines
    assert "ok 2 - positions" in lines
    assert "# 3 positions given, 6 questions: no disagreement in 0.0 s" in lines


def test_junit() -> None:
    (one,), (other,) = (
        [*ElementTree.fromstring(render([report], "junit").encode()).iter("testcase")] for report in (SHOWN, CLEAN)
    )
    assert (one.get("name"), one.get("classname")) == ("game-17.23", "lb.games")
    assert one.find("failure") is not None
    assert (other.get("name"), [*other]) == ("positions", [])


def test_the_badge_is_red() -> None:
    assert json.loads(render([SHOWN], "badge-json"))["color"] == "red"


@pytest.mark.parametrize("form", FORMATS)
def test_an_interruption_is_said(form: Format) -> None:
    cut = replace(ON_LB, interrupted=True, games=FuzzResult(1, 2, 30, 90, ended=INTERRUPTED))
    text = render([cut], form)
    if form in ("pretty", "markdown", "html", "json", "jsonl", "tap"):
        assert "interrupted" in text
    if form == "tap":
        assert "ok 1 - games # SKIP not asked: the run was interrupted" in text
