"""Standard output that takes not all of what is printed: one line and a status of its own, from every command."""

from __future__ import annotations

import contextlib
import errno
import io
import json
import os
import re
import resource
import shlex
import subprocess
import sys
from collections.abc import Sequence
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
    
    "report R", "report R --json", "report R --format jsonl", "report R --format junit", "report R --format tap",
    "report R --format markdown", "report R --format html", "report R --format issue", "report R --format badge",
    "report R --format badge-json", "report R --format annotations",
    "report --compare R R", "report --compare R R --json",
    "compare --help", "engines", "engines --json", "serve --help",
    "diff lb vl --json", "explain lb", "explain lb --json", "site --help", "site build --help",
    "generate lb -n 2 --no-otherwise", "generate lb --format svg",
    "identify --help", "new ruleset mine --like lb -o -", "replay tests/data/games.pdn",
    "cases list lb", "adequacy --help", "bridge --help", "solve --help", "book --help", "explore --help",
    "rulesets", "moves lb start", "moves lb start --json", "play lb start 11-15", "outcome lb start",
    "perft lb --depth 3 --divide",
)  # fmt: skip

#: Those of them that a thorough run looks at.
QUICK = {"moves lb start --json", "report R"}


#: Every command with its help, and what prints without a command.
HELP = ("--version", "--help", "", *(f"{name} --help" for names in GROUPS.values() for name in names))
CLOSED = "damspec: cannot write: "
#: What differs each time.
SECONDS = r"in \d+\.\d s|\"seconds\": [0-9.e-]+"


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


def words_of(line: str, report: Path) -> list[str]:
    """The words of a line of `PRINTING`."""
    given = {"R": [str(report)], "W": ["--", *fake("wrong-moves")]}
    words = [word for each in line.split() for word in given.get(each, [each])]
    if words[:1] == ["check"] and "--" not in words and "--help" not in words:
        words += ["--engine", "damspec"]
    return words


def printed(line: str, report: Path, room: float, *, buffered: bool) -> tuple[int, bytes, str]:
    """Exit status, what came to a disk with so much room, and standard error."""
    words = words_of(line, report)
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
@pytest.mark.parametrize(
    "lines",
    [
        ["--version", "--help", "", "moves lb start", "ask lb start W", "check lb -k lb.man-move.* --no-diagnose W"],
        pytest.param(HELP, marks=pytest.mark.thorough),
        pytest.param(PRINTING, marks=pytest.mark.slow),
    ],
    ids=["some", "help", "all"],
)
def test_closed_and_broken_streams(lines: Sequence[str], report: Path) -> None:
    """Complaints that nobody can hear change nothing, and output that nobody can read is no success."""
    program = [sys.executable, str(PROJECT / "tests" / "fakes" / "streams.py")]
    commands = [words_of(line, report) for line in lines]
    ran = subprocess.run([*program, json.dumps(commands)], stdout=subprocess.PIPE, text=True, cwd=PROJECT, check=True)
    found = [json.loads(line) for line in ran.stdout.splitlines()]
    assert len(found) == len(lines)
    for line, by_streams in zip(lines, found, strict=True):
        usual, out, err = by_streams.pop("usual usual usual")
        assert usual in (0, 1, 2), (line, err)
        for streams, (status, written, complaints) in by_streams.items():
            about = line, streams, complaints
            output = streams.split()[1]
            lost = {"closed": 4, "full": 4, "broken": 141, "usual": usual}[output]
            assert status == lost, about
            assert "Traceback" not in complaints, about
            if output == "usual":
                assert re.sub(SECONDS, "", written) == re.sub(SECONDS, "", out), about
            elif streams.endswith("usual"):
                last = complaints.rstrip("\n").rpartition("\n")[2]
                assert last.startswith(CLOSED) is (lost == 4), about


@pytest.mark.parametrize(
    "words",
    usually(
        {"serve", "check lb --positions - -- WORKS"},
        [
            "serve",
            "serve --lines",
            "replay -",
            "report -",
            "ask -- WORKS",
            "check lb --positions - -- WORKS",
        ],
        {"report -"},
    ),
)
def test_a_standard_input_that_cannot_be_read_is_told(words: str) -> None:
    """Closed, it does not let the pipes of an engine take its place either."""
    command = words.replace("WORKS", shlex.join(fake("right")))
    for streams in ("0<&-", "0>/dev/null", "0<&- 1>&-"):
        ran = subprocess.run(
            ["sh", "-c", f"{shlex.join(DAMSPEC)} {command} {streams}"], capture_output=True, text=True, check=False
        )
        assert (ran.returncode, ran.stderr) == (2, "damspec: cannot read standard input: Bad file descriptor\n")


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
