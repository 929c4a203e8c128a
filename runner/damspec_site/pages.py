"""Pages of the site: addresses and links, contents, data scripts and previews."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from html import unescape
from importlib.util import find_spec
from typing import Any, Literal
from urllib.parse import quote, urlsplit
from zlib import compress

from markupsafe import Markup, escape

from damspec import Clause, DamspecError, Position, Ruleset
from damspec.board import Board
from damspec.drawing import describe_position, svg
from damspec.pdn.notation import notation_of
from damspec_runner.cases.notation import NamedSquares, in_both_notations, split_squares
from damspec_runner.document.compare import leaflet_game
from damspec_runner.document.rulebook import languages

from .library import SiteData


class SiteError(DamspecError):
    """A folder that the site cannot be built into, or a page that would be wrong."""


class SiteWriteError(SiteError):
    """A site that could not be written completely, such as for lack of space; the earlier build is intact."""


WrittenAs = Literal["numbers", "letters"]

#: Squares and moves in the sentences of a rulebook stand in brackets.
_BRACKETED = re.compile(r"\[([^\]]+)\]")


def of_games(*rulesets: Ruleset) -> WrittenAs:
    """Return the notation of squares for games: letters only if players of all of them use letters."""
    return "letters" if rulesets and all(notation_of(ruleset).algebraic for ruleset in rulesets) else "numbers"


def mark_squares(text: str, board: Board, notation: WrittenAs, between: Callable[[str], str] = escape) -> Markup:
    """Render text with its squares marked; `between` renders the rest."""
    return Markup(
        "".join(
            between(one) if isinstance(one, str) else square_mark(one, notation) for one in split_squares(text, board)
        )
    )


def mark_bracketed_squares(text: str, board: Board, notation: WrittenAs) -> Markup:
    """Render a rulebook sentence with the squares in brackets marked."""
    *pairs, last = _BRACKETED.split(text)
    found = zip(pairs[::2], pairs[1::2], strict=True)
    return (
        Markup(
            "".join(escape(before) + square_mark(in_both_notations(named, board), notation) for before, named in found)
        )
        + last
    )


def square_mark(named: NamedSquares, notation: WrittenAs) -> Markup:
    """Return the mark of a square or a move."""
    shown, kept, other = (
        (named.numbers, named.letters, "letters")
        if notation == "numbers"
        else (named.letters, named.numbers, "numbers")
    )
    return Markup(f'<span class="squares" data-{other}="{escape(kept)}">{escape(shown)}</span>')


class AddressError(DamspecError):
    """Text that is no address of a site."""


@dataclass(frozen=True)
class SiteAddress:
    """The address of the site's folder, with a trailing slash; empty if unknown."""

    text: str = ""

    @classmethod
    def read(cls, text: str) -> SiteAddress:
        """Parse an address given by a user. Raises AddressError."""
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
        """The path of the site on its host."""
        return urlsplit(self.text).path

    def of(self, path: str) -> str:
        """Return the address of a page or file; for index.html that of its folder."""
        folder, slash, name = path.rpartition("/")
        return self.text + quote(folder + slash if name == "index.html" else path)


#: The unknown address.
NOWHERE = SiteAddress()


@dataclass(frozen=True)
class Link:
    """A link to a page of the site; `key` is that of its text, if it has other ones in other languages."""

    text: str
    href: str
    key: str = ""


def ruleset(id: str, part: str = "") -> str:
    """Return the page of a ruleset, or a rule or group on it."""
    return _shown_with("rulesets", id, part)


def _shown_with(folder: str, id: str, part: str = "") -> str:
    """Return a page of a game, or a part of it. A variant is shown with the game that its document has it of."""
    game = leaflet_game(id)
    place = part if game == id else id
    return f"{folder}/{game}.html" + (f"#{place}" if place else "")


def sheet(language: str, id: str) -> str:
    """Return the rulebook of a game in a language; in English it is on the page of the ruleset."""
    return ruleset(id) if language == "en" else _shown_with(language, id)


