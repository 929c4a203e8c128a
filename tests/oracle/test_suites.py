"""The numbers of the perft suites, by the reference and by the naive generator, two programs that share no code."""

from __future__ import annotations

import pytest

import damspec
import naive
import naive_turns
from damspec_runner.cases.suites import suite_of

RULESETS = damspec.ruleset_ids()


def naive_numbers(name: str, most: int) -> int:
    """Compare the numbers of a suite up to one that is still counted; how many there are."""
    ruleset = damspec.load_ruleset(name)
    compared = 0
    for one in suite_of(ruleset).positions:
        position = naive.read(one.position)
        for depth, nodes in enumerate(one.nodes, 1):
            if nodes <= most:
                assert naive_turns.perft(ruleset.whole, position, depth) == nodes, (one.position, depth)
                compared += 1
    return compared


@pytest.mark.parametrize(
    ("most", "at_least"),
    [
        (5, 10),
        pytest.param(150, 60, marks=pytest.mark.thorough),
        pytest.param(20_000, 150, marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("name", RULESETS)
def test_the_naive_generator_counts_the_same(name: str, most: int, at_least: int) -> None:
    assert naive_numbers(name, most) >= at_least


@pytest.mark.parametrize("most", [400, pytest.param(20_000, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("name", RULESETS)
def test_the_reference_counts_the_same(name: str, most: int) -> None:
    ruleset = damspec.load_ruleset(name)
    for one in suite_of(ruleset).positions:
        for depth, nodes in enumerate(one.nodes, 1):
            if nodes <= most:
                assert damspec.perft(ruleset, one.position, depth) == nodes, (one.position, depth)
