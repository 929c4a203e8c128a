"""Pages of the site: addresses and links, contents, data scripts and previews."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote, urlsplit
from zlib import compress

from markupsafe import Markup, escape

from damspec import Clause, DamspecError, Ruleset, data
from damspec.board import Board
from damspec.pdn.notation import notation_of
from damspec_runner.cases.notation import NamedSquares, in_both_notations, split_squares
from damspec_runner.document.compare import leaflet_game
from damspec_runner.document.rulebook import language_of, languages
from damspec_runner.document.sources import article_of


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
    return Markup(replace_bracketed_squares(escape(text), board, lambda named: square_mark(named, notation)))


def replace_bracketed_squares(text: str, board: Board, written: Callable[[NamedSquares], str]) -> str:
    """Return a rulebook sentence with the squares in brackets, and their brackets, as they are `written`."""
    return _BRACKETED.sub(lambda found: written(in_both_notations(found[1], board)), text)


def square_mark(named: NamedSquares, notation: WrittenAs) -> Markup:
    """Return the mark of a square or a move."""
    shown, other = in_notation(named, notation)
    return Markup('<span class="squares" {}>{}</span>').format(other, shown)


def in_notation(named: NamedSquares, notation: WrittenAs) -> tuple[str, Markup]:
    """Return squares in a notation, and an attribute with the other one, for readers who prefer it."""
    if notation == "numbers":
        return named.numbers, Markup('data-letters="{}"').format(named.letters)
    return named.letters, Markup('data-numbers="{}"').format(named.numbers)


class AddressError(DamspecError):
    """Text that is no address of a site."""


#: A mail address, as plain as it can stand in a link.
_MAIL = re.compile(r"[A-Za-z0-9._+-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+")


def _is_on_web(text: str) -> bool:
    """Return whether text is an address of the web."""
    try:
        parts = urlsplit(text)
        return bool(
            parts.scheme in ("http", "https")
            and parts.hostname
            and text.isascii()
            and text.isprintable()
            and " " not in text
            and (parts.port or 1) > 0
        )
    except ValueError:
        return False


@dataclass(frozen=True)
class SiteAddress:
    """The address of the site's folder, with a trailing slash; empty if unknown.

    `contact` is the address that readers may write to, as the target of a link; empty if there is none.
    """

    text: str = ""
    contact: str = ""

    @classmethod
    def read(cls, text: str) -> SiteAddress:
        """Parse an address given by a user. Raises AddressError."""
        if not _is_on_web(text) or set("?#") & set(text):
            raise AddressError(f"found {text!r}, expected an address such as https://example.org/rules/")
        return cls(text.rstrip("/") + "/")

    def with_contact(self, text: str) -> SiteAddress:
        """Add the mail or web address, given by a user, that readers may write to. Raises AddressError."""
        if not (_MAIL.fullmatch(text) or _is_on_web(text)):
            raise AddressError(f"found {text!r}, expected an address such as rules@example.org or https://example.org/")
        return replace(self, contact=f"mailto:{text}" if _MAIL.fullmatch(text) else text)

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
    """A link to a page of the site."""

    text: str
    href: str


@dataclass(frozen=True)
class PageKind:
    """A kind of page in the manifest (pages.yaml). `names` in its texts are filled in."""

    path: str
    section: str
    template: str
    title: str = ""
    about: str = ""
    scripts: tuple[str, ...] = ()
    abroad: str = ""
    languages: bool = False
    games: bool = False

    def address(self, names: Sequence[str], tag: str) -> str:
        """Return where the page stands, in the folder of its language."""
        own = self.path if tag == "en" or not self.languages else f"{tag}/{self.abroad or self.path}"
        return own.format(*names)


@cache
def manifest() -> Mapping[str, PageKind]:
    """Return the kinds of pages by name."""
    content: Mapping[str, Any] = data.load_yaml(Path(__file__).parent / "pages.yaml")
    return {
        kind: PageKind(**{"template": kind, **row, "scripts": tuple(row.get("scripts", ()))})
        for kind, row in content.items()
    }


def at(kind: str, *names: str, part: str = "", language: str = "en") -> str:
    """Return the address of a page, or of a part of it. A variant is a part of the page of its game."""
    row = manifest()[kind]
    if row.games:
        game = leaflet_game(names[0])
        part, names = part if game == names[0] else names[0], (game,)
    return row.address(names, language.partition("-")[0]) + (f"#{part}" if part else "")


def ruleset(id: str, part: str = "") -> str:
    """Return the page of a ruleset, or a rule or group on it."""
    return at("ruleset", id, part=part)


def sheet(language: str, id: str) -> str:
    """Return the rulebook of a game in a language; in English it is on the page of the ruleset."""
    return at("sheet", id, language=language)


def clause(given: Clause) -> str:
    """Return the place of a clause on the page of its document."""
    return at("document", given.document, part=given.id)


def case(id: str) -> str:
    """Return the place of a case on the page of its ruleset."""
    return at("cases_of", leaflet_game(id.partition(".")[0]), part=id)


def play(ruleset: str, position: str = "", on: str = "", moves: Sequence[str] = (), language: str = "en") -> str:
    """Return the board to play a game on, from its start or a position; `on` is another game, whose board is used.

    `moves` can be played through from the position.
    """
    further = f"&moves={','.join(moves)}" if moves else ""
    part = ruleset + (f"@{on}" if on else "") + (f"/{position}" if position else "") + further
    return at("play", part=part, language=language)


def section(id: str) -> str:
    """Return the id of a rulebook section on the sheet of a game."""
    return f"sheet-{id}"


def suite(id: str) -> str:
    """Return the perft suite of a ruleset, to download."""
    return f"perft/{id}.epd"


def download(id: str, suffix: str) -> str:
    """Return a file of a game for programs: `yaml` and `json` are its rules, `cases.json` its cases."""
    return f"implement/{id}.{suffix}"


def engine(name: str, ruleset: str = "") -> str:
    """Return the place of an engine on the page of all, or that of a ruleset it plays."""
    return at("engines", part=name + (f"-{slug(ruleset)}" if ruleset else ""))


def badge(name: str, ruleset: str, suffix: str) -> str:
    """Return the badge of an engine on a ruleset, as a picture or as data."""
    return f"engines/badges/{name}.{slug(ruleset)}.{suffix}"


def comparison(one: str, other: str, rule: str = "") -> str:
    """Return the comparison of two rulesets, or a rule in it."""
    return at("compare", part=",".join(filter(None, (one, other, rule))))


#: The style that hides columns of the table of all rules, and the table to download.
COLUMNS, TABLE = "assets/matrix.css", "matrix.csv"


def browser(**wanted: str) -> str:
    """Return the case browser with filters set: `ruleset`, `topic`, `clause`, `text`."""
    given = "&".join(f"{key}={quote(value)}" for key, value in wanted.items() if value)
    return at("cases", part=given)


def place(given: Clause) -> str:
    """Describe the place of a clause in its document."""
    return f"article {given.article}" if given.article else article_of(given)


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
#: All tags but those of squares.
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
        title = _OTHER_TAG.sub("", _BESIDE.sub("", match["words"]))
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
    """A page. `language` is that of its content, `names` what is filled into the texts of its row.

    `alternates` is the address of the same page in each language, by tag, if there are others.

    `notation` is the default one of squares.
    """

    kind: str
    path: str
    names: tuple[str, ...] = ()
    given: Mapping[str, Any] = field(default_factory=dict)
    language: str = "en"
    alternates: Mapping[str, str] = field(default_factory=dict)
    notation: WrittenAs = "numbers"

    @property
    def row(self) -> PageKind:
        """What all pages of its kind have in common."""
        return manifest()[self.kind]

    @property
    def on_shelf(self) -> bool:
        """Whether the page is one for programmers and historians, in English alone."""
        return self.row.section in SHELVED

    @property
    def title(self) -> str:
        """The page's title."""
        return self._text(self.row.title)

    @property
    def about(self) -> str:
        """What the page is about, in a sentence."""
        return self._text(self.row.about)

    def _text(self, text: str) -> str:
        said = text if "{" in text or not self.row.languages else language_of(self.language).text(text)
        return said.format(*self.names)

    @property
    def root(self) -> str:
        """The relative path to the root of the site."""
        return "../" * self.path.count("/")


