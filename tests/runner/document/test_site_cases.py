"""The case browser: lists for everybody, filters over all cases, kept in the address, and why nothing is left."""

from __future__ import annotations

import re
from functools import cache

import pytest
from playwright.sync_api import Page, expect

from browser import Watched
from damspec import load_ruleset, ruleset_ids
from damspec_runner.cases.cases import Case, cases_for, cases_of
from damspec_site import pages

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.thorough]

#: How many cases the browser shows at once.
EACH = 24


@cache
def cases() -> dict[str, Case]:
    """Every case by its id."""
    return {case.id: case for id in ruleset_ids() for case in cases_of(id)}


def cases_for_vl() -> list[Case]:
    return cases_for(load_ruleset("vl"))


def shown(page: Page) -> list[str]:
    """The ids of the cases listed now."""
    ids: list[str] = page.locator("#found li.case p > code:first-of-type").all_text_contents()
    return ids


def counted(page: Page, number: int) -> None:
    expect(page.locator("#count")).to_have_text(f"{number} of {len(cases())} positions")


# --- the filters


def test_filters(window: Watched) -> None:
    """Each narrows the list down to what the files hold, the address keeps them, and they can be cleared."""
    page = window.open("cases/index.html")
    expect(page.locator("#count")).to_have_text(f"{len(cases())} positions")
    expect(page.locator("#lists")).to_be_visible()
    page.select_option("#filter-ruleset", "vl")
    counted(page, len(cases_for_vl()))  # with those it inherits
    expect(page.locator("#lists")).to_be_hidden()
    page.select_option("#filter-topic", "promotion")
    of_topic = [case for case in cases_for_vl() if case.topic == "promotion"]
    counted(page, len(of_topic))
    page.fill("#filter-clause", "VL-022")
    on_clause = [case.id for case in of_topic if "vl-022" in case.clauses]
    counted(page, len(on_clause))
    assert 0 < len(on_clause) < len(of_topic)
    assert shown(page) == on_clause
    first = page.locator("#found li.case a").first
    expect(first).to_have_text(cases()[on_clause[0]].title)
    address = page.url
    assert "ruleset=vl&topic=promotion&clause=VL-022" in address
    page.click("#filter-clear")
    expect(page.locator("#count")).to_have_text(f"{len(cases())} positions")
    page.goto("about:blank")
    page.goto(address)
    counted(page, len(on_clause))
    first.click()
    expect(page).to_have_url(re.compile(re.escape(pages.case(on_clause[0])) + "$"))
    expect(page.locator(f"[id='{on_clause[0]}'] h3")).to_have_text(cases()[on_clause[0]].title)


def test_many_cases_come_page_by_page(window: Watched) -> None:
    """Boards are drawn when they are scrolled to. The address has the page, and going back shows the one before."""
    page = window.open("cases/index.html#ruleset=vl")
    expect(page.locator("#found li.case")).to_have_count(EACH)
    expect(page.locator("#found .board svg").first).to_be_visible()
    assert page.locator("#found .board svg").count() < EACH
    first = shown(page)
    assert first == [case.id for case in cases_for_vl()][:EACH]
    page.click(".pager [rel=next]")
    expect(page.locator(".pager")).to_contain_text(f"Page 2 of {-(-len(cases_for_vl()) // EACH)}")
    assert shown(page) == [case.id for case in cases_for_vl()][EACH : 2 * EACH]
    assert "page=2" in page.url
    page.go_back()
    expect(page.locator("#found li.case code").first).to_have_text(first[0])
    page.go_back()
    assert page.url == "about:blank"


def test_back_undoes_a_filter_and_not_a_letter(window: Watched) -> None:
    page = window.open("cases/index.html")
    page.select_option("#filter-ruleset", "lb")
    lb = len(cases_for(load_ruleset("lb")))
    counted(page, lb)
    page.locator("#filter-text").press_sequentially("king")
    expect(page.locator("#count")).not_to_have_text(f"{lb} of {len(cases())} positions")
    page.go_back()
    counted(page, lb)
    expect(page.locator("#filter-text")).to_have_value("")
    page.go_back()
    expect(page.locator("#count")).to_have_text(f"{len(cases())} positions")
    expect(page.locator("#lists")).to_be_visible()


# --- nothing left


def test_what_excludes_all_is_named_and_can_be_dropped(window: Watched) -> None:
    """Flemish draughts has no huffing: without the topic, or without the game, there are cases with kings."""
    page = window.open("cases/index.html#ruleset=vl&topic=huff&text=kings")
    counted(page, 0)
    why = page.locator("#why")
    expect(why).to_contain_text("none has them all")
    expect(why.locator("button", has_text="Flemish draughts")).to_be_visible()
    with_kings = why.locator("button", has_text="huff").inner_text()
    why.locator("button", has_text="huff").click()
    number = int(re.findall(r"\d+", with_kings)[-1])
    assert number > 0
    counted(page, number)
    expect(page.locator("#filter-topic")).to_have_value("")
    expect(page.locator("#filter-ruleset")).to_have_value("vl")
    expect(why).to_be_empty()


# --- without a server
