"""The recorders of smallest positions and of how far games are apart: in shares they find what they find without."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml
from tools.parts import Job, Limits
from tools.witnesses import PairTask

import damspec
from damspec import Position, load_ruleset
from damspec_runner.document.compare import candidates, entries_of, witnesses_path
from damspec_runner.document.exhaustive import LevelSurvey
from damspec_runner.document.smallest import SmallestSearch
from damspec_runner.tasks.executor import TaskRunner, run_in_process, run_tasks, threads
from tools import distances, witnesses

PAIR = ("armenian", "turkish")
HOST = "armenian"


@pytest.fixture
def two(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    """As if there were two rulesets only."""
    found = {id: load_ruleset(id) for id in PAIR}
    boards = cache(lambda: {HOST: {PAIR: (*found.values(),)}})
    monkeypatch.setattr(witnesses, "_boards", boards)
    witnesses._survey.cache_clear()
    yield found
    witnesses._survey.cache_clear()


def text(module: ModuleType, units: Iterable[str], doing: TaskRunner = run_in_process) -> Any:
    """The content that a recorder writes last."""
    *_, part = module.record(Job(frozenset(units), doing, Limits(None, 0)))
    (written,) = part.texts.values()
    return yaml.safe_load(written)


def by(executor: Executor | None) -> TaskRunner:
    """Shares done by an executor."""
    return lambda function, shares, title="": run_tasks(executor, function, shares)


@pytest.mark.thorough
def test_a_search_that_is_taken_up_finds_the_same(two: dict[str, Any]) -> None:
    """Between its steps it is plain data, as a journal keeps it."""
    one, other = two.values()
    search = SmallestSearch(one, other, LevelSurvey([one, other]))
    search.exhaust()
    few = entries_of(search)
    given = [entry["position"] for entry in few.values() if "position" in entry]
    positions = [*candidates(search.survey), *(Position.from_fen(fen, search.survey.board) for fen in given)]
    search.try_positions(positions)
    search.try_random()
    search.try_with_other_rules(positions)
    share = PairTask(HOST, PAIR, (PAIR,))
    assert witnesses.search_all(share) == few
    taken_up = PairTask(HOST, PAIR, (PAIR,), json.loads(json.dumps(few)))
    assert witnesses.search_given_positions(taken_up, given) == entries_of(search)
    assert len({share.key, taken_up.key}) == 2


@pytest.mark.slow
def test_the_record_is_the_same_by_several(two: dict[str, Any]) -> None:
    """Of the other pairs all stays as it is."""
    before = damspec.data.load_yaml(witnesses_path())
    alone = text(witnesses, ["armenian and turkish"])
    assert of_others(alone) == of_others(before)
    with threads(2) as executor:
        assert text(witnesses, ["armenian and turkish"], by(executor)) == alone


def of_others(content: Any) -> list[Any]:
    """What is on record of all pairs but those of Armenian draughts."""
    found = [each | {"between": dict(each["between"])} for each in content["witnesses"]]
    for each in found:
        each["between"].pop("armenian", None)
    return [each for each in found if each["between"]]


def test_pairs_that_are_gone_are_taken_out() -> None:
    before = damspec.data.load_yaml(witnesses_path())
    left = witnesses._without(before, ["armenian and croda", "armenian and turkish"])
    assert not any("armenian" in each["between"] for kind in left.values() for each in kind)
    assert of_others(left) == of_others(before)
    assert witnesses._without(before, []) == {kind: before[kind] for kind in ("witnesses", "none")}


@pytest.mark.thorough
def test_games_are_as_far_apart_by_several(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(distances, "POSITIONS", 40)
    monkeypatch.setattr(distances, "ruleset_ids", lambda: [*PAIR, "vl"])
    monkeypatch.setattr(distances.Sample.__init__, "__defaults__", (40,))
    every = (*PAIR, "vl")
    alone = text(distances, every)
    assert set(alone["otherwise"]["vl"]) == {*PAIR}
    with threads(2) as executor:
        assert text(distances, every, by(executor)) == alone
    # What a game that has changed has to do with the others is found anew, and nothing else.
    file = tmp_path / "distances.yaml"
    for id in ("vl", "turkish"):
        content = json.loads(json.dumps(alone))
        content["otherwise"]["armenian"]["turkish"] -= 1
        file.write_text(yaml.safe_dump(content), encoding="utf-8")
        monkeypatch.setattr(distances, "distances_path", lambda: file)
        assert (text(distances, [id]) == alone) == (id == "turkish")


def test_a_survey_knows_every_ruleset_of_its_pairs() -> None:
    """Also one that is moved to the board from several others, and rests on other clauses each time."""
    hosts = {
        host: [*dict.fromkeys(each for pair in pairs.values() for each in pair)]
        for host, pairs in witnesses._boards().items()
    }
    assert any(len({each.id for each in there}) < len(there) for there in hosts.values())
    for host, there in hosts.items():
        survey = witnesses._survey(host, (*witnesses._boards()[host],))
        seen = tuple(range(len(there)))
        assert all(survey.alike(each, each, seen) for each in there)
    witnesses._survey.cache_clear()
