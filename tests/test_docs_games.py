"""docs/games.md: its engine is wrong in the way it says, and `damspec check` shows it as the page does."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import pytest

from runner_fixtures import damspec
from test_readme import blocks, pattern

PAGE = (Path(__file__).resolve().parent.parent / "docs" / "games.md").read_text(encoding="utf-8")


@pytest.mark.thorough
def test_the_example_prints_what_the_page_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (program,) = blocks("python", PAGE)
    serving = repr([sys.executable, "-m", "damspec_runner", "serve"])
    assert '["damspec", "serve"]' in program
    (tmp_path / "ten.py").write_text(program.replace('["damspec", "serve"]', serving), encoding="utf-8")
    (block,) = blocks("console", PAGE)
    command, _, shown = block.removeprefix("$ ").partition("\n")
    words = [sys.executable if word == "python" else word for word in shlex.split(command)[1:]]
    monkeypatch.chdir(tmp_path)
    ran = damspec(*words)
    assert ran.status == 1, ran.err
    assert re.fullmatch(pattern(shown), ran.out), ran.out


def test_the_options_are_those_of_the_command() -> None:
    told = damspec("check", "--help-all").out
    named = re.findall(r"^\| `(--[a-z-]+)", PAGE, re.MULTILINE)
    assert len(named) == 5
    assert [option for option in named if option not in told] == []
