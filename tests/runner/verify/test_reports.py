"""What the commands print: JSON of the schemas' form, JUnit, and the report for a terminal."""

from __future__ import annotations

import json
import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

import damspec as library
from damspec import __version__, data
from damspec_runner.cases.case_files import read_case_files
from damspec_runner.cases.cases import cases_for, for_ruleset
from runner_fixtures import Ran, damspec, fake
from runs import usually

FEW = ("-k", "lb.start.*", "-k", "lb.man-capture.*", "-k", "lb.ending.*")


def valid(ran: Ran, schema: str) -> Any:
    content = json.loads(ran.out)
    assert data.schema_problem(content, schema) is None
    assert ran.err == ""
    return content


def test_moves_of_a_multiple_jump() -> None:
    assert valid(damspec("moves", "lb", "W:W21:B17,10", "--json"), "moves") == {
        "ruleset": "lb",
        "position": "W:W21:B10,17",
        "moves": [
            {"move": "21x14x7", "from": 21, "to": 7, "path": [21, 14, 7], "captured": [10, 17], "promotes": False}
        ],
        "lapses": [],
    }


@pytest.mark.parametrize(
    ("words", "schema", "expected"),
    [
        (["moves", "vl", "W:W21,K30:B17,10"], "moves", None),
        (["moves", "vl?priority=multiple-first", "start"], "moves", None),
        (["moves", "lb", "W:W:B1"], "moves", {"ruleset": "lb", "position": "W:W:B1", "moves": [], "lapses": []}),
        (
            ["play", "lb", "start", "11-15"],
            "play",
            {"position": "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,15"},
        ),
        (["outcome", "vl", "W:W22:B18"], "outcome", {"outcome": "draw", "reason": "one-piece-each"}),
        (["outcome", "lb", "start"], "outcome", {"outcome": "ongoing", "reason": None}),
        (["rulesets"], "rulesets", None),
        (["engines"], "engines", None),
    ],
)
def test_json_has_the_form_of_its_schema(words: list[str], schema: str, expected: Any) -> None:
    content = valid(damspec(*words, "--json"), schema)
    assert expected in (None, content)


def test_perft_as_json() -> None:
    content = valid(damspec("perft", "english", "--depth", "3", "--json"), "perft")
    assert content["nodes"] == {"1": 7, "2": 49, "3": 302}
    divided = valid(damspec("perft", "english", "--depth", "3", "--divide", "--json"), "perft")
    assert divided["nodes"] == {"3": 302}
    assert sum(divided["divide"].values()) == 302
    assert len(divided["divide"]) == 7


def test_the_bundle_has_every_case_and_is_read_back(tmp_path: Path) -> None:
    file = tmp_path / "bundle.json"
    ran = damspec("cases", "bundle", "-o", str(file))
    assert (ran.status, ran.err) == (0, "")
    content = json.loads(file.read_text(encoding="utf-8"))
    assert data.schema_problem(content, "bundle") is None
    numbers = {r["id"]: r["cases"] for r in json.loads(damspec("rulesets", "--json").out)["rulesets"]}
    assert {id: len([c for c in content["cases"] if id in c["rulesets"]]) for id in numbers} == numbers
    assert [path.name for path in tmp_path.iterdir()] == ["bundle.json"]
    cases = read_case_files([file])
    for id in ("vl", "fr-trapdoor"):
        ruleset = library.load_ruleset(id)
        assert {case.id for case in for_ruleset(cases, ruleset)} == {case.id for case in cases_for(ruleset)}


def test_a_report_as_json() -> None:
    ran = damspec("check", "lb", *FEW, "--json", "--no-diagnose", "--", *fake("wrong-moves"))
    content = valid(ran, "report")
    assert ran.status == 1
    (report,) = content["reports"]
    assert content["ruleset"] == "lb"
    assert report["engine"]["name"] == "damspec"
    assert sum(report["counts"].values()) == len(report["results"])
    for status, number in report["counts"].items():
        assert number == len([result for result in report["results"] if result["status"] == status])
        assert number == sum(topic[status] for topic in report["topics"].values())
    failed = next(result for result in report["results"] if result["status"] == "failed")
    assert (failed["extra"], failed["unparsable"]) == (["1-32"], ["sideways"])
    assert "known" not in report


