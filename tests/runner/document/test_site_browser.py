"""The rulebook site in a real browser: a page of every sort, the picker, positions, nothing from the network.

This is long because all of it shares one browser and one built site.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from browser import DESKTOP, PHONE, Watched, choose_setting
from damspec_site import pages
from damspec_site.build import make_server

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.thorough]

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
    "cases/argentinian.html",
    "compare/index.html",
    "compare/map.html",
    "engines/index.html",
    "identify/index.html",
    "implement/nl-trapdoor.html",
    "glossary.html",
    "workshop/index.html",
]
#: The longest of them, which take longest to look through.
LONG = {
    "matrix.html", "implement/nl-trapdoor.html", "glossary.html", "documents/nl.html",
    "engines/index.html", "cases/index.html", "cases/argentinian.html", "compare/map.html",
}  # fmt: skip

# --- everybody can read it --------------------------------------------------------------------


@pytest.mark.parametrize(
    "kinds", [pytest.param(sorted({*KINDS} - LONG), id="short"), pytest.param(LONG, id="long", marks=pytest.mark.slow)]
)
def test_everybody_can_read_a_page(window: Watched, kinds: Iterable[str]) -> None:
    """Of each kind, in one window: to open another takes as long as to look through a page."""
    for kind in kinds:
        anybody_can_read(window, kind)


def anybody_can_read(window: Watched, kind: str) -> None:
    """Boards are drawn and say what they show, nothing is wider than a phone, axe finds nothing, in the dark either."""
    window.page.set_viewport_size(DESKTOP)  # type: ignore[arg-type]
    window.page.emulate_media(color_scheme="light")
    page = window.open(kind)
    page.evaluate("for (const image of document.images) image.loading = 'eager'")
    pictures = page.evaluate(
        "Promise.all([...document.images].map("
        "i => i.decode().catch(() => 0).then(() => [i.src, i.alt, i.naturalWidth])))"
    )
    assert [src for src, alt, width in pictures if not (width and alt)] == [], kind
    board = page.locator(".board:visible").first
    if board.count():
        board.scroll_into_view_if_needed()
        expect(board.locator("svg")).to_have_attribute(
            "aria-label", re.compile("(White|Black) to move: White .+; Black .+")
        )
    assert serious(page) == [], kind
    page.emulate_media(color_scheme="dark")
    assert serious(page, runOnly=["color-contrast"]) == [], kind
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    wide, room = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert wide <= room, kind


def serious(page: Page, **options: Any) -> list[tuple[str, str, int]]:
    """What axe finds on a page that is serious, with the first place and the number of them."""
    found = Axe().run(page, options={"resultTypes": ["violations"], **options}).response["violations"]
    bad = [finding for finding in found if finding["impact"] in ("serious", "critical")]
    return [(each["id"], each["nodes"][0]["html"], len(each["nodes"])) for each in bad]


def test_the_keyboard_is_enough(window: Watched) -> None:
    """The first tab stop leads past the navigation, and the element with the focus has an outline."""
    page = window.open("compare/index.html")
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


# --- without scripts, without a server --------------------------------------------------------


def test_without_javascript_there_are_links(browser: Browser, address: str) -> None:
    watched = Watched(browser, address, java_script_enabled=False)
    page = watched.open("compare/index.html")
    expect(page.locator("#pair")).to_be_hidden()
    page.click("main a[href$='matrix.html']")
    expect(page.locator("main")).to_contain_text("Removing what was captured")
    watched.close()


def test_from_a_folder(browser: Browser, site: Path) -> None:
    """The pages do as well as files, opened without any server."""
    watched = Watched(browser, site.as_uri())
    page = watched.open("compare/index.html#de,lb")
    expect(page.locator(".diff").first).to_be_visible()
    watched.close()


# --- positions --------------------------------------------------------------------------------

CASE = "vl.multi-jump.second-jump-back"


def test_a_link_to_a_case_unfolds_it(window: Watched) -> None:
    page = window.open(pages.case(CASE))
    case = page.locator(f"[id='{CASE}']")
    expect(case).to_be_in_viewport()
    expect(case.locator("details .cited a[href^='#']").first).to_be_visible()
    expect(case.locator(".board svg").first).to_be_visible()
    expect(case.locator(".steps .fen").first).to_be_visible()


def test_topics_of_positions_are_folded_but_the_first_and_the_one_in_the_address(window: Watched) -> None:
    """A page with all of them open was 80,000 pixels tall."""
    page = window.open(pages.at("cases_of", "vl", part="duty"))
    expect(page.locator("#duty")).to_be_in_viewport()
    assert page.locator(".topic[open] h2").evaluate_all("found => found.map((each) => each.id)") == ["start", "duty"]
    assert page.evaluate("document.documentElement.scrollHeight") < 20_000
    page.locator("#promotion").click()
    expect(page.locator(".topic:has(#promotion) .board svg").first).to_be_visible()


@pytest.mark.parametrize(
    ("before", "now"),
    [
        (f"cases/{CASE}.html", pages.case(CASE)),
        ("cases/of/vl.html#duty", pages.at("cases_of", "vl", part="duty")),
        ("nl/fr-trapdoor-dual.html", pages.sheet("nl", "fr-trapdoor-dual")),
    ],
)
def test_earlier_addresses_lead_on(browser: Browser, site: Path, before: str, now: str) -> None:
    """By the page for missing addresses, which a server shows."""
    with make_server(site, 0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page = browser.new_page()
        root = f"http://127.0.0.1:{server.server_port}"
        page.goto(f"{root}/{before}")
        page.wait_for_url(f"{root}/{now}")
        page.close()
        server.shutdown()


def test_squares_are_written_in_letters_on_the_whole_page(window: Watched) -> None:
    """In sentences, in moves and on boards, on the next page too."""
    page = window.open(pages.case(CASE))
    board = page.locator(f"[id='{CASE}'] .board svg").first
    expect(board).to_contain_text("32")
    choose_setting(page, "squares", "letters")
    expect(board).to_contain_text("g1")
    expect(page.locator(f"[id='{CASE}'] .actions").first).to_contain_text("c1xe3xg1")
    page = window.open("rulesets/vl.html")
    expect(page.locator("#notation")).to_have_value("letters")
    expect(page.locator("#sheet .squares").first).to_have_text(re.compile("^[a-h][1-8]"))


# --- variants of a document -----------------------------------------------------------------


def test_switches_show_a_variant(window: Watched) -> None:
    """American rules: men capture forward only, nothing says that most pieces count; doors shut again goes with it."""
    page = window.open("rulesets/fr-trapdoor.html")
    name = page.locator("form.variants [role=status]")
    expect(name).to_have_text("French trapdoor draughts")
    american = page.locator("#sheet [data-games]:not([data-games~='fr-trapdoor']):visible")
    expect(american).to_have_count(0)
    page.get_by_label("American rules").check()
    expect(name).to_have_text("French trapdoor draughts, American rules")
    assert page.url.endswith("#fr-trapdoor-american")
    assert all(
        "fr-trapdoor-american" in each
        for each in american.evaluate_all("found => found.map((each) => each.dataset.games)")
    )
    expect(american.first).to_be_visible()
    page.get_by_label("trapdoors shut again").check()
    assert page.url.endswith("#fr-trapdoor-close-american")
    page = window.open(pages.sheet("de", "fr-trapdoor-dual"))
    expect(page.locator("form.variants input:checked")).to_have_value("fr-trapdoor-dual")
