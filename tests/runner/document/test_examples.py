"""Sheets of rules: what is different, and the boards beside rules: moves, captures, crowning and falls."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

import damspec
from damspec import Position
from damspec_runner.document.rulebook import Language, languages
from damspec_site.library import SiteData
from damspec_site.sheets import Example, Sheet, SheetWriter

ENGLISH, *_ = languages()
LANGUAGES = {language.tag: language for language in languages()}


@pytest.fixture(scope="module")
def library() -> SiteData:
    return SiteData()


def sheet(library: SiteData, game: str, language: Language = ENGLISH) -> Sheet:
    return SheetWriter(library, [library.rulesets[game]]).sheet(language)


def examples(found: Sheet) -> Mapping[str, Example]:
    """The examples of a sheet by row."""
    rows = [versions[0].row for versions in (*found.special, *found.usual)]
    return {row.id: row.example for row in rows if row.example}


@pytest.mark.parametrize("game", ["vl", "turkish", "international"])
def test_a_choice_between_captures_says_which_one_has_to_be_played(library: SiteData, game: str) -> None:
    shown = examples(sheet(library, game))
    assert {"man-move", "king-move", "capture", "choice", "crowning"} <= {*shown}
    assert re.match(r"Here White has to play \[[\w-]+\]\.", shown["choice"].says)
    assert all(picture.position.board == shown["capture"].boards[0].board for picture in shown["capture"].boards)


@pytest.mark.parametrize("game", ["fr-trapdoor", "nl-trapdoor"])
def test_a_piece_falls_through_the_door_that_is_named(library: SiteData, game: str) -> None:
    fall = examples(sheet(library, game))["falls"]
    found = re.match(r"An example: \w+ pushes (\w+)\. The door on \[(\d+)\] opens,", fall.says)
    assert found, fall.says
    layout = library.layout(game)
    assert layout is not None
    slider = next(slider for slider in layout.sliders if slider.id == found[1])
    assert int(found[2]) in (slider.left, slider.right)
    before, after = fall.boards
    assert before.position[int(found[2])]
    assert not after.position[int(found[2])]
    assert before.touched == after.touched


def test_every_game_shows_its_moves_a_capture_and_crowning(library: SiteData) -> None:
    """Only a game that its first king wins has no man that becomes a king and plays on."""
    for id in library.rulesets:
        assert {"man-move", "king-move", "capture", "crowning"} <= {*examples(sheet(library, id))}, id


def test_no_board_is_shown_twice(library: SiteData) -> None:
    for id in ("vl", "english", "de", "nl-trapdoor", "turkish"):
        looks = [example.boards[0].look for example in examples(sheet(library, id)).values()]
        assert len(looks) == len({*looks}), id


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES.keys())
def test_what_is_not_allowed_here_is_allowed_in_the_known_game(library: SiteData, language: Language) -> None:
    """A dotted path is a capture by the known game's value of a rule, and none by the rules of the game."""
    marked = 0
    for id in ("vl", "german", "lb", "russian", "spanish"):
        ruleset, player = library.rulesets[id], library.players[id]
        for example in examples(sheet(library, id, language)).values():
            for board in example.boards:
                position = player.parse_position(board.position.fen())
                legal = {str(move) for move in damspec.legal_moves(ruleset, position)}
                for path in board.forbidden:
                    marked += 1
                    assert not {"x".join(map(str, path)), "-".join(map(str, path))} & legal
    assert marked or language.tag == "en"


def test_the_lines_say_what_differs_from_the_game_that_a_reader_knows(library: SiteData) -> None:
    found = sheet(library, "vl", LANGUAGES["nl"])
    assert found.known[0].id == "international"
    assert [row[0].row.id for row in found.special] == ["man-capture", "tie", "board"]
    assert len(found.lines) == 3
    assert found.lines[0].startswith("Een schijf")
    # In Germany men capture forward only, too.
    german = sheet(library, "vl", LANGUAGES["de"])
    assert german.known[0].id == "german"
    assert german.lines[0] != found.lines[0]


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES.keys())
def test_what_is_as_in_the_known_game_is_said_of_it_in_the_same_words(library: SiteData, language: Language) -> None:
    found = sheet(library, "nl-trapdoor", language)
    known = {sentence for section in language.sections(found.known[0]) for sentence in section.sentences}
    told = [
        sentence
        for row in found.usual
        for part in row[0].row.paragraphs
        if not part.items
        for sentence in part.sentences
    ]
    assert told
    assert {*told} <= known
    assert not found.is_known


def test_a_sheet_says_all_that_the_rulebook_says(library: SiteData) -> None:
    for language in languages():
        for id in library.rulesets:
            found = sheet(library, id, language)
            rows = [version.row for row in (*found.special, *found.usual) for version in row]
            rows += [version.row for version in found.writing]
            told = {text for row in rows for part in row.paragraphs for text in (*part.sentences, *part.items)}
            sections = language.sections(library.rulesets[id])
            said = {
                text for section in sections for part in section.paragraphs for text in (*part.sentences, *part.items)
            }
            assert told == said, (id, language.tag)


def test_the_start_of_a_sheet_is_the_start_of_the_game(library: SiteData) -> None:
    for id, ruleset in library.rulesets.items():
        assert sheet(library, id).start.position == Position.start(ruleset.rules)


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES.keys())
def test_a_slider_begins_as_its_colour_does(library: SiteData, language: Language) -> None:
    """In French the green ones are `verte`, and no G is to be found."""
    colours = language.content["phrases"]["colours"]
    knobs = sheet(library, "fr-trapdoor", language).start.knobs
    assert {name[0] for name in knobs} == {colours["green"][0].upper(), colours["orange"][0].upper()}
    assert len({*knobs}) == 4
