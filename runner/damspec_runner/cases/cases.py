"""The cases: loading them from `cases/`, choosing some, and putting all in one bundle."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

from damspec import Outcome, Reading, Ruleset, RulesetError, data, load_ruleset, ruleset_ids
from damspec.vocabulary import affects

from .case import Case, Expectation
from .legible import check_legible
from .own import Adapted, adapted
from .writing import bundled

__all__ = [
    "TOPICS",
    "Case",
    "Expectation",
    "SetAside",
    "adapted_cases",
    "bundle",
    "cases_for",
    "cases_of",
    "folder",
    "inherited",
    "names",
    "read_cases",
    "select",
    "set_aside",
]

TOPICS: tuple[str, ...] = tuple(data.schema("cases")["$defs"]["topic"]["enum"])


@dataclass(frozen=True)
class SetAside:
    """Cases that a ruleset does not inherit, by glob patterns of their ids, and why."""

    because: str
    patterns: tuple[str, ...]


def folder() -> Path:
    """Where the cases are."""
    return data.root() / "cases"


def names() -> list[str]:
    """The rulesets that can have cases of their own: all that are shipped, and those under overlays that have some."""
    overlaid = (path.name for path in folder().iterdir() if "+" in path.name)
    return [*ruleset_ids(), *sorted(overlaid)]


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
    """The cases of one file, its form checked, and that every position and action can be read. Raises FileError."""
    content = data.load_yaml(path)
    where = data.shown(path)
    data.check(content, "cases", where)
    check_legible(content, where)
    return [case_of(entry, content, path) for entry in content["cases"]]


@cache
def set_aside(path: Path) -> Mapping[str, tuple[SetAside, ...]]:
    """For each ruleset the inherited cases that are set aside; none if there is no file. Raises FileError."""
    if not path.exists():
        return {}
    content = data.load_yaml(path)
    data.check(content, "inherited", data.shown(path))
    return {
        id: tuple(SetAside(entry["because"], tuple(entry["cases"])) for entry in entries)
        for id, entries in content["without"].items()
    }


def inherited(ruleset: Ruleset) -> list[Case]:
    """The cases of the rulesets that a ruleset extends, without those set aside for it or for one that it extends.

    What they expect under other readings is kept where the reading is about this ruleset too.
    """
    aside = set_aside(folder() / "inherited.yaml")
    patterns = [
        pattern for id in (*ruleset.family, ruleset.base) for each in aside.get(id, ()) for pattern in each.patterns
    ]
    about = {f"{reading.key}={word}" for reading in ruleset.readings for word in reading.alternatives}
    return [
        replace(case, otherwise={q: e for q, e in case.otherwise.items() if about.issuperset(q.split("&"))})
        for parent in ruleset.family
        for case in cases_of(parent)
        if not any(fnmatchcase(case.id, pattern) for pattern in patterns)
    ]


def cases_for(ruleset: Ruleset) -> list[Case]:
    """The cases to check a ruleset with: its own, and those of the rulesets it extends.

    Under a reading, a case that depends on it has the expectation it gives for that alternative, and is left out
    where it gives none. A file of your own has them as `adapted_cases` does.
    """
    cases = _cases(ruleset)
    if ruleset.shipped:
        return under_reading(ruleset, cases)
    by_its_rules = adapted_cases(ruleset)
    if not by_its_rules.cases:
        raise RulesetError(f"no cases for {ruleset.id}: none of the {len(cases)} inherited can be by its rules")
    return list(by_its_rules.cases)


def under_reading(ruleset: Ruleset, cases: list[Case]) -> list[Case]:
    """Cases as they hold under the reading of a ruleset, if it has one; those that hold no more are left out."""
    query = ruleset.id.partition("?")[2]
    if not query:
        return cases
    if "&" in query:
        raise RulesetError(f"found the readings {query!r}: the cases hold under one other reading at a time")
    ((reading, word),) = ruleset.readings_in(query)
    return [held for case in cases if (held := _under(case, query, reading, word))]


@cache
def adapted_cases(ruleset: Ruleset) -> Adapted:
    """The cases for a file of your own: those it inherits, with the reference's answers where its rules change them.

    A ruleset under overlays has its own cases besides, as people derived them; under one other reading at most.
    """
    if "+" not in ruleset.base:
        return adapted(ruleset, _cases(ruleset))
    found = adapted(ruleset, inherited(ruleset))
    own = under_reading(ruleset, [*cases_of(ruleset.base)]) if "&" not in ruleset.id else []
    return replace(found, cases=(*own, *found.cases), own=len(own))


def _cases(ruleset: Ruleset) -> list[Case]:
    """The cases of a ruleset and of those it extends, as they are without another reading."""
    cases = [*cases_of(ruleset.base), *inherited(ruleset)]
    if not cases:
        extend = "" if ruleset.shipped or ruleset.family else "; a file of your own has those of what it extends"
        raise RulesetError(f"no cases for ruleset {ruleset.base!r} in {data.shown(folder())}/{extend}")
    return cases


def _under(case: Case, query: str, reading: Reading, word: str) -> Case | None:
    """A case under another reading; None if its answer depends on that and it does not say how.

    It depends on a reading that it names, on one that is none of its own ruleset's, and on the board. An alternative
    that changes no rule, the one chosen or the same, leaves every answer as it is.
    """
    if query in case.otherwise:
        return replace(case, expected=case.otherwise[query], otherwise={})
    changes = reading.alternatives[word].set
    if not changes:
        return replace(case, otherwise={})
    other_board = any("board" in affects(rule) for rule in changes)
    depends = reading.id in case.readings or case.ruleset not in reading.rulesets or other_board
    return None if depends else replace(case, otherwise={})


def select(cases: Iterable[Case], patterns: Iterable[str], topics: Iterable[str]) -> list[Case]:
    """The cases whose id matches one of the patterns (any, if none) and whose topic is one of those named.

    A pattern is a glob for the whole id, or without `*`, `?` and `[` a part of it.
    """
    patterns, topics = tuple(patterns), tuple(topics)
    return [
        case
        for case in cases
        if (not patterns or any(_matches(case.id, pattern) for pattern in patterns))
        and (not topics or case.topic in topics)
    ]


def _matches(id: str, pattern: str) -> bool:
    return fnmatchcase(id, pattern) if any(sign in pattern for sign in "*?[") else pattern in id


def bundle() -> dict[str, Any]:
    """All cases, each with the rulesets it is for, and the values of all rules (schemas/bundle.schema.json)."""
    every = [load_ruleset(name) for name in names()]
    played: dict[str, list[str]] = defaultdict(list)
    for ruleset in every:
        own = cases_of(ruleset.id)
        for case in cases_for(ruleset) if own and ruleset.shipped else own:
            played[case.id].append(ruleset.id)
    return bundled(every, ((case, played[case.id]) for ruleset in every for case in cases_of(ruleset.id)))


def case_of(entry: Mapping[str, Any], content: Mapping[str, Any], path: Path) -> Case:
    """A case as a file has it; `content` says its ruleset, and its topic if its id does not."""
    return Case(
        id=entry["id"],
        ruleset=content["ruleset"],
        topic=content.get("topic") or entry["id"].split(".")[1],
        why=entry["why"],
        clauses=tuple(entry["clauses"]),
        position=entry["position"],
        expected=_expectation(entry),
        readings=tuple(entry.get("readings", ())),
        otherwise={pair: _expectation(given) for pair, given in entry.get("otherwise", {}).items()},
        tags=tuple(entry.get("tags", ())),
        generated=entry.get("generated"),
        reached=tuple(entry.get("reached", ())),
        history=tuple(entry.get("history", ())),
        file=path,
    )


def _expectation(entry: Mapping[str, Any]) -> Expectation:
    return Expectation(
        moves=entry.get("moves"),
        lapses=entry.get("lapses"),
        outcome=Outcome(**entry["outcome"]) if "outcome" in entry else None,
        game=tuple(next(iter(step.items())) for step in entry.get("game", ())),
        end=Outcome(**entry["end"]) if "end" in entry else None,
    )
