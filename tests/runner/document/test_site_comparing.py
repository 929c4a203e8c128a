"""What the site says of games compared: pairs, families, the map and the table of all rules."""

from __future__ import annotations

import csv
import json
import re
from html import unescape
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
import yaml

import damspec
from damspec.vocabulary import groups, vocabulary
from damspec_runner.document import compare
from damspec_runner.document.compare import Witness, are_compared, families, recorded_witness
from damspec_site import pages
from damspec_site.comparison_pages import Cluster, across, drawing, often
from words import without_keys

pytestmark = pytest.mark.xdist_group(__name__)

IDS = damspec.ruleset_ids()
PAIRS = [pair for pair in combinations(IDS, 2) if are_compared(*pair)]


def text(site: Path, address: str) -> str:
    return without_keys((site / address).read_text(encoding="utf-8"))


def words(html: str) -> str:
    """What a reader sees of some HTML."""
    return re.sub(r"\s+", " ", unescape(re.sub("<[^>]*>", "", html)))


def sections(page: str) -> list[str]:
    """The names of the sections of differences on a page, in their order."""
    return re.findall(r'<section class="difference" id="([^"]+)"', page)


# --- two games


@pytest.mark.thorough
def test_a_comparison_shows_the_rule_and_a_position(site: Path) -> None:
    page = text(site, "compare/fr-trapdoor--nl-trapdoor.html")
    assert 'id="capture.removal"' in page
    witness = recorded_witness("fr-trapdoor", "nl-trapdoor", "capture.removal")
    assert isinstance(witness, Witness)
    assert witness.position in page
    assert "fr-040" in page
    assert "nl-031" in page


@pytest.mark.thorough
def test_what_only_one_game_has_comes_by_parts(site: Path) -> None:
    page = text(site, "compare/nl-trapdoor--vl.html")
    lines = re.findall(r"<li>(.*)</li>", page.partition('<ul class="only">')[2].partition("</ul>")[0])
    assert [words(line) for line in lines] == [
        f"{part} only in Dutch trapdoor draughts" for part in ("Trapdoors", "Spin")
    ]
    names = {rule.name for group in groups() if group.id in ("trapdoors", "spin") for rule in group.rules}
    assert names.isdisjoint(sections(page))
    assert "With it comes The last pieces of both sides: When the last pieces" in words(page)
    both = text(site, "compare/de--nl-trapdoor.html")
    assert "Huffing only in German draughts with huffing" in words(both)
    assert "Trapdoors only in Dutch trapdoor draughts" in words(both)


@pytest.mark.thorough
def test_the_number_of_differences_is_how_many_there_are(site: Path) -> None:
    """The board, each part that only one has and each other rule count as one."""
    table = text(site, "compare/index.html")
    for one, other in PAIRS:
        page = text(site, pages.comparison(one, other))
        values = [damspec.load_ruleset(id).values for id in (one, other)]
        parts = [
            group
            for group in groups()
            if [any(rule.name in each for rule in group.rules) for each in values].count(True) == 1
        ]
        lead = words(page.partition('<p class="lead">')[2].partition("</p>")[0])
        if lead == "No rule differs.":
            assert sections(page) == []
            continue
        number = int(lead.split()[0])
        told = page.partition('<nav class="ranked"')[2].partition("</nav>")[0]
        rules = re.findall('<a href="#([^"]+)"', told)
        boards = [name for name in sections(page) if name not in rules and name in vocabulary()]
        assert number == bool(boards) + len(parts) + len(rules)
        assert [name for name in sections(page) if name in rules] == rules
        assert (
            f'aria-label="{damspec.load_ruleset(one).name} and {damspec.load_ruleset(other).name}: {number}"' in table
        )


@pytest.mark.thorough
def test_the_strongest_difference_comes_first(site: Path) -> None:
    """A rule that comes with another stands behind it; those that no position shows come last."""
    for pair in PAIRS:
        page = text(site, pages.comparison(*pair))
        told = page.partition('<nav class="ranked"')[2].partition("</nav>")[0]
        shares = [compare.strength(*pair, rule) for rule in re.findall('<a href="#([^"]+)"', told)]
        measured = [share for share in shares if share is not None]
        assert measured == sorted(measured, reverse=True)
        assert told.count('class="bar"') == len(measured)
    page = words(text(site, "compare/russian--vl.html"))
    assert compare.strength("russian", "vl", "man.capture.first") == pytest.approx(0.04, abs=0.005)
    assert "Changes the answer in 4 of 100 positions." in page


