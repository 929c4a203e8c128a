"""Mutation adequacy: what the schema lets a ruleset be changed to, who notices, and what is proved to be no change."""

from __future__ import annotations

from pathlib import Path

import pytest

import damspec
from damspec import data
from damspec_runner.adequacy import WANTED, Void, equivalents, measure
from damspec_runner.cases import cases_for
from damspec_runner.equivalence import placements, prove
from damspec_runner.mutants import changed_values, pairs, single

RULESETS = damspec.ruleset_ids()
PAGE = Path(__file__).resolve().parent.parent / "docs" / "adequacy.md"


def test_changed_values_are_all_single_changes() -> None:
    assert changed_values("man.move.reach", 1) == ["any"]
    assert changed_values("capture.completion", "whole") == ["may-stop"]
    assert changed_values("huff.remedies", ["huff", "retract"]) == [["retract"], ["huff"]]
    assert changed_values("huff.remedies", ["huff"]) == [["huff", "retract"]]
    assert changed_values("capture.choice", ["most-pieces", "with-king"])[:2] == [["with-king"], ["most-pieces"]]
    assert ["with-king", "most-pieces"] in changed_values("capture.choice", ["most-pieces", "with-king"])
    assert {"disc": "piece"} in changed_values("spin.outcomes", {"disc": "piece", "green": "green-slider"})
    assert changed_values("board.size", "8x8") == []


def test_a_mutant_brings_what_it_needs_and_drops_what_it_makes_moot() -> None:
    by_name = {mutant.name: mutant for mutant in single(damspec.ruleset("lb"))}
    assert by_name["capture.choice = [most-pieces]"].values["capture.binds"] == "path"
    assert by_name["capture.duty = huffing"].values["huff.offence"] == "no-capture"
    free = {mutant.name: mutant for mutant in single(damspec.ruleset("vl"))}["capture.choice = []"]
    assert "capture.binds" not in free.values


@pytest.mark.parametrize("name", RULESETS)
def test_every_mutant_is_a_valid_other_ruleset(name: str) -> None:
    rules = damspec.ruleset(name)
    mutants = single(rules)
    assert len({mutant.name for mutant in mutants}) == len(mutants) >= 60
    for mutant in mutants:
        assert mutant.ruleset.values != rules.values


def test_pairs_change_two_rules_of_movement() -> None:
    mutants = list(pairs(damspec.ruleset("lb")))
    assert len(mutants) > 1000
    assert all(len(set(mutant.rules_changed)) == 2 for mutant in mutants)
    assert not any(rule.startswith(("board.", "ending.")) for mutant in mutants for rule in mutant.rules_changed)


@pytest.mark.parametrize("name", RULESETS)
def test_every_mutant_is_killed_or_proved_equivalent(name: str) -> None:
    verdicts = list(measure(damspec.ruleset(name)))
    assert {verdict.kind for verdict in verdicts} <= {"single", "reading"}
    left = [(v.mutant, v.fate, v.killers) for v in verdicts if v.fate in ("survives", "barely")]
    assert left == []
    cases, killed = len(cases_for(damspec.ruleset(name))), sum(verdict.fate == "killed" for verdict in verdicts)
    row = f"| {name} | {cases} | {len(verdicts)} | {killed} | {len(verdicts) - killed} |"
    assert row in (PAGE.read_text(encoding="utf-8").splitlines())
    assert all(not verdict.killers for verdict in verdicts if verdict.fate == "equivalent")


@pytest.mark.slow
@pytest.mark.parametrize("name", RULESETS)
def test_every_pair_is_killed(name: str) -> None:
    verdicts = [verdict for verdict in measure(damspec.ruleset(name), with_pairs=True) if verdict.kind == "pair"]
    assert len(verdicts) > 1000
    assert [(v.mutant, v.killers) for v in verdicts if v.fate in ("survives", "barely")] == []


def test_a_run_without_its_controls_is_void(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = damspec.ruleset("lb")
    monkeypatch.setattr("damspec_runner.adequacy.cases_for", lambda _: cases_for(rules)[:1])
    with pytest.raises(Void, match=f"noticed by fewer than {WANTED} cases"):
        list(measure(rules))
    monkeypatch.setattr("damspec_runner.adequacy.cases_for", lambda _: cases_for(damspec.ruleset("vl")))
    with pytest.raises(Void, match="does not pass its own case"):
        list(measure(rules))


def test_equivalents_name_mutants_that_there_are() -> None:
    for name, change in equivalents():
        rules = damspec.ruleset(name)
        names = [mutant.name for mutant in (pairs(rules) if " and " in change else single(rules))]
        names += rules.alternatives
        assert change in names, f"{name}: {change}"


def test_a_proof_finds_a_difference_where_there_is_one() -> None:
    rules = damspec.ruleset("vl")
    mutant = next(mutant for mutant in single(rules) if mutant.name == "king.capture.reach = 1")
    proof = prove(rules, mutant, pieces=2)
    assert proof.difference
    position = proof.difference
    assert [*damspec.legal_moves(rules, position)] != [*damspec.legal_moves(mutant.ruleset, position)]


def test_placements_are_all_there() -> None:
    board = damspec.Board(4, 4)
    crownheads = board.nearest_rows(1, "black"), board.nearest_rows(1, "white")
    # eight squares: kings of two sides on each, men on the six that are not their crownhead
    assert len(list(placements(board, 1, crownheads))) == 8 * 2 + 6 * 2
    twos = list(placements(board, 2, crownheads))
    assert len(set(twos)) == len(twos)


@pytest.mark.slow
def test_equivalents_are_equivalent() -> None:
    content = data.load_yaml(data.root() / "cases" / "equivalents.yaml")
    for entry in content["equivalents"]:
        for name in entry["rulesets"]:
            rules = damspec.ruleset(name)
            candidates = pairs(rules) if " and " in entry["change"] else single(rules)
            mutant = next((m for m in candidates if m.name == entry["change"]), None)
            if mutant is None:
                continue  # an alternative reading, which is a change that stands there too
            proof = prove(rules, mutant)
            assert proof.difference is None
            assert proof.compared == entry["compared"][name]
