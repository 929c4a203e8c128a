"""Perft suites as files: read, written, and checked for mistakes in one line each."""

from __future__ import annotations

from pathlib import Path

import pytest
from tools.perft import HEADER

import damspec
from damspec import FileError, data
from damspec_runner.cases import lint, perft_tables
from damspec_runner.cases.perft_tables import (
    CountedPosition,
    PerftSuite,
    lint_suites,
    read_suite,
    suite_file,
    suite_lines,
    suite_of,
)
from refusals import refusal
from ruleset_files import child, load
from runs import usually

RULESETS = damspec.ruleset_ids()

#: A man on 29 has one step and one on 4 too; then that on 25 has two, and that on 8 as well: 1, 1, 2, 4.
STEPS = CountedPosition("W:W29:B4", (1, 1, 2, 4))
#: White has to capture, and Black has nothing left.
DUTY = CountedPosition("W:W22:B18", (1, 0), {1: ("capture.duty = optional",)})
SUITE = PerftSuite("english", (STEPS, DUTY), {"ending.no-moves = draws": "It says how a game ends, and perft goes on."})
GOOD = """\
ruleset: english
positions:
  - fen: 'W:W29:B4'
    nodes: [1, 1, 2, 4]

  - fen: 'W:W22:B18'
    nodes: [1, 0]
    tells:
      '1': [capture.duty = optional]

untold:
  - name: ending.no-moves = draws
    because: It says how a game ends, and perft goes on.
"""


def test_a_suite_is_written_and_read_back(tmp_path: Path) -> None:
    assert suite_file(SUITE) == GOOD
    (tmp_path / "english.yaml").write_text(GOOD, encoding="utf-8")
    found = read_suite(tmp_path / "english.yaml")
    assert found == SUITE
    assert (found.positions[1].tells, found.untold) == (DUTY.tells, SUITE.untold)
    assert data.schema_problem(SUITE.as_json(), "suite") is None


def test_a_suite_as_the_lines_that_chess_engines_read() -> None:
    assert suite_lines(SUITE) == "W:W29:B4 ;D1 1 ;D2 1 ;D3 2 ;D4 4\nW:W22:B18 ;D1 1 ;D2 0\n"


@pytest.mark.parametrize("name", usually(["vl"], RULESETS))
def test_the_suites_shipped_are_written_so(name: str) -> None:
    suite = suite_of(damspec.load_ruleset(name))
    assert (perft_tables.perft_folder() / f"{name}.yaml").read_text(encoding="utf-8") == HEADER + suite_file(suite)
    assert suite.positions[0].position == damspec.load_ruleset(name).position().fen()
    assert len(suite.positions) < 100
    assert max(nodes for one in suite.positions for nodes in one.nodes) <= 20_000


def test_each_ruleset_has_a_suite_and_no_other_does() -> None:
    assert sorted(path.stem for path in perft_tables.perft_folder().glob("*")) == RULESETS


@pytest.mark.parametrize("name", ["vl?priority=multiple-first", "mine"])
def test_only_rulesets_shipped_have_one(name: str, tmp_path: Path) -> None:
    ruleset = load(tmp_path, child("english")) if name == "mine" else damspec.load_ruleset(name)
    assert f"no perft suite of {ruleset.id}; make one: damspec generate" in refusal(FileError, suite_of, ruleset)


BAD = {
    "another name": (("ruleset: english", "ruleset: lb"), "ruleset: found 'lb', expected 'english'"),
    "no ruleset": (("ruleset: english", "ruleset: englisch"), "unknown ruleset 'englisch'"),
    "no position": (("W:W29:B4", "W:W29:B"), None),
    "no square": (("W:W29:B4", "W:W99:B4"), "positions, 1: position 'W:W99:B4': no square 99"),
    "a promotion row": (
        ("W:W29:B4", "W:W1:B4"),
        "positions, 1: position 'W:W1:B4' in english: white man on its promotion row",
    ),
    "another order": (("W:W29:B4", "W:B4:W29"), "positions, 1: found 'W:B4:W29', expected it written 'W:W29:B4'"),
    "twice": (("W:W29:B4", "W:W22:B18"), "positions, 2: W:W22:B18 is there before"),
    "too deep": (("'1':", "'3':"), "positions, 2: tells 'capture.duty = optional' at depth 3, which it is not counted"),
    "told twice": (
        ("name: ending.no-moves = draws", "name: capture.duty = optional"),
        "positions, 2: 'capture.duty = optional' is told before, or said to be told by none",
    ),
    "a depth that is none": (("'1':", "'0':"), "tells"),
    "no numbers": (("nodes: [1, 0]", "nodes: []"), "positions.1.nodes"),
    "less than none": (("nodes: [1, 0]", "nodes: [1, -1]"), "positions.1.nodes.1"),
    "no YAML": (("ruleset: english", "ruleset: [english"), "not valid YAML"),
}


@pytest.fixture
def only_english(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the one suite that there has to be is looked for."""
    folder = tmp_path / "generated" / "perft"
    monkeypatch.setattr(perft_tables, "perft_folder", lambda: folder)
    monkeypatch.setattr(perft_tables, "ruleset_ids", lambda: ["english"])
    return folder / "english.yaml"


@pytest.mark.parametrize("mistake", BAD)
def test_a_mistake_is_one_line(mistake: str, only_english: Path) -> None:
    (old, new), said = BAD[mistake]
    assert old in GOOD
    only_english.parent.mkdir(parents=True)
    only_english.write_text(GOOD, encoding="utf-8")
    assert list(lint_suites()) == []
    only_english.write_text(GOOD.replace(old, new), encoding="utf-8")
    lines = list(lint_suites())
    assert len(lines) == (said is not None)
    assert all(said in line and "english.yaml" in line and "\n" not in line for line in lines if said)


@pytest.mark.usefixtures("only_english")
def test_a_ruleset_without_a_suite_is_missed() -> None:
    assert [line.partition(": ")[2] for line in lint_suites()] == ["no suite of english: python tools/record.py"]


def test_the_linter_of_the_cases_looks_at_them(
    tmp_path: Path, only_english: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lint, "cases_folder", lambda: tmp_path)
    only_english.parent.mkdir(parents=True)
    only_english.write_text(GOOD.replace("ruleset: english", "ruleset: lb"), encoding="utf-8")
    said = "ruleset: found 'lb', expected 'english' as the file's name says"
    assert [line.partition("english.yaml: ")[2] for line in lint.lint()] == [said]
