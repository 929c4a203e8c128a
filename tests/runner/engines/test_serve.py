"""The reference as an engine: each message has an answer of the schema's form; only `quit` and the end end it."""

from __future__ import annotations

import io
import json
import subprocess
from typing import Any

import pytest

import damspec
from damspec import data
from damspec_runner.engines import protocol
from damspec_runner.engines.serve import respond, serve
from runner_fixtures import DAMSPEC
from runs import EVERY

FEN = "W:W21,22:B10,17,18"


def asked(method: str, **params: Any) -> dict[str, Any]:
    answer, last = respond(protocol.request(3, method, params or None))
    assert data.schema_problem(answer, "protocol", "answer") is None
    assert answer["id"] == 3
    assert last == (method == "quit")
    if "result" in answer:
        assert data.schema_problem(answer["result"], "protocol", f"{method}.result") is None
    return answer


def test_hello_says_what_it_plays() -> None:
    hello = protocol.hello(asked("hello", **protocol.hello_params())["result"])
    assert (hello.name, hello.version) == ("damspec", damspec.__version__)
    assert hello.rulesets == frozenset(damspec.ruleset_ids())
    assert hello.questions == frozenset({"start", "moves", "play", "outcome", "perft", "legal", "plays"})
    assert hello.plays("vl?priority=multiple-first")
    assert hello.history


@pytest.mark.parametrize("id", EVERY)
def test_where_a_game_starts(id: str) -> None:
    ruleset = damspec.load_ruleset(id)
    (told,) = asked("start", ruleset=id)["result"].values()
    assert told == ruleset.position().fen()
    rules = json.loads(json.dumps(ruleset.inline_values))
    assert asked("start", ruleset="my-own", rules=rules)["result"] == {"position": told}


def test_the_questions_about_a_position() -> None:
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


def test_the_outcome_after_moves() -> None:
    """The first position stands for the third time; without the last move White's king is elsewhere."""
    moves = 2 * ["32-28", "1-5", "28-32", "5-1"]
    draw, ongoing = {"outcome": "draw", "reason": "repetition"}, {"outcome": "ongoing", "reason": None}
    assert asked("outcome", ruleset="english", position="W:WK32:BK1", moves=moves)["result"] == draw
    assert asked("outcome", ruleset="english", position="W:WK32:BK1", moves=moves[:-1])["result"] == ongoing
    assert asked("outcome", ruleset="lb", position="W:WK32:BK1", moves=moves)["result"] == ongoing
    assert asked("outcome", ruleset="lb?draws=federation", position="W:WK32:BK1", moves=moves)["result"] == draw


def test_rules_sent_whole_count_for_more_than_the_id() -> None:
    position = "W:W17,28,29:B11,14,16,18,24,25"
    values = dict(damspec.load_ruleset("vl?priority=multiple-first").values)
    by_id = asked("moves", ruleset="vl?priority=multiple-first", position=position)["result"]
    whole = asked("moves", ruleset="my-own", position=position, rules=values)["result"]
    assert whole == by_id
    assert whole != asked("moves", ruleset="vl", position=position)["result"]


@pytest.mark.parametrize("id", EVERY)
def test_every_ruleset_can_be_sent_whole(id: str) -> None:
    """With its layout inline, so that an engine needs no file."""
    values = json.loads(json.dumps(damspec.load_ruleset(id).inline_values))
    if "trapdoors.layout" in values:
        assert len(values["trapdoors.layout"]["sliders"]) == 4
    for method in ("moves", "outcome"):
        by_id = asked(method, ruleset=id, position="start")["result"]
        assert asked(method, ruleset="my-own", position="start", rules=values)["result"] == by_id


def test_another_layout_travels_whole() -> None:
    values = dict(damspec.load_ruleset("nl-trapdoor").inline_values)
    layout = {**values["trapdoors.layout"], "sliders": [{"id": "G7", "colour": "green", "left": 14, "right": 16}]}
    given = {"ruleset": "my-own", "position": "W:W21:B5,14:sliders=M:spin=green", "rules": values}
    values["trapdoors.layout"] = layout
    assert asked("moves", **given)["result"] == {"moves": ["G7=L", "G7=R"], "lapses": []}
    assert asked("play", **given, move="G7=L")["result"] == {"position": "B:W21:B5:sliders=L"}
    values["trapdoors.layout"] = {**layout, "board": "10x10"}
    error = asked("moves", **given)["error"]
    assert error["code"] == -32602
    assert "10x10" in error["message"]


