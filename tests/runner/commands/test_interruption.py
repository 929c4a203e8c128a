"""Time limits: what takes longer is broken off on every system, and signals are handled as before."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator

import pytest

from damspec_runner.commands.interruption import TimeLimitError, exit_status, install_signal_handlers, limit_time


@pytest.fixture(autouse=True)
def _handlers() -> Iterator[None]:
    before = signal.getsignal(signal.SIGTERM)
    install_signal_handlers()
    yield
    signal.signal(signal.SIGTERM, before)


def busy(seconds: float) -> int:
    """Work so long, as an explanation does, without waiting for anything."""
    until, rounds = time.monotonic() + seconds, 0
    while time.monotonic() < until:
        rounds += 1
    return rounds


def test_what_takes_longer_is_broken_off() -> None:
    began = time.monotonic()
    with pytest.raises(TimeLimitError), limit_time(0.1):
        busy(60)
    assert time.monotonic() - began < 30
    assert exit_status() == 130  # nobody has ended the program


def test_a_time_limit_that_was_lost_comes_again() -> None:
    """As one that is raised in a destructor."""
    lost = []

    def losing() -> None:
        try:
            busy(60)
        except TimeLimitError:
            lost.append(time.monotonic())
        busy(60)

    began = time.monotonic()
    with pytest.raises(TimeLimitError), limit_time(0.05):
        losing()
    assert len(lost) == 1
    assert time.monotonic() - began < 30


def test_what_is_quick_is_left_alone_and_no_signal_comes_later() -> None:
    with limit_time(5):
        assert busy(0.01)
    busy(0.05)


def test_a_request_to_end_meanwhile_is_an_interruption() -> None:
    with pytest.raises(KeyboardInterrupt), limit_time(60):
        signal.raise_signal(signal.SIGTERM)
    assert exit_status() == 143
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGTERM)  # by the handler of before
