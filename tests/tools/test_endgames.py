"""Endgames on record: the page says what the table has, the longest wins are won, and the numbers are found again."""

from __future__ import annotations

import pytest
from tools.endgames_page import page, page_path

import damspec
from damspec.kernel import is_available
from damspec_runner.document.endgames import load_record, load_table, reading_effect, share


def test_the_page_says_what_is_on_record() -> None:
    """If it does not: `python tools/record.py endgames`."""
    text = page_path().read_text(encoding="utf-8")
    assert page(text, load_table(), load_record()) == text


def test_every_game_has_three_kings_against_one() -> None:
    assert [*load_table()] == [*damspec.ruleset_ids()]
    for id in load_table():
        assert {"KvK", "KKvK", "MvM", "KKKvK", "KvKKK"} <= {row.sides for row in load_table()[id]}, id
        for row in load_table()[id]:
            assert row.won + row.lost + row.drawn == row.positions


@pytest.mark.parametrize("id", ["russian", "de", "turkish", "frisian"])
def test_a_longest_win_is_won_in_as_many_plies(id: str) -> None:
    rows = {row.sides: row for row in load_table()[id]}
    ruleset = damspec.load_ruleset(id)
    for win in load_record()["games"][id]["wins"]:
        if win["sides"] in ("KKvK", "KMvM"):
            position = ruleset.position(win["position"])
            winner = position.turn
            for move in win["moves"]:
                assert not damspec.outcome(ruleset, position).is_over
                position = damspec.play(ruleset, position, move)
            assert damspec.outcome(ruleset, position).winner == winner
            assert len(win["moves"]) == rows[win["sides"]].longest


def test_what_a_reading_does() -> None:
    """A king takes the last one at once, which by the Flemish leaflet as it is read is a draw before."""
    effect = reading_effect("VL-12", "unless-capture")
    assert "three kings to move against one win 132,232 instead of 79,724 of 143,840 positions" in effect
    assert effect.endswith("The smallest: W:WK1:BK6 is a draw as chosen, else a win.")
    assert reading_effect("VL-16", "regardless") == ""  # on touched pieces, which no rule expresses


def test_a_share_is_whole_only_if_nothing_is_left() -> None:
    assert [share(number, 10_000) for number in (0, 1, 5_000, 9_999, 10_000)] == [
        "0%",
        "0.1%",
        "50.0%",
        "99.9%",
        "100%",
    ]


@pytest.mark.skipif(not is_available(), reason="the compiled kernel is not installed: damspec[fast]")
@pytest.mark.thorough
@pytest.mark.xdist_group("kernel")
@pytest.mark.parametrize("id", ["vl", "nl-trapdoor"])
def test_two_pieces_are_solved_again(id: str) -> None:
    from damspec_runner.solve.compare import SolvedCodes, compare_endgames, without_doors

    codes = SolvedCodes(without_doors(damspec.load_ruleset(id)), 2)
    found = {each.sides: each.won for each in compare_endgames(codes, codes)}
    rows = [row for row in load_table()[id] if row.pieces == 2]
    assert {row.sides: (row.positions, row.won) for row in rows} == {
        sides: (won.positions, won.by[0]) for sides, won in found.items()
    }
