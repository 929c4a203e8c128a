"""Files that extend files and overlays, and overlays put on files: each form by hand, and each mistake in one line."""

from __future__ import annotations

import pickle
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import damspec
from damspec import DamspecError, RulesetError, data
from damspec.inheritance import RulesetName, check_shipped, stated_rules
from damspec.pdn.games import ruleset_for
from damspec.pdn.parser import read_records
from damspec.readings import load_clauses
from damspec.ruleset import load_source
from damspec_runner.cases.cases import adapted_cases, cases_for, cases_of
from damspec_runner.document.links import Links
from damspec_runner.verify.report.serialize import read_ruleset, ruleset_entry
from refusals import refusal
from ruleset_files import data_root
from runner_fixtures import printed

VL = damspec.load_ruleset("vl")
READING = """
documents: []
readings:
  - id: HOUSE-01
    key: house-landing
    question: Where does a king land?
    alternatives:
      behind: {says: Behind.}
      any: {says: Anywhere behind., set: {king.capture.landing: any}}
    chosen: behind
    why: So we play.
    confidence: medium
"""
#: A family: `club` builds on `house` and that on `vl`; `give` is international draughts, losing.
FAMILY = {
    "house": ("vl", "{king.capture.landing: {value: behind, from: [HOUSE-01]}}", READING),
    "club": ("house.yaml", "{start.first: {value: black, from: [HOUSE-01]}}", ""),
    "give": ("[international, losing]", "", ""),
    "clubgive": ("[club.yaml, losing]", "", ""),
}


def write(folder: Path, id: str, extends: str, rules: str = "{}", more: str = "", *, file: str = "") -> Path:
    path = folder / f"{file or id}.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"damspec: 1\nid: {id}\nname: {id}\nabout: A.\nextends: {extends}\n{more}\nrules: {rules}\n")
    return path


@pytest.fixture
def family(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the family, which is the current one."""
    monkeypatch.chdir(tmp_path)
    for id, (extends, rules, more) in FAMILY.items():
        write(tmp_path, id, extends, rules, more)
    return tmp_path


def test_a_file_is_read_anew_where_it_or_the_folder_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same name may be another file's, or the same file's with other rules."""
    loaded = []
    for folder, first in (("here", "white"), ("there", "black")):
        (tmp_path / folder).mkdir()
        monkeypatch.chdir(tmp_path / folder)
        write(tmp_path / folder, "mine", "lb", f"{{start.first: {{value: {first}}}}}")
        loaded.append(damspec.load_ruleset_file("mine.yaml").values["start.first"])
    write(tmp_path / "there", "mine", "lb", "{start.first: {value: white}}")
    loaded.append(damspec.load_ruleset_file("mine.yaml").values["start.first"])
    assert loaded == ["white", "black", "white"]


# --- names


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("vl", ("vl", (), "")),
        ("frisian+losing+on-6x6?a=b&c=d", ("frisian", ("losing", "on-6x6"), "a=b&c=d")),
        ("mine.yaml", ("mine.yaml", (), "")),
        ("my+own/mine.yml+losing?a=b", ("my+own/mine.yml", ("losing",), "a=b")),
        ("c++/a+b.yaml", ("c++/a+b.yaml", (), "")),
        ("mine.yaml+", ("mine.yaml", ("",), "")),
    ],
)
def test_the_parts_of_a_name(text: str, parts: tuple[str, tuple[str, ...], str]) -> None:
    found = RulesetName.parse(text)
    assert (found.base, found.overlays, found.query) == parts
    assert found.is_file == (".y" in text)


# --- what a file builds on


def test_a_file_builds_on_a_file(family: Path) -> None:
    """A king takes 9 from 13 and lands behind it, on 6, by `house`; Black begins by `club`."""
    club = damspec.load_ruleset_file("club.yaml")
    assert [str(move) for move in damspec.legal_moves(club, "W:WK13:B9")] == ["13x6"]
    assert club.position().turn == "black"
    assert club.rests_on["start.first"] == ("HOUSE-01",)
    assert (club.id, club.family, club.overlays, club.documents) == ("club", ("vl", "house"), (), ())
    changed = {"king.capture.landing": "behind", "start.first": "black"}
    assert club.values == {**damspec.load_ruleset("vl").values, **changed}


def test_the_path_is_relative_to_the_file(family: Path) -> None:
    top = write(family, "top", "sub/low.yaml")
    write(family, "low", "deep/lowest.yaml", file="sub/low")
    write(family, "lowest", "vl", "{promotion.rows: {value: 2}}", file="sub/deep/lowest")
    assert damspec.load_ruleset_file(str(top)).values["promotion.rows"] == 2


