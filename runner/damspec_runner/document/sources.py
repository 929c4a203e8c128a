"""The documents that rules rest on, and how they are cited: title, publisher, year and address (spec/sources/)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from damspec import Clause, DamspecError, data, load_clauses
from damspec.data import FrozenDict, freeze

#: An address as the files have it: without a scheme, at the beginning of a text or of a part of it.
_ADDRESS = re.compile(r"(?:^|(?<=; ))(?:[a-z0-9-]+\.)+[a-z]{2,}(?:/[^\s;,]*)?(?=$|[\s;,])")


@dataclass(frozen=True)
class Document:
    """A source: what it is, who published it and when, which copies were seen, and its clauses in order.

    `dated` says what the year refers to. Unknown values are None.
    """

    id: str
    title: str
    language: str
    about: str
    publisher: str | None
    year: int | None
    dated: str
    item: str | None
    seen: tuple[Mapping[str, str], ...]
    damage: tuple[str, ...]
    open: tuple[str, ...]
    clauses: tuple[Clause, ...]

    @property
    def addresses(self) -> tuple[str, ...]:
        """Where it was seen, each place once; none if no address is recorded."""
        return tuple(dict.fromkeys(seen["at"] for seen in self.seen if "at" in seen))

    @property
    def url(self) -> str | None:
        """The first web address where it was seen."""
        found = (match for address in self.addresses for match in _ADDRESS.findall(address))
        return next((f"http://{address}" for address in found), None)

    @property
    def reference(self) -> str:
        """The document as a list of references has it, in one line.

        >>> load_documents()["lb"].reference.partition("/")[0]
        'Help page of a web checkers game. player22.com. No year (the page bears no year). player22.com'
        """
        year = f"{self.year or 'No year'} ({self.dated[0].lower()}{self.dated[1:].rstrip('.')})"
        addresses = "; ".join(self.addresses) or "No address is recorded"
        named = [_capitalize(text) for text in (self.publisher, self.item) if text]
        return ". ".join([self.title, *(named or ["Publisher not known"]), year, addresses]) + "."


def _capitalize(text: str) -> str:
    """Return a text with its first letter large, unless it is that of an address."""
    return text if "." in text.split()[0] else f"{text[0].upper()}{text[1:]}"


@cache
def load_documents() -> Mapping[str, Document]:
    """Load every document, by id."""
    clauses = load_clauses()
    found = {}
    for path in sorted((data.root() / "spec" / "sources").glob("*.yaml")):
        content = data.load_yaml(path)
        own = tuple(clauses[entry["id"]] for entry in content["clauses"])
        found[content["id"]] = Document(**{key: freeze(value) for key, value in content.items()} | {"clauses": own})
    return FrozenDict(found)


#: What stands before the id of a document that something else is called as well.
PREFIX = "document:"


def named_document(name: str) -> Document | None:
    """Return the document of a name such as `document:vl`, None for another name. Raises DamspecError."""
    id = name.removeprefix(PREFIX)
    if id == name:
        return None
    if id not in load_documents():
        raise DamspecError(f"no document {id!r}{data.nearest(id, list(load_documents()))}")
    return load_documents()[id]


@dataclass(frozen=True)
class Citation:
    """A clause with its document. The year is that of which `dated` speaks; what was not seen is null."""

    clause: str
    document: str
    title: str
    publisher: str | None
    year: int | None
    dated: str
    article: str | None
    addresses: tuple[str, ...]


def citations(clauses: Iterable[Clause]) -> tuple[Citation, ...]:
    """Return clauses with their documents, each once."""
    return tuple(_citation(clause, load_documents()[clause.document]) for clause in dict.fromkeys(clauses))


def _citation(clause: Clause, of: Document) -> Citation:
    article = article_of(clause) or None
    return Citation(clause.id, of.id, of.title, of.publisher, of.year, of.dated, article, of.addresses)


def place(clause: Clause) -> str:
    """Return the document of a clause and the place in it."""
    article = article_of(clause)
    return f"{clause.document}, {article}" if article else clause.document


def article_of(clause: Clause) -> str:
    """Return the place of a clause in its document: an article, or a line and sentence; empty if it was not seen."""
    if clause.line:
        return f"line {clause.line}, sentence {clause.sentence}"
    return clause.article or ""


def split_addresses(text: str) -> list[tuple[str, str | None]]:
    """Split a text into pieces, each with the URL if it is a web address.

    >>> split_addresses("hrejsi.cz/dama, rules.md")
    [('hrejsi.cz/dama', 'http://hrejsi.cz/dama'), (', rules.md', None)]
    """
    found: list[tuple[str, str | None]] = []
    end = 0
    for match in _ADDRESS.finditer(text):
        if match.start() > end:
            found.append((text[end : match.start()], None))
        found.append((match.group(), f"http://{match.group()}"))
        end = match.end()
    return [*found, (text[end:], None)] if end < len(text) else found
