"""The reference's turns against the naive ones of naive_turns.py, in every phase of a turn: not spun, each result
of the spinner, a lapse to answer, compelled; and that both call the same positions impossible."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import damspec
import naive
import naive_turns
from damspec import DamspecError, Move, Position, Ruleset
from damspec_runner.cases.perft_tables import load_published
from positions import phases
from runs import ORIGINALS

SHIPPED = [damspec.load_ruleset(id) for id in damspec.ruleset_ids()]
WITH_TURNS = [ruleset.id for ruleset in SHIPPED if ruleset.rules.spin or ruleset.rules.huff]
UNDER_READINGS = [
    f"{id}?{reading.key}={word}"
    for id in WITH_TURNS
    for reading in damspec.load_readings()
    if id in reading.rulesets
    for word, alternative in reading.alternatives.items()
    if alternative.set
]
OF_ORIGINALS = [name for name in UNDER_READINGS if name.partition("?")[0] in ORIGINALS]


def agree(ruleset: Ruleset, position: Position) -> None:
    """Fail where the two differ."""
    fen = position.fen()
    plain = naive.read(fen)
    try:
        ruleset.position(fen)
    except DamspecError:
        assert not naive_turns.possible(ruleset.whole, plain), fen
        return
    assert naive_turns.possible(ruleset.whole, plain), fen
    legal = damspec.legal_moves(ruleset, position)
    for mine, theirs in (
        (legal, naive_turns.actions(ruleset.whole, plain)),
        (legal.lapses, naive_turns.lapses(ruleset.whole, plain)),
    ):
        found = {_key(action): damspec.play(ruleset, position, action).fen() for action in mine}
        assert len(found) == len(mine), fen
        assert found == {action.key: naive.write(action.after) for action in theirs}, fen
        paths = {_key(move): set(move.paths) for move in mine if isinstance(move, Move)}
        assert paths == {action.key: set(action.paths) for action in theirs if action.kind == "move"}, fen
    end = damspec.outcome(ruleset, position)
    assert (end.result, end.reason) == naive_turns.outcome(ruleset.whole, plain), fen


def _key(action: damspec.Action) -> object:
    if isinstance(action, Move):
        return (action.start, action.end, frozenset(action.captured), action.promotes)
    return str(action)


def search(name: str, examples: int) -> None:
    """Look for a position where the two differ."""
    ruleset = damspec.load_ruleset(name)

    @settings(max_examples=examples, suppress_health_check=list(HealthCheck))
    @given(st.data())
    def look(data: st.DataObject) -> None:
        agree(ruleset, data.draw(phases(ruleset)))

    look()


@pytest.mark.parametrize("examples", [12, pytest.param(120, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", WITH_TURNS)
def test_turns(name: str, examples: int) -> None:
    search(name, examples)


@pytest.mark.thorough
@pytest.mark.parametrize("name", OF_ORIGINALS)
def test_turns_under_readings(name: str) -> None:
    search(name, 6)


@pytest.mark.slow
@pytest.mark.parametrize("name", OF_ORIGINALS)
def test_more_turns_under_readings(name: str) -> None:
    search(name, 30)


#: Two readings at a time, where one changes what the other does.
TOGETHER = [
    "de?completion=stopping-is-a-lapse&king-range=flying-any",
    "de?completion=stopping-is-a-lapse&huffed-piece=moved",
    "de?completion=stopping-is-a-lapse&single-capture=any-direction",
]


@pytest.mark.parametrize("name", TOGETHER)
def test_turns_under_two_readings(name: str) -> None:
    search(name, 8)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*WITH_TURNS, *OF_ORIGINALS[::4], *TOGETHER])
def test_many_more_turns(name: str) -> None:
    search(name, 2_000)


#: The published tables that rest on the agreement of the two.
TABLES = [
    table for table in load_published().tables if table.ruleset in WITH_TURNS and table.published[0].by == "damspec"
]


def counts() -> list[Any]:
    """Each table at the greatest length that a usual run affords, a thorough and a slow one."""
    kinds: dict[int, Any] = {200: (), 400: pytest.mark.thorough, 20_000: pytest.mark.slow}
    found = {}
    for table in TABLES:
        for most, marks in kinds.items():
            length = max((each for each, nodes in table.nodes.items() if nodes <= most), default=0)
            id = f"{table.ruleset}, {table.name or 'start'}, {length}"
            if length and id not in found:
                found[id] = pytest.param(*(table.ruleset, table.position, length, table.nodes), id=id, marks=marks)
    return [*found.values()]


@pytest.mark.parametrize(("name", "position", "length", "nodes"), counts())
def test_counts(name: str, position: str, length: int, nodes: Mapping[int, int]) -> None:
    ruleset = damspec.load_ruleset(name)
    plain = naive.read(ruleset.position(position).fen())
    for shorter, number in nodes.items():
        if shorter <= length:
            assert naive_turns.perft(ruleset.whole, plain, shorter) == number


def test_every_ruleset_is_counted() -> None:
    assert {table.ruleset for table in TABLES if max(table.nodes) >= 5} == set(WITH_TURNS)
