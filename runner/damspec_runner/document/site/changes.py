"""What changed in the rules, and when: a page for readers, and a feed (Atom, RFC 4287) for their programs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache
from itertools import groupby
from uuid import NAMESPACE_URL, uuid5
from xml.etree import ElementTree

from markupsafe import Markup

from damspec import FileError, data
from damspec.vocabulary import vocabulary

from . import links
from .address import SiteAddress
from .library import Library
from .links import Link
from .pages import SECTIONS, File, Page
from .rendering import code

_ATOM = "http://www.w3.org/2005/Atom"
_TITLE, _ABOUT = "Changes of the rules", "What changed in rules, games, documents and how they are read."
PAGE, FEED = "changes.html", "changes.xml"


@dataclass(frozen=True)
class ChangeOfRules:
    """A change as readers are told of it, with the ids of what it is about."""

    id: str
    day: date
    title: str
    says: str
    about: tuple[str, ...]

    @property
    def spoken(self) -> str:
        """The day in words."""
        return f"{self.day.day} {self.day:%B %Y}"


@cache
def changes() -> tuple[ChangeOfRules, ...]:
    """All changes, the newest first (spec/changes.yaml). Raises FileError for a malformed file."""
    path = data.root() / "spec" / "changes.yaml"
    content = data.load_yaml(path)
    data.check(content, "changes", data.shown(path))
    return tuple(
        ChangeOfRules(
            each["id"], _day(each, data.shown(path)), each["title"], each["says"], tuple(each.get("about", ()))
        )
        for each in content["changes"]
    )


def _day(change: dict[str, str], where: str) -> date:
    try:
        return date.fromisoformat(change["date"])
    except ValueError:
        raise FileError(f"{where}: {change['id']}: found {change['date']!r}, expected a day of the calendar") from None


def pages(library: Library, address: SiteAddress) -> Iterator[Page | File]:
    """The page and the feed."""
    told = [(change, [_link(library, id) for id in change.about]) for change in changes()]
    days = [(day, [*group]) for day, group in groupby(told, key=lambda each: each[0].spoken)]
    yield Page(PAGE, "changes.html", _TITLE, _ABOUT, "rules", (SECTIONS["rules"],), given={"days": days, "feed": FEED})
    yield File(FEED, feed(told, address))


def _link(library: Library, id: str) -> Link:
    """The page of what an id names. Raises FileError for an id that nothing has."""
    if id in library.rulesets:
        return Link(library.rulesets[id].name, links.ruleset(id))
    if id in vocabulary():
        return Link(vocabulary()[id].title, links.rule(id))
    if id in library.readings:
        return Link(id, links.reading(id))
    if id in library.clauses:
        return Link(id, links.clause(library.clauses[id]))
    if id in library.cases:
        return Link(id, links.case(id))
    raise FileError(f"spec/changes.yaml: found {id!r}, expected a ruleset, a rule, a reading, a clause or a case")


def feed(told: list[tuple[ChangeOfRules, list[Link]]], address: SiteAddress) -> bytes:
    """The feed of changes with what each is about. Its links are relative if nobody knows where the site will be."""
    ElementTree.register_namespace("", _ATOM)
    top = ElementTree.Element(f"{{{_ATOM}}}feed", {"{http://www.w3.org/XML/1998/namespace}lang": "en"})
    _add(top, "id", _urn(""))
    _add(top, "title", f"damspec: {_TITLE}")
    _add(top, "subtitle", _ABOUT)
    _add(top, "updated", _moment(told[0][0]))
    _add(_add(top, "author"), "name", "damspec")
    _add(top, "link", rel="alternate", type="text/html", href=address.of(PAGE))
    if address:
        _add(top, "link", rel="self", type="application/atom+xml", href=address.of(FEED))
    for change, about in told:
        entry = _add(top, "entry")
        _add(entry, "id", _urn(change.id))
        _add(entry, "title", change.title)
        _add(entry, "updated", _moment(change))
        _add(entry, "link", rel="alternate", type="text/html", href=f"{address.of(PAGE)}#{change.id}")
        _add(entry, "content", _content(change, about, address), type="html")
    ElementTree.indent(top)
    return f"<?xml version='1.0' encoding='utf-8'?>\n{ElementTree.tostring(top, encoding='unicode')}\n".encode()


def _add(above: ElementTree.Element, tag: str, text: str | None = None, /, **attributes: str) -> ElementTree.Element:
    element = ElementTree.SubElement(above, f"{{{_ATOM}}}{tag}", attributes)
    element.text = text
    return element


def _content(change: ChangeOfRules, about: list[Link], address: SiteAddress) -> str:
    listed = Markup(", ").join(
        Markup('<a href="{}">{}</a>').format(address.text + link.href, link.text) for link in about
    )
    return Markup("<p>{}</p>").format(code(change.says)) + (Markup("<p>{}</p>").format(listed) if about else "")


def _urn(id: str) -> str:
    """A name for ever, the same wherever the site is."""
    return uuid5(NAMESPACE_URL, f"damspec:changes:{id}").urn


def _moment(change: ChangeOfRules) -> str:
    return f"{change.day.isoformat()}T00:00:00Z"
