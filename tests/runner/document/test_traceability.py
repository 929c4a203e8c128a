"""Documents, clauses, readings, rules and cases are linked both ways, and no link leads nowhere.

What is linked to nothing is an orphan (damspec_runner.document.ledger); test_links.py cuts links to see that it is
found.
"""

from __future__ import annotations

from functools import cache

import pytest

import damspec
from damspec import data
from damspec.inheritance import overlay, overlay_ids
from damspec.rules import rule_names
from damspec_runner.cases.cases import cases_for, cases_of
from damspec_runner.document.ledger import Ledger
from damspec_runner.document.links import links
from runs import EVERY, for_each

#: All in one process, which finds all links once.
pytestmark = pytest.mark.xdist_group("links")

CLAUSES = damspec.load_clauses()
READINGS = {reading.id: reading for reading in damspec.load_readings()}
OVERLAYS = [overlay(id).content for id in overlay_ids()]
RULESETS = {id: damspec.load_ruleset(id) for id in damspec.ruleset_ids()}

every_ruleset = for_each("ruleset", RULESETS.values())
every_clause = for_each("clause", CLAUSES.values())
every_reading = for_each("reading", READINGS.values())


#: What a reading decides although no alternative of it that rules can express changes it, and why.
DECIDED_IN_WORDS = {
    ("X-03", "ending.draws"): "no position is a draw, and no alternative makes one of a position",
    ("DE-02", "board.dark-corner"): "the near left corner is dark on either board",
    ("TUR-02", "ending.order"): "one piece each is a draw once neither side has won",
    ("BLA-04", "huff.retracted"): "an alternative takes the move back and says that the offender has to capture then",
    ("DE-12", "king.move.slides"): "a king's move is one line, be it one square long or any number",
}


def stated(ruleset: damspec.Ruleset) -> dict[str, set[str]]:
    """What each statement in a ruleset's own file rests on, those that confirm a rule or take one away too."""
    written = data.load_yaml(ruleset.path)
    confirmed = {rule: set(ids) for rules, ids in written.get("confirms", {}).items() for rule in rules.split()}
    return {rule: set(entry["from"]) for rule, entry in written["rules"].items()} | confirmed


@cache
def ledger() -> Ledger:
    """What is linked to what, for which all cases are read."""
    return Ledger(links())


@cache
def resting() -> list[tuple[dict[str, set[str]], tuple[str, ...]]]:
    """What each statement of each file rests on, and the documents of the file."""
    of_overlays = [
        ({rule: set(entry["from"]) for rule, entry in each["rules"].items()}, tuple(each["documents"]))
        for each in OVERLAYS
    ]
    return [*((stated(ruleset), ruleset.documents) for ruleset in RULESETS.values()), *of_overlays]


def rulesets_of(document: str) -> list[damspec.Ruleset]:
    return [ruleset for ruleset in RULESETS.values() if document in ruleset.documents]


# --- clauses


@every_clause
def test_a_clause_is_carried_by_something_or_says_why_not(clause: damspec.Clause) -> None:
    assert clause.rules or clause.readings or clause.conduct or clause.none, clause.id
    assert not (clause.none and (clause.rules or clause.conduct)), clause.id


@every_clause
def test_what_is_beyond_the_rules_gives_none(clause: damspec.Clause) -> None:
    assert clause.none or not clause.beyond, clause.id


@every_clause
def test_a_clause_names_rules_and_readings_that_there_are(clause: damspec.Clause) -> None:
    assert set(clause.rules) <= set(rule_names()), clause.id
    assert set(clause.readings) <= set(READINGS), clause.id


@every_clause
def test_the_rules_of_a_clause_rest_on_it(clause: damspec.Clause) -> None:
    for rule in clause.rules:
        assert any(clause.document in documents and clause.id in own.get(rule, ()) for own, documents in resting()), (
            f"{rule} rests on {clause.id} in no ruleset"
        )


@every_clause
def test_the_conduct_of_a_clause_is_recorded(clause: damspec.Clause) -> None:
    recording = [
        entry for ruleset in rulesets_of(clause.document) for entry in ruleset.conduct if clause.id in entry["from"]
    ]
    assert bool(recording) == clause.conduct, clause.id


@pytest.mark.thorough
def test_there_are_no_orphans() -> None:
    assert ledger().orphans == ()


