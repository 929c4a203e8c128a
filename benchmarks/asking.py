"""What a question costs the runner: an engine that answers at once, asked by the runner and by a bare loop.

The bare loop writes a line, reads one and parses it, and nothing more. Processor time of this process alone counts, so
that the engine's own does not. The best of some runs is given.
"""

from __future__ import annotations

import json
import sys
import time

from damspec_runner.engines.process import SubprocessEngine
from damspec_runner.engines.protocol import request

from .measure import bare_loop, best_time, options

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
    """Return the seconds of processor time for some questions."""
    with SubprocessEngine(COMMAND) as engine:
        engine.ask("moves", PARAMS)
        return best_time(lambda: [engine.ask("moves", PARAMS) for _ in range(questions)], 1)


def by_a_bare_loop(questions: int) -> float:
    """Return the seconds of processor time for some questions."""
    return bare_loop(COMMAND, [request(id, "moves", PARAMS) for id in range(questions)], clock=time.process_time)


def main() -> None:
    """Print the best of some runs."""
    chosen = options(__doc__, repeats=(5, "runs"), questions=(5000, "questions in a run")).parse_args()
    runs = {"runner": by_the_runner, "bare loop": by_a_bare_loop}
    best = {name: min(run(chosen.questions) for _ in range(chosen.repeats)) for name, run in runs.items()}
    microseconds = {name: round(seconds / chosen.questions * 1e6, 1) for name, seconds in best.items()}
    if chosen.json:
        print(json.dumps(microseconds))
        return
    for name, number in microseconds.items():
        print(f"{name:10} {number:6.1f} microseconds a question")


if __name__ == "__main__":
    main()
