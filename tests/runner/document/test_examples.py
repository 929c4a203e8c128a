"""The boards of a rulebook: moves, captures, crowning and falls."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

import damspec
from damspec_runner.document.rulebook import Language, languages
from damspec_site.boards import Answers, legend
from damspec_site.game_pages import Example, example_cases, sheet
from damspec_site.library import SiteData

ENGLISH, *_ = languages()


@pytest.fixture(scope="module")
def shelf() -> tuple[SiteData, Answers]:
    library = SiteData()
    return library, Answers(library)


def of(shelf: tuple[SiteData, Answers], game: str, language: Language = ENGLISH) -> Mapping[str, tuple[Example, ...]]:
    """The examples of a game in a language."""
    library, answers = shelf
    ruleset = library.rulesets[game]
    return sheet(library, answers, [ruleset], language, [example_cases(library, answers, ruleset)]).examples


@pytest.mark.parametrize("game", ["vl", "turkish", "international"])
def test_a_capture_says_who_takes_how_many(shelf: tuple[SiteData, Answers], game: str) -> None:
    shown = of(shelf, game)
    assert list(shown) == ["turn", "capturing", "crowning"]
    plain, choice = shown["capturing"]
    says = plain.says
    found = re.match(r"An example: White captures with \[([\w-]+)\] and takes (\w+) pieces\.", says)
    assert found, says
    words = ENGLISH.content["phrases"]["numbers"]
    assert found[1].count("x") <= words.index(found[2]) + 2
    assert plain.before != plain.after
    assert re.fullmatch(r"Here White has to play \[[\w-]+\]\.", choice.says), choice.says


@pytest.mark.parametrize("game", ["fr-trapdoor", "nl-trapdoor"])
def test_a_piece_falls_through_the_door_that_is_named(shelf: tuple[SiteData, Answers], game: str) -> None:
    shown = of(shelf, game)
    assert list(shown) == ["turn", "capturing", "crowning", "doors"]
    fall = shown["doors"][0]
    found = re.match(r"An example: \w+ pushes (\w+)\. The door on \[(\d+)\] opens,", fall.says)
    assert found, fall.says
    layout = shelf[0].layout(game)
    assert layout is not None
    slider = next(slider for slider in layout.sliders if slider.id == found[1])
    assert int(found[2]) in (slider.left, slider.right)
    assert f" {found[2]}" in fall.before.alt


def test_every_game_shows_its_moves_a_capture_and_crowning(shelf: tuple[SiteData, Answers]) -> None:
    """Only a game that its first king wins has no man that becomes a king and plays on."""
    library, answers = shelf
    found = {id: example_cases(library, answers, ruleset) for id, ruleset in library.rulesets.items()}
    captions = {id: {one.caption for shown in cases.values() for one in shown} for id, cases in found.items()}
    lacking = {id: {"man-moves", "king-moves", "example", "crowned"} - shown for id, shown in captions.items()}
    assert {id: missing for id, missing in lacking.items() if missing} == {}


def test_an_example_is_told_in_the_words_of_the_leaflet(shelf: tuple[SiteData, Answers]) -> None:
    """In the Flemish game pieces are not slain, `geslagen`, but `verschalkt`."""
    dutch = next(language for language in languages() if language.tag == "nl")
    shown = of(shelf, "vl", dutch)
    assert shown["capturing"][0].says.startswith("Een voorbeeld: wit verschalkt")


@pytest.mark.parametrize("language", languages(), ids=lambda language: language.tag)
def test_the_signs_of_a_game_with_doors_are_explained(language: Language) -> None:
    """A slider, a shut and an open door, and what each result of the spinner allows."""
    ruleset = damspec.load_ruleset("nl-trapdoor")
    spin = language.content["phrases"]["spin"]
    says = [entry.says for entry in legend(ruleset, language)]
    outcomes = ruleset.values["spin.outcomes"].items()
    assert len(says) == 3 + len(outcomes)
    for text, (shown, allowed) in zip(says[3:], outcomes, strict=True):
        assert spin[shown] in text
        assert text.endswith(spin[allowed])
