"""What an engine has started is found and ended, whatever it has left behind; other processes are left alone."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from unittest import mock

import psutil
import pytest

from damspec_runner.engines import process_tree
from damspec_runner.engines.process_tree import ProcessTree, adopt_orphans
from runner_fixtures import running

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Linux alone tells of all that a program has started")


def started(script: str, folder: Path) -> tuple[ProcessTree, list[int]]:
    """A shell that runs a script, once a process has signed the file `ids`; its id."""
    found, ids = ProcessTree(["sh", "-c", script], os.environ, str(folder)), folder / "ids"
    assert eventually(lambda: ids.exists() and ids.read_text().endswith("\n"))
    return found, [*map(int, ids.read_text().split())]


def gone(ids: list[int]) -> bool:
    """Whether processes are gone, or will be in a moment."""
    return eventually(lambda: not any(map(running, ids)))


def eventually(happens: Callable[[], bool]) -> bool:
    """Whether something happens within some seconds."""
    until = time.monotonic() + 20
    while not happens() and time.monotonic() < until:
        time.sleep(0.02)
    return happens()


def close(found: ProcessTree) -> None:
    for stream in (found.process.stdin, found.process.stdout, found.process.stderr):
        if stream:
            stream.close()


SIGN = "echo $$ >>ids; sleep 60"


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
    found, ids = started(script, tmp_path)
    assert found.end() == ()
    assert gone([*ids, found.process.pid])
    close(found)


def test_one_that_has_left_everything_is_adopted(tmp_path: Path) -> None:
    with adopt_orphans():
        found, ids = started(f"env -i PATH=$PATH setsid sh -c '{SIGN}' & exit", tmp_path)
        assert eventually(lambda: found.has_ended)
        assert found.end() == ()
        assert gone(ids)
        close(found)


def test_strays_wait_for_the_last_engine(tmp_path: Path) -> None:
    with adopt_orphans():
        other = ProcessTree(["sleep", "60"], os.environ)
        found, ids = started(f"env -i PATH=$PATH setsid sh -c '{SIGN}' & exit", tmp_path)
        assert eventually(lambda: found.has_ended)
        assert found.end() == ()
        assert all(map(running, ids))  # it may be the other's
        assert other.end() == ()
        assert gone(ids)
        close(found)
        close(other)


def test_other_processes_are_left_alone(tmp_path: Path) -> None:
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as own:
        with adopt_orphans():
            found, _ = started(SIGN, tmp_path)
            assert found.end() == ()
            close(found)
        assert running(own.pid)
        own.kill()


def test_two_engines_are_told_apart(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    script = f"(setsid sh -c '{SIGN}' &) ; sleep 60"
    (first, ids), (second, others) = (started(script, tmp_path / name) for name in ("a", "b"))
    assert first.end() == ()
    assert gone(ids)
    assert all(map(running, others))
    assert second.end() == ()
    assert gone(others)
    close(first)
    close(second)


def test_what_cannot_be_ended_is_named_and_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_tree, "PATIENCE", 0.2)
    found, ids = started(SIGN, tmp_path)
    began = time.monotonic()
    with mock.patch.object(psutil.Process, "kill"):
        assert set(ids) <= set(found.end())
    assert time.monotonic() - began < 30  # they live 60
    os.killpg(found.process.pid, 9)
    found.process.wait()
    close(found)


def test_an_ended_process_is_not_buried_before_its_family() -> None:
    found = ProcessTree(["true"], os.environ)
    assert eventually(lambda: found.has_ended)
    assert found.process.returncode is None
    assert Path(f"/proc/{found.process.pid}").exists()
    assert found.end() == ()
    assert found.process.returncode == 0
    assert found.has_ended
    close(found)


def test_what_cannot_be_started_leaves_no_tree_for_which_strays_would_wait(tmp_path: Path) -> None:
    with adopt_orphans():
        with pytest.raises(OSError, match="No such file"):
            ProcessTree(["/nonexistent"], os.environ)
        found, ids = started(f"env -i PATH=$PATH setsid sh -c '{SIGN}' & exit", tmp_path)
        assert eventually(lambda: found.has_ended)
        assert found.end() == ()
        assert gone(ids)
        close(found)
