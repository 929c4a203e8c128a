"""Print what `damspec check` makes of the held-out sets, in Markdown: `python tests/heldout/table.py SET [ID...]`.

SET is `first`; `open` or `shut`, the two parts of the second; or `second`, both. Behind the rows stand the claims that
count as wrong, to be looked through, and the figures: found, named rightly, named wrongly, unexplained.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from trial import FIRST, SECOND, Fault, FaultSet, Trial, Verdict

#: The faults of a set that each word stands for: whether they were shut away, or None for all.
SETS: dict[str, tuple[FaultSet, bool | None]] = {
    "first": (FIRST, None),
    "second": (SECOND, None),
    "open": (SECOND, False),
    "shut": (SECOND, True),
}


def row(trial: Trial) -> str:
    """Return a line of the table."""
    fault = trial.fault
    by = "not found" if not trial.found else f"{trial.missed} cases" if trial.missed else "games"
    lines = [line for line in trial.lines if not line.startswith("unexplained: ")]
    explanation = "<br>".join(line.replace("|", "\\|") for line in lines) or "nothing"
    cells = (fault.id, fault.does.strip(), fault.ruleset, by, f"{trial.seconds:.1f}", trial.verdict, explanation)
    return f"| {' | '.join(cells)} |"


def totals(trials: Sequence[Trial]) -> list[str]:
    """Return a line for each kind of faults, and one for all."""
    lines = []
    for kind in (*dict.fromkeys(trial.fault.kind for trial in trials), "all"):
        own = [trial for trial in trials if kind in (trial.fault.kind, "all")]
        found = sum(trial.found for trial in own)
        numbers = [sum(trial.verdict == verdict for trial in own) for verdict in list(Verdict)[1:]]
        lines.append(f"| {' | '.join(map(str, (kind, len(own), found, *numbers)))} |")
    return lines


def selected(name: str, ids: Sequence[str]) -> list[Fault]:
    """Return the faults of a set, or those of them that are named."""
    fault_set, shut = SETS[name]
    faults = [fault for fault in fault_set.faults if shut in (None, fault.shut)]
    if unknown := {*ids} - {fault.id for fault in faults}:
        sys.exit(f"{', '.join(sorted(unknown))}: not among the faults of '{name}'")
    return [fault for fault in faults if not ids or fault.id in ids]


def main() -> None:
    """Try the faults named, or all of a set."""
    parser = argparse.ArgumentParser(description="Print what `damspec check` makes of the held-out sets, in Markdown.")
    parser.add_argument("set", choices=SETS)
    parser.add_argument("ids", metavar="ID", nargs="*", help="these faults only")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1, help="checks at a time")
    words = parser.parse_args()
    faults = selected(words.set, words.ids)
    fault_set = SETS[words.set][0]
    print("| id | mistake | in | found by | seconds | verdict | what is said |\n|---|---|---|---|---|---|---|")
    trials = []
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(words.jobs) as pool:
        program = fault_set.build(Path(folder))
        for trial in pool.map(lambda fault: fault_set.try_fault(fault, program), faults):
            trials.append(trial)
            print(row(trial), flush=True)
    wrong = [(trial.fault.id, line) for trial in trials for line in trial.false_claims if trial.found]
    print("\nClaims that count as wrong:\n", *(f"- {id}: {line}" for id, line in wrong), sep="\n")
    print(f"\n| kind | faults | found | {' | '.join(list(Verdict)[1:])} |\n|---|---|---|---|---|---|---|")
    print(*totals(trials), sep="\n")


if __name__ == "__main__":
    main()
