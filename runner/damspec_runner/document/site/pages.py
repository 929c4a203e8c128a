"""Pages and files as the subjects hand them over: where a page goes, how it is laid out, and what stands on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..rulebook import languages
from .links import Link
from .marks import WrittenAs


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
