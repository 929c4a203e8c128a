"""Rulesets: loading, readings as overlays, `extends`, and one line naming file and place for whatever is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

import damspec
from damspec import DamspecError, FileError, RulesetError, data
from damspec.frozen import frozen
from damspec.rules import rule_names
from variants import ENGLISH, VARIANTS, but

Content = dict[str, Any]


def content(id: str) -> Content:
    """A shipped ruleset's file, to be changed."""
    found: Content = yaml.safe_load((data.root() / "spec" / "rulesets" / f"{id}.yaml").read_text(encoding="utf-8"))
    return found


def value(id: str, rule: str, new: object) -> Content:
    """A shipped ruleset with another value of one rule, resting on what the old one rests on."""
    changed = content(id)
    changed["rules"][rule] = {"from": [f"{id}-006"], **changed["rules"].get(rule, {}), "value": new}
    return changed


def values(id: str, **new: object) -> Content:
    """The same for several rules: `a__b=1` is `a.b`, one `_` is a hyphen."""
    changed = content(id)
    for key, one in new.items():
        rule = key.replace("__", ".").replace("_", "-")
        changed["rules"][rule] = value(id, rule, one)["rules"][rule]
    return changed


def without(id: str, rule: str) -> Content:
    changed = content(id)
    del changed["rules"][rule]
    return changed


def with_from(rule: str, *sources: str) -> Content:
    changed = content("lb")
    changed["rules"][rule]["from"] = list(sources)
    return changed


def child(parent: str, **rules: object) -> Content:
    """A ruleset of its own that extends another; every rule rests on vl-033 or as it says itself."""
    named = {key.replace("__", ".").replace("_", "-"): {"value": one, "from": ["vl-033"]} for key, one in rules.items()}
    return {
        "damspec": 1,
        "id": "mine",
        "name": "Mine",
        "about": "A ruleset of the tests.",
        "extends": parent,
        "documents": ["vl"],
        "rules": named,
    }


def load(folder: Path, changed: Content | str) -> damspec.Ruleset:
    path = folder / "some.yaml"
    path.write_text(changed if isinstance(changed, str) else yaml.safe_dump(changed), encoding="utf-8")
    return damspec.load_ruleset(str(path))


def complaint(folder: Path, changed: Content | str) -> str:
    """The one line with which a ruleset is refused, without the file's name."""
    with pytest.raises(DamspecError) as error:
        load(folder, changed)
    message = str(error.value)
    assert "\n" not in message
    where = str(folder / "some.yaml")
    assert message.startswith(where)
    return message.removeprefix(where).removeprefix(": ")


# --- what is shipped


def test_shipped() -> None:
    ids = damspec.ruleset_ids()
    assert {"brazilian", "english", "international", "lb", "russian", "vl"} <= set(ids)
    for id in ids:
        ruleset = damspec.load_ruleset(id)
        assert (ruleset.id, ruleset.base, repr(ruleset)) == (id, id, f"damspec.load_ruleset({id!r})")
        assert ruleset.path.is_file()
        assert ruleset.name
        assert ruleset.about
        assert ruleset.documents
        assert set(ruleset.rests_on) == set(ruleset.values) <= set(rule_names())
        assert all(ruleset.rests_on.values())
        assert ruleset.shipped
        assert not ruleset.own_readings
        assert all(entry["from"] for entry in [*content(id)["rules"].values(), *content(id).get("conduct", ())])
        assert content(id)["documents"]


@pytest.mark.parametrize("id", damspec.ruleset_ids())
def test_shipped_files_are_written_alike(id: str) -> None:
    """A comment for each document first, the rules in the language's order under their groups, values in one column."""
    lines = damspec.load_ruleset(id).path.read_text(encoding="utf-8").splitlines()
    head = [line for line in lines[: lines.index("damspec: 1")] if line.startswith("# ")]
    assert [line.rpartition(": ")[2] for line in head] == [
        f"spec/sources/{document}.yaml" for document in damspec.load_ruleset(id).documents
    ]
    keys = [line.partition(":")[0] for line in lines if line and line[0] not in " #"]
    wanted = ("damspec", "id", "name", "about", "extends", "documents", "rules", "conduct")
    assert keys == [key for key in wanted if key in keys]
    rules = list(content(id)["rules"])
    assert rules == sorted(rules, key=rule_names().index)
    column = max(map(len, rule_names())) + 4
    for rule in rules:
        (line,) = [line for line in lines if line.startswith(f"  {rule}:")]
        assert line == f"  {rule}:" or line.startswith(f"  {rule}:".ljust(column) + "{value: "), line
    comments = [line.removeprefix("  # ") for line in lines if line.startswith("  # ")]
    assert len(comments) == len({rule.partition(".")[0] for rule in rules})
    assert max(map(len, lines)) <= 120


