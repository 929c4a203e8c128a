"""The board to play on in a real browser: moves, huffs, undo, exercises, links to positions, the game as text."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

import damspec
from browser import DESKTOP, PHONE, Watched, choose_language, choose_setting
from damspec import Move, Position, SliderPush, Spin
from damspec.pdn import read_pdn

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.thorough]


def table(window: Watched, address: str, language: str = "") -> Page:
    """The page for playing in a language, with a board on it."""
    page = window.open(f"{language and f'{language}/'}play/index.html#{address}")
    page.locator(".playboard").wait_for()
    return page


def settings(page: Page) -> None:
    page.get_by_role("button", name=re.compile("^(Settings|Einstellungen)$")).last.click()


def close(page: Page) -> None:
    page.get_by_role("button", name=re.compile("^(Close|Schließen)$")).click()


def for_two(page: Page) -> None:
    """Two people play, not one against the computer."""
    settings(page)
    page.get_by_label(re.compile("^(Black is|Schwarz spielt)")).select_option("person")
    close(page)


def square(page: Page, number: int) -> Any:
    return page.locator(f".playboard [data-square='{number}']")


def choose(page: Page, *numbers: int) -> None:
    for number in numbers:
        square(page, number).click()


def said(page: Page) -> Any:
    return page.locator(".told")


def fen(page: Page) -> str:
    return page.get_by_label("The position as FEN").input_value()


def pdn(page: Page) -> str:
    return page.get_by_label("The game in PDN").input_value()


def replayed(text: str) -> damspec.Game:
    """A game in PDN played again by the reference, which finds every move legal."""
    (record,) = read_pdn(text)
    return damspec.Game.from_pdn(str(record))


# --- moves and captures


def test_a_move_is_made_and_taken_back(window: Watched) -> None:
    """In numbers, then in letters, by clicking and by dragging; what was taken back can be done again."""
    page = table(window, "international")
    for_two(page)
    choose(page, 32)
    expect(square(page, 28)).to_have_attribute("aria-label", "square 28, empty, can go here")
    choose(page, 28)
    expect(said(page)).to_have_text("White moves 32 to 28. Black to move. ")
    page.drag_and_drop("[data-square='19']", "[data-square='23']")
    expect(said(page)).to_have_text("Black moves 19 to 23. White to move. You have to capture.")
    # White's 28 has to jump 23 now.
    assert page.locator(".offers li").all_text_contents() == ["28x19, takes 23"]
    choose(page, 31)
    expect(said(page)).to_contain_text("The piece on 31 cannot move now; a capture is open.")
    choose(page, 27)
    expect(said(page)).to_have_text("The duty to capture: If you can capture, you must. (fmjd-4.2, fmjd-4.3)")
    page.get_by_role("button", name="Undo").click()
    expect(square(page, 19)).to_have_attribute("aria-label", "square 19, black man, can move")
    settings(page)
    page.get_by_role("button", name="Redo").click()
    close(page)
    choose_setting(page, "squares", "letters")
    expect(page.locator(".offers li")).to_have_text("e5xg7, takes f6")


def test_a_capture_is_made_jump_by_jump(window: Watched) -> None:
    """The man on 29 jumps 25 and 18. Half way it stands on 22, and what it jumped is still there, crossed out."""
    page = table(window, "vl/W:W29:B4,18,25")
    choose(page, 29, 22)
    expect(square(page, 22)).to_have_attribute("aria-label", "square 22, white man, chosen")
    expect(square(page, 25)).to_have_attribute("aria-label", "square 25, black man")
    page.keyboard.press("Escape")
    expect(square(page, 29)).to_have_attribute("aria-label", "square 29, white man, can move")
    choose(page, 29, 22, 15)
    expect(said(page)).to_have_text(
        "White captures 29x22x15 (pieces on 25, 18). The game is drawn: each side has one piece. "
    )
    assert fen(page) == "B:W15:B4"


def test_a_huff_is_claimed(window: Watched) -> None:
    """In the German game Black steps although 10 should have jumped 15; White takes it off the board and moves."""
    page = table(window, "de/B:W15,32:B6,10,12")
    choose(page, 12)
    expect(square(page, 16)).to_have_attribute("aria-label", re.compile("which breaks the duty to capture"))
    choose(page, 16)
    expect(said(page)).to_contain_text("Black moves 12 to 16 – and overlooks 10x19. White to move.")
    assert fen(page) == "W:W15,32:B6,10,16:huffable=12-16"
    question = page.locator(".huff")
    expect(question).to_contain_text("The man on 10 should have taken the man on 15.")
    expect(question.locator("button")).to_have_text(
        [
            "HuffThe man on 10 leaves the board",
            "Have the move taken backBlack has to capture now",
            "Let it standPlay on as if nothing had happened",
        ]
    )
    question.get_by_role("button", name="Huff").click()
    expect(said(page)).to_contain_text("White huffs 10: it could have taken 15. ")
    assert fen(page) == "W:W15,32:B6,16"
    assert "{huff 10}" in pdn(page)
    assert str(replayed(pdn(page)).position.fen()) == fen(page)


def test_a_position_opened_after_a_missed_capture_shows_which(window: Watched) -> None:
    """No move was seen; the FEN names it."""
    page = table(window, "de/W:W15,32:B6,10,16:huffable=12-16")
    expect(page.locator(".huff")).to_contain_text("The man on 10 should have taken the man on 15.")
    expect(page.locator(".arrow")).to_have_count(1)


def test_a_game_is_kept_and_loaded(browser: Browser, address: str) -> None:
    """In German, the browser's language: over a reload, with its end; then from PDN, and a move that is none."""
    watched = Watched(browser, address, locale="de-AT")
    page = table(watched, "international", "de")
    for_two(page)
    choose(page, 32, 28, 19, 23)
    page.get_by_role("button", name="Aufgeben").click()
    expect(page.locator(".turn h2")).to_have_text("Schwarz hat gewonnen: die andere Seite hat aufgegeben")
    page.reload()
    expect(page.locator(".turn h2")).to_have_text("Schwarz hat gewonnen: die andere Seite hat aufgegeben")
    assert page.locator(".log li").count() == 2
    settings(page)
    page.get_by_text("Als Text").click()
    text = page.get_by_label("Die Partie in PDN")
    assert '[Result "0-2"]' in text.input_value()
    text.fill(
        '; by hand\n[Event "?"]\n\n1. 32-28 {good (so [%clk 1:00]} 19-23 (19-24 (18-23) 2. 28-23) ; 2. 31-27 [ {\n'
        "2. 28x19\n\n1. 31-27"
    )
    page.get_by_role("button", name="Laden", exact=True).click()
    expect(page.locator(".turn h2")).to_have_text("Schwarz ist am Zug")
    assert page.locator(".log li").count() == 3
    text.fill("1. 32-28 19-23 2. 31-27")
    page.get_by_role("button", name="Laden", exact=True).click()
    expect(page.locator(".table-settings .wrong")).to_have_text("Nach 2 Zügen: 31-27 ist hier nicht möglich.")
    watched.close()


