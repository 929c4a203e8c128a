"""Being interrupted: the interrupt key and a request to end do the same, and an exit status says which it was."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_last = signal.SIGINT


def install_signal_handlers() -> None:
    """From now on a request to end is a KeyboardInterrupt too, so that engines are ended and reports written."""
    global _last
    _last = signal.SIGINT
    signal.signal(signal.SIGTERM, _end)


def exit_status() -> int:
    """The exit status after an interruption."""
    return 128 + _last


class TimeLimitError(Exception):
    """The time for something has run out."""


@contextmanager
def limit_time(seconds: float) -> Iterator[None]:
    """Raise TimeLimitError where what is done takes longer. For the main thread."""

    def up(*_: object) -> None:
        raise TimeLimitError

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
