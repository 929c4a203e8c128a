"""What solving endings costs: processor time and memory, beside the targets.

    python benchmarks/solve.py [--json]

Exit status: 0 all targets met, 1 one was not.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
from tempfile import TemporaryDirectory

#: Rulesets, numbers of pieces, and the seconds of processor time that they may take on two cores.
TARGETS = {("english", 4): 120.0, ("russian", 4): 120.0, ("international", 4): 2400.0, ("frisian", 3): None}


def measure(ruleset: str, pieces: int, folder: str) -> tuple[float, int]:
    """Solve a game's endings in a process of their own; return its processor time and its memory in bytes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    words = ["solve", ruleset, "--pieces", str(pieces), "-o", folder]
    subprocess.run([sys.executable, "-m", "damspec_runner", *words], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, after.ru_maxrss << 10


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    rows, missed = [], False
    with TemporaryDirectory() as folder:
        for ruleset in {ruleset for ruleset, _ in TARGETS}:  # the first time its code is compiled
            measure(ruleset, 2, f"{folder}/{ruleset}-first")
        for (ruleset, pieces), target in TARGETS.items():
            seconds, memory = measure(ruleset, pieces, f"{folder}/{ruleset}")
            missed |= target is not None and seconds > target
            rows.append({"ruleset": ruleset, "pieces": pieces, "seconds": seconds, "target": target, "memory": memory})
            if not options.json:
                aim = f", target {target:.0f}" if target else ""
                print(f"{ruleset} {pieces} pieces: {seconds:.1f} s{aim}, at most {memory / 1e6:.0f} MB so far")
    if options.json:
        print(json.dumps(rows, indent=2))
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