def test_shares_in_words() -> None:
    assert often(0) == ("in-none",)
    assert often(0.0004) == ("in-some", "1", "1,000")
    assert often(0.0124) == ("in-some", "12", "1,000")
    assert often(0.126) == ("in-some", "13", "100")
    assert often(0.997) == ("in-nearly-all",)
    assert often(1) == ("in-all",)


# --- families


@pytest.mark.thorough
def test_a_family_has_every_game_and_what_each_changes(site: Path) -> None:
    for id, tree in families().items():
        page = text(site, pages.family(id))
        for member in tree.all():
            assert f'<section class="member" id="{member.ruleset.id}">' in page
    page = text(site, pages.family("fr-trapdoor"))
    shut = words(page.partition('id="fr-trapdoor-close"')[2].partition("</section>\n<section")[0])
    assert "before" in shut
    assert damspec.vocabulary.word_value("trapdoors.closing", "stays-open") in shut
    assert damspec.vocabulary.word_value("trapdoors.closing", "at-once") in shut


# --- the map


@pytest.mark.thorough
def test_the_map_has_every_game_as_a_link(site: Path) -> None:
    page = text(site, pages.at("map"))
    drawn = page.partition('<svg class="names"')[2].partition("</svg>")[0]
    assert sorted(re.findall(r'<a href="\.\./(rulesets/[^"]+)"><text', drawn)) == sorted(map(pages.ruleset, IDS))
    assert page.count('<th scope="row">') == len(IDS)
    assert f"{compare.positions():,} different positions" in words(page)


def test_branches_meet_where_the_games_are_apart() -> None:
    """At a quarter half way, for small shares are drawn wider; each fork stands in the middle of what it joins."""
    assert [across(share) for share in (0, 0.25, 1)] == [100, 50, 0]
    leaves = [Cluster(0.0, name=name) for name in "abc"]
    tree = Cluster(1.0, (Cluster(0.25, (leaves[0], leaves[1])), leaves[2]))
    drawn = drawing(tree, {"a": "One", "b": "Two", "c": "Three"})
    a, b, c = drawn.leaves
    assert (a.begins, b.begins, c.begins) == (50, 50, 0)
    assert a.middle < b.middle < c.middle
    small, large = drawn.forks
    assert (small.across, small.begins, small.top, small.bottom) == (50, 0, a.middle, b.middle)
    assert small.middle == pytest.approx((a.middle + b.middle) / 2, abs=0.001)
    assert (large.across, large.top, large.bottom) == (0, small.middle, c.middle)


# --- the table of all rules


@pytest.mark.thorough
def test_the_table_reads_back_as_the_values(site: Path) -> None:
    with (site / pages.TABLE).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["rule"] for row in rows] == list(vocabulary())
    for id in IDS:
        values = damspec.load_ruleset(id).values
        read = {row["rule"]: yaml.safe_load(row[id]) for row in rows if row[id]}
        assert read == plain(values)
    assert all(row["title"] == vocabulary()[row["rule"]].title for row in rows)


def plain(values: Any) -> Any:
    return json.loads(json.dumps(dict(values)))


@pytest.mark.thorough
def test_the_page_of_all_rules_marks_rows_that_differ(site: Path) -> None:
    page = text(site, pages.at("matrix"))
    rulesets = [damspec.load_ruleset(id) for id in IDS]
    differing = sum(len({str(ruleset.values.get(rule)) for ruleset in rulesets}) > 1 for rule in vocabulary())
    assert page.count('<tr class="differs"') == differing
    assert page.count('<tr class="same"') == len(vocabulary()) - differing
    heads = re.findall(r'<th scope="col" data-game="([^"]+)"><a href="[^"]*">([^<]*)</a>', page)
    assert dict(heads) == {ruleset.id: unescape(ruleset.name) for ruleset in rulesets}
    assert len(page.encode()) < 320_000


@pytest.mark.thorough
def test_a_folded_family_says_what_else_there_is_in_it(site: Path) -> None:
    """The games of the Russian family: only Spantsireti has another board."""
    row = text(site, pages.at("matrix")).partition('data-rule="board.size"')[2].partition("</tr>")[0]
    heads = re.findall('data-game="([^"]+)"', text(site, pages.at("matrix")))
    cells = dict(zip(heads, map(words, re.findall("<td[^>]*>(.*?)</td>", row)), strict=True))
    assert (cells["russian"], cells["spantsiretti"], cells["vl"]) == ("8x8 +1", "10x8", "8x8")
