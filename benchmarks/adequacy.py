"""How fast two changes of rules at a time are put to the cases: by the reference alone, and with the compiled kernel.

    python benchmarks/adequacy.py [--json] [--every N] [--ruleset ID ...]

Every Nth pair of changes of each ruleset is put to its cases both ways, in turns. Who is noticed by which cases has to
be the same. What `damspec adequacy --pairs` would take with all pairs of these rulesets in one process is projected
from that, the finding of the pairs included.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from itertools import islice

import damspec
from damspec import Ruleset
from damspec_runner.adequacy.measure import WANTED
from damspec_runner.adequacy.panel import Panel
from damspec_runner.answers.question import questions
from damspec_runner.cases.cases import cases_for
from damspec_runner.variants.mutants import Mutant, pairs

RULESETS = ["english", "international", "russian", "italian", "turkish", "nl-trapdoor"]


def put(panel: Panel, mutants: Sequence[Mutant]) -> tuple[float, list[list[str]]]:
    """The seconds that it takes to put mutants to a panel, and which cases notice each."""
    began = time.process_time()
    found = [[one.case.id for one in panel.noticing(mutant.ruleset, WANTED + 1)] for mutant in mutants]
    return time.process_time() - began, found


def fresh(ruleset: Ruleset, every: int) -> tuple[int, list[Mutant]]:
    """How many pairs there are, and every so manieth of them, with nothing worked out yet."""
    mutants = [*pairs(ruleset)]
    return len(mutants), [*islice(mutants, 0, None, every)]


def measured(name: str, every: int) -> dict[str, object]:
    """Seconds of both ways for some pairs of a ruleset, and of all by each."""
    ruleset = damspec.load_ruleset(name)
    asked = questions(ruleset, cases_for(ruleset))
    began = time.process_time()
    number, mutants = fresh(ruleset, every)
    finding = time.process_time() - began
    slow, quick = Panel(ruleset, asked, compiled=False), Panel(ruleset, asked)
    put(quick, mutants[:1])
    after, found = put(quick, fresh(ruleset, every)[1])
    before, expected = put(slow, mutants)
    if found != expected:
        raise SystemExit(f"{name}: the two ways do not find the same")
    return {
        "ruleset": name,
        "pairs": number,
        "put": len(mutants),
        "before": before,
        "after": after,
        "projected before": finding + before * number / len(mutants),
        "projected after": finding + after * number / len(mutants),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="How fast pairs of changes are put to the cases.")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--every", type=int, default=20, metavar="N", help="every Nth pair is put")
    parser.add_argument("--ruleset", nargs="+", default=RULESETS, metavar="ID")
    told = parser.parse_args()
    results = [measured(name, told.every) for name in told.ruleset]
    if told.json:
        print(json.dumps(results, indent=2))
        return
    total = [0.0, 0.0]
    for found in results:
        before, after = float(str(found["projected before"])), float(str(found["projected after"]))
        total = [total[0] + before, total[1] + after]
        print(
            f"{found['ruleset']:16}{found['pairs']:>6} pairs, {found['put']} put: {before:7.1f} s by the reference,"
            f" {after:6.1f} s with the kernel, {before / after:.1f} times as fast"
        )
    print(f"all of these: {total[0]:.0f} s and {total[1]:.0f} s, {total[0] / total[1]:.1f} times as fast")


if __name__ == "__main__":
    main()
