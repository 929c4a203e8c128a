"""What the commands print: JSON of the schemas' form, JUnit, the terminal's and other forms, issues, comparisons."""

from __future__ import annotations

import io
import json
import re
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
import yaml
from markdown_it import MarkdownIt

import damspec as library
from damspec import __version__, data
from damspec_runner.cases.case_files import read_case_files
from damspec_runner.cases.cases import Case, cases_for, for_ruleset
from damspec_runner.engines import known, registry
from damspec_runner.engines.known import FailureCause, GamesSummary, Matrix, Standing
from damspec_runner.engines.protocol import Hello
from damspec_runner.verify import baseline, journal
from damspec_runner.verify.journal import load_reports
from damspec_runner.verify.report import FORMATS, Format, render
from damspec_runner.verify.report.regressions import Change, compare_reports
from damspec_runner.verify.report.serialize import as_json, read_reports
from damspec_runner.verify.result import (
    ANSWER_KEPT,
    STATUSES,
    Divergence,
    FuzzResult,
    Report,
    Result,
    Status,
    truncate_answer,
)
from refusals import refusal
from reports import (
    CASE,
    CASES,
    CLEAN,
    EVERYTHING,
    FAILED,
    LB,
    NOT_ASKED,
    PASSED,
    READING,
    RECORDED,
    RIGHT,
    SHOWN,
    in_form,
    record,
    result,
)
from reports import result as of_case
from runner_fixtures import PROJECT, Ran, damspec, fake, printed, printed_json, refused
from runs import for_each, usually

FEW = ("-k", "lb.start.*", "-k", "lb.man-capture.*", "-k", "lb.ending.*")


