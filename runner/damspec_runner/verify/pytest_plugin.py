"""A pytest plugin that makes each case a test of an engine, and random games one more:

    pytest --damspec-engine "./my-engine --protocol" --damspec-ruleset lb --damspec-ruleset vl --damspec-games 1000

Without these options it does nothing and loads nothing: where damspec is installed, every run of pytest imports it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from .pytest_run import PluginRun

_OPTIONS: dict[str, dict[str, Any]] = {
    "--damspec-engine": {"metavar": "CMD", "help": "the command of an engine to ask the cases"},
    "--damspec-lines": {
        "action": "store_true",
        "help": "the engine speaks plain lines of text (docs/lines.md), not JSON",
    },
    "--damspec-ruleset": {
        "action": "append",
        "default": [],
        "metavar": "RULESET",
        "help": "a ruleset whose cases become tests; repeatable",
    },
    "--damspec-cases": {
        "action": "append",
        "default": [],
        "metavar": "FILE",
        "help": "the cases in this file, folder or bundle in the place of those shipped; repeatable",
    },
    "--damspec-timeout": {
        "type": float,
        "default": 10.0,
        "metavar": "SECONDS",
        "help": "how long the engine may take for each question (default: 10)",
    },
    "--damspec-games": {
        "type": int,
        "default": 0,
        "metavar": "N",
        "help": "also play N random games of each ruleset and compare every position (default: 0)",
    },
    "--damspec-seed": {
        "type": int,
        "default": 0,
        "metavar": "SEED",
        "help": "the same seed gives the same games (default: 0)",
    },
}
_RUN: pytest.StashKey[PluginRun] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("damspec", "conformance of a draughts engine")
    for name, keywords in _OPTIONS.items():
        group.addoption(name, **keywords)


def pytest_configure(config: pytest.Config) -> None:
    """Read the options; a usage error if they make no sense."""
    if config.getoption("--damspec-engine") is not None:
        from .pytest_run import PluginRun

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
    for collector in run.collectors(session) if run else ():
        found = [*collector.collect()]
        session.ihook.pytest_collectreport(report=pytest.CollectReport(collector.nodeid, "passed", None, [*found]))
        items += found
