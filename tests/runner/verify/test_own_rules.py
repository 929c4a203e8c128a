"""Checking engines against a file of one's own: the one that plays it passes, the one of the parent is named."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import damspec
from damspec import data
from damspec_runner.cases.cases import adapted_cases, cases_for
from damspec_runner.engines.serve import InProcessEngine
from damspec_runner.verify.explain.diagnosis import explain
from damspec_runner.verify.run import check
from runner_fixtures import TESTS, fake
from runner_fixtures import damspec as command

MY = """\
damspec: 1
id: my
name: My checkers
about: Flemish draughts, but a king lands directly behind the piece it takes.
extends: vl
"""
ONE_RULE = MY + "rules: {king.capture.landing: {value: behind}}\n"
THREE_RULES = MY + (
    "documents: []\n"
    "readings:\n"
    "  - id: MY-01\n"
    "    key: my-landing\n"
    "    question: Where does a king land?\n"
    "    alternatives: {behind: {says: Behind.}, any: {says: Anywhere., set: {king.capture.landing: any}}}\n"
    "    chosen: behind\n"
    "    why: So we play.\n"
    "    confidence: medium\n"
    "rules:\n"
    "  king.capture.landing: {value: behind, from: [MY-01]}\n"
    "  capture.removal: {value: at-once}\n"
    "  man.move.directions: {value: [forward-diagonals, forward]}\n"
)
RIGHT = ("--", *fake("right"))
#: An engine that plays `vl` whatever it is asked about, rules sent whole too.
PARENT = ("--", sys.executable, str(TESTS / "fakes" / "always.py"), "vl")


def file(folder: Path, text: str) -> str:
    path = folder / "my.yaml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_the_reference_passes(tmp_path: Path) -> None:
    my = file(tmp_path, THREE_RULES)
    found = adapted_cases(damspec.load_ruleset(my))
    number = len(found.cases) + len(found.set_aside)
    ran = command("check", my, *RIGHT)
    assert ran.status == 0
    assert f"{len(found.cases)} passed, 0 failed of {len(found.cases)} cases" in ran.last
    (line,) = [line for line in ran.out.splitlines() if "inherited cases" in line]
    assert line == (
        f"{len(found.answered)} of {number} inherited cases have other answers by these rules: taken from the"
        f" reference; {len(found.set_aside)} set aside: they cannot be by these rules"
    )


def test_the_reference_passes_by_its_name_and_under_a_reading_of_the_file(tmp_path: Path) -> None:
    my = file(tmp_path, THREE_RULES)
    assert command("check", f"{my}?my-landing=any", "--engine", "damspec").status == 0


@pytest.mark.thorough
def test_the_report_has_what_was_answered_and_set_aside(tmp_path: Path) -> None:
    my = file(tmp_path, ONE_RULE)
    ran = command("check", my, "--json", *RIGHT)
    content = json.loads(ran.out)
    data.check(content, "report", "here")
    (report,) = content["reports"]
    found = adapted_cases(damspec.load_ruleset(my))
    assert report["answered_by_reference"] == list(found.answered)
    assert report["set_aside"] == ["vl.game.a-captured-man-saves-one-that-is-blocked"]
    assert {result["id"] for result in report["results"]} == {case.id for case in found.cases}
    saved = tmp_path / "report.json"
    saved.write_text(ran.out, encoding="utf-8")
    for form in ("markdown", "html", "tap"):
        assert "inherited cases have other answers" in command("report", str(saved), "--format", form).out
    shipped = json.loads(command("check", "lb", "-k", "lb.start.*", "--json", *RIGHT).out)["reports"][0]
    assert not {"answered_by_reference", "set_aside"} & shipped.keys()


def test_an_engine_with_the_rules_of_the_parent_fails_and_the_rule_is_named(tmp_path: Path) -> None:
    my = file(tmp_path, ONE_RULE)
    ran = command("check", my, "--show", "0", "-k", "king-capture", *PARENT)
    assert ran.status == 1
    number = sum("king-capture" in id for id in adapted_cases(damspec.load_ruleset(my)).answered)
    assert f"(king.capture.landing = any; vl): explains {number} of {number}" in ran.out


@pytest.mark.slow
def test_an_engine_with_the_rules_of_the_parent_is_named_where_several_differ(tmp_path: Path) -> None:
    my = file(tmp_path, THREE_RULES)
    saved = tmp_path / "report.json"
    saved.write_text(command("check", my, "--no-diagnose", "--json", *PARENT).out, encoding="utf-8")
    ran = command("report", "--diagnose", str(saved))
    assert ran.status == 0
    assert "plays vl in the place of my: explains " in ran.out


def test_the_ruleset_that_a_file_takes_its_id_from_is_named(tmp_path: Path) -> None:
    text = damspec.load_ruleset("vl").path.read_text(encoding="utf-8")
    path = tmp_path / "vl.yaml"
    changed = text.replace("{value: 1, from: [vl-015", "{value: 2, from: [vl-015")
    assert changed != text
    path.write_text(changed, encoding="utf-8")
    mine = damspec.load_ruleset(str(path))
    report = check(mine, cases_for(mine), lambda: InProcessEngine(damspec.load_ruleset("vl")), label="x")
    assert any(result.status != "passed" for result in report.results)
    (found,) = explain(report).complete
    assert found.hypothesis.names == ("promotion.rows = 1", "vl")


def test_an_engine_that_does_not_know_the_file_is_told_so(tmp_path: Path) -> None:
    example = TESTS.parent / "runner" / "examples" / "engine.py"
    ran = command("check", file(tmp_path, ONE_RULE), "--", sys.executable, str(example))
    assert ran.status == 3
    assert 'does not play my; it plays english, lb, and does not say "rules": true' in ran.err


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (("moves", "{}", "W:WK13:B9"), "13x6\n"),
        (("moves", "{}?my-landing=any", "W:WK13:B9"), "13x2\n13x6\n"),
        (("play", "{}", "W:W21:B1", "21-13"), "B:W13:B1\n"),
        (("outcome", "{}", "W:W22:B18"), "draw (one-piece-each)\n"),
        (("perft", "{}", "--depth", "1"), "1 15\n"),
        (("explain", "{}"), "  MY-01 my-landing (medium): Where does a king land?\n"),
        (("explain", "{}"), "king.capture.landing: behind · A king's jump lands on the square directly behind"),
        pytest.param(
            ("explain", "{}?my-landing=any"),
            "Instead of: A king's jump lands on the square directly behind",
            marks=pytest.mark.slow,
        ),
        (("diff", "{}?my-landing=any", "{}"), "MY-01 (reading my-landing=any, not the one chosen)"),
        (("generate", "{}", "--exercise", "king.capture.landing", "-n", "1", "--seed", "1"), "  clauses: []\n"),
        (("generate", "{}", "--distinguish", "vl", "-n", "1", "--seed", "1", "--format", "fen"), ":B"),
        (("cases", "list", "{}", "-k", "*lands-anywhere-behind@my"), "vl.king-capture.lands-anywhere-behind@my  "),
    ],
    ids=lambda words: " ".join(words) if isinstance(words, tuple) else "",
)
def test_commands_take_the_file(tmp_path: Path, words: tuple[str, ...], shown: str) -> None:
    """Straight on is two rows further: 21-13. At the start the men of two rows can, eight moves besides the seven."""
    my = file(tmp_path, THREE_RULES)
    ran = command(*(word.format(my) for word in words))
    assert (ran.status, shown in ran.out) == (0, True), ran.out + ran.err