def test_a_file_has_the_readings_of_the_files_it_builds_on(family: Path) -> None:
    for name in ("club.yaml", "clubgive.yaml", "club.yaml+losing"):
        under = damspec.load_ruleset_file(f"{name}?house-landing=any&one-each=unless-capture")
        assert under.values["king.capture.landing"] == "any"
        assert under == damspec.load_ruleset_file(name).with_reading("house-landing=any&one-each=unless-capture")
        assert [reading.id for reading in under.own_readings] == ["HOUSE-01"]


def test_a_file_extends_a_game_and_overlays(family: Path) -> None:
    """Who has nothing left has won; the game is drawn by repetition alone (spec/overlays/losing.yaml)."""
    give, other = damspec.load_ruleset_file("give.yaml"), damspec.load_ruleset("international+losing")
    assert give.values == other.values
    assert give.rests_on == other.rests_on
    assert str(damspec.outcome(give, "W:W:B1")) == "white (no-pieces)"
    assert (give.id, give.family, give.overlays) == ("give", ("international",), ("losing",))
    assert give.documents == ("fmjd", "losing")
    assert not give.shipped


def test_overlays_on_a_file(family: Path) -> None:
    found = damspec.load_ruleset_file("club.yaml+losing+on-12x12?house-landing=any")
    assert found.id == "club+losing+on-12x12?house-landing=any"
    assert (found.source, found.base) == ("club.yaml+losing+on-12x12", "club+losing+on-12x12")
    assert (found.family, found.overlays) == (("vl", "house", "club"), ("losing", "on-12x12"))
    assert (found.values["board.size"], found.values["king.capture.landing"]) == ("12x12", "any")
    assert pickle.loads(pickle.dumps(found)) == found
    assert read_ruleset(ruleset_entry(found)) == found
    assert damspec.load_ruleset_file("club.yaml+losing").values == damspec.load_ruleset_file("clubgive.yaml").values


def test_overlays_count_in_order_and_a_file_after_them(family: Path) -> None:
    write(family, "small", "[english, on-12x12, on-6x6]", "{ending.no-moves: {value: wins}}")
    small = damspec.load_ruleset_file("small.yaml")
    assert (small.values["board.size"], small.values["ending.no-moves"]) == ("6x6", "wins")
    write(family, "old", "[give.yaml]", "{ending.no-pieces: {value: loses}}")
    assert str(damspec.outcome(damspec.load_ruleset_file("old.yaml"), "W:W:B1")) == "black (no-pieces)"
    assert str(damspec.outcome(damspec.load_ruleset_file("old.yaml+losing"), "W:W:B1")) == "white (no-pieces)"


def test_each_overlay_counts_where_it_is_named_last(family: Path) -> None:
    """Both files are losing, so what extends both is, though `vl` comes after the first."""
    write(family, "one", "[vl, losing]")
    write(family, "two", "[lb, losing]")
    write(family, "both", "[one.yaml, two.yaml]")
    assert damspec.load_ruleset_file("both.yaml").values["ending.no-pieces"] == "wins"


def test_rules_that_depend_on_others_follow_file_by_file(family: Path) -> None:
    """`free` has no precedence, so nothing binds; a child that adds one has the value that changes nothing."""
    write(family, "free", "vl", "{capture.choice: {value: []}}")
    write(family, "again", "free.yaml", "{capture.choice: {value: [most-pieces]}}")
    assert "capture.binds" not in damspec.load_ruleset_file("free.yaml").values
    assert damspec.load_ruleset_file("again.yaml").values["capture.binds"] == "path"
    assert damspec.load_ruleset_file("again.yaml").rests_on["capture.binds"] == ()


def test_many_files_that_extend_two_each_are_read_once(family: Path) -> None:
    write(family, "a0", "vl")
    write(family, "b0", "vl")
    for n in range(1, 25):
        for letter in "ab":
            write(family, f"{letter}{n}", f"[a{n - 1}.yaml, b{n - 1}.yaml, losing]")
    began = time.process_time()
    assert len(damspec.load_ruleset_file("a24.yaml").family) == 1 + 2 * 24
    assert time.process_time() - began < 10


# --- what a file confirms


CONFIRMS = "confirms: {man.move.reach king.move.reach: [vl-005, vl-017], capture.duty: [vl-011]}"


