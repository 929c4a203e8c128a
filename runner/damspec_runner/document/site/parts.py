"""The parts that the site is built of: the pages and files of each, and what of the data they show.

A part is made again if a file that it reads has changed, one has come or gone, or the facts beside them are others.
What a part reads is said by what it does *not* read. So a new part reads everything, and one that says too much is made
once too often at worst; that none says too little `tests/runner/document/test_site_parts.py` looks after.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from damspec import Ruleset

from ...cases.cases import Case
from ...cases.suites import suite_lines
from . import (
    cases,
    changes,
    chart,
    collected,
    documents,
    downloads,
    engines,
    families,
    general,
    identify,
    implement,
    interpreter,
    links,
    matrix,
    pairs,
    play,
    readings,
    rules,
    rulesets,
    search,
    sheets,
    starts,
    workshop,
)
from .address import SiteAddress
from .answers import Answers
from .collected import CollectedGame
from .comparisons import Comparisons
from .inputs import digest_of
from .library import Library
from .pages import File, Page
from .rendering import assets
from .social import Previews

#: Whether a file of the data, by its path, is read.
Reads = Callable[[str], bool]


#: What every page has around it: words in its language.
_AROUND = "spec/rulebook/"


def everything(path: str) -> bool:
    """Every file is read."""
    return True


@dataclass(frozen=True)
class SitePart:
    """A part by its name: how its pages and files are made, the data it reads, and facts that are from other data."""

    name: str
    make: Callable[[], Iterable[Page | File]]
    reads: Reads = everything
    facts: tuple[object, ...] = ()


def parts(
    library: Library, answers: Answers, address: SiteAddress, told: Sequence[CollectedGame] = ()
) -> Iterator[SitePart]:
    """All parts of a site that will be at an address, with the answers files that collectors have brought."""
    comparisons = Comparisons(library, answers)
    folders = [f"cases/{id}/" for id in library.rulesets]
    previews = Previews(library) if address else None
    no_cases = _all_but("docs/", "known/", "cases/perft/", *folders)
    no_engines = _all_but("docs/", "known/")
    yield SitePart("assets", assets, lambda path: False)
    yield SitePart("interpreter", lambda: interpreter.files(library), _only("spec/", interpreter.FOLDER))
    yield SitePart("front", lambda: starts.pages(library, comparisons), no_engines)
    yield SitePart("lost", lambda: [general.lost()], _only(_AROUND))
    for name in general.PROSE:
        yield _prose(name)
    yield SitePart("changes", lambda: changes.pages(library, address), no_engines)
    yield SitePart("games", lambda: rulesets.pages(library), no_cases)
    for ruleset in library.rulesets.values():
        yield _game(library, answers, ruleset, folders, previews)
    yield SitePart("play", lambda: play.pages(library), _only("spec/"))
    yield SitePart("rules", lambda: rules.pages(library, comparisons), no_cases)
    yield SitePart("table", lambda: matrix.pages(library), no_cases)
    yield SitePart("compare", lambda: (*pairs.pages(comparisons), *families.pages(comparisons)), no_cases)
    yield SitePart("map", lambda: chart.pages(library), no_cases)
    yield SitePart("identify", lambda: identify.pages(library, answers.gallery, bool(told)), no_cases, (bool(told),))
    if told:
        yield SitePart("collected", lambda: collected.pages(library, answers.gallery, told), no_cases, (*told,))
    yield SitePart("documents", lambda: documents.pages(library), no_engines)
    yield SitePart("readings", lambda: readings.pages(library, answers), no_engines)
    yield SitePart("engines", lambda: (*engines.pages(library), *engines.badges(library)), _all_but("docs/"))
    yield SitePart(
        "implement", lambda: (*implement.pages(library, answers), *downloads.files(library)), _all_but("docs/")
    )
    yield SitePart("workshop", lambda: workshop.pages(library), _all_but("docs/", "known/", "cases/perft/"))
    made_for = cases.made_for(library)
    yield SitePart("search", lambda: search.pages(library), _all_but("known/", "cases/perft/", *folders), (made_for,))
    yield SitePart("cases", lambda: [cases.browser(library)], no_engines)
    yield from _lists(library, answers)
    yield from _cases(library, answers)


def _only(*prefixes: str) -> Reads:
    return lambda path: path.startswith(prefixes)


def _all_but(*prefixes: str) -> Reads:
    return lambda path: not path.startswith(prefixes)


def _prose(name: str) -> SitePart:
    """A page of docs/."""
    return SitePart(f"docs/{name}", lambda: [general.prose(name)], _only(_AROUND, f"docs/{name}.md"))


def _game(
    library: Library, answers: Answers, ruleset: Ruleset, folders: list[str], previews: Previews | None
) -> SitePart:
    """The pages of a game in all languages; of the cases it reads those that it has."""

    def make() -> Iterator[Page | File]:
        yield rulesets.page(library, answers, ruleset)
        yield from sheets.pages(library, answers, [ruleset])
        yield File(links.suite(ruleset.id), suite_lines(library.suites[ruleset.id]).encode())
        if previews:
            yield from previews.files(ruleset)

    family = {f"cases/{id}/" for id in (ruleset.id, *ruleset.family)}
    others = (each for each in folders if each not in family)
    return SitePart(f"games/{ruleset.id}", make, _all_but("docs/", "known/", *others))


def _cases(library: Library, answers: Answers) -> Iterator[SitePart]:
    """A part for each file of cases.

    Of the rulesets it reads those that have one of its cases, with those that they extend; of the other cases it shows
    which there are.
    """
    ids = digest_of(*library.cases)
    for file, group in groupby(library.cases.values(), key=lambda case: (case.ruleset, case.topic)):
        shown = [*group]
        players = [library.players_of[case.id] for case in shown]
        own = "cases/{}/{}.yaml".format(*file)
        yield SitePart(
            own.removesuffix(".yaml"),
            _made(library, answers, shown),
            _of_cases(own, _spoken(library, players)),
            (ids, players),
        )


def _lists(library: Library, answers: Answers) -> Iterator[SitePart]:
    """Parts for the cases that were made for a ruleset: as exercises, and as a list.

    The list also shows how many the ruleset inherits. What an exercise says of a move that is none depends on what any
    game gives a rule.
    """
    rulesets = {f"spec/rulesets/{id}.yaml" for id in library.rulesets}
    for id, group in groupby(library.cases.values(), key=lambda case: case.ruleset):
        own = [*group]
        players = [library.players_of[case.id] for case in own]
        reads = _of_cases(f"cases/{id}/", _spoken(library, players))
        yield SitePart(f"exercises/{id}", _exercises(library, answers, id, own), _of_cases(f"cases/{id}/", rulesets))
        inherited = [(other.name, number) for other, number in cases.counted(library, id)[1]]
        yield SitePart(f"lists/{id}", _listed(library, answers, id, own), reads, (players, inherited))


def _listed(library: Library, answers: Answers, id: str, own: list[Case]) -> Callable[[], Iterator[Page | File]]:
    return lambda: cases.listed(library, answers, id, own)


def _exercises(library: Library, answers: Answers, id: str, own: list[Case]) -> Callable[[], Iterator[File]]:
    return lambda: iter([play.exercises(library, answers, id, own)])


def _spoken(library: Library, players: list[list[str]]) -> set[str]:
    """The files of some rulesets, and of those that they extend."""
    games = [library.rulesets[id] for found in players for id in found]
    return {f"spec/rulesets/{id}.yaml" for game in games for id in (game.id, *game.family)}


def _made(library: Library, answers: Answers, shown: list[Case]) -> Callable[[], Iterator[Page]]:
    return lambda: cases.each(library, answers, shown)


def _of_cases(own: str, spoken: set[str]) -> Reads:
    others = _all_but("docs/", "known/", "cases/", "spec/rulesets/")
    return lambda path: path.startswith(own) or path in spoken or others(path)
