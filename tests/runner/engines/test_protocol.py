"""The protocol's messages: requests have the schema's form, and what is wrong with an answer is said in one line."""

from __future__ import annotations

import json
from typing import Any

import pytest

from damspec import data
from damspec_runner.engines import protocol
from damspec_runner.engines.protocol import AnswerLimits, EngineError, UnsupportedError
from refusals import raised, refusal
from runs import for_each

FEN = "W:W21:B17"


def answer(result: Any, **more: Any) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": 5, "result": result, **more})


def error_answer(code: int, message: str) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": 5, "error": {"code": code, "message": message}})


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("hello", protocol.hello_params()),
        ("start", {"ruleset": "lb"}),
        ("start", {"ruleset": "lb", "rules": {"board.size": "8x8"}}),
        ("moves", {"ruleset": "lb", "position": FEN}),
        ("moves", {"ruleset": "lb", "position": FEN, "rules": {"board.size": "8x8"}}),
        ("play", {"ruleset": "lb", "position": FEN, "move": "21x14"}),
        ("play", {"ruleset": "lb", "position": FEN, "move": {"move": "21x14", "captured": [17]}}),
        ("outcome", {"ruleset": "lb", "position": FEN}),
        ("quit", None),
    ],
)
def test_a_request_is_one_line_of_the_form_the_schema_says(method: str, params: Any) -> None:
    line = protocol.request(7, method, params)
    assert "\n" not in line
    assert data.schema_problem(json.loads(line), "protocol", f"{method}.request") is None


def test_an_answer_gives_its_result() -> None:
    assert protocol.result(answer({"moves": ["21x14"]}), 5, "moves") == {"moves": ["21x14"]}
    assert protocol.result(answer({"moves": [], "lapses": [], "depth": 3}, extra=1), 5, "moves")["moves"] == []
    assert protocol.result(answer(None), 5, "quit") is None


BAD: dict[str, tuple[str, str, str, str]] = {
    # what comes, for which question, the kind of error, a piece of the message
    "no JSON": ("thinking ...", "moves", "json", "'thinking ...'"),
    "cut off": ('{"jsonrpc": "2.0", "id"', "moves", "json", "malformed JSON"),
    "a number too long to read": ("9" * 5000, "moves", "json", "malformed JSON"),
    "too deep": ("[" * 100_000, "moves", "json", "malformed JSON"),
    "a list": ("[]", "moves", "form", "expected object"),
    "null": ("null", "moves", "form", "expected object"),
    "no id": ('{"jsonrpc": "2.0", "result": 1}', "moves", "form", "missing 'id'"),
    "another version": ('{"jsonrpc": "1.0", "id": 5, "result": 1}', "moves", "form", '"1.0"'),
    "neither result nor error": ('{"jsonrpc": "2.0", "id": 5}', "moves", "form", "'result', 'error'"),
    "an error without code": ('{"jsonrpc": "2.0", "id": 5, "error": {"message": "no"}}', "moves", "form", "'code'"),
    "an error that is text": ('{"jsonrpc": "2.0", "id": 5, "error": "no"}', "moves", "form", '"no"'),
    "another id": ('{"jsonrpc": "2.0", "id": 4, "result": 1}', "moves", "id", "with id 4, expected 5"),
    "the id as text": ('{"jsonrpc": "2.0", "id": "5", "result": 1}', "moves", "id", "'5', expected 5"),
    "moves: a string": (answer({"moves": "21-17"}), "moves", "form", 'moves: found "21-17", expected array'),
    "moves: a list": (answer(["21-17"]), "moves", "form", "expected object"),
    "moves: missing": (answer({}), "moves", "form", "missing 'moves'"),
    "moves: an empty move": (answer({"moves": [""]}), "moves", "form", "moves.0"),
    "moves: a number": (answer({"moves": [2117]}), "moves", "form", "moves.0"),
    "moves: an object without captured": (answer({"moves": [{"move": "21x7"}]}), "moves", "form", "moves.0"),
    "moves: captured as text": (answer({"moves": [{"move": "21x7", "captured": "17"}]}), "moves", "form", "moves.0"),
    "start: missing": (answer({"fen": FEN}), "start", "form", "missing 'position'"),
    "start: not a text": (answer({"position": ["W:W21:B17"]}), "start", "form", "expected string"),
    "play: missing": (answer({"fen": FEN}), "play", "form", "missing 'position'"),
    "play: null": (answer({"position": None}), "play", "form", "found null, expected string"),
    "outcome: another word": (answer({"outcome": "won"}), "outcome", "form", '"won", expected one of "ongoing"'),
    "hello: another protocol": (
        answer({"protocol": 2, "name": "x", "version": "1", "rulesets": "*", "questions": []}),
        "hello",
        "form",
        "protocol: found 2, expected 1",
    ),
    "hello: no name": (answer({"protocol": 1}), "hello", "form", "missing 'name'"),
    "hello: an unknown question": (
        answer({"protocol": 1, "name": "x", "version": "1", "rulesets": "*", "questions": ["divide"]}),
        "hello",
        "form",
        '"divide"',
    ),
    "refused": (error_answer(-32000, "I will\n not"), "moves", "refused", "error -32000: I will not"),
}


