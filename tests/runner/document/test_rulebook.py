"""The rulebook in prose: each language tells every rule, no two games with different rules read alike."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

import damspec
from damspec import data
from damspec.mutations import changed_values, proof
from damspec.pdn.notation import notation_of
from damspec.rules import rule_names
from damspec.vocabulary import glossary, vocabulary
from damspec_runner.document.examples import of_the_board
from damspec_runner.document.rulebook import Language, RuleSentences, languages
from damspec_runner.document.sources import load_documents
from damspec_runner.mutants.mutants import make_mutant, single_mutants
from runs import ORIGINALS, for_each, usually

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


#: What is not in the file of every language: English asks and names in the files of rules and games.
OF_SOME = ("own", "called", "usage", "asks", "games", "abouts")


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
@pytest.mark.parametrize(
    ("id", "lines"),
    [
        ("nl-trapdoor", {"spare-disc", "spin-again", "swap-colours"}),
        ("nl-trapdoor-autoclose-american", {"agree-variant", "spare-disc", "spin-again", "swap-colours"}),
        ("fr-trapdoor", {"spare-disc", "spin-again", "swap-colours"}),
        ("de", {"settle-colours", "crown-on-top"}),
        ("lb", {"opponent-crowns", "colours-by-lot"}),
        ("vl", {"touch-move"}),
    ],
)
def test_what_players_do_at_the_table_is_on_the_sheet(language: Language, id: str, lines: set[str]) -> None:
    ruleset = damspec.load_ruleset(id)
    assert lines <= {entry["line"] for entry in ruleset.conduct if "line" in entry}
    sheet = "".join(told(language, ruleset).split())
    assert [line for line in lines if "".join(str(language.content["lines"][line]).split()) not in sheet] == []


@every_language
def test_each_language_says_the_same_things(language: Language) -> None:
    """But for the words of a search, where the glossary may have all that there are for a rule."""

    def said(content: Mapping[str, Any]) -> set[str]:
        found = keys({key: value for key, value in content.items() if key not in OF_SOME})
        return {key for key in found if not key.startswith("/find/topics/")}

    assert said(language.content) == said(ENGLISH.content)
    assert language is ENGLISH or language.content["asks"].keys() == vocabulary().keys()


@pytest.mark.parametrize("tag", LANGUAGES)
def test_a_language_keeps_to_its_table_of_words(tag: str) -> None:
    """In the rulebook and on the pages, but for what its table avoids, the documents' words and what people ask."""
    content = {key: value for key, value in LANGUAGES[tag].content.items() if key not in ("own", "usage", "find")}
    found = LANGUAGES[tag].content["find"]["pages"].values()
    content["find"] = [each[name] for each in found for name in ("title", "text")]
    said = "\n".join(texts(content))
    for entry in LANGUAGES[tag].content["usage"]:
        assert [word for word in entry.get("not", ()) if re.search(rf"\b{word}\b", said)] == [], entry["en"]


@pytest.mark.parametrize("tag", LANGUAGES)
def test_a_word_of_the_glossary_is_not_said_again_for_the_search(tag: str) -> None:
    """A rule is found by the words for its terms, those of documents and of players, as they stand in the glossary."""
    for key, said in LANGUAGES[tag].content["find"]["topics"].items():
        words = said.casefold().split(", ")
        assert len(words) == len({*words}), key
        for term in (glossary()[head] for head in (vocabulary()[key].terms if key in vocabulary() else ())):
            quoted = (
                (word.language or load_documents()[id].language, word.words) for id, word in term.languages.items()
            )
            having = [*quoted, *term.players.items(), ("en", tuple(term.head.split(", ")))]
            known = {word.casefold() for own, words in having if own.partition("-")[0] == tag for word in words}
            assert known.isdisjoint(words), (key, known & {*words})


def test_every_rule_is_told() -> None:
    """By a sentence of its own, inside that of another, or as the side whose moves count in the draws."""
    outline = data.load_yaml(data.root() / "spec" / "rulebook" / "outline.yaml")
    paragraphs = [each["entries"] for section in outline["sections"] for each in section["paragraphs"]]
    entries = [entry for each in paragraphs for entry in each]
    by_itself = {entry if isinstance(entry, str) else entry.get("rule", "") for entry in entries} - {""}
    sentences = " ".join(text for texts in ENGLISH.content["rules"].values() for text in texts.values())
    inside = set(re.findall(r"\{([a-z]+\.[a-z.-]+)\}", sentences))
    assert by_itself | inside | {"draws.counted-side"} == set(rule_names())


@every_language
def test_every_value_is_put_into_words(language: Language) -> None:
    sheets = {id: told(language, damspec.load_ruleset(id)) for id in damspec.ruleset_ids()}
    assert [id for id, sheet in sheets.items() if re.search("[{}]", sheet)] == []


