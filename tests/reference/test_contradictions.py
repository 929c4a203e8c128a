"""Rulesets that contradict themselves or rest on what is not there: one line names the rule and what goes with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruleset_files import Content, changed_key, complaint, load, value, values, with_from, without
from runs import for_each

MOST: Content = {"capture__choice": ["most-pieces"], "capture__binds": "path"}


@for_each(
    ("changed", "expected"),
    [
        (without("lb", "man.move.reach"), "rules.man.move.reach: missing, expected always"),
        (without("lb", "ending.draws"), "rules.ending.draws: missing, expected always"),
        (
            value("lb", "huff.turn", "kept"),
            "rules.huff.turn: found \"kept\", expected exactly if capture.duty is 'huffing'",
        ),
        (
            value("lb", "capture.duty", "huffing"),
            "rules.huff.offence: missing, expected exactly if capture.duty is 'huffing'",
        ),
        (
            values(
                "lb", capture__duty="huffing", huff__offence="no-capture", huff__piece="able", huff__turn="kept",
                huff__retracted="free",
            ),
            "rules.huff.remedies: missing, expected exactly if capture.duty is 'huffing'",
        ),
        (
            value("lb", "capture.binds", "path"),
            'rules.capture.binds: found "path", expected exactly if capture.choice is not empty',
        ),
        (
            value("lb", "capture.king-weight", 2),
            "rules.capture.king-weight: found 2, expected only if capture.choice has one of most-pieces, multiple-",
        ),
        (
            values("lb", **MOST | {"capture__choice": ["with-king"], "capture__king_weight": 2}),
            "rules.capture.king-weight: found 2, expected only if capture.choice has one of most-pieces, multiple-",
        ),
        (
            value("lb", "ending.blocked", "no-step"),
            "rules.ending.blocked: found \"no-step\", expected exactly if capture.duty is 'huffing'",
        ),
        (
            values("de", huff__offence="no-capture-or-unfinished", capture__completion="may-stop"),
            "rules.huff.offence: found 'no-capture-or-unfinished' with capture.completion 'may-stop'",
        ),
        (
            value("de", "huff.offence", "no-capture-or-less"),
            "rules.huff.offence: found 'no-capture-or-less' with an empty capture.choice, which makes no capture less",
        ),
        (
            value("nl-trapdoor", "capture.duty", "compulsory-for-men"),
            "rules.capture.duty: found 'compulsory-for-men' with a spinner, which a capture has to come before",
        ),
        (
            value("lb", "promotion.return", "crowned"),
            "rules.promotion.return: found \"crowned\", expected exactly if promotion.mid-capture is 'as-man'",
        ),
        (
            value("lb", "ending.order", "losses-first"),
            'rules.ending.order: found "losses-first", expected exactly if ending.draws is not empty',
        ),
        (
            value("lb", "ending.both-empty", "draw"),
            'rules.ending.both-empty: found "draw", expected exactly if there are trapdoors',
        ),
        (
            value("lb", "trapdoors.step", "one"),
            'rules.trapdoors.step: found "one", expected exactly if there is a spinner',
        ),
        (value("lb", "spin.slide", "compulsory"), "rules.trapdoors.layout: missing, expected exactly if there is"),
        (
            values("lb", **MOST | {"capture__choice": ["most-pieces", "multiple-before-single"]}),
            "rules.capture.choice: found 'multiple-before-single' beside 'most-pieces', which leaves it nothing",
        ),
        (
            values("lb", **MOST | {"capture__choice": ["multiple-before-single", "with-king", "multiple-when-mixed"]}),
            "rules.capture.choice: found 'multiple-when-mixed' after 'multiple-before-single', which leaves it nothing",
        ),
        (
            values("lb", **MOST | {"capture__choice": ["with-king", "with-king"]}),
            "rules.capture.choice.value: ",
        ),
        (
            values("vl", king__capture__finish="continuing", capture__completion="may-stop"),
            "rules.king.capture.finish: found 'continuing' with capture.completion 'may-stop'",
        ),
        (
            values("lb", king__capture__finish="continuing"),
            "rules.king.capture.finish: found \"continuing\", expected only if king.capture.landing is 'any'",
        ),
        (
            value("vl", "king.capture.landing", "behind-last-king"),
            'rules.king.capture.landing.value: found "behind-last-king", which is now king.capture.landing: any with'
            " king.capture.finish: behind-last-king",
        ),
        (value("lb", "start.men", 4), "rules.start.men: found 4 rows a side, expected at most 3 on 8 rows"),
        (
            values("lb", board__size="3x3", start__men=1, promotion__rows=3),
            "rules.start.men: white men on their own promotion row: [4, 5]",
        ),
        (
            value("lb", "start.men", {"white": [30, 31], "black": [30]}),
            "rules.start.men: squares of both sides: [30]",
        ),
        (
            value("lb", "start.men", {"white": [1, 30], "black": [3]}),
            "rules.start.men: white men on their own promotion row: [1]",
        ),
        (
            value("lb", "start.men", {"white": [30], "black": [3, 29, 32]}),
            "rules.start.men: black men on their own promotion row: [29, 32]",
        ),
        (
            value("lb", "start.men", {"white": [1, 30], "black": [3, 32], "kings": [1, 2]}),
            "rules.start.men: kings on squares of neither side: [2]",
        ),
        (
            value("lb", "start.men", {"white": [1, 30], "black": [3, 32], "kings": [1]}),
            "rules.start.men: black men on their own promotion row: [32]",
        ),
        (
            value("lb", "start.men", {"white": [33], "black": [3]}),
            "rules.start.men: no square 33: the board has squares 1 to 32",
        ),
        (
            value("lb", "start.men", {"white": [30, 30], "black": [3]}),
            "rules.start.men.value.white: ",
        ),
    ],
)  # fmt: skip
def test_contradictions(tmp_path: Path, changed: Content, expected: str) -> None:
    assert expected in complaint(tmp_path, changed)


@pytest.mark.parametrize("criterion", ["with-king", "most-kings", "king-first"])
def test_criteria_that_decide_something_are_fine(tmp_path: Path, criterion: str) -> None:
    ruleset = load(tmp_path, values("lb", **MOST | {"capture__choice": ["multiple-before-single", criterion]}))
    assert ruleset.rules.capture.choice == ("multiple-before-single", criterion)


# --- what a value rests on


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        (
            with_from("man.move.reach", "lb-999"),
            "rules.man.move.reach.from: found 'lb-999', expected a clause of spec/sources/ or a reading of",
        ),
        (
            with_from("man.move.reach", "LB-99"),
            "rules.man.move.reach.from: found 'LB-99', expected a clause of spec/sources/ or a reading",
        ),
        (
            with_from("man.move.reach", "lb-022", "VL-01"),
            "rules.man.move.reach.from: reading VL-01 is about vl, expected one about lb",
        ),
        (
            changed_key("conduct", [{"says": "Be kind.", "from": ["lb-999"]}]),
            "conduct.0.from: found 'lb-999', expected a clause",
        ),
    ],
)
def test_sources(tmp_path: Path, changed: Content, expected: str) -> None:
    assert expected in complaint(tmp_path, changed)
