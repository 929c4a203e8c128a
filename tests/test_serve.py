"""The reference as an engine: each message has an answer of the schema's form; only `quit` and the end end it."""

from __future__ import annotations

import io
import json
import subprocess
from typing import Any

import pytest

import damspec
from damspec import NotInterpreted, data
from damspec_runner import protocol
from damspec_runner.serve import respond, serve
from runner_fixtures import DAMSPEC

FEN = "W:W21,22:B10,17,18"


def asked(method: str, **params: Any) -> dict[str, Any]:
    answer, last = respond(protocol.request(3, method, params or None))
    assert data.problem(answer, "protocol", "answer") is None
    assert answer["id"] == 3
    assert last == (method == "quit")
    if "result" in answer:
        assert data.problem(answer["result"], "protocol", f"{method}.result") is None
    return answer


def test_hello_says_what_it_plays() -> None:
    hello = protocol.hello(asked("hello", **protocol.hello_params())["result"])
    assert (hello.name, hello.version) == ("damspec", damspec.__version__)
    assert hello.rulesets == frozenset(damspec.ruleset_ids())
    assert hello.questions == frozenset({"moves", "play", "outcome"})
    assert hello.plays("vl?priority=multiple-first")


def test_the_three_questions() -> None:
    assert asked("moves", ruleset="lb", position=FEN)["result"]["moves"] == ["21x14x7", "22x13", "22x15x6"]
    assert asked("play", ruleset="lb", position=FEN, move="21x7")["result"] == {"position": "B:W7,22:B18"}
    move = {"move": "21x14x7", "captured": [10, 17]}
    assert asked("play", ruleset="lb", position=FEN, move=move)["result"] == {"position": "B:W7,22:B18"}
    assert asked("outcome", ruleset="lb", position="W:W21:B14,17")["result"] == {
        "outcome": "black",
        "reason": "no-moves",
    }
    assert asked("outcome", ruleset="lb", position=FEN)["result"] == {"outcome": "ongoing", "reason": None}
    assert asked("quit")["result"] is None


def test_rules_sent_whole_count_for_more_than_the_id() -> None:
    position = "W:W17,28,29:B11,14,16,18,24,25"
    values = dict(damspec.ruleset("vl?priority=multiple-first").values)
    by_id = asked("moves", ruleset="vl?priority=multiple-first", position=position)["result"]
    whole = asked("moves", ruleset="my-own", position=position, rules=values)["result"]
    assert whole == by_id
    assert whole != asked("moves", ruleset="vl", position=position)["result"]


@pytest.mark.parametrize(
    ("line", "code", "piece"),
    [
        ("nonsense", -32700, "malformed JSON"),
        ("9" * 5000, -32700, "malformed JSON"),
        ("[" * 100_000, -32700, "malformed JSON"),
        ("[]", -32600, "JSON-RPC"),
        ("null", -32600, "JSON-RPC"),
        ('{"id": 3, "method": 7}', -32600, "JSON-RPC"),
        ('{"jsonrpc": "2.0", "id": 3, "method": "perft"}', -32601, "no method 'perft'"),
        ('{"jsonrpc": "2.0", "id": 3, "method": "moves"}', -32602, "missing 'params'"),
        ('{"jsonrpc": "2.0", "id": 3, "method": "moves", "params": {"ruleset": "lb"}}', -32602, "missing 'position'"),
        ('{"jsonrpc": "2.0", "id": 3, "method": "hello", "params": {"protocol": 2}}', -32602, "params"),
        ('{"jsonrpc": "2.0", "id": [3], "method": "perft"}', -32601, "no method"),
    ],
)
def test_a_bad_message_is_answered_with_an_error(line: str, code: int, piece: str) -> None:
    answer, last = respond(line)
    assert data.problem(answer, "protocol", "answer") is None
    assert answer["error"]["code"] == code
    assert piece in answer["error"]["message"]
    assert not last


@pytest.mark.parametrize(
    ("method", "params", "piece"),
    [
        ("moves", {"ruleset": "englsh", "position": FEN}, "unknown ruleset 'englsh'; did you mean 'english'?"),
        ("moves", {"ruleset": "lb", "position": "W:W99:B1"}, "'W:W99:B1': no square 99"),
        ("moves", {"ruleset": "lb", "position": FEN, "rules": {}}, "rules sent whole for 'lb'"),
        ("play", {"ruleset": "lb", "position": FEN, "move": "21-17"}, "illegal move '21-17'"),
        ("play", {"ruleset": "lb", "position": FEN, "move": "sideways"}, "'sideways' is no move"),
    ],
)
def test_what_cannot_be_answered_is_told_in_one_line(method: str, params: dict[str, Any], piece: str) -> None:
    error = asked(method, **params)["error"]
    assert error["code"] == -32602
    assert piece in error["message"]
    assert "\n" not in error["message"]


def test_rules_it_cannot_play_are_unsupported(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise NotInterpreted("not yet")

    monkeypatch.setattr(damspec, "legal_moves", refuse)
    assert asked("moves", ruleset="lb", position=FEN)["error"] == {"code": -32001, "message": "not yet"}


def test_a_line_is_answered_by_a_line_until_quit() -> None:
    questions = ["", "nonsense", "  ", protocol.request(1, "quit", None), protocol.request(2, "quit", None)]
    answers = io.StringIO()
    serve(io.StringIO("\n".join(questions) + "\n"), answers)
    assert [json.loads(line)["id"] for line in answers.getvalue().splitlines()] == [None, 1]


def test_the_command_outlives_what_is_no_text() -> None:
    given = b"\xff\xfe\x00\n" + protocol.request(1, "quit", None).encode() + b"\n"
    done = subprocess.run([*DAMSPEC, "serve"], input=given, capture_output=True, timeout=30, check=True)
    assert done.stderr == b""
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == [None, 1]
