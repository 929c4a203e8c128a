"""The example engines: short, standalone, and right."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from damspec import load_ruleset
from damspec_runner.cases.cases import cases_for
from runner_fixtures import EXAMPLES, node, printed

PYTHON, JAVASCRIPT = EXAMPLES / "engine.py", EXAMPLES / "engine.mjs"


def command(example: Path) -> list[str]:
    """What runs an example: Python without anything that is installed, or Node."""
    return [sys.executable, "-I", "-S", str(example)] if example == PYTHON else [node(), str(example)]


@pytest.mark.parametrize(
    ("example", "ruleset"), [(PYTHON, "lb"), (JAVASCRIPT, "english")], ids=["python", "javascript"]
)
def test_an_example_passes_every_case(example: Path, ruleset: str) -> None:
    last = printed("check", ruleset, "--", *command(example)).splitlines()[-1]
    history = sum(bool(case.history) for case in cases_for(load_ruleset(ruleset)))  # not for engines of a screen
    said = re.search(rf"^{ruleset} by example 1: (\d+) passed, 0 failed, {history} unsupported of (\d+) ", last)
    assert said
    assert int(said[1]) + history == int(said[2])


@pytest.mark.parametrize("example", [PYTHON, JAVASCRIPT], ids=lambda path: path.name)
def test_an_example_fits_on_a_screen_and_needs_nothing(example: Path) -> None:
    text = example.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 60
    imported = re.findall(r"^import (\w+)|^from (\w+)|from '([\w:]+)'|require\(", text, re.MULTILINE)
    assert {name for names in imported for name in names if name} <= {"json", "sys", "typing", "node:readline"}


@pytest.mark.parametrize("example", [PYTHON, JAVASCRIPT], ids=lambda path: path.name)
@pytest.mark.parametrize("last", ['{"jsonrpc": "2.0", "id": 1, "method": "quit"}\n', ""])
def test_an_example_ends_when_told_and_when_the_questions_end(example: Path, last: str) -> None:
    done = subprocess.run(command(example), input=last, capture_output=True, text=True, timeout=20, check=True)
    assert done.stderr == ""
    assert len(done.stdout.splitlines()) == bool(last)
