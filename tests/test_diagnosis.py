"""Diagnosis: an engine with a hidden change of rules is named, whichever rule it is."""

from __future__ import annotations

import json
import random
from collections import deque
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, cast

import pytest

import damspec
from damspec import Ruleset, data
from damspec_runner.adequacy import equivalents
from damspec_runner.cases import cases_for
from damspec_runner.check import Report, check
from damspec_runner.cli import damspec as command
from damspec_runner.diagnosis import Diagnosis, diagnose, observations, telling
from damspec_runner.engine import Engine
from damspec_runner.judge import Player
from damspec_runner.mutants import Mutant, pairs, single
from damspec_runner.probe import probe
from damspec_runner.protocol import EngineError, Hello

RULESETS = damspec.ruleset_ids()


class Hidden:
    """The reference playing other rules than it is asked for, in the shape of an engine process."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.noise: deque[str] = deque()

    def hello(self) -> Hello:
        return Hello("hidden", "1", None, frozenset({"moves", "play", "outcome"}), False)

    def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        try:
            return self._answer(method, params)
        except damspec.DamspecError as error:
            raise EngineError("refused", f"answered {method} with error -32602: {error}") from None

    def _answer(self, method: str, params: Mapping[str, Any]) -> Any:
        player = Player(self.rules)
        position = player.read(params["position"])
        legal = damspec.legal_moves(self.rules, position)
        match method:
            case "moves":
                return {"moves": [str(move) for move in legal], "lapses": [str(move) for move in legal.lapses]}
            case "play":
                return {"position": damspec.play(self.rules, position, params["move"]).fen()}
            case _:
                return {"outcome": damspec.outcome(self.rules, position).result}

    def close(self) -> None:
        pass


def run(rules: Ruleset, hidden: Ruleset) -> Report:
    return check(rules, cases_for(rules), lambda: cast(Engine, Hidden(hidden)), label="hidden")


def diagnosis_of(rules: Ruleset, hidden: Ruleset) -> Diagnosis:
    report = run(rules, hidden)
    failed = [result.case.id for result in report.results if result.status in ("failed", "reading")]
    return diagnose(rules, observations(rules, report), failed)


def named_right(rules: Ruleset, mutant: Mutant) -> str | None:
    """Why a hidden change is not named right; None if it is, alone or beside changes that nothing tells from it."""
    found = diagnosis_of(rules, mutant.ruleset)
    names = [name for explanation in found.complete for name in explanation.hypothesis.names]
    if mutant.name not in names:
        return f"{rules.id}: {mutant.name}: named {names or found.lines()}"
    if len(found.complete) > 1:
        probed = probe(cast(Engine, Hidden(mutant.ruleset)), rules, Hidden(mutant.ruleset).hello(), found.complete)
        names = [name for explanation in probed.left for name in explanation.hypothesis.names]
        players = [Player(explanation.hypothesis.rules) for explanation in probed.left]
        if mutant.name not in names or (len(players) > 1 and telling(players, rules, seed=999)):
            return f"{rules.id}: {mutant.name}: after probing {names}"
    return None


@cache
def mutants(name: str) -> list[Mutant]:
    """Every change that shows, but for those of the board: by other square numbers most answers are noise."""
    found = single(damspec.ruleset(name))
    return [
        mutant
        for mutant in found
        if not mutant.rules_changed[0].startswith("board.") and (name, mutant.name) not in equivalents()
    ]


@pytest.mark.parametrize("name", ["lb", "vl", "de", "russian", "nl-trapdoor", "fr-trapdoor-dual"])
def test_some_hidden_changes_are_named(name: str) -> None:
    chosen = random.Random(name).sample(mutants(name), 2)
    assert [wrong for mutant in chosen if (wrong := named_right(damspec.ruleset(name), mutant))] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", RULESETS)
def test_every_hidden_change_is_named(name: str) -> None:
    rules = damspec.ruleset(name)
    assert [wrong for mutant in mutants(name) if (wrong := named_right(rules, mutant))] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ["lb", "vl", "de", "international", "nl-trapdoor"])
def test_pairs_of_changes_are_named(name: str) -> None:
    rules = damspec.ruleset(name)
    chosen = random.Random(name).sample(list(pairs(rules)), 40)
    wrong = [why for mutant in chosen if (why := named_right(rules, mutant))]
    assert len(wrong) <= 2, wrong


def test_another_ruleset_is_named() -> None:
    found = diagnosis_of(damspec.ruleset("vl"), damspec.ruleset("brazilian"))
    assert [explanation.hypothesis.names for explanation in found.complete] == [("brazilian",)]
    assert found.lines()[0].startswith("plays brazilian in the place of vl (explains ")


def test_a_reading_and_the_change_it_makes_are_one_explanation() -> None:
    found = diagnosis_of(damspec.ruleset("lb"), damspec.ruleset("lb?origin=occupied"))
    (explanation,) = found.complete
    assert explanation.hypothesis.names == ("capture.origin = occupied", "the reading origin=occupied")
    assert not explanation.contradicts
    assert len(explanation.explains) == found.failures > 0


def test_a_right_engine_has_no_diagnosis() -> None:
    found = diagnosis_of(damspec.ruleset("lb"), damspec.ruleset("lb"))
    assert (found.failures, found.complete, found.lines()) == (0, (), [])


def test_what_no_rules_explain_is_said() -> None:
    rules = damspec.ruleset("lb")

    class Forgetful(Hidden):
        def ask(self, method: str, params: Mapping[str, Any]) -> Any:
            answer = super().ask(method, params)
            return {"moves": answer["moves"][:1]} if method == "moves" else answer

    report = check(rules, cases_for(rules), lambda: cast(Engine, Forgetful(rules)), label="forgetful")
    failed = [result.case.id for result in report.results if result.status == "failed"]
    found = diagnose(rules, observations(rules, report), failed)
    assert not found.complete
    assert set(found.unexplained) <= set(failed)
    assert found.lines()[-1].startswith("unexplained: ")


def test_probing_leaves_the_right_one() -> None:
    rules = damspec.ruleset("lb")
    wanted = [mutant for mutant in mutants("lb") if mutant.rules_changed == ("capture.choice",)]
    for mutant in wanted:
        assert named_right(rules, mutant) is None


def test_a_saved_report_is_explained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from damspec_runner import report as reports

    rules = damspec.ruleset("lb")
    saved = tmp_path / "report.json"
    content = reports.as_json([run(rules, damspec.ruleset("lb?origin=occupied"))], [None], [None])
    assert data.problem(content, "report") is None
    saved.write_text(json.dumps(content))
    with pytest.raises(SystemExit) as ended:
        command(["diagnose", str(saved), "--json"], standalone_mode=False)
    assert ended.value.code == 0
    printed = json.loads(capsys.readouterr().out)
    assert data.problem(printed, "diagnoses") is None
    assert printed["diagnoses"][0]["complete"][0]["names"][0] == "capture.origin = occupied"


@pytest.mark.parametrize(
    ("text", "said"),
    [("{", "not JSON"), ('{"damspec": "1"}', "missing"), (None, "cannot read")],
)
def test_a_bad_report_is_one_line(tmp_path: Path, text: str | None, said: str) -> None:
    saved = tmp_path / "report.json"
    if text is not None:
        saved.write_text(text)
    with pytest.raises(Exception, match=said) as error:
        command(["diagnose", str(saved)], standalone_mode=False)
    assert "\n" not in str(error.value)
