"""How fast random games are compared: by the runner and a bare loop with `damspec serve` as the engine, and others.

    python benchmarks/games.py [--json] [--games N] [--repeats N] [--ruleset ID ...]

By the runner the engine is a process that takes questions ahead, as in `damspec check RULESET --games N`. The bare loop
writes the same questions, a game at once, reads a line for each and parses it; it plays no games and compares nothing.
In one process the reference answers itself. A fast engine, `echo.c`, knows all answers by heart and has moves in
another order; it is compiled with `cc`, and left out where there is none. All take the same games; processor time
counts, and of a process both its own and that of the one that asks it. The best of some runs is given.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import damspec
from damspec import Position, PositionError, Ruleset
from damspec_runner.cases.cases import cases_for
from damspec_runner.engines.process import SubprocessEngine
from damspec_runner.engines.protocol import hello_params, request
from damspec_runner.engines.serve import HELLO, InProcessEngine
from damspec_runner.verify.games import FuzzConfig, fuzz

SERVE = [sys.executable, "-m", "damspec_runner", "serve"]
QUESTIONS = ["moves", "play", "outcome"]
#: What `echo.c` says of itself.
HELLO_ECHO = {"protocol": 1, "name": "echo", "version": "1", "rulesets": "*", "ahead": 256, "questions": QUESTIONS}
#: Positions that have to be asked in a second of processor time, of an engine as fast as the reference.
TARGET = 2000


def origins(ruleset: Ruleset) -> list[Position]:
    """Return the positions of the cases, with which games begin."""
    found = []
    for case in cases_for(ruleset):
        with suppress(PositionError):
            found.append(ruleset.position(case.position))
    return list(dict.fromkeys(found))


def seconds(do: Callable[[], object]) -> tuple[float, float]:
    """Processor time of this process, and of those that it has started and that have ended."""
    before = os.times()
    do()
    after = os.times()
    own = after.user + after.system - before.user - before.system
    return own, after.children_user + after.children_system - before.children_user - before.children_system


class Noted(InProcessEngine):
    """The reference in this process, which notes what it is asked, and what `echo.c` is to answer."""

    def __init__(self, ruleset: Ruleset) -> None:
        super().__init__(ruleset)
        self.lines: list[str] = []
        self.answers: list[str] = []
        self._note("hello", hello_params(), HELLO_ECHO)

    def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        """Return the answer to a question."""
        answer = super().ask(method, params)
        self._note(method, params, {**answer, "moves": answer["moves"][::-1]} if method == "moves" else answer)
        return answer

    def _note(self, method: str, params: Mapping[str, Any], answer: Any) -> None:
        self.lines.append(request(len(self.lines), method, params))
        self.answers.append(json.dumps(answer, separators=(",", ":")))

    def table(self) -> str:
        """Return the table of `echo.c`: questions from the method on and answers by turns, a line each."""
        known = zip(self.lines, self.answers, strict=True)
        return "".join(line[line.index('"method"') :] + f"\\n{answer}\\n" for line, answer in known)


def bare(lines: Sequence[str], at_once: int = 250) -> None:
    """Put questions to `damspec serve`, some at once, and parse the answers."""
    with subprocess.Popen(SERVE, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for first in range(0, len(lines), at_once):
            some = lines[first : first + at_once]
            process.stdin.write("".join(f"{line}\n" for line in some).encode())
            process.stdin.flush()
            for _ in some:
                json.loads(process.stdout.readline())
        process.stdin.close()


def measured(name: str, number: int, repeats: int, folder: Path) -> dict[str, object]:
    """Positions in a second of processor time, by each way."""
    ruleset = damspec.load_ruleset(name)
    scope, begun = FuzzConfig(games=number), origins(ruleset)
    noted = Noted(ruleset)
    games = fuzz(ruleset, lambda: noted, HELLO, scope, begun)
    with SubprocessEngine(SERVE) as engine:
        hello = engine.hello()
    _, starting = seconds(lambda: bare([]))
    ways: dict[str, Callable[[], object]] = {
        "runner": lambda: fuzz(ruleset, lambda: SubprocessEngine(SERVE), hello, scope, begun),
        "bare loop": lambda: bare(noted.lines[1:]),
        "one process": lambda: fuzz(ruleset, lambda: InProcessEngine(ruleset), HELLO, scope, begun),
    }
    if (folder / "echo").exists():
        (folder / name).write_text(noted.table())
        echo = [str(folder / "echo"), str(folder / name)]
        ahead = replace(HELLO, questions=frozenset(QUESTIONS), max_in_flight=256)
        ways["fast engine"] = lambda: fuzz(ruleset, lambda: SubprocessEngine(echo), ahead, scope, begun)
    taken = {way: [seconds(do) for _ in range(repeats)] for way, do in ways.items()}
    best = {way: min(times, key=sum) for way, times in taken.items()}
    found: dict[str, object] = {"ruleset": name, "positions": games.positions, "questions": games.questions}
    for way, (own, theirs) in best.items():
        engine_alone = max(theirs - starting, 0.0)
        found[way] = round(games.positions / (own + engine_alone))
        if way == "runner":
            found["runner alone"] = round(games.positions / own)
            found["engine alone"] = round(games.positions / engine_alone)
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="How fast random games are compared.")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--games", type=int, default=150, metavar="N", help="how many games")
    parser.add_argument("--repeats", type=int, default=3, metavar="N", help="the best of so many runs counts")
    parser.add_argument("--ruleset", nargs="+", default=["english", "international"], metavar="ID")
    told = parser.parse_args()
    began = time.monotonic()
    with TemporaryDirectory() as folder:
        if shutil.which("cc"):
            subprocess.run(["cc", "-O2", "-o", f"{folder}/echo", Path(__file__).with_name("echo.c")], check=True)
        results = [measured(name, told.games, told.repeats, Path(folder)) for name in told.ruleset]
    if told.json:
        print(json.dumps(results, indent=2))
        return
    for found in results:
        speed = {key: value for key, value in found.items() if isinstance(value, int)}
        print(f"{found['ruleset']}: {speed['positions']:,} positions, {speed['questions']:,} questions")
        for way in ("runner", "bare loop", "one process", *(["fast engine"] if "fast engine" in speed else [])):
            print(f"  {way:14}{speed[way]:>8,} positions a second, {speed['runner'] / speed[way]:.2f} times")
        print(f"  of the runner, it alone {speed['runner alone']:,}, the engine alone {speed['engine alone']:,}")
        print(f"  target {TARGET:,} by the runner alone: {'reached' if speed['runner alone'] >= TARGET else 'missed'}")
    print(f"in {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
