"""A pytest plugin that makes each case a test of an engine, and random games one more:

    pytest --damspec-engine "./my-engine --protocol" --damspec-ruleset lb --damspec-ruleset vl --damspec-games 1000

Without these options it does nothing and loads nothing: where damspec is installed, every run of pytest imports it.
"""

from __future__ import annotations

import json
import math
import shlex
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from damspec import Ruleset

    from ..cases.cases import Case
    from ..engines.process import Engine
    from .capabilities import CapabilityAdapter
    from .result import FuzzResult, Report, Result

_RUN: pytest.StashKey[PluginRun] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("damspec", "conformance of a draughts engine")
    group.addoption("--damspec-engine", metavar="CMD", help="the command of an engine to ask the cases")
    group.addoption(
        "--damspec-lines", action="store_true", help="the engine speaks plain lines of text (docs/lines.md), not JSON"
    )
    group.addoption(
        "--damspec-ruleset",
        action="append",
        default=[],
        metavar="RULESET",
        help="a ruleset whose cases become tests; repeatable",
    )
    group.addoption(
        "--damspec-cases",
        action="append",
        default=[],
        metavar="FILE",
        help="the cases in this file, folder or bundle in the place of those shipped; repeatable",
    )
    group.addoption(
        "--damspec-timeout",
        type=float,
        default=10.0,
        metavar="SECONDS",
        help="how long the engine may take for each question (default: 10)",
    )

    group.addoption(
        "--damspec-games",
        type=int,
        default=0,
        metavar="N",
        help="also play N random games of each ruleset and compare every position (default: 0)",
    )
    group.addoption(
        "--damspec-seed", type=int, default=0, metavar="SEED", help="the same seed gives the same games (default: 0)"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Read the options; a usage error if they make no sense."""
    if config.getoption("--damspec-engine") is not None:
        config.stash[_RUN] = PluginRun(config)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Start the engine and ask it an easy question, so that an engine that cannot run is reported once."""
    config = session.config
    run = config.stash.get(_RUN, None)
    if run is not None and not config.option.collectonly:
        run.start()
        if config.getoption("dist", "no") != "no" and not hasattr(config, "workerinput"):
            run.engine.close()  # the tests run in other processes, each with an engine of its own


def pytest_sessionfinish(session: pytest.Session) -> None:
    """End the engine; a worker of pytest-xdist sends what it found."""
    run = session.config.stash.get(_RUN, None)
    if run is not None:
        run.engine.close()
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput["damspec"] = run.saved()


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take in what a worker of pytest-xdist found."""
    run, saved = node.config.stash.get(_RUN, None), getattr(node, "workeroutput", {}).get("damspec")
    if run is not None and saved:
        run.add_saved(saved)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, exitstatus: int, config: pytest.Config) -> None:
    """Explain the failures as `damspec check` does, once, after the tests."""
    run = config.stash.get(_RUN, None)
    lines = [*run.explain()] if run is not None and exitstatus == pytest.ExitCode.TESTS_FAILED else []
    if lines:
        terminalreporter.section("explanation by damspec")
        for line in lines:
            terminalreporter.write_line(line)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Add the cases to the tests found in files; -k and the like choose among them afterwards."""
    run = config.stash.get(_RUN, None)
    for ruleset, cases in run.cases.items() if run else ():
        name = f"damspec:{ruleset.id}"
        collector = Cases.from_parent(session, name=name, nodeid=name, ruleset=ruleset, cases=cases)
        found = list(collector.collect())
        if run is not None and run.games:
            found.append(GamesItem.from_parent(collector, name="games", ruleset=ruleset, cases=cases))
        session.ihook.pytest_collectreport(report=pytest.CollectReport(name, "passed", None, [*found]))
        items += found


class PluginRun:
    """The options of a run, and its engine: one process for all tests of this process."""

    def __init__(self, config: pytest.Config) -> None:
        import damspec

        from ..cases.case_files import read_case_files
        from ..cases.cases import cases_for, for_ruleset
        from ..engines.process import SubprocessEngine

        files = [Path(file) for file in config.getoption("--damspec-cases")]
        try:
            command = shlex.split(config.getoption("--damspec-engine"))
            rulesets = [damspec.load_ruleset(id) for id in config.getoption("--damspec-ruleset")]
            found = read_case_files(files)
            self.cases: dict[Ruleset, list[Case]] = {
                ruleset: for_ruleset(found, ruleset) if files else cases_for(ruleset) for ruleset in rulesets
            }
        except ValueError as error:  # damspec's own errors among them
            raise pytest.UsageError(f"damspec: {error}") from None
        if not command:
            raise pytest.UsageError("damspec: --damspec-engine is empty")
        if not self.cases:
            raise pytest.UsageError("damspec: no ruleset: give --damspec-ruleset RULESET")
        if not 0 < config.getoption("--damspec-timeout") < math.inf:
            raise pytest.UsageError("damspec: --damspec-timeout: expected more than 0 seconds, and an end")
        if none := next((ruleset.id for ruleset, cases in self.cases.items() if not cases), None):
            raise pytest.UsageError(f"damspec: --damspec-cases: found no case for {none}")
        self.games: int = config.getoption("--damspec-games")
        if self.games < 0:
            raise pytest.UsageError("damspec: --damspec-games: expected 0 or more")
        self.seed: int = config.getoption("--damspec-seed")
        self._lines: bool = config.getoption("--damspec-lines")
        self.engine: Engine = SubprocessEngine(
            command, timeout=config.getoption("--damspec-timeout"), lines=self._lines
        )
        self._able: dict[Ruleset, CapabilityAdapter] = {}
        #: What was found so far.
        self.reports: dict[Ruleset, Report] = {}

    def able(self, ruleset: Ruleset) -> CapabilityAdapter:
        """Return the engine adapted to a ruleset."""
        from .capabilities import CapabilityAdapter

        if ruleset not in self._able:
            self._able[ruleset] = CapabilityAdapter(self.engine, ruleset)
        return self._able[ruleset]

    def start(self) -> None:
        """Start the engine. Raises UsageError if it cannot be run or does not play the rulesets."""
        from ..engines.protocol import EngineError
        from .ask import smoke
        from .result import Report

        try:
            for ruleset in self.cases:
                hello = smoke(self.able(ruleset), ruleset)
                self.reports[ruleset] = Report(ruleset, shlex.join(self.engine.command), hello, ())
        except EngineError as error:
            self.engine.close()
            raise pytest.UsageError(f"damspec: engine {shlex.join(self.engine.command)!r}: {error}") from None

    def ask(self, ruleset: Ruleset, case: Case) -> Result:
        """Return the engine's result in a case."""
        from .ask import ask

        report = self.reports[ruleset]
        result = ask(self.able(ruleset), ruleset, report.hello, case)
        self.reports[ruleset] = replace(report, results=(*report.results, result))
        return result

    def play(self, ruleset: Ruleset, cases: list[Case]) -> FuzzResult:
        """Return the result of random games of the engine."""
        from .games import FuzzConfig, fuzz

        origins = list(dict.fromkeys(ruleset.position(case.position) for case in cases))
        scope, report = FuzzConfig(games=self.games, seed=self.seed), self.reports[ruleset]
        games = fuzz(ruleset, partial(self._another, ruleset), report.hello, scope, origins)
        self.reports[ruleset] = replace(report, games=games)
        return games

    def failure(self, ruleset: Ruleset, result: Result) -> str:
        """Return a failure in lines: the case, its clauses, its board, what is wrong."""
        from .report.documents import failure_text

        return failure_text(self.reports[ruleset], result)

    def explain(self) -> Iterator[str]:
        """Yield the explanations of what failed, a line each."""
        from .explain.diagnosis import explain
        from .explain.lab import Budget, Laboratory

        for ruleset, report in self.reports.items():
            if ruleset.id == ruleset.base and not report.clean():
                asks, budget = report.hello.setup and report.hello.manner != "played", Budget()
                try:
                    with Laboratory(ruleset, partial(self._another, ruleset), report.hello, budget) as lab:
                        yield from explain(report, budget, lab if asks else None).lines()
                except Exception as error:  # the engine's, or a fault of damspec's own: the tests stand
                    yield f"{ruleset.id}: explaining failed ({type(error).__name__}: {error})"

    def saved(self) -> str:
        """Return what was found as text."""
        from .report import render

        return render([*self.reports.values()], "json")

    def add_saved(self, text: str) -> None:
        """Add what another process found, in which the same cases were collected."""
        from .report.serialize import read_reports

        for ruleset, report in zip(self.reports, read_reports(json.loads(text), "pytest-xdist"), strict=True):
            known, cases = self.reports[ruleset], {case.id: case for case in self.cases[ruleset]}
            results = [result.with_case(cases[result.case.id]) for result in report.results]
            games = report.games or known.games
            self.reports[ruleset] = replace(known, results=(*known.results, *results), games=games)

    def _another(self, ruleset: Ruleset) -> CapabilityAdapter:
        """Return the engine as a process of its own, not started yet."""
        from ..engines.process import SubprocessEngine
        from .capabilities import CapabilityAdapter

        command, timeout = self.engine.command, self.engine.timeout
        return CapabilityAdapter(SubprocessEngine(command, timeout=timeout, lines=self._lines), ruleset)


class Cases(pytest.Collector):
    """The cases of a ruleset."""

    def __init__(self, ruleset: Ruleset, cases: list[Case], **keywords: Any) -> None:
        super().__init__(**keywords)
        self.ruleset, self.cases = ruleset, cases

    def collect(self) -> Iterator[pytest.Item]:
        """Yield a test for each case."""
        for case in self.cases:
            yield CaseItem.from_parent(self, name=case.id, case=case, ruleset=self.ruleset)


class CaseFailureError(Exception):
    """An engine's wrong answer."""

    def __init__(self, result: Result) -> None:
        super().__init__(result.case.id)
        self.result = result


class CaseItem(pytest.Item):
    """A case as a test."""

    def __init__(self, case: Case, ruleset: Ruleset, **keywords: Any) -> None:
        super().__init__(**keywords)
        self.case, self.ruleset = case, ruleset

    def runtest(self) -> None:
        """Ask the engine."""
        result = self.config.stash[_RUN].ask(self.ruleset, self.case)
        if result.status == "unsupported":
            pytest.skip(f"unsupported: {result.message}")
        if result.status == "reading":
            pytest.skip(f"right under the reading {result.reading}")
        if result.status != "passed":
            raise CaseFailureError(result)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return the board and the faults instead of a traceback."""
        if isinstance(excinfo.value, CaseFailureError):
            return self.config.stash[_RUN].failure(self.ruleset, excinfo.value.result)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Any, int | None, str]:
        """Return the file of the case, and the headline of a failure."""
        return self.case.file, None, f"case {self.case.id}"


class FuzzFailureError(Exception):
    """Answers in random games that are not the reference's."""

    def __init__(self, games: FuzzResult) -> None:
        super().__init__(f"{len(games.divergences)} disagreements")
        self.games = games


class GamesItem(pytest.Item):
    """Random games as a test."""

    def __init__(self, ruleset: Ruleset, cases: list[Case], **keywords: Any) -> None:
        super().__init__(**keywords)
        self.ruleset, self.cases = ruleset, cases

    def runtest(self) -> None:
        """Play them."""
        from .result import FAILING

        games = self.config.stash[_RUN].play(self.ruleset, self.cases)
        if any(found.result.status in FAILING for found in games.divergences):
            raise FuzzFailureError(games)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return the findings instead of a traceback."""
        if not isinstance(excinfo.value, FuzzFailureError):
            return super().repr_failure(excinfo, style)
        failure = partial(self.config.stash[_RUN].failure, self.ruleset)
        return "\n".join(f"{failure(found.result)}\n" for found in excinfo.value.games.divergences)

    def reportinfo(self) -> tuple[Any, int | None, str]:
        """Return where the cases are, and the headline of a failure."""
        return self.path, None, f"random games of {self.ruleset.id}"
