"""Cases with a history: who is asked them, what is sent, and what wrong answers to them show."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import pytest

import damspec
from damspec_runner.cases.cases import cases_for
from damspec_runner.engines.process import SubprocessEngine
from damspec_runner.engines.serve import HELLO, InProcessEngine
from damspec_runner.mutants.mutants import single_mutants
from damspec_runner.verify.ask import ask
from damspec_runner.verify.explain.diagnosis import explain
from damspec_runner.verify.run import RunConfig, check

ENGLISH = damspec.load_ruleset("english")
LASTING = [case for case in cases_for(ENGLISH) if case.history]
THIRD = next(case for case in LASTING if case.id == "english.ending.third-time-is-a-draw")


class Told(InProcessEngine):
    """The English game, and what it was asked."""

    def __init__(self) -> None:
        super().__init__(ENGLISH)
        self.asked: list[tuple[str, Any]] = []

    def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        self.asked.append((method, params))
        return super().ask(method, params)


def test_the_moves_are_sent_with_the_position() -> None:
    engine = Told()
    assert ask(engine, ENGLISH, HELLO, THIRD).status == "passed"
    assert engine.asked == [
        ("outcome", {"ruleset": "english", "position": "W:WK32:BK1", "moves": list(THIRD.history)}),
    ]


def test_a_failure_says_what_was_played_and_how_to_ask_again() -> None:
    """By other rules the position standing for the third time is no draw."""
    engine = InProcessEngine(damspec.load_ruleset("lb"))
    result = ask(engine, ENGLISH, HELLO, THIRD)
    assert result.status == "failed"
    assert result.case.setting == "W:WK32:BK1 after 32-28, 1-5, 28-32, 5-1, 32-28, 1-5, 28-32, 5-1"
    assert result.outcome is not None
    assert (result.outcome.expected, result.outcome.got) == ("draw", "ongoing")
    assert result.request is not None
    assert '"position":"W:WK32:BK1","moves":["32-28","1-5",' in result.request


@pytest.mark.parametrize("change", ["draws.repetition = 2", "draws.king-moves = 41", "draws.king-moves = null"])
def test_a_wrong_count_is_named(change: str) -> None:
    (hidden,) = [mutant.ruleset for mutant in single_mutants(ENGLISH) if mutant.name == change]
    report = check(ENGLISH, cases_for(ENGLISH), lambda: InProcessEngine(hidden), label="hidden")
    assert {result.status for result in report.results} == {"passed", "failed"}
    assert all(result.case.history for result in report.results if result.status == "failed")
    assert change in [name for fit in explain(report).complete for name in fit.hypothesis.names]


@pytest.mark.parametrize("ahead", [True, False])
def test_the_reference_answers_them(ahead: bool) -> None:
    config = RunConfig(times=1 if ahead else 2)
    engine = [sys.executable, "-m", "damspec_runner", "serve"]
    report = check(ENGLISH, LASTING, lambda: SubprocessEngine(engine, timeout=60.0), label="damspec", run_config=config)
    assert {result.status for result in report.results} == {"passed"}
