"""The page of generated positions in a real browser: it asks nobody for anything, filters, shows moves, has keys."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from annotated_positions import answered
from browser import DESKTOP, PHONE, Watched
from damspec_runner.generate.diversity import coverage
from damspec_runner.generate.pictures import gallery_page as written
from runner_fixtures import damspec as run

pytestmark = [pytest.mark.thorough, pytest.mark.xdist_group("browser")]

#: A capture of two by a white man, a draw, a black man's steps, a white king's: by different rules each.
POSITIONS = ("W:W26:B23,24", "W:W22:B18", "B:W32:B1,4", "W:WK32:B1,2")
ABOUT = {"damspec": "1.0", "ruleset": "vl", "seed": 3, "goals": [], "tried": 9}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the pages lie: one of four positions, one of 150 of a game with doors."""
    folder = tmp_path_factory.mktemp("gallery")
    positions = answered("vl", *POSITIONS)
    (folder / "four.html").write_text(written(positions, coverage(positions[0].by, positions), ABOUT), encoding="utf-8")
    many = ("generate", "nl-trapdoor", "-n", "150", "--format", "html", "-o", str(folder / "many.html"))
    assert run(*many).status == 0
    return folder


def look(browser: Browser, folder: Path, name: str = "four.html", **options: Any) -> Watched:
    """A window with a page in it."""
    watched = Watched(browser, folder.as_uri(), **{"viewport": DESKTOP, **options})
    watched.open(name)
    return watched


@pytest.fixture
def page(browser: Browser, folder: Path) -> Iterator[Page]:
    """The page of four positions on a desktop."""
    watched = look(browser, folder, permissions=["clipboard-read", "clipboard-write"])
    yield watched.page
    watched.close()


def shown(page: Page) -> list[str]:
    """The positions that can be seen."""
    found: list[str] = page.evaluate(
        "[...document.querySelectorAll('.card')].filter(e => e.checkVisibility())"
        ".map(e => e.querySelector('.fen code').textContent)"
    )
    return found


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_everybody_can_read_it(browser: Browser, folder: Path, scheme: Any, size: Any) -> None:
    watched = look(browser, folder, viewport=size, color_scheme=scheme, bypass_csp=True)
    watched.page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
    watched.page.locator(".moves button").first.click()
    found = Axe().run(watched.page).response["violations"]
    assert [(f["id"], f["nodes"][0]["html"], len(f["nodes"])) for f in found] == []
    wide, room = watched.page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert wide <= room
    watched.close()


def test_the_filters(page: Page) -> None:
    count = page.locator("#shown")
    expect(count).to_have_text("4 positions")
    page.select_option("#rule", "capture.duty")
    expect(count).to_have_text("2 of 4 positions")
    assert shown(page) == [POSITIONS[0], POSITIONS[1]]
    page.select_option("#rule", label="ending.draws = [] (1)")
    assert shown(page) == [POSITIONS[1]]
    page.select_option("#rule", "")
    for filter, value, there in (("#side", "black", 2), ("#kind", "king-moves", 3)):
        page.select_option(filter, value)
        assert shown(page) == [POSITIONS[there]]
        page.select_option(filter, "")
    page.fill("#text", "26X19X28")
    assert shown(page) == [POSITIONS[0]]


def test_moves_are_shown_on_the_board_and_kept(page: Page) -> None:
    card = page.locator(".card").first
    move, arrows = card.locator(".moves button"), card.locator(".board .move")
    expect(arrows).to_have_count(0)
    move.hover()
    expect(arrows).to_have_count(1)
    assert arrows.locator("polyline").first.get_attribute("points") == "140,260 220,180 300,260"  # d2, f4, h2
    expect(arrows.locator("path[stroke='#c8202c']")).to_have_count(2)
    expect(card.locator(".after")).to_be_empty()
    page.mouse.move(0, 0)
    expect(arrows).to_have_count(0)
    move.click()
    page.mouse.move(0, 0)
    page.locator("#text").focus()
    expect(arrows).to_have_count(1)
    expect(card.locator(".after")).to_have_text("26x19x28 leads to B:W28:B")
    expect(move).to_have_attribute("aria-pressed", "true")
    move.click()
    page.mouse.move(0, 0)
    page.locator("#text").focus()
    expect(arrows).to_have_count(0)


def test_a_fen_is_copied(page: Page) -> None:
    page.locator(".fen button").nth(1).click()
    expect(page.locator(".fen button").nth(1)).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == POSITIONS[1]


def test_the_keyboard_is_enough(page: Page) -> None:
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#p1")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#p2")).to_be_focused()
    page.select_option("#side", "white")
    page.locator("#p2").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#p4")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#p2")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(page.locator("#p2 .moves button").first).to_be_focused()
    expect(page.locator("#p2 .board .move")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.locator("#p2 .after")).to_contain_text(" leads to B:")


def test_hundreds_are_there_and_only_what_is_seen_is_laid_out(browser: Browser, folder: Path) -> None:
    watched = look(browser, folder, "many.html")
    page = watched.page
    expect(page.locator("#shown")).to_have_text("150 positions")
    seen = page.evaluate(
        "[...document.querySelectorAll('.card h2')].map(e => e.checkVisibility({contentVisibilityAuto: true}))"
    )
    assert 3 <= sum(seen) < 30
    page.locator("#p150").scroll_into_view_if_needed()
    expect(page.locator("#p150 .board svg")).to_be_visible()
    watched.close()


def test_without_javascript_all_is_there_and_no_filter(browser: Browser, folder: Path) -> None:
    watched = look(browser, folder, java_script_enabled=False)
    expect(watched.page.locator("#filters")).to_be_hidden()
    expect(watched.page.locator(".card")).to_have_count(4)
    watched.page.locator(".card summary").first.click()
    expect(watched.page.locator(".card dl").first).to_be_visible()
    watched.close()
