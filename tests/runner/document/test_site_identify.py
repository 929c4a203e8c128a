"""The pages that find out a game: what they say without scripts, their data, and that the search finds them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from damspec_runner.cases.questionnaire import load_questionnaire
from damspec_runner.document.rulebook import languages
from damspec_site import pages

pytestmark = [pytest.mark.xdist_group(__name__), pytest.mark.thorough]


def held(site: Path, name: str) -> Any:
    """What a data script hands over."""
    text = (site / f"{name}.js").read_text(encoding="utf-8")
    return json.loads(text.removeprefix(f'damspec.put("{name}", ').removesuffix(");\n"))


def test_without_scripts_the_page_tells_of_the_command_and_of_all_questions(site: Path) -> None:
    page = (site / pages.at("identify")).read_text(encoding="utf-8")
    assert "<code>damspec identify</code>" in page
    assert 'href="../identify/questions.html"' in page
    assert re.search(r'<div id="identify" hidden>', page)


def test_every_question_stands_on_the_page_to_print(site: Path) -> None:
    page = (site / pages.at("questions")).read_text(encoding="utf-8")
    asked = load_questionnaire().questions
    assert sorted(re.findall(r'<li id="([a-z0-9-]+)">', page)) == sorted(one.id for one in asked)
    assert page.count("<img") == sum(bool(one.position) for one in asked)
    # A man captures a king, told to readers who do not see the board.
    assert "White to move: White man 22; Black king 18. The move: 22x15, capturing 18." in page


def test_the_data_are_light_and_whole(site: Path) -> None:
    assert (site / "identify/questions.js").stat().st_size < 360_000
    data = held(site, "identify/questions")
    boards = [one["board"][0] for one in data["questions"] if "board" in one]
    assert all((site / board).is_file() for board in boards)
    asked = {one["asks"] for one in data["questions"] if "inWords" not in one}
    assert all(language.content["identify"]["asks"].keys() == asked for language in languages()[1:])


def test_a_change_that_no_player_can_tell_is_none(site: Path) -> None:
    """How squares are numbered shows in no game that people play."""
    rules = [rule for rule, _ in held(site, "identify/changes/vl")]
    assert len(rules) > 100
    assert "capture.king-weight" in rules
    assert "board.numbering" not in rules
