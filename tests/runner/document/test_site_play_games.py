"""Whole games on the board in a real browser, held against the reference after every action, by mouse and by keys.

A spin is left to chance, which is the same each time. What else is played is drawn from the reference's own list.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import damspec
from browser import Watched
from damspec import Move, Position, SliderPush, Spin
from damspec.pdn import read_pdn

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.thorough]

#: What Math.random gives, from a seed on, so that the spinner shows the same each time.
CHANCE = "let seed = 143; Math.random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;"

Hand = Callable[[Page, damspec.Game, Any], None]


def opened(window: Watched, address: str) -> Page:
    window.page.add_init_script(CHANCE)
    page = window.open(f"play/index.html#{address}")
    page.locator(".playboard").wait_for()
    page.get_by_role("button", name="Settings").last.click()
    page.get_by_label("Black is").select_option("person")
    page.get_by_role("button", name="Close").click()
    return page


def fen(page: Page) -> str:
    return page.get_by_label("The position as FEN").input_value()


def pdn(page: Page) -> str:
    return page.get_by_label("The game in PDN").input_value()


# --- hands


def clicks(page: Page, game: damspec.Game, action: Any) -> None:
    """Plays on the board by mouse; what the board cannot say alone is chosen below it."""
    if isinstance(action, SliderPush):
        page.locator(f"[data-slider='{action.slider}']").click()
        push = page.locator(".offered button", has_text=re.compile(f"^{action.slider} to the {way(action.to)}, "))
        if fen(page) == game.position.fen():
            push.click()
    else:
        for square in action.path:
            page.locator(f"[data-square='{square}']").click()


def way(letter: str) -> str:
    return {"L": "left", "M": "middle", "R": "right"}[letter]


def keys(page: Page, game: damspec.Game, action: Any) -> None:
    """Plays by keys alone, from wherever the focus is."""
    if isinstance(action, SliderPush):
        tab(page, f".cell[data-slider='{action.slider}']")
        page.keyboard.press("Enter")
        if fen(page) == game.position.fen():
            tab(page, f".offered button:text-matches('^{action.slider} to the {way(action.to)}, ')")
            page.keyboard.press("Enter")
    else:
        tab(page, ".cell[data-square][tabindex='0']")
        for square in action.path:
            go(page, game.position, square)
            page.keyboard.press("Enter")


def tab(page: Page, wanted: str) -> None:
    """Presses Tab until something has the focus; back again, if it lies before."""
    found = page.locator(wanted).first
    found.wait_for()
    focus = "element => element === document.activeElement"
    before = found.evaluate(
        "e => !!(e.compareDocumentPosition(document.activeElement) & Node.DOCUMENT_POSITION_FOLLOWING)"
    )
    for _ in range(60):
        if found.evaluate(focus):
            return
        page.keyboard.press("Shift+Tab" if before else "Tab")
    raise AssertionError(f"no way to {wanted} by Tab")


def go(page: Page, position: Position, square: int) -> None:
    """Goes from the square that has the focus to another, by arrow keys: to its row, then along it."""
    here = int(page.evaluate("document.activeElement.dataset.square"))
    places = position.board.places
    rows = places[square - 1][1] - places[here - 1][1]
    for _ in range(abs(rows)):
        page.keyboard.press("ArrowUp" if rows > 0 else "ArrowDown")
    here = int(page.evaluate("document.activeElement.dataset.square"))
    aside = (places[square - 1][0] - places[here - 1][0]) // 2
    for _ in range(abs(aside)):
        page.keyboard.press("ArrowRight" if aside > 0 else "ArrowLeft")


def spins_by_mouse(page: Page) -> None:
    page.get_by_role("button", name="Spin", exact=True).click()
    expect(page.get_by_label("The position as FEN")).to_have_value(re.compile("spin=(?!due)"))


def spins_by_keys(page: Page) -> None:
    tab(page, ".offered button:text-is('Spin')")
    page.keyboard.press("Enter")
    expect(page.get_by_label("The position as FEN")).to_have_value(re.compile("spin=(?!due)"))


# --- games


def for_white(position: Position) -> int:
    """How many pieces White has more than Black."""
    return position.occupied("white").bit_count() - position.occupied("black").bit_count()


@pytest.mark.parametrize(
    ("hand", "spin"),
    [(clicks, spins_by_mouse), pytest.param(keys, spins_by_keys, marks=pytest.mark.slow)],
    ids=["mouse", "keys"],
)
def test_a_whole_game_with_trapdoors(window: Watched, hand: Hand, spin: Callable[[Page], None]) -> None:
    """To its end: captures, spins, sliders and falls. Its PDN is the same game for the reference.

    Both sides play for White, so that it is short.
    """
    page = opened(window, "nl-trapdoor")
    game, chance = damspec.Game("nl-trapdoor"), random.Random(57)
    done: set[object] = set()
    while game.outcome().result == "ongoing":
        legal = sorted(game.legal_moves, key=str)
        assert fen(page) == game.position.fen()
        if isinstance(legal[0], Spin):
            spin(page)
            shown = fen(page).rpartition("spin=")[2]
            game.push(f"spin={shown}")
            continue
        assert page.locator(".offers li").count() == len(legal)
        good = {action: for_white(damspec.play("nl-trapdoor", game.position, action)) for action in legal}
        action = chance.choice([action for action in legal if good[action] == max(good.values())])
        hand(page, game, action)
        game.push(action)
        done.add(type(action))
        if isinstance(action, Move) and action.captured:
            done.add("capture")
    assert done == {Move, SliderPush, "capture"}
    expect(page.locator(".turn h2")).to_contain_text("has won")
    (record,) = read_pdn(pdn(page))
    again = damspec.Game.from_pdn(pdn(page))
    assert again.position.fen() == game.position.fen() == fen(page)
    assert record.headers["Result"] == {"white": "1-0", "black": "0-1"}[game.outcome().result]


def test_the_computer_plays_and_says_what_it_saw(window: Watched) -> None:
    """In one move Black wins a man for nothing: it does so, and says how deep it looked."""
    page = opened(window, "english/W:W31,32:B1,2,24")
    page.get_by_role("button", name="Settings").last.click()
    page.get_by_label("Black is").select_option("computer")
    page.get_by_role("button", name="Close").click()
    page.locator("[data-square='32']").click()
    page.locator("[data-square='28']").click()
    expect(page.locator(".saw")).to_contain_text(
        re.compile(r"Black looked \d+ moves deep, at [\d,]+ positions, expects")
    )
    expect(page.locator(".turn h2")).to_contain_text(re.compile("Your turn|won|drawn"))
    page.get_by_role("button", name="Undo").click()
    assert fen(page) == "W:W31,32:B1,2,24"


# --- on a phone, for everybody
