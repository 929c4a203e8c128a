"""The rulebook in prose: each language tells every rule, no two games with different rules read alike."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

import damspec
from damspec import data
from damspec.pdn.notation import notation_of
from damspec.rules import rule_names
from damspec.vocabulary import vocabulary
from damspec_runner.document.rulebook import Language, languages
from damspec_runner.document.site.words import page_texts
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


def texts(content: Any) -> Iterator[str]:
    """All texts in a language's file."""
    if isinstance(content, Mapping):
        content = [*content.values()]
    if isinstance(content, list):
        for value in content:
            yield from texts(value)
    else:
        yield str(content)


def in_language(tag: str, content: Any) -> Iterator[str]:
    """The texts of a language in a file of words for the site."""
    if isinstance(content, Mapping) and tag in content:
        yield from texts(content[tag])
    elif isinstance(content, Mapping):
        for each in content.values():
            yield from in_language(tag, each)


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
        return set(keys({key: value for key, value in content.items() if key not in ("own", "usage", "asks")}))

    assert said(language.content) == said(ENGLISH.content)
    assert language is ENGLISH or language.content["asks"].keys() == vocabulary().keys()


@pytest.mark.parametrize("tag", ["de", "fr", "lb", "nl"])
def test_a_language_keeps_to_its_table_of_words(tag: str) -> None:
    """In the rulebook and on the pages, but for what its table itself avoids, and the documents' own words."""
    content = {key: value for key, value in LANGUAGES[tag].content.items() if key not in ("own", "usage")}
    pages = {name: page_texts(name) for name in ("pages", "play", "workshop", "identify", "front", "abouts")}
    said = "\n".join([*texts(content), *in_language(tag, pages)])
    for entry in LANGUAGES[tag].content["usage"]:
        assert [word for word in entry.get("not", ()) if re.search(rf"\b{word}\b", said)] == [], entry["en"]


def test_every_rule_is_told() -> None:
    """By a sentence of its own, inside that of another, or as the side whose moves count in the draws."""
    outline = data.load_yaml(data.root() / "spec" / "rulebook" / "outline.yaml")
    paragraphs = [entries for section in outline["sections"] for entries in section["paragraphs"]]
    entries = [entry for each in paragraphs for entry in each]
    by_itself = {entry if isinstance(entry, str) else entry.get("rule", "") for entry in entries} - {""}
    sentences = " ".join(text for texts in ENGLISH.content["rules"].values() for text in texts.values())
    inside = set(re.findall(r"\{([a-z]+\.[a-z.-]+)\}", sentences))
    assert by_itself | inside | {"draws.counted-side"} == set(rule_names())


@pytest.mark.parametrize("name", usually({"lb"}, sorted(ORIGINALS)))
def test_whoever_changes_a_rule_changes_the_sheet(name: str) -> None:
    """But for the number of a square, where players use letters."""
    ruleset = damspec.load_ruleset(name)
    letters = notation_of(ruleset).algebraic
    mutants = [each for each in single_mutants(ruleset) if not letters or "board.numbering" not in each.name]
    for language in languages():
        plain = told(language, ruleset)
        assert "{" not in plain
        assert [mutant.name for mutant in mutants if told(language, mutant.ruleset) == plain] == []


def test_what_the_flemish_leaflet_has() -> None:
    """Men capture forward first and then any way; most pieces; going on as a man; a piece each is a draw."""
    by_id = {section.id: section for section in ENGLISH.sections(damspec.load_ruleset("vl"))}
    assert list(by_id) == ["aim", "need", "turn", "capturing", "crowning", "end"]
    capturing = by_id["capturing"].sentences
    first = "A man captures diagonally forward: it jumps over a piece next to it and lands on the square right behind."
    assert first in capturing
    assert "From its second jump on it may also go other ways: diagonally forward or backward." in capturing
    assert "If you can capture in several ways, you must choose the capture that takes the most pieces." in capturing
    assert "If you touch one of your pieces that can move, you have to play it." in by_id["turn"].sentences
    assert by_id["end"].sentences[2:] == (
        "The game is a draw when each player has one piece left, even if one of these could be captured.",
        "Whoever cannot move then has lost all the same.",
    )


def test_where_a_game_has_more_its_sheet_has_sections_for_it() -> None:
    def sections(name: str) -> list[str]:
        return [section.id for section in ENGLISH.sections(damspec.load_ruleset(name))]

    assert "doors" in sections("nl-trapdoor")
    assert "huffing" in sections("de")
    assert "draws" in sections("russian")
    assert not {"doors", "huffing", "draws"} & {*sections("lb")}


def test_flemish_words_take_the_place_of_dutch_ones() -> None:
    dutch = LANGUAGES["nl"]
    sections = dutch.sections(damspec.load_ruleset("vl"))
    assert dutch.sections(damspec.load_ruleset("brazilian"))[3].title == "Slaan"
    assert sections[3].title == "Verschalken"
    flemish = " ".join(text for section in sections for text in section.sentences)
    assert re.findall(r"\b(?:veld(?:en)?|slaan|slaat|geslagen|remise)\b", flemish) == []
    assert "gelijkspel" in flemish


def test_numbers_and_squares_in_words() -> None:
    def sentence(name: str, start: str) -> str:
        every = [text for section in ENGLISH.sections(damspec.load_ruleset(name)) for text in section.sentences]
        return next(text for text in every if text.startswith(start))

    assert sentence("frysk", "Each player sets").endswith("5 men on the row nearest to them.")
    assert (
        sentence("turkish", "Each player has 16 men")
        == "Each player has 16 men. White's begin on [41]-[48], [49]-[56], Black's on [9]-[16], [17]-[24]."
    )
    assert sentence("international", "With few").endswith(
        "one king and two men against one king;"
        " after 5 moves of each player: two kings against one king, one king and one man against one king"
        " or one king against one king."
    )
    assert "after 15 moves of the stronger side: three kings against one king;" in sentence("russian", "With few")
    assert "G1 (green) left [14], right [16]" in sentence("fr-trapdoor", "These are the doors")
    assert sentence("armenian", "A man moves").startswith(
        "A man moves one square diagonally forward to the left, straight forward, diagonally forward to the right,"
        " to the left or to the right,"
    )


def test_what_a_sheet_says_once_and_what_it_leaves_out() -> None:
    """One sentence where all jumps go the same way, no list of no draws above draws, no slides of short kings."""

    def every(name: str) -> str:
        return told(ENGLISH, damspec.load_ruleset(name))

    assert "From its second jump" not in every("international")
    assert "two squares away" in every("frisian")
    assert "two squares away" not in every("turkish")
    assert "No position" not in every("international")
    assert "These rules say nothing about draws." in every("lb")
    assert "straight line." not in every("english").replace("in a straight line over", "")
    assert "as in chess" in every("russian")
    assert "numbers" not in every("russian")


def test_the_french_trapdoor_sheet_says_whose_left_it_is_and_where_a_count_ends() -> None:
    """A captured man that still stands may not be landed on, and where a man is crowned its capture ends."""
    french = told(LANGUAGES["fr"], damspec.load_ruleset("fr-trapdoor"))
    for said in ("celles des Blancs", "les pièces qu’il prend jusque-là", "ni se poser sur leur case"):
        assert said in french
    assert "jusque-là" not in told(LANGUAGES["fr"], damspec.load_ruleset("lb"))


def test_a_language_of_the_wrong_form_is_refused_in_a_line() -> None:
    content = {key: value for key, value in ENGLISH.content.items() if key != "sections"}
    assert data.schema_problem(content, "rulebook") == "top level: missing 'sections'"