def test_the_computer_gives_hints_and_consequences(window: Watched) -> None:
    """White's one capture wins a man and the game; whoever plays Black alone has Black's side below."""
    page = table(window, "english/W:W18,32:B15")
    page.get_by_role("button", name="Hint").click()
    expect(said(page)).to_have_text("18x11, takes 15 looks best.")
    settings(page)
    page.get_by_text("What each move leads to").click()
    expect(page.locator(".analysis li")).to_have_text("18x11, takes 15 White wins in 1 ")
    page.get_by_label("White is").select_option("computer")
    expect(page.get_by_label("Turn the board")).to_be_checked()
    expect(page.locator(".turn h2")).to_contain_text("White has won")


# --- positions and text


def test_a_link_opens_a_position(browser: Browser, site: Path) -> None:
    """From a folder too, with what a position has beside its pieces, and moves; what cannot be read is said."""
    watched = Watched(browser, site.as_uri())
    page = table(watched, "nl-trapdoor/B:W21:B12,K5:sliders=LMMR:spin=orange")
    expect(page.locator(".turn h2")).to_have_text("Orange!")
    expect(said(page)).to_have_text("Black to move: push O1 or O2.")
    expect(square(page, 9)).to_have_attribute("aria-label", "square 9, empty, open door of O1, can be pushed")
    page.locator("[data-slider='O1']").click()
    expect(said(page)).to_contain_text("Black: O1 to the middle, door 9 shut.")
    assert fen(page) == "W:W21:BK5,12:sliders=MMMR"
    settings(page)
    page.get_by_text("As text").click()
    link = page.get_by_role("link", name="This position")
    assert str(link.get_attribute("href")).endswith(f"play/index.html#nl-trapdoor/{fen(page)}")
    page.get_by_label("The position as FEN").fill("W:W99:B1")
    page.get_by_role("button", name="Set up").click()
    expect(page.locator(".table-settings .wrong")).to_have_text("This board has no square “99”.")
    page.goto(f"{watched.address}/play/index.html#english/W:WK1:B6&moves=1x10")
    settings(page)
    page.get_by_role("button", name="Redo").click()
    expect(square(page, 10)).to_have_attribute("aria-label", re.compile("white king"))
    page.goto(f"{watched.address}/play/index.html#english/W:WK1:B6&moves=1-5")
    expect(page.locator("#play-table .wrong").first).to_have_text("“1-5” is not legal here.")
    page.goto(f"{watched.address}/play/index.html#nobodys-game")
    expect(page.locator("#play-note")).to_have_text("Nothing here is called nobodys-game.")
    watched.close()


