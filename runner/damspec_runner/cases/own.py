"""The cases for a file of your own: those of what it extends, answered by the reference where its rules change them.

What is shipped expects what people derived from documents, whatever the reference says. Nobody derived anything from
the rules of such a file. So here, and nowhere else, the reference says what to expect.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import damspec
from damspec import Action, DamspecError, Position, Ruleset, RulesetError, load_ruleset
from damspec.trapdoors import with_sliders
from damspec.version import __version__

from .case import Case, Expectation
from .notation import Key, trace


@dataclass(frozen=True)
class Adapted:
    """Inherited cases by other rules: those to ask, the ids of those the reference answered, and of those set aside.

    A case that the reference answered is called by the old id, `@` and the ruleset's: the old id promises the old
    answer. Set aside is a case whose position, or game, cannot be by these rules.
    """

    cases: tuple[Case, ...]
    answered: tuple[str, ...]
    set_aside: tuple[str, ...]


def adapted(ruleset: Ruleset, cases: Iterable[Case]) -> Adapted:
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
        found.append(replace(case, expected=given, otherwise={} if query else _otherwise(ruleset, case, given)))
        if given is not expected:
            found[-1] = _named_anew(found[-1], ruleset)
            answered.append(found[-1].id)
    return Adapted(tuple(found), tuple(answered), tuple(aside))


def _named_anew(case: Case, ruleset: Ruleset) -> Case:
    """A case with the reference's answer. It shows no clause: those it had are about the old one."""
    why = f"The reference's answer by the rules of {ruleset.id}; {case.id} has another."
    return replace(case, id=f"{case.id}@{ruleset.base}", why=why, clauses=(), generated=f"damspec {__version__}")


def _otherwise(ruleset: Ruleset, case: Case, given: Expectation) -> dict[str, Expectation]:
    """What to expect under other readings, where they go with the rules and the answer is another."""
    found = {}
    for query, expected in case.otherwise.items():
        try:
            under = ruleset.under(query)
        except RulesetError:
            continue
        answer = _answered(under, case, expected)
        if answer is not None and not _same(under, case, given, answer):
            found[query] = answer
    return found


def _answered(ruleset: Ruleset, case: Case, expected: Expectation) -> Expectation | None:
    """The expectation itself if the reference's answer is the same, else that answer; None if there cannot be one."""
    try:
        answer = _answer(ruleset, ruleset.position(case.position), expected)
    except DamspecError:
        return None
    return expected if _same(ruleset, case, expected, answer) and _same_start(ruleset, case) else answer


def _same_start(ruleset: Ruleset, case: Case) -> bool:
    """Whether a case about the start is about the same one: an engine is asked where its game starts."""
    return case.position != "start" or ruleset.position().fen() == load_ruleset(case.ruleset).position().fen()


def _answer(ruleset: Ruleset, position: Position, asked: Expectation) -> Expectation:
    """What the reference says to the same question. Raises PositionError or MoveError if a game cannot be played."""
    if asked.outcome is not None:
        return Expectation(outcome=damspec.outcome(ruleset, position))
    if asked.end is not None:
        game = []
        for action, _ in asked.game:
            position = damspec.play(ruleset, position, action)
            game.append((action, position.fen()))
        return Expectation(game=tuple(game), end=damspec.outcome(ruleset, position))
    legal = damspec.legal_moves(ruleset, position)

    def after(actions: Sequence[Action]) -> dict[str, str]:
        return {str(action): damspec.play(ruleset, position, action).fen() for action in actions}

    return Expectation(moves=after(list(legal)), lapses=after(legal.lapses) if ruleset.rules.huff else None)


def _same(ruleset: Ruleset, case: Case, expected: Expectation, answer: Expectation) -> bool:
    """Whether two answers to a case are the same, however they are written."""
    if answer.outcome is not None:
        return expected.outcome is not None and expected.outcome.result == answer.outcome.result
    position = ruleset.position(case.position)
    if answer.end is not None:
        afters = [[_read(ruleset, fen) for _, fen in one.game] for one in (expected, answer)]
        return afters[0] == afters[1] and expected.end is not None and expected.end.result == answer.end.result
    if _moves(ruleset, position, expected.moves) != _moves(ruleset, position, answer.moves):
        return False
    if expected.lapses is None and load_ruleset(case.ruleset).rules.huff:
        return True  # the case leaves them open
    return _moves(ruleset, position, expected.lapses) == _moves(ruleset, position, answer.lapses)


def _moves(
    ruleset: Ruleset, position: Position, moves: Mapping[str, str] | None
) -> frozenset[tuple[Key | None, Position | None]]:
    return frozenset((_trace(position, text), _read(ruleset, fen)) for text, fen in (moves or {}).items())


def _trace(position: Position, text: str) -> Key | None:
    try:
        return trace(position, text)
    except DamspecError:
        return None  # squares that this board does not have


def _read(ruleset: Ruleset, fen: str) -> Position | None:
    try:
        return with_sliders(ruleset.rules, Position.from_fen(fen, ruleset.rules.board))
    except DamspecError:
        return None
