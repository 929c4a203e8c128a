"""Making the record of the smallest positions that tell the rulesets shipped apart (cases/witnesses.yaml)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import yaml

from damspec import Ruleset, load_ruleset, ruleset_ids

from ..variants.differences import common
from ..variants.effects import in_no_position
from .compared import compared
from .smallest import PairSearch
from .survey import Survey
from .witness import candidates, each_with_each, entries_of

_HEADER = """\
# The smallest position found for each rule in which two rulesets differ: any two of those under `each-with-each`, and
# every other ruleset with the one nearest to it. Made by `damspec diff --record`; schemas/witnesses.schema.json says
# what the keys mean.
"""


def record(tell: Callable[[str], None]) -> dict[str, Any]:
    """Search for the rulesets shipped that are compared, on every board that suits both: what the record holds."""
    grouped: dict[str, list[dict[str, Any]]] = {"witnesses": [], "none": []}
    for size, here in _boards().items():
        survey = Survey(list(here.values()), tell)
        pairs = _pairs_on(size, here)
        searches = [(PairSearch(here[alike[0][0]], here[alike[0][1]], survey), alike) for alike in pairs]
        for place, (search, alike) in enumerate(searches):
            tell(f"{size}: {place + 1} of {len(searches)}, {' and '.join(alike[0])}")
            search.exhaust()
        given = [*candidates(survey), *(aim.best.position for s, _ in searches for aim in s.aims.values() if aim.best)]
        for place, (search, alike) in enumerate(searches):
            tell(f"{size}: {place + 1} of {len(searches)} again, {' and '.join(alike[0])}")
            search.among(given)
            search.by_chance()
            search.beside(given)
            for rule, entry in entries_of(search).items():
                _put(
                    grouped["witnesses" if "position" in entry else "none"],
                    {"rule": rule, "board": size} | entry,
                    alike,
                )
    return {"each-with-each": list(each_with_each()), **grouped}


def _boards() -> dict[str, dict[str, Ruleset]]:
    """For each board the shipped rulesets that can be played on it."""
    every = [load_ruleset(id) for id in ruleset_ids()]
    found: dict[str, dict[str, Ruleset]] = {}
    for host in every:
        if host.values["board.size"] not in found:
            here = found[host.values["board.size"]] = {}
            for ruleset in every:
                first, moved = common([host, ruleset])
                if first is host:
                    here[ruleset.id] = moved
    return found


def _pairs_on(size: str, here: Mapping[str, Ruleset]) -> list[list[tuple[str, str]]]:
    """The pairs that are compared on a board; pairs with the same rules are put together."""
    alike: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for one in here:
        for other in here:
            if (
                one < other
                and compared(one, other)
                and any(
                    common([load_ruleset(a), load_ruleset(b)])[0].values["board.size"] == size
                    for a, b in ((one, other), (other, one))
                )
            ):
                alike[repr(sorted((_rules(here[one]), _rules(here[other]))))].append((one, other))
    return [pairs for pairs in alike.values() if _rules(here[pairs[0][0]]) != _rules(here[pairs[0][1]])]


def _rules(ruleset: Ruleset) -> str:
    """The values that a position can show, to be compared."""
    return repr(sorted((rule, value) for rule, value in ruleset.values.items() if not in_no_position(rule)))


def _put(entries: list[dict[str, Any]], entry: dict[str, Any], pairs: Iterable[tuple[str, str]]) -> None:
    """Add an entry for some pairs; if an equal entry is there, add the pairs to that."""
    same = next((e for e in entries if {**e, "between": 0} == {**entry, "between": 0}), None)
    if same is None:
        entries.append(same := {**entry, "between": {}})
    for one, other in pairs:
        same["between"].setdefault(one, []).append(other)


def written(content: Mapping[str, Any]) -> str:
    """The record as the text of its file."""
    return _HEADER + yaml.safe_dump(content, sort_keys=False, default_flow_style=None, width=160)
