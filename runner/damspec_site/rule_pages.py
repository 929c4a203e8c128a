"""Pages of rules: each rule, the table of all, readings, documents and changes."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from itertools import chain, groupby
from typing import Any

import yaml

from damspec import DIRECTIONS, Clause, FileError, Reading, Ruleset, data
from damspec.vocabulary import Rule, Term, glossary, groups, vocabulary, word_directions
from damspec_runner.cases.cases import Case
from damspec_runner.document.compare import root, witnesses
from damspec_runner.document.endgames import reading_effect
from damspec_runner.document.links import cases_on, plainness, values_on
from damspec_runner.document.rulebook import squares_text
from damspec_runner.document.sources import Document

from . import pages
from .boards import Side, side_by_side
from .library import SiteData, group_by_value
from .pages import File, Page, of_games, page

_ARROWS = dict(zip(DIRECTIONS, "↖↑↗←→↙↓↘", strict=True))


def short(value: Any) -> tuple[str, str]:
    """Return a value as a table shows it, and the text for screen readers if the signs are unclear."""
    if value is None:
        return "–", "no such rule"
    if isinstance(value, Mapping):
        return "; ".join(f"{key}: {short(given)[0]}" for key, given in value.items()), ""
    if isinstance(value, list | tuple):
        if value and set(value) <= set(DIRECTIONS):
            return "".join(_ARROWS[direction] for direction in value), word_directions(value)
        numbers = all(isinstance(each, int) for each in value)
        return (squares_text(value).replace("-", "–") if numbers else ", ".join(value)) or "none", ""
    return str(value), ""


def rule_pages(library: SiteData) -> Iterator[Page]:
    """Yield the list of rules, and each rule with the positions that show it."""
    yield page("rules", given={"groups": groups()})
    for rule in vocabulary().values():
        yield _rule_page(library, rule)


def _rule_page(library: SiteData, rule: Rule) -> Page:
    found = group_by_value({id: ruleset.values.get(rule.name) for id, ruleset in library.rulesets.items()})
    given = {
        "rule": rule,
        "group": next(group for group in groups() if group.id == rule.group),
        "headings": [(library.documents[id].language, text) for id, text in rule.heading.items()],
        "values": found,
        "short": short,
        "unused": {value: says for value, says in rule.values.items() if value not in {str(used) for used, _ in found}},
        "shown": [*witnesses(rule.name)],
        "terms": [glossary()[head] for head in rule.terms],
        "readings": [
            reading
            for reading in library.readings.values()
            if any(rule.name in alternative.set for alternative in reading.alternatives.values())
        ],
    }
    return page("rule", rule.name, names=(rule.title, rule.asks), given=given)


@dataclass(frozen=True)
class RuleRow:
    """A rule in the table of all games: the number of each game's value among those that differ.

    `others` are how many other values there are in a family, by its first game.
    """

    rule: Rule
    kinds: Mapping[str, int]
    others: Mapping[str, int]


def rule_table_pages(library: SiteData) -> Iterator[Page | File]:
    """Yield the table of all rules, the style that hides unchosen columns, and the table to download."""
    families: dict[str, list[Ruleset]] = {id: [library.rulesets[id]] for id in library.rulesets if root(id) == id}
    for id, ruleset in library.rulesets.items():
        if id not in families:
            families[root(id)].append(ruleset)
    given = {
        "families": families,
        "short": short,
        "groups": [(group, [_row(rule, families) for rule in group.rules]) for group in groups()],
    }
    yield page("matrix", given=given)
    yield File(pages.COLUMNS, _style(chain(*families.values())).encode())
    yield File(pages.TABLE, table(library).encode())


def _row(rule: Rule, families: Mapping[str, Sequence[Ruleset]]) -> RuleRow:
    found = group_by_value({game.id: game.values.get(rule.name) for game in chain(*families.values())})
    kinds = {id: kind for kind, (_, ids) in enumerate(found) for id in ids}
    return RuleRow(rule, kinds, {id: len({kinds[game.id] for game in games}) - 1 for id, games in families.items()})


def table(library: SiteData) -> str:
    """Return all rules as CSV: name, title, then a column for each game, with values as in YAML."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["rule", "title", *library.rulesets])
    for rule in vocabulary().values():
        values = [ruleset.values.get(rule.name) for ruleset in library.rulesets.values()]
        writer.writerow([rule.name, rule.title, *("" if value is None else _as_yaml(value) for value in values)])
    return text.getvalue()


