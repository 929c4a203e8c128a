"""The documents' clauses, and the readings of what they leave unclear (spec/sources/, spec/readings/)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal

from . import data
from .data import FrozenDict, freeze
from .errors import RulesetError, quote_value
from .rules import expand_directions
from .vocabulary import vocabulary


@dataclass(frozen=True)
class Clause:
    """One sentence or article of a document, paraphrased, with the rules and readings based on it."""

    id: str
    document: str
    class_: Literal["normative", "definition", "setup", "equipment", "informative", "out-of-scope"]
    term: str
    says: str
    line: int | None = None
    sentence: int | None = None
    article: str | None = None
    rules: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()
    conduct: bool = False
    none: str | None = None
    beyond: Literal["openings", "time"] | None = None
    note: str | None = None


@dataclass(frozen=True)
class Alternative:
    """One way to read a document: the rule values it sets, or why no value can express it.

    Or why it comes to the `same` as the chosen one. The chosen alternative has none of these. `because` classes the
    reason why an alternative is inexpressible; spec/README.md defines the words.
    """

    says: str
    set: Mapping[str, Any] = FrozenDict()
    inexpressible: str | None = None
    because: Literal["history", "hands", "chance", "not-a-rule", "undefined", "vocabulary"] | None = None
    same: str | None = None


@dataclass(frozen=True)
class Reading:
    """A question that the documents leave open, its alternatives, and the one chosen."""

    id: str
    key: str
    rulesets: tuple[str, ...]
    clauses: tuple[str, ...]
    question: str
    alternatives: Mapping[str, Alternative]
    chosen: str
    why: str
    confidence: Literal["high", "medium", "low"]
    note: str | None = None


@cache
def load_clauses() -> Mapping[str, Clause]:
    """Load every clause of every document, by id."""
    found: dict[str, Clause] = {}
    for path in sorted((data.root() / "spec" / "sources").glob("*.yaml")):
        content = data.load_yaml(path, "source")
        for entry in content["clauses"]:
            if entry["id"] in found:
                raise RulesetError(f"{data.path_text(path)}: clause {entry['id']!r} given twice")
            found[entry["id"]] = Clause(
                document=content["id"],
                class_=entry["class"],
                **{key: freeze(value) for key, value in entry.items() if key != "class"},
            )
    return FrozenDict(found)


@cache
def load_readings() -> tuple[Reading, ...]:
    """Load every reading of spec/readings/, in the order of the files.

    Whether the clauses they name exist is left to `check_shipped`.
    """
    found: tuple[Reading, ...] = ()
    for path in sorted((data.root() / "spec" / "readings").glob("*.yaml")):
        found += read_readings(data.load_yaml(path, "readings")["readings"], data.path_text(path), found)
    return found


def read_readings(entries: Iterable[Mapping[str, Any]], where: str, before: Sequence[Reading]) -> tuple[Reading, ...]:
    """Parse the readings of a file; `where` names it, and `before` are the readings already loaded.

    Raises RulesetError or FileError for a reading that is malformed or repeats an id or a key.
    """
    found: list[Reading] = []
    for entry in entries:
        reading = Reading(
            **{key: freeze(value) for key, value in entry.items() if key != "alternatives"},
            alternatives=FrozenDict(
                {word: Alternative(**freeze(given)) for word, given in entry["alternatives"].items()}
            ),
        )
        _check(reading, where)
        reading = _expand_alternatives(reading, where)
        for other in (*before, *found):
            if other.id == reading.id:
                raise RulesetError(f"{where}: reading {reading.id!r} given twice")
            if other.key == reading.key and set(other.rulesets) & set(reading.rulesets):
                raise RulesetError(f"{where}: {reading.id}.key: found {reading.key!r}, which {other.id} has already")
        found.append(reading)
    return tuple(found)


def check_clauses(reading: Reading, where: str) -> None:
    """Raise RulesetError if a reading names a clause that does not exist; `where` names its file."""
    unknown = [clause for clause in reading.clauses if clause not in load_clauses()]
    if unknown:
        raise RulesetError(f"{where}: {reading.id}.clauses: no clause {unknown[0]!r}")


def readings_of(id: str, about: Iterable[Reading], query: str) -> list[tuple[Reading, str]]:
    """Return the readings selected by the query `key=alternative&...`, each with the name of its alternative.

    `about` are the readings of the ruleset `id`. Raises RulesetError for an unknown key or alternative, and for a key
    given twice.
    """
    found: dict[str, tuple[Reading, str]] = {}
    by_key = {reading.key: reading for reading in about}
    for pair in query.split("&") if query else ():
        reading, word = _find_reading(id, by_key, pair)
        if reading.key in found:
            raise RulesetError(f"found {quote_value(query)}, which gives reading {reading.key!r} twice")
        found[reading.key] = reading, word
    return list(found.values())


def _find_reading(id: str, about: Mapping[str, Reading], pair: str) -> tuple[Reading, str]:
    key, sign, word = pair.partition("=")
    if not sign or not word:
        raise RulesetError(f"found {quote_value(pair)}, expected a reading of {id} and an alternative: key=alternative")
    if key not in about:
        raise RulesetError(f"{id} has no reading {quote_value(key)}{data.nearest(key, list(about))}")
    words = list(about[key].alternatives)
    if word not in words:
        raise RulesetError(f"reading {key!r} of {id} has no alternative {quote_value(word)}{data.nearest(word, words)}")
    return about[key], word


def _check(reading: Reading, where: str) -> None:
    """Raise an error unless the chosen alternative exists and sets nothing, and every other is complete.

    Each other alternative must either set rules or say why it does not.
    """
    if reading.chosen not in reading.alternatives:
        raise RulesetError(
            f"{where}: {reading.id}.chosen: found {reading.chosen!r},"
            f" expected one of {', '.join(map(repr, reading.alternatives))}"
        )
    for word, alternative in reading.alternatives.items():
        place = f"{where}: {reading.id}.alternatives.{word}"
        if word == reading.chosen:
            if alternative.set or alternative.inexpressible or alternative.same:
                raise RulesetError(f"{place}: the chosen alternative has none of 'set', 'inexpressible' and 'same'")
        elif sum(map(bool, (alternative.set, alternative.inexpressible, alternative.same))) != 1:
            raise RulesetError(f"{place}: expected exactly one of 'set', 'inexpressible' and 'same'")
        unknown = [rule for rule in alternative.set if rule not in vocabulary()]
        if unknown:
            raise RulesetError(f"{place}.set: no rule {unknown[0]!r}{data.nearest(unknown[0], list(vocabulary()))}")
        wrong = data.problem_of_values(alternative.set)
        if wrong:
            raise data.FileError(f"{place}: {wrong}")


def _expand_alternatives(reading: Reading, where: str) -> Reading:
    """Return the reading with the direction shorthands in its alternatives expanded."""
    alternatives = {
        word: replace(
            given, set=freeze(expand_directions(given.set, f"{where}: {reading.id}.alternatives.{word}.set."))
        )
        for word, given in reading.alternatives.items()
    }
    return replace(reading, alternatives=FrozenDict(alternatives))
