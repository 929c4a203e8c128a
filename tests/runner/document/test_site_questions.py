"""Questions of readers, written down before the pages that answer them: each is walked from the front page.

A club player, a programmer or a historian asks; the test clicks what they would click, or types what they would type,
and finds the answer. It was worked out from the documents and the rulesets; what a record says of engines, of a
document's state and of how far games are apart is the record's.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from browser import Watched

pytestmark = [pytest.mark.xdist_group(__name__), pytest.mark.thorough]


@pytest.fixture
def front(window: Watched) -> Page:
    """The first page."""
    return window.open("index.html")


def main(page: Page) -> Locator:
    return page.locator("main")


def search(page: Page, words: str) -> None:
    """Type into the search box and go to the page of all results."""
    page.keyboard.press("/")
    page.keyboard.type(words)
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?*")


# --- club players


def test_may_a_man_begin_a_capture_backward_in_luxembourgish(front: Page) -> None:
    """Däerf e Steen och no hanne schloen? No: forward, at first and after that."""
    front.click("a[hreflang=lb] >> nth=0")
    front.click("main a:has-text('Lëtzebuergesch Dammen')")
    assert front.locator("html").get_attribute("lang") == "lb"
    expect(main(front)).to_contain_text("E Stee schléit diagonal no vir: e spréngt iwwer e Spillsteen niewendrun")
    expect(main(front)).not_to_contain_text("Vum zweete Sprong un")


def test_which_games_have_kings_of_one_square(front: Page) -> None:
    """Of the documents' games those of Luxembourg and Germany; American checkers and the Italian game as well."""
    search(front, "king one square")
    front.click("main a[href*='rules/king.move.reach.html']")
    short = main(front).locator("li", has_text="A king moves one step.")
    for name in ("Luxembourgish checkers", "German draughts with huffing", "English draughts", "Italian draughts"):
        expect(short.filter(has_text=name).first).to_be_visible()


def test_what_is_different_between_brazilian_and_russian_draughts(front: Page) -> None:
    """A man that reaches the far row in mid-capture goes on as a king only in Russia; in Brazil the most is due."""
    front.click("nav a:text-is('Compare')")
    front.select_option("#first", "brazilian")
    front.select_option("#second", "russian")
    front.click("#compare-go")
    front.wait_for_url("**/compare/brazilian--russian.html")
    ranked = front.locator("nav.ranked li")
    expect(ranked.first).to_contain_text(re.compile(r"in \d+ of 1?,?\d+ positions"))
    titles = " ".join(ranked.all_inner_texts())
    assert "Reaching the promotion row by a jump" in titles
    assert "The choice between captures" in titles


# --- programmers


def test_what_an_italian_engine_has_to_count(front: Page) -> None:
    """From the start 7, 49, 302, 1,469 and 7,361 sequences of one to five moves, as others have published."""
    front.click("nav a:text-is('For programmers')")
    front.click("main a[href='../implement/italian.html']")
    for number in ("7", "49", "302", "1,469", "7,361"):
        expect(front.locator("main table").first).to_contain_text(number)
    with front.expect_download() as saved:
        front.click(".downloads a[href$='italian.epd']")
    assert ";D1 7 ;D2 49 ;D3 302 ;D4 1469 ;D5 7361" in saved.value.path().read_text(encoding="utf-8")


# --- historians


def test_where_the_flemish_leaflet_is_from_and_what_is_damaged(front: Page) -> None:
    """Nobody knows who made it; its beginning and its end are missing, and words were read as numbers."""
    front.click("nav a:text-is('Documents')")
    front.click("main a:has-text('Flemish draughts leaflet')")
    expect(main(front)).to_contain_text("Not known")
    expect(main(front)).to_contain_text("no year")
    expect(main(front)).to_contain_text("Text is missing before the first and after the last sentence")