@pytest.mark.parametrize("id", ["brazilian", "english", "international", "russian"])
def test_the_shipped_values_are_those_of_the_tests(id: str) -> None:
    assert damspec.load_ruleset(id).values == frozen(VARIANTS[id])


def test_loaded_once() -> None:
    assert damspec.load_ruleset("lb") is damspec.load_ruleset("lb")


def test_typed() -> None:
    rules = damspec.load_ruleset("vl").rules
    assert rules.board == damspec.Board(8, 8)
    assert rules.start.men == 3
    assert rules.man.capture_first == ("forward-left", "forward-right")
    assert len(rules.man.capture_later) == 4
    assert rules.capture.choice == ("most-pieces",)
    assert rules.promotion.return_ == "crowned"
    assert rules.ending.draws == ("one-piece-each",)
    assert (rules.huff, rules.trapdoors, rules.spin, rules.capture.king_weight) == (None, None, None, None)


# --- readings


def test_another_reading() -> None:
    chosen, other = damspec.load_ruleset("vl"), damspec.load_ruleset("vl?priority=multiple-first")
    assert other.values["capture.choice"] == ("multiple-before-single",)
    assert other.rests_on["capture.choice"] == ("VL-04",)
    assert (other.id, other.base) == ("vl?priority=multiple-first", "vl")
    same = {rule: value for rule, value in chosen.values.items() if rule != "capture.choice"}
    assert {rule: value for rule, value in other.values.items() if rule != "capture.choice"} == same


def test_several_readings() -> None:
    ruleset = damspec.load_ruleset("vl?king-capture=adjacent&removal=at-once")
    assert [ruleset.values[rule] for rule in ("king.capture.reach", "king.capture.landing", "capture.removal")] == [
        1,
        "behind",
        "at-once",
    ]


def test_the_chosen_alternative_changes_nothing() -> None:
    assert damspec.load_ruleset("vl?priority=majority").values == damspec.load_ruleset("vl").values


def test_an_alternative_that_is_the_same_as_the_chosen_one_is_playable_and_changes_nothing() -> None:
    same = damspec.load_ruleset("de?choice=huffs-only")
    assert (same.id, same.values) == ("de?choice=huffs-only", damspec.load_ruleset("de").values)
    assert same.id.partition("?")[2] not in damspec.load_ruleset("de").alternatives


def test_two_readings_may_say_the_same() -> None:
    ruleset = damspec.load_ruleset("vl?second-jump=of-the-game&begin-backward=allowed")
    assert len(ruleset.values["man.capture.first"]) == 4


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "unknown ruleset ''; there is brazilian, de, english, fr-trapdoor,"),
        ("englisch", "unknown ruleset 'englisch'; did you mean 'english'?"),
        ("LB", "unknown ruleset 'LB'; there is brazilian"),
        ("../lb", "unknown ruleset '../lb'"),
        ("lb?", None),
        ("vl?priority", "found 'priority', expected a reading of vl and an alternative: key=alternative"),
        ("vl?priority=", "found 'priority=', expected a reading of vl and an alternative: key=alternative"),
        ("vl?removal=at-once&", "found '', expected a reading of vl and an alternative"),
        ("vl?prioriti=x", "vl has no reading 'prioriti'; did you mean 'priority'?"),
        ("lb?priority=majority", "lb has no reading 'priority'"),
        ("vl?priority=multi", "reading 'priority' of vl has no alternative 'multi'; did you mean 'multiple-first'?"),
        ("vl?own-pieces=allowed", "vl?own-pieces=allowed cannot be played: whether one's own pieces oblige"),
        (
            "vl?priority=multiple-first&priority=mixed-only",
            "found 'priority=multiple-first&priority=mixed-only', which gives reading 'priority' twice",
        ),
        (
            "vl?king-slides=landing-two&king-capture=adjacent",
            "vl?king-slides=landing-two&king-capture=adjacent: king-slides and king-capture give king.capture.landing"
            ' different values: "within-two" and "behind"',
        ),
        ("vl?priority=multiple-first&king-counts=two", None),
        ("vl?priority=mixed-only&king-counts=two", None),
        ("de?completion=stopping-is-a-lapse&claim-left=lost", None),
        (
            "vl?completion=may-stop&arrival=goes-on&return=not-crowned",
            None,
        ),
    ],
)
def test_names_of_rulesets(name: str, message: str | None) -> None:
    if message is None:
        assert damspec.load_ruleset(name).values
        return
    with pytest.raises(RulesetError) as error:
        damspec.load_ruleset(name)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_readings_that_contradict_each_other(tmp_path: Path) -> None:
    changed = content("vl")
    changed["rules"]["king.capture.landing"]["value"] = "continuing"
    path = tmp_path / "some.yaml"
    path.write_text(yaml.safe_dump(changed), encoding="utf-8")
    assert damspec.load_ruleset(str(path)).values["king.capture.landing"] == "continuing"
    with pytest.raises(RulesetError) as error:
        damspec.load_ruleset(f"{path}?completion=may-stop")
    assert str(error.value) == (
        f"{path} under ?completion=may-stop: rules.king.capture.landing: found 'continuing' with capture.completion"
        " 'may-stop', expected 'whole' with it"
    )


