"""An explanation that fails takes nothing with it: verdicts, JSON, JUnit and journal are there, and a status tells."""

from __future__ import annotations

import json
from pathlib import Path
from unittest import mock

import pytest

from damspec_runner.verify.journal import read_journal
from damspec_runner.verify.report import wording
from damspec_runner.verify.report.serialize import read_reports
from runner_fixtures import Ran, damspec, fake

SAID = "failed, by a fault of damspec's own (KeyError: (0, 0)); the verdicts stand"


pytestmark = pytest.mark.usefixtures("nothing_left")


def failing(name: str) -> mock._patch[mock.MagicMock]:
    """A part of the runner that fails in a way that nobody has thought of."""
    return mock.patch(f"damspec_runner.verify.{name}", side_effect=KeyError((0, 0)))


def checked(*words: str) -> Ran:
    return damspec("check", "lb", "--topic", "king-move", *words, "--", *fake("wrong-moves"))


def test_the_verdicts_are_printed_and_the_status_is_its_own() -> None:
    with failing("explain.diagnosis.explain"):
        ran = checked()
    assert ran.status == 5
    assert SAID in ran.complaint
    assert ran.complaint.startswith("damspec: engine ")
    assert " 0 passed, " in ran.summary
    assert ran.out.splitlines()[:3] == [ran.last, "Explanation", f"  explaining {SAID}"]


def test_json_junit_and_journal_are_whole(tmp_path: Path) -> None:
    junit, journal = tmp_path / "junit.xml", tmp_path / "run.jsonl"
    with failing("explain.diagnosis.explain"):
        ran = checked("--json", "--junit", str(junit), "--journal", str(journal))
    assert ran.status == 5
    (report,) = json.loads(ran.out)["reports"]
    failed = [result["id"] for result in report["results"] if result["status"] == "failed"]
    assert len(failed) == report["counts"]["failed"] > 0
    assert report["diagnosis"]["unexplained"] == failed
    assert report["diagnosis"]["lines"] == [f"explaining {SAID}"]
    assert junit.read_text().count("<failure") == len(failed)
    (written,) = read_journal(journal.read_bytes(), "run.jsonl")
    assert (written.interrupted, written.counts["failed"]) == (False, len(failed))


@pytest.mark.thorough
def test_the_next_engine_is_checked_all_the_same() -> None:
    with failing("explain.diagnosis.explain"):
        ran = damspec("check", "lb", "vl", "--topic", "king-move", "--json", "--", *fake("wrong-moves"))
    assert ran.status == 5
    assert [report["ruleset"] for report in json.loads(ran.out)["reports"]] == ["lb", "vl"]


def test_a_saved_report_is_told_so_too(tmp_path: Path) -> None:
    saved = tmp_path / "report.json"
    check = ("check", "lb", "--topic", "king-move", "--no-diagnose", "--json", "--", *fake("wrong-moves"))
    saved.write_text(damspec(*check).out)
    with failing("explain.diagnosis.explain"):
        ran = damspec("report", "--diagnose", str(saved))
        printed = damspec("report", "--diagnose", "--json", str(saved))
    assert (ran.status, printed.status) == (5, 5)
    assert SAID in ran.complaint
    (entry,) = json.loads(printed.out)["diagnoses"]
    assert entry["lines"] == [f"explaining {SAID}"]
    assert entry["unexplained"]


def test_games_that_fail_leave_the_cases() -> None:
    """A fault where answers in games are explained: the cases passed, and the status is not 0."""
    with failing("games.fuzz"), mock.patch("damspec_runner.commands.check_run.fuzz", side_effect=KeyError((0, 0))):
        ran = damspec("check", "lb", "--topic", "start", "--games", "2", "--json", "--", *fake("right"))
    assert ran.status == 5
    assert f"comparing {SAID}" in ran.complaint
    (report,) = json.loads(ran.out)["reports"]
    assert report["counts"]["passed"] == len(report["results"])
    assert report["games"]["ended"] == f"comparing {SAID}"
    (read,) = read_reports(json.loads(ran.out), "report.json")
    assert [result.status for result in wording.nothing_found(read)] == ["not-asked"]


def test_without_a_second_nothing_is_explained() -> None:
    ran = checked("--explain", "0")
    assert ran.status == 1
    assert "Explanation" not in ran.out


def odd_engine(folder: Path) -> list[str]:
    """An engine in plain lines that lists moves over the same square twice, and counts one whatever it is asked."""
    engine = folder / "engine.py"
    engine.write_text(
        "import sys\n"
        "answers = {'hello': 'hello odd questions=moves,perft', 'moves': 'moves 21-21 1x1x10 21x14x14', 'perft': '1'}\n"
        "for line in sys.stdin:\n"
        "    print(answers.get(line.split()[0], 'quit'), flush=True)\n"
    )
    return ["--lines", "--", "python3", str(engine)]


def test_a_wrong_count_is_told_before_it_is_explained(tmp_path: Path) -> None:
    engine = odd_engine(tmp_path)
    with mock.patch("damspec_runner.commands.check_perft.explain_counts", side_effect=KeyError((0, 0))):
        ran = damspec("check", "lb", "--perft", "--show", "1", *engine)
        printed = damspec("check", "lb", "--perft", "--json", *engine)
    assert (ran.status, printed.status) == (5, 5)
    assert f"explaining {SAID}" in ran.complaint
    assert " wrong" in ran.last
    (entry,) = json.loads(printed.out)["counts"]
    assert entry["wrong"]


@pytest.mark.slow
def test_a_square_twice_in_a_row_is_explained_like_any_move(tmp_path: Path) -> None:
    junit = tmp_path / "junit.xml"
    words = ("--topic", "king-move", "--json", "--junit", str(junit))
    ran = damspec("check", "lb", *words, *odd_engine(tmp_path))
    assert (ran.status, ran.err) == (1, "")
    (report,) = json.loads(ran.out)["reports"]
    assert {result["status"] for result in report["results"]} == {"failed"}
    assert report["diagnosis"]["failures"] == len(report["results"])
    assert "<failure" in junit.read_text()