def page(kind: str, *ids: str, language: str = "en", **rest: Any) -> Page:
    """Return a page by its row: `ids` are those in its address, `rest` further attributes of the page."""
    tags = [each.tag for each in languages() if manifest()[kind].languages]
    alternates = {tag: at(kind, *ids, language=tag) for tag in tags}
    return Page(kind, at(kind, *ids, language=language), language=language, alternates=alternates, **rest)


def pages_in_languages(kind: str, **given: Any) -> Iterator[Page]:
    """Yield a page in each language."""
    return (page(kind, language=each.tag, given=given) for each in languages())


@dataclass(frozen=True)
class File:
    """Any other file of the site."""

    path: str
    content: bytes


#: The sections of the site, each with its first page.
SECTIONS: Mapping[str, str] = {
    **{kind: kind for kind in ("rulesets", "play", "identify", "rules", "compare", "workshop", "cases", "readings")},
    "rulesets": "front",
    "glossary": "glossary",
    "documents": "documents",
    "implement": "programmers",
}


#: The sections in the header, which players meet in all languages, as they do rules of their own, the search and what
#: is around it; and those that are for programmers and historians, in English alone.
DOORS = ("rulesets", "play", "identify", "compare")
SHELVED = frozenset({"rules", "cases", "readings", "glossary", "documents", "implement"})
#: What stands on the shelf for programmers and historians.
SHELF: Mapping[str, str] = {
    "Rules and positions to download": at("programmers"),
    "Test an engine": at("prose", "testing"),
    "Published engines": at("engines"),
    "The documents and their years": at("documents"),
    "What they leave open": at("readings"),
    "All games and families": at("rulesets"),
    "All rules": at("rules"),
    "A table of both": at("matrix"),
    "Positions": at("cases"),
    "Glossary": at("glossary"),
    "Changes": at("changes"),
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
