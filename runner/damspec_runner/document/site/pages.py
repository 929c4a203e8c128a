"""Pages: their addresses and links, contents, scripts and previews; SiteError."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from html import unescape
from importlib.util import find_spec
from typing import Any, Literal
from urllib.parse import quote, urlsplit

from markupsafe import Markup, escape

from damspec import Clause, DamspecError, Position, Ruleset
from damspec.board import Board
from damspec.drawing import describe_position, svg
from damspec.pdn.notation import notation_of

from ...cases.notation import NamedSquares, in_both_notations, split_squares
from ..rulebook import languages
from .library import SiteData


class SiteError(DamspecError):
    """A folder that the site cannot be built into, or a page that would not show what it says."""


class SiteWriteError(SiteError):
    """A site that could not be written to its end, for want of room say; what was there before is still there."""


WrittenAs = Literal["numbers", "letters"]

#: Squares and moves in the sentences of a rulebook stand in brackets.
_BRACKETED = re.compile(r"\[([^\]]+)\]")


def of_games(*rulesets: Ruleset) -> WrittenAs:
    """The notation in which players of these games write squares: letters only where all of them do."""
    return "letters" if rulesets and all(notation_of(ruleset).algebraic for ruleset in rulesets) else "numbers"


def mark_squares(text: str, board: Board, notation: WrittenAs, between: Callable[[str], str] = escape) -> Markup:
    """Text with the squares that it names marked; `between` makes HTML of the rest."""
    return Markup(
        "".join(
            between(one) if isinstance(one, str) else square_mark(one, notation) for one in split_squares(text, board)
        )
    )


def mark_bracketed_squares(text: str, board: Board, notation: WrittenAs) -> Markup:
    """A sentence of a rulebook with the squares in brackets marked."""
    *pairs, last = _BRACKETED.split(text)
    found = zip(pairs[::2], pairs[1::2], strict=True)
    return (
        Markup(
            "".join(escape(before) + square_mark(in_both_notations(named, board), notation) for before, named in found)
        )
        + last
    )


def square_mark(named: NamedSquares, notation: WrittenAs) -> Markup:
    """The mark of a square or of a move."""
    shown, kept, other = (
        (named.numbers, named.letters, "letters")
        if notation == "numbers"
        else (named.letters, named.numbers, "numbers")
    )
    return Markup('<span class="squares" data-{}="{}">{}</span>').format(other, kept, shown)


class AddressError(DamspecError):
    """Text that is no address of a site."""


@dataclass(frozen=True)
class SiteAddress:
    """The address of the site's folder, with a slash at the end; empty if it is not known."""

    text: str = ""

    @classmethod
    def read(cls, text: str) -> SiteAddress:
        """An address as somebody writes it. Raises AddressError."""
        try:
            parts = urlsplit(text)
            named = parts.scheme in ("http", "https") and parts.hostname and text.isascii() and text.isprintable()
            if not named or parts.query or parts.fragment or " " in text or (parts.port or 1) < 1:
                raise ValueError
        except ValueError:
            raise AddressError(f"found {text!r}, expected an address such as https://example.org/rules/") from None
        return cls(text.rstrip("/") + "/")

    def __bool__(self) -> bool:
        return bool(self.text)

    @property
    def path(self) -> str:
        """The way to the site from the top of its host."""
        return urlsplit(self.text).path

    def of(self, path: str) -> str:
        """The address of a page or a file of the site; that of a folder for the page that a folder shows."""
        folder, slash, name = path.rpartition("/")
        return self.text + quote(folder + slash if name == "index.html" else path)


#: Where the site is if nobody has said.
NOWHERE = SiteAddress()


@dataclass(frozen=True)
class Link:
    """A link to a page of the site."""

    text: str
    href: str


def ruleset(id: str, part: str = "") -> str:
    """The page of a ruleset, or a rule or group on it."""
    return f"rulesets/{id}.html" + (f"#{part}" if part else "")


def sheet(language: str, id: str) -> str:
    """The rulebook of a game in a language; in English it is on the page of the ruleset."""
    return ruleset(id) if language == "en" else f"{language}/{id}.html"


def start(language: str) -> str:
    """Where a reader of a language begins."""
    return "index.html" if language == "en" else f"{language}/index.html"


def rule(name: str) -> str:
    """The page of a rule."""
    return f"rules/{name}.html"


def document(id: str) -> str:
    """The page of a document."""
    return f"documents/{id}.html"


def clause(given: Clause) -> str:
    """Where a clause stands on the page of its document."""
    return f"{document(given.document)}#{given.id}"


def reading(id: str) -> str:
    """The page of a reading."""
    return f"readings/{id}.html"


def case(id: str) -> str:
    """The page of a case."""
    return f"cases/{id}.html"


