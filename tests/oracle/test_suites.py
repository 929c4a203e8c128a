"""The numbers of the perft suites, by the reference and by the naive generator, two programs that share no code."""

from __future__ import annotations

import pytest

import damspec
import naive
import naive_turns
from damspec_runner.cases.perft_tables import suite_of
from runs import SPREAD

RULESETS = damspec.ruleset_ids()


def naive_numbers(name: str, most: int) -> int:
    """Compare the numbers of a suite up to one that is still counted; how many there are."""
    ruleset = damspec.load_ruleset(name)
    compared = 0
    for one in suite_of(ruleset).positions:
        position = naive.read(one.position)
        for depth, nodes in enumerate(one.nodes, 1):
            if nodes <= most:
                assert naive_turns.perft(ruleset.inline_values, position, depth) == nodes, (one.position, depth)
                compared += 1
    return compared


@pytest.mark.parametrize(
    ("name", "most", "at_least"),
    [
        *((name, 5, 10) for name in ("english", "de", "nl-trapdoor")),
        *(pytest.param(name, 20_000, 150, marks=pytest.mark.slow) for name in RULESETS),
    ],
)
def test_the_naive_generator_counts_the_same(name: str, most: int, at_least: int) -> None:
    assert naive_numbers(name, most) >= at_least


@pytest.mark.parametrize(
    ("name", "most"),
    [
        *((name, 100) for name in ("english", "de", "nl-trapdoor")),
        *(pytest.param(name, 2_000, marks=pytest.mark.thorough) for name in SPREAD),
        *(pytest.param(name, 20_000, marks=pytest.mark.slow) for name in SPREAD),
    ],
)
def test_the_reference_counts_the_same(name: str, most: int) -> None:
    ruleset = damspec.load_ruleset(name)
    for one in suite_of(ruleset).positions:
        for depth, nodes in enumerate(one.nodes, 1):
            if nodes <= most:
                assert damspec.perft(ruleset, one.position, depth) == nodes, (one.position, depth)
