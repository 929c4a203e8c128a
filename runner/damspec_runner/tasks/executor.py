"""Tasks run on processes, threads or a Dask cluster."""

from __future__ import annotations

import gc
import logging
import os
import pickle
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import (
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    as_completed,
)
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing import active_children, parent_process
from multiprocessing.process import BaseProcess
from threading import Thread
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from .journal import TaskError, TaskJournal, data_fingerprint

if TYPE_CHECKING:
    from distributed import Client


@contextmanager
def processes(jobs: int) -> Iterator[Executor | None]:
    """So many processes; None for one, which is this one. In the end what they still do is broken off."""
    if jobs == 1:
        yield None
        return
    before = active_children()
    executor = ProcessPoolExecutor(jobs, initializer=_begin)
    try:
        executor.submit(os.getpid).result()  # copies are made now, before there are threads
        yield executor
    finally:
        _end(executor, [child for child in active_children() if child not in before])


def _end(executor: Executor, children: Iterable[BaseProcess]) -> None:
    """End processes at once, whatever they do. What waits for them has to be dropped first.

    A pool of Python 3.11 that loses its processes fails with a traceback if a share that waits has been cancelled.
    """
    closing = Thread(target=executor.shutdown, kwargs={"cancel_futures": True}, daemon=True)
    try:
        with suppress(BrokenExecutor):
            last = executor.submit(os.getpid)
            closing.start()
            while not (last.running() or last.done()):
                time.sleep(0.005)
    finally:
        for child in children:
            child.terminate()
    if closing.is_alive():
        closing.join()
    executor.shutdown()


@contextmanager
def threads(jobs: int) -> Iterator[Executor | None]:
    """So many threads, for shares that wait for processes of their own; None for one, which is this one."""
    if jobs == 1:
        yield None
        return
    executor = ThreadPoolExecutor(jobs)
    try:
        yield executor
    finally:
        executor.shutdown(cancel_futures=True)


def _begin() -> None:
    """The interrupt key is not for a process that works; that it is to end, or that nobody waits for it, ends it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    Thread(target=_end_with_the_other, daemon=True).start()


def _end_with_the_other() -> None:
    if other := parent_process():
        other.join()
        os._exit(1)


S = TypeVar("S")
R = TypeVar("R")


#: What is said where nobody knows any more what was under way.
LOST = "the scheduler is lost: what was under way there is not known"


class TaskRunner(Protocol):
    """How shares are done: `done` with an executor and what goes with it, or `here`."""

    def __call__(self, function: Callable[[S], R], shares: Mapping[str, S], title: str = "") -> Iterator[R]:
        """What the function gives for each share, in their order; `title` says what is done, where that is told."""


def run_in_process(function: Callable[[S], R], shares: Mapping[str, S], title: str = "") -> Iterator[R]:
    """Each share done in this process when its result is asked for."""
    return map(function, shares.values())


def run_tasks(
    executor: Executor | None,
    function: Callable[[S], R],
    shares: Mapping[str, S],
    journal: TaskJournal | None = None,
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
        raise TaskError("a process that worked was ended by something else, perhaps for want of memory") from None
    except CancelledError:
        raise TaskError(LOST) from None
    finally:
        for future in waiting:
            future.cancel()


_R = TypeVar("_R")
#: Seconds in which a scheduler has to answer.
_ANSWER = 10


@contextmanager
def cluster(address: str, tell: Callable[[str], None]) -> Iterator[Executor]:
    """The workers of a scheduler. `tell` is told a line if there are none yet.

    A share whose worker is lost is done by another, up to four times. Raises WorkError where there is no scheduler,
    and where those who work have no damspec, or another.
    """
    try:
        from distributed import KilledWorker
    except ModuleNotFoundError:
        raise TaskError("dask.distributed is not installed: pip install 'damspec[dask]'") from None
    for name in ("distributed", "distributed.client", "tornado.application"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    client = _client(address)
    if client is None:
        raise TaskError(f"no scheduler of dask.distributed answers at {address!r}, expected HOST:PORT")
    try:
        if not client.scheduler_info()["workers"]:
            tell(f"the scheduler at {address} has no worker yet; the work begins when one comes")
        yield _Stamped(client.get_executor(pure=False))
    except KilledWorker as error:
        raise TaskError(f"{error.allowed_failures + 1} workers ended while they did the same share") from None
    except ModuleNotFoundError as error:
        raise TaskError(f"a worker of {address} has no damspec ({error}): pip install 'damspec[dask]' there") from None
    except TypeError:  # with which dask's executor fails too, once its client is cut off
        if client.status == "running":
            raise
        raise TaskError(LOST) from None
    finally:
        client.close()


def _client(address: str) -> Client | None:
    """A client of the scheduler there, if there is one."""
    from distributed import Client

    if not address:  # for which there would be a cluster of its own
        return None
    try:
        return Client(address, timeout=_ANSWER, set_as_default=False)
    except (OSError, ValueError, TypeError):
        pass
    gc.collect()  # what is left of it closes itself: if that comes while another client begins, both wait for ever
    return None


class _Stamped(Executor):
    """The cluster's executor; whoever does a share looks first whether it has the same rules.

    A share is sent as bytes, and what reads them does it: so it is an error of the share if a worker has no damspec,
    where otherwise the worker would end, and a scheduler needs none.
    """

    def __init__(self, executor: Executor) -> None:
        self._executor = executor

    def submit(self, function: Callable[..., _R], /, *args: Any, **others: Any) -> Future[_R]:
        """Have a function called on a worker."""
        call = _Call(dict(data_fingerprint()), partial(function, *args, **others))
        return _unpacked(self._executor.submit(pickle.loads, pickle.dumps(call)))


@dataclass(frozen=True)
class _Call:
    """A call that is made where it is read from bytes."""

    expected: Mapping[str, str]
    function: Callable[[], Any]

    def __reduce__(self) -> tuple[Any, ...]:
        return _on_worker, (self.expected, self.function)


@dataclass(frozen=True)
class _Result:
    """What a share has given.

    A result may have arrived just when its worker is lost. Then dask's executor takes it for an error and unpacks it as
    type, value and traceback; it gets an error with the result.
    """

    value: Any

    def __iter__(self) -> Iterator[Any]:
        raise _Arrived(self.value)


class _Arrived(Exception):
    """A result that was unpacked as if it were an error."""


def _unpacked(future: Future[_Result]) -> Future[Any]:
    """The future of a result's value; cancelled with it and by it."""
    unpacked: Future[Any] = Future()

    def take(future: Future[_Result]) -> None:
        if future.cancelled():
            unpacked.cancel()
        if not unpacked.set_running_or_notify_cancel():
            return
        match future.exception():
            case None:
                unpacked.set_result(future.result().value)
            case _Arrived(args=(value,)):
                unpacked.set_result(value)
            case error:
                unpacked.set_exception(error)

    future.add_done_callback(take)
    unpacked.add_done_callback(lambda unpacked: future.cancel() if unpacked.cancelled() else None)
    return unpacked


def _on_worker(expected: Mapping[str, str], function: Callable[[], Any]) -> _Result:
    from distributed import get_worker

    worker = get_worker()
    if (threads := worker.state.nthreads) != 1:
        raise TaskError(f"the worker {worker.address} has {threads} threads, expected dask worker --nthreads 1")
    for what, name in (("damspec", "version {}"), ("data", "rules and cases with the digest {:.12}")):
        if (found := data_fingerprint()[what]) != expected[what]:
            said = f"found {name.format(found)}, expected {name.format(expected[what])}"
            raise TaskError(f"the worker {worker.address} has another damspec: {said}")
    return _Result(function())
