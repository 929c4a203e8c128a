"""Standard output that takes not all of what is printed: one line and a status of its own, from every command."""

from __future__ import annotations

import contextlib
import errno
import io
import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from damspec_runner.cli import GROUPS, main
from damspec_runner.verify.report.serialize import as_json
from reports import EVERYTHING
from runner_fixtures import DAMSPEC, PROJECT, fake
from runs import usually

FULL = "damspec: cannot write: No space left on device\n"

#: What makes each command print something: `R` stands for a report, `N` for a new file, `W` for an engine with faults.
PRINTING = (
    "--version", "--help", "",
    "check lb -k lb.start.*", "check lb -k lb.start.* --json", "check lb -k lb.man-move.* W", "ask lb start W",
    "diagnose R --json",
    "report R", "report R --json", "report R --format jsonl", "report R --format junit", "report R --format tap",
    "report R --format markdown", "report R --format html", "report R --format issue", "report R --format badge",
    "report R --format badge-json", "report R --format annotations",
    "report --compare R R", "report --compare R R --json",
    "compare --help", "engines", "engines --json", "serve --help",
    "diff lb vl --json", "explain lb", "trace lb --json", "readings lb", "site --help", "site build --help",
    "generate lb -n 2 --no-otherwise", "generate lb --format svg",
    "identify --help", "new ruleset mine --like lb -o -", "replay tests/data/games.pdn",
    "cases list lb", "adequacy --help", "bridge --help", "solve --help",
    "rulesets", "moves lb start", "moves lb start --json", "play lb start 11-15", "outcome lb start",
    "perft lb --depth 3 --divide",
)  # fmt: skip

#: Those of them that a thorough run looks at.
QUICK = {"moves lb start --json", "report R"}


class Disk(io.RawIOBase):
    """A file on a disk with room for so many bytes: the last that fit are written, as the system does it."""

    def __init__(self, room: float) -> None:
        self.room, self.content = room, b""

    def writable(self) -> bool:
        return True

    def write(self, content: object) -> int:
        new = bytes(content)[: int(min(self.room, 10**9)) - len(self.content)]  # type: ignore[call-overload]
        if not new:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self.content += new
        return len(new)


def printed(line: str, report: Path, room: float, *, buffered: bool) -> tuple[int, bytes, str]:
    """Exit status, what came to a disk with so much room, and standard error."""
    given = {"R": [str(report)], "W": ["--", *fake("wrong-moves")]}
    words = [word for each in line.split() for word in given.get(each, [each])]
    if words[:1] == ["check"] and "--" not in words and "--help" not in words:
        words += ["--engine", "damspec"]
    disk, err = Disk(room), io.StringIO()
    raw: Any = disk  # unbuffered output is a text on what writes what it can
    out = io.TextIOWrapper(io.BufferedWriter(raw)) if buffered else io.TextIOWrapper(raw, write_through=True)
    with (
        mock.patch.object(sys, "argv", ["damspec", *words]),
        mock.patch.object(sys, "stdout", out),
        contextlib.redirect_stderr(err),
        pytest.raises(SystemExit) as end,
    ):
        main()
    content, disk.room = disk.content, float("inf")
    return int(end.value.code or 0), content, err.getvalue()


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report with failures."""
    path = tmp_path_factory.mktemp("report") / "report.json"
    path.write_text(json.dumps(as_json([EVERYTHING])), encoding="utf-8")
    return path


@pytest.mark.parametrize("line", usually({""}, PRINTING, QUICK))
def test_what_is_cut_off_is_said_by_every_command(line: str, report: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(PROJECT)
    status, whole, _ = printed(line, report, float("inf"), buffered=False)
    assert status in (0, 1, 2)
    assert len(whole) > 1
    for buffered in (False, True):
        status, content, err = printed(line, report, len(whole) // 2, buffered=buffered)
        assert (status, err.splitlines(keepends=True)[-1]) == (4, FULL)
        assert len(content) == len(whole) // 2
        assert "Traceback" not in err


def test_every_command_is_in_it() -> None:
    assert {name for names in GROUPS.values() for name in names} <= {line.partition(" ")[0] for line in PRINTING}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
@pytest.mark.parametrize("unbuffered", ["", pytest.param("1", marks=pytest.mark.slow)])
def test_a_process_on_a_full_disk(unbuffered: str, tmp_path: Path) -> None:
    words, environment = [*DAMSPEC, "moves", "lb", "start", "--json"], {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with Path("/dev/full").open("w") as full:
        ran = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True, env=environment, check=False)
    assert (ran.returncode, ran.stderr) == (4, FULL)

    def with_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    with (tmp_path / "out").open("w") as file:  # the first hundred bytes are written
        ran = subprocess.run(
            words, stdout=file, stderr=subprocess.PIPE, text=True, env=environment, preexec_fn=with_room, check=False
        )
    assert (ran.returncode, ran.stderr) == (4, "damspec: cannot write: File too large\n")
    assert (tmp_path / "out").stat().st_size == 100


@pytest.mark.parametrize("unbuffered", ["", pytest.param("1", marks=pytest.mark.slow)])
def test_a_closed_pipe_is_quiet_and_a_closed_output_is_not(unbuffered: str) -> None:
    words, environment = [*DAMSPEC], {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    reading, writing = os.pipe()
    os.close(reading)
    ran = subprocess.run(words, stdout=writing, stderr=subprocess.PIPE, text=True, env=environment, check=False)
    os.close(writing)
    assert (ran.returncode, ran.stderr) == (141, "")
    closed = subprocess.run(
        ["sh", "-c", '"$@" >&-', "sh", *words], stderr=subprocess.PIPE, text=True, env=environment, check=False
    )
    assert (closed.returncode, closed.stderr) == (4, "damspec: cannot write: Bad file descriptor\n")
