"""The third-party engines that damspec has an adapter for: each is installed, run for real and held to what is known
of it (`known/`). A thorough run asks each on the rulesets that the registry names for it, a slow one on all.

Without a registry or Node.js these tests are skipped, but in CI (`$CI`) they fail. An engine from Debian's sources is
skipped there too where it is not to be had: Debian keeps a source package as long as it releases it.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path

import pytest

import damspec
from damspec import data
from damspec_runner.cases.cases import cases_for
from damspec_runner.engines import known, registry
from damspec_runner.engines.process import SubprocessEngine
from damspec_runner.verify import baseline
from damspec_runner.verify.capabilities import CapabilityAdapter
from damspec_runner.verify.result import FAILING, Report
from damspec_runner.verify.run import RunConfig, check
from runner_fixtures import damspec as run_damspec
from runs import for_each

PLAYED = [(found.name, ruleset) for found in registry.adapters().values() for ruleset in found.plays]
MATRIX = known.read_matrix()
#: What a thorough run asks.
THOROUGH = {(found.name, ruleset) for found in registry.adapters().values() for ruleset in found.thorough}


def run_once(name: str, ruleset: str) -> list[pytest.MarkDecorator]:
    """All tests that look at an engine on a ruleset belong to one process of the tests, which runs it once."""
    seldom = pytest.mark.thorough if (name, ruleset) in THOROUGH else pytest.mark.slow
    return [pytest.mark.xdist_group(f"{name} {ruleset}"), seldom]


every_run = pytest.mark.parametrize(
    ("name", "ruleset"), [pytest.param(*each, marks=run_once(*each)) for each in PLAYED]
)


@contextmanager
def alone(file: Path) -> Iterator[None]:
    """Hold a lock that waits for other test processes and ends with this one: SQLite has it on every system."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(file, timeout=600, isolation_level=None)) as lock:
        lock.execute("BEGIN EXCLUSIVE")
        yield


@cache
def obstacle(name: str) -> str | None:
    """Why an engine cannot be run here, after trying to install it; None if it can."""
    found = registry.adapter(name)
    if found.registry == "npm" and shutil.which("node") is None:
        return f"{name} needs Node.js, which is not on the PATH"
    if found.registry == "debian" and shutil.which("apt-get") is None and not found.installed:
        return f"{name} is built from Debian's sources, and there is no apt-get"
    with alone(registry.home() / f"{name}.lock"):
        try:
            if not found.installed:
                registry.install(found, print)
        except registry.InstallError as error:
            return str(error)
    return None


@cache
def _checked(name: str, id: str) -> Report:
    command, environment = registry.named_command(name)
    ruleset = damspec.load_ruleset(id)
    return check(
        ruleset,
        cases_for(ruleset),
        lambda: CapabilityAdapter(
            SubprocessEngine(command, timeout=60, environment=environment, lines=registry.speaks_lines(name)), ruleset
        ),
        label=name,
        run_config=RunConfig(second_asks=0),
    )


def report(name: str, ruleset: str) -> Report:
    """A run of all cases of a ruleset, each asked once. Skips the test where the engine cannot be run."""
    need(name)
    return _checked(name, ruleset)


def need(name: str) -> None:
    """Skip or fail the test where the engine cannot be run."""
    reason = obstacle(name)
    if reason and os.environ.get("CI") and registry.adapter(name).registry != "debian":
        pytest.fail(reason)
    if reason:
        pytest.skip(f"{name} IS NOT CHECKED: {reason}")


@every_run
def test_engine_is_as_known(name: str, ruleset: str) -> None:
    assert baseline.unexpected_results(known.load(name, ruleset), report(name, ruleset)) == ()


@for_each(("name", "ruleset"), PLAYED)
def test_every_failure_is_explained(name: str, ruleset: str) -> None:
    found = known.load(name, ruleset)
    described = (found.engine, found.version, found.ruleset)
    assert described == (name, registry.adapter(name).version, ruleset)
    assert baseline.UNEXPLAINED not in found.causes
    assert {failure["cause"] for failure in found.failures.values()} == set(found.causes)
    assert set(found.failures) <= {case.id for case in cases_for(damspec.load_ruleset(ruleset))}


@every_run
def test_the_matrix_counts_what_comes_of_a_run(name: str, ruleset: str) -> None:
    (cell,) = (cell for cell in MATRIX.cells if (cell.engine, cell.ruleset) == (name, ruleset))
    found = report(name, ruleset)
    counts = (cell.passed, cell.reading, cell.unsupported, cell.failed)
    failing = len(found.with_status(*FAILING))
    assert counts == (*(found.counts[each] for each in ("passed", "reading", "unsupported")), failing)
    assert (cell.cases, cell.twice) == (len(found.results), found.duplicates)


CAUSES = [
    (name, ruleset, cause)
    for name, ruleset in PLAYED
    for cause in (known.load(name, ruleset).causes if known.path(name, ruleset).is_file() else ())
]


#: The last cause of each engine.
ONE_CAUSE = {name: (name, *rest) for name, *rest in CAUSES}.values()


@pytest.mark.parametrize(
    ("name", "ruleset", "cause"), [pytest.param(*each, marks=run_once(*each[:2])) for each in ONE_CAUSE]
)
def test_the_command_in_the_report_reproduces_the_bug(name: str, ruleset: str, cause: str) -> None:
    """The command that stands below the cause is run as it is: the case fails by it."""
    need(name)
    page = (data.root() / "known" / name / "REPORT.md").read_text(encoding="utf-8")
    part = page.partition(f"(`{ruleset}`)")[2].partition("\n## ")[0]
    below = part.partition(f"### {cause.replace('-', ' ').capitalize()}\n")[2].partition("\n### ")[0]
    (command,) = re.findall(r"^    damspec (check .*)$", below, re.MULTILINE)
    ran = run_damspec(*shlex.split(command), "--no-diagnose")
    id = command.partition("-k ")[2].split()[0]
    assert known.load(name, ruleset).failures[id]["cause"] == cause
    assert ran.status == 1
    assert re.search(f"^(FAILED|ERROR) {re.escape(id)}$", ran.out, re.MULTILINE)


def test_nothing_is_known_of_anything_else() -> None:
    files = {file.relative_to(data.root() / "known") for file in (data.root() / "known").rglob("*.yaml")}
    assert files == {Path(name, f"{ruleset}.yaml") for name, ruleset in PLAYED}
