"""Processes of this machine that do shares; they end when this one does, however that ends."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing import active_children, parent_process
from multiprocessing.process import BaseProcess
from threading import Thread


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
