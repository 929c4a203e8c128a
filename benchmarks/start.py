"""How long the command takes to start, and to check the reference, beside the targets.

    python benchmarks/start.py [--json] [--repeats N]

Exit status: 0 both ran, 1 a command failed.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from pathlib import Path
from time import perf_counter

#: Each command with the seconds it may take.
TARGETS = {"damspec --version": 0.1, "damspec check lb -- damspec serve": 1.0}


def command() -> str:
    """The `damspec` beside this Python, or the one on the PATH."""
    return shutil.which("damspec", path=str(Path(sys.executable).parent)) or shutil.which("damspec") or "damspec"


def best(line: str, repeats: int) -> float:
    """The least time the command took. Raises CalledProcessError if it fails."""
    words = [command() if word == "damspec" else word for word in line.split()]
    times = []
    for _ in range(repeats):
        start = perf_counter()
        subprocess.run(words, stdout=subprocess.DEVNULL, check=True)
        times.append(perf_counter() - start)
    return min(times)


def main() -> int:
    options = argparse.ArgumentParser(description="Time of starting damspec and of a whole check.")
    options.add_argument("--json", action="store_true", help="print one JSON object")
    options.add_argument("--repeats", type=int, default=5, metavar="N", help="how often each is run; the best counts")
    chosen = options.parse_args()
    results = {}
    for line, target in TARGETS.items():
        try:
            seconds = best(line, chosen.repeats)
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"start.py: {error}", file=sys.stderr)
            return 1
        results[line] = {"seconds": round(seconds, 3), "target": target}
        if not chosen.json:
            verdict = "reached" if seconds < target else "missed"
            print(f"{line:<36}{seconds:>7.3f} s   target {target:.1f} s  {verdict}", flush=True)
    if chosen.json:
        print(json.dumps(results, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
