"""Generated positions as cases, bundles, lines and JSON: each is valid, and read back by what reads such things."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
import yaml

import damspec
from annotated_positions import answered, played
from damspec import data
from damspec_runner.answers.player import key
from damspec_runner.cases import lint
from damspec_runner.cases.answer import read_key
from damspec_runner.cases.case_files import read_case_files
from damspec_runner.cases.cases import Case, cases_folder, for_ruleset, read_cases
from damspec_runner.generate import formats
from damspec_runner.generate.annotate import Other, Values
from runner_fixtures import damspec as run
from runner_fixtures import refused

#: What a search is asked for, with a line of each kind of ruleset.
ASKED = [
    "vl --exercise capture.choice -n 6",
    "nl-trapdoor --distinguish fr-trapdoor-dual -n 3",
    "de --exercise huff.remedies -n 2",
    *(
        pytest.param(words, marks=pytest.mark.thorough)
        for words in (
            "vl --distinguish brazilian,russian -n 6",
            "nl-trapdoor --exercise ending.both-empty -n 2",
            "lb -n 12",
            "nl-trapdoor-autoclose -n 12",
            "russian --distinguish lb --minimal",
            "english --distinguish vl --reachable -n 3",
        )
    ),
]


def agrees(case: Case) -> None:
    """The reference gives the answers that a case expects, under readings too."""
    for query, expected in {"": case.expected, **case.otherwise}.items():
        ruleset = damspec.load_ruleset(f"{case.ruleset}?{query}" if query else case.ruleset)
        position = ruleset.position(case.position)
        if expected.outcome is not None:
            assert damspec.outcome(ruleset, position).result == expected.outcome.result
            continue
        legal = damspec.legal_moves(ruleset, position)
        assert {read_key(position, text) for text in expected.moves or {}} == set(map(key, legal))
        for action in legal:
            assert damspec.play(ruleset, position, action).fen() == (expected.moves or {})[str(action)]
        if expected.lapses is not None:
            assert {str(lapse) for lapse in legal.lapses} == set(expected.lapses)


@pytest.mark.parametrize("words", ASKED)
def test_cases_are_ready_for_review(words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder of them passes as one of those shipped would."""
    id = words.split()[0]
    ran = run("generate", *words.split(), "-o", str(tmp_path / id))
    assert (ran.status, ran.out) == (0, "")
    monkeypatch.setattr(lint, "cases_folder", lambda: tmp_path)
    assert lint.lint_folder() == []
    for file in (tmp_path / id).iterdir():
        for case in read_cases(file):
            assert case.generated == f"damspec {damspec.__version__}"
            assert bool(case.reached) == ("--reachable" in words)
            agrees(case)


def test_cases_of_several_topics_are_one_document_that_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    out = run("generate", "vl", "-n", "9").out
    file.write_text(out, encoding="utf-8")
    content = yaml.safe_load(out)
    assert "topic" not in content
    assert data.schema_problem(content, "cases") is None
    read = for_ruleset(read_case_files([file]), damspec.load_ruleset("vl"))
    assert len(read) == 9
    assert len({case.topic for case in read}) > 2
    assert run("cases", "lint", str(file)).out == "9 cases, nothing wrong\n"
    assert run("cases", "bundle", str(file), "-o", str(tmp_path / "mine.json")).status == 0
    assert [case.id for case, _ in read_case_files([tmp_path / "mine.json"])] == [case.id for case in read]
    assert run("generate", "vl", "-n", "9", "-o", str(tmp_path / "again.yaml")).out == ""
    assert (tmp_path / "again.yaml").read_text(encoding="utf-8") == out


def test_cases_can_be_pasted_below_those_of_a_file(tmp_path: Path) -> None:
    ran = run("generate", "vl", "--exercise", "capture.choice", "-n", "2")
    head, _, pasted = ran.out.partition("cases:\n")
    assert head == "ruleset: vl\ntopic: choice\n"
    file = tmp_path / "choice.yaml"
    shutil.copy(cases_folder() / "vl" / "choice.yaml", file)
    before = len(read_cases(file))
    file.write_text(f"{file.read_text(encoding='utf-8')}\n{pasted}", encoding="utf-8")
    assert len(read_cases(file)) == before + 2
    assert lint.lint_files([file]) == []


