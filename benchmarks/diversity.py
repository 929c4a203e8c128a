"""Processor time for a thousand generated positions of each rule, and how many of them are apart from each other.

`python -m benchmarks.diversity [RULESET...]` prints a row for each rule of each ruleset, and why a rule has none.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import damspec
from damspec import Ruleset
from damspec_runner.commands.generate_goal import SearchOptions, goal_from_options
from damspec_runner.generate.goal import NothingToFindError, prove_nothing_to_find
from damspec_runner.generate.search import PositionSearch
from damspec_runner.mutants.ruleset_diff import in_no_position, places_pieces

from .measure import options, run

#: How many positions are asked for, how many of them are to be apart, and the seconds that it may take.
NUMBER, APART, SECONDS = 1_000, 300, 10.0


def measured(ruleset: Ruleset, rule: str, number: int, seed: int) -> tuple[PositionSearch, float]:
    """Return the search for positions that exercise a rule, and its seconds. Raises NothingToFindError."""
    began = time.process_time()
    goal = goal_from_options(ruleset, SearchOptions((rule,)))
    search = PositionSearch(prove_nothing_to_find(goal), number, seed)
    search.search()
    return search, time.process_time() - began


def rules(ruleset: Ruleset) -> Iterator[str]:
    """Return the rules that positions can exercise."""
    return (rule for rule in ruleset.values if not (places_pieces(rule) or in_no_position(rule)))


def main() -> bool:
    """Measure and print; whether a target was missed."""
    parser = options(__doc__, prints_json=False, number=(NUMBER, "positions of each rule"), seed=(0, "of the search"))
    parser.add_argument("rulesets", nargs="*", help="all, if none is named")
    chosen = parser.parse_args()
    print(f"{'ruleset':30} {'rule':26} {'found':>6} {'apart':>6} {'tried':>7} {'seconds':>8}")
    missed = False
    for ruleset in map(damspec.load_ruleset, chosen.rulesets or damspec.ruleset_ids()):
        for rule in rules(ruleset):
            try:
                search, seconds = measured(ruleset, rule, chosen.number, chosen.seed)
            except NothingToFindError as why:
                print(f"{ruleset.id:30} {rule:26} none: {why}", flush=True)
                continue
            late = seconds > SECONDS
            missed |= late
            found = len(search.positions)
            row = f"{ruleset.id:30} {rule:26} {found:6,} {search.apart:6,} {search.tried:7,} {seconds:8.1f}"
            print(row + (" late" if late else ""), flush=True)
    return missed


if __name__ == "__main__":
    run(main)
