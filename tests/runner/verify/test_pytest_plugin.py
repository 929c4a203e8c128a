"""The pytest plugin: each case a test with its id, failures one can read, one engine, and nothing where not asked."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import damspec
from damspec_runner.cases.cases import cases_for
from runner_fixtures import all_gone, fake

pytest_plugins = ["pytester"]

#: The plugin by its module, whether or not this installation has its entry point.
LOADED = (
    "-p",
    "no:damspec",
    "-p",
    "no:hypothesispytest",
    "-p",
    "no:cacheprovider",
    "-p",
    "damspec_runner.verify.pytest_plugin",
)
RIGHT = " ".join(fake("right"))
ONE = "vl.multi-jump.second-jump-back"
Run = Callable[..., pytest.RunResult]


def engine(*words: str) -> str:
    """A fake engine as the option has it."""
    return f"--damspec-engine={' '.join(fake(*words))}"


@pytest.fixture
def run(pytester: pytest.Pytester, tmp_path: Path) -> Run:
    """Run pytest with the plugin in a folder with one test of its own, in this process; no engine is left behind."""
    pytester.makepyfile(test_own="def test_own(): pass")

    def go(*words: str) -> pytest.RunResult:
        with all_gone(tmp_path):
            return pytester.runpytest_inprocess(*LOADED, *words)

    return go


def test_each_case_is_a_test(run: Run) -> None:
    cases = cases_for(damspec.load_ruleset("vl"))
    result = run("--damspec-engine", RIGHT, "--damspec-ruleset=vl", "-v")
    result.assert_outcomes(passed=len(cases) + 1)
    assert result.ret == 0
    out = result.stdout.str()
    assert f"collected {len(cases) + 1} items" in out
    assert [case.id for case in cases if f"damspec:vl::{case.id} PASSED" not in out] == []


def test_cases_of_ones_own_file(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(
        """ruleset: vl
cases:
  - id: vl.man-move.mine
    why: One step to go.
    clauses: [vl-005]
    position: 'W:W13:B4'
    moves: {13-9: 'B:W9:B4'}
  - {id: vl.ending.mine, why: It is over., clauses: [vl-033], position: 'W:W13:B', outcome: {result: white}}
