"""Games compared in a real browser: the table of all rules, its columns, its address and its print, and the map."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

import damspec
from browser import Watched
from damspec.vocabulary import vocabulary
from damspec_runner.document.compare import families, root
from damspec_site import pages

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.thorough]

IDS = damspec.ruleset_ids()
FIRST = [id for id in IDS if root(id) == id]


def shown(page: Page) -> list[str]:
    """The games whose columns are seen."""
    ids: list[str] = page.evaluate(
        "[...document.querySelectorAll('.scroll [data-game]')].filter(e => e.checkVisibility())"
        ".map(e => e.dataset.game)"
    )
    return ids


def rules(page: Page) -> list[str]:
    """The rules whose rows are seen."""
    names: list[str] = page.evaluate(
        "[...document.querySelectorAll('.scroll [data-rule]')].filter(e => e.checkVisibility())"
        ".map(e => e.dataset.rule)"
    )
    return names


def differing(*ids: str) -> list[str]:
    values = [damspec.load_ruleset(id).values for id in ids]
    return [rule for rule in vocabulary() if any(each.get(rule) != values[0].get(rule) for each in values)]


def test_families_are_folded_and_opened_by_a_click(window: Watched) -> None:
    page = window.open(pages.at("matrix"))
    assert sorted(shown(page)) == FIRST
    button = page.locator("[data-game=russian] .unfold")
    expect(button).to_have_attribute("aria-expanded", "false")
    button.click()
    russian = [member.ruleset.id for member in families()["russian"].all()]
    assert sorted(shown(page)) == sorted({*FIRST, *russian})
    expect(button).to_have_attribute("aria-expanded", "true")
    button.click()
    assert sorted(shown(page)) == FIRST


def test_the_games_chosen_are_kept_in_the_address(window: Watched) -> None:
    page = window.open(pages.at("matrix"))
    page.click("#games summary")
    page.click("[data-games=none]")
    for id in ("vl", "nl-trapdoor"):
        page.check(f"#game-{id}")
    page.check("#only-differing")
    expect(page).to_have_url(re.compile("matrix.html#games=nl-trapdoor,vl&differing$"))
    expect(page.locator("#games-note")).to_have_text("2 games are shown.")
    assert rules(page) == differing("nl-trapdoor", "vl")
    page.reload()
    assert shown(page) == ["nl-trapdoor", "vl"]
    assert rules(page) == differing("nl-trapdoor", "vl")
    page.click("#games summary")
    page.click("[data-games=first]")
    page.uncheck("#only-differing")
    expect(page).to_have_url(re.compile("matrix.html$"))
    assert rules(page) == list(vocabulary())
    page.fill("#find-game input", "pool")
    names = page.locator(".choices label:visible").all_inner_texts()
    assert {name.strip() for name in names} == {
        "Russian draughts", "American pool checkers", "Unified pool checkers", "Zimbabwean pool checkers",
    }  # fmt: skip


# --- two games


def told(page: Page) -> list[str]:
    """The headings of what differs."""
    expect(page.locator(".diff").first).to_be_visible()
    return page.locator(".diff h2 > span").all_inner_texts()


def test_two_games_differ_the_strongest_first(window: Watched) -> None:
    """Each difference with the same position twice and the sentences of both sheets, in the language of the page."""
    page = window.open("nl/compare/index.html#vl,international")
    assert told(page)[:2] == ["Eerste sprong van een schijf", "Het bord en de beginstand"]
    first = page.locator(".diff").first
    expect(first.locator("svg.paper")).to_have_count(2)
    expect(first.locator("svg.paper").first).to_have_attribute("aria-label", re.compile("^Wit aan zet"))
    expect(first.locator(".cell").nth(0)).to_contain_text("Een schijf slaat schuin vooruit. Vanaf de tweede sprong")
    expect(first.locator(".cell").nth(1)).to_contain_text("Een schijf slaat schuin vooruit of achteruit.")
    assert "of achteruit." in first.locator(".cell").nth(1).locator(".key").all_inner_texts()
    expect(first.locator("figcaption")).to_have_text(["Rood gestippeld: mag hier niet."])
    assert first.locator("svg").nth(1).locator(".nr").all_inner_texts() != []
    assert all(
        each["height"] <= 230
        for each in first.locator("svg").evaluate_all("all => all.map(e => e.getBoundingClientRect().toJSON())")
    )
    expect(first.locator("h2 small")).to_have_text(re.compile("in 4 van 100 standen"))
    expect(page.locator(".diff").nth(1).locator("h2 small")).to_have_text("andere maat")
    expect(page.locator("#summary")).to_have_text(re.compile("^4 verschillen, het grootste eerst"))
    expect(page.locator(".same")).to_contain_text("Slaan is verplicht.")


def test_what_is_there_only_with_another_rule_is_told_with_it(window: Watched) -> None:
    """What the choice between captures binds stands in its section, which is the greatest difference of these games."""
    page = window.open("compare/index.html#russian,brazilian")
    assert told(page) == [
        "The choice between captures", "Reaching the promotion row by a jump", "Where a king's capture finishes",
        "Draws by what went before",
    ]  # fmt: skip
    expect(page.locator(".diff").first.locator("h2 small")).to_have_text("matters in 16 of 1000 positions")
    expect(page.locator(".diff").first.locator(".cell").nth(1)).to_contain_text("No other capture may be played.")


def test_a_rule_that_was_not_measured_stands_behind_the_measured_ones(window: Watched) -> None:
    """What the choice of captures changes was not measured for these two, since others go with it."""
    page = window.open("compare/index.html#argentinian,brazilian")
    assert told(page)
    notes = page.locator(".diff h2 small").all_inner_texts()
    measured = [place for place, note in enumerate(notes) if note.startswith("matters in")]
    unmeasured = [place for place, note in enumerate(notes) if note == "not measured"]
    assert measured
    assert unmeasured
    assert max(measured) < min(unmeasured)


def test_games_are_chosen_and_kept_in_the_address(window: Watched) -> None:
    page = window.open("de/compare/index.html")
    assert page.locator("#first").input_value() == "de"
    page.select_option("#first", "frisian")
    page.select_option("#second", "international")
    expect(page).to_have_url(re.compile("#frisian,international$"))
    first_capture = page.locator(".diff", has_text="Erster Sprung eines einfachen Steins").locator(".cell").first
    expect(first_capture).to_contain_text("in alle acht Richtungen")
    page.click(".swap")
    expect(page).to_have_url(re.compile("#international,frisian$"))
    expect(page.locator(".diff").first.locator(".label").first).to_have_text("Internationale Dame")
    page.goto(page.url.replace("international,frisian", "lb,lb"))
    expect(page.locator("#summary")).to_contain_text("Keine Regel ist verschieden.")
    expect(page.locator(".diff")).to_have_count(0)


def test_what_only_one_game_has_comes_by_parts(window: Watched) -> None:
    page = window.open("compare/index.html#nl-trapdoor,vl")
    assert told(page)[:2] == ["Trapdoors", "Spin"]
    first = page.locator(".diff").first
    expect(first.locator("h2 small")).to_have_text("only in Dutch trapdoor draughts")
    expect(first.locator(".cell").nth(1)).to_contain_text("There is no such rule.")
