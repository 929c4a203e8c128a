"""A page as the subjects hand it over: where it goes, how it is laid out, and what stands on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .links import Link


@dataclass(frozen=True)
class Page:
    """One page. `section` is the entry of the navigation it belongs to, `above` the pages it lies below.

    Where it lies below others, `name` is what it is called there. `language` is that of what it says, and
    `alternates` are the pages that say the same, each with the tag of its language.
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

    @property
    def root(self) -> str:
        """The way from the page to the top of the site."""
        return "../" * self.path.count("/")


#: The navigation: each section with its name and its first page.
SECTIONS: Mapping[str, Link] = {
    "rulesets": Link("Rulesets", "rulesets/index.html"),
    "rules": Link("Rules", "rules/index.html"),
    "matrix": Link("Matrix", "matrix.html"),
    "compare": Link("Compare", "compare/index.html"),
    "cases": Link("Cases", "cases/index.html"),
    "documents": Link("Documents", "documents/index.html"),
    "readings": Link("Readings", "readings/index.html"),
    "glossary": Link("Glossary", "glossary.html"),
    "engines": Link("Engines", "engines/index.html"),
    "implement": Link("For programmers", "implement/index.html"),
}
