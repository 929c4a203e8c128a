"""The page that finds out a game, by its own script: what comes of true answers, and of one slip."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest
from benchmarks.identify import KINDS, Player, interviews, player, players

from damspec import load_ruleset, ruleset_ids
from damspec_runner.mutants.mutants import make_mutant
from damspec_site.identify_pages import questions_data
from damspec_site.library import SiteData
from runner_fixtures import node


@cache
def data() -> dict[str, Any]:
    """What the page knows of games and questions."""
    node()
    return questions_data(SiteData())


def results(*asking: Player) -> list[Mapping[str, Any]]:
    """What comes of their answers when all are true."""
    return [found["truly"] for found in interviews(data(), list(asking))]


def house(game: str, **changes: Any) -> Player:
    """Somebody who plays a game with house rules, with `_` for the dot in the name of a rule."""
    changed = tuple((rule.replace("_", "."), value) for rule, value in changes.items())
    mutant = make_mutant(game, load_ruleset(game).values, changed)
    assert mutant
    return player("house rule", game, mutant.name, mutant.values)


def test_every_known_game_is_found_in_twelve_questions() -> None:
    """Those that hardly anybody plays take as many as a house rule, to which they come down."""
    games = [player("known", id, "", load_ruleset(id).values) for id in ruleset_ids()]
    for one, found in zip(games, results(*games), strict=True):
        assert found["isRight"], one.game
        assert found["questions"] <= KINDS["known" if one.game in data()["familiar"] else "house rule"], one.game
        assert one.game in (found["game"], *found["exactly"]), one.game


def test_a_habit_of_a_well_known_game_is_no_rare_game() -> None:
    """English draughts where nobody has to capture, as about 1605; where kings fly and men go on backward."""
    diagonals = ("forward-left", "forward-right", "backward-left", "backward-right")
    found = results(
        house("english", capture_duty="optional"),
        house(
            "english",
            king_move_reach="any",
            king_capture_reach="any",
            man_capture_first=diagonals,
            man_capture_later=diagonals,
        ),
        house("english", king_move_reach="any", king_capture_reach="any", man_capture_later=diagonals),
        house("international", capture_choice=()),
    )
    assert [each["game"] for each in found] == ["english", "english", "english", "international"]
    assert all(each["isRight"] and each["questions"] <= KINDS["house rule"] for each in found)
    assert found[0]["differs"] == ["capture.duty"]
    assert set(found[1]["differs"]) == {
        "king.move.reach",
        "king.capture.reach",
        "man.capture.first",
        "man.capture.later",
    }
    assert found[3]["differs"][0] == "capture.choice"


@pytest.mark.thorough
@pytest.mark.parametrize("ids", [("vl", "international", "nl-trapdoor", "russian", "de")])
def test_house_rules_are_named_and_a_slip_is_survived(ids: tuple[str, ...]) -> None:
    asking = [each for id in ids for each in players(load_ruleset(id), 10)]
    found = interviews(data(), asking)
    named = [each["truly"]["isRight"] for each in found]
    in_time = [each["truly"]["questions"] <= KINDS[one.kind] for one, each in zip(asking, found, strict=True)]
    survived = [each["slip"]["isRight"] for each in found]
    assert sum(named) >= 0.95 * len(named)
    assert sum(in_time) >= 0.85 * len(in_time)
    assert sum(survived) >= 0.85 * len(survived)
