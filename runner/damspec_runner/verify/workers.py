"""Work handed out to several processes: copies of this one, each with an engine of its own.

Threads would wait for each other: with a fast engine it is the runner that is busy. This process works too. Another
is added whenever as much time has gone by as an engine takes to start, so that a short run stays in one.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

#: Bytes for the number of a piece of work.
_WIDTH = 4
#: Pieces of work in a pipe at most: it holds them all, so that nobody waits for a reader.
_PIECES = 8000
#: Work handed out at once, if there is enough.
_AT_ONCE = 64
#: Seconds after which what is done is told, however little it is.
_TELL = 0.2
_PROCESSORS = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Worker(Protocol):
    """One that does the work of one process."""

    def do(self, places: Iterable[int]) -> Iterator[tuple[int, Any]]:
        """What comes of the work at some places: each place, in about their order, with what was done there."""

    def pack(self, done: Any) -> Any:
        """That as it goes from process to process."""

    def unpack(self, place: int, packed: Any) -> Any:
        """And as it was before."""

    def end(self) -> Any:
        """What is left to say when all is done."""


class _Ended(BaseException):
    """This process is told to end."""


def spread(
    places: Sequence[int],
    mine: Worker,
    another: Callable[[], Worker],
    take: Callable[[int, Any], bool],
    *,
    jobs: int,
    pause: float,
    wanted: Callable[[int], bool] = lambda place: True,
) -> list[Any]:
    """Have the work at all places done, in about this order, by `mine` here and by up to `jobs - 1` others.

    `take` is given what comes, and says whether to go on: what nobody has begun is left then. Work is begun in the
    order of the places, some places at a time; `wanted` is asked of each that is done here. `pause` is the seconds from
    one process to the next. Gives what the workers said in the end. Whatever is raised here, a
    KeyboardInterrupt too, the other processes are ended first and what they had done is taken.
    """
    work = _Work(places, jobs)
    others: list[_Other] = []
    began, busy = time.monotonic(), time.process_time()

    def theirs(place: int, packed: Any) -> bool:
        return take(place, mine.unpack(place, packed))

    def one_more() -> bool:
        """Whether another process is of use: not more than there are processors, where it is us who are slow."""
        took = time.monotonic() - began
        if took < pause * (len(others) + 1):
            return False
        return len(others) + 1 < _PROCESSORS or time.process_time() - busy < took / 3

    try:
        for piece in work.pieces():
            for place, done in mine.do(filter(wanted, piece)):
                if not take(place, done):
                    work.leave()
                if len(others) + 1 < jobs and one_more():
                    others.append(_Other(work, another, others))
                if others:
                    _listen(others, work, theirs, 0.0)
        while any(other.there for other in others):
            _listen(others, work, theirs, None)
    except BaseException:
        work.leave()
        for other in others:
            other.tell_to_end()
        while any(other.there for other in others):
            _listen(others, work, theirs, None)
        raise
    finally:
        work.close()
        for other in others:
            other.bury()
    return [mine.end(), *(other.last for other in others if other.last is not None)]


def _listen(others: Sequence[_Other], work: _Work, take: Callable[[int, Any], bool], seconds: float | None) -> None:
    """Take what others have done, if there is anything, or once there is."""
    there = {other.results: other for other in others if other.there}
    if not there:
        return
    from multiprocessing.connection import wait

    for results in wait(list(there), seconds):
        for place, done in there[results].heard():  # type: ignore[index]
            if not take(place, done):
                work.leave()


class _Work:
    """Places to be handed out: their numbers lie in a pipe, from which each process takes the next."""

    def __init__(self, places: Sequence[int], jobs: int) -> None:
        self._places = places
        share = min(_AT_ONCE, len(places) // (8 * jobs)) if jobs > 1 else _AT_ONCE
        self._size = max(-(-len(places) // _PIECES), share, 1)
        self._source, full = os.pipe()
        pieces = range(0, len(places), self._size)
        os.write(full, b"".join(piece.to_bytes(_WIDTH, "big") for piece in pieces))
        os.close(full)

    def pieces(self) -> Iterator[Sequence[int]]:
        """The places that this process takes, some at a time."""
        while number := os.read(self._source, _WIDTH):
            first = int.from_bytes(number, "big")
            yield self._places[first : first + self._size]

    def leave(self) -> None:
        """What nobody has begun is not to be done."""
        while os.read(self._source, _WIDTH * _PIECES):
            pass

    def close(self) -> None:
        os.close(self._source)


class _Other:
    """Another process that works."""

    def __init__(self, work: _Work, another: Callable[[], Worker], others: Sequence[_Other]) -> None:
        from multiprocessing.connection import Pipe

        self.results, theirs = Pipe(duplex=False)
        self.there, self.last = True, None
        # Held back until it is known what to do with them.
        held = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM))
        self._id = os.fork()
        if self._id == 0:
            for connection in (self.results, *(other.results for other in others)):
                connection.close()
            _work(work, another, theirs, held)
        signal.pthread_sigmask(signal.SIG_SETMASK, held)
        theirs.close()

    def heard(self) -> list[tuple[int, Any]]:
        """What it has done, if it is still there."""
        try:
            done, self.last = self.results.recv()
        except (EOFError, OSError):
            self.there = False
            return []
        found: list[tuple[int, Any]] = done
        return found

    def tell_to_end(self) -> None:
        if self.there:
            os.kill(self._id, signal.SIGTERM)

    def bury(self) -> None:
        self.results.close()
        os.waitpid(self._id, 0)


def _work(work: _Work, another: Callable[[], Worker], results: Connection, signals: Any) -> NoReturn:
    """The life of another process: a signal to end ends what it does, the interrupt key is not for it."""

    def end(*_: object) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        raise _Ended

    def tell() -> None:
        """Tell what is done; a message is written whole or not at all."""
        before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGTERM,))
        results.send((done, None))
        done.clear()
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

    done: list[tuple[int, Any]] = []
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, end)
        worker = another()
        try:
            signal.pthread_sigmask(signal.SIG_SETMASK, signals)
            for piece in work.pieces():
                began = time.monotonic()
                for place, one in worker.do(piece):
                    done.append((place, worker.pack(one)))
                    if time.monotonic() - began > _TELL:
                        tell()
                        began = time.monotonic()
                tell()
        except _Ended:
            pass
        finally:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            last = worker.end()
        results.send((done, last))
    except BrokenPipeError:
        pass  # nobody is there to be told
    except BaseException:
        os._exit(1)
    os._exit(0)
