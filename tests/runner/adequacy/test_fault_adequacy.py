"""The faults that are no rule, put to the cases: each is noticed by at least two, and the page says how many."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import damspec
from damspec import data
from damspec_runner.adequacy.measure import WANTED, VoidRunError, measure
from damspec_runner.answers.player import case_questions
from damspec_runner.cases.cases import cases_for
from damspec_runner.cli import damspec as command
from runs import usually

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "adequacy.md").read_text(encoding="utf-8")
RULESETS = damspec.ruleset_ids()


@pytest.mark.slow
@pytest.mark.parametrize("name", usually((), RULESETS, {"english"}))
def test_every_fault_is_killed(name: str) -> None:
    (found,) = measure([damspec.load_ruleset(name)], ["fault"])
    verdicts = found.verdicts
    assert [(verdict.mutant, verdict.killers) for verdict in verdicts if verdict.fate != "killed"] == []
    assert f"| {name} | {len(cases_for(damspec.load_ruleset(name)))} | {len(verdicts)} | {len(verdicts)} | " in PAGE


@pytest.mark.slow
def test_a_fault_is_not_killed_by_the_cases_that_do_not_show_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the cases of kings alone nothing shows that a list has room for ten moves only, nor for forty."""
    ruleset = damspec.load_ruleset("english")
    short = [case for case in cases_for(ruleset) if len(case.expected.moves or ()) <= 10]
    assert len(short) > 80
    monkeypatch.setattr("damspec_runner.adequacy.measure._questions_of", lambda _: case_questions(ruleset, short))
    (found,) = measure([ruleset], ["fault"])
    fates = {verdict.mutant: verdict.fate for verdict in found.verdicts}
    assert fates["lists at most 10 moves"] == fates["lists at most 40 moves"] == "survives"
    assert fates["lists at most 3 moves"] == "killed"


def test_a_run_without_its_controls_is_void(monkeypatch: pytest.MonkeyPatch) -> None:
    ruleset = damspec.load_ruleset("english")
    asked = case_questions(ruleset, cases_for(ruleset)[:1])
    monkeypatch.setattr("damspec_runner.adequacy.measure._questions_of", lambda _: asked)
    with pytest.raises(VoidRunError, match=f"killed by fewer than {WANTED} cases"):
        list(measure([ruleset], ["fault"]))


@pytest.mark.slow
def test_the_command() -> None:
    done = CliRunner().invoke(command, ["adequacy", "--faults", "english", "--json", "-j", "1"])
    assert done.exit_code == 0, done.output
    content = json.loads(done.output)
    assert data.schema_problem(content, "adequacy") is None
    entry = content["adequacy"][0]
    by_name = {fault["mutant"]: fault for fault in entry["mutants"]}
    assert entry["ruleset"] == "english"
    assert {fault["kind"] for fault in entry["mutants"]} == {"fault"}
    # one square of the last row: what steps there, and nothing else
    crowns = by_name["does not crown white men that move to 3"]["killers"]
    assert len(crowns) >= WANTED
    assert all(id.startswith("english.") for id in crowns)


@pytest.mark.slow
def test_the_command_tells_it_in_words() -> None:
    done = CliRunner().invoke(command, ["adequacy", "--faults", "english", "-j", "1"])
    assert done.exit_code == 0, done.output
    assert " faults: " in done.output
    assert done.output.endswith("0 left\n")


def test_one_measure_at_a_time() -> None:
    done = CliRunner().invoke(command, ["adequacy", "--faults", "--pairs", "english"])
    assert done.exit_code == 2
    assert "found several of --pairs, --faults, --perft and --baselines, expected one" in done.output
