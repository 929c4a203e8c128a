"""The pages that find out a game: what they say without scripts, and their data."""

from __future__ import annotations

import json
import zlib
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest

from damspec import ruleset_ids
from damspec.vocabulary import vocabulary
from damspec_runner.document.rulebook import languages
from damspec_site import pages

pytestmark = [pytest.mark.xdist_group(__name__), pytest.mark.thorough]


def held(site: Path, name: str) -> Any:
    """What a data script hands over."""
    call, _, text = (site / f"{name}.js").read_text(encoding="utf-8").partition(", ")
    content = json.loads(text.removesuffix(");\n"))
    return json.loads(zlib.decompress(b64decode(content))) if call.startswith("damspec.pack") else content


def test_without_scripts_the_page_leads_to_the_games(site: Path) -> None:
    page = (site / pages.at("identify", language="nl")).read_text(encoding="utf-8")
    assert '<a href="../../nl/index.html">' in page.partition("<noscript>")[2].partition("</noscript>")[0]


def test_the_data_are_light_and_whole(site: Path) -> None:
    assert (site / "identify/questions.js").stat().st_size < 20_000
    data = held(site, "identify/questions")
    asked = {one["id"] for one in data["questions"]}
    for language in languages():
        words = language.content["identify"]
        assert words["asks"].keys() == words["shows"].keys() == asked, language.tag
    assert data["games"].keys() == set(ruleset_ids())
    assert data["familiar"].keys() <= data["games"].keys()
    told = {rule for unit in data["units"] for rule in unit.split()}
    assert {one["rule"] for one in data["questions"]} | {
        rule for each in data["house"] for rule in each["rules"]
    } <= told
    assert told <= vocabulary().keys()


def test_a_change_that_no_player_can_tell_is_none(site: Path) -> None:
    """How squares are numbered shows in no game that people play."""
    rules = [rule for rule, _ in held(site, "identify/changes/vl")]
    assert len(rules) > 100
    assert "capture.king-weight" in rules
    assert "board.numbering" not in rules
