"""The rulebook site in a real browser: a page of every sort, the picker, positions, nothing from the network.

This is long because all of it shares one browser and one built site.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from browser import DESKTOP, PHONE, Watched, choose_language, choose_setting
from damspec_runner.document.rulebook import languages
from damspec_site import pages
from damspec_site import pages as links
from damspec_site.build import make_server
from runs import SPREAD, usually

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.thorough]

#: A page of every kind.
KINDS = [
    "index.html",
    "rulesets/vl.html",
    "play/index.html",
    "nl/vl.html",
    "rules/capture.removal.html",
    "404.html",
    "matrix.html",
    "documents/nl.html",
    "readings/VL-04.html",
    "cases/index.html",
    "search.html",
    "cases/argentinian.html",
    "compare/index.html",
    "compare/map.html",
    "engines/index.html",
    "identify/index.html",
    "implement/nl-trapdoor.html",
    "glossary.html",
    "workshop/index.html",
]
#: The longest of them, which take longest to look through.
LONG = {
    "matrix.html", "implement/nl-trapdoor.html", "glossary.html", "documents/nl.html",
    "engines/index.html", "cases/index.html", "cases/argentinian.html", "compare/map.html",
}  # fmt: skip

# --- everybody can read it --------------------------------------------------------------------


@pytest.mark.parametrize(
    "kinds", [pytest.param(sorted({*KINDS} - LONG), id="short"), pytest.param(LONG, id="long", marks=pytest.mark.slow)]
)
def test_everybody_can_read_a_page(window: Watched, kinds: Iterable[str]) -> None:
    """Of each kind, in one window: to open another takes as long as to look through a page."""
    for kind in kinds:
        anybody_can_read(window, kind)


def anybody_can_read(window: Watched, kind: str) -> None:
    """Boards are drawn and say what they show, nothing is wider than a phone, axe finds nothing, in the dark either."""
    window.page.set_viewport_size(DESKTOP)  # type: ignore[arg-type]
    window.page.emulate_media(color_scheme="light")
    page = window.open(kind)
    page.evaluate("for (const image of document.images) image.loading = 'eager'")
    pictures = page.evaluate(
        "Promise.all([...document.images].map("
        "i => i.decode().catch(() => 0).then(() => [i.src, i.alt, i.naturalWidth])))"
    )
    assert [src for src, alt, width in pictures if not (width and alt)] == [], kind
    board = page.locator(".board:visible").first
    if board.count():
        board.scroll_into_view_if_needed()
        expect(board.locator("svg")).to_have_attribute(
            "aria-label", re.compile("(White|Black) to move: White .+; Black .+")
        )
    assert serious(page) == [], kind
    page.emulate_media(color_scheme="dark")
    assert serious(page, runOnly=["color-contrast"]) == [], kind
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    wide, room = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert wide <= room, kind


def serious(page: Page, **options: Any) -> list[tuple[str, str, int]]:
    """What axe finds on a page that is serious, with the first place and the number of them."""
    found = Axe().run(page, options={"resultTypes": ["violations"], **options}).response["violations"]
    bad = [finding for finding in found if finding["impact"] in ("serious", "critical")]
    return [(each["id"], each["nodes"][0]["html"], len(each["nodes"])) for each in bad]


def test_the_keyboard_is_enough(window: Watched) -> None:
    """The first tab stop leads past the navigation, and the element with the focus has an outline."""
    page = window.open("compare/index.html")
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    expect(page.locator(".skip")).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("#main$"))
    page.keyboard.press("Tab")
    in_main, outline = page.evaluate(
        "[document.querySelector('main').contains(document.activeElement),"
        " getComputedStyle(document.activeElement).outlineStyle]"
    )
    assert in_main
    assert outline != "none"


# --- without scripts, without a server --------------------------------------------------------


def test_without_javascript_there_are_links(browser: Browser, address: str) -> None:
    watched = Watched(browser, address, java_script_enabled=False)
    page = watched.open("compare/index.html")
    expect(page.locator("#pair")).to_be_hidden()
    page.click("main a[href$='matrix.html']")
    expect(page.locator("main")).to_contain_text("Removing what was captured")
    watched.close()


def test_from_a_folder(browser: Browser, site: Path) -> None:
    """The pages do as well as files, opened without any server."""
    watched = Watched(browser, site.as_uri())
    page = watched.open("compare/index.html#de,lb")
    expect(page.locator(".diff").first).to_be_visible()
    watched.close()


# --- positions --------------------------------------------------------------------------------

CASE = "vl.multi-jump.second-jump-back"


def test_a_link_to_a_case_unfolds_it(window: Watched) -> None:
    page = window.open(pages.case(CASE))
    case = page.locator(f"[id='{CASE}']")
    expect(case).to_be_in_viewport()
    expect(case.locator("details .cited a[href^='#']").first).to_be_visible()
    expect(case.locator(".board svg").first).to_be_visible()
    expect(case.locator(".steps .fen").first).to_be_visible()


def test_topics_of_positions_are_folded_but_the_first_and_the_one_in_the_address(window: Watched) -> None:
    """A page with all of them open was 80,000 pixels tall."""
    page = window.open(pages.at("cases_of", "vl", part="duty"))
    expect(page.locator("#duty")).to_be_in_viewport()
    assert page.locator(".topic[open] h2").evaluate_all("found => found.map((each) => each.id)") == ["start", "duty"]
    assert page.evaluate("document.documentElement.scrollHeight") < 20_000
    page.locator("#promotion").click()
    expect(page.locator(".topic:has(#promotion) .board svg").first).to_be_visible()


@pytest.mark.parametrize(
    ("before", "now"),
    [
        (f"cases/{CASE}.html", pages.case(CASE)),
        ("cases/of/vl.html#duty", pages.at("cases_of", "vl", part="duty")),
        ("nl/fr-trapdoor-dual.html", pages.sheet("nl", "fr-trapdoor-dual")),
    ],
)
def test_earlier_addresses_lead_on(browser: Browser, site: Path, before: str, now: str) -> None:
    """By the page for missing addresses, which a server shows."""
    with make_server(site, 0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page = browser.new_page()
        root = f"http://127.0.0.1:{server.server_port}"
        page.goto(f"{root}/{before}")
        page.wait_for_url(f"{root}/{now}")
        page.close()
        server.shutdown()


def test_squares_are_written_in_letters_on_the_whole_page(window: Watched) -> None:
    """In sentences, in moves and on boards, on the next page too."""
    page = window.open(pages.case(CASE))
    board = page.locator(f"[id='{CASE}'] .board svg").first
    expect(board).to_contain_text("32")
    choose_setting(page, "squares", "letters")
    expect(board).to_contain_text("g1")
    expect(page.locator(f"[id='{CASE}'] .actions").first).to_contain_text("c1xe3xg1")
    page = window.open("rulesets/vl.html")
    expect(page.locator("#notation")).to_have_value("letters")
    expect(page.locator("#sheet .squares").first).to_have_text(re.compile("^[a-h][1-8]"))


# --- variants of a document -----------------------------------------------------------------


def test_switches_show_a_variant(window: Watched) -> None:
    """American rules: men capture forward only, nothing says that most pieces count; doors shut again goes with it."""
    page = window.open("rulesets/fr-trapdoor.html")
    name = page.locator("form.variants [role=status]")
    expect(name).to_have_text("French trapdoor draughts")
    american = page.locator("#sheet [data-games]:not([data-games~='fr-trapdoor']):visible")
    expect(american).to_have_count(0)
    page.get_by_label("American rules").check()
    expect(name).to_have_text("French trapdoor draughts, American rules")
    assert page.url.endswith("#fr-trapdoor-american")
    assert all(
        "fr-trapdoor-american" in each
        for each in american.evaluate_all("found => found.map((each) => each.dataset.games)")
    )
    expect(american.first).to_be_visible()
    page.get_by_label("trapdoors shut again").check()
    assert page.url.endswith("#fr-trapdoor-close-american")
    page = window.open(pages.sheet("de", "fr-trapdoor-dual"))
    expect(page.locator("form.variants input:checked")).to_have_value("fr-trapdoor-dual")


# --- The frame of the site in a real browser: menus, colours, side navigation, and the rulebooks in every language.


TAGS = [language.tag for language in languages()]
PRINTED = [links.sheet(tag, id) for tag in ("de", "fr") for id in SPREAD]
#: The sheets that a thorough run prints.
OFTEN = {"lb/lb.html", "nl/nl-trapdoor.html"}


def background(page: Page) -> str:
    found: str = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    return found


def luminance(page: Page) -> int:
    return sum(map(int, re.findall(r"\d+", background(page))))


# --- the menu -----------------------------------------------------------------------------------


@pytest.mark.parametrize("script", [True, False])
def test_on_a_phone_the_menu_opens_by_keys_and_without_scripts(browser: Browser, address: str, script: bool) -> None:
    watched = Watched(browser, address, viewport=PHONE, java_script_enabled=script)
    page = watched.open("nl/vl.html")
    link = page.locator("#settings").get_by_role("link", name="Vergelijken")
    expect(link).to_be_hidden()
    button = page.get_by_role("button", name="Instellingen")
    button.press("Enter")
    expect(link).to_be_visible()
    page.keyboard.press("Escape")
    expect(link).to_be_hidden()
    expect(button).to_be_focused()
    button.click()
    link.click()
    expect(page).to_have_url(re.compile("compare/index.html$"))
    watched.close()


@pytest.mark.parametrize(("size", "most"), [(DESKTOP, 60), (PHONE, 56)])
@pytest.mark.parametrize("path", ["fr/index.html", "de/vl.html", "play/index.html"])
def test_the_header_is_one_line(browser: Browser, address: str, size: Any, most: int, path: str) -> None:
    watched = Watched(browser, address, viewport=size, locale="fr")
    page = watched.open(path)
    box = page.locator(".lid").bounding_box()
    assert box
    assert box["height"] + 7 <= most
    assert page.evaluate("document.documentElement.scrollWidth") == size["width"]
    for button in page.locator(".lid .wrap > :is(a, button), .lid .find").all():
        if button.is_visible():
            inside = button.bounding_box()
            assert inside
            assert inside["height"] >= 38
            assert inside["y"] + inside["height"] <= box["height"] + 1
    watched.close()


def test_the_first_page_shows_the_reader_s_games_and_three_doors_at_once(browser: Browser, address: str) -> None:
    for tag in TAGS:
        watched = Watched(browser, address, viewport={"width": 1280, "height": 800}, locale=tag)
        page = watched.open(links.at("front", language=tag))
        for shown in page.locator(".games b, .door b").all():
            expect(shown).to_be_in_viewport(ratio=1)
        watched.close()


# --- light and dark -----------------------------------------------------------------------------


@pytest.mark.parametrize("system", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_colours_are_chosen_remembered_and_given_back(browser: Browser, address: str, system: Any) -> None:
    """What is chosen holds on other pages, in other languages and after a reload, until the system is to choose."""
    watched = Watched(browser, address, viewport=DESKTOP, color_scheme=system)
    page = watched.open("index.html")
    before = background(page)
    choose_setting(page, "theme", "light" if system == "dark" else "dark")
    after = background(page)
    assert after != before
    page.reload()
    assert background(page) == after
    for path in ("rulesets/vl.html", "lb/lb.html"):
        page = watched.open(path)
        assert background(page) == after
        assert page.evaluate("document.querySelector('#settings [name=theme]:checked').value") != ""
    choose_setting(page, "theme", "")
    assert background(page) == before
    assert background(watched.open("glossary.html")) == before
    watched.close()


def test_on_paper_everything_is_light_and_without_navigation(window: Watched) -> None:
    page = window.open("nl/vl.html")
    choose_setting(page, "theme", "dark")
    page.emulate_media(media="print")
    assert luminance(page) > 600
    expect(page.locator(".lid")).to_be_hidden()
    expect(page.locator("main")).to_be_visible()


# --- the rulebooks in every language ------------------------------------------------------------


@pytest.mark.parametrize("path", usually((), [*sorted(OFTEN), *PRINTED], OFTEN))
def test_a_rulebook_is_one_sheet_of_paper(window: Watched, path: str) -> None:
    """One page of A4, two with trapdoors, and the evidence is not printed with it unless it is unfolded."""
    page = window.open(path)
    pages = re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4", prefer_css_page_size=True))
    assert len(pages) == (2 if "trapdoor" in path else 1)


def test_the_language_goes_along(browser: Browser, site: Path) -> None:
    """The browser's chooses the first page; it is kept, from a folder too, until another is chosen."""
    watched = Watched(browser, site.as_uri(), locale="nl-BE")
    page = watched.open("index.html")
    page.wait_for_url("**/nl/index.html")
    page.locator(".doors").get_by_role("link", name="Welk spel spelen wij?").click()
    expect(page.locator(".doors [aria-current]")).to_have_text("Welk spel spelen wij?")
    choose_language(page, "de")
    expect(page.locator(".doors [aria-current]")).to_have_text("Welches Spiel ist unseres?")
    page.click(".mark")
    page.wait_for_url("**/de/index.html")
    watched.close()


