"""Checking an engine: all cases put to one process of it or to several at once."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Sequence

from damspec import Ruleset

from ..cases.cases import Case
from ..engines.process import Engine
from .ask import ask, smoke
from .result import FAILING, Report, Result


def check(
    ruleset: Ruleset,
    cases: Sequence[Case],
    start: Callable[[], Engine],
    *,
    label: str,
    jobs: int = 1,
    max_failures: int | None = None,
    progress: Callable[[Result], None] = lambda result: None,
) -> Report:
    """Ask an engine all the cases, with `jobs` processes of it at once.

    `start` makes an engine that has not been started; `max_failures` ends the run early; `progress` is told each
    result. Raises EngineError if the engine cannot be run at all.
    """
    began = time.monotonic()
    first = start()
    waiting: queue.SimpleQueue[int] = queue.SimpleQueue()
    results: list[Result | None] = [None] * len(cases)
    failures = 0
    lock = threading.Lock()
    stop = threading.Event()
    engines = [first]
    threads: list[threading.Thread] = []

    def work(engine: Engine) -> None:
        nonlocal failures
        while not stop.is_set():
            try:
                place = waiting.get_nowait()
            except queue.Empty:
                return
            result = ask(engine, ruleset, hello, cases[place])
            with lock:
                results[place] = result
                progress(result)
                failures += result.status in FAILING
                if max_failures is not None and failures >= max_failures:
                    stop.set()

    try:
        hello = smoke(first, ruleset)
        for place in range(len(cases)):
            waiting.put(place)
        engines += [start() for _ in range(min(jobs, len(cases)) - 1)]
        threads = [threading.Thread(target=work, args=(engine,), daemon=True) for engine in engines[1:]]
        for thread in threads:
            thread.start()
        work(first)
        for thread in threads:
            thread.join()
    finally:
        stop.set()
        for engine in engines:
            engine.close()
        for thread in threads:
            thread.join()
    why = f"the run ended after {failures} failures"
    done = tuple(result or Result(case, "not-asked", message=why) for case, result in zip(cases, results, strict=True))
    noise = tuple(line for engine in engines for line in engine.noise)
    return Report(ruleset, label, hello, done, noise, time.monotonic() - began)
