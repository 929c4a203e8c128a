"""Rendering of pages from templates and from the project's Markdown."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup, escape

from damspec.board import Board
from damspec.move import is_move_text
from damspec.version import __version__
from damspec.vocabulary import vocabulary, word_value
from damspec_runner.cases.notation import in_both_notations
from damspec_runner.document.compare import variants
from damspec_runner.document.rulebook import languages

from . import pages
from .diagrams import Picture, draw, shown_columns, symbols
from .library import SiteData, page_text
from .pages import DOORS, SECTIONS, SHELF, File, Page, SiteAddress, at, manifest, mark_headings, page
from .words import LanguageTexts, words_of

_HERE = Path(__file__).parent
#: The parts of the style sheet, in order.
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
    "search",
    "notation",
    "play",
    "workshop",
    "print",
)
_CODE = re.compile(r"`([^`]+)`")
_WORD = re.compile(r"[A-Za-z]+(?:[-.][A-Za-z0-9]+)+")


class Renderer:
    """The templates, with filters and globals for the site's data."""

    def __init__(self, library: SiteData, address: SiteAddress) -> None:
        self._address = address
        self._targets = _targets(library)
        self._prose_cache: dict[tuple[str, str], str] = {}
        self._languages = {language.tag: language for language in languages()}
        self._said = {tag: LanguageTexts(tag, words_of(library, each)) for tag, each in self._languages.items()}
        self._environment = Environment(
            loader=FileSystemLoader(_HERE / "templates"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
            cache_size=-1,
        )
        self._environment.globals |= {
            "address": address,
            "sections": SECTIONS,
            "manifest": manifest(),
            "doors": DOORS,
            "shelf": SHELF,
            "topic_title": library.game_facts["topics"],
            "version": __version__,
            "tongues": self._languages,
            "links": pages,
            "library": library,
            "word_value": word_value,
            "language": {document.id: document.language for document in library.documents.values()},
            "variants": variants(),
            "title_of": {name: rule.title for name, rule in vocabulary().items()},
            "name_of": {id: ruleset.name for id, ruleset in library.rulesets.items()},
        }
        self._environment.filters |= {
            "prose": self._prose,
            "code": _code,
            "marked": mark_headings,
            "squares": _squares,
            "action": _action,
            "bracketed": _link_brackets,
            "paper": _paper,
            "wood": _wood,
            "symbols": symbols,
            "columns": shown_columns,
        }

    def compile_templates(self) -> None:
        """Compile all templates, which otherwise are compiled when they are first used."""
        for name in self._environment.list_templates():
            self._environment.get_template(name)

    def html(self, page: Page) -> str:
        """Render a page. The page for missing addresses is shown anywhere, so its links start at the host's root."""
        root = self._address.path if page.path == at("lost") else page.root
        tag = page.language.partition("-")[0]
        said, here = self._said[tag], self._languages[tag]
        given = {
            "to": partial(at, language=tag),
            "here": here,
            "say": said.say,
            "counted": said.counted,
            "label": said.label,
            **page.given,
        }
        return self._environment.get_template(f"{page.row.template}.html").render(given, page=page, root=root)

    def sitemap(self, alternates: Mapping[str, Mapping[str, str]]) -> str:
        """Render the map of pages for search engines: by address those in other languages, by tag."""
        return self._environment.get_template("sitemap.xml").render(alternates=alternates)

    @pass_context
    def _prose(self, context: Context, text: str, board: Board | None = None) -> Markup:
        """Render prose: words in backticks as code, ids as links, and with a board squares as marks."""
        return _on_board(context, text, board, partial(self._linked, context["root"]))

    def _linked(self, root: str, text: str) -> str:
        if (root, text) not in self._prose_cache:

            def link(found: re.Match[str]) -> str:
                target = self._targets.get(found[0])
                return f'<a href="{root}{escape(target)}">{found[0]}</a>' if target else found[0]

            self._prose_cache[root, text] = _WORD.sub(link, code(text))
        return self._prose_cache[root, text]


def _targets(library: SiteData) -> Mapping[str, str]:
    """Return the link targets of ids in prose: clauses, readings, cases and rules."""
    return {
        **{id: pages.clause(clause) for id, clause in library.clauses.items()},
        **{id: pages.at("reading", id) for id in library.readings},
        **{id: pages.case(id) for id in library.cases},
        **{name: pages.at("rule", name) for name in vocabulary()},
    }


def code(text: str) -> Markup:
    """Render text with words in backticks as code."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))


@pass_context
def _code(context: Context, text: str, board: Board | None = None) -> Markup:
    return _on_board(context, text, board, code)


@pass_context
def _squares(context: Context, text: str, board: Board) -> Markup:
    return pages.mark_squares(text, board, context["page"].notation)


@pass_context
def _action(context: Context, text: str, board: Board) -> str:
    """Write an action in the notation of the page, without marks."""
    if context["page"].notation == "numbers" or not is_move_text(text):
        return text
    return in_both_notations(text, board).letters


@pass_context
def _link_brackets(context: Context, text: str, board: Board) -> Markup:
    return pages.mark_bracketed_squares(text, board, context["page"].notation)


@pass_context
def _paper(context: Context, picture: Picture, *, whole: bool = False) -> Markup:
    return draw(picture, "paper", context["page"].notation, whole=whole)


@pass_context
def _wood(context: Context, picture: Picture, *, plain: bool = False) -> Markup:
    return draw(picture, "wood", context["page"].notation, plain=plain)


def _on_board(context: Context, text: str, board: Board | None, between: Callable[[str], str]) -> Markup:
    return pages.mark_squares(text, board, context["page"].notation, between) if board else Markup(between(text))


def assets() -> Iterator[File]:
    """Yield the style sheet, the scripts, third-party scripts with their licences, and the icon."""
    styles = "\n".join((_HERE / "styles" / f"{name}.css").read_text(encoding="utf-8") for name in _STYLES)
    yield File("assets/style.css", styles.encode())
    for path in sorted([*(_HERE / "assets").iterdir(), *(_HERE / "vendor").glob("*/*")]):
        known = f"damspec.variants = {json.dumps(variants())};\n" if path.name == "base.js" else ""
        yield File(f"assets/{path.name}", path.read_bytes() + known.encode())


#: The pages of docs/ by name, with title and description.
PROSE: Mapping[str, tuple[str, str]] = {
    "protocol": ("The engine protocol", "How an engine is asked for moves, positions and outcomes."),
    "engines": ("Checking other engines", "How an engine of any kind is checked."),
    "lines": ("Engines in plain lines", "How an engine without JSON is asked, a line of text at a time."),
    "bridge": ("Engines with a protocol of their own", "How an engine is described that has its own protocol."),
    "hub": ("Engines that play", "How engines are checked that list no moves, by Hub and by DXP."),
    "testing": ("Testing an engine", "An hour's guide to testing your own engine, in any language."),
    "bundle": ("The cases as one JSON file", "How a test suite in any language reads the cases."),
    "ci": ("Checking an engine in CI", "How a run is reported in CI, and what fails the job."),
    "games": ("Games beyond the cases", "How an engine is compared with the reference in random games."),
    "library": ("The library", "How positions, moves and games are handled in Python."),
    "programs": ("Small programs", "Whole programs of at most thirty lines that use the library."),
    "pdn": ("Games in PDN", "How recorded games are read, checked and written."),
    "book": ("A book of openings", "How games become a book, and what was played in a position."),
    "own": ("Rules of your own", "How a ruleset of your own is written and checked."),
    "identify": (
        "Finding out which game it is",
        "How people are asked for the rules they play by, and answers are saved.",
    ),
    "generate": ("Generating positions", "How positions that show a rule, or a difference, are found and written."),
    "solve": ("Endgames solved", "Who wins each position with few pieces, by any rules, and the files that say so."),
    "endgames": (
        "Who wins the endgames",
        "Who wins with few pieces by the rules of each game, and what other rules and readings make of it.",
    ),
    "huffing": (
        "Where huffing comes from",
        "What the documents say of huffing, by their years, and when it was given up.",
    ),
    "elsewhere": ("Games elsewhere", "Which games of other collections are here, and which are not, and why."),
    "publish": ("Publishing the site", "How these pages are put on the web, on any host."),
    "scale": ("Heavy work", "How work for hours is distributed over cores and machines, and what it costs."),
    "perft": ("Published perft counts", "The counts that others have published, and what does not agree."),
    "adequacy": ("What the cases can detect", "How many changes of rules the cases notice."),
}


def prose_page(name: str) -> Page:
    """Return a page of docs/."""
    return page("prose", name, names=PROSE[name], given={"text": render_markdown(page_text(name), name)})


def render_markdown(text: str, page: str) -> Markup:
    """Render Markdown for the site: headings get ids, tables scroll, links stay inside.

    Links to other pages of docs/ lead to their pages here; links to files that are not on the site become plain text.
    """
    parser = MarkdownIt("commonmark").enable("table")
    tokens = parser.parse(text)
    heading = page.capitalize()
    found: list[Token] = []
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            heading = tokens[place + 1].content
            token.attrSet("id", pages.slug(heading))
        if token.type == "inline":
            token.children = _drop_external_links(token.children or [])
        if token.type == "th_open":
            token.attrSet("scope", "col")
        if token.attrs.pop("style", "") == "text-align:right":
            token.attrSet("class", "number")
        if token.type == "table_open":
            found.append(_raw(f'<div class="scroll" role="region" tabindex="0" aria-label="{Markup.escape(heading)}">'))
        found.append(token)
        if token.type == "table_close":
            found.append(_raw("</div>"))
    html = parser.renderer.render(found, parser.options, {})
    return Markup(html.replace("<pre>", '<pre tabindex="0">'))


def _raw(html: str) -> Token:
    return Token("html_block", "", 0, content=f"{html}\n")


def _drop_external_links(children: Sequence[Token]) -> list[Token]:
    """Return inline tokens without links to files that are not on the site."""
    kept: list[Token] = []
    dropped = False
    for token in children:
        if token.type == "link_open":
            target = str(token.attrGet("href"))
            page = re.fullmatch(r"(?:docs/)?([a-z]+)\.md(#.*)?", target)
            if page:
                token.attrSet("href", f"{page[1]}.html{page[2] or ''}")
            dropped = not page and not target.startswith(("https:", "#"))
        if not (dropped and token.type in ("link_open", "link_close")):
            kept.append(token)
        if token.type == "link_close":
            dropped = False
    return kept
