"""Looking for questions: positions that tell two games apart are found, chosen and made small."""

from __future__ import annotations

import random
from typing import Any

import pytest
import yaml
from tools.parts import Job, Limits
from tools.questions import Pairs, PositionQuestion, choose_questions, find

import damspec
from damspec import Position, load_ruleset
from damspec.board import Board
from damspec_runner.cases.questionnaire import load_questionnaire, questionnaire_path
from damspec_runner.identify.known import known_games
from damspec_runner.tasks.executor import run_in_process
from tools import questions

#: Men that capture forward, backward too, and kings that fly.
GAMES = ("english", "brazilian", "vl")
PAIRS = Pairs([load_ruleset(id) for id in GAMES], [(0, 1), (0, 2), (1, 2)])


def posed(fen: str, kind: str, move: str) -> PositionQuestion:
    """What a question tells of the three pairs."""
    position = Position.from_fen(fen, Board(8, 8))
    return next(each for each in PAIRS.tellings(position) if (each.kind, each.move) == (kind, move))


def test_what_a_question_tells() -> None:
    """By hand: only Brazilian men begin backward, so 14x23 tells it from both others, and not these from each other."""
    assert posed("W:W14:B18", "legal", "14x23").tells == 0b101


def test_a_move_that_all_have_tells_nothing() -> None:
    position = Position.from_fen("W:W22,32:B1", Board(8, 8))
    assert list(PAIRS.tellings(position)) == []


def test_a_question_is_made_smaller() -> None:
    """The men on 1 and 32 are no part of it, and neither king nor man has to be there but the two that meet."""
    (small,) = choose_questions(PAIRS, [posed("W:W14,32:B1,18", "legal", "14x23")], [], 1)
    assert (small.position.fen(), small.move, small.tells) == ("W:W14:B18", "14x23", 0b101)


def test_as_few_as_tell_all_are_chosen() -> None:
    """14x23 tells two pairs; the long move of a king, 29-15, tells English draughts from both and so the third."""
    back, far = posed("W:W14:B18", "legal", "14x23"), posed("W:WK29:B4", "legal", "29-15")
    assert far.tells == 0b011
    assert choose_questions(PAIRS, [back, far, back], [], 1) == [back, far]
    assert choose_questions(PAIRS, [back, far], [0b101], 1) == [far]
    assert choose_questions(PAIRS, [back, far], [0b111], 1) == []
    assert choose_questions(PAIRS, [back, far], [], 1, only=0b100) == [back]


def test_random_positions_tell_them_apart() -> None:
    told = 0
    for each in find(PAIRS, random.Random(1), 60):
        assert each.position.turn == "white"
        told |= each.tells
    assert told == 0b111


def recorded(*units: str) -> Any:
    """The content that is written."""
    (part,) = questions.record(Job(frozenset(units), run_in_process, Limits(None, 0)))
    (text,) = part.texts.values()
    assert part.inputs == {"questions": questions._digest(yaml.safe_load(text or ""))}
    return yaml.safe_load(text or "")


@pytest.mark.slow
def test_where_no_game_has_changed_questions_are_only_answered() -> None:
    assert recorded("questions") == damspec.data.load_yaml(questionnaire_path())


@pytest.mark.slow
def test_the_record_goes_on_from_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few positions find nothing that old questions do not tell; these keep their ids and their order."""
    monkeypatch.setattr(questions.questions_lacking, "__defaults__", (3,))
    content = recorded("vl")
    ids = [each["id"] for each in content["questions"]]
    assert ids[: len(load_questionnaire().questions)] == [each.id for each in load_questionnaire().questions]
    assert len(set(ids)) == len(ids)
    assert content["answers"].keys() == known_games().keys()
