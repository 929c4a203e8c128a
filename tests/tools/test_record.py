"""`tools/record.py`: what is stale, what is written, and a new game recorded from end to end."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
import tools.record as recording
import yaml
from click.testing import CliRunner

from damspec.kernel import is_available

ROOT = Path(__file__).resolve().parents[2]
#: Where a game that is made up comes from, its rules and a case: international draughts on 6x6 squares, where a king
#: lands directly behind what it captures.
SOURCE = """\
id: toy
title: Toy draughts
language: en
about: Made up for a test.
publisher: null
year: null
dated: It bears no year.
item: null
seen: [{what: nothing, at: nowhere}]
damage: []
open: []
clauses:
  - id: toy-board
    class: setup
    term: small
    says: The board has 36 squares, and each side has men on its two nearest rows.
    rules: [board.size, start.men]
  - id: toy-landing
    class: normative
    term: behind
    says: A king lands directly behind what it captures.
    rules: [king.capture.landing]
"""
RULESET = """\
damspec: 1
id: toy
name: Toy draughts
about: Draughts on 36 squares, made up for a test.
extends: international
documents: [toy, fmjd]
rules:
  board.size: {value: 6x6, from: [toy-board]}
  start.men: {value: 2, from: [toy-board]}
  king.capture.landing: {value: behind, from: [toy-landing]}
"""
CASE = """\
ruleset: toy
topic: king-capture
cases:
  - id: toy.king-capture.directly-behind
    why: It cannot fly on to 1.
    clauses: [toy-landing]
    position: 'W:WK18:B11'
    moves:
      18x8: 'B:WK8:B'
"""


def record(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the command of a copy of the project."""
    environment = os.environ | {"PYTHONPATH": f"{root / 'reference'}{os.pathsep}{root / 'runner'}"}
    return subprocess.run(
        [sys.executable, str(root / "tools" / "record.py"), *words],
        capture_output=True,
        encoding="utf-8",
        env=environment,
        cwd=root,
        check=False,
    )


def stale(root: Path, *ids: str) -> Mapping[str, list[str]]:
    """What is stale in a copy."""
    found = record(root, *ids, "--check", "--json")
    assert found.stderr == ""
    units: Mapping[str, list[str]] = json.loads(found.stdout)["stale"]
    assert found.returncode == bool(any(units.values()))
    return units


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the project."""
    for name in ("cases", "docs", "known", "reference", "runner", "schemas", "spec", "tools"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


@pytest.mark.thorough
def test_nothing_is_stale() -> None:
    """If anything is: `python tools/record.py`."""
    done = CliRunner().invoke(recording.record, ["--check"])
    assert (done.exit_code, done.output) == (0, "nothing is stale\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["exampels"], "no recorded file 'exampels'; did you mean 'examples'?"),
        (["--journal", "x.part"], "--journal: it is for one recorded file, expected its ID"),
        (["--nodes", "0"], "0 is not in the range x>=1"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(words: list[str], said: str) -> None:
    done = CliRunner().invoke(recording.record, words)
    assert done.exit_code == 2
    assert said in done.output.splitlines()[-1]


def test_help() -> None:
    ran = record(ROOT, "--help")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("Usage: record.py [OPTIONS] [ID]...")


@pytest.mark.slow
def test_only_what_has_changed_is_made_anew(copy: Path) -> None:
    """A case more for one game: its examples are chosen again, and the same file comes out."""
    file = copy / "cases" / "thai" / "start.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("    why: ", "    why: Plainly, ", 1), encoding="utf-8")
    examples = copy / "cases" / "generated" / "examples.yaml"
    before = examples.read_bytes()
    assert {id: units for id, units in stale(copy).items() if units} == {"examples": ["thai"]}
    ran = record(copy, "-j", "1")
    assert (ran.returncode, ran.stdout) == (0, "examples: thai\n")
    assert ran.stderr == "examples: 1 of 40 games stale, less than a minute\n"
    assert examples.read_bytes() == before
    assert not any(stale(copy).values())


@pytest.mark.slow
def test_a_game_that_is_gone_is_taken_out(copy: Path) -> None:
    file = copy / "cases" / "generated" / "inputs.yaml"
    inputs = yaml.safe_load(file.read_text(encoding="utf-8"))
    inputs["examples"]["nothing"] = "0" * 12
    file.write_text(yaml.safe_dump(inputs), encoding="utf-8")
    assert stale(copy, "examples") == {"examples": ["nothing"]}
    assert record(copy, "examples").stdout == "examples: nothing\n"
    assert not any(stale(copy).values())


@pytest.mark.skipif(not is_available(), reason="the compiled kernel is not installed: damspec[fast]")
@pytest.mark.parametrize(
    "ids",
    [
        pytest.param(["equivalents", "perft", "perft_counts", "examples"], marks=pytest.mark.slow),
        pytest.param([], marks=pytest.mark.slow),
    ],
    ids=["some", "all"],
)
def test_a_new_game_is_recorded_from_end_to_end(copy: Path, ids: list[str]) -> None:
    """What is on record of the other games stays as it is."""
    generated = copy / "cases" / "generated"
    (copy / "spec" / "sources" / "toy.yaml").write_text(SOURCE, encoding="utf-8")
    (copy / "spec" / "rulesets" / "toy.yaml").write_text(RULESET, encoding="utf-8")
    (copy / "cases" / "toy").mkdir()
    (copy / "cases" / "toy" / "king-capture.yaml").write_text(CASE, encoding="utf-8")
    aside = copy / "cases" / "inherited.yaml"
    text = aside.read_text(encoding="utf-8")
    aside.write_text(
        f"{text}\n  toy:\n    - because: They are on another board.\n      cases: ['*']\n", encoding="utf-8"
    )
    suites = {path.name: path.read_bytes() for path in (generated / "perft").iterdir()}
    before = {name: yaml.safe_load((generated / f"{name}.yaml").read_text()) for name in ("examples", "distances")}
    units = {unit for some in stale(copy, *ids).values() for unit in some}
    assert {unit for unit in units if "toy" not in unit} == set()
    ran = record(copy, *ids, "--nodes", "2000")
    assert ran.returncode == 0, ran.stderr
    assert not any(stale(copy, *ids).values())
    after = {name: yaml.safe_load((generated / f"{name}.yaml").read_text()) for name in before}
    assert after["examples"]["examples"].pop("toy")["king.capture.landing"] == "toy.king-capture.directly-behind"
    assert after["examples"] == before["examples"]
    assert {name: (generated / "perft" / name).read_bytes() for name in suites} == suites
    assert (generated / "perft" / "toy.yaml").exists()
    own = yaml.safe_load((generated / "perft_counts.yaml").read_text(encoding="utf-8"))["own"]
    assert [each["nodes"][:1] for each in own if each["ruleset"] == "toy"] == [[5]]
    if not ids:
        for id, found in before["distances"]["otherwise"].items():
            assert {key: number for key, number in after["distances"]["otherwise"][id].items() if key != "toy"} == found
        witnesses = (generated / "witnesses.yaml").read_text(encoding="utf-8")
        assert "international: [toy]" in witnesses
