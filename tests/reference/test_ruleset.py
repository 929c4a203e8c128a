"""Rulesets: loading, readings as overlays, `extends`, and one line naming file and place for whatever is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

import damspec
from damspec import FileError, RulesetError
from damspec.data import freeze
from damspec.rules import expand_directions, rule_names
from refusals import refusal
from ruleset_files import Content, bare, changed_key, complaint, content, load, value, with_from
from runs import for_each
from variants import VARIANTS

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


@for_each("id", damspec.ruleset_ids())
def test_shipped_files_are_written_alike(id: str) -> None:
    """A comment for each document first, the rules in the language's order under their groups, values in one column.

    What it confirms is in that order too, several rules by the same clauses in one line.
    """
    lines = damspec.load_ruleset(id).path.read_text(encoding="utf-8").splitlines()
    head = [line for line in lines[: lines.index("damspec: 1")] if line.startswith("# ")]
    assert [line.rpartition(": ")[2] for line in head] == [
        f"spec/sources/{document}.yaml" for document in damspec.load_ruleset(id).documents
    ]
    keys = [line.partition(":")[0] for line in lines if line and line[0] not in " #"]
    keys_of_a_file = "damspec id name about extends documents gametype rules confirms conduct without-conduct"
    assert keys == [key for key in keys_of_a_file.split() if key in keys]
    rules = list(content(id)["rules"])
    assert rules == sorted(rules, key=rule_names().index)
    column = max(map(len, rule_names())) + 4
    for rule in rules:
        (line,) = [line for line in lines if line.startswith(f"  {rule}:")]
        assert line == f"  {rule}:" or line.startswith(f"  {rule}:".ljust(column) + "{value: "), line
    comments = [line.removeprefix("  # ") for line in lines if line.startswith("  # ")]
    assert len(comments) == len({rule.partition(".")[0] for rule in rules})
    confirmed = [names.split() for names in content(id).get("confirms", {})]
    assert all(
        rules == sorted(rules, key=rule_names().index) for rules in (*confirmed, [first for first, *_ in confirmed])
    )
    assert max(map(len, lines)) <= 120


@pytest.mark.parametrize("id", ["brazilian", "english", "frisian", "international", "italian", "russian"])
def test_the_shipped_values_are_those_of_the_tests(id: str) -> None:
    assert damspec.load_ruleset(id).values == freeze(expand_directions(VARIANTS[id], id))


def test_loaded_once() -> None:
    assert damspec.load_ruleset("lb") is damspec.load_ruleset("lb")


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


@for_each(
    ("name", "message"),
    [
        ("", "unknown ruleset ''"),
        ("englisch", "unknown ruleset 'englisch'; did you mean 'english'?"),
        ("LBB", "unknown ruleset 'LBB'"),
        ("../lb", "unknown ruleset '../lb', expected an id: load_ruleset_file loads a ruleset from a file"),
        ("vl~01523c", "unknown ruleset 'vl~01523c': one made by with_value has to be given itself"),
        ("W:W21:B1", "unknown ruleset 'W:W21:B1', expected its id, and a position after it"),
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
    assert message in refusal(RulesetError, damspec.load_ruleset, name)


def test_readings_that_contradict_each_other(tmp_path: Path) -> None:
    changed = content("vl")
    changed["rules"]["king.capture.finish"] = {"value": "continuing", "from": ["VL-07"]}
    path = tmp_path / "some.yaml"
    path.write_text(yaml.safe_dump(changed), encoding="utf-8")
    assert damspec.load_ruleset_file(str(path)).values["king.capture.finish"] == "continuing"
    assert refusal(RulesetError, damspec.load_ruleset_file, f"{path}?completion=may-stop") == (
        f"{path} under ?completion=may-stop: rules.king.capture.finish: found 'continuing' with capture.completion"
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
        ("\ta: b", "1:1: not valid YAML: found character that cannot start any token: a tab, expected blanks"),
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
        assert refusal(FileError, damspec.load_ruleset_file, path) == f"{path}: cannot be read: {reason}"


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        (changed_key("damspec", 2), "damspec: found 2, expected 1"),
        (
            changed_key("id", "Not An Id"),
            'id: found "Not An Id", expected lower-case letters, digits and hyphens, such as my-checkers',
        ),
        (changed_key("name", 5), "name: found 5, expected string"),
        (changed_key("documents", "lb"), 'documents: found "lb", expected array'),
        (changed_key("ruels", {}), "top level: unknown key \"ruels\"; did you mean 'rules'?"),
        (changed_key("rules", []), "rules: found [], expected object"),
        ({key: one for key, one in content("lb").items() if key != "about"}, "top level: missing 'about'"),
        (value("lb", "man.mov.reach", 1), "rules: unknown key \"man.mov.reach\"; did you mean 'man.move.reach'?"),
        (value("lb", "capture.duty", "strict"), 'rules.capture.duty.value: found "strict", expected one of'),
        (bare("king.move.reach", 1), "rules.king.move.reach: found 1, expected {value: 1}"),
        (bare("capture.duty", "optional"), 'rules.capture.duty: found "optional", expected {value: "optional"}'),
        (bare("capture.choice", ["with-king"]), 'found ["with-king"], expected {value: ["with-king"]}'),
        (bare("draws.endings", {"KvK": 5}), 'found {"KvK": 5}, expected {value: {"KvK": 5}}'),
        (bare("capture.duty", None), "rules.capture.duty: found null, expected {value: ...}"),
        (bare("capture.duty", {"valeu": 1}), "rules.capture.duty: unknown key \"valeu\"; did you mean 'value'?"),
        (bare("capture.duty", {"value": "optional", "why": 1}), 'unknown key "why"; there is from, value'),
        (value("lb", "capture.choice", "with-king"), 'value: found "with-king", expected a list: ["with-king"]'),
        (value("de", "huff.remedies", "huff"), 'rules.huff.remedies.value: found "huff", expected a list: ["huff"]'),
        (bare("capture.duty", {"value": "optional", "from": "lb-1"}), 'from: found "lb-1", expected a list: ["lb-1"]'),
        (
            value("lb", "capture.duty", ["optional"]),
            'rules.capture.duty.value: found ["optional"], expected one of "compulsory", "compulsory-for-men",'
            ' "huffing", "optional", not a list',
        ),
        (value("de", "huff.turn", ["kept"]), 'found ["kept"], expected one of "kept", "spent", not a list'),
        (value("de", "huff.turn", "late"), 'rules.huff.turn.value: found "late", expected one of "kept", "spent"'),
        (value("lb", "start.men", [3]), "rules.start.men.value: found [3], expected integer or object"),
        (value("lb", "man.move.reach", 2), 'rules.man.move.reach.value: found 2, expected one of 1, "any"'),
        (value("lb", "man.move.directions", []), "rules.man.move.directions.value: "),
        (value("lb", "man.move.directions", ["up"]), 'found "up", expected one of "forward-left"'),
        (value("lb", "board.size", "8 by 8"), 'found "8 by 8", expected text such as "8x8", each number from 3 to 26'),
        (value("vl", "draws.endings", {"2v1": 5}), 'found "2v1", expected endgames such as KKvK'),
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
    assert sent.values["king.move.directions"] == sent.inline_values["king.move.directions"] == tuple(directions)
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
    said = refusal(
        RulesetError, damspec.from_values, {**damspec.load_ruleset("lb").values, "man.capture.later": words}, "mine"
    )
    assert said.startswith("rules sent whole for 'mine': rules.man.capture.later")
