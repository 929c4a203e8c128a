"""What `damspec check` can be told: rulesets, cases of one's own, baselines, reports to go by; and `damspec ask`."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
import yaml

import damspec as library
from damspec_runner.cases.case_files import case_entry, read_case_files
from damspec_runner.cases.cases import Case, cases_for, for_ruleset, select
from damspec_runner.commands.check_run import forecast
from damspec_runner.verify.journal import read_journal
from damspec_runner.verify.report import wording
from damspec_runner.verify.report.serialize import read_reports
from runner_fixtures import EXAMPLES, TESTS, Ran, damspec, fake, printed, printed_json, refused

LB = library.load_ruleset("lb")
CAPTURES = "W:W21,22:B10,17,18"


pytestmark = pytest.mark.usefixtures("nothing_left")


def results(ran: Ran, place: int = 0) -> dict[str, str]:
    """Each case's verdict in a report as JSON."""
    return {result["id"]: result["status"] for result in json.loads(ran.out)["reports"][place]["results"]}


def bundle(folder: Path, cases: Iterable[Case]) -> Path:
    """A bundle of these cases of `lb`."""
    path = folder / "bundle.json"
    entries = [{**case_entry(case), "rulesets": ["lb"]} for case in cases]
    path.write_text(json.dumps({"damspec": 1, "version": "1", "rulesets": {}, "cases": entries}), encoding="utf-8")
    return path


def test_several_rulesets_in_one_run() -> None:
    ran = damspec("check", "lb", "vl", "-k", "king-move", "--json", "--", *fake("right"))
    assert ran.status == 0
    reports = json.loads(ran.out)["reports"]
    assert [report["ruleset"] for report in reports] == ["lb", "vl"]
    for place, report in enumerate(reports):
        ruleset = library.load_ruleset(report["ruleset"])
        assert list(results(ran, place)) == [case.id for case in cases_for(ruleset) if "king-move" in case.id]


def test_a_ruleset_is_named_once() -> None:
    assert "lb: named twice" in damspec("check", "lb", "lb", "--", "x").complaint


def test_without_dashes_the_first_word_is_the_ruleset() -> None:
    ran = damspec("check", "lb", "-k", "lb.start.ongoing", *fake("right"))
    assert ran.status == 0


def test_a_pattern_is_a_glob_or_a_part() -> None:
    cases = cases_for(LB)
    assert select(cases, ("seven-first",), ()) == select(cases, ("lb.start.seven-first-*",), ())
    assert len(select(cases, ("seven-first",), ())) == 1
    assert select(cases, ("seven-first*",), ()) == []


def test_an_open_reading_fails_a_strict_run() -> None:
    words = ("check", "vl", "-k", "vl.choice.", "--no-diagnose", "--json")
    engine = ("--", *fake("reading", "?priority=multiple-first"))
    ran = damspec(*words, *engine)
    assert ran.status == 0
    assert "reading" in results(ran).values()
    assert damspec(*words, "--strict", *engine).status == 1


