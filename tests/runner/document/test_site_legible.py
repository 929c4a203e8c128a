"""Boards in a real browser: names of squares large enough to read or not there, and one notation by a switch.

All pages are opened as files, without a server.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from browser import DESKTOP, PHONE, Watched
from damspec.drawing import LEGIBLE
from runs import usually

pytestmark = [pytest.mark.xdist_group(__name__), pytest.mark.thorough]

#: A page of every kind that shows boards.
KINDS = [
    "index.html",
    "rulesets/vl.html",
    "rulesets/nl-trapdoor.html",
    "rulesets/malaysian.html",
    "rulesets/international.html",
    "rulesets/turkish.html",
    "de/canadian.html",
    "fr/fr-trapdoor.html",
    "rules/capture.removal.html",
    "readings/VL-04.html",
    "readings/NL-24.html",
    "cases/de.huff.*.html",
    "cases/canadian.promotion.*.html",
    "cases/vl.game.*.html",
    "cases/nl-trapdoor.door.*.html",
    "compare/fr-trapdoor--nl-trapdoor.html",
    "compare/canadian--malaysian.html",
]
USUAL = {"rulesets/nl-trapdoor.html"}
#: The boards of a page: where each lies, and how large it is shown once everything is unfolded.
BOARDS = """
() => {
  for (const folded of document.querySelectorAll('details')) folded.open = true;
  const found = [...document.querySelectorAll("img[src*='boards/']")].map(image => {
    const { width, height } = image.getBoundingClientRect();
    return [image.src, Math.round(width), Math.round(height)];
  });
  return [...new Map(found.map(each => [String(each), each])).values()];
}
"""
#: The names that a picture shows in a window of its size, and how large each is written.
NAMES = """
() => {
  const picture = document.documentElement;
  for (const side of ['width', 'height']) picture.setAttribute(side, '100%');
  const scale = picture.getScreenCTM().a;
  return [...document.querySelectorAll('text')].filter(text => text.getBoundingClientRect().width > 0)
    .map(text => [text.textContent, scale * parseFloat(getComputedStyle(text).fontSize)]);
}
"""


def folder(browser: Browser, site: Path, **options: Any) -> Watched:
    """A window on the folder of the site."""
    return Watched(browser, site.as_uri(), **options)


@pytest.mark.parametrize("kind", usually((), KINDS, USUAL))
@pytest.mark.parametrize("size", [DESKTOP, pytest.param(PHONE, marks=pytest.mark.slow)], ids=["desktop", "phone"])
def test_every_name_can_be_read(browser: Browser, site: Path, kind: str, size: Any) -> None:
    """Each picture as large as the page shows it, in a window of its own: what it names is 9 pixels high or more.

    Boards as wide as eight columns of 27 pixels have names; on a phone no column is narrower than that.
    """
    watched = folder(browser, site, viewport=size)
    address = min(str(path.relative_to(site)) for path in site.glob(kind))
    boards = watched.open(address).evaluate(BOARDS)
    alone = watched.context.new_page()
    named = 0
    assert boards
    for src, width, height in boards[:60]:
        alone.set_viewport_size({"width": width, "height": height})
        alone.goto("about:blank")
        alone.goto(src)
        names = alone.evaluate(NAMES)
        assert [name for name, pixels in names if pixels < LEGIBLE - 0.05] == [], (src, width)
        named += bool(names)
        assert names or width < 320, f"{src} is {width} wide and names no square"
    assert named
    watched.close()


def marks(page: Page) -> list[str]:
    found: list[str] = page.evaluate("[...document.querySelectorAll('main .squares')].map(mark => mark.textContent)")
    return found


def fragments(page: Page) -> set[str]:
    found: list[str] = page.evaluate("[...document.images].map(image => image.src.split('#')[1] || '')")
    return set(found)


NUMBERS, LETTERS = re.compile(r"\d+([-x]\d+)*"), re.compile(r"[a-n]\d+([-x][a-n]\d+)*")


def test_the_switch_changes_all_squares_and_is_remembered(browser: Browser, site: Path) -> None:
    """A capture of the Flemish game is 30x23x32, or c1xe3xg1; a reader who chose letters has them on the next page."""
    watched = folder(browser, site, viewport=DESKTOP)
    page = watched.open("cases/vl.multi-jump.second-jump-back.html")
    expect(page.locator(".notation")).to_be_visible()
    assert "30x23x32" in marks(page)
    assert all(map(NUMBERS.fullmatch, marks(page)))
    assert fragments(page) == {""}
    page.select_option("#notation", "letters")
    assert "c1xe3xg1" in marks(page)
    assert all(map(LETTERS.fullmatch, marks(page)))
    assert fragments(page) == {"letters"}
    expect(page.locator("#fen")).to_have_text("W:W30:B4,26,27")
    page = watched.open("nl/nl-trapdoor.html")
    expect(page.locator("#notation")).to_have_value("letters")
    assert all(map(LETTERS.fullmatch, marks(page)))
    assert "b6" in marks(page)
    page.select_option("#notation", "numbers")
    assert all(map(NUMBERS.fullmatch, marks(page)))
    assert fragments(watched.open("rulesets/vl.html")) == {""}
    watched.close()


def test_a_game_in_letters_begins_with_letters(browser: Browser, site: Path) -> None:
    """Without a choice; and whoever wants numbers has them there too."""
    watched = folder(browser, site, viewport=DESKTOP)
    page = watched.open("rulesets/russian.html")
    expect(page.locator("#notation")).to_have_value("letters")
    assert all(map(LETTERS.fullmatch, marks(page)))
    assert fragments(page) == {"letters"}
    page.select_option("#notation", "numbers")
    assert all(map(NUMBERS.fullmatch, marks(page)))
    assert fragments(page) == {""}
    watched.close()


def test_what_a_script_adds_later_is_written_too(browser: Browser, site: Path) -> None:
    watched = folder(browser, site, viewport=DESKTOP)
    page = watched.open("rulesets/vl.html")
    page.select_option("#notation", "letters")
    page.evaluate(
        """document.getElementById('main').insertAdjacentHTML('beforeend',
        '<p id="late"><span class="squares" data-letters="b2">25</span></p>')"""
    )
    expect(page.locator("#late")).to_have_text("b2")
    page.select_option("#notation", "numbers")
    expect(page.locator("#late")).to_have_text("25")
    watched.close()


def test_without_javascript_there_is_no_switch_and_one_notation(browser: Browser, site: Path) -> None:
    watched = folder(browser, site, java_script_enabled=False)
    for address, squares in (("rulesets/vl.html", NUMBERS), ("rulesets/russian.html", LETTERS)):
        page = watched.open(address, "domcontentloaded")
        expect(page.locator(".notation")).to_be_hidden()
        assert all(map(squares.fullmatch, page.locator("main .squares").all_text_contents()))
    watched.close()


def test_pictures_show_what_their_address_asks_for(browser: Browser, site: Path, tmp_path: Path) -> None:
    """As pictures of a page, by their points: numbers and letters differ, thumbnails have neither."""
    picture = min((site / "boards").iterdir()).as_uri()
    page = tmp_path / "page.html"
    shown = [("", 320), ("#letters", 320), ("", 112), ("#letters", 112)]
    # each at whole points, so that letters are drawn alike
    images = [
        f'<img style="position: absolute; top: {500 * place}px" src="{picture}{fragment}" width="{width}">'
        for place, (fragment, width) in enumerate(shown)
    ]
    page.write_text("".join(images))
    window = browser.new_page()
    window.goto(page.as_uri())
    window.evaluate("Promise.all([...document.images].map(image => image.decode()))")
    large, lettered, small, other = (image.screenshot() for image in window.locator("img").all())
    assert large != lettered
    assert small == other
    window.evaluate(f"document.images[0].src = '{picture}#letters'")
    window.evaluate("document.images[0].decode()")
    assert window.locator("img").first.screenshot() == lettered
    window.close()
