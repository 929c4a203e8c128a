"""How long the command takes to start, and to check the reference, and compiled code to its first count, beside the
targets.

    python benchmarks/start.py [--json] [--repeats N]

Exit status: 0 both ran, 1 a command failed.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from damspec.kernel import is_available

#: Each command with the seconds it may take.
TARGETS = {"damspec --version": 0.1, "damspec check lb -- damspec serve": 1.0}
#: The first count by compiled code in a process, where nothing is on disk and where that process left it.
FIRST, NEXT = "first count, compiled", "first count, from disk"
COUNT_TARGETS = {FIRST: 15.0, NEXT: 0.5}
COUNT = """
import damspec, time
from damspec.kernel.perft import CompiledRules
ruleset = damspec.load_ruleset("international")
start = time.perf_counter()
assert CompiledRules(ruleset.rules).sequences(ruleset.position(), 6) == 167140
print(time.perf_counter() - start)
"""


def command() -> str:
    """Return the `damspec` beside this Python, or the one on the PATH."""
    return shutil.which("damspec", path=str(Path(sys.executable).parent)) or shutil.which("damspec") or "damspec"


def best(line: str, repeats: int) -> float:
    """Return the least time the command took. Raises CalledProcessError if it fails."""
    words = [command() if word == "damspec" else word for word in line.split()]
    times = []
    for _ in range(repeats):
        start = perf_counter()
        subprocess.run(words, stdout=subprocess.DEVNULL, check=True)
        times.append(perf_counter() - start)
    return min(times)


def first_counts(repeats: int) -> dict[str, float]:
    """Return the least times of the first count by compiled code. Raises CalledProcessError if it fails."""
    times: dict[str, list[float]] = {FIRST: [], NEXT: []}
    for _ in range(repeats):
        with TemporaryDirectory() as folder:
            for which in (FIRST, NEXT):
                ran = subprocess.run(
                    [sys.executable, "-c", COUNT],
                    env={**os.environ, "NUMBA_CACHE_DIR": folder},
                    stdout=subprocess.PIPE,
                    text=True,
                    check=True,
                )
                times[which].append(float(ran.stdout))
    return {which: min(seconds) for which, seconds in times.items()}


def main() -> int:
    options = argparse.ArgumentParser(description="Time of starting damspec and of a whole check.")
    options.add_argument("--json", action="store_true", help="print one JSON object")
    options.add_argument("--repeats", type=int, default=5, metavar="N", help="how often each is run; the best counts")
    chosen = options.parse_args()
    results = {}

    def say(line: str, seconds: float, target: float) -> None:
        results[line] = {"seconds": round(seconds, 3), "target": target}
        if not chosen.json:
            verdict = "reached" if seconds < target else "missed"
            print(f"{line:<36}{seconds:>7.3f} s   target {target:.1f} s  {verdict}", flush=True)

    try:
        for line, target in TARGETS.items():
            say(line, best(line, chosen.repeats), target)
        if is_available():
            for line, seconds in first_counts(chosen.repeats).items():
                say(line, seconds, COUNT_TARGETS[line])
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"start.py: {error}", file=sys.stderr)
        return 1
    if chosen.json:
        print(json.dumps(results, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
