"""Comparisons and explanations as pages to publish: what is in them, and that nothing breaks out."""

from __future__ import annotations

import csv
import re
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path

import pytest

import damspec as library
from damspec import Position
from damspec.board import Board
from damspec_runner.document.forms import FORMS, render
from damspec_runner.document.forms.latex import escape
from damspec_runner.document.forms.terminal import as_text
from damspec_runner.document.sources import load_documents, split_addresses
from damspec_runner.document.view import Code, Figure, Figures, Heading, Items, Paper, Paragraph, Table
from runner_fixtures import damspec, printed, refused

#: All in one process, which finds all links once.
pytestmark = pytest.mark.xdist_group("links")

#: Every character that means something in one of the forms.
NASTY = r"""\ { } $ & # % _ ~ ^ ` < > | " ' * [ ] ! -- """.strip()
POSITION = Position.from_fen("W:W21,K30:B10", Board(8, 8))


def page() -> Paper:
    """A page with one block of each kind, all of nasty text."""
    table = Table(("what", NASTY), (((Code(NASTY),), ("[1] first", "")), ((NASTY,), ('a "b", c',))))
    items = Items(((0, ("[outer]",)), (1, (NASTY,)), (1, (Code("in|ner"),)), (0, ("last",))))
    figures = Figures((Figure(POSITION, None, ("before",), ((21, 17),)), Figure(POSITION, None, (Code("after"),))))
    return Paper(NASTY, (Heading((NASTY,)), Paragraph(("- no list",)), items, table, figures), table)


def test_markdown_shows_what_is_there() -> None:
    text = render(page(), "markdown")
    assert r"\- no list" in text
    assert "- \\[outer\\]\n  - \\\\ \\{ \\} $ \\& \\# % \\_ \\~ ^ \\` \\< \\> \\| " in text
    assert "  - `in|ner`" in text
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert [len(re.findall(r"(?<!\\)\|", row)) for row in rows] == [3, 3, 3, 3]
    assert text.count("```") == 4
    assert "\n```\nWhite to move" in text or "White to move\n" in text


def test_csv_is_read_back() -> None:
    rows = list(csv.reader(StringIO(render(page(), "csv"))))
    assert rows == [["what", NASTY], [NASTY, "[1] first"], [NASTY, 'a "b", c']]


def test_latex_escapes_whatever_means_something() -> None:
    assert escape("50% of {a_b} & $c~d^e\\f#g") == (
        r"50\% of \{a\_b\} \& \$c\textasciitilde{}d\textasciicircum{}e\textbackslash{}f\#g"
    )
    text = render(page(), "latex")
    assert text.count(r"\begin{itemize}") == text.count(r"\end{itemize}") == 2
    assert r"\item {}[outer]" in text
    assert next(line for line in text.splitlines() if line.startswith("{}")).endswith(r" & [1] first \\")
    assert text.count(r"\filldraw") == 6
    assert text.count("-stealth") == 1
    opened = re.sub(r"\\[{}]", "", text)
    assert opened.count("{") == opened.count("}")


def test_latex_declares_letters_that_its_fonts_lack() -> None:
    text = render(Paper("Шашки, Türk", (), Table((), ())), "latex")
    assert r"\DeclareUnicodeCharacter{0428}{[U+0428]}" in text
    assert "{00FC}" not in text


def test_text_is_wrapped_to_the_width_with_boards_side_by_side() -> None:
    wide, narrow = as_text(page(), 120), as_text(page(), 60)
    assert max(map(len, narrow.splitlines())) <= 60
    assert "    before                                after\n" in wide
    assert re.search(r"^ +25 .*  28 +25 .*  28$", wide, re.MULTILINE)
    assert not re.search(r"  28 +25 ", narrow)
    assert as_text(page(), boards=False).count("White to move") == 0


def test_a_table_that_is_too_wide_for_the_terminal_has_a_text_for_each_row() -> None:
    table = Table(("rule", "says", "from"), (((Code("a"),), ("one two three four",), ()), (("b",), ("5",), ("c",))))
    paper = Paper("Rules", (table,), table)
    assert as_text(paper, 40) == (
        "Rules\n  rule  says                from\n  a     one two three four\n  b     5                   c\n"
    )
    assert as_text(paper, 20) == "Rules\n  rule: says · from\n  a: one two three\n    four\n  b: 5 · c\n"


