"""`damspec cases deepen`: what it counts, what it writes, and what it says of a number that is not right."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import damspec
from damspec import data
from damspec.kernel import is_available
from damspec_runner.cases.deepening import Deepening, own_table
from damspec_runner.cases.perft_tables import load_published, published_text
from damspec_runner.commands import deepen
from damspec_runner.document import counts
from runner_fixtures import damspec as command
from runs import SPREAD

FAST = [
    pytest.mark.skipif(not is_available(), reason="the compiled kernel is not installed: damspec[fast]"),
    pytest.mark.thorough,
    pytest.mark.xdist_group("kernel"),
]
#: Ann has the first two depths of a game, and one move too many of another.
TABLES = """\
publishers:
  - id: ann
    name: Ann
    where: her page
  - id: damspec
    name: damspec
    where: here

tables:
  - ruleset: english
    position: start
    count: unique
    nodes: [7, 49]
    published:
      - {by: ann, to: 2}
    counted: 1

  - ruleset: lb
    position: start
    count: unique
    nodes: [8]
    published:
      - {by: ann, to: 1}
    counted: 0
"""


class TestWithTheKernel:
    pytestmark = FAST

    def test_what_others_have_published_goes_on(self, places: tuple[Path, Path]) -> None:
        tables, page = places
        ran = command("cases", "deepen", "english", "turkish", "--to", "300")
        assert (ran.status, ran.err) == (0, "")
        assert ran.out.splitlines() == [
            "english, depth 1: 7",
            "english, depth 2: 49",
            "english, depth 3: 302, without a table too",
            "turkish, depth 1: 8",
            "turkish, depth 2: 64",
            "turkish, depth 3: 708, without a table too",
            "2 games to 300 nodes, 0 numbers differ",
        ]
        found = load_published(tables)
        english, turkish = own_table(found, "english"), own_table(found, "turkish")
        assert (dict(english.nodes), english.counted, english.twice) == ({1: 7, 2: 49, 3: 302}, 3, 3)
        assert [(one.by, one.to) for one in english.published] == [("ann", 2), ("damspec", 3)]
        assert (dict(turkish.nodes), turkish.twice) == ({1: 8, 2: 64, 3: 708}, 3)
        assert tables.read_text(encoding="utf-8") == published_text(found)
        assert page.read_text(encoding="utf-8") == counts.page(found)
        # What was counted twice is not counted again.
        assert command("cases", "deepen", "english", "--to", "300").out.splitlines() == [
            "1 games to 300 nodes, 0 numbers differ"
        ]

    def test_a_number_that_is_not_right(self, places: tuple[Path, Path]) -> None:
        ran = command("cases", "deepen", "lb", "--to", "300")
        assert (ran.status, ran.err) == (1, "")
        assert ran.out.splitlines() == [
            "lb, depth 1: 7, published 8: differs",
            "1 games to 300 nodes, 1 numbers differ",
        ]
        assert places[0].read_text(encoding="utf-8") == TABLES

    def test_json_has_the_form_of_its_schema(self, places: tuple[Path, Path]) -> None:
        ran = command("cases", "deepen", "fr-trapdoor", "--to", "3", "--json")
        content = json.loads(ran.out)
        assert data.schema_problem(content, "deepened") is None
        assert content == {"to": 3, "differing": 0, "tables": [{"ruleset": "fr-trapdoor", "nodes": {"1": 3}}]}


def test_without_the_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deepen, "is_available", lambda: False)
    ran = command("cases", "deepen", "lb")
    assert (ran.status, ran.out) == (2, "")
    assert "pip install 'damspec[fast]'" in ran.err


def test_there_is_a_table_of_every_game() -> None:
    found = load_published()
    for id in damspec.ruleset_ids():
        table = own_table(found, id)
        assert table.nodes[table.twice] >= 10**9 > table.nodes[table.twice - 1], id


@pytest.mark.parametrize(
    ("id", "enough"),
    [
        *(pytest.param(id, 10**5, marks=FAST) for id in ("nl-trapdoor", "turkish")),
        *(pytest.param(id, 10**9, marks=[FAST[0], pytest.mark.slow]) for id in SPREAD),
    ],
)
def test_every_game_is_counted_again(id: str, enough: int) -> None:
    table = own_table(load_published(), id)
    found = [*Deepening(replace(table, twice=0), 1 << 28).until(enough)]
    assert all(one.agrees for one in found)
    assert [one.depth for one in found] == [*range(1, len(found) + 1)]
    assert found[-1].plain == found[-1].published == table.nodes[len(found)] >= enough
