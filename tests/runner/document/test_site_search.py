"""The search: what is loaded when, what is found by which words, why nothing is, by keyboard and without scripts."""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from browser import Watched
from damspec.vocabulary import glossary, vocabulary
from damspec_site import pages, rendering

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.thorough]

BOX = "form.search input[type=search]"


def ask(page: Page, query: str) -> Locator:
    """Type into the box and wait until everything was looked through: the list below it."""
    page.fill(BOX, query)
    expect(page.locator("form.search [role=status]")).not_to_have_text(re.compile("^$|…$"), timeout=60_000)
    return page.locator(".answer")


def group(answer: Locator, kind: str) -> Locator:
    """The hits of a kind."""
    return answer.locator(f"h2:has-text('{kind}') + ul li")


# --- what is loaded


def test_minisearch_is_as_it_was_published() -> None:
    """The file and the licence of the package of npm, in a folder that names its version."""
    (folder,) = (Path(rendering.__file__).parent / "vendor").glob("mini*")
    assert folder.name == "minisearch-7.2.0"
    assert {path.name: sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()} == {
        "minisearch.js": "03c27931eb603af1d3358579e9885eafdb6a2f5fa9929557b3e77d7e99d06d03",
        "minisearch.LICENSE.txt": "70d37354d6395629fb99edb28cb37a5d356ffa24a48cd02a5def5b83a300a899",
    }


# --- what is found


#: What is typed, a kind of things, and what has to be among the first of it.
MEANT = [
    ("doorslaan", "Words", "multiple capture"),
    ("doorslaan", "Rules", vocabulary()["capture.completion"].title),
    ("Pusten", "Games", "German draughts with huffing"),
    ("Huffen", "Words", "to huff"),
    ("backward far row", "Rules", vocabulary()["promotion.mid-capture"].title),
    ("schlagzwang", "Words", "compulsory"),
    ("schlagzwang", "Rules", vocabulary()["capture.duty"].title),
    ("prise obligatoire", "Rules", vocabulary()["capture.duty"].title),
    ("Kinnek", "Words", "king"),
    ("turkischer schlag", "Words", "Turkish stroke"),
    ("türkischer Schlag", "Rules", vocabulary()["capture.removal"].title),
    ("damas brasileiras", "Games", "Brazilian draughts"),
    ("VL-11", "Unclear points", "VL-11"),
    ("vl-022", "Sentences of documents", "vl-022"),
    ("vl.multi-jump.second-jump-back", "Positions", "Second jump back"),
    ("promotion.mid-capture", "Rules", vocabulary()["promotion.mid-capture"].title),
    ("Brazilian Russian", "Two games compared", "Brazilian draughts and Russian draughts"),
    ("flemish leaflet", "Documents", "Flemish draughts leaflet"),
    ("perft italian", "Guides", "Italian draughts for programmers"),
    ("GameType Turkish", "Guides", "Turkish draughts for programmers"),
    ("kings move one square", "Rules", vocabulary()["king.move.reach"].title),
]


def test_a_query_finds_what_it_means(window: Watched) -> None:
    """Among the first of its kind, with a word of the query marked, unless it was an id."""
    page = window.open("index.html")
    for query, kind, wanted in MEANT:
        hit = group(ask(page, query), kind).filter(has_text=wanted)
        expect(hit.first, query).to_be_visible()
        if not re.search(r"\w[-.]\w", query):
            expect(hit.locator("mark").first, query).to_be_visible()
    # Readers' things come before cases.
    answer = ask(page, "huff")
    kinds = [text.rstrip("0123456789 ") for text in answer.locator("h2").all_inner_texts()]
    assert kinds[:3] == ["Games", "Words", "Rules"]
    assert kinds[-1] == "Positions"
    # A sentence of many games leads to the game that the query names.
    expect(
        group(ask(page, "turkish king squares straight"), "From the rulebooks").first.locator("a").first
    ).to_have_attribute("href", re.compile("rulesets/turkish.html#sheet-"))
    # A word leads to its rules and to the games that have them.
    huff = glossary()["to huff"]
    assert "pusten" in huff.players["de"]
    word = group(ask(page, "pusten"), "Words")
    for rule in vocabulary().values():
        if huff.head in rule.terms:
            expect(word.locator(f"a[href='{pages.rule(rule.name)}']")).to_be_visible()
    expect(word.locator(f"a[href='{pages.ruleset('de')}']")).to_be_visible()


# --- nothing found


def test_a_word_that_is_nowhere_is_named_with_others_to_take(window: Watched) -> None:
    page = window.open("index.html")
    answer = ask(page, "zzqqx huffen")
    expect(answer.locator(".why")).to_contain_text("No page has the word “zzqqx”.")
    expect(group(answer, "Words")).to_contain_text("to huff")
    answer = ask(page, "trapdorfenster")
    expect(answer.locator(".why")).to_contain_text(["Nothing was found for “trapdorfenster”.", "Did you mean"])
    answer.locator(".why button", has_text=re.compile("^trapdoor$")).click()
    expect(page.locator(BOX)).to_have_value("trapdoor")
    expect(group(answer, "Words")).to_contain_text("trapdoor")
    answer = ask(page, "dorslaan")
    expect(answer.locator(".why")).to_contain_text("No page has “dorslaan” as it is written.")
    expect(group(answer, "Words")).to_contain_text(["doorslaan", "doorslaan"])
    answer = ask(page, "spinner sopro turkish")
    expect(answer.locator(".why")).to_contain_text("No page has all of these words together.")
    assert answer.locator("li").count() > 0


# --- keyboard, screen reader, phone


def test_the_keyboard_is_enough(window: Watched) -> None:
    """A slash leads to the box, the arrows through what was found, Escape back, Enter to all results."""
    page = window.open("rulesets/vl.html")
    page.keyboard.press("/")
    box, answer = page.locator(BOX), page.locator(".answer")
    expect(box).to_be_focused()
    page.keyboard.type("Kinnek/")
    expect(box).to_have_value("Kinnek/")
    page.keyboard.press("Backspace")
    expect(page.locator("form.search [role=status]")).to_have_text(re.compile(r"^\d+ found"))
    page.keyboard.press("ArrowDown")
    expect(answer.locator("a").first).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(answer.locator("a").nth(1)).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(box).to_be_focused()
    page.keyboard.press("Escape")
    expect(answer).to_be_hidden()
    expect(box).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/search.html\?q=Kinnek$"))
    expect(page.locator("h1")).to_have_text("Results for “Kinnek”")
    page.go_back()
    expect(page.locator("h1")).to_contain_text("Flemish draughts")


# --- the page of results


def test_the_page_of_results_shows_all(window: Watched) -> None:
    page = window.open("search.html?q=king&in=fr")
    expect(page.locator("#found [role=status]")).to_have_text(re.compile(r"^\d+ trouvés"), timeout=60_000)
    expect(page.locator("#lists")).to_be_hidden()
    expect(page).to_have_title("Résultats pour « king » – damspec")
    listed = page.locator("h2:has-text('Positions') + ul")
    expect(listed.locator("li")).to_have_count(8)
    number = int(re.findall(r"\d+", page.locator("h2", has_text="Positions").inner_text())[0])
    page.locator("h2:has-text('Positions') + ul + button").click()
    expect(listed.locator("li")).to_have_count(number)
    listed.locator("a").nth(8).click()
    expect(page.locator(".one-case:target .fen").first).to_be_visible()
