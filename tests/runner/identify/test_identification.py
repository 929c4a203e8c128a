"""What answers come to: a game with its changes, a ruleset file that plays it, and answers that do not go together."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from damspec import Ruleset, load_ruleset
from damspec_runner.cases.questionnaire import Saying, load_questionnaire
from damspec_runner.identify import text
from damspec_runner.identify.session import Session
from damspec_runner.identify.verdict import Identification, identify_game
from damspec_runner.mutants.mutants import make_mutant
from players import TURNED, Player


def told(ruleset: Ruleset, lie: str = "") -> Identification:
    """What the answers of a game come to; the first to a question whose id begins so is a lie."""
    player, session = Player(ruleset.values), Session(load_questionnaire())
    while question := session.next():
        if lie and question.id.startswith(lie):
            session.say(question.id, TURNED[player.say(session, question)])
            lie = ""
        else:
            player.answer(session, question)
    return identify_game(session)


def changed(id: str, **changes: Any) -> Ruleset:
    ruleset = load_ruleset(id)
    for rule, value in changes.items():
        ruleset = ruleset.with_value(rule.replace("__", "-").replace("_", "."), value)
    return ruleset


def test_a_known_game() -> None:
    found = told(load_ruleset("english"))
    assert (found.base.id, found.title, found.against, found.clashes) == ("english", "English draughts", (), ())
    assert len(found.session.said) <= 15
    nearest = found.nearest()
    assert (nearest[0].id, nearest[0].agrees == nearest[0].of, nearest[0].differs) == ("english", True, ())
    assert all(one.agrees >= other.agrees for one, other in pairwise(nearest))


@pytest.mark.parametrize(
    ("id", "rule", "value"),
    [
        pytest.param("vl", "promotion.mid-capture", "stops", marks=pytest.mark.slow),
        ("international", "capture.duty", "optional"),
        pytest.param("russian", "capture.choice", ("most-pieces",), marks=pytest.mark.slow),
        pytest.param("thai", "capture.king-weight", 2, marks=pytest.mark.slow),
    ],
)
def test_a_house_rule_is_found(id: str, rule: str, value: Any) -> None:
    """The first three were once taken for a known game, or for another."""
    mutant = make_mutant(id, load_ruleset(id).values, ((rule, value),))
    if mutant is None:
        pytest.skip("the game cannot have it")
    found = told(mutant.ruleset)
    assert (found.base.id, rule in {each.rule for each in found.changes}) == (id, True)
    asked = load_questionnaire().topic_of
    assert {name: value for name, value in found.values.items() if name in asked} == {
        name: value for name, value in mutant.values.items() if name in asked
    }


def test_a_game_with_one_rule_changed(tmp_path: Path) -> None:
    """The file that is written plays the game."""
    wanted = changed("vl", capture_king__weight=2)
    found = told(wanted)
    assert found.title == "Flemish draughts, and your house rule: A captured king counts two men."
    assert [(each.rule, each.value) for each in found.changes] == [("capture.king-weight", 2)]
    file = tmp_path / "as-told.yaml"
    file.write_text(found.ruleset_file(), encoding="utf-8")
    read = load_ruleset(str(file))
    assert (read.values, read.name) == (wanted.values, "Flemish draughts as it was told")


@pytest.mark.thorough
def test_a_known_game_on_another_board() -> None:
    found = told(changed("vl", board_size="10x10", start_men=4))
    assert (found.base.id, found.against) == ("vl", ())
    assert [(each.rule, each.value) for each in found.changes] == [("board.size", "10x10"), ("start.men", 4)]


@pytest.mark.parametrize("lie", ["end-all-as-", "captures-all-as-"])
def test_a_slip_about_a_topic_makes_no_house_rule(lie: str) -> None:
    """The topic is asked about again, and its sentences; in the end all rules are read out, and all are so."""
    found = told(load_ruleset("english"), lie)
    assert (found.base.id, found.changes) == ("english", ())
    assert (found.against, found.clashes) == ((), ())
    assert "but answered otherwise when it was asked again" in " ".join(" ".join(text.verdict_text(found)).split())


def test_a_house_rule_that_was_passed_over_is_found_when_all_is_read_out() -> None:
    """A yes to all rules about captures leaves no trace until one of them is marked; the yes is taken back by that."""
    found = told(changed("vl", capture_king__weight=2), "captures-all-as-")
    assert [(each.rule, each.value) for each in found.changes] == [("capture.king-weight", 2)]
    said = [*found.session.said]
    topic = next(id for id in said if id.startswith("captures-all-as-"))
    marked = next(id for id in said if id.startswith("capture-king-weight-as-"))
    assert said.index(topic) < said.index(marked) < said.index("recap")
    assert (found.session.said[marked], found.session.said["recap"]) == ("no", "yes")
    assert found.is_withdrawn(topic)
    assert found.against == ()


def test_a_lie_is_shown_as_a_contradiction() -> None:
    """Drawn at the third time, but not if the position comes again and again."""
    said: dict[str, Saying] = {"trapdoors": "no", "board-8": "yes", "repetition": "no", "third-time": "yes"}
    found = identify_game(Session(load_questionnaire(), said))
    assert [set(clash) for clash in found.clashes] == [{"repetition", "third-time"}]
    shown = "\n".join(text.verdict_text(found))
    assert "Answered: yes" in shown.partition("These answers do not go together:")[2]
    assert "Answered: no" in shown.partition("These answers do not go together:")[2]


def test_nothing_answered() -> None:
    assert list(text.verdict_text(identify_game(Session(load_questionnaire())))) == [
        "No question was answered, so it may be any game."
    ]
