"""Tasks run on processes, threads or a Dask cluster."""

from __future__ import annotations

import gc
import logging
import os
import pickle
import signal
import time
from collections import deque
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
    """Provide an executor with `jobs` processes, or None for one job; terminate them at the end."""
    if jobs == 1:
        yield None
        return
    before = active_children()
    executor = ProcessPoolExecutor(jobs, initializer=_init_worker)
    try:
        executor.submit(os.getpid).result()  # fork the workers now, before there are threads
        yield executor
    finally:
        _terminate(executor, [child for child in active_children() if child not in before])


def _terminate(executor: Executor, children: Iterable[BaseProcess]) -> None:
    """Terminate processes at once, whatever they do, after cancelling the pending tasks.

    A pool of Python 3.11 that loses its processes fails with a traceback if a pending task has been cancelled.
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
            child.kill()  # not SIGTERM: a worker that is only just starting may lose it
    if closing.is_alive():
        closing.join()
    executor.shutdown()


@contextmanager
def threads(jobs: int) -> Iterator[Executor | None]:
    """Provide an executor with `jobs` threads, for tasks that wait for processes of their own, or None for one job."""
    with ThreadPoolExecutor(jobs) as executor:
        try:
            yield None if jobs == 1 else executor
        finally:
            executor.shutdown(cancel_futures=True)


def _init_worker() -> None:
    """Initialise a worker: ignore SIGINT, exit on SIGTERM and when the parent process has gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    if other := parent_process():
        other.join()
        os._exit(1)


S = TypeVar("S")
R = TypeVar("R")


#: The error message for a lost process.
_ENDED = "a process that worked was ended by something else, perhaps for want of memory"
#: The error message for a lost scheduler.
LOST = "the scheduler is lost: what was under way there is not known"


class TaskRunner(Protocol):
    """A function that runs tasks, on an executor or in this process."""

    def __call__(self, function: Callable[[S], R], tasks: Mapping[str, S], title: str = "") -> Iterator[R]:
        """Yield the results of `function` for each task, in their order; `title` labels the progress."""


def run_in_process(function: Callable[[S], R], tasks: Mapping[str, S], title: str = "") -> Iterator[R]:
    """Run each task in this process when its result is asked for."""
    return map(function, tasks.values())


def run_tasks(
    executor: Executor | None,
    function: Callable[[S], R],
    tasks: Mapping[str, S],
    journal: TaskJournal | None = None,
    tell: Callable[[R], None] = lambda result: None,
) -> Iterator[R]:
    """Yield the results of a function for each task, in the order of the tasks, which run in any order.

    `tasks` has the tasks by key, unique within a journal. Results in the journal are reused; each new one is appended
    to it as soon as it is there and passed to `tell`. Without an executor tasks run in this process, each when its
    result is asked for. Function and tasks are sent to other processes and machines; a result is plain JSON data. Tasks
    not begun are cancelled when no further result is asked for. Raises what the function raises, and TaskError if the
    workers are lost.
    """
    known = {} if journal is None else {key: journal.known[key] for key in tasks if key in journal.known}

    def add_result(key: str, result: R) -> R:
        if journal is not None:
            journal.add(key, result)
        tell(result)
        return result

    for result in known.values():
        tell(result)
    if executor is None:
        for key, task in tasks.items():
            yield known[key] if key in known else add_result(key, function(task))
        return
    waiting: dict[Any, str] = {}
    try:
        for key, task in tasks.items():
            if key not in known:
                waiting[executor.submit(function, task)] = key
        completed = as_completed(list(waiting))
        for key in tasks:
            while key not in known:
                future = next(completed)
                finished = waiting[future]  # kept: an interruption while removing it would be lost
                known[finished] = add_result(finished, _value(future))
            yield known.pop(key)
    except BrokenExecutor:
        raise TaskError(_ENDED) from None
    except CancelledError:
        raise TaskError(LOST) from None
    finally:
        for future in waiting:
            future.cancel()