def test_a_case_to_the_letter() -> None:
    """The man on 11 may step to 15 and 16, and with the other directions to what lies around it, or to 19 and 3."""
    head, _, comments = formats.one_file(answered("lb", "B:W20:B11")).partition("    # ")
    assert (
        re.sub("generated-[0-9a-f]{10}", "generated-DIGEST", head)
        == f"""\
ruleset: lb
topic: man-move
cases:
  - id: lb.man-move.generated-DIGEST
    why: The answer shows man.move.directions.
    clauses: [lb-022]
    position: 'B:W20:B11'
    moves:
      11-15: 'W:W20:B15'
      11-16: 'W:W20:B16'
    tags: [generated]
    generated: damspec {damspec.__version__}
"""
    )
    told = comments.splitlines()
    assert told[0] == "with man.move.directions = [forward-right]: not 11-16"
    assert "    # with man.move.directions = [orthogonals]: not 11-15, 11-16; also 11-3, 11-10, 11-12, 11-19" in told
    assert "    # with man.move.reach = any: also 11-18, 11-22, 11-25, 11-29" in told
    assert told[-1] == "    #   (one-piece-each)"
    assert len(told) == 18


@pytest.mark.thorough
def test_the_fewest_pieces_are_told_at_the_head() -> None:
    out = run("generate", "vl", "--distinguish", "brazilian", "--minimal", "--no-otherwise").out
    assert re.match(r"# minimal: 3 pieces, all [\d,]+ positions with fewer were tried\nruleset: vl\n", out)


def test_very_many_cases_are_several_files() -> None:
    three = answered("vl", "W:W26:B1", "W:W27:B1", "W:W28:B1", otherwise=False)
    assert formats.case_files_of(three).keys() == {"man-move.yaml"}
    files = formats.case_files_of(three, most_lines=10)
    assert [*files] == ["man-move.yaml", "man-move-2.yaml", "man-move-3.yaml"]
    assert all(len(yaml.safe_load(text)["cases"]) == 1 for text in files.values())
    assert [formats.too_long("\n" * lines) for lines in (45_000, 45_001)] == [False, True]


def test_a_game_is_kept_as_what_leads_there(tmp_path: Path) -> None:
    one = played("vl", "21-17", "9-14", "17-13")
    text = formats.one_file([one])
    assert "    reached: [21-17, 9-14, 17-13]\n" in text
    (tmp_path / "mine.yaml").write_text(text, encoding="utf-8")
    assert lint.lint_files([tmp_path / "mine.yaml"]) == []
    bundle = formats.bundle(one.ruleset, [one])
    assert data.schema_problem(bundle, "bundle") is None
    assert bundle["cases"][0]["reached"] == ["21-17", "9-14", "17-13"]
    assert formats.entry(one)["game"] == ["21-17", "9-14", "17-13"]


