"""The page that asks which game somebody played, with the data it asks by, and all its questions on a page to print."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import damspec
from damspec import Ruleset
from damspec.neighbours import changed_values, whole_values
from damspec.vocabulary import groups, vocabulary, worded

from ...cases.enquiries import Enquiries, Enquiry, enquiries
from ...variants.mutants import Mutant, mutant_of
from ...variants.tellable import UNTOLD, boards, elsewhere, essential, single_changes
from . import links
from .library import Library
from .pages import SECTIONS, File, Page
from .pictures import Gallery, Picture, captured, squares
from .scripts import data_script


def pages(library: Library, gallery: Gallery, collected: bool) -> Iterator[Page | File]:
    """Both pages, and the scripts with the questions, the words of rules and the changes of each game.

    The first leads to what is collected, if anything is.
    """
    asked = enquiries()
    boards = {one.id: board(gallery, asked, one) for one in asked.questions}
    example = next(one for one in asked.questions if boards[one.id])
    yield Page(
        links.IDENTIFY,
        "identify.html",
        "Which game did you play?",
        "Small positions with a question each, to find out which game of draughts somebody played.",
        "identify",
        scripts=("inquiry.js", "judgement.js", "keeping.js", "identify.js"),
        given={
            "number": len(asked.questions),
            "asks": example.asks,
            "example": boards[example.id],
            "collected": collected,
        },
    )
    yield Page(
        links.QUESTIONS,
        "questions.html",
        "All questions about a game",
        "Every question by which a game is found out, on boards, to print and to fill in.",
        "identify",
        (SECTIONS["identify"],),
        given={"groups": _by_group(asked), "boards": boards},
    )
    yield data_script("identify/questions", _questions(library, asked, boards))
    yield data_script("identify/words", _words(library))
    for id, ruleset in library.rulesets.items():
        changes = {"own": _changes(id), "readings": dict(_changes_of_readings(ruleset))}
        yield data_script(f"identify/changes/{id}", changes)


def board(gallery: Gallery, asked: Enquiries, enquiry: Enquiry) -> Picture | None:
    """The board of a question with the move it asks about; None where it has none.

    No crosses lie on what the move takes, for it may matter whether that is a king.
    """
    position = asked.board(enquiry)
    if position is None:
        return None
    if not enquiry.move:
        return gallery.board(position)
    taken = ", ".join(map(str, captured(position, enquiry.move)))
    says = f"The move: {enquiry.move}" + (f", capturing {taken}." if taken else ".")
    return gallery.board(position, arrows=[squares(position, enquiry.move)], says=says)


def _by_group(asked: Enquiries) -> list[tuple[str, list[Enquiry]]]:
    """The questions below the titles of the groups of their rules."""
    found = [
        (group.title, [one for one in asked.questions if one.rule in {rule.name for rule in group.rules}])
        for group in groups()
    ]
    return [(title, questions) for title, questions in found if questions]


def _questions(library: Library, asked: Enquiries, drawn: Mapping[str, Picture | None]) -> Mapping[str, Any]:
    """The file of the questions, each with its board; what readings change in the rules, and what other boards."""
    return {
        "belief": vars(asked.belief),
        "settings": {name: vars(each) for name, each in asked.settings.items()},
        "questions": [_question(one, drawn[one.id]) for one in asked.questions],
        "names": {id: ruleset.name for id, ruleset in library.rulesets.items()},
        "games": {game: [_answers(asked, game), *_read_otherwise(game)] for game in asked.answers},
        "boards": [dict(board) for board in boards()],
        "elsewhere": {id: _elsewhere(ruleset) for id, ruleset in library.rulesets.items()},
    }


@cache
def _changes(ruleset: str) -> list[tuple[str, list[Any]]]:
    """Every single change of a ruleset that a player can tell: the rule, and what becomes of all rules."""
    game = damspec.load_ruleset(ruleset)
    return [(each.rules_changed[0], _with_essential(game, _changed(game, each))) for each in single_changes(game)]


def _changes_of_readings(ruleset: Ruleset) -> Iterator[tuple[str, Any]]:
    """For each reading the rules that are changed otherwise than the ruleset's, and what that makes of the ruleset.

    They are those of the groups in which the reading sets something.
    """
    for query, game in ruleset.alternatives.items():
        back = {rule: ruleset.values.get(rule) for rule in _changed(ruleset, game)}
        groups = {rule.partition(".")[0] for rule in back}
        rules = [rule for rule in vocabulary() if rule.partition(".")[0] in groups and rule != UNTOLD]
        values = (
            (rule, found(rule, game.values.get(rule))) for rule in rules for found in (changed_values, whole_values)
        )
        again = (mutant_of(game.base, game.values, ((rule, one),)) for rule, found in values for one in found)
        changes = [_with_essential(ruleset, _changed(ruleset, each), back) for each in again if each]
        yield f"{ruleset.id}?{query}", {"rules": rules, "changes": changes}


def _elsewhere(ruleset: Ruleset) -> list[Any]:
    """The ruleset on other boards: each by its number, or with what else becomes of the rules there."""
    plain = [{rule: value for rule, value in board if ruleset.values[rule] != value} for board in boards()]
    found = (_changed(ruleset, each) for each in elsewhere(ruleset))
    return [plain.index(each) if each in plain else _with_essential(ruleset, each) for each in found]


def _with_essential(ruleset: Ruleset, changes: Mapping[str, Any], back: Mapping[str, Any] | None = None) -> list[Any]:
    """Changes, with the rules that have to be said if others follow of themselves; `back` are more that are not."""
    said = essential(ruleset.values, changes)
    whole = {**(back or {}), **changes}
    return [whole] if len(said) == len(changes) else [whole, said]


def _question(one: Enquiry, picture: Picture | None) -> Mapping[str, Any]:
    said = {key: value for key, value in vars(one).items() if value not in ("", None, {})}
    shown = {"board": [picture.src, picture.alt, picture.width(320), picture.height(320)]} if picture else {}
    return {**said, **shown}


def _answers(asked: Enquiries, game: str) -> str | Mapping[str, str]:
    """What a game answers to all questions; under another reading what is not as its ruleset answers."""
    own = asked.answers[game.partition("?")[0]]
    if "?" not in game:
        return own
    words = zip(asked.by_id, own, asked.answers[game], strict=True)
    return {id: letter for id, before, letter in words if letter != before}


def _read_otherwise(game: str) -> list[Any]:
    """For a game under another reading what that changes in its rules."""
    if "?" not in game:
        return []
    ruleset = damspec.load_ruleset(game.partition("?")[0])
    return _with_essential(ruleset, _changed(ruleset, damspec.load_ruleset(game)))


def _changed(before: Ruleset, after: Ruleset | Mutant) -> dict[str, Any]:
    """The rules that have other values, with these; null for those that are there no more."""
    names = [name for name in vocabulary() if before.values.get(name) != after.values.get(name)]
    return {name: after.values.get(name) for name in names}


def _words(library: Library) -> Mapping[str, Any]:
    """Each rule's title, and a sentence for each value that a game or a change of one has."""
    found: dict[str, dict[str, str]] = {name: {} for name in vocabulary()}
    for ruleset in library.rulesets.values():
        for name, value in ruleset.values.items():
            found[name][_key(ruleset.whole[name])] = worded(name, value)
        again = (changes for _, of in _changes_of_readings(ruleset) for changes, *_ in of["changes"])
        aside = (_changed(ruleset, each) for each in elsewhere(ruleset))
        for changes in (*(own for _, (own, *_) in _changes(ruleset.id)), *again, *aside):
            for name, value in changes.items():
                if value is not None:
                    found[name].setdefault(_key(value), worded(name, value))
    return {name: {"title": vocabulary()[name].title, "says": says} for name, says in found.items()}


def _key(value: Any) -> str:
    """A value as a page writes it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
