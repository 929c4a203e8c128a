"""The pages of the rules, one for each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from damspec import DIRECTIONS
from damspec.vocabulary import Rule, Term, directions_worded, glossary, groups, vocabulary, worded

from . import links
from .comparisons import Comparisons
from .library import Library, alike
from .pages import SECTIONS, Page

_ARROWS = dict(zip(DIRECTIONS, "↖↑↗←→↙↓↘", strict=True))


@dataclass(frozen=True)
class Value:
    """A value of a rule, in short and in words, and the rulesets that have it; `None` where there is no such rule."""

    value: Any
    short: str
    spoken: str
    says: str
    rulesets: list[str]


def short(value: Any) -> tuple[str, str]:
    """A value as a table shows it, and as a screen reader says it where the signs are not clear."""
    if value is None:
        return "–", "no such rule"
    if isinstance(value, Mapping):
        return "; ".join(f"{key}: {short(given)[0]}" for key, given in value.items()), ""
    if isinstance(value, list | tuple):
        if value and set(value) <= set(DIRECTIONS):
            return "".join(_ARROWS[direction] for direction in value), directions_worded(value)
        return ", ".join(_runs(value)) or "none", ""
    return str(value), ""


def _runs(values: Sequence[Any]) -> Iterator[str]:
    """The entries of a list; numbers that follow one another as one."""
    left = list(values)
    while left:
        first, number = left[0], 1
        while isinstance(first, int) and number < len(left) and left[number] == first + number:
            number += 1
        yield str(first) if number < 3 else f"{first}–{left[number - 1]}"
        del left[: 1 if number < 3 else number]


def pages(library: Library, comparisons: Comparisons) -> Iterator[Page]:
    """The list of rules, and each rule with the positions that show it."""
    yield Page(
        "rules/index.html",
        "rules.html",
        "Rules",
        "The questions that games answer, in groups.",
        "rules",
        given={"groups": groups()},
    )
    for rule in vocabulary().values():
        yield _page(library, rule, comparisons)


def _page(library: Library, rule: Rule, comparisons: Comparisons) -> Page:
    found = alike({id: ruleset.values.get(rule.name) for id, ruleset in library.rulesets.items()})
    given = {
        "rule": rule,
        "headings": [(library.documents[id].language, text) for id, text in rule.heading.items()],
        "values": [Value(value, *short(value), worded(rule.name, value), ids) for value, ids in found],
        "unused": _unused(rule, [value for value, _ in found]),
        "shown": comparisons.showing(rule.name),
        "terms": _terms(rule),
        "documents": library.documents,
        "readings": [reading for reading in library.readings.values() if _sets(reading, rule.name)],
        "rulesets": library.rulesets,
    }
    return Page(links.rule(rule.name), "rule.html", rule.title, rule.asks, "rules", (SECTIONS["rules"],), (), given)


def _unused(rule: Rule, values: list[Any]) -> list[tuple[str, str]]:
    """The values that the language has and no ruleset uses."""
    there = {str(value) for value in values}
    return [(value, says) for value, says in rule.values.items() if value not in there]


def _sets(reading: Any, rule: str) -> bool:
    return any(rule in alternative.set for alternative in reading.alternatives.values())


def _terms(rule: Rule) -> list[Term]:
    return [glossary()[head] for head in rule.terms]
