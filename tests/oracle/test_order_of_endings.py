"""Which of several reasons ends a game: the reference and the solver against naive_turns.py, in random mixes."""

from __future__ import annotations

from pathlib import Path

import pytest

import damspec
import naive
import naive_turns
from ending_mixes import ending_mixes
from test_turn_agreement import agree


@pytest.mark.parametrize(("start", "mixes"), [(1, 40), pytest.param(2, 300, marks=pytest.mark.thorough)])
def test_which_reason_decides(start: int, mixes: int) -> None:
    seen = set[str | None]()
    for ruleset, positions in ending_mixes(start, mixes):
        for position in positions:
            agree(ruleset, position)
            seen.add(damspec.outcome(ruleset, position).reason)
    assert seen >= {"first-king", "both-empty", "no-pieces", "one-piece", "king-to-man", "no-moves", "one-piece-each"}


@pytest.mark.thorough
@pytest.mark.xdist_group("kernel")
def test_who_wins_by_the_first_reason(tmp_path: Path) -> None:
    pytest.importorskip("numba", reason="the kernel is compiled by numba, which is not installed: damspec[fast]")
    from damspec_runner.solve.lookup import Endings
    from damspec_runner.solve.solve import Folder, solve

    for number, (ruleset, positions) in enumerate(ending_mixes(3, 30, 4)):
        solve(folder := Folder(ruleset, tmp_path / str(number)), 4)
        for position in positions:
            if (
                position.occupied("white")
                and position.occupied("black")
                and not (position.huffable or position.compelled)
            ):
                result, reason = naive_turns.outcome(ruleset.whole, naive.read(position.fen()))
                found = Endings(folder).value(position)
                expected = {"draw": "draw", position.turn: "win"}.get(result, "loss"), 0
                assert found == expected if reason else found[1] > 0 or found[0] == "draw", (position, ruleset.values)
