"""How many positions of random games are compared in a second with a fast engine: by the reference, and compiled.

    python benchmarks/fast.py [--json] [--games N] [--repeats N] [--ruleset ID ...] [--before FOLDER]

The engine is `echo.c`, compiled with `cc`: it knows the answers to all questions of these games by heart, takes
questions ahead, and has its moves in another order than the reference. Without compiled code and with it the same games
are compared, by turns, as in `damspec check RULESET --no-cases --games N`. With --before the same is done by an older
version that lies in a folder, in games of its own. Seconds are those of a clock, and those of the
runner's own processor time. The best of some runs counts.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import damspec
from damspec import Position, Ruleset
from damspec_runner.cases.cases import cases_for
from damspec_runner.engines.process import SubprocessEngine
from damspec_runner.engines.protocol import hello_params, request
from damspec_runner.engines.serve import HELLO, InProcessEngine
from damspec_runner.verify.fuzz import FuzzConfig, fuzz

HELLO_ECHO = {
    "protocol": 1, "name": "echo", "version": "1", "rulesets": "*", "ahead": 256,
    "questions": ["moves", "play", "outcome"],
}  # fmt: skip


class Learnt(InProcessEngine):
    """The reference in this process, which notes what it is asked and what an engine would answer."""

    def __init__(self, ruleset: Ruleset) -> None:
        super().__init__(ruleset)
        self.table: dict[str, Any] = {line("hello", hello_params()): HELLO_ECHO}

    def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        """Return the answer to a question."""
        answer = super().ask(method, params)
        told = answer
        if method == "moves":
            told = {"moves": answer["moves"][::-1]}
        elif method == "outcome":
            told = {"outcome": answer["outcome"]}
        self.table[line(method, params)] = told
        return answer


def line(method: str, params: Mapping[str, Any]) -> str:
    """Return a question from its method on."""
    asked = request(1, method, params)
    return asked[asked.index('"method"') :]


def seconds(
    ruleset: Ruleset, command: list[str], scope: FuzzConfig, begun: list[Position], way: Mapping[str, Any]
) -> Any:
    """Positions, and seconds by the clock and of this process."""
    with SubprocessEngine(command) as engine:
        hello = engine.hello()
    clock, own = time.perf_counter(), time.process_time()
    games = fuzz(ruleset, lambda: SubprocessEngine(command), hello, scope, begun, **way)
    if games.divergences or games.ended:
        raise SystemExit(f"{ruleset.id}: the engine is not right, or was not asked all")
    return games.positions, time.perf_counter() - clock, time.process_time() - own


def measured(name: str, number: int, repeats: int, folder: Path, ways: Mapping[str, Any]) -> dict[str, Any]:
    """Positions a second by each way, by the clock and by processor time."""
    ruleset, scope = damspec.load_ruleset(name), FuzzConfig(games=number)
    begun = [*dict.fromkeys(ruleset.position(case.position) for case in cases_for(ruleset))]
    learnt = Learnt(ruleset)
    fuzz(ruleset, lambda: learnt, HELLO, scope, begun)
    table, program = folder / f"{name}.txt", folder / "echo"
    table.write_text(
        "".join(f"{key}\n{json.dumps(value, separators=(',', ':'))}\n" for key, value in learnt.table.items())
    )
    command = [os.fspath(program), os.fspath(table)]
    for way in ways.values():  # what has to be compiled is compiled before anything is measured
        seconds(ruleset, command, FuzzConfig(games=1), begun, way)
    taken: dict[str, list[Any]] = {each: [] for each in ways}
    for _ in range(repeats):
        for each, way in ways.items():
            taken[each].append(seconds(ruleset, command, scope, begun, way))
    return {
        way: {
            "clock": max(positions / clock for positions, clock, _ in runs),
            "own": max(positions / own for positions, _, own in runs),
        }
        for way, runs in taken.items()
    }


def before(folder: str, words: list[str]) -> Any:
    """Return the same of an older version."""
    paths = {"PYTHONPATH": os.pathsep.join(f"{folder}/{part}" for part in ("reference", "runner"))}
    command = [sys.executable, __file__, "--json", "--as-it-is", *words]
    return json.loads(subprocess.run(command, env={**os.environ, **paths}, check=True, capture_output=True).stdout)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="How many positions are compared in a second with a fast engine.")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--games", type=int, default=1500, metavar="N", help="how many games")
    parser.add_argument("--repeats", type=int, default=3, metavar="N", help="the best of so many runs counts")
    parser.add_argument("--ruleset", nargs="+", default=["english", "international"], metavar="ID")
    parser.add_argument("--before", metavar="FOLDER", help="an older version to measure beside")
    parser.add_argument("--as-it-is", action="store_true", help="only as it does by itself")
    told = parser.parse_args()
    ways: dict[str, Any] = {"reference": {"patience": None}, "compiled": {"patience": 0}}
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        source = Path(__file__).with_name("echo.c")
        subprocess.run(["cc", "-O2", "-o", f"{folder}/echo", source], check=True)
        for name in told.ruleset:
            numbers = told.games, told.repeats
            results[name] = measured(name, *numbers, Path(folder), {"before": {}} if told.as_it_is else ways)
            if told.before:
                options = ["--games", str(told.games), "--repeats", str(told.repeats), "--ruleset", name]
                results[name] |= before(told.before, options)[name]
    if told.json:
        print(json.dumps(results, indent=2))
        return
    for name, found in results.items():
        for what, words in (("clock", "a second"), ("own", "a second of the runner's processor time")):
            for way in [way for way in ("before", "reference") if way in found]:
                slow, quick = found[way][what], found["compiled"][what]
                print(f"{name:14} {way:10}{slow:>8,.0f} and {quick:>8,.0f} positions {words}: {quick / slow:.1f} times")


if __name__ == "__main__":
    main()
