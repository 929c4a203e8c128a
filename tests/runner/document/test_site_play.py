"""The board to play on, as the site has it: where it is opened from, what it loads then, positions as exercises."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest

import damspec
from damspec_runner.cases.cases import cases_of
from damspec_runner.document.rulebook import languages
from damspec_runner.mutants.ruleset_diff import on_board_of
from damspec_site import pages

pytestmark = [pytest.mark.xdist_group(__name__), pytest.mark.thorough]

GAMES = damspec.ruleset_ids()


def text(site: Path, address: str) -> str:
    return (site / address).read_text(encoding="utf-8")


def held(site: Path, name: str) -> Any:
    """What a data script hands over."""
    script = text(site, f"{name}.js")
    return json.loads(script.removeprefix(f'damspec.put("{name}", ').removesuffix(");\n"))


def links(html: str) -> list[str]:
    return [unescape(found) for found in re.findall(r'href="([^"]*play/index\.html(?:\?in=\w\w)?#[^"]*)"', html)]


def test_every_game_leads_to_its_board(site: Path) -> None:
    for game in GAMES:
        page = text(site, pages.ruleset(game).partition("#")[0])
        assert f"../play/index.html#{game}" in links(page)
        assert "interpreter.js" not in page


@pytest.mark.parametrize("language", [language.tag for language in languages()])
def test_the_page_for_playing_has_every_game(site: Path, language: str) -> None:
    """And leads to their sheets, all in one language, where no script runs."""
    page = text(site, "play/index.html" if language == "en" else f"{language}/play/index.html")
    assert sorted(re.findall('<option value="([^"]+)"', page.partition("play-game")[2])) == sorted(GAMES)
    without = page.partition("<noscript>")[2].partition("</noscript>")[0]
    assert len(re.findall('<li><a href="', without)) == len(GAMES)


def test_how_games_are_written(site: Path) -> None:
    """By the table of PDN: Russian draughts is number 25, written in letters, with a colon; `nl-trapdoor` has none."""
    games = held(site, "play/games")["games"]
    assert sorted(games) == sorted(GAMES)
    russian = games["russian"]
    assert (russian["letters"], russian["captures"], russian["tags"]) == (True, ":", {"GameType": "25,W,8,8,A0,0"})
    assert games["international"]["results"] == {"white": "2-0", "draw": "1-1", "black": "0-2"}
    assert games["nl-trapdoor"]["tags"]["Ruleset"] == "nl-trapdoor"
    assert "GameType" not in games["nl-trapdoor"]["tags"]


@pytest.mark.parametrize("game", ["lb", "de", "nl-trapdoor"])
def test_cases_are_exercises_where_they_ask_for_moves(site: Path, game: str) -> None:
    """From the position of a case its script makes a link to play it, and to find all moves where those are asked."""
    exercises = held(site, f"play/cases/{game}")
    asking = [case for case in cases_of(game) if case.question == "moves"]
    assert [*exercises["cases"]] == [case.id for case in asking]
    articles = text(site, f"cases/{game}.html").split('<article class="one-case" id="')[1:]
    shown = {article.partition('"')[0]: article.partition("</article>")[0] for article in articles}
    for case in cases_of(game):
        fen = damspec.load_ruleset(game).position(case.position).fen()
        board = re.search('<span class="board"[^>]*>([^<]*)</span>', shown[case.id])
        assert board
        assert unescape(board[1]) == fen
        assert ('<details class="exercise">' in shown[case.id]) == (case in asking)
    for case in asking:
        _, _, clauses = exercises["cases"][case.id]
        assert clauses == [*case.clauses]
        assert {*clauses} <= {*exercises["clauses"]}


def test_an_exercise_says_what_would_be_legal_otherwise(site: Path) -> None:
    """First the duty to capture; where a change takes another rule away, that is said too."""
    rule, changes, clauses = held(site, "play/cases/de")["lifted"][0]
    assert (rule, changes["capture.duty"]) == ("capture.duty", "optional")
    assert changes["huff.remedies"] is None
    assert clauses == [*damspec.load_ruleset("de").rests_on["capture.duty"]]


def test_every_link_opens_a_position_of_its_game(site: Path) -> None:
    opened = {link.partition("#")[2] for path in site.rglob("*.html") for link in links(path.read_text("utf-8"))}
    assert len(opened) > 1_000
    for address in opened:
        called, _, fen = address.partition("/")
        game, _, host = called.partition("@")
        ruleset = damspec.load_ruleset(game)
        if host:
            ruleset = on_board_of(ruleset, damspec.load_ruleset(host))
        start, _, moves = fen.partition("&moves=")
        position = ruleset.position(start or "start")
        for move in filter(None, moves.split(",")):
            position = damspec.play(ruleset, position, move)


@pytest.mark.parametrize("language", [language.tag for language in languages()])
def test_a_worked_example_can_be_tried(site: Path, language: str) -> None:
    address = "rulesets/vl.html" if language == "en" else f"{language}/vl.html"
    figures = text(site, address).split("<figure")[1:]
    found = [link for figure in figures for link in links(figure.partition("</figure>")[0])]
    assert found
    assert all(re.search(r"play/index\.html#vl/[WB]:W[K0-9,]*:B[K0-9,]*$", link) for link in found)
