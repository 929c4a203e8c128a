"""The page that finds out a game asks what the command asks, and comes to the same."""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path
from typing import Any

import pytest

from damspec import load_ruleset
from damspec.data import thaw
from damspec_runner.cases.questionnaire import load_questionnaire
from damspec_runner.identify.session import Session
from damspec_runner.identify.verdict import identify_game
from damspec_runner.mutants.mutants import changes, visible_changes
from damspec_site import identify_pages
from players import Player
from runner_fixtures import node
from runs import SPREAD

SCRIPT = Path(__file__).with_name("identify.mjs")


def players(ids: tuple[str, ...], each: int) -> list[Player]:
    """People who play these games or some change of them, one in two with slips and don't-knows."""
    rng, values = random.Random(1), []
    for game in map(load_ruleset, ids):
        values += [game.values, *(mutant.values for mutant in rng.sample(visible_changes(game), each))]
    return [Player(found, random.Random(place) if place % 2 else None) for place, found in enumerate(values)]


@pytest.mark.parametrize(
    ("ids", "each"),
    [(("vl", "nl-trapdoor"), 1), pytest.param(SPREAD, 4, marks=pytest.mark.slow)],
    ids=["two", "spread"],
)
def test_the_page_asks_what_the_command_asks(ids: tuple[str, ...], each: int) -> None:
    asked = load_questionnaire()
    expected, sessions = [], []
    for player in players(ids, each):
        session, steps = Session(asked), list[tuple[str, list[str]]]()
        while question := session.next():
            steps.append((question.id, player.answer(session, question)))
        found = identify_game(session)
        sessions.append(
            [{"marked": marked, "said": session.said[id] if marked == [id] else None} for id, marked in steps]
        )
        expected.append(
            {
                "questions": [*(id for id, _ in steps), None],
                "given": [[*each] for each in session.said.items()],
                "id": found.nearest_known.id,
                "share": pytest.approx(found.share),
                "changes": {change.rule: thaw(change.value) for change in found.changes},
                "unclear": [rule for unit in found.unclear for rule in unit],
                "unasked": [*found.unasked],
                "against": [*found.against],
                "clashes": [[*clash] for clash in found.clashes],
            }
        )
    given = {
        "data": identify_pages.questions_data(asked, {one.id: None for one in asked.questions}),
        "rulesets": {id: {"values": load_ruleset(id).whole} for id in asked.answers if "?" not in id},
        "changes": {id: changes(id) for id in asked.answers if "?" not in id},
        "sessions": sessions,
    }
    done = subprocess.run(
        [node(), str(SCRIPT)], input=json.dumps(given, default=list), capture_output=True, text=True, check=True
    )
    answered: list[dict[str, Any]] = json.loads(done.stdout)
    for mine, theirs in zip(expected, answered, strict=True):
        assert theirs == mine
