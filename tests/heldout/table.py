"""Prints what `damspec check` makes of the held-out set, in Markdown: `python tests/heldout/table.py [ID...]`."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from trial import Trial, built, faults, tried


def row(trial: Trial) -> str:
    """A line of the table."""
    fault = trial.fault
    by = "not found" if not trial.found else f"{trial.missed} cases" if trial.missed else "games"
    lines = [line for line in trial.lines if not line.startswith("unexplained: ")]
    said = "<br>".join(line.replace("|", "\\|") for line in lines) or "nothing"
    cells = (fault.does.strip(), fault.ruleset, by, f"{trial.seconds:.1f}", "yes" if trial.described else "no", said)
    return f"| {' | '.join(cells)} |"


def totals(trials: Sequence[Trial]) -> list[str]:
    """How many were found and described, by kind."""
    lines = []
    for kind in ("rule", "other"):
        own = [trial for trial in trials if trial.fault.kind == kind]
        found, described = sum(trial.found for trial in own), sum(trial.described for trial in own)
        lines.append(f"| {kind} | {len(own)} | {found} | {described} |")
    return lines


def main(ids: Sequence[str]) -> None:
    """Try the faults named, or all, one after the other."""
    print("| mistake | in | found by | seconds | described | what is said |\n|---|---|---|---|---|---|")
    trials = []
    with tempfile.TemporaryDirectory() as folder:
        program = built(Path(folder))
        for fault in faults():
            if not ids or fault.id in ids:
                trials.append(tried(fault, program))
                print(row(trials[-1]), flush=True)
    print("\n| kind | faults | found | described |\n|---|---|---|---|", *totals(trials), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
