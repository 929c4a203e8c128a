"""The known games, and how rules answer questions."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from damspec import Move, Position, PositionError, Ruleset, RulesetError, load_ruleset, ruleset_ids
from damspec.contradictions import find_contradictions
from damspec.data import FrozenDict, freeze
from damspec.endings import outcome_of_position
from damspec.move import read_squares

from ..cases.questionnaire import Letter, PersonQuestion, Questionnaire

#: The sizes of the caches of rulesets and of their answers.
_RULESETS_CACHED, _ANSWERS_CACHED = 2_000, 200_000


class QuestionnaireAnswers:
    """A game as it answers the questions, with its rule values put on the board of each."""

    def __init__(self, values: Mapping[str, Any], enquiries: Questionnaire) -> None:
        self._values = values
        self._placed: dict[str, Any] = {
            name: None if (placed := setting.place(values)) is None else freeze(placed)
            for name, setting in enquiries.settings.items()
        }

    def answer(self, enquiry: PersonQuestion) -> Letter:
        """Return the game's answer to one question."""
        if enquiry.setting and self._placed[enquiry.setting] is None:
            return "-"
        if enquiry.kind == "value":
            return of_value(enquiry, self._values)
        return _answer(enquiry, self._placed[enquiry.setting])

    def answers(self, enquiries: Questionnaire) -> str:
        """Return the game's answers to all questions, a letter each."""
        return "".join(map(self.answer, enquiries.questions))


def of_value(enquiry: PersonQuestion, values: Mapping[str, Any]) -> Letter:
    """Answer a question about a rule's value."""
    value = values.get(enquiry.rule)
    if enquiry.key and value is not None:
        value = next((number for key, number in value.items() if enquiry.key in key.split()), None)
    if value is None and None not in (enquiry.values or ()):
        return enquiry.absent
    there = enquiry.values is None or value in enquiry.values
    return "y" if there and all(values.get(rule) in wanted for rule, wanted in enquiry.also.items()) else "n"


@lru_cache(_ANSWERS_CACHED)
def _answer(enquiry: PersonQuestion, placed: FrozenDict) -> Letter:
    """Answer a question about a position."""
    ruleset = playable(placed)
    if ruleset is None:
        return "-"
    try:
        position = ruleset.position(enquiry.position)
    except PositionError:
        return "-"
    if enquiry.kind == "outcome":
        return "y" if outcome_of_position(ruleset.turns, position).result == enquiry.result else "n"
    return of_move(enquiry, ruleset, position)


def of_move(enquiry: PersonQuestion, ruleset: Ruleset, position: Position) -> Letter:
    """Answer a question about a move in a position, which must follow exactly the same squares."""
    squares, captures = read_squares(enquiry.move, position.board)
    moves = [each for each in ruleset.turns.actions(position) if isinstance(each, Move)]
    same = [each for each in moves if squares in each.paths and bool(each.captured) == bool(captures)]
    if enquiry.kind == "legal":
        return "y" if same else "n"
    return "-" if not same else "y" if same[0].promotes else "n"


@lru_cache(_RULESETS_CACHED)
def playable(placed: FrozenDict) -> Ruleset | None:
    """Return rule values as a ruleset; None if they contradict each other."""
    if any(find_contradictions(placed)):
        return None
    try:
        return Ruleset("placed", "placed", "", (), placed, {}, (), Path("placed")).checked()
    except RulesetError:
        return None


@cache
def known_games() -> Mapping[str, Ruleset]:
    """Return every known game by id: the rulesets, then their readings as `ruleset?reading`."""
    found = {id: load_ruleset(id) for id in ruleset_ids()}
    for id in ruleset_ids():
        found |= {f"{id}?{query}": each for query, each in found[id].alternatives.items()}
    return MappingProxyType(found)


def known_answers(enquiries: Questionnaire) -> dict[str, Any]:
    """Return the answers of every known game, in the form of the questions file.

    A reading has only the answers that differ from those of its ruleset.
    """
    found: dict[str, Any] = {}
    for id, ruleset in known_games().items():
        said = QuestionnaireAnswers(ruleset.values, enquiries).answers(enquiries)
        base, _, query = id.partition("?")
        if query:
            words = zip(enquiries.questions, said, found[base], strict=True)
            found[id] = {each.id: mine for each, mine, its in words if mine != its}
        else:
            found[id] = said
    return found