class TestCases:
    """`--cases`: files, folders and bundles in the place of the cases shipped."""

    @pytest.fixture
    def bundle(self, tmp_path: Path) -> Path:
        return bundle(tmp_path, cases_for(LB))

    def test_a_bundle_has_the_same_cases(self, bundle: Path) -> None:
        found = for_ruleset(read_case_files([bundle]), LB)
        assert [(case.id, case.expected, case.otherwise) for case in found] == [
            (case.id, case.expected, case.otherwise) for case in cases_for(LB)
        ]

    @pytest.mark.parametrize("form", ["a folder", "standard output"])
    def test_what_is_generated_can_be_checked_and_linted(self, form: str, tmp_path: Path) -> None:
        folder = tmp_path / "new"
        words = ("generate", "lb", "-n", "6")
        if form == "a folder":
            assert damspec(*words, "-o", str(folder)).status == 0
        else:
            folder = tmp_path / "new.yaml"
            folder.write_text(damspec(*words).out, encoding="utf-8")
        ran = damspec("cases", "lint", str(folder))
        assert (ran.status, ran.out) == (0, "6 cases, nothing wrong\n")
        ran = damspec("check", "lb", "--cases", str(folder), "--json", "--", *fake("right"))
        assert ran.status == 0
        assert all("generated" in id for id in results(ran))

    @pytest.mark.parametrize(
        ("change", "piece"),
        [
            ({"why": "short"}, "why"),
            ({"clauses": [1]}, "clauses"),
            ({"extra": 1}, 'unknown key "extra"'),
            ({"topic": "tactics"}, "topic"),
            ({"moves": {"21-17": ""}, "outcome": {"result": "draw"}}, "expected exactly one of"),
            ({"id": "x"}, "id: found"),
        ],
    )
    def test_what_is_malformed_is_told_in_one_line(self, change: dict[str, Any], piece: str, bundle: Path) -> None:
        content = json.loads(bundle.read_text(encoding="utf-8"))
        content["cases"][3].update(change)
        bundle.write_text(json.dumps(content), encoding="utf-8")
        said = refused("check", "lb", "--cases", str(bundle), "--", *fake("right"))
        assert piece in said
        assert "bundle.json" in said

    def test_an_id_is_used_once(self, bundle: Path) -> None:
        content = json.loads(bundle.read_text(encoding="utf-8"))
        content["cases"].append(content["cases"][0])
        bundle.write_text(json.dumps(content), encoding="utf-8")
        ran = damspec("check", "lb", "--cases", str(bundle), "--", *fake("right"))
        assert "the id is used twice" in ran.complaint

    def test_a_position_that_cannot_be_is_not_asked(self, tmp_path: Path) -> None:
        case = {
            "id": "lb.man-move.beyond-the-board",
            "why": "A square that this board has not.",
            "clauses": ["lb-022"],
            "position": "W:W99:B1",
            "moves": {},
        }
        path = tmp_path / "own.yaml"
        path.write_text(yaml.safe_dump({"ruleset": "lb", "topic": "man-move", "cases": [case]}), encoding="utf-8")
        ran = damspec("check", "lb", "--cases", str(path), "--json", "--", *fake("right"))
        (result,) = json.loads(ran.out)["reports"][0]["results"]
        assert (ran.status, result["status"]) == (1, "not-asked")
        assert result["message"].startswith("not asked: the case is wrong: position 'W:W99:B1'")


class TestBaseline:
    """`--baseline FILE` and `--update-baseline FILE` for a command."""

    WORDS = ("check", "lb", "--no-diagnose", "--show", "0", "--topic", "ending")

    def test_failures_that_are_known_pass_and_others_do_not(self, tmp_path: Path) -> None:
        file = tmp_path / "known.yaml"
        cases = bundle(tmp_path, [case for case in cases_for(LB) if case.topic in ("ending", "start")])
        words = ("check", "lb", "--cases", str(cases), "--no-diagnose", "--update-baseline", str(file))
        written = damspec(*words, "--", *fake("wrong-outcomes"))
        assert (written.status, written.err) == (1, f"written: {file}\n")
        assert "As expected: " in printed(*self.WORDS, "--baseline", str(file), "--", *fake("wrong-outcomes"))
        assert "listed, but passes" in printed(*self.WORDS, "--baseline", str(file), "--", *fake("right"), status=1)

    @pytest.mark.parametrize(
        ("words", "piece"),
        [
            (("--baseline",), "--baseline without a FILE is about named engines"),
            (("--baseline", "/nonexistent/known.yaml"), "cannot be read"),
            (("--update-baseline", "/nonexistent/known.yaml"), "no folder"),
            (("--update-baseline", "known.yaml"), "needs a run of all cases"),
        ],
    )
    def test_bad_usage(self, words: tuple[str, ...], piece: str) -> None:
        assert piece in refused(*self.WORDS, *words, "--", *fake("right"))


def test_only_what_failed_is_asked_again(tmp_path: Path) -> None:
    report, journal = tmp_path / "report", tmp_path / "journal"
    words = ("check", "lb", "-k", "lb.ending", "-k", "lb.man-move", "--no-diagnose", "--json")
    first = damspec(*words, "--journal", str(journal), "--", *fake("wrong-outcomes"))
    report.write_text(first.out, encoding="utf-8")
    failed = [id for id, status in results(first).items() if status == "failed"]
    assert 0 < len(failed) < len(results(first))
    for file in (report, journal):
        again = damspec("check", "lb", "--rerun-failed", str(file), "--json", "--", *fake("right"))
        assert again.status == 0
        assert results(again) == dict.fromkeys(failed, "passed")


