"""What the tests of the runner share: fake engines, the command line in this process, processes that must be gone."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from damspec import data
from damspec_runner.cli import main
from damspec_runner.engines import registry
from damspec_runner.engines.process import Engine, SubprocessEngine

TESTS = Path(__file__).parent
PROJECT = TESTS.parent
EXAMPLES = PROJECT / "runner" / "examples"
DAMSPEC = [sys.executable, "-m", "damspec_runner"]


def fake(*words: str) -> list[str]:
    """The command of a fake engine (fakes/fake.py)."""
    return [sys.executable, str(TESTS / "fakes" / "fake.py"), *words]


def engine(*words: str, timeout: float = 20.0, restarts: int = 3) -> Engine:
    """A fake engine, not started yet."""
    return SubprocessEngine(fake(*words), timeout=timeout, restarts=restarts)


@dataclass(frozen=True)
class Ran:
    """What a command did: exit status, standard output, standard error."""

    status: int
    out: str
    err: str

    @property
    def complaint(self) -> str:
        """The one line on standard error; fails the test if there is more or less."""
        lines = self.err.splitlines()
        assert len(lines) == 1, self.err
        assert lines[0].startswith("damspec: "), self.err
        return lines[0]

    @property
    def summary(self) -> str:
        """The line with the counts of a report: the last, but for what explains the failures."""
        return self.out.partition("\nExplanation\n")[0].splitlines()[-1]

    @property
    def last(self) -> str:
        """The last line of the output."""
        return self.out.splitlines()[-1]


def damspec(*words: str) -> Ran:
    """Run `damspec WORDS` in this process."""
    out, err = io.StringIO(), io.StringIO()
    with (
        mock.patch.object(sys, "argv", ["damspec", *words]),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        pytest.raises(SystemExit) as end,
    ):
        main()
    assert "Traceback" not in out.getvalue() + err.getvalue()
    return Ran(int(end.value.code or 0), out.getvalue(), err.getvalue())


def printed(*words: str, status: int = 0) -> str:
    """What `damspec WORDS` prints; the test fails at another exit status, or if there is anything to complain of."""
    ran = damspec(*words)
    assert (ran.status, ran.err) == (status, ""), ran
    return ran.out


def printed_json(schema: str, *words: str, status: int = 0) -> Any:
    """What `damspec WORDS` prints as JSON; the test fails if it has not the form of the schema."""
    content = json.loads(printed(*words, status=status))
    assert data.schema_problem(content, schema) is None
    return content


def refused(*words: str, status: int = 2) -> str:
    """The one line with which `damspec WORDS` is refused; the test fails if anything is printed."""
    ran = damspec(*words)
    assert (ran.status, ran.out) == (status, ""), ran
    return ran.complaint


def transcript(page: str) -> tuple[str, list[str]]:
    """What is sent in a transcript of a page of the documentation, and the lines that answer it."""
    lines = (PROJECT / "docs" / page).read_text(encoding="utf-8").splitlines()
    sent, answers = ([line[3:] for line in lines if line.startswith(arrow)] for arrow in ("-> ", "<- "))
    return "".join(f"{line}\n" for line in sent), answers


def running(id: int) -> bool:
    """Whether a process is there and is not merely waiting to be buried."""
    try:
        os.kill(id, 0)
        state = Path(f"/proc/{id}/stat")
        return not state.exists() or " Z " not in state.read_text()
    except OSError:
        return False


@contextlib.contextmanager
def all_gone(folder: Path) -> Iterator[Path]:
    """Fake engines started inside write down their process ids; outside none of them is running any more."""
    pids = folder / "pids"
    with mock.patch.dict(os.environ, FAKE_PIDS=str(pids)):
        yield pids
    for _ in range(200):
        left = [id for id in map(int, pids.read_text().split() if pids.exists() else ()) if running(id)]
        if not left:
            return
        time.sleep(0.1)
    pytest.fail(f"still running: {left}")


def wait_until(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    """Wait for a condition; the test fails if it does not come true."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)


def run_with_library(name: str, program: str, *words: str) -> str:
    """What a Python program prints which has the library of an engine; that is installed if need be.

    If it cannot be, the test is skipped, or failed in CI.
    """
    engine = registry.adapter(name)
    try:
        if not engine.installed:
            registry.install(engine, print)
    except registry.InstallError as error:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(f"{name} is not installed: it is NOT tested: {error}")
    command, environment = [*engine.command[:-1], "-c", program, *words], {**os.environ, **engine.environment}
    return subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, timeout=600, check=True).stdout


def node() -> str:
    """Node.js; without it the test is skipped, or failed in CI."""
    found = shutil.which("node")
    if not found:
        reason = "Node.js is not on the PATH: the JavaScript example is NOT tested"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return found