def test_a_file_confirms_what_it_inherits_by_its_own_clauses(family: Path) -> None:
    """House has the landing of kings itself, club confirms it, and the rest is of vl."""
    write(family, "mine", "house.yaml", "{start.first: {value: black}, board.size: {value: 8x8}}", CONFIRMS)
    mine, house = damspec.load_ruleset_file("mine.yaml"), damspec.load_ruleset_file("house.yaml")
    assert mine.values == {**house.values, "start.first": "black"}
    assert mine.rests_on["man.move.reach"] == mine.rests_on["king.move.reach"] == ("vl-005", "vl-017")
    assert mine.rests_on["capture.duty"] == ("vl-011",)
    assert mine.rests_on["capture.choice"] == house.rests_on["capture.choice"]
    assert mine.own_rules == {"start.first", "board.size", "man.move.reach", "king.move.reach", "capture.duty"}
    assert pickle.loads(pickle.dumps(mine)) == mine


def test_a_rule_differs_is_confirmed_or_is_only_inherited(family: Path) -> None:
    """What states the parent's value confirms it too; what an overlay or a reading changes differs."""
    rules = "{start.first: {value: black}, board.size: {value: 8x8}, ending.draws: {value: []}}"
    write(family, "mine", "house.yaml", rules, CONFIRMS)
    mine = damspec.load_ruleset_file("mine.yaml")
    found = {rule: mine.provenance(rule) for rule in mine.values}
    assert [rule for rule, each in found.items() if each == "differs"] == ["start.first", "ending.draws"]
    assert {rule for rule, each in found.items() if each == "confirmed"} == {
        "board.size",
        "man.move.reach",
        "king.move.reach",
        "capture.duty",
    }
    assert mine.provenance("king.capture.landing") == "inherited"
    assert mine.provenance("ending.order") == "differs", "gone with the draw by one piece each"
    assert mine.provenance("huff.offence") == "inherited", "in neither"
    losing = damspec.load_ruleset_file("mine.yaml+losing")
    assert [losing.provenance(rule) for rule in ("ending.no-moves", "start.first")] == ["differs", "inherited"]
    other = damspec.load_ruleset("brazilian?origin=occupied")
    assert [other.provenance(rule) for rule in ("capture.origin", "capture.duty")] == ["differs", "confirmed"]
    assert {VL.provenance(rule) for rule in VL.values} == {"differs"}


def test_what_a_file_confirms_is_of_its_own_parents(family: Path) -> None:
    """It counts as a statement where files are combined: `first` has its own word for white, whatever stands before."""
    write(family, "first", "vl", "{}", "confirms: {start.first: [vl-004]}")
    write(family, "second", "vl", "{start.first: {value: black}}")
    for extends, first in (("[first.yaml, second.yaml]", "black"), ("[second.yaml, first.yaml]", "white")):
        write(family, "both", extends)
        assert damspec.load_ruleset_file("both.yaml").values["start.first"] == first


@pytest.mark.parametrize(
    ("confirms", "expected"),
    [
        ("huff.offence: [vl-005]", "confirms: found 'huff.offence', expected a rule of what this file extends"),
        (
            "board.sise: [vl-002]",
            "confirms: found 'board.sise', expected a rule of what this file extends; did you mean",
        ),
        ("start.first: [vl-004]", "confirms.start.first: found in rules already, expected each rule once"),
        (
            "board.size man.move.reach: [vl-005], man.move.reach: [vl-017]",
            "confirms.man.move.reach: found in confirms already, expected each rule once",
        ),
        ("man.move.reach: [vl-905]", "confirms.man.move.reach: found 'vl-905', expected a clause of spec/sources/"),
        ("man.move.reach: [LB-01]", "confirms.man.move.reach: reading LB-01 is about lb, expected one about mine or"),
        ("man.move.reach: []", "confirms.man.move.reach: "),
        ("man.move.reach: vl-005", 'confirms.man.move.reach: found "vl-005", expected a list: ["vl-005"]'),
        (
            "'man.move.reach,board.size': [vl-005]",
            'confirms: found "man.move.reach,board.size", expected a rule, or several with a blank between two',
        ),
        ("[vl-005]", 'confirms: found ["vl-005"], expected object'),
    ],
)
def test_mistakes_of_confirms(family: Path, confirms: str, expected: str) -> None:
    write(
        family,
        "mine",
        "vl",
        "{start.first: {value: black}}",
        f"confirms: {confirms if confirms[0] == '[' else f'{{{confirms}}}'}",
    )
    assert refusal(DamspecError, damspec.load_ruleset_file, "mine.yaml").startswith(f"mine.yaml: {expected}")


