"""Clauses and readings as data: what is wrong with a file is said in one line naming file and place."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import damspec
from damspec import DamspecError, RulesetError, data
from damspec.inheritance import check_shipped
from damspec.readings import load_clauses, load_readings, readings_of
from refusals import refusal
from ruleset_files import data_root

SOURCE = """
id: doc
title: A document
language: en
about: made up
publisher: null
year: null
dated: never
item: null
seen: [{what: all of it}]
damage: []
open: []
clauses:
  - {id: doc-1, class: normative, term: step, says: A man makes one step., rules: [man.move.reach]}
"""

READING = """
readings:
  - id: DOC-01
    key: reach
    rulesets: [lb]
    clauses: [doc-1]
    question: How far does a man go?
    alternatives:
      one: {says: One step.}
      far: {says: As far as it likes., set: {man.move.reach: any}}
      never: {says: Nowhere., inexpressible: every man moves, because: undefined}
      single: {says: A single step., same: that is one step}
    chosen: one
    why: The clause says so.
    confidence: high
"""


@pytest.fixture
def spec(tmp_path: Path) -> Iterator[Path]:
    """A spec/ of its own, with one document and one reading; nothing of it is remembered afterwards."""
    real = data.root()
    shutil.copytree(real / "schemas", tmp_path / "schemas")
    for name, text in (("sources/doc", SOURCE), ("readings/doc", READING)):
        path = tmp_path / "spec" / f"{name}.yaml"
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")
    shutil.copytree(real / "spec" / "rulesets", tmp_path / "spec" / "rulesets")
    shutil.copy(real / "spec" / "rules.yaml", tmp_path / "spec")
    with data_root(tmp_path):
        yield tmp_path / "spec"


def test_clauses_and_readings(spec: Path) -> None:
    (clause,) = load_clauses().values()
    assert (clause.id, clause.document, clause.class_, clause.rules) == (
        "doc-1",
        "doc",
        "normative",
        ("man.move.reach",),
    )
    (reading,) = load_readings()
    assert (reading.id, reading.clauses, reading.chosen) == ("DOC-01", ("doc-1",), "one")
    assert reading.alternatives["far"].set == {"man.move.reach": "any"}
    never, single = reading.alternatives["never"], reading.alternatives["single"]
    assert (never.inexpressible, never.because, never.same) == ("every man moves", "undefined", None)
    assert (single.inexpressible, single.because, single.same) == (None, None, "that is one step")
    assert readings_of("lb", [reading], "reach=far") == [(reading, "far")]


def test_the_vocabulary_may_lack_what_a_document_says_clearly(spec: Path) -> None:
    (spec / "readings" / "doc.yaml").write_text(READING.replace("undefined", "vocabulary"), encoding="utf-8")
    (reading,) = load_readings()
    assert reading.alternatives["never"].because == "vocabulary"


def test_a_rule_follows_what_an_alternative_changes(spec: Path) -> None:
    text = READING.replace("[lb]", "[vl]").replace("man.move.reach: any", "capture.choice: []")
    (spec / "readings" / "doc.yaml").write_text(text, encoding="utf-8")
    assert damspec.load_ruleset("vl").values["capture.binds"] == "path"
    assert "capture.binds" not in damspec.load_ruleset("vl?reach=far").values


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("class: normative", "class: binding", 'clauses.0.class: found "binding", expected one of'),
        ("term: step, ", "", "clauses.0: missing 'term'"),
        ("rules: [man.move.reach]", "rule: man.move.reach", "unknown key \"rule\"; did you mean 'rules'?"),
        (
            "id: doc-1",
            "id: Doc 1",
            'clauses.0.id: found "Doc 1", expected the document\'s id, a hyphen and a number, such as vl-005',
        ),
        (
            "clauses:\n",
            "clauses:\n  - {id: doc-1, class: setup, term: x, says: Twice.}\n",
            "clause 'doc-1' given twice",
        ),
        ("title: A document", "title: [", "not valid YAML: "),
    ],
)
def test_bad_sources(spec: Path, old: str, new: str, expected: str) -> None:
    assert SOURCE.count(old) == 1
    (spec / "sources" / "doc.yaml").write_text(SOURCE.replace(old, new), encoding="utf-8")
    said = refusal(DamspecError, load_clauses)
    assert said.startswith("spec/sources/doc.yaml")
    assert expected in said


TWIN = READING.removeprefix("\nreadings:\n")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("chosen: one", "chosen: two", "DOC-01.chosen: found 'two', expected one of 'one', 'far', 'never', 'single'"),
        (
            "{says: One step.}",
            "{says: One step., set: {man.move.reach: 1}}",
            "DOC-01.alternatives.one: the chosen alternative has none of 'set', 'inexpressible' and 'same'",
        ),
        (
            "{says: One step.}",
            "{says: One step., same: it is the one}",
            "DOC-01.alternatives.one: the chosen alternative has none of 'set', 'inexpressible' and 'same'",
        ),
        (
            "set: {man.move.reach: any}",
            "set: {man.move.reach: any}, inexpressible: never, because: history",
            "expected exactly one of 'set', 'inexpressible' and 'same'",
        ),
        (
            ", same: that is one step",
            ", same: that is one step, set: {man.move.reach: 1}",
            "DOC-01.alternatives.single: expected exactly one of 'set', 'inexpressible' and 'same'",
        ),
        (
            ", inexpressible: every man moves, because: undefined",
            "",
            "DOC-01.alternatives.never: expected exactly one of 'set', 'inexpressible' and 'same'",
        ),
        (
            ", because: undefined",
            "",
            "readings.0.alternatives.never: missing 'because', which goes with 'inexpressible'; one of"
            ' "history", "hands", "chance", "not-a-rule", "undefined", "vocabulary"',
        ),
        (
            ", same: that is one step",
            ", same: that is one step, because: history",
            "readings.0.alternatives.single: missing 'inexpressible', which goes with 'because'",
        ),
        (
            "because: undefined",
            "because: weather",
            'readings.0.alternatives.never.because: found "weather", expected one of "history", "hands", "chance"',
        ),
        (
            "man.move.reach: any",
            "man.move.reech: any",
            "DOC-01.alternatives.far.set: no rule 'man.move.reech'; did you mean 'man.move.reach'?",
        ),
        (
            "man.move.reach: any",
            "man.move.reach: 7",
            'DOC-01.alternatives.far: rules.man.move.reach.value: found 7, expected one of 1, "any"',
        ),
        (
            "man.move.reach: any",
            "man.capture.first: [all, left]",
            "DOC-01.alternatives.far.set.man.capture.first: found 'left' beside 'all', and both name 'left'",
        ),
        ("confidence: high", "confidence: sure", 'readings.0.confidence: found "sure", expected one of'),
        (
            "key: reach",
            "key: The Reach",
            'readings.0.key: found "The Reach", expected lower-case letters, digits and hyphens, such as king-landing',
        ),
        (
            "id: DOC-01",
            "id: one",
            'readings.0.id: found "one", expected capitals, a hyphen and a number, such as VL-01',
        ),
        ("    why: The clause says so.\n", "", "readings.0: missing 'why'"),
        ("confidence: high\n", "confidence: high\n" + TWIN, "reading 'DOC-01' given twice"),
        (
            "confidence: high\n",
            "confidence: high\n" + TWIN.replace("DOC-01", "DOC-02"),
            "DOC-02.key: found 'reach', which DOC-01 has already",
        ),
    ],
)
def test_bad_readings(spec: Path, old: str, new: str, expected: str) -> None:
    assert READING.count(old) == 1
    (spec / "readings" / "doc.yaml").write_text(READING.replace(old, new), encoding="utf-8")
    said = refusal(DamspecError, load_readings)
    assert said.startswith("spec/readings/doc.yaml: ")
    assert expected in said


def test_groups_of_directions_are_written_out_in_readings(spec: Path) -> None:
    groups = READING.replace("man.move.reach: any", "man.capture.first: [backward, forward-diagonals]")
    (spec / "readings" / "doc.yaml").write_text(groups, encoding="utf-8")
    (reading,) = load_readings()
    assert reading.alternatives["far"].set == {"man.capture.first": ("forward-left", "forward-right", "backward")}


def test_the_same_key_for_other_rulesets_is_fine(spec: Path) -> None:
    other = TWIN.replace("DOC-01", "DOC-02").replace("[lb]", "[vl]")
    (spec / "readings" / "doc.yaml").write_text(READING + other, encoding="utf-8")
    assert [reading.id for reading in load_readings()] == ["DOC-01", "DOC-02"]


def test_a_broken_reading_breaks_what_asks_for_readings_with_its_own_message(spec: Path) -> None:
    (spec / "readings" / "doc.yaml").write_text("readings: 5", encoding="utf-8")
    english = damspec.load_ruleset("english")
    for ask in (lambda: english.readings, lambda: english.with_reading("reach=far"), check_shipped):
        assert "spec/readings/doc.yaml: readings: found 5, expected array" in refusal(DamspecError, ask)


def test_what_is_shipped_names_what_there_is() -> None:
    check_shipped()


def test_a_clause_that_there_is_not_is_found_in_what_is_shipped(spec: Path) -> None:
    (spec / "readings" / "doc.yaml").write_text(READING.replace("[doc-1]", "[doc-2]"), encoding="utf-8")
    assert refusal(RulesetError, check_shipped) == "spec/readings: DOC-01.clauses: no clause 'doc-2'"


def test_a_ruleset_that_rests_on_nothing_is_found_in_what_is_shipped(spec: Path) -> None:
    for path in (spec / "rulesets").glob("*.yaml"):
        if path.stem != "english":
            path.unlink()
    with pytest.raises(
        RulesetError, match=r"spec/rulesets/english\.yaml: rules\..*from: found '.*', expected a clause"
    ):
        check_shipped()