# --- files


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    ruleset = load(tmp_path, value("lb", "start.men", 2))
    assert ruleset.path == tmp_path / "some.yaml"
    assert len(damspec.legal_moves(ruleset, "start")) == 7
    assert ruleset.position().fen() == "B:W25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "top level: found null, expected object"),
        ("- 1", "top level: found [1], expected object"),
        ("just words", 'top level: found "just words", expected object'),
        ("rules: [a", "not valid YAML: "),
        ("a: b: c", "not valid YAML: mapping values are not allowed"),
        ("\ta: b", "not valid YAML: "),
        ("{[a]: b}", ":1:2: found a list or a mapping as a key, expected text"),
        ("id: lb\nid: vl", ":2:1: key 'id' given twice"),
        ("rules:\n  man.move.reach: 1\n  man.move.reach: 2", ":3:3: key 'man.move.reach' given twice"),
        (
            "!!python/object:os.system {}",
            ":1:1: found the tag 'tag:yaml.org,2002:python/object:os.system', expected none",
        ),
        ("!!map x", ":1:1: found the tag 'tag:yaml.org,2002:map', expected none"),
        ("a: !!map [1, 2]", ":1:4: found the tag 'tag:yaml.org,2002:map', expected none"),
        ("a: *nothing", ":1:4: no anchor 'nothing' before this alias"),
        ("a: \x00", "not valid YAML: "),
        ("1: 2", ":1:1: found '1' as a key, expected text"),
    ],
)
def test_malformed_files(tmp_path: Path, text: str, expected: str) -> None:
    assert expected in complaint(tmp_path, text)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path, reason in (
        (tmp_path / "none.yaml", "No such file or directory"),
        (tmp_path / "folder.yaml", "Is a directory"),
        (tmp_path / "latin.yaml", "not UTF-8 text"),
    ):
        (tmp_path / "folder.yaml").mkdir(exist_ok=True)
        (tmp_path / "latin.yaml").write_bytes("name: Königsstein".encode("latin-1"))
        with pytest.raises(FileError) as error:
            damspec.load_ruleset(str(path))
        assert str(error.value) == f"{path}: cannot be read: {reason}"


