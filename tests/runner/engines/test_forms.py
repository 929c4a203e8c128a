"""The quick look at answers: what it takes the schema takes, and what real engines say it takes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from damspec import data
from damspec_runner.engines import protocol
from damspec_runner.engines.protocol import LIMITS, AnswerLimits, EngineError

VALUES = some.recursive(
    some.none() | some.booleans() | some.integers(-1, 3) | some.sampled_from([1.0, "", "21-17", "draw", "2.0"]),
    lambda inner: (
        some.lists(inner, max_size=3)
        | some.dictionaries(
            some.sampled_from(["moves", "lapses", "move", "captured", "position", "outcome", "reason", "x"]), inner
        )
    ),
)
MESSAGES = some.fixed_dictionaries(
    {}, optional={"jsonrpc": some.just("2.0") | VALUES, "id": VALUES, "result": VALUES, "error": VALUES}
)


@given(VALUES, some.sampled_from(["start", "moves", "play", "outcome", "quit", "hello"]))
def test_what_looks_right_is_right_by_the_schema(value: Any, method: str) -> None:
    if protocol.is_result_of(value, method):
        assert data.schema_problem(value, "protocol", f"{method}.result") is None


@given(MESSAGES | VALUES)
def test_what_looks_like_an_answer_is_one_by_the_schema(message: Any) -> None:
    if protocol.is_result_message(message):
        assert data.schema_problem(message, "protocol", "answer") is None


QUESTIONS = some.fixed_dictionaries(
    {
        "jsonrpc": some.just("2.0") | VALUES,
        "id": VALUES,
        "method": some.sampled_from(["moves", "play", "outcome", "start", "hello", "quit"]) | VALUES,
        "params": some.dictionaries(some.sampled_from(["ruleset", "position", "move", "rules", "x"]), VALUES) | VALUES,
    }
)


@given(QUESTIONS | VALUES)
def test_what_looks_like_a_question_is_one_by_the_schema(message: Any) -> None:
    if protocol.is_request(message):
        assert data.schema_problem(message, "protocol", f"{message['method']}.request") is None


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("moves", {"position": "W:W21:B1"}),
        ("moves", {"position": "W:W21:B1", "rules": {"board.size": "8x8"}}),
        ("play", {"position": "W:W21:B1", "move": "21-17"}),
        ("outcome", {"position": "W:W21:B1"}),
    ],
)
def test_the_runners_questions_are_not_looked_at_twice(method: str, params: dict[str, Any]) -> None:
    message = json.loads(protocol.request(7, method, {"ruleset": "lb", **params}))
    assert protocol.is_request(message)
    assert not protocol.is_request({**message, "params": {**message["params"], "x": 1}})
    assert not protocol.is_request({**message, "id": True})


@pytest.mark.parametrize(
    ("method", "result"),
    [
        ("moves", {"moves": []}),
        ("moves", {"moves": ["21-17", {"move": "21x7", "captured": [10, 17]}], "lapses": ["22-18"]}),
        ("play", {"position": "W:W21:B1", "depth": 3}),
        ("start", {"position": "W:W21:B1"}),
        ("outcome", {"outcome": "draw"}),
        ("outcome", {"outcome": "white", "reason": None}),
        ("quit", None),
    ],
)
def test_what_engines_answer_is_not_looked_at_twice(method: str, result: Any) -> None:
    assert protocol.is_result_of(result, method)
    assert protocol.is_result_message({"jsonrpc": "2.0", "id": 5, "result": result})
    assert protocol.oversize(result, LIMITS) == ""


@pytest.mark.parametrize(
    ("method", "result", "expected"),
    [
        ("moves", {"moves": ["1-5"] * 4}, "4 moves, expected at most 3"),
        ("moves", {"moves": [], "lapses": ["1-5"] * 4}, "4 lapses, expected at most 3"),
        ("moves", {"moves": ["1-5"], "position": "x", "lapses": ["12345678901"]}, "an entry of length 11 in lapses"),
        ("moves", {"moves": [{"move": "12345678901", "captured": []}]}, "an entry of length 11 in moves"),
        ("moves", {"moves": [{"move": "1-5", "captured": [1] * 11}]}, "an entry of length 11 in moves"),
        ("play", {"position": "W:W1:B2,3,4,5,6,7,8"}, "a position of 19 characters, expected at most 15"),
        ("hello", {"name": "12345678901"}, "a name of 11 characters, expected at most 10"),
    ],
)
def test_what_is_too_large_is_said_in_one_line(method: str, result: Any, expected: str) -> None:
    limits = AnswerLimits(moves=3, move=10, position=15)
    with pytest.raises(EngineError) as caught:
        protocol.result(json.dumps({"jsonrpc": "2.0", "id": 5, "result": result}), 5, method, limits)
    assert caught.value.kind == "size"
    assert str(caught.value).startswith(f"answered {method} with {expected}")
    assert str(caught.value).isprintable()


def test_just_what_is_let_in_is_let_in() -> None:
    limits = AnswerLimits(moves=3, move=10, position=15)
    for result in ({"moves": ["1234567890"] * 3}, {"position": "W:W1:B2,3,4,5,6"}):
        assert protocol.oversize(result, limits) == ""
