"""What answers come to: a game with its changes, a ruleset file that plays it, and answers that do not fit together."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from damspec import Ruleset, load_ruleset
from damspec_runner.cases.questionnaire import Saying, load_questionnaire
from damspec_runner.identify import text
from damspec_runner.identify.session import QuestionnaireAnswers, Session
from damspec_runner.identify.verdict import Identification, identify_game
from damspec_runner.mutants.mutants import make_mutant

WORDS: dict[str, Saying] = {"y": "yes", "n": "no", "-": "unknown"}
TURNED: dict[Saying, Saying] = {"yes": "no", "no": "yes", "unknown": "unknown"}


def told(ruleset: Ruleset, lie: str = "") -> Identification:
    """What the answers of a game come to, one of them a lie."""
    session = Session(load_questionnaire())
    respondent = QuestionnaireAnswers(ruleset.values, load_questionnaire())
    while (question := session.next()) is not None:
        said = WORDS[respondent.answer(question)]
        session.say(question.id, TURNED[said] if question.id == lie else said)
    return identify_game(session)


def changed(id: str, **changes: Any) -> Ruleset:
    ruleset = load_ruleset(id)
    for rule, value in changes.items():
        ruleset = ruleset.with_value(rule.replace("__", "-").replace("_", "."), value)
    return ruleset


def test_a_known_game() -> None:
    found = told(load_ruleset("english"))
    assert (found.guess.id, found.title, found.against, found.clashes) == ("english", "English draughts", (), ())
    assert len(found.session.said) <= 15


@pytest.mark.slow  # a thorough run finds the house rule of test_the_ruleset_file_plays_the_game
@pytest.mark.parametrize(
    ("id", "rule", "value"),
    [
        ("vl", "promotion.mid-capture", "stops"),
        ("international", "capture.duty", "optional"),
        ("russian", "capture.choice", ("most-pieces",)),
    ],
)
def test_a_house_rule_is_found(id: str, rule: str, value: Any) -> None:
    """Each of these was once taken for a known game, or for another."""
    mutant = make_mutant(id, load_ruleset(id).values, ((rule, value),))
    assert mutant
    found = told(mutant.ruleset)
    values = dict(mutant.values)
    assert {name: value for name, value in found.guess.ruleset.values.items() if name != "board.numbering"} == {
        name: value for name, value in values.items() if name != "board.numbering"
    }
    assert rule not in found.unasked


@pytest.mark.slow
def test_a_game_with_one_rule_changed() -> None:
    found = told(changed("vl", capture_king__weight=2))
    assert found.title == "Flemish draughts, and your house rule: A captured king counts two men."
    assert [(each.rule, each.value) for each in found.changes] == [("capture.king-weight", 2)]


@pytest.mark.thorough
def test_a_known_game_on_another_board() -> None:
    found = told(changed("vl", board_size="10x10", start_men=4))
    assert (found.guess.base, found.against) == ("vl", ())
    assert [(each.rule, each.value) for each in found.changes] == [("board.size", "10x10"), ("start.men", 4)]


@pytest.mark.thorough
def test_the_ruleset_file_plays_the_game(tmp_path: Path) -> None:
    wanted = changed("vl", capture_king__weight=2)
    file = tmp_path / "as-told.yaml"
    file.write_text(told(wanted).ruleset_file(), encoding="utf-8")
    read = load_ruleset(str(file))
    assert (read.values, read.name) == (wanted.values, "Flemish draughts as it was told")


@pytest.mark.thorough
def test_a_lie_is_shown_as_a_contradiction() -> None:
    """Drawn at the third time, but not if the position comes again and again."""
    said: dict[str, Saying] = {"trapdoors": "no", "board-8": "yes", "repetition": "no", "third-time": "yes"}
    found = identify_game(Session(load_questionnaire(), said))
    assert [set(clash) for clash in found.clashes] == [{"repetition", "third-time"}]
    shown = "\n".join(text.verdict_text(found))
    assert "These answers are given together by no game that was looked at:" in shown
    assert "Answered: yes" in shown.partition("given together")[2]
    assert "Answered: no" in shown.partition("given together")[2]


@pytest.mark.slow
@pytest.mark.parametrize("id", ["english", "vl", "nl-trapdoor"])
def test_a_lie_is_survived_or_told_of(id: str) -> None:
    """Whichever answer is a lie, the game does not give it; or it is one that gives all the answers, the lie too."""
    asked = [each for each, said in told(load_ruleset(id)).session.said.items() if said != "unknown"]
    assert len(asked) > 8
    # Who says that there are other squares is not asked what a game on these would tell.
    for lie in (each for each in asked if each != "one-colour"):
        found = told(load_ruleset(id), lie)
        if lie in found.against:
            assert found.guess.base == id, lie
        else:
            assert found.against == (), lie
            assert found.session.agrees(found.guess, lie), lie


def test_nothing_answered() -> None:
    assert list(text.verdict_text(identify_game(Session(load_questionnaire())))) == [
        "No question was answered, so it may be any game."
    ]


@pytest.mark.thorough
@pytest.mark.parametrize("id", ["lb", "vl"])
def test_the_nearest_games(id: str) -> None:
    nearest = told(load_ruleset(id)).nearest()
    assert (nearest[0].id, nearest[0].agrees == nearest[0].of, nearest[0].differs) == (id, True, ())
    assert all(one.agrees >= other.agrees for one, other in pairwise(nearest))
