"""The command and hostile engines: Ctrl-C ends it whatever holds its pipes, and its report stays small."""

from __future__ import annotations

import json
import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from runner_fixtures import DAMSPEC, wait_until
from test_hostile import END, marked

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Linux alone tells of all that a program has started")

PROGRAMS = Path(__file__).with_name("programs.py")


def command(name: str, *options: str) -> list[str]:
    """`damspec check` of a hostile program."""
    return [*DAMSPEC, "check", "lb", *options, "--", sys.executable, "-S", "-E", str(PROGRAMS), name]


@contextmanager
def at_work(name: str, *options: str) -> Iterator[subprocess.Popen[str]]:
    """The command once its hostile program runs, of which nothing is left in the end."""
    marker = secrets.token_hex(8)
    with subprocess.Popen(
        command(name, "--timeout", "600", *options),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        env={**os.environ, "HOSTILE": f"{marker}-x"},
    ) as running:  # fmt: skip
        wait_until(lambda: bool(marked(marker, beside=running.pid)), 30)
        yield running
    wait_until(lambda: marked(marker) == [], END)


@pytest.mark.parametrize(
    ("name", "number"),
    [
        pytest.param("leaves-one-with-everything", signal.SIGINT, marks=pytest.mark.thorough),
        pytest.param("ignores-signals", signal.SIGTERM, marks=pytest.mark.slow),
    ],
)
def test_an_interruption_is_not_held_up(name: str, number: int) -> None:
    with at_work(name) as running:
        began = time.monotonic()
        running.send_signal(number)
        _, err = running.communicate(timeout=20)
        took = time.monotonic() - began
    assert (running.returncode, err.lstrip("\n")) == (128 + number, "damspec: interrupted\n")
    assert took < 15  # the engine has ten minutes to answer


def test_two_interruptions_leave_nothing_either() -> None:
    with at_work("ignores-signals", "-j", "3") as running:
        for _ in range(3):
            running.send_signal(signal.SIGINT)
            time.sleep(0.02)
        running.communicate(timeout=20)
    assert running.returncode


@pytest.mark.parametrize(
    "options", [pytest.param((), marks=pytest.mark.slow), pytest.param(("--scratch",), marks=pytest.mark.thorough)]
)
def test_what_is_wrong_is_one_line(options: tuple[str, ...], tmp_path: Path) -> None:
    done = subprocess.run(
        command("leaves-one-with-everything", "--timeout", "0.5", *options),
        capture_output=True, text=True, timeout=60, check=False, env={**os.environ, "TMPDIR": str(tmp_path)},
    )  # fmt: skip
    assert done.returncode == 3
    assert done.stderr.endswith(": did not answer hello within 0.5 seconds\n")
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.thorough
def test_a_report_is_not_much_longer_than_what_is_let_in() -> None:
    words = command("lists-what-it-may", "--json", "-k", "lb.king-move.c*", "--no-diagnose")
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 1
    assert done.stderr == ""
    (report,) = json.loads(done.stdout)["reports"]
    assert len(done.stdout) < 2 * 65_536 * len(report["results"])


#: Runs a command, and prints the most memory that it or its engine had, in MB, and the seconds of processors.
MEASURE = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_maxrss // 1024, used.ru_utime + used.ru_stime)
"""


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["floods-after-the-answer", "lists-what-it-may", "lists-every-pair"])
def test_what_is_wrong_about_everything_is_explained_at_little_cost(name: str) -> None:
    """Of all hostile programs these are the dearest: they answer all alike, with texts, or with all moves there are."""
    measured = subprocess.run(
        [sys.executable, "-c", MEASURE, *command(name)], capture_output=True, text=True, timeout=300, check=True
    )
    memory, seconds = map(float, measured.stdout.split())
    assert memory < 130
    assert seconds < 20
