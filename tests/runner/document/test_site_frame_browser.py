"""The frame of the site in a real browser: menus, colours, side navigation, and the rulebooks in every language."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from browser import DESKTOP, PHONE, Watched
from damspec_runner.document.rulebook import languages
from damspec_site import pages as links
from runs import SPREAD, usually

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.thorough]

TAGS = [language.tag for language in languages()]
PRINTED = [links.sheet(tag, id) for tag in ("de", "fr") for id in SPREAD]
#: The sheets that a thorough run prints.
OFTEN = {"lb/lb.html", "nl/nl-trapdoor.html"}


def background(page: Page) -> str:
    found: str = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    return found


def luminance(page: Page) -> int:
    return sum(map(int, re.findall(r"\d+", background(page))))


# --- the menu -----------------------------------------------------------------------------------


def test_on_a_phone_the_menu_is_folded_and_opens_without_scripts(browser: Browser, address: str) -> None:
    watched = Watched(browser, address, viewport=PHONE, java_script_enabled=False)
    page = watched.open("rulesets/vl.html")
    link = page.locator("nav[aria-label=Site] a", has_text="Glossary")
    expect(link).to_be_hidden()
    page.click(".menu > summary")
    expect(link).to_be_visible()
    link.click()
    expect(page).to_have_url(re.compile("glossary.html$"))
    watched.close()


# --- light and dark -----------------------------------------------------------------------------


@pytest.mark.parametrize("system", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_colours_are_chosen_remembered_and_given_back(browser: Browser, address: str, system: Any) -> None:
    """What is chosen holds on other pages, in other languages and after a reload, until the system is to choose."""
    watched = Watched(browser, address, viewport=DESKTOP, color_scheme=system)
    page = watched.open("index.html")
    before = background(page)
    page.select_option("#theme", "light" if system == "dark" else "dark")
    after = background(page)
    assert after != before
    page.reload()
    assert background(page) == after
    for path in ("rulesets/vl.html", "lb/lb.html"):
        page = watched.open(path)
        assert background(page) == after
        assert page.input_value("#theme") != ""
    page.select_option("#theme", "")
    assert background(page) == before
    assert background(watched.open("glossary.html")) == before
    watched.close()


def test_on_paper_everything_is_light_and_without_navigation(window: Watched) -> None:
    page = window.open("nl/vl.html")
    page.select_option("#theme", "dark")
    page.emulate_media(media="print")
    assert luminance(page) > 600
    expect(page.locator(".menu")).to_be_hidden()
    expect(page.locator("main")).to_be_visible()


# --- the places of a long page ------------------------------------------------------------------


def test_the_side_navigation_stays_and_leads_into_what_is_folded(window: Watched) -> None:
    page = window.open("rulesets/vl.html")
    side = page.locator("nav.side")
    expect(page.locator("#evidence > section").first).to_be_hidden()
    side.get_by_role("link", name="Conduct").click()
    expect(page.locator("#conduct h2")).to_be_in_viewport()
    expect(side.get_by_role("link", name="The aim")).to_be_in_viewport()


# --- the rulebooks in every language ------------------------------------------------------------


@pytest.mark.parametrize("path", usually((), [*sorted(OFTEN), *PRINTED], OFTEN))
def test_a_rulebook_is_one_sheet_of_paper(window: Watched, path: str) -> None:
    """One page of A4, two with trapdoors, and the evidence is not printed with it unless it is unfolded."""
    page = window.open(path)
    pages = re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4", prefer_css_page_size=True))
    assert len(pages) == (2 if "trapdoor" in path else 1)


def test_the_language_goes_along(browser: Browser, site: Path) -> None:
    """The browser's chooses the first page; it is kept, from a folder too, until another is chosen."""
    watched = Watched(browser, site.as_uri(), locale="nl-BE")
    page = watched.open("index.html")
    page.wait_for_url("**/nl/index.html")
    page.get_by_role("link", name="Vergelijken", exact=True).click()
    expect(page.locator("h1")).to_have_text("Twee spellen vergelijken")
    page.select_option("#first", "vl")
    page.select_option("#first-reading", "priority=multiple-first")
    page.select_option("#second", "vl")
    page.get_by_role("button", name="Vergelijken", exact=True).click()
    result = page.locator("#pair-result")
    expect(result.locator(".difference h3")).to_have_text(["Keuze bij het slaan"])
    expect(result.locator(".difference")).to_contain_text("meerslag gaat voor")
    expect(result.locator(".telling .actions")).to_have_count(2)
    page.get_by_role("button", name="Deutsch").click()
    expect(page.locator("h1")).to_have_text("Zwei Spiele vergleichen")
    page = watched.open("matrix.html#games=international,frisian")
    expect(page.locator("tr[data-rule='capture.duty'] th")).to_contain_text("Schlagpflicht")
    expect(page.locator("tr[data-rule='capture.duty'] td:visible").first).to_have_text("Pflicht")
    page = watched.open("cases/index.html#ruleset=vl&topic=huff")
    expect(page.locator("#why")).to_contain_text("Ohne “Flämische Dame”")
    watched.close()


