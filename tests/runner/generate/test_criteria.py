"""Positions by captures, kings, material and quiet, openings that are apart, and suites."""

from __future__ import annotations

import pytest

import damspec
from damspec import Move, Position
from damspec_runner.generate.goal import Criteria, KingSides, SearchGoal
from damspec_runner.generate.search import PositionSearch
from damspec_runner.generate.suite import build_suite

VL = damspec.load_ruleset("vl")


@pytest.mark.parametrize(
    ("fen", "criteria", "expected"),
    [
        ("W:W22,32:B18,4", Criteria((1, 1)), True),  # 22x15
        ("W:W22,32:B18,4", Criteria((2, 9)), False),
        ("W:W22,32:B18,11", Criteria((2, 9)), True),  # 22x15x8
        ("W:W22,32:B18,4", Criteria(quiet=True), False),
        ("W:W22,32:B1,4", Criteria(quiet=True), True),
        ("W:W22,32:B1,4", Criteria(balanced=True), True),
        ("W:WK22,32:B1,4", Criteria(balanced=True), False),  # a king is no man
        ("B:WK22,32:B1,4", Criteria(kings=KingSides.WHITE), True),
        ("B:WK22,32:BK1,4", Criteria(kings=KingSides.WHITE), False),
        ("B:WK22,32:BK1,4", Criteria(kings=KingSides.BOTH), True),
        ("B:W22,32:B1,4", Criteria(kings=KingSides.NONE), True),
    ],
)
def test_what_meets_criteria(fen: str, criteria: Criteria, expected: bool) -> None:
    assert SearchGoal(VL, criteria=criteria).is_met(VL.position(fen)) == expected


def test_long_captures_with_even_material() -> None:
    goal = SearchGoal(VL, pieces=(8, 12), criteria=Criteria((4, 12), balanced=True))
    search = PositionSearch(goal, number=5)
    assert len(search.anywhere()) == search.apart == 5
    for found in search.positions:
        position: Position = found.position
        assert position.occupied("white").bit_count() == position.occupied("black").bit_count()
        assert any(isinstance(m, Move) and len(m.captured) >= 4 for m in damspec.legal_moves(VL, position))


def test_openings_are_apart_and_games_come_to_kings() -> None:
    openings = PositionSearch(SearchGoal(VL, pieces=(1, 24)), number=30)
    assert len(openings.search_games((4, 10))) == openings.apart == 30
    endings = PositionSearch(SearchGoal(VL, pieces=(1, 24), criteria=Criteria(kings=KingSides.BOTH)), number=3)
    assert len(endings.search_games()) == 3
    assert all(one.position.kings("white") and one.position.kings("black") for one in endings.positions)


def test_a_suite_has_every_kind() -> None:
    suite = build_suite(VL, 40)
    assert len(suite.positions) == 40
    assert suite.missing == []
    assert sum(suite.counts.values()) == 40
