"""A report in its forms: nothing is lost between them, and nothing an engine says is taken for markup.

This is long because there are many forms.
"""

from __future__ import annotations

import io
import json
import re
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
import yaml
from markdown_it import MarkdownIt

import damspec as library
from damspec import data
from damspec_runner.cases.cases import Case, cases_for
from damspec_runner.verify import journal
from damspec_runner.verify.journal import load_reports
from damspec_runner.verify.report import FORMATS, Format, render
from damspec_runner.verify.report.serialize import as_json, read_reports
from damspec_runner.verify.result import ANSWER_KEPT, STATUSES, Report, Result, truncate_answer
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
from runner_fixtures import Ran, damspec, fake

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
        mine = library.load_ruleset(str(file))
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
            ran = damspec("report", str(file), *words)
            assert (ran.status, ran.out) == (2, "")
            assert f"{file}{complaint}" in ran.complaint

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
        ran = damspec("report", str(file))
        assert (ran.status, ran.out) == (2, "")
        assert str(file) in ran.complaint
        assert complaint in ran.complaint

    def test_a_report_too_long_is_refused(self, tmp_path: Path) -> None:
        file = tmp_path / "report.json"
        with file.open("wb") as sparse:
            sparse.truncate(journal.LIMIT + 1)
        with pytest.raises(data.FileError, match="longer than the 64 MB that a report may have"):
            load_reports(str(file))

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
        ran = damspec("report", *words)
        assert (ran.status, ran.complaint) == (2, f"damspec: {complaint}")

    def test_an_output_that_cannot_be_written(self, tmp_path: Path) -> None:
        ran = damspec("report", saved(tmp_path, BOTH), "-o", str(tmp_path / "no" / "where"))
        assert ran.status == 2
        assert ran.complaint == f"damspec: --output: no folder {str(tmp_path / 'no')!r}"

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
