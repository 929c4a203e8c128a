"""Two reports held against each other."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from damspec import data
from damspec_runner.verify.report import render
from damspec_runner.verify.report.regressions import Change, compare_reports
from damspec_runner.verify.result import Divergence, FuzzResult, Report, Result, Status
from reports import CASES, EVERYTHING, RIGHT
from reports import result as of_case
from runner_fixtures import damspec
from runs import for_each

CASE = CASES[0]


def of(*results: Result, label: str = "engine", report: Report = EVERYTHING) -> Report:
    return replace(report, label=label, results=results)


def result(status: Status, **entry: Any) -> Result:
    return of_case(CASE, status, **entry)


@for_each(
    ("old", "new", "change"),
    [
        (result("failed", missing=["1-5"]), result("passed"), "fixed"),
        (result("timeout"), result("passed"), "fixed"),
        (result("passed"), result("failed", missing=["1-5"]), "broken"),
        (result("passed"), result("unstable"), "broken"),
        (result("reading", reading="origin=occupied"), result("error"), "broken"),
        (result("failed", missing=["1-5"]), result("failed", missing=["1-6"]), "changed"),
        (result("failed", missing=["1-5"]), result("error", message="died"), "changed"),
        (result("passed"), result("not-asked"), "changed"),
        (result("unsupported"), result("failed"), "changed"),
        (result("not-asked"), result("passed"), "changed"),
        (result("passed", duplicates=["1-5"]), result("passed"), "same"),
        (result("failed", missing=["1-5", "1-6"]), result("failed", missing=["1-6", "1-5"]), "same"),
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
        divergence = Divergence(result("failed"), "start")
        games = None if number is None else FuzzResult(0, divergences=(divergence,) * number)
        return replace(of(result("passed")), games=games)

    (found,) = compare_reports([played(old)], [played(new)])
    assert found.games == (old, new)
    assert found.worse == worse


def pairs(old: Sequence[Report], new: Sequence[Report]) -> list[tuple[str, str, str]]:
    return [(found.ruleset, found.engine, found.found) for found in compare_reports(old, new)]


def test_runs_are_paired_by_ruleset_and_engine() -> None:
    a, b, c = (of(result("passed"), label=label) for label in "abc")
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
    ran = damspec("report", "--compare", *files)
    assert (ran.status, ran.err) == (1, "")
    assert ran.out.splitlines() == [
        f"  broken   {CASES[1].id}  passed -> failed",
        f"  changed  {CASES[2].id}  failed",
        f"  fixed    {CASES[0].id}  failed -> passed",
        "lb by engine: 1 fixed, 1 broken, 1 changed, 0 same",
        "vl by other: only in the old report, 3 cases",
    ]


def test_as_json(files: tuple[str, str]) -> None:
    ran = damspec("report", "--compare", *files, "--json")
    content = json.loads(ran.out)
    assert data.schema_problem(content, "comparison") is None
    assert ran.status == 1
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
    ran = damspec("report", "--compare", files[1], str(other))
    assert ran.status == 2
    assert ran.complaint == f"damspec: --compare: no ruleset and engine is in both {files[1]} and {other}"
