"""Moves to try on an engine that lists none, against what changed rules list and against lines drawn by hand."""

from __future__ import annotations

import pytest

from damspec import Move, Position, Ruleset, load_ruleset
from damspec_runner.answers.player import RulePlayer, keys
from damspec_runner.mutants.mutants import single_mutants
from damspec_runner.verify.candidates import candidates
from runs import usually


def tried(ruleset: Ruleset, fen: str) -> list[str]:
    return [str(action) for action in candidates(ruleset, ruleset.position(fen))]


def test_the_legal_moves_come_first_and_lapses_follow() -> None:
    assert tried(load_ruleset("lb"), "W:W21,22:B10,17,18")[:3] == ["21x14x7", "22x13", "22x15x6"]
    assert tried(load_ruleset("de"), "W:W22,32:B1,18")[:4] == ["22x15", "22-17", "32-27", "32-28"]


def test_each_is_given_once() -> None:
    ruleset = load_ruleset("international")
    found = candidates(ruleset, Position.start(ruleset.rules))
    assert len(keys(found)) == len(found)


def test_what_the_duty_to_capture_forbids_is_among_them() -> None:
    """On 32 a man that could step to 27 and 28; on 22 one that captures over 18 and could step to 17."""
    found = tried(load_ruleset("international"), "W:W32:B28")
    assert found[0] == "32x23"
    assert {"32-27", "32-28", "32-38", "32x19"} <= set(found)  # aside, onto a piece, backwards, too far


def test_the_moves_of_the_other_side_are_among_them() -> None:
    """By geometry alone: black's man on 1 steps forward to 6 and 7 though White is to move."""
    assert {"1-6", "1-7"} <= set(tried(load_ruleset("international"), "W:W32:B1"))


@pytest.mark.parametrize("id", usually((), ["international", "turkish", "de", "nl-trapdoor"], ["de", "nl-trapdoor"]))
def test_all_that_a_change_of_one_rule_lists_is_among_them(id: str) -> None:
    ruleset = load_ruleset(id)
    fen = {"de": "W:W22,K29:B1,15,18", "nl-trapdoor": "W:W26,31,K29:BK14,16:spin=green"}.get(
        id, "W:W32,33,K46:B9,18,28,29,K5"
    )
    position = ruleset.position(fen)
    found = keys(candidates(ruleset, position))
    for mutant in single_mutants(ruleset):
        player = RulePlayer(mutant.ruleset)
        if mutant.ruleset.rules.board == ruleset.rules.board:
            seen = player.fit(position)
            assert keys([*player.actions(seen), *player.lapsing(seen)]) <= found, mutant.name


def test_a_man_that_comes_to_the_promotion_row_is_crowned() -> None:
    ruleset = load_ruleset("international")
    found = {str(move): move for move in candidates(ruleset, ruleset.position("W:W7:B40"))}
    crowning, backwards = found["7-1"], found["7-12"]
    assert isinstance(crowning, Move)
    assert isinstance(backwards, Move)
    assert crowning.promotes
    assert not backwards.promotes
