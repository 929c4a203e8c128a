"""Counts of move sequences against published ones (tests/data/perft.yaml), for shipped rulesets and for variants that
try the rest of the rule language."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

import damspec
from variants import VARIANTS

DATA: dict[str, Any] = yaml.safe_load((Path(__file__).parents[1] / "data" / "perft.yaml").read_text(encoding="utf-8"))

#: How many sequences to count at most in a run of each kind: from the start of shipped rulesets, from other positions
#: of theirs, and of variants.
SHIPPED = {"usual": 300_000, "thorough": 4_000_000, "slow": 400_000_000}
POSITIONS = {**SHIPPED, "usual": 100_000}
#: The same of those whose cases are not complete, and of overlays.
UNFINISHED = {"usual": 100_000, "thorough": 1_400_000, "slow": 100_000_000}
VARIANT = {"usual": 30_000, "thorough": 1_400_000, "slow": 40_000_000}


def rules_of(table: dict[str, Any]) -> damspec.Ruleset:
    """The rules a table is about."""
    if "variant" in table:
        return damspec.from_values(VARIANTS[table["variant"]], table["variant"])
    return damspec.load_ruleset(table["ruleset"])


def questions() -> list[Any]:
    """Each table at every length up to the limit: in a usual run the short ones and the longest that it affords."""
    found = []
    for table in [*DATA["tables"], *DATA["variants"]]:
        if "variant" in table:
            limits = VARIANT
        elif "+" in table["ruleset"]:
            limits = UNFINISHED
        else:
            limits = SHIPPED if table["position"] == "start" else POSITIONS
        usual, thorough, slow = (
            max(length for length, nodes in table["nodes"].items() if nodes <= limit) for limit in limits.values()
        )
        name = f"{table.get('ruleset') or table['variant']}, {table.get('name', table['position'])}"
        for length, nodes in table["nodes"].items():
            if nodes <= 10_000 or length == usual:
                marks = []
            elif usual < length <= thorough:
                marks = [pytest.mark.thorough]
            elif thorough < length <= slow:
                marks = [pytest.mark.slow]
            else:
                continue
            found.append(pytest.param(table, length, nodes, marks=marks, id=f"{name}, {length}"))
    return found


@pytest.mark.parametrize(("table", "length", "nodes"), questions())
def test_published_counts(table: dict[str, Any], length: int, nodes: int) -> None:
    assert damspec.perft(rules_of(table), table["position"], length) == nodes


@pytest.mark.parametrize(
    ("ruleset", "length"), [("english", 7), ("russian", 7), ("brazilian", 7), ("international", 6)]
)
def test_the_usual_run_goes_deep_enough(ruleset: str, length: int) -> None:
    asked = [
        question.values[1]
        for question in questions()
        if not question.marks
        and question.values[0].get("ruleset") == ruleset
        and question.values[0]["position"] == "start"
    ]
    assert max(asked) >= length


def test_every_table_says_where_it_is_from() -> None:
    assert all(table["source"] for table in [*DATA["tables"], *DATA["variants"]])
    assert {table["variant"] for table in DATA["variants"]} <= set(VARIANTS)


def test_whose_turn_it_is_makes_no_difference() -> None:
    ruleset = damspec.load_ruleset("english")
    white_begins = "W:W21-32:B1-12"
    assert damspec.perft(ruleset, white_begins, 6) == damspec.perft(ruleset, "start", 6) == 36768
