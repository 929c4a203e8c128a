"""Expectations computed by the reference, for rulesets of one's own and generated positions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal, get_args

import damspec
from damspec import Action, DamspecError, Position, Ruleset, RulesetError, load_ruleset
from damspec.outcomes import outcome_of_position
from damspec.validity import find_invalidity
from damspec.version import __version__

from .answer import Question
from .case import Case, Expectation

#: The questions that can be asked about any position.
AboutIt = Literal["moves", "outcome"]
ABOUT_IT: tuple[AboutIt, ...] = get_args(AboutIt)
MADE_BY = f"damspec {__version__}"


def reference_answer(
    ruleset: Ruleset, position: Position, asked: Expectation, history: Iterable[str] = ()
) -> Expectation:
    """Return the reference's answer to the question `asked`; for an outcome, after the actions of a history.

    Raises PositionError or MoveError if a game cannot be played.
    """
    if asked.outcome is not None:
        return Expectation(outcome=damspec.outcome(ruleset, position, history))
    if asked.end is not None:
        game = []
        for action, _ in asked.game:
            position = damspec.play(ruleset, position, action)
            game.append((action, position.fen()))
        return Expectation(game=tuple(game), end=outcome_of_position(ruleset.turns, position))
    turns = ruleset.turns

    def after(actions: Sequence[Action]) -> dict[str, str]:
        return {str(action): turns.after(position, action).fen() for action in actions}

    lapses = after(turns.lapses(position)) if ruleset.rules.huff else None
    return Expectation(moves=after(turns.actions(position)), lapses=lapses)


def make_case(
    ruleset: Ruleset, position: Position, question: AboutIt, id: str, topic: str, *, readings: bool = True
) -> Case:
    """Return a case about a valid position with the reference's answer, and under other `readings` too."""
    asked = Expectation(outcome=damspec.Outcome("ongoing")) if question == "outcome" else Expectation(moves={})
    expected = reference_answer(ruleset, position, asked)
    return Case(
        id=id,
        ruleset=ruleset.base,
        topic=topic,
        why="",
        clauses=(),
        position=position.fen(),
        expected=expected,
        otherwise=_otherwise_of_position(ruleset, position, expected) if readings and "?" not in ruleset.id else {},
        generated=MADE_BY,
    )


def _otherwise_of_position(ruleset: Ruleset, position: Position, expected: Expectation) -> dict[str, Expectation]:
    """Return the expectations under other readings by which the position is valid and the answer differs."""
    found = {}
    for query, under in _alternatives(ruleset).items():
        if under.rules.board != position.board or find_invalidity(under.turns, position):
            continue
        other = reference_answer(under, position, expected)
        if _without_reason(other) != _without_reason(expected):
            found[query] = other
    return found


@cache
def _alternatives(ruleset: Ruleset) -> Mapping[str, Ruleset]:
    return ruleset.alternatives


def _without_reason(expected: Expectation) -> Expectation:
    """Return an expectation without the reason of an outcome, which is never compared."""
    return expected if expected.outcome is None else replace(expected, outcome=damspec.Outcome(expected.outcome.result))


@dataclass(frozen=True)
class AdaptedCases:
    """Inherited cases adapted to other rules: those to ask, the ids of the re-answered ones, and the ids set aside.

    A case with a new answer gets the ruleset's id appended after `@`, since the old id promises the old answer. Cases
    whose position or game is impossible by these rules are set aside. `own` is the number of cases that are not
    inherited: a ruleset under overlays can have cases derived by people.
    """

    cases: tuple[Case, ...]
    answered: tuple[str, ...]
    set_aside: tuple[str, ...]
    own: int = 0


def adapt_cases(ruleset: Ruleset, cases: Iterable[Case]) -> AdaptedCases:
    """Return cases of other rules adapted to a ruleset, which may be under other readings."""
    query = ruleset.id.partition("?")[2]
    found: list[Case] = []
    answered: list[str] = []
    aside: list[str] = []
    for case in cases:
        expected = case.otherwise.get(query, case.expected)
        given = _reanswer(ruleset, case, expected)
        if given is None:
            aside.append(case.id)
            continue
        found.append(replace(case, expected=given, otherwise={} if query else _otherwise_of_case(ruleset, case, given)))
        if given is not expected:
            found[-1] = _rename(found[-1], ruleset)
            answered.append(found[-1].id)
    return AdaptedCases(tuple(found), tuple(answered), tuple(aside))


def _rename(case: Case, ruleset: Ruleset) -> Case:
    """Return a case renamed for the reference's answer, without clauses, which are about the old one."""
    why = f"The reference's answer by the rules of {ruleset.id}; {case.id} has another."
    return replace(case, id=f"{case.id}@{ruleset.base}", why=why, clauses=(), generated=MADE_BY)


def _otherwise_of_case(ruleset: Ruleset, case: Case, given: Expectation) -> dict[str, Expectation]:
    """Return the expectations under other readings that fit the rules and give another answer."""
    found = {}
    for query, expected in case.otherwise.items():
        try:
            under = ruleset.with_reading(query)
        except RulesetError:
            continue
        other = _reanswer(under, case, expected)
        if other is not None and not _same(under, case, given, other):
            found[query] = other
    return found


def _reanswer(ruleset: Ruleset, case: Case, expected: Expectation) -> Expectation | None:
    """Return the expectation if the reference agrees, else its answer; None if there can be none."""
    try:
        given = reference_answer(ruleset, ruleset.position(case.position), expected, case.history)
    except DamspecError:
        return None
    return expected if _same(ruleset, case, expected, given) and _same_start(ruleset, case) else given


def _same_start(ruleset: Ruleset, case: Case) -> bool:
    """Return whether a case about the start is about the same start position."""
    return case.position != "start" or ruleset.position().fen() == load_ruleset(case.ruleset).position().fen()


def _same(ruleset: Ruleset, case: Case, expected: Expectation, given: Expectation) -> bool:
    """Return whether two answers to a case are equal, whatever their notation."""
    if expected.lapses and not ruleset.rules.huff:
        return False
    if expected.moves is not None and expected.lapses is None and not load_ruleset(case.ruleset).rules.huff:
        expected = replace(expected, lapses={})  # else the case accepts any
    one, other = (Question(replace(case, expected=each), ruleset).expected for each in (expected, given))
    try:
        return one.agrees(other)
    except DamspecError:
        return False  # a position that this board does not have
