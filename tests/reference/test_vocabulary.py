"""The rules in words: every rule and every value has some, and the glossary's terms are where it says."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

import damspec
from damspec import DIRECTIONS, RulesetError
from damspec.rules import rule_names
from damspec.vocabulary import Rule, Term, glossary, groups, vocabulary, word_directions, word_value
from damspec_runner.mutants.mutants import single_mutants
from refusals import refusal
from runs import for_each

#: The languages of the first documents; rules and groups have headings in each.
LANGUAGES = ("nl", "vl", "de", "fr", "lb")
RULESETS = [damspec.load_ruleset(id) for id in damspec.ruleset_ids()]

every_rule = for_each("rule", vocabulary().values())
every_term = for_each("term", glossary().values())


def test_the_rules_are_those_of_the_language_in_its_order() -> None:
    assert list(vocabulary()) == rule_names()
    assert [group.title for group in groups()] == [
        "The board", "The start", "Men", "Kings", "Capturing", "Promotion", "Huffing", "Trapdoors", "Spin", "Ending",
        "Draws by what went before",
    ]  # fmt: skip
    for group in groups():
        assert all(rule.group == group.id == rule.name.partition(".")[0] for rule in group.rules)


@every_rule
def test_the_words_are_whole(rule: Rule) -> None:
    assert rule.asks.endswith("?")
    for text in (rule.title, rule.asks, rule.says, *rule.values.values()):
        assert text == " ".join(text.split())
        assert text[0].isupper() or text[0] == "`"
    assert len(set(rule.values.values())) == len(rule.values)
    assert set(rule.heading) == set(LANGUAGES)
    assert set(rule.terms) <= set(glossary())


def test_titles_and_headings_tell_rules_apart() -> None:
    for names in ([rule.title for rule in vocabulary().values()], [group.title for group in groups()]):
        assert len(set(names)) == len(names)
    for language in LANGUAGES:
        headings = [rule.heading[language] for rule in vocabulary().values()]
        assert len(set(headings)) == len(headings)


@pytest.mark.parametrize(
    ("rule", "present"),
    [
        ("promotion.return", "`promotion.mid-capture` is `as-man` or `as-man-else-king`"),
        ("trapdoors.step", "there is a spinner"),
        ("draws.repetition", "the rulebook has this draw"),
        ("king.move.limit", "there is no huffing and there are no trapdoors, and a king may not go on moving"),
        ("draws.king-moves-pieces", "`draws.king-moves` is there, and the rulebook has it for endgames only"),
    ],
)
def test_when_a_rule_is_there_is_said_by_its_condition(rule: str, present: str) -> None:
    assert vocabulary()[rule].present == present


@every_rule
def test_an_optional_rule_says_when_it_is_there(rule: Rule) -> None:
    assert bool(rule.present) == bool(rule.requirement)
    everywhere = all(rule.name in ruleset.values for ruleset in RULESETS)
    assert rule.requirement or everywhere


@pytest.mark.thorough
@for_each("ruleset", RULESETS)
def test_every_value_and_every_change_of_it_is_a_sentence_of_its_own(ruleset: damspec.Ruleset) -> None:
    for rule, value in ruleset.values.items():
        assert word_value(rule, value).endswith(".")
    for mutant in single_mutants(ruleset):
        ((rule, changed),) = mutant.changes
        text = word_value(rule, changed)
        assert text.endswith(".")
        assert "{" not in text
        if rule != "spin.outcomes" or ruleset.values.get(rule) != changed:
            assert text != word_value(rule, ruleset.values.get(rule))


def test_values_that_no_ruleset_has() -> None:
    assert word_value("start.men", {"white": [21, 22], "black": [1]}) == "White's men start on 21, 22, Black's on 1."
    assert word_value("trapdoors.layout", {"id": "mine"}) == "Doors and sliders lie as in the layout mine."
    assert word_value("capture.choice", ["with-king", "most-kings"]) == (
        "The best captures are those made by a king, if there are any; of these, those of the greatest number of kings."
    )
    assert word_value("huff.offence", None) == "There is no such rule."


def test_directions_read_as_one_would_say_them() -> None:
    assert word_directions(DIRECTIONS) == "in all eight directions"
    assert word_directions(["forward", "left", "right"]) == "straight forward and sideways"
    assert word_directions(["backward-left"]) == "diagonally backward to the left"
    told = [word_directions(some) for size in range(1, 9) for some in combinations(DIRECTIONS, size)]
    assert len(set(told)) == len(told) == 255


@pytest.mark.parametrize(
    ("rule", "value", "piece"),
    [
        ("capture.removl", "at-end", "did you mean 'capture.removal'?"),
        ("capture.removal", "at-ende", "did you mean 'at-end'?"),
        ("man.move.directions", ["up"], "no 'up'"),
        ("capture.choice", ["longest"], "no 'longest'"),
        ("spin.outcomes", {"red": "piece"}, "no 'red'"),
    ],
)
def test_what_has_no_words_is_told(rule: str, value: Any, piece: str) -> None:
    assert piece in refusal(RulesetError, word_value, rule, value)


# --- the glossary


@every_term
def test_a_term_stands_in_clauses_of_its_language(term: Term) -> None:
    assert term.words
    for language, word in term.languages.items():
        assert word.words
        for clause in word.clauses:
            assert damspec.load_clauses()[clause].document == language


def test_the_terms_of_a_rule_have_a_word_where_a_document_speaks_of_it() -> None:
    """But for the rules that no sentence of a document gives."""
    for rule in vocabulary().values():
        giving = {clause.document for clause in damspec.load_clauses().values() if rule.name in clause.rules}
        spoken = {language for term in rule.terms for language in glossary()[term].languages}
        assert giving & set(LANGUAGES) <= spoken, rule.name