def _style(columns: Iterable[Ruleset]) -> str:
    hidden = [
        f"main:has(#game-{ruleset.id}:not(:checked)) .matrix:not(.paper) tr > :nth-child({place}):not([colspan])"
        for place, ruleset in enumerate(columns, 2)
    ]
    return ",\n".join(hidden) + " { display: none; }\n"


def _as_yaml(value: Any) -> str:
    plain = json.loads(json.dumps(value))
    return yaml.safe_dump(plain, default_flow_style=True, width=10_000, sort_keys=False).removesuffix("...\n").strip()


#: The number of cases shown with their boards; the rest are listed.
_SHOWN = 4


def reading_pages(library: SiteData) -> Iterator[Page]:
    """Yield the list of readings, then each reading."""
    groups: dict[str, list[Reading]] = {}
    for reading in library.readings.values():
        groups.setdefault(reading.id.rpartition("-")[0], []).append(reading)
    yield page("readings", given={"groups": [(_about(library, found), found) for found in groups.values()]})
    for reading in library.readings.values():
        yield _reading_page(library, reading)


def _about(library: SiteData, readings: list[Reading]) -> str:
    """Return the document of a group of readings, or "" if their clauses are of several."""
    documents = list(dict.fromkeys(library.clauses[id].document for r in readings for id in r.clauses))
    return library.documents[documents[0]].title if len(documents) == 1 else ""


def _reading_page(library: SiteData, reading: Reading) -> Page:
    cases = cases_on(reading.id)
    telling = [case for case in cases if _tells_apart(case, reading)]
    telling.sort(key=lambda case: (case.ruleset not in reading.rulesets, plainness(case)))
    shown = [*{case.position: case for case in reversed(telling)}.values()][::-1][:_SHOWN]
    given: dict[str, Any] = {
        "reading": reading,
        "clauses": [library.clauses[id] for id in reading.clauses],
        "rulesets": [library.rulesets[id] for id in reading.rulesets],
        "endgames": {word: reading_effect(reading.id, word) for word in reading.alternatives},
        "rests": sorted({rule for _, rule, _ in values_on(reading.id)}, key=list(vocabulary()).index),
        "told": [(case, _sides(library, case, reading)) for case in shown],
        "more": [case for case in telling if case not in shown],
        "rest": [case for case in cases if case not in telling],
    }
    title = f"{reading.id}: {reading.question}"
    return page(
        "reading",
        reading.id,
        names=(title, reading.question),
        given=given,
        notation=of_games(*(library.rulesets[id] for id in reading.rulesets)),
    )


def _tells_apart(case: Case, reading: Reading) -> bool:
    return any(_is_about(query, reading) and other != case.expected for query, other in case.otherwise.items())


def _is_about(query: str, reading: Reading) -> bool:
    return query.partition("=")[0] == reading.key and "&" not in query


def _sides(library: SiteData, case: Case, reading: Reading) -> list[Side]:
    """Return the answers of a case under each alternative of a reading side by side."""
    queries = {reading.chosen: ""} | {
        query.partition("=")[2]: query for query in case.otherwise if _is_about(query, reading)
    }
    told = [(word, library.answer(case, query)) for word, query in queries.items()]
    return side_by_side(f"{pages.at('reading', reading.id)}: {case.id}", told)


@dataclass(frozen=True)
class ClauseFate:
    """A clause and what became of it: rules with their rulesets, readings, conduct and cases."""

    clause: Clause
    rules: list[tuple[str, list[str]]]
    conduct: list[str]
    cases: int


def document_pages(library: SiteData) -> Iterator[Page]:
    """Yield the list of documents, each document, and the glossary."""
    documents = sorted(library.documents.values(), key=lambda one: (one.year is None, one.year or 0, one.title))
    yield page(
        "documents", given={"years": [(year, [*found]) for year, found in groupby(documents, lambda one: one.year)]}
    )
    for document in documents:
        yield _document_page(library, document)
    yield _glossary(library)


def _document_page(library: SiteData, document: Document) -> Page:
    told = [_clause_fate(library, clause) for clause in document.clauses]
    given = {
        "document": document,
        "clauses": told,
        "classes": Counter(clause.class_ for clause in document.clauses),
        "fates": _fates(told),
        "words": _words_read(library, document),
        "silent": _silent(library, document),
        "notes": [clause for clause in document.clauses if clause.note],
    }
    return page("document", document.id, names=(document.title,), given=given)