# --- exercises


def test_a_case_is_an_exercise(window: Watched) -> None:
    """From the case to the exercise: Black's only legal move is the jump of d6 over e5, and three steps are lapses."""
    page = window.open("cases/de.html#de.huff.lapses-listed-apart")
    page.locator("[id='de.huff.lapses-listed-apart'] a[href*='#case=']").click()
    page.locator(".playboard").wait_for()
    choose(page, 10, 15)
    expect(said(page)).to_have_text("10-15 is not legal here. A piece stands on 15.")
    choose(page, 12, 16)
    expect(said(page)).to_contain_text("12-16: it breaks the duty to capture")
    page.get_by_role("button", name="Done").click()
    missed = page.locator(".missed")
    expect(missed).to_contain_text("10x19, takes 15")
    expect(missed.locator("a[href$='documents/de.html#de-018']")).to_have_count(1)
    page.get_by_role("button", name="Start again").click()
    choose(page, 10, 19)
    expect(said(page)).to_have_text("All found.")


def test_a_wrong_attempt_is_told_its_rule(window: Watched) -> None:
    """By the Flemish leaflet the man has to take two pieces and may not stop after one, nor step aside."""
    page = table(window, "case=vl.multi-jump.straight-on")
    choose(page, 29, 22, 17)
    expect(said(page)).to_contain_text("29-22-17 is not legal here.")
    page.get_by_label("A move").fill("29x22")
    page.keyboard.press("Enter")
    expect(said(page)).to_contain_text("The duty to capture: If you can capture, you must. (vl-011, vl-012)")
    expect(said(page).get_by_role("link").first).to_have_attribute("href", re.compile("rules/capture.duty"))
    choose_language(page, "nl")
    choose(page, 29, 22, 17)
    expect(said(page)).to_contain_text("29-22-17 mag hier niet. ")


# --- other rules


def test_the_board_opens_on_the_reader_s_own_game(browser: Browser, address: str) -> None:
    """The Dutch one is that of the trapdoors, the English one English; a game that was played last goes before it."""
    for place, game in (("nl/play/index.html", "nl-trapdoor"), ("play/index.html", "english")):
        watched = Watched(browser, address)
        page = watched.open(place)
        expect(page.locator("#play-game")).to_have_value(game)
        page.locator(".tools button").last.click()
        page.select_option("#play-game", "russian")
        expect(page.locator("h1")).to_contain_text("Russian" if game == "english" else "Russisch", ignore_case=True)
        expect(watched.open(place).locator("#play-game")).to_have_value("russian")
        watched.close()


def test_the_reader_plays_white_against_an_easy_computer(browser: Browser, address: str) -> None:
    """A Dutch reader has White below and is answered; the whole table is on one screen, of a phone too."""
    for size in (DESKTOP, PHONE):
        watched = Watched(browser, address, viewport=size)
        page = table(watched, "international", "nl")
        expect(page.locator(".turn h2")).to_have_text("Jij bent aan de beurt")
        choose(page, 32, 28)
        expect(page.locator(".log li")).to_have_count(2)
        expect(page.locator(".log li").first).to_contain_text("Wit speelt 32 naar 28")
        for part in (".playboard", ".turn", ".tools"):
            box = page.locator(part).bounding_box()
            assert box
            assert box["y"] >= 0
            assert box["y"] + box["height"] <= size["height"]
        watched.close()


def test_french_knobs_bear_the_letter_of_verte(browser: Browser, address: str) -> None:
    """What is written in the game's file stays as it is."""
    watched = Watched(browser, address)
    page = table(watched, "fr-trapdoor/W:W21:B12:sliders=MMMM:spin=green", "fr")
    expect(page.locator(".playboard [data-slider=G1] text")).to_have_text("V1")
    page.get_by_role("button", name="V1 à gauche").click()
    expect(page.locator(".log li")).to_contain_text("V1 vers la gauche, trappe 14 ouverte")
    assert "sliders=MLMM" in page.locator(".position-form input").input_value()
    watched.close()


# --- Whole games on the board in a real browser, held against the reference after every action, by mouse and by keys.
# A spin is left to chance, which is the same each time. What else is played is drawn from the reference's own
# list.


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
