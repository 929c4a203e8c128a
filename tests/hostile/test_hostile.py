"""Programs that are no good engines: each is told in one line and in time, none is left, and the runner stays small."""

from __future__ import annotations

import json
import re
import secrets
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from programs import PROGRAMS
from runner_fixtures import running, wait_until
from runs import usually

HERE = Path(__file__).parent
MARKER = secrets.token_hex(8)
#: Every eighth program, which a usual run looks at; a thorough one looks at the others.
USUAL = list(PROGRAMS)[::8]
#: Those that are started again and again, each much like another one that a thorough run looks at.
SELDOM = {"a-large-position", "a-million-moves", "an-empty-position", "burns"}
#: Seconds in which a machine that is busy lets a process end that was killed.
END = 20

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="Linux alone tells of all that a program has started"),
    pytest.mark.xdist_group("hostile"),
]


def marked(marker: str, *, beside: int = 0) -> list[str]:
    """The programs with a marker that are still running, but for one process that has it too."""
    folders = [id for id in Path("/proc").glob("[0-9]*") if id.name != str(beside)]
    return [name for folder in folders if (name := _name(folder, marker))]


def _name(process: Path, marker: str) -> str:
    """Which of our programs a process is."""
    try:
        state = (process / "stat").read_bytes().rpartition(b")")[2].split()[0]
        found = re.search(rf"HOSTILE={marker}-([^\0]*)".encode(), (process / "environ").read_bytes())
    except OSError:
        return ""
    return found[1].decode() if found and state != b"Z" else ""


@pytest.fixture(scope="module")
def found(request: pytest.FixtureRequest) -> dict[str, Any]:
    """What was said of each program that this run looks at, by its name; and of the runner, under the empty name."""
    given = [getattr(item, "callspec", None) for item in request.session.items]
    names = {each.params["name"] for each in given if each and "name" in each.params} & PROGRAMS.keys()
    done = subprocess.run(
        [sys.executable, str(HERE / "drive.py"), MARKER, *names],
        capture_output=True,
        text=True,
        timeout=170,
        check=False,
    )
    assert done.stderr == ""
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return {line.get("name", ""): line for line in lines}


@pytest.mark.parametrize("name", usually(USUAL, PROGRAMS, PROGRAMS.keys() - SELDOM))
def test_it_is_told_in_one_line_and_in_time(name: str, found: dict[str, Any]) -> None:
    hostile, told = PROGRAMS[name], found[name]
    assert any(re.search(hostile.said, line) for line in told["said"]), told
    for line in told["said"]:
        assert line.isprintable()
        assert len(line) < 1500
    # Whoever was killed may still wait for the processor time to end; whoever was not would last for a minute.
    wait_until(lambda: not any(map(running, told["left"])), END)
    assert told["noise"] <= 200 * 500
    assert told["seconds"] < 55  # by themselves they last for a minute


@pytest.mark.parametrize("programs", usually(["some"], ["some", "the others"]))
def test_none_is_left_and_the_runner_stays_small(programs: str, found: dict[str, Any]) -> None:
    """Run after the programs that a usual run looks at, and after those that a thorough one does."""
    wait_until(lambda: marked(MARKER) == [], END)
    assert found[""]["peak"] < 150 * 1024
    assert found[""]["files"] < 20
