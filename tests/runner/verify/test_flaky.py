"""Flaky engines: answers that differ, and those that only differ in how the same moves are written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count
from typing import Any

import damspec
from damspec import Ruleset
from damspec_runner.cases.adapt import make_case
from damspec_runner.cases.answer import Question
from damspec_runner.engines.known import ExpectedFailures
from damspec_runner.engines.serve import InProcessEngine
from damspec_runner.verify import baseline
from damspec_runner.verify.explain import diagnosis
from damspec_runner.verify.report.regressions import compare_reports
from damspec_runner.verify.result import DIFFERS, RIGHT_ALONE, Report, read_answer
from damspec_runner.verify.run import RunConfig, check
from reports import result

VL = damspec.load_ruleset("vl")
#: The man takes 14, 15, 22 and 23 and comes back to 26, one way round or the other: one move by two paths.
FEN = "W:W26:B1,14,15,22,23"
PATHS = ("26x17x10x19x26", "26x19x10x17x26")


class Rewriting(InProcessEngine):
    """An engine whose answers are rewritten, each by its number among all answers of all its processes."""

    def __init__(self, ruleset: Ruleset, rewrite: Callable[[int, str, Any], Any], numbers: Any) -> None:
        super().__init__(ruleset)
        self._rewrite, self._numbers = rewrite, numbers

    def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        return self._rewrite(next(self._numbers), method, super().ask(method, params))


def checked(rewrite: Callable[[int, str, Any], Any], *, fen: str = FEN, rules: Ruleset = VL, times: int = 1) -> Report:
    case = make_case(VL, VL.position(fen), "moves", "vl.multi-jump.x", "multi-jump", readings=False)
    numbers = count()
    return check(
        VL,
        [case],
        lambda: Rewriting(rules, rewrite, numbers),
        label="x",
        run_config=RunConfig(times=times, second_asks=5),
    )


def from_a_set(extra: tuple[str, ...] = ()) -> Callable[[int, str, Any], Any]:
    """Lists the round by one path or the other, and what is extra before or behind it, turn about."""

    def rewrite(number: int, method: str, answer: Any) -> Any:
        if method == "moves":
            listed = [PATHS[number % 2], *extra]
            return {"moves": listed[:: -1 if number % 2 else 1]}
        if method == "play" and number % 2:
            turn, *sides = answer["position"].split(":")
            return {"position": ":".join([turn, *reversed(sides)])}
        return answer

    return rewrite


def test_a_list_from_a_set_is_the_same_list() -> None:
    """The path and the order change between askings, and how the position after is written; the move does not."""
    for times in (1, 2, 3):
        (result,) = checked(from_a_set(), times=times).results
        assert (result.status, result.message) == ("passed", None)


def test_a_wrong_list_from_a_set_fails_and_is_not_flaky() -> None:
    """26x19x10 stops half round: 23 and 15 taken; by 22 and 14 it comes to the same square and is another move."""
    for times in (1, 2, 3):
        (result,) = checked(from_a_set(("26x19x10", "26x17x10")), times=times).results
        assert (result.status, set(result.extra)) == ("failed", {"26x19x10", "26x17x10"})


def test_extra_moves_are_the_same_by_another_path() -> None:
    """Where the rule is another game's, a whole round is extra by the path that came up in each asking."""
    question = Question(make_case(VL, VL.position(FEN), "moves", "x", "games"), VL)

    def agree(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
        return read_answer(question, one).agrees(read_answer(question, other))

    one, other = (
        {"extra": [path], "after": {PATHS[0]: {"expected": FEN, "got": got}}}
        for path, got in zip(PATHS, ("B:WK26:B1", "B:B1:WK26"), strict=True)
    )
    assert agree(one, other)
    assert not agree(one, {**other, "extra": ["26x19x10"]})
    assert not agree(one, {"extra": list(PATHS[:1])})
    assert agree(*({"extra": [f"26x26 (takes {taken})"]} for taken in ("14, 15, 22, 23", "23, 22, 15, 14")))
    unreadable = {"extra": ["21-21", "lapse 99x1"], "unparsable": ["?"], "start": {"expected": FEN, "got": "lost"}}
    assert agree(unreadable, {**unreadable, "extra": ["lapse 99x1", "21-21"]})


def test_two_runs_of_an_engine_that_lists_from_a_set_are_the_same() -> None:
    """So says the comparison of two reports, and a run held to the failures that are known."""
    case = make_case(VL, VL.position(FEN), "moves", "vl.multi-jump.x", "multi-jump", readings=False)
    runs = [
        Report(VL, "x", InProcessEngine(VL).hello(), (result(case, "failed", extra=["26x99", path]),)) for path in PATHS
    ]
    (progress,) = compare_reports(runs[:1], runs[1:])
    assert [each.change for each in progress.cases] == ["same"]
    listed = ExpectedFailures("x", "1", "vl", {}, {case.id: {"cause": "c", "faults": runs[0].results[0].faults()}})
    assert baseline.unexpected_results(listed, runs[1]) == ()


def test_answers_that_differ_are_not_said_to_be_right_when_asked_alone() -> None:
    """The list is empty, then has a wrong move: neither is right, asked alone or not."""

    lists = count()

    def rewrite(number: int, method: str, answer: Any) -> Any:
        return {"moves": [] if next(lists) % 2 else ["26-31"]} if method == "moves" else answer

    for times in (1, 2):
        report = checked(rewrite, times=times)
        (result,) = report.results
        assert result.status == "unstable"
        assert str(result.message).startswith(DIFFERS)
        assert RIGHT_ALONE not in str(result.message)
        assert not any("right when asked alone" in line for line in diagnosis.explain(report).lines())


def test_what_a_fresh_process_answers_right_may_be_chance() -> None:
    """Wrong once and right ever after: state of earlier questions, or luck; the report leaves both open."""
    smoke = 1

    def rewrite(number: int, method: str, answer: Any) -> Any:
        return {"moves": []} if method == "moves" and number == smoke else answer

    report = checked(rewrite)
    (result,) = report.results
    assert (result.status, result.message) == ("unstable", RIGHT_ALONE)
    assert diagnosis.explain(report).lines() == [
        "1 wrong answers were right when asked alone: they depend on earlier questions or on chance"
    ]
