"""The pages of the readings: what the documents leave unclear, the ways to read it, and the one chosen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from damspec import Alternative, Reading
from damspec.vocabulary import vocabulary, worded

from ...cases.cases import Case
from ..links import cases_on, plainness, values_on
from . import links
from .answers import Answers
from .cases import CaseRow, row
from .library import Library
from .marks import of_games
from .pages import SECTIONS, Page
from .sides import Sides, side_by_side

#: How many cases are shown with their boards; the rest are listed.
_SHOWN = 4


@dataclass(frozen=True)
class Choice:
    """An alternative of a reading: the word for it, and the rule values it sets, in words."""

    word: str
    alternative: Alternative
    chosen: bool
    sets: list[tuple[str, str, str]]


@dataclass(frozen=True)
class TellingCase:
    """A case that tells alternatives apart, with its answers under each of them side by side."""

    row: CaseRow
    sides: Sides


def pages(library: Library, answers: Answers) -> Iterator[Page]:
    """The list of readings, then each of them."""
    groups: dict[str, list[Reading]] = {}
    for reading in library.readings.values():
        groups.setdefault(reading.id.rpartition("-")[0], []).append(reading)
    yield Page(
        "readings/index.html",
        "readings.html",
        SECTIONS["readings"].text,
        "What the documents leave unclear, and how it was read.",
        "readings",
        given={"groups": [(_about(library, found), found) for found in groups.values()]},
    )
    for reading in library.readings.values():
        yield _page(library, answers, reading)


def _about(library: Library, readings: list[Reading]) -> str:
    """What a group of readings is about: the document of its clauses, if it is one."""
    documents = list(dict.fromkeys(library.clauses[id].document for r in readings for id in r.clauses))
    return library.documents[documents[0]].title if len(documents) == 1 else "Several documents"


def _page(library: Library, answers: Answers, reading: Reading) -> Page:
    cases = cases_on(reading.id)
    telling = [case for case in cases if _told_apart(case, reading)]
    telling.sort(key=lambda case: (case.ruleset not in reading.rulesets, plainness(case)))
    shown = [*{case.position: case for case in reversed(telling)}.values()][::-1][:_SHOWN]
    given: dict[str, Any] = {
        "reading": reading,
        "clauses": [library.clauses[id] for id in reading.clauses],
        "rulesets": [library.rulesets[id] for id in reading.rulesets],
        "choices": [
            Choice(word, each, word == reading.chosen, _sets(each)) for word, each in reading.alternatives.items()
        ],
        "rests": sorted({rule for _, rule, _ in values_on(reading.id)}, key=list(vocabulary()).index),
        "told": [_told(library, answers, case, reading) for case in shown],
        "more": [row(library, answers, case) for case in telling if case not in shown],
        "rest": [row(library, answers, case) for case in cases if case not in telling],
        "titles": {name: rule.title for name, rule in vocabulary().items()},
    }
    title = f"{reading.id}: {reading.question}"
    return Page(
        links.reading(reading.id),
        "reading.html",
        title,
        reading.question,
        "readings",
        (SECTIONS["readings"],),
        (),
        given,
        reading.id,
        notation=of_games(*(library.rulesets[id] for id in reading.rulesets)),
    )


def _sets(alternative: Alternative) -> list[tuple[str, str, str]]:
    return [(rule, vocabulary()[rule].title, worded(rule, value)) for rule, value in alternative.set.items()]


def _told_apart(case: Case, reading: Reading) -> bool:
    return any(_is_about(query, reading) and other != case.expected for query, other in case.otherwise.items())


def _is_about(query: str, reading: Reading) -> bool:
    return query.partition("=")[0] == reading.key and "&" not in query


def _told(library: Library, answers: Answers, case: Case, reading: Reading) -> TellingCase:
    queries = {reading.chosen: ""} | {
        query.partition("=")[2]: query for query in case.otherwise if _is_about(query, reading)
    }
    told = [(word, answers.expected(case, query)) for word, query in queries.items()]
    where = f"{links.reading(reading.id)}: {case.id}"
    return TellingCase(row(library, answers, case), side_by_side(answers.gallery, where, told))