class TestAsk:
    """`damspec ask`: one question, one answer."""

    @pytest.mark.parametrize(
        ("words", "answer"),
        [
            (("lb", CAPTURES), {"moves": ["21x14x7", "22x13", "22x15x6"], "lapses": []}),
            (("lb", CAPTURES, "--move", "22x13"), {"position": "B:W13,21:B10,18"}),
            (("lb", "W:W21:B14,17", "--outcome"), {"outcome": "black", "reason": "no-moves"}),
            (("lb",), {"position": LB.position().fen()}),
        ],
    )
    def test_an_answer(self, words: tuple[str, ...], answer: Any) -> None:
        assert json.loads(printed("ask", *words, "--", *fake("right"))) == answer

    def test_the_outcome_after_moves(self) -> None:
        after = [word for move in 2 * ["32-28", "1-5", "28-32", "5-1"] for word in ("--after", move)]
        words = ("ask", "english", "W:WK32:BK1", "--outcome", *after, "--")
        ran = damspec(*words, sys.executable, "-m", "damspec_runner", "serve")
        assert json.loads(ran.out) == {"outcome": "draw", "reason": "repetition"}
        refused = damspec(*words, sys.executable, str(EXAMPLES / "engine.py"))
        assert (refused.status, refused.err) == (1, "damspec: not supported: takes no moves with outcome\n")

    @pytest.mark.thorough
    def test_the_request_of_a_failure(self, monkeypatch: pytest.MonkeyPatch) -> None:
        report = damspec(
            "check",
            "lb",
            "-k",
            "lb.ending",
            "--max-fail",
            "1",
            "--no-diagnose",
            "--json",
            "--",
            *fake("wrong-outcomes"),
        )
        (result,) = [r for r in json.loads(report.out)["reports"][0]["results"] if r["status"] == "failed"]
        ran = damspec("ask", "--request", result["request"], "--", *fake("wrong-outcomes"))
        assert json.loads(ran.out) == json.loads(result["answer"])
        monkeypatch.setattr(sys, "stdin", io.StringIO(result["request"] + "\n"))
        assert damspec("ask", "--", *fake("wrong-outcomes")).out == ran.out

    @pytest.mark.parametrize(
        ("words", "status", "piece"),
        [
            (("lb", CAPTURES), 2, "no engine"),
            (("lb", "x", "--", "x"), 2, "position 'x'"),
            (("--request", "x", "--", "x"), 2, "--request: not JSON"),
            (("--request", "{}", "--", "x"), 2, "--request: method: found null"),
            (("lb", CAPTURES, "--", "/nonexistent/engine"), 3, "cannot start"),
            (("lb", CAPTURES, "--", *fake("no-method")), 1, "not supported: what?"),
            (("lb", CAPTURES, "--", *fake("dying")), 3, "ended while asked moves"),
        ],
    )
    def test_no_answer_is_one_line(self, words: tuple[str, ...], status: int, piece: str) -> None:
        ran = damspec("ask", *words)
        assert ran.status == status
        assert piece in ran.complaint


# --- Options of `damspec check --games` and `--positions`: questions, refusals and exit status.


FLYING = [sys.executable, str(TESTS / "fakes" / "always.py"), "english", "king.capture.reach = any"]


def test_a_fault_is_shown_and_explained() -> None:
    content = printed_json(
        "report", "check", "english", "--no-cases", "--games", "4", "--json", "--", *FLYING, status=1
    )
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
    out = printed("check", "english", "--no-cases", "--no-diagnose", "--positions", str(file), "--", *FLYING, status=1)
    assert "FAILED position-3" in out
    assert "First seen in B:W18,32:BK9." in out
    assert "2 positions given" in out


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
    (report,) = printed_json(
        "report",
        "check",
        "english",
        "--no-cases",
        "--games",
        "5",
        "--restarts",
        "2",
        "--json",
        "--",
        *fake("dying-later"),
        status=1,
    )["reports"]
    assert {(found["status"], found["kind"]) for found in report["games"]["found"]} == {("error", "died")}
    assert report["games"]["ended"].startswith("the engine was given up after breaking")


@pytest.mark.slow
def test_no_games_after_cases_that_were_not_all_asked() -> None:
    out = printed("check", "english", "--max-fail", "1", "--games", "5", "--", *fake("wrong-moves"), status=1)
    assert "not all was compared: the cases have not all been asked" in out


# --- An explanation that fails takes nothing with it: verdicts, JSON, JUnit and journal are there, and a status
# tells.


SAID = "failed, by a fault of damspec's own (KeyError: (0, 0)); the verdicts stand"


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
    (report,) = printed_json("report", "check", "lb", *words, *odd_engine(tmp_path), status=1)["reports"]
    assert {result["status"] for result in report["results"]} == {"failed"}
    assert report["diagnosis"]["failures"] == len(report["results"])
    assert "<failure" in junit.read_text()
