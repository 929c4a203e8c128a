"""Published perft counts as a file: read, written, checked for mistakes, and held against the reference."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import damspec
import naive
import naive_turns
from damspec import FileError
from damspec_runner.cases import perft_tables as module
from damspec_runner.cases.agreement import compare
from damspec_runner.cases.perft_tables import (
    Dispute,
    Publication,
    PublishedCounts,
    PublishedTable,
    Publisher,
    lint_published,
    load_published,
    published_path,
    published_text,
)

SHIPPED = load_published()
ANN = Publisher("ann", "Ann", "her page")
#: A king on 29 jumps 25 and then 15: three captures, each by two paths; Black has no move then.
JUMPS = PublishedTable("russian", "W:WK29:B15,25", "paths", {1: 6, 2: 0}, (Publication("ann", 2),), 2)
CIRCLE = PublishedTable(
    "english",
    "W:WK2:B6,7,14,15",
    "sequences",
    {1: 2},
    (Publication("ann", 1, "page 2, below"),),
    1,
    "a king in a circle",
    "Both ways round.",
    Dispute(1, "Not really.", {"capture.duty": "optional"}),
)
GOOD = """\
publishers:
  - id: ann
    name: Ann
    where: her page

tables:
  - ruleset: russian
    position: 'W:WK29:B15,25'
    count: paths
    nodes: [6, 0]
    published:
      - {by: ann, to: 2}
    counted: 2

  - ruleset: english
    position: 'W:WK2:B6,7,14,15'
    name: a king in a circle
    count: sequences
    nodes: [2]
    published:
      - {by: ann, to: 1, at: "page 2, below"}
    counted: 1
    note: Both ways round.
    disputed:
      since: 1
      plays: {capture.duty: optional}
      because: Not really.
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "published.yaml"
    monkeypatch.setattr(module, "published_path", lambda: path)
    return path


def test_tables_are_written_and_read_back(file: Path) -> None:
    found = PublishedCounts({"ann": ANN}, (JUMPS, CIRCLE))
    text = published_text(found)
    assert text.partition("publishers:")[2] == GOOD.partition("publishers:")[2]
    file.write_text(text, encoding="utf-8")
    assert load_published(file) == found
    assert [*lint_published()] == []


def test_a_table_that_begins_later(file: Path) -> None:
    late = replace(JUMPS, nodes={10: 7}, published=(Publication("ann", 10),), counted=0)
    file.write_text(published_text(PublishedCounts({"ann": ANN}, (late,))), encoding="utf-8")
    assert "    first: 10\n    nodes: [7]\n" in file.read_text(encoding="utf-8")
    assert load_published(file).tables[0].nodes == {10: 7}


def test_the_shipped_file_is_written_like_that_and_has_no_mistake() -> None:
    assert published_path().read_text(encoding="utf-8") == published_text(SHIPPED)
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
        ("counted: 2", "counted: 3", "russian, W:WK29:B15,25, paths: counted: found depth 3, expected one of"),
        ("since: 1", "since: 2", "english, a king in a circle, sequences: disputed: found depth 2, expected one of"),
        ("ruleset: russian", "ruleset: rusian", "rusian, W:WK29:B15,25, paths: "),
        ("W:WK29:B15,25", "W:WK29:B25,15", "position: found 'W:WK29:B25,15', expected it written 'W:WK29:B15,25'"),
        ("W:WK29:B15,25", "W:W21-32:B1-12", "position: this is the start, expected 'start'"),
        ("capture.duty: optional", "capture.duty: never", "english, a king in a circle, sequences: "),
    ],
)
def test_mistakes_are_said_in_a_line(file: Path, old: str, new: str, complaint: str) -> None:
    file.write_text(GOOD.replace(old, new), encoding="utf-8")
    found = [*lint_published()]
    assert any(complaint in line for line in found), found
    assert all("\n" not in line and line.startswith(str(file)) for line in found)


