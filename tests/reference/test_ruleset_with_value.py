"""`Ruleset.with_value`: one rule changed, what depends on it settled, and what contradicts refused in one line."""

from __future__ import annotations

from typing import Any

import pytest

import damspec
from refusals import refusal

VL = damspec.load_ruleset("vl")
NL = damspec.load_ruleset("nl-trapdoor")


def test_one_rule_is_changed_and_no_other() -> None:
    slow = VL.with_value("king.move.reach", 1)
    assert slow.values == {**VL.values, "king.move.reach": 1}
    assert slow.id == "vl with king.move.reach = 1"
    assert slow.rules.king.move_reach == 1
    # One step from 30 leads to 25 and 26.
    assert [str(move) for move in damspec.legal_moves(slow, "W:WK30:B1")] == ["30-25", "30-26"]


def test_words_are_written_out() -> None:
    back = VL.with_value("man.move.directions", ["backward-diagonals"])
    assert back.values["man.move.directions"] == ("backward-left", "backward-right")
    assert back.id == "vl with man.move.directions = [backward-diagonals]"


def test_it_rests_on_nothing_and_is_none_of_those_shipped() -> None:
    changed = VL.with_value("start.first", "black")
    assert not changed.shipped
    assert (changed.documents, changed.readings, set(changed.rests_on.values())) == ((), (), {()})


def test_changes_can_follow_one_another() -> None:
    """Without criteria nothing is left to bind; with one again it is said anew, as a file need not."""
    free = VL.with_value("capture.choice", [])
    assert "capture.binds" not in free.values
    again = free.with_value("capture.choice", ["most-pieces"])
    assert again.values == VL.values


def test_an_optional_rule_is_taken_away() -> None:
    lb = damspec.load_ruleset("international").with_value("capture.king-weight", 1.5)
    assert lb.with_value("capture.king-weight", None).values == damspec.load_ruleset("international").values


def test_a_layout_is_given_by_its_content() -> None:
    layout = NL.rules.trapdoors.layout if NL.rules.trapdoors else None
    assert layout
    first, *others = layout.content()["sliders"]
    moved = {**layout.content(), "sliders": [{**first, "left": first["right"], "right": first["left"]}, *others]}
    changed = NL.with_value("trapdoors.layout", moved)
    assert changed.rules.trapdoors
    assert changed.rules.trapdoors.layout.sliders[0].left == first["right"]


REFUSED: list[tuple[damspec.Ruleset, str, Any, str]] = [
    (VL, "king.move.reac", 1, "vl: no rule 'king.move.reac'; did you mean 'king.move.reach'?"),
    (VL, "king.move.reach", 7, 'vl with king.move.reach = 7: found 7, expected one of 1, 2, "any"'),
    (VL, "man.move.reach", None, "vl with man.move.reach = null: missing, expected always"),
    (
        VL,
        "huff.turn",
        "kept",
        "vl with huff.turn = kept: found \"kept\", expected exactly if capture.duty is 'huffing'",
    ),
    (
        VL,
        "capture.duty",
        "huffing",
        "vl with capture.duty = huffing: huff.offence: missing, expected exactly if capture.duty is 'huffing'",
    ),
    (
        VL,
        "king.move.directions",
        ["diagonals", "forward-left"],
        "vl with king.move.directions = [diagonals, forward-left]: king.move.directions: found 'forward-left' beside"
        " 'diagonals', and both name 'forward-left'",
    ),
    (
        NL,
        "capture.duty",
        "optional",
        "nl-trapdoor with capture.duty = optional: found 'optional' with a spinner, which a capture has to come before",
    ),
    (
        NL,
        "spin.outcomes",
        {"disc": "move"},
        'nl-trapdoor with spin.outcomes = {"disc": "move"}: disc: found "move", expected one of "piece",'
        ' "green-slider", "orange-slider", "any-slider"',
    ),
    (NL, "trapdoors.layout", "nope", "trapdoors.layout: unknown layout 'nope'; there is goliath-assumed"),
]


@pytest.mark.parametrize(("ruleset", "rule", "value", "message"), REFUSED)
def test_what_is_refused(ruleset: damspec.Ruleset, rule: str, value: object, message: str) -> None:
    assert refusal(damspec.RulesetError, ruleset.with_value, rule, value) == message
