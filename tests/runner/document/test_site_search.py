"""The search: what answers a question in five languages, what ids lead to, by keyboard and without scripts."""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

import damspec
from browser import Watched
from damspec import data
from damspec_runner.document.rulebook import RuleSentences, languages
from damspec_runner.document.sources import load_documents
from damspec_site import pages, rendering

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.thorough]

BOX = "form.search input[type=search]"


def ask(page: Page, query: str) -> Locator:
    """Type into the box and wait for the answer: the list below it."""
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    page.fill(BOX, query)
    expect(page.locator("form.search [role=status]")).not_to_have_text("", timeout=60_000)
    return page.locator(".answer")


def test_minisearch_is_as_it_was_published() -> None:
    """The file and the licence of the package of npm, in a folder that names its version."""
    (folder,) = (Path(rendering.__file__).parent / "vendor").glob("mini*")
    assert folder.name == "minisearch-7.2.0"
    assert {path.name: sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()} == {
        "minisearch.js": "03c27931eb603af1d3358579e9885eafdb6a2f5fa9929557b3e77d7e99d06d03",
        "minisearch.LICENSE.txt": "70d37354d6395629fb99edb28cb37a5d356ffa24a48cd02a5def5b83a300a899",
    }


# --- questions


#: What is asked in each language, and what stands among the first answers.
ANSWERS = {
    "en": [
        ("do you have to jump in grandpa's checkers", "If you can capture, you must."),
        ("turkish draughts how do the peices move", "straight forward, to the left or to the right"),
        ("under what licence is the data", "The licence is the MIT License."),
        ("frog barrel with brass discs", "Nothing was found for “frog, barrel”."),
        ("can a man jump backwards", "A man captures diagonally forward or backward."),
        ("who starts", "White begins."),
        ("how many pieces", "Each player sets up 12 men"),
        ("touch move", "If you touch one of your pieces that can move"),
        ("what happens if I forget to capture", "you may be huffed"),
        ("how do I win", "Capture all your opponent"),
        ("which corner is dark", "a dark square in the near corner on the left"),
        ("10x10", "International draughts"),
        ("6x6", "Draughts on 6 × 6, a game for learning"),
        ("children", "Draughts on 6 × 6, a game for learning"),
        ("download cases", "Rules and positions to download"),
        ("Brazilian Russian", "Brazilian draughts – Russian draughts"),
        ("perft italian", "Italian draughts for programmers"),
        ("VL-11", "VL-11"),
        ("vl-022", "vl-022"),
        ("vl.multi-jump.second-jump-back", "Second jump back"),
        ("what happens if you can't move", "If it is your turn and you cannot move, you have lost."),
        ("can checkers jump backwards", "Not backward: A man captures diagonally forward."),
        ("how many can i jump in one turn", "You go on as long as that piece can jump."),
        ("three kings versus one king", "three kings"),
        ("oldest rules", "The documents and their years"),
        ("different kinds of draughts", "All games"),
        ("FEN", "Games and positions in files"),
        ("is there a library for python", "The library for Python"),
        ("straight instead of diagonal", "Straight, not diagonally: A man moves one square straight forward"),
        ("sideways", "Turkish draughts"),
        ("do kings go straight", "any number of empty squares straight forward"),
        ("is huffing allowed if you forget to jump", "Compulsory, no huffing"),
        ("PDN GameType", "GameType: the numbers of the games in PDN"),
        ("PDN GameType international draughts 20", "GameType: the numbers"),
        ("GameType italian", "Italian draughts for programmers"),
        ("perft numbers", "Perft counts"),
        ("test suite download", "Rules and positions to download"),
        ("engine protocol", "The engine protocol"),
        ("Hub", "Engines that play: Hub and DXP"),
        ("DXP", "Engines that play: Hub and DXP"),
        ("javascript", "The library in JavaScript"),
        ("API", "The library for Python"),
        ("svg board", "Pictures of positions"),
        ("oldest book on draughts", "No history of draughts"),
        ("Torquemada", "No history of draughts"),
        ("Mallet", "No history of draughts"),
        ("manuscript", "No history of draughts"),
        ("where does draughts come from", "No history of draughts"),
    ],
    "nl": [
        ("verschil tussen fries dammen en gewoon dammen", "Fries dammen – Internationaal dammen"),
        ("met luikjes en een wieltje", "draaiwieltje"),
        ("kan een gewone schijf ook terugslaan", "Niet achteruit: "),
        ("wie begint", "Wit begint."),
        ("niet meer zetten", "Wie aan zet is en niet kan zetten, verliest."),
        ("mag een schijf achteruit slaan", "Een schijf slaat schuin vooruit of achteruit."),
        ("moet ik slaan", "Slaan is verplicht."),
        ("hoe ver mag een dam", "zo ver als de lijn vrij is"),
        ("damslag", "Een dam slaat schuin vooruit of achteruit, ook van afstand"),
        ("heerbaan", "op de hoofdlijn"),
        ("driehoek", "drie dammen"),
        ("blazen", "Waar blazen vandaan komt"),
        ("kinderen", "Dammen op 6 × 6"),
        ("fout melden", "Klopt er iets niet?"),
        ("wie begint bij turks dammen", "Turks dammen"),
        ("qui commence", "Wit begint."),
        ("meerslag", "Kun je op meerdere manieren slaan"),
        ("mag de dam terug", "Een dam gaat schuin vooruit of achteruit"),
        ("welk vak moet linksonder", "een donker hoekveld linksonder"),
        ("stuk aangeraakt", "Aanraken is zetten."),
        ("speelgoed met luikjes en draaischijf", "Het bord heeft valluiken"),
        ("pools dammen", "Internationaal dammen"),
        ("rechtdoor in plaats van schuin", "Recht, niet schuin: Een schijf gaat één veld recht vooruit"),
        ("mag je blazen als je vergeet te slaan", "Verplicht, zonder blazen"),
        ("blazen als je vergeet te slaan", "Waar blazen vandaan komt"),
        ("fries dammen dam drie keer", "hoogstens 3 keer"),
        ("oudste boek", "Geen geschiedenis van het dammen"),
        ("meeste slaan dam of schijf", "Vlaams dammen"),
    ],
    "de": [
        ("Unterschid russische und brasilianische Dame", "Russische Dame – Brasilianische Dame"),
        ("mein Opa hat immer gepustet", "das Schlagen versäumt"),
        ("wer fängt an", "Weiß beginnt."),
        ("darf man rückwärts schlagen", "Ein einfacher Stein schlägt schräg vorwärts oder rückwärts."),
        ("muss man immer schlagen", "Schlagen ist Pflicht."),
        ("wie viele Steine hat jeder", "12 einfache Steine"),
        ("was passiert wenn man keinen Zug mehr hat", "nicht ziehen kann, verliert"),
        ("Dreieck", "drei Damen"),
        ("Pusten", "Woher das Pusten kommt"),
        ("damas brasileiras", "Brasilianische Dame"),
        ("turkischer schlag", "türkischer Schlag"),
        ("falltürspiel", "Zum Brett gehören Falltüren"),
        ("wie viele Steine darf man schlagen", "Gibt es mehrere Möglichkeiten zu schlagen"),
        ("Brett falsch herum", "ein dunkles Eckfeld"),
        ("ist Pusten erlaubt", "Pflicht, mit Pusten"),
        ("was passiert wenn die Falltür aufgeht", "Öffnet sich eine Falltür"),
        ("woher kommt das Pusten", "Woher das Pusten kommt"),
        ("Dame geradeaus statt diagonal", "zieht gerade vorwärts, rückwärts oder seitwärts"),
        ("gerade statt diagonal", "Gerade, nicht schräg"),
        ("pusten vergessen zu schlagen", "Pflicht, ohne Pusten"),
        ("pusten vergessen zu schlagen", "Woher das Pusten kommt"),
        ("Dame direkt hinter dem Stein", "Sie landet direkt hinter"),
        ("ältestes Buch über Dame", "Keine Geschichte des Damespiels"),
        ("GameType", "GameType: die Nummern"),
    ],
    "fr": [
        ("souffler n'est pas jouer", "L’adversaire joue ensuite son propre coup"),
        ("dames françaises et dames anglaises", "Jeu de dames international – Dames anglaises"),
        ("qui commence", "Les Blancs commencent."),
        ("pion en arrière", "Un pion prend en diagonale vers l’avant ou vers l’arrière."),
        ("est-on obligé de prendre", "La prise est obligatoire."),
        ("la dame peut-elle aller loin", "autant de cases libres qu’on veut"),
        ("comment faire une dame", "est promu dame"),
        ("jouer contre l’ordinateur", "Un damier pour jouer"),
        ("prendre tout droit", "Un pion prend"),
        ("passer son tour", "Les joueurs jouent à tour de rôle."),
        ("à quoi sert la roulette", "La roulette s’arrête sur"),
        ("d'où vient souffler", "D’où vient le soufflage"),
        ("tout droit au lieu de diagonale", "Tout droit, pas en diagonale"),
        ("on souffle encore?", "Obligatoire, sans souffler"),
        ("sauter deux fois le même pion", "on ne peut pas sauter"),
        ("plus vieux livre", "Pas une histoire du jeu de dames"),
    ],
    "lb": [
        ("Däerf d'Damm fléien oder nëmmen ee Feld", "Ee Feld: "),
        ("Wien fänkt un", "Wäiss fänkt un."),
        ("muss ee schloen", "muss schloen"),
        ("wéi gëtt ee Damm", "gëtt eng Damm"),
        ("wéini ass et Remis", "ass Remis"),
        ("Dammespill fir Kanner", "Dammespill op 6 × 6"),
        ("wou kënnt d'Blosen hier", "Wou d'Blosen hierkënnt"),
        ("riicht amplaz schréi", "Riicht, net diagonal"),
        ("blosen vergiess ze schloen", "Pflicht, ouni Blosen"),
        ("eelst Buch", "Keng Geschicht"),
    ],
}


