"""The cases: loading them from `cases/`, choosing some, and putting all in one bundle."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

from damspec import Ruleset, RulesetError, data, ruleset, ruleset_ids
from damspec.readings import readings_of
from damspec.version import __version__

TOPICS: tuple[str, ...] = tuple(data.schema("cases")["$defs"]["topic"]["enum"])


@dataclass(frozen=True)
class Outcome:
    """The expected end: `result` as the protocol names it, `reason` a word of ours that is not compared."""

    result: str
    reason: str | None = None


@dataclass(frozen=True)
class Expectation:
    """What to expect: the moves, each with the position after it, or the outcome."""

    moves: Mapping[str, str] | None = None
    outcome: Outcome | None = None


@dataclass(frozen=True)
class Case:
    """One position with the answer to expect; `file` is where it stands."""

    id: str
    ruleset: str
    topic: str
    why: str
    clauses: tuple[str, ...]
    position: str
    expected: Expectation
    readings: tuple[str, ...] = ()
    otherwise: Mapping[str, Expectation] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    generated: str | None = None
    file: Path = Path()

    @property
    def question(self) -> str:
        """The question it asks first: `moves` or `outcome`."""
        return "outcome" if self.expected.outcome else "moves"


def folder() -> Path:
    """Where the cases are."""
    return data.root() / "cases"


@cache
def cases_of(id: str) -> tuple[Case, ...]:
    """The cases of a ruleset's id, by topic, in the order of the files. Raises FileError for a malformed file."""
    found: list[Case] = []
    for topic in TOPICS:
        path = folder() / id / f"{topic}.yaml"
        if path.exists():
            found += read_cases(path)
    return tuple(found)


def read_cases(path: Path) -> list[Case]:
    """The cases of one file, its form checked."""
    content = data.load_yaml(path)
    where = data.shown(path)
    data.check(content, "cases", where)
    return [_case(entry, content, path) for entry in content["cases"]]


def cases_for(rules: Ruleset) -> list[Case]:
    """The cases to check a ruleset with.

    Under a reading, a case that depends on it has the expectation it gives for that alternative, and is left out
    where it gives none.
    """
    cases = cases_of(rules.base)
    if not cases:
        raise RulesetError(f"no cases for ruleset {rules.base!r} in {data.shown(folder())}/")
    query = rules.id.partition("?")[2]
    if not query:
        return list(cases)
    if "&" in query:
        raise RulesetError(f"found the readings {query!r}: the cases hold under one other reading at a time")
    ((reading, _),) = readings_of(rules.base, query)
    touched = (case if reading.id not in case.readings else _under(case, query) for case in cases)
    return [case for case in touched if case]


def _under(case: Case, query: str) -> Case | None:
    """A case under another reading that it depends on; None if it does not say what to expect."""
    if query not in case.otherwise:
        return None
    return replace(case, expected=case.otherwise[query], otherwise={})


def select(cases: Iterable[Case], patterns: Iterable[str], topics: Iterable[str]) -> list[Case]:
    """The cases whose id matches one of the glob patterns (any, if none) and whose topic is one of those named."""
    patterns, topics = tuple(patterns), tuple(topics)
    return [
        case
        for case in cases
        if (not patterns or any(fnmatchcase(case.id, pattern) for pattern in patterns))
        and (not topics or case.topic in topics)
    ]


def bundle() -> dict[str, Any]:
    """All cases and the values of all rules as one JSON document (schemas/bundle.schema.json)."""
    return {
        "damspec": 1,
        "version": __version__,
        "rulesets": {id: dict(ruleset(id).values) for id in ruleset_ids()},
        "cases": [_entry(case) for id in ruleset_ids() for case in cases_of(id)],
    }


def _case(entry: Mapping[str, Any], content: Mapping[str, Any], path: Path) -> Case:
    return Case(
        id=entry["id"],
        ruleset=content["ruleset"],
        topic=content["topic"],
        why=entry["why"],
        clauses=tuple(entry["clauses"]),
        position=entry["position"],
        expected=_expectation(entry),
        readings=tuple(entry.get("readings", ())),
        otherwise={pair: _expectation(given) for pair, given in entry.get("otherwise", {}).items()},
        tags=tuple(entry.get("tags", ())),
        generated=entry.get("generated"),
        file=path,
    )


def _expectation(entry: Mapping[str, Any]) -> Expectation:
    outcome = Outcome(**entry["outcome"]) if "outcome" in entry else None
    return Expectation(moves=entry.get("moves"), outcome=outcome)


def _entry(case: Case) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "id": case.id,
        "ruleset": case.ruleset,
        "topic": case.topic,
        "why": case.why,
        "clauses": list(case.clauses),
        "position": case.position,
        **_expected_entry(case.expected),
        "readings": list(case.readings),
        "otherwise": {pair: _expected_entry(given) for pair, given in case.otherwise.items()},
        "tags": list(case.tags),
        "generated": case.generated,
    }
    return {key: value for key, value in entry.items() if value or key == "moves"}


def _expected_entry(expected: Expectation) -> dict[str, Any]:
    if expected.outcome:
        return {"outcome": {k: v for k, v in vars(expected.outcome).items() if v}}
    return {"moves": dict(expected.moves or {})}
