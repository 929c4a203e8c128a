"""How long it takes to find the smallest positions that tell rulesets apart: by the reference, and with the kernel.

    python -m benchmarks.apart [--json] [--pair RULESET OTHER] ...

These are pairs for which `damspec generate RULESET --distinguish OTHER --minimal` takes longest: every position with
fewer pieces has to be tried, and nearly all are answered alike. Both ways have to find the same. Processor time counts;
what is compiled is compiled before.
"""

from __future__ import annotations

import json
import sys
from typing import Any
from unittest.mock import patch

import damspec
from damspec_runner.generate import exhaustive
from damspec_runner.generate.goal import Goal, SearchGoal
from damspec_runner.generate.search import PositionSearch

from .measure import best_time, options

PAIRS = [
    ("diagonal", "pool"),
    ("brazilian", "zimbabwean"),
    ("czech", "czech?origin=occupied"),
    ("english", "english?origin=occupied"),
    ("fr-trapdoor", "fr-trapdoor?capture-landing=only-last"),
]


def search(goal: SearchGoal, *, compiled: bool) -> tuple[float, Any]:
    """Return the seconds of a search, and what it found and tried."""
    positions = PositionSearch(goal)
    with patch.object(exhaustive, "MUCH", exhaustive.MUCH if compiled else sys.maxsize):
        seconds = best_time(positions.fewest, 1)
    return seconds, ([one.position.fen() for one in positions.positions], positions.tried)


def measure(name: str, other: str) -> dict[str, Any]:
    """Return the seconds of both ways."""
    goal = SearchGoal(damspec.load_ruleset(name), (Goal(other, (damspec.load_ruleset(other),)),))
    search(goal, compiled=True)
    after, result = search(goal, compiled=True)
    before, expected = search(goal, compiled=False)
    if result != expected:
        raise SystemExit(f"{name} and {other}: found {result}, expected {expected}")
    return {"pair": [name, other], "tried": result[1], "position": result[0][0], "before": before, "after": after}


def main() -> None:
    """Measure and print."""
    parser = options(__doc__)
    parser.add_argument("--pair", nargs=2, action="append", metavar=("RULESET", "OTHER"))
    chosen = parser.parse_args()
    results = [measure(*pair) for pair in chosen.pair or PAIRS]
    if chosen.json:
        print(json.dumps(results, indent=2))
        return
    for each in results:
        print(
            f"{' '.join(each['pair']):52}{each['tried']:>9,} tried: {each['before']:5.1f} s by the reference,"
            f" {each['after']:5.1f} s with the kernel, {each['before'] / each['after']:.1f} times as fast"
        )


if __name__ == "__main__":
    main()
