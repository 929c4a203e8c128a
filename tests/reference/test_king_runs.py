"""Runs of one king (`king.move.limit`): how they are counted, what stands in the FEN, what a king at the limit can do.

Frisian draughts: three quiet moves in a row by one king, as long as its side has men.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import damspec
import damspec.strategies
from damspec import Board, Game, Position, PositionError, RulesetError
from damspec.king_runs import can_end, is_at_limit
from damspec.perft_counts import count_in_python, count_nodes
from variants import DOORS, FRISIAN, HUFF


def fens(start: str, *moves: str) -> list[str]:
    """The positions of a game after each move."""
    game = Game("frisian", start)
    return [game.push(move).fen() for move in moves]


def moves(position: str, **changed: Any) -> list[str]:
    """The legal moves by the Frisian rules, with values changed."""
    rules = {**FRISIAN, **{rule.replace("__", "."): value for rule, value in changed.items()}}
    return [str(move) for move in damspec.legal_moves(damspec.from_values(rules), position)]


def test_a_run_is_counted_and_goes_with_the_king() -> None:
    assert fens("W:WK46,30:BK1,15", "46-41", "1-7", "41-36", "7-1", "36-41", "1-7") == [
        "B:W30,K41:BK1,15:+0+141",
        "W:W30,K41:BK7,15:+107+141",
        "B:W30,K36:BK7,15:+107+236",
        "W:W30,K36:BK1,15:+201+236",
        "B:W30,K41:BK1,15:+201+341",
        "W:W30,K41:BK7,15:+307+341",
    ]


@pytest.mark.parametrize(
    ("position", "move", "after"),
    [
        pytest.param("W:WK46,30:BK1,15:+101+246", "30-25", "B:W25,K46:BK1,15:+101+0", id="a man's move"),
        pytest.param("W:WK46,K36,30:BK1,15:+0+246", "36-41", "B:W30,K41,K46:BK1,15:+0+141", id="another king begins"),
        pytest.param("W:WK46,7,30:B15:+0+246", "7-1", "B:WK1,30,K46:B15", id="a new king has made no move"),
        pytest.param("W:WK46,30:BK1,23,45:+0+346", "46x19", "B:WK19,30:BK1,45", id="the same king captures"),
        pytest.param("W:WK46,30:B15,24:+0+246", "30x19", "B:W19,K46:B15", id="a man captures"),
        pytest.param("B:WK46,30:BK1,15:+0+246", "15-20", "W:W30,K46:BK1,20:+0+246", id="the other side moves"),
        pytest.param("B:WK28,30:B15,22:+0+228", "22x33", "W:W30:B15,33", id="the king is captured"),
        pytest.param("B:WK46,28,30:B15,22:+0+246", "22x33", "W:W30,K46:B15,33:+0+246", id="another is captured"),
        pytest.param("B:WK46,28:B15,22:+0+346", "22x33", "W:WK46:B15,33", id="the last man is captured"),
        pytest.param("W:WK46,7:B15:+0+246", "7-1", "B:WK1,K46:B15", id="the last man is crowned"),
        pytest.param("W:WK46:BK1,15", "46-41", "B:WK41:BK1,15", id="a side that has kings only"),
    ],
)
def test_what_a_move_makes_of_runs(position: str, move: str, after: str) -> None:
    assert damspec.play("frisian", position, move).fen() == after


KING_46 = [f"46-{square}" for square in (5, 10, 14, 19, 23, 28, 32, 37, 41)]
KING_50 = [f"50-{square}" for square in (6, 11, 17, 22, 28, 33, 39, 44, 45)]
MAN_30 = ["30-24", "30-25"]


@pytest.mark.parametrize(
    ("position", "changed", "expected"),
    [
        pytest.param("W:WK46,30:BK1,15:+0+346", {}, MAN_30, id="three moves are made"),
        pytest.param("W:WK46,30:BK1,15:+0+246", {}, MAN_30 + KING_46, id="two are"),
        pytest.param("W:WK46,30:BK1,15:+0+246", {"king__move__limit": 2}, MAN_30, id="and no more may be"),
        pytest.param("W:WK46,30:BK1,15:+301+0", {}, MAN_30 + KING_46, id="the other side's are"),
        pytest.param("W:WK46,K50,30:BK1,15:+0+346", {}, MAN_30 + KING_50, id="another king is free"),
        pytest.param("W:WK46,30:BK1,23,45:+0+346", {}, ["46x5", "46x10", "46x14", "46x19"], id="it may capture"),
        pytest.param("W:WK46,30:BK1,23,45:+0+346", {"capture__duty": "optional"}, [*MAN_30, "46x5", "46x10", "46x14",
                     "46x19"], id="it may only capture"),
        pytest.param("W:WK5,36:B27,31:+0+305", {}, [], id="nothing else can move"),
    ],
)  # fmt: skip
def test_what_a_king_at_the_limit_can_do(position: str, changed: dict[str, Any], expected: list[str]) -> None:
    assert moves(position, **changed) == expected


def test_who_has_nothing_but_a_king_at_the_limit_has_lost() -> None:
    assert str(damspec.outcome("frisian", "W:WK5,36:B27,31:+0+305")) == "black (no-moves)"
    assert str(damspec.outcome("frisian", "W:WK5,36:B27,31:+0+205")) == "ongoing"


def test_two_slides_are_one_move_and_a_slide_before_a_capture_is_a_capture() -> None:
    twice = {"king__move__slides": "twice", "king__move__limit": 1, "capture__duty": "optional"}
    found = moves("W:WK46,30:BK1,15,34:+0+146", **twice)
    assert found
    assert all("x" in move for move in found if move.startswith("46"))


@pytest.mark.parametrize(
    ("position", "wrong"),
    [
        ("W:WK46,30:B15:+0+446", "found a run of 4 by the white king on 46, expected at most 3"),
        ("W:WK46,30:BK1,15:+901+0", "found a run of 9 by the black king on 1, expected at most 3"),
        ("W:WK46,30:B15:+0+241", "found a run of 2 by the white king on 41, but no white king stands on 41"),
        ("W:WK46,30:B15:+0+230", "found a run of 2 by the white king on 30, but no white king stands on 30"),
        ("W:WK46,30:B15:+0+1999", "found a run of 1 by the white king on 999, but no white king stands on 999"),
        (
            "W:WK46:B15:+0+246",
            "found a run of 2 by the white king on 46, but white has kings only, whose moves are not",
        ),
    ],
)
def test_runs_that_a_game_cannot_have(position: str, wrong: str) -> None:
    with pytest.raises(PositionError) as error:
        damspec.legal_moves("frisian", position)
    assert wrong in str(error.value)
    assert "\n" not in str(error.value)


def test_a_game_without_the_rule_has_no_runs() -> None:
    with pytest.raises(PositionError, match="but these rules do not limit the moves of a king"):
        damspec.legal_moves("international", "W:WK46,30:B15:+0+146")
    assert damspec.play("international", "W:WK46,30:B15:+0+0:H3:F1", "46-41").fen() == "B:W30,K41:B15"


def test_turned_round_a_run_goes_with_its_king() -> None:
    position = Position.from_fen("W:WK46,30:BK1,15:+301+246", Board(10, 10))
    assert position.mirrored().fen() == "B:W36,K50:BK5,21:+205+350"
    assert position.mirrored().mirrored() == position


@pytest.mark.parametrize("rules", [HUFF, DOORS], ids=["huffing", "trapdoors"])
def test_the_rule_goes_with_neither_huffing_nor_trapdoors(rules: dict[str, Any]) -> None:
    with pytest.raises(
        RulesetError, match=r"king.move.limit: found 3, expected only if there is no huffing and there are no"
    ):
        damspec.from_values({**rules, "king.move.limit": 3})


@pytest.mark.parametrize("limit", [0, 10, "three", 2.5])
def test_a_limit_is_a_number_of_one_figure(limit: Any) -> None:
    with pytest.raises(RulesetError, match=r"king\.move\.limit"):
        damspec.from_values({**FRISIAN, "king.move.limit": limit})


@pytest.mark.parametrize("position", ["W:WK46,30:BK1,15", "W:WK46,30:BK1,15:+201+246", "B:WK46,36:BK5,15:+305+346"])
@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_perft_stops_kings_at_the_limit(position: str, depth: int) -> None:
    ruleset = damspec.from_values({**FRISIAN, "king.move.limit": 3})
    turns, start = ruleset.turns, ruleset.position(position)
    assert count_nodes(turns, start, depth) == count_in_python(turns, start, depth)


def test_where_the_limit_can_show_in_a_count() -> None:
    """White's fourth move is the first that it can forbid: the seventh of all, and the first if three are made."""
    board = Board(10, 10)
    assert [can_end(3, Position.from_fen("W:WK46,30:BK1,15", board), depth) for depth in (6, 7)] == [False, True]
    assert [can_end(3, Position.from_fen("W:WK46,30:BK1,15:+301+0", board), depth) for depth in (1, 2)] == [False, True]
    assert not can_end(None, Position.from_fen("W:WK46,30:BK1,15", board), 20)


@settings(max_examples=20, suppress_health_check=list(HealthCheck), deadline=None)
@given(st.data())
@pytest.mark.thorough
def test_positions_that_show_the_limit_have_a_king_at_it(data: st.DataObject) -> None:
    found = data.draw(damspec.strategies.positions("frisian", exercise="king.move.limit=null", pieces=(2, 8)))
    assert is_at_limit(3, found)


@settings(max_examples=30, suppress_health_check=list(HealthCheck), deadline=None)
@given(st.data())
def test_positions_in_the_phase_of_runs(data: st.DataObject) -> None:
    found = data.draw(damspec.strategies.positions("frisian", phase="run"))
    assert found.run(found.turn)
    assert damspec.load_ruleset("frisian").position(found.fen()) == found
