"""The addresses of the pages, from the top of the site, and links to them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from urllib.parse import quote

from damspec import Clause


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
