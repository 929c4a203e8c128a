"""Executors: results come in the order of the tasks; errors and lost workers are one line."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import AbstractContextManager
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from damspec_runner.tasks.executor import processes, run_as_read, run_in_process, run_tasks, threads
from damspec_runner.tasks.journal import JobHeader, TaskError, TaskJournal
from runner_fixtures import DAMSPEC, refused, running, wait_until

NUMBERS = {f"share {number}": number for number in range(20)}


def square(number: int) -> int:
    """Those that come first take longest."""
    time.sleep(0.02 if number < 3 else 0)
    return number * number


def fail(number: int) -> int:
    """One share cannot be done."""
    if number == 7:
        raise TaskError("no seven")
    return number


def end(number: int) -> int:
    """One share ends the process."""
    if number == 7:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def test_nobody_waits_for_shares_whose_results_are_not_wanted() -> None:
    with processes(2) as executor:
        assert executor
        long = executor.submit(time.sleep, 100)
        wait_until(long.running)
    assert isinstance(long.exception(0), BrokenExecutor)  # not done to its end


@pytest.mark.parametrize("by", [processes, threads])
@pytest.mark.parametrize("jobs", [1, 3])
def test_results_come_in_the_order_of_the_shares(
    by: Callable[[int], AbstractContextManager[Executor | None]], jobs: int, tmp_path: Path
) -> None:
    told: list[int] = []
    with by(jobs) as executor, TaskJournal(tmp_path / "j", JobHeader("square", {})) as journal:
        found = [*run_tasks(executor, square, NUMBERS, journal, told.append)]
    assert found == [*run_in_process(square, NUMBERS)] == [number * number for number in range(20)]
    assert sorted(told) == found
    with TaskJournal(tmp_path / "j", JobHeader("square", {})) as journal:
        assert sorted(journal.known.values()) == found


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_is_wrong_with_a_share_is_raised(jobs: int) -> None:
    with pytest.raises(TaskError, match="no seven"), processes(jobs) as executor:
        [*run_tasks(executor, fail, NUMBERS)]


def test_a_process_that_is_lost_is_told_of() -> None:
    with pytest.raises(TaskError, match="a process that worked was ended"), processes(2) as executor:
        [*run_tasks(executor, end, NUMBERS)]


class Lazy(Executor):
    """Begins nothing before it is asked to."""

    def __init__(self) -> None:
        self.given: list[Future[Any]] = []

    def submit(self, function: Callable[..., Any], /, *args: Any, **others: Any) -> Future[Any]:
        """A future that is done at once for the first five shares, and for no other."""
        future: Future[Any] = Future()
        if len(self.given) < 5:
            future.set_result(function(*args))
        self.given.append(future)
        return future


def test_what_nobody_wants_is_not_begun() -> None:
    executor = Lazy()
    results = run_tasks(executor, square, NUMBERS)
    assert [*islice(results, 2)] == [0, 1]
    results.close()  # type: ignore[attr-defined]
    assert [future.cancelled() for future in executor.given] == [False] * 5 + [True] * 15


@pytest.mark.filterwarnings("error::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.parametrize("jobs", [1, 2])
def test_tasks_are_read_a_few_ahead_of_the_result_asked_for(jobs: int) -> None:
    read: list[int] = []

    def numbers() -> Iterator[int]:
        for number in range(20):
            read.append(number)
            yield number

    with processes(jobs) as executor:
        results = run_as_read(executor, square, numbers(), ahead=4)
        assert next(results) == 0
        assert len(read) == (1 if jobs == 1 else 5)
        assert list(results) == [number * number for number in range(1, 20)]


def test_a_process_lost_while_tasks_are_read_is_told_of() -> None:
    with processes(2) as executor, pytest.raises(TaskError, match="ended by something else"):
        list(run_as_read(executor, end, range(10), ahead=4))


def test_processes_end_at_once_though_cancelled_shares_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(executor: Executor | None) -> None:
        assert executor
        shutdown = executor.shutdown

        def slowly(**how: bool) -> None:
            time.sleep(0.3)
            shutdown(**how)

        monkeypatch.setattr(executor, "shutdown", slowly)
        futures = [executor.submit(time.sleep, 60) for _ in range(40)]
        wait_until(futures[2].running)
        for future in futures:
            future.cancel()
        raise KeyboardInterrupt

    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt), processes(2) as executor:
        interrupted(executor)
    assert time.monotonic() - started < 20


def deaf(path: Path) -> None:
    """Work on whatever SIGTERM says, as a process does that has only just started."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    path.touch()
    time.sleep(60)


def test_processes_end_that_lose_the_signal(tmp_path: Path) -> None:
    began = time.monotonic()
    with processes(2) as executor:
        assert executor
        executor.submit(deaf, tmp_path / "begun")
        wait_until((tmp_path / "begun").exists, 30)
    assert time.monotonic() - began < 30


@pytest.mark.parametrize(("how", "status"), [(signal.SIGKILL, -signal.SIGKILL), (signal.SIGTERM, 143)])
def test_processes_end_with_what_began_them(how: signal.Signals, status: int, tmp_path: Path) -> None:
    """Killed without a word, and asked to end, in work without end."""
    journal = tmp_path / "journal"
    words = ["perft", "international", "--depth", "20", "-j", "2", "--journal", str(journal)]
    with subprocess.Popen([*DAMSPEC, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as begun:
        wait_until(lambda: journal.exists() and journal.read_bytes().count(b"\n") > 3)
        children = [*map(int, Path(f"/proc/{begun.pid}/task/{begun.pid}/children").read_text().split())]
        assert len(children) == 2
        begun.send_signal(how)
        _, err = begun.communicate(timeout=60)
    goes_on = f"damspec: what is done is in {str(journal)!r}: the same command goes on"
    said = [] if how == signal.SIGKILL else [goes_on, "damspec: interrupted"]
    assert (begun.returncode, [*filter(None, err.splitlines())]) == (status, said)
    wait_until(lambda: not any(map(running, children)), 20)


def test_who_works_is_said_once() -> None:
    said = refused("perft", "lb", "--depth", "2", "-j", "2", "--dask", "127.0.0.1:1")
    assert "--jobs does not go with --dask" in said
