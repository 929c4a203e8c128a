"""The interpreter in JavaScript passes the suite, by the protocol as anyone's engine, and counts as others count."""

from __future__ import annotations

import json
from typing import Any

import pytest

import damspec
from damspec_runner.cases.cases import cases_for
from damspec_runner.cases.perft_tables import load_published, published_rules, suite_of
from javascript import FOLDER, Interpreter, agree_about
from runner_fixtures import damspec as command
from runner_fixtures import node
from runs import SPREAD, usually
from test_turn_agreement import OF_ORIGINALS

RULESETS = damspec.ruleset_ids()
OFTEN = ["de", "international", "nl-trapdoor"]


def check(*words: str) -> Any:
    """The report of a check of the interpreter."""
    ran = command("check", *words, "--json", "--", node(), str(FOLDER / "engine.js"))
    assert ran.status == 0, ran.out[-2000:] + ran.err
    (report,) = json.loads(ran.out)["reports"]
    return report


@pytest.mark.parametrize("id", OFTEN)
def test_it_passes_every_case(id: str) -> None:
    """As a user checks it; over every protocol and for every ruleset that is tests/runner/verify/test_protocols.py."""
    counts = check(id)["counts"]
    assert counts["passed"] == sum(counts.values()) == len(cases_for(damspec.load_ruleset(id)))


def played(id: str, games: int) -> None:
    """Play games, in every position of which the reference is javascript too."""
    found = check(id, "--games", str(games), "-k", "*.start.*")["games"]
    assert (found["games"], found["found"], found["unsupported"]) == (games, [], 0)


@pytest.mark.thorough
@pytest.mark.parametrize("id", ["de", "fr-trapdoor", "frisian"])
def test_it_plays_games_as_the_reference_does(id: str) -> None:
    played(id, 3)


@pytest.mark.slow
@pytest.mark.parametrize("id", RULESETS)
def test_it_plays_a_hundred_games_as_the_reference_does(id: str) -> None:
    played(id, 100)


@pytest.mark.parametrize("name", usually(["de?remedy=huff-only"], OF_ORIGINALS[::5]))
def test_it_answers_every_case_by_every_reading(name: str, javascript: Interpreter) -> None:
    """A case tells what is right by some readings; here the reference says it by each."""
    ruleset = damspec.load_ruleset(name)
    positions = {case.position for case in cases_for(damspec.load_ruleset(ruleset.base))}
    assert agree_about(javascript, ruleset, sorted(positions)) > 50


def counted(javascript: Interpreter, id: str, most: int) -> int:
    """Compare the numbers of a game's suite up to one that is still counted; how many there are."""
    ruleset = damspec.load_ruleset(id)
    compared = 0
    javascript.plays(ruleset.whole)
    for one in suite_of(ruleset).positions:
        for depth, nodes in enumerate(one.nodes, 1):
            if nodes <= most:
                assert javascript.ask(fen=one.position, depth=depth) == {"nodes": nodes}, (one.position, depth)
                compared += 1
    return compared


@pytest.mark.parametrize("id", usually(OFTEN, SPREAD))
def test_it_counts_the_suite(javascript: Interpreter, id: str) -> None:
    assert counted(javascript, id, 2_000) > 150


@pytest.mark.slow
@pytest.mark.parametrize("id", SPREAD)
def test_it_counts_a_million(javascript: Interpreter, id: str) -> None:
    assert counted(javascript, id, 1_000_000) > 150


TABLES = [table for table in load_published().tables if table.count == "unique" and not table.disputed]


@pytest.mark.parametrize(
    ("most", "at_least"),
    [
        pytest.param(5_000, 180, marks=pytest.mark.thorough),
        pytest.param(1_000_000, 250, marks=pytest.mark.slow),
    ],
)
def test_it_counts_what_others_have_published(most: int, at_least: int, javascript: Interpreter) -> None:
    compared = 0
    for table in TABLES:
        javascript.plays(published_rules(table).whole)
        for depth, nodes in table.nodes.items():
            if nodes <= most:
                assert javascript.ask(fen=table.position, depth=depth) == {"nodes": nodes}, (table.ruleset, depth)
                compared += 1
    assert compared >= at_least
