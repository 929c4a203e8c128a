"""The rulebook site in a real browser: every page and link, the picker, nothing from the network.

This is long because all of it shares one browser and one built site.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from browser import PHONE, Watched
from runs import usually

pytestmark = [pytest.mark.xdist_group(__name__), pytest.mark.thorough]

#: A page of every kind.
KINDS = [
    "index.html",
    "rulesets/vl.html",
    "play/index.html",
    "nl/vl.html",
    "rules/capture.removal.html",
    "404.html",
    "matrix.html",
    "documents/nl.html",
    "readings/VL-04.html",
    "cases/index.html",
    "search.html",
    "cases/nl-trapdoor.door.*.html",
    "compare/fr-trapdoor--nl-trapdoor.html",
    "compare/map.html",
    "families/fr-trapdoor.html",
    "engines/index.html",
    "identify/index.html",
    "identify/questions.html",
    "implement/nl-trapdoor.html",
    "glossary.html",
    "workshop/index.html",
]
#: Those that axe looks at in a thorough run.
USUAL = {"index.html", "nl/vl.html", "compare/fr-trapdoor--nl-trapdoor.html"}


def page_of_kind(site: Path, kind: str) -> str:
    """The first page that a pattern of KINDS stands for."""
    return min(str(path.relative_to(site)) for path in site.glob(kind))


# --- links ------------------------------------------------------------------------------------


#: Follows every link from a page on, in the browser but without drawing: what is linked, and what is there.
WALK = """
async () => {
  const found = {}, waiting = [location.href.split('#')[0]], elsewhere = [], places = [];
  const seen = new Set(waiting);
  const root = location.href.replace(/index.html$/, '');
  while (waiting.length) {
    await Promise.all(waiting.splice(0, 8).map(async url => {
      const answer = await fetch(url);
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
      found[url] = [answer.status, page.title, [...page.querySelectorAll('[id]')].map(e => e.id)];
      for (const link of page.querySelectorAll('a[href]')) {
        const target = new URL(link.getAttribute('href'), url);
        const fragment = decodeURIComponent(target.hash.slice(1));
        target.hash = '';
        if (!target.href.startsWith(root)) { elsewhere.push(target.href); continue; }
        const set = fragment.includes('=') || target.pathname.endsWith('/play/index.html');
        if (fragment && !set) places.push([target.href, fragment]);
        if (!seen.has(target.href)) { seen.add(target.href); waiting.push(target.href); }
      }
    }));
  }
  return [found, elsewhere, places.filter(([url, id]) => !found[url][2].includes(id))];
}
"""


@pytest.mark.slow
def test_links_lead_to_every_page_and_nowhere_else(site: Path, window: Watched) -> None:
    """Over every link from the first page on: every page, every place in a page; what is not here is https."""
    found, elsewhere, missing = window.open("index.html").evaluate(WALK)
    assert {url for url, (status, _, _) in found.items() if status != 200} == set()
    assert {url for url, (_, title, _) in found.items() if url.endswith(".html") and not title} == set()
    pages = {f"{window.address}/{path.relative_to(site)}" for path in site.rglob("*.html")}
    assert {url for url in found if url.endswith(".html")} == pages - {f"{window.address}/404.html"}
    assert [url for url in elsewhere if not url.startswith("https://")] == []
    assert missing == []


@pytest.mark.slow
def test_pages_open_without_a_complaint(site: Path, window: Watched) -> None:
    """A hundred of them, spread over all; the window complains for itself."""
    pages = sorted(str(path.relative_to(site)) for path in site.rglob("*.html"))
    for page in pages[:: len(pages) // 100]:
        window.open(page)
    assert len(window.requests) > 100


# --- everybody can read it --------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_pictures_load_and_a_phone_does_not_scroll_sideways(site: Path, window: Watched, kind: str) -> None:
    page = window.open(page_of_kind(site, kind))
    page.evaluate("for (const image of document.images) image.loading = 'eager'")
    pictures = page.evaluate(
        "Promise.all([...document.images].map("
        "i => i.decode().catch(() => 0).then(() => [i.src, i.alt, i.naturalWidth])))"
    )
    assert [src for src, alt, width in pictures if not width] == []
    assert [src for src, alt, width in pictures if not alt] == []
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    wide, room = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert wide <= room


@pytest.mark.parametrize("kind", usually((), KINDS, USUAL))
def test_no_serious_finding_by_axe(site: Path, window: Watched, kind: str) -> None:
    """In the dark nothing but the colours is another."""
    page = window.open(page_of_kind(site, kind))
    assert serious(page) == []
    page.emulate_media(color_scheme="dark")
    assert serious(page, runOnly=["color-contrast"]) == []


def serious(page: Page, **options: Any) -> list[tuple[str, str, int]]:
    """What axe finds on a page that is serious, with the first place and the number of them."""
    found = Axe().run(page, options={"resultTypes": ["violations"], **options}).response["violations"]
    bad = [finding for finding in found if finding["impact"] in ("serious", "critical")]
    return [(each["id"], each["nodes"][0]["html"], len(each["nodes"])) for each in bad]


def test_the_keyboard_is_enough(window: Watched) -> None:
    """The first tab stop leads past the navigation, and the element with the focus has an outline."""
    page = window.open("compare/fr-trapdoor--nl-trapdoor.html")
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    expect(page.locator(".skip")).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("#main$"))
    page.keyboard.press("Tab")
    in_main, outline = page.evaluate(
        "[document.querySelector('main').contains(document.activeElement),"
        " getComputedStyle(document.activeElement).outlineStyle]"
    )
    assert in_main
    assert outline != "none"


# --- the picker -------------------------------------------------------------------------------


def test_the_picker(window: Watched) -> None:
    page = window.open("compare/index.html")
    page.select_option("#first", "vl")
    page.select_option("#second", "nl-trapdoor")
    page.click("#compare-go")
    page.wait_for_url("**/compare/nl-trapdoor--vl.html")
    section = page.locator("[id='promotion.mid-capture']")
    expect(section).to_contain_text("vl-023")
    expect(section).to_contain_text("nl-036")
    assert section.locator("img").count() >= 2
    assert {page.input_value("#first"), page.input_value("#second")} == {"nl-trapdoor", "vl"}
    page.select_option("#first", "lb")
    page.select_option("#second", "lb")
    page.click("#compare-go")
    expect(page.locator("#pair-note")).not_to_be_empty()
    expect(page).to_have_url(re.compile("nl-trapdoor--vl.html$"))


def test_without_javascript_there_are_links(browser: Browser, address: str) -> None:
    watched = Watched(browser, address, java_script_enabled=False)
    page = watched.open("compare/index.html")
    expect(page.locator("#pair")).to_be_hidden()
    page.click("main a[href$='/fr-trapdoor--nl-trapdoor.html'] >> nth=0")
    expect(page.locator("main")).to_contain_text("Removing what was captured")
    watched.close()


def test_from_a_folder(browser: Browser, site: Path) -> None:
    """The pages do as well as files, opened without any server."""
    watched = Watched(browser, site.as_uri())
    page = watched.open("compare/index.html")
    page.select_option("#first", "de")
    page.select_option("#second", "lb")
    page.click("#compare-go")
    page.wait_for_url("**/compare/de--lb.html")
    watched.close()


# --- a reader's questions ---------------------------------------------------------------------


def test_where_the_trapdoors_are(window: Watched) -> None:
    page = window.open("index.html")
    page.click("main a[href='rulesets/nl-trapdoor.html'] >> nth=0")
    expect(page.locator("#sheet")).to_contain_text("left 14, right 16")
    page.click("summary >> text=Every rule with its sources")
    place = page.locator("[id='trapdoors.layout']")
    expect(place).to_contain_text("NL-12")
    place.locator("a[href='../readings/NL-12.html']").first.click()
    expect(page.locator("main")).to_contain_text("assum")