def test_a_file_that_extends_nothing_confirms_nothing(family: Path) -> None:
    text = (data.root() / "spec" / "rulesets" / "vl.yaml").read_text(encoding="utf-8").replace("id: vl", "id: mine")
    Path("mine.yaml").write_text(f"{text}\nconfirms: {{board.size: [vl-002]}}\n", encoding="utf-8")
    assert refusal(RulesetError, damspec.load_ruleset_file, "mine.yaml").endswith(
        "confirms: found 'board.size', expected a rule of what this file extends"
    )


# --- mistakes


@pytest.mark.parametrize(
    ("id", "extends", "expected"),
    [
        ("x", "x.yaml", "x.yaml: extends: 'x.yaml' extends itself"),
        ("x", "missing.yaml", "x.yaml: extends: found 'missing.yaml', expected a file: there is no missing.yaml"),
        ("x", "hause.yaml", "there is no hause.yaml; did you mean 'house.yaml'?"),
        ("x", "[vl, hause.yaml]", "x.yaml: extends.1: found 'hause.yaml'"),
        ("x", "none.yaml", 'none.yaml: top level: unknown key "cases"'),
        ("x", "../house.yaml", "x.yaml: extends: found '../house.yaml', expected a file in this one's folder"),
        ("x", "/house.yaml", "x.yaml: extends: found '/house.yaml', expected a file in this one's folder"),
        ("x", "..\\house.yaml", "expected a file in this one's folder or below it"),
        ("x", "C:/house.yaml", "expected a file in this one's folder or below it"),
        ("x", "sub/../../a.yaml", "x.yaml: extends: found 'sub/../../a.yaml', expected a file in this one's folder"),
        ("x", "folder.yaml", "x.yaml: extends: found 'folder.yaml', which is a folder, expected a file"),
        ("x", "folder", "x.yaml: extends: unknown ruleset 'folder', which is a folder; expected the id"),
        ("x", "house", "x.yaml: extends: unknown ruleset 'house'; did you mean the file 'house.yaml'?"),
        ("x", "losing", "x.yaml: extends: found the overlay 'losing', expected a ruleset or a file first"),
        ("x", "[vl, losin]", "x.yaml: extends.1: unknown ruleset or overlay 'losin'; did you mean 'losing'?"),
        ("x", "[vl, losing, lb]", "x.yaml: extends.2: found 'lb' after the overlay 'losing', expected overlays last"),
        ("x", "russian+losing", 'x.yaml: extends: found "russian+losing", expected the id of a ruleset or the path'),
        ("x", "'vl?removal=at-once'", 'x.yaml: extends: found "vl?removal=at-once", expected the id of a ruleset'),
        ("x", "[vl, 'lb+losing']", 'x.yaml: extends.1: found "lb+losing", expected the id of a ruleset or an overlay'),
        ("x", "sub/house.txt", 'x.yaml: extends: found "sub/house.txt", expected the id of a ruleset or the path'),
        ("x", "[]", "x.yaml: extends: "),
        ("house", "house.yaml", "x.yaml: extends: house.yaml and this file have the id 'house', expected one each"),
        ("x", "[house.yaml, twin.yaml]", "x.yaml: extends: house.yaml and twin.yaml have the id 'house'"),
        (
            "x",
            "[house.yaml, rival.yaml]",
            "extends: found two readings called 'HOUSE-01', of rival and of house",
        ),
    ],
)
def test_mistakes_of_extends(family: Path, id: str, extends: str, expected: str) -> None:
    (family / "folder").mkdir()
    (family / "folder.yaml").mkdir()
    (family / "none.yaml").write_text("cases: []\n")
    write(family, "house", "vl", file="twin")
    write(family, "rival", "vl", more=READING)
    write(family, id, extends, file="x")
    said = refusal(DamspecError, damspec.load_ruleset_file, "x.yaml")
    assert expected in said
    assert "armenian" not in said


def test_a_circle_is_named_in_the_file_that_closes_it(family: Path) -> None:
    write(family, "one", "two.yaml")
    write(family, "two", "[vl, three.yaml]")
    write(family, "three", "one.yaml")
    through = "three.yaml: extends: found 'one.yaml', which extends this file through two.yaml, expected one that"
    assert refusal(RulesetError, damspec.load_ruleset_file, "one.yaml") == f"{through} does not"
    assert refusal(RulesetError, damspec.load_ruleset_file, "two.yaml").startswith(
        "one.yaml: extends: found 'two.yaml', which extends this file through"
    )
    write(family, "four", "five.yaml")
    write(family, "five", "four.yaml")
    assert refusal(RulesetError, damspec.load_ruleset_file, "four.yaml").startswith(
        "five.yaml: extends: found 'four.yaml', which extends this file, exp"
    )


