"""The pages of the cases: the browser with all of them, and one page for each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from damspec import Alternative, Reading, Ruleset

from ...cases.cases import Case
from ..links import links as linked
from . import links
from .answers import Answers, DrawnAnswer
from .library import Library
from .links import Link
from .pages import SECTIONS, Page
from .pictures import Picture


@dataclass(frozen=True)
class CaseRow:
    """A case in a list."""

    case: Case
    href: str
    name: str
    picture: Picture
    rulesets: str
    sources: str


@dataclass(frozen=True)
class Otherwise:
    """What a case expects under another reading, or under several at once."""

    query: str
    chosen: list[tuple[Reading, Alternative]]
    answer: DrawnAnswer


def row(library: Library, answers: Answers, case: Case) -> CaseRow:
    """A case as lists show it."""
    return CaseRow(
        case,
        links.case(case.id),
        name(case),
        answers.picture(case),
        " ".join(library.players_of[case.id]),
        " ".join((*case.clauses, *case.readings)),
    )


def name(case: Case) -> str:
    """What a case shows, in words: the last part of its id."""
    words = case.id.rpartition(".")[2].replace("-", " ")
    return words[0].upper() + words[1:]


def pages(library: Library, answers: Answers) -> Iterator[Page]:
    """The browser."""
    parts = [
        {
            "rules": library.rulesets[id],
            "topics": [
                (topic, [row(library, answers, case) for case in found])
                for topic, found in groupby(cases, key=lambda case: case.topic)
            ],
        }
        for id, cases in _own(library)
    ]
    yield Page(
        "cases/index.html",
        "cases.html",
        SECTIONS["cases"].text,
        "Every position with the answer to expect, by ruleset and topic.",
        "cases",
        scripts=("cases.js",),
        given={
            "parts": parts,
            "number": len(library.cases),
            "rulesets": list(library.rulesets.values()),
            "topics": list(dict.fromkeys(case.topic for case in library.cases.values())),
            "sources": sorted(linked().cases_on),
        },
    )


def _own(library: Library) -> list[tuple[str, list[Case]]]:
    return [(id, [*cases]) for id, cases in groupby(library.cases.values(), key=lambda case: case.ruleset)]


def each(library: Library, answers: Answers, shown: Iterable[Case]) -> Iterator[Page]:
    """The pages of some cases."""
    ids = [*library.cases]
    places = {id: place for place, id in enumerate(ids)}
    for case in shown:
        place = places[case.id]
        before, after = ([library.cases[id] for id in found] for found in (ids[:place][-1:], ids[place + 1 :][:1]))
        yield _page(library, answers, case, next(iter(before), None), next(iter(after), None))


def _page(library: Library, answers: Answers, case: Case, before: Case | None, after: Case | None) -> Page:
    ruleset = library.rulesets[case.ruleset]
    given: dict[str, Any] = {
        "case": case,
        "heading": name(case),
        "rules": ruleset,
        "answer": answers.of_case(case),
        "fen": answers.position(case).fen(),
        "clauses": [library.clauses[id] for id in case.clauses],
        "readings": [library.readings[id] for id in case.readings],
        "otherwise": [
            Otherwise(query, _chosen(ruleset, query), answers.otherwise(case, query)) for query in case.otherwise
        ],
        "players": [library.rulesets[id] for id in library.players_of[case.id]],
        "before": before and Link(name(before), links.case(before.id)),
        "after": after and Link(name(after), links.case(after.id)),
    }
    return Page(
        links.case(case.id),
        "case.html",
        f"{name(case)} ({case.id})",
        case.why,
        "cases",
        (SECTIONS["cases"], Link(ruleset.name, links.browser(ruleset=ruleset.id))),
        ("copy.js",),
        given,
        name(case),
        game=case.ruleset,
    )


def _chosen(ruleset: Ruleset, query: str) -> list[tuple[Reading, Alternative]]:
    return [(reading, reading.alternatives[word]) for reading, word in ruleset.readings_in(query)]
