"""Expectations worked out by the reference: for rulesets of one's own and generated positions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal, get_args

import damspec
from damspec import Action, DamspecError, Position, Ruleset, RulesetError, load_ruleset
from damspec.endings import outcome_of_position
from damspec.position import with_sliders
from damspec.validity import find_invalidity
from damspec.version import __version__

from .case import Case, Expectation
from .notation import Key, move_effect

#: What can be asked about any position.
AboutIt = Literal["moves", "outcome"]
ABOUT_IT: tuple[AboutIt, ...] = get_args(AboutIt)
MADE_BY = f"damspec {__version__}"


def reference_answer(
    ruleset: Ruleset, position: Position, asked: Expectation, history: Iterable[str] = ()
) -> Expectation:
    """What the reference says to the same question, about an outcome that after the actions of a history.

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
    """A case about a position that the ruleset can have, as the reference answers it; under other `readings` too."""
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
    """What to expect under each other reading that can have the position and answers it otherwise."""
    found = {}
    for query, under in _alternatives(ruleset).items():
        if under.rules.board != position.board or find_invalidity(under.turns, position):
            continue
        other = reference_answer(under, position, expected)
        if _plain(other) != _plain(expected):
            found[query] = other
    return found


@cache
def _alternatives(ruleset: Ruleset) -> Mapping[str, Ruleset]:
    return ruleset.alternatives


def _plain(expected: Expectation) -> Expectation:
    """An expectation without the reason of an outcome, which no engine's is compared with."""
    return expected if expected.outcome is None else replace(expected, outcome=damspec.Outcome(expected.outcome.result))


@dataclass(frozen=True)
class AdaptedCases:
    """Inherited cases by other rules: those to ask, the ids of those the reference answered, and of those set aside.

    A case that the reference answered is called by the old id, `@` and the ruleset's: the old id promises the old
    answer. Set aside is a case whose position, or game, cannot be by these rules. `own` is how many of the cases are
    not inherited: a ruleset under overlays can have cases that people derived.
    """

    cases: tuple[Case, ...]
    answered: tuple[str, ...]
    set_aside: tuple[str, ...]
    own: int = 0


def adapt_cases(ruleset: Ruleset, cases: Iterable[Case]) -> AdaptedCases:
    """Cases of other rules as they are by those of a ruleset, which may be under other readings."""
    query = ruleset.id.partition("?")[2]
    found: list[Case] = []
    answered: list[str] = []
    aside: list[str] = []
    for case in cases:
        expected = case.otherwise.get(query, case.expected)
        given = _answered(ruleset, case, expected)
        if given is None:
            aside.append(case.id)
            continue
        found.append(replace(case, expected=given, otherwise={} if query else _otherwise_of_case(ruleset, case, given)))
        if given is not expected:
            found[-1] = _named_anew(found[-1], ruleset)
            answered.append(found[-1].id)
    return AdaptedCases(tuple(found), tuple(answered), tuple(aside))


def _named_anew(case: Case, ruleset: Ruleset) -> Case:
    """A case with the reference's answer. It shows no clause: those it had are about the old one."""
    why = f"The reference's answer by the rules of {ruleset.id}; {case.id} has another."
    return replace(case, id=f"{case.id}@{ruleset.base}", why=why, clauses=(), generated=MADE_BY)


def _otherwise_of_case(ruleset: Ruleset, case: Case, given: Expectation) -> dict[str, Expectation]:
    """What to expect under other readings, where they go with the rules and the answer is another."""
    found = {}
    for query, expected in case.otherwise.items():
        try:
            under = ruleset.under(query)
        except RulesetError:
            continue
        other = _answered(under, case, expected)
        if other is not None and not _same(under, case, given, other):
            found[query] = other
    return found


def _answered(ruleset: Ruleset, case: Case, expected: Expectation) -> Expectation | None:
    """The expectation itself if the reference's answer is the same, else that answer; None if there cannot be one."""
    try:
        given = reference_answer(ruleset, ruleset.position(case.position), expected, case.history)
    except DamspecError:
        return None
    return expected if _same(ruleset, case, expected, given) and _same_start(ruleset, case) else given


def _same_start(ruleset: Ruleset, case: Case) -> bool:
    """Whether a case about the start is about the same one: an engine is asked where its game starts."""
    return case.position != "start" or ruleset.position().fen() == load_ruleset(case.ruleset).position().fen()


def _same(ruleset: Ruleset, case: Case, expected: Expectation, given: Expectation) -> bool:
    """Whether two answers to a case are the same, however they are written."""
    if given.outcome is not None:
        return expected.outcome is not None and expected.outcome.result == given.outcome.result
    position = ruleset.position(case.position)
    if given.end is not None:
        afters = [[_read(ruleset, fen) for _, fen in one.game] for one in (expected, given)]
        return afters[0] == afters[1] and expected.end is not None and expected.end.result == given.end.result
    if _moves(ruleset, position, expected.moves) != _moves(ruleset, position, given.moves):
        return False
    if expected.lapses is None and load_ruleset(case.ruleset).rules.huff:
        return True  # the case leaves them open
    return _moves(ruleset, position, expected.lapses) == _moves(ruleset, position, given.lapses)


def _moves(
    ruleset: Ruleset, position: Position, moves: Mapping[str, str] | None
) -> frozenset[tuple[Key | None, Position | None]]:
    return frozenset((_trace(position, text), _read(ruleset, fen)) for text, fen in (moves or {}).items())


def _trace(position: Position, text: str) -> Key | None:
    try:
        return move_effect(position, text)
    except DamspecError:
        return None  # squares that this board does not have


def _read(ruleset: Ruleset, fen: str) -> Position | None:
    try:
        return with_sliders(ruleset.rules, Position.from_fen(fen, ruleset.rules.board))
    except DamspecError:
        return None
