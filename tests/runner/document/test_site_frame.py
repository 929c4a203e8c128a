"""What is around the pages of the site: navigation, the way to a page, side navigation, all in the page's language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

import damspec
from damspec import Position, data
from damspec.inheritance import overlay_ids
from damspec.rules import rule_names
from damspec_runner.document.compare import leaflet_game, root
from damspec_runner.document.rulebook import Language, describe_setup, languages
from damspec_runner.mutants.ruleset_diff import places_pieces
from damspec_site import boards, pages
from damspec_site.library import SiteData
from damspec_site.pages import SECTIONS, SHELF
from words import without_keys

pytestmark = pytest.mark.xdist_group(__name__)

LANGUAGES = {language.tag: language for language in languages()}
ENGLISH, *ABROAD = LANGUAGES.values()
GAMES = damspec.ruleset_ids()
SHEETS = [id for id in GAMES if leaflet_game(id) == id]
every_language = pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES.keys())
abroad = pytest.mark.parametrize("language", ABROAD, ids=[language.tag for language in ABROAD])


def text(site: Path, address: str) -> str:
    return without_keys((site / address.partition("#")[0]).read_text(encoding="utf-8"))


def part(html: str, start: str, end: str) -> str:
    """A page from a place to the next end."""
    found = re.search(re.escape(start) + ".*?" + re.escape(end), html, re.DOTALL)
    assert found, start
    return found[0]


def words(html: str) -> str:
    """What a reader reads."""
    return " ".join(unescape(re.sub("<[^>]*>", " ", html)).split())


def every_page(site: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(site.rglob("*.html")):
        yield path.relative_to(site).as_posix(), path.read_text(encoding="utf-8")


# --- navigation


@pytest.mark.thorough
def test_the_header_has_four_doors_and_the_shelf_the_rest(site: Path) -> None:
    page = text(site, "cases/index.html")
    doors = part(page, '<nav class="doors"', "</nav>")
    assert re.findall(r">([^<>\n]+)</a>", doors) == ["Games", "Play", "Which game is ours?", "Compare"]
    shelf = part(page, '<footer class="shelf"', "</footer>")
    assert {
        name: href.removeprefix("../") for href, name in re.findall(r'<li><a href="([^"]+)"[^>]*>([^<]+)', shelf)
    } == SHELF
    assert all((site / href).is_file() for href in SHELF.values())
    assert re.findall('aria-current="page">([^<]+)', shelf) == ["Positions"]


@pytest.mark.thorough
def test_headings_and_titles_have_the_words_of_the_navigation(site: Path) -> None:
    for id in ("rules", "cases", "readings", "glossary", "documents"):
        name, page = ENGLISH.text(f"around.{id}"), text(site, pages.at(SECTIONS[id]))
        assert f"<title>{name} – damspec</title>" in page
        assert f"<h1>{name}</h1>" in page


@pytest.mark.thorough
def test_a_page_of_players_has_its_door_and_any_other_its_place(site: Path) -> None:
    """The search, the workshop, and what stands beside the rules, such as what is wrong, have neither."""
    without = {
        path.partition("/")[2] if path[:3] in {f"{language.tag}/" for language in ABROAD} else path
        for path, html in every_page(site)
        if ("aria-current" in part(html, '<nav class="doors"', "</nav>")) == ('<nav class="crumbs"' in html)
    }
    assert without == {"404.html", "huffing-origin.html", "search.html", "workshop/index.html", "wrong.html"}


@pytest.mark.thorough
def test_what_is_for_programmers_and_historians_is_in_english(site: Path) -> None:
    """Elsewhere that is told once."""
    for path, html in every_page(site):
        tag = path[:2] if path[:3] in {f"{language.tag}/" for language in ABROAD} else "en"
        assert (" data-english" in html) == ('<nav class="crumbs"' in html), path
        assert tag == "en" or " data-english" not in html, path
        told = words(part(html, '<footer class="shelf">', "</nav>"))
        assert (LANGUAGES[tag].text("around.english") in told) == (tag != "en"), path


@pytest.mark.thorough
def test_a_place_in_the_tree_is_told_from_the_top(site: Path) -> None:
    def way(address: str) -> str:
        return words(part(text(site, address), '<nav class="crumbs"', "</nav>"))

    assert way("matrix.html") == "Start Rules All rules of all games"
    assert way("protocol.html") == "Start For programmers The engine protocol"


# --- side navigation


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("address", "among"),
    [
        ("protocol.html", ["Messages"]),
        ("documents/vl.html", ["vl-012"]),
        ("glossary.html", ["B", "C", "T"]),
        ("rulesets/index.html", ["International draughts"]),
    ],
)
def test_a_long_page_has_its_places_beside_it(site: Path, address: str, among: list[str]) -> None:
    page = text(site, address)
    stops = re.findall(r'<li><a href="#([^"]+)"[^>]*>([^<]+)</a></li>', part(page, '<nav class="side"', "</nav>"))
    assert len(stops) > 2
    assert all(page.count(f' id="{id}"') == 1 for id, _ in stops)
    assert len({id for id, _ in stops}) == len(stops)
    names = [unescape(name) for _, name in stops]
    assert all(any(name.startswith(wanted) for name in names) for wanted in among), names


@pytest.mark.thorough
def test_the_glossary_goes_by_the_alphabet(site: Path) -> None:
    """A term with `to` stands where its second word does: to jump before king."""
    page = text(site, "glossary.html")
    letters = re.findall('<tbody id="letter-([a-z])"', page)
    assert letters == sorted(letters)
    assert page.index('id="to-jump"') < page.index('id="letter-k"') < page.index('id="king"')


# --- in its language


@pytest.mark.thorough
def test_where_a_reader_begins_there_are_all_games_by_name(site: Path) -> None:
    """Each once; those of the reader's country first, and the families of all."""
    library = SiteData()
    for language in languages():
        page = part(text(site, pages.at("front", language=language.tag)), "<main", "</main>")
        links = {
            href.rpartition("/")[2]: words(name)
            for href, name in re.findall(r'<a (?:class="row" )?href="([^"]+)">(.*?)</a>', page, re.DOTALL)
        }
        for id in SHEETS:
            assert links[f"{id}.html"].startswith(library.name_in(id, language.tag)), (language.tag, id)
            assert page.count(f'/{id}.html"') == 1, (language.tag, id)
        first = re.findall(r'<li><a href="[^"]*/([a-z-]+)\.html">', part(page, '<ul class="games">', "</ul>"))
        assert first == language.content["front"]["first"]


