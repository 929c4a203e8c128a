"""What wrong answers have in common, as a developer would say it, of engines with faults that are no rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

import damspec
from damspec import Move, Position, data
from damspec_runner.cases.cases import cases_for
from damspec_runner.verify.diagnosis import diagnose, observations
from damspec_runner.verify.interview import Interview
from damspec_runner.verify.observation import HELLO, Observation, SimulatedEngine
from damspec_runner.verify.patterns import FEWEST, GROUPS, KnownAnswers, Pattern, pattern
from damspec_runner.verify.report.serialize import as_json
from damspec_runner.verify.result import Report
from damspec_runner.verify.run import check

#: What an engine lists of the legal moves of pieces.
Fault = Callable[[Position, Sequence[Move]], Sequence[Move]]
LB = damspec.load_ruleset("lb")


class Faulty(SimulatedEngine):
    """It plays lb, but for the moves that it lists."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(LB)
        self.fault = fault

    def _answer(self, method: str, params: Mapping[str, Any]) -> Any:
        if method != "moves":
            return super()._answer(method, params)
        legal = self._legal(params["position"])
        moves = [action for action in legal if isinstance(action, Move)]
        return {"moves": list(map(str, self.fault(legal.position, moves)))}


def places(position: Position, move: Move) -> list[tuple[int, int]]:
    return [position.board.places[square - 1] for square in move.path]


def is_king(position: Position, move: Move) -> bool:
    return bool(position.kings(position.turn) & position.board.bit(move.start))


def to_the_lower_right(position: Position, move: Move) -> bool:
    return any(c1 > c0 and r1 < r0 for (c0, r0), (c1, r1) in pairwise(places(position, move)))


def report(fault: Fault) -> Report:
    return check(LB, cases_for(LB), lambda: Faulty(fault), label="faulty")


def common(fault: Fault) -> list[Pattern]:
    return patterns(observations(LB, report(fault).answers))


def patterns(seen: Sequence[Observation]) -> list[Pattern]:
    return [found for group in GROUPS if (found := pattern(group, KnownAnswers([*seen])))]


@pytest.mark.parametrize(
    ("fault", "about", "words"),
    [
        (
            lambda at, moves: [m for m in moves if not (is_king(at, m) and to_the_lower_right(at, m))],
            "missing: moves",
            "by kings to the lower right",
        ),
        (lambda at, moves: [m for m in moves if not {4, 5} & set(m.path)], "missing: moves", "touch square 4 or 5"),
        (lambda at, moves: [m for m in moves if places(at, m)[-1][0] < 7], "missing: moves", "onto the right edge"),
        (lambda at, moves: [m for m in moves if len(m.captured) < 4], "missing: moves", "capture 4 or more pieces"),
        (lambda at, moves: [] if at.turn == "white" else moves, "wrong: answers", "for White"),
    ],
    ids=["a direction of kings", "two squares", "an edge", "long captures", "one side"],
)
def test_a_fault_that_is_no_rule_is_described(fault: Fault, about: str, words: str) -> None:
    (found,) = [found for found in common(fault) if found.about == about]
    assert words in found.words


def without_four_and_five(at: Position, moves: Sequence[Move]) -> Sequence[Move]:
    return [move for move in moves if not {4, 5} & set(move.path)]


def test_a_description_says_how_many_it_is_of() -> None:
    done = report(without_four_and_five)
    (found,) = patterns(observations(LB, done.answers))
    wrong = [result for result in done.results if result.missing]
    number = sum(len(result.missing) for result in wrong)
    assert found.line() == f"missing: moves that touch square 4 or 5 (all {number}, and no right one)"
    assert found.cases == tuple(result.case.id for result in wrong)


@pytest.mark.slow
def test_a_description_goes_before_rules_that_explain_less() -> None:
    """A change of directions would explain what one side lacks of it."""

    def fault(at: Position, moves: Sequence[Move]) -> Sequence[Move]:
        return [m for m in moves if not (is_king(at, m) and to_the_lower_right(at, m))]

    done = report(fault)
    failed = [result.case.id for result in done.results if result.status in ("failed", "reading")]
    with Interview(LB, lambda: Faulty(fault), HELLO) as interview:
        found = diagnose(LB, observations(LB, done.answers), failed, interview=interview)
    assert not found.complete
    assert not found.partial
    assert found.lines()[0].startswith("missing: moves by kings to the lower right (all ")
    content = as_json([replace(done, diagnosis=found.as_json())])
    assert data.schema_problem(content, "report") is None


def test_nothing_is_said_of_what_has_nothing_in_common() -> None:
    """It leaves out a move of every seventh position, whatever it is."""
    count = 0

    def fault(at: Position, moves: Sequence[Move]) -> Sequence[Move]:
        nonlocal count
        count += 1
        return moves if count % 7 else moves[1:]

    assert common(fault) == []


def test_one_wrong_answer_has_nothing_in_common_with_others() -> None:
    done = report(lambda at, moves: moves[1:] if at.fen().startswith("W:W17,25:") else moves)
    assert FEWEST == 2
    wrong = [one for one in observations(LB, done.answers) if not one.passed]
    assert patterns(wrong[:1]) == []
