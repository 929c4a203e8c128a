"""The page with a board to play on, and what it loads: how each game is written down, and positions as exercises."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from damspec import Ruleset
from damspec.pdn.notation import notation_of
from damspec.pdn.writing import record_of
from damspec.rules import rule_names
from damspec.vocabulary import worded

from ...cases.cases import Case
from ...variants.effects import places_pieces
from ...variants.lifting import lifted
from . import links
from .answers import REASONS, RESULTS, Answers
from .library import Library
from .marks import marked, of_games
from .pages import SECTIONS, File, Page
from .rendering import code
from .scripts import data_script

#: What opens a board, on a page for playing and on that of a game.
SCRIPT = "play.js"


def pages(library: Library) -> Iterator[Page | File]:
    """The page for playing any game; how each game is written, and the rules by which it is put on another board."""
    yield Page(
        SECTIONS["play"].href,
        "play.html",
        SECTIONS["play"].text,
        "A board on which every game can be played, by two people or against the computer, with legal moves marked.",
        "play",
        scripts=(SCRIPT,),
        given={"rulesets": list(library.rulesets.values())},
    )
    yield data_script(
        "play/games",
        {
            "board": [rule for rule in rule_names() if places_pieces(rule)],
            "words": {"results": RESULTS, "reasons": REASONS},
            "games": {id: written(ruleset) for id, ruleset in library.rulesets.items()},
        },
    )


def written(ruleset: Ruleset) -> Mapping[str, Any]:
    """How games are written: the tags of PDN at their start, squares in letters, the sign of captures, the results."""
    notation = notation_of(ruleset)
    tags = record_of(ruleset, ruleset.position(), ()).tags
    return {
        "letters": of_games(ruleset) == "letters",
        "captures": notation.known.captures,
        "results": {result: notation.known.result(result) for result in ("white", "draw", "black")},
        "tags": {name: value for name, value in tags.items() if name != "Result"},
    }


def is_exercise(case: Case) -> bool:
    """Whether a case asks for all legal moves, so that a reader can look for them."""
    return case.question == "moves"


def exercises(library: Library, answers: Answers, id: str, own: Sequence[Case]) -> File:
    """The cases that were made for a ruleset as exercises, and what tells why a move is none: the rule that forbids it.

    Why a case is there is told as HTML, its squares marked. Each rule comes with what it says and the values by which
    it would forbid less; null takes a rule away.
    """
    ruleset = library.rulesets[id]
    board = ruleset.rules.board
    asked = [case for case in own if is_exercise(case)]
    cited = {clause: library.clauses[clause] for case in asked for clause in case.clauses}
    changed = ((rule, mutant.ruleset.whole) for rule, mutant in lifted(ruleset))
    return data_script(
        f"play/cases/{id}",
        {
            "cases": {
                case.id: [answers.position(case).fen(), marked(case.why, board, "numbers", code), case.clauses]
                for case in asked
            },
            "clauses": {
                name: {
                    "place": links.place(clause),
                    "term": clause.term,
                    "language": library.documents[clause.document].language,
                    "says": clause.says.replace("`", ""),
                    "at": links.clause(clause),
                }
                for name, clause in cited.items()
            },
            "lifted": [
                [rule, worded(rule, ruleset.values.get(rule)), _changes(ruleset.whole, values)]
                for rule, values in changed
            ],
        },
    )


def _changes(values: Mapping[str, Any], others: Mapping[str, Any]) -> dict[str, Any]:
    """The rules of others that differ; None where they have none."""
    names = dict.fromkeys((*values, *others))
    return {name: others.get(name) for name in names if values.get(name) != others.get(name)}