@every_language
def test_each_game_of_the_first_page_has_a_line_of_its_own(language: Language) -> None:
    """So has each first one of a family."""
    said = language.content["front"]
    assert len({*said["lines"].values()}) == len(said["lines"])
    assert {*said["lines"]} == {*SiteData().game_facts["front"]} >= {root(id) for id in GAMES}
    assert len({*said["first"], *said["neighbours"]}) == 10
    assert {*said["first"], *said["neighbours"]} <= {*said["lines"]}


def sheets(language: Language) -> list[str]:
    return [
        pages.at("front", language=language.tag),
        *sorted({pages.sheet(language.tag, id).partition("#")[0] for id in GAMES}),
    ]


def test_the_words_of_all_pages_stand_in_every_language() -> None:
    """A text has the same numbers and names of games in all of them."""
    for key in ENGLISH.content["texts"]:
        places = {tag: re.findall(r"\{(\d)\}", each.content["texts"][key]) for tag, each in LANGUAGES.items()}
        assert places["en"] == [str(place) for place in range(len(places["en"]))], key
        assert all(sorted(found) == places["en"] for found in places.values()), key


@abroad
def test_what_each_game_is_called_and_is_stands_in_each_language(language: Language) -> None:
    """In `games` and `abouts` of its file in spec/rulebook/; English stands in the ruleset's own file."""
    assert {*language.content["games"]} == {*GAMES}
    assert {*language.content["abouts"]} == {*GAMES, *overlay_ids()}


def test_every_error_of_a_page_has_a_text_in_each_language() -> None:
    """Those of the site's scripts and of the interpreter, with the same values in all of them."""
    scripts = [data.root() / "reference/javascript/damspec.js", *Path(boards.__file__).parent.glob("assets/*.js")]
    source = " ".join(path.read_text(encoding="utf-8") for path in scripts)
    texts = ENGLISH.content["errors"]
    assert {*re.findall(r'(?:keyed|fail|KeyedError)\("([a-z-]+)"', source)} == {*texts}
    for key in texts:
        said = [language.content["errors"][key] for language in LANGUAGES.values()]
        assert len({tuple(sorted(re.findall(r"\{\w+\}", each))) for each in said}) == 1, key


def test_every_text_is_named_by_a_template_or_a_script() -> None:
    folder = Path(boards.__file__).parent
    sources = [path for pattern in ("*.py", "templates/*.html", "assets/*.js") for path in folder.glob(pattern)]
    named = {*re.findall(r'"([a-z-]+)"', " ".join(path.read_text(encoding="utf-8") for path in sources))}
    named |= {text for row in pages.manifest().values() for text in (row.title, row.about)}
    composed = {f"other-{rule.partition('.')[2]}" for rule in rule_names() if places_pieces(rule)}  # compare.js
    assert {key.removesuffix("-one") for key in ENGLISH.content["texts"]} - named - composed == set()


