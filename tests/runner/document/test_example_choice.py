"""The case that shows a rule is one in which the rule bites, and what is on record is what is chosen.

What bites in the games looked at here was worked out on a board, by the rules of each.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import damspec
from damspec import FileError, RulesetError, data
from damspec.mutations import changed_values, whole_values
from damspec_runner.answers.player import RulePlayer, passes
from damspec_runner.cases.answer import Question
from damspec_runner.document import examples
from damspec_runner.document.examples import RuleRelevance, example, find_example, of_the_board, proofs
from damspec_runner.document.links import links
from damspec_runner.mutants.mutants import make_mutant
from refusals import refusal
from runs import SPREAD, usually

RULESETS = {id: damspec.load_ruleset(id) for id in damspec.ruleset_ids()}
RECORD = data.load_yaml(examples.path())["examples"]

every_ruleset = pytest.mark.parametrize("id", usually(["vl", "de", "nl-trapdoor"], SPREAD))


def others(ruleset: damspec.Ruleset, rule: str) -> list[RulePlayer]:
    """Players by every other value of a rule that goes with the rest."""
    value = ruleset.values[rule]
    values = [*changed_values(rule, value), *whole_values(rule, value)]
    mutants = (make_mutant(ruleset.base, ruleset.values, ((rule, other),)) for other in values)
    return [RulePlayer(mutant.ruleset) for mutant in mutants if mutant]


# --- what bites


@every_ruleset
def test_another_value_changes_the_answer_of_an_example(id: str) -> None:
    """But where no other value can be played, or none shows in any position; and the board is shown by the start."""
    ruleset = RULESETS[id]
    for rule in ruleset.values:
        case, players = example(ruleset, rule), others(ruleset, rule)
        if case is None:
            assert not players or proofs(ruleset, rule), rule
        elif of_the_board(rule):
            assert case.position == "start", rule
        elif players and len(proofs(ruleset, rule)) == 0:
            assert not all(passes(player, Question(case, ruleset)) for player in players), rule


def test_where_a_man_goes_on_as_a_man_one_does() -> None:
    """Flemish: by its first jump it reaches the far row, by the next it leaves it, and it ends as a man."""
    case = example(RULESETS["vl"], "promotion.mid-capture")
    assert case is not None
    assert case.id == "vl.promotion.passing-man-stays-a-man"
    ((move, after),) = (case.expected.moves or {}).items()
    assert move.split("x")[1] in ("1", "2", "3", "4")
    assert move.count("x") == 2
    assert "K" not in after


def test_where_a_capture_is_compulsory_a_quiet_move_is_there() -> None:
    """Flemish: the man on 32 could go to 27 or 28; only the other man's capture is listed."""
    case = example(RULESETS["vl"], "capture.duty")
    assert case is not None
    assert case.position.startswith("W:W")
    assert "32" in case.position
    assert all("x" in move for move in case.expected.moves or ())


def test_what_takes_a_part_away_goes_before_what_adds_one() -> None:
    """`most-pieces` bites where the most have to be taken, not where captures are equal and nothing else decides."""
    bites = RuleRelevance(RULESETS["vl"], links().cases["vl"], links().readings)
    ranked = [bite.case.id for bite in bites.rank("capture.choice")]
    assert ranked.index("vl.choice.two-men-before-one-king") < ranked.index("vl.choice.king-counts-like-a-man")


# --- the record


@pytest.mark.parametrize("id", usually(["lb"], RULESETS, thorough=()))
def test_the_record_is_what_is_chosen(id: str) -> None:
    """If not: `python tools/record.py examples`."""
    chosen = RuleRelevance(RULESETS[id], links().cases[id], links().readings).best_cases
    assert RECORD[id] == {rule: case.id for rule, case in chosen.items()}


def test_the_record_has_every_ruleset_and_rule() -> None:
    data.check({"examples": RECORD}, "examples", "cases/generated/examples.yaml")
    assert set(RECORD) == set(RULESETS)
    for id, ruleset in RULESETS.items():
        assert [rule for rule in ruleset.values if rule in RECORD[id]] == [*RECORD[id]]


def test_a_case_that_is_not_there_is_told_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "examples.yaml"
    file.write_text("examples:\n  vl:\n    capture.duty: vl.duty.nothing\n")
    monkeypatch.setattr(examples, "path", lambda: file)
    examples._examples_on_record.cache_clear()
    assert "examples.vl.capture.duty: vl has no case 'vl.duty.nothing', expected" in refusal(
        FileError, example, RULESETS["vl"], "capture.duty"
    )
    examples._examples_on_record.cache_clear()


def test_rules_of_ones_own_have_examples_too() -> None:
    """They are not on record; the case is chosen when it is asked for."""
    under = damspec.load_ruleset("vl?priority=multiple-first")
    shown = find_example(under, "capture.choice")
    assert shown is not None
    assert shown.by in ("clause", "reading")
    asked = Question(shown.case, under)
    assert not all(passes(player, asked) for player in others(under, "capture.choice"))
    assert "vl has no rule 'huff.turn'" in refusal(RulesetError, example, RULESETS["vl"], "huff.turn")
