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