def test_a_bundle_is_read_like_that_of_all_cases(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    assert run("generate", "lb", "-n", "3", "--format", "bundle", "-o", str(file)).out == ""
    content = json.loads(file.read_text(encoding="utf-8"))
    assert data.schema_problem(content, "bundle") is None
    assert content["rulesets"].keys() == {"lb"}
    found = for_ruleset(read_case_files([file]), damspec.load_ruleset("lb"))
    assert len(found) == 3
    for case in found:
        agrees(case)


def test_lines_with_the_answer() -> None:
    (line,) = formats.epd(answered("vl", "W:W26:B23,24")).splitlines()
    fen, *operations = line.removesuffix(";").split("; ")
    assert fen == "W:W26:B23,24"
    assert operations[:2] == [operations[0], 'shows "capture.completion"']
    assert re.fullmatch('id "vl.[0-9a-f]{10}"', operations[0])
    assert operations[2:4] == ['moves "26x19x28"', 'outcome "ongoing"']
    assert 'otherwise "capture.duty = optional: moves 26x19x28, 26-22"' in operations
    assert 'otherwise "capture.duty = huffing: lapses 26-22"' in operations
    assert line.endswith('";')
    (line,) = formats.epd([played("vl", "21-17", "9-14")]).splitlines()
    assert '; outcome "ongoing"; game "21-17, 9-14"; ' in line
    (line,) = formats.epd(answered("nl-trapdoor", "W:W32:B4:sliders=MMMM:spin=green")).splitlines()
    assert "trapdoors.closing = at-once: moves G1=L > B:W32:B4:sliders=MMMM, G1=R > B:W32:B4:sliders=MMMM, " in line
    assert "spin.outcomes = {'disc': 'piece', " in line
    assert all(line.count('"') % 2 == 0 for line in line.split("; "))


def test_lines_of_fen() -> None:
    assert formats.fen(answered("vl", "W:W26:B23,24", "W:W22:B18")) == "W:W26:B23,24\nW:W22:B18\n"
    one = played("vl", "21-17", "9-14")
    assert formats.fen([one]) == f'{one.position.fen()}; game "21-17, 9-14";\n'


def test_json_lines() -> None:
    one, two = formats.jsonl(answered("vl", "W:W26:B23,24", "W:W22:B18")).splitlines()
    first = json.loads(one)
    assert data.schema_problem(first, "generate", "position") is None
    assert [first[key] for key in ("ruleset", "position", "moves")] == ["vl", "W:W26:B23,24", {"26x19x28": "B:W28:B"}]
    (free,) = [
        other for other in first["otherwise"] if {"rule": "capture.duty", "value": "optional"} in other["values"]
    ]
    assert free == {
        "values": [{"rule": "capture.duty", "value": "optional"}],
        "moves": {"26-22": "B:W22:B23,24", "26x19x28": "B:W28:B"},
    }
    assert json.loads(two)["outcome"] == {"result": "draw", "reason": "one-piece-each"}


@pytest.mark.parametrize(
    "words",
    [
        "vl --exercise capture.removal -n 2",
        "de --reachable --phase huffable",
        pytest.param("russian --distinguish lb --minimal", marks=pytest.mark.thorough),
    ],
)
def test_json_has_its_form(words: str) -> None:
    document = json.loads(run("generate", *words.split(), "--json").out)
    assert data.schema_problem(document, "generate") is None
    assert document["positions"]
    assert document["coverage"]["positions"] == len(document["positions"])
    assert ("minimal" in document) == ("--minimal" in words)
    shown = {one["rule"] for one in document["coverage"]["values"] if one["positions"]}
    assert shown == {
        value["rule"] for one in document["positions"] for other in one["otherwise"] for value in other["values"]
    }


def test_without_other_answers_and_with_nothing_found() -> None:
    document = json.loads(run("generate", "vl", "--format", "json", "--no-otherwise").out)
    assert data.schema_problem(document, "generate") is None
    assert "otherwise" not in document["positions"][0]
    assert document["coverage"]["values"] == []
    assert "# with" not in run("generate", "vl", "--no-otherwise").out
    nothing = run("generate", "lb", "--distinguish", "de", "--moves", "77", "--tries", "50", "--json", "--pieces", "3")
    assert nothing.status == 1
    assert json.loads(nothing.out)["positions"] == []


def test_coverage_goes_to_a_terminal_or_where_it_is_asked_for() -> None:
    assert "all positions" not in run("generate", "vl", "-n", "2", "--format", "fen").err
    ran = run("generate", "vl", "-n", "2", "--format", "fen", "--coverage")
    assert len(ran.out.splitlines()) == 2
    assert "all positions" in ran.err
    *rows, told = ran.err.partition("positions with a piece on the square\n")[2].splitlines()
    assert (len(rows), told[:21]) == (8, "2 positions, 2 apart:")


def test_interrupted_while_answering_it_writes_what_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    others, asked = Values.others, []

    def stopped(self: Values, position: damspec.Position) -> tuple[Other, ...]:
        asked.append(position)
        if len(asked) > 2:
            raise KeyboardInterrupt
        return others(self, position)

    monkeypatch.setattr(Values, "others", stopped)
    ran = run("generate", "vl", "-n", "5", "--format", "jsonl")
    assert (ran.status, ran.err) == (130, "damspec: interrupted: 2 of 5 written\n")
    assert [json.loads(line)["position"] for line in ran.out.splitlines()] == [one.fen() for one in asked[:2]]


BAD = {
    "vl?binds=piece": ("vl?binds=piece", "another --format"),
    "vl?binds=piece --format bundle": ("vl?binds=piece", "another --format"),
    "vl --format gif": ("'gif' is not one of", "'svg', 'png', 'html'"),
    "vl -o /nonexistent/x --format fen": ("no folder '/nonexistent'", "-o"),
    "vl -o /nonexistent/x.yaml": ("no folder '/nonexistent'", "-o"),
    "vl -o /tmp --format fen": ("'/tmp' is a folder", "expected a file"),
    "vl -o / ": ("'/' is there already", "new or empty folder"),
    "vl --format png -n 61 -o many.png": ("one picture shows up to 60 positions, found 61", "-o FOLDER"),
}


@pytest.mark.parametrize("line", BAD)
def test_what_cannot_be_written_is_told_in_one_line(line: str) -> None:
    said = refused("generate", *line.split())
    assert all(piece in said for piece in BAD[line]), said
