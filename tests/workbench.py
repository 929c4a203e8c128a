"""The workshop of the site as tests use it: opened with the rules of a link, its rules, what it says of neighbours."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from browser import Watched

WORKSHOP = "workshop/index.html"


def opened(window: Watched, link: str = "", *groups: str) -> Page:
    """The workshop with the rules of a link, and some groups of rules unfolded."""
    window.page.goto("about:blank")  # so that another link alone loads the page anew
    page = window.open(f"{WORKSHOP}#{link}" if link else WORKSHOP)
    expect(page.locator("#workshop")).to_be_visible()
    for group in groups:
        page.click(f"#group-{group} > summary")
    return page


def rule(page: Page, name: str) -> Locator:
    """The part of the page for a rule."""
    return page.locator(f"[id='rule-{name}']")


def choose(page: Page, name: str, sentence: str) -> None:
    """Choose one of the sentences of a rule."""
    rule(page, name).locator("label", has=page.get_by_text(sentence, exact=True)).click()


def neighbour(page: Page, game: str) -> Locator:
    """What is said of a known game that lies near."""
    return page.locator(f".neighbour[data-game='{game}']")
