"""Distances between games: what is measured and recorded, the tree made of it, families, and comparisons."""

from __future__ import annotations

from itertools import combinations
from statistics import fmean

import pytest
from tools.distances import Sample

import damspec
from damspec import load_ruleset
from damspec_runner.document import compare
from damspec_runner.document.compare import are_compared, families, nearest, root
from damspec_runner.mutants.ruleset_diff import (
    ChangedRule,
    board_differences,
    difference_parts,
    in_no_position,
    on_board_of,
    on_common_board,
    rule_differences,
    toward,
)
from damspec_site.comparison_pages import cluster
from differences import both
from refusals import refusal
from runs import EVERY

IDS = damspec.ruleset_ids()


# --- what is on record


def counts(one: str, other: str, rule: str) -> list[int]:
    """How many answers of either game a rule alone changes, if that was measured."""
    pairs = ((one, other), (other, one))
    entries = ((goal, entry) for start, goal in pairs for entry in compare.strengths()[start])
    return [entry["otherwise"] for goal, entry in entries if entry["rule"] == rule and goal in entry["as"]]


def test_every_two_games_are_on_record() -> None:
    assert list(compare.measured_games()) == IDS
    for one, other in combinations(IDS, 2):
        share = compare.distance(one, other)
        assert share is not None
        assert 0 <= share <= 1
        assert share == compare.distance(other, one)


def test_games_that_differ_in_nothing_but_the_board_are_not_apart() -> None:
    """Brazilian draughts is international draughts on a board of 8x8."""
    assert compare.distance("brazilian", "international") == 0
    assert compare.distance("russian", "spantsiretti") == 0


def test_a_game_with_a_spinner_is_far_from_one_without() -> None:
    """Of its positions those of a slide and those with open doors cannot come up in the other, and most others begin
    with a spin."""
    assert (compare.distance("nl-trapdoor", "vl") or 0) > 0.5 > (compare.distance("nl-trapdoor", "fr-trapdoor") or 0)


def test_every_rule_of_games_compared_has_a_strength() -> None:
    """But those that no position shows, and those that cannot be changed by themselves in either game."""
    for one, other in combinations(IDS, 2):
        if not are_compared(one, other):
            continue
        for start, goal in ((one, other), (other, one)):
            try:
                there = on_board_of(load_ruleset(goal), load_ruleset(start))
            except damspec.RulesetError:
                continue
            for part in difference_parts(load_ruleset(start), there):
                if in_no_position(part.rule):
                    assert not counts(one, other, part.rule)
                elif toward(load_ruleset(start), there, part.rules) is not None:
                    assert counts(one, other, part.rule), (start, goal, part.rule)


def test_a_rule_alone_changes_no_more_than_all_rules_do_where_it_is_the_only_one() -> None:
    """The Dutch and the French trapdoor game differ in the removal of what was captured alone."""
    measured = counts("nl-trapdoor", "fr-trapdoor", "capture.removal")
    assert fmean(measured) / compare.number_of_positions() == compare.distance("nl-trapdoor", "fr-trapdoor")


# --- measuring


def test_a_sample_is_answered_alike_by_the_same_rules_and_otherwise_by_others() -> None:
    """Each of the first positions of Flemish draughts is a quiet move forward; a Turkish man has no such move."""
    vl = load_ruleset("vl")
    sample = Sample(vl, 40)
    assert sample.otherwise(vl) == 0
    assert sample.otherwise(on_board_of(load_ruleset("turkish"), vl)) > 30
    assert sample.otherwise(on_board_of(load_ruleset("turkish"), vl)) == Sample(vl, 40).otherwise(
        on_board_of(load_ruleset("turkish"), vl)
    )


@pytest.mark.slow
@pytest.mark.parametrize("id", ["argentinian", "vl", "canadian", "fr-trapdoor-dual", "frisian"])
def test_the_record_is_what_is_measured(id: str) -> None:
    """If it is not, the rules have changed, or what is compared: `python tools/record.py distances` makes it anew."""
    sample = Sample(load_ruleset(id))
    record = damspec.data.load_yaml(compare.distances_path())
    assert dict(sample.otherwise_in()) == record["otherwise"][id]
    assert sample.rules(nearest(), {}) == record["rules"][id]


