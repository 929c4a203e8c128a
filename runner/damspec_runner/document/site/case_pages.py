"""Pages of cases: the browser of all, and a page for each ruleset with its own cases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby

from damspec import Alternative, Clause, Reading, Ruleset

from ...cases.cases import Case
from ..trace import links as linked
from . import pages
from .boards import Answers, DrawnAnswer, Picture, Sides, side_by_side
from .library import SiteData
from .pages import SECTIONS, File, Page, of_games, packed_script
from .play_pages import is_exercise


@dataclass(frozen=True)
class CaseRow:
    """A case in a list."""

    case: Case
    href: str
    name: str
    picture: Picture


@dataclass(frozen=True)
class ShownCase:
    """A case on the page of its ruleset, with its answer and those under other readings."""

    case: Case
    name: str
    answer: DrawnAnswer
    exercise: bool
    clauses: list[Clause]
    readings: list[Reading]
    otherwise: list[Otherwise]
    sides: Sides | None
    players: list[Ruleset]


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
        "Every position with the answer to expect, by game and topic.",
        "cases",
        scripts=("pictures.js", "cases.js"),
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


def cases_pages(library: SiteData, answers: Answers, id: str, own: Sequence[Case]) -> Iterator[Page]:
    """Yield the page of a ruleset's own cases and of its variants, by topic."""
    ruleset = library.rulesets[id]
    shown = [
        (library.rulesets[of], topic, [_show_case(library, answers, case) for case in found])
        for (of, topic), found in groupby(own, key=lambda case: (case.ruleset, case.topic))
    ]
    told = [each for _, _, found in shown for each in found]
    clauses = {clause.id for each in told for clause in each.clauses}
    chosen = (reading for each in told for other in each.otherwise for reading, _ in other.chosen)
    readings = {reading.id for reading in chain(chosen, *(each.readings for each in told))}
    yield Page(
        pages.cases_of(id),
        "cases_of.html",
        f"Positions of {ruleset.name}",
        f"The positions of {ruleset.name} with the answers to expect, by topic.",
        "cases",
        (SECTIONS["cases"],),
        ("unfold.js",),
        {
            "rules": ruleset,
            "topics": shown,
            "clauses": [library.clauses[id] for id in sorted(clauses)],
            "readings": [library.readings[id] for id in sorted(readings)],
            "inherited": count_cases(library, id)[1],
        },
        name=ruleset.name,
        notation=of_games(ruleset),
        game=id,
    )


def _show_case(library: SiteData, answers: Answers, case: Case) -> ShownCase:
    ruleset, answer = library.rulesets[case.ruleset], answers.of_case(case)
    return ShownCase(
        case,
        name(case),
        answer,
        is_exercise(case),
        [library.clauses[id] for id in case.clauses],
        [library.readings[id] for id in case.readings],
        [
            Otherwise(query, _alternatives_of(ruleset, query), expected == case.expected)
            for query, expected in case.otherwise.items()
        ],
        _sides(answers, case),
        [library.rulesets[id] for id in library.players_of[case.id]],
    )


def _sides(answers: Answers, case: Case) -> Sides | None:
    """Return the answer of a case, named "", beside those under other readings, if any differ."""
    queries = ["", *(query for query, expected in case.otherwise.items() if expected != case.expected)]
    if len(queries) == 1:
        return None
    told = [(query, answers.expected(case, query)) for query in queries]
    return side_by_side(pages.case(case.id), told, start=False)


def _alternatives_of(ruleset: Ruleset, query: str) -> list[tuple[Reading, Alternative]]:
    return [(reading, reading.alternatives[word]) for reading, word in ruleset.readings_in(query)]


def index(library: SiteData, answers: Answers) -> File:
    """Return what the case browser and the search know of all cases.

    A case has its id, purpose, topic, games, sources, position and board; games, topics and boards are numbered.
    """
    games: dict[tuple[str, ...], int] = {}
    boards: dict[str, int] = {}
    rows = []
    for case in library.cases.values():
        picture = answers.picture(case)
        rows.append(
            [
                case.id,
                case.why,
                case.topic,
                games.setdefault(tuple(library.players_of[case.id]), len(games)),
                [*case.clauses, *case.readings],
                picture.position.fen(),
                boards.setdefault(picture.geometry, len(boards)),
            ]
        )
    return packed_script("search/cases", {"games": [*games], "boards": [*boards], "cases": rows})
