"""The HTML of a report in a real browser: it asks nobody for anything, filters, and can be read by everybody."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from browser import DESKTOP, PHONE, Watched
from damspec_runner.verify.report import render
from reports import ENDING, EVERYTHING, FAILED, RIGHT

pytestmark = [pytest.mark.thorough, pytest.mark.xdist_group("browser")]

ALL = len(EVERYTHING.results) + len(RIGHT.results)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the page lies."""
    folder = tmp_path_factory.mktemp("report")
    (folder / "report.html").write_text(render([EVERYTHING, RIGHT], "html"), encoding="utf-8")
    return folder


def look(browser: Browser, folder: Path, **options: Any) -> Watched:
    """A window with the page in it."""
    watched = Watched(browser, folder.as_uri(), **{"viewport": DESKTOP, **options})
    watched.open("report.html")
    return watched


@pytest.fixture
def page(browser: Browser, folder: Path) -> Iterator[Page]:
    """The page on a desktop."""
    watched = look(browser, folder)
    yield watched.page
    watched.close()


def shown(page: Page) -> list[str]:
    """The ids of the cases that can be seen."""
    found: list[str] = page.evaluate(
        "[...document.querySelectorAll('.case')].filter(e => e.checkVisibility())"
        ".map(e => e.querySelector('code').textContent)"
    )
    return found


@pytest.mark.parametrize(
    ("size", "scheme"),
    [
        pytest.param(DESKTOP, "light", id="desktop-light", marks=pytest.mark.slow),
        pytest.param(DESKTOP, "dark", id="desktop-dark", marks=pytest.mark.slow),
        pytest.param(PHONE, "light", id="phone-light", marks=pytest.mark.slow),
        pytest.param(PHONE, "dark", id="phone-dark"),
    ],
)
@pytest.mark.thorough
def test_everybody_can_read_it(browser: Browser, folder: Path, scheme: Any, size: Any) -> None:
    watched = look(browser, folder, viewport=size, color_scheme=scheme, bypass_csp=True)
    watched.page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
    found = Axe().run(watched.page).response["violations"]
    serious = [finding for finding in found if finding["impact"] in ("serious", "critical")]
    assert [(f["id"], f["nodes"][0]["html"], len(f["nodes"])) for f in serious] == []
    wide, room = watched.page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert wide <= room
    watched.close()


@pytest.mark.thorough
def test_the_filters(page: Page) -> None:
    """There are 12 cases: 9 with every verdict, failed twice, and 3 that pass."""
    count = page.locator("#shown")
    expect(count).to_have_text(f"{ALL} cases")
    page.select_option("#status", "failed")
    expect(count).to_have_text(f"2 of {ALL} cases")
    assert shown(page) == [ENDING.case.id, FAILED.case.id]
    page.select_option("#topic", "ending")
    assert shown(page) == [ENDING.case.id]
    page.select_option("#status", "")
    page.select_option("#topic", "")
    page.fill("#text", "ALERT(1) mismatch")
    expect(count).to_have_text(f"0 of {ALL} cases")
    page.fill("#text", "ALERT(1) extra")
    assert shown(page) == [FAILED.case.id]
    page.fill("#text", "")
    page.select_option("#status", "passed")  # those are folded until they are asked for
    expect(count).to_have_text(f"4 of {ALL} cases")
    assert len(shown(page)) == 4


def test_boards_are_there_and_say_what_they_show(page: Page) -> None:
    pictures = page.evaluate(
        "Promise.all([...document.images].map(i => i.decode().catch(() => 0).then(() => [i.alt, i.naturalWidth])))"
    )
    assert len(pictures) == 6
    assert all(" to move: " in alt and width == 320 for alt, width in pictures)


def test_without_javascript_all_is_there_and_no_filter(browser: Browser, folder: Path) -> None:
    watched = look(browser, folder, java_script_enabled=False)
    expect(watched.page.locator("#filters")).to_be_hidden()
    expect(watched.page.locator("details.case")).to_have_count(6)
    watched.page.locator("details.others summary").first.click()
    expect(watched.page.locator("li.case").first).to_be_visible()
    watched.close()


def test_the_keyboard_is_enough(page: Page) -> None:
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    expect(page.locator(".skip")).to_be_in_viewport()
    page.keyboard.press("Tab")
    expect(page.locator("#status")).to_be_focused()
