"""The pages of the rulesets: each rule with its value in words, what it rests on, and a board that shows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from damspec import Clause, Reading, Ruleset
from damspec.statements import overlay, overlay_ids
from damspec.vocabulary import Group, Rule, groups, worded

from ..biting import of_the_board, proofs
from ..compared import compared
from ..examples import example
from ..family import families, root
from ..rulebook import languages
from . import links
from .answers import Answers
from .cases import CaseRow, row
from .library import Library
from .marks import of_games
from .pages import SECTIONS, Page
from .play import SCRIPT
from .sheets import sheet


@dataclass(frozen=True)
class Stated:
    """A rule of a ruleset: its value, what that rests on, the ruleset that states it, and a case that shows it.

    If its board is on the page already, `seen` says where: the id of a rule, `sheet`, or `start` for the start of the
    game. Where no case is about it, `unseen` says why.
    """

    rule: Rule
    headings: list[tuple[str, str]]
    value: Any
    says: str
    clauses: list[Clause]
    readings: list[Reading]
    stated_by: Ruleset | None
    shown: CaseRow | None
    seen: str = ""
    unseen: str = ""


def pages(library: Library) -> Iterator[Page]:
    """The list of rulesets."""
    yield Page(
        "rulesets/index.html",
        "rulesets.html",
        SECTIONS["rulesets"].text,
        "The games whose rules are stated here, with where their rules come from.",
        "rulesets",
        given={
            "families": list(families().values()),
            "alone": [ruleset for id, ruleset in library.rulesets.items() if root(id) == id and id not in families()],
            "overlays": [overlay(id) for id in overlay_ids()],
        },
    )


def in_language(library: Library, ruleset: Ruleset, heading: Mapping[str, str]) -> list[tuple[str, str]]:
    """A heading in the languages of a ruleset's documents: the language tag and the words, none twice."""
    found = {heading[id]: tag for id, tag in library.speaks(ruleset.id) if id in heading}
    return [(tag, text) for text, tag in found.items()]


def page(library: Library, answers: Answers, ruleset: Ruleset) -> Page:
    """The page of a ruleset."""
    first = languages()[0]
    told = sheet(library, answers, ruleset, first)
    above = {board.src: "sheet" for each in told.examples.values() for board in (each.before, each.after)}
    stated = [
        (group, in_language(library, ruleset, group.heading), _group(library, answers, ruleset, group, above))
        for group in groups()
        if any(rule.name in ruleset.values for rule in group.rules)
    ]
    given = {
        "rules": ruleset,
        "sheet": told,
        "own_name": library.own_name(ruleset.id),
        "documents": [library.documents[id] for id in ruleset.documents],
        "family": [library.rulesets[id] for id in ruleset.family],
        "children": [other for other in library.rulesets.values() if ruleset.id in other.family],
        "groups": stated,
        "absent": [rule for group in groups() for rule in group.rules if rule.name not in ruleset.values],
        "conduct": [(entry["says"], *_sources(library, entry["from"])) for entry in ruleset.conduct],
        "readings": ruleset.readings,
        "cases": len(library.played[ruleset.id]),
        "own": sum(case.ruleset == ruleset.id for case in library.played[ruleset.id]),
        "others": [
            (other, links.comparison(ruleset.id, other.id))
            for other in library.rulesets.values()
            if other is not ruleset and compared(ruleset.id, other.id)
        ],
    }
    return Page(
        links.ruleset(ruleset.id),
        "ruleset.html",
        ruleset.name,
        ruleset.about,
        "rulesets",
        (SECTIONS["rulesets"],),
        (SCRIPT,),
        given,
        alternates=tuple((language.tag, href) for language, href in told.others),
        game=ruleset.id,
        notation=of_games(ruleset),
    )


def _group(library: Library, answers: Answers, ruleset: Ruleset, group: Group, above: dict[str, str]) -> list[Stated]:
    """The rules of a group; `above` has the boards that are on the page already, and where, and takes in theirs."""
    found = []
    for rule in group.rules:
        if rule.name in ruleset.values:
            stated = _stated(library, answers, ruleset, rule)
            if of_the_board(rule.name):
                stated = replace(stated, shown=None, seen="start")
            elif stated.shown and stated.shown.picture.src in above:
                stated = replace(stated, seen=above[stated.shown.picture.src])
            elif stated.shown:
                above[stated.shown.picture.src] = rule.name
            found.append(stated)
    return found


def _stated(library: Library, answers: Answers, ruleset: Ruleset, rule: Rule) -> Stated:
    clauses, readings = _sources(library, ruleset.rests_on[rule.name])
    owner = library.stated[ruleset.id][rule.name]
    case = example(ruleset, rule.name)
    return Stated(
        rule,
        in_language(library, ruleset, rule.heading),
        ruleset.values[rule.name],
        worded(rule.name, ruleset.values[rule.name]),
        clauses,
        readings,
        library.rulesets[owner] if owner != ruleset.id else None,
        row(library, answers, case) if case else None,
        unseen="" if case else _unseen(ruleset, rule.name),
    )


def _unseen(ruleset: Ruleset, rule: str) -> str:
    """Why no position shows the value of a rule: what is proved of other values, or that none goes with the rest."""
    return " ".join(proofs(ruleset, rule)) or "No other value goes with the other rules of the game."


def _sources(library: Library, ids: Any) -> tuple[list[Clause], list[Reading]]:
    return (
        [library.clauses[id] for id in ids if id in library.clauses],
        [library.readings[id] for id in ids if id in library.readings],
    )
