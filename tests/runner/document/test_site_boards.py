"""The boards of the site: columns that should differ look different, none is there twice, captions say what they show.

What the columns of a page say is read from its HTML, as a reader sees it.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import damspec
from damspec import Position
from damspec.board import Board
from damspec_runner.document.examples import example, of_the_board
from damspec_site import pages
from damspec_site.boards import PlayedAction, Reply, side_by_side, squares
from damspec_site.library import SiteData
from damspec_site.pages import SiteError, mark_squares, of_games
from damspec_site.rendering import code
from runs import SPREAD

pytestmark = [pytest.mark.xdist_group(__name__), pytest.mark.thorough]

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
    with pytest.raises(SiteError, match=r"^readings/x\.html: a and b have the same answer, expected different ones"):
        side_by_side("readings/x.html", [("a", same), ("b", same)])


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
