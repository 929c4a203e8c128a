"""The rulebook in prose: each language tells every rule, no two games with different rules read alike."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

import damspec
from damspec import data
from damspec.rules import rule_names
from damspec_runner.document.rulebook import Language, languages
from damspec_runner.mutants.mutants import single_mutants
from runs import ORIGINALS, usually

LANGUAGES = {language.tag: language for language in languages()}
ENGLISH = LANGUAGES["en"]
every_language = pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES.keys())


def told(language: Language, ruleset: damspec.Ruleset) -> str:
    """All that a sheet says."""
    return "\n".join(" ".join((section.title, *section.sentences)) for section in language.sections(ruleset))


def keys(content: Any, above: str = "") -> Iterator[str]:
    """The places of all texts in a language's file."""
    if isinstance(content, Mapping):
        for key, value in content.items():
            yield from keys(value, f"{above}/{key}")
    else:
        yield above


def test_the_five_languages_of_the_documents_and_english_first() -> None:
    assert list(LANGUAGES) == ["en", "de", "fr", "lb", "nl"]
    assert [language.name for language in languages()] == [
        "English",
        "Deutsch",
        "Français",
        "Lëtzebuergesch",
        "Nederlands",
    ]
    assert [language.tag for language in languages() if language.checked] == ["en"]


@every_language
def test_each_language_says_the_same_things(language: Language) -> None:
    def said(content: Mapping[str, Any]) -> set[str]:
        return set(keys({key: value for key, value in content.items() if key != "own"}))

    assert said(language.content) == said(ENGLISH.content)


def test_every_rule_is_told() -> None:
    """By a sentence of its own, or inside that of another."""
    outline = data.load_yaml(data.root() / "spec" / "rulebook" / "outline.yaml")
    by_itself = {entry for section in outline["sections"] for entry in section["entries"] if isinstance(entry, str)}
    sentences = " ".join(text for texts in ENGLISH.content["rules"].values() for text in texts.values())
    inside = set(re.findall(r"\{([a-z]+\.[a-z.-]+)\}", sentences))
    assert by_itself | inside == set(rule_names())


@pytest.mark.parametrize("name", usually({"vl"}, sorted(ORIGINALS)))
def test_whoever_changes_a_rule_changes_the_sheet(name: str) -> None:
    ruleset = damspec.load_ruleset(name)
    mutants = list(single_mutants(ruleset))
    for language in languages():
        plain = told(language, ruleset)
        assert "{" not in plain
        assert [mutant.name for mutant in mutants if told(language, mutant.ruleset) == plain] == []


def test_what_the_flemish_leaflet_has() -> None:
    """Men capture forward first and then any way; most pieces; going on as a man; a piece each is a draw."""
    by_id = {section.id: section for section in ENGLISH.sections(damspec.load_ruleset("vl"))}
    assert list(by_id) == ["aim", "need", "turn", "capturing", "crowning", "end"]
    capturing = by_id["capturing"].sentences
    assert "A man captures what stands next to it and lands right behind. It begins diagonally forward." in capturing
    assert "After the first jump a man goes on diagonally, forward or backward." in capturing
    assert "If there are several captures, choose among those that take the most pieces." in capturing
    assert by_id["end"].sentences[2:] == (
        "The game is a draw when each side has one piece left.",
        "If that side could not move, it has lost all the same.",
    )


def test_where_a_game_has_more_its_sheet_has_sections_for_it() -> None:
    def sections(name: str) -> list[str]:
        return [section.id for section in ENGLISH.sections(damspec.load_ruleset(name))]

    assert "doors" in sections("nl-trapdoor")
    assert "huffing" in sections("de")
    assert "draws" in sections("russian")
    assert not {"doors", "huffing", "draws"} & {*sections("lb")}


def test_flemish_words_take_the_place_of_dutch_ones() -> None:
    vl, dutch = damspec.load_ruleset("vl"), LANGUAGES["nl"]
    own = [section.title for section in dutch.sections(vl, ("nl-BE",))]
    assert [section.title for section in dutch.sections(vl, ("nl",))][3] == "Het slaan"
    assert own[3] == "Het verschalken"
    flemish = " ".join(text for section in dutch.sections(vl, ("nl-BE",)) for text in section.sentences)
    assert re.findall(r"\b(?:vakjes?|slaan|slaat|geslagen|remise)\b", flemish) == []
    assert "gelijkspel" in flemish


def test_numbers_and_squares_in_words() -> None:
    def sentence(name: str, start: str) -> str:
        every = [text for section in ENGLISH.sections(damspec.load_ruleset(name)) for text in section.sentences]
        return next(text for text in every if text.startswith(start))

    assert sentence("frysk", "Each side has") == "Each side has 5 men, which fill the row nearest to it."
    assert (
        sentence("turkish", "Each side has")
        == "Each side has 16 men. White's begin on [41]-[48], [49]-[56], Black's on [9]-[16], [17]-[24]."
    )
    assert sentence("international", "With few").endswith(
        "3 kings against 1 king or 2 kings and 1 man against 1 king or 1 king and 2 men against 1 king: 16;"
        " 2 kings against 1 king or 1 king and 1 man against 1 king or 1 king against 1 king: 5."
    )
    assert "G1 (green) left [14], right [16]" in sentence("fr-trapdoor", "These are the doors")
    assert sentence("armenian", "A man moves").startswith(
        "A man moves one square diagonally forward to the left, straight forward, diagonally forward to the right,"
        " to the left or to the right,"
    )


def test_a_language_of_the_wrong_form_is_refused_in_a_line() -> None:
    content = {key: value for key, value in ENGLISH.content.items() if key != "sections"}
    assert data.schema_problem(content, "rulebook") == "top level: missing 'sections'"
