"""The frame of the site in a real browser: menus, colours, side navigation, and the rulebooks in every language."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from browser import DESKTOP, PHONE, Watched
from damspec_runner.document.rulebook import languages
from damspec_site import pages as links
from damspec_site.printing import find_browser, print_sheets
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


def test_sheets_are_printed_as_pdf(browser: Browser, site: Path, tmp_path: Path) -> None:
    """The sheet of lb in German and the booklet that has only it, a page each; nothing else is left behind."""
    for folder in ("assets", "boards"):
        (tmp_path / folder).symlink_to(site / folder)
    (tmp_path / "de").mkdir()
    shutil.copy(site / "de" / "lb.html", tmp_path / "de")
    print_sheets(tmp_path, find_browser(), ["lb"], ["de"], lambda done, of: None)
    assert sorted(path.name for path in (tmp_path / "de").iterdir()) == ["booklet.pdf", "lb.html", "lb.pdf"]
    for name in ("booklet.pdf", "lb.pdf"):
        assert re.findall(rb"/Count (\d+)", (tmp_path / "de" / name).read_bytes()) == [b"1"]


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
