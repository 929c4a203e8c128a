"""The documents of a page as entries for BibTeX and BibLaTeX."""

from __future__ import annotations

from collections.abc import Iterator

from damspec import DamspecError

from ..sources import Document
from ..view import Paper
from .latex import escape_special


class NoDocumentError(DamspecError):
    """A page that cites no document has no bibliography."""


def as_bibtex(paper: Paper) -> str:
    """Return an entry for each document that a page is about, or else that it cites. Raises NoDocumentError."""
    documents = paper.about or paper.documents
    if not documents:
        raise NoDocumentError(f"{paper.title}: cites no document, expected one for BibTeX")
    return "\n".join(map(entry, documents))


def entry(document: Document) -> str:
    """Return the entry of a document; its key is the document's id."""
    fields = "".join(f"  {name} = {{{value}}},\n" for name, value in _fields(document))
    return f"@misc{{{document.id},\n{fields}}}\n"


def _fields(document: Document) -> Iterator[tuple[str, str]]:
    """Yield the fields; `key` is what styles sort by, since no author is known."""
    yield "key", document.id
    yield "title", f"{{{escape_special(document.title)}}}"
    if document.year:
        yield "year", str(document.year)
    if said := [text for text in (document.publisher, "; ".join(document.addresses)) if text]:
        yield "howpublished", escape_special(". ".join(said))
    if document.url:
        yield "url", document.url.replace("%", "\\%").replace("#", "\\#")
    yield "language", document.language
    yield "note", escape_special(". ".join([*([document.item] if document.item else []), document.dated.rstrip(".")]))
