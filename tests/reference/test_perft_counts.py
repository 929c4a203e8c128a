"""Perft: the conventions worked out by hand and against the naive generator, and published counts.

The counts are those of cases/published.yaml, and of tests/data/perft.yaml for variants that no file ships.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import damspec
import naive
import naive_turns
from damspec.perft_counts import COUNTS, Convention, orders
from damspec.safe_yaml import read_yaml
from damspec_runner.cases.perft_tables import PublishedTable, load_published, published_rules
from refusals import refusal
from variants import VARIANTS

TABLES = load_published().tables
UNSHIPPED: list[dict[str, Any]] = read_yaml(
    (Path(__file__).parents[1] / "data" / "perft.yaml").read_text(encoding="utf-8")
)["variants"]

#: How many sequences to count at most in a run of each kind: of unique moves; and by the other conventions or where
#: turns are more than moves, which is counted move by move.
UNIQUE = {"usual": 10_000, "thorough": 40_000, "slow": 30_000_000}
OTHERWISE = {"usual": 8_000, "thorough": 30_000, "slow": 12_000_000}


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


def test_whose_turn_it_is_makes_no_difference() -> None:
    ruleset = damspec.load_ruleset("english")
    white_begins = "W:W21-32:B1-12"
    assert damspec.perft(ruleset, white_begins, 6) == damspec.perft(ruleset, "start", 6) == 36768


# --- the conventions


@pytest.mark.parametrize(
    ("ruleset", "position", "unique", "sequences", "paths"),
    [
        # The king jumps 6, 14, 15 and 7, or 7, 15, 14 and 6, and is where it was.
        ("english", "W:WK2:B6,7,14,15", 1, 2, 2),
        # From 29 over 25 to 22 or 18, then over 15 to 11, 8 or 4.
        ("russian", "W:WK29:B15,25", 3, 3, 6),
        # Over 25, to each of the six squares behind it in one way.
        ("russian", "W:WK29:B25", 6, 6, 6),
        # No capture: as many moves as squares.
        ("russian", "W:WK29:B28", 7, 7, 7),
        # Two pieces that capture the same one are two moves.
        ("english", "W:W14,15:B10", 2, 2, 2),
    ],
)
def test_by_hand(ruleset: str, position: str, unique: int, sequences: int, paths: int) -> None:
    counts = {count: damspec.perft(ruleset, position, 1, count) for count in COUNTS}
    assert counts == {"unique": unique, "sequences": sequences, "paths": paths}
    for count, number in counts.items():
        divided = damspec.divide(ruleset, position, 1, count)
        assert sum(divided.values()) == number
        assert len(divided) == unique


def test_the_order_of_the_jumps() -> None:
    legal = damspec.legal_moves("english", "W:WK2:B6,7,14,15")
    assert {*orders(legal.moves[0], legal.position.board)} == {(6, 14, 15, 7), (7, 15, 14, 6)}


def test_a_square_whose_piece_is_gone_is_passed_over_again() -> None:
    """Turkish: down over 30 to 62, over 59 to 57, up over 41 to 25, and over 26, across the empty 30, to 31 or 32."""
    legal = damspec.legal_moves("turkish", "W:WK6:BK26,K30,K41,K59")
    across = [move for move in legal.moves if move.end in (31, 32)]
    assert [orders(move, legal.position.board) for move in across] == [[(30, 59, 41, 26)], [(30, 59, 41, 26)]]


def test_another_convention_is_refused() -> None:
    said = refusal(ValueError, damspec.perft, "english", "start", 1, "moves")  # type: ignore[arg-type]
    assert said == "count: found 'moves', expected 'unique', 'sequences' or 'paths'"


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize(
    ("ruleset", "position", "depth"),
    [
        ("english", "W:WK2,K25:B6,7,14,15,K30", 3),
        ("russian", "W:W9,K29:B6,7,15,K17,25", 3),
        ("brazilian", "W:WK29,27:B7,9,15,22,25", 3),
        ("frisian", "W:WK46,32:B10,19,28,37,K5", 2),
        ("turkish", "W:WK57,50:B9,20,K30,41", 2),
        ("italian", "W:WK18,30:B10,14,15,22,23,26", 3),
        ("nl-trapdoor", "W:WK2,25:B6,7,14,15,K30", 3),
    ],
)
def test_the_naive_generator_counts_the_same(ruleset: str, position: str, depth: int, count: Convention) -> None:
    rules = damspec.load_ruleset(ruleset).inline_values
    counted = naive_turns.perft(rules, naive.read(position), depth, count)
    assert damspec.perft(ruleset, position, depth, count) == counted > 0


@pytest.mark.thorough
@pytest.mark.parametrize("count", COUNTS[1:])  # unique moves are counted in tests/oracle/test_naive_self.py
@pytest.mark.parametrize(
    ("ruleset", "depth"), [("international", 3), pytest.param("frisian", 4, marks=pytest.mark.slow)]
)
def test_the_naive_generator_counts_the_same_from_the_start(ruleset: str, depth: int, count: Convention) -> None:
    rules = damspec.load_ruleset(ruleset)
    assert damspec.perft(rules, "start", depth, count) == naive_turns.perft(
        rules.inline_values, naive.start(rules.inline_values), depth, count
    )


def test_frisian_counts_differ_after_four_moves() -> None:
    """The first capture of the same pieces in two orders: 3,880 against 3,874, as published."""
    assert [damspec.perft("frisian", "start", 4, count) for count in COUNTS] == [3874, 3880, 3880]
