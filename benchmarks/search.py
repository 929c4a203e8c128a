"""Nodes per second of alpha-beta with a table of positions: damspec's, compiled, and the same over py-draughts.

    python -m benchmarks.search [--json] [--repeats N] [--seconds S]

Both go deeper ply by ply and count the pieces at the end. Each measurement is a process of its own (`beside.py`), by
turns, and the best of each counts. It needs `damspec[fast]`; py-draughts is installed as `damspec engines install`
does. Exit status: 3 if one of them is not there.
"""

from __future__ import annotations

import json
import platform

from damspec import __version__

from .measure import HERE, installed, options, printer, run, run_python, verdict

#: How deep each searches, by ruleset, and the board of py-draughts.
DEPTHS = {"international": (15, 7), "english": (17, 8), "russian": (15, 8), "frisian": (13, 6)}
BOARDS = {"english": "py-draughts, forced"}
#: How many times the nodes per second of py-draughts damspec should have.
TARGET = 60


def measure(ruleset: str, seconds: float) -> tuple[float, float]:
    """Return the nodes per second of damspec and of py-draughts."""
    own, theirs = DEPTHS[ruleset]
    board = BOARDS.get(ruleset, "py-draughts")
    ours = run_python(None, [HERE / "beside.py", "table", "damspec", ruleset, own, seconds])
    other = run_python("py-draughts", [HERE / "beside.py", "table", board, ruleset, theirs, seconds])
    return float(ours["per_second"]), float(other["per_second"])


def main() -> None:
    """Measure and print."""
    chosen = options(
        __doc__, repeats=(3, "measurements of each, by turns"), seconds=(1.0, "the least time of a measurement")
    ).parse_args()
    say, results = printer(chosen.json), {}
    installed("py-draughts", say)
    say(f"damspec {__version__}, Python {platform.python_version()}, {platform.machine()}, best of {chosen.repeats}")
    for ruleset in DEPTHS:
        runs = [measure(ruleset, chosen.seconds) for _ in range(chosen.repeats)]
        ours, theirs = map(max, zip(*runs, strict=True))
        results[ruleset] = {"damspec": round(ours), "py-draughts": round(theirs)}
        reached = f"target {TARGET}: {verdict(ours >= TARGET * theirs)}"
        say(f"{ruleset:<14}{ours:>12,.0f}{theirs:>10,.0f} nodes/s {ours / theirs:>6.1f} times, {reached}")
    if chosen.json:
        print(json.dumps({"damspec": __version__, "python": platform.python_version(), "results": results}, indent=2))


if __name__ == "__main__":
    run(main)
