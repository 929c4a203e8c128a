"""Talking over pipes: lines whole, blank or too long, deadlines for reading and for writing, what is kept of noise."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from damspec_runner.engines.pipes import NOISE_BYTES, NOISE_LINES, Ended, Late, Noise, Pipes, TooLong, Woken


@contextmanager
def pipes(script: str, most: int = 1000) -> Iterator[tuple[Pipes, Noise, int]]:
    """The pipes of a shell that runs a script, its noise, and the descriptor that wakes who waits."""
    noise = Noise()
    asleep, wake = os.pipe()
    process = subprocess.Popen(
        ["sh", "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    )
    found = Pipes(process, noise, most, asleep)
    try:
        yield found, noise, wake
    finally:
        process.kill()
        process.wait()
        found.close()
        os.close(asleep)
        os.close(wake)


def soon(seconds: float = 20) -> float:
    return time.monotonic() + seconds


def test_lines_come_one_by_one_without_the_blank_ones() -> None:
    with pipes(r"printf 'a\n\n \r\nb\n'; printf c") as (talk, _, _):
        assert [talk.receive(soon()) for _ in range(3)] == [b"a", b"b", b"c"]
        with pytest.raises(Ended) as caught:
            talk.receive(soon())
        assert not caught.value.taking


def test_a_line_may_be_so_long_and_no_longer() -> None:
    with pipes("head -c 1000 /dev/zero | tr '\\0' x; echo; head -c 1001 /dev/zero | tr '\\0' y; echo") as (talk, _, _):
        assert talk.receive(soon()) == b"x" * 1000
        with pytest.raises(TooLong, match=r"^y+$"):
            talk.receive(soon())


def test_what_nobody_reads_is_not_written_for_ever() -> None:
    with pipes("sleep 60") as (talk, _, _):
        began = time.monotonic()
        with pytest.raises(Late):
            talk.send(b"x" * 1_000_000, soon(0.3))
        assert 0.2 < time.monotonic() - began < 5


def test_a_long_message_is_written_piece_by_piece() -> None:
    with pipes("head -c 300000 | wc -c") as (talk, _, _):
        talk.send(b"x" * 300_000, soon())
        assert int(talk.receive(soon())) == 300_000


def test_who_waits_can_be_woken() -> None:
    with pipes("sleep 60") as (talk, _, wake):
        os.write(wake, b"!")
        with pytest.raises(Woken):
            talk.receive(soon())


def test_a_deadline_holds_where_something_comes_all_the_time() -> None:
    for script in ("while :; do echo; done", "yes '' >&2"):
        with pipes(script) as (talk, _, _), pytest.raises(Late):
            talk.receive(soon(0.3))


def test_a_closed_input_is_told() -> None:
    with pipes("exec <&-; sleep 60") as (talk, _, _):
        with pytest.raises(Ended) as caught:
            talk.send(b"x" * 1_000_000, soon())
        assert caught.value.taking


def test_noise_is_kept_to_a_bound() -> None:
    noise = Noise()
    for _ in range(1000):
        noise.add(b"x" * 10_000)
    noise.add(b"\r\nred\x1b\ttext \n\n")
    noise.add("é".encode()[:1])
    noise.add("é".encode()[1:])
    noise.end()
    assert noise.lines() == ("x" * NOISE_BYTES, "red\x1b    text", "é")
    noise.add(b"\n".join(b"%d" % n for n in range(1000)))
    noise.end()
    assert noise.lines() == tuple(map(str, range(1000 - NOISE_LINES, 1000)))


def test_noise_is_heard_while_waiting_and_at_the_end() -> None:
    with pipes("echo one >&2; echo a; echo two >&2") as (talk, noise, _):
        assert talk.receive(soon()) == b"a"
        assert talk.drain(soon(), lambda: len(noise.lines()) == 2)
        assert not talk.drain(soon(0.1), lambda: False)
    assert noise.lines() == ("one", "two")