ENGLISH, *_ = languages()
SHOWN = {id: damspec.load_ruleset(id).name for id in damspec.ruleset_ids()}


@pytest.mark.parametrize("tag", ANSWERS)
def test_a_question_finds_its_answer(window: Watched, tag: str) -> None:
    """Among the first eight things, in the language of the page."""
    page = window.open(pages.at("search", language=tag))
    for query, wanted in ANSWERS[tag]:
        found = ask(page, query).locator(".why, li:nth-child(-n+3)")
        said = " ".join(" ".join(found.all_text_contents()[:8]).split())
        assert wanted in said, (query, said)


#: How the rules as a whole are asked for, with a slip of the pen.
RULES = {
    "en": ("rules of draughts", "checkrs rules", "draughts"),
    "nl": ("regels dammen", "damregels", "spelregels van het damspel"),
    "de": ("Dame Regeln", "wie spielt man Dame", "Spielanleitung"),
    "fr": ("règles du jeu de dames", "regles dames", "dammes"),
    "lb": ("Damm spillen Regelen", "d'Reegele vum Dammespill", "Dammen"),
}


@pytest.mark.parametrize("tag", RULES)
def test_who_asks_for_the_rules_finds_the_games_of_the_country_first(window: Watched, tag: str) -> None:
    page = window.open(pages.at("search", language=tag))
    known = data.load_yaml(Path(rendering.__file__).parent / "games.yaml")["known"][tag]
    for query in RULES[tag]:
        link = ask(page, query).locator("li a").first
        expect(link).to_have_attribute("href", re.compile(re.escape(pages.sheet(tag, known))))
    own = ask(page, RULES[tag][0]).locator("h2 + ul").first.locator("a").all_inner_texts()
    assert len(own) == len({*own}) == 3