@pytest.mark.parametrize(
    "mode",
    usually(
        ["wrong-successors", "strange-name"],
        ["duplicating", "wrong-successors", "unsupported-kings", "strange-name"],
    ),
)
def test_every_run_is_a_report_and_a_junit_file(mode: str, tmp_path: Path) -> None:
    junit = tmp_path / "junit.xml"
    ran = damspec("check", "lb", *FEW, "--json", "--junit", str(junit), "--no-diagnose", "--", *fake(mode))
    counts = valid(ran, "report")["reports"][0]["counts"]
    (suite,) = ElementTree.parse(junit).getroot().iter("testsuite")
    assert {key: int(suite.attrib[key]) for key in ("tests", "failures", "errors", "skipped")} == {
        "tests": sum(counts.values()),
        "failures": counts["failed"],
        "errors": counts["error"] + counts["timeout"] + counts["unstable"],
        "skipped": counts["unsupported"] + counts["reading"] + counts["not-asked"],
    }


class TestTerminal:
    """The report as text: failures with their boards, a table, the counts last."""

    def test_duplicates_are_warned_of(self) -> None:
        ran = damspec("check", "lb", "-k", "lb.start.*", "--", *fake("duplicating"))
        assert ran.status == 0
        assert "warning: " in ran.out
        assert " duplicate moves of " in ran.summary

    def test_noise_is_shown_with_failures_only(self) -> None:
        words = ("check", "lb", "-k", "lb.start.*", "--no-diagnose")
        assert "out of memory" in damspec(*words, "--", *fake("dying-later")).out
        assert "asked moves" not in damspec(*words, "--", *fake("noisy")).out

    def test_several_engines_are_reported_one_after_the_other(self) -> None:
        words = ("check", "lb", "-k", "lb.start.*", "--no-diagnose")
        ran = damspec(*words, "--engine", "damspec", "--", *fake("wrong-moves"))
        assert ran.status == 1
        ends = [line.split(":")[0] for line in ran.out.splitlines() if line.startswith("lb by ")]
        assert ends == [f"lb by damspec {__version__}"] * 3  # the counts of failures come first and last

    def test_an_engine_cannot_spoil_the_text(self) -> None:
        ran = damspec("check", "lb", "-k", "lb.start.*", "--", *fake("strange-name"))
        assert ran.summary.startswith(r"lb by [bold]\x1b[31mA\ud800\x00 <&>: ")
        ran = damspec("check", "lb", "-k", "lb.start.*", "--no-diagnose", "--", *fake("control"))
        assert r"unparsable \x00\x1b[31m\ud800\n<&" in ran.out
        assert "\x1b" not in ran.out


#: An engine in plain lines that calls itself by the number of its process, lists one move, and may end at a question.
RENAMED = """
import os, sys
for number, line in enumerate(sys.stdin):
    if line.startswith("moves"):
        sys.argv[1:] and number > 3 and sys.exit(3)
        print("moves 1-5", flush=True)
    else:
        print(f"hello x {os.getpid()} questions=moves", flush=True)
"""


@pytest.mark.parametrize("dies", [(), ("dies",)])
def test_an_engine_that_says_another_hello_when_started_again_is_remarked_upon(dies: tuple[str, ...]) -> None:
    """Failing cases are put to a fresh process, and one that has ended is started again."""
    words = ("check", "lb", "--lines", "-k", "lb.man-move.*", "--no-diagnose", "--max-fail", "3")
    ran = damspec(*words, "--", sys.executable, "-c", RENAMED, *dies)
    remark = r"preflight: it says another hello when started again: x \d+ with moves, and before that x \d+ with moves"
    assert re.search(remark, ran.out)
    assert re.search(remark, ran.err)
    assert "another hello" not in damspec(*words, "--", sys.executable, "-m", "damspec_runner", "serve", "--lines").out
