"""All the data of the site in one place, read once, with the ways from one thing to another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import damspec
from damspec import Clause, FileError, Layout, Reading, Ruleset, data
from damspec.data import freeze
from damspec.vocabulary import glossary

from ...answers.player import RulePlayer
from ...cases.cases import Case, cases_for, cases_of
from ...cases.perft_tables import PerftSuite, suite_of
from ...engines import installed, matrix


@dataclass(frozen=True)
class Document:
    """A source: what it is, who published it and when, what was seen of it and where, and its clauses in order.

    `dated` says what the year is the year of. What is not known is None.
    """

    id: str
    title: str
    language: str
    about: str
    publisher: str | None
    year: int | None
    dated: str
    item: str | None
    seen: tuple[Mapping[str, str], ...]
    damage: tuple[str, ...]
    open: tuple[str, ...]
    clauses: tuple[Clause, ...]


class SiteData:
    """Rulesets, documents, readings and cases, and what refers to what."""

    @cached_property
    def rulesets(self) -> Mapping[str, Ruleset]:
        """Every ruleset by its id."""
        return {id: damspec.load_ruleset(id) for id in damspec.ruleset_ids()}

    @cached_property
    def documents(self) -> Mapping[str, Document]:
        """Every document by its id."""
        found = {}
        for path in sorted((data.root() / "spec" / "sources").glob("*.yaml")):
            content = data.load_yaml(path)
            clauses = tuple(self.clauses[entry["id"]] for entry in content["clauses"])
            found[content["id"]] = Document(
                **{key: freeze(value) for key, value in content.items()} | {"clauses": clauses}
            )
        return found

    @cached_property
    def clauses(self) -> Mapping[str, Clause]:
        """Every clause by its id."""
        return damspec.load_clauses()

    @cached_property
    def readings(self) -> Mapping[str, Reading]:
        """Every reading by its id."""
        return {reading.id: reading for reading in damspec.load_readings()}

    @cached_property
    def names(self) -> Mapping[str, Mapping[str, str]]:
        """What rulesets are called: by id, then by language tag, that of their own language first."""
        named: Mapping[str, Mapping[str, str]] = _names()["rulesets"]
        return named

    @cached_property
    def languages(self) -> Mapping[str, str]:
        """What languages are called, by their tags; by the tag itself where the language is not known."""
        named = _names()["languages"]
        quoted = (word.language for term in glossary().values() for word in term.languages.values() if word.language)
        tags = (*(document.language for document in self.documents.values()), *quoted)
        return {tag: named.get(tag, tag) for tag in tags}

    @cached_property
    def countries(self) -> Mapping[str, str]:
        """The country that stands for each language of the site, by the tags of both."""
        standing: Mapping[str, str] = _names()["countries"]
        return standing

    @cached_property
    def example(self) -> Mapping[str, Any]:
        """The difference that the first page shows: `rulesets`, two of them, and `rule`."""
        shown: Mapping[str, Any] = _names()["example"]
        return shown

    @cached_property
    def cases(self) -> Mapping[str, Case]:
        """Every case by its id, ruleset by ruleset."""
        return {case.id: case for id in self.rulesets for case in cases_of(id)}

    @cached_property
    def players(self) -> Mapping[str, RulePlayer]:
        """For each ruleset what reads positions on its board."""
        return {id: RulePlayer(ruleset) for id, ruleset in self.rulesets.items()}

    @cached_property
    def played(self) -> Mapping[str, tuple[Case, ...]]:
        """The cases of each ruleset, those it inherits too."""
        return {id: tuple(cases_for(ruleset)) for id, ruleset in self.rulesets.items()}

    @cached_property
    def players_of(self) -> Mapping[str, list[str]]:
        """The rulesets that each case is for."""
        found: dict[str, list[str]] = defaultdict(list)
        for id, cases in self.played.items():
            for case in cases:
                found[case.id].append(id)
        return found

    @cached_property
    def stated(self) -> Mapping[str, Mapping[str, str]]:
        """For each ruleset and rule the ruleset whose file states the value."""
        own = {id: list(data.load_yaml(ruleset.path)["rules"]) for id, ruleset in self.rulesets.items()}
        return {
            id: {rule: member for member in (*ruleset.family, id) for rule in own[member]}
            for id, ruleset in self.rulesets.items()
        }

    @cached_property
    def matrix(self) -> matrix.Matrix:
        """How the named engines did on the rulesets that they play."""
        return matrix.read()

    @cached_property
    def abouts(self) -> Mapping[str, str]:
        """What each named engine is, in a line."""
        return {name: found.about for name, found in installed.adapters().items()}

    @cached_property
    def suites(self) -> Mapping[str, PerftSuite]:
        """The perft suite of each ruleset."""
        return {id: suite_of(ruleset) for id, ruleset in self.rulesets.items()}

    def called(self, ruleset: str, language: str) -> str:
        """What a ruleset is called in a language."""
        return self.rulesets[ruleset].name if language == "en" else self.names[ruleset][language]

    def own_name(self, ruleset: str) -> tuple[str, str]:
        """What a ruleset is called where it is at home, with the tag of that language."""
        return next(iter(self.names[ruleset].items()))

    def layout(self, ruleset: str) -> Layout | None:
        """Where a ruleset has its trapdoors."""
        trapdoors = self.rulesets[ruleset].rules.trapdoors
        return trapdoors.layout if trapdoors else None

    def speaks(self, ruleset: str) -> list[tuple[str, str]]:
        """The documents of a ruleset with their languages."""
        return [(id, self.documents[id].language) for id in self.rulesets[ruleset].documents]


@cache
def _names() -> Any:
    return data.load_yaml(Path(__file__).parent / "names.yaml")


def page_text(name: str) -> str:
    """A page of docs/ as Markdown."""
    path = data.root() / "docs" / f"{name}.md"
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise FileError(f"{data.path_text(path)}: cannot be read: {error.strerror}") from None


def alike(values: Mapping[str, Any]) -> list[tuple[Any, list[str]]]:
    """Different values with the names that have each, in the order in which they first come."""
    found: list[tuple[Any, list[str]]] = []
    for name, value in values.items():
        names = next((names for other, names in found if other == value), None)
        if names is None:
            found.append((value, [name]))
        else:
            names.append(name)
    return found
