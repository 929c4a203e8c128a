"""Loading and selecting the cases in `cases/`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase, translate
from functools import cache
from pathlib import Path

from damspec import Reading, Ruleset, RulesetError, data, ruleset_ids
from damspec.inheritance import RulesetName
from damspec.vocabulary import affects

from .adapt import AdaptedCases, adapt_cases
from .case import TOPICS, Case, Expectation, case_of, check_legible

__all__ = [
    "TOPICS",
    "Case",
    "Expectation",
    "SetAside",
    "adapted_cases",
    "cases_folder",
    "cases_for",
    "cases_of",
    "inherited_cases",
    "names",
    "parents",
    "read_cases",
    "select",
    "set_aside",
]


@dataclass(frozen=True)
class SetAside:
    """Glob patterns of the ids of cases that a ruleset does not inherit, and the reason."""

    because: str
    patterns: tuple[str, ...]


def cases_folder() -> Path:
    """Return the folder of the cases."""
    return data.root() / "cases"


def names() -> list[str]:
    """Return the ids that can have cases: the shipped rulesets, and those under overlays that have some."""
    overlaid = (path.name for path in cases_folder().iterdir() if "+" in path.name)
    return [*ruleset_ids(), *sorted(overlaid)]


@cache
def cases_of(id: str) -> tuple[Case, ...]:
    """Return the cases of a ruleset's id, by topic, in the order of the files. Raises FileError."""
    found: list[Case] = []
    for topic in TOPICS:
        path = cases_folder() / id / f"{topic}.yaml"
        if path.exists():
            found += read_cases(path)
    return tuple(found)


def read_cases(path: Path) -> list[Case]:
    """Read the cases of one file, checking that it is well-formed and legible. Raises FileError."""
    content = data.load_yaml(path)
    data.check(content, "cases", data.path_text(path))
    cases = [case_of(entry, content, path) for entry in content["cases"]]
    for case in cases:
        check_legible(case)
    return cases


@cache
def set_aside(path: Path) -> Mapping[str, tuple[SetAside, ...]]:
    """Return the inherited cases set aside for each ruleset; empty if there is no file. Raises FileError."""
    if not path.exists():
        return {}
    content = data.load_yaml(path)
    data.check(content, "inherited", data.path_text(path))
    return {
        id: tuple(SetAside(entry["because"], tuple(entry["cases"])) for entry in entries)
        for id, entries in content["without"].items()
    }


def parents(ruleset: Ruleset) -> list[str]:
    """Return the ids of the rulesets that a ruleset has the cases of: those it extends, also under its overlays."""
    found = [*ruleset.family]
    for name in names() if ruleset.overlays else ():
        parts = RulesetName.parse(name)
        if parts.overlays and name != ruleset.base and {*parts.overlays} <= {*ruleset.overlays}:
            found += [name] if parts.base in ruleset.family else []
    return found


@cache
def inherited_cases(ruleset: Ruleset) -> tuple[Case, ...]:
    """Return the cases of the rulesets that a ruleset extends, without those set aside for it or its parents.

    Expectations under other readings are kept if the reading is one of this ruleset too.
    """
    aside = set_aside(cases_folder() / "inherited.yaml")
    patterns = [
        pattern for id in (*ruleset.family, ruleset.base) for each in aside.get(id, ()) for pattern in each.patterns
    ]
    is_aside = re.compile("|".join(map(translate, patterns)) or "(?!)").match
    about = {f"{reading.key}={word}" for reading in ruleset.readings for word in reading.alternatives}
    return tuple(
        replace(case, otherwise={q: e for q, e in case.otherwise.items() if about.issuperset(q.split("&"))})
        for parent in parents(ruleset)
        for case in cases_of(parent)
        if not is_aside(case.id)
    )


def cases_for(ruleset: Ruleset) -> list[Case]:
    """Return the cases to check a ruleset with: its own, and those of the rulesets it extends.

    Under a reading, a case that depends on it has its expectation for that alternative, and is left out if it has none.
    A file of your own has its cases as `adapted_cases` does. Raises RulesetError if there are none.
    """
    cases = _cases(ruleset)
    if ruleset.shipped:
        return under_reading(ruleset, cases)
    by_its_rules = adapted_cases(ruleset)
    if not by_its_rules.cases:
        raise RulesetError(f"no cases for {ruleset.id}: none of the {len(cases)} inherited can be by its rules")
    return list(by_its_rules.cases)


def for_ruleset(found: Sequence[tuple[Case, tuple[str, ...]]], ruleset: Ruleset) -> list[Case]:
    """Return the cases for a ruleset: its own, those of the rulesets it extends, and those explicitly for it.

    Under a reading they are adjusted as by `cases_for`, except those explicitly for the ruleset under that reading.
    """
    if under := [case for case, ids in found if "?" in ruleset.id and ruleset.id in ids]:
        return under
    mine = {*parents(ruleset), ruleset.base}
    cases = [case for case, ids in found if (ruleset.base in ids if ids else case.ruleset in mine)]
    return under_reading(ruleset, cases)


def under_reading(ruleset: Ruleset, cases: list[Case]) -> list[Case]:
    """Return cases as they hold under the ruleset's reading, if any, without those that do not. Raises RulesetError."""
    query = ruleset.id.partition("?")[2]
    if not query:
        return cases
    if "&" in query:
        raise RulesetError(f"found the readings {query!r}: the cases hold under one other reading at a time")
    ((reading, word),) = ruleset.readings_in(query)
    return [held for case in cases if (held := _under(case, query, reading, word))]


@cache
def adapted_cases(ruleset: Ruleset) -> AdaptedCases:
    """Return the cases for a file of your own: inherited ones, re-answered by the reference where its rules differ.

    A ruleset under overlays also has its own cases, derived by people, under at most one other reading.
    """
    if "+" not in ruleset.base:
        return adapt_cases(ruleset, _cases(ruleset))
    found = adapt_cases(ruleset, inherited_cases(ruleset))
    own = under_reading(ruleset, [*cases_of(ruleset.base)]) if "&" not in ruleset.id else []
    return replace(found, cases=(*own, *found.cases), own=len(own))


def _cases(ruleset: Ruleset) -> list[Case]:
    """Return the cases of a ruleset and of those it extends, under no other reading. Raises RulesetError."""
    cases = [*cases_of(ruleset.base), *inherited_cases(ruleset)]
    if not cases:
        extend = "" if ruleset.shipped or ruleset.family else "; a file of your own has those of what it extends"
        raise RulesetError(f"no cases for ruleset {ruleset.base!r} in {data.path_text(cases_folder())}/{extend}")
    return cases


def _under(case: Case, query: str, reading: Reading, word: str) -> Case | None:
    """Return a case under another reading; None if its answer depends on that and the case does not say how.

    A case depends on readings it names, on those not of its own ruleset, and on the board. An alternative that changes
    no rule leaves every answer as it is.
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
    """Return the cases whose id matches any of the patterns and whose topic is one of `topics`; without either, all.

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
