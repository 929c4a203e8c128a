"""docs/pdn.md: its games are checked as it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from runner_fixtures import damspec
from test_readme import blocks, pattern

PAGE = (Path(__file__).resolve().parent.parent / "docs" / "pdn.md").read_text(encoding="utf-8")


def test_the_games_are_checked_as_the_page_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (games,), (example,) = blocks("pdn", PAGE), blocks("console", PAGE)
    Path("games.pdn").write_text(games, encoding="utf-8")
    command, _, shown = example.partition("\n")
    assert command == "$ damspec replay games.pdn"
    ran = damspec("replay", "games.pdn")
    assert ran.status == 1
    assert re.fullmatch(pattern(shown), ran.out), ran.out