def run_as_read(executor: Executor | None, function: Callable[[S], R], tasks: Iterable[S], ahead: int) -> Iterator[R]:
    """Yield the results of a function for tasks that are read one by one, in their order.

    At most `ahead` tasks are read before the result that is asked for; without an executor none. Raises what the
    function raises, and TaskError if the workers are lost.
    """
    if executor is None:
        yield from map(function, tasks)
        return
    waiting: deque[Future[R]] = deque()
    try:
        for task in tasks:
            waiting.append(executor.submit(function, task))
            if len(waiting) > ahead:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenExecutor:
        raise TaskError(_ENDED) from None
    finally:
        for future in waiting:
            future.cancel()


@contextmanager
def cluster(address: str, tell: Callable[[str], None], timeout: float = 10) -> Iterator[Executor]:
    """Provide the workers of a dask scheduler as an executor; `tell` is called if there are none yet.

    The scheduler has `timeout` seconds to answer. A task whose worker is lost is run again by another, up to four
    times. Raises TaskError if there is no scheduler, or if its workers have no damspec, or another version.
    """
    try:
        from distributed import KilledWorker
    except ModuleNotFoundError:
        raise TaskError("dask.distributed is not installed: pip install 'damspec[dask]'") from None
    for name in ("distributed", "distributed.client", "tornado.application"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    client = _client(address, timeout)
    if client is None:
        raise TaskError(f"no scheduler of dask.distributed answers at {address!r}, expected HOST:PORT")
    try:
        if not client.scheduler_info()["workers"]:
            tell(f"the scheduler at {address} has no worker yet; the work begins when one comes")
        yield _Stamped(client.get_executor(pure=False))
    except KilledWorker as error:
        raise TaskError(f"{error.allowed_failures + 1} workers ended while running the same task") from None
    except ModuleNotFoundError as error:
        raise TaskError(f"a worker of {address} has no damspec ({error}): pip install 'damspec[dask]' there") from None
    except TypeError:  # also raised by dask's executor once its client is disconnected
        if client.status == "running":
            raise
        raise TaskError(LOST) from None
    finally:
        client.close()


def _client(address: str, timeout: float) -> Client | None:
    """Connect to the scheduler; None if none answers."""
    from distributed import Client

    if not address:  # dask would start a cluster of its own
        return None
    try:
        return Client(address, timeout=timeout, set_as_default=False)
    except (OSError, ValueError, TypeError):
        pass
    gc.collect()  # close the remains now: doing so while another client starts would deadlock
    return None


class _Stamped(Executor):
    """The cluster's executor, which makes each worker check first that it has the same rules.

    A task is sent as pickled bytes and runs when they are unpickled: so a worker without damspec fails the task, where
    otherwise the worker itself would end, and the scheduler needs no damspec.
    """

    def __init__(self, executor: Executor) -> None:
        self._executor = executor

    def submit(self, function: Callable[..., Any], /, *args: Any, **others: Any) -> Future[Any]:
        """Call a function on a worker; `_value` returns its result."""
        call = _Call(dict(data_fingerprint()), partial(function, *args, **others))
        return self._executor.submit(pickle.loads, pickle.dumps(call))


@dataclass(frozen=True)
class _Call:
    """A call that is made by unpickling it."""

    expected: Mapping[str, str]
    function: Callable[[], Any]

    def __reduce__(self) -> tuple[Any, ...]:
        return _on_worker, (self.expected, self.function)


@dataclass(frozen=True)
class _Result:
    """The result of a task.

    A result may arrive just as its worker is lost. Then dask's executor takes it for an error and unpacks it as type,
    value and traceback; iterating raises an error that carries the result.
    """

    value: Any

    def __iter__(self) -> Iterator[Any]:
        raise _ResultAsError(self.value)


class _ResultAsError(Exception):
    """A result that was unpacked as if it were an error."""


def _value(future: Future[Any]) -> Any:
    """Return the result of a task, wherever it ran."""
    try:
        result = future.result()
    except _ResultAsError as error:
        return error.args[0]
    return result.value if isinstance(result, _Result) else result


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