def play(ruleset: str, position: str = "", on: str = "") -> str:
    """The board to play a game on, from its start or a position; `on` is the game whose board it is, if not its own."""
    return f"play/index.html#{ruleset}" + (f"@{on}" if on else "") + (f"/{position}" if position else "")


def exercise(case: str) -> str:
    """A case as an exercise."""
    return f"play/index.html#case={case}"


def cases_of(ruleset: str, topic: str = "") -> str:
    """The list of the cases that were made for a ruleset, or those of a topic on it."""
    return f"cases/of/{ruleset}.html" + (f"#{topic}" if topic else "")


def section(id: str) -> str:
    """The place of a section of the rulebook on the sheet of a game."""
    return f"sheet-{id}"


def suite(id: str) -> str:
    """The perft suite of a ruleset, to download."""
    return f"perft/{id}.epd"


def implement(id: str, part: str = "") -> str:
    """The page for whoever programs a game, or a section of it."""
    return f"implement/{id}.html" + (f"#{part}" if part else "")


def download(id: str, ending: str) -> str:
    """A file of a game for programs: `yaml` and `json` are its rules, `cases.json` its cases."""
    return f"implement/{id}.{ending}"


def engine(name: str, ruleset: str = "") -> str:
    """The page of an engine, or where it has a ruleset."""
    return f"engines/{name}.html" + (f"#{slug(ruleset)}" if ruleset else "")


def badge(name: str, ruleset: str, ending: str) -> str:
    """The badge of an engine on a ruleset, as a picture or as data."""
    return f"engines/badges/{name}.{slug(ruleset)}.{ending}"


def comparison(one: str, other: str) -> str:
    """The page of two rulesets, whichever is named first."""
    first, second = sorted((one, other))
    return f"compare/{first}--{second}.html"


#: The map of the games; the table of all their rules, the style that hides its columns, and the table to download.
MAP, MATRIX, COLUMNS, TABLE = "compare/map.html", "matrix.html", "assets/matrix.css", "matrix.csv"


#: The page that finds out which game was played, and all its questions.
IDENTIFY, QUESTIONS = "identify/index.html", "identify/questions.html"
#: The table of collected answers, and that to download.
COLLECTED, COLLECTED_TABLE = "collected/index.html", "collected/answers.csv"


def collected(name: str) -> str:
    """The page of an answers file."""
    return f"collected/at/{slug(name)}.html"


def family(id: str) -> str:
    """The page of the family that begins with a game."""
    return f"families/{id}.html"


def browser(**wanted: str) -> str:
    """The case browser with filters set: `ruleset`, `topic`, `clause`, `text`."""
    given = "&".join(f"{key}={quote(value)}" for key, value in wanted.items() if value)
    return "cases/index.html" + (f"#{given}" if given else "")


def board(drawn: bytes) -> str:
    """A picture of a board, called by a digest of its content."""
    return f"boards/{sha256(drawn).hexdigest()[:16]}.svg"


def place(given: Clause) -> str:
    """Where a clause stands in its document, in words."""
    if given.article:
        return f"article {given.article}"
    if given.line:
        return f"line {given.line}" + (f", sentence {given.sentence}" if given.sentence else "")
    return ""


def slug(text: str) -> str:
    """A heading or a term as the name of a place on a page."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


_STOP = re.compile(
    r'(?:<\w+\b[^>]*?\sid="(?P<above>[^"]+)"[^>]*>\s*)?<h2\b(?P<attributes>[^>]*)>(?P<words>.*?)</h2>'
    r'|\sid="(?P<id>[^"]+)"[^>]*?\sdata-stop="(?P<name>[^"]+)"(?: data-stop-lang="(?P<lang>[^"]+)")?',
    re.DOTALL,
)
_ID = re.compile(r'\bid="([^"]+)"')
#: What stands in a heading beside its words: what a document calls it, and marks.
_BESIDE = re.compile(r'<span class="(?:own|tag|mark)".*?</span>', re.DOTALL)
_TAG = re.compile("<[^>]*>")


@dataclass(frozen=True)
class Stop:
    """A place on a page: what it is called, its id, and the language of its name if that is not the page's."""

    text: str
    id: str
    language: str = ""


@dataclass(frozen=True)
class Marked:
    """What stands on a page, every heading with an id, and the stops on it in their order."""

    html: Markup
    stops: tuple[Stop, ...]


