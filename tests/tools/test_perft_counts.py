"""Perft counts on record: counted from the start of games, held against what is published, and shown on a page."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from tools.parts import Job, Limits, Part
from tools.perft_counts import Deepening, compare, record, start_table
from tools.perft_page import counts_csv, csv_path, page, page_path

import damspec
from damspec.kernel import is_available
from damspec_runner.cases import perft_tables as tables
from damspec_runner.cases.perft_tables import Dispute, Publication, PublishedCounts, PublishedTable, load_published
from damspec_runner.tasks.executor import run_in_process
from runs import usually
from tools import perft_counts

SHIPPED = load_published()
FAST = [
    pytest.mark.skipif(not is_available(), reason="the compiled kernel is not installed: damspec[fast]"),
    pytest.mark.thorough,
    pytest.mark.xdist_group("kernel"),
]
#: A king on 29 jumps 25 and then 15: three captures, each by two paths; Black has no move then.
JUMPS = PublishedTable("russian", "W:WK29:B15,25", "paths", {1: 6, 2: 0}, (Publication("ann", 2),), 2)
#: Ann has the first two depths of a game and a king in a circle, and one move too many of another game.
TABLES = """\
publishers:
  - {id: ann, name: Ann, where: her page}
  - {id: damspec, name: damspec, where: here}
tables:
  - ruleset: english
    position: start
    count: unique
    nodes: [7, 49]
    published: [{by: ann, to: 2}]
  - ruleset: english
    position: 'W:WK2:B6,7,14,15'
    name: a circle
    count: sequences
    nodes: [2, 0]
    published: [{by: ann, to: 2}]
  - ruleset: lb
    position: start
    count: unique
    nodes: [8]
    published: [{by: ann, to: 1}]
"""
COUNTS = "own:\n- {ruleset: gone, position: start, nodes: [1]}\ncounted: []\n"


@pytest.fixture
def counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where our own counts are: none but of a game that is gone."""
    file, own, shown = (tmp_path / name for name in ("published.yaml", "perft_counts.yaml", "perft.md"))
    file.write_text(TABLES, encoding="utf-8")
    own.write_text(COUNTS, encoding="utf-8")
    for module in (tables, perft_counts):
        monkeypatch.setattr(module, "published_path", lambda: file)
        monkeypatch.setattr(module, "counts_place", lambda: own)
    monkeypatch.setattr(perft_counts, "page_path", lambda: shown)
    monkeypatch.setattr(perft_counts, "csv_path", lambda: shown.with_suffix(".csv"))
    return own


def parts(*units: str) -> list[Part]:
    """What recording gives, after it is written."""
    found = []
    for part in record(Job(frozenset(units), run_in_process, Limits(None, 300))):
        for path, text in part.texts.items():
            assert isinstance(text, str)
            path.write_text(text, encoding="utf-8")
        found.append(part)
    return found


class TestRecording:
    pytestmark = FAST

    def test_what_others_have_published_goes_on(self, counts: Path) -> None:
        gone, english, turkish = parts("gone", "english", "turkish")
        assert (gone.units, english.units, turkish.units) == (("gone", "docs/perft.md"), ("english",), ("turkish",))
        content = yaml.safe_load(counts.read_text(encoding="utf-8"))
        circle = {"ruleset": "english", "position": "W:WK2:B6,7,14,15", "count": "sequences", "by": "ann", "counted": 2}
        assert content == {
            "own": [
                {"ruleset": "english", "position": "start", "nodes": [7, 49, 302], "twice": 3},
                {"ruleset": "turkish", "position": "start", "nodes": [8, 64, 708], "twice": 3},
            ],
            "counted": [circle],
        }
        assert [(one.by, one.to) for one in start_table(load_published(), "english").published] == [
            ("ann", 2),
            ("damspec", 3),
        ]
        assert counts.with_name("perft.md").read_text(encoding="utf-8") == page(load_published())
        lines = counts.with_name("perft.csv").read_text(encoding="utf-8").splitlines()
        assert lines[1:4] == [
            "english,start,unique,1,7,ann damspec,yes,no",
            "english,start,unique,2,49,ann damspec,yes,no",
            "english,start,unique,3,302,damspec,yes,no",
        ]
        # Once more, and only the page: nothing is another.
        before = counts.read_text(encoding="utf-8")
        assert [part.units for part in parts("english", "docs/perft.md")] == [("docs/perft.md",), ("english",)]
        assert counts.read_text(encoding="utf-8") == before

    def test_a_number_that_is_not_right(self, counts: Path) -> None:
        (part,) = parts("lb")
        assert (part.units, part.texts) == ((), {})
        assert part.wrong == ("lb, depth 1: 7, published 8",)


def test_there_is_a_table_of_every_game() -> None:
    for id in damspec.ruleset_ids():
        table = start_table(SHIPPED, id)
        assert table.nodes[table.twice] >= 3 * 10**7, id


@pytest.mark.parametrize("id", usually((), damspec.ruleset_ids(), ("turkish",)))
@pytest.mark.parametrize(
    "enough", [pytest.param(10**4, marks=FAST), pytest.param(10**9, marks=[FAST[0], pytest.mark.slow])]
)
def test_every_game_is_counted_again(id: str, enough: int) -> None:
    table = start_table(SHIPPED, id)
    found = [*Deepening(table).until(enough)]
    assert all(one.agrees for one in found)
    assert [one.depth for one in found] == [*range(1, len(found) + 1)]
    assert found[-1].plain == found[-1].published == table.nodes[len(found)] >= enough


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
        anywhere = Dispute(1, "It may land anywhere.", {"king.capture.finish": None})
        assert compare(replace(turns, disputed=anywhere), 100).verdict == "argued"
        behind = Dispute(
            1, "It has to land just behind.", {"king.capture.landing": "behind", "king.capture.finish": None}
        )
        assert compare(replace(turns, disputed=behind), 100).verdict == "differs"


# --- the page


def test_page_and_table_are_what_the_data_say() -> None:
    assert page_path().read_text(encoding="utf-8") == page(SHIPPED)
    assert csv_path().read_text(encoding="utf-8") == counts_csv(SHIPPED)


def test_the_page_shows_every_number_with_who_published_it() -> None:
    text = page(SHIPPED)
    rows = [re.sub("[*†]", "", line).split(" | ") for line in text.splitlines()]
    shown = [[*map(str.strip, row[2].rpartition(": ")[2].split("·"))] for row in rows if len(row) == 4]
    for table in SHIPPED.tables:
        assert [f"{number:,}" for number in table.nodes.values()] in shown, table.title
    for one in SHIPPED.publishers.values():
        assert f"| `{one.id}` | {one.name} | {one.where} |" in text


def test_a_number_that_was_not_counted_again_is_set_off() -> None:
    table = next(table for table in SHIPPED.tables if 0 < table.counted < max(table.nodes) and not table.disputed)
    small = page(PublishedCounts(SHIPPED.publishers, (table,)))
    counted, further = (f"{table.nodes[table.counted + more]:,}" for more in (0, 1))
    assert f" · {counted} · *{further}*" in small
