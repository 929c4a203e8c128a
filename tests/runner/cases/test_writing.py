"""Cases written down: files like those shipped, to the letter, and bundles, both of which are read again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from damspec import Outcome, data
from damspec_runner.cases.bundle import make_bundle
from damspec_runner.cases.case import Case, Expectation
from damspec_runner.cases.case_files import case_file, read_case_files
from damspec_runner.cases.cases import cases_folder, read_cases
from runner_fixtures import printed

CASE = Case(
    id="vl.man-move.one",
    ruleset="vl",
    topic="man-move",
    why="A man: one step, and no more.",
    clauses=("vl-005",),
    position="W:W13:B4",
    expected=Expectation(moves={"13-9": "B:W9:B4"}),
    generated="by hand",
    reached=("21-17", "9x18"),
)
ENDED = Case(
    id="vl.ending.two",
    ruleset="vl",
    topic="ending",
    why="White has won.",
    clauses=("vl-033",),
    position="W:W13:B",
    expected=Expectation(outcome=Outcome("white", "no-pieces")),
    tags=("one", "two, three"),
)


def test_a_file_as_people_write_it() -> None:
    text = case_file([CASE, ENDED], {CASE.id: ["with man.move.reach = any: " + ", ".join(["also 13-6"] * 12)]})
    assert (
        text
        == """ruleset: vl
cases:
  - id: vl.man-move.one
    why: 'A man: one step, and no more.'
    clauses: [vl-005]
    position: 'W:W13:B4'
    moves:
      13-9: 'B:W9:B4'
    generated: by hand
    reached: [21-17, 9x18]
    # with man.move.reach = any: also 13-6, also 13-6, also 13-6, also 13-6, also 13-6, also 13-6, also 13-6, also 13-6,
    #   also 13-6, also 13-6, also 13-6, also 13-6

  - id: vl.ending.two
    why: White has won.
    clauses: [vl-033]
    position: 'W:W13:B'
    outcome: {result: white, reason: no-pieces}
    tags: [one, "two, three"]
"""
    )
    assert case_file([CASE]).startswith("ruleset: vl\ntopic: man-move\ncases:\n")


@pytest.mark.parametrize("word", ["yes", "null", "1e5", "0x1", "12", "a: b", "- a", "é", "'", "tab\there", "x # y"])
def test_any_text_is_read_as_it_was(word: str) -> None:
    case = Case(word, "vl", "ending", word, (word, "x"), word, Expectation(moves={word: word}), tags=(word,))
    content = yaml.safe_load(case_file([case]))["cases"][0]
    read = [content[key] for key in ("id", "why", "position")] + [*content["tags"], content["clauses"][0]]
    assert read == [word] * 5
    assert content["moves"] == {word: word}


@pytest.mark.parametrize("pattern", ["vl/*.yaml", pytest.param("*/*.yaml", marks=pytest.mark.thorough)])
def test_the_cases_shipped_are_written_so(pattern: str) -> None:
    paths = [path for path in sorted(cases_folder().glob(pattern)) if "generated" not in path.parts]
    assert paths
    assert [path.name for path in paths if path.read_text(encoding="utf-8") != case_file(read_cases(path))] == []


def test_a_bundle_of_ones_own_cases(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(case_file([CASE, ENDED]), encoding="utf-8")
    bundle = tmp_path / "mine.json"
    assert printed("cases", "bundle", str(file), "-o", str(bundle)) == f"2 cases of 1 rulesets: {bundle}\n"
    content = json.loads(bundle.read_text(encoding="utf-8"))
    assert data.schema_problem(content, "bundle") is None
    assert content["cases"] == make_bundle([], [(CASE, ["vl"]), (ENDED, ["vl"])])["cases"]
    assert content["rulesets"].keys() == {"vl"}
    assert [case.id for case, ids in read_case_files([bundle]) if ids == ("vl",)] == [CASE.id, ENDED.id]
