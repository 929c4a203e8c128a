"""A real scheduler and its workers, each a process: the same result to the byte, and nothing lost with a worker."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from damspec_runner.commands import options
from damspec_runner.tasks.executor import _Stamped, run_tasks
from damspec_runner.tasks.executor import cluster as workers_of
from damspec_runner.tasks.journal import TaskError
from runner_fixtures import DAMSPEC, Ran, refused, wait_until
from runner_fixtures import damspec as command

pytest.importorskip("distributed", reason="dask.distributed is not installed: damspec[dask]")
pytestmark = [pytest.mark.thorough, pytest.mark.xdist_group("cluster")]

#: Some seconds of work in hundreds of shares.
LONG = ("perft", "international", "--depth", "6", "--count", "paths")


#: How many workers may end while they do a share before the next is the last.
FAILURES = 1
#: How a process is made that has no damspec.
WITHOUT = "sys.modules['damspec'] = sys.modules['damspec_runner'] = None"


class Cluster:
    """A scheduler that has no damspec, with the workers that are started."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"127.0.0.1:{free.getsockname()[1]}"
        self._folder = folder
        self._begun: list[subprocess.Popen[bytes]] = []
        settings = {"scheduler.allowed-failures": FAILURES, "comm.timeouts.connect": "500ms"}
        before = f"import dask; dask.config.set({ {f'distributed.{name}': value for name, value in settings.items()} })"
        before += f"\n{WITHOUT}"
        words = ("--host", "127.0.0.1", "--port", self.address.partition(":")[2])
        self._begin("dask_scheduler", *words, before=before)

    def worker(self, *, threads: int = 1, before: str = "") -> subprocess.Popen[bytes]:
        """One more worker, after some Python that changes what it is."""
        words = (self.address, "--host", "127.0.0.1", "--nthreads", str(threads), "--no-nanny")
        return self._begin("dask_worker", *words, "--local-directory", str(self._folder), before=before)

    def two(self) -> subprocess.Popen[bytes]:
        """Two workers that are there; the first of them."""
        first, _ = self.worker(), self.worker()
        wait_until(lambda: (self._folder / "log.txt").read_text().count("Registered to:") == 2, 90)
        return first

    def _begin(self, name: str, *words: str, before: str = "") -> subprocess.Popen[bytes]:
        code = f"import sys\n{before}\nfrom distributed.cli.{name} import main\nmain()"
        log = (self._folder / "log.txt").open("ab")
        begun = subprocess.Popen(
            [sys.executable, "-c", code, *words, "--no-dashboard"], stdout=log, stderr=log, cwd=self._folder
        )
        self._begun.append(begun)
        return begun

    def end(self) -> None:
        """End all of them."""
        for process in self._begun[::-1]:
            process.kill()
            process.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """A scheduler without workers."""
    made = Cluster(tmp_path)
    try:
        yield made
    finally:
        made.end()


def lines(journal: Path) -> int:
    """How many lines a journal has."""
    return journal.read_bytes().count(b"\n") if journal.exists() else 0


def has_each_share_once(journal: Path) -> None:
    """The journal of the long work has the result of each share, and no share twice."""
    shares = [json.loads(line)["share"] for line in journal.read_text().splitlines()[1:]]
    assert len(shares) == len(set(shares)) > 500


