"""Pages of cases: the browser of all, a list for each ruleset, and a page for each case."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from damspec import Alternative, Reading, Ruleset

from ...cases.cases import Case
from ..trace import links as linked
from . import pages
from .boards import Answers, DrawnAnswer, Picture, Sides, side_by_side
from .library import SiteData
from .pages import SECTIONS, File, Link, Page, WrittenAs, data_script, mark_squares, of_games
from .play_pages import is_exercise

#: The width of a case's picture in a list.
LISTED = 112


@dataclass(frozen=True)
class CaseRow:
    """A case in a list."""

    case: Case
    href: str
    name: str
    picture: Picture


@dataclass(frozen=True)
class Otherwise:
    """One or more other readings under which a case states its answer; `same` if that is the same answer."""

    query: str
    chosen: list[tuple[Reading, Alternative]]
    same: bool


def row(library: SiteData, answers: Answers, case: Case) -> CaseRow:
    """Return a case as a row of a list."""
    return CaseRow(case, pages.case(case.id), name(case), answers.picture(case))


def name(case: Case) -> str:
    """Return the name of a case: the last part of its id, in words."""
    words = case.id.rpartition(".")[2].replace("-", " ")
    return words[0].upper() + words[1:]


def browser(library: SiteData) -> Page:
    """Return the page with the filters, which without scripts links to the lists."""
    return Page(
        "cases/index.html",
        "cases.html",
        SECTIONS["cases"].text,
        "Every position with the answer to expect, by ruleset and topic.",
        "cases",
        scripts=("cases.js",),
        given={
            "number": len(library.cases),
            "parts": [(library.rulesets[id], *count_cases(library, id)) for id in library.rulesets],
            "topics": list(dict.fromkeys(case.topic for case in library.cases.values())),
            "sources": sorted(linked().cases_on),
        },
    )


def count_cases(library: SiteData, id: str) -> tuple[list[tuple[str, int]], list[tuple[Ruleset, int]]]:
    """Return the numbers of a ruleset's cases: its own by topic, inherited ones by ruleset."""
    played = library.played[id]
    topics = Counter(case.topic for case in played if case.ruleset == id)
    inherited = Counter(case.ruleset for case in played if case.ruleset != id)
    return [*topics.items()], [(library.rulesets[other], number) for other, number in inherited.items()]


def list_pages(library: SiteData, answers: Answers, id: str, own: list[Case]) -> Iterator[Page | File]:
    """Yield the list of a ruleset's own cases by topic, and the data of the case browser about them."""
    yield _browser_data(library, answers, id, own)
    ruleset = library.rulesets[id]
    yield Page(
        pages.cases_of(id),
        "cases_of.html",
        f"Positions of {ruleset.name}",
        f"The positions of {ruleset.name} with the answers to expect, by topic.",
        "cases",
        (SECTIONS["cases"],),
        given={
            "rules": ruleset,
            "topics": [
                (topic, [row(library, answers, case) for case in found])
                for topic, found in groupby(own, key=lambda case: case.topic)
            ],
            "inherited": count_cases(library, id)[1],
        },
        name=ruleset.name,
    )


def made_for(library: SiteData) -> Mapping[str, list[str]]:
    """Return for each ruleset the rulesets whose own cases it has; each has a part of the case browser."""
    return {id: list(dict.fromkeys(case.ruleset for case in cases)) for id, cases in library.played.items()}


def _browser_data(library: SiteData, answers: Answers, id: str, cases: list[Case]) -> File:
    """Return the case browser's and the search's data about a ruleset's own cases."""
    players = list(dict.fromkeys(tuple(library.players_of[case.id]) for case in cases))
    rows = [
        [
            case.id,
            case.why,
            case.topic,
            players.index(tuple(library.players_of[case.id])),
            [*case.clauses, *case.readings],
            answers.picture(case).src,
            answers.picture(case).alt,
        ]
        for case in cases
    ]
    picture = answers.picture(cases[0])
    size = (picture.width(LISTED), picture.height(LISTED))
    return data_script(f"search/cases/{id}", {"players": players, "size": size, "cases": rows})


def case_pages(library: SiteData, answers: Answers, shown: Iterable[Case]) -> Iterator[Page]:
    """Yield the pages of some cases."""
    ids = [*library.cases]
    places = {id: place for place, id in enumerate(ids)}
    for case in shown:
        place = places[case.id]
        before, after = ([library.cases[id] for id in found] for found in (ids[:place][-1:], ids[place + 1 :][:1]))
        yield _page(library, answers, case, next(iter(before), None), next(iter(after), None))


def _page(library: SiteData, answers: Answers, case: Case, before: Case | None, after: Case | None) -> Page:
    ruleset = library.rulesets[case.ruleset]
    answer = answers.of_case(case)
    notation = of_games(ruleset)
    given: dict[str, Any] = {
        "case": case,
        "heading": name(case),
        "rules": ruleset,
        "answer": answer,
        "fen": answers.position(case).fen(),
        "exercise": is_exercise(case),
        "clauses": [library.clauses[id] for id in case.clauses],
        "readings": [library.readings[id] for id in case.readings],
        "otherwise": [
            Otherwise(query, _chosen(ruleset, query), expected == case.expected)
            for query, expected in case.otherwise.items()
        ],
        "sides": _sides(answers, case, answer),
        "players": [library.rulesets[id] for id in library.players_of[case.id]],
        "before": before and Link(_marked_name(library, before, notation), pages.case(before.id)),
        "after": after and Link(_marked_name(library, after, notation), pages.case(after.id)),
    }
    return Page(
        pages.case(case.id),
        "case.html",
        f"{name(case)} ({case.id})",
        case.why,
        "cases",
        (SECTIONS["cases"], Link(ruleset.name, pages.cases_of(ruleset.id))),
        ("copy.js",),
        given,
        _marked_name(library, case, notation),
        notation=notation,
        game=case.ruleset,
    )


def _sides(answers: Answers, case: Case, answer: DrawnAnswer) -> Sides | None:
    """Return the answer of a case beside those under other readings, if any differ."""
    queries = ["", *(query for query, expected in case.otherwise.items() if expected != case.expected)]
    if len(queries) == 1:
        return None
    told = [(query or "as chosen", answers.expected(case, query)) for query in queries]
    sides = side_by_side(answers.pictures, pages.case(case.id), told, start=False)
    steps = (*(answer.moves or ()), *answer.lapses, *answer.game)
    return sides.beside({answer.picture.src, *(step.after.src for step in steps)})


def _marked_name(library: SiteData, case: Case, notation: WrittenAs) -> str:
    """Return the name of a case with its squares marked."""
    return mark_squares(name(case), library.rulesets[case.ruleset].rules.board, notation)


def _chosen(ruleset: Ruleset, query: str) -> list[tuple[Reading, Alternative]]:
    return [(reading, reading.alternatives[word]) for reading, word in ruleset.readings_in(query)]
