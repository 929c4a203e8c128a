"""Counts of move sequences against published ones: cases/published.yaml, and tests/data/perft.yaml for variants that
no file ships."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

import damspec
from damspec_runner.cases.perft_tables import PublishedTable, load_published, published_rules
from variants import VARIANTS

TABLES = load_published().tables
UNSHIPPED: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parents[1] / "data" / "perft.yaml").read_text(encoding="utf-8")
)["variants"]

#: How many sequences to count at most in a run of each kind: of unique moves; and by the other conventions or where
#: turns are more than moves, which is counted move by move.
UNIQUE = {"usual": 50_000, "thorough": 200_000, "slow": 30_000_000}
OTHERWISE = {"usual": 30_000, "thorough": 80_000, "slow": 12_000_000}


def marked(nodes: dict[int, int], limits: dict[str, int]) -> list[tuple[int, Any]]:
    """The depths of a table that are looked at, in a usual run the deepest that it affords; smaller ones are in it."""
    usual, thorough, slow = (
        max((depth for depth, number in nodes.items() if number <= limit), default=0) for limit in limits.values()
    )
    kinds = {slow: [pytest.mark.slow], thorough: [pytest.mark.thorough], usual: []}
    return [(depth, marks) for depth, marks in kinds.items() if depth]


def questions() -> list[Any]:
    """Each table at the greatest depth that a run of each kind affords, and all below that are in dispute."""
    found = []
    for table in TABLES:
        limits = UNIQUE if table.count == "unique" and published_rules(table).turns.bare else OTHERWISE
        for depth, marks in marked(dict(table.nodes), limits):
            if table.disputed is None or depth < table.disputed.since:
                found.append(pytest.param(table, depth, marks=marks, id=f"{table.title[:90]}, {depth}"))
    return found


@pytest.mark.parametrize(("table", "depth"), questions())
def test_published_counts(table: PublishedTable, depth: int) -> None:
    for shorter in table.nodes:
        if shorter <= depth and (shorter == depth or table.nodes[shorter] <= 1000):
            assert damspec.perft(table.ruleset, table.position, shorter, table.count) == table.nodes[shorter]


@pytest.mark.parametrize(
    ("variant", "depth", "number"),
    [
        pytest.param(table["variant"], depth, table["nodes"][depth - 1], marks=marks)
        for table in UNSHIPPED
        for depth, marks in marked(dict(enumerate(table["nodes"], 1)), UNIQUE)
    ],
)
def test_published_counts_of_variants(variant: str, depth: int, number: int) -> None:
    assert damspec.perft(damspec.from_values(VARIANTS[variant], variant), "start", depth) == number


@pytest.mark.parametrize(
    ("ruleset", "depth"), [("english", 6), ("russian", 6), ("brazilian", 6), ("international", 5), ("frisian", 5)]
)
def test_the_usual_run_goes_deep_enough(ruleset: str, depth: int) -> None:
    asked = [
        question.values[1]
        for question in questions()
        if not question.marks
        and question.values[0].ruleset == ruleset
        and question.values[0].position == "start"
        and question.values[0].count == "unique"
    ]
    assert asked == [depth]


def test_the_slow_run_goes_to_ten_million_where_a_table_does() -> None:
    deepest: dict[PublishedTable, int] = {}
    for question in questions():
        table, depth = question.values
        deepest[table] = max(deepest.get(table, 0), table.nodes[depth])
    for table in TABLES:
        within = max((number for number in table.nodes.values() if number <= 10_000_000), default=0)
        assert deepest.get(table, 0) >= within or table.disputed


def test_whose_turn_it_is_makes_no_difference() -> None:
    ruleset = damspec.load_ruleset("english")
    white_begins = "W:W21-32:B1-12"
    assert damspec.perft(ruleset, white_begins, 6) == damspec.perft(ruleset, "start", 6) == 36768
