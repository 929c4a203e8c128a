"""Nodes per second of damspec beside other Python libraries, measured in turns in one run.

    python benchmarks/perft.py [--json] [--repeats N] [--seconds S]

Each measurement is a process of its own (`count.py`), damspec's and the other's by turns, and the best of each counts.
Libraries that are missing are installed as `damspec engines install` does. Exit status: 0 all counts agree or differ
for a known reason, 1 one differs otherwise, 3 a library could not be installed or run.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from damspec import __version__
from damspec.kernel import is_available
from damspec_runner.engines.registry import InstallError, adapter, install

COUNT = Path(__file__).with_name("count.py")


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
#: Why a counter's numbers are not damspec's, where that is known.
DIFFERENCES = {
    ("py-draughts", "english"): "its American board offers quiet moves beside captures: another tree, and a wider one",
}


@dataclass
class Result:
    """Damspec and another by one ruleset: the best of each."""

    ruleset: str
    counter: str
    version: str
    depth: int
    target: float | None
    ours: str
    nodes: int = 0
    damspec_nodes: int = 0
    per_second: float = 0.0
    damspec_per_second: float = 0.0

    @property
    def ratio(self) -> float:
        return self.damspec_per_second / self.per_second

    @property
    def agrees(self) -> bool:
        return self.nodes == self.damspec_nodes

    @property
    def difference(self) -> str | None:
        """Why the counts differ, as far as that is known."""
        return None if self.agrees else DIFFERENCES.get((self.counter, self.ruleset), "unexplained")


def run(contest: Contest, ruleset: str, repeats: int, seconds: float) -> Result:
    """Damspec and the other by turns."""
    found = adapter(contest.engine)
    result = Result(ruleset, contest.counter, found.version, contest.depth, contest.target, contest.ours)
    for _ in range(repeats):
        ours = count([sys.executable], {}, contest.ours, ruleset, contest.depth, seconds)
        theirs = count(found.command[:-1], found.environment, contest.counter, ruleset, contest.depth, seconds)
        result.damspec_nodes, result.nodes = ours["nodes"], theirs["nodes"]
        result.damspec_per_second = max(result.damspec_per_second, ours["per_second"])
        result.per_second = max(result.per_second, theirs["per_second"])
    return result


def count(
    python: list[str], environment: dict[str, str], counter: str, ruleset: str, depth: int, seconds: float
) -> Any:
    """One measurement in a process of its own."""
    command = [*python, str(COUNT), counter, ruleset, str(depth), str(seconds)]
    env = {**os.environ, **environment}
    return json.loads(subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True, check=True).stdout)


def line(result: Result) -> str:
    target = f"{result.target:g}" if result.target else "-"
    verdict = "" if result.target is None else "reached" if result.ratio >= result.target else "missed"
    return (
        f"{result.ruleset:<14}{result.counter:<19}{result.ours:<9}{result.depth:>5}{result.nodes:>9}"
        f"{result.per_second:>12,.0f}{result.damspec_per_second:>13,.0f}{result.ratio:>9,.2f}{target:>8}  {verdict}"
    )


def as_json(results: list[Result]) -> dict[str, Any]:
    rows = [asdict(r) | {"ratio": round(r.ratio, 2), "difference": r.difference} for r in results]
    return {"damspec": __version__, "python": platform.python_version(), "results": rows}


def main() -> int:
    options = argparse.ArgumentParser(description="Nodes per second of damspec beside other Python libraries.")
    options.add_argument("--json", action="store_true", help="print one JSON object")
    options.add_argument("--repeats", type=int, default=3, metavar="N", help="measurements of each, by turns")
    options.add_argument("--seconds", type=float, default=0.5, metavar="S", help="the least time of a measurement")
    chosen = options.parse_args()

    def say(text: str) -> None:
        print(text, file=sys.stderr if chosen.json else sys.stdout, flush=True)

    results = []
    try:
        for found in [adapter(engine) for engine in dict.fromkeys(contest.engine for contest in CONTESTS)]:
            if not found.installed:
                install(found, say)
        say(f"damspec {__version__}, Python {platform.python_version()}, nodes per second, best of {chosen.repeats}")
        say("ruleset       beside             by       depth    nodes      theirs      damspec    ratio  target")
        for contest in CONTESTS:
            if contest.ours == "kernel" and not is_available():
                say("the kernel is not installed: pip install 'damspec[fast]'")
                continue
            for ruleset in contest.rulesets:
                results.append(run(contest, ruleset, chosen.repeats, chosen.seconds))
                say(line(results[-1]))
    except (InstallError, OSError, subprocess.CalledProcessError) as error:
        print(f"perft.py: {error}", file=sys.stderr)
        return 3
    for result in results:
        if result.difference:
            counts = f"{result.nodes} nodes, damspec {result.damspec_nodes}"
            say(f"{result.counter} {result.ruleset}: {counts}: {result.difference}")
    say("py-draughts-turbo is an undocumented generator inside its engine, for international draughts alone: no target")
    if chosen.json:
        print(json.dumps(as_json(results), indent=2))
    return int(any(result.difference == "unexplained" for result in results))


if __name__ == "__main__":
    sys.exit(main())
