"""Shares of work done by whoever is there: what comes is the same, in the same order, however they are spread."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import BrokenExecutor, CancelledError, Executor, as_completed
from typing import Any, Protocol, TypeVar

from .journal import ShareJournal
from .stamp import WorkError

S = TypeVar("S")
R = TypeVar("R")


#: What is said where nobody knows any more what was under way.
LOST = "the scheduler is lost: what was under way there is not known"


class Doing(Protocol):
    """How shares are done: `done` with an executor and what goes with it, or `here`."""

    def __call__(self, function: Callable[[S], R], shares: Mapping[str, S], title: str = "") -> Iterator[R]:
        """What the function gives for each share, in their order; `title` says what is done, where that is told."""


def here(function: Callable[[S], R], shares: Mapping[str, S], title: str = "") -> Iterator[R]:
    """Each share done in this process when its result is asked for."""
    return map(function, shares.values())


def done(
    executor: Executor | None,
    function: Callable[[S], R],
    shares: Mapping[str, S],
    journal: ShareJournal | None = None,
    tell: Callable[[R], None] = lambda result: None,
) -> Iterator[R]:
    """What a function gives for each share, in the order of the shares; done in any order, and again if need be.

    `shares` has each by its key: no two shares of a journal may have the same. A share that the journal has is not done
    again; any other is written to it as soon as it is done, and told to `tell`. Without an executor they are done here,
    each when its result is asked for. Function and shares go to other processes and machines; a result is plain data,
    as JSON has it. When nobody wants further results, what is not begun is left. Raises what the function raises, and
    WorkError where those who work are lost.
    """
    known = {} if journal is None else {key: journal.known[key] for key in shares if key in journal.known}

    def took(key: str, result: R) -> R:
        if journal is not None:
            journal.add(key, result)
        tell(result)
        return result

    for result in known.values():
        tell(result)
    if executor is None:
        for key, share in shares.items():
            yield known[key] if key in known else took(key, function(share))
        return
    waiting: dict[Any, str] = {}
    try:
        for key, share in shares.items():
            if key not in known:
                waiting[executor.submit(function, share)] = key
        coming = as_completed(list(waiting))
        for key in shares:
            while key not in known:
                future = next(coming)
                arrived = waiting[future]  # it stays there: an interruption while one is taken away would be lost
                known[arrived] = took(arrived, future.result())
            yield known.pop(key)
    except BrokenExecutor:
        raise WorkError("a process that worked was ended by something else, perhaps for want of memory") from None
    except CancelledError:
        raise WorkError(LOST) from None
    finally:
        for future in waiting:
            future.cancel()