#: What leads to one place before all others: a word of programmers, or who asks for what only one row answers.
FIRST = {
    "en": {
        "GameType": "implement/index.html#games",
        "perft": "perft.html",
        "test suite download": "implement/index.html",
        "Hub": "hub.html",
        "FEN": "pdn.html",
        "javascript": "library.html#in-javascript",
        "svg board": "library.html#pictures",
        "licence": "implement/index.html",
        "history": "documents/index.html",
        "who starts in turkish draughts": "rulesets/turkish.html",
    },
    "nl": {
        "perft": "perft.html",
        "geschiedenis": "documents/index.html",
        "fries dammen dam drie keer": "nl/frisian.html",
    },
    "de": {"DXP": "hub.html", "Dame direkt hinter dem Stein": "de/german.html"},
    "fr": {"API": "library.html", "histoire": "documents/index.html"},
    "lb": {"GameType": "implement/index.html#games"},
}


@pytest.mark.parametrize("tag", FIRST)
def test_the_right_place_stands_first(window: Watched, tag: str) -> None:
    page = window.open(pages.at("search", language=tag))
    for query, place in FIRST[tag].items():
        href = ask(page, query).locator("li a").first.get_attribute("href") or ""
        assert place in href, (query, href)


def test_the_first_year_of_the_documents_is_told(window: Watched) -> None:
    first = min(each.year for each in load_documents().values() if each.year)
    page = window.open(pages.at("search"))
    assert f"of {first};" in ask(page, "history of draughts").locator("li").first.inner_text()


