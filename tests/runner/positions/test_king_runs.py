"""King runs in drawn and enumerated positions, in faults, and where a position is minimised or compared."""

from __future__ import annotations

import random

import pytest

import damspec
from damspec import Position
from damspec.king_runs import is_at_limit
from damspec.sampling import sample_positions
from damspec.validity import find_invalidity
from damspec_runner.answers.answer_diff import PositionView, PossibleDifferences
from damspec_runner.answers.player import RulePlayer
from damspec_runner.mutants.fault_catalogue import faults
from damspec_runner.positions.enumeration import in_phases, without_one_piece
from damspec_runner.verify.shrink import shrink

FRISIAN = damspec.load_ruleset("frisian")
INTERNATIONAL = damspec.load_ruleset("international")


def at(fen: str) -> Position:
    """A position of Frisian draughts."""
    return FRISIAN.position(fen)


def test_drawn_positions_have_runs_of_every_length_and_of_both_sides() -> None:
    drawn = sample_positions(FRISIAN, random.Random(1), phase="run")
    found = [next(drawn) for _ in range(150)]
    assert all(find_invalidity(FRISIAN.turns, position) is None for position in found)
    for side in ("white", "black"):
        assert {run.moves for position in found if (run := position.run(side))} == {1, 2, 3}
    assert sum(bool(is_at_limit(3, position)) for position in found) > 20


def test_every_run_of_the_side_to_move_is_a_phase() -> None:
    found = in_phases(at("W:WK46,K50,30:BK1,15"), ("plain", "run"), FRISIAN.turns)
    beginning = "W:W30,K46,K50:BK1,15"
    assert [position.fen() for position in found] == [
        beginning,
        *(f"{beginning}:+0+{moves}{square}" for square in (46, 50) for moves in (1, 2, 3)),
    ]
    assert [*in_phases(at("W:WK46:BK1,15"), ("run",), FRISIAN.turns)] == []


def test_without_its_king_or_the_last_man_a_run_is_gone() -> None:
    assert [position.fen() for position in without_one_piece(at("W:W30,K46:B15:+0+246"))] == [
        "W:W30,K46:B:+0+246",
        "W:WK46:B15",
        "W:W30:B15",
    ]


def test_a_position_made_small_keeps_a_run_as_long_as_it_shows_something() -> None:
    large = at("W:WK46,K50,30,36:BK1,15,20:+301+346")
    assert shrink(large, lambda position: bool(is_at_limit(3, position))).fen() == "W:W36,K46:B:+0+346"
    assert shrink(large, lambda position: len(position) > 1).fen().count("+") == 0


def test_who_has_squares_exchanged_has_them_so_in_runs() -> None:
    fault = next(each for each in faults(FRISIAN) if each.name == "mixes up the squares 46 and 47")
    turns = fault.turns(FRISIAN.turns)
    position = at("W:W30,K41:B15:+0+241")
    move = next(action for action in turns.actions(position) if str(action) == "41-46")
    assert turns.after(position, move).fen() == "B:W30,K46:B15:+0+346"


@pytest.mark.parametrize(
    ("fen", "expected"),
    [("W:W30,K46:B15", False), ("W:W30,K46:B15:+0+246", False), ("W:W30,K46:B15:+0+346", True)],
)
def test_games_that_count_no_runs_differ_only_where_a_king_may_not_move(fen: str, expected: bool) -> None:
    """No man can capture in these positions, and kings move alike, so that the limit alone makes a difference."""
    views = [PositionView(RulePlayer(ruleset), at(fen)) for ruleset in (FRISIAN, INTERNATIONAL)]
    assert views[0].differs(views[1], PossibleDifferences.between(FRISIAN, INTERNATIONAL)) is expected
    assert all(view.possible for view in views)
