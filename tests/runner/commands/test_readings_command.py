"""`damspec readings`: every reading, those of one ruleset, as text and as JSON."""

from __future__ import annotations

import json

import pytest

import damspec
from damspec import data
from damspec.data import freeze
from runner_fixtures import damspec as run
from runs import EVERY


def test_all() -> None:
    ran = run("readings")
    assert (ran.status, ran.err) == (0, "")
    for reading in damspec.load_readings():
        assert f"{reading.id} {reading.key} (confidence {reading.confidence}): {reading.question}\n" in ran.out


@pytest.mark.parametrize("id", EVERY)
def test_of_a_ruleset(id: str) -> None:
    about = [reading for reading in damspec.load_readings() if id in reading.rulesets]
    lines = run("readings", id).out.splitlines()
    assert [line.split()[0] for line in lines if not line.startswith(" ")] == [reading.id for reading in about]
    chosen = [line.split(":")[0].removeprefix("  * ") for line in lines if line.startswith("  * ")]
    assert chosen == [reading.chosen for reading in about]
    alternatives = [alternative for reading in about for alternative in reading.alternatives.values()]
    unplayable = [f"not playable ({each.because}): {each.inexpressible}" for each in alternatives if each.inexpressible]
    same = [f"the same rules as the one chosen: {each.same}" for each in alternatives if each.same]
    assert [line.strip() for line in lines if line.startswith("      not playable")] == unplayable
    assert [line.strip() for line in lines if line.startswith("      the same rules")] == same


def test_an_alternative_that_cannot_be_played_says_why() -> None:
    lines = run("readings", "vl").out.splitlines()
    place = next(number for number, line in enumerate(lines) if line.startswith("    next-turn: "))
    assert lines[place + 1].startswith("      not playable (history): a position does not show")


@pytest.mark.parametrize("words", [(), ("nl-trapdoor",), ("de",)])
def test_json(words: tuple[str, ...]) -> None:
    found = json.loads(run("readings", *words, "--json").out)["readings"]
    assert found
    for entry in found:
        content = {"readings": [entry]}
        assert data.schema_problem(content, "readings") is None
    known = {reading.id: reading for reading in damspec.load_readings()}
    for entry in found:
        reading = known[entry["id"]]
        assert (entry["key"], entry["chosen"], entry["why"]) == (reading.key, reading.chosen, reading.why)
        assert [*entry["alternatives"]] == [*reading.alternatives]
        for word, alternative in reading.alternatives.items():
            told = entry["alternatives"][word]
            assert freeze(told.get("set", {})) == alternative.set
            assert [told.get(key) for key in ("inexpressible", "because", "same")] == [
                alternative.inexpressible,
                alternative.because,
                alternative.same,
            ]
        assert not words or words[0] in entry["rulesets"]


def test_a_ruleset_under_a_reading_has_the_readings_of_the_ruleset() -> None:
    assert run("readings", "vl?priority=mixed-only").out == run("readings", "vl").out
