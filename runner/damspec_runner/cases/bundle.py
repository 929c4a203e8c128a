"""Bundles: cases as one JSON file, for suites that use nothing else of this project (docs/bundle.md)."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

from damspec import Position, Ruleset, load_ruleset
from damspec.board import Board, board_of
from damspec.version import __version__

from .case import Case, Expectation
from .case_files import answer_entry, case_entry
from .cases import cases_for, cases_of, names


def bundle_all() -> dict[str, Any]:
    """Return a bundle of all cases, each with the rulesets it is for."""
    every = [load_ruleset(name) for name in names()]
    played: dict[str, list[str]] = defaultdict(list)
    for ruleset in every:
        own = cases_of(ruleset.id)
        for case in cases_for(ruleset) if own and ruleset.shipped else own:
            played[case.id].append(ruleset.id)
    return make_bundle(every, ((case, played[case.id]) for ruleset in every for case in cases_of(ruleset.id)))


def bundle_ruleset(ruleset: Ruleset) -> dict[str, Any]:
    """Return a bundle of the cases of one ruleset, or of a ruleset under a reading. Raises RulesetError."""
    return make_bundle([ruleset], ((case, [ruleset.id]) for case in cases_for(ruleset)))


def make_bundle(rulesets: Iterable[Ruleset], cases: Iterable[tuple[Case, Iterable[str]]]) -> dict[str, Any]:
    """Build a bundle (schemas/bundle.schema.json): the values of all rules, and the cases with their rulesets.

    Each answer expected under another reading is an entry of its own, behind that of the case.
    """
    known = {ruleset.id: ruleset for ruleset in rulesets}
    return {
        "damspec": 1,
        "version": __version__,
        "rulesets": {id: ruleset.inline_values for id, ruleset in known.items()},
        "cases": [entry for case, ids in cases for entry in _entries(case, list(ids), known)],
    }


def bundle_text(content: Mapping[str, Any]) -> str:
    """Return the text of a bundle, with each ruleset and each case on a line of its own."""
    head = json.dumps({key: content[key] for key in ("damspec", "version")}).removesuffix("}")
    rulesets = ",\n".join(f"{json.dumps(id)}: {_line(whole)}" for id, whole in content["rulesets"].items())
    cases = ",\n".join(map(_line, content["cases"]))
    return f'{head}, "rulesets": {{\n{rulesets}\n}}, "cases": [\n{cases}\n]}}\n'


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _entries(case: Case, ids: list[str], known: Mapping[str, Ruleset]) -> Iterator[dict[str, Any]]:
    """Yield the entry of a case, and one for each other reading that changes its answer."""
    rulesets = [known.get(id) or load_ruleset(id) for id in ids]
    yield case_entry(case) | _comparison(case, rulesets[0]) | {"rulesets": ids}
    for query, expected in case.otherwise.items():
        having = [ruleset for ruleset in rulesets if _is_open(ruleset, query)]
        if having:
            other = replace(case, id=f"{case.id}?{query}", expected=expected, otherwise={})
            under = {"reading": query, "rulesets": [f"{ruleset.id}?{query}" for ruleset in having]}
            yield case_entry(other) | _comparison(other, having[0].with_reading(query)) | under


def _is_open(ruleset: Ruleset, query: str) -> bool:
    """Return whether a ruleset has all the readings of a query."""
    pairs = {f"{reading.key}={word}" for reading in ruleset.readings for word in reading.alternatives}
    return pairs.issuperset(query.split("&"))


def _comparison(case: Case, ruleset: Ruleset) -> dict[str, Any]:
    """Return the position as a FEN, which way of comparing decides, and the expected positions, squares ascending."""
    ascending = partial(_ascending, board_of(ruleset.values))
    return {
        "fen": ruleset.position().fen() if case.position == "start" else ascending(case.position),
        "compare": _way_of_comparing(case.expected),
        **answer_entry(case.expected, ascending),
    }


def _way_of_comparing(expected: Expectation) -> str:
    if expected.outcome is not None:
        return "outcome"
    if expected.game:
        return "game"
    lists = (expected.moves or {}, expected.lapses or {})
    return "positions" if all(len({*after.values()}) == len(after) for after in lists) else "moves"


@lru_cache(1 << 16)
def _ascending(board: Board, fen: str) -> str:
    """Return a FEN with the squares of each side in ascending order."""
    return Position.from_fen(fen, board).fen()