def test_of_a_word_that_is_nowhere_it_is_said_once_with_the_lists(window: Watched) -> None:
    page = window.open("search.html?q=zzqqx")
    expect(page.locator("#found [role=status]")).to_contain_text("Nothing was found for “zzqqx”.", timeout=60_000)
    assert page.locator("#found").inner_text().count("Nothing was found") == 1
    assert page.locator("#found li a").all_inner_texts() == ["All games", "The documents and their years"]


def test_games_that_answer_in_other_words_stand_with_these_or_with_the_rule(window: Watched) -> None:
    page = window.open(pages.at("search"))
    answer = ask(page, "can a man jump backwards")
    expect(answer.locator("li").first).to_contain_text("A man captures straight forward, to the left or to the right.")
    bare = answer.locator("li").first.locator("p.in:has(> b)").all_inner_texts()
    assert bare
    assert all(text.startswith("A man's first jump – ") for text in bare)


def test_what_is_said_of_other_games_does_not_answer_for_a_named_one(window: Watched) -> None:
    page = window.open(pages.at("search", language="nl"))
    shown = ask(page, "fries dammen dam drie keer").locator("li .in").all_inner_texts()
    assert shown
    assert all("Fries dammen" in games for games in shown)


def test_a_word_for_the_game_and_a_piece_finds_both(window: Watched) -> None:
    page = window.open(pages.at("search", language="de"))
    assert "beliebig weit" in ask(page, "was ist eine Dame").locator("li").first.inner_text()
    assert "Damespiel" in ask(page, "Dame").locator("li a").all_inner_texts()


def test_a_sentence_leads_to_its_place_on_the_sheet(window: Watched) -> None:
    page = window.open("nl/search.html")
    answer = ask(page, "wie begint bij turks dammen")
    expect(answer.locator(".in a").first).to_have_attribute(
        "href", re.compile("nl/turkish.html#sheet-need:~:text=Wit%20begint")
    )
    ask(page, "zzqqx")
    expect(page.locator(".answer .why").first).to_contain_text("Niets gevonden voor “zzqqx”.")


def test_a_small_board_can_be_played(window: Watched) -> None:
    page = window.open("nl/search.html")
    ask(page, "6x6").locator("li a").first.click()
    expect(page.locator("h1")).to_contain_text("6 × 6")


# --- keyboard, page of results


def test_the_keyboard_is_enough(window: Watched) -> None:
    """A slash leads to the box, the arrows through what was found, Escape back, Enter to all results."""
    page = window.open("rulesets/vl.html")
    page.keyboard.press("/")
    box, answer = page.locator(BOX), page.locator(".answer")
    expect(box).to_be_focused()
    page.keyboard.type("huff")
    expect(page.locator("form.search [role=status]")).to_have_text(re.compile(r"^\d+ found"))
    page.keyboard.press("ArrowDown")
    expect(answer.locator("a").first).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(answer.locator("a").nth(1)).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(box).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/search.html\?q=huff$"))
    expect(page.locator("h1")).to_have_text("Results for “huff”")


def test_the_page_of_results_shows_all(window: Watched) -> None:
    page = window.open("fr/search.html?q=dame")
    expect(page.locator("#found [role=status]")).to_have_text(re.compile(r"^\d+ résultats"), timeout=60_000)
    expect(page.locator("#lists")).to_be_hidden()
    expect(page).to_have_title("Résultats pour « dame » – damspec")
    assert page.locator("#found h2").count() > 3


def test_without_scripts_there_are_lists(browser: Browser, address: str) -> None:
    watched = Watched(browser, address, java_script_enabled=False)
    page = watched.open("nl/search.html")
    page.click("main a:has-text('Vlaams dammen')")
    expect(page.locator("h1")).to_contain_text("Vlaams dammen")
    watched.close()


