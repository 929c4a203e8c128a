"""Pages for programmers: implementing a game, pitfalls, engines, downloads, the JavaScript interpreter."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import damspec
from damspec import DamspecError, LegalMoves, Position, Reading, Ruleset, data
from damspec.pdn.notation import gametype_of
from damspec.perft_counts import COUNTS
from damspec.vocabulary import groups, vocabulary, word_value
from damspec_runner.cases.bundle import bundle_text, make_bundle
from damspec_runner.cases.case import Case
from damspec_runner.cases.cases import cases_for
from damspec_runner.cases.perft_tables import PublishedCounts, Publisher, load_published
from damspec_runner.document.compare import leaflet_game
from damspec_runner.document.links import cases_on, plainness
from damspec_runner.document.ruleset_file import rule_lines, ruleset_text
from damspec_runner.engines import known, protocol, serve
from damspec_runner.engines.known import ExpectedFailures

from . import pages
from .boards import captured
from .library import SiteData
from .pages import File, Page, data_script, page
from .rendering import PROSE

#: The most wrong moves, or positions, that are shown.
_SHOWN = 6


@dataclass(frozen=True)
class Pitfall:
    """A mistake of an engine: in words, with the plainest case that shows it and what was wrong there.

    `played` is the game that the engine was asked about. If that is another than the pitfall's game, this one has the
    same answer to the case. `number` is how many cases of the game played fail this way.
    """

    engine: str
    version: str
    played: str
    cause: str
    about: str
    case: Case
    faults: Mapping[str, Any]
    number: int

    @property
    def shown(self) -> list[tuple[str, list[str]]]:
        """Describe what was wrong in the case, with moves, positions or outcomes, or the end of the engine."""
        listed = [
            (says, [*self.faults.get(key, ())])
            for key, says in (("missing", "not listed"), ("extra", "listed and not legal"), ("unparsable", "no moves"))
        ]
        compared = {f"after {move}": one for move, one in self.faults.get("after", {}).items()}
        compared |= {key: self.faults[key] for key in ("start", "outcome") if key in self.faults}
        listed += [(f"{what}, where {one['expected']} is right", [str(one["got"])]) for what, one in compared.items()]
        listed.append(("the engine", [self.faults["message"]] if "message" in self.faults else []))
        return [(says, found[:_SHOWN]) for says, found in listed if found][:_SHOWN]


class Pitfalls:
    """The known failures of all engines, to be selected for games."""

    def __init__(self, library: SiteData) -> None:
        self._library = library
        self._legal: dict[tuple[str, str], LegalMoves | None] = {}
        self._listed = [
            (listed, damspec.load_ruleset(listed.ruleset), self._cases(listed.ruleset))
            for cell in library.matrix.cells
            if cell.wrong and known.path(cell.engine, cell.ruleset).is_file()
            for listed in [known.load(cell.engine, cell.ruleset)]
        ]

    def of(self, ruleset: Ruleset) -> list[Pitfall]:
        """Return the pitfalls of a game, of engines that play it first, then of others where its answer is the same.

        A mistake with one cause in several games is listed once.
        """
        found: dict[tuple[str, str], Pitfall] = {}
        for listed, played, cases in sorted(self._listed, key=lambda one: one[1].id != ruleset.id):
            if played.rules.board != ruleset.rules.board:
                continue
            for cause, about in listed.causes.items():
                if (listed.engine, cause) in found:
                    continue
                failing = sorted((cases[id] for id in listed.failing(cause) if id in cases), key=plainness)
                case = next((case for case in failing if self._holds(ruleset, played, listed, case)), None)
                if case:
                    facts = (listed.engine, listed.version, listed.ruleset, cause, about)
                    faults = listed.failures[case.id]["faults"]
                    found[listed.engine, cause] = Pitfall(*facts, case, faults, len(failing))
        return [*found.values()]

    def _cases(self, id: str) -> dict[str, Case]:
        """Return the cases of a ruleset that have pages; those of overlays have other answers."""
        shown = self._library.cases
        return {case.id: case for case in cases_for(damspec.load_ruleset(id)) if case.id in shown}

    def _holds(self, ruleset: Ruleset, played: Ruleset, listed: ExpectedFailures, case: Case) -> bool:
        """Whether a case that an engine fails has the same answer in a game that the engine was not asked.

        That means as many moves, to the same pieces on the same squares. If the engine is wrong only in the positions
        after moves, all parts of a position count.
        """
        if ruleset.id == played.id:
            return True
        if case.expected.moves is None or case.position == "start":
            return False
        legal = self._legal_moves(ruleset, case.position)
        if legal is None or len(legal) != len(case.expected.moves) or legal.lapses:
            return False
        parts = None if {*listed.failures[case.id]["faults"]} == {"after"} else 3
        after = {_parts(legal.after(move), parts) for move in legal}
        return after == {_parts(played.position(fen), parts) for fen in case.expected.moves.values()}

    def _legal_moves(self, ruleset: Ruleset, position: str) -> LegalMoves | None:
        """Return the legal moves of a position, which several engines may be wrong about; None if it cannot occur."""
        if (ruleset.id, position) not in self._legal:
            try:
                self._legal[ruleset.id, position] = damspec.legal_moves(ruleset, position)
            except DamspecError:
                self._legal[ruleset.id, position] = None
        return self._legal[ruleset.id, position]


def _parts(position: Position, number: int | None) -> tuple[str, ...]:
    """Return the first parts of a position's FEN, or all: every game has the side to move and both sides' pieces."""
    return tuple(position.fen().split(":")[:number])


def engine_pages(library: SiteData) -> Iterator[Page]:
    """Yield the page of all engines: a table, then what each does wrong."""
    matrix = library.matrix
    yield page(
        "engines",
        given={
            "rulesets": matrix.rulesets,
            "rows": [(name, {cell.ruleset: cell for cell in cells}) for name, cells in matrix.by_engine()],
            "abouts": library.abouts,
        },
    )


def badges(library: SiteData) -> Iterator[File]:
    """Yield the badges of every engine on every ruleset."""
    for cell in library.matrix.cells:
        for suffix, text in cell.badges().items():
            yield File(pages.badge(cell.engine, cell.ruleset, suffix), text.encode())


_WIDTH = 120


def download_files(library: SiteData) -> Iterator[File]:
    """Yield the files of every game."""
    for id, ruleset in library.rulesets.items():
        made = {
            "yaml": as_yaml(ruleset),
            "json": as_json(ruleset),
            "cases.json": cases_json(ruleset, library.played[id]),
        }
        yield from (File(pages.download(id, suffix), text.encode()) for suffix, text in made.items())


def as_json(ruleset: Ruleset) -> str:
    """Return a ruleset with every rule as JSON (schemas/ruleset.schema.json)."""
    rules = {name: {"value": ruleset.inline_values[name]} for _, names in _rules_by_group(ruleset) for name in names}
    return json.dumps({"damspec": 1, **_head(ruleset), "rules": rules}, indent=1, ensure_ascii=False) + "\n"


def as_yaml(ruleset: Ruleset) -> str:
    """Return a ruleset with every rule as YAML, grouped, each line with the rule's sources as a comment."""
    comments = [
        f"# {ruleset.name}, with every rule stated: no other file is needed to play it.",
        "# Behind each value stand the clauses and readings that it rests on.",
    ]
    rules: list[str] = []
    for title, names in _rules_by_group(ruleset):
        rules += [f"  # {title.lower()}", *(line for name in names for line in _rule(ruleset, name)), ""]
    return ruleset_text(comments, _head(ruleset), rules)