def test_every_document_is_the_authority_of_a_ruleset() -> None:
    documents = {path.stem for path in (data.root() / "spec" / "sources").glob("*.yaml")}
    assert documents == {clause.document for clause in CLAUSES.values()}
    given = {document for ruleset in RULESETS.values() for document in ruleset.documents}
    assert documents == given | {document for each in OVERLAYS for document in each["documents"]}


def test_clauses_of_a_document_are_in_order_and_say_where_they_stand() -> None:
    for clause in CLAUSES.values():
        assert (clause.line is None) == (clause.sentence is None)
        assert clause.id.startswith(f"{clause.document}-")
    for document in {clause.document for clause in CLAUSES.values() if clause.line}:
        places = [
            (clause.line, clause.sentence or 0)
            for clause in CLAUSES.values()
            if clause.document == document
            if clause.line
        ]
        assert places == sorted(set(places))


# --- readings


@every_reading
def test_a_reading_is_about_clauses_and_rulesets_that_there_are(reading: damspec.Reading) -> None:
    assert reading.clauses
    assert set(reading.clauses) <= set(CLAUSES)
    assert set(reading.rulesets) <= set(RULESETS)
    assert len(reading.alternatives) > 1


@every_reading
def test_each_alternative_of_a_reading_changes_what_it_sets(reading: damspec.Reading) -> None:
    for id in reading.rulesets:
        for word, alternative in reading.alternatives.items():
            if alternative.set:
                under = damspec.load_ruleset(f"{id}?{reading.key}={word}")
                assert {rule: under.values.get(rule) for rule in alternative.set} == alternative.set
                assert under.values != RULESETS[id].values


@every_reading
def test_a_rule_that_a_reading_can_change_is_traced_to_it(reading: damspec.Reading) -> None:
    """Directly, or by a clause that the reading is about: nothing is open without being seen to be so."""
    for id in reading.rulesets:
        for alternative in reading.alternatives.values():
            for rule in alternative.set:
                sources = RULESETS[id].rests_on.get(rule)
                if sources is not None:
                    about = {reading.id, *reading.clauses}
                    assert about & set(sources), f"{rule} of {id} does not show that {reading.id} decides it"


# --- rulesets


@every_ruleset
def test_every_value_rests_on_something_that_is_about_it(ruleset: damspec.Ruleset) -> None:
    assert set(ruleset.rests_on) == set(ruleset.values)
    for rule, sources in ruleset.rests_on.items():
        assert sources, rule
        for source in sources:
            if source in CLAUSES:
                assert CLAUSES[source].document in ruleset.documents, (rule, source)
                assert rule in CLAUSES[source].rules, f"{rule} rests on {source}, which does not mention it"
            else:
                reading = READINGS[source]
                decided = {rule for alternative in reading.alternatives.values() for rule in alternative.set}
                about = {rule for clause in reading.clauses for rule in CLAUSES[clause].rules}
                in_words = not decided or (source, rule) in DECIDED_IN_WORDS
                assert rule in decided | about or in_words, f"{source} is about something else than {rule}"


#: Values that a case notices without naming a clause that they rest on, or one of a reading.
NOTICED_ONLY = {
    "nl-trapdoor-american": {"board.numbering", "trapdoors.passing"},
    "russian": {"board.numbering"},
}


@pytest.mark.parametrize("id", EVERY)
def test_a_case_that_shows_a_value_names_what_it_rests_on(id: str) -> None:
    ruleset = RULESETS[id]
    links_of = {rule: ledger().shown(ruleset.id, rule) for rule in ruleset.values}
    assert {rule for rule, link in links_of.items() if link == "notices"} <= NOTICED_ONLY.get(ruleset.id, set())


@every_ruleset
def test_every_line_of_conduct_rests_on_something(ruleset: damspec.Ruleset) -> None:
    for entry in ruleset.conduct:
        assert entry["from"], entry
        assert set(entry["from"]) <= {*CLAUSES, *READINGS}


@every_ruleset
def test_every_case_shows_clauses_of_its_own_documents(ruleset: damspec.Ruleset) -> None:
    for case in cases_of(ruleset.id):
        for clause in case.clauses:
            assert CLAUSES[clause].document in ruleset.documents, (case.id, clause)


# --- cases that are inherited


@every_ruleset
def test_a_ruleset_that_extends_others_has_their_cases(ruleset: damspec.Ruleset) -> None:
    """Those of other documents are another matter: brazilian takes over rules of international, and no case."""
    parents = [id for id in ruleset.family if RULESETS[id].documents == ruleset.documents]
    found = {case.ruleset for case in cases_for(ruleset)}
    assert set(parents) <= found
