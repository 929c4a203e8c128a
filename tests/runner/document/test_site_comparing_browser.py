"""Games compared in a real browser: the table of all rules, its columns, its address and its print, and the map."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

import damspec
from browser import Watched
from damspec.vocabulary import vocabulary
from damspec_runner.document.compare import families, root
from damspec_runner.document.site import pages

pytestmark = [pytest.mark.xdist_group(__name__), pytest.mark.thorough]

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
    page = window.open(pages.MATRIX)
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
    page = window.open(pages.MATRIX)
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


def test_without_scripts_columns_are_chosen_all_the_same(browser: Browser, address: str) -> None:
    watched = Watched(browser, address, java_script_enabled=False)
    page = watched.open(pages.MATRIX)
    assert page.locator("[data-game]:visible").count() == len(FIRST)
    page.click("#games summary")
    page.uncheck("#game-turkish")
    page.check("#game-pool")
    expect(page.locator("[data-game=turkish]")).to_be_hidden()
    expect(page.locator("[data-game=pool]")).to_be_visible()
    everywhere = page.locator("tr.same").count()
    page.check("#only-differing")
    assert everywhere
    expect(page.locator("tr.same:visible")).to_have_count(0)
    watched.close()


def test_on_a_phone_the_name_of_the_rule_stays(phone: Watched) -> None:
    page = phone.open(f"{pages.MATRIX}#games=lb,nl-trapdoor,vl,russian")
    name = page.locator("tr[data-rule='capture.duty'] th")
    name.scroll_into_view_if_needed()
    before = name.bounding_box()
    page.evaluate("document.querySelector('.scroll').scrollLeft = 400")
    after = name.bounding_box()
    assert before
    assert after
    assert after["x"] == before["x"]
    assert page.evaluate("document.querySelector('.scroll').scrollLeft") > 100
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_it_prints_whole_on_landscape_pages(window: Watched) -> None:
    """The columns are split: each game is once in all tables, and each table has the names of all rules."""
    page = window.open(f"{pages.MATRIX}#games={','.join(IDS)}")
    wanted = shown(page)
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 1040, "height": 700})  # what a sheet of A4 has between its margins
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    tables = page.locator("table.paper")
    assert tables.count() == -(-len(wanted) // 8)
    printed = [head.get_attribute("data-game") for head in page.locator("table.paper [data-game]").all()]
    assert printed == wanted
    for table in tables.all():
        assert table.locator("tr[data-rule] th").count() == len(vocabulary())
        assert table.evaluate("e => e.scrollWidth <= 1040")
        assert table.evaluate("e => [...e.querySelectorAll('td')].every(c => c.scrollWidth <= c.clientWidth + 1)")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("table.paper").count() == 0
    page.emulate_media(media="null")
    boxes = re.findall(rb"/MediaBox ?\[0 0 ([0-9.]+) ([0-9.]+)\]", page.pdf(prefer_css_page_size=True))
    assert len(boxes) >= 2 * -(-len(wanted) // 8)
    assert all(float(width) > float(height) for width, height in boxes)


def test_the_map_leads_to_a_game(phone: Watched) -> None:
    page = phone.open(pages.MAP)
    names = page.locator(".names a")
    assert names.count() == len(IDS)
    width = page.evaluate("innerWidth")
    for name in names.all():
        box = name.bounding_box()
        assert box
        assert box["x"] + box["width"] <= width
    names.filter(has_text="Flemish").click()
    expect(page).to_have_url(re.compile(r"rulesets/vl\.html$"))
