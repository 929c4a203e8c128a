"""Rulesets that extend others, rules sent whole, files of one's own, overlays, and one rule changed."""

from __future__ import annotations

import pickle
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

import damspec
from damspec import DamspecError, RulesetError, data, outcomes
from damspec.data import freeze
from damspec.inheritance import overlay, overlay_ids
from damspec_runner.cases.cases import adapted_cases, cases_for, cases_of
from damspec_runner.document.explain import explain
from refusals import refusal
from ruleset_files import Content, child, complaint, content, load, value, without
from variants import ENGLISH, but

# --- extending


def test_extending(tmp_path: Path) -> None:
    parent = damspec.load_ruleset("vl")
    ruleset = load(tmp_path, child("vl", start__first="black"))
    assert ruleset.id == "mine"
    assert ruleset.values == {**parent.values, "start.first": "black"}
    assert ruleset.rests_on["start.first"] == ("vl-033",)
    assert ruleset.rests_on["man.move.reach"] == parent.rests_on["man.move.reach"]
    assert ruleset.conduct == parent.conduct


def test_extending_over_two_generations(tmp_path: Path) -> None:
    ruleset = load(tmp_path, child("brazilian", start__first="black"))
    assert ruleset.values["board.size"] == "8x8"
    assert ruleset.values["king.capture.reach"] == damspec.load_ruleset("international").values["king.capture.reach"]


def test_taking_an_optional_rule_away(tmp_path: Path) -> None:
    ruleset = load(tmp_path, child("vl", ending__draws=[], ending__order=None))
    assert "ending.order" not in ruleset.values
    assert "ending.order" not in ruleset.rests_on
    assert ruleset.rules.ending.order is None
    assert str(damspec.outcome(ruleset, "W:W22:B18")) == "ongoing"


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        (child("vla"), "extends: unknown ruleset 'vla'; did you mean 'vl'?"),
        (child("mine"), "extends: 'mine' extends itself"),
        (content("lb") | {"extends": "lb"}, "extends: 'lb' extends itself"),
        (
            child("vl", ending__draws=[], ending__order="losses-first"),
            'rules.ending.order: found "losses-first", expected exactly if ending.draws',
        ),
        (child("vl", ending__order=None), "rules.ending.order: missing, expected exactly if ending.draws is not empty"),
        (child("vl", man__move__reach=None), "rules.man.move.reach.value: found null"),
    ],
)
def test_bad_extending(tmp_path: Path, changed: Content, expected: str) -> None:
    assert expected in complaint(tmp_path, changed)


def test_what_depends_on_another_rule_goes_with_it(tmp_path: Path) -> None:
    free = load(tmp_path, child("vl", capture__choice=[], ending__draws=[], promotion__mid_capture="stops"))
    assert not {"capture.binds", "capture.king-weight", "ending.order", "promotion.return"} & set(free.values)
    assert set(free.values) == set(free.rests_on)


def test_a_chapter_that_is_not_played_any_more_goes_as_a_whole(tmp_path: Path) -> None:
    strict = load(tmp_path, child("de", capture__duty="compulsory"))
    assert not [rule for rule in strict.values if rule.startswith("huff.")]
    assert "ending.blocked" not in strict.values


def test_what_depends_on_another_rule_changes_nothing_unless_said(tmp_path: Path) -> None:
    changed = child("english", capture__choice=["most-pieces"], promotion__mid_capture="as-man")
    changed["rules"]["ending.draws"] = {"value": ["one-piece-each"]}
    ruleset = load(tmp_path, changed)
    assert ruleset.values["capture.binds"] == "path"
    assert ruleset.values["promotion.return"] == "crowned"
    assert ruleset.values["ending.order"] == "losses-first"
    assert ruleset.rests_on["capture.binds"] == ()
    other = tmp_path / "other"
    other.mkdir()
    assert load(other, without("de", "ending.blocked")).values["ending.blocked"] == "no-action"


