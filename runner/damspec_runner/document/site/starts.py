"""Where a reader begins: the first page of the site, and one in each other language, with the games by their names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from damspec.version import __version__
from damspec.vocabulary import vocabulary

from ..family import families, root
from ..rulebook import Language, languages
from . import links
from .comparisons import Comparisons
from .library import Library
from .links import Link
from .pages import Page


@dataclass(frozen=True)
class NamedFamily:
    """A family of games in a language: the first by its name, and those that change it."""

    head: Link
    members: tuple[Link, ...]


def pages(library: Library, comparisons: Comparisons) -> Iterator[Page]:
    """The first page, and the one of each other language."""
    for language in languages():
        first = language.tag == "en"
        yield Page(
            links.start(language.tag),
            "index.html" if first else "start.html",
            language.around("title"),
            language.around("about"),
            "" if first else "rulesets",
            given={
                "families": _named(library, language),
                "alone": _alone(library, language),
                "tongue": language,
                **(_first(library, comparisons) if first else {}),
            },
            name=language.name,
            language=language.tag,
            alternates=tuple((other.tag, links.start(other.tag)) for other in languages()),
        )


def _named(library: Library, language: Language) -> list[NamedFamily]:
    """The families, the larger ones first."""
    trees = sorted(families().values(), key=lambda tree: -sum(1 for _ in tree.all()))
    found = [[_link(library, language, member.ruleset.id) for member in tree.all()] for tree in trees]
    return [NamedFamily(head, tuple(members)) for head, *members in found]


def _alone(library: Library, language: Language) -> list[Link]:
    """The games without a family, in the order of their names."""
    alone = [id for id in library.rulesets if root(id) == id and id not in families()]
    return sorted((_link(library, language, id) for id in alone), key=lambda link: link.text)


def _link(library: Library, language: Language, id: str) -> Link:
    return Link(library.called(id, language.tag), links.sheet(language.tag, id))


def _first(library: Library, comparisons: Comparisons) -> dict[str, object]:
    one, other = library.example["rulesets"]
    rule = library.example["rule"]
    differing = comparisons.pairs.get((one, other), [])
    return {
        "example": next((each for each in differing if each.rule.name == rule and each.disagreement), None),
        "numbers": {
            "games": len(library.rulesets),
            "rules": len(vocabulary()),
            "documents": len(library.documents),
            "clauses": len(library.clauses),
            "unclear points": len(library.readings),
            "positions": len(library.cases),
        },
        "version": __version__,
    }
