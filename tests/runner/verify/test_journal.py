"""A journal: what is written as a run goes is the report of the run, however far it got."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from damspec import data
from damspec_runner.tasks.journal import JsonLinesFile
from damspec_runner.verify.journal import CUT_OFF, as_jsonl, footer_entry, header_entry, read_journal
from damspec_runner.verify.report.serialize import as_json, result_entry
from damspec_runner.verify.result import Report, Result
from reports import EVERYTHING, FAILED, LB, PASSED, RIGHT, result
from runner_fixtures import damspec
from runs import for_each


def write(journal: JsonLinesFile, report: Report, results: int | None = None) -> None:
    """Write a run as it comes, as far as so many results."""
    cases = [each.case for each in report.results]
    journal.write(header_entry(report.ruleset, report.label, report.hello, cases, report.options))
    for each in report.results[:results]:
        journal.write(result_entry(each))


def read(path: Path) -> list[Report]:
    return read_journal(path.read_bytes(), "journal")


def cut(report: Report, results: int) -> Report:
    """What is known of a run that was cut off after so many results."""
    left = tuple(Result(each.question, "not-asked", message=CUT_OFF) for each in report.results[results:])
    return replace(
        report,
        results=(*report.results[:results], *left),
        noise=(),
        seconds=0.0,
        interrupted=True,
        unexpected=None,
        diagnosis=None,
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a journal may be written."""
    return tmp_path / "journal.jsonl"


def test_whole_runs(path: Path) -> None:
    with JsonLinesFile(path) as journal:
        for report in (EVERYTHING, RIGHT):
            write(journal, report)
            journal.write(footer_entry(report))
    assert path.read_text(encoding="utf-8") == as_jsonl([EVERYTHING, RIGHT])
    assert as_json(read(path)) == as_json([EVERYTHING, RIGHT])


def test_every_line_has_its_schema() -> None:
    lines = as_jsonl([EVERYTHING, RIGHT]).splitlines()
    assert len(lines) == 2 + 9 + 2 + 3
    assert [data.schema_problem(json.loads(line), "journal") for line in lines] == [None] * len(lines)


def test_each_line_is_there_at_once(path: Path) -> None:
    with JsonLinesFile(path) as journal:
        write(journal, EVERYTHING, 2)
        assert as_json(read(path)) == as_json([cut(EVERYTHING, 2)])


@pytest.mark.parametrize("characters", range(1, 60, 7))
def test_a_line_cut_off_loses_itself_only(path: Path, characters: int) -> None:
    lines = as_jsonl([EVERYTHING]).splitlines(keepends=True)
    path.write_text("".join(lines[:3]) + lines[3][:characters], encoding="utf-8")
    assert as_json(read(path)) == as_json([cut(EVERYTHING, 2)])


def test_the_last_result_of_a_case_counts(path: Path) -> None:
    report = replace(EVERYTHING, results=(PASSED, FAILED))
    with JsonLinesFile(path) as journal:
        write(journal, report)
        journal.write(result_entry(result(FAILED.case)))
        journal.write(footer_entry(report))
    (found,) = read(path)
    assert [*map(result_entry, found.results)] == [*map(result_entry, (PASSED, result(FAILED.case)))]


def test_a_new_header_ends_what_was_cut_off(path: Path) -> None:
    with JsonLinesFile(path) as journal:
        write(journal, EVERYTHING, 4)
        write(journal, RIGHT)
        journal.write(footer_entry(RIGHT))
    assert as_json(read(path)) == as_json([cut(EVERYTHING, 4), RIGHT])


HEADER, RESULT, FOOTER = (json.loads(as_jsonl([RIGHT]).splitlines()[place]) for place in (0, 1, -1))


@for_each(
    ("lines", "complaint"),
    [
        ([], "journal: found no line, expected a journal's header"),
        ([RESULT], 'journal:1: found {"id": "vl.'),
        ([HEADER, FOOTER, RESULT], 'journal:3: found {"id": "vl.'),
        ([HEADER, FOOTER, FOOTER], 'journal:3: found {"end": "finished"'),
        ([HEADER, [1]], "journal:2: found [1], expected an object"),
        ([HEADER, {"id": 1}], "journal:2: "),
        (
            [HEADER, {**RESULT, "id": "lb.start.x"}],
            'journal:2: id: found "lb.start.x", expected a case that the header',
        ),
        ([HEADER, {**RESULT, "status": "bad"}], 'journal:2: status: found "bad", expected one of "passed"'),
        ([{**HEADER, "cases": ["vl.a.b"]}], "journal:1: no case 'vl.a.b' in vl; is it of another version?"),
        ([{**HEADER, "casse": []}], "journal:1: top level: unknown key \"casse\"; did you mean 'cases'?"),
        ([HEADER, {**FOOTER, "end": "well"}], 'journal:2: end: found "well", expected one of "finished"'),
        ([{**HEADER, "ruleset": "chess"}], "journal:1: unknown ruleset 'chess'"),
        ([HEADER, {**RESULT, "reading": "a=b"}], "journal:2: "),
        ([HEADER, {**RESULT, "position": "W:W99:B"}], "journal:2: "),
    ],
)
def test_what_is_no_journal_is_told_in_one_line(lines: list[Any], complaint: str) -> None:
    with pytest.raises(data.FileError) as caught:
        read_journal("".join(json.dumps(line) + "\n" for line in lines).encode(), "journal")
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_broken_line_that_is_not_the_last_is_told_with_its_place(path: Path) -> None:
    lines = as_jsonl([RIGHT]).splitlines(keepends=True)
    path.write_text("".join([lines[0], lines[1][:20] + "\n", *lines[2:]]), encoding="utf-8")
    ran = damspec("report", str(path))
    assert (ran.status, ran.out) == (2, "")
    assert f"{path}:2: not JSON: " in ran.complaint


def test_a_label_that_no_encoding_can_say_is_written(path: Path) -> None:
    with JsonLinesFile(path) as journal:
        journal.write(header_entry(LB, "./\udcff", EVERYTHING.hello, [], {}))
    assert read(path)[0].label == r"./\udcff"


def test_an_empty_ruleset_of_cases_is_a_report_too() -> None:
    header = {**HEADER, "cases": []}
    (report,) = read_journal(f"{json.dumps(header)}\n{json.dumps(FOOTER)}\n".encode(), "journal")
    assert (report.results, report.counts["passed"]) == ((), 0)