def test_what_is_missing_is_named_as_a_line(tmp_path: Path) -> None:
    assert complaint(tmp_path, child("lb", capture__duty="huffing")) == (
        "rules.huff.offence: missing, expected exactly if capture.duty is 'huffing';"
        " add lines such as 'huff.offence: {value: \"no-capture\"}', 'huff.remedies: {value: [\"huff\"]}',"
        " 'huff.piece: {value: \"able\"}', 'huff.turn: {value: \"kept\"}', 'huff.retracted: {value: \"must-capture\"}',"
        " as in damma"
    )


def test_lines_to_add_are_only_of_what_is_missing(tmp_path: Path) -> None:
    told = complaint(tmp_path, child("lb", capture__duty="huffing", huff__offence="no-capture"))
    expected = (
        "rules.huff.remedies: missing, expected exactly if capture.duty is 'huffing'; add lines such as 'huff.remedies"
    )
    assert told.startswith(expected)
    assert "huff.offence" not in told
    alone = complaint(tmp_path, without("lb", "promotion.rows"))
    assert "missing, expected always; add a line such as 'promotion.rows: {value: 1}', as in" in alone


# --- rules sent whole


def test_bare_values() -> None:
    ruleset = damspec.from_values(ENGLISH, "sent")
    assert (ruleset.id, ruleset.conduct, ruleset.documents) == ("sent", (), ())
    assert ruleset.values == freeze(ENGLISH)
    assert damspec.perft(ruleset, "start", 4) == 1469
    assert damspec.from_values({**ENGLISH, "capture.binds": None}).values == freeze(ENGLISH)


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ({}, "rules.board.size: missing, expected always"),
        (but(ENGLISH, man__move__reach=3), "rules.man.move.reach.value: found 3"),
        ({**ENGLISH, "man.walk": 1}, 'rules: unknown key "man.walk"'),
        ({**ENGLISH, "capture.binds": "path"}, 'rules.capture.binds: found "path", expected exactly if'),
        (
            {**ENGLISH, "capture.choice": ["most-pieces"], "capture.binds": None},
            "rules.capture.binds: missing, expected exactly if capture.choice is not empty",
        ),
    ],
)
def test_bad_bare_values(sent: Content, expected: str) -> None:
    said = refusal(RulesetError, damspec.from_values, sent, "sent")
    assert said.startswith(f"rules sent whole for 'sent': {expected}")


def test_a_file_has_the_readings_of_what_it_extends(tmp_path: Path) -> None:
    """Those of its parent can be asked for by the file's name; what it says itself stands."""
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump(child("vl", promotion__rows=2)), encoding="utf-8")
    mine = damspec.load_ruleset_file(str(path))
    assert mine.readings == damspec.load_ruleset("vl").readings
    under = damspec.load_ruleset_file(f"{path}?one-each=unless-capture")
    assert under.values == mine.with_reading("one-each=unless-capture").values
    assert under.values["ending.draws"] == damspec.load_ruleset("vl?one-each=unless-capture").values["ending.draws"]
    assert under.values["promotion.rows"] == 2
    assert "mine has no reading 'one-eich'; did you mean 'one-each'" in refusal(
        damspec.RulesetError, mine.with_reading, "one-eich=draw"
    )


# --- a file of one's own


def own(**more: object) -> Content:
    """A file that says no more than it has to: `vl`, but a king lands directly behind what it takes."""
    return {
        "damspec": 1,
        "id": "my",
        "name": "My checkers",
        "about": "A ruleset of the tests.",
        "extends": "vl",
        "rules": {"king.capture.landing": {"value": "behind"}},
        **more,
    }


def own_reading(**more: object) -> Content:
    """A reading of that file, about where the king lands."""
    return {
        "id": "MY-01",
        "key": "my-landing",
        "question": "Where does it land?",
        "alternatives": {
            "behind": {"says": "Behind."},
            "any": {"says": "Any.", "set": {"king.capture.landing": "any"}},
        },
        "chosen": "behind",
        "why": "So we play.",
        "confidence": "medium",
        **more,
    }


