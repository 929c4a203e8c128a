"""Runs commands with standard streams that are closed or broken: `streams.py WORDS`, a JSON list of lists.

Each command is run by a process forked from this one for each line of STREAMS. Prints a JSON object for each command:
for each line the exit status, and what was written to the streams that can be written to.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from importlib import import_module

from damspec_runner.cli import GROUPS, main

#: What stands in the place of standard input, output and error: `closed`, `broken`, `full`, or the usual.
STREAMS = (
    "usual usual usual",
    "usual usual closed", "usual closed usual", "closed usual usual", "closed closed closed",
    "usual usual full", "usual full full", "usual broken broken",
)  # fmt: skip


def run(words: list[str], streams: str) -> tuple[int, str, str]:
    """Return the exit status of a command, its output and its complaints."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        if not os.fork():
            connect(streams.split(), (out.fileno(), err.fileno()))
            sys.argv = ["damspec", *words]
            try:
                main()
            except SystemExit as end:
                os._exit(int(end.code or 0))
            except BaseException:
                os._exit(99)
        _, status = os.wait()
        out.seek(0)
        err.seek(0)
        return os.waitstatus_to_exitcode(status), out.read().decode(), err.read().decode()


def connect(streams: list[str], files: tuple[int, int]) -> None:
    """Connect the standard streams as a shell would, and Python's to them as it does when it starts."""
    reading, broken = os.pipe()
    os.close(reading)
    for number, kind in enumerate(streams):
        null = os.open(os.devnull, os.O_RDONLY)
        full = os.open("/dev/full", os.O_WRONLY)
        os.dup2({"broken": broken, "full": full}.get(kind, (null, *files)[number]), number)
        if kind == "closed":
            os.close(number)
    os.closerange(3, 20)
    found = [None if kind == "closed" else os.fdopen(number, "wr"[not number]) for number, kind in enumerate(streams)]
    sys.stdin, sys.stdout, sys.stderr = sys.__stdin__, sys.__stdout__, sys.__stderr__ = found  # type: ignore[assignment, misc]


if __name__ == "__main__":
    for module in {module for commands in GROUPS.values() for module in commands.values()}:
        import_module(f"damspec_runner.commands.{module}")  # once, and not in each process
    for words in json.loads(sys.argv[1]):
        print(json.dumps({streams: run(words, streams) for streams in STREAMS}), flush=True)
