"""Concurrent sessions with an engine, each on a thread of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread
from typing import Generic, Protocol, TypeVar

#: The longest single wait in seconds: on Windows nothing interrupts one.
_WAIT = 1.0
#: How many parts of the work each session gets, if there is enough of it.
_PARTS = 8

R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)


class Session(Protocol[R_co]):
    """A worker on numbered items, such as cases, with one engine process at a time."""

    def results(self, places: Iterable[int]) -> Iterator[tuple[int, R_co]]:
        """Yield each place with the result there, in about their order."""

    def close(self) -> None:
        """End the engine, and the question that another thread is asking it."""


def split(places: Sequence[int], sessions: int, most: int) -> Iterator[Sequence[int]]:
    """Yield the parts of the work, at most `most` places each."""
    size = part_size(len(places), sessions, most)
    return (places[at : at + size] for at in range(0, len(places), size))


def part_size(number: int, sessions: int, most: int) -> int:
    """Return the size of a part with which all sessions end at about the same time."""
    return min(most, max(number // (_PARTS * sessions), 1)) if sessions > 1 else most


def run_sessions(
    sessions: Sequence[Session[R]],
    parts: Iterator[Sequence[int]],
    take: Callable[[int, R], None],
    wants: Callable[[int], bool],
    *,
    late: bool = True,
) -> None:
    """Run all sessions on the parts of the work, in about their order.

    `take` gets each result, in this thread; a place that `wants` does not want when its turn comes is left out. If the
    work ends by an exception, a KeyboardInterrupt too, `take` still gets the complete results, unless `late` is false.
    """
    if len(sessions) > 1:
        _SessionThreads(sessions, parts, wants).run(take, late=late)
        return
    for part in parts:
        for place, result in sessions[0].results(filter(wants, part)):
            take(place, result)


class _SessionThreads(Generic[R]):
    """Sessions on a thread each: engines are processes, for which threads wait."""

    def __init__(
        self, sessions: Sequence[Session[R]], parts: Iterator[Sequence[int]], wants: Callable[[int], bool]
    ) -> None:
        self._sessions, self._parts, self._wants = sessions, parts, wants
        self._taking = Lock()
        #: Results, and at the end of each thread an exception or None.
        self._queue: SimpleQueue[tuple[int, R] | BaseException | None] = SimpleQueue()
        self._stopping = Event()
        self._threads = [Thread(target=self._work, args=(session,), daemon=True) for session in sessions]

    def run(self, take: Callable[[int, R], None], *, late: bool) -> None:
        """Run all sessions to the end, closing all of them before an exception is raised."""
        try:
            for thread in self._threads:
                thread.start()
            running = len(self._threads)
            while running:
                match self._next():
                    case None:
                        running -= 1
                    case BaseException() as error:
                        raise error
                    case place, result:
                        take(place, result)
        except BaseException:
            self._stop()
            while late and not self._queue.empty():
                if isinstance(item := self._queue.get(), tuple):
                    take(*item)
            raise

    def _next(self) -> tuple[int, R] | BaseException | None:
        while True:
            with suppress(Empty):
                return self._queue.get(timeout=_WAIT)

    def _work(self, session: Session[R]) -> None:
        try:
            while not self._stopping.is_set() and (part := self._next_part()):
                for place, result in session.results(filter(self._wants, part)):
                    if self._stopping.is_set():  # the engine may have been ended in the middle of this
                        break
                    self._queue.put((place, result))
            session.close()
            self._queue.put(None)
        except BaseException as error:
            self._queue.put(error)

    def _next_part(self) -> Sequence[int]:
        with self._taking:
            return next(self._parts, ())

    def _stop(self) -> None:
        self._stopping.set()
        closing = [Thread(target=session.close) for session in self._sessions]
        for thread in closing:
            thread.start()
        for thread in (*closing, *self._threads):
            if thread.ident is not None:  # it has been started
                thread.join()
