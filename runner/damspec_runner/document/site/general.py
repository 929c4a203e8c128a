"""The pages made from the Markdown of docs/."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from . import links
from .library import page_text
from .pages import LOST, SECTIONS, Page

#: The pages of docs/ by their names, with title and what each is about.
PROSE: Mapping[str, tuple[str, str]] = {
    "protocol": ("The engine protocol", "How an engine is asked for moves, positions and outcomes."),
    "engines": ("Checking other engines", "How an engine of any kind is checked."),
    "lines": ("Engines in plain lines", "How an engine without JSON is asked, a line of text at a time."),
    "hub": ("Engines that play", "How engines are checked that list no moves, by Hub and by DXP."),
    "testing": ("Testing an engine", "An hour's guide to testing your own engine, in any language."),
    "ci": ("Checking an engine in CI", "How a run is reported in CI, and what fails the job."),
    "games": ("Games beyond the cases", "How an engine is held against the reference in random games."),
    "library": ("The library", "How positions, moves and games are handled in Python."),
    "pdn": ("Games in PDN", "How games that were written down are read, checked and written."),
    "own": ("Rules of your own", "How a ruleset of your own is written and checked."),
    "identify": (
        "Finding out which game it is",
        "How people are asked for the rules they play by, and answers are kept.",
    ),
    "generate": ("Generating positions", "How positions that show a rule, or a difference, are found and written."),
    "publish": ("Publishing the site", "How these pages are put on the web, on any host."),
    "scale": ("Heavy work", "How work for hours is spread over cores and machines, and what it costs."),
    "perft": ("Published perft counts", "The counts that others have published, and what does not agree."),
    "adequacy": ("What the cases can tell apart", "How many changes of rules the cases notice."),
}


def lost() -> Page:
    """The page for what is not there."""
    return Page(LOST, "lost.html", "Nothing here", "There is no page at this address.", "")


def prose(name: str) -> Page:
    """A page of docs/."""
    title, about = PROSE[name]
    text = rendered(page_text(name), name)
    return Page(f"{name}.html", "prose.html", title, about, "implement", (SECTIONS["implement"],), given={"text": text})


def rendered(text: str, page: str) -> Markup:
    """Markdown as HTML that fits the site: headings can be linked to, wide things scroll, links stay inside.

    A link to another page of docs/ becomes one to its page here; one to a file that is not on the site just its text.
    """
    parser = MarkdownIt("commonmark").enable("table")
    tokens = parser.parse(text)
    heading = page.capitalize()
    found: list[Token] = []
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            heading = tokens[place + 1].content
            token.attrSet("id", links.slug(heading))
        if token.type == "inline":
            token.children = _internal(token.children or [])
        if token.type == "table_open":
            found.append(_raw(f'<div class="scroll" role="region" tabindex="0" aria-label="{Markup.escape(heading)}">'))
        found.append(token)
        if token.type == "table_close":
            found.append(_raw("</div>"))
    html = parser.renderer.render(found, parser.options, {})
    return Markup(html.replace("<pre>", '<pre tabindex="0">').replace("<th>", '<th scope="col">'))


def _raw(html: str) -> Token:
    return Token("html_block", "", 0, content=f"{html}\n")


def _internal(children: Sequence[Token]) -> list[Token]:
    """Inline text without the links that lead to files which are not on the site."""
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
