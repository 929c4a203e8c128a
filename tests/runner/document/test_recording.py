"""The recorders of smallest positions and of how far games are apart: in shares they find what they find without."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from damspec import Position, load_ruleset
from damspec_runner.answers.exhaustive import LevelSurvey
from damspec_runner.document import measuring, record
from damspec_runner.document.compare import candidates, entries_of
from damspec_runner.document.record import PairShare
from damspec_runner.document.smallest import SmallestSearch
from damspec_runner.tasks.executor import run_tasks, threads

PAIR = ("armenian", "turkish")
HOST = "armenian"


@pytest.fixture
def two(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    """As if there were two rulesets only."""
    found = {id: load_ruleset(id) for id in PAIR}
    monkeypatch.setattr(record, "_boards", lambda: {HOST: {PAIR: (*found.values(),)}})
    record._survey.cache_clear()
    yield found
    record._survey.cache_clear()


@pytest.mark.thorough
def test_a_search_that_is_taken_up_finds_the_same(two: dict[str, Any]) -> None:
    """Between its steps it is plain data, as a journal keeps it."""
    one, other = two.values()
    search = SmallestSearch(one, other, LevelSurvey([one, other]))
    search.exhaust()
    few = entries_of(search)
    given = [entry["position"] for entry in few.values() if "position" in entry]
    positions = [*candidates(search.survey), *(Position.from_fen(fen, search.survey.board) for fen in given)]
    search.among(positions)
    search.by_chance()
    search.beside(positions)
    share = PairShare(HOST, PAIR)
    assert record._exhausted(share) == few
    taken_up = PairShare(HOST, PAIR, json.loads(json.dumps(few)))
    assert record._searched(taken_up, given) == entries_of(search)
    assert len({share.key, taken_up.key}) == 2


@pytest.mark.thorough
def test_the_record_is_the_same_by_several(two: dict[str, Any]) -> None:
    alone = record.record()
    assert {entry["rule"] for entry in alone["witnesses"]} >= {"man.move.directions"}
    with threads(2) as executor:
        assert record.record(lambda function, shares, title="": run_tasks(executor, function, shares)) == alone


@pytest.mark.thorough
def test_games_are_as_far_apart_by_several(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring, "POSITIONS", 40)
    monkeypatch.setattr(measuring, "ruleset_ids", lambda: [*PAIR, "vl"])
    monkeypatch.setattr(measuring.Sample.__init__, "__defaults__", (40,))
    alone = measuring.measure()
    assert set(alone["otherwise"]["vl"]) == {*PAIR}
    with threads(2) as executor:
        assert measuring.measure(lambda function, shares, title="": run_tasks(executor, function, shares)) == alone


def test_a_survey_knows_every_ruleset_of_its_pairs() -> None:
    """Also one that is moved to the board from several others, and rests on other clauses each time."""
    record._survey.cache_clear()
    hosts = {
        host: [*dict.fromkeys(each for pair in pairs.values() for each in pair)]
        for host, pairs in record._boards().items()
    }
    assert any(len({each.id for each in there}) < len(there) for there in hosts.values())
    for host, there in hosts.items():
        survey = record._survey(host)
        seen = tuple(range(len(there)))
        assert all(survey.alike(each, each, seen) for each in there)
    record._survey.cache_clear()
