"""The run of an engine in pytest, and its tests; `pytest_plugin` imports this only where an engine is given."""

from __future__ import annotations

import json
import math
import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from damspec import Ruleset
from damspec.ruleset import load_source

from ..cases.case_files import read_case_files
from ..cases.cases import Case, cases_for, for_ruleset
from ..engines.process import SubprocessEngine
from ..engines.protocol import EngineError
from .ask import ask, smoke
from .capabilities import CapabilityAdapter
from .explain.diagnosis import explain
from .games import FuzzConfig, fuzz, game_origins
from .report import render
from .report.documents import failure_text
from .report.serialize import read_reports
from .result import FAILING, Report, Result


class PluginRun:
    """The options of a run, and its engine: one process for all tests of this process."""

    def __init__(self, config: pytest.Config) -> None:
        option = config.getoption
        files = [Path(file) for file in option("--damspec-cases")]
        try:
            command = shlex.split(option("--damspec-engine"))
            rulesets = [load_source(id) for id in option("--damspec-ruleset")]
            found = read_case_files(files)
            self.cases: dict[Ruleset, list[Case]] = {
                ruleset: for_ruleset(found, ruleset) if files else cases_for(ruleset) for ruleset in rulesets
            }
        except ValueError as error:  # damspec's own errors among them
            raise pytest.UsageError(f"damspec: {error}") from None
        self.games: int = option("--damspec-games")
        self._seed: int = option("--damspec-seed")
        timeout: float = option("--damspec-timeout")
        without = [ruleset.id for ruleset, cases in self.cases.items() if not cases]
        problems = {
            "--damspec-engine is empty": not command,
            "no ruleset: give --damspec-ruleset RULESET": not self.cases,
            "--damspec-timeout: expected more than 0 seconds, and an end": not 0 < timeout < math.inf,
            f"--damspec-cases: found no case for {', '.join(without[:1])}": bool(without),
            "--damspec-games: expected 0 or more": self.games < 0,
        }
        if problem := next((text for text, is_one in problems.items() if is_one), None):
            raise pytest.UsageError(f"damspec: {problem}")
        self._start = partial(SubprocessEngine, command, timeout=timeout, lines=option("--damspec-lines"))
        self.engine = self._start()
        #: The engine adapted to a ruleset.
        self._adapter = cache(partial(CapabilityAdapter, self.engine))
        #: What was found so far.
        self.reports: dict[Ruleset, Report] = {}

    def start(self) -> None:
        """Start the engine. Raises UsageError if it cannot be run or does not play the rulesets."""
        label = shlex.join(self.engine.command)
        try:
            for ruleset in self.cases:
                hello = smoke(self._adapter(ruleset), ruleset)
                self.reports[ruleset] = Report(ruleset, label, hello, ())
        except EngineError as error:
            self.engine.close()
            raise pytest.UsageError(f"damspec: engine {label!r}: {error}") from None

    def collectors(self, session: pytest.Session) -> Iterator[RulesetTests]:
        """Yield the tests of each ruleset."""
        for ruleset in self.cases:
            name = f"damspec:{ruleset.id}"
            yield RulesetTests.from_parent(session, name=name, nodeid=name, run=self, ruleset=ruleset)

    def ask(self, ruleset: Ruleset, case: Case) -> list[Result]:
        """Return the engine's result in a case."""
        report = self.reports[ruleset]
        result = ask(self._adapter(ruleset), ruleset, report.hello, case)
        self.reports[ruleset] = replace(report, results=(*report.results, result))
        return [result]

    def play(self, ruleset: Ruleset) -> list[Result]:
        """Return what fails in random games of the engine."""
        origins = game_origins(ruleset, self.cases[ruleset])
        scope, report = FuzzConfig(games=self.games, seed=self._seed), self.reports[ruleset]
        games = fuzz(ruleset, partial(self._another, ruleset), report.hello, scope, origins)
        self.reports[ruleset] = replace(report, games=games)
        results = [found.result for found in games.divergences]
        return results if any(result.status in FAILING for result in results) else []

    def explain(self) -> Iterator[str]:
        """Yield the explanations of what failed, a line each."""
        for ruleset, report in self.reports.items():
            if ruleset.id == ruleset.base and not report.clean():
                try:
                    yield from explain(report, partial(self._another, ruleset)).lines()
                except Exception as error:  # the engine's, or a fault of damspec's own: the tests stand
                    yield f"{ruleset.id}: explaining failed ({type(error).__name__}: {error})"

    def saved(self) -> str:
        """Return what was found as text."""
        return render([*self.reports.values()], "json")

    def add_saved(self, text: str) -> None:
        """Add what another process found, in which the same cases were collected."""
        for ruleset, report in zip(self.reports, read_reports(json.loads(text), "pytest-xdist"), strict=True):
            known, cases = self.reports[ruleset], {case.id: case for case in self.cases[ruleset]}
            results = [result.with_case(cases[result.case.id]) for result in report.results]
            games = report.games or known.games
            self.reports[ruleset] = replace(known, results=(*known.results, *results), games=games)

    def _another(self, ruleset: Ruleset) -> CapabilityAdapter:
        """Return the engine as a process of its own, not started yet."""
        return CapabilityAdapter(self._start(), ruleset)


class RulesetTests(pytest.Collector):
    """The cases of a ruleset as tests, and random games as one more."""

    def __init__(self, run: PluginRun, ruleset: Ruleset, **keywords: Any) -> None:
        super().__init__(**keywords)
        self.run, self.ruleset = run, ruleset

    def collect(self) -> Iterator[pytest.Item]:
        """Yield the tests."""
        run, ruleset = self.run, self.ruleset
        for case in run.cases[ruleset]:
            title = f"case {case.id}"
            yield EngineTest.from_parent(
                self, name=case.id, ask=partial(run.ask, ruleset, case), file=case.file, title=title
            )
        if run.games:
            title = f"random games of {ruleset.id}"
            yield EngineTest.from_parent(
                self, name="games", ask=partial(run.play, ruleset), file=self.path, title=title
            )


class WrongAnswersError(Exception):
    """Wrong answers of an engine, in lines: the cases, their clauses, their boards, what is wrong."""


class EngineTest(pytest.Item):
    """A case, or random games, as a test: `ask` returns the results."""

    parent: RulesetTests

    def __init__(self, ask: Callable[[], Sequence[Result]], file: Any, title: str, **keywords: Any) -> None:
        super().__init__(**keywords)
        self._ask, self._file, self._title = ask, file, title

    def runtest(self) -> None:
        """Ask the engine."""
        results = self._ask()
        match [(result.status, result) for result in results]:
            case [("unsupported", result)]:
                pytest.skip(f"unsupported: {result.message}")
            case [("reading", result)]:
                pytest.skip(f"right under the reading {result.reading}")
            case [("passed", _)] | []:
                return
        report = self.parent.run.reports[self.parent.ruleset]
        raise WrongAnswersError("\n\n".join(failure_text(report, result) for result in results))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return the board and the faults instead of a traceback."""
        if isinstance(excinfo.value, WrongAnswersError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Any, int | None, str]:
        """Return where the test is from, and the headline of a failure."""
        return self._file, None, self._title
