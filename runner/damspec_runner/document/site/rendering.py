"""From pages to HTML: the templates, and what they need to write links and the project's prose."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from damspec.board import Board
from damspec.vocabulary import vocabulary

from ..compared import nearest
from ..rulebook import languages
from . import links, marks
from .address import SiteAddress
from .library import Library
from .pages import LOST, SECTIONS, File, Page
from .sides import Once
from .social import Previews
from .stops import marked

_HERE = Path(__file__).parent
#: The parts of the style sheet in their order.
_STYLES = (
    "page",
    "frame",
    "boards",
    "sides",
    "sheets",
    "front",
    "documents",
    "cases",
    "tables",
    "comparing",
    "implement",
    "identify",
    "collected",
    "search",
    "notation",
    "play",
    "workshop",
    "print",
)
_CODE = re.compile(r"`([^`]+)`")
_WORD = re.compile(r"[A-Za-z]+(?:[-.][A-Za-z0-9]+)+")


class Renderer:
    """The templates, with what they can say about every thing of the library."""

    def __init__(self, library: Library, address: SiteAddress) -> None:
        self._address = address
        self._targets = _targets(library)
        self._environment = Environment(
            loader=FileSystemLoader(_HERE / "templates"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.globals |= {
            "address": address,
            "lost": LOST,
            "previews": Previews(library),
            "sections": SECTIONS,
            "tongues": {language.tag: language for language in languages()},
            "links": links,
            "language": {document.id: document.language for document in library.documents.values()},
            "spoken": library.languages,
            "nearest": nearest(),
            "title_of": {name: rule.title for name, rule in vocabulary().items()},
            "name_of": {id: ruleset.name for id, ruleset in library.rulesets.items()},
        }
        self._environment.filters |= {
            "prose": self._prose,
            "code": _code,
            "marked": marked,
            "squares": _squares,
            "bracketed": _bracketed,
        }

    def html(self, page: Page) -> str:
        """A page as HTML. That for what is not there is shown anywhere, so its links begin at the top of the host."""
        root = self._address.path if page.path == LOST else page.root
        return self._environment.get_template(page.template).render(page=page, root=root, once=Once(), **page.given)

    @pass_context
    def _prose(self, context: Context, text: str, board: Board | None = None) -> Markup:
        """Text of the project as HTML: words in backticks as code, ids as links, and on a board squares as marks."""
        root = context["root"]

        def linked(found: re.Match[str]) -> str:
            target = self._targets.get(found[0])
            return f'<a href="{root}{escape(target)}">{found[0]}</a>' if target else found[0]

        return _on_board(context, text, board, lambda part: _WORD.sub(linked, code(part)))


def _targets(library: Library) -> Mapping[str, str]:
    """The links for words in prose: ids of clauses, readings, cases and rules."""
    return {
        **{id: links.clause(clause) for id, clause in library.clauses.items()},
        **{id: links.reading(id) for id in library.readings},
        **{id: links.case(id) for id in library.cases},
        **{name: links.rule(name) for name in vocabulary()},
    }


def _outside_code(html: str) -> str:
    return _CODE.sub(r"<code>\1</code>", html)


def code(text: str) -> Markup:
    """Text of the project as HTML, with words in backticks as code."""
    return Markup(_outside_code(str(escape(text))))


@pass_context
def _code(context: Context, text: str, board: Board | None = None) -> Markup:
    return _on_board(context, text, board, code)


@pass_context
def _squares(context: Context, text: str, board: Board) -> Markup:
    return marks.marked(text, board, context["page"].notation)


@pass_context
def _bracketed(context: Context, text: str, board: Board) -> Markup:
    return marks.bracketed(text, board, context["page"].notation)


def _on_board(context: Context, text: str, board: Board | None, between: Callable[[str], str]) -> Markup:
    return marks.marked(text, board, context["page"].notation, between) if board else Markup(between(text))


def assets() -> Iterator[File]:
    """The style sheet, the scripts, those of others with their licences too, and the icon."""
    styles = "\n".join((_HERE / "styles" / f"{name}.css").read_text(encoding="utf-8") for name in _STYLES)
    yield File("assets/style.css", styles.encode())
    for path in sorted([*(_HERE / "assets").iterdir(), *(_HERE / "vendor").glob("*/*")]):
        yield File(f"assets/{path.name}", path.read_bytes())
