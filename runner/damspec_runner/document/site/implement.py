"""The pages for programmers: how to begin, and for each game all that one needs to write an engine that plays it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import damspec
from damspec import Reading, Ruleset, data
from damspec.counting import COUNTS
from damspec.pdn.gametype import gametype_of
from damspec.vocabulary import worded

from ...cases.case import Case
from ...cases.published import PublishedTable, Publisher, published
from ...engines import protocol, serve
from ..links import cases_on, plainness
from . import downloads, links
from .answers import Answers
from .cases import name
from .general import PROSE
from .library import Library
from .pages import SECTIONS, Page
from .pictures import Picture, captured
from .pitfalls import Pitfall, Pitfalls


@dataclass(frozen=True)
class StartCounts:
    """The perft from the start: by convention the numbers by depth, who published them, and how deep they were counted
    again.
    """

    columns: Mapping[str, Mapping[int, int]]
    publishers: Mapping[str, list[Publisher]]
    counted: Mapping[str, int]

    @property
    def depths(self) -> range:
        """The depths of the rows."""
        return range(1, max(max(nodes) for nodes in self.columns.values()) + 1)


@dataclass(frozen=True)
class Worked:
    """A case as an engine is asked it: the messages, each with its answer, and the same move as PDN."""

    case: Case
    name: str
    picture: Picture
    messages: list[tuple[str, str]]
    pdn: str


@dataclass(frozen=True)
class Trap:
    """A pitfall with what pages show of its case."""

    pitfall: Pitfall
    name: str
    picture: Picture


@dataclass(frozen=True)
class OtherReading:
    """A reading with its alternatives that change the rules, and how many cases depend on it."""

    reading: Reading
    others: list[tuple[str, str]]
    cases: int


def pages(library: Library, answers: Answers) -> Iterator[Page]:
    """How to begin, then a page for each game."""
    yield Page(
        "implement/index.html",
        "implement-index.html",
        "For programmers",
        "How an engine is written and checked, with the rules and positions of every game to download.",
        "implement",
        given={
            "hour": _words()["hour"],
            "prose": PROSE,
            "rows": [(ruleset, len(library.played[id])) for id, ruleset in library.rulesets.items()],
        },
    )
    pitfalls, tables = Pitfalls(library), published()
    for ruleset in library.rulesets.values():
        yield _page(library, answers, ruleset, pitfalls, (tables.tables, tables.publishers))


def _page(
    library: Library,
    answers: Answers,
    ruleset: Ruleset,
    pitfalls: Pitfalls,
    tables: tuple[tuple[PublishedTable, ...], Mapping[str, Publisher]],
) -> Page:
    id = ruleset.id
    words = _words()
    played = [cell for cell in library.matrix.cells if cell.ruleset == id]
    given = {
        "rules": ruleset,
        "values": downloads.as_yaml(ruleset),
        "json": json.dumps(ruleset.whole, indent=1),
        "opening": answers.start(ruleset),
        "fen": ruleset.position().fen(),
        "board": [worded(rule, ruleset.values[rule]) for rule in words["board"]],
        "fields": [field for field in words["fields"] if field["rule"] in ruleset.values],
        "tag": gametype_of(ruleset),
        "corners": words["corners"],
        "worked": _worked(library, answers, ruleset),
        "counts": _counts(library, ruleset, *tables),
        "disputed": [table for table in tables[0] if table.ruleset == id and table.disputed],
        "topics": Counter(case.topic for case in library.played[id]),
        "suite": library.suites[id],
        "traps": [Trap(each, name(each.case), answers.picture(each.case)) for each in pitfalls.of(ruleset)],
        "right": [cell.engine for cell in played if cell.right],
        "wrong": [cell.engine for cell in played if not cell.right],
        "choices": _choices(ruleset),
        "commands": [(each["run"].replace("RULESET", id), each["says"]) for each in words["commands"]],
    }
    return Page(
        links.implement(id),
        "implement.html",
        f"{ruleset.name} for programmers",
        f"All that is needed to write an engine for {ruleset.name}: values, positions, counts, notation, pitfalls.",
        "implement",
        (SECTIONS["implement"],),
        ("copy.js",),
        given,
        ruleset.name,
    )


@cache
def _words() -> Mapping[str, Any]:
    words: Mapping[str, Any] = data.load_yaml(Path(__file__).parent / "implement.yaml")
    return words


def _worked(library: Library, answers: Answers, ruleset: Ruleset) -> Worked | None:
    """The plainest case with a capture of two pieces or more, put to the reference as an engine is asked it."""
    found = [
        (plainness(case), case, text)
        for case in library.played[ruleset.id]
        if case.question == "moves" and not case.expected.lapses and "faults" not in case.tags
        for text in case.expected.moves or ()
        if len(captured(answers.position(case), text)) > 1
    ]
    if not found:
        return None
    _, case, text = min(found, key=lambda one: one[0])
    about = {"ruleset": ruleset.id, "position": answers.position(case).fen()}
    asked = [("start", {"ruleset": ruleset.id}), ("moves", about), ("play", {**about, "move": text})]
    requests = [protocol.request(number, method, params) for number, (method, params) in enumerate(asked, 1)]
    game = damspec.Game(ruleset, case.position)
    game.push(text)
    return Worked(
        case,
        name(case),
        answers.picture(case),
        [(request, json.dumps(serve.respond(request)[0], separators=(",", ":"))) for request in requests],
        game.pdn(),
    )


def _counts(
    library: Library, ruleset: Ruleset, tables: tuple[PublishedTable, ...], publishers: Mapping[str, Publisher]
) -> StartCounts:
    """What is known of the start: the published tables that nobody disputes, and the perft suite's own count."""
    start = ruleset.position().fen()
    own = next(one for one in library.suites[ruleset.id].positions if one.position == start)
    columns: dict[str, dict[int, int]] = {"unique": dict(enumerate(own.nodes, 1))}
    by: dict[str, list[Publisher]] = {}
    counted = {"unique": len(own.nodes)}
    for table in tables:
        if table.ruleset == ruleset.id and table.position == "start" and not table.disputed:
            columns.setdefault(table.count, {}).update(table.nodes)
            by[table.count] = [publishers[one.by] for one in table.published]
            counted[table.count] = max(counted.get(table.count, 0), table.counted)
    return StartCounts({each: columns[each] for each in COUNTS if each in columns}, by, counted)


def _choices(ruleset: Ruleset) -> list[OtherReading]:
    """The readings of a game under which it would be played otherwise."""
    playable = ruleset.alternatives
    return [
        OtherReading(reading, others, len(cases_on(reading.id)))
        for reading in ruleset.readings
        if (
            others := [
                (query, alternative.says)
                for word, alternative in reading.alternatives.items()
                if (query := f"{reading.key}={word}") in playable
            ]
        )
    ]
