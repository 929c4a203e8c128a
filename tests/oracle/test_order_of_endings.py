"""Which of several reasons ends a game: the reference and the solver against naive_turns.py, in random mixes."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import damspec
import naive
import naive_turns
from ending_mixes import ending_mixes, few_pieces

#: All reasons but the draws by what went before.
REASONS = {"first-king", "both-empty", "no-pieces", "one-piece", "king-to-man", "no-moves", "one-piece-each"}


@pytest.mark.parametrize(("start", "mixes"), [(1, 60), pytest.param(2, 1_500, marks=pytest.mark.thorough)])
def test_which_reason_decides(start: int, mixes: int) -> None:
    chance, seen = random.Random(start), set[str | None]()
    for ruleset in ending_mixes(chance, mixes):
        for fen in few_pieces(ruleset, chance, 20):
            end = damspec.outcome(ruleset, fen)
            expected = naive_turns.outcome(ruleset.whole, naive.read(fen))
            assert (end.result, end.reason) == expected, (fen, ruleset.values)
            seen.add(end.reason)
    assert seen >= REASONS


@pytest.mark.thorough
@pytest.mark.xdist_group("kernel")
def test_who_wins_by_the_first_reason(tmp_path: Path) -> None:
    pytest.importorskip("numba", reason="the kernel is compiled by numba, which is not installed: damspec[fast]")
    from damspec_runner.solve.lookup import Endings
    from damspec_runner.solve.solve import Folder, solve

    chance, seen = random.Random(3), set[str | None]()
    for number, ruleset in enumerate(ending_mixes(chance, 24, most=4)):
        folder = Folder(ruleset, tmp_path / str(number))
        solve(folder, 4)
        endings = Endings(folder)
        for fen in few_pieces(ruleset, chance, 60):
            position = ruleset.position(fen)
            if not (position.occupied("white") and position.occupied("black")):
                continue
            result, reason = naive_turns.outcome(ruleset.whole, naive.read(fen))
            value = {"draw": "draw", position.turn: "win"}.get(result, "loss"), 0
            found = endings.value(position)
            assert found == value if reason else found == ("draw", 0) or found[1] > 0, (fen, ruleset.values)
            seen.add(reason)
    assert seen >= REASONS - {"both-empty", "no-pieces"}