def test_a_sentence_stands_with_the_games_that_say_it(window: Watched) -> None:
    """Games with the same answer in other words, as a Turkish king that goes straight, stand with the answer alone."""
    page = window.open(pages.at("search"))
    said = {SHOWN[id]: {text for _, _, text in RuleSentences(damspec.load_ruleset(id), ENGLISH).told()} for id in SHOWN}
    seen = 0
    for query in ("how far may a king go", "may a man capture backward", "which capture if there are several"):
        ask(page, query)
        while page.locator("button.rest").count():
            page.locator("button.rest").first.click()
        for text in page.locator("p.text:has(> b)").all():
            sentence = text.locator("a").inner_text()
            games = text.locator("xpath=following-sibling::p[1]").locator("a").all_inner_texts()
            assert [game for game in games if sentence not in said[game]] == []
            seen += len(games)
    assert seen > 50


# --- what is said of the question, squares, variants


def test_of_no_word_that_has_results_it_is_said_that_nothing_was_found(window: Watched) -> None:
    page = window.open(pages.at("search"))
    for query in ("who solved checkers and when", "perft international draughts depth 5", "solved", "depth"):
        answer = ask(page, query)
        assert answer.locator("li").count()
        assert "Nothing was found" not in answer.inner_text(), query
    expect(ask(page, "who solved checkers and when").locator("li").first).to_contain_text("Endgames solved")


def test_what_is_shown_instead_is_not_counted_as_found(window: Watched) -> None:
    page = window.open(pages.at("search"))
    ask(page, "zzqqx")
    expect(page.locator("form.search [role=status]")).to_have_text(re.compile("^Nothing was found for “zzqqx”"))


#: Questions for where the men of Turkish draughts start.
TURKISH = {
    "en": "turkish draughts how many men",
    "nl": "turks dammen hoeveel schijven",
    "de": "türkische Dame wie viele Steine",
    "fr": "dames turques combien de pions",
    "lb": "tierkescht Dammespill wéi vill Steng",
}


@pytest.mark.parametrize("tag", TURKISH)
def test_squares_are_written_as_the_sheet_does(window: Watched, tag: str) -> None:
    """Turks count by letters, the games on a hundred squares by numbers; who chose one of them reads that."""
    page = window.open(pages.at("search", language=tag))
    query = TURKISH[tag]
    assert re.search(r"a2.h2", ask(page, query).inner_text())
    assert not re.search(r"\[|\|", page.locator(".answer").inner_text())
    page.evaluate("damspecKept.write('damspec.notation', 'numbers')")
    assert re.search(r"41.48", ask(page, query).inner_text())
    page.evaluate("localStorage.clear()")


def test_what_is_said_of_a_variant_leads_to_it(window: Watched) -> None:
    page = window.open(pages.at("search"))
    answer = ask(page, "king capture not from a distance")
    answer.locator("button.rest").first.click()
    link = answer.locator(".in a", has_text=re.compile("^French trapdoor draughts, American rules$")).first
    assert "rulesets/fr-trapdoor.html#fr-trapdoor-american:~:text=" in (link.get_attribute("href") or "")
    assert " · " in answer.locator(".in").first.inner_text()
    link.click()
    expect(page.locator("form.variants [role=status]")).to_have_text("French trapdoor draughts, American rules")


#: Questions for games that do not go or capture diagonally, and the first sentence.
NOT_DIAGONAL = {
    "en": ("which game captures not diagonally", "straight forward, to the left or to the right"),
    "nl": ("welk damspel slaat niet schuin", "recht vooruit, naar links of naar rechts"),
    "de": ("welches Spiel schlägt nicht schräg", "gerade vorwärts, nach links oder nach rechts"),
    "fr": ("quel jeu ne prend pas en diagonale", "tout droit vers l’avant, vers la gauche ou vers la droite"),
    "lb": ("wat fir e Spill schléit net schréi", "riicht no vir"),
}


@pytest.mark.parametrize("tag", NOT_DIAGONAL)
def test_what_a_question_denies_is_not_answered_first(window: Watched, tag: str) -> None:
    query, sentence = NOT_DIAGONAL[tag]
    page = window.open(pages.at("search", language=tag))
    assert sentence in ask(page, query).locator("p.text:has(b), p.text:has(+ .in)").first.inner_text()


def test_counts_of_a_named_game_are_found_at_its_place(window: Watched) -> None:
    page = window.open(pages.at("search"))
    link = ask(page, "perft international draughts depth 5").locator("li a").first
    expect(link).to_have_attribute("href", re.compile("perft.html#international$"))
    page.goto(page.url.replace("search.html", "perft.html"))
    page.click("main a[href='#makvaer']")
    assert page.locator("#makvaer").bounding_box()["y"] < 200  # type: ignore[index]
