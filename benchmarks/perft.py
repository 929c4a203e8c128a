"""Nodes per second of damspec beside other Python libraries, measured in turns in one run.

    python -m benchmarks.perft [--json] [--repeats N] [--seconds S] [--dctl PROGRAM]

Each measurement is a process of its own (`beside.py`), damspec's and the other's by turns, and the best of each counts.
dctl is a library of C++ without a program of its own: where it is there, name one that prints the nodes and the seconds
of a perft, given a game and a depth. Libraries of Python that are missing are installed as `damspec engines install`
does. Exit status: 0 all counts agree or differ for a known reason, 1 one differs otherwise, 3 a library could not be
installed or run.
"""

from __future__ import annotations

import json
import platform
import subprocess
from dataclasses import asdict, dataclass
from typing import Any

from damspec import __version__
from damspec.kernel import is_available
from damspec_runner.engines.registry import adapter

from .measure import HERE, installed, options, printer, run, run_python, verdict


@dataclass(frozen=True)
class Contest:
    """A way to count that another library has, and what damspec should be beside it, or its compiled kernel."""

    engine: str
    counter: str
    rulesets: tuple[str, ...]
    depth: int
    target: float | None = None
    ours: str = "damspec"


CONTESTS = (
    Contest("pydraughts", "pydraughts", ("international", "russian", "english"), 4, target=20),
    Contest("py-draughts", "py-draughts", ("international", "russian", "english"), 6, target=2),
    Contest("py-draughts", "py-draughts-turbo", ("international",), 6),
    Contest("py-draughts", "py-draughts-turbo", ("international",), 7, target=30, ours="kernel"),
    Contest("py-draughts", "py-draughts", ("english",), 7, target=60, ours="kernel"),
)
#: What the kernel counts beside dctl, to which depth, and how much quicker it should be.
DCTL, DCTL_TARGET = {"international": 9, "russian": 10, "english": 11, "frisian": 9}, 1.2
#: Why a counter's numbers are not damspec's, where that is known.
DIFFERENCES = {
    ("py-draughts", "english"): "its American board offers quiet moves beside captures: another tree, and a wider one",
}


@dataclass(frozen=True)
class Result:
    """Damspec and another by one ruleset: the best of each."""

    ruleset: str
    counter: str
    version: str
    depth: int
    target: float | None
    ours: str
    nodes: int
    damspec_nodes: int
    per_second: float
    damspec_per_second: float

    @property
    def ratio(self) -> float:
        return self.damspec_per_second / self.per_second

    @property
    def difference(self) -> str | None:
        """Why the counts differ, as far as that is known."""
        if self.nodes == self.damspec_nodes:
            return None
        return DIFFERENCES.get((self.counter, self.ruleset), "unexplained")

    def __str__(self) -> str:
        target = f"{self.target:g}" if self.target else "-"
        word = verdict(self.ratio >= self.target) if self.target else ""
        return (
            f"{self.ruleset:<14}{self.counter:<19}{self.ours:<9}{self.depth:>5}{self.nodes:>9}"
            f"{self.per_second:>12,.0f}{self.damspec_per_second:>13,.0f}{self.ratio:>9,.2f}{target:>8}  {word}"
        )


def compare(contest: Contest, ruleset: str, repeats: int, seconds: float) -> Result:
    """Damspec and the other by turns."""
    ways = ((None, contest.ours), (contest.engine, contest.counter))
    about = ruleset, contest.depth, seconds
    runs: list[Any] = [
        [run_python(library, [HERE / "beside.py", "perft", counter, *about]) for library, counter in ways]
        for _ in range(repeats)
    ]
    ours, theirs = (max(times, key=lambda one: one["per_second"]) for times in zip(*runs, strict=True))
    return Result(
        ruleset,
        contest.counter,
        adapter(contest.engine).version,
        contest.depth,
        contest.target,
        contest.ours,
        nodes=theirs["nodes"],
        damspec_nodes=ours["nodes"],
        per_second=theirs["per_second"],
        damspec_per_second=ours["per_second"],
    )


def compare_with_dctl(program: str, ruleset: str, repeats: int, seconds: float) -> Result:
    """The kernel and a program that counts with dctl, by turns."""
    depth, ours, theirs = DCTL[ruleset], [], []
    for _ in range(repeats):
        ours.append(run_python(None, [HERE / "beside.py", "perft", "kernel", ruleset, depth, seconds]))
        ran = subprocess.run([program, ruleset, str(depth)], capture_output=True, text=True, check=True)
        nodes, taken = ran.stdout.split()[:2]
        theirs.append((int(nodes), int(nodes) / float(taken)))
    best: Any = max(ours, key=lambda one: one["per_second"])
    nodes_there, per_second = max(theirs, key=lambda one: one[1])
    return Result(
        ruleset, "dctl", "", depth, DCTL_TARGET, "kernel", nodes_there, best["nodes"], per_second, best["per_second"]
    )


def main() -> bool:
    """Measure and print; whether a count differs and nobody knows why."""
    chosen = options(
        __doc__,
        repeats=(3, "measurements of each, by turns"),
        seconds=(0.5, "the least time of a measurement"),
        dctl=("", "a program that counts with dctl: NODES SECONDS, given a game and a depth"),
    ).parse_args()
    say, results = printer(chosen.json), []
    for contest in CONTESTS:
        installed(contest.engine, say)
    say(f"damspec {__version__}, Python {platform.python_version()}, nodes per second, best of {chosen.repeats}")
    say("ruleset       beside             by       depth    nodes      theirs      damspec    ratio  target")
    for contest in CONTESTS:
        if contest.ours == "kernel" and not is_available():
            say("the kernel is not installed: pip install 'damspec[fast]'")
            continue
        for ruleset in contest.rulesets:
            results.append(compare(contest, ruleset, chosen.repeats, chosen.seconds))
            say(str(results[-1]))
    for ruleset in DCTL if chosen.dctl and is_available() else ():
        results.append(compare_with_dctl(chosen.dctl, ruleset, chosen.repeats, chosen.seconds))
        say(str(results[-1]))
    for result in results:
        if result.difference:
            counts = f"{result.nodes} nodes, damspec {result.damspec_nodes}"
            say(f"{result.counter} {result.ruleset}: {counts}: {result.difference}")
    say("py-draughts-turbo is an undocumented generator inside its engine, for international draughts alone: no target")
    if chosen.json:
        rows = [asdict(one) | {"ratio": round(one.ratio, 2), "difference": one.difference} for one in results]
        print(json.dumps({"damspec": __version__, "python": platform.python_version(), "results": rows}, indent=2))
    return any(result.difference == "unexplained" for result in results)


if __name__ == "__main__":
    run(main)
