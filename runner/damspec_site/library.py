"""The site's data, loaded once, with its cross-references."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import damspec
from damspec import Clause, FileError, Layout, Position, Reading, Ruleset, data
from damspec.inheritance import overlay, stated_rules
from damspec_runner.answers.player import RulePlayer
from damspec_runner.cases.cases import Case, cases_for, cases_of
from damspec_runner.cases.perft_tables import PerftSuite, suite_of
from damspec_runner.document.compare import variants
from damspec_runner.document.rulebook import language_of
from damspec_runner.document.sources import Document, load_documents
from damspec_runner.engines import known, registry

from .boards import Reply, expected_answer, picture_case
from .diagrams import Picture


class SiteData:
    """Rulesets, documents, readings and cases, and what refers to what."""

    @cached_property
    def rulesets(self) -> Mapping[str, Ruleset]:
        """All rulesets by id."""
        return {id: damspec.load_ruleset(id) for id in damspec.ruleset_ids()}

    @cached_property
    def variants(self) -> Mapping[str, list[str]]:
        """The variants that are shown with each ruleset."""
        shown_with = variants()
        return {id: [other for other, game in shown_with.items() if game == id] for id in self.rulesets}

    @cached_property
    def documents(self) -> Mapping[str, Document]:
        """All documents by id."""
        return load_documents()

    @cached_property
    def games_of(self) -> Mapping[str, list[str]]:
        """The rulesets that each document gives rules to."""
        return {id: [game for game, rules in self.rulesets.items() if id in rules.documents] for id in self.documents}

    @cached_property
    def clauses(self) -> Mapping[str, Clause]:
        """All clauses by id."""
        return damspec.load_clauses()

    @cached_property
    def readings(self) -> Mapping[str, Reading]:
        """All readings by id."""
        return {reading.id: reading for reading in damspec.load_readings()}

    @cached_property
    def game_facts(self) -> Mapping[str, Any]:
        """What pages know of games beside the rules (games.yaml)."""
        content: Mapping[str, Any] = data.load_yaml(Path(__file__).parent / "games.yaml")
        return content

    @cached_property
    def cases(self) -> Mapping[str, Case]:
        """All cases by id, ruleset by ruleset."""
        return {case.id: case for id in self.rulesets for case in cases_of(id)}

    @cached_property
    def players(self) -> Mapping[str, RulePlayer]:
        """A player for each ruleset, which reads positions on its board."""
        return {id: RulePlayer(ruleset) for id, ruleset in self.rulesets.items()}

    @cached_property
    def positions(self) -> Mapping[str, Position]:
        """The position of each case by the case's id."""
        return {id: self.players[case.ruleset].parse_position(case.position) for id, case in self.cases.items()}

    @cached_property
    def pictures(self) -> Mapping[str, Picture]:
        """The picture of each case by the case's id: its position and the expected answer."""
        return {
            id: picture_case(case, self.positions[id], self.layout(case.ruleset)) for id, case in self.cases.items()
        }

    @cached_property
    def played(self) -> Mapping[str, tuple[Case, ...]]:
        """The cases of each ruleset, including inherited ones."""
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
        """For each ruleset and rule, the ruleset whose file states the value, or names the overlay that does."""
        own = {id: stated_rules(id) for id in self.rulesets}
        return {
            id: {rule: member for member in (*ruleset.family, id) for rule in own[member]}
            for id, ruleset in self.rulesets.items()
        }

    @cached_property
    def matrix(self) -> known.Matrix:
        """How the named engines did on the rulesets that they play."""
        return known.read_matrix()

    @cached_property
    def abouts(self) -> Mapping[str, str]:
        """What each named engine is, in a line."""
        return {name: found.about for name, found in registry.adapters().items()}

    @cached_property
    def suites(self) -> Mapping[str, PerftSuite]:
        """The perft suite of each ruleset."""
        return {id: suite_of(ruleset) for id, ruleset in self.rulesets.items()}

    def name_in(self, ruleset: str, language: str) -> str:
        """Return the name of a ruleset in a language."""
        return self.rulesets[ruleset].name if language == "en" else language_of(language).text(f"games.{ruleset}")

    def about_in(self, id: str, language: str) -> str:
        """Return what a ruleset or an overlay is, in a language."""
        if language != "en":
            return language_of(language).text(f"abouts.{id}")
        return self.rulesets[id].about if id in self.rulesets else str(overlay(id).content["about"])

    def own_name(self, ruleset: str) -> tuple[str, str]:
        """Return the name of a ruleset in its own language, with the language's tag."""
        home = self.game_facts["home"][ruleset]
        if isinstance(home, str):
            return home, self.name_in(ruleset, home)
        ((language, name),) = home.items()
        return language, name

    def layout(self, ruleset: str) -> Layout | None:
        """Return the trapdoor layout of a ruleset, if it has one."""
        trapdoors = self.rulesets[ruleset].rules.trapdoors
        return trapdoors.layout if trapdoors else None

    def start(self, ruleset: Ruleset) -> Picture:
        """Return the picture of the start position."""
        return Picture(Position.start(ruleset.rules), self.layout(ruleset.base))

    def answer(self, case: Case, query: str = "") -> Reply:
        """Return the answer of a case; with `query` under other readings, which may change the board."""
        player = RulePlayer(self.rulesets[case.ruleset].with_reading(query)) if query else self.players[case.ruleset]
        return expected_answer(case, query, player, self.layout(case.ruleset))

    def headings(self, ruleset: str, heading: Mapping[str, str]) -> list[tuple[str, str]]:
        """Return a heading in the languages of a ruleset's documents, with their tags, without duplicates."""
        found = {heading[id]: tag for id, tag in self.document_languages(ruleset) if id in heading}
        return [(tag, text) for text, tag in found.items()]

    def document_languages(self, ruleset: str) -> list[tuple[str, str]]:
        """Return the documents of a ruleset with their languages."""
        return [(id, self.documents[id].language) for id in self.rulesets[ruleset].documents]


def page_text(name: str) -> str:
    """Return a page of docs/ as Markdown. Raises FileError."""
    path = data.root() / "docs" / f"{name}.md"
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise FileError(f"{data.path_text(path)}: cannot be read: {error.strerror}") from None


def group_by_value(values: Mapping[str, Any]) -> list[tuple[Any, list[str]]]:
    """Group the names by equal values, in the order of first occurrence."""
    found: list[tuple[Any, list[str]]] = []
    for name, value in values.items():
        names = next((names for other, names in found if other == value), None)
        if names is None:
            found.append((value, [name]))
        else:
            names.append(name)
    return found
