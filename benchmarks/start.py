"""How long the command takes to start, and to check the reference, and compiled code to its first count, beside the
targets.

    python -m benchmarks.start [--json] [--repeats N]

Exit status: 3 if a command failed.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from unittest.mock import patch

from damspec.kernel import is_available

from .measure import find_program, options, printer, run, run_python, verdict

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


def best(line: str, repeats: int) -> float:
    """Return the least time the command took. Raises CalledProcessError if it fails."""
    folder = str(Path(sys.executable).parent)
    command = shutil.which("damspec", path=folder) or find_program("damspec")
    words = [command if word == "damspec" else word for word in line.split()]
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
        with TemporaryDirectory() as folder, patch.dict(os.environ, {"NUMBA_CACHE_DIR": folder}):
            for which in (FIRST, NEXT):
                times[which].append(run_python(None, ["-c", COUNT]))
    return {which: min(seconds) for which, seconds in times.items()}


def main() -> None:
    """Measure and print."""
    chosen = options(__doc__, repeats=(5, "how often each is run; the best counts")).parse_args()
    results, say = {}, printer(chosen.json)

    def add(line: str, seconds: float, target: float) -> None:
        results[line] = {"seconds": round(seconds, 3), "target": target}
        say(f"{line:<36}{seconds:>7.3f} s   target {target:.1f} s  {verdict(seconds < target)}")

    for line, target in TARGETS.items():
        add(line, best(line, chosen.repeats), target)
    if is_available():
        for line, seconds in first_counts(chosen.repeats).items():
            add(line, seconds, COUNT_TARGETS[line])
    if chosen.json:
        print(json.dumps(results, indent=2))


if __name__ == "__main__":
    run(main)
