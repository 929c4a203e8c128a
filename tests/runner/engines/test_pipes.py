"""Talking over pipes: lines whole, blank or too long, deadlines for reading and for writing, what is kept of noise."""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from damspec_runner.engines.pipes import (
    STDERR_BYTES,
    STDERR_LINES,
    EngineClosedError,
    EngineExitedError,
    EnginePipes,
    EngineTimeoutError,
    LineTooLongError,
    StderrTail,
)
from refusals import refusal
from runner_fixtures import wait_until


@contextmanager
def pipes(script: str, most: int = 1000) -> Iterator[tuple[EnginePipes, StderrTail]]:
    """The pipes of a shell that runs a script, and the end of its standard error."""
    noise = StderrTail()
    process = subprocess.Popen(
        ["sh", "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    )
    found = EnginePipes(process, noise, most)
    try:
        yield found, noise
    finally:
        process.kill()
        process.wait()
        found.close()


def soon(seconds: float = 20) -> float:
    return time.monotonic() + seconds


def test_lines_come_one_by_one_without_the_blank_ones() -> None:
    with pipes(r"printf 'a\n\n \r\nb\n'; printf c") as (talk, _):
        assert [talk.receive(soon()) for _ in range(3)] == [b"a", b"b", b"c"]
        with pytest.raises(EngineExitedError) as caught:
            talk.receive(soon())
        assert not caught.value.input_only


def test_a_line_may_be_so_long_and_no_longer() -> None:
    with pipes("head -c 1000 /dev/zero | tr '\\0' x; echo; head -c 1001 /dev/zero | tr '\\0' y; echo") as (talk, _):
        assert talk.receive(soon()) == b"x" * 1000
        with pytest.raises(LineTooLongError, match=r"^y+$"):
            talk.receive(soon())


def test_what_nobody_reads_is_not_written_for_ever() -> None:
    with pipes("sleep 60") as (talk, _):
        began = time.monotonic()
        talk.send(b"x" * 1_000_000)
        refusal(EngineTimeoutError, talk.receive, soon(0.3))
        assert 0.2 < time.monotonic() - began < 5


def test_a_long_message_is_written_while_answers_come() -> None:
    with pipes("cat", most=100_000) as (talk, _):
        talk.send(b"".join(b"%099999d\n" % number for number in range(20)))
        assert [int(talk.receive(soon())[-2:]) for _ in range(20)] == list(range(20))


def test_who_waits_can_be_woken() -> None:
    with pipes("sleep 60") as (talk, _):
        threading.Timer(0.2, talk.wake).start()
        refusal(EngineClosedError, talk.receive, soon())
        with pytest.raises(EngineClosedError):  # as soon as it waits again
            talk.receive(soon())
        talk.ignore_wake()
        refusal(EngineTimeoutError, talk.receive, soon(0.1))


def test_what_nobody_takes_is_not_read_on_and_on() -> None:
    with pipes("yes 123456789 | head -c 10000000; echo all >&2") as (talk, noise):
        assert talk.receive(soon()) == b"123456789"
        wait_until(lambda: talk._full)
        assert noise.lines() == ()
        assert talk.drain(soon(), lambda: noise.lines() == ("all",))


def test_a_deadline_holds_where_something_comes_all_the_time() -> None:
    for script in ("while :; do echo; done", "exec 3>&1 yes '' >&2"):
        with pipes(script) as (talk, _), pytest.raises(EngineTimeoutError):
            talk.receive(soon(0.3))


@pytest.mark.parametrize("pipe", ["1", pytest.param("2", marks=pytest.mark.thorough)])
def test_an_orphan_that_writes_for_ever_is_not_read_for_ever(pipe: str, tmp_path: Path) -> None:
    number = tmp_path / "number"
    with pipes(f"yes >&{pipe} & echo $! >{number}.part; mv {number}.part {number}; wait"):
        wait_until(number.exists)
        orphan = psutil.Process(int(number.read_text()))
    assert psutil.wait_procs([orphan], timeout=20)[0] == [orphan]


def test_a_closed_input_is_told() -> None:
    with pipes("exec <&-; sleep 60") as (talk, _):
        talk.send(b"x" * 1_000_000)
        with pytest.raises(EngineExitedError) as caught:
            talk.receive(soon())
        assert caught.value.input_only


def test_noise_is_kept_to_a_bound() -> None:
    noise = StderrTail()
    for _ in range(1000):
        noise.add(b"x" * 10_000)
    noise.add(b"\r\nred\x1b\ttext \n\n")
    noise.add("é".encode()[:1])
    noise.add("é".encode()[1:])
    noise.end()
    assert noise.lines() == ("x" * STDERR_BYTES, "red\x1b    text", "é")
    noise.add(b"\n".join(b"%d" % n for n in range(1000)))
    noise.end()
    assert noise.lines() == tuple(map(str, range(1000 - STDERR_LINES, 1000)))


def test_noise_is_heard_while_waiting_and_at_the_end() -> None:
    with pipes("echo one >&2; echo a; echo two >&2") as (talk, noise):
        assert talk.receive(soon()) == b"a"
        assert talk.drain(soon(), lambda: len(noise.lines()) == 2)
        assert not talk.drain(soon(0.1), lambda: False)
    assert noise.lines() == ("one", "two")