@pytest.mark.thorough
@abroad
def test_a_link_to_an_english_page_says_so(site: Path, language: Language) -> None:
    """By hreflang, and by a word behind the link or as its text, but for pages that a script says in the language."""
    for address in sheets(language)[1:]:
        html = text(site, address)
        header = part(html, '<header class="lid">', "</header>") + part(html, '<footer class="shelf">', "</footer>")
        for tag, href, after in re.findall(
            r'(<a [^>]*href="([^"#]+)[^>]*>)(.{0,200}(?:(?!</?p\b).)*)', html, re.DOTALL
        ):
            path = (site / Path(address).parent / href.partition("#")[0]).resolve().relative_to(site.resolve())
            if path.parts[0] == language.tag or path.parts[0] in LANGUAGES or href.endswith(f"?in={language.tag}"):
                continue
            if tag in header:
                continue
            assert 'hreflang="en"' in tag, (address, tag)
            told = after.startswith(ENGLISH.name) or language.text("around.english") in after
            assert told, (address, tag)


@pytest.mark.thorough
@abroad
def test_where_the_doors_are_assumed_the_sheet_says_so(site: Path, language: Language) -> None:
    library = SiteData()
    for id in GAMES:
        layout = library.layout(id)
        said = language.text("around.assumed") in unescape(text(site, pages.sheet(language.tag, id)))
        assert said == (layout is not None and layout.assumed), id


@pytest.mark.thorough
@every_language
def test_a_page_that_nobody_has_checked_says_so(site: Path, language: Language) -> None:
    said = [language.word("unchecked") in unescape(text(site, address)) for address in sheets(language)[:5]]
    assert said == [not language.checked] * 5


@every_language
def test_the_first_page_tells_its_boards_in_its_language(site: Path, language: Language) -> None:
    told = re.findall('role="img" aria-label="([^"]*)"', text(site, pages.at("front", language=language.tag)))
    turns = (language.text("position.white-moves"), language.text("position.black-moves"))
    assert told
    assert [each for each in told if not unescape(each).startswith(turns)] == []


def test_the_first_page_shows_a_piece_that_falls_through_a_trapdoor(site: Path) -> None:
    """Black opens the door on c3 under a white man."""
    games = text(site, pages.at("front", language="nl")).split('<ul class="games">')[1].split("</a>")
    assert re.findall('<use href="#([^"]*)"[^>]* class="falls"', games[0]) == ["w-mw"]
    assert games[0].count('href="#pit-') == 1
    assert "falls" not in games[1]


def test_a_position_in_words() -> None:
    """Men on squares in a row are told by the first and the last."""
    board = damspec.load_ruleset("lb").position().board
    position = Position.from_fen("B:W21,22,23,24,K30:B10", board)
    assert describe_setup(ENGLISH, position) == "Black to move. White: men 21-24, king 30. Black: man 10."
    assert describe_setup(LANGUAGES["de"], position) == (
        "Schwarz ist am Zug. Weiß: einfache Steine 21-24, Dame 30. Schwarz: einfacher Stein 10."
    )
    empty = Position.from_fen("W:W1:B", board)
    french = describe_setup(LANGUAGES["fr"], empty)
    assert (
        french.replace("\N{NARROW NO-BREAK SPACE}:", " :")
        == "Aux Blancs de jouer. Blancs : pion 1. Noirs : aucune pièce."
    )
    assert " :" not in french


def test_a_position_with_doors_in_words() -> None:
    """The third slider of the Dutch game opens 17 by standing left; then the disc has been spun."""
    rules = damspec.load_ruleset("nl-trapdoor").rules
    assert rules.trapdoors
    layout, board = rules.trapdoors.layout, Position.start(rules).board
    told = [
        describe_setup(LANGUAGES["nl"], Position.from_fen(f"W:W21,32:B4:sliders={standing}", board), layout)
        for standing in ("MMMM", "MMLM", "MMLM:spin=due", "MMLM:spin=disc")
    ]
    pieces = "Wit aan zet. Wit: schijven 21, 32. Zwart: schijf 4."
    assert told == [
        f"{pieces} Alle luiken zijn dicht.",
        f"{pieces} Open luiken: 17.",
        f"{pieces} Open luiken: 17. Nu wordt het wieltje gedraaid.",
        f"{pieces} Open luiken: 17. Het draaiwieltje staat op een schijf.",
    ]


@pytest.mark.parametrize(("tag", "own", "other"), [("de", "Königsstein", "german"), ("lb", "Kinnek", "international")])
def test_the_words_of_a_document_stand_on_its_sheet_alone(tag: str, own: str, other: str) -> None:
    """Once, beside the word that everybody else uses."""

    def told(name: str) -> str:
        sections = LANGUAGES[tag].sections(damspec.load_ruleset(name))
        return " ".join(sentence for section in sections for sentence in section.sentences)

    assert told(tag).count(own) == 1
    assert own not in told(other)


