"""The pages of the documents: who published each and when, what is damaged, how its words were read."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import damspec
from damspec import Position, data
from damspec.board import Board
from damspec_runner.document.examples import example, of_the_board
from damspec_runner.document.sources import Document
from damspec_site import pages
from damspec_site.boards import PlayedAction, Reply, side_by_side, squares
from damspec_site.library import SiteData
from damspec_site.pages import SiteError, mark_squares, of_games
from damspec_site.rendering import code
from refusals import refusal
from runs import SPREAD, for_each
from words import words_of

pytestmark = [pytest.mark.xdist_group(__name__), pytest.mark.thorough]

DOCUMENTS = SiteData().documents
SOURCES = sorted((data.root() / "spec" / "sources").glob("*.yaml"))


def plain(site: Path, address: str) -> str:
    """The words of a page."""
    return words_of((site / address).read_text(encoding="utf-8").partition("<main")[2])


def section(site: Path, document: str, heading: str) -> str:
    """The words of a page of a document from a heading to the next."""
    html = (site / pages.at("document", document)).read_text(encoding="utf-8")
    return words_of(html.partition(f'<h2 id="{heading}"')[2].partition("<h2")[0])


@for_each("document", DOCUMENTS.values())
def test_a_page_has_all_that_is_known_of_the_document(site: Path, document: Document) -> None:
    page = plain(site, pages.at("document", document.id))
    assert document.dated in page
    assert all(each in page for each in (*document.damage, *document.open))
    for each in document.seen:
        assert each["what"][1:] in page
        assert each.get("at", "") in page
    if not document.publisher:
        assert "Publisher Not known" in page
    if not document.damage:
        assert "Nothing is known to be damaged" in page


def test_what_is_known_of_the_french_game(site: Path) -> None:
    page = plain(site, pages.at("document", "fr"))
    assert "Publisher Goliath BV (Hattem, the Netherlands) and Goliath France (Bueil) Year 2005. " in page
    assert "Item 70441, printed as 70441-10-0707 Language French" in page


def test_an_unknown_year_is_said_to_be_unknown(site: Path) -> None:
    assert "Publisher Not known Year The leaflet bears no year. Item Not known" in plain(
        site, pages.at("document", "vl")
    )


def test_the_words_are_told_with_the_reading_that_rests_on_them(site: Path) -> None:
    """VL-07 asks what the two jumps of vl-019 are; X-01 is about captured pieces, of which it has no word."""
    words = section(site, "vl", "words")
    assert re.search(r"VL-07 What are the two jumps.*?low confidence.*?vl-018.*?vl-019 2 sprongen", words)
    assert "X-01" not in words
    assert "X-01" in section(site, "vl", "open")
    assert "X-01" not in section(site, "fmjd", "words")


def test_the_list_goes_by_years_and_ends_with_those_that_have_none(site: Path) -> None:
    html = (site / "documents" / "index.html").read_text(encoding="utf-8")
    years = re.findall(r'<h2 class="year">(.*?)</h2>', html)
    assert years[0] == "1899"
    assert "Year not known" in years[-1]
    assert years[:-1] == sorted({str(one.year) for one in DOCUMENTS.values() if one.year})
    order = re.findall(r'<li id="([a-z0-9-]+)">', html)
    assert sorted(order) == sorted(DOCUMENTS)
    assert [DOCUMENTS[id].year for id in order if DOCUMENTS[id].year] == sorted(
        one.year for one in DOCUMENTS.values() if one.year
    )


@for_each("document", DOCUMENTS.values())
def test_a_book_that_is_only_described_gives_no_year(document: Document) -> None:
    """The text that was read is later than the book that it is about."""
    read = " ".join((document.title, document.about, *(each["what"] for each in document.seen[:1])))
    if re.search(r"as (?:Ludii|the Digital Ludeme Project) |in Ludii", read):
        assert document.year is None
    assert not re.search(rf"of (?:about )?{document.year or 'no'}\b[^.;]*not seen", document.dated)


@for_each("path", SOURCES)
def test_an_address_can_be_looked_up(path: Path) -> None:
    """Addresses are written as one types them, without the scheme."""
    for each in data.load_yaml(path)["seen"]:
        assert not re.search(r"https?:|\s$", each.get("at", ""))


@pytest.mark.parametrize("missing", ["publisher", "year", "dated", "item", "seen", "damage", "open", "about"])
def test_a_document_says_what_is_not_known_rather_than_leaving_it_out(missing: str) -> None:
    content: Any = data.load_yaml(SOURCES[0])
    assert data.schema_problem(content, "source") is None
    del content[missing]
    assert missing in (data.schema_problem(content, "source") or "")


def test_a_game_begins_with_its_sources_and_what_its_rules_do_not_hold(site: Path) -> None:
    page = plain(site, pages.ruleset("english"))
    start = page.partition("Every rule with its sources")[0]
    assert "By Rules of draughts (checkers) of the World Checkers/Draughts Federation, section one" in start
    assert "the openings of tournaments and clocks, which these rules do not hold" in start
    assert re.search(
        "Of tournaments .*three-move deck.*eleven-man ballot.*thirty moves an hour.*The size of the board", page
    )


def test_a_game_says_what_differs_what_it_confirms_and_what_it_only_inherits(site: Path) -> None:
    page = (site / pages.ruleset("doov")).read_text(encoding="utf-8")
    listed = {name: re.sub(r"<[^>]*>", "", text) for name, text in re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", page)}
    assert listed["Differs in"] == (
        "Where the men start; Who begins; Finishing a capture; Repetition (none); Moves of kings alone (none)"
    )
    assert "The duty to capture" in listed["Confirms"]
    assert listed["Only inherits"] == (
        "The squares of the game; What a man captures; One slide or two; The choice between captures;"
        " Removing what was captured; The square where a capture began; Reaching the promotion row by a jump;"
        " Drawn positions"
    )
    rules = re.findall(r'<p class="from"><code>(.*?)</code> (.*?)</p>', page)
    said = {rule: re.sub(r"<[^>]*>", "", text) for rule, text in rules}
    assert said["capture.completion"] == "differs from what it extends"
    assert said["capture.duty"] == "confirmed by its own sources"
    assert said["capture.origin"] == "only inherited, from English draughts"
    assert "Differs in" not in (site / pages.ruleset("russian")).read_text(encoding="utf-8")


def test_a_game_whose_sources_have_nothing_of_tournaments_claims_nothing(site: Path) -> None:
    assert "which these rules do not hold" not in plain(site, pages.ruleset("armenian"))
    assert "Of tournaments" not in plain(site, pages.ruleset("armenian"))


# --- The boards of the site: columns that should differ look different, none is there twice, captions say what they
# show.
# What the columns of a page say is read from its HTML, as a reader sees it.


BOARD = Board(8, 8)


# --- columns that differ


def answer(position: str, moves: dict[str, str]) -> Reply:
    steps = tuple(PlayedAction(move, fen, Position.from_fen(fen, BOARD)) for move, fen in moves.items())
    return Reply(Position.from_fen(position, BOARD), None, (("Moves", steps),))


def test_what_is_not_the_same_in_all_is_marked() -> None:
    """And drawn where the move is the same and leads elsewhere; equal answers are one."""
    one = answer("W:W9:B6,32", {"9x2": "B:WK2:B32", "9-5": "B:W5:B6,32"})
    other = answer("W:W9:B6,32", {"9x2": "B:W2:B32", "9-5": "B:W5:B6,32"})
    first, second = side_by_side("here", [("a", one), ("b", other), ("c", other)])
    assert (first.names, second.names) == (("a",), ("b", "c"))
    for side in (first, second):
        assert [(step.action, differs) for step, differs in side.lists["Moves"]] == [("9x2", True), ("9-5", False)]
        assert [action for action, _ in side.afters] == ["9x2"]
    third = answer("W:W9:B6,32", {"9x2": "B:WK2:B32"})
    first, second = side_by_side("here", [("a", one), ("b", third)])
    assert [(step.action, differs) for step, differs in first.lists["Moves"]] == [("9x2", False), ("9-5", True)]
    assert first.afters == second.afters == ()


def test_equal_answers_are_refused() -> None:
    same = answer("W:W9:B32", {"9-5": "B:W5:B32"})
    assert refusal(SiteError, side_by_side, "readings/x.html", [("a", same), ("b", same)]).startswith(
        "readings/x.html: a and b have the same answer, expected different ones"
    )


def test_an_answer_from_the_start_under_another_reading_moves_the_pieces_that_are_there() -> None:
    library = SiteData()
    asked = [(case, query) for case in library.cases.values() if case.position == "start" for query in case.otherwise]
    assert asked
    for case, query in asked:
        told = library.answer(case, query)
        paths = [squares(told.position, step.action) for step in told.lists.get("Moves", ())]
        sides = {piece.side if (piece := told.position[path[0]]) else None for path in paths if path}
        assert sides <= {told.position.turn}, (case.id, query)


# --- boards once, and what they show


@pytest.mark.parametrize("id", SPREAD)
def test_a_rule_has_its_board_with_the_reason_of_the_case(site: Path, id: str) -> None:
    """Or the words that say where it is, or why there is none."""
    ruleset = damspec.load_ruleset(id)
    page = (site / pages.ruleset(id)).read_text(encoding="utf-8")
    articles = dict(re.findall(r'<article class="rule" id="([^":]+)"[^>]*>(.*?)</article>', page, re.DOTALL))
    assert set(articles) == set(ruleset.values)
    for rule, article in articles.items():
        case = example(ruleset, rule)
        if of_the_board(rule):
            assert 'The <a href="#sheet">board at the top</a> shows it.' in article, rule
        elif case is None:
            assert re.search(r"No position shows it\. [A-Z][^<]+\.", article), rule
        else:
            board = damspec.load_ruleset(case.ruleset).rules.board
            assert mark_squares(case.why, board, of_games(ruleset), code) in article, rule
            drawn_here = f'<a href="../{pages.case(case.id)}"' in article
            assert drawn_here == ("<figure" in article), rule
            assert drawn_here or re.search(r'Shown (beside|by an) <a href="#|Shown by an <a', article), rule
    assert page.count('<figure class="shown">') > 0.5 * len(ruleset.values)
