"""The cases for a file of your own: those of what it extends, answered by the reference where its rules change them.

What is shipped expects what people derived from documents, whatever the reference says. Nobody derived anything from
the rules of such a file. So here the reference says what to expect.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from damspec import DamspecError, Position, Ruleset, RulesetError, load_ruleset
from damspec.trapdoors import with_sliders

from .case import Case, Expectation
from .made import MADE_BY, answer
from .notation import Key, trace


@dataclass(frozen=True)
class Adapted:
    """Inherited cases by other rules: those to ask, the ids of those the reference answered, and of those set aside.

    A case that the reference answered is called by the old id, `@` and the ruleset's: the old id promises the old
    answer. Set aside is a case whose position, or game, cannot be by these rules. `own` is how many of the cases are
    not inherited: a ruleset under overlays can have cases that people derived.
    """

    cases: tuple[Case, ...]
    answered: tuple[str, ...]
    set_aside: tuple[str, ...]
    own: int = 0


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
    return replace(case, id=f"{case.id}@{ruleset.base}", why=why, clauses=(), generated=MADE_BY)


def _otherwise(ruleset: Ruleset, case: Case, given: Expectation) -> dict[str, Expectation]:
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
        given = answer(ruleset, ruleset.position(case.position), expected, case.history)
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
        return trace(position, text)
    except DamspecError:
        return None  # squares that this board does not have


def _read(ruleset: Ruleset, fen: str) -> Position | None:
    try:
        return with_sliders(ruleset.rules, Position.from_fen(fen, ruleset.rules.board))
    except DamspecError:
        return None