def test_the_choice_of_a_language_keeps_the_game(window: Watched) -> None:
    """From the page of a game through all languages and back; each says which one it is in."""
    page = window.open("rulesets/turkish.html")
    for tag in (*TAGS[1:], "en"):
        page.click(f".languages a[hreflang={tag}]")
        expect(page).to_have_url(re.compile(re.escape(links.sheet(tag, "turkish")) + "$"))
        expect(page.locator("html")).to_have_attribute("lang", tag)
        expect(page.locator(".languages [aria-current]")).to_have_attribute("lang", tag)


def expect_language(page: Page, tag: str, name: str, compare: str) -> None:
    """One language is marked as the one that the page is in, and the menu is in it."""
    expect(page.locator(".languages [aria-current]")).to_have_text(name)
    expect(page.locator(".languages [aria-current]")).to_have_attribute("lang", tag)
    expect(page.locator(".menu").get_by_role("link", name=compare, exact=True)).to_be_visible()


DUTCH = ("nl", "Nederlands", "Vergelijken")
LUXEMBOURGISH = ("lb", "Lëtzebuergesch", "Vergläichen")
ENGLISH = ("en", "English", "Compare")


@pytest.mark.parametrize(
    ("path", "there"),
    [
        ("lb/vl.html", LUXEMBOURGISH),
        ("lb/index.html", LUXEMBOURGISH),
        ("play/index.html?in=lb", LUXEMBOURGISH),
        ("rulesets/vl.html", ENGLISH),
    ],
)
def test_only_a_click_chooses_a_language(
    browser: Browser, address: str, path: str, there: tuple[str, str, str]
) -> None:
    """A Dutch reader who opens a page in another language goes on in Dutch, until that language is chosen on it."""
    watched = Watched(browser, address, locale="nl-BE", viewport=DESKTOP)
    expect_language(watched.open(path), *there)
    page = watched.open("index.html")
    page.wait_for_url("**/nl/index.html")
    expect_language(watched.open("glossary.html"), *DUTCH)

    page = watched.open(path)
    page.locator(".languages").get_by_text(there[1], exact=True).click()
    expect(page).to_have_url(f"{address}/{path.partition('?')[0]}")
    expect_language(page, *there)
    expect_language(watched.open("glossary.html"), *there)
    watched.page.goto(f"{address}/index.html#games")
    page.wait_for_url(f"{address}/{links.start(there[0])}#games")
    watched.close()


def test_english_is_chosen_on_an_english_page(browser: Browser, address: str) -> None:
    """On one that is there in English alone its surroundings are in Dutch until then; the place on the page stays."""
    watched = Watched(browser, address, locale="nl-BE", viewport=DESKTOP)
    page = watched.open("glossary.html#king")
    expect_language(page, *DUTCH)
    page.get_by_role("button", name="English", exact=True).click()
    expect_language(page, *ENGLISH)
    expect(page).to_have_url(f"{address}/glossary.html#king")
    page = watched.open("nl/index.html")
    expect_language(page, *DUTCH)
    expect_language(watched.open("protocol.html"), *ENGLISH)
    watched.close()


def test_an_english_sheet_does_not_say_that_it_is_there_in_english_alone(browser: Browser, address: str) -> None:
    """The glossary is; the sheet of the Flemish game is there in Dutch too."""
    watched = Watched(browser, address, locale="nl-BE", viewport=DESKTOP)
    page = watched.open("documents/vl.html")
    expect(page.locator("#only-english")).to_have_text("Wat hier in het Engels staat, is er alleen in het Engels.")
    page = watched.open("rulesets/vl.html")
    page.wait_for_load_state("networkidle")  # then its scripts have said all that they say
    expect(page.locator("#only-english")).to_be_hidden()
    expect(page.locator("[lang=nl]:not(.languages *):not(.own)")).to_have_count(0)
    watched.close()


@pytest.mark.parametrize("path", ["nl/index.html", "glossary.html"])
def test_a_browser_that_keeps_nothing_shows_the_chosen_language_once(browser: Browser, address: str, path: str) -> None:
    watched = Watched(browser, address, locale="nl-BE", viewport=DESKTOP)
    watched.context.add_init_script("Storage.prototype.setItem = () => { throw new Error(); };")
    page = watched.open(path)
    page.locator(".languages").get_by_text("English", exact=True).click()
    expect_language(page, *ENGLISH)
    expect_language(watched.open("glossary.html"), *DUTCH)
    watched.close()
