"""Pages of cases: the browser of all, and a page for each ruleset with its own cases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby

from damspec import Ruleset
from damspec_runner.cases.cases import Case, Expectation
from damspec_runner.document.links import links as linked

from .boards import ShownOutcome, shown_outcome
from .diagrams import Picture
from .library import SiteData, group_by_value
from .pages import File, Page, of_games, packed_script, page

#: What only one of two answers has, by its name.
Lists = list[tuple[str, list[tuple[str, str]]]]


@dataclass(frozen=True)
class OtherAnswer:
    """The answer of a case under other readings: what it has besides the usual one and what it lacks, or its outcome.

    `queries` are the readings. `lists` has actions, each with the position after it if the usual answer has another
    position there. Without lists and outcome it is the same answer.
    """

    queries: list[str]
    lists: Lists
    outcome: ShownOutcome | None


@dataclass(frozen=True)
class CaseTopic:
    """The cases of a ruleset on one topic, and the games that have most of them."""

    ruleset: Ruleset
    topic: str
    cases: list[Case]
    players: list[str]


def browser(library: SiteData) -> Page:
    """Return the page with the filters, which without scripts links to the lists."""
    return page(
        "cases",
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


def cases_pages(library: SiteData, id: str, own: Sequence[Case]) -> Iterator[Page]:
    """Yield the page of a ruleset's own cases and of its variants, by topic."""
    ruleset = library.rulesets[id]
    topics = [
        _topic(library, of, topic, [*found])
        for (of, topic), found in groupby(own, key=lambda case: (case.ruleset, case.topic))
    ]
    clauses = {clause for case in own for clause in case.clauses}
    others = (library.rulesets[case.ruleset].readings_in(query) for case in own for query in case.otherwise)
    readings = {
        *chain.from_iterable(case.readings for case in own),
        *(each.id for found in others for each, _ in found),
    }
    yield page(
        "cases_of",
        id,
        names=(ruleset.name,),
        given={
            "rules": ruleset,
            "topics": topics,
            "shown_outcome": shown_outcome,
            "other_answers": _other_answers,
            "clauses": [library.clauses[id] for id in sorted(clauses)],
            "readings": [library.readings[id] for id in sorted(readings)],
            "inherited": count_cases(library, id)[1],
        },
        notation=of_games(ruleset),
    )


def _topic(library: SiteData, id: str, topic: str, cases: list[Case]) -> CaseTopic:
    ((players, _),) = Counter(tuple(library.players_of[case.id]) for case in cases).most_common(1)
    return CaseTopic(library.rulesets[id], topic, cases, [*players])


def _other_answers(case: Case) -> list[OtherAnswer]:
    """Return the answers under other readings, equal ones as one."""
    return [
        OtherAnswer(
            queries,
            [*_differing_lists(case.expected, expected)],
            None if expected == case.expected else shown_outcome(case, expected),
        )
        for expected, queries in group_by_value(case.otherwise)
    ]


def _differing_lists(usual: Expectation, other: Expectation) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Yield what another answer has besides the usual one, and what it lacks, each with its name."""
    for kind in ("moves", "lapses"):
        ours, theirs = getattr(usual, kind) or {}, getattr(other, kind) or {}
        if also := [(text, fen if text in ours else "") for text, fen in theirs.items() if ours.get(text) != fen]:
            yield f"{kind.capitalize()}, also:" if ours else f"{kind.capitalize()}:", also
        if lacking := [(text, "") for text in ours if text not in theirs]:
            yield f"{kind.capitalize()}, but not:", lacking
    if other.game != usual.game:
        yield "Turns:", [(text, "" if (text, fen) in usual.game else fen) for text, fen in other.game]


def index(library: SiteData) -> File:
    """Return what the case browser and the search know of all cases.

    A case has its id, purpose, topic, games, sources, position and board; games, topics and boards are numbered.
    """
    games: dict[tuple[str, ...], int] = {}
    boards: dict[str, int] = {}
    rows = []
    for case in library.cases.values():
        picture = Picture(library.positions[case.id], library.layout(case.ruleset))
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