@pytest.mark.parametrize("name", usually({"lb"}, sorted(ORIGINALS)))
def test_whoever_changes_a_rule_changes_the_sheet(name: str) -> None:
    """But for the number of a square, where players use letters."""
    ruleset = damspec.load_ruleset(name)
    letters = notation_of(ruleset).algebraic
    mutants = [each for each in single_mutants(ruleset) if not letters or "board.numbering" not in each.name]
    for language in languages():
        plain = told(language, ruleset)
        assert [mutant.name for mutant in mutants if told(language, mutant.ruleset) == plain] == []


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("loses", ("Whoever cannot move then has lost all the same.",)),
        ("wins", ("Whoever cannot move then has won all the same.",)),
        ("draws", ()),  # so it is a draw in either case
    ],
)
def test_a_blocked_side_in_a_drawn_position(word: str, says: tuple[str, ...]) -> None:
    game = damspec.load_ruleset("vl").with_value("ending.no-moves", word)
    assert ENGLISH.sections(game)[-1].sentences[3:] == says


def test_what_the_flemish_leaflet_has() -> None:
    """Men capture forward first and then any way; most pieces; going on as a man; a piece each is a draw."""
    by_id = {section.id: section for section in ENGLISH.sections(damspec.load_ruleset("vl"))}
    assert list(by_id) == ["aim", "need", "turn", "capturing", "crowning", "end"]
    capturing = by_id["capturing"].sentences
    assert "A man captures diagonally forward." in capturing
    assert "It jumps over a piece diagonally next to it and lands on the square just beyond." in capturing
    assert "From its second jump on it may also capture diagonally backward." in capturing
    assert "If you can capture in several ways, you must choose the capture that takes the most pieces." in capturing
    assert "If you touch one of your pieces that can move, you have to move it." in by_id["turn"].sentences
    assert by_id["end"].sentences[2:] == (
        "The game is a draw when each player has one piece left, even if one of these could be captured.",
        "Whoever cannot move then has lost all the same.",
    )


def test_the_dutch_and_french_sheets_say_what_a_list_has_in_common_once() -> None:
    """All that is drawn against one king is named before it, with no accent on `een` but where only one is meant."""
    dutch, french = (told(LANGUAGES[tag], damspec.load_ruleset("international")) for tag in ("nl", "fr"))
    assert "drie dammen, twee dammen en een schijf, of een dam en twee schijven tegen één dam;" in dutch
    assert (
        "trois dames, deux dames et un pion, ou une dame et deux pions contre une dame\N{NARROW NO-BREAK SPACE};"
        in french
    )
    assert "Le damier compte 100 cases (10 × 10)." in french


def test_what_a_man_may_do_from_its_second_jump_on_is_what_it_may_do_more() -> None:
    """Unless it may then no longer go as it first did: all its directions are named."""
    game = damspec.load_ruleset("vl")
    assert "Vanaf de tweede sprong mag hij ook schuin achteruit." in told(LANGUAGES["nl"], game)
    backward = game.with_value("man.capture.later", ("backward-left", "backward-right"))
    assert "Vanaf de tweede sprong mag het ook anders: schuin achteruit." in told(LANGUAGES["nl"], backward)


def test_the_flemish_sheet_has_squares_by_its_own_word_only() -> None:
    flemish = told(LANGUAGES["nl"], damspec.load_ruleset("vl"))
    assert "een donker hoekvak linksonder" in flemish
    assert "veld" not in flemish


def test_french_has_a_space_before_double_marks() -> None:
    """The narrow one that does not break, which stands inside quotation marks too."""
    sheets = "\n".join(told(LANGUAGES["fr"], damspec.load_ruleset(id)) for id in damspec.ruleset_ids())
    assert re.findall(r".{20}[^\N{NARROW NO-BREAK SPACE}][:;?!»]|«[^\N{NARROW NO-BREAK SPACE}].{20}", sheets) == []


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
    flemish = " ".join(text for section in sections for text in section.sentences)
    assert re.findall(r"\b(?:veld(?:en)?|dam|remise|slag)\b", flemish) == []
    assert "gelijkspel" in flemish


def test_numbers_and_squares_in_words() -> None:
    def sentence(name: str, start: str) -> str:
        every = [text for section in ENGLISH.sections(damspec.load_ruleset(name)) for text in section.sentences]
        return next(text for text in every if text.startswith(start))

    assert sentence("frysk", "Each player sets").endswith("5 men on the row nearest to them.")
    assert (
        sentence("turkish", "Each player has 16 men")
        == "Each player has 16 men. White’s begin on [41]-[48], [49]-[56], Black’s on [9]-[16], [17]-[24]."
    )
    assert sentence("international", "With few").endswith(
        "after 16 moves of each player: three kings, two kings and one man, or one king and two men against one king;"
        " after 5 moves of each player: two kings, one king and one man, or one king against one king."
    )
    assert "after 15 moves of the stronger side: three kings against one king;" in sentence("russian", "With few")
    # What faces other pieces stands apart.
    assert sentence("brazilian", "With few").endswith(
        "after 5 moves of each player: two kings against two kings; two kings, one king and one man, or one king"
        " against one king; two kings against one king and one man."
    )
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
    for said in (
        "celles des Blancs",
        "les pièces qu’un pion prend jusqu’à la promotion",
        "pas non plus se poser sur leur case",
    ):
        assert said in french
    assert "jusque-là" not in told(LANGUAGES["fr"], damspec.load_ruleset("lb"))


