"""Options of `damspec check --games` and `--positions`: questions, refusals and exit status."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from damspec import data
from damspec_runner.commands.check_run import forecast
from runner_fixtures import TESTS, damspec, fake, refused

FLYING = [sys.executable, str(TESTS / "fakes" / "always.py"), "english", "king.capture.reach = any"]


pytestmark = pytest.mark.usefixtures("nothing_left")


def test_a_fault_is_shown_and_explained() -> None:
    ran = damspec("check", "english", "--no-cases", "--games", "4", "--json", "--", *FLYING)
    assert ran.status == 1
    content = json.loads(ran.out)
    assert data.schema_problem(content, "report") is None
    (report,) = content["reports"]
    assert report["results"] == []
    (found,) = report["games"]["found"]
    assert found["rules"] == ["king.capture.reach"]
    assert report["options"] == {"games": 4, "no-cases": True}
    explanations = report["diagnosis"]["complete"]
    assert all(explanation["explains"] == [found["id"]] for explanation in explanations)
    assert "king.capture.reach = any" in [name for explanation in explanations for name in explanation["names"]]


def test_how_long_the_rest_takes() -> None:
    """10 of 1,000 games in 55 seconds: 990 more take 5,445 seconds."""
    assert (
        forecast(1000, 55.0, 1)
        == "10 of 1,000 done in 55 s, about 91 minutes to go; -j spreads them over more than 1 process"
    )
    assert forecast(20, 55.0, 4).startswith("10 of 20 done in 55 s, about 55 seconds to go")
    assert forecast(1000, 0.1, 1) == ""


def test_positions_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "positions.txt"
    file.write_text('W:W22:B17; id "english.one";\n\n  B:W18,32:BK9\n', encoding="utf-8")
    ran = damspec("check", "english", "--no-cases", "--no-diagnose", "--positions", str(file), "--", *FLYING)
    assert ran.status == 1
    assert "FAILED position-3" in ran.out
    assert "First seen in B:W18,32:BK9." in ran.out
    assert "2 positions given" in ran.out


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"W:W22:B17\nW:W33:B1\n", "2: position 'W:W33:B1': no square 33"),
        (b"W:W1:B17\n", "1: position 'W:W1:B17' in english: white man on its promotion row: 1"),
        (b"hello\n", "1: position 'hello': expected a FEN"),
        (b"\n\n", " found no line with a position"),
        (b"\xff\xfe\n", " byte 1: not UTF-8 text"),
    ],
)
def test_a_bad_line_is_told_with_its_place(content: bytes, complaint: str, tmp_path: Path) -> None:
    file = tmp_path / "positions.txt"
    file.write_bytes(content)
    assert f"{file}:{complaint}" in refused("check", "english", "--positions", str(file), "--", "not-there")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--no-cases"], "--no-cases: nothing is left to ask"),
        (["--positions", "x", "--games", "3"], "--positions: compares those positions and plays no games"),
        (["--no-cases", "--games", "3", "--baseline", "x"], "--no-cases: known failures are of cases"),
        (["--games", "0"], "--games"),
        (["--seconds", "0"], "--seconds"),
        (["--positions", "not-there"], "cannot read 'not-there'"),
    ],
)
def test_what_makes_no_sense(words: list[str], complaint: str) -> None:
    ran = damspec("check", "english", *words, "--", "not-there")
    assert ran.status == 2
    assert complaint in ran.err


def without_seconds(out: str) -> str:
    return re.sub(r"in \d+\.\d s", "", out)


def test_games_of_who_plays_right_are_in_a_journal_that_is_gone_on_with(tmp_path: Path) -> None:
    journal = tmp_path / "run.jsonl"
    words = ["check", "english", "-k", "king-move", "--games", "2"]
    first = damspec(*words, "--journal", str(journal), "--", *fake("right"))
    assert first.status == 0
    assert "in 2 games of seed 0" in first.out
    assert "no disagreement" in first.out
    assert first.summary.startswith("english by damspec")
    lines = [json.loads(line) for line in journal.read_text(encoding="utf-8").splitlines()]
    assert lines[-1]["games"]["games"] == 2
    again = damspec(*words, "--resume", str(journal), "--", *fake("right"))
    assert again.status == first.status
    assert without_seconds(again.out) == without_seconds(first.out)
    journal.write_text("".join(json.dumps(line) + "\n" for line in lines[:-1]), encoding="utf-8")
    cut_off = damspec(*words, "--resume", str(journal), "--", *fake("right"))
    assert cut_off.status == 0
    assert json.loads(journal.read_text(encoding="utf-8").splitlines()[-1])["games"]["games"] == 2


@pytest.mark.slow
def test_an_engine_that_dies_in_games_is_an_error(tmp_path: Path) -> None:
    """It answers the smoke question and dies of every other position."""
    ran = damspec(
        "check", "english", "--no-cases", "--games", "5", "--restarts", "2", "--json", "--", *fake("dying-later")
    )
    assert ran.status == 1
    (report,) = json.loads(ran.out)["reports"]
    assert {(found["status"], found["kind"]) for found in report["games"]["found"]} == {("error", "died")}
    assert report["games"]["ended"].startswith("the engine was given up after breaking")


@pytest.mark.slow
def test_no_games_after_cases_that_were_not_all_asked() -> None:
    ran = damspec("check", "english", "--max-fail", "1", "--games", "5", "--", *fake("wrong-moves"))
    assert ran.status == 1
    assert "not all was compared: the cases have not all been asked" in ran.out
