"""The frame of the site in a real browser: menus, colours, side navigation, and the rulebooks in every language."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from browser import DESKTOP, PHONE, Watched, choose_language, choose_setting
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


@pytest.mark.parametrize("script", [True, False])
def test_on_a_phone_the_menu_opens_by_keys_and_without_scripts(browser: Browser, address: str, script: bool) -> None:
    watched = Watched(browser, address, viewport=PHONE, java_script_enabled=script)
    page = watched.open("nl/vl.html")
    link = page.locator("#settings").get_by_role("link", name="Vergelijken")
    expect(link).to_be_hidden()
    button = page.get_by_role("button", name="Instellingen")
    button.press("Enter")
    expect(link).to_be_visible()
    page.keyboard.press("Escape")
    expect(link).to_be_hidden()
    expect(button).to_be_focused()
    button.click()
    link.click()
    expect(page).to_have_url(re.compile("compare/index.html$"))
    watched.close()


@pytest.mark.parametrize(("size", "most"), [(DESKTOP, 60), (PHONE, 56)])
@pytest.mark.parametrize("path", ["fr/index.html", "de/vl.html", "play/index.html"])
def test_the_header_is_one_line(browser: Browser, address: str, size: Any, most: int, path: str) -> None:
    watched = Watched(browser, address, viewport=size, locale="fr")
    page = watched.open(path)
    box = page.locator(".lid").bounding_box()
    assert box
    assert box["height"] + 7 <= most
    assert page.evaluate("document.documentElement.scrollWidth") == size["width"]
    for button in page.locator(".lid .wrap > :is(a, button), .lid .find").all():
        if button.is_visible():
            inside = button.bounding_box()
            assert inside
            assert inside["height"] >= 38
            assert inside["y"] + inside["height"] <= box["height"] + 1
    watched.close()


def test_the_first_page_shows_the_reader_s_games_and_three_doors_at_once(browser: Browser, address: str) -> None:
    for tag in TAGS:
        watched = Watched(browser, address, viewport={"width": 1280, "height": 800}, locale=tag)
        page = watched.open(links.at("front", language=tag))
        for shown in page.locator(".games b, .door b").all():
            expect(shown).to_be_in_viewport(ratio=1)
        watched.close()


# --- light and dark -----------------------------------------------------------------------------


@pytest.mark.parametrize("system", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_colours_are_chosen_remembered_and_given_back(browser: Browser, address: str, system: Any) -> None:
    """What is chosen holds on other pages, in other languages and after a reload, until the system is to choose."""
    watched = Watched(browser, address, viewport=DESKTOP, color_scheme=system)
    page = watched.open("index.html")
    before = background(page)
    choose_setting(page, "theme", "light" if system == "dark" else "dark")
    after = background(page)
    assert after != before
    page.reload()
    assert background(page) == after
    for path in ("rulesets/vl.html", "lb/lb.html"):
        page = watched.open(path)
        assert background(page) == after
        assert page.evaluate("document.querySelector('#settings [name=theme]:checked').value") != ""
    choose_setting(page, "theme", "")
    assert background(page) == before
    assert background(watched.open("glossary.html")) == before
    watched.close()


def test_on_paper_everything_is_light_and_without_navigation(window: Watched) -> None:
    page = window.open("nl/vl.html")
    choose_setting(page, "theme", "dark")
    page.emulate_media(media="print")
    assert luminance(page) > 600
    expect(page.locator(".lid")).to_be_hidden()
    expect(page.locator("main")).to_be_visible()


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
    page.locator(".doors").get_by_role("link", name="Welk spel spelen wij?").click()
    expect(page.locator(".doors [aria-current]")).to_have_text("Welk spel spelen wij?")
    choose_language(page, "de")
    expect(page.locator(".doors [aria-current]")).to_have_text("Welches Spiel ist unseres?")
    page.click(".mark")
    page.wait_for_url("**/de/index.html")
    watched.close()


def test_the_choice_of_a_language_keeps_the_game(window: Watched) -> None:
    """From the page of a game through all languages and back; each says which one it is in."""
    page = window.open("rulesets/turkish.html")
    for tag in (*TAGS[1:], "en"):
        page.click("[popovertarget=languages]")
        page.click(f"#languages a[hreflang={tag}]")
        expect(page).to_have_url(re.compile(re.escape(links.sheet(tag, "turkish")) + "$"))
        expect(page.locator("html")).to_have_attribute("lang", tag)
        expect_language(page, tag)


#: What the first two doors are called.
DOORS = {"en": ["Games", "Play"], "nl": ["Spellen", "Spelen"], "lb": ["Spiller", "Spillen"]}


def expect_language(page: Page, tag: str) -> None:
    """One language is marked as the one that the page is in, and the header is in it."""
    expect(page.locator("#languages [aria-current]")).to_have_attribute("lang", tag)
    expect(page.locator(".tongue")).to_have_text(tag.upper())
    for door, name in enumerate(DOORS.get(tag, [])):
        expect(page.locator(".doors a").nth(door)).to_have_text(name)


@pytest.mark.parametrize(
    ("path", "tag"),
    [
        ("lb/vl.html", "lb"),
        ("lb/index.html", "lb"),
        ("lb/play/index.html", "lb"),
        ("rulesets/vl.html", "en"),
        ("glossary.html", "en"),
    ],
)
def test_only_a_click_chooses_a_language(browser: Browser, address: str, path: str, tag: str) -> None:
    """A Dutch reader of a page in another language still begins in Dutch, until that language is chosen on it."""
    watched = Watched(browser, address, locale="nl-BE", viewport=DESKTOP)
    expect_language(watched.open(path), tag)
    page = watched.open("index.html")
    page.wait_for_url("**/nl/index.html")

    page = watched.open(path)
    choose_language(page, tag)
    expect(page).to_have_url(f"{address}/{path}")
    expect_language(page, tag)
    page.goto(f"{address}/index.html#main")
    page.wait_for_url(f"{address}/{links.at('front', language=tag)}#main")
    watched.close()


def test_from_the_shelf_one_comes_back_into_one_s_language(browser: Browser, address: str) -> None:
    """It is in English whatever is chosen; another language leads to the first page in it."""
    watched = Watched(browser, address, locale="nl-BE", viewport=DESKTOP)
    page = watched.open("glossary.html#king")
    expect_language(page, "en")
    page.locator(".doors a").nth(1).click()
    page.wait_for_url("**/nl/play/index.html")
    page = watched.open("glossary.html#king")
    choose_language(page, "de")
    page.wait_for_url("**/de/index.html")
    watched.open("glossary.html").click(".mark")
    page.wait_for_url("**/de/index.html")
    watched.close()


def test_a_browser_that_keeps_nothing_shows_the_chosen_language_once(browser: Browser, address: str) -> None:
    watched = Watched(browser, address, locale="nl-BE", viewport=DESKTOP)
    watched.context.add_init_script("Storage.prototype.setItem = () => { throw new Error(); };")
    page = watched.open("nl/index.html")
    choose_language(page, "en")
    expect_language(page, "en")
    watched.open("index.html").wait_for_url("**/nl/index.html")
    watched.close()
