"""What of a table a usual run looks at, and what only a thorough one does."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Any

import pytest

import damspec
from damspec_runner.document.compare import each_with_each

#: The rulesets that a usual run looks at, which are compared each with each.
OFTEN = list(each_with_each())

#: The rulesets of these that extend no other: what a variant of theirs shares with them is looked at once.
ORIGINALS = frozenset(id for id in OFTEN if not damspec.load_ruleset(id).family)

#: The other rulesets, which a thorough run looks at.
SELDOM = frozenset(damspec.ruleset_ids()) - {*OFTEN}


def is_seldom(value: Any) -> bool:
    """Whether what a test is told is a ruleset looked at seldom, by itself or by its id with readings."""
    if isinstance(value, damspec.Ruleset):
        return value.base in SELDOM
    return isinstance(value, str) and value.partition("?")[0] in SELDOM


def searched(usual: Container[Any], names: Iterable[Any], few: int, many: int) -> pytest.MarkDecorator:
    """Tests of `name` and `examples`: a usual run takes few examples of the usual names, a thorough one many of all."""
    every = list(names)
    seldom = [pytest.param(name, many, marks=pytest.mark.thorough) for name in every]
    return pytest.mark.parametrize(("name", "examples"), [*((name, few) for name in every if name in usual), *seldom])


def usually(usual: Container[Any], names: Iterable[Any], thorough: Container[Any] | None = None) -> list[Any]:
    """The names, or what else tests go by, as parameters; those not among the usual ones belong to a thorough run.

    If `thorough` is given, those not among these either belong to a slow one.
    """

    def seldom(name: Any) -> pytest.MarkDecorator:
        return pytest.mark.thorough if thorough is None or name in thorough else pytest.mark.slow

    return [name if name in usual else pytest.param(name, marks=seldom(name)) for name in names]
