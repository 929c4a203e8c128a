"""Pages to play on: boards, exercises and the rules workshop."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from damspec import Ruleset
from damspec.board import DIRECTIONS
from damspec.pdn.games import record_of
from damspec.pdn.notation import notation_of
from damspec.rules import rule_names
from damspec.vocabulary import Form, Group, Rule, groups, vocabulary
from damspec_runner.cases.cases import Case, cases_of
from damspec_runner.document.compare import recorded_positions, weights
from damspec_runner.mutants.mutants import differing_values, relaxed_mutants
from damspec_runner.mutants.ruleset_diff import places_pieces
from damspec_runner.solve.place import recorded_endgames_path

from . import pages
from .library import SiteData
from .pages import File, Page, data_script, mark_squares, of_games, packed_script, pages_in_languages
from .rendering import code


def play_pages(library: SiteData) -> Iterator[Page | File]:
    """Yield the page for playing any game, with the notation of each game and the rules for other boards."""
    yield from pages_in_languages("play", rulesets=[*library.rulesets])
    solved = {id: recorded_endgames_path(ruleset) for id, ruleset in library.rulesets.items()}
    solved = {id: folder for id, folder in solved.items() if folder.is_dir()}
    for id, folder in solved.items():
        # A character for each byte is compressed better than base64.
        files = [file.read_bytes().decode("latin-1") for file in sorted(folder.iterdir())]
        yield packed_script(f"play/endgames/{id}", files)
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


def control(form: Form) -> Mapping[str, Any]:
    """Return the control that fits the values of a rule."""
    match form.kind:
        case "choice":
            return {"kind": "choice", "values": form.words}
        case "number":
            return {"kind": "number", "least": form.least, "most": form.most}
        case "list":
            return {"kind": "list", "values": form.words, "least": form.least}
        case "directions":
            return {"kind": "list", "values": [*DIRECTIONS], "least": 1, "places": [*DIRECTIONS.values()]}
        case "text" | "counts":
            return {"kind": form.kind, "pattern": form.pattern}
        case "mapping":
            return {"kind": "mapping", "keys": form.keys, "values": form.words}
        case "squares":
            return {"kind": "squares", "sides": form.keys}
        case "layout":
            return {"kind": "layout"}


def _group(group: Group) -> Mapping[str, Any]:
    return {
        "id": group.id,
        "titles": {"en": group.title, **group.heading},
        "rules": [rule.name for rule in group.rules],
        "brings": _mutual(group),
    }


def _mutual(group: Group) -> list[str]:
    """Return the groups present exactly when this one is, which a player chooses together."""
    need = group.rules[0].requirement if group.extension else None
    return [other.id for other in groups() if need and other.id in need.when]


def _rule(rule: Rule) -> Mapping[str, Any]:
    return {
        "titles": {"en": rule.title, **rule.heading},
        "form": control(rule.form),
        "ordered": rule.ordered,
        "affects": sorted(rule.affects),
        "free": rule.is_free,
    }
