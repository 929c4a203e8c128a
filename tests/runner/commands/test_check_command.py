"""What `damspec check` can be told: rulesets, cases of one's own, baselines, reports to go by; and `damspec ask`."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import yaml

import damspec as library
from damspec_runner.cases.case_files import case_entry, read_case_files
from damspec_runner.cases.cases import Case, cases_for, for_ruleset, select
from runner_fixtures import EXAMPLES, Ran, damspec, fake, printed, refused

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
        ran = damspec(*self.WORDS, "--baseline", str(file), "--", *fake("right"))
        assert ran.status == 1
        assert "listed, but passes" in ran.out

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
