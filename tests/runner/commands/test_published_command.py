"""`damspec cases perft`: what it prints, its exit status, and what it writes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from damspec import data
from damspec_runner.cases.perft_tables import PublishedCounts, load_published, published_text
from damspec_runner.document import counts
from runner_fixtures import damspec

SHIPPED = load_published()
#: Ann has the king of the circle right, and one move too many for the king that turns.
TABLES = """\
publishers:
  - id: ann
    name: Ann
    where: her page

tables:
  - ruleset: english
    position: 'W:WK2:B6,7,14,15'
    name: a circle
    count: sequences
    nodes: [2, 0]
    published:
      - {by: ann, to: 2}
    counted: 0

  - ruleset: russian
    position: 'W:WK18:B6,14,26'
    count: unique
    nodes: [2]
    published:
      - {by: ann, to: 1}
    counted: 0
"""


def test_tables_of_one_ruleset() -> None:
    ran = damspec("cases", "perft", "turkish", "thai", "--limit", "500")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        "thai, start, unique (dctl, damforum): agrees to depth 3 of 11",
        "thai, the start with twelve men, unique (dctl, damforum): agrees to depth 3 of 13",
        "thai, the start with twelve men, sequences (dctl, damforum): agrees to depth 3 of 13",
        "turkish, start, paths (kish): agrees to depth 2 of 12",
        "turkish, start, unique (damspec): agrees to depth 2 of 9",
        "5 tables to 500 nodes: 5 agree, 0 argued, 0 differ",
    ]


def test_options_go_with_their_ruleset() -> None:
    content = json.loads(damspec("cases", "perft", "english", "--limit", "10", "--json").out)
    assert [(table["ruleset"], table["count"]) for table in content["tables"]] == [
        ("english", "unique"),
        ("english", "sequences"),
        ("english+on-6x6", "sequences"),
    ]
    only = json.loads(damspec("cases", "perft", "english+on-6x6", "--limit", "10", "--json").out)
    assert [table["ruleset"] for table in only["tables"]] == ["english+on-6x6"]


def test_json_has_the_form_of_its_schema() -> None:
    ran = damspec("cases", "perft", "pool", "--limit", "50", "--json")
    assert ran.status == 0
    content = json.loads(ran.out)
    assert data.schema_problem(content, "agreement") is None
    assert {table["verdict"] for table in content["tables"]} == {"agrees", "argued"}
    turning = next(table for table in content["tables"] if table["position"] == "W:WK18:B6,14,26")
    assert turning["differing"]["1"] == {"published": 2, "counted": 1}


def test_a_difference_that_nobody_argued(places: tuple[Path, Path]) -> None:
    ran = damspec("cases", "perft")
    assert (ran.status, ran.err) == (1, "")
    assert ran.out.splitlines() == [
        "english, a circle, sequences (ann): agrees to depth 2 of 2",
        "russian, W:WK18:B6,14,26, unique (ann): differs to depth 1 of 1; depth 1: published 2, counted 1",
        "2 tables to 100,000 nodes: 1 agree, 0 argued, 1 differ",
    ]
    assert places[0].read_text(encoding="utf-8") == TABLES


def test_what_was_counted_is_recorded(places: tuple[Path, Path]) -> None:
    tables, page = places
    assert damspec("cases", "perft", "english", "--record").status == 0
    assert [table.counted for table in load_published(tables).tables] == [2, 0]
    assert tables.read_text(encoding="utf-8") == published_text(load_published(tables))
    assert page.read_text(encoding="utf-8") == counts.page(load_published(tables))
    # A run that does not come as deep takes nothing back, and a table that differs is not counted as agreed.
    assert damspec("cases", "perft", "--limit", "2", "--record").status == 1
    assert [table.counted for table in load_published(tables).tables] == [2, 0]


def test_what_there_is_no_table_of() -> None:
    ran = damspec("cases", "perft", "turkisch")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.splitlines()[-1] == "damspec: no published table of 'turkisch'; did you mean 'turkish'?"


def test_nothing_is_counted_if_it_cannot_be_written(places: tuple[Path, Path], tmp_path: Path) -> None:
    shutil.rmtree(tmp_path / "perft.md", ignore_errors=True)
    (tmp_path / "perft.md").mkdir()
    ran = damspec("cases", "perft", "--record")
    assert (ran.status, ran.out) == (2, "")
    assert "--record: cannot write" in ran.err.splitlines()[-1]


def test_the_page_is_what_the_data_say() -> None:
    assert counts.page_path().read_text(encoding="utf-8") == counts.page(SHIPPED)


def test_the_page_shows_every_number_with_who_published_it() -> None:
    page = counts.page(SHIPPED)
    for table in SHIPPED.tables:
        for depth, number in table.nodes.items():
            row = [line for line in page.splitlines() if line.startswith(f"| {depth} |") and f"{number:,}" in line]
            assert row, (table.title, depth)
    for one in SHIPPED.publishers.values():
        assert f"| `{one.id}` | {one.name} | {one.where} |" in page


def test_a_number_that_was_not_counted_again_is_set_off() -> None:
    table = next(table for table in SHIPPED.tables if 0 < table.counted < max(table.nodes) and not table.disputed)
    small = PublishedCounts(SHIPPED.publishers, (table,))
    assert f"| {table.counted} | {table.nodes[table.counted]:,} |" in counts.page(small)
    assert f"| {table.counted + 1} | *{table.nodes[table.counted + 1]:,}* |" in counts.page(small)
