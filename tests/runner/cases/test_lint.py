"""Nothing that can be wrong with the cases escapes the linter."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from damspec import data, load_ruleset
from damspec_runner.cases import lint
from damspec_runner.cases.case_files import read_case_files
from damspec_runner.cases.cases import cases_folder
from ruleset_files import data_root
from runner_fixtures import damspec


@pytest.mark.thorough
def test_of_the_folder_of_cases_only_cases_are_read(tmp_path: Path) -> None:
    """What a program recorded lies there too, and lists of published counts and cases that are set aside."""
    shipped, here = cases_folder(), tmp_path / "cases"
    for name in ("lb", "generated/perft"):
        shutil.copytree(shipped / name, here / name)
    for path in shipped.glob("*.yaml"):
        shutil.copy(path, here)
    for name in ("schemas", "spec"):
        (tmp_path / name).symlink_to(data.root() / name)
    with data_root(tmp_path):
        cases = read_case_files(sorted((here / "lb").iterdir()))
        assert [*map(repr, read_case_files([here]))] == [*map(repr, cases)] != []


@pytest.mark.thorough
def test_nothing_is_wrong() -> None:
    assert lint.lint() == []


def test_clauses_and_readings_name_each_other_and_every_alternative_can_be_played(tmp_path: Path) -> None:
    for name in ("schemas", "spec"):
        shutil.copytree(data.root() / name, tmp_path / name)
    for path, old, new in (
        ("sources/vl.yaml", "[VL-02, VL-04, VL-05, VL-06]", "[VL-02, VL-06, VL-14, VL-55]"),
        ("readings/vl.yaml", "{capture.choice: [multiple-before-single]}", "{capture.choice: []}"),
        ("readings/vl.yaml", "{capture.binds: piece}", "{capture.binds: piece, capture.choice: []}"),
    ):
        file = tmp_path / "spec" / path
        text = file.read_text(encoding="utf-8")
        assert text.count(old) == 1
        file.write_text(text.replace(old, new), encoding="utf-8")
    with data_root(tmp_path):
        assert [*lint.lint_sources()] == [
            "spec/sources/vl.yaml: vl-027.readings: missing VL-04, whose clauses name it",
            "spec/sources/vl.yaml: vl-027.readings: missing VL-05, whose clauses name it",
            "spec/sources/vl.yaml: vl-027.readings: found VL-14, whose clauses do not name it",
            "spec/sources/vl.yaml: vl-027.readings: no reading 'VL-55'; did you mean 'VL-15'?",
            'spec/rulesets/vl.yaml under ?binds=piece: rules.capture.binds: found "piece",'
            " expected exactly if capture.choice is not empty",
        ]
        free = load_ruleset("vl?priority=multiple-first")
        assert free.values["capture.choice"] == ()
        assert "capture.binds" not in free.values


Entry = dict[str, Any]

GOOD: Entry = {
    "id": "vl.choice.two-before-one",
    "why": "One disc can take two, the other one: the greater number goes first.",
    "clauses": ["vl-027"],
    "readings": ["VL-04"],
    "position": "W:W28,29:B18,24,25",
    "moves": {"29x22x15": "B:W15,28:B24"},
    "otherwise": {"priority=mixed-only": {"moves": {"29x22x15": "B:W15,28:B24", "28x19": "B:W19,29:B18,25"}}},
}
PLAIN: Entry = {key: one for key, one in GOOD.items() if key != "otherwise"}
ENDED: Entry = {
    "id": "vl.choice.an-end",
    "why": "Both sides have one piece left.",
    "clauses": ["vl-033"],
    "position": "W:W22:B18",
    "outcome": {"result": "draw", "reason": "one-piece-each"},
}
LASTED: Entry = {
    "id": "vl.choice.there-and-back",
    "why": "The kings have gone to and fro, and the text counts nothing.",
    "clauses": ["vl-033"],
    "position": "W:WK32,K31:BK1",
    "history": ["32-28", "1-5", "28-32", "5-1"],
    "outcome": {"result": "ongoing"},
}
ROUND: Entry = {
    "id": "vl.choice.round",
    "why": "Either way round is the same capture.",
    "clauses": ["vl-013"],
    "position": "W:W22:B9,10,17,18",
    "moves": {"22x13x6x15x22": "B:W22:B"},
}


def planted(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    *entries: Entry,
    place: str = "vl/choice.yaml",
    ruleset: str = "vl",
    topic: str = "choice",
) -> list[str]:
    """What the linter says of a folder with these cases alone."""
    path = folder / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        yaml.safe_dump({"ruleset": ruleset, "topic": topic, "cases": list(entries)}, allow_unicode=True),
        encoding="utf-8",
    )
    monkeypatch.setattr(lint, "cases_folder", lambda: folder)
    return lint.lint_folder()


def test_good_cases_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert planted(tmp_path, monkeypatch, GOOD, ENDED, ROUND, LASTED) == []


def test_a_file_may_leave_the_topics_to_the_ids(tmp_path: Path) -> None:
    """A case that is reached from the start by one step; what Black can do then is no matter to the linter."""
    reached = PLAIN | {
        "id": "vl.man-move.after-a-step",
        "position": "B:W17,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
        "moves": {},
        "reached": ["21-17"],
    }
    file = tmp_path / "mine.yaml"
    file.write_text(yaml.safe_dump({"ruleset": "vl", "cases": [GOOD, ENDED, reached]}), encoding="utf-8")
    assert lint.lint_files([file]) == []
    strange = GOOD | {"id": "vl.choices.two-before-one"}
    file.write_text(yaml.safe_dump({"ruleset": "vl", "cases": [strange]}), encoding="utf-8")
    (line,) = lint.lint_files([file])
    assert ": vl.choices.two-before-one: found the topic 'choices' in the id, expected one of start, man-move," in line


def test_cases_of_rules_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What `generate` writes for a ruleset of a file is linted and bundled by it; without it, one line says so."""
    monkeypatch.chdir(tmp_path)
    mine = "{damspec: 1, id: mine, name: M, about: M., extends: vl, rules: {king.move.reach: {value: 1}}}"
    (tmp_path / "mine.yaml").write_text(mine, encoding="utf-8")
    asked = ("generate", "mine.yaml", "--exercise", "king.move.reach", "-n", "2", "--no-otherwise")
    assert damspec(*asked, "--format", "cases", "-o", "found.yaml").status == 0
    unknown = "unknown ruleset 'mine', expected its file as --ruleset FILE"
    assert damspec("cases", "lint", "found.yaml").out == f"found.yaml: {unknown}\n"
    assert damspec("cases", "lint", "found.yaml", "--ruleset", "mine.yaml").out == "2 cases, nothing wrong\n"
    assert damspec("cases", "bundle", "found.yaml", "-o", "all.json").err == f"damspec: {unknown}\n"
    assert damspec("cases", "bundle", "found.yaml", "-o", "all.json", "--ruleset", "mine.yaml").status == 0
    bundle = json.loads((tmp_path / "all.json").read_text(encoding="utf-8"))
    assert bundle["rulesets"]["mine"]["king.move.reach"] == 1
    assert [case["rulesets"] for case in bundle["cases"] if "reading" not in case] == [["mine"], ["mine"]]


