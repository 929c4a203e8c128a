"""The contract page: its transcript is what really passes, and its messages have the form of the schema."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import Any

import pytest

import damspec
from damspec import data
from damspec_runner.engines import protocol
from damspec_runner.engines.pipes import STDERR_BYTES, STDERR_LINES
from damspec_runner.engines.process_tree import MARK
from damspec_runner.engines.protocol import LIMITS
from damspec_runner.engines.sandbox import SECRET_WITHIN, SECRET_WORDS
from damspec_runner.engines.serve import AHEAD, respond
from damspec_runner.verify.run import RESTARTS, SECOND_ASKS
from fenced import read_page
from refusals import refusal
from runner_fixtures import EXAMPLES

PAGE = read_page("docs/protocol.md")
LB = damspec.load_ruleset("lb")
SECTIONS = dict(section.partition("\n")[::2] for section in PAGE.split("\n## "))


def transcript(title: str) -> list[str]:
    return [line for line in SECTIONS[title].splitlines() if line.startswith(("-> ", "<- "))]


TRANSCRIPT = transcript("A transcript")
ASKED = [line[3:] for line in TRANSCRIPT[::2]]
ANSWERED = [line[3:] for line in TRANSCRIPT[1::2]]
OF_THE_REFERENCE = [title for title in SECTIONS if title.startswith("A transcript with")]


def test_question_and_answer_take_turns() -> None:
    assert [line[:2] for line in TRANSCRIPT] == ["->", "<-"] * len(ASKED)
    assert [json.loads(line)["method"] for line in ASKED] == [
        *["hello", "start", "moves", "play", "outcome", "moves", "quit"]
    ]


def test_the_example_engine_answers_exactly_so() -> None:
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / "engine.py")],
        input="\n".join(ASKED) + "\n", capture_output=True, text=True, timeout=20, check=True,
    )  # fmt: skip
    assert done.stdout.splitlines() == ANSWERED


@pytest.mark.parametrize("line", ASKED)
def test_the_runner_writes_its_questions_exactly_so(line: str) -> None:
    message = json.loads(line)
    assert data.schema_problem(message, "protocol", f"{message['method']}.request") is None
    assert protocol.request(message["id"], message["method"], message.get("params")) == line


@pytest.mark.parametrize(("asked", "answered"), list(zip(ASKED, ANSWERED, strict=True)))
def test_the_runner_understands_the_answers(asked: str, answered: str) -> None:
    question = json.loads(asked)
    assert data.schema_problem(json.loads(answered), "protocol", "answer") is None
    if "error" in json.loads(answered):
        refusal(protocol.UnsupportedError, protocol.result, answered, question["id"], question["method"])
    else:
        assert protocol.result(answered, question["id"], question["method"]) == json.loads(answered)["result"]


def test_the_reference_gives_the_same_answers() -> None:
    for asked, answered in list(zip(ASKED, ANSWERED, strict=True))[1:5]:
        mine: Any = respond(asked)[0]["result"]
        theirs = json.loads(answered)["result"]
        if "position" in theirs:  # the same, however it is written
            mine, theirs = ({"position": LB.position(said["position"])} for said in (mine, theirs))
        assert {key: mine[key] for key in theirs} == theirs


@pytest.mark.parametrize("title", OF_THE_REFERENCE)
def test_transcripts_of_the_reference(title: str) -> None:
    lines = transcript(title)
    assert len(lines) >= 10
    assert [line[:2] for line in lines] == ["->", "<-"] * (len(lines) // 2)
    for asked, answered in zip(lines[::2], lines[1::2], strict=True):
        message = json.loads(asked[3:])
        assert data.schema_problem(message, "protocol", f"{message['method']}.request") is None
        assert respond(asked[3:])[0] == json.loads(answered[3:])


def test_the_reference_has_a_transcript_for_each_kind_of_turn() -> None:
    assert len(OF_THE_REFERENCE) == 2


def test_every_key_of_every_message_is_explained() -> None:
    for definition in data.schema("protocol")["$defs"].values():
        for part in (definition, definition.get("properties", {}).get("params", {})):
            for key in part.get("properties", {}):
                assert re.search(rf"[`\"]{key}[`\"]", PAGE), key


def test_numbers_on_the_page_are_those_of_the_runner() -> None:
    for piece in (
        f"version {protocol.PROTOCOL}\n",
        f"`{protocol.UNSUPPORTED}` is *unsupported*",
        f"`{protocol.METHOD_NOT_FOUND}` (no such method)",
        f"the last {STDERR_LINES} lines, the first {STDERR_BYTES} bytes of each",
        f"| {LIMITS.answer} bytes |",
        f"| {LIMITS.moves} entries |",
        f"a length of {LIMITS.move} |",
        f"| {LIMITS.position} characters |",
        *(f"`{word}`" for word in (*SECRET_WITHIN, *SECRET_WORDS, MARK)),
        f"no more than {protocol.MAX_IN_FLIGHT} at once",
        f'"ahead": {AHEAD}`',
        f"more than `--restarts` cases (default {RESTARTS})",
        f"the first {SECOND_ASKS} of them at most",
        "(default 10 seconds",
    ):
        assert piece.strip() in " ".join(PAGE.split()), piece
