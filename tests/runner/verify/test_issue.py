"""The report as the text of an issue, and the matrix: both held to the files in known/."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

import damspec as library
from damspec import data
from damspec_runner.cases.cases import cases_for
from damspec_runner.engines import known, registry
from damspec_runner.engines.known import FailureCause, GamesSummary, Matrix, Standing
from damspec_runner.engines.protocol import Hello
from damspec_runner.verify import baseline
from damspec_runner.verify.report import render
from damspec_runner.verify.result import Report, Result
from reports import result
from runner_fixtures import PROJECT, damspec, fake
from runs import for_each

LB = library.load_ruleset("lb")
CASE = {case.id: case for case in cases_for(LB)}
ROUND = CASE["lb.completion.whole-round"]
MISSING = ["10x19x12x3x10"]
WRONG = result(ROUND, "failed", missing=MISSING, extra=["10x19 (takes 7, 8, 16)", "10x3 (takes 8, 15, 16)"])
NAMES = list(registry.adapters())


def report(label: str, *results: Result) -> Report:
    return Report(LB, label, Hello(label, "1.0", None, frozenset(), False), results)


def test_a_known_cause_is_told_in_words_with_the_command_that_shows_it() -> None:
    text = render([report("rapid-draughts", WRONG)], "issue")
    listed = known.load("rapid-draughts", "lb")
    assert "### Start square occupied\n" in text
    assert listed.causes["start-square-occupied"] in text
    assert "`B:W7,8,15,16,29:BK10`" in text
    assert "Black to move" in text
    assert "- expected: `10x19x12x3x10`\n" in text
    assert "- found: `10x19 (takes 7, 8, 16)`, `10x3 (takes 8, 15, 16)`\n" in text
    assert "- by clause `lb-037`: A series of jumps has to be carried to its end and may not be broken off.\n" in text
    assert "    damspec check lb -k lb.completion.whole-round --engine rapid-draughts --install\n" in text


def test_with_other_faults_than_listed_the_cause_is_another() -> None:
    text = render([report("rapid-draughts", result(ROUND, "failed", missing=MISSING))], "issue")
    assert "### Not looked into yet\n" in text
    assert "Start square" not in text


def test_where_nothing_is_wrong_that_is_said() -> None:
    assert render([report("x", result(ROUND))], "issue") == "Nothing is wrong.\n"


def test_the_command_writes_it(tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    ran = damspec("check", "lb", "-k", "duty", "--no-diagnose", "--json", "--", *fake("wrong-moves"))
    file.write_text(ran.out, encoding="utf-8")
    ran = damspec("report", str(file), "--format", "issue")
    assert (ran.status, ran.err) == (0, "")
    assert re.search(r"    damspec check lb -k lb\.duty\.\S+ -- ", ran.out)


@for_each("name", NAMES)
def test_the_report_for_an_author_follows_from_the_known_failures(name: str) -> None:
    page = data.root() / "known" / name / "REPORT.md"
    reports = baseline.as_reports(registry.adapter(name))
    if not reports:
        assert not page.exists()
        return
    found = registry.adapter(name)
    head, _, text = page.read_text(encoding="utf-8").partition("\n\n")
    assert head == f"# What damspec {library.__version__} found in {found.package} {found.version}"
    assert text == render(reports, "issue")
    for each in reports:
        for cause, about in known.load(name, each.ruleset.id).causes.items():
            assert f"### {cause.replace('-', ' ').capitalize()}\n\n{about}\n" in text


def test_the_matrix_has_every_engine_on_every_ruleset_it_plays() -> None:
    played = [(found.name, found.version, id) for found in registry.adapters().values() for id in found.plays]
    cells = known.read_matrix().cells
    assert [(cell.engine, cell.version, cell.ruleset) for cell in cells] == played
    assert len({cell.engine for cell in cells}) >= 8
    for cell in cells:
        assert cell.passed + cell.failed + cell.reading + cell.unsupported == cell.cases
        listed = known.load(cell.engine, cell.ruleset)
        assert cell.failed == len(listed.failures)
        assert {each.cause: each.about for each in cell.wrong} == listed.causes
        assert sum(each.cases for each in cell.wrong) == cell.failed


def test_the_table_on_the_page_is_that_of_the_matrix() -> None:
    text = (PROJECT / "known" / "README.md").read_text(encoding="utf-8")
    assert known.replace_table(text, known.full_table(known.read_matrix())) == text


RIGHT = Standing("a", "1", "lb", 10, 8, 0, 0, 2, 0, ("moves",), (), GamesSummary(1, 3, 120))
FAILS = replace(RIGHT, ruleset="english", passed=5, failed=3, wrong=(FailureCause("x", "It is wrong.", 3),), games=None)
IN_GAMES = replace(RIGHT, engine="b", games=GamesSummary(1, 3, 120, ("W:W1:B5: extra 1-9",)))


def test_a_cell_says_whether_all_was_right() -> None:
    assert [cell.right for cell in (RIGHT, FAILS, IN_GAMES)] == [True, False, False]
    assert [cell.colour for cell in (RIGHT, replace(RIGHT, passed=10), FAILS)] == ["yellow", "brightgreen", "red"]
    assert RIGHT.answered_share == 80
    assert "8 of 10 cases" in RIGHT.badges()["svg"]
    assert '"label": "damspec lb"' in RIGHT.badges()["json"]


def test_tables_of_a_matrix() -> None:
    found = Matrix((RIGHT, FAILS, IN_GAMES))
    assert known.short_table(found).splitlines()[2:] == ["| a 1 | lb | english 3 of 10 |", "| b 1 | · | lb in games |"]
    assert known.full_table(found).splitlines()[2:] == [
        "| a 1 | lb | 8 | 0 | 0 | 2 | 0 | 120 positions |",
        "| a 1 | english | 5 | 3 | 0 | 2 | 0 | · |",
        "| b 1 | lb | 8 | 0 | 0 | 2 | 0 | 120 positions, 1 wrong |",
    ]
    assert found.rulesets == ["lb", "english"]


def test_a_matrix_is_read_as_it_was_written(tmp_path: Path) -> None:
    file = tmp_path / "matrix.json"
    found = Matrix((RIGHT, FAILS, IN_GAMES))
    file.write_text(found.text(), encoding="utf-8")
    assert known.read_matrix(file) == found
    for wrong in ('{"cells": [{}]}', "no JSON"):
        file.write_text(wrong, encoding="utf-8")
        with pytest.raises(data.FileError, match="matrix"):
            known.read_matrix(file)


def test_new_cells_take_the_place_of_old_ones() -> None:
    order = [("a", "1", "english"), ("a", "1", "lb"), ("c", "1", "lb")]
    better = replace(FAILS, passed=8, failed=0, wrong=())
    assert known.merge_matrix(Matrix((RIGHT, FAILS, IN_GAMES)), [better], order) == Matrix((better, RIGHT))


def test_a_page_without_a_table_is_refused() -> None:
    with pytest.raises(ValueError, match="found no lines"):
        known.replace_table("# A page\n", "| a |")
