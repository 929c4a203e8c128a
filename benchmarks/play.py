"""Nodes per second of an alpha-beta search over damspec and other Python libraries, measured in turns in one run.

    python benchmarks/play.py [--json] [--repeats N] [--seconds S]

Each measurement is a process of its own (`search.py`), and the best of each counts. Libraries that are missing are
installed as `damspec engines install` does. Exit status: 3 if a library could not be installed or run.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from pathlib import Path

from damspec import __version__
from damspec_runner.engines.registry import InstallError, adapter, install

SEARCH = Path(__file__).with_name("search.py")
#: The depth for each ruleset: some ten thousand nodes.
DEPTHS = {"international": 7, "english": 8, "russian": 8, "frisian": 7}
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


def measure(python: list[str], environment: dict[str, str], board: str, ruleset: str, seconds: float) -> float:
    """Return the nodes per second of one measurement in a process of its own."""
    depth = min(DEPTHS[ruleset], OTHERS.get(board, ("", 99))[1])
    command = [*python, str(SEARCH), board, ruleset, str(depth), str(seconds)]
    found = subprocess.run(command, env={**os.environ, **environment}, stdout=subprocess.PIPE, text=True, check=True)
    return float(json.loads(found.stdout)["per_second"])


def compare(ruleset: str, repeats: int, seconds: float) -> dict[str, float]:
    """Return the nodes per second over each board, the best of some runs by turns."""
    pythons: dict[str, tuple[list[str], dict[str, str]]] = {
        board: ([sys.executable], {}) for board in ("damspec", "damspec.play", "empty loop")
    }
    for board, (engine, _) in OTHERS.items():
        if board != "py-draughts, forced" or ruleset in SAME_GAME:
            found = adapter(engine)
            pythons[board] = found.command[:-1], found.environment
    best = dict.fromkeys(pythons, 0.0)
    for _ in range(repeats):
        for board, python in pythons.items():
            best[board] = max(best[board], measure(*python, board, ruleset, seconds))
    return best


def main() -> int:
    options = argparse.ArgumentParser(description="Nodes per second of the same search over Python libraries.")
    options.add_argument("--json", action="store_true", help="print one JSON object")
    options.add_argument("--repeats", type=int, default=3, metavar="N", help="measurements of each, by turns")
    options.add_argument("--seconds", type=float, default=1.0, metavar="S", help="the least time of a measurement")
    chosen = options.parse_args()

    def say(text: str) -> None:
        print(text, file=sys.stderr if chosen.json else sys.stdout, flush=True)

    results = {}
    try:
        for engine, _ in OTHERS.values():
            if not adapter(engine).installed:
                install(adapter(engine), say)
        say(f"damspec {__version__}, Python {platform.python_version()}, nodes per second, best of {chosen.repeats}")
        for ruleset in DEPTHS:
            results[ruleset] = best = compare(ruleset, chosen.repeats, chosen.seconds)
            for board in ("damspec", "damspec.play", "empty loop"):
                ratios = "; ".join(
                    f"{best[board] / best[other]:,.2f} times {other}" for other in best if other in OTHERS
                )
                say(f"{ruleset:<14} {board:<13}{best[board]:>12,.0f}  {ratios}")
            same = SAME_GAME.get(ruleset, "py-draughts")
            verdict = "reached" if best["damspec"] >= TARGET * best[same] else "missed"
            say(f"{ruleset:<14} target {TARGET} times {same}: {verdict}")
    except (InstallError, OSError, subprocess.CalledProcessError) as error:
        print(f"play.py: {error}", file=sys.stderr)
        return 3
    if chosen.json:
        rows = {ruleset: {board: round(speed) for board, speed in best.items()} for ruleset, best in results.items()}
        print(json.dumps({"damspec": __version__, "python": platform.python_version(), "results": rows}, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
