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

from browser import Watched
from damspec_runner.cases.cases import cases_of
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
each_kind = pytest.mark.parametrize("kind", KINDS)


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


@each_kind
def test_pictures_load_and_say_what_they_show(site: Path, window: Watched, kind: str) -> None:
    page = window.open(page_of_kind(site, kind))
    page.evaluate("for (const image of document.images) image.loading = 'eager'")
    pictures = page.evaluate(
        "Promise.all([...document.images].map("
        "i => i.decode().catch(() => 0).then(() => [i.src, i.alt, i.naturalWidth])))"
    )
    assert [src for src, alt, width in pictures if not width] == []
    assert [src for src, alt, width in pictures if not alt] == []


# --- everybody can read it --------------------------------------------------------------------


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


@each_kind
def test_a_phone_does_not_scroll_sideways(site: Path, phone: Watched, kind: str) -> None:
    page = phone.open(page_of_kind(site, kind))
    wide, room = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert wide <= room


@pytest.mark.parametrize("kind", ["index.html", "compare/fr-trapdoor--nl-trapdoor.html", "cases/index.html"])
def test_the_keyboard_is_enough(site: Path, window: Watched, kind: str) -> None:
    """The first tab stop leads past the navigation, and what has the focus can be seen to have it."""
    page = window.open(page_of_kind(site, kind))
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


def test_light_and_dark_differ(browser: Browser, address: str) -> None:
    colours = []
    for scheme in ("light", "dark"):
        watched = Watched(browser, address, color_scheme=scheme)
        page = watched.open("index.html")
        colours.append(page.evaluate("getComputedStyle(document.documentElement).backgroundColor"))
        watched.close()
    assert colours[0] != colours[1]


def test_print_leaves_the_navigation_out(window: Watched) -> None:
    page = window.open("rulesets/vl.html")
    page.emulate_media(media="print")
    expect(page.locator("nav[aria-label=Site]")).to_be_hidden()
    expect(page.locator("main")).to_be_visible()


# --- the picker -------------------------------------------------------------------------------


def test_the_picker(window: Watched) -> None:
    page = window.open("compare/index.html")
    page.select_option("#first", "vl")
    page.select_option("#second", "nl-trapdoor")
    page.click("#compare-go")
    page.wait_for_url("**/compare/nl-trapdoor--vl.html")
    expect(page.locator("main")).to_contain_text("Reaching the crownhead by a jump")
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


def test_where_a_programmer_finds_values_positions_and_pitfalls(window: Watched) -> None:
    """A programmer writes an engine for Flemish draughts: what is downloaded is what the page promises."""
    page = window.open("index.html")
    page.click("text=For programmers >> nth=-1")
    page.click("main a[href='../implement/vl.html']")
    expect(page.locator("main")).to_contain_text("start-square-in-the-way".replace("-", " ").capitalize())
    with page.expect_download() as saved:
        page.click(".downloads a[href$='vl.cases.json']")
    assert f'"id": "{cases_of("vl")[0].id}"' in saved.value.path().read_text(encoding="utf-8")


def test_who_published_the_french_game_and_what_is_missing(window: Watched) -> None:
    page = window.open("index.html")
    page.click("text=For historians")
    page.click("main a[href$='documents/fr.html']")
    main = page.locator("main")
    for fact in ("Goliath", "2005", "70441", "The pictures 1 to 3"):
        expect(main).to_contain_text(fact)


def test_what_happens_on_the_far_row_in_mid_capture(window: Watched) -> None:
    """What does the Flemish leaflet say of a man that touches the far row in a capture, and what does the Dutch box?"""
    page = window.open("index.html")
    page.click("nav[aria-label=Site] >> text=Compare")
    page.select_option("#first", "vl")
    page.select_option("#second", "nl-trapdoor")
    page.click("#compare-go")
    page.wait_for_url("**/nl-trapdoor--vl.html")
    section = page.locator("[id='promotion.mid-capture']")
    expect(section).to_contain_text("vl-023")
    expect(section).to_contain_text("nl-036")
    assert section.locator("img").count() >= 2


def test_who_lets_men_begin_a_capture_backward(window: Watched) -> None:
    page = window.open("index.html")
    page.click("nav[aria-label=Site] >> text=Rules >> nth=-1")
    page.click("main a[href$='/man.capture.first.html']")
    main = page.locator("main")
    for name in ("international", "russian", "vl", "lb"):
        expect(main.locator(f"a[href='../rulesets/{name}.html#man.capture.first']").first).to_be_visible()


def test_what_a_lapse_costs_in_the_german_game(window: Watched) -> None:
    page = window.open("index.html")
    page.click("main a[href='rulesets/de.html'] >> nth=0")
    expect(page.locator("#sheet")).to_contain_text("one that could have captured")
    page.click("summary >> text=Every rule with its sources")
    expect(page.locator("[id='huff.piece']")).to_contain_text("could have captured")
    expect(page.locator("[id='huff.turn']")).to_contain_text("still")


def test_where_the_trapdoors_are(window: Watched) -> None:
    page = window.open("index.html")
    page.click("main a[href='rulesets/nl-trapdoor.html'] >> nth=0")
    expect(page.locator("#sheet")).to_contain_text("left 14, right 16")
    page.click("summary >> text=Every rule with its sources")
    place = page.locator("[id='trapdoors.layout']")
    expect(place).to_contain_text("NL-12")
    place.locator("a[href='../readings/NL-12.html']").first.click()
    expect(page.locator("main")).to_contain_text("assum")


def test_when_captured_pieces_leave(window: Watched) -> None:
    """At once in the Dutch box, at the end in the French: with a position that has the answer in it."""
    page = window.open("compare/fr-trapdoor--nl-trapdoor.html")
    section = page.locator("[id='capture.removal']")
    expect(section).to_contain_text("at once")
    pieces = section.locator("code", has_text="W:WK").inner_text().count(",") + 2
    assert pieces <= 4
