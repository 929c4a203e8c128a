"""How fast two changes of rules at a time are put to the cases: by the reference alone, and with the compiled kernel.

    python benchmarks/adequacy.py [--json] [--ruleset ID ...]

All pairs of changes of each ruleset are put to its cases both ways, one after the other; which cases notice them has to
be the same. Processor time counts, that of finding the pairs and of compiling included, as `damspec adequacy --pairs`
has both. For the rulesets that are not measured it is projected, by what a pair takes.
"""

from __future__ import annotations

import argparse
import json
import time

import damspec
from damspec import Ruleset
from damspec_runner.adequacy.measure import WANTED, CasePanel
from damspec_runner.answers.answer import Question
from damspec_runner.cases.cases import cases_for
from damspec_runner.mutants.mutants import pair_mutants

RULESETS = ["english", "international", "italian", "turkish", "nl-trapdoor"]
#: The pairs of all rulesets (docs/adequacy.md).
ALL = 91_166


def put(ruleset: Ruleset, *, compiled: bool) -> tuple[float, list[list[str]]]:
    """Return the seconds that it takes to put all pairs to the cases, and which cases notice each."""
    began = time.process_time()
    panel = CasePanel(ruleset, [Question(case, ruleset) for case in cases_for(ruleset)], compiled=compiled)
    found = [[one.case.id for one in panel.noticing(mutant.ruleset, WANTED + 1)] for mutant in pair_mutants(ruleset)]
    return time.process_time() - began, found


def measured(name: str) -> dict[str, float]:
    """Return the pairs of a ruleset, and the seconds of both ways."""
    ruleset = damspec.load_ruleset(name)
    before, expected = put(ruleset, compiled=False)
    after, found = put(ruleset, compiled=True)
    if found != expected:
        raise SystemExit(f"{name}: the two ways do not find the same")
    return {"pairs": len(found), "before": before, "after": after}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="How fast pairs of changes are put to the cases.")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--ruleset", nargs="+", default=RULESETS, metavar="ID")
    told = parser.parse_args()
    results = {name: measured(name) for name in told.ruleset}
    if told.json:
        print(json.dumps(results, indent=2))
        return
    results["together"] = {key: sum(each[key] for each in results.values()) for key in ("pairs", "before", "after")}
    for name, found in results.items():
        before, after = found["before"], found["after"]
        print(
            f"{name:16}{found['pairs']:>6} pairs: {before:5.1f} s by the reference, {after:4.1f} s with the kernel,"
            f" {before / after:.1f} times as fast"
        )
    by_pair = {key: ALL * results["together"][key] / results["together"]["pairs"] for key in ("before", "after")}
    print(f"projected for all {ALL:,}: {by_pair['before']:.0f} s and {by_pair['after']:.0f} s of one processor")


if __name__ == "__main__":
    main()
