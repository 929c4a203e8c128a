"""The case browser: lists for everybody, filters over all cases, kept in the address, and why nothing is left."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import damspec
from browser import Watched
from damspec import load_ruleset, ruleset_ids
from damspec_runner.cases.cases import cases_for, cases_of
from damspec_runner.document.site import pages
from damspec_runner.document.site.case_pages import name

pytestmark = [pytest.mark.xdist_group(__name__), pytest.mark.thorough]

CASES = {case.id: case for id in ruleset_ids() for case in cases_of(id)}
VL = cases_for(load_ruleset("vl"))
#: How many cases the browser shows at once.
EACH = 24


def shown(page: Page) -> list[str]:
    """The ids of the cases listed now."""
    ids: list[str] = page.locator("#found li.case p > code:first-of-type").all_text_contents()
    return ids


def counted(page: Page, number: int) -> None:
    expect(page.locator("#count")).to_have_text(f"{number} of {len(CASES)} positions")


# --- the lists


def test_the_lists_have_every_case_once_by_topic(site: Path) -> None:
    """The list of a ruleset has what was made for it; the first page leads to each topic on it."""
    first = (site / "cases/index.html").read_text(encoding="utf-8")
    listed: Counter[str] = Counter()
    for path in (site / "cases" / "of").iterdir():
        page = path.read_text(encoding="utf-8")
        ids = re.findall(r'<li class="case">.*?<code>(.*?)</code>', page, re.S)
        assert ids == [case.id for case in cases_of(path.stem)]
        listed.update(ids)
        for topic in {CASES[id].topic for id in ids}:
            assert f'<section class="topic" id="{topic}">' in page
            assert f'href="../{pages.cases_of(path.stem, topic)}"' in first
    assert listed == Counter([*CASES])


def test_a_list_tells_what_else_a_ruleset_is_checked_with(site: Path) -> None:
    page = (site / pages.cases_of("frysk")).read_text(encoding="utf-8")
    inherited = sum(case.ruleset == "frisian" for case in cases_for(load_ruleset("frysk")))
    assert f'{inherited} of <a href="../../{pages.cases_of("frisian")}">' in page


def test_without_javascript_the_lists_lead_to_a_case(browser: Browser, address: str) -> None:
    watched = Watched(browser, address, java_script_enabled=False)
    page = watched.open("cases/index.html")
    expect(page.locator("#filters")).to_be_hidden()
    own = cases_of("frysk")[0]
    page.click(f"main a[href='../{pages.cases_of('frysk', own.topic)}']")
    page.click(f"#{own.topic} a >> nth=0")
    expect(page.locator("h1")).to_have_text(name(own))
    watched.close()


# --- the filters


def test_filters(window: Watched) -> None:
    """Each narrows the list down to what the files hold, the address keeps them, and they can be cleared."""
    page = window.open("cases/index.html")
    expect(page.locator("#count")).to_have_text(f"{len(CASES)} positions")
    expect(page.locator("#lists")).to_be_visible()
    page.select_option("#filter-ruleset", "vl")
    counted(page, len(VL))  # with those it inherits
    expect(page.locator("#lists")).to_be_hidden()
    page.select_option("#filter-topic", "promotion")
    of_topic = [case for case in VL if case.topic == "promotion"]
    counted(page, len(of_topic))
    page.fill("#filter-clause", "VL-022")
    on_clause = [case.id for case in of_topic if "vl-022" in case.clauses]
    counted(page, len(on_clause))
    assert 0 < len(on_clause) < len(of_topic)
    assert shown(page) == on_clause
    first = page.locator("#found li.case a").first
    expect(first).to_have_text(name(CASES[on_clause[0]]))
    address = page.url
    assert "ruleset=vl&topic=promotion&clause=VL-022" in address
    page.click("#filter-clear")
    expect(page.locator("#count")).to_have_text(f"{len(CASES)} positions")
    page.goto("about:blank")
    page.goto(address)
    counted(page, len(on_clause))
    first.click()
    expect(page).to_have_url(re.compile(re.escape(pages.case(on_clause[0])) + "$"))
    expect(page.locator("h1")).to_have_text(name(CASES[on_clause[0]]))


def test_words_are_looked_for_whatever_their_accents(window: Watched) -> None:
    page = window.open("cases/index.html")
    page.fill("#filter-text", "EITHÉR c7")
    wanted = [case.id for case in CASES.values() if "either" in case.why.lower() and "c7" in case.why]
    counted(page, len(wanted))
    assert sorted(shown(page)) == sorted(wanted)
    assert "vl.promotion.step-to-the-king-line" in wanted


def test_a_link_from_a_document_has_its_cases(window: Watched) -> None:
    page = window.open("documents/vl.html")
    page.click(f"a[href='../{pages.browser(clause='vl-022')}']")
    counted(page, sum("vl-022" in case.clauses for case in CASES.values()))


def test_many_cases_come_page_by_page(window: Watched) -> None:
    """Pictures are loaded when they are scrolled to. The address has the page, and going back shows the one before."""
    sizes: list[int] = []
    window.page.on("response", lambda answer: sizes.append(len(answer.body())))
    page = window.open("cases/index.html#ruleset=vl")
    expect(page.locator("#found li.case")).to_have_count(EACH)
    pictures = page.locator("#found li.case img")
    assert pictures.evaluate_all("all => all.every(one => one.loading === 'lazy' && one.alt && one.height)")
    page.wait_for_load_state("networkidle")
    assert 0 < sum(sizes) < 300_000
    first = shown(page)
    assert first == [case.id for case in VL][:EACH]
    page.click(".pager [rel=next]")
    expect(page.locator(".pager")).to_contain_text(f"Page 2 of {-(-len(VL) // EACH)}")
    assert shown(page) == [case.id for case in VL][EACH : 2 * EACH]
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
    expect(page.locator("#count")).not_to_have_text(f"{lb} of {len(CASES)} positions")
    page.go_back()
    counted(page, lb)
    expect(page.locator("#filter-text")).to_have_value("")
    page.go_back()
    expect(page.locator("#count")).to_have_text(f"{len(CASES)} positions")
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


def test_a_word_or_clause_that_no_case_has_is_named(window: Watched) -> None:
    page = window.open("cases/index.html#ruleset=vl&text=king%20zzqqx")
    expect(page.locator("#why")).to_contain_text("No position at all has “zzqqx”.")
    page = window.open("cases/index.html#clause=xx-999")
    expect(page.locator("#why")).to_contain_text("No position at all has “xx-999”.")
    page.click("#why button")
    expect(page.locator("#count")).to_have_text(f"{len(CASES)} positions")


# --- without a server


def test_from_a_folder(browser: Browser, site: Path) -> None:
    watched = Watched(browser, site.as_uri())
    page = watched.open("cases/index.html#ruleset=vl")
    counted(page, len(VL))
    page.select_option("#filter-topic", "promotion")
    counted(page, sum(case.topic == "promotion" for case in VL))
    watched.close()


def test_the_picture_of_a_case_is_in_its_shape(window: Watched) -> None:
    """A board that is not square keeps its shape in the list, and its squares the size that those of others have."""
    wide = next(id for id in ruleset_ids() if len({*damspec.load_ruleset(id).values["board.size"].split("x")}) == 2)
    page = window.open(f"cases/index.html#ruleset={wide}")
    width, height = map(int, damspec.load_ruleset(wide).values["board.size"].split("x"))
    picture = page.locator("#found img").first
    expect(picture).to_have_attribute("width", str(112 * width // 8))
    expect(picture).to_have_attribute("height", str(112 * height // 8))
    board, words = picture.bounding_box(), page.locator("#found li.case p").first.bounding_box()
    assert board
    assert words
    assert board["x"] + board["width"] <= words["x"]
