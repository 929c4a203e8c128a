"""The boards of the site: columns that should differ look different, none is there twice, captions say what they show.

What the columns of a page say is read from its HTML, as a reader sees it.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest

import damspec
from damspec import Position
from damspec.board import Board
from damspec_runner.document.compare import Witness
from damspec_runner.document.compare import recorded as recorded_witness
from damspec_runner.document.examples import example, of_the_board
from damspec_runner.document.site import comparison_pages, pages
from damspec_runner.document.site.boards import BoardPictures, Once, Reply, StepTaken, side_by_side
from damspec_runner.document.site.pages import SiteError, mark_squares, of_games
from damspec_runner.document.site.rendering import code
from runner_fixtures import damspec as run
from runs import SPREAD

pytestmark = [pytest.mark.xdist_group(__name__), pytest.mark.thorough]

RULESETS = damspec.ruleset_ids()
BOARD = Board(8, 8)
VOID = {"meta", "link", "img", "input", "br", "hr"}


@dataclass
class Seen(HTMLParser):
    """The boards of a page, each with the classes it stands in; and its columns, each with its boards and words."""

    stack: list[tuple[str, str]] = field(default_factory=list)
    boards: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    groups: list[list[list[str]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        classes = [name for _, name in self.stack]
        if tag == "div" and given.get("class") == "answers":
            self.groups.append([])
        if tag == "figure" and classes[-2:] == ["answers", "sides"]:
            self.groups[-1].append([])
        if tag == "img":
            self.boards.append((str(given["src"]).removeprefix("../").removesuffix("#letters"), tuple(classes)))
            self._see(f"board {given['src']}".removesuffix("#letters"))
        if tag not in VOID:
            self.stack.append((tag, str(given.get("class") or "")))

    def handle_endtag(self, tag: str) -> None:
        self.stack.pop()

    def handle_data(self, words: str) -> None:
        if words.strip():
            self._see(words.strip())

    def _see(self, what: str) -> None:
        """Something in a column, but for its name."""
        names = [name for _, name in self.stack]
        if "sides" in names and "answers" in names and self.groups[-1]:
            self.groups[-1][-1].append(what)


@cache
def seen(page: Path) -> Seen:
    found = Seen()
    found.feed(page.read_text(encoding="utf-8"))
    return found


@cache
def drawn(board: Path) -> str:
    """A picture without the words for it, which tell apart what looks the same."""
    return re.sub("<title>.*?</title>", "", board.read_text(encoding="utf-8"))


def look(site: Path, column: list[str]) -> list[str]:
    """What a column says after its name, with its boards as they are drawn."""
    begins = next((place for place, what in enumerate(column) if re.match("Moves|Lapses|Turns|Outcome", what)), 0)
    return [
        drawn(site / what.removeprefix("board ").removeprefix("../")) if what.startswith("board ") else what
        for what in column[begins:]
    ]


# --- columns that differ


@pytest.mark.parametrize("folder", ["compare", "readings", "rules", "cases"])
@pytest.mark.slow
def test_no_two_columns_look_alike(site: Path, folder: str) -> None:
    groups = [(page, group) for page in sorted((site / folder).glob("*.html")) for group in seen(page).groups]
    assert len(groups) > 20
    for page, group in groups:
        assert len(group) > 1, page.name
        looks = [look(site, column) for column in group]
        assert all(one not in looks[:place] for place, one in enumerate(looks)), page.name


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("readings/VL-11.html", ["After", "crowned"]),  # the same moves; the man is crowned or is not
        ("readings/DE-08.html", ["then White to move", "then Black to move"]),  # a huff is a turn or is none
        ("readings/NL-24.html", ["a spin is due"]),
    ],
)
def test_where_the_moves_are_the_same_what_comes_after_is_told(site: Path, page: str, words: list[str]) -> None:
    text = (site / page).read_text(encoding="utf-8")
    for word in words:
        assert word in text
    for group in seen(site / page).groups:
        assert any(what.startswith(("board ", "then ")) for column in group for what in column)


def test_arrows_over_the_same_squares_are_no_difference(site: Path) -> None:
    """From 10 the French king takes 6 or 24, the Dutch both: lines over the same squares, so what is left is drawn."""
    (group,) = seen(site / "compare/fr-trapdoor--nl-trapdoor.html").groups
    afters = [[what for what in column if what.startswith("board ")] for column in group]
    assert [len(boards) for boards in afters] == [2, 2]
    assert len({*afters[0], *afters[1]}) == 4
    alts = (site / "compare/fr-trapdoor--nl-trapdoor.html").read_text(encoding="utf-8")
    assert "White king 1; Black man 24; all doors shut. After 10x1." in alts
    assert "White king 28; Black has no pieces; all doors shut. After 10x1x28." in alts


def answer(position: str, moves: dict[str, str], after: str = "") -> Reply:
    steps = tuple(StepTaken(move, fen, Position.from_fen(after or fen, BOARD)) for move, fen in moves.items())
    return Reply(Position.from_fen(position, BOARD), None, (("Moves", steps),))


@pytest.fixture
def pictures() -> BoardPictures:
    return BoardPictures()


def test_what_all_have_is_said_once(pictures: BoardPictures) -> None:
    one = answer("W:W9:B6,32", {"9x2": "B:WK2:B32", "9-5": "B:W5:B6,32"})
    other = answer("W:W9:B6,32", {"9x2": "B:W2:B32", "9-5": "B:W5:B6,32"})
    third = answer("W:W9:B6,32", {"9x2": "B:W2:B32"})
    sides = side_by_side(pictures, "here", [("a", one), ("b", other), ("c", third), ("d", third)])
    assert sides.start is not None
    assert sides.shared == {}
    assert [column.names for column in sides.columns] == [("a",), ("b",), ("c", "d")]
    assert [[act.action for act in column.lists["Moves"]] for column in sides.columns] == [
        ["9x2", "9-5"],
        ["9x2", "9-5"],
        ["9x2"],
    ]
    both = side_by_side(pictures, "here", [("a", one), ("b", other)])
    assert both.shared == {"Moves": ("9-5",)}
    assert [column.picture for column in both.columns] == [None, None]
    assert [[action for action, _ in column.afters] for column in both.columns] == [["9x2"], ["9x2"]]


def test_the_same_again_is_not_drawn_again(pictures: BoardPictures) -> None:
    one, other = answer("W:W9:B32", {"9-5": "B:W5:B32"}), answer("W:W9:B32", {"9-6": "B:W6:B32"})
    sides = side_by_side(pictures, "here", [("a", one), ("b", other)])
    once = Once()
    first, second = once(sides), once(sides)
    assert first == sides
    assert (second.start, second.again, second.boards) == (None, True, [])
    assert [[act.action for act in column.acts] for column in second.columns] == [["9-5"], ["9-6"]]


def test_equal_answers_are_refused(pictures: BoardPictures) -> None:
    same = answer("W:W9:B32", {"9-5": "B:W5:B32"})
    with pytest.raises(SiteError, match=r"^compare/x\.html: 'a' and 'b' look alike, expected boards or words"):
        side_by_side(pictures, "compare/x.html", [("a", same), ("b", same)])


def test_answers_that_differ_in_what_is_not_shown_are_refused(pictures: BoardPictures) -> None:
    one = answer("W:W9:B32", {"9-5": "B:W5:B32"})
    other = answer("W:W9:B32", {"9-5": "B:W5:B32:hidden"}, after="B:W5:B32")
    with pytest.raises(SiteError, match="'a' and 'b' look alike"):
        side_by_side(pictures, "here", [("a", one), ("b", other)])


@pytest.mark.slow
def test_the_site_is_not_built_with_a_pair_that_looks_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A man alone on 32 moves to 27 or 28 in both games."""
    planted = Witness("capture.choice", "W:W32:B1", "8x8", "moves", (), True, 2, 120)
    genuine = recorded_witness

    def recorded(one: str, other: str, rule: str) -> object:
        return planted if (one, other, rule) == ("lb", "vl", "capture.choice") else genuine(one, other, rule)

    monkeypatch.setattr(comparison_pages, "recorded", recorded)
    ran = run("site", "build", str(tmp_path / "new"))
    assert ran.status == 2
    assert (
        "compare/lb--vl.html: capture.choice: 'Luxembourgish checkers' and 'Flemish draughts' look alike"
        in ran.complaint
    )
    assert [*tmp_path.iterdir()] == []


# --- boards once, and what they show


@pytest.mark.parametrize(
    "pattern", ["[!c]*/*.html", "compare/*.html", pytest.param("cases/*.html", marks=pytest.mark.slow)]
)
def test_no_board_is_on_a_page_twice(site: Path, pattern: str) -> None:
    """But in lists of cases and of questions, each of which has its board, and where columns side by side share one."""
    for page in site.glob(pattern):
        outside = [src for src, classes in seen(page).boards if not {"case", "asked", "afters"} & {*classes}]
        assert [src for src, number in Counter(outside).items() if number > 1] == [], page.relative_to(site)


@pytest.mark.parametrize("id", SPREAD)
def test_a_rule_has_its_board_with_the_reason_of_the_case(site: Path, id: str) -> None:
    """Or the words that say where it is, or why there is none."""
    ruleset = damspec.load_ruleset(id)
    page = (site / pages.ruleset(id)).read_text(encoding="utf-8")
    articles = dict(re.findall(r'<article class="rule" id="([^"]+)">(.*?)</article>', page, re.DOTALL))
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
    assert page.count('<figure class="shown">') > 0.6 * len(ruleset.values)