def test_a_file_may_leave_out_what_it_rests_on(tmp_path: Path) -> None:
    my, vl = load(tmp_path, own()), damspec.load_ruleset("vl")
    assert (my.values["king.capture.landing"], my.rests_on["king.capture.landing"]) == ("behind", ())
    assert my.rests_on["promotion.rows"] == vl.rests_on["promotion.rows"]
    assert (my.documents, my.shipped) == (vl.documents, False)


def test_no_rule_asks_a_file_what_it_rests_on() -> None:
    forms = data.schema("ruleset")["properties"]["rules"]["properties"]
    assert {rule: form["required"] for rule, form in forms.items()} == {rule: ["value"] for rule in forms}


def test_a_file_may_have_no_document(tmp_path: Path) -> None:
    assert load(tmp_path, own(documents=[])).documents == ()
    assert load(tmp_path, {**content("lb"), "documents": []}).documents == ()


def test_conduct_may_rest_on_nothing(tmp_path: Path) -> None:
    my = load(tmp_path, own(conduct=[{"says": "Shake hands."}]))
    assert my.conduct[-1] == {"says": "Shake hands."}


def test_a_file_does_without_conduct_of_what_it_extends(tmp_path: Path) -> None:
    """Flemish draughts has two entries of conduct: touched pieces by vl-007, the look of kings by vl-016."""
    my = load(tmp_path, own(**{"without-conduct": ["vl-007"], "conduct": [{"says": "Shake hands."}]}))
    assert [entry.get("from") for entry in my.conduct] == [("vl-016", "X-04"), None]
    with pytest.raises(damspec.RulesetError, match=r"without-conduct.0: found 'vl-017', .* did you mean 'vl-016'"):
        load(tmp_path, own(**{"without-conduct": ["vl-017"]}))


def test_a_file_may_rest_on_a_reading_of_what_it_extends(tmp_path: Path) -> None:
    rules = {"king.capture.landing": {"value": "behind", "from": ["VL-08"]}}
    assert load(tmp_path, own(rules=rules)).rests_on["king.capture.landing"] == ("VL-08",)


def test_readings_of_ones_own(tmp_path: Path) -> None:
    rules = {"king.capture.landing": {"value": "behind", "from": ["MY-01"]}}
    my = load(tmp_path, own(rules=rules, readings=[own_reading()]))
    (reading,) = my.own_readings
    assert (reading.rulesets, reading.clauses) == (("my",), ())
    assert my.readings == (*damspec.load_ruleset("vl").readings, reading)
    assert my.rests_on["king.capture.landing"] == ("MY-01",)
    under = damspec.load_ruleset_file(f"{my.path}?my-landing=any")
    assert under == my.with_reading("my-landing=any") == my.alternatives["my-landing=any"]
    assert (under.id, under.values["king.capture.landing"]) == ("my?my-landing=any", "any")
    assert reading not in damspec.load_readings()


def test_a_rule_that_a_file_states_follows_what_an_alternative_changes(tmp_path: Path) -> None:
    free = {"says": "Any capture.", "set": {"capture.choice": []}}
    reading = own_reading(alternatives={"behind": {"says": "Behind."}, "free": free})
    my = load(tmp_path, own(rules={"capture.binds": {"value": "piece"}}, readings=[reading]))
    assert my.values["capture.binds"] == "piece"
    assert "capture.binds" not in my.with_reading("my-landing=free").values


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        (own(readings=[own_reading(id="VL-08")]), "reading 'VL-08' given twice"),
        (own(readings=[own_reading(), own_reading(key="b")]), "reading 'MY-01' given twice"),
        (own(readings=[own_reading(key="king-capture")]), "MY-01.key: found 'king-capture', which VL-08 has already"),
        (own(readings=[own_reading(rulesets=["vl"])]), 'MY-01.rulesets: found ["vl"], expected ["my"] or nothing'),
        (own(readings=[own_reading(chosen="none")]), "MY-01.chosen: found 'none', expected one of 'any', 'behind'"),
        (own(readings=[own_reading(clauses=["my-1"])]), "MY-01.clauses: no clause 'my-1'"),
        (own(readings=[{"id": "MY-01"}]), "readings.0: missing 'key', 'question', "),
        (own(readings=[]), "readings: "),
        (own(rules={"promotion.rows": {"value": 2, "from": ["MY-02"]}}), "rules.promotion.rows.from: found 'MY-02', "),
        (
            own(rules={"promotion.rows": {"value": 2, "from": ["DE-01"]}}),
            "rules.promotion.rows.from: reading DE-01 is about de, expected one about my or vl",
        ),
    ],
)
def test_wrong_files_of_ones_own(tmp_path: Path, changed: Content, expected: str) -> None:
    assert expected in complaint(tmp_path, changed)