class _Tags(HTMLParser):
    """Whether all elements are closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.seen.append(tag)
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        self.seen.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_html_is_whole_and_needs_nothing_else() -> None:
    text = render(page(), "html")
    parser = _Tags()
    parser.feed(text)
    assert parser.open == []
    assert parser.seen.count("svg") == 2
    assert parser.seen.count("ul") == 2
    assert "script" not in parser.seen
    assert not re.search(r'(src|href)="(?!#)', text)


def test_a_reference_has_title_publisher_year_and_address() -> None:
    assert load_documents()["jekab"].url == "http://github.com/Ludeme/Ludii"
    assert load_documents()["vl"].url is None
    assert load_documents()["vl"].reference == (
        "Flemish draughts leaflet. Publisher not known. No year (the leaflet bears no year). No address is recorded."
    )
    assert split_addresses("a.nl/x; b.nl, rules.md") == [
        ("a.nl/x", "http://a.nl/x"),
        ("; ", None),
        ("b.nl", "http://b.nl"),
        (", rules.md", None),
    ]


def test_bibtex_of_a_document() -> None:
    ran = damspec("explain", "fmjd", "--format", "bibtex")
    assert ran.out.splitlines() == [
        "@misc{fmjd,",
        "  key = {fmjd},",
        "  title = {{Official FMJD rules for international draughts (annex 1)}},",
        "  year = {2015},",
        "  howpublished = {Fédération Mondiale du Jeu de Dames. fmjd.org, Annex 1 official FMJD rules of international"
        " draughts; copies at e-dama.net and studfile.net/preview/9635026; github.com/rhalbersma/dctl;"
        " github.com/jagaleanov/Draughts, README.md; a file of it in github.com/RoepStoep/lidraughts,"
        " doc/variant/standard; women2015.4draughts.com},",
        "  url = {http://fmjd.org},",
        "  language = {en},",
        "  note = {Annex 1. The edition of November 2015; the copies of single articles bear no year},",
        "}",
    ]
    both = damspec("diff", "nl-trapdoor", "fr-trapdoor", "--format", "bibtex").out
    assert {"nl", "fr"} <= set(re.findall(r"@misc\{(.+),", both))


def test_no_document_no_bibliography() -> None:
    assert refused("diff", "lb", "lb?draws=none", "--format", "bibtex").endswith(
        "no rule differs: cites no document, expected one for BibTeX"
    )


def test_a_document_is_explained_clause_by_clause() -> None:
    """Article 4.13 of the FMJD: the greatest number of pieces must be taken; Killer draughts takes it from there."""
    out = damspec("explain", "fmjd").out
    assert out.startswith("fmjd: Official FMJD rules for international draughts (annex 1)\n")
    assert re.search(r"^  capture\.choice: \[most-pieces\] · .*international, killer.* · fmjd-4\.13", out, re.MULTILINE)
    assert len(re.findall(r"^  fmjd-\S+ \(fmjd", out, re.MULTILINE)) == len(load_documents()["fmjd"].clauses)
    assert damspec("explain", "document:vl").out.startswith("vl: Flemish draughts leaflet\n")
    assert "no document 'vlx'; did you mean 'vl'?" in damspec("explain", "document:vlx").complaint


def test_a_table_of_rules_by_name() -> None:
    """The English king takes what is beside it, the Russian and the Turkish king fly."""
    words = ("diff", "english", "russian", "turkish", "--rules", "king.capture.reach,capture.*", "--format")
    rows = list(csv.DictReader(StringIO(damspec(*words, "csv").out)))
    reach = next(row for row in rows if row["rule"] == "king.capture.reach")
    assert [reach[name] for name in ("english", "russian", "turkish")] == ["1", "any", "any"]
    assert re.match(r"wcdf-\S+ \[Rules of draughts \(checkers\) of the World", reach["english: rests on"])
    named = {rule for rule in library.load_ruleset("english").values if rule.startswith("capture.")}
    assert named < {row["rule"] for row in rows}
    assert "\n| `king.capture.reach` | `1` | `any` | `any` |\n" in damspec(*words, "markdown").out


def test_rulesets_on_different_boards_are_not_searched(tmp_path: Path) -> None:
    """A file is on no record; it is compared with a game on another board without a search."""
    file = tmp_path / "mine.yaml"
    file.write_text(
        "damspec: 1\nid: mine\nname: Mine\nabout: Mine.\nextends: english\nrules:\n  start.first: {value: white}\n"
    )
    out = printed("diff", str(file), "international", "--rules", "capture.choice", "--format", "markdown")
    assert "one is played on 8x8, the other on 10x10; no position is on record, and none was searched." in out


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("words", [("explain", "vl-027"), ("explain", "vl"), ("explain", "huff.turn")])
def test_each_command_in_each_form(words: tuple[str, ...], form: str, tmp_path: Path) -> None:
    target = tmp_path / "page"
    ran = damspec(*words, "--format", form, "-o", str(target))
    assert (ran.status, ran.out, ran.err) == (0, "", "")
    content = target.read_text(encoding="utf-8")
    title = load_documents()["de" if words[1] == "huff.turn" else "vl"].title
    assert title in content
