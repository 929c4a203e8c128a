"""What a question costs the runner: an engine that answers at once, asked by the runner and by a bare loop.

The bare loop writes a line, reads one and parses it, and nothing more. Processor time of this process alone counts, so
that the engine's own does not.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from damspec_runner.engines.process import SubprocessEngine

ENGINE = r"""
import os
hello = b'{"protocol":1,"name":"quick","version":"1","rulesets":"*","questions":["moves"]}'
moves = b'{"moves":["21x14x7","22x13","22x15x6","21-17","21-18","22-17"]}'
while line := os.read(0, 65536):
    id = line.split(b'"id":')[1].split(b",")[0]
    os.write(1, b'{"jsonrpc":"2.0","id":%b,"result":%b}\n' % (id, hello if b'"hello"' in line else moves))
"""
COMMAND = [sys.executable, "-S", "-E", "-c", ENGINE]
PARAMS = {"ruleset": "lb", "position": "W:W21,22:B10,17,18"}


def by_the_runner(questions: int) -> float:
    """Microseconds for each question."""
    with SubprocessEngine(COMMAND) as engine:
        return _measured(lambda id: engine.ask("moves", PARAMS), questions)


def by_a_bare_loop(questions: int) -> float:
    """Microseconds for each question."""
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as engine:
        assert engine.stdin is not None
        assert engine.stdout is not None
        asking, answering = engine.stdin.fileno(), engine.stdout.fileno()

        def ask(id: int) -> Any:
            line = json.dumps({"jsonrpc": "2.0", "id": id, "method": "moves", "params": PARAMS})
            os.write(asking, line.encode() + b"\n")
            return json.loads(os.read(answering, 65536))

        found = _measured(ask, questions)
        engine.stdin.close()
        return found


def _measured(ask: Callable[[int], Any], questions: int) -> float:
    ask(0)
    began = time.process_time()
    for id in range(1, questions + 1):
        ask(id)
    return (time.process_time() - began) / questions * 1e6


def main() -> None:
    """Print the best of some runs."""
    parser = argparse.ArgumentParser(description="What a question costs the runner.")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--repeats", type=int, default=5, help="the best of so many runs counts")
    parser.add_argument("--questions", type=int, default=5000, help="questions in a run")
    told = parser.parse_args()
    runs = {"runner": by_the_runner, "bare loop": by_a_bare_loop}
    found = {name: min(run(told.questions) for _ in range(told.repeats)) for name, run in runs.items()}
    if told.json:
        print(json.dumps({name: round(number, 1) for name, number in found.items()}))
        return
    for name, number in found.items():
        print(f"{name:10} {number:6.1f} microseconds a question")


if __name__ == "__main__":
    main()
