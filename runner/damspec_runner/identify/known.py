"""The games that are known before anybody is asked: every ruleset, and each under every single other reading."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from damspec import Ruleset, load_ruleset, ruleset_ids

from ..answers.enquired import Respondent
from ..cases.enquiries import Enquiries


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