def begin(*words: str) -> subprocess.Popen[str]:
    """A command in a process of its own."""
    return subprocess.Popen([*DAMSPEC, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.fixture(scope="module")
def right() -> Ran:
    """What one process says of the long work."""
    return command(*LONG)


@pytest.mark.slow
def test_a_worker_killed_in_mid_work_takes_nothing_with_it(cluster: Cluster, tmp_path: Path, right: Ran) -> None:
    first = cluster.two()
    journal = tmp_path / "journal"
    with begin(*LONG, "--dask", cluster.address, "--journal", str(journal)) as client:
        wait_until(lambda: lines(journal) > 40, 90)
        first.send_signal(signal.SIGKILL)
        out, err = client.communicate(timeout=120)
    assert (client.returncode, out, err) == (0, right.out, "")
    has_each_share_once(journal)


class Overtaken:
    """A future of dask's whose worker is lost just when its result has arrived."""

    status = "lost"

    def __init__(self, result: object) -> None:
        self._gathered = result

    async def _result(self, raiseit: bool) -> object:
        return self._gathered


class Overtaking(Executor):
    """Dask's executor where every worker is lost just when its result has arrived."""

    def submit(self, function: Callable[..., Any], /, *args: Any, **others: Any) -> Future[Any]:
        from distributed.cfexecutor import _cascade_future

        future: Future[Any] = Future()

        async def gathered() -> None:
            await _cascade_future(Overtaken(function(*args, **others)), future)

        asyncio.run(gathered())
        return future


def test_a_result_that_arrives_as_its_worker_is_lost_is_had(monkeypatch: pytest.MonkeyPatch) -> None:
    worker = SimpleNamespace(state=SimpleNamespace(nthreads=1))
    monkeypatch.setattr("distributed.get_worker", lambda: worker)
    executor = _Stamped(Overtaking())
    shares = {str(number): number for number in (-3, 4, -5)}
    assert [*run_tasks(executor, abs, shares)] == [3, 4, 5]
    with pytest.raises(TypeError):  # as it is without the stamp
        Overtaking().submit(abs, 1).result()


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGKILL, pytest.param(signal.SIGINT, marks=pytest.mark.slow)])
def test_a_client_that_was_ended_is_gone_on_with(
    cluster: Cluster, tmp_path: Path, right: Ran, how: signal.Signals
) -> None:
    cluster.two()
    journal = tmp_path / "journal"
    words = (*LONG, "--journal", str(journal))
    with begin(*words, "--dask", cluster.address) as client:
        wait_until(lambda: lines(journal) > 40, 90)
        client.send_signal(how)
        _, err = client.communicate(timeout=60)
    assert "Traceback" not in err
    kept = lines(journal)
    again = command(*words, "-j", "2")
    assert (again.status, again.out) == (0, right.out)
    assert again.err.startswith(f"damspec: {kept - 1} tasks are done already")
    has_each_share_once(journal)


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ("adequacy", "lb", "--matrix"),
        ("generate", "vl", "--distinguish", "brazilian", "--minimal", "-n", "5", "--seed", "3", "--format", "fen"),
        ("adequacy", "english", "--perft", "--json"),
    ],
    ids=" ".join,
)
def test_the_same_to_the_byte_however_spread(cluster: Cluster, words: tuple[str, ...]) -> None:
    cluster.two()
    spread = [command(*words, *how) for how in (("--dask", cluster.address), ("-j", "1"), ("-j", "2"))]
    assert len({(ran.out, ran.err) for ran in spread}) == 1
    assert {ran.status for ran in spread} == {0}


def test_work_waits_for_a_worker_and_is_the_same_by_two(cluster: Cluster) -> None:
    words = ("perft", "english", "--depth", "4", "--divide", "--json")
    with begin(*words, "--dask", cluster.address) as client:
        assert client.stderr
        said = f"the scheduler at {cluster.address} has no worker yet; the work begins when one comes"
        assert client.stderr.readline() == f"damspec: {said}\n"
        cluster.worker(), cluster.worker()
        out, err = client.communicate(timeout=60)
    assert (client.returncode, out, err) == (0, command(*words).out, "")


@pytest.mark.slow
def test_a_scheduler_that_is_lost_is_told_of(cluster: Cluster, tmp_path: Path) -> None:
    cluster.two()
    journal = tmp_path / "journal"
    with begin(*LONG, "--dask", cluster.address, "--journal", str(journal)) as client:
        wait_until(lambda: lines(journal) > 40, 90)
        cluster.end()
        _, err = client.communicate(timeout=60)
    assert (client.returncode, err) == (2, "damspec: the scheduler is lost: what was under way there is not known\n")


def test_a_share_that_ends_its_workers_is_told_of(cluster: Cluster) -> None:
    for _ in range(FAILURES + 1):
        cluster.worker()
    with (
        pytest.raises(TaskError, match=f"{FAILURES + 1} workers ended while running the same task"),
        workers_of(cluster.address, lambda line: None) as executor,
    ):
        [*run_tasks(executor, os._exit, {"end": 1})]


OTHER = "from damspec_runner.tasks import journal; journal.data_fingerprint = lambda: {{'damspec': {}, 'data': {}}}"


@pytest.mark.parametrize(
    ("threads", "before", "said"),
    [
        (2, "", "has 2 threads, expected dask worker --nthreads 1"),
        pytest.param(
            *(1, OTHER.format("'0'", "''"), "has another damspec: found version 0, expected version "),
            marks=pytest.mark.slow,
        ),
        pytest.param(
            1,
            OTHER.format("journal.__version__", "'f00'"),
            "found rules and cases with the digest f00, expected",
            marks=pytest.mark.slow,
        ),
        pytest.param(1, WITHOUT, "has no damspec (", marks=pytest.mark.slow),
    ],
    ids=["threads", "version", "rules", "without"],
)
def test_a_worker_that_cannot_work_is_told_of(cluster: Cluster, threads: int, before: str, said: str) -> None:
    cluster.worker(threads=threads, before=before)
    ran = command("perft", "lb", "--depth", "3", "--dask", cluster.address)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err.splitlines()[-1]
    assert "Traceback" not in ran.err


@pytest.mark.parametrize("address", ["127.0.0.1:1", "nowhere", "http://127.0.0.1:1", ""])
def test_a_scheduler_that_does_not_answer_is_told_of(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(options, "cluster", partial(workers_of, timeout=1))
    said = refused("perft", "lb", "--depth", "3", "--dask", address)
    assert said == f"damspec: no scheduler of dask.distributed answers at {address!r}, expected HOST:PORT"
