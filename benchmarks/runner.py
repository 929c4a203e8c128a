"""What the runner costs beside a bare loop over the same engine, one that knows its answers by heart (echo.c).

    python benchmarks/runner.py [--json] [--cases N ...] [--jobs J ...] [--ruleset ID]

The cases shipped for a ruleset are repeated under new ids up to the number wanted. The bare loop writes a question,
reads a line and parses it; `damspec check` is timed as a whole, with its start and the reading of its cases.
Exit status: 0 it ran, 1 a check did not pass, 2 there is no C compiler.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
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
from damspec_runner.engines.protocol import request

HERE = Path(__file__).parent
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
    """Yield what the runner asks, with the answers."""
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


def table(ruleset: str, cases: Sequence[dict[str, Any]]) -> str:
    """Return the engine's table: questions and answers by turns, a line each."""
    hello = {"protocol": 1, "name": "echo", "version": "1", "rulesets": "*", "questions": ["moves", "play", "outcome"]}
    hello["ahead"] = 256  # a pipe holds as many
    greeting = {"protocol": 1, "runner": {"name": "damspec", "version": damspec.__version__}}
    known = {request(0, "hello", greeting): hello, request(0, "quit", None): None}
    known |= {request(0, method, params): answer for method, params, answer in questions(ruleset, cases)}
    lines = []
    for line, answer in known.items():
        lines += [line[line.index('"method"') :], json.dumps(answer, separators=(",", ":"))]
    return "\n".join(lines) + "\n"


def bare(engine: Sequence[str], lines: Sequence[bytes]) -> float:
    """Seconds to write each line, read one and parse it."""
    with subprocess.Popen(engine, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        answers = open(process.stdout.fileno(), "rb", closefd=False)  # noqa: SIM115
        began = perf_counter()
        for line in lines:
            process.stdin.write(line)
            json.loads(answers.readline())
        took = perf_counter() - began
        process.stdin.close()
    return took


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


def measured(folder: Path, ruleset: str, number: int, jobs: Sequence[int]) -> dict[str, Any]:
    """Return the times for so many cases."""
    content = repeated(ruleset, number)
    cases, answers = folder / f"{number}.json", folder / f"{number}.txt"
    cases.write_text(json.dumps(content), encoding="utf-8")
    answers.write_text(table(ruleset, content["cases"]), encoding="utf-8")
    engine = [str(folder / "echo"), str(answers)]
    asked = [
        request(id, method, params).encode() + b"\n"
        for id, (method, params, _) in enumerate(questions(ruleset, content["cases"]), 1)
    ]
    alone = bare(engine, asked)
    found: dict[str, Any] = {"cases": number, "questions": len(asked), "bare": round(alone, 3)}
    for several in jobs:
        took, most = checked(ruleset, cases, engine, several)
        found[f"check -j {several}"] = {
            "seconds": round(took, 3),
            "ratio": round(took / alone, 2),
            "megabytes": round(most),
        }
    return found


def main() -> int:
    """Measure and print."""
    options = argparse.ArgumentParser(description="The runner beside a bare loop over the same engine.")
    options.add_argument("--json", action="store_true", help="print one JSON object")
    options.add_argument("--cases", type=int, nargs="+", default=[10_000, 100_000], metavar="N", help="how many cases")
    options.add_argument("--jobs", type=int, nargs="+", default=[1, 2, 8], metavar="J", help="processes at once")
    options.add_argument("--ruleset", default="international")
    chosen = options.parse_args()
    compiler = shutil.which("cc")
    if compiler is None:
        print("runner.py: no C compiler cc on the PATH", file=sys.stderr)
        return 2
    results = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run([compiler, "-O2", "-o", str(folder / "echo"), str(HERE / "echo.c")], check=True)
        for number in chosen.cases:
            try:
                found = measured(folder, chosen.ruleset, number, chosen.jobs)
            except subprocess.CalledProcessError as error:
                print(f"runner.py: {error}", file=sys.stderr)
                return 1
            results.append(found)
            if not chosen.json:
                print(f"{number} cases, {found['questions']} questions: a bare loop {found['bare']:.2f} s", flush=True)
                for several in chosen.jobs:
                    took = found[f"check -j {several}"]
                    verdict = "reached" if took["ratio"] <= TARGET else "missed"
                    times = f"{took['seconds']:.2f} s, {took['ratio']:.1f} times"
                    size = f"{took['megabytes']} MB"
                    print(f"  check -j {several:<3}{times:<22}target {TARGET:g}  {verdict:<9}{size:>8}", flush=True)
    if chosen.json:
        print(json.dumps(results, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
