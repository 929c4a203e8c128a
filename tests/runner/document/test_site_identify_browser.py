"""Finding out a game in a real browser: what is asked, what is found, and that the address keeps it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from browser import Watched
from damspec_site import pages

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.thorough]


def opened(window: Watched, language: str = "en", address: str = "") -> Page:
    """The page with its first question, or what its address leads to."""
    page = window.open(pages.at("identify", language=language) + address)
    expect(page.locator(".ask")).to_be_visible()
    return page


def say(page: Page, press: str) -> None:
    """Press a key, or click, and wait for what comes next."""
    before = page.url
    if press in "yn" or press == "Enter":
        page.keyboard.press(press)
    else:
        page.click(press)
    page.wait_for_function("before => location.href !== before", arg=before)


def to_the_end(page: Page) -> None:
    """Say yes to all rules that are read out."""
    while page.locator(".ask.check").count():
        say(page, "y")


def test_a_plain_game_is_found_by_keys_alone(browser: Browser, site: Path) -> None:
    """Dutch trapdoor draughts; from a folder, with nothing but the keyboard."""
    watched = Watched(browser, site.as_uri())
    page = opened(watched, "nl")
    page.locator("[data-board=fr-trapdoor]").focus()
    say(page, "Enter")
    expect(page.locator("h1")).to_be_focused()
    for said in "nyy":
        expect(page.locator(".ask.picture")).to_be_visible()
        say(page, said)
    to_the_end(page)
    expect(page.locator("h1")).to_have_text("Jullie spelen Dammen & vallen")
    expect(page.locator("h1")).to_be_focused()
    links = page.locator(".result .acts a")
    expect(links.nth(0)).to_have_attribute("href", "../../nl/nl-trapdoor.html")
    expect(links.nth(1)).to_have_attribute("href", "../../nl/play/index.html#nl-trapdoor")
    # Who says that it is not so at home hears all rules once more.
    say(page, "text=Nee, bij ons gaat het anders")
    to_the_end(page)
    expect(page.locator("h1")).to_have_text("Jullie spelen Dammen & vallen")
    watched.close()


def test_a_house_rule_is_told_with_the_game_and_can_be_played(window: Watched) -> None:
    page = opened(window)
    say(page, "[data-board=english]")
    while page.locator(".ask.picture").count():
        say(page, "n")
    while not page.locator(".line", has_text="If you can capture, you must.").count():
        say(page, "y")
    say(page, ".line:has-text('If you can capture, you must.')")
    say(page, ".line:has-text('You never have to capture.')")
    to_the_end(page)
    expect(page.locator("h1")).to_contain_text("English draughts")
    expect(page.locator(".house-rules")).to_contain_text("You never have to capture.")
    expect(page.locator(".result .acts a").nth(1)).to_have_attribute(
        "href", re.compile(r"#rules=english&.*capture\.duty=optional")
    )


def test_the_address_keeps_the_answers_and_the_last_can_be_taken_back(window: Watched) -> None:
    page = opened(window)
    say(page, "[data-board=english]")
    second = page.locator("h1").inner_text()
    say(page, "n")
    third, address = page.locator("h1").inner_text(), page.url
    again = window.context.new_page()
    again.goto(address)
    expect(again.locator("h1")).to_have_text(third)
    again.keyboard.press("u")
    expect(again.locator("h1")).to_have_text(second)
    again.close()


@pytest.mark.parametrize("language", ["en", "nl", "de", "fr", "lb"])
def test_a_question_and_its_answers_are_one_screen_of_a_phone(phone: Watched, language: str) -> None:
    page = opened(phone, language)
    assert page.evaluate("document.querySelector('.left').getBoundingClientRect().bottom <= innerHeight")
    say(page, "[data-board=english]")
    assert page.evaluate("document.querySelector('.answers').getBoundingClientRect().bottom <= innerHeight")


def test_each_board_is_headed_by_what_tells_it_apart_and_discs_come_when_few_games_fit(window: Watched) -> None:
    page = opened(window, "nl")
    heads = page.eval_on_selector_all(".pick", "all => all.map(one => one.ariaLabel.split(',')[0])")
    assert len({*heads}) == len(heads)
    assert heads[:2] == ["Donkere hoek links", "Donkere hoek rechts"]
    assert {"Met valluiken", "10 × 10"} <= {*heads}
    expect(page.locator(".pile svg")).to_have_count(0)
    say(page, "[data-board=english]")
    games = int(re.findall(r"\d+", page.locator(".left").inner_text())[0])
    expect(page.locator(".pile svg")).to_have_count(games)
    # Many are named in a fold, the likeliest first; few in plain sight.
    expect(page.locator(".left .fold a").first).to_be_hidden()
    page.click(".left summary")
    expect(page.locator(".left .fold a").first).to_have_attribute("href", "../../nl/english.html")
    while page.locator(".left .fold").count():
        say(page, "n")
    expect(page.locator(".left a")).to_have_count(int(re.findall(r"\d+", page.locator(".left").inner_text())[0]))
    say(page, "text=Vorige vraag")
    say(page, "text=Dat weet ik niet")
    expect(page.locator(".ask.picture")).to_be_visible()
