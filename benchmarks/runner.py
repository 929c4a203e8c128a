"""What the runner costs beside a bare loop over the same engine, one that knows its answers by heart (echo.c).

    python -m benchmarks.runner [--json] [--cases N ...] [--jobs J ...] [--ruleset ID]

The cases shipped for a ruleset are repeated under new ids up to the number wanted. The bare loop writes a question,
reads a line and parses it; `damspec check` is timed as a whole, with its start and the reading of its cases.
Exit status: 3 if a check did not pass or there is no C compiler.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path
from time import perf_counter
from typing import Any

import damspec
from damspec_runner.cases.case_files import case_entry
from damspec_runner.cases.cases import cases_for
from damspec_runner.engines.protocol import hello_params, request

from .measure import HELLO_ECHO, bare_loop, compile_echo, echo_table, options, printer, run, verdict

#: How many times a bare loop the check may take.
TARGET = 3.0


def repeated(ruleset: str, number: int) -> dict[str, Any]:
    """Return a bundle of so many cases of a ruleset that are neither games nor about the start."""
    shipped = cases_for(damspec.load_ruleset(ruleset))
    plain = [case_entry(case) for case in shipped if case.position != "start" and not case.expected.game]
    cases = [
        {**case, "id": f"{case['id']}-{place}", "rulesets": [ruleset]}
        for place, case in enumerate(islice(cycle(plain), number))
    ]
    return {"damspec": 1, "version": damspec.__version__, "rulesets": {}, "cases": cases}


def questions(ruleset: str, cases: Sequence[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any], Any]]:
    """Yield what the runner asks after its hello, with the answers."""
    start = damspec.load_ruleset(ruleset).position().fen()
    yield "moves", {"ruleset": ruleset, "position": start}, {"moves": []}
    for case in cases:
        params = {"ruleset": ruleset, "position": case["position"]}
        if "outcome" in case:
            yield "outcome", params, {"outcome": case["outcome"]["result"]}
            continue
        yield "moves", params, {"moves": list(case["moves"])}
        for move, after in case["moves"].items():
            yield "play", {**params, "move": move}, {"position": after}


def checked(ruleset: str, cases: Path, engine: Sequence[str], jobs: int) -> tuple[float, float]:
    """Seconds that a whole check takes, and megabytes it has at most. Raises CalledProcessError if it does not pass."""
    words = [sys.executable, "-m", "damspec_runner", "check", ruleset, "--cases", str(cases), "-j", str(jobs), "--"]
    began = perf_counter()
    process = subprocess.Popen([*words, *engine], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    took = perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, words)
    return took, used.ru_maxrss / (1 << (20 if sys.platform == "darwin" else 10))


def measured(folder: Path, echo: str, ruleset: str, number: int, jobs: Sequence[int]) -> dict[str, Any]:
    """Return the times for so many cases."""
    content = repeated(ruleset, number)
    cases, answers = folder / f"{number}.json", folder / f"{number}.txt"
    cases.write_text(json.dumps(content), encoding="utf-8")
    asked = [*questions(ruleset, content["cases"])]
    answers.write_text(
        echo_table([("hello", hello_params(), HELLO_ECHO), ("quit", None, None), *asked]), encoding="utf-8"
    )
    engine = [echo, str(answers)]
    alone = bare_loop(engine, [request(id, method, params) for id, (method, params, _) in enumerate(asked, 1)])
    found: dict[str, Any] = {"cases": number, "questions": len(asked), "bare": round(alone, 3)}
    for several in jobs:
        took, most = checked(ruleset, cases, engine, several)
        found[f"check -j {several}"] = {
            "seconds": round(took, 3),
            "ratio": round(took / alone, 2),
            "megabytes": round(most),
        }
    return found


def main() -> None:
    """Measure and print."""
    chosen = options(
        __doc__,
        cases=([10_000, 100_000], "how many cases"),
        jobs=([1, 2, 8], "processes at once"),
        ruleset=("international", "the game"),
    ).parse_args()
    say, results = printer(chosen.json), []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        echo = compile_echo(folder)
        for number in chosen.cases:
            found = measured(folder, echo, chosen.ruleset, number, chosen.jobs)
            results.append(found)
            say(f"{number} cases, {found['questions']} questions: a bare loop {found['bare']:.2f} s")
            for several in chosen.jobs:
                took = found[f"check -j {several}"]
                times = f"{took['seconds']:.2f} s, {took['ratio']:.1f} times"
                word = verdict(took["ratio"] <= TARGET)
                say(f"  check -j {several:<3}{times:<22}target {TARGET:g}  {word:<9}{took['megabytes']:>5} MB")
    if chosen.json:
        print(json.dumps(results, indent=2))


if __name__ == "__main__":
    run(main)