def cases_json(ruleset: Ruleset, cases: Iterable[Case]) -> str:
    """Return the cases of a ruleset, including inherited ones, as a bundle (schemas/bundle.schema.json)."""
    return bundle_text(make_bundle([ruleset], ((case, [ruleset.id]) for case in cases)))


def _head(ruleset: Ruleset) -> dict[str, Any]:
    tag = {"gametype": ruleset.gametype} if ruleset.gametype else {}
    facts = {"id": ruleset.id, "name": ruleset.name, "about": ruleset.about, "documents": list(ruleset.documents)}
    return {**facts, **tag}


def _rules_by_group(ruleset: Ruleset) -> Iterator[tuple[str, list[str]]]:
    """Yield the names of a ruleset's rules by the title of their group."""
    for group in groups():
        if names := [rule.name for rule in group.rules if rule.name in ruleset.values]:
            yield group.title, names


def _rule(ruleset: Ruleset, name: str) -> list[str]:
    """Return the line of a rule; a trapdoor layout, elsewhere a file of its own, takes several."""
    lines = rule_lines(name, ruleset.inline_values[name], column=26)
    return [*lines[:-1], f"{lines[-1]:<66}  # {', '.join(ruleset.rests_on[name])}"]


@dataclass(frozen=True)
class StartCounts:
    """Perft from the start: for each convention the counts by depth, the publishers, and the depth counted again."""

    columns: Mapping[str, Mapping[int, int]]
    publishers: Mapping[str, list[Publisher]]
    counted: Mapping[str, int]

    @property
    def depths(self) -> range:
        """The depths of the rows."""
        return range(1, max(max(nodes) for nodes in self.columns.values()) + 1)


