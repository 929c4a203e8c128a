"""Marks for the parameters of a test: what a usual run of the tests looks at, what a thorough or a slow one."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Any

import pytest

import damspec
from damspec_runner.document.compare import each_with_each


def usually(usual: Container[Any], names: Iterable[Any], thorough: Container[Any] | None = None) -> list[Any]:
    """Return the names, or what else tests go by, as parameters; those that are not `usual` are thorough.

    Those not among `thorough`, if it is given, are slow, and otherwise the rulesets that are not of the SPREAD.
    """

    def mark(name: Any) -> pytest.MarkDecorator:
        is_slow = name in RARE if thorough is None else name not in thorough
        return pytest.mark.slow if is_slow else pytest.mark.thorough

    return [name if name in usual else pytest.param(name, marks=mark(name)) for name in names]


def searched(usual: Container[Any], names: Iterable[Any], few: int, many: int) -> pytest.MarkDecorator:
    """Parametrise by `name` and `examples`: few of the usual names in a usual run, many in a thorough or a slow one.

    Many of the rulesets that are not of the SPREAD are looked at in a slow run.
    """
    every = list(names)
    marks = {name: pytest.mark.slow if name in RARE else pytest.mark.thorough for name in every}
    most = [pytest.param(name, many, marks=marks[name]) for name in every]
    return pytest.mark.parametrize(("name", "examples"), [*((name, few) for name in every if name in usual), *most])


#: The rulesets of every day, which are compared each with each.
OFTEN = list(each_with_each())

#: Those of them that extend no other: what a variant shares with them is looked at once.
ORIGINALS = frozenset(id for id in OFTEN if not damspec.load_ruleset(id).family)

#: The rulesets that are not of every day.
SELDOM = frozenset(damspec.ruleset_ids()) - {*OFTEN}

#: One of each kind of game: the originals, captures straight ahead, limited kings, other duties, a board of two words.
SPREAD = [*sorted(ORIGINALS), "canadian", "frisian", "italian", "thai", "turkish"]

#: The rulesets that are not of the spread.
RARE = frozenset(damspec.ruleset_ids()) - {*SPREAD}

#: Every ruleset, in a usual run those of every day, in a thorough one the spread.
EVERY = usually(OFTEN, damspec.ruleset_ids())
