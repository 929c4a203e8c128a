"""Being interrupted: the interrupt key and a request to end do the same, and an exit status says which it was."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_last = signal.SIGINT


def listen() -> None:
    """From now on a request to end is a KeyboardInterrupt too, so that engines are ended and reports written."""
    global _last
    _last = signal.SIGINT
    signal.signal(signal.SIGTERM, _end)


def status() -> int:
    """The exit status after an interruption."""
    return 128 + _last


class TimeUp(Exception):
    """The time for something has run out."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise TimeUp where what is done takes longer. For the main thread."""

    def up(*_: object) -> None:
        raise TimeUp

    before = signal.signal(signal.SIGALRM, up)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _end(number: int, frame: FrameType | None) -> None:
    global _last
    _last = signal.SIGTERM
    raise KeyboardInterrupt
