"""The examples of the README and of spec/README.md hold: console blocks are run and compared, Python is a doctest."""

from __future__ import annotations

import contextlib
import doctest
import os
import re
import resource
import shlex
import sys
import time
from pathlib import Path

import pytest

from damspec import __version__ as damspec_version
from damspec_runner.engines import registry
from runner_fixtures import damspec

ROOT = Path(__file__).resolve().parent.parent
README, SPEC = ((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "spec/README.md"))


def blocks(language: str, page: str = README) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page, re.DOTALL | re.MULTILINE)


def console_examples() -> list[tuple[str, str]]:
    """Each command of the console blocks with the output shown under it."""
    found = []
    for block in [*blocks("console"), *blocks("console", SPEC)]:
        for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = example.partition("\n")
            found.append((command, output))
    return found


def pattern(shown: str) -> str:
    """The shown output as a pattern: a line `...` stands for any lines, `...` in a line for anything in it."""
    lines = [
        r"(?:.*\n)*?" if line == "..." else re.escape(line).replace(r"\.\.\.", ".*") + "\n"
        for line in shown.splitlines()
    ]
    return "".join(lines)


def ready(command: str) -> None:
    """Install the named engine a command needs, or skip where that is impossible and this is not CI."""
    for name in re.findall(r"--engine (\S+)", command):
        if name == registry.REFERENCE or registry.adapter(name).installed:
            continue
        try:
            registry.install(registry.adapter(name), print)
        except registry.InstallError as error:
            if os.environ.get("CI"):
                raise
            pytest.skip(f"NOT CHECKED: {error}")


def run(command: str) -> str:
    words = shlex.split(command)
    assert words[0] == "damspec"
    with contextlib.chdir(ROOT):
        return damspec(*(sys.executable if word == "python" else word for word in words[1:])).out


@pytest.mark.parametrize(("command", "shown"), console_examples(), ids=lambda text: text.split("\n")[0][:40])
def test_console_examples(command: str, shown: str) -> None:
    ready(command)
    said = run(command)
    assert re.fullmatch(pattern(shown), said), said


def test_python_examples() -> None:
    (block,) = blocks("python")
    test = doctest.DocTestParser().get_doctest(block, {}, "README.md", "README.md", 0)
    results = doctest.DocTestRunner().run(test)
    assert results.attempted == 3
    assert results.failed == 0


def test_the_two_commands_are_single_lines() -> None:
    first, second = (block.strip() for block in blocks("sh"))
    assert "\n" not in first + second
    assert "damspec check lb" in first
    assert second.endswith("pytest -q -n auto")
    assert next(line for line in README.splitlines() if "pytest" in line) == second, ".ci/run takes this line"


@pytest.mark.thorough
def test_the_first_command_ends_in_a_verdict_and_soon() -> None:
    main_job = blocks("sh")[0].split("&&")[-1].strip().removeprefix(".venv/bin/")
    ready(main_job)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.process_time()
    lines = run(main_job).splitlines()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    engines = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert time.process_time() - began + engines < 15  # seconds of processors: others may be at work on them
    assert "FAILED" not in "".join(lines)
    assert [line.partition(" cases in ")[0] for line in lines if line.startswith("lb by ")] == [
        f"lb by damspec {damspec_version}: 179 passed, 0 failed of 179",
        "lb by py-draughts 1.10.1: 106 passed, 71 failed, 2 unsupported of 179",
    ]
    assert lines[-1].endswith(": as expected")
    assert lines[-2] == (
        "As expected: the 71 failures that the baseline has, and no other. Without --baseline they are shown."
    )
    assert "it fails 71 cases" in README