def test_a_table_twice_and_a_publisher_without_one(file: Path) -> None:
    bob = Publisher("bob", "Bob", "nowhere")
    file.write_text(published_text(PublishedCounts({"ann": ANN, "bob": bob}, (JUMPS, JUMPS))), encoding="utf-8")
    first, second = lint_published()
    assert first == f"{file}: publisher 'bob' has published no table"
    assert second == f"{file}: russian, W:WK29:B15,25, paths: is there before"


def test_another_form_is_refused(file: Path) -> None:
    file.write_text(GOOD.replace("count: paths", "count: moves"), encoding="utf-8")
    with pytest.raises(FileError, match=r"tables\.0\.count: found \"moves\", expected one of"):
        load_published(file)
    assert len([*lint_published()]) == 1


class TestAgreement:
    def test_as_deep_as_the_limit(self) -> None:
        table = PublishedTable("english", "start", "unique", {1: 7, 2: 49, 3: 302}, (Publication("ann", 3),), 0)
        for limit, reached, verdict in ((302, 3, "agrees"), (301, 2, "agrees"), (7, 1, "agrees"), (6, 0, "unreached")):
            found = compare(table, limit)
            assert (found.reached, found.verdict, dict(found.differing)) == (reached, verdict, {})

    def test_a_difference(self) -> None:
        found = compare(replace(JUMPS, nodes={1: 5, 2: 0}), 100)
        assert (found.verdict, dict(found.differing)) == ("differs", {1: 6})

    def test_a_difference_that_is_argued(self) -> None:
        wrong = replace(JUMPS, nodes={1: 6, 2: 1}, disputed=Dispute(2, "A move too many."))
        assert compare(wrong, 100).verdict == "argued"
        # One depth earlier it is none of those that are argued.
        assert compare(replace(wrong, nodes={1: 5, 2: 1}), 100).verdict == "differs"
        # Who says that a table is wrong has to be right.
        assert compare(replace(JUMPS, disputed=Dispute(2, "A move too many.")), 100).verdict == "differs"

    def test_rules_that_explain_it(self) -> None:
        """Where a king may land anywhere it can stop on 22 or 18 only if it cannot go on: 11, 8 and 4 each by two."""
        turns = PublishedTable("russian", "W:WK18:B6,14,26", "unique", {1: 2}, (Publication("ann", 1),), 0)
        anywhere = Dispute(1, "It may land anywhere.", {"king.capture.landing": "any"})
        assert compare(replace(turns, disputed=anywhere), 100).verdict == "argued"
        behind = Dispute(1, "It has to land just behind.", {"king.capture.landing": "behind"})
        assert compare(replace(turns, disputed=behind), 100).verdict == "differs"


@pytest.mark.parametrize(
    "table",
    [table for table in SHIPPED.tables if table.disputed and table.nodes[table.disputed.since] <= 500],
    ids=lambda table: table.title,
)
def test_small_disputes_are_decided_by_the_naive_generator(table: PublishedTable) -> None:
    assert table.disputed
    rules, since = damspec.load_ruleset(table.ruleset), table.disputed.since
    counted = naive_turns.perft(rules.whole, naive.read(table.position), since, table.count)
    assert counted == damspec.perft(rules, table.position, since, table.count) != table.nodes[since]


@pytest.mark.parametrize(
    ("most", "least"), [(300, 20), pytest.param(10_000, 40, marks=pytest.mark.slow)], ids=["few", "many"]
)
def test_own_counts_rest_on_the_naive_generator_too(most: int, least: int) -> None:
    """Of games without a turn of several chapters; tests/oracle/test_turn_agreement.py has the others."""
    compared = 0
    for table in SHIPPED.tables:
        rules = damspec.load_ruleset(table.ruleset)
        if table.published[0].by != "damspec" or not rules.turns.plain:
            continue
        for depth, number in table.nodes.items():
            if number <= most:
                position = naive.read(rules.position(table.position).fen())
                assert naive_turns.perft(rules.whole, position, depth, table.count) == number, table.title
                compared += 1
    assert compared >= least
