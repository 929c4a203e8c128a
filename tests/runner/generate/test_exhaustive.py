"""Exhaustive search: the same positions with the filter in compiled code and without."""

from __future__ import annotations

import random
import sys
from itertools import islice
from unittest import mock

import pytest

import damspec
from damspec import Position
from damspec_runner.generate import exhaustive
from damspec_runner.generate.exhaustive import ExhaustiveSearch
from damspec_runner.generate.goal import Goal, SearchGoal
from damspec_runner.mutants.mutants import single_mutants

pytest.importorskip("numba", reason="compiled by numba, which is not installed: damspec[fast]")

pytestmark = [pytest.mark.thorough, pytest.mark.xdist_group("kernel")]  # one process has it compiled


def tried(wanted: SearchGoal, number: int, *, compiled: bool) -> list[list[Position]]:
    """What is wanted of each position with so many pieces, in their order."""
    with mock.patch.object(exhaustive, "MUCH", 0 if compiled else sys.maxsize):
        return [*ExhaustiveSearch(wanted).shuffled_groups(number, 1, random.Random(5))]


def wanted(name: str, *others: str) -> SearchGoal:
    """What tells a ruleset from one of several."""
    ruleset = damspec.load_ruleset(name)
    return SearchGoal(ruleset, (Goal("others", tuple(map(damspec.load_ruleset, others))),))


@pytest.mark.parametrize(
    ("name", "others"),
    [
        ("vl", ["vl?removal=at-once", "brazilian"]),
        pytest.param("turkish", ["armenian"], marks=pytest.mark.slow),
        pytest.param("english", ["italian"], marks=pytest.mark.slow),
        pytest.param("fr-trapdoor", ["fr-trapdoor?capture-landing=only-last"], marks=pytest.mark.slow),
    ],
)
def test_all_with_two_pieces(name: str, others: list[str]) -> None:
    asked = wanted(name, *others)
    assert tried(asked, 2, compiled=True) == tried(asked, 2, compiled=False)


@pytest.mark.parametrize(
    "name", ["lb", *(pytest.param(name, marks=pytest.mark.slow) for name in ("nl-trapdoor", "philippine"))]
)
def test_a_changed_rule(name: str) -> None:
    """Changes of any rule, of how a game ends and of turns too."""
    ruleset = damspec.load_ruleset(name)
    sifted = 0
    for mutant in random.Random(6).sample(single_mutants(ruleset), 12 if name != "lb" else 4):
        asked = SearchGoal(ruleset, (Goal(mutant.name, (mutant.ruleset,)),))
        sifted += exhaustive._sieve(asked) is not None
        assert tried(asked, 1, compiled=True) == tried(asked, 1, compiled=False), mutant.name
    assert sifted > 1


def test_in_order_and_with_three() -> None:
    found = []
    for much in (0, sys.maxsize):
        with mock.patch.object(exhaustive, "MUCH", much):
            levels = ExhaustiveSearch(wanted("english", "english?origin=occupied"))
            three = levels.shuffled_groups(3, None, random.Random(7))
            found.append(([*levels.in_order(2)], [*islice(three, 10_000)]))
    assert found[0] == found[1]
