"""Answers: what they have of a case, whoever gives them, and how two of them differ."""

from __future__ import annotations

from dataclasses import replace

import pytest

import damspec
from damspec import Position
from damspec_runner.answers.player import answer_of
from damspec_runner.cases.answer import Answer, Difference, Question, read_key
from damspec_runner.cases.cases import cases_for

LB = damspec.load_ruleset("lb")


@pytest.mark.parametrize("id", ["lb", "de", "makvaer", "malaysian"])
def test_the_rules_of_a_game_give_every_expected_answer(id: str) -> None:
    ruleset = damspec.load_ruleset(id)
    for each in cases_for(ruleset):
        question = Question(each, ruleset)
        assert not question.expected.differs(answer_of(ruleset, question)), each.id


def test_other_readings_give_their_own_answers() -> None:
    for each in cases_for(LB):
        for reading in each.otherwise:
            under = LB.with_reading(reading)
            question = Question(each, under, reading)
            assert question.expected.agrees(answer_of(under, question)), each.id


POSITION = LB.position("W:W21,22:B17,18")
KEYS = {text: read_key(POSITION, text) for text in ("21x14", "22x13", "22x15")}
MOVES = {KEYS["21x14"]: "21x14", KEYS["22x15"]: "22x15"}
BOTH = Answer(MOVES, {}, {KEYS["21x14"]: POSITION})


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        pytest.param(Answer(), (), id="nothing said"),
        pytest.param(replace(BOTH, outcome="white", start=POSITION), (), id="more said"),
        pytest.param(replace(BOTH, moves=dict(reversed(MOVES.items()))), (), id="another order"),
        pytest.param(
            replace(BOTH, moves={KEYS["21x14"]: "21x14", "pass": "pass"}),
            (Difference("missing", KEYS["22x15"]), Difference("extra", "pass")),
            id="another move",
        ),
        pytest.param(
            replace(BOTH, lapses={KEYS["22x13"]: "22x13"}),
            (Difference("extra", KEYS["22x13"], "lapses"),),
            id="a lapse",
        ),
        pytest.param(
            replace(BOTH, after={KEYS["21x14"]: "no position"}), (Difference("after", KEYS["21x14"]),), id="after"
        ),
        pytest.param(Answer(played={KEYS["22x15"]: "22x15"}), (), id="one is played"),
        pytest.param(Answer(played={}), (Difference("played"),), id="none is played"),
        pytest.param(
            Answer(played={KEYS["22x13"]: "22x13"}), (Difference("played", KEYS["22x13"]),), id="another is played"
        ),
    ],
)
def test_answers_differ_in_what_both_say(other: Answer, expected: tuple[Difference, ...]) -> None:
    assert BOTH.differs(other) == expected
    assert BOTH.agrees(other) is not bool(expected)


def test_outcomes_and_starts_differ() -> None:
    one = Answer(outcome="white", start=POSITION)
    other = Answer(outcome="black", start="an error")
    assert [each.what for each in one.differs(other)] == ["outcome", "start"]
    assert one.agrees(replace(one, start=Position.from_fen(POSITION.fen(), POSITION.board)))


def test_the_actions_of_a_game_differ_each_for_itself() -> None:
    game = Answer(outcome="white", game=(BOTH, BOTH))
    other = replace(game, game=(BOTH, replace(BOTH, moves={})))
    assert {(each.what, each.step) for each in game.differs(other)} == {("missing", 2)}
