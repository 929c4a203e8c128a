"""What solving endgames costs: processor time and memory, beside the targets, and reckoned on to seven pieces.

    python -m benchmarks.solve [--json]

Exit status: 0 all targets met, 1 one was not.
"""

from __future__ import annotations

import json
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil

from damspec import load_ruleset
from damspec.kernel.retrograde import Retrograde
from damspec_runner.solve.material import Materials
from damspec_runner.solve.solve import Folder, solve

from .measure import options, printer, run

#: Rulesets, numbers of pieces, and the seconds of processor time that they may take on two cores.
TARGETS = {
    ("english", 4): 120.0,
    ("russian", 4): 120.0,
    ("international", 4): 2400.0,
    ("frisian", 3): None,
    ("turkish", 3): None,
    ("canadian", 3): None,
}
#: The numbers of pieces and of cores for which the cost is reckoned.
PIECES, CORES = (5, 6, 7), 256


def measure(ruleset: str, pieces: int, folder: str) -> tuple[float, int]:
    """Solve a game's endgames in a process of their own; return its processor time and the most memory in bytes."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor:
        return executor.submit(_solve, ruleset, pieces, folder).result()


def _solve(ruleset: str, pieces: int, folder: str) -> tuple[float, int]:
    solve(Folder(load_ruleset(ruleset), Path(folder)), pieces)
    if sys.platform == "win32":
        most = psutil.Process().memory_info().peak_wset
    else:
        import resource

        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << (0 if sys.platform == "darwin" else 10)
    return time.process_time(), most


@dataclass(frozen=True)
class SolvingCost:
    """What solving some pieces costs: entries, bytes on disk and of a process, seconds on one core and on many.

    Many cores solve the materials of a level at once, `at_once` at most, and wait for the largest one.
    """

    ruleset: str
    pieces: int
    entries: int
    disk: int
    memory: int
    seconds: float
    on_many: float
    at_once: int


def reckon(ruleset: str, pieces: int, each: float, cores: int = CORES) -> SolvingCost:
    """Return what so many pieces cost, if an entry takes `each` seconds."""
    rules = Retrograde(load_ruleset(ruleset).rules)
    materials = Materials(rules, pieces)
    size = {section: rules.size(section) for material in materials for section in material.sections}
    entries = {material: sum(size[section] for section in material.sections) for material in materials}
    levels = [[entries[material] for material in level] for level in materials.levels()]
    total = sum(entries.values())
    memory = [
        12 * own + 2 * sum(size[section] for section in materials.neighbours(material))
        for material, own in entries.items()
    ]
    path = sum(max(max(level), sum(level) / cores) for level in levels)
    return SolvingCost(
        ruleset,
        pieces,
        total,
        total // 4 + total,
        max(memory) + (250 << 20),
        total * each,
        path * each,
        max(map(len, levels)),
    )


def main() -> bool:
    """Measure and print; whether a target is missed."""
    chosen = options(__doc__).parse_args()
    rows, reckoned, missed, say = [], list[SolvingCost](), False, printer(chosen.json)
    with TemporaryDirectory() as folder:
        for ruleset in {ruleset for ruleset, _ in TARGETS}:  # the first time its code is compiled
            measure(ruleset, 2, f"{folder}/{ruleset}-first")
        for (ruleset, pieces), target in TARGETS.items():
            seconds, memory = measure(ruleset, pieces, f"{folder}/{ruleset}")
            missed |= target is not None and seconds > target
            rows.append({"ruleset": ruleset, "pieces": pieces, "seconds": seconds, "target": target, "memory": memory})
            goal = f", target {target:.0f}" if target else ""
            say(f"{ruleset} {pieces} pieces: {seconds:.1f} s{goal}, at most {memory / 1e6:.0f} MB")
            if ruleset != "russian":
                entries = reckon(ruleset, pieces, 0).entries
                reckoned += [reckon(ruleset, number, seconds / entries) for number in PIECES]
    for each in reckoned:
        say(
            f"{each.ruleset} {each.pieces} pieces: {each.entries:,} entries, {each.disk / 1e9:,.1f} GB,"
            f" {each.memory / 1e9:,.1f} GB of memory, {each.seconds / 3600:,.2f} h on one core,"
            f" {each.on_many / 3600:,.2f} h on {CORES}, {each.at_once} materials at once"
        )
    if chosen.json:
        print(json.dumps({"measured": rows, "reckoned": [asdict(each) for each in reckoned]}, indent=2))
    return missed


if __name__ == "__main__":
    run(main)
