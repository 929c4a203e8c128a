"""Endgames by two rulesets: how many change value, the smallest that does, what `damspec diff --endgames` prints."""

from __future__ import annotations

import json

import pytest

import damspec
from damspec import data
from damspec_runner.solve.endgame_change import ChangedEndgame, WonPositions
from runner_fixtures import damspec as run

try:
    from damspec_runner.solve.compare import SolvedCodes, compare_endgames, rules_of_values, without_doors
except ModuleNotFoundError:  # numba
    pytest.skip("the kernel is compiled by numba, which is not installed: damspec[fast]", allow_module_level=True)

pytestmark = [pytest.mark.thorough, pytest.mark.xdist_group("kernel")]


def test_one_piece_each_is_no_draw_while_a_capture_is_open() -> None:
    """A king on 1 takes the one on 6, and the other way round the one on 1 has no square behind it.

    By the Flemish leaflet they are drawn at once; by the other reading the side that can capture, and is to move, wins,
    and so no side to move loses that can move away from all captures. Only draws change.
    """
    one, other = (SolvedCodes(damspec.load_ruleset(name), 2) for name in ("vl", "vl?one-each=unless-capture"))
    changes = {each.sides: each for each in compare_endgames(one, other)}
    kings = changes["KvK"]
    assert kings.example == ChangedEndgame("W:WK1:BK6", ("draw", "win"))
    assert {change.values[0] for change in kings.changes} == {"draw"}
    ruleset = damspec.load_ruleset("vl?one-each=unless-capture")
    open_captures = [
        (own, enemy)
        for own in range(1, 33)
        for enemy in range(1, 33)
        if own != enemy
        and any(
            isinstance(move, damspec.Move) and move.captured
            for move in damspec.legal_moves(ruleset, ruleset.position(f"W:WK{own}:BK{enemy}"))
        )
    ]
    assert kings.won == WonPositions(992, (0, len(open_captures)))
    road = {4, 8, 11, 15, 18, 22, 25, 29}
    alone = [own for own, enemy in open_captures if own in road and enemy not in road]
    assert kings.on_main_road == WonPositions(8 * 24, (0, len(alone)))
    assert not any(each.changed for each in compare_endgames(one, one))


def test_positions_that_only_one_has_are_left_out() -> None:
    """A man that is not crowned when it returns to its promotion row can stand there; by other rules none can."""
    one, other = (SolvedCodes(damspec.load_ruleset(name), 2) for name in ("vl", "vl?return=not-crowned"))
    for first, second in ((one, other), (other, one)):
        found = {each.sides: each.won.positions for each in compare_endgames(first, second)}
        assert found == {"KvK": 992, "KvM": 28 * 31, "MvK": 28 * 31, "MvM": 28 * 28 - 24}


def test_rules_that_cannot_be_solved_are_taken_out() -> None:
    doors = damspec.load_ruleset("nl-trapdoor")
    assert {name for name in doors.values if name.startswith(("spin.", "trapdoors."))}
    assert not {name for name in without_doors(doors).values if name.startswith(("spin.", "trapdoors."))}
    assert rules_of_values(without_doors(doors))["king.capture.landing"] == "any"
    assert rules_of_values(damspec.load_ruleset("de"))["capture.duty"] == "compulsory"


def test_diff_says_who_wins() -> None:
    ran = run("diff", "vl", "english", "--endgames", "--no-search", "--rules", "board.size")
    assert ran.status == 0, ran.err
    lines = [line.strip() for line in ran.out.splitlines()]
    won = "5,326 of 14,880 positions by vl, in 14,846 of 14,880 positions by english"
    assert f"Two kings to move win against one in {won}." in lines


def test_diff_in_json() -> None:
    ran = run("diff", "russian", "brazilian", "--endgames", "--no-search", "--json")
    document = json.loads(ran.out)
    data.check(document, "diff", "stdout")
    changed = {each["sides"]: each["changed"] for each in document["endgames"]["materials"] if each["changed"]}
    assert changed == {"MvKK": 6, "MvKM": 7, "MvMM": 1}
    assert document["endgames"]["smallest"] == {"position": "W:W9:BK6,K11", "values": ["win", "draw"]}


def test_the_former_name_is_accepted() -> None:
    ran = run("diff", "vl", "lb", "--endings", "--no-search", "--format", "csv")
    assert ran.err.splitlines() == [
        "--endings is now --endgames; the old name goes with the next release",
        "damspec: --endgames: not in --format csv",
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("vl", "lb", "de"), "--endgames: found 3 rulesets, expected two"),
        (("vl", "lb", "--format", "csv"), "--endgames: not in --format csv"),
        (("vl", "vl?king-slides=twice"), "king.move.slides: found twice, whose moves cannot be made in reverse"),
    ],
)
def test_what_cannot_be_compared_is_said_in_a_line(words: tuple[str, ...], said: str) -> None:
    ran = run("diff", *words, "--endgames", "--no-search")
    assert (ran.status, ran.out) == (2, "")
    assert ran.complaint.endswith(said)
