"""Interruptions by SIGINT and SIGTERM, which end a command alike but for the exit status; and time limits."""

from __future__ import annotations

import _thread
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from types import FrameType

import click

_last = signal.SIGINT
#: After how long a time limit that has been lost comes again, in seconds.
_AGAIN = 1.0


def install_signal_handlers() -> None:
    """Make SIGTERM a KeyboardInterrupt too, so that engines are ended and reports written."""
    global _last
    _last = signal.SIGINT
    signal.signal(signal.SIGTERM, _interrupt)


def exit_status() -> int:
    """Return the exit status after an interruption."""
    return 128 + _last


def report_interruption(left: str = "") -> int:
    """Say on standard error that the command was interrupted, and what is left; return the exit status."""
    click.echo(f"damspec: interrupted{left}", err=True)
    return exit_status()


class TimeLimitError(Exception):
    """A time limit that has expired."""


@contextmanager
def limit_time(seconds: float) -> Iterator[None]:
    """Raise TimeLimitError in the main thread, which must be this one, after `seconds`."""
    expired, done = Event(), Event()

    def expire() -> None:
        over = done.wait(seconds)
        while not over:
            expired.set()
            _thread.interrupt_main(signal.SIGTERM)
            over = done.wait(_AGAIN)  # what is raised in a destructor is lost

    def handle(number: int, frame: FrameType | None) -> None:
        if expired.is_set():
            raise TimeLimitError
        _interrupt(number, frame)

    before = signal.signal(signal.SIGTERM, handle)
    timer = Thread(target=expire, daemon=True)
    timer.start()
    try:
        yield
    finally:
        done.set()
        timer.join()
        signal.signal(signal.SIGTERM, before)


def _interrupt(number: int, frame: FrameType | None) -> None:
    global _last
    _last = signal.SIGTERM
    raise KeyboardInterrupt
