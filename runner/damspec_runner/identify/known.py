"""The games that are known before anybody is asked, and what they are on another board or with a single rule changed.

Known is every ruleset, and each under every single other reading.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from damspec import Ruleset, load_ruleset, ruleset_ids

from ..answers.enquired import Respondent
from ..cases.enquiries import Enquiries
from ..variants.mutants import Mutant, mutant_of, single

#: What goes with a board: how large it is, and where the men start on it.
BOARD = ("board.size", "start.men")
#: What nobody who plays can tell: how the squares are numbered.
UNTOLD = "board.numbering"


@cache
def games() -> Mapping[str, Ruleset]:
    """Every known game by its id, the rulesets first; a reading's has the reading after the ruleset's id."""
    found = {id: load_ruleset(id) for id in ruleset_ids()}
    for id in ruleset_ids():
        found |= {f"{id}?{query}": each for query, each in found[id].alternatives.items()}
    return MappingProxyType(found)


def answers(enquiries: Enquiries) -> dict[str, Any]:
    """What every known game answers, as the file of the questions has it: of a reading only what is different."""
    found: dict[str, Any] = {}
    for id, ruleset in games().items():
        said = Respondent(ruleset.values, enquiries).answers(enquiries)
        base, _, query = id.partition("?")
        if query:
            words = zip(enquiries.questions, said, found[base], strict=True)
            found[id] = {each.id: mine for each, mine, its in words if mine != its}
        else:
            found[id] = said
    return found


@cache
def boards() -> list[tuple[tuple[str, Any], ...]]:
    """The boards that rulesets are played on, with where their men start: some rows of so many squares."""
    every = map(load_ruleset, ruleset_ids())
    pairs = (tuple((rule, ruleset.values[rule]) for rule in BOARD) for ruleset in every)
    return [board for board in dict.fromkeys(pairs) if isinstance(dict(board)[BOARD[1]], int)]


def elsewhere(ruleset: Ruleset) -> list[Mutant]:
    """A ruleset on the board of every other; none for one whose board has doors, or men on squares of their own."""
    if "trapdoors.layout" in ruleset.values or not isinstance(ruleset.values[BOARD[1]], int):
        return []
    made = (mutant_of(ruleset.base, ruleset.values, board) for board in boards())
    return [mutant for mutant in made if mutant and mutant.values != ruleset.values]


def changed(ruleset: Ruleset) -> list[Mutant]:
    """A game with each single rule changed that a player can tell."""
    return [mutant for mutant in single(ruleset) if UNTOLD not in mutant.rules_changed]