def moved(moves: dict[str, str]) -> Entry:
    return PLAIN | {"moves": moves}


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ({key: one for key, one in GOOD.items() if key != "why"}, "cases.0: missing 'why'"),
        (GOOD | {"comment": "x"}, 'cases.0: unknown key "comment"'),
        (GOOD | {"why": "x" * 160 + "."}, "cases.0.why: 161 characters, expected at most 160"),
        (GOOD | {"why": "It lands on f5."}, "why: found 'f5', which reads like a square and is none of the board"),
        (GOOD | {"why": "No full stop"}, "why: 'No full stop' does not end with a full stop"),
        (GOOD | {"why": "There are two\nlines of it."}, "why: expected one line"),
        (GOOD | {"id": "vl.duty.two"}, "found id 'vl.duty.two', expected it to begin with 'vl.choice.'"),
        (GOOD | {"id": "vl.choice.Two Before"}, "cases.0.id: "),
        (GOOD | {"clauses": []}, "clauses: found none, expected at least one"),
        (GOOD | {"clauses": ["vl-207"]}, "clauses: no clause 'vl-207'; did you mean 'vl-0"),
        (GOOD | {"clauses": ["lb-022"]}, "clauses: lb-022 is a clause of lb, expected one of vl"),
        (GOOD | {"readings": ["VL-04", "VL-99"]}, "readings: vl has no reading 'VL-99'"),
        (GOOD | {"readings": ["VL-04", "LB-01"]}, "readings: vl has no reading 'LB-01'"),
        (GOOD | {"readings": ["VL-05"]}, "'priority=mixed-only' is a reading of VL-04, which the case does not name"),
        (GOOD | {"otherwise": {"priority=no": {"moves": {}}}}, "reading 'priority' of vl has no alternative 'no'"),
        (GOOD | {"otherwise": {"nokey=no": {"moves": {}}}}, "otherwise: vl has no reading 'nokey'"),
        (
            GOOD | {"otherwise": {"priority=mixed-only": {"moves": {"28x19": "B:W19,29:B18,24,25"}}}},
            "otherwise priority=mixed-only: moves: 28x19: the black pieces of B:W19,29:B18,24,25 do not follow",
        ),
        (PLAIN | {"position": "W:W1,28,29:B18"}, "white man on its promotion row: 1, expected a king"),
        (PLAIN | {"position": "W:W:B"}, "no pieces on the board"),
        (PLAIN | {"position": "W:W28,29"}, "expected a FEN like"),
        (
            GOOD | {"reached": ["21-17", "9-14"]},
            "reached: the actions lead to W:W17,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,10,11,12,14, exp",
        ),
        (GOOD | {"reached": ["21-17", "21-17"]}, ": reached, 2: "),
        (GOOD | {"reached": ["21-17", "to 14"]}, "reached, 2: to 14: 'to 14' is no action: expected one like"),
        (LASTED | {"history": ["32-28", "1-9"]}, "there-and-back: history, 2: illegal move '1-9' in B:WK28,K31:BK1"),
        (LASTED | {"history": ["32-28", "to 5"]}, "there-and-back: history, 2: to 5: 'to 5' is no action: expected"),
        (LASTED | {"history": []}, "cases.0.history: "),
        (PLAIN | {"history": ["29x22x15"]}, "cases.0: "),
        (LASTED | {"outcome": {"result": "draw", "reason": "repetition"}}, "outcome: found reason 'repetition', exp"),
        (ENDED | {"outcome": {"result": "draw", "reason": "boredom"}}, "outcome: found reason 'boredom', expected"),
        (ENDED | {"outcome": {"result": "draw"}}, "outcome: found reason None, expected one of"),
        (ENDED | {"outcome": {"result": "ongoing", "reason": "no-moves"}}, "outcome: an ongoing game has no reason"),
        (ENDED | {"outcome": {"result": "lost"}}, "cases.0.outcome.result: "),
        (ENDED | {"moves": {}}, "cases.0: "),
        (moved({"29to15": "B:W15,28:B24"}), "moves: 29to15: '29to15' is no action: expected one like"),
        (moved({"29x22x15": "nonsense"}), "moves: 29x22x15: position 'nonsense': expected a FEN like"),
        (moved({"29x15": "B:W15,28:B24"}), "moves: 29x15: not every jump passes over an enemy piece"),
        (moved({"29x21": "B:W21,28:B18,24,25"}), "moves: 29x21: not every jump passes over an enemy piece"),
        (moved({"29x22x15": "W:W15,28:B24"}), "W:W15,28:B24 has white to move, expected black"),
        (moved({"30-26": "B:W26,28,29:B18,24,25"}), "moves: 30-26: no white piece on 30"),
        (moved({"29x22x15": "B:W11,28:B24"}), "moves: 29x22x15: the white pieces of B:W11,28:B24 do not follow"),
        (moved({"29x22x15": "B:W15,28:B24,25"}), "moves: 29x22x15: the black pieces of B:W15,28:B24,25 do not follow"),
        (moved({"29x22x15": "B:W15,28:BK24"}), "moves: 29x22x15: the black pieces of B:W15,28:BK24 do not follow"),
        (
            ROUND | {"moves": {"22x13x6x15x22": "B:W22:B", "22x15x6x13x22": "B:W22:B"}},
            "moves: 22x15x6x13x22: the same move is listed before, by another path",
        ),
    ],
)  # fmt: skip
def test_faults_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, entry: Entry, expected: str) -> None:
    (line,) = planted(tmp_path, monkeypatch, entry)
    assert expected in line
    assert line.startswith(str(tmp_path / "vl" / "choice.yaml"))
    assert "\n" not in line


