"""Published perft counts as files: read, checked for mistakes, and held against the reference."""

from __future__ import annotations

from pathlib import Path

import pytest

import damspec
import naive
import naive_turns
from damspec_runner.cases import perft_tables as module
from damspec_runner.cases.perft_tables import Dispute, Publication, PublishedTable, lint_published, load_published

SHIPPED = load_published()
#: A king on 29 jumps 25 and then 15: three captures, each by two paths; Black has no move then.
JUMPS = PublishedTable("russian", "W:WK29:B15,25", "paths", {1: 6, 2: 0}, (Publication("ann", 2),), 2)
CIRCLE = PublishedTable(
    "english",
    "W:WK2:B6,7,14,15",
    "sequences",
    {1: 2},
    (Publication("ann", 1, "page 2, below"),),
    0,
    "a king in a circle",
    "Both ways round.",
    Dispute(1, "Not really.", {"capture.duty": "optional"}),
)
GOOD = """\
publishers:
  - id: ann
    name: Ann
    where: her page
  - {id: damspec, name: damspec, where: here}

tables:
  - ruleset: russian
    position: 'W:WK29:B15,25'
    count: paths
    nodes: [6, 0]
    published:
      - {by: ann, to: 2}

  - ruleset: english
    position: 'W:WK2:B6,7,14,15'
    name: a king in a circle
    count: sequences
    nodes: [2]
    published:
      - {by: ann, to: 1, at: "page 2, below"}
    note: Both ways round.
    disputed:
      since: 1
      plays: {capture.duty: optional}
      because: Not really.
"""


#: How deep the first of them was counted again, and our own count of a start.
COUNTS = """\
own:
- {ruleset: lb, position: start, nodes: [7, 49], twice: 2}
counted:
- {ruleset: russian, position: 'W:WK29:B15,25', count: paths, by: ann, counted: 2}
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the tables of others are, with our own counts beside them."""
    path, counts = tmp_path / "published.yaml", tmp_path / "perft_counts.yaml"
    path.write_text(GOOD, encoding="utf-8")
    counts.write_text(COUNTS, encoding="utf-8")
    monkeypatch.setattr(module, "published_path", lambda: path)
    monkeypatch.setattr(module, "counts_place", lambda: counts)
    return path


def test_tables_are_read_with_our_own(file: Path) -> None:
    own = PublishedTable("lb", "start", "unique", {1: 7, 2: 49}, (Publication("damspec", 2),), 2, twice=2)
    assert load_published().tables == (JUMPS, CIRCLE, own)
    assert [*lint_published()] == []


def test_a_table_of_others_goes_on_with_our_own(file: Path) -> None:
    table = """\
  - ruleset: lb
    position: start
    count: unique
    nodes: [7]
    published: [{by: ann, to: 1}]
"""
    file.write_text(GOOD + table, encoding="utf-8")
    found = load_published().tables[-1]
    assert (dict(found.nodes), found.counted, found.twice) == ({1: 7, 2: 49}, 2, 2)
    assert found.published == (Publication("ann", 1), Publication("damspec", 2))


def test_a_table_that_begins_later(file: Path) -> None:
    late = GOOD.replace("nodes: [6, 0]", "first: 10\n    nodes: [7]").replace("to: 2", "to: 10")
    file.write_text(late, encoding="utf-8")
    assert load_published().tables[0].nodes == {10: 7}


def test_the_shipped_files_have_no_mistake() -> None:
    assert [*lint_published()] == []


def test_every_table_is_counted_again_to_a_hundred_million() -> None:
    for table in SHIPPED.tables:
        first = min((depth for depth, nodes in table.nodes.items() if nodes >= 10**8), default=max(table.nodes))
        assert table.counted >= first, table.title


def test_there_are_tables_enough() -> None:
    others = [table for table in SHIPPED.tables if table.published[0].by != "damspec"]
    assert len(others) >= 60
    assert len({one.by for table in others for one in table.published}) >= 12
    assert {table.count for table in others} == {"unique", "sequences", "paths"}


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("by: ann, to: 2", "by: bob, to: 2", "russian, W:WK29:B15,25, paths: published: no publisher 'bob'"),
        ("nodes: [6, 0]", "nodes: [6, 0, 0]", "russian, W:WK29:B15,25, paths: nodes: nobody has published depth 3"),
        ("by: ann, to: 2", "by: ann, to: 3", "russian, W:WK29:B15,25, paths: published: ann: found depth 3,"),
        ("since: 1", "since: 2", "english, a king in a circle, sequences: disputed: found depth 2, expected one of"),
        ("ruleset: russian", "ruleset: rusian", "rusian, W:WK29:B15,25, paths: "),
        ("W:WK29:B15,25", "W:WK29:B25,15", "position: found 'W:WK29:B25,15', expected it written 'W:WK29:B15,25'"),
        ("W:WK29:B15,25", "W:W21-32:B1-12", "position: this is the start, expected 'start'"),
        ("capture.duty: optional", "capture.duty: never", "english, a king in a circle, sequences: "),
        ("count: paths", "count: moves", 'tables.0.count: found "moves", expected one of'),
    ],
)
def test_mistakes_are_said_in_a_line(file: Path, old: str, new: str, complaint: str) -> None:
    file.write_text(GOOD.replace(old, new), encoding="utf-8")
    found = [*lint_published()]
    assert any(complaint in line for line in found), found
    assert all("\n" not in line and line.startswith(str(file.parent)) for line in found)


def test_a_table_twice_and_a_publisher_without_one(file: Path) -> None:
    publishers, tables = GOOD.split("tables:\n")
    bob = publishers + "  - {id: bob, name: Bob, where: nowhere}\n\ntables:\n"
    file.write_text(bob + tables + "\n" + tables, encoding="utf-8")
    first, *others = lint_published()
    assert first == f"{file}: publisher 'bob' has published no table"
    assert f"{file}: russian, W:WK29:B15,25, paths: is there before" in others


def test_counts_of_nothing_are_found(file: Path) -> None:
    other = COUNTS.replace("by: ann, counted: 2", "by: bob, counted: 2")
    module.counts_place().write_text(other, encoding="utf-8")
    (said,) = lint_published()
    assert said.endswith("perft_counts.yaml: counted: russian, W:WK29:B15,25, paths, bob: there is no such table")


@pytest.mark.parametrize(
    "table",
    [table for table in SHIPPED.tables if table.disputed and table.nodes[table.disputed.since] <= 500],
    ids=lambda table: table.title,
)
def test_small_disputes_are_decided_by_the_naive_generator(table: PublishedTable) -> None:
    assert table.disputed
    rules, since = damspec.load_ruleset(table.ruleset), table.disputed.since
    counted = naive_turns.perft(rules.inline_values, naive.read(table.position), since, table.count)
    assert counted == damspec.perft(rules, table.position, since, table.count) != table.nodes[since]


@pytest.mark.parametrize(
    ("most", "least"), [(300, 20), pytest.param(10_000, 40, marks=pytest.mark.slow)], ids=["few", "many"]
)
def test_own_counts_rest_on_the_naive_generator_too(most: int, least: int) -> None:
    """Of games without a turn of several chapters; tests/oracle/test_agreement.py has the others too."""
    compared = 0
    for table in SHIPPED.tables:
        rules = damspec.load_ruleset(table.ruleset)
        if table.published[0].by != "damspec" or not rules.turns.plain:
            continue
        for depth, number in table.nodes.items():
            if number <= most:
                position = naive.read(rules.position(table.position).fen())
                assert naive_turns.perft(rules.inline_values, position, depth, table.count) == number, table.title
                compared += 1
    assert compared >= least