def test_a_row_of_too_many_files(family: Path) -> None:
    write(family, "n0", "vl")
    for n in range(1, 150):
        write(family, f"n{n}", f"n{n - 1}.yaml")
    assert "extends: found more than 100 files that extend one another" in refusal(
        RulesetError, damspec.load_ruleset_file, "n149.yaml"
    )


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("house", "unknown ruleset 'house'; did you mean the file 'house.yaml'?"),
        ("./house.txt", "unknown ruleset './house.txt', expected the id of a ruleset, or the path of a file that ends"),
        ("../armenia", "unknown ruleset '../armenia', expected the id of a ruleset, or the path of a file that ends"),
        ("losing", "unknown ruleset 'losing', which is an overlay; expected a ruleset before it: RULESET+losing"),
        ("mein", "unknown ruleset 'mein'"),
        ("house.yaml+losin", "unknown overlay 'losin'; did you mean 'losing'?"),
        ("house.yaml+", "unknown overlay ''; there is breakthrough"),
        ("house.yaml+losing+losing", "found 'losing+losing', which gives overlay 'losing' twice"),
        ("house.yaml+club.yaml", "found 'club.yaml' after +, expected an overlay (breakthrough, losing, "),
        ("nowhere.yaml+losing", "nowhere.yaml: cannot be read: No such file"),
        ("nowhere.yaml+club.yaml", "nowhere.yaml+club.yaml: cannot be read: No such file"),
        ("house.yaml+losing?x=y", "house+losing has no reading 'x'"),
        ("x" * 5000, "unknown ruleset 'xxx"),
        ("a\0b", "unknown ruleset"),
    ],
)
def test_mistakes_of_names(family: Path, name: str, expected: str) -> None:
    said = refusal(DamspecError, load_source, name)
    assert said.startswith(expected)
    assert "did you mean 'armenian'" not in said


