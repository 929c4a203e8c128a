"""What the site says of games compared: pairs, families, the map and the table of all rules."""

from __future__ import annotations

import csv
import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
import yaml

import damspec
from damspec.vocabulary import vocabulary
from damspec_runner.document import compare
from damspec_site import pages
from damspec_site.comparison_pages import cluster, contrasts
from damspec_site.library import SiteData
from words import without_keys

pytestmark = pytest.mark.xdist_group(__name__)

IDS = damspec.ruleset_ids()


def text(site: Path, address: str) -> str:
    return without_keys((site / address).read_text(encoding="utf-8"))


def words(html: str) -> str:
    """What a reader sees of some HTML."""
    return re.sub(r"\s+", " ", unescape(re.sub("<[^>]*>", "", html)))


# --- two games


def test_a_position_tells_games_apart_by_the_rule_alone() -> None:
    """Each of two answers has its picture, beside the other, of the same part of the board."""
    library = SiteData()
    for contrast in contrasts(library, "man.capture.first"):
        numbers = [(contrast.answers[one], contrast.answers[other]) for one, other in contrast.pairs]
        assert all(one != other for one, other in numbers)
        for one, other in numbers:
            drawn = [contrast.pictures[pair] for pair in ((one, other), (other, one))]
            assert drawn[0] != drawn[1]
            assert len({re.findall('viewBox="[^"]*"', each)[0] for each in drawn}) == 1


@pytest.mark.thorough
def test_every_link_to_a_comparison_names_two_games(site: Path) -> None:
    found = {
        tuple(link.split(","))
        for path in site.rglob("*.html")
        for link in re.findall(r'href="[^"]*compare/index\.html#([^"]+)"', path.read_text(encoding="utf-8"))
    }
    assert found
    for one, other, *rule in found:
        assert {one, other} <= {*IDS}
        assert {*rule} <= {*vocabulary()}


# --- the map


@pytest.mark.thorough
def test_the_map_has_every_game_as_a_link(site: Path) -> None:
    page = text(site, pages.at("map"))
    groups = page.partition('id="kin"')[2].partition("<h2")[0]
    assert sorted(re.findall(r'<a href="\.\./(rulesets/[^"]+)"', groups)) == sorted(map(pages.ruleset, IDS))
    assert page.count('<th scope="row">') == 2 * len(IDS)  # the neighbours, and the table of differences
    assert f"{compare.number_of_positions():,} different positions" in words(page)


def test_games_stand_with_those_that_answer_alike() -> None:
    """Two at 5 in 100, which are at 30 on average from a third; and a fourth that is far from all."""
    apart = {"ab": 0.05, "ac": 0.2, "bc": 0.4}
    wide, alone = cluster("abcd", lambda one, other: apart.get("".join(sorted((one, other))), 0.9), (50, 25, 10, 1))
    assert (wide.most, {*wide.games}, alone.games) == (50, {*"abc"}, ("d",))
    near, third = wide.parts
    assert (near.most, near.games, third.games) == (10, ("a", "b"), ("c",))
    assert [part.games for part in near.parts] == [("a",), ("b",)]


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
    assert {id: unescape(name) for id, name in heads} == {ruleset.id: ruleset.name for ruleset in rulesets}
    assert len(page.encode()) < 460_000


@pytest.mark.thorough
def test_a_folded_family_says_what_else_there_is_in_it(site: Path) -> None:
    """The games of the Russian family: only Spantsireti has another board."""
    row = text(site, pages.at("matrix")).partition('data-rule="board.size"')[2].partition("</tr>")[0]
    heads = re.findall('data-game="([^"]+)"', text(site, pages.at("matrix")))
    cells = dict(zip(heads, map(words, re.findall("<td[^>]*>(.*?)</td>", row)), strict=True))
    assert (cells["russian"], cells["spantsiretti"], cells["vl"]) == ("8x8 +1", "10x8", "8x8")