@dataclass(frozen=True)
class WorkedExample:
    """A case as a worked example: the protocol's messages with their answers, and the move as PDN."""

    case: Case
    messages: list[tuple[str, str]]
    pdn: str


def implement_pages(library: SiteData) -> Iterator[Page]:
    """Yield the introduction, then a page for each game."""
    yield page(
        "programmers",
        given={
            "hour": _words()["hour"],
            "prose": PROSE,
            "rows": [
                (ruleset, len(library.played[id]), gametype_of(ruleset)) for id, ruleset in library.rulesets.items()
            ],
        },
    )
    pitfalls, published = Pitfalls(library), load_published()
    for ruleset in (library.rulesets[id] for id in library.rulesets if leaflet_game(id) == id):
        yield _page(library, ruleset, pitfalls, published)


def _page(library: SiteData, ruleset: Ruleset, pitfalls: Pitfalls, published: PublishedCounts) -> Page:
    id = ruleset.id
    words = _words()
    played = [cell for cell in library.matrix.cells if cell.ruleset == id]
    given = {
        "rules": ruleset,
        "values": as_yaml(ruleset),
        "json": json.dumps(ruleset.inline_values, indent=1),
        "board": words["board"],
        "fields": [field for field in words["fields"] if field["rule"] in ruleset.values],
        "tag": gametype_of(ruleset),
        "corners": words["corners"],
        "worked": _worked_example(library, ruleset),
        "counts": _counts(library, ruleset, published),
        "disputed": [table for table in published.tables if table.ruleset == id and table.disputed],
        "topics": Counter(case.topic for case in library.played[id]),
        "traps": pitfalls.of(ruleset),
        "right": [cell.engine for cell in played if cell.right],
        "wrong": [cell.engine for cell in played if not cell.right],
        "choices": _choices(ruleset),
        "cases_on": cases_on,
        "variants": [
            (other, _differing(ruleset, other)) for other in map(library.rulesets.get, library.variants[id]) if other
        ],
        "commands": [(each["run"].replace("RULESET", id), each["says"]) for each in words["commands"]],
    }
    return page("implement", id, names=(ruleset.name,), given=given)


def _differing(ruleset: Ruleset, other: Ruleset) -> list[tuple[str, str]]:
    """Return the rules that a variant has otherwise, with its values in words."""
    return [
        (name, word_value(name, other.values[name]) if name in other.values else "is not there")
        for name in vocabulary()
        if other.values.get(name) != ruleset.values.get(name)
    ]


@cache
def _words() -> Mapping[str, Any]:
    words: Mapping[str, Any] = data.load_yaml(Path(__file__).parent / "implement.yaml")
    return words


