"""The reference's turns against the naive ones of tests/naive_turns.py, in every phase of a turn: not spun, each result of
the spinner, a lapse to answer, compelled; and that both call the same positions impossible."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import damspec
import naive
import naive_turns
from damspec import DamspecError, Move, Position, Ruleset
from positions import positions

WITH_TURNS = [id for id in damspec.ruleset_ids() if damspec.ruleset(id).rules.spin or damspec.ruleset(id).rules.huff]
UNDER_READINGS = [
    f"{id}?{reading.key}={word}"
    for id in WITH_TURNS
    for reading in damspec.readings()
    if id in reading.rulesets
    for word, alternative in reading.alternatives.items()
    if alternative.set
]


@st.composite
def phases(draw: st.DrawFn, rules: Ruleset) -> Position:
    """A position in any phase of a turn; some that cannot be are among them."""
    position = draw(positions(rules.rules))
    if rules.rules.trapdoors and rules.rules.spin:
        return _with_doors(draw, rules, position)
    match draw(st.sampled_from(("plain", "lapse", "lapse", "any claim", "compelled"))):
        case "lapse":
            lapses = damspec.legal_moves(rules, position).lapses
            return damspec.play(rules, position, draw(st.sampled_from(lapses))) if lapses else position
        case "any claim":
            squares = st.integers(1, len(position.board))
            crowned = draw(st.sampled_from(("", "", "K")))
            return replace(position, huffable=f"{draw(squares)}-{draw(squares)}{crowned}")
        case "compelled":
            return replace(position, compelled=True)
        case _:
            return position


def _with_doors(draw: st.DrawFn, rules: Ruleset, position: Position) -> Position:
    trapdoors, spin = rules.rules.trapdoors, rules.rules.spin
    assert trapdoors
    assert spin
    shut = trapdoors.closing == "at-once" and draw(st.integers(0, 9)) < 9
    letters = st.just("M") if shut else st.sampled_from("MLR")
    sliders = "".join(draw(letters) for _ in trapdoors.layout.sliders)
    if draw(st.integers(0, 9)) < 9:  # what stood on an open door has fallen
        floor = ~trapdoors.layout.open_doors(position.board, sliders)
        position = Position(
            position.board,
            position.white_men & floor,
            position.white_kings & floor,
            position.black_men & floor,
            position.black_kings & floor,
            position.turn,
        )
    results = [*spin.outcomes, *(["due"] if spin.when == "after-capture" else [])]
    return replace(position, sliders=sliders, spin=draw(st.sampled_from([None, None, *results])))


def agree(rules: Ruleset, position: Position) -> None:
    """Fail where the two differ."""
    fen = position.fen()
    plain = naive.read(fen)
    try:
        damspec.read_position(rules, fen)
    except DamspecError:
        assert not naive_turns.possible(rules.whole, plain), fen
        return
    assert naive_turns.possible(rules.whole, plain), fen
    legal = damspec.legal_moves(rules, position)
    for mine, theirs in (
        (legal, naive_turns.actions(rules.whole, plain)),
        (legal.lapses, naive_turns.lapses(rules.whole, plain)),
    ):
        found = {_key(action): damspec.play(rules, position, action).fen() for action in mine}
        assert len(found) == len(mine), fen
        assert found == {action.key: naive.write(action.after) for action in theirs}, fen
        paths = {_key(move): set(move.paths) for move in mine if isinstance(move, Move)}
        assert paths == {action.key: set(action.paths) for action in theirs if action.kind == "move"}, fen
    end = damspec.outcome(rules, position)
    assert (end.result, end.reason) == naive_turns.outcome(rules.whole, plain), fen


def _key(action: damspec.Action) -> object:
    if isinstance(action, Move):
        return (action.start, action.end, frozenset(action.captured), action.promotes)
    return str(action)


def search(name: str, examples: int) -> None:
    """Look for a position where the two differ."""
    rules = damspec.ruleset(name)

    @settings(max_examples=examples, suppress_health_check=list(HealthCheck))
    @given(st.data())
    def look(data: st.DataObject) -> None:
        agree(rules, data.draw(phases(rules)))

    look()


@pytest.mark.parametrize("name", WITH_TURNS)
def test_turns(name: str) -> None:
    search(name, 1000)


@pytest.mark.parametrize("name", UNDER_READINGS)
def test_turns_under_readings(name: str) -> None:
    search(name, 60)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*WITH_TURNS, *UNDER_READINGS])
def test_many_more_turns(name: str) -> None:
    search(name, 10_000)


@pytest.mark.parametrize("name", WITH_TURNS)
def test_perft_agrees(name: str) -> None:
    rules = damspec.ruleset(name)
    start = naive.start(rules.whole)
    for depth in (1, 2, 3, 4):
        assert damspec.perft(rules, "start", depth) == naive_turns.perft(rules.whole, start, depth)