def test_a_language_without_a_word_is_refused_in_a_line() -> None:
    content = {key: value for key, value in ENGLISH.content.items() if key != "around"}
    assert data.schema_problem(content, "rulebook") == "top level: missing 'around'"


# --- sheets


def test_a_sheet_keeps_to_the_words_of_its_document(site: Path) -> None:
    """Tables, boards and the line below the title too: the Flemish leaflet has Dam, vak and gelijkspel.

    What it calls capturing nobody else says: a line tells it.
    """
    sheet = part(text(site, "nl/vl.html"), "<main", "</main>")
    read = " ".join([words(sheet), *re.findall(' alt="([^"]*)"', sheet)])
    assert re.findall(r"\b(?:dam|(?<!Vlaams )(?<!gewoon )(?<!Internationaal )dammen|velden|remise)\b", read) == []
    assert read.count("verschalk") == 1


def test_numbers_on_a_sheet_lead_to_notes_and_back(site: Path) -> None:
    """Each stands at a sentence, and its note says how else that could be read."""
    sheet = part(text(site, "nl/vl.html"), '<article class="sheet"', "</article>")
    notes = dict(re.findall(r'<li id="note-(\d)">(.*?)</li>', sheet))
    assert {*re.findall(r'href="#note-(\d)" role="doc-noteref"', sheet)} == {*notes}
    assert all(f'id="to-note-{number}"' in sheet for number in re.findall(r'href="#to-note-(\d)"', sheet))
    assert "twee keer zetten" in " ".join(notes.values())
    assert "doc-noteref" not in text(site, "nl/english.html")


@every_language
def test_every_note_says_something_else_each_way_in_one_quotation(site: Path, language: Language) -> None:
    """A sentence that may not hold is quoted, so is a list that may be shorter; what comes to the same has no note.

    Men of German draughts capture forward only, so one in the last row cannot go on as a man (GER-02).
    """

    def notes(name: str) -> list[str]:
        found = re.findall(r'<li id="note-\d+"[^>]*>(.*?)&nbsp;<a', text(site, pages.sheet(language.tag, name)))
        return [unescape(note) for note in found]

    opening, closing = language.word("otherwise").split("{text}")
    gone = language.word("unsure-gone").partition("{text}")[0]
    for name in ("german", "frisian", "nigerian", "pool", "armenian"):
        assert all(note.startswith(opening) and note.endswith(closing) for note in notes(name))
    assert len(notes("frisian")) == 1
    assert [note for note in notes("nigerian") if note.startswith(opening + gone)]
    assert len(notes("german")) == 6
    either = f"{closing}{language.content['phrases']['join']['or']}{opening}"
    assert [note.count(either) for note in notes("german") if either in note] == [1]
    assert [note.count(either) for note in notes("pool")] == [1]


@every_language
def test_a_year_that_is_not_sure_is_so_in_every_language(language: Language) -> None:
    """Pleasant draughts is of about 1605."""
    about = {"en": "about", "nl": "omstreeks", "de": "um", "fr": "vers", "lb": "vu ronn"}[language.tag]
    library = SiteData()
    sources = [*library.documents.values()]
    unsure = {year for one in sources for year in re.findall(r"about (\d{4})", f"{one.about} {one.dated}")}
    assert "1605" in unsure
    said = [library.name_in(id, language.tag) for id in GAMES] + [library.about_in(id, language.tag) for id in GAMES]
    said += [str(each) for each in language.content["front"]["lines"].values()]
    for one in said:
        for before, year in re.findall(r"(.*?)\b(\d{4})\b", one):
            assert year not in unsure or before.endswith(f"{about} ")


@every_language
def test_what_a_game_is_does_not_say_its_name_again(language: Language) -> None:
    library = SiteData()
    for id in GAMES:
        assert not library.about_in(id, language.tag).startswith(library.name_in(id, language.tag))


def test_a_page_does_not_deny_what_its_sheet_says(site: Path) -> None:
    """Touched pieces are on the sheets of these games, above the conduct that is not."""
    sources = [part(text(site, f"rulesets/{name}.html"), '<p class="fine">By', "</p>") for name in ("vl", "russian")]
    assert [["touched" in each, "other conduct" in each] for each in sources] == [[False, False], [False, True]]


@every_language
def test_the_name_of_a_variant_is_that_of_its_game_and_a_comma(site: Path, language: Language) -> None:
    """Its switch shows what follows, which has to be understood alone."""
    for name in ("fr-trapdoor", "nl-trapdoor"):
        sheet = unescape(text(site, pages.sheet(language.tag, name)))
        title, named = part(sheet, "<h1>", "<").strip("<h1>/ "), re.findall(' data-name="([^"]*)"', sheet)
        assert {one.partition(", ")[0] for one in named} == {title}