def changed_key(key: str, new: object) -> Content:
    return content("lb") | {key: new}


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        (changed_key("damspec", 2), "damspec: found 2, expected 1"),
        (changed_key("id", "Not An Id"), 'id: found "Not An Id", expected text of the form'),
        (changed_key("name", 5), "name: found 5, expected string"),
        (changed_key("documents", "lb"), 'documents: found "lb", expected array'),
        (changed_key("ruels", {}), "top level: unknown key \"ruels\"; did you mean 'rules'?"),
        (changed_key("rules", []), "rules: found [], expected object"),
        ({key: one for key, one in content("lb").items() if key != "about"}, "top level: missing 'about'"),
        (value("lb", "man.mov.reach", 1), "rules: unknown key \"man.mov.reach\"; did you mean 'man.move.reach'?"),
        (value("lb", "capture.duty", "strict"), 'rules.capture.duty.value: found "strict", expected one of'),
        (value("lb", "man.move.reach", 2), 'rules.man.move.reach.value: found 2, expected one of 1, "any"'),
        (value("lb", "man.move.directions", []), "rules.man.move.directions.value: "),
        (value("lb", "man.move.directions", ["up"]), 'found "up", expected one of "forward-left"'),
        (value("lb", "board.size", "8 by 8"), 'rules.board.size.value: found "8 by 8", expected text of the form'),
        (value("lb", "board.size", "2x8"), 'found "2x8"'),
        (value("lb", "board.size", "27x8"), 'found "27x8"'),
        (value("lb", "promotion.rows", 0), "rules.promotion.rows.value: found 0, expected one of 1, 2, 3"),
        (value("lb", "man.move.reach", None), "rules.man.move.reach.value: found null"),
        (value("lb", "start.men", {"white": [30]}), "rules.start.men.value: missing 'black'"),
        (value("lb", "start.men", 0), "rules.start.men.value"),
        (with_from("man.move.reach"), "rules.man.move.reach.from: "),
        (changed_key("conduct", [{"says": "Be kind.", "from": []}]), "conduct.0.from: "),
    ],
)
def test_wrong_form(tmp_path: Path, changed: Content, expected: str) -> None:
    assert expected in complaint(tmp_path, changed)


# --- groups of directions


@pytest.mark.parametrize(
    ("words", "directions"),
    [
        (["diagonals"], ["forward-left", "forward-right", "backward-left", "backward-right"]),
        (["forward-diagonals"], ["forward-left", "forward-right"]),
        (["backward-diagonals"], ["backward-left", "backward-right"]),
        (["orthogonals"], ["forward", "left", "right", "backward"]),
        (["backward", "forward-diagonals"], ["forward-left", "forward-right", "backward"]),
        (["right", "backward-diagonals", "left"], ["left", "right", "backward-left", "backward-right"]),
        (["orthogonals", "diagonals"], list(damspec.DIRECTIONS)),
        (["all"], list(damspec.DIRECTIONS)),
    ],
)
def test_groups_of_directions_are_written_out(tmp_path: Path, words: list[str], directions: list[str]) -> None:
    assert load(tmp_path, value("lb", "king.move.directions", words)).values["king.move.directions"] == tuple(
        directions
    )
    sent = damspec.from_values({**damspec.load_ruleset("lb").values, "king.move.directions": words})
    assert sent.values["king.move.directions"] == sent.whole["king.move.directions"] == tuple(directions)
    assert sent.rules.king.move_directions == tuple(directions)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["left", "left"], "rules.man.capture.later.value: "),
        (["all", "all"], "rules.man.capture.later.value: "),
        (["left", "orthogonals"], "rules.man.capture.later: found 'orthogonals' beside 'left', and both name 'left'"),
        (["all", "forward"], "rules.man.capture.later: found 'forward' beside 'all', and both name 'forward'"),
        (
            ["diagonals", "backward-diagonals"],
            "found 'backward-diagonals' beside 'diagonals', and both name",
        ),
        (["forwards"], 'rules.man.capture.later.value.0: found "forwards", expected one of "forward-left"'),
    ],
)
def test_no_direction_is_named_twice(tmp_path: Path, words: list[str], expected: str) -> None:
    assert expected in complaint(tmp_path, value("lb", "man.capture.later", words))
    with pytest.raises(RulesetError) as error:
        damspec.from_values({**damspec.load_ruleset("lb").values, "man.capture.later": words}, "mine")
    assert str(error.value).startswith("rules sent whole for 'mine': rules.man.capture.later")
    assert "\n" not in str(error.value)


def test_a_reading_may_set_groups_of_directions() -> None:
    assert damspec.load_ruleset("vl?second-jump=of-the-game").values["man.capture.first"] == (
        "forward-left",
        "forward-right",
        "backward-left",
        "backward-right",
    )


MOST: Content = {"capture__choice": ["most-pieces"], "capture__binds": "path"}