# --- what is compared


def unlike(one: str, other: str) -> int:
    """How many rules of two games have not the same value."""
    mine, theirs = load_ruleset(one).values, load_ruleset(other).values
    return sum(mine.get(rule) != theirs.get(rule) for rule in mine.keys() | theirs.keys())


def test_what_is_nearest_is_least_apart() -> None:
    """Its first parent if it has any; else, of those as near to a hundredth, one with which it shares most values."""
    for id, near in nearest().items():
        if load_ruleset(id).family:
            above = {
                each.ruleset.id
                for tree in compare.families().values()
                for each in tree.all()
                if id in {child.ruleset.id for child in each.children}
            }
            assert above == {near}
            continue
        apart_of = {other: round(compare.distance(id, other) or 0, 2) for other in IDS if other != id}
        assert apart_of[near] == min(apart_of.values())
        rivals = [other for other, apart in apart_of.items() if apart == apart_of[near]]
        assert unlike(id, near) == min(unlike(id, other) for other in rivals)


def test_less_than_a_hundredth_makes_no_game_nearer() -> None:
    """By hand: Turkish at 0.198 and Flemish at 0.203 are as near to the Thai game, which is more like the Flemish."""
    apart_of = {"turkish": 0.198, "vl": 0.203, "german": 0.25}
    assert unlike("thai", "turkish") > unlike("thai", "vl")
    assert compare.nearest_by(lambda one, other: apart_of.get(other, 1.0))["thai"] == "vl"
    assert compare.nearest_by(lambda one, other: {**apart_of, "turkish": 0.15}.get(other, 1.0))["thai"] == "turkish"


# --- the tree


def test_the_two_nearest_are_joined_first() -> None:
    """By hand: a and b at 0.1; c and d at 0.2; c to a and b 0.4 and 0.6, d to them 0.8 and 0.6: on average 0.6."""
    apart_of = {"ab": 0.1, "cd": 0.2, "ac": 0.4, "bc": 0.6, "ad": 0.8, "bd": 0.6}
    for most, groups in ((61, ["cdab"]), (59, ["cd", "ab"]), (15, ["ab", "c", "d"])):
        found = cluster("abcd", lambda one, other: apart_of["".join(sorted(one + other))], (most,))
        assert ["".join(each.games) for each in found] == groups


# --- families


def test_a_family_is_a_tree_from_its_first_game() -> None:
    """A game that joins several stands under the first that it names."""
    tree = families()["fr-trapdoor"]
    assert [child.ruleset.id for child in tree.children] == [
        "fr-trapdoor-american",
        "fr-trapdoor-close",
        "fr-trapdoor-dual",
    ]
    shut = tree.children[1]
    assert [child.ruleset.id for child in shut.children] == [
        "fr-trapdoor-close-american",
        "fr-trapdoor-close-dual",
        "fr-trapdoor-close-dual-american",
    ]
    all_three = shut.children[2]
    assert [parent.id for parent in all_three.parents] == [
        "fr-trapdoor-close",
        "fr-trapdoor-dual",
        "fr-trapdoor-american",
    ]
    assert root("malaysian") == "international"
    assert root("vl") == "vl"
    assert "vl" not in families()


def test_every_game_is_in_one_family_at_most() -> None:
    members = [member.ruleset.id for tree in families().values() for member in tree.all()]
    assert len(members) == len(set(members))
    assert {id for id in IDS if load_ruleset(id).family} <= set(members)


# --- The rules in which rulesets differ, on one board, and which of them belong together.


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
    assert "no common board for small and nl-trapdoor: " in refusal(
        damspec.RulesetError, on_common_board, [small, damspec.load_ruleset("nl-trapdoor")]
    )


def test_parts_belong_together() -> None:
    seen = [ChangedRule("man.capture.first"), ChangedRule("ending.draws", ("ending.order",))]
    assert difference_parts(*both("vl", "brazilian")) == [*seen, *map(ChangedRule, [*DRAWS, "draws.main-road"])]
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