def test_turns_of_more_than_a_move() -> None:
    assert asked("moves", ruleset="nl-trapdoor", position="W:W21:B5")["result"] == {
        "moves": ["spin=disc", "spin=green", "spin=orange"],
        "lapses": [],
    }
    assert asked("moves", ruleset="de", position="W:W21,30:B17")["result"] == {
        "moves": ["21x14"],
        "lapses": ["30-25", "30-26"],
    }
    lapsed = asked("play", ruleset="de", position="W:W21,30:B17", move="30-26")["result"]["position"]
    assert lapsed == "B:W21,26:B17:huffable=30-26"
    assert asked("moves", ruleset="de", position=lapsed)["result"]["moves"] == ["17-22", "huff 21", "retract"]
    assert asked("play", ruleset="de", position=lapsed, move="huff 21")["result"] == {"position": "B:W26:B17"}


@pytest.mark.parametrize(
    ("line", "code", "piece"),
    [
        ("nonsense", -32700, "malformed JSON"),
        ("9" * 5000, -32700, "malformed JSON"),
        ("[" * 100_000, -32700, "malformed JSON"),
        ("[]", -32600, "JSON-RPC"),
        ("null", -32600, "JSON-RPC"),
        ('{"id": 3, "method": 7}', -32600, "JSON-RPC"),
        ('{"jsonrpc": "2.0", "id": 3, "method": "divide"}', -32601, "no method 'divide'"),
        ('{"jsonrpc": "2.0", "id": 3, "method": "moves"}', -32602, "missing 'params'"),
        ('{"jsonrpc": "2.0", "id": 3, "method": "moves", "params": {"ruleset": "lb"}}', -32602, "missing 'position'"),
        ('{"jsonrpc": "2.0", "id": 3, "method": "hello", "params": {"protocol": 2}}', -32602, "params"),
        ('{"jsonrpc": "2.0", "id": [3], "method": "divide"}', -32601, "no method"),
    ],
)
def test_a_bad_message_is_answered_with_an_error(line: str, code: int, piece: str) -> None:
    answer, last = respond(line)
    assert data.schema_problem(answer, "protocol", "answer") is None
    assert answer["error"]["code"] == code
    assert piece in answer["error"]["message"]
    assert not last


@pytest.mark.parametrize(
    ("method", "params", "piece"),
    [
        ("start", {"ruleset": "englsh"}, "unknown ruleset 'englsh'; did you mean 'english'?"),
        ("moves", {"ruleset": "englsh", "position": FEN}, "unknown ruleset 'englsh'; did you mean 'english'?"),
        ("moves", {"ruleset": "lb", "position": "W:W99:B1"}, "'W:W99:B1': no square 99"),
        ("moves", {"ruleset": "lb", "position": FEN, "rules": {}}, "rules sent whole for 'lb'"),
        ("play", {"ruleset": "lb", "position": FEN, "move": "21-17"}, "illegal move '21-17'"),
        ("outcome", {"ruleset": "lb", "position": FEN, "moves": ["22x13", "21-17"]}, "illegal move '21-17' in B:"),
        ("outcome", {"ruleset": "lb", "position": FEN, "moves": "22x13"}, "params.moves: "),
        ("play", {"ruleset": "lb", "position": FEN, "move": "sideways"}, "'sideways' is no action"),
    ],
)
def test_what_cannot_be_answered_is_told_in_one_line(method: str, params: dict[str, Any], piece: str) -> None:
    error = asked(method, **params)["error"]
    assert error["code"] == -32602
    assert piece in error["message"]
    assert "\n" not in error["message"]


def test_a_line_is_answered_by_a_line_until_quit() -> None:
    questions = ["", "nonsense", "  ", protocol.request(1, "quit", None), protocol.request(2, "quit", None)]
    answers = io.StringIO()
    serve(io.StringIO("\n".join(questions) + "\n"), answers)
    assert [json.loads(line)["id"] for line in answers.getvalue().splitlines()] == [None, 1]


def test_the_command_outlives_what_is_no_text() -> None:
    given = b"\xff\xfe\x00\n" + protocol.request(1, "quit", None).encode() + b"\n"
    done = subprocess.run([*DAMSPEC, "serve"], input=given, capture_output=True, timeout=120, check=True)
    assert done.stderr == b""
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == [None, 1]