def test_a_language_of_the_wrong_form_is_refused_in_a_line() -> None:
    content = {key: value for key, value in ENGLISH.content.items() if key != "sections"}
    assert data.schema_problem(content, "rulebook") == "top level: missing 'sections'"


#: Rules whose sentence says something of a game although no other value of them would show in it.
REMINDERS = {
    "capture.completion",  # of the greatest number, which a capture that stops early is not
    "capture.removal",  # of short kings, which do not come upon what they captured
    "capture.duty",
    "king.move.slides",
    "trapdoors.layout",  # of games with a spinner and doors, which leave no other value
}


@for_each("name", damspec.ruleset_ids())
def test_no_sheet_explains_what_no_position_of_its_game_shows(name: str) -> None:
    """By the proofs that no other value of a rule changes anything: doors that shut again, men that never turn back."""
    ruleset = damspec.load_ruleset(name)
    for rule, value in ruleset.values.items():
        others = (make_mutant(ruleset.base, ruleset.values, ((rule, other),)) for other in changed_values(rule, value))
        if rule in REMINDERS or of_the_board(rule) or any(each and not proof(ruleset, each.name) for each in others):
            continue
        parts = RuleSentences(ruleset, ENGLISH).paragraphs([rule])
        assert [text for part in parts for text in part.sentences if text in told(ENGLISH, ruleset)] == [], rule


#: What the sheet of Luxembourgish checkers says of its colours, and those of games on light squares of them.
OWN = {
    "en": ("Red begins", "light squares"),
    "de": ("Rot beginnt", "hellen Feldern"),
    "fr": ("Rouges commencent", "cases claires"),
    "lb": ("Rout fänkt un", "helle Felder"),
    "nl": ("Rood begint", "lichte velden"),
}


@every_language
def test_what_some_sheets_say_and_others_do_not(language: Language) -> None:
    """By the lines of the outline: what lies on a German king, neighbours jumped diagonally, doors that shut again.

    What flying kings alone meet stands where kings fly, a draw that is agreed where the documents know it.
    """
    games = {name: damspec.load_ruleset(name) for name in damspec.ruleset_ids()}
    said = {name: told(language, game) for name, game in games.items()}
    has = {
        key: {name for name, game in games.items() if language.in_own_words(text, game) in said[name]}
        for key, text in language.content["lines"].items()
    }
    flying = {name for name, game in games.items() if game.values["king.capture.reach"] == "any"}
    assert has["crown-on-top"] == {"de"} == {*games} - has["crown"]
    gapped = {name for name, game in games.items() if "man.capture.gap" in game.values}
    assert has["straight-man"] == {*games} - has["man-jump"] - has["man-jump-diagonal"] - gapped >= {"frisian", "frysk"}
    assert (
        {"turkish", "gothic"}
        <= has["man-jump"]
        == {name for name, game in games.items() if game.values["board.squares"] == "all"}
    )
    assert has["doors-shut"] == has["push"] == {name for name in games if re.search("auto|-close", name)}
    assert has["not-on-captured"] <= flying <= {*games} - has["king-jump"] - has["king-jump-diagonal"]
    assert {"mozambican", "tanzanian", "english"} <= has["draw-agreed"] <= {*games} - has["no-draws"]
    red, light = ([name for name in games if text in said[name]] for text in OWN[language.tag])
    assert (red, light) == (["lb"], ["philippine", "sri-lankan", "zimbabwean"])


def test_what_is_less_than_sure_is_marked() -> None:
    """By the readings that could give a rule another value; a sentence that a clause alone gives has none."""

    parts = [part for section in ENGLISH.sections(damspec.load_ruleset("vl")) for part in section.paragraphs]
    unsure = {text: ids for part in parts for text, ids in zip(part.sentences, part.unsure, strict=True)}
    king, man = (
        "A king moves any number of empty squares diagonally forward or backward.",
        "A man captures men and kings.",
    )
    assert [unsure[each] for each in (king, man, "White begins.")] == [("VL-07",), (), ()]


def test_the_dutch_leaflet_activates_trapdoors_by_their_knobs() -> None:
    for id in ("nl-016", "nl-020", "nl-044"):
        assert re.search("trapdoors .* knob", damspec.load_clauses()[id].says), id
