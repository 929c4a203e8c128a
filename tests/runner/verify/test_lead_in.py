"""Lead-ins: moves from a position without a king's run to one that has it."""

from __future__ import annotations

import pytest

import damspec
from damspec import Move
from damspec_runner.cases.cases import cases_for
from damspec_runner.engines.hub import move_text
from damspec_runner.verify.candidates import lead_in
from runner_fixtures import PROJECT

FRISIAN = damspec.load_ruleset("frisian")


@pytest.mark.parametrize("fen", ["W:W37,K46:B45:+0+346", "B:W6:BK5,14:+205+0", "W:W37,44,K46,K50:B15:+0+346"])
def test_the_moves_lead_to_the_position(fen: str) -> None:
    """Three moves of a king, two of Black's, and three beside a man of Black's that has captured meanwhile."""
    position = FRISIAN.position(fen)
    found = lead_in(FRISIAN, position)
    assert found is not None
    origin, moves = found
    assert origin.white_run is None
    assert origin.black_run is None
    game = damspec.Game(FRISIAN, origin)
    for move in moves:
        legal = {move_text(one.start, one.end, one.captured): one for one in game.legal_moves if isinstance(one, Move)}
        game.push(str(legal[move_text(*move)]))
    assert game.position == position


def test_a_position_without_runs_is_its_own_origin() -> None:
    position = FRISIAN.position("W:W37,K46:B45")
    assert lead_in(FRISIAN, position) == (position, ())


def test_where_no_moves_lead_there_none_are_found() -> None:
    """White's king has moved last, though the man on 28 could capture on 22: no game comes there."""
    assert lead_in(FRISIAN, FRISIAN.position("B:W28,K46:B15,22:+0+346")) is None


def test_the_page_says_for_how_many_cases_moves_are_found() -> None:
    about = [FRISIAN.position(case.position) for case in cases_for(FRISIAN) if case.expected.moves is not None]
    with_runs = [position for position in about if position.white_run or position.black_run]
    found = sum(lead_in(FRISIAN, position) is not None for position in with_runs)
    page = " ".join((PROJECT / "docs" / "hub.md").read_text(encoding="utf-8").split())
    assert f"So {found} of the {len(with_runs)} such cases of `frisian` about moves are asked" in page
