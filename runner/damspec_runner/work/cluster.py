"""A cluster that does shares: dask.distributed's own executor, on workers that have the same damspec."""

from __future__ import annotations

import gc
import logging
import pickle
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from .sharing import LOST
from .stamp import WorkError, stamp

if TYPE_CHECKING:
    from distributed import Client

R = TypeVar("R")
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
        raise WorkError("dask.distributed is not installed: pip install 'damspec[dask]'") from None
    for name in ("distributed", "distributed.client", "tornado.application"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    client = _client(address)
    if client is None:
        raise WorkError(f"no scheduler of dask.distributed answers at {address!r}, expected HOST:PORT")
    try:
        if not client.scheduler_info()["workers"]:
            tell(f"the scheduler at {address} has no worker yet; the work begins when one comes")
        yield _Stamped(client.get_executor(pure=False))
    except KilledWorker as error:
        raise WorkError(f"{error.allowed_failures + 1} workers ended while they did the same share") from None
    except ModuleNotFoundError as error:
        raise WorkError(f"a worker of {address} has no damspec ({error}): pip install 'damspec[dask]' there") from None
    except TypeError:  # with which dask's executor fails too, once its client is cut off
        if client.status == "running":
            raise
        raise WorkError(LOST) from None
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

    def submit(self, function: Callable[..., R], /, *args: Any, **others: Any) -> Future[R]:
        """Have a function called on a worker."""
        call = _Call(dict(stamp()), partial(function, *args, **others))
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
        raise WorkError(f"the worker {worker.address} has {threads} threads, expected dask worker --nthreads 1")
    for what, name in (("damspec", "version {}"), ("data", "rules and cases with the digest {:.12}")):
        if (found := stamp()[what]) != expected[what]:
            said = f"found {name.format(found)}, expected {name.format(expected[what])}"
            raise WorkError(f"the worker {worker.address} has another damspec: {said}")
    return _Result(function())
