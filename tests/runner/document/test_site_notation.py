"""Squares on the site as numbers or letters: what is marked, which games begin with letters, and what has a switch."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

import damspec
from damspec import Board
from damspec_site.pages import mark_bracketed_squares, mark_squares, of_games

pytestmark = pytest.mark.xdist_group(__name__)

SMALL = Board(8, 8)
MARK = re.compile(r'<span class="squares" data-(numbers|letters)="([^"]*)">([^<]*)</span>')


def text(site: Path, address: str) -> str:
    return (site / address).read_text(encoding="utf-8")


def shown(html: str) -> str:
    """What a reader sees of a page."""
    return unescape(re.sub("<[^>]*>", "", html))


def test_a_mark_shows_one_notation_and_keeps_the_other() -> None:
    """By hand: 21 is a3, 17 is b4, and the man takes <what> is just text."""
    says = 'After 21-17 <it> stands on "b4", one of 12 men.'
    assert mark_squares(says, SMALL, "numbers") == (
        'After <span class="squares" data-letters="a3-b4">21-17</span> &lt;it&gt; stands on'
        ' &#34;<span class="squares" data-letters="b4">17</span>&#34;, one of 12 men.'
    )
    assert shown(mark_squares(says, SMALL, "letters")) == 'After a3-b4 <it> stands on "b4", one of 12 men.'


def test_squares_in_brackets_are_marked_and_other_numbers_are_not() -> None:
    sentence = "12 men on [21]-[24] & [9x18]."
    assert shown(mark_bracketed_squares(sentence, SMALL, "numbers")) == "12 men on 21-24 & 9x18."
    assert shown(mark_bracketed_squares(sentence, SMALL, "letters")) == "12 men on a3-g3 & b6xd4."


def test_games_in_letters_are_those_that_players_write_so() -> None:
    """By their GameType, or by that of the game they are nearest to; two games only if both are."""
    games = {id: damspec.load_ruleset(id) for id in damspec.ruleset_ids()}
    lettered = {id for id, ruleset in games.items() if of_games(ruleset) == "letters"}
    assert lettered == {
        *("russian", "brazilian", "czech", "turkish", "spantsiretti"),
        *("jamaican", "zimbabwean", "unified-pool", "diagonal", "poddavki", "jekab"),
    }
    assert of_games(games["russian"], games["czech"]) == "letters"
    assert of_games(games["russian"], games["vl"]) == of_games() == "numbers"


@pytest.mark.thorough
@pytest.mark.parametrize("address", ["rulesets/nl-trapdoor.html", "de/nl-trapdoor.html", "lb/fr-trapdoor.html"])
def test_the_doors_of_a_sheet_are_marked(site: Path, address: str) -> None:
    """O1 opens 9 and 11, which are b6 and f6; O2 opens 22 and 24, c3 and g3."""
    pairs = {(found[3], found[2]) for found in MARK.finditer(text(site, address))}
    assert {("9", "b6"), ("11", "f6"), ("22", "c3"), ("24", "g3")} <= pairs


@pytest.mark.thorough
def test_a_sheet_says_nothing_in_brackets(site: Path) -> None:
    """White's men of the Turkish game begin on its second and third row."""
    for folder in ("rulesets", "de", "fr", "lb", "nl"):
        page = shown(text(site, f"{folder}/turkish.html"))
        assert "a3-h3, a2-h2" in page
        assert not re.search(r"\[\d", page)
    assert "White's men start on a3, b3, c3" in shown(text(site, "rulesets/turkish.html"))