def start(language: str) -> str:
    """Return the start page in a language."""
    return "index.html" if language == "en" else f"{language}/index.html"


def booklet(language: str) -> str:
    """Return the file with all sheets of a language, for print."""
    return f"{'rulesets' if language == 'en' else language}/booklet.pdf"


def sheet_file(page: str) -> str:
    """Return the file for print of a sheet."""
    return f"{page.partition('#')[0].removesuffix('.html')}.pdf"


def rule(name: str) -> str:
    """Return the page of a rule."""
    return f"rules/{name}.html"


def document(id: str) -> str:
    """Return the page of a document."""
    return f"documents/{id}.html"


def clause(given: Clause) -> str:
    """Return the place of a clause on the page of its document."""
    return f"{document(given.document)}#{given.id}"


def reading(id: str) -> str:
    """Return the page of a reading."""
    return f"readings/{id}.html"


def case(id: str) -> str:
    """Return the place of a case on the page of its ruleset."""
    return f"cases/{leaflet_game(id.partition('.')[0])}.html#{id}"


def play(ruleset: str, position: str = "", on: str = "", moves: Sequence[str] = ()) -> str:
    """Return the board to play a game on, from its start or a position; `on` is another game, whose board is used.

    `moves` can be played through from the position.
    """
    further = f"&moves={','.join(moves)}" if moves else ""
    return f"play/index.html#{ruleset}" + (f"@{on}" if on else "") + (f"/{position}" if position else "") + further


def exercise(case: str) -> str:
    """Return a case as an exercise."""
    return f"play/index.html#case={case}"


def cases_of(ruleset: str, topic: str = "") -> str:
    """Return the page of a ruleset's own cases, or a topic on it."""
    return _shown_with("cases", ruleset, topic)


def section(id: str) -> str:
    """Return the id of a rulebook section on the sheet of a game."""
    return f"sheet-{id}"


def suite(id: str) -> str:
    """Return the perft suite of a ruleset, to download."""
    return f"perft/{id}.epd"


def implement(id: str, part: str = "") -> str:
    """Return the page for programmers of a game, or a section of it."""
    return _shown_with("implement", id, part)


def download(id: str, ending: str) -> str:
    """Return a file of a game for programs: `yaml` and `json` are its rules, `cases.json` its cases."""
    return f"implement/{id}.{ending}"


#: The page of all engines.
ENGINES = "engines/index.html"


def engine(name: str, ruleset: str = "") -> str:
    """Return the place of an engine on the page of all, or that of a ruleset it plays."""
    return f"{ENGINES}#{name}" + (f"-{slug(ruleset)}" if ruleset else "")


def badge(name: str, ruleset: str, ending: str) -> str:
    """Return the badge of an engine on a ruleset, as a picture or as data."""
    return f"engines/badges/{name}.{slug(ruleset)}.{ending}"


def comparison(one: str, other: str) -> str:
    """Return the page that compares two rulesets, in either order."""
    first, second = sorted((one, other))
    return f"compare/{first}--{second}.html"


#: The map of the games; the table of all their rules, the style that hides its columns, and the table to download.
MAP, MATRIX, COLUMNS, TABLE = "compare/map.html", "matrix.html", "assets/matrix.css", "matrix.csv"


#: The questionnaire, and the page of all its questions.
IDENTIFY, QUESTIONS = "identify/index.html", "identify/questions.html"
#: The table of collected answers, and that to download.
COLLECTED, COLLECTED_TABLE = "collected/index.html", "collected/answers.csv"


def collected(name: str) -> str:
    """Return the page of an answers file."""
    return f"collected/at/{slug(name)}.html"


def family(id: str) -> str:
    """Return the page of the family that a game is the root of."""
    return f"families/{id}.html"


def browser(**wanted: str) -> str:
    """Return the case browser with filters set: `ruleset`, `topic`, `clause`, `text`."""
    given = "&".join(f"{key}={quote(value)}" for key, value in wanted.items() if value)
    return "cases/index.html" + (f"#{given}" if given else "")