@pytest.mark.parametrize(
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
        (without("vl", "capture.binds"), "rules.capture.binds: missing, expected exactly if capture.choice"),
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
        (without("de", "ending.blocked"), "rules.ending.blocked: missing, expected exactly if capture.duty is 'huff"),
        (
            values("de", huff__offence="no-capture-or-unfinished", capture__completion="may-stop"),
            "rules.huff.offence: found 'no-capture-or-unfinished' with capture.completion 'may-stop'",
        ),
        (
            value("nl-trapdoor", "capture.duty", "compulsory-for-men"),
            "rules.capture.duty: found 'compulsory-for-men' with a spinner, which a capture has to come before",
        ),
        (
            value("lb", "promotion.return", "crowned"),
            "rules.promotion.return: found \"crowned\", expected exactly if promotion.mid-capture is 'as-man'",
        ),
        (without("vl", "promotion.return"), "rules.promotion.return: missing, expected exactly if promotion"),
        (
            value("lb", "ending.order", "losses-first"),
            'rules.ending.order: found "losses-first", expected exactly if ending.draws is not empty',
        ),
        (without("vl", "ending.order"), "rules.ending.order: missing, expected exactly if ending.draws is not empty"),
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
            values("lb", king__capture__landing="continuing", capture__completion="may-stop"),
            "rules.king.capture.landing: found 'continuing' with capture.completion 'may-stop'",
        ),
        (value("lb", "start.men", 4), "rules.start.men: found 4 rows a side, expected at most 3 on 8 rows"),
        (
            values("lb", board__size="3x3", start__men=1, promotion__rows=3),
            "rules.start.men: white men on their own crownhead: [4, 5]",
        ),
        (
            value("lb", "start.men", {"white": [30, 31], "black": [30]}),
            "rules.start.men: squares of both sides: [30]",
        ),
        (
            value("lb", "start.men", {"white": [1, 30], "black": [3]}),
            "rules.start.men: white men on their own crownhead: [1]",
        ),
        (
            value("lb", "start.men", {"white": [30], "black": [3, 29, 32]}),
            "rules.start.men: black men on their own crownhead: [29, 32]",
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
        (child("vl", ending__draws=[]), 'rules.ending.order: found "losses-first", expected exactly if ending.draws'),
        (child("vl", ending__order=None), "rules.ending.order: missing, expected exactly if ending.draws is not empty"),
        (child("vl", man__move__reach=None), "rules.man.move.reach.value: found null"),
    ],
)
def test_bad_extending(tmp_path: Path, changed: Content, expected: str) -> None:
    assert expected in complaint(tmp_path, changed)


# --- rules sent whole


def test_bare_values() -> None:
    ruleset = damspec.from_values(ENGLISH, "sent")
    assert (ruleset.id, ruleset.conduct, ruleset.documents) == ("sent", (), ())
    assert ruleset.values == frozen(ENGLISH)
    assert damspec.perft(ruleset, "start", 4) == 1469
    assert damspec.from_values({**ENGLISH, "capture.binds": None}).values == frozen(ENGLISH)


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
    with pytest.raises(RulesetError) as error:
        damspec.from_values(sent, "sent")
    assert str(error.value).startswith(f"rules sent whole for 'sent': {expected}")
    assert "\n" not in str(error.value)


def test_a_file_has_the_readings_of_what_it_extends(tmp_path: Path) -> None:
    """Those of its parent can be asked for by the file's name; what it says itself stands."""
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump(child("vl", promotion__rows=2)), encoding="utf-8")
    mine = damspec.load_ruleset(str(path))
    assert mine.readings == damspec.load_ruleset("vl").readings
    under = damspec.load_ruleset(f"{path}?one-each=unless-capture")
    assert under.values == mine.under("one-each=unless-capture").values
    assert under.values["ending.draws"] == damspec.load_ruleset("vl?one-each=unless-capture").values["ending.draws"]
    assert under.values["promotion.rows"] == 2
    with pytest.raises(damspec.RulesetError, match="mine has no reading 'one-eich'; did you mean 'one-each'"):
        mine.under("one-eich=draw")


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
    under = damspec.load_ruleset(f"{my.path}?my-landing=any")
    assert under == my.under("my-landing=any") == my.alternatives["my-landing=any"]
    assert (under.id, under.values["king.capture.landing"]) == ("my?my-landing=any", "any")
    assert reading not in damspec.load_readings()


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
    my = load(tmp_path, own(rules={"king.capture.landing": {"value": "continuing"}}))
    assert "completion=may-stop" in damspec.load_ruleset("vl").alternatives
    assert "completion=may-stop" not in my.alternatives
    assert "one-each=unless-capture" in my.alternatives


def test_a_file_with_the_id_of_a_shipped_one_is_itself_under_a_reading(tmp_path: Path) -> None:
    twin = load(tmp_path, value("vl", "promotion.rows", 2))
    assert twin.under("one-each=unless-capture").values["promotion.rows"] == 2