def test_moves_of_a_multiple_jump() -> None:
    assert printed_json("moves", "moves", "lb", "W:W21:B17,10", "--json") == {
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
    assert expected in (None, printed_json(schema, *words, "--json"))


def test_perft_as_json() -> None:
    content = printed_json("perft", "perft", "english", "--depth", "3", "--json")
    assert content["nodes"] == {"1": 7, "2": 49, "3": 302}
    divided = printed_json("perft", "perft", "english", "--depth", "3", "--divide", "--json")
    assert divided["nodes"] == {"3": 302}
    assert sum(divided["divide"].values()) == 302
    assert len(divided["divide"]) == 7


def test_the_bundle_has_every_case_and_is_read_back(tmp_path: Path) -> None:
    file = tmp_path / "bundle.json"
    printed("cases", "bundle", "-o", str(file))
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
    words = ("check", "lb", *FEW, "--json", "--no-diagnose", "--", *fake("wrong-moves"))
    content = printed_json("report", *words, status=1)
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
    words = ("check", "lb", *FEW, "--json", "--junit", str(junit), "--no-diagnose", "--", *fake(mode))
    counts = printed_json("report", *words, status=int(mode == "wrong-successors"))["reports"][0]["counts"]
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
        ends = [
            line.split(":")[0]
            for line in printed(*words, "--engine", "damspec", "--", *fake("wrong-moves"), status=1).splitlines()
            if line.startswith("lb by ")
        ]
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


# --- A report in its forms: nothing is lost between them, and nothing an engine says is taken for markup.
# This is long because there are many forms.


BOTH = [EVERYTHING, RIGHT]
LEFT_OPEN = replace(RIGHT, results=(*RIGHT.results[:2], replace(RIGHT.results[2], status="unsupported")))

#: An engine that lists moves, right, and says nothing of outcomes.
NO_OUTCOMES = replace(
    EVERYTHING,
    results=(*(result(case) for case in CASES[:2]), result(CASES[8], "unsupported")),
    unexpected=None,
    interrupted=False,
)


def failed(case: Case) -> Result:
    """A case that failed as another did."""
    return FAILED.with_case(replace(case, expected=FAILED.case.expected))


#: Twelve cases failed.
MANY_FAILED = replace(EVERYTHING, results=tuple(map(failed, cases_for(LB)[:12])), unexpected=None)


def saved(folder: Path, reports: list[Report], form: Format = "json") -> str:
    """The name of a file with reports."""
    file = folder / f"report.{form}"
    file.write_text(render(reports, form), encoding="utf-8")
    return str(file)


class Tags(HTMLParser):
    """The tags of a page, and where its links lead."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("src", "href", "action")]


class TestModel:
    """The verdicts part the cases among themselves."""

    @pytest.mark.parametrize(
        ("status", "clean", "strictly"),
        [
            ("passed", True, True),
            ("unsupported", True, True),
            ("reading", True, False),
            *((status, False, False) for status in ("failed", "error", "timeout", "unstable", "not-asked")),
        ],
    )
    def test_what_spoils_a_run(self, status: Any, clean: bool, strictly: bool) -> None:
        report = replace(EVERYTHING, results=(result(CASES[0]), result(CASES[1], status)))
        assert (report.clean(), report.clean(strict=True)) == (clean, strictly)

    def test_a_long_answer_is_cut_and_says_so(self) -> None:
        assert truncate_answer("x" * ANSWER_KEPT) == "x" * ANSWER_KEPT
        assert truncate_answer("x" * (ANSWER_KEPT + 7)) == "x" * ANSWER_KEPT + "... and 7 characters more"
        assert truncate_answer("a\nb\x1b") == r"a\nb\x1b"


class TestThereAndBack:
    """JSON and a journal give the same values back."""

    @pytest.mark.parametrize("reports", [BOTH, [SHOWN, CLEAN]], ids=["cases", "games"])
    @pytest.mark.parametrize("form", ["json", "jsonl"])
    def test_nothing_is_lost(self, reports: list[Report], form: Format, tmp_path: Path) -> None:
        assert as_json(load_reports(saved(tmp_path, reports, form))) == as_json(reports)

    def test_json_has_its_schema(self) -> None:
        content = as_json(BOTH)
        assert data.schema_problem(content, "report") is None
        assert content["ruleset"] == "lb"
        assert [entry["ruleset"] for entry in content["reports"]] == ["lb", "vl"]
        assert [entry["not_asked"] for entry in content["reports"]] == [1, 0]

    def test_a_report_of_the_first_version_is_read(self) -> None:
        """It has no ruleset of its own for each engine, five verdicts, and the unasked cases only as a number."""
        counts = dict.fromkeys(("passed", "failed", "reading", "error", "unsupported"), 0) | {"passed": 1}
        passed = {"id": CASES[0].id, "topic": "man-capture", "clauses": [], "position": CASES[0].position}
        content = {
            "damspec": "0.1.0",
            "ruleset": "lb",
            "reports": [
                {
                    "engine": {"label": "x", "name": "x", "version": "1"},
                    "counts": counts,
                    "topics": {"man-capture": counts},
                    "not_asked": 3,
                    "duplicates": 0,
                    "seconds": 1.0,
                    "noise": [],
                    "results": [{**passed, "status": "passed"}],
                }
            ],
        }
        (report,) = read_reports(content, "here")
        assert (report.ruleset, report.label) == (LB, "x")
        assert [(one.case, one.status) for one in report.results] == [(CASES[0], "passed")]

    def test_a_ruleset_of_a_file_is_found_again(self, tmp_path: Path) -> None:
        file = tmp_path / "mine.yaml"
        about = {"damspec": 1, "id": "mine", "name": "Mine", "about": "mine", "documents": ["lb"], "extends": "lb"}
        file.write_text(yaml.safe_dump({**about, "rules": {}}), encoding="utf-8")
        mine = library.load_ruleset_file(str(file))
        report = replace(EVERYTHING, ruleset=mine, results=(result(cases_for(mine)[0], ruleset=mine),))
        source = Path(saved(tmp_path, [report]))
        assert as_json(load_reports(str(source))) == as_json([report])
        source.write_text(source.read_text(encoding="utf-8").replace("mine.yaml", "lost.yaml"), encoding="utf-8")
        assert damspec("report", str(source)).complaint == (
            f"damspec: {tmp_path / 'lost.yaml'}: cannot be read: No such file or directory"
        )

    def test_a_case_that_is_not_there_any_more_is_what_the_report_says(self) -> None:
        content = as_json([replace(EVERYTHING, results=(FAILED,))])
        content["reports"][0]["results"][0] |= {"id": "lb.man-capture.gone", "position": "W:W21:B17"}
        (report,) = read_reports(content, "here")
        case = report.results[0].case
        assert (case.id, case.position, case.why, case.topic) == ("lb.man-capture.gone", "W:W21:B17", "", "man-capture")
        for form in FORMATS:
            assert render([report], form)

    @pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
    def test_what_another_shell_makes_of_it(self, encoding: str, tmp_path: Path) -> None:
        file = tmp_path / "report.json"
        file.write_text(render(BOTH, "json"), encoding=encoding)
        assert as_json(load_reports(str(file))) == as_json(BOTH)

    def test_what_check_prints(self, tmp_path: Path) -> None:
        file = tmp_path / "report.json"
        file.write_text(
            damspec("check", "lb", "--topic", "start", "--json", "--", *fake("wrong-start")).out, encoding="utf-8"
        )
        (report,) = load_reports(str(file))
        assert report.counts == dict.fromkeys(STATUSES, 0) | {"passed": 1, "failed": 2}  # two begin at the start
        assert report.explanation[0].startswith("plays lb, but ")
        assert damspec("report", str(file), "--json").out == file.read_text(encoding="utf-8")
        assert report.explanation[0] in damspec("report", str(file)).out


class TestForms:
    """What each form says of a run with everything."""

    @pytest.mark.parametrize("form", RECORDED)
    def test_as_recorded(self, form: Format) -> None:
        assert in_form(form) == record(form).read_text(encoding="utf-8")

    def test_what_is_wrong_comes_first_and_fits_a_page(self) -> None:
        """The counts, the explanation, one board with a command; of 48 failures three boards and 20 ids."""
        diagnosis = {"lines": ["plays lb except capture.duty = optional"]}
        results = tuple(map(failed, cases_for(LB)[:48]))
        report = replace(EVERYTHING, results=results, unexpected=None, diagnosis=diagnosis)
        lines = render([report], "pretty").splitlines()
        assert lines[0].startswith("lb by fake 1.0: 0 passed, 48 failed")
        assert lines[1:3] == ["Explanation", "  plays lb except capture.duty = optional"]
        assert lines[3].startswith("FAILED ")
        assert len([line for line in lines if "check again  damspec check lb -k " in line]) == 1
        assert len([line for line in lines if line.startswith("  FAILED ")]) == 20
        assert "  25 more (`--show 48` shows all)" in lines
        assert len(lines) < 100

    def test_junit_has_the_time_of_each_test(self) -> None:
        timed = replace(RIGHT, results=tuple(replace(result, seconds=0.0124) for result in RIGHT.results))
        root = ElementTree.fromstring(render([timed], "junit").encode())
        assert [test.attrib["time"] for test in root.iter("testcase")] == ["0.012"] * 3
        assert [suite.attrib["time"] for suite in root.iter("testsuite")] == ["0.036"]

    @pytest.mark.parametrize("form", [form for form in FORMATS if not form.startswith("badge")])
    def test_every_form_has_the_explanation(self, form: Format) -> None:
        line = "plays lb except capture.duty = optional"
        report = replace(EVERYTHING, diagnosis={"lines": [line]})
        assert line in render([report], form)
        assert line not in render([EVERYTHING], form)

    def test_markdown(self) -> None:
        text = render(BOTH, "markdown", 6)
        assert "## ❌ `lb` by `fake 1.0`" in text
        assert "## ✅ `vl` by `fake 1.0`" in text
        assert "| man-capture | 1 | 1 | 1 | 1 | 1 | 1 | 1 | 1 |" in text
        assert "| ending | · | 1 | · | · | · | · | · | · |" in text
        assert (text.count("<details open>"), text.count("<details>"), text.count("</details>")) == (1, 5, 6)
        made = MarkdownIt("commonmark").enable("table").render(text)
        assert "<script" not in made
        assert "&lt;script&gt;alert(1)&lt;/script&gt; `a` ```` | # \\ [b] @you</code>" in made
        board = "".join(re.findall(r"<pre><code>(.*?)</code></pre>", made, re.DOTALL)[0])
        assert board.count("\n") == 9
        assert "to move" in board

    def test_html_stands_alone_and_takes_nothing_for_markup(self) -> None:
        page = render(BOTH, "html")

        found = Tags()
        found.feed(page)
        assert found.tags.count("script") == 1
        assert found.tags.count("img") == 6
        assert all(link.startswith(("data:image/svg+xml;base64,", "#")) for link in found.links)
        assert "default-src 'none'" in page
        assert "&lt;script&gt;alert(1)" in page
        assert page.count("To ask it again:") == 2

    def test_an_object_is_an_arrow_as_its_squares_are(self) -> None:
        pages = (
            render([replace(EVERYTHING, results=(result(CASE, "failed", extra=list(extra)),))], "html")
            for extra in (("9x22 (takes 18)",), ("9x22",), ())
        )
        of_object, of_squares, plain = (re.findall(r'src="(data:[^"]+)', page) for page in pages)
        assert of_object == of_squares != plain

    @pytest.mark.parametrize("form", ["pretty", "markdown", "html"])
    def test_of_many_moves_only_the_first_are_shown(self, form: Format) -> None:
        listed = tuple(f"{number}-{number + 5}" for number in range(1, 88))
        report = replace(EVERYTHING, results=(result(FAILED.case, "failed", duplicates=list(listed)),))
        text = render([report], form)
        assert "30-35" in text
        assert "80-85" not in text
        assert re.search(r"and \d\d more, the same move listed again", text)
        if form == "pretty":
            assert max(map(len, text.splitlines())) < 600

    @pytest.mark.parametrize(
        ("reports", "label", "message", "colour"),
        [
            (BOTH, "damspec", "4 of 12 cases", "red"),
            ([RIGHT], "damspec vl", "3 of 3 cases", "brightgreen"),
            ([LEFT_OPEN], "damspec vl", "2 of 3 cases", "yellow"),
            ([NO_OUTCOMES], "damspec lb", "moves 2/2", "brightgreen"),
            ([NO_OUTCOMES, LEFT_OPEN], "damspec", "moves 4/5", "yellow"),
        ],
    )
    def test_badges(self, reports: list[Report], label: str, message: str, colour: str) -> None:
        assert json.loads(render(reports, "badge-json")) == {
            "schemaVersion": 1,
            "label": label,
            "message": message,
            "color": colour,
        }
        picture = ElementTree.fromstring(render(reports, "badge"))
        assert picture.attrib["aria-label"] == f"{label}: {message}"
        assert [text.text for text in picture.iter("{http://www.w3.org/2000/svg}text")] == [label, message]

    def test_annotations_are_a_line_each_and_ten_at_most(self) -> None:
        lines = render([MANY_FAILED], "annotations").splitlines()
        assert len(lines) == 10
        assert all(line.startswith("::error title=") for line in lines)
        assert lines[-1] == "::error title=damspec lb::3 more: see the summary of the job"
        assert "%0A" in lines[0]


class TestCommand:
    """`damspec report FILE`."""

    @pytest.mark.parametrize("form", FORMATS)
    def test_every_form_to_a_file_and_to_the_output(self, form: Format, tmp_path: Path) -> None:
        source, target = saved(tmp_path, BOTH, "jsonl"), tmp_path / "target"
        printed = damspec("report", source, "--format", form)
        written = damspec("report", source, "--format", form, "-o", str(target))
        assert (printed.status, printed.err) == (written.status, written.err) == (0, "")
        assert written.out == ""
        assert printed.out == target.read_text(encoding="utf-8") == render(BOTH, form)

    def test_standard_input(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for words in (["report", "-", "--json"], ["report", "-", "--diagnose", "--json"]):
            ran = piped(monkeypatch, render([RIGHT], "json").encode(), *words)
            assert ran.err == ""
            assert json.loads(ran.out)
        assert piped(monkeypatch, b"", "report", "-").complaint == (
            "damspec: standard input:1:1: not JSON: Expecting value"
        )

    @pytest.mark.parametrize(
        ("content", "complaint"),
        [
            (b"", ":1:1: not JSON: Expecting value"),
            (b'{"damspec": "1",\n  oops}', ":2:3: not JSON: Expecting property name enclosed in double quotes"),
            (b"[1]", ": top level: found [1], expected object"),
            (b"\xff\xfe\xfa", ": byte 3: not utf-16-le text: truncated data"),
            (b'{"a": "\xe9"}', ": byte 8: not utf-8 text: invalid continuation byte"),
            (b'{"a": NaN}', ": not JSON: found 'NaN', expected a number that is finite"),
            (b'{"a": 1e999}', ": not JSON: found '1e999', expected a number that is finite"),
            (b'{"a": ' * 100_000, ": not JSON: nested deeper than 64 levels"),
            (b"[" * 100_000, ": not JSON: nested deeper than 64 levels"),
            (b'{"a": ' + b"9" * 5000 + b"}", ": not JSON: "),
        ],
    )
    def test_what_is_no_report_is_told_in_one_line(self, content: bytes, complaint: str, tmp_path: Path) -> None:
        file = tmp_path / "report.json"
        file.write_bytes(content)
        for words in ((), ("--diagnose",)):
            assert f"{file}{complaint}" in refused("report", str(file), *words)

    @pytest.mark.parametrize(
        ("edit", "complaint"),
        [
            ({"status": "good"}, 'reports.0.results.0.status: found "good", expected one of "passed"'),
            ({"id": "lb.x.y", "position": "W:W99:B"}, "W:W99:B"),
            ({"reading": "origin=nowhere"}, "nowhere"),
            ({"verdict": 1}, 'unknown key "verdict"'),
        ],
    )
    def test_what_makes_no_sense_is_told_in_one_line(self, edit: Any, complaint: str, tmp_path: Path) -> None:
        content = as_json([replace(EVERYTHING, results=(READING,))])
        content["reports"][0]["results"][0] |= edit
        file = tmp_path / "report.json"
        file.write_text(json.dumps(content), encoding="utf-8")
        said = refused("report", str(file))
        assert str(file) in said
        assert complaint in said

    def test_a_report_too_long_is_refused(self, tmp_path: Path) -> None:
        file = tmp_path / "report.json"
        with file.open("wb") as sparse:
            sparse.truncate(journal.LIMIT + 1)
        assert "longer than the 64 MB that a report may have" in refusal(data.FileError, load_reports, str(file))

    @pytest.mark.parametrize(
        ("words", "complaint"),
        [
            ([], "expected either a FILE or --compare OLD NEW"),
            (["x", "--compare", "y", "z"], "expected either a FILE or --compare OLD NEW"),
            (["x", "--diagnose", "-o", "y"], "--diagnose: it is text, or --json, without --format and --output"),
            (["--diagnose", "--compare", "y", "z"], "--diagnose: of one report, not with --compare"),
            (["--compare", "-", "-"], "--compare: standard input is one report, expected two"),
            (["nowhere.json"], "cannot read 'nowhere.json': No such file or directory"),
            (["."], "cannot read '.': Is a directory"),
        ],
    )
    def test_a_wrong_command_line(self, words: list[str], complaint: str) -> None:
        assert refused("report", *words) == f"damspec: {complaint}"

    def test_an_output_that_cannot_be_written(self, tmp_path: Path) -> None:
        said = refused("report", saved(tmp_path, BOTH), "-o", str(tmp_path / "no" / "where"))
        assert said == f"damspec: --output: no folder {str(tmp_path / 'no')!r}"

    def test_a_case_that_is_not_there_any_more_cannot_be_explained(self, tmp_path: Path) -> None:
        content = as_json([replace(EVERYTHING, results=(PASSED, NOT_ASKED))])
        content["reports"][0]["results"][1]["id"] = "lb.man-capture.gone"
        file = tmp_path / "report.json"
        file.write_text(json.dumps(content), encoding="utf-8")
        assert damspec("report", str(file), "--diagnose").complaint == (
            f"damspec: {file}: no case 'lb.man-capture.gone' in lb; is it of another version?"
        )


def piped(monkeypatch: pytest.MonkeyPatch, content: bytes, *words: str) -> Ran:
    """Run the command with something on its standard input."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content), encoding="utf-8"))
    return damspec(*words)


# --- The report as the text of an issue, and the matrix: both held to the files in known/.


CASE_OF = {case.id: case for case in cases_for(LB)}
ROUND = CASE_OF["lb.completion.whole-round"]
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
    assert re.search(r"    damspec check lb -k lb\.duty\.\S+ -- ", printed("report", str(file), "--format", "issue"))


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


STANDING = Standing("a", "1", "lb", 10, 8, 0, 0, 2, 0, ("moves",), (), GamesSummary(1, 3, 120))
FAILS = replace(
    STANDING, ruleset="english", passed=5, failed=3, wrong=(FailureCause("x", "It is wrong.", 3),), games=None
)
IN_GAMES = replace(STANDING, engine="b", games=GamesSummary(1, 3, 120, ("W:W1:B5: extra 1-9",)))


def test_a_cell_says_whether_all_was_right() -> None:
    assert [cell.right for cell in (STANDING, FAILS, IN_GAMES)] == [True, False, False]
    assert [cell.colour for cell in (STANDING, replace(STANDING, passed=10), FAILS)] == [
        "yellow",
        "brightgreen",
        "red",
    ]
    assert STANDING.answered_share == 80
    assert "8 of 10 cases" in STANDING.badges()["svg"]
    assert '"label": "damspec lb"' in STANDING.badges()["json"]


def test_tables_of_a_matrix() -> None:
    found = Matrix((STANDING, FAILS, IN_GAMES))
    assert known.short_table(found).splitlines()[2:] == ["| a 1 | lb | english 3 of 10 |", "| b 1 | · | lb in games |"]
    assert known.full_table(found).splitlines()[2:] == [
        "| a 1 | lb | 8 | 0 | 0 | 2 | 0 | 120 positions |",
        "| a 1 | english | 5 | 3 | 0 | 2 | 0 | · |",
        "| b 1 | lb | 8 | 0 | 0 | 2 | 0 | 120 positions, 1 wrong |",
    ]
    assert found.rulesets == ["lb", "english"]


def test_a_matrix_is_read_as_it_was_written(tmp_path: Path) -> None:
    file = tmp_path / "matrix.json"
    found = Matrix((STANDING, FAILS, IN_GAMES))
    file.write_text(found.text(), encoding="utf-8")
    assert known.read_matrix(file) == found
    for wrong in ('{"cells": [{}]}', "no JSON"):
        file.write_text(wrong, encoding="utf-8")
        assert "matrix" in refusal(data.FileError, known.read_matrix, file)


def test_new_cells_take_the_place_of_old_ones() -> None:
    order = [("a", "1", "english"), ("a", "1", "lb"), ("c", "1", "lb")]
    better = replace(FAILS, passed=8, failed=0, wrong=())
    assert known.merge_matrix(Matrix((STANDING, FAILS, IN_GAMES)), [better], order) == Matrix((better, STANDING))


def test_a_page_without_a_table_is_refused() -> None:
    assert "found no lines" in refusal(ValueError, known.replace_table, "# A page\n", "| a |")


# --- Two reports held against each other.


def of(*results: Result, label: str = "engine", report: Report = EVERYTHING) -> Report:
    return replace(report, label=label, results=results)


def progress_result(status: Status, **entry: Any) -> Result:
    return of_case(CASES[0], status, **entry)


@for_each(
    ("old", "new", "change"),
    [
        (progress_result("failed", missing=["1-5"]), progress_result("passed"), "fixed"),
        (progress_result("timeout"), progress_result("passed"), "fixed"),
        (progress_result("passed"), progress_result("failed", missing=["1-5"]), "broken"),
        (progress_result("passed"), progress_result("unstable"), "broken"),
        (progress_result("reading", reading="origin=occupied"), progress_result("error"), "broken"),
        (progress_result("failed", missing=["1-5"]), progress_result("failed", missing=["1-6"]), "changed"),
        (progress_result("failed", missing=["1-5"]), progress_result("error", message="died"), "changed"),
        (progress_result("passed"), progress_result("not-asked"), "changed"),
        (progress_result("unsupported"), progress_result("failed"), "changed"),
        (progress_result("not-asked"), progress_result("passed"), "changed"),
        (progress_result("passed", duplicates=["1-5"]), progress_result("passed"), "same"),
        (progress_result("failed", missing=["1-5", "1-6"]), progress_result("failed", missing=["1-6", "1-5"]), "same"),
    ],
)
def test_what_becomes_of_a_case(old: Result, new: Result, change: Change) -> None:
    (found,) = compare_reports([of(old)], [of(new)])
    assert [case.change for case in found.cases] == [change]


def test_cases_of_one_run_only() -> None:
    old, new = of_case(CASES[0], "passed"), of_case(CASES[1], "failed")
    (found,) = compare_reports([of(old)], [of(new)])
    assert {case.id: case.change for case in found.cases} == {CASES[1].id: "added", CASES[0].id: "removed"}


@pytest.mark.parametrize(
    ("old", "new", "worse"),
    [(0, 1, True), (0, 0, False), (2, 1, False), (1, 2, False), (None, 1, False), (0, None, False)],
)
def test_what_games_brought_to_light(old: int | None, new: int | None, worse: bool) -> None:
    """None: no games were played."""

    def played(number: int | None) -> Report:
        divergence = Divergence(progress_result("failed"), "start")
        games = None if number is None else FuzzResult(0, divergences=(divergence,) * number)
        return replace(of(progress_result("passed")), games=games)

    (found,) = compare_reports([played(old)], [played(new)])
    assert found.games == (old, new)
    assert found.worse == worse


def pairs(old: Sequence[Report], new: Sequence[Report]) -> list[tuple[str, str, str]]:
    return [(found.ruleset, found.engine, found.found) for found in compare_reports(old, new)]


def test_runs_are_paired_by_ruleset_and_engine() -> None:
    a, b, c = (of(progress_result("passed"), label=label) for label in "abc")
    other = replace(RIGHT, label="a")
    assert pairs([a, b, other], [b, other, a]) == [
        ("lb", "b", "both"),
        ("lb", "a", "both"),
        ("vl", "a", "both"),
    ]
    assert pairs([a, other], [b]) == [("lb", "b", "both"), ("vl", "a", "old")]  # one engine, called otherwise
    assert pairs([a], [b, c]) == [("lb", "a", "old"), ("lb", "b", "new"), ("lb", "c", "new")]
    assert pairs([a, b], [b, c]) == [("lb", "b", "both"), ("lb", "c", "both")]


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    """A run before and one after: a case fixed, one broken, one failing otherwise."""
    old = of(
        of_case(CASES[0], "failed", missing=["1-5"]),
        of_case(CASES[1], "passed"),
        of_case(CASES[2], "failed", extra=["1"]),
    )
    new = of(
        of_case(CASES[0], "passed"),
        of_case(CASES[1], "failed", missing=["1-5"]),
        of_case(CASES[2], "failed", extra=["2"]),
    )
    names = tmp_path / "old.json", tmp_path / "new.jsonl"
    names[0].write_text(render([old, RIGHT], "json"), encoding="utf-8")
    names[1].write_text(render([new], "jsonl"), encoding="utf-8")
    return str(names[0]), str(names[1])


def test_the_command_says_what_became_worse_first(files: tuple[str, str]) -> None:
    assert printed("report", "--compare", *files, status=1).splitlines() == [
        f"  broken   {CASES[1].id}  passed -> failed",
        f"  changed  {CASES[2].id}  failed",
        f"  fixed    {CASES[0].id}  failed -> passed",
        "lb by engine: 1 fixed, 1 broken, 1 changed, 0 same",
        "vl by other: only in the old report, 3 cases",
    ]


def test_as_json(files: tuple[str, str]) -> None:
    content = printed_json("comparison", "report", "--compare", *files, "--json", status=1)
    first = content["comparisons"][0]
    assert first["cases"][1] == {"id": CASES[1].id, "change": "broken", "old": "passed", "new": "failed"}
    assert {change: number for change, number in first["counts"].items() if number} == {
        "fixed": 1,
        "broken": 1,
        "changed": 1,
    }


def test_nothing_broken_is_all_right(files: tuple[str, str]) -> None:
    ran = damspec("report", "--compare", files[0], files[0])
    assert (ran.status, ran.last) == (0, "vl by other: 0 fixed, 0 broken, 3 same")


def test_reports_of_different_things_cannot_be_compared(files: tuple[str, str], tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_text(render([RIGHT], "json"), encoding="utf-8")
    said = refused("report", "--compare", files[1], str(other))
    assert said == f"damspec: --compare: no ruleset and engine is in both {files[1]} and {other}"