def test_readings_that_do_not_go_with_the_rules_of_a_file_are_none_of_its_alternatives(tmp_path: Path) -> None:
    """A king that lands where it can go on is only for captures that are carried to their end (see contradictions)."""
    my = load(tmp_path, own(rules={"king.capture.finish": {"value": "continuing"}}))
    assert "completion=may-stop" in damspec.load_ruleset("vl").alternatives
    assert "completion=may-stop" not in my.alternatives
    assert "one-each=unless-capture" in my.alternatives


def test_a_file_with_the_id_of_a_shipped_one_is_itself_under_a_reading(tmp_path: Path) -> None:
    twin = load(tmp_path, value("vl", "promotion.rows", 2))
    assert twin.with_reading("one-each=unless-capture").values["promotion.rows"] == 2


# --- Overlays (spec/overlays/): options that go with any ruleset, `frisian+losing`.


def test_what_an_overlay_states_replaces_what_the_ruleset_says() -> None:
    plain, losing = damspec.load_ruleset("frisian"), damspec.load_ruleset("frisian+losing")
    stated = {rule: entry["value"] for rule, entry in overlay("losing").content["rules"].items()}
    values = {**plain.values, **stated}
    assert losing.values == {rule: value for rule, value in values.items() if value is not None}
    assert losing.rests_on["ending.no-pieces"] == ("losing-aim",)
    assert (losing.id, losing.name) == ("frisian+losing", "Frisian draughts, losing")
    assert losing.documents == ("losing", "frisian")
    assert losing.gametype is None
    assert not losing.shipped


def test_draws_under_overlays() -> None:
    """Losing draughts have the third time and no number of moves, breakthrough has nothing."""
    moves = ["32-28", "1-5", "28-32", "5-1"]
    for name, expected in (("english", "draw (repetition)"), ("english+losing", "draw (repetition)")):
        assert str(damspec.outcome(name, "W:WK32:BK1", 2 * moves)) == expected
    assert damspec.load_ruleset("english+breakthrough").rules.draws is None
    losing = damspec.load_ruleset("russian+losing")
    assert {rule: value for rule, value in losing.values.items() if rule.startswith("draws.")} == {
        "draws.repetition": 3
    }


@pytest.mark.parametrize(
    ("name", "fen", "expected"),
    [
        ("english", "W:W:B1", "black (no-pieces)"),
        ("english+losing", "W:W:B1", "white (no-pieces)"),
        # the man on 5 is shut in by 1, which is backed by the edge
        ("english", "W:W5:B1", "black (no-moves)"),
        ("english+losing", "W:W5:B1", "white (no-moves)"),
        ("english", "B:WK1:B20", "ongoing"),
        ("english+breakthrough", "B:WK1:B20", "white (first-king)"),
        ("english+breakthrough", "W:W20:BK32", "black (first-king)"),
        ("english+breakthrough", "W:W20:B12", "ongoing"),
        # the last piece is taken by a man that is crowned: the king is asked first
        ("english+losing+breakthrough", "B:WK2:B", "white (first-king)"),
    ],
)
def test_how_games_end(name: str, fen: str, expected: str) -> None:
    assert str(damspec.outcome(name, fen)) == expected


