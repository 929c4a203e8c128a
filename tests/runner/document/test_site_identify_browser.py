"""Finding out a game in a real browser: what is asked and found, and what can be kept."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

import damspec
from browser import Watched
from damspec import data
from damspec_runner.cases.questionnaire import load_answers_file, load_questionnaire
from damspec_runner.document.site import pages
from damspec_runner.identify.session import QuestionnaireAnswers, Session

pytestmark = [pytest.mark.xdist_group(__name__), pytest.mark.thorough]

WORDS = {"y": "yes", "n": "no", "-": "unknown"}
KEYS = {"yes": "y", "no": "n", "unknown": "?"}
#: Answers of which two go together in no game: drawn at the third time, but not if it comes again and again.
CLASHING = "trapdoors.n,board-8.y,white-begins.y,repetition.n,third-time.y"


def told(values: Mapping[str, Any]) -> dict[str, str]:
    """What somebody answers who plays by these rules."""
    asked = QuestionnaireAnswers(values, load_questionnaire())
    return {one.id: WORDS[asked.answer(one)] for one in load_questionnaire().questions}


def opened(window: Watched, address: str = "") -> Page:
    """The page with its first question, or what its address leads to."""
    page = window.open(pages.IDENTIFY + address)
    expect(page.locator("#asking:visible, #result:visible").first).to_be_visible()
    return page


def by_key(page: Page, said: str) -> None:
    page.keyboard.press(KEYS[said])


def by_mouse(page: Page, said: str) -> None:
    page.click(f"[data-said={said}]")


def answered(page: Page, answers: Mapping[str, str], give: Callable[[Page, str], None]) -> list[str]:
    """Every question is answered until none is left; their ids in order."""
    asked: list[str] = []
    while page.locator("#asking").is_visible():
        asked.append(str(page.locator("#asking").get_attribute("data-question")))
        give(page, answers[asked[-1]])
        page.wait_for_function(
            "id => document.getElementById('asking').dataset.question !== id"
            " || !document.getElementById('result').hidden",
            arg=asked[-1],
        )
    return asked


def asked_in_the_terminal(answers: Mapping[str, str]) -> list[str]:
    """The questions that the command puts."""
    session = Session(load_questionnaire())
    while (question := session.next()) is not None:
        session.say(question.id, answers[question.id])  # type: ignore[arg-type]
    return [*session.said]


def test_a_plain_game_is_found_by_keys_alone(browser: Browser, site: Path) -> None:
    """Flemish draughts, by the questions that the terminal puts too; from a folder, with nothing but the keyboard."""
    watched = Watched(browser, site.as_uri())
    answers = told(damspec.load_ruleset("vl").values)
    page = opened(watched)
    assert answered(page, answers, by_key) == asked_in_the_terminal(answers)
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


@pytest.mark.parametrize("game", ["vl?king-counts=two", "nl-trapdoor", "lb", "turkish", "english"])
@pytest.mark.slow
def test_the_page_asks_what_the_terminal_asks(window: Watched, game: str) -> None:
    answers = told(damspec.load_ruleset(game).values)
    assert answered(opened(window), answers, by_key) == asked_in_the_terminal(answers)
