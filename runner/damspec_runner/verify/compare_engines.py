"""Checking named engines on rulesets, several at once, each by a damspec process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from threading import Lock
from typing import Any

from ..engines import known
from ..engines.known import FailureCause, GamesSummary, Standing
from ..engines.registry import Adapter
from ..tasks.executor import TaskRunner
from . import baseline
from .result import FAILING, NO_LAPSES

#: The seed of the random games.
SEED = 1


@dataclass(frozen=True)
class PairRequest:
    """An engine to be checked on a ruleset."""

    adapter: Adapter
    ruleset: str


@dataclass(frozen=True)
class PairResult:
    """The result of a pair, as plain data: the report of the cases, and of games if some were played.

    `summary` is a line on it; `report` is empty where the engine could not be run, and `summary` says why.
    """

    engine: str
    version: str
    ruleset: str
    summary: str
    report: Mapping[str, Any] = field(default_factory=dict)
    games: Mapping[str, Any] = field(default_factory=dict)

    @property
    def unexpected_lines(self) -> list[str]:
        """The differences from the known failures, a line each."""
        return [f"{self.engine} on {self.ruleset}: {line}" for line in self.report.get("known", ())]

    @property
    def warnings(self) -> list[str]:
        """What only a strict run fails on, a line each."""
        results = self.report.get("results", ())
        found = {
            "answers right only under an open reading": sum(each["status"] == "reading" for each in results),
            "duplicate moves": self.report.get("duplicates", 0),
            "cases with lapses left out": sum(
                each["status"] == "unsupported" and each.get("message") == NO_LAPSES for each in results
            ),
        }
        return [f"{self.engine} on {self.ruleset}: {number} {what}" for what, number in found.items() if number]


def run_pairs(
    pairs: Sequence[PairRequest], task_runner: TaskRunner, games: int, *, update: bool
) -> Generator[PairResult]:
    """Check each pair; with `update`, write their failures to the baselines.

    Where this is interrupted, the engines that run here are ended.
    """
    running = DamspecProcesses()
    named = {f"{pair.adapter.name} {pair.adapter.version} on {pair.ruleset}": pair for pair in pairs}
    try:
        for done in task_runner(partial(_play_pair, games=games, update=update, running=running), named):
            yield PairResult(**done)
    except BaseException:
        running.end()
        raise


def make_standing(played: PairResult) -> Standing:
    """Return the entry of the matrix for a result."""
    report = played.report
    counts: Mapping[str, int] = report["counts"]
    failing = [result["id"] for result in report["results"] if result["status"] in FAILING]
    return Standing(
        played.engine,
        played.version,
        played.ruleset,
        cases=len(report["results"]),
        passed=counts["passed"],
        failed=len(failing),
        reading=counts["reading"],
        unsupported=counts["unsupported"],
        twice=report["duplicates"],
        questions=tuple(report["engine"]["questions"]),
        wrong=_wrong(played, failing),
        games=_games(played.games),
    )


def _wrong(played: PairResult, failing: Sequence[str]) -> tuple[FailureCause, ...]:
    if not failing:
        return ()
    listed = known.load(played.engine, played.ruleset)
    causes = [listed.failures.get(id, {}).get("cause", baseline.UNEXPLAINED) for id in failing]
    about = {baseline.UNEXPLAINED: baseline.ABOUT_UNEXPLAINED, **listed.causes}
    return tuple(FailureCause(cause, about[cause], causes.count(cause)) for cause in dict.fromkeys(causes))


def _games(report: Mapping[str, Any]) -> GamesSummary | None:
    if not report:
        return None
    games = report["games"]
    found = tuple(_finding_line(each) for each in games["found"] if each["status"] in FAILING)
    return GamesSummary(games["seed"], games["games"], games["positions"], found)


def _finding_line(each: Mapping[str, Any]) -> str:
    """Return a wrong answer from games as one line."""
    words = [f"{kind} {', '.join(each[kind])}" for kind in ("missing", "extra", "unparsable") if kind in each]
    after = {f"after {move}": mismatch for move, mismatch in each.get("after", {}).items()}
    wrong = {**{kind: each[kind] for kind in ("start", "outcome") if kind in each}, **after}
    words += [f"{what}: expected {mismatch['expected']}, found {mismatch['got']}" for what, mismatch in wrong.items()]
    return f"{each['position']}: {'; '.join(words) or each.get('message', each['status'])}"


class DamspecProcesses:
    """The running damspec processes; pickled, it becomes a new one on the other machine."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._ended = False
        self._processes: set[subprocess.Popen[str]] = set()

    def __reduce__(self) -> tuple[type[DamspecProcesses], tuple[()]]:
        return DamspecProcesses, ()

    def run(self, words: Sequence[str]) -> tuple[int, str, str]:
        """Run damspec; return its exit status, standard output and standard error."""
        command = [sys.executable, "-m", "damspec_runner", *words]
        with self._lock:
            if self._ended:
                return 130, "", ""
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            self._processes.add(process)
        try:
            out, err = process.communicate()
        finally:
            with self._lock:
                self._processes.discard(process)
        return process.returncode, out, err

    def end(self) -> None:
        """Terminate all processes, and start no more."""
        with self._lock:
            self._ended = True
            for process in self._processes:
                with suppress(ProcessLookupError):
                    process.terminate()


def _play_pair(pair: PairRequest, games: int, update: bool, running: DamspecProcesses) -> dict[str, Any]:
    """Return the result of a pair as the fields of a PairResult."""
    return vars(_play(pair, games, update, running))


def _play(pair: PairRequest, games: int, update: bool, running: DamspecProcesses) -> PairResult:
    name, version, ruleset = pair.adapter.name, pair.adapter.version, pair.ruleset
    words = ["check", ruleset, "--engine", name, "--json", "--no-diagnose", "--timeout", "60"]
    option = "--update-baseline" if update else "--baseline"
    status, out, err = running.run([*words, option])
    try:
        (report,) = json.loads(out)["reports"]
    except ValueError:
        return PairResult(name, version, ruleset, f"{ruleset} by {name}: status {status}: {_last(err)}")
    failed = sum(report["counts"][each] for each in FAILING)
    summary = f"{ruleset} by {name} {version}: {report['counts']['passed']} passed, {failed} failed"
    if failed or not games:
        return PairResult(name, version, ruleset, summary, report)
    _, out, err = running.run([*words, "--no-cases", "--games", str(games), "--seed", str(SEED)])
    try:
        (beyond,) = json.loads(out)["reports"]
    except ValueError:
        return PairResult(name, version, ruleset, f"{summary}; no games: {_last(err)}", report)
    return PairResult(name, version, ruleset, summary, report, beyond)


def _last(text: str) -> str:
    return (text.strip().splitlines() or ["it said nothing"])[-1]