def test_ids_used_twice_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert planted(tmp_path, monkeypatch, GOOD, ENDED, GOOD) == [f"{GOOD['id']}: the id is used twice"]


@pytest.mark.parametrize(
    ("place", "ruleset", "topic", "expected"),
    [
        ("lb/choice.yaml", "vl", "choice", "ruleset: found 'vl', expected 'lb' as the file's place says"),
        ("vl/duty.yaml", "vl", "choice", "topic: found 'choice', expected 'duty' as the file's place says"),
        ("vl/choice.yaml", "vl", "choices", 'topic: found "choices", expected one of'),
        ("vx/choice.yaml", "vx", "choice", "unknown ruleset 'vx'"),
    ],
)
def test_files_out_of_place_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str, ruleset: str, topic: str, expected: str
) -> None:
    (line,) = planted(tmp_path, monkeypatch, ENDED, place=place, ruleset=ruleset, topic=topic)
    assert expected in line


def test_files_that_cannot_be_read_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planted(tmp_path, monkeypatch, GOOD)
    (tmp_path / "vl" / "duty.yaml").write_text("cases: [", encoding="utf-8")
    (line,) = lint.lint_folder()
    assert line.startswith(f"{tmp_path / 'vl' / 'duty.yaml'}:")
    assert "not valid YAML: " in line


