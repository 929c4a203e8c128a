"""Mutants of rulesets that players can notice, on other boards as well, and how they are described."""

from __future__ import annotations

import json
from typing import Any

import pytest

import damspec
from damspec.mutations import form_of, next_larger
from damspec.rules import rule_names
from damspec.ruleset import from_values
from damspec.tables import Tables
from damspec_runner.mutants.mutants import (
    UNTOLD,
    as_elsewhere,
    boards,
    diagnosis_mutants,
    essential,
    groups,
    on_other_boards,
    relaxed_mutants,
    single_mutants,
    visible_changes,
)
from damspec_runner.verify.explain.hypotheses import Hypothesis
from runs import ORIGINALS, usually

FLEMISH = damspec.load_ruleset("vl")


def test_nobody_is_told_how_squares_are_numbered() -> None:
    changed = [rule for mutant in visible_changes(FLEMISH) for rule in mutant.rules_changed]
    assert "capture.king-weight" in changed
    assert UNTOLD not in changed


def test_boards_are_those_that_games_have() -> None:
    """8 by 8 with three rows of men, and 10 by 10 with four, among others; none with men on squares of their own."""
    found = [dict(board) for board in boards()]
    assert {"board.size": "8x8", "start.men": 3} in found
    assert {"board.size": "10x10", "start.men": 4} in found
    assert all(isinstance(board["start.men"], int) for board in found)


def test_a_game_on_a_larger_board_is_the_same_but_for_the_board() -> None:
    larger = next(each for each in on_other_boards(FLEMISH) if each.values["board.size"] == "10x10")
    differing = {rule for rule in FLEMISH.values if FLEMISH.values[rule] != larger.values.get(rule)}
    assert differing <= {"board.size", "start.men"}
    assert "board.size" in differing
    assert larger.ruleset.checked()


def test_no_board_is_its_own_and_doors_belong_to_their_board() -> None:
    own = (FLEMISH.values["board.size"], FLEMISH.values["start.men"])
    assert own not in [(each.values["board.size"], each.values["start.men"]) for each in on_other_boards(FLEMISH)]
    assert on_other_boards(damspec.load_ruleset("nl-trapdoor")) == []


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        # A choice that is free binds nothing: that rule is gone of itself.
        ({"capture.choice": (), "capture.binds": None}, ["capture.choice"]),
        ({"capture.king-weight": 2}, ["capture.king-weight"]),
        # Two changes that have nothing to do with each other.
        ({"man.capture.takes": "men", "board.size": "10x10"}, ["man.capture.takes", "board.size"]),
        # What the choice binds is changed for itself.
        ({"capture.choice": ("with-king",), "capture.binds": "piece"}, ["capture.choice", "capture.binds"]),
    ],
)
def test_what_has_to_be_said(changes: dict[str, Any], said: list[str]) -> None:
    assert essential(FLEMISH.values, changes) == said


# --- every variation is of the vocabulary


@pytest.mark.parametrize("name", usually({*ORIGINALS, "frisian"}, damspec.ruleset_ids()))
def test_every_variation_can_be_loaded_and_played(name: str) -> None:
    """Also with the next larger numbers, by which explanations are put to a test."""
    ruleset = damspec.load_ruleset(name)
    relaxed = [mutant for _, mutant in relaxed_mutants(ruleset)]
    made = [*single_mutants(ruleset), *diagnosis_mutants(ruleset), *as_elsewhere(ruleset), *groups(ruleset), *relaxed]
    made += on_other_boards(ruleset)
    raised = (Hypothesis((each.name,), "change", each.ruleset, each).with_larger_numbers(ruleset) for each in made)
    made += [each.mutant for each in raised if each and each.mutant]
    seen = set[tuple[str, str]]()
    for mutant in made:
        values = {(rule, repr(value)) for rule, value in mutant.values.items()}
        if not values <= seen:
            seen |= values
            try:
                Tables(from_values(json.loads(json.dumps(mutant.ruleset.inline_values))).rules)
            except damspec.RulesetError as error:
                raise AssertionError(f"{mutant.of} with {mutant.name}: {error}") from None


def test_the_next_larger_number_is_a_value_of_the_rule() -> None:
    for rule in rule_names():
        values = form_of(rule).words
        assert {next_larger(rule, value) for value in values if type(value) is int} <= {*values, None}, rule
