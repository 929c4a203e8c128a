"""What the benchmarks share: their options, processor time, other libraries, and an engine that knows its answers."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from damspec_runner.engines.protocol import request
from damspec_runner.engines.registry import Adapter, InstallError, adapter, install

HERE = Path(__file__).parent
#: The questions that `echo.c` answers, and what it says of itself; a pipe holds as many as it takes ahead.
QUESTIONS = ("moves", "play", "outcome")
HELLO_ECHO = {"protocol": 1, "name": "echo", "version": "1", "rulesets": "*", "questions": QUESTIONS, "ahead": 256}


def options(doc: str | None, *, prints_json: bool = True, **defaults: tuple[Any, str]) -> argparse.ArgumentParser:
    """Return a parser with an option for each default and its help; that of a list takes several."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    if prints_json:
        parser.add_argument("--json", action="store_true", help="print JSON")
    for name, (default, text) in defaults.items():
        several: dict[str, Any] = {"nargs": "+"} if isinstance(default, list) else {}
        kind = type(default[0] if several else default)
        parser.add_argument(f"--{name}", type=kind, default=default, help=f"{text} [default: {default}]", **several)
    return parser


def run(main: Callable[[], object]) -> NoReturn:
    """End the program with what `main` returns; 3 if a library, a compiler or a command is missing or fails."""
    try:
        sys.exit(int(bool(main())))
    except (InstallError, OSError, ValueError, subprocess.CalledProcessError) as error:
        print(f"{Path(sys.argv[0]).name}: {error}", file=sys.stderr)
        sys.exit(3)


def printer(as_json: bool) -> Callable[[str], None]:
    """Return what prints a line at once, beside JSON to standard error."""
    return partial(print, file=sys.stderr if as_json else sys.stdout, flush=True)


def verdict(is_reached: bool) -> str:
    """Return whether a target is reached, in a word."""
    return "reached" if is_reached else "missed"


def find_program(name: str) -> str:
    """Return the path of a program. Raises FileNotFoundError."""
    path = shutil.which(name)
    if path is None:
        raise FileNotFoundError(f"{name}: not found on the PATH")
    return path


# --- time


def processor_time(do: Callable[[], object]) -> tuple[float, float]:
    """Return the processor time of this process, and of those that it has started and that have ended."""
    before = os.times()
    do()
    after = os.times()
    own = after.user + after.system - before.user - before.system
    return own, after.children_user + after.children_system - before.children_user - before.children_system


def best_time(do: Callable[[], object], repeats: int) -> float:
    """Return the least processor time of this process that something takes."""
    times = []
    for _ in range(repeats):
        before = time.process_time()
        do()
        times.append(time.process_time() - before)
    return min(times)


# --- other libraries


def installed(name: str, say: Callable[[str], None]) -> Adapter:
    """Return the adapter of a library, which is installed if it is missing. Raises InstallError."""
    found = adapter(name)
    if not found.installed:
        install(found, say)
    return found


def run_python(library: str | None, words: Sequence[object], text: str | None = None) -> Any:
    """Run the Python that has a library, or this one, and return the JSON that it prints. Raises CalledProcessError."""
    command, environment = [sys.executable], dict[str, str]()
    if library is not None:
        found = adapter(library)
        command, environment = [*found.command[:-1]], found.environment
    ran = subprocess.run(
        [*command, *map(str, words)],
        env={**os.environ, **environment},
        input=text,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(ran.stdout)


# --- echo.c, an engine that knows its answers by heart


def compile_echo(folder: Path) -> str:
    """Compile `echo.c` into a folder, and return its path. Raises FileNotFoundError without a C compiler."""
    program = folder / "echo"
    subprocess.run([find_program("cc"), "-O2", "-o", program, HERE / "echo.c"], check=True)
    return str(program)


def echo_table(asked: Iterable[tuple[str, Mapping[str, Any] | None, Any]]) -> str:
    """Return the table of `echo.c`: questions from the method on and answers by turns, a line each."""
    known = {request(0, method, params): answer for method, params, answer in asked}
    lines = []
    for line, answer in known.items():
        lines += [line[line.index('"method"') :], json.dumps(answer, separators=(",", ":"))]
    return "".join(f"{line}\n" for line in lines)


def bare_loop(
    engine: Sequence[str],
    lines: Sequence[str],
    at_once: int = 1,
    clock: Callable[[], float] = time.perf_counter,
) -> float:
    """Return the time to write lines to an engine, some at once, and to read and parse as many answers."""
    with subprocess.Popen(engine, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        began = clock()
        for first in range(0, len(lines), at_once):
            some = lines[first : first + at_once]
            process.stdin.write("".join(f"{line}\n" for line in some).encode())
            process.stdin.flush()
            for _ in some:
                json.loads(process.stdout.readline())
        took = clock() - began
        process.stdin.close()
    return took
