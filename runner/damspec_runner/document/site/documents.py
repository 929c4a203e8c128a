"""The pages of the documents: where each comes from, how its words were read, every clause and what became of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from damspec import Clause, Reading
from damspec.vocabulary import Term, glossary

from ..links import cases_on, values_on
from . import links
from .library import Document, Library
from .links import Link
from .pages import SECTIONS, Page


@dataclass(frozen=True)
class ClauseFate:
    """A clause and what became of it: the rules it gives with the rulesets, its readings, conduct and cases."""

    clause: Clause
    place: str
    rules: list[tuple[str, list[str]]]
    conduct: list[str]
    cases: int


def pages(library: Library) -> Iterator[Page]:
    """The list of documents, each of them, and the glossary."""
    yield Page(
        "documents/index.html",
        "documents.html",
        "Documents",
        "The sources of the rules by their years: who published them, what was seen of them, and what is damaged.",
        "documents",
        given={"years": _by_year(library)},
    )
    for document in library.documents.values():
        yield _page(library, document)
    yield _glossary(library)


def _page(library: Library, document: Document) -> Page:
    told = [_told(library, clause) for clause in document.clauses]
    given = {
        "document": document,
        "rulesets": _rulesets(library, document),
        "clauses": told,
        "classes": Counter(clause.class_ for clause in document.clauses),
        "fates": _fates(told),
        "readings": library.readings,
        "words": _words_read(library, document),
        "silent": _silent(library, document),
        "notes": [clause for clause in document.clauses if clause.note],
    }
    return Page(
        links.document(document.id),
        "document.html",
        document.title,
        f"{document.title}, clause by clause.",
        "documents",
        (SECTIONS["documents"],),
        (),
        given,
    )


def _by_year(library: Library) -> list[tuple[int | None, list[tuple[Document, list[Link]]]]]:
    """The documents by their years, those without one last."""
    documents = sorted(library.documents.values(), key=lambda one: (one.year is None, one.year or 0, one.title))
    return [
        (year, [(document, _rulesets(library, document)) for document in found])
        for year, found in groupby(documents, key=lambda one: one.year)
    ]


def _words_read(library: Library, document: Document) -> list[tuple[Reading, list[Clause]]]:
    """The readings that rest on words of a document, each with the clauses that have them."""
    found = [
        (
            reading,
            [clause for clause in document.clauses if clause.id in reading.clauses or reading.id in clause.readings],
        )
        for reading in library.readings.values()
    ]
    return [(reading, clauses) for reading, clauses in found if clauses]


def _silent(library: Library, document: Document) -> list[Reading]:
    """The readings of the games that a document is the first authority of, to which it has no word."""
    games = {ruleset.id for ruleset in library.rulesets.values() if ruleset.documents[:1] == (document.id,)}
    read = {reading.id for reading, _ in _words_read(library, document)}
    return [
        reading
        for reading in library.readings.values()
        if reading.id not in read and not games.isdisjoint(reading.rulesets)
    ]


def _told(library: Library, clause: Clause) -> ClauseFate:
    by_rule: dict[str, list[str]] = {rule: [] for rule in clause.rules}
    for ruleset, rule, _ in values_on(clause.id):
        by_rule.setdefault(rule, []).append(ruleset)
    conduct = [
        ruleset.id
        for ruleset in library.rulesets.values()
        if any(clause.id in entry["from"] for entry in ruleset.conduct)
    ]
    return ClauseFate(clause, links.place(clause), [*by_rule.items()], conduct, len(cases_on(clause.id)))


def _fates(told: list[ClauseFate]) -> dict[str, int]:
    """How many clauses became what; a clause can count more than once."""
    return {
        "give a rule": sum(bool(each.rules) for each in told),
        "are about a reading": sum(bool(each.clause.readings) for each in told),
        "are conduct": sum(bool(each.conduct) for each in told),
        "give nothing, with the reason": sum(bool(each.clause.none) for each in told),
    }


def _rulesets(library: Library, document: Document) -> list[Link]:
    return [
        Link(ruleset.name, links.ruleset(ruleset.id))
        for ruleset in library.rulesets.values()
        if document.id in ruleset.documents
    ]


def _by_letter(terms: Iterable[Term]) -> list[tuple[str, list[Term]]]:
    """The terms in the order of the alphabet, by their first letter; `to jump` is under J."""

    def spoken(term: Term) -> str:
        return term.head.removeprefix("to ").lower()

    return [(letter.upper(), [*found]) for letter, found in groupby(sorted(terms, key=spoken), lambda t: spoken(t)[0])]


def _glossary(library: Library) -> Page:
    terms = glossary().values()
    used = [id for id in library.documents if any(id in term.languages for term in terms)]
    languages = {id: library.documents[id].language for id in used}
    languages |= {id: word.language for term in terms for id, word in term.languages.items() if word.language}
    given: dict[str, Any] = {
        "letters": _by_letter(terms),
        "documents": [library.documents[id] for id in used],
        "languages": languages,
        "clauses": library.clauses,
    }
    return Page(
        "glossary.html",
        "glossary.html",
        "Glossary",
        "The words of the documents for the same things.",
        "glossary",
        given=given,
    )
