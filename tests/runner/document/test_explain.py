"""Explanations: everything with a name has one, with its sources and, where one can show it, a board."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

import damspec as library
from damspec.data import freeze
from damspec.vocabulary import glossary, vocabulary
from damspec_runner.document.examples import find_example
from damspec_runner.document.explain import case_answer, describe_provenance, explain
from damspec_runner.document.links import cases_on, links
from damspec_runner.document.sources import place
from runner_fixtures import damspec, printed, printed_json, refused
from runs import EVERY, for_each

#: All in one process, which finds all links once.
pytestmark = pytest.mark.xdist_group("links")

VL = library.load_ruleset("vl")


@for_each("rule", vocabulary())
def test_every_rule_is_explained(rule: str) -> None:
    found = explain(rule)
    having = [id for id, ruleset in links().rulesets.items() if rule in ruleset.values]
    assert sorted(id for row in found.values for id in row.rulesets) == sorted(having)
    assert vocabulary()[rule].asks in found.says
    assert found.terms
    if having:
        assert found.clauses or found.readings
        assert found.case


def test_every_clause_and_reading_is_explained() -> None:
    """With a case for each that gives a rule, but for those of overlays, which have no cases of their own."""
    having_cases = {document for id in library.ruleset_ids() for document in library.load_ruleset(id).documents}
    for id, clause in library.load_clauses().items():
        found = explain(id)
        assert clause.says in found.says
        assert not clause.rules or found.case or clause.document not in having_cases
    for reading in library.load_readings():
        found = explain(reading.id)
        assert found.readings == (reading,)
        assert [clause.id for clause in found.clauses] == list(reading.clauses)


def test_every_ruleset_and_alternative_is_explained() -> None:
    for id in library.ruleset_ids():
        found = explain(id)
        assert [row.rule for row in found.values] == list(library.load_ruleset(id).values)
        assert found.case
        assert found.case.position == "start"
    for query, under in library.load_ruleset("vl").alternatives.items():
        found = explain(f"vl?{query}")
        assert any("Instead of: " in line for line in found.says)
        assert {row.rule for row in found.values} <= set(under.values)
        assert found.case
        assert query in links().every_case[found.case.id].otherwise


@pytest.mark.parametrize(
    ("id", "expected"),
    [
        (
            "brazilian",
            "Extends international; changes board.size, start.men, draws.king-moves, draws.endings, draws.main-road."
            " Only inherited are board.squares, king.move.slides, king.capture.reach, capture.completion,"
            " capture.origin, ending.draws; it confirms all others.",
        ),
        ("portuguese", "Extends spanish; changes no value. It confirms all others."),
        ("killer", "Extends international; changes king.capture.finish. All others are only inherited."),
        (
            "zimbabwean",
            "Extends pool, which extends russian; changes start.first."
            " It confirms board.squares, board.dark-corner, board.numbering; all others are only inherited.",
        ),
        ("vl", ""),
        (
            "brazilian+losing",
            "Extends brazilian, which extends international; changes ending.no-pieces, ending.no-moves;"
            " is without draws.king-moves, draws.endings, draws.main-road."
            " It confirms draws.repetition; all others are only inherited.",
        ),
    ],
)
def test_a_ruleset_says_what_differs_what_it_confirms_and_what_it_only_inherits(id: str, expected: str) -> None:
    said = explain(id).says[1:]
    assert " ".join(line for line in said if not line.startswith("Conduct")) == expected
    assert explain("tanzanian").says[1].endswith("; is without capture.binds, draws.main-road.")


def test_a_file_that_extends_several_says_what_each_of_them_extends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for id, extends in (("mine", "vl"), ("both", "[mine.yaml, brazilian, pool, losing]")):
        text = (
            f"damspec: 1\nid: {id}\nname: M\nabout: M.\nextends: {extends}\nrules: {{start.first: {{value: white}}}}\n"
        )
        Path(f"{id}.yaml").write_text(text, encoding="utf-8")
    assert next(describe_provenance(library.load_ruleset_file("both.yaml"))) == (
        "Extends mine (which extends vl) and brazilian (which extends international) and pool (which extends russian);"
        " changes start.first."
    )


def test_every_term_is_explained_by_each_of_its_words() -> None:
    assert explain("Huffen").id == "to huff"
    assert explain("huff").id == "to huff"
    assert explain("promotion row").id == "promotion row, king row"
    assert [term.head for term in explain("meerslag").terms] == ["multiple capture", "majority rule"]
    for head, term in glossary().items():
        assert explain(head).terms == (term,)


def test_a_value_is_explained_however_it_is_written() -> None:
    for text in ("[forward-left, forward-right]", "forward-left,forward-right", "forward-diagonals"):
        found = explain(f"man.move.directions={text}")
        assert found.says[1] == "A man moves diagonally forward."
        assert len(found.values) > 3
    assert "lb" in {id for row in explain("king.move.reach=1").values for id in row.rulesets}
    assert "No ruleset has it." in explain("capture.choice=most-kings").says
    assert explain("huff.turn=null").says[1] == "There is no such rule."
    assert explain("capture.removal=at-end").case


def test_places_are_as_exact_as_the_documents_let_them_be() -> None:
    clauses = library.load_clauses()
    assert place(clauses["vl-027"]) == "vl, line 42, sentence 2"
    assert place(clauses["fmjd-4.5"]) == "fmjd, 4.5"
    assert place(clauses["russian-removal"]) == "russian"


def test_a_case_is_shown_with_what_it_expects() -> None:
    every = links().every_case
    assert case_answer(every["vl.start.seven-first-moves"]).startswith("Moves: 21-17, ")
    draw = next(
        case for case in every.values() if case.expected.outcome is not None and case.expected.outcome.result == "draw"
    )
    assert "Outcome: draw (" in case_answer(draw)
    game = next(case for case in every.values() if case.expected.end is not None)
    assert f"Game: {game.expected.game[0][0]}" in case_answer(game)
    lapse = next(case for case in every.values() if case.expected.lapses)
    assert "; Lapses: " in case_answer(lapse)
    other = next(case for case in every.values() if any(e != case.expected for e in case.otherwise.values()))
    query = next(query for query, expected in other.otherwise.items() if expected != other.expected)
    assert case_answer(other, query) != case_answer(other)


def test_a_value_is_shown_by_the_best_of_its_cases() -> None:
    for value in explain("vl").values:
        shown = find_example(VL, value.rule)
        assert (value.case and value.case.id) == (shown and shown.case.id)


def test_the_plainest_cases_are_listed_or_all() -> None:
    some, every = explain("vl-027"), explain("vl-027", None)
    assert [case.id for case in every.cases] == [case.id for case in cases_on("vl-027")]
    assert some.cases == every.cases[:8]
    assert (some.more_cases, every.more_cases) == (len(every.cases) - 8, 0)
    assert f"and {some.more_cases} more cases, which --all lists" in damspec("explain", "vl-027").out
    assert "more cases" not in damspec("explain", "vl-027", "--all").out


def test_the_first_clauses_of_a_reading_are_listed_or_all() -> None:
    """On a terminal; JSON has all of them, and so has a page to publish."""
    clauses = links().readings["NAT-04"].clauses
    assert len(clauses) > 8
    some = damspec("explain", "NAT-04").out
    assert [f"  {id} (" in some for id in clauses] == [True] * 8 + [False] * (len(clauses) - 8)
    assert f"and {len(clauses) - 8} more clauses, which --all lists" in some
    for every in (damspec("explain", "NAT-04", "--all").out, damspec("explain", "NAT-04", "--format", "html").out):
        assert all(id in every for id in clauses)
        assert "more clauses" not in every
    assert len(json.loads(damspec("explain", "NAT-04", "--json").out)["clauses"]) == len(clauses)
    assert "more clauses" not in damspec("explain", "fmjd").out


def test_a_rule_has_the_readings_that_could_set_it_and_a_value_only_those_it_rests_on() -> None:
    setting = {
        r.id for r in library.load_readings() if any("king.move.reach" in a.set for a in r.alternatives.values())
    }
    resting = {source for row in explain("king.move.reach").values for source in row.from_}
    assert setting - resting
    assert setting <= {reading.id for reading in explain("king.move.reach").readings}
    values = explain("king.move.reach=1")
    assert {reading.id for reading in values.readings} <= {source for row in values.values for source in row.from_}


def test_an_alternative_says_every_rule_that_it_changes_and_what_was_instead() -> None:
    found = explain("vl?priority=multiple-first")
    other = VL.with_reading("priority=multiple-first").values
    changed = [rule for rule in vocabulary() if other.get(rule) != VL.values.get(rule)]
    assert changed
    assert [text.partition(":")[0] for text in found.says[1:]] == changed


def test_what_a_reading_does_to_endgames_is_said_where_it_is_on_record() -> None:
    lines = damspec("explain", "NAT-04").out.splitlines()
    said = {text: line for line in lines for text in ("draws=none (chosen)", "draws=one-piece-each") if text in line}
    assert " Endgames: 420,228 of 815,145 endgames " in said["draws=one-piece-each"]
    assert "Endgames" not in said["draws=none (chosen)"]


# --- readings


@pytest.mark.parametrize("id", EVERY)
def test_a_ruleset_has_its_readings_with_all_alternatives(id: str) -> None:
    about = [reading for reading in library.load_readings() if id in reading.rulesets]
    assert list(explain(id).readings) == about
    lines = damspec("explain", id).out.splitlines()
    for reading in about:
        place = lines.index(f"  {reading.id} {reading.key} ({reading.confidence}): {reading.question}")
        for line, (word, alternative) in zip(lines[place + 1 :], reading.alternatives.items(), strict=False):
            chosen = " (chosen)" if word == reading.chosen else ""
            assert line.startswith(f"    {reading.key}={word}{chosen}: {alternative.says}")
            if alternative.inexpressible:
                assert f" Not playable ({alternative.because}): {alternative.inexpressible}" in line
            if alternative.same:
                assert f" The same rules as the one chosen: {alternative.same}" in line


def test_all_readings_are_explained_at_once() -> None:
    assert explain("readings").readings == library.load_readings()
    content = json.loads(damspec("explain", "readings", "--json").out)
    for entry, reading in zip(content["readings"], library.load_readings(), strict=True):
        assert (entry["id"], entry["chosen"], entry["why"]) == (reading.id, reading.chosen, reading.why)
        for word, alternative in reading.alternatives.items():
            written = entry["alternatives"][word]
            assert freeze(written["set"]) == alternative.set
            assert [written.get(key) for key in ("inexpressible", "because", "same")] == [
                alternative.inexpressible,
                alternative.because,
                alternative.same,
            ]


# --- the command


@pytest.mark.parametrize(
    ("id", "pieces"),
    [
        ("capture.removal", ["at-end: Jumped pieces", "Who says so", "lb-033 (lb, line 21", "Words", "Shown by "]),
        ("capture.binds", ["It is there exactly if capture.choice is not empty."]),
        (
            "vl-027",
            ["VL-04 priority=majority (medium): ", "Words", "multiple capture: ", "[most-pieces]  ", "  vl.choice."],
        ),
        ("VL-04", ["priority=mixed-only: ", "vl-027 (vl, line 42, sentence 2) "]),
        ("GOT-04", [" There is no rule promotion.return."]),
        ("lb-048", ["It is about conduct: recorded, and not checked."]),
        ("vl.start.seven-first-moves", ["  vl-002 (vl, ", "  start.men"]),
        ("vl?priority=multiple-first", ["Instead of: ", " under priority=multiple-first: "]),
        ("de", ["Conduct, not checked: ", "huff.turn: kept · After the huff", "DE-08 "]),
        ("vl-009", ["It gives no rule: "]),
    ],
)
def test_explain_prints_it(id: str, pieces: list[str]) -> None:
    out = printed("explain", id)
    for piece in pieces:
        assert piece in out


@pytest.mark.slow
def test_the_examples_of_the_help_are_examples() -> None:
    shown = damspec("explain", "--help").out
    examples = re.findall(r"^  (damspec explain .+?)(?:  +|$)", shown, re.MULTILINE)
    assert len(examples) >= 5
    for example in examples:
        assert damspec(*shlex.split(example)[1:]).status == 0, example


@pytest.mark.parametrize(
    "id",
    ["capture.choice", "capture.choice=most-pieces", "vl-027", "VL-04", "vl", "vl?priority=multiple-first", "meerslag",
     "vl.start.seven-first-moves", "capture.king-weight", "fmjd", "readings"],
)  # fmt: skip
def test_explain_as_json(id: str) -> None:
    printed_json("explain", "explain", id, "--json")


@pytest.mark.parametrize(
    ("id", "pieces"),
    [
        ("capture.remvoal", ("nothing is called 'capture.remvoal'", "did you mean 'capture.removal'")),
        ("Hufen", ("did you mean 'Huffen'",)),
        ("capture.removal=later", ('found "later"', '"at-end"')),
        ("man.move.directions=up", ("man.move.directions", '"up"')),
        ("vl?priority=x", ("no alternative 'x'",)),
        ("zzzzz", ("nothing is called 'zzzzz'",)),
        ("Heerbaan", ("nothing is called 'Heerbaan'; players say it of draws.main-road",)),
        ("damslag", ("players say it of king.capture.reach",)),
        ("Dreieck", ("players say it of draws.endings",)),
        ("touch move", ("did you mean 'touch-move'",)),
    ],
)
def test_explain_tells_bad_input_in_one_line(id: str, pieces: tuple[str, ...]) -> None:
    said = refused("explain", id)
    for piece in pieces:
        assert piece in said
