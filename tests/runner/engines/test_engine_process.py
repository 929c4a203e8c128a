"""An engine as a process: a question ends in an answer or an error of one line, and nothing is left behind."""

from __future__ import annotations

import re
import sys
import threading
import time
from pathlib import Path

import pytest

from damspec_runner.engines.process import Engine, SubprocessEngine
from damspec_runner.engines.protocol import EngineError, UnsupportedError
from runner_fixtures import engine, fake, wait_until

ASKED = {"ruleset": "lb", "position": "W:W21,22:B10,17,18"}
MOVES = ["21x14x7", "22x13", "22x15x6"]


pytestmark = pytest.mark.usefixtures("nothing_left")


def kind(running: Engine) -> str:
    """The kind of error a question ends in, after a look at its message."""
    with pytest.raises(EngineError) as caught:
        running.ask("moves", ASKED)
    assert str(caught.value).isprintable()
    return caught.value.kind


def test_a_right_engine_answers_question_after_question() -> None:
    with engine("right") as running:
        assert running.hello().name == "damspec"
        for _ in range(3):
            assert running.ask("moves", ASKED)["moves"] == MOVES
        assert running.ask("outcome", ASKED)["outcome"] == "ongoing"
        assert running.restarts_left == 3


def test_asking_starts_an_engine_and_that_is_no_restart() -> None:
    running = engine("right", restarts=0)
    assert running.ask("moves", ASKED)["moves"] == MOVES
    running.close()
    running.close()


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("dying", "died"),
        pytest.param("closing", "died", marks=pytest.mark.thorough),
        ("chatty", "json"),
        ("deep", "json"),
        ("huge", "size"),
        ("missing-key", "form"),
        ("wrong-id", "id"),
    ],
)
def test_after_a_bad_answer_a_new_process_answers_until_there_were_enough(
    mode: str, expected: str, tmp_path: Path
) -> None:
    with engine(mode, "2", restarts=2) as running:
        kinds = []
        for _ in range(3):
            assert running.ask("moves", ASKED)["moves"] == MOVES
            kinds.append(kind(running))
        assert kinds == [expected] * 3
        assert kind(running) == "gone"
    assert len((tmp_path / "pids").read_text().split()) == 3


def test_a_refusal_is_an_error_but_no_reason_to_start_again() -> None:
    with engine("refusing", "2") as running:
        assert running.ask("moves", ASKED)
        assert kind(running) == "refused"
        assert running.ask("moves", ASKED)
        assert running.restarts_left == 3


def test_unsupported_is_passed_on() -> None:
    with engine("no-method") as running, pytest.raises(UnsupportedError, match=r"^what\?$"):
        running.ask("moves", ASKED)


@pytest.mark.parametrize("mode", ["silent", "slow"])
def test_a_late_answer_is_none_and_does_not_become_the_next_one(mode: str) -> None:
    with engine(mode, "2", timeout=20) as running:
        assert running.ask("moves", ASKED)
        running.timeout = 0.2
        began = time.monotonic()
        assert kind(running) == "timeout"
        assert time.monotonic() - began < 9  # the slow one answers after 10, the silent one never
        running.timeout = 20
        assert running.ask("moves", ASKED)["moves"] == MOVES


def test_closing_from_another_thread_ends_the_question_and_starts_nothing() -> None:
    running = engine("silent", "2")
    running.ask("moves", ASKED)
    kinds: list[str] = []
    asking = threading.Thread(target=lambda: kinds.extend(kind(running) for _ in range(2)))
    asking.start()
    assert isinstance(running, SubprocessEngine)
    wait_until(running._asking.locked)
    running.close()
    asking.join(5.0)
    assert len(kinds) == 2
    assert kinds[1] == "gone"


def test_noise_is_kept_as_it_can_be_shown() -> None:
    with engine("noisy") as running:
        running.ask("moves", ASKED)
        running.ask("outcome", ASKED)
    assert list(running.noise)[:2] == [r"asked moves\x1b[31m", r"asked outcome\x1b[31m"]


@pytest.mark.parametrize(
    ("command", "expected", "message"),
    [
        (["/nonexistent/engine"], "start", r"^cannot start '/nonexistent/engine': No such file or directory$"),
        ([""], "start", r"^cannot start '': "),
        (fake("dying-at-start"), "died", r"exit status 1, having said 'cannot find my book'"),
        ([sys.executable, "-c", ""], "died", r"exit status 0$"),
        (fake("protocol-2"), "form", r"protocol: found 2, expected 1"),
        ([sys.executable, "-c", "print('Hi!'); input(); input()"], "json", r"'Hi!'"),
    ],
)
def test_an_engine_that_cannot_be_started_says_why(command: list[str], expected: str, message: str) -> None:
    with pytest.raises(EngineError, match=message) as caught:
        SubprocessEngine(command).hello()
    assert caught.value.kind == expected


@pytest.mark.skipif(sys.platform == "win32", reason="the first line of a script names its interpreter on Unix")
@pytest.mark.parametrize(
    ("first", "kind", "message"),
    [
        (f"#!{sys.executable}\r\n", "start", "No such file or directory; the first line of the script, '#!{}', {}"),
        (
            "#!/usr/bin/env python3\r\n",
            "died",
            "exit status 127, having said .*; the first line of the script, '#!{}', {}",
        ),
        ("#!/no/python3\n", "start", "directory; the first line of the script, '#!/no/python3', names a program that"),
        ("#!/bin/sh\nno-such-program\n", "died", "exit status 127, having said '.*not found'$"),
    ],
)
def test_what_is_wrong_with_the_first_line_of_a_script_is_said(
    first: str, kind: str, message: str, tmp_path: Path
) -> None:
    script = tmp_path / "engine"
    script.write_bytes(first.encode())
    script.chmod(0o755)
    words = message.format(re.escape(first[2:].strip()), "ends in CRLF, expected LF$")
    with pytest.raises(EngineError, match=words) as caught:
        SubprocessEngine([str(script)]).hello()
    assert caught.value.kind == kind


@pytest.mark.parametrize("timeout", [float("inf"), float("nan"), 1e300])
def test_any_timeout_can_be_waited_for(timeout: float) -> None:
    with SubprocessEngine(fake("right"), timeout=timeout) as running:
        assert running.ask("moves", ASKED)
