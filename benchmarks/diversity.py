"""Processor time for a thousand generated positions of each rule, and how many of them are apart from each other.

`python benchmarks/diversity.py [RULESET...]` prints a row for each rule of each ruleset, and why a rule has none.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator

import damspec
from damspec import Ruleset
from damspec_runner.commands.generate_goal import SearchOptions, goal_from_options
from damspec_runner.generate.goal import NothingToFindError, prove_nothing_to_find
from damspec_runner.generate.search import PositionSearch
from damspec_runner.mutants.ruleset_diff import in_no_position, places_pieces

#: How many positions are asked for, how many of them are to be apart, and the seconds that it may take.
NUMBER, APART, SECONDS = 1_000, 300, 10.0


def measured(ruleset: Ruleset, rule: str, number: int, seed: int) -> tuple[PositionSearch, float]:
    """Return the search for positions that exercise a rule, and its seconds. Raises NothingToFindError."""
    began = time.process_time()
    asked = goal_from_options(ruleset, SearchOptions((rule,)))
    hunt = PositionSearch(prove_nothing_to_find(asked), number, seed)
    hunt.anywhere()
    return hunt, time.process_time() - began


def rules(ruleset: Ruleset) -> Iterator[str]:
    """Return the rules that positions can exercise."""
    return (rule for rule in ruleset.values if not (places_pieces(rule) or in_no_position(rule)))


def main() -> None:
    """Measure, print, and say in the exit status whether a target was missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("rulesets", nargs="*", help="all, if none is named")
    parser.add_argument("-n", "--number", type=int, default=NUMBER)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    print(f"{'ruleset':30} {'rule':26} {'found':>6} {'apart':>6} {'tried':>7} {'seconds':>8}")
    missed = 0
    for ruleset in map(damspec.load_ruleset, given.rulesets or damspec.ruleset_ids()):
        for rule in rules(ruleset):
            try:
                hunt, seconds = measured(ruleset, rule, given.number, given.seed)
            except NothingToFindError as why:
                print(f"{ruleset.id:30} {rule:26} none: {why}", flush=True)
                continue
            late = seconds > SECONDS
            missed += late
            found = len(hunt.positions)
            row = f"{ruleset.id:30} {rule:26} {found:6,} {hunt.apart:6,} {hunt.tried:7,} {seconds:8.1f}"
            print(row + (" late" if late else ""), flush=True)
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