def _words_read(library: SiteData, document: Document) -> list[tuple[Reading, list[Clause]]]:
    """Return the readings that rest on a document's words, each with the clauses that have them."""
    found = [
        (
            reading,
            [clause for clause in document.clauses if clause.id in reading.clauses or reading.id in clause.readings],
        )
        for reading in library.readings.values()
    ]
    return [(reading, clauses) for reading, clauses in found if clauses]


def _silent(library: SiteData, document: Document) -> list[Reading]:
    """Return the readings on which a document, though a game's first authority, is silent."""
    games = {ruleset.id for ruleset in library.rulesets.values() if ruleset.documents[:1] == (document.id,)}
    read = {reading.id for reading, _ in _words_read(library, document)}
    return [
        reading
        for reading in library.readings.values()
        if reading.id not in read and not games.isdisjoint(reading.rulesets)
    ]


def _clause_fate(library: SiteData, clause: Clause) -> ClauseFate:
    by_rule: dict[str, list[str]] = {rule: [] for rule in clause.rules}
    for ruleset, rule, _ in values_on(clause.id):
        by_rule.setdefault(rule, []).append(ruleset)
    conduct = [
        ruleset.id
        for ruleset in library.rulesets.values()
        if any(clause.id in entry["from"] for entry in ruleset.conduct)
    ]
    return ClauseFate(clause, [*by_rule.items()], conduct, len(cases_on(clause.id)))


def _fates(told: list[ClauseFate]) -> dict[str, int]:
    """Count the clauses by what became of them; a clause can count more than once."""
    return {
        "give a rule": sum(bool(each.rules) for each in told),
        "are about a reading": sum(bool(each.clause.readings) for each in told),
        "are conduct": sum(bool(each.conduct) for each in told),
        "give nothing, with the reason": sum(bool(each.clause.none) for each in told),
    }


def _by_letter(terms: Iterable[Term]) -> list[tuple[str, list[Term]]]:
    """Return the terms in alphabetical order by first letter; `to jump` is under J."""

    def spoken(term: Term) -> str:
        return term.head.removeprefix("to ").lower()

    return [(letter.upper(), [*found]) for letter, found in groupby(sorted(terms, key=spoken), lambda t: spoken(t)[0])]


def _glossary(library: SiteData) -> Page:
    terms = glossary().values()
    used = [id for id in library.documents if any(id in term.languages for term in terms)]
    languages = {id: library.documents[id].language for id in used}
    languages |= {id: word.language for term in terms for id, word in term.languages.items() if word.language}
    given: dict[str, Any] = {
        "letters": _by_letter(terms),
        "documents": [library.documents[id] for id in used],
        "languages": languages,
    }
    return page("glossary", given=given)


@dataclass(frozen=True)
class ChangeOfRules:
    """A change as described to readers, with the ids of what it is about."""

    id: str
    day: date
    title: str
    says: str
    about: tuple[str, ...]

    @property
    def spoken(self) -> str:
        """The day in words."""
        return f"{self.day.day} {self.day:%B %Y}"


@cache
def changes() -> tuple[ChangeOfRules, ...]:
    """Return all changes, the newest first (spec/changes.yaml). Raises FileError for a malformed file."""
    path = data.root() / "spec" / "changes.yaml"
    content = data.load_yaml(path)
    data.check(content, "changes", data.path_text(path))
    return tuple(
        ChangeOfRules(
            each["id"], _day(each, data.path_text(path)), each["title"], each["says"], tuple(each.get("about", ()))
        )
        for each in content["changes"]
    )


def _day(change: dict[str, str], where: str) -> date:
    try:
        return date.fromisoformat(change["date"])
    except ValueError:
        raise FileError(f"{where}: {change['id']}: found {change['date']!r}, expected a day of the calendar") from None


def changes_pages(library: SiteData) -> Iterator[Page]:
    """Yield the page of changes. Raises FileError for a change about an unknown id."""
    known = {*library.rulesets, *vocabulary(), *library.readings, *library.clauses, *library.cases}
    if unknown := [id for change in changes() for id in change.about if id not in known]:
        raise FileError(
            f"spec/changes.yaml: found {unknown[0]!r}, expected a ruleset, a rule, a reading, a clause or a case"
        )
    yield page(
        "changes", given={"days": [(day, [*found]) for day, found in groupby(changes(), lambda one: one.spoken)]}
    )