""",
        encoding="utf-8",
    )
    result = run("--damspec-engine", RIGHT, "--damspec-ruleset=vl", f"--damspec-cases={file}", "-v")
    result.assert_outcomes(passed=3)
    result.stdout.fnmatch_lines(["damspec:vl::vl.man-move.mine PASSED*", "damspec:vl::vl.ending.mine PASSED*"])
    result = run("--damspec-engine", RIGHT, "--damspec-ruleset=lb", f"--damspec-cases={file}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*damspec: --damspec-cases: found no case for lb"])
    result = run("--damspec-engine", RIGHT, "--damspec-ruleset=vl", "--damspec-cases=/nonexistent/x.yaml")
    result.stderr.fnmatch_lines(["*damspec: /nonexistent/x.yaml: cannot be read: No such file or directory"])


def test_a_ruleset_of_ones_own_file(run: Run, tmp_path: Path) -> None:
    """What a king lands on is asked by the rules of the file, under ids that say so."""
    file = tmp_path / "my.yaml"
    file.write_text(
        "{damspec: 1, id: my, name: Mine, about: Mine., extends: vl, rules: {king.capture.landing: {value: behind}}}",
        encoding="utf-8",
    )
    result = run("--damspec-engine", RIGHT, f"--damspec-ruleset={file}", "-k", "lands-anywhere-behind", "-v")
    result.assert_outcomes(passed=2, deselected=len(cases_for(damspec.load_ruleset_file(str(file)))) - 1)
    result.stdout.fnmatch_lines(["damspec:my::vl.king-capture.lands-anywhere-behind@my PASSED*"])


def test_several_rulesets_and_some_of_their_cases(run: Run) -> None:
    words = ("--damspec-engine", RIGHT, "--damspec-ruleset=vl", "--damspec-ruleset=lb?origin=occupied")
    result = run(*words, "-k", "king-move", "-v")
    chosen = [case for id in ("vl", "lb?origin=occupied") for case in cases_for(damspec.load_ruleset(id))]
    number = sum("king-move" in case.id for case in chosen)
    result.assert_outcomes(passed=number, deselected=len(chosen) - number + 1)
    assert "damspec:lb?origin=occupied::lb.king-move." in result.stdout.str()


def test_a_failure_can_be_read(run: Run) -> None:
    result = run(engine("wrong-moves"), "--damspec-ruleset=vl", "-k", ONE)
    result.assert_outcomes(failed=1, deselected=len(cases_for(damspec.load_ruleset("vl"))))
    assert result.ret == 1
    out = result.stdout.str()
    result.stdout.fnmatch_lines(
        [
            f"*_ case {ONE} _*",
            "*",
            "vl-013: *",
            "*White to move",
            "W:W30:B4,26,27",
            "missing: 30x23x32 (legal, not listed)",
            f"FAILED damspec:vl::{ONE}*",
        ]
    )
    assert "Traceback" not in out
    assert "pytest_plugin.py" not in out


def test_the_failures_are_explained_after_the_tests(run: Run) -> None:
    result = run(engine("wrong-start"), "--damspec-ruleset=vl", "-k", "vl.start")
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        ["*= explanation by damspec =*", "plays vl, but as if *", "FAILED damspec:vl::vl.start.*"]
    )
    assert "explanation by damspec" not in run(engine("right"), "--damspec-ruleset=vl", "-k", "vl.start").stdout.str()


def test_positions_and_outcomes_that_are_wrong(run: Run) -> None:
    out = run(engine("wrong-successors"), "--damspec-ruleset=vl", "-k", ONE).stdout
    out.fnmatch_lines(["after 30x23x32: expected B:W32:B4, got *"])
    out = run(engine("wrong-outcomes"), "--damspec-ruleset=vl", "-k", "vl.ending").stdout
    out.fnmatch_lines(["outcome: expected *, got draw"])


def test_an_engine_that_dies_fails_its_cases(run: Run) -> None:
    result = run(engine("dying-later"), "--damspec-ruleset=lb", "-x", "-k", "lb.king-move")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["engine ended while asked moves, exit status 7*"])


def test_unsupported_is_skipped(run: Run) -> None:
    result = run(engine("unsupported-kings"), "--damspec-ruleset=vl", "-k", "vl.king-move", "-rs")
    assert result.ret == 0
    assert result.parseoutcomes()["skipped"] > 1
    result.stdout.fnmatch_lines(["SKIPPED *unsupported: no kings here"])


def test_another_reading_is_skipped_with_its_reason(run: Run) -> None:
    case = next(case for case in cases_for(damspec.load_ruleset("vl")) if "binds=piece" in case.otherwise)
    result = run(engine("reading", "?binds=piece"), "--damspec-ruleset=vl", "-rs", "-k", case.id)
    result.assert_outcomes(skipped=1, deselected=len(cases_for(damspec.load_ruleset("vl"))))
    result.stdout.fnmatch_lines(["SKIPPED *right under the reading *=*"])


BAD = {
    # what is given, and pieces of the one line that is said
    ("--damspec-engine=/nonexistent/engine", "--damspec-ruleset=vl"): "cannot start '/nonexistent/engine'",
    ("--damspec-engine=x", "--damspec-ruleset=vll"): "unknown ruleset 'vll'; did you mean 'vl'?",
    ("--damspec-engine=x",): "no ruleset: give --damspec-ruleset RULESET",
    ("--damspec-engine=", "--damspec-ruleset=vl"): "--damspec-engine is empty",
    ("--damspec-engine='x", "--damspec-ruleset=vl"): "No closing quotation",
    ("--damspec-engine=x", "--damspec-ruleset=vl", "--damspec-timeout=0"): "expected more than 0 seconds",
    ("--damspec-engine=x", "--damspec-ruleset=vl", "--damspec-games=-1"): "--damspec-games: expected 0 or more",
    ("--damspec-engine=x", "--damspec-ruleset=vl?binds=piece&completion=may-stop"): "one other reading at a time",
}


@pytest.mark.parametrize("words", BAD, ids=" ".join)
def test_what_cannot_be_run_is_told_in_one_line(words: tuple[str, ...], run: Run) -> None:
    result = run(*words)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    lines = [line for line in result.stderr.lines if line]
    assert len(lines) == 1
    assert lines[0].startswith("ERROR: damspec: ")
    assert BAD[words] in lines[0]


def test_an_engine_that_answers_nothing_is_told_once(run: Run) -> None:
    result = run(engine("dying"), "--damspec-ruleset=vl")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "ended while asked" in result.stderr.str()


def test_nothing_without_an_engine(run: Run) -> None:
    run().assert_outcomes(passed=1)
    run("--damspec-ruleset=vl").assert_outcomes(passed=1)


def test_listing_starts_no_engine(run: Run) -> None:
    result = run("--damspec-engine=/nonexistent/engine", "--damspec-ruleset=vl", "--collect-only", "-q")
    assert result.ret == 0
    result.stdout.fnmatch_lines([f"damspec:vl::{ONE}"])


@pytest.mark.thorough
def test_with_several_workers(pytester: pytest.Pytester, tmp_path: Path) -> None:
    pytest.importorskip("xdist")
    with all_gone(tmp_path) as pids:
        words = (*LOADED, "-n", "2", engine("wrong-moves"), "--damspec-ruleset=vl", "-k", f"{ONE} or vl.ending")
        result = pytester.runpytest_subprocess(*words)
        ends = [case for case in cases_for(damspec.load_ruleset("vl")) if case.id.startswith("vl.ending.")]
        right = len([case for case in ends if case.question == "outcome"])
        result.assert_outcomes(passed=right, failed=1 + len(ends) - right)
        result.stdout.fnmatch_lines(["missing: 30x23x32 (legal, not listed)", "*= explanation by damspec =*"])
        # One to see whether it runs at all, one for each worker, and those that are asked for the explanation.
        assert len(set(pids.read_text().split())) > 3


def test_one_engine_for_all(run: Run, tmp_path: Path) -> None:
    assert run(engine("right"), "--damspec-ruleset=vl", "--damspec-ruleset=lb", "-k", "ending").ret == 0
    assert len((tmp_path / "pids").read_text().split()) == 1


def test_importing_it_loads_nothing() -> None:
    program = (
        "import sys, pytest, damspec_runner.verify.pytest_plugin;"
        "print(sorted(m for m in sys.modules if m.startswith('damspec') or m in ('yaml', 'jsonschema', 'rich')))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.strip() == "['damspec_runner', 'damspec_runner.verify', 'damspec_runner.verify.pytest_plugin']"


def test_random_games_are_one_test_more(run: Run) -> None:
    words = ("--damspec-ruleset=english", "--damspec-games=2", "-k", "games", "-v")
    result = run("--damspec-engine", RIGHT, *words)
    result.assert_outcomes(passed=1, deselected=len(cases_for(damspec.load_ruleset("english"))) + 1)
    result.stdout.fnmatch_lines(["damspec:english::games PASSED*"])


def test_what_comes_up_in_games_can_be_read(run: Run) -> None:
    words = ("--damspec-ruleset=english", "--damspec-games=2", "-k", "games")
    result = run(engine("wrong-successors"), *words)
    result.assert_outcomes(failed=1, deselected=len(cases_for(damspec.load_ruleset("english"))) + 1)
    result.stdout.fnmatch_lines(
        ["*random games of english*", "*Came up in game [0-9]* of seed*", "after *: expected *"]
    )


def test_an_engine_in_plain_lines(run: Run) -> None:
    """Asked in lines it passes; asked in JSON it has no answer."""
    command = f"--damspec-engine={sys.executable} -m damspec_runner serve --lines"
    words = ("--damspec-ruleset=lb", "-k", "man-capture")
    chosen = [case for case in cases_for(damspec.load_ruleset("lb")) if "man-capture" in case.id]
    result = run(command, *words, "--damspec-lines")
    assert result.ret == 0
    assert result.parseoutcomes()["passed"] == len(chosen)
    refused = run(command, *words)
    assert refused.ret == pytest.ExitCode.USAGE_ERROR