@pytest.mark.parametrize(
    ("ruleset", "because", "pattern", "expected"),
    [
        ("nl-trapdoor-american", "Black begins.", "nl-trapdoor.start.*", None),
        (
            "nl-trapdoor-american",
            "Black begins.",
            "nl-trapdoor.strat.*",
            "'nl-trapdoor.strat.*' is no case of a ruleset",
        ),
        ("nl-trapdoor", "Black begins.", "nl-trapdoor.start.*", "no case of a ruleset that nl-trapdoor extends"),
        ("nl-trapdoor-us", "Black begins.", "*", "unknown ruleset 'nl-trapdoor-us'; did you mean 'nl-trapdoor"),
        ("nl-trapdoor-american", "Black begins", "*.start.*", "'Black begins' does not end with a full stop"),
        ("nl-trapdoor-american", "", "*", "inherited.yaml: without.nl-trapdoor-american.0.because: "),
    ],
)
def test_what_is_set_aside_from_inheriting_is_linted(
    ruleset: str, because: str, pattern: str, expected: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = {"without": {ruleset: [{"because": because, "cases": [pattern]}]}}
    (tmp_path / "inherited.yaml").write_text(yaml.safe_dump(entry), encoding="utf-8")
    case: Entry = {
        "id": "nl-trapdoor.start.white-captures",
        "why": "White is to move, and can capture.",
        "clauses": ["nl-012"],
        "position": "W:W21:B17",
        "moves": {"21x14": "B:W14:B"},
    }
    place = {"place": "nl-trapdoor/start.yaml", "ruleset": "nl-trapdoor", "topic": "start"}
    found = planted(tmp_path, monkeypatch, case, **place)
    assert len(found) == (expected is not None), found
    assert not expected or expected in found[0]
