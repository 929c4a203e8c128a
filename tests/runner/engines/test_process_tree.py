"""What an engine has started is found and ended, whatever it has left behind; other processes are left alone."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

import psutil
import pytest

from damspec_runner.engines import process_tree
from damspec_runner.engines.process_tree import ProcessTree, adopt_orphans
from refusals import refusal
from runner_fixtures import running, wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Linux alone tells of all that a program has started")


@contextmanager
def started(script: str, folder: Path) -> Iterator[tuple[ProcessTree, list[int]]]:
    """A shell that runs a script, once a process has signed the file `ids`; its id."""
    with closing_pipes(ProcessTree(["sh", "-c", script], os.environ, str(folder))) as found:
        ids = folder / "ids"
        wait_until(lambda: ids.exists() and ids.read_text().endswith("\n"))
        yield found, [*map(int, ids.read_text().split())]


@contextmanager
def closing_pipes(found: ProcessTree) -> Iterator[ProcessTree]:
    """Close what leads to an engine in the end."""
    yield found
    for stream in (found.process.stdin, found.process.stdout, found.process.stderr):
        if stream:
            stream.close()


def ends(found: ProcessTree, *ids: int) -> None:
    """End an engine, and all of these processes with it."""
    assert found.end() == ()
    wait_until(lambda: not any(map(running, ids)))


SIGN = "echo $$ >>ids; sleep 60"
#: It has neither the engine's environment nor its session, nor a parent among its processes.
LEAVING = f"env -i PATH=$PATH setsid sh -c '{SIGN}' & exit"


@pytest.mark.parametrize(
    "script",
    [
        f"sh -c '{SIGN}'; :",
        f"setsid sh -c '{SIGN}' & wait",
        f"setsid sh -c '{SIGN}' & exit",
        f"(setsid sh -c '{SIGN}' &) ; exit",
        f"env -i PATH=$PATH sh -c '{SIGN}' & exit",  # in its session
        f"env -i PATH=$PATH setsid sh -c '{SIGN}' & wait",  # its child
        f"env -i PATH=$PATH setsid sh -c \"sh -c '{SIGN}' & wait\" & wait",
        f"trap '' TERM HUP INT; {SIGN}",
        "echo $$ >>ids; kill -STOP $$",
    ],
)
def test_all_that_can_be_known_for_an_engines_is_ended(script: str, tmp_path: Path) -> None:
    with started(script, tmp_path) as (found, ids):
        ends(found, *ids, found.process.pid)


def test_one_that_has_left_everything_is_adopted(tmp_path: Path) -> None:
    with adopt_orphans(), started(LEAVING, tmp_path) as (found, ids):
        wait_until(lambda: found.has_ended)
        ends(found, *ids)


def test_strays_wait_for_the_last_engine(tmp_path: Path) -> None:
    with (
        adopt_orphans(),
        closing_pipes(ProcessTree(["sleep", "60"], os.environ)) as other,
        started(LEAVING, tmp_path) as (found, ids),
    ):
        wait_until(lambda: found.has_ended)
        ends(found)
        assert all(map(running, ids))  # it may be the other's
        ends(other, *ids)


def test_other_processes_are_left_alone(tmp_path: Path) -> None:
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as own:
        with adopt_orphans(), started(SIGN, tmp_path) as (found, _):
            ends(found)
        assert running(own.pid)
        own.kill()


def test_two_engines_are_told_apart(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    script = f"(setsid sh -c '{SIGN}' &) ; sleep 60"
    with started(script, tmp_path / "a") as (first, ids), started(script, tmp_path / "b") as (second, others):
        ends(first, *ids)
        assert all(map(running, others))
        ends(second, *others)


def test_what_cannot_be_ended_is_named_and_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_tree, "PATIENCE", 0.2)
    with started(SIGN, tmp_path) as (found, ids):
        began = time.monotonic()
        with mock.patch.object(psutil.Process, "kill"):
            assert set(ids) <= set(found.end())
        assert time.monotonic() - began < 30  # they live 60
        os.killpg(found.process.pid, 9)
        found.process.wait()


def test_an_ended_process_is_not_buried_before_its_family() -> None:
    with closing_pipes(ProcessTree(["true"], os.environ)) as found:
        wait_until(lambda: found.has_ended)
        assert found.process.returncode is None
        assert Path(f"/proc/{found.process.pid}").exists()
        ends(found)
        assert found.process.returncode == 0
        assert found.has_ended


def test_what_cannot_be_started_leaves_no_tree_for_which_strays_would_wait(tmp_path: Path) -> None:
    with adopt_orphans():
        assert "No such file" in refusal(OSError, ProcessTree, ["/nonexistent"], os.environ)
        with started(LEAVING, tmp_path) as (found, ids):
            wait_until(lambda: found.has_ended)
            ends(found, *ids)
