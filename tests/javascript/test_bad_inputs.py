"""What no interpreter reads: the reference and the one in JavaScript refuse the same texts, rules and messages."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import damspec
from damspec import DamspecError, data
from damspec_runner.document.rulebook import languages
from damspec_runner.engines.serve import respond
from javascript import FOLDER, Interpreter
from runner_fixtures import node

BAD: dict[str, Any] = data.load_yaml(Path(__file__).parents[1] / "data" / "bad_inputs.yaml")


@pytest.mark.parametrize("entry", BAD["positions"], ids=lambda entry: entry["ruleset"])
def test_positions_that_no_game_has(entry: Mapping[str, Any], javascript: Interpreter) -> None:
    ruleset = damspec.load_ruleset(entry["ruleset"])
    javascript.plays(ruleset.whole)
    for text in entry["texts"]:
        with pytest.raises(DamspecError):
            ruleset.position(text)
        _has_texts(javascript.ask(fen=text))


@pytest.mark.parametrize("entry", BAD["moves"], ids=lambda entry: entry["ruleset"])
def test_texts_that_are_no_legal_move(entry: Mapping[str, Any], javascript: Interpreter) -> None:
    ruleset = damspec.load_ruleset(entry["ruleset"])
    javascript.plays(ruleset.whole)
    for text in entry["texts"]:
        with pytest.raises(DamspecError):
            damspec.play(ruleset, entry["position"], text)
        _has_texts(javascript.ask(fen=entry["position"], find=text or " "))


def _has_texts(answer: Mapping[str, Any]) -> None:
    """Fail unless an answer is an error with the values that its text on the site names."""
    assert answer["error"]
    text = languages()[0].content["errors"][answer["key"]]
    assert {*re.findall(r"\{(\w+)\}", text)} <= answer["values"].keys(), answer


@pytest.mark.parametrize("entry", BAD["rules"], ids=lambda entry: entry["ruleset"])
def test_rules_that_make_no_game(entry: Mapping[str, Any], javascript: Interpreter) -> None:
    values = damspec.load_ruleset(entry["ruleset"]).whole
    for change in entry["changes"]:
        changed = {rule: value for rule, value in {**values, **change}.items() if value != "_"}
        with pytest.raises(DamspecError):
            damspec.from_values(changed)
        assert javascript.ask(rules=changed)["problems"], change


@pytest.mark.parametrize("code", BAD["messages"])
def test_messages_that_are_no_question(code: str) -> None:
    lines = BAD["messages"][code]
    for line in lines:
        assert respond(line)[0]["error"]["code"] == int(code), line
    engine = [node(), str(FOLDER / "engine.js")]
    ended = subprocess.run(
        engine, input="\n".join(lines), capture_output=True, encoding="utf-8", timeout=60, check=True
    )
    answers = [json.loads(answer)["error"]["code"] for answer in ended.stdout.splitlines()]
    assert answers == [int(code)] * len(lines)


def test_a_small_k_is_a_column(javascript: Interpreter) -> None:
    """On twelve columns k3 is the sixth and last dark square of the tenth row from the top: 60."""
    ruleset = damspec.load_ruleset("canadian")
    javascript.plays(ruleset.whole)
    assert ruleset.position("W:Wk3:Ba5").fen() == "W:W60:B43"
    ways = javascript.ask(fen="W:Wk3:Ba5")["moves"]
    assert {way["path"][0] for way in ways} == {60}
    assert {way["after"] for way in javascript.ask(fen="W:WKk3:B7")["moves"]} >= {"B:WK54:B7", "B:WK66:B7"}


def test_a_number_without_a_fraction_is_an_integer_to_both(javascript: Interpreter) -> None:
    """As JSON Schema has it; JavaScript knows no other numbers."""
    values = {**damspec.load_ruleset("lb").whole, "start.men": 2.0, "promotion.rows": 1.0}
    javascript.plays(values)
    men = ["W:W25,26,27,28,29,30,31,32", "B1,2,3,4,5,6,7,8"]
    assert damspec.from_values(values).position().fen() == ":".join(["B", *men]).replace("W:W", "W")
    assert len(javascript.ask(fen="start")["moves"]) == len(damspec.legal_moves(damspec.from_values(values), "start"))


def test_a_position_of_a_lapse_has_stood_though_it_was_taken_back(javascript: Interpreter) -> None:
    """White could take 18 each time; the lapse 32-28 comes back as often as Black's king goes to and fro."""
    values = {**damspec.load_ruleset("de").whole, "draws.repetition": 2, "huff.retracted": "turn-lost"}
    javascript.plays(values)
    played = ["32-28", "retract", "1-5", "32-28", "retract", "5-1"]
    for moves, reason in ((played[:4], None), (played, "repetition"), ([*played, "32-28"], "repetition")):
        outcome = damspec.outcome(damspec.from_values(values), "W:W22,25,32:BK1,18", moves)
        assert outcome.reason == reason, moves
        assert javascript.ask(fen="W:W22,25,32:BK1,18", played=moves)["reason"] == reason, moves


def test_the_main_road_is_both_diagonals_where_both_are_played_on(javascript: Interpreter) -> None:
    """On a board of 64 squares the king goes from 10, on the diagonal of 1, to 15, on that of 8."""
    values = {**damspec.load_ruleset("turkish").whole, "draws.main-road": {"KKvK": 1}}
    javascript.plays(values)
    played = ["62-61", "10-15"]
    assert damspec.outcome(damspec.from_values(values), "W:WK62,K63:BK10", played).reason == "main-road"
    assert javascript.ask(fen="W:WK62,K63:BK10", played=played)["reason"] == "main-road"
