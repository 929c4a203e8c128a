"""Cases made by the reference: for positions that nobody derived an answer to from a document."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Literal, get_args

import damspec
from damspec import Action, Position, Ruleset
from damspec.ending import ended
from damspec.possible import objection
from damspec.version import __version__

from .case import Case, Expectation

#: What can be asked about any position.
AboutIt = Literal["moves", "outcome"]
ABOUT_IT: tuple[AboutIt, ...] = get_args(AboutIt)
MADE_BY = f"damspec {__version__}"


def answer(ruleset: Ruleset, position: Position, asked: Expectation, history: Iterable[str] = ()) -> Expectation:
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
        return Expectation(game=tuple(game), end=ended(ruleset.turns, position))
    turns = ruleset.turns

    def after(actions: Sequence[Action]) -> dict[str, str]:
        return {str(action): turns.after(position, action).fen() for action in actions}

    lapses = after(turns.lapses(position)) if ruleset.rules.huff else None
    return Expectation(moves=after(turns.actions(position)), lapses=lapses)


def made(
    ruleset: Ruleset, position: Position, question: AboutIt, id: str, topic: str, *, readings: bool = True
) -> Case:
    """A case about a position that the ruleset can have, as the reference answers it; under other `readings` too."""
    asked = Expectation(outcome=damspec.Outcome("ongoing")) if question == "outcome" else Expectation(moves={})
    expected = answer(ruleset, position, asked)
    return Case(
        id=id,
        ruleset=ruleset.base,
        topic=topic,
        why="",
        clauses=(),
        position=position.fen(),
        expected=expected,
        otherwise=_otherwise(ruleset, position, expected) if readings and "?" not in ruleset.id else {},
        generated=MADE_BY,
    )


def _otherwise(ruleset: Ruleset, position: Position, expected: Expectation) -> dict[str, Expectation]:
    """What to expect under each other reading that can have the position and answers it otherwise."""
    found = {}
    for query, under in _alternatives(ruleset).items():
        if under.rules.board != position.board or objection(under.turns, position):
            continue
        other = answer(under, position, expected)
        if _plain(other) != _plain(expected):
            found[query] = other
    return found


@cache
def _alternatives(ruleset: Ruleset) -> Mapping[str, Ruleset]:
    return ruleset.alternatives


def _plain(expected: Expectation) -> Expectation:
    """An expectation without the reason of an outcome, which no engine's is compared with."""
    return expected if expected.outcome is None else replace(expected, outcome=damspec.Outcome(expected.outcome.result))