@for_each(("line", "method", "kind", "piece"), BAD.values())
def test_a_bad_answer_is_told_in_one_line_that_quotes_it(line: str, method: str, kind: str, piece: str) -> None:
    error = raised(EngineError, protocol.result, line + "\n", 5, method)
    message = str(error)
    assert error.kind == kind
    assert piece in message
    assert message.startswith(f"answered {method} with ")
    assert message.isprintable()
    assert len(message) < 500


@pytest.mark.parametrize("code", [protocol.UNSUPPORTED, protocol.METHOD_NOT_FOUND])
def test_unsupported_is_no_error(code: int) -> None:
    assert (
        refusal(UnsupportedError, protocol.result, error_answer(code, "no kings\nhere \x1b"), 5, "moves")
        == "no kings here \\x1b"
    )


def test_hello_says_which_rulesets_and_questions() -> None:
    given = {"protocol": 1, "name": "x\x1b", "version": "1", "rulesets": ["lb"], "questions": ["moves"], "author": "y"}
    hello = protocol.hello(protocol.result(answer(given), 5, "hello"))
    assert (hello.name, hello.version, hello.questions) == (r"x\x1b", "1", frozenset({"moves"}))
    assert hello.plays("lb")
    assert not hello.plays("lb?origin=occupied")
    assert protocol.hello({**given, "rulesets": "*"}).plays("anything")
    assert protocol.hello({**given, "rules": True}).plays("anything")


def test_long_lines_are_cut_when_quoted() -> None:
    assert protocol.excerpt(" short \n") == "'short'"
    assert len(protocol.excerpt("x" * 10_000)) < 130


def test_text_is_shown_without_what_cannot_be_shown() -> None:
    assert protocol.strip_control_characters("né 1 <&>") == "né 1 <&>"
    assert protocol.strip_control_characters("\x00\x1b[31m\ud800\n") == r"\x00\x1b[31m\ud800\n"


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
def test_an_answer_beyond_the_limits_is_refused_in_one_line(method: str, result: Any, expected: str) -> None:
    limits = AnswerLimits(moves=3, move=10, position=15)
    error = raised(EngineError, protocol.result, answer(result), 5, method, limits)
    assert error.kind == "size"
    assert str(error).startswith(f"answered {method} with {expected}")
    assert str(error).isprintable()


def test_an_answer_just_within_the_limits_is_taken() -> None:
    limits = AnswerLimits(moves=3, move=10, position=15)
    for result in ({"moves": ["1234567890"] * 3}, {"position": "W:W1:B2,3,4,5,6"}):
        assert protocol.oversize(result, limits) == ""
