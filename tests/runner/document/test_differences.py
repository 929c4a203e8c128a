"""The rules in which rulesets differ, on one board, and which of them belong together."""

from __future__ import annotations

import pytest

import damspec
from damspec_runner.mutants.ruleset_diff import (
    Part,
    board_differences,
    difference_parts,
    on_common_board,
    rule_differences,
    toward,
)
from differences import both
from runs import EVERY

IDS = damspec.ruleset_ids()


DRAWS = ["draws.repetition", "draws.king-moves", "draws.endings"]


def test_vl_and_international_differ_in_three_rules_the_draws_and_the_board() -> None:
    """By hand: Flemish men begin a capture forward only, and one piece each is a draw (after losses, hence the order),
    while no draw counts what went before; all else is the same, but for the board and the rows of men on it."""
    rulesets = [damspec.load_ruleset("vl"), damspec.load_ruleset("international")]
    found = {one.rule: one.values for one in rule_differences(rulesets)}
    assert list(found) == ["man.capture.first", "ending.draws", "ending.order", *DRAWS]
    assert found["ending.draws"] == (("one-piece-each",), ())
    assert found["ending.order"] == ("losses-first", None)
    assert found["man.capture.first"][0] == ("forward-left", "forward-right")
    assert len(found["man.capture.first"][1]) == 4
    assert [(one.rule, one.values) for one in board_differences(rulesets)] == [
        ("board.size", ("8x8", "10x10")),
        ("start.men", (3, 4)),
    ]
    assert rule_differences(rulesets)[0].rests_on == (("vl-008", "vl-014", "VL-01", "VL-02"), ("fmjd-4.1",))


def test_the_two_trapdoor_leaflets_differ_in_one_rule() -> None:
    (one,) = rule_differences([damspec.load_ruleset("nl-trapdoor"), damspec.load_ruleset("fr-trapdoor")])
    assert (one.rule, one.values) == ("capture.removal", ("at-once", "at-end"))


def test_three_rulesets() -> None:
    found = rule_differences([damspec.load_ruleset(id) for id in ("vl", "brazilian", "russian")])
    sides = {one.rule: one.sides for one in found}
    assert sides["man.capture.first"] == [[0], [1, 2]]
    assert sides["king.capture.finish"] == [[0, 1], [2]]
    assert list(sides) == [
        "man.capture.first", "king.capture.finish", "capture.choice", "capture.binds", "promotion.mid-capture",
        "promotion.return", "ending.draws", "ending.order", *DRAWS, "draws.balance", "draws.main-road",
        "draws.counted-side",
    ]  # fmt: skip


def test_a_common_board() -> None:
    here, moved = both("international", "vl")
    assert (here.id, here.values) == ("international", damspec.load_ruleset("international").values)
    assert (moved.id, moved.values["board.size"], moved.values["start.men"]) == ("vl", "10x10", 4)
    assert moved.rests_on["board.size"] == here.rests_on["board.size"]
    assert {ruleset.values["board.size"] for ruleset in both("international", "nl-trapdoor")} == {"8x8"}
    values = {**damspec.load_ruleset("nl-trapdoor").values, "board.size": "6x6", "start.men": 2}
    layout = {"damspec": 1, "id": "x", "name": "x", "board": "6x6", "assumed": True}
    layout["sliders"] = [{"id": "G1", "colour": "green", "left": 7, "right": 9}]
    try:
        small = damspec.from_values({**values, "trapdoors.layout": layout}, "small")
        assert small.rules
    except damspec.DamspecError as error:
        pytest.skip(f"layout: {error}")
    with pytest.raises(damspec.RulesetError, match="no common board for small and nl-trapdoor: "):
        on_common_board([small, damspec.load_ruleset("nl-trapdoor")])


def test_parts_belong_together() -> None:
    seen = [Part("man.capture.first"), Part("ending.draws", ("ending.order",))]
    assert difference_parts(*both("vl", "brazilian")) == [*seen, *map(Part, [*DRAWS, "draws.main-road"])]
    huffing = next(part for part in difference_parts(*both("de", "lb")) if part.rule == "capture.duty")
    assert [rule.partition(".")[0] for rule in huffing.brings] == ["huff"] * 5 + ["ending"]
    doors = next(part for part in difference_parts(*both("nl-trapdoor", "vl")) if part.rule == "trapdoors.layout")
    assert {rule.partition(".")[0] for rule in doors.brings} == {"trapdoors", "spin", "ending"}


@pytest.mark.thorough
@pytest.mark.parametrize("id", EVERY)
def test_every_rule_is_in_one_part(id: str) -> None:
    for later in IDS[IDS.index(id) + 1 :]:
        assert_in_one_part(*both(id, later))


def assert_in_one_part(one: damspec.Ruleset, other: damspec.Ruleset) -> None:
    rules = [rule for part in difference_parts(one, other) for rule in part.rules]
    assert sorted(rules) == sorted(one.rule for one in rule_differences([one, other]))
    for part in difference_parts(one, other):
        for start, goal in ((one, other), (other, one)):
            values = toward(start, goal, part.rules)
            assert values is None or values == {**values, **{r: goal.values[r] for r in part.rules if r in goal.values}}


def test_a_choice_comes_with_what_binds() -> None:
    vl, russian = both("vl", "russian")
    assert toward(russian, vl, ("capture.binds",)) is None
    values = toward(russian, vl, ("capture.choice",))
    assert values is not None
    assert (values["capture.choice"], values["capture.binds"]) == (("most-pieces",), "path")
