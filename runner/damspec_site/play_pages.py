"""Pages to play on: boards, exercises and the rules workshop."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from damspec import Ruleset, data
from damspec.board import DIRECTIONS
from damspec.contradictions import PRESENCE
from damspec.pdn.games import record_of
from damspec.pdn.notation import notation_of
from damspec.rules import rule_names
from damspec.vocabulary import Group, Rule, groups, vocabulary
from damspec_runner.cases.cases import Case, cases_of
from damspec_runner.document.compare import recorded_positions, weights
from damspec_runner.mutants.mutants import differing_values, relaxed_mutants
from damspec_runner.mutants.ruleset_diff import places_pieces
from damspec_runner.solve.place import recorded_endings_path

from . import pages
from .library import SiteData
from .pages import File, Page, data_script, mark_squares, of_games, packed_script, pages_in_languages
from .rendering import code


def play_pages(library: SiteData) -> Iterator[Page | File]:
    """Yield the page for playing any game, with the notation of each game and the rules for other boards."""
    yield from pages_in_languages("play", rulesets=[*library.rulesets])
    solved = {id: recorded_endings_path(ruleset) for id, ruleset in library.rulesets.items()}
    solved = {id: folder for id, folder in solved.items() if folder.is_dir()}
    for id, folder in solved.items():
        # A character for each byte is compressed better than base64.
        files = [file.read_bytes().decode("latin-1") for file in sorted(folder.iterdir())]
        yield packed_script(f"play/endings/{id}", files)
    yield data_script(
        "play/games",
        {
            "solved": [*solved],
            "board": [rule for rule in rule_names() if places_pieces(rule)],
            "games": {id: notation_data(ruleset) for id, ruleset in library.rulesets.items()},
        },
    )


def notation_data(ruleset: Ruleset) -> Mapping[str, Any]:
    """Return how games are written: PDN tags, squares in letters or not, the capture sign, the results."""
    notation = notation_of(ruleset)
    tags = record_of(ruleset, ruleset.position(), ()).tags
    return {
        "letters": of_games(ruleset) == "letters",
        "captures": notation.known.captures,
        "results": {result: notation.known.result(result) for result in ("white", "draw", "black")},
        "tags": {name: value for name, value in tags.items() if name != "Result"},
    }


def exercises(library: SiteData, id: str, own: Sequence[Case]) -> Iterator[File]:
    """Yield a ruleset's own cases that ask for all moves, with the rules that explain why a move is illegal.

    The purpose of a case is HTML with its squares marked. Each rule has the values by which it would forbid
    less (null removes a rule), and the clauses that it rests on.
    """
    ruleset = library.rulesets[id]
    board = ruleset.rules.board
    asked = [case for case in own if case.question == "moves"]
    lifted = [(rule, differing_values(ruleset.values, mutant.values)) for rule, mutant in relaxed_mutants(ruleset)]
    rests_on = {
        rule: [id for id in ruleset.rests_on.get(rule, ()) if id in library.clauses] for rule, _values in lifted
    }
    names = {*chain.from_iterable((*(case.clauses for case in asked), *rests_on.values()))}
    cited = {name: library.clauses[name] for name in sorted(names)}
    yield data_script(
        f"play/cases/{id}",
        {
            "cases": {
                case.id: [
                    library.positions[case.id].fen(),
                    mark_squares(case.why, board, "numbers", code),
                    case.clauses,
                ]
                for case in asked
            },
            "clauses": {
                name: {
                    "place": pages.place(clause),
                    "term": clause.term,
                    "language": library.documents[clause.document].language,
                    "says": clause.says.replace("`", ""),
                    "at": pages.clause(clause),
                }
                for name, clause in cited.items()
            },
            "lifted": [[rule, values, rests_on[rule]] for rule, values in lifted],
        },
    )


def workshop_pages(library: SiteData) -> Iterator[Page | File]:
    """Yield the workshop, the language of rules, and positions that may tell games apart."""
    yield from pages_in_languages("workshop", games=[*library.rulesets], first=library.game_facts["workshop"])
    yield data_script("workshop/language", language(library))
    yield data_script("workshop/positions", positions(library))


def language(library: SiteData) -> Mapping[str, Any]:
    """Return the rules with all that the workshop needs to know about them."""
    return {
        "groups": [_group(group) for group in groups()],
        "rules": {rule.name: _rule(rule) for rule in vocabulary().values()},
        "weights": weights(),
    }


def positions(library: SiteData) -> Mapping[str, list[str]]:
    """Return the positions of cases and witnesses by board size, those with few pieces first."""
    found: dict[str, dict[str, None]] = {}
    for id, ruleset in library.rulesets.items():
        for case in cases_of(id):
            if case.position != "start":
                found.setdefault(ruleset.values["board.size"], {})[case.position] = None
    for position in recorded_positions():
        found.setdefault(f"{position.board.columns}x{position.board.rows}", {})[position.fen()] = None
    return {size: sorted(fens, key=lambda fen: (fen.count(","), len(fen))) for size, fens in found.items()}


def control(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the control that fits the values of a rule, from its part of the schema."""
    ways = [way for way in schema.get("anyOf", [schema]) if way.get("type") != "null"]
    if len(ways) == 1 and ways[0] is not schema:
        return control(ways[0])
    match ways:
        case [{"enum": values}]:
            return {"kind": "choice", "values": values}
        case [{"type": "integer", **limits}]:
            return {"kind": "number", "least": limits["minimum"], "most": limits.get("maximum")}
        case [{"type": "string", "pattern": pattern}]:
            return {"kind": "text", "pattern": pattern}
        case [{"type": "array", "items": {"enum": values}, **limits}]:
            return {"kind": "list", "values": values, "least": limits.get("minItems", 0)}
        case [{"type": "array", "items": {"$ref": _}}]:
            return {"kind": "list", "values": [*DIRECTIONS], "least": 1, "places": [*DIRECTIONS.values()]}
        case [{"type": "object", "propertyNames": {"pattern": pattern}}]:
            return {"kind": "counts", "pattern": pattern}
        case [{"type": "object", "properties": properties}]:
            return {"kind": "mapping", "keys": [*properties], "values": next(iter(properties.values()))["enum"]}
        case [{"type": "integer"}, {"type": "object", "required": sides}]:
            return {"kind": "squares", "sides": [*sides]}
        case _:
            return {"kind": "layout"}


def _group(group: Group) -> Mapping[str, Any]:
    return {
        "id": group.id,
        "titles": {"en": group.title, **group.heading},
        "rules": [rule.name for rule in group.rules],
        "brings": _mutual(group.id),
    }


def _mutual(group: str) -> list[str]:
    """Return the groups present exactly when this one is, which a player chooses together."""
    there = {"there"}
    needs = [other for other in PRESENCE.get(group, PRESENCE["draws"]).when if other != group]
    return [
        other
        for other in needs
        if other in PRESENCE and PRESENCE[other].when.get(group) in there and PRESENCE[group].when[other] in there
    ]


def _rule(rule: Rule) -> Mapping[str, Any]:
    forms = data.schema("ruleset")["properties"]["rules"]["properties"]
    presence = PRESENCE.get(rule.name) or PRESENCE.get(rule.group)
    return {
        "titles": {"en": rule.title, **rule.heading},
        "form": control(forms[rule.name]["properties"]["value"]),
        "ordered": rule.ordered,
        "affects": sorted(rule.affects),
        "free": bool(presence and presence.free),
    }
