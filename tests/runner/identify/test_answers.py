"""Answers of rules to the questions put to people: derived by hand, and all on record."""

from __future__ import annotations

import pytest

from damspec import data, load_ruleset, ruleset_ids
from damspec.board import DIRECTION_GROUPS
from damspec_runner.cases.questionnaire import load_questionnaire, questionnaire_path
from damspec_runner.identify.known import QuestionnaireAnswers, known_answers
from runs import for_each

#: From the rules of each game and the board, by hand: question, game, answer.
DERIVED = [
    # 14x23 over 18 goes down the board, and is the first jump.
    ("back-capture", "english", "n"),
    ("back-capture", "international", "y"),
    ("back-capture", "vl", "n"),
    # 22x15 goes up, 15x24 over 19 goes down.
    ("back-in-capture", "vl", "y"),
    ("back-in-capture", "english", "n"),
    # 21x14x5 takes two, 24x15 one.
    ("fewer", "international", "n"),
    ("fewer", "english", "y"),
    ("fewer", "russian", "y"),
    # 29-25-22-18-15 is one line.
    ("king-far", "vl", "y"),
    ("king-far", "english", "n"),
    # 22x15 is there, so that 32-27 is not legal, though it may be played where there is huffing.
    ("not-capturing", "lb", "n"),
    ("not-capturing", "de", "n"),
    # 11x2 comes to the first row, 2x9 over 6 goes down.
    ("on-from-crownhead", "vl", "y"),
    ("on-from-crownhead", "english", "n"),
    ("on-from-crownhead", "russian", "y"),
    # A man that goes on as a man ends on 9 as one; one that was crowned stays a king.
    ("crowned-on-its-way", "vl", "n"),
    ("crowned-on-its-way", "russian", "y"),
    ("crowned-on-its-way", "english", "-"),
    ("man-takes-king", "italian", "n"),
    ("man-takes-king", "english", "y"),
    # 22, 14 and 6 lie in one file, two rows apart.
    ("straight-capture", "frisian", "y"),
    ("straight-capture", "international", "n"),
    ("one-each", "vl", "y"),
    ("one-each", "international", "n"),
    ("one-each", "vl?one-each=same-kind", "y"),
    # 21 has nothing to its left, 17 before it and 14 behind that.
    ("blocked", "english", "y"),
    ("sideways-step", "turkish", "y"),
    ("sideways-step", "english", "-"),
    ("diagonal-step", "armenian", "y"),
    ("diagonal-step", "turkish", "n"),
    ("board-10", "de?board=10x10", "y"),
    ("board-10", "de", "n"),
    # A key of draws.endings may name several endings.
    ("three-kings-16", "international", "y"),
    ("three-kings-16", "russian", "n"),
    ("three-kings-16", "vl", "n"),
    ("trapdoors", "fr-trapdoor", "y"),
    ("trapdoors", "lb", "n"),
    ("both-colours", "fr-trapdoor-dual", "y"),
    ("both-colours", "fr-trapdoor", "n"),
    ("both-colours", "lb", "-"),
    ("huffing", "de", "y"),
    ("huff-keeps-turn", "lb", "-"),
    # International draughts is played on 10 by 10; the same move is asked about on 8 by 8.
    ("king-lands-far", "international", "y"),
    ("king-lands-far", "thai", "n"),
]


@for_each(("id", "game", "answer"), DERIVED)
def test_answers_derived_by_hand(id: str, game: str, answer: str) -> None:
    questions = load_questionnaire()
    respondent = QuestionnaireAnswers(load_ruleset(game).values, questions)
    assert respondent.answer(questions.by_id[id]) == answer


def test_a_change_of_a_rule_changes_the_answer() -> None:
    questions = load_questionnaire()
    back = load_ruleset("english").with_value("man.capture.first", list(DIRECTION_GROUPS["diagonals"]))
    assert QuestionnaireAnswers(back.values, questions).answer(questions.by_id["back-capture"]) == "y"


@pytest.mark.parametrize("game", ["vl", "nl-trapdoor-american", "de", "turkish", "frysk"])
def test_the_record_has_the_answers(game: str) -> None:
    questions = load_questionnaire()
    assert questions.answers[game] == QuestionnaireAnswers(load_ruleset(game).values, questions).answers(questions)


@pytest.mark.thorough
def test_the_record_has_all_answers() -> None:
    assert data.load_yaml(questionnaire_path())["answers"] == known_answers(load_questionnaire())


def test_positions_are_natural() -> None:
    """White is to move, and there is a piece of each side unless that is what is asked about."""
    questions = load_questionnaire()
    shown = [(each, position) for each in questions.questions if (position := questions.board(each))]
    assert len(shown) > 60
    for each, position in shown:
        assert len(position) <= 7, each.id
        if each.rule not in ("ending.first-king", "ending.no-pieces"):
            assert position.turn == "white", each.id
            assert position.occupied("white"), each.id
            assert position.occupied("black"), each.id


def test_the_file_is_small_enough_for_a_page() -> None:
    """A page loads it whole: it may grow with the games, not with their square."""
    assert questionnaire_path().stat().st_size < 4_500 * len(ruleset_ids())
