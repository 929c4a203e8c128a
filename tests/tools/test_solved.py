"""The solved endgames that come with damspec: they are what solving gives, and nothing is left out of their values."""

from __future__ import annotations

from pathlib import Path

import pytest
from tools.solved import GAMES

import damspec
from damspec.kernel import is_available
from damspec_runner.solve.place import recorded_endgames_path


@pytest.mark.parametrize("id", GAMES)
def test_no_lapse_and_no_count_of_moves_changes_them(id: str) -> None:
    rules = damspec.load_ruleset(id).rules
    assert rules.huff is None
    assert not any(rule.startswith("draws.") for rule in damspec.load_ruleset(id).values)


@pytest.mark.thorough
@pytest.mark.xdist_group("kernel")
@pytest.mark.skipif(not is_available(), reason="solving takes the compiled kernel")
def test_solving_gives_the_same_bytes(tmp_path: Path) -> None:
    """If it does not: `python tools/record.py solved`."""
    from damspec_runner.solve.solve import Folder, solve

    ruleset = damspec.load_ruleset("lb")
    for summary in solve(Folder(ruleset, tmp_path), 2):
        name = f"{summary.material.name}.damsolve"
        assert (tmp_path / name).read_bytes() == (recorded_endgames_path(ruleset) / name).read_bytes(), name