def _worked_example(library: SiteData, ruleset: Ruleset) -> WorkedExample | None:
    """Return the plainest case that captures two pieces or more as a worked example, answered by the reference."""
    found = [
        (plainness(case), case, text)
        for case in library.played[ruleset.id]
        if case.question == "moves" and not case.expected.lapses and "faults" not in case.tags
        for text in case.expected.moves or ()
        if len(captured(library.positions[case.id], text)) > 1
    ]
    if not found:
        return None
    _, case, text = min(found, key=lambda one: one[0])
    about = {"ruleset": ruleset.id, "position": library.positions[case.id].fen()}
    asked = [("start", {"ruleset": ruleset.id}), ("moves", about), ("play", {**about, "move": text})]
    requests = [protocol.request(number, method, params) for number, (method, params) in enumerate(asked, 1)]
    game = damspec.Game(ruleset, case.position)
    game.push(text)
    return WorkedExample(
        case,
        [(request, json.dumps(serve.respond(request)[0], separators=(",", ":"))) for request in requests],
        game.pdn(),
    )


def _counts(library: SiteData, ruleset: Ruleset, published: PublishedCounts) -> StartCounts:
    """Return the known counts from the start: undisputed published tables, and the perft suite's own."""
    start = ruleset.position().fen()
    own = next(one for one in library.suites[ruleset.id].positions if one.position == start)
    columns: dict[str, dict[int, int]] = {"unique": dict(enumerate(own.nodes, 1))}
    by: dict[str, list[Publisher]] = {}
    counted = {"unique": len(own.nodes)}
    for table in published.tables:
        if table.ruleset == ruleset.id and table.position == "start" and not table.disputed:
            columns.setdefault(table.count, {}).update(table.nodes)
            by[table.count] = [published.publishers[one.by] for one in table.published]
            counted[table.count] = max(counted.get(table.count, 0), table.counted)
    return StartCounts({each: columns[each] for each in COUNTS if each in columns}, by, counted)


def _choices(ruleset: Ruleset) -> list[tuple[Reading, dict[str, str]]]:
    """Return the readings under which a game would be played differently, with what its other alternatives say."""
    playable = ruleset.alternatives
    return [
        (reading, others)
        for reading in ruleset.readings
        if (
            others := {
                query: other.says
                for word, other in reading.alternatives.items()
                if (query := f"{reading.key}={word}") in playable
            }
        )
    ]


#: The folder of the modules, relative to the data's root.
FOLDER = "reference/javascript"

_EXPORT = re.compile(r"^export (?=(?:async )?(?:class|const|function) (\w+))", re.MULTILINE)


def interpreter_files(library: SiteData) -> Iterator[File]:
    """Yield the scripts for playing: the interpreter, the opponent, the trapdoors, and the rules of every game."""
    yield _script("damspec", "interpreter")
    yield _script("opponent", "opponent")
    yield _script("endgames", "endgames")
    rulesets = {id: {"name": each.name, "values": each.inline_values} for id, each in library.rulesets.items()}
    yield data_script(
        "play/layouts", {each.id: each.content() for each in map(library.layout, library.rulesets) if each}
    )
    text = json.dumps(rulesets, ensure_ascii=False, separators=(",", ":"))
    yield File("assets/rulesets.js", f"var damspecRulesets = {text};\n".encode())


def _script(module: str, name: str) -> File:
    """Return a module as a script: a function that returns its exports, from whose source a worker can be made.

    `damspecModule()` returns `rules` and the rest, `opponentModule()` `think`. Their exports are added to the one
    global name of the site: `damspec.rules(values)`, `damspec.think(game, position, options)`.
    """
    source = (data.root() / FOLDER / f"{module}.js").read_text(encoding="utf-8")
    exported = ", ".join(found[1] for found in _EXPORT.finditer(source))
    function = f"{module}Module"
    body = f'function {function}() {{\n"use strict";\n{_EXPORT.sub("", source)}\nreturn {{ {exported} }};\n}}\n'
    return File(f"assets/{name}.js", f"{body}Object.assign(damspec, {function}());\n".encode())