def mark_headings(html: str) -> Marked:
    """Find the stops of a page, and give ids to the headings that have none."""
    taken = set(_ID.findall(html))
    stops: list[Stop] = []

    def found(match: re.Match[str]) -> str:
        if match["id"]:
            stops.append(Stop(unescape(match["name"]), match["id"], match["lang"] or ""))
            return match[0]
        words = " ".join(unescape(_TAG.sub("", _BESIDE.sub("", match["words"]))).split())
        own = _ID.search(match["attributes"])
        id = own[1] if own else match["above"] or _free(slug(words) or "part", taken)
        stops.append(Stop(words, id))
        if own or match["above"]:
            return match[0]
        taken.add(id)
        return match[0].replace("<h2", f'<h2 id="{id}"', 1)

    return Marked(Markup(_STOP.sub(found, html)), tuple(stops))


def _free(wanted: str, taken: set[str]) -> str:
    """An id that no other element has."""
    id, number = wanted, 1
    while id in taken:
        number += 1
        id = f"{wanted}-{number}"
    return id


@dataclass(frozen=True)
class Page:
    """One page. `section` is the entry of the navigation it belongs to, `above` the pages it lies below.

    Where it lies below others, `name` is what it is called there. `language` is that of what it says, and
    `alternates` are the pages that say the same, each with the tag of its language. `game` is the ruleset whose board
    stands for the page where it is linked elsewhere. `notation` is how it writes squares for whoever has not chosen.
    """

    path: str
    template: str
    title: str
    about: str
    section: str
    above: tuple[Link, ...] = ()
    scripts: tuple[str, ...] = ()
    given: Mapping[str, Any] = field(default_factory=dict)
    name: str = ""
    language: str = "en"
    alternates: tuple[tuple[str, str], ...] = ()
    game: str = ""
    notation: WrittenAs = "numbers"

    @property
    def root(self) -> str:
        """The way from the page to the top of the site."""
        return "../" * self.path.count("/")


@dataclass(frozen=True)
class File:
    """Another file of the site, as it is."""

    path: str
    content: bytes


#: The page for what is not there.
LOST = "404.html"

#: The navigation: each section with its name and its first page.
SECTIONS: Mapping[str, Link] = {
    id: Link(languages()[0].around(id), href)
    for id, href in {
        "rulesets": "rulesets/index.html",
        "play": "play/index.html",
        "identify": "identify/index.html",
        "rules": "rules/index.html",
        "compare": "compare/index.html",
        "workshop": "workshop/index.html",
        "cases": "cases/index.html",
        "readings": "readings/index.html",
        "glossary": "glossary.html",
        "documents": "documents/index.html",
        "implement": "implement/index.html",
    }.items()
}


def data_script(name: str, content: Any) -> File:
    """Data as a script, which hands it over under a name."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return File(f"{name}.js", f"damspec.put({json.dumps(name)}, {text});\n".encode())


#: The size that a picture should have, and the board in it.
WIDTH, HEIGHT, _BOARD = 1200, 630, 570
_PAPER = "#f7efe2"
_GENERAL = ("assets/damspec.png", "A board with draughts pieces on it.")


@dataclass(frozen=True)
class Social:
    """The picture that stands for a page, with its words."""

    src: str
    alt: str
    width: int = WIDTH
    height: int = HEIGHT


class Previews:
    """What stands for pages: the pictures of games, or the general one for all, and languages."""

    def __init__(self, library: SiteData) -> None:
        self._library = library
        self._drawing = find_spec("resvg_py") is not None

    def of(self, page: Page) -> Social:
        """The picture for a page."""
        if not (page.game and self._drawing):
            return Social(*_GENERAL)
        position = Position.start(self._library.rulesets[page.game].rules)
        return Social(_path(page.game), f"{describe_position(position, self._library.layout(page.game))}.")

    def locale(self, language: str) -> str:
        """A language as other sites name it, with a country: that of its tag, or the one that stands for it."""
        tag, _, country = language.partition("-")
        return f"{tag}_{country or self._library.countries[tag]}"

    def files(self, ruleset: Ruleset) -> Iterator[File]:
        """The picture of a game, if it can be drawn."""
        if self._drawing:
            from resvg_py import svg_to_bytes

            position, layout = Position.start(ruleset.rules), self._library.layout(ruleset.id)
            board = svg(position, size=_BOARD, numbers=False, layout=layout, coordinates=False, title=ruleset.name)
            yield File(
                _path(ruleset.id), bytes(svg_to_bytes(svg_string=preview_picture(board), skip_system_fonts=True))
            )


def preview_picture(board: str) -> str:
    """A board in the middle of a sheet of the size that pictures should have."""
    place = f'<svg x="{(WIDTH - _BOARD) // 2}" y="{(HEIGHT - _BOARD) // 2}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}">'
        f'<rect width="100%" height="100%" fill="{_PAPER}"/>{board.replace("<svg", place, 1)}</svg>'
    )


def _path(id: str) -> str:
    return f"social/{id}.png"
