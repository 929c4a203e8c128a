"""The page that asks which game somebody played, with the data it asks by, and all its questions on a page to print."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import damspec
from damspec.vocabulary import groups, vocabulary, worded

from ...cases.enquiries import Enquiries, Enquiry, enquiries
from ...variants.elsewhere import BOARD, elsewhere
from ...variants.mutants import single
from . import links
from .library import Library
from .pages import SECTIONS, File, Page
from .pictures import Gallery, Picture, captured, squares
from .scripts import data_script

#: What nobody who plays can tell: how the squares are numbered.
_UNTOLD = "board.numbering"


def pages(library: Library, gallery: Gallery) -> Iterator[Page | File]:
    """Both pages, and the scripts with the questions, the words of rules and the changes of each game."""
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
        given={"number": len(asked.questions), "asks": example.asks, "example": boards[example.id]},
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
    for id in library.rulesets:
        yield data_script(f"identify/changes/{id}", _changes(id))


def board(gallery: Gallery, asked: Enquiries, enquiry: Enquiry) -> Picture | None:
    """The board of a question with the move it asks about; None where it has none."""
    position = asked.board(enquiry)
    if position is None:
        return None
    path = squares(position, enquiry.move) if enquiry.move else ()
    crosses = captured(position, enquiry.move) if enquiry.move else ()
    return gallery.board(position, arrows=[path] if path else [], crosses=crosses)


def _by_group(asked: Enquiries) -> list[tuple[str, list[Enquiry]]]:
    """The questions below the titles of the groups of their rules."""
    found = [
        (group.title, [one for one in asked.questions if one.rule in {rule.name for rule in group.rules}])
        for group in groups()
    ]
    return [(title, questions) for title, questions in found if questions]


def _questions(library: Library, asked: Enquiries, boards: Mapping[str, Picture | None]) -> Mapping[str, Any]:
    """The file of the questions, each with its board; what readings change in the rules, and what other boards."""
    return {
        "belief": vars(asked.belief),
        "settings": {name: vars(each) for name, each in asked.settings.items()},
        "questions": [_question(one, boards[one.id]) for one in asked.questions],
        "names": {id: ruleset.name for id, ruleset in library.rulesets.items()},
        "games": {game: [answers, *_read_otherwise(game)] for game, answers in asked.answers.items()},
        "board": BOARD,
        "elsewhere": {
            id: [_changed(ruleset.values, each.values) for each in elsewhere(ruleset)]
            for id, ruleset in library.rulesets.items()
        },
    }


@cache
def _changes(ruleset: str) -> list[Mapping[str, Any]]:
    """Every single change of a ruleset that a player can tell, as the rules that have other values then; null for one that is gone."""
    game = damspec.load_ruleset(ruleset)
    return [_changed(game.values, each.values) for each in single(game) if _UNTOLD not in each.rules_changed]


def _question(one: Enquiry, picture: Picture | None) -> Mapping[str, Any]:
    said = {key: value for key, value in vars(one).items() if value not in ("", None)}
    shown = {"board": [picture.src, picture.alt, picture.width(320), picture.height(320)]} if picture else {}
    return {**said, **shown}


def _read_otherwise(game: str) -> list[Any]:
    """For a game under another reading what that changes in its rules."""
    if "?" not in game:
        return []
    return [_changed(damspec.load_ruleset(game.partition("?")[0]).values, damspec.load_ruleset(game).values)]


def _changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> Mapping[str, Any]:
    """The rules that have other values, with these; null for those that are there no more."""
    names = [name for name in vocabulary() if before.get(name) != after.get(name)]
    return {name: after.get(name) for name in names}


def _words(library: Library) -> Mapping[str, Any]:
    """Each rule's title, and a sentence for each value that a game or a change of one has."""
    found: dict[str, dict[str, str]] = {name: {} for name in vocabulary()}
    for ruleset in library.rulesets.values():
        for name, value in ruleset.values.items():
            found[name][_key(ruleset.whole[name])] = worded(name, value)
        boards = (_changed(ruleset.values, each.values) for each in elsewhere(ruleset))
        for changes in (*_changes(ruleset.id), *boards):
            for name, value in changes.items():
                if value is not None:
                    found[name].setdefault(_key(value), worded(name, value))
    return {name: {"title": vocabulary()[name].title, "says": says} for name, says in found.items()}


def _key(value: Any) -> str:
    """A value as a page writes it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