@pytest.mark.parametrize("name", ["house", "house.yaml", "./house.yaml", "folder", "house.yaml+losing?x=y"])
def test_a_name_is_answered_alike_whatever_files_there_are(
    family: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A service may pass on what strangers type: neither files nor what is in them can be found out."""
    (family / "folder").mkdir()
    (family / "empty").mkdir()
    there = refusal(RulesetError, damspec.load_ruleset, name)
    assert there == refusal(RulesetError, damspec.Game, name)
    monkeypatch.chdir(family / "empty")
    assert there == refusal(RulesetError, damspec.load_ruleset, name)
    assert there.startswith("unknown ruleset '")


def test_a_file_is_loaded_by_its_path(family: Path) -> None:
    assert damspec.load_ruleset_file(family / "club.yaml") == load_source(str(family / "club.yaml"))
    for word in ("vl", "house", "./house.txt"):
        assert refusal(RulesetError, damspec.load_ruleset_file, word) == (
            f"found {word!r}, expected the path of a file that ends in .yaml or .yml"
        )
    wrong: Any = 5
    assert refusal(TypeError, damspec.load_ruleset_file, wrong) == "path: found 5, expected the path of a ruleset file"


def test_the_repr_loads_the_same(family: Path) -> None:
    for name in ("club.yaml", "club.yaml+losing?house-landing=any", "vl", "vl+losing?one-each=unless-capture"):
        ruleset = load_source(name)
        assert eval(repr(ruleset), {"damspec": damspec}) == ruleset


def test_a_contradiction_names_file_and_overlay(family: Path) -> None:
    write(family, "doors", "nl-trapdoor")
    with pytest.raises(DamspecError, match="board: found 8x8, expected 6x6"):
        _ = damspec.load_ruleset_file("doors.yaml+on-6x6").rules
    write(family, "both", "vl", "{capture.choice: {value: [most-pieces, multiple-before-single]}}")
    assert refusal(RulesetError, damspec.load_ruleset_file, "both.yaml+losing").startswith(
        "both.yaml+losing: rules.capture.choice: found 'multiple-before"
    )


def test_a_game_that_names_a_file_is_no_reason_to_read_it(family: Path) -> None:
    (record,) = read_records('[Ruleset "club.yaml+losing"]\n\n*\n')
    assert "the ruleset has to be given" in refusal(damspec.PdnError, ruleset_for, record)


# --- commands and cases


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["moves", "club.yaml+losing", "W:WK13:B9"], "13x6\n"),
        (["moves", "club.yaml+losing?house-landing=any", "W:WK13:B9"], "13x2\n13x6\n"),
        (["outcome", "clubgive.yaml", "W:W:B1"], "white (no-pieces)\n"),
        (["play", "club.yaml+losing", "W:WK13:B9", "13x6"], "B:WK6:B\n"),
        # six men in front on twelve columns: two moves each, but for one at the edge
        (["perft", "house.yaml+on-12x12", "--depth", "1"], "1 11\n"),
        (["diff", "club.yaml+losing", "clubgive.yaml"], "club.yaml+losing and clubgive.yaml: no rule differs\n"),
    ],
)
def test_commands(family: Path, words: list[str], expected: str) -> None:
    assert printed(*words) == expected


@pytest.mark.thorough
def test_explain_has_the_readings_of_a_family(family: Path) -> None:
    assert "HOUSE-01 house-landing (medium): Where does a king land?" in printed("explain", "club.yaml+losing")


@pytest.mark.thorough
def test_cases_are_inherited_through_a_family(family: Path) -> None:
    """Those of `vl` by the file's rules, and for a game with an overlay those that people derived for both."""
    club = damspec.load_ruleset_file("club.yaml+losing")
    assert {case.ruleset for case in cases_for(club)} == {"vl"}
    assert any(id.endswith("@club+losing") for id in adapted_cases(club).answered)
    give = {case.id: case for case in cases_for(damspec.load_ruleset_file("give.yaml"))}
    for case in cases_of("international+losing"):
        assert give[case.id].expected == case.expected


# --- shipped


SHIPPED = """\
damspec: 1
id: giveaway
name: Giveaway
about: International draughts, losing.
extends: [international, losing]
documents: [losing, fmjd]

rules:
"""


@pytest.fixture
def spec(tmp_path: Path) -> Iterator[Path]:
    """A copy of spec/ with one more ruleset; nothing of it is remembered afterwards."""
    real = data.root()
    for name in ("spec", "schemas"):
        shutil.copytree(real / name, tmp_path / name)
    for name in ("international", "international+losing"):
        shutil.copytree(real / "cases" / name, tmp_path / "cases" / name)
    (tmp_path / "spec" / "rulesets" / "giveaway.yaml").write_text(SHIPPED)
    with data_root(tmp_path):
        yield tmp_path / "spec"


def test_a_shipped_game_under_its_own_name_is_a_game_and_an_overlay(spec: Path) -> None:
    check_shipped()
    found, other = damspec.load_ruleset("giveaway"), damspec.load_ruleset("international+losing")
    assert (found.values, found.rests_on) == (other.values, other.rests_on)
    assert (found.shipped, found.family, found.overlays) == (True, ("international",), ("losing",))
    assert {"ending.no-pieces", "draws.repetition"} <= stated_rules("giveaway")
    assert "board.size" not in stated_rules("giveaway")
    assert pickle.loads(pickle.dumps(found)) == found
    linked = Links(load_clauses(), {}, {"giveaway": found}, {})
    assert ("giveaway", "ending.no-pieces", "wins") in linked.values_on["losing-aim"]


def test_its_cases_are_those_of_the_game_and_of_the_game_under_the_overlay(spec: Path) -> None:
    found = cases_for(damspec.load_ruleset("giveaway"))
    assert {case.ruleset for case in found} == {"international", "international+losing"}
    assert not [case.id for case in found if "@" in case.id]


def test_a_shipped_ruleset_states_only_what_differs(spec: Path) -> None:
    path = spec / "rulesets" / "giveaway.yaml"
    path.write_text(f"{SHIPPED}  ending.no-moves: {{value: wins, from: [losing-aim]}}\n")
    expected = 'rules.ending.no-moves: found "wins" as in what it extends, expected it in confirms'
    with pytest.raises(RulesetError, match=rf"^spec/rulesets/giveaway\.yaml: {expected}$"):
        check_shipped()


def test_a_shipped_ruleset_extends_no_file(spec: Path) -> None:
    path = spec / "rulesets" / "giveaway.yaml"
    path.write_text(SHIPPED.replace("[international, losing]", "international.yaml"))
    assert "extends: found 'international.yaml', expected the id of a shipped" in refusal(
        RulesetError, damspec.load_ruleset, "giveaway"
    )
