"""The questions one after another: which is asked, what an answer weighs, and what statements come to."""

from __future__ import annotations

import pytest

from damspec import load_ruleset, ruleset_ids
from damspec.mutations import equivalent_mutants
from damspec.rules import rule_names
from damspec_runner.cases.questionnaire import Saying, load_questionnaire
from damspec_runner.identify.session import Session
from damspec_runner.identify.verdict import identify_game
from damspec_runner.mutants.mutants import UNTOLD
from players import Player


def session(**said: Saying) -> Session:
    return Session(load_questionnaire(), {id.replace("_", "-"): word for id, word in said.items()})


@pytest.mark.slow
@pytest.mark.parametrize("game", ruleset_ids())
def test_every_ruleset_is_found_in_fifteen_questions(game: str) -> None:
    end = Player(load_ruleset(game).values).session()
    found = identify_game(end)
    assert game in (found.nearest_known.id, *found.alike)
    assert not found.is_changed
    assert len(end.said) <= 15


def test_every_rule_that_a_player_can_notice_has_a_topic() -> None:
    """Where the doors lie nobody knows by heart, and how squares are numbered shows in no game."""
    assert {*rule_names()} - load_questionnaire().topic_of.keys() == {UNTOLD, "trapdoors.layout"}


def test_nothing_tells_only_what_no_player_can_tell() -> None:
    """Rulesets that answer alike differ in the numbers of the squares, or in what is proved to show in no position."""
    answers = load_questionnaire().answers
    rulesets = ruleset_ids()
    alike = [
        (one, other)
        for place, one in enumerate(rulesets)
        for other in rulesets[place + 1 :]
        if answers[one] == answers[other]
    ]
    proved = {id for (id, change), _ in equivalent_mutants().items() if change.startswith("capture.removal = ")}
    for one, other in alike:
        values, others = (load_ruleset(id).values for id in (one, other))
        differ = {rule for rule in values.keys() | others.keys() if values.get(rule) != others.get(rule)}
        assert differ <= {"board.numbering", *(["capture.removal"] if {one, other} <= proved else [])}


def test_an_answer_that_says_nothing_changes_nothing() -> None:
    asked = session()
    before = [(game.id, share) for game, share in asked.standing()]
    asked.say("board-8", "unknown")
    assert [(game.id, share) for game, share in asked.standing()] == before
    asked.say("board-8", "yes")
    assert [(game.id, share) for game, share in asked.standing()] != before
    asked.unsay()
    assert asked.said == {}


@pytest.mark.parametrize(("question", "said", "times"), [("white-begins", "yes", 19), ("board-8", "no", 999)])
def test_an_answer_weighs_as_it_should(question: str, said: Saying, times: int) -> None:
    """By hand: the game that gives the answer is 0.95 / 0.05 = 19 times as likely; if sure, 0.999 / 0.001 = 999."""
    asked = session()
    asked.say(question, said)
    shares = {game.id: share / game.prior for game, share in asked.standing()}
    assert shares["frisian"] / shares["english"] == pytest.approx(times)


def test_a_topic_that_is_so_makes_its_rules_known() -> None:
    facts = session(men_all_as_vl="yes").facts
    assert facts.values == {
        rule: load_ruleset("vl").values.get(rule) for rule in load_questionnaire().topic_of if rule.startswith("man.")
    }
    assert not facts.doubted


def test_a_sentence_that_is_not_so_leaves_its_other_values() -> None:
    """Whether English draughts begins with White or Black rests on a denial first, which may be a slip.

    By hand: Black weighs 3 and White 1; after the denial 3 x 0.05 and 0.95, which is not certain, and so on.
    """
    facts = session(start_first_as_english="no").facts
    (doubted,) = facts.doubted.values()
    firsts = [change.told["start.first"] for change in doubted.changes]
    shares = dict(zip(firsts, doubted.shares, strict=True))
    assert shares == {"black": pytest.approx(0.15 / 1.1), "white": pytest.approx(0.95 / 1.1)}
    assert facts.values == {}
    facts = session(start_first_as_english="no", start_first_has_white="yes").facts
    assert facts.values == {"start.first": "white"}
