"""Engines that list no moves: a wrong rule in one that speaks Hub is found and named, by probing and by play."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import pytest

from damspec import load_ruleset
from damspec_runner.answers.player import RulePlayer, keys, passes
from damspec_runner.cases.answer import Question
from damspec_runner.cases.cases import Case, cases_for
from damspec_runner.engines.hub import HubEngine
from damspec_runner.engines.protocol import EngineError
from damspec_runner.engines.serve import HELLO, InProcessEngine
from damspec_runner.mutants.mutants import Mutant, single_mutants
from damspec_runner.mutants.ruleset_diff import is_movement
from damspec_runner.verify.ask import draw_positions
from damspec_runner.verify.candidates import offers
from damspec_runner.verify.explain.diagnosis import Diagnosis, explain
from damspec_runner.verify.explain.imitation import gives, has_answer
from damspec_runner.verify.report.serialize import as_json, read_reports
from damspec_runner.verify.result import Report
from damspec_runner.verify.run import RunConfig, check
from runner_fixtures import TESTS
from runs import usually

INTERNATIONAL = load_ruleset("international")
CASES = cases_for(INTERNATIONAL)
#: The same positions are offered the same moves whoever is asked.
OFFERS = partial(offers, INTERNATIONAL)
MUTANTS = {mutant.name: mutant for mutant in single_mutants(INTERNATIONAL) if is_movement(mutant.rules_changed[0])}
#: Changes that show in no list of moves in any case: in the place of a duty that another rule makes moot, or in what
#: becomes of a man.
UNSEEN = frozenset(
    {
        "king.capture.finish = continuing",
        "capture.duty = huffing",
        "capture.completion = may-stop",
        "promotion.rows = 2",
        "promotion.rows = 3",
        "promotion.return = not-crowned",
    }
)
#: Hidden in every run, and asked about a few cases; the others in a slow run, about all.
HIDDEN = ("capture.duty = optional", "man.capture.first = [forward-diagonals]", "capture.removal = at-once")


def probed(name: str, cases: Sequence[Case]) -> Report:
    """What is found of an engine that speaks Hub and has a change of the rules hidden in it."""
    command = [sys.executable, str(TESTS / "fakes" / "hub_engine.py"), name]
    board = INTERNATIONAL.rules.board
    once = RunConfig(second_asks=0)
    return check(
        INTERNATIONAL, cases, lambda: HubEngine(command, board, OFFERS, timeout=60.0), label=name, run_config=once
    )


def is_short(case: Case) -> bool:
    """Whether a case is about moves, and about none that takes other rules long to follow."""
    return case.expected.moves is not None and all(text.count("x") < 9 for text in case.expected.moves)


def named(found: Diagnosis) -> set[str]:
    return {name for fit in found.complete for name in fit.hypothesis.names}


@pytest.mark.parametrize("name", usually(HIDDEN[:1], HIDDEN, HIDDEN[2:]))
def test_a_wrong_rule_hidden_in_an_engine_is_named(name: str) -> None:
    told, player = [case for case in CASES if is_short(case)], RulePlayer(MUTANTS[name].ruleset)
    wrong = [case for case in told if not passes(player, Question(case, INTERNATIONAL))][:4]
    right = [case for case in told if case not in wrong][:12:3]
    report = probed(name, [*wrong, *right])
    assert report.hello.manner == "probed"
    assert report.counts["failed"] >= len(wrong) > 2
    found = explain(report)
    assert name in named(found)
    assert len(found.complete) < 4


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTANTS)
def test_every_wrong_rule_of_movement_is_named(name: str) -> None:
    report = probed(name, CASES)
    assert report.counts["error"] == report.counts["timeout"] == 0
    assert (report.counts["failed"] > 0) == (name not in UNSEEN)
    assert name in UNSEEN or name in named(explain(report))


def test_where_moves_lead_is_not_held_against_an_explanation_if_nobody_asked() -> None:
    """By the rules of three rows for crowning a man is crowned where none is, and lists the same moves."""
    report = asked_without_play("promotion.rows = 3")
    assert report.counts["failed"] == 0
    player = RulePlayer(MUTANTS["promotion.rows = 3"].ruleset)
    assert all(gives(player, each, leading=False) for each in report.results if has_answer(each))
    assert not all(passes(player, each.question) for each in report.results)


def asked_without_play(name: str) -> Report:
    """What is found of rules that list moves and do not say where these lead."""

    class Listing(InProcessEngine):
        def hello(self):  # type: ignore[no-untyped-def]
            return replace(super().hello(), questions=frozenset({"moves"}))

    return check(INTERNATIONAL, CASES, lambda: Listing(MUTANTS[name].ruleset), label=name)


# --- played


PLAYED = replace(HELLO, questions=frozenset({"plays"}), manner="played")


class Playing(InProcessEngine):
    """Plays any of the moves that some rules list."""

    def __init__(self, mutant: Mutant) -> None:
        super().__init__(mutant.ruleset)

    def hello(self):  # type: ignore[no-untyped-def]
        return PLAYED

    def ask(self, method, params):  # type: ignore[no-untyped-def]
        assert method == "plays"
        moves = super().ask("moves", params)["moves"]
        if not moves:
            raise EngineError("refused", "there is no move")
        return {"move": random.Random(params["position"]).choice(moves)}


@pytest.mark.parametrize("name", usually(("capture.duty = optional", "king.move.reach = 1"), HIDDEN, ()))
def test_a_wrong_rule_is_named_by_what_is_played(name: str) -> None:
    report = check(INTERNATIONAL, CASES, lambda: Playing(MUTANTS[name]), label=name)
    assert {result.status for result in report.results} <= {"passed", "failed", "unsupported"}
    assert report.counts["failed"] > 0
    assert name in named(explain(report))
    (again,) = read_reports(json.loads(json.dumps(as_json([report]))), "report")
    assert again.hello.manner == "played"
    assert [result.played for result in again.results] == [result.played for result in report.results]


def test_most_positions_drawn_have_one_legal_move() -> None:
    found = [position for _, position in draw_positions(INTERNATIONAL, 40, 7)]
    numbers = [len(keys(INTERNATIONAL.turns.actions(position))) for position in found]
    assert numbers[:30] == [1] * 30
    assert all(numbers)
    assert all(position.occupied("white") and position.occupied("black") for position in found)
    assert found == [position for _, position in draw_positions(INTERNATIONAL, 40, 7)]
    assert found != [position for _, position in draw_positions(INTERNATIONAL, 40, 8)]
