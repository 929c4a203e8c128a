"""Finding out a game in a real browser: what is asked and found, and what can be kept."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import damspec
from browser import Watched
from damspec import data
from damspec_runner.cases.questionnaire import load_answers_file, load_questionnaire
from damspec_runner.identify.session import Session
from damspec_runner.identify.statements import Statement
from damspec_site import pages
from players import Player

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.thorough]

KEYS = {"yes": "y", "no": "n", "unknown": "?"}
#: Answers of which two go together in no game: drawn at the third time, but not if it comes again and again.
CLASHING = "trapdoors.n,board-8.y,white-begins.y,repetition.n,third-time.y"


def opened(window: Watched, address: str = "") -> Page:
    """The page with its first question, or what its address leads to."""
    page = window.open(pages.at("identify") + address)
    expect(page.locator("#asking:visible, #result:visible").first).to_be_visible()
    return page


def by_key(page: Page, said: str) -> None:
    page.keyboard.press(KEYS[said])


def by_mouse(page: Page, said: str) -> None:
    page.click(f"[data-said={said}]")


def answered(page: Page, player: Player, give: Callable[[Page, str], None]) -> Session:
    """Answer every question that the command puts, which are those of the page."""
    session = Session(load_questionnaire())
    while question := session.next():
        page.wait_for_function("id => document.getElementById('asking').dataset.question === id", arg=question.id)
        marked = [*player.marks(session, question)] if isinstance(question, Statement) else []
        given = player.answer(session, question)
        if marked:
            for each in marked:
                page.check(f"#asking input[value={each.id}]")
            page.click("#asking .marking button")
        else:
            give(page, session.said[given[0]])
    expect(page.locator("#result")).to_be_visible()
    return session


def test_a_plain_game_is_found_by_keys_alone(browser: Browser, site: Path) -> None:
    """Flemish draughts, by the questions that the terminal puts too; from a folder, with nothing but the keyboard."""
    watched = Watched(browser, site.as_uri())
    page = opened(watched)
    answered(page, Player(damspec.load_ruleset("vl").values), by_key)
    found = page.locator("#found")
    expect(found).to_have_text("Flemish draughts")
    expect(found).to_be_focused()
    rules = page.locator("#result a", has_text="How Flemish draughts is played")
    expect(rules).to_have_attribute("href", "../rulesets/vl.html")
    expect(page.locator("#result a", has_text="a board to play it on")).to_have_attribute(
        "href", "../play/index.html#vl"
    )
    expect(page.locator("#answers mark")).to_have_count(0)
    watched.close()


def test_answers_that_do_not_go_together_stand_side_by_side(window: Watched) -> None:
    page = opened(window, f"#answers={CLASHING}")
    page.click("text=What is it so far?")
    clash = page.locator(".clash li")
    expect(clash).to_have_count(2)
    shown = {str(one.get_attribute("data-question")) for one in clash.all()}
    assert shown == {"repetition", "third-time"}
    # One of them is taken back there, and they go together.
    page.locator(".clash li[data-question=third-time] select").select_option("no")
    expect(page.locator("#answers [data-question=third-time] select")).to_have_value("no")
    expect(page).to_have_url(re.compile("third-time.n"))
    page.click("text=What is it so far?")
    expect(page.locator("#found")).to_be_visible()
    expect(page.locator(".clash")).to_have_count(0)


def test_the_answers_can_be_saved_for_the_command(window: Watched, tmp_path: Path) -> None:
    page = opened(window, "#answers=trapdoors.n,board-8.y,one-each.u")
    page.fill("#told-country", "no")
    page.click("text=Save the answers")
    expect(page.locator("#told-note")).to_have_text("A place needs its name.")
    for name, value in {
        "name": 'Å "nord"',
        "latitude": "60.5",
        "longitude": "-3",
        "year": "1931",
        "told": "Kari",
    }.items():
        page.fill(f"#told-{name}", value)
    page.locator("#answers [data-question=one-each] input").fill('Nobody: "played" so long')
    with page.expect_download() as saved:
        page.click("text=Save the answers")
    assert saved.value.suggested_filename == "a-nord.yaml"
    saved.value.save_as(tmp_path / "answers.yaml")
    kept = load_answers_file(tmp_path / "answers.yaml", load_questionnaire())
    assert kept.place
    assert vars(kept.place) == {"name": 'Å "nord"', "country": "NO", "latitude": 60.5, "longitude": -3}
    assert (kept.year, kept.told, kept.by) == (1931, "Kari", "")
    assert dict(kept.answers) == {"trapdoors": "no", "board-8": "yes", "one-each": "unknown"}
    assert dict(kept.notes) == {"one-each": 'Nobody: "played" so long'}
    data.check(data.load_yaml(tmp_path / "answers.yaml") | {"answers": dict(kept.answers)}, "answers", "as saved")


def test_a_link_keeps_answers_and_who_told_them(window: Watched) -> None:
    page = opened(window)
    first = page.locator("#question").inner_text()
    by_mouse(page, "no")
    expect(page.locator("#question")).not_to_have_text(first)
    page.fill("#told-name", "Sint-Niklaas & co")
    page.locator("#answers input").fill("so + so")
    expect(page).to_have_url(re.compile("name=Sint-Niklaas%20%26%20co"))
    address, second = page.url, page.locator("#question").inner_text()
    again = window.context.new_page()
    again.goto(address)
    expect(again.locator("#question")).to_have_text(second)
    expect(again.locator("#told-name")).to_have_value("Sint-Niklaas & co")
    expect(again.locator("#answers input")).to_have_value("so + so")
    again.keyboard.press("u")
    expect(again.locator("#question")).to_have_text(first)
    again.close()


@pytest.mark.slow
@pytest.mark.parametrize(("language", "house"), [("nl", "met jullie eigen regel"), ("fr", "avec votre règle à vous")])
def test_a_house_rule_is_told_in_the_reader_s_language(window: Watched, language: str, house: str) -> None:
    page = opened(window, f"?in={language}")
    answered(page, Player(damspec.load_ruleset("vl").with_value("capture.king-weight", 2).values), by_mouse)
    expect(page.locator("#found")).to_contain_text(house)
    expect(page.locator(".differences li")).to_have_count(1)