def test_the_side_that_moved_last_is_asked_first() -> None:
    """Both have a king only in a position that no game has, since the first of them has ended it."""
    assert str(damspec.outcome("international+breakthrough", "B:WK1:BK50")) == "white (first-king)"
    assert str(damspec.outcome("international+breakthrough", "W:WK1:BK50")) == "black (first-king)"


def test_boards() -> None:
    small = damspec.load_ruleset("brazilian+on-6x6")
    assert len(small.rules.board) == 18
    assert small.position().fen() == "W:W13,14,15,16,17,18:B1,2,3,4,5,6"
    assert damspec.load_ruleset("english+on-12x12").position().fen().count(",") == 2 * 29


def test_overlays_combine_and_go_with_readings() -> None:
    found = damspec.load_ruleset("frisian+losing+on-6x6?king-value=one-man")
    assert found.id == "frisian+losing+on-6x6?king-value=one-man"
    assert "capture.king-weight" not in found.values
    assert (found.values["ending.no-moves"], found.values["board.size"]) == ("wins", "6x6")
    assert damspec.load_ruleset("frisian+losing+on-6x6").with_reading("king-value=one-man") is found


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("frisian+losin", "unknown overlay 'losin'; did you mean 'losing'?"),
        ("frisian+", "unknown overlay ''; there is breakthrough, losing, on-12x12, on-14x14, on-6x6"),
        ("frisean+losing", "unknown ruleset 'frisean'; did you mean 'frisian'?"),
        ("frisian+losing+losing", "found 'losing+losing', which gives overlay 'losing' twice"),
        ("nl-trapdoor+on-6x6", "board: found 8x8, expected 6x6"),
    ],
)
def test_what_there_is_not(name: str, message: str) -> None:
    assert message in refusal(DamspecError, lambda: damspec.load_ruleset(name).rules)


def test_every_overlay_goes_with_a_plain_ruleset_and_says_so() -> None:
    for id in overlay_ids():
        assert data.schema_problem(data.load_yaml(data.root() / "spec" / "overlays" / f"{id}.yaml"), "ruleset") is None
        ruleset = damspec.load_ruleset(f"english+{id}")
        assert all(ruleset.rests_on.values())
        assert ruleset.name == f"English draughts, {overlay(id).content['name']}"


def test_cases_are_those_of_the_ruleset_that_hold() -> None:
    """An engine for `english+losing` is asked the cases of English draughts; what ends otherwise is answered anew."""
    cases = {case.id: case for case in cases_for(damspec.load_ruleset("english+losing"))}
    assert {case.partition("@")[0] for case in cases} <= {
        case.id for case in cases_for(damspec.load_ruleset("english"))
    }
    assert any("@" in case for case in cases)


def test_a_ruleset_under_an_overlay_has_cases_of_its_own() -> None:
    """They stand in a folder of its name and expect what people derived; the inherited ones follow."""
    found = [case for case in cases_for(damspec.load_ruleset("international+losing")) if "@" not in case.id]
    (own,) = [case for case in found if case.id == "international+losing.ending.a-man-shut-in-has-won"]
    assert own.expected.outcome == damspec.Outcome("white", "no-moves")
    assert own.generated is None
    assert any(case.ruleset == "international" for case in found)


