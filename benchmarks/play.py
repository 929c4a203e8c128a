"""Nodes per second of an alpha-beta search over damspec and other Python libraries, measured in turns in one run.

    python -m benchmarks.play [--json] [--repeats N] [--seconds S]

Each measurement is a process of its own (`beside.py`), and the best of each counts. Libraries that are missing are
installed as `damspec engines install` does. Exit status: 3 if a library could not be installed or run.
"""

from __future__ import annotations

import json
import platform

from damspec import __version__

from .measure import HERE, installed, options, printer, run, run_python, verdict

#: The depth for each ruleset: some ten thousand nodes.
DEPTHS = {"international": 7, "english": 8, "russian": 8, "frisian": 7}
OWN = ("damspec", "damspec.play", "empty loop")
#: The boards beside damspec, with the engine whose Python has each and the greatest depth that it can search.
OTHERS = {
    "py-draughts": ("py-draughts", 99),
    "py-draughts, forced": ("py-draughts", 99),
    "pydraughts": ("pydraughts", 4),
}
#: The board of another that plays the same game, where its own moves are not those of the rules.
SAME_GAME = {"english": "py-draughts, forced"}
#: What damspec should be beside py-draughts.
TARGET = 1.5


def measure(board: str, ruleset: str, seconds: float) -> float:
    """Return the nodes per second of one measurement in a process of its own."""
    library, most = OTHERS.get(board, (None, 99))
    found = run_python(library, [HERE / "beside.py", "search", board, ruleset, min(DEPTHS[ruleset], most), seconds])
    return float(found["per_second"])


def compare(ruleset: str, repeats: int, seconds: float) -> dict[str, float]:
    """Return the nodes per second over each board, the best of some runs by turns."""
    boards = [board for board in (*OWN, *OTHERS) if board != "py-draughts, forced" or ruleset in SAME_GAME]
    runs = [[measure(board, ruleset, seconds) for board in boards] for _ in range(repeats)]
    return dict(zip(boards, map(max, zip(*runs, strict=True)), strict=True))


def main() -> None:
    """Measure and print."""
    chosen = options(
        __doc__, repeats=(3, "measurements of each, by turns"), seconds=(1.0, "the least time of a measurement")
    ).parse_args()
    say, results = printer(chosen.json), {}
    for engine, _ in OTHERS.values():
        installed(engine, say)
    say(f"damspec {__version__}, Python {platform.python_version()}, nodes per second, best of {chosen.repeats}")
    for ruleset in DEPTHS:
        results[ruleset] = best = compare(ruleset, chosen.repeats, chosen.seconds)
        for board in OWN:
            ratios = "; ".join(f"{best[board] / best[other]:,.2f} times {other}" for other in best if other in OTHERS)
            say(f"{ruleset:<14} {board:<13}{best[board]:>12,.0f}  {ratios}")
        same = SAME_GAME.get(ruleset, "py-draughts")
        say(f"{ruleset:<14} target {TARGET} times {same}: {verdict(best['damspec'] >= TARGET * best[same])}")
    if chosen.json:
        rows = {ruleset: {board: round(speed) for board, speed in best.items()} for ruleset, best in results.items()}
        print(json.dumps({"damspec": __version__, "python": platform.python_version(), "results": rows}, indent=2))


if __name__ == "__main__":
    run(main)