def board(drawn: bytes) -> str:
    """Return the address of a picture of a board, named by a digest of its content."""
    return f"boards/{sha256(drawn).hexdigest()[:16]}.svg"


def place(given: Clause) -> str:
    """Describe the place of a clause in its document."""
    if given.article:
        return f"article {given.article}"
    if given.line:
        return f"line {given.line}" + (f", sentence {given.sentence}" if given.sentence else "")
    return ""


def slug(text: str) -> str:
    """Return a heading or a term as an id on a page."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


#: A heading, or an element that is a target under another name, which is its first attribute.
_STOP = re.compile(
    r"<(?:h2\b(?P<attributes>[^>]*)>(?P<words>.*?)</h2>"
    r'|\w+ data-stop="(?P<name>[^"]+)"(?: data-stop-lang="(?P<lang>[^"]+)")?[^>]*? id="(?P<id>[^"]+)")',
    re.DOTALL,
)
_ID = re.compile(' id="([^"]+)"')
#: An element with an id that stands right before a heading.
_ABOVE = re.compile(r'<\w[^>]*? id="([^"]+)"[^>]*>\s*')
#: What a heading contains besides its words: a document's term for it, and marks.
_BESIDE = re.compile(r'<span class="(?:own|tag|mark)".*?</span>', re.DOTALL)
_TAG = re.compile("<[^>]*>")
#: A link whose text has a key.
_LINK = re.compile(r'<a\b[^>]*( data-text="[^"]*")>(.*?)</a>', re.DOTALL)
#: All tags but those of texts with keys and of squares.
_OTHER_TAG = re.compile("<(?!/?span)[^>]*>")


@dataclass(frozen=True)
class Stop:
    """A target on a page: its title, its id, and the language of its title if that differs from the page's."""

    text: Markup
    id: str
    language: str = ""


@dataclass(frozen=True)
class MarkedPage:
    """The content of a page with an id for every heading, and its targets in order."""

    html: Markup
    stops: tuple[Stop, ...]


def mark_headings(html: str) -> MarkedPage:
    """Find the targets of a page, giving ids to headings that have none."""
    taken = set(_ID.findall(html))
    stops: list[Stop] = []

    def mark_heading(match: re.Match[str]) -> str:
        if match["id"]:
            stops.append(Stop(Markup(match["name"]), match["id"], match["lang"] or ""))
            return match[0]
        above = _ABOVE.fullmatch(html, html.rfind("<", 0, match.start()), match.start())
        title = _OTHER_TAG.sub("", _LINK.sub(r"<span\1>\2</span>", _BESIDE.sub("", match["words"])))
        words = " ".join(unescape(_TAG.sub("", title)).split())
        own = _ID.search(match["attributes"])
        id = own[1] if own else above[1] if above else _free(slug(words) or "part", taken)
        stops.append(Stop(Markup(" ".join(title.split())), id))
        if own or above:
            return match[0]
        taken.add(id)
        return match[0].replace("<h2", f'<h2 id="{id}"', 1)

    return MarkedPage(Markup(_STOP.sub(mark_heading, html)), tuple(stops))


def _free(wanted: str, taken: set[str]) -> str:
    """Return an id that no other element has."""
    id, number = wanted, 1
    while id in taken:
        number += 1
        id = f"{wanted}-{number}"
    return id