def test_a_wrong_reference_does_not_pass_the_cases_of_an_overlay(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a ruleset inherits is answered by the reference where it differs; its own cases are not."""
    ruleset = damspec.load_ruleset("international+breakthrough")
    own = {case.id: case.expected for case in cases_of(ruleset.id)}
    adapted_cases.cache_clear()
    monkeypatch.setattr(outcomes, "_verdict", lambda verb, side, reason: damspec.Outcome("draw", reason))
    found = {case.id: case.expected for case in cases_for(ruleset)}
    adapted_cases.cache_clear()
    assert {id: found[id] for id in own} == own
    assert own["international+breakthrough.ending.two-kings-black-moved-last"].outcome == damspec.Outcome(
        "black", "first-king"
    )


def test_a_case_of_an_overlay_is_explained() -> None:
    found = explain("international+losing.ending.a-king-shut-in-has-won")
    assert (found.kind, [clause.id for clause in found.clauses]) == ("case", ["losing-aim"])


# --- `Ruleset.with_value`: one rule changed, what depends on it settled, and what contradicts refused in one line.


VL = damspec.load_ruleset("vl")
NL = damspec.load_ruleset("nl-trapdoor")


def test_one_rule_is_changed_and_no_other() -> None:
    slow = VL.with_value("king.move.reach", 1)
    assert slow.values == {**VL.values, "king.move.reach": 1}
    assert (slow.origin, slow.about) == ("vl with king.move.reach = 1",) * 2
    assert slow.rules.king.move_reach == 1
    # One step from 30 leads to 25 and 26.
    assert [str(move) for move in damspec.legal_moves(slow, "W:WK30:B1")] == ["30-25", "30-26"]


def test_words_are_written_out() -> None:
    back = VL.with_value("man.move.directions", ["backward-diagonals"])
    assert back.values["man.move.directions"] == ("backward-left", "backward-right")
    assert back.origin == "vl with man.move.directions = [backward-diagonals]"


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


def test_the_id_is_short_and_follows_from_the_rules() -> None:
    slow = VL.with_value("king.move.reach", 1)
    slower = slow.with_value("start.first", "black").with_value("promotion.rows", 2)
    other = VL.with_value("promotion.rows", 2).with_value("king.move.reach", 1).with_value("start.first", "black")
    assert re.fullmatch("vl~[0-9a-f]{6}", slower.id)
    assert len({VL.id, slow.id, slower.id}) == 3
    assert slower.id == other.id != slow.id
    assert slower.origin == "vl with king.move.reach = 1 with start.first = black with promotion.rows = 2"
    assert repr(slow) == f"<Ruleset '{slow.id}': vl with king.move.reach = 1>"
    assert pickle.loads(pickle.dumps(slower)) == slower
    under = damspec.load_ruleset("vl+losing?one-each=unless-capture").with_value("king.move.reach", 1)
    assert re.fullmatch(r"vl\+losing~[0-9a-f]{6}", under.id)


def test_a_changed_ruleset_is_named() -> None:
    slow = VL.with_value("king.move.reach", 1).with_id("slow-kings")
    assert (slow.id, slow.name, slow.origin) == ("slow-kings", "slow-kings", "vl with king.move.reach = 1")
    assert '[Ruleset "slow-kings"]' in damspec.Game(slow, "W:WK30:B1").pdn()
    assert re.match("slow-kings~[0-9a-f]{6}$", slow.with_value("promotion.rows", 2).id)
    mine = VL.with_id("mine")
    assert (mine.values, mine.documents, mine.origin) == (VL.values, VL.documents, "vl")
    assert [reading.key for reading in mine.readings] == [reading.key for reading in VL.readings]
    assert not mine.shipped
    assert pickle.loads(pickle.dumps(mine)) == mine
    for id in ("american", "LB"):
        expected = f"found the id {id!r}, expected one that means no shipped ruleset"
        assert refusal(damspec.RulesetError, VL.with_id, id) == expected
    assert "characters that can be shown" in refusal(damspec.RulesetError, VL.with_id, "a\nb")


def test_readings_come_before_other_changes() -> None:
    slow = VL.with_value("king.move.reach", 1)
    assert refusal(damspec.RulesetError, slow.with_reading, "one-each=unless-capture") == (
        f"{slow.id}: found 'one-each=unless-capture', expected readings before other changes"
    )


@pytest.mark.parametrize("name", ["doors.yaml", "doors.yml", "doors.yaml/", "/nowhere/doors.yaml"])
def test_values_name_no_file(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Values can come from strangers, who learn nothing of the files there are."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "doors.yaml").write_text("password: 1\n")
    assert refusal(RulesetError, damspec.from_values, {**NL.values, "trapdoors.layout": name}) == (
        "rules sent whole for 'anonymous': trapdoors.layout: found"
        f" {name!r}, expected the id of a layout or its content"
    )


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
