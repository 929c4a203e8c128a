"""Marks for the parameters of a test: what a usual run of the tests looks at, what a thorough or a slow one."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from inspect import Signature, signature
from typing import Any

import pytest

import damspec
from damspec_runner.document.compare import each_with_each

#: What `pytest.param` makes.
PARAM = type(pytest.param())


def usually(usual: Container[Any], names: Iterable[Any], thorough: Container[Any] | None = None) -> list[Any]:
    """Return the names, or what else tests go by, as parameters; those that are not `usual` are thorough.

    Those not among `thorough`, if it is given, are slow, and otherwise the rulesets that are not of the SPREAD.
    """

    def mark(name: Any) -> pytest.MarkDecorator:
        is_slow = name in RARE if thorough is None else name not in thorough
        return pytest.mark.slow if is_slow else pytest.mark.thorough

    return [name if name in usual else pytest.param(name, marks=mark(name)) for name in names]


def searched(usual: Container[Any], names: Iterable[Any], few: int, many: int) -> pytest.MarkDecorator:
    """Parametrise by `name` and `examples`: few of the usual names in a usual run, many of others in a thorough one.

    Many of the usual ones, and of the rulesets that are not of the SPREAD, are looked at in a slow run.
    """
    every = list(names)
    marks = {name: pytest.mark.slow if name in RARE or name in usual else pytest.mark.thorough for name in every}
    most = [pytest.param(name, many, marks=marks[name]) for name in every]
    return pytest.mark.parametrize(("name", "examples"), [*((name, few) for name in every if name in usual), *most])


def for_each(names: str | Sequence[str], rows: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a test with each row of a table, as one test: a thousand of them cost pytest more than what they check.

    Use it as `pytest.mark.parametrize`, for rows that are quick; they share the fixtures. A failure names its row.
    """
    arguments = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    wrapped = (row if isinstance(row, PARAM) or len(arguments) > 1 else (row,) for row in rows)
    given = [row.values if isinstance(row, PARAM) else row for row in wrapped]
    assert given

    def made(test: Callable[..., None]) -> Callable[..., None]:
        def every(**fixtures: Any) -> None:
            for row in given:
                named = dict(zip(arguments, row, strict=True))
                try:
                    test(**fixtures, **named)
                except BaseException as error:
                    error.add_note(f"with {named!r}")
                    raise

        others = [each for name, each in signature(test).parameters.items() if name not in arguments]
        every.__name__, every.__doc__, every.__module__ = test.__name__, test.__doc__, test.__module__
        every.__dict__["__signature__"] = Signature(others)
        return every

    return made


#: The rulesets of every day, which are compared each with each.
OFTEN = list(each_with_each())

#: One of each kind of them: huffing, a majority rule and flying kings, short kings, trapdoors, crowning in mid-capture.
ORIGINALS = frozenset(("de", "international", "lb", "nl-trapdoor", "russian"))

#: The rulesets that are not of every day.
SELDOM = frozenset(damspec.ruleset_ids()) - {*OFTEN}

#: One of each kind of game: the originals, a board of two words, limited kings, other duties, captures straight ahead.
SPREAD = [*sorted(ORIGINALS), "canadian", "frisian", "italian", "turkish"]

#: The rulesets that are not of the spread.
RARE = frozenset(damspec.ruleset_ids()) - {*SPREAD}

#: Every ruleset, in a usual run those of every day, in a thorough one the spread.
EVERY = usually(OFTEN, damspec.ruleset_ids())