@dataclass(frozen=True)
class Page:
    """A page. `section` is its entry in the navigation, `above` the pages above it.

    `name` is its short name below those. `language` is the language of its content, and `alternates` are the same page
    in other languages, with their tags. `game` is the ruleset whose board stands for the page in link previews.
    `notation` is the default notation of squares.
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
    def is_english(self) -> bool:
        """Whether the page is for programmers and historians, in English alone."""
        return self.section in ENGLISH

    @property
    def root(self) -> str:
        """The relative path to the root of the site."""
        return "../" * self.path.count("/")


@dataclass(frozen=True)
class File:
    """Any other file of the site."""

    path: str
    content: bytes


#: The page for missing addresses.
LOST = "404.html"
#: The page that says how to correct a word or a rule.
WRONG = "wrong.html"

#: The sections of the site, each with its name and its first page.
SECTIONS: Mapping[str, Link] = {
    id: Link(languages()[0].around(id), href, f"around.{id}")
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


#: The sections in the header, which players meet in all languages, as they do rules of their own, the search and what
#: is around it; and those that are for programmers and historians, in English alone.
DOORS = ("rulesets", "play", "identify", "compare")
ENGLISH = frozenset({"rules", "cases", "readings", "glossary", "documents", "implement"})
#: What stands on the shelf for programmers and historians.
SHELF: Mapping[str, str] = {
    "Rules and positions to download": "implement/index.html",
    "Test an engine": "testing.html",
    "Published engines": ENGINES,
    "The documents and their years": "documents/index.html",
    "What they leave open": "readings/index.html",
    "All games and families": "rulesets/index.html",
    "All rules": "rules/index.html",
    "A table of both": MATRIX,
    "Positions": "cases/index.html",
    "Glossary": "glossary.html",
    "Changes": "changes.html",
}


def data_script(name: str, content: Any) -> File:
    """Return data as a script that registers it under a name."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return File(f"{name}.js", f"damspec.put({json.dumps(name)}, {text});\n".encode())


def packed_script(name: str, content: Any) -> File:
    """Return data as a compressed script: what a search reads is large and repeats itself."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    packed = b64encode(compress(text.encode(), 7)).decode()  # 9 takes eight times as long and saves a fiftieth
    return File(f"{name}.js", f"damspec.pack({json.dumps(name)}, {json.dumps(packed)});\n".encode())


#: The size of a preview picture, and of the board in it.
WIDTH, HEIGHT, _BOARD = 1200, 630, 570
_PAPER = "#f7efe2"
_GENERAL = ("assets/damspec.png", "A board with draughts pieces on it.")


@dataclass(frozen=True)
class Social:
    """The preview picture of a page, with its text alternative."""

    src: str
    alt: str
    width: int = WIDTH
    height: int = HEIGHT


class Previews:
    """Preview pictures of pages: those of games, or a general one, and locales."""

    def __init__(self, library: SiteData) -> None:
        self._library = library
        self._drawing = find_spec("resvg_py") is not None

    def of(self, page: Page) -> Social:
        """Return the preview picture of a page."""
        if not (page.game and self._drawing):
            return Social(*_GENERAL)
        position = Position.start(self._library.rulesets[page.game].rules)
        return Social(_path(page.game), f"{describe_position(position, self._library.layout(page.game))}.")

    def locale(self, language: str) -> str:
        """Return a language as a locale, with the country of its tag or the one that stands for it."""
        tag, _, country = language.partition("-")
        return f"{tag}_{country or self._library.shown['countries'][tag]}"

    def files(self, ruleset: Ruleset) -> Iterator[File]:
        """Yield the preview picture of a game, if it can be drawn."""
        if self._drawing:
            from resvg_py import svg_to_bytes

            position, layout = Position.start(ruleset.rules), self._library.layout(ruleset.id)
            board = svg(position, size=_BOARD, numbers=False, layout=layout, coordinates=False, title=ruleset.name)
            yield File(
                _path(ruleset.id), bytes(svg_to_bytes(svg_string=preview_picture(board), skip_system_fonts=True))
            )


def preview_picture(board: str) -> str:
    """Centre a board on a picture of the preview size."""
    place = f'<svg x="{(WIDTH - _BOARD) // 2}" y="{(HEIGHT - _BOARD) // 2}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}">'
        f'<rect width="100%" height="100%" fill="{_PAPER}"/>{board.replace("<svg", place, 1)}</svg>'
    )


def _path(id: str) -> str:
    return f"social/{id}.png"
