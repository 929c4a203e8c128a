"""`damspec diff`: the rules that differ with boards side by side, its JSON, and one line for bad input."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest
import yaml

import damspec
from damspec_runner.document import compare, smallest
from damspec_runner.document.smallest import SearchLimits, SmallestSearch
from damspec_runner.mutants.ruleset_diff import rule_differences
from runner_fixtures import damspec as run
from runner_fixtures import printed, printed_json, refused


def test_boards_side_by_side() -> None:
    out = printed("diff", "nl-trapdoor", "fr-trapdoor")
    lines = out.splitlines()
    assert lines[0] == "nl-trapdoor and fr-trapdoor: 1 rule differs"
    assert ["capture.removal", "at-once", "at-end"] in [line.split() for line in lines]
    assert any(line.startswith("  nl-trapdoor: at-once – ") for line in lines)
    assert any("nl-031 (nl, line " in line for line in lines)
    captions = ["nl-trapdoor:", "10x1x28,", "10x28x1", "fr-trapdoor:", "10x1,", "10x28"]
    assert captions in [line.split() for line in lines]
    assert any(line.count("1   ") == 2 for line in lines)
    assert "(3 pieces, proved: all 476,820 with fewer tried)" in out


def test_no_boards() -> None:
    ran = run("diff", "de", "lb", "--no-boards")
    assert "White to move" not in ran.out
    assert "(lapse)" in ran.out
    assert "de, lb: lb has no huffing, see capture.duty." in ran.out
    assert "no position shows it: A short jump" in ran.out


def test_what_is_apart_on_one_board() -> None:
    ran = run("diff", "vl", "international", "--rules", "man.capture.later", "--rules", "ending.draws")
    assert ran.out.startswith("vl and international: 6 rules differ, on 8x8\n")
    assert "\nAll are compared on a board of 8x8, apart from board.size, start.men.\n" in ran.out
    rows = [line.split() for line in ran.out.splitlines()]
    assert ["board.size", "8x8", "10x10"] in rows
    assert "  vl, international: [forward-left, forward-right, backward-left, backward-right] – " in ran.out
    assert "draw (one-piece-each)" in ran.out
    assert "man.capture.first" not in ran.out


def test_rulesets_that_play_alike() -> None:
    assert run("diff", "lb", "lb?draws=none").out == "lb and lb?draws=none: no rule differs\n"


def test_what_shows_only_in_games_is_not_looked_for_in_positions() -> None:
    """The Luxembourgish page has the American rules but for the draws, of which it does not speak."""
    ran = run("diff", "lb", "english")
    lines = ran.out.splitlines()
    assert lines[0] == "lb and english: 2 rules differ"
    headings = [line.partition(":")[0] for line in lines if line.startswith("draws.")]
    assert headings == ["draws.repetition", "draws.king-moves"]
    assert lines.count("lb, english: it shows only in games, not in a position.") == 2
    assert "pieces" not in ran.out


@pytest.mark.parametrize(
    "names",
    [("vl", "international"), ("nl-trapdoor", "fr-trapdoor", "vl", "de"), ("international", "de"), ("lb", "english")],
)
def test_json_has_its_form(names: tuple[str, ...]) -> None:
    document = printed_json("diff", "diff", *names, "--json")
    rules = [one["rule"] for one in document["differences"]]
    assert rules == [one.rule for one in rule_differences([damspec.load_ruleset(name) for name in names])]
    for one in document["differences"]:
        assert sorted(name for value in one["values"] for name in value["rulesets"]) == sorted(names)
        number = len(one["values"])
        assert len(one["shown"]) == number * (number - 1) // 2
        for shown in one["shown"]:
            if "answers" in shown:
                left, right = shown["answers"].values()
                assert left != right


def test_three_with_a_position_for_each_two_values() -> None:
    out = run("diff", "vl", "brazilian", "russian", "--rules", "king.capture.finish").out
    assert "  vl, brazilian: there is no such rule." in out
    assert "\nbrazilian, russian: " in out or "\nvl, russian: " in out


def test_a_ruleset_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    rules = {"king.move.reach": {"value": "any", "from": ["lb-018"]}}
    content = {"damspec": 1, "id": "mine", "name": "mine", "about": "mine", "documents": ["lb"], "extends": "lb"}
    file.write_text(yaml.safe_dump({**content, "rules": rules}))
    (one,) = json.loads(printed("diff", "lb", str(file), "--json"))["differences"]
    assert (one["rule"], one["shown"][0]["pieces"], one["shown"][0]["minimal"]) == ("king.move.reach", 1, True)


def test_the_nearest_games(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    content = {"damspec": 1, "id": "mine", "name": "mine", "about": "mine", "extends": "vl"}
    for rules, expected in (
        ({"king.capture.landing": {"value": "behind"}}, "vl: 1 rule differs: king.capture.landing"),
        ({}, "vl: no rule differs"),
    ):
        file.write_text(yaml.safe_dump({**content, "rules": rules}))
        first, *others = run("diff", str(file), "--nearest").out.splitlines()
        assert first == expected
        assert len(others) == 2
    (first, *_) = run("diff", "russian", "--nearest").out.splitlines()
    assert first == "spantsiretti: 2 rules differ: board.size, draws.main-road"


def test_of_as_many_rules_those_are_nearer_that_change_fewer_answers() -> None:
    assert run("diff", "fr-trapdoor", "--nearest").out.splitlines() == [
        "nl-trapdoor: 1 rule differs: capture.removal",
        "fr-trapdoor-dual: 1 rule differs: spin.outcomes",
        "fr-trapdoor-close: 1 rule differs: trapdoors.closing",
    ]


BAD = {
    "": "found no rulesets, expected two or more to compare",
    "vl": "found 1 ruleset, expected two or more to compare",
    "vl lb vl": "found 'vl' twice, expected different rulesets",
    "vl russain": "unknown ruleset 'russain'; did you mean 'russian'?",
    "vl lb --rules capture.choice,capture.remove": "--rules: no rule 'capture.remove'",
    "vl lb --rules huff.*": "--rules: none of vl, lb has huff.*",
    "vl nowhere.yaml": "nowhere.yaml",
    "vl lb --nearest": "--nearest: expected one ruleset and no other option",
    "vl --nearest --json": "--nearest: expected one ruleset and no other option",
}


@pytest.mark.parametrize("line", BAD)
def test_bad_options_are_told_in_one_line(line: str) -> None:
    assert BAD[line] in refused("diff", *line.split())


def test_interrupted_on_the_command_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(self: SmallestSearch, candidates: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(SmallestSearch, "try_positions", stop)
    monkeypatch.setattr(compare, "search", partial(compare.search, limits=SearchLimits(moves=2)))
    monkeypatch.setattr(smallest, "is_available", lambda: False)
    ran = run("diff", "vl", "vl?king-capture=directly-behind&priority=mixed-only", "--no-boards")
    assert (ran.status, ran.complaint) == (130, "damspec: interrupted: not all positions were tried")
    assert "(2 pieces, proved: all 120 with fewer tried)" in ran.out
    assert "none found among all 7,092 positions with fewer than 3 pieces" in ran.out


def test_the_first_clauses_of_a_reading_are_cited_with_the_command_that_lists_all() -> None:
    """On a terminal; what is published cites all, and so does the explanation of the reading."""
    clauses = next(reading for reading in damspec.load_readings() if reading.id == "NAT-04").clauses
    asked = ("diff", "vl", "russian", "--rules", "ending.draws", "--no-boards")
    text, published = run(*asked).out, run(*asked, "--format", "html").out
    assert f"{clauses[7]} (" in text
    assert f" and {len(clauses) - 8} more, which damspec explain NAT-04 --all lists)" in text
    assert clauses[8] not in text
    assert all(f"<code>{id}</code>" in published for id in clauses)


def test_each_ruleset_stands_with_its_documents() -> None:
    lines = run("diff", "vl", "kenyan", "--no-boards", "--no-search").out.splitlines()
    for id in ("vl", "kenyan"):
        ruleset = damspec.load_ruleset(id)
        documents = f" ({', '.join(ruleset.documents)})" if ruleset.documents else ""
        assert f"  {id}: {ruleset.name}{documents}" in lines