def test_the_choice_of_a_language_keeps_the_game(window: Watched) -> None:
    """From the page of a game through all languages and back; each says which one it is in."""
    page = window.open("rulesets/turkish.html")
    for tag in (*TAGS[1:], "en"):
        page.click("[popovertarget=languages]")
        page.click(f"#languages a[hreflang={tag}]")
        expect(page).to_have_url(re.compile(re.escape(links.sheet(tag, "turkish")) + "$"))
        expect(page.locator("html")).to_have_attribute("lang", tag)
        expect_language(page, tag)


#: What the first two doors are called.
DOORS = {"en": ["Games", "Play"], "nl": ["Spellen", "Spelen"], "lb": ["Spiller", "Spillen"]}


def expect_language(page: Page, tag: str) -> None:
    """One language is marked as the one that the page is in, and the header is in it."""
    expect(page.locator("#languages [aria-current]")).to_have_attribute("lang", tag)
    expect(page.locator(".tongue")).to_have_text(tag.upper())
    for door, name in enumerate(DOORS.get(tag, [])):
        expect(page.locator(".doors a").nth(door)).to_have_text(name)


@pytest.mark.parametrize(
    ("path", "tag"),
    [
        ("lb/vl.html", "lb"),
        ("lb/index.html", "lb"),
        ("lb/play/index.html", "lb"),
        ("rulesets/vl.html", "en"),
        ("glossary.html", "en"),
    ],
)
def test_only_a_click_chooses_a_language(browser: Browser, address: str, path: str, tag: str) -> None:
    """A Dutch reader of a page in another language still begins in Dutch, until that language is chosen on it."""
    watched = Watched(browser, address, locale="nl-BE", viewport=DESKTOP)
    expect_language(watched.open(path), tag)
    page = watched.open("index.html")
    page.wait_for_url("**/nl/index.html")

    page = watched.open(path)
    choose_language(page, tag)
    expect(page).to_have_url(f"{address}/{path}")
    expect_language(page, tag)
    page.goto(f"{address}/index.html#main")
    page.wait_for_url(f"{address}/{links.at('front', language=tag)}#main")
    watched.close()


def test_from_the_shelf_one_comes_back_into_one_s_language(browser: Browser, address: str) -> None:
    """It is in English whatever is chosen; another language leads to the first page in it."""
    watched = Watched(browser, address, locale="nl-BE", viewport=DESKTOP)
    page = watched.open("glossary.html#king")
    expect_language(page, "en")
    page.locator(".doors a").nth(1).click()
    page.wait_for_url("**/nl/play/index.html")
    page = watched.open("glossary.html#king")
    choose_language(page, "de")
    page.wait_for_url("**/de/index.html")
    watched.open("glossary.html").click(".mark")
    page.wait_for_url("**/de/index.html")
    watched.close()


def test_a_browser_that_keeps_nothing_shows_the_chosen_language_once(browser: Browser, address: str) -> None:
    watched = Watched(browser, address, locale="nl-BE", viewport=DESKTOP)
    watched.context.add_init_script("Storage.prototype.setItem = () => { throw new Error(); };")
    page = watched.open("nl/index.html")
    choose_language(page, "en")
    expect_language(page, "en")
    watched.open("index.html").wait_for_url("**/nl/index.html")
    watched.close()


# --- Finding out a game in a real browser: what is asked, what is found, and that the address keeps it.


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
