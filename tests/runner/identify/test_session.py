"""The questions one after another: every game is found by true answers, and survives those that are missing."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from damspec import load_ruleset, ruleset_ids
from damspec.mutations import equivalent_mutants
from damspec_runner.cases.questionnaire import Saying, load_questionnaire
from damspec_runner.identify.session import Session
from runs import ORIGINALS, SPREAD, usually

WORDS: dict[str, Saying] = {"y": "yes", "n": "no", "-": "unknown"}
#: The rulesets of the documents, whose readings are found one by one.
DOCUMENTS = ("vl", "de", "lb", *(id for id in ruleset_ids() if id.startswith(("nl-", "fr-"))))


def answered(game: str, most: int, change: Callable[[Saying], Saying] = lambda said: said) -> Session:
    """A session in which so many questions are answered as a game answers them."""
    session = Session(load_questionnaire())
    answers = dict(
        zip((each.id for each in load_questionnaire().questions), load_questionnaire().answers[game], strict=True)
    )
    while len(session.said) < most and (question := session.next()) is not None:
        session.say(question.id, change(WORDS[answers[question.id]]))
    return session


def found(session: Session, game: str, among: int = 1) -> bool:
    """Whether the game is among the likeliest so many, or one that answers everything like it."""
    answers = load_questionnaire().answers[game]
    return any(alike.first.answers == answers for alike in session.standing()[:among])


@pytest.mark.thorough
@pytest.mark.parametrize(
    "game", usually(("lb", "nl-trapdoor", "turkish"), ("vl", "lb", "english", "nl-trapdoor", "turkish"), ())
)
def test_a_ruleset_is_found_in_fifteen_questions(game: str) -> None:
    assert found(answered(game, 15), game)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "game", ["nl-trapdoor?passing=falls", pytest.param("vl?king-counts=two", marks=pytest.mark.slow)]
)
def test_a_reading_is_found_in_twenty_questions(game: str) -> None:
    assert found(answered(game, 20), game)


@pytest.mark.slow
@pytest.mark.parametrize("game", usually((), ruleset_ids(), SPREAD))
def test_every_ruleset_is_found_in_fifteen_questions(game: str) -> None:
    assert found(answered(game, 15), game)


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", sorted({*DOCUMENTS} & ORIGINALS))
def test_every_reading_of_the_documents_is_found_in_twenty_questions(ruleset: str) -> None:
    readings = [game for game in load_questionnaire().answers if game.startswith(f"{ruleset}?")]
    assert len(readings) >= 7
    assert [game for game in readings if not found(answered(game, 20), game)] == []


@pytest.mark.slow
@pytest.mark.parametrize("game", SPREAD)
def test_a_fifth_of_the_answers_may_be_missing(game: str) -> None:
    rng = random.Random(game)

    def perhaps(said: Saying) -> Saying:
        return "unknown" if rng.random() < 0.2 else said

    assert found(answered(game, 30, perhaps), game, among=3)


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
    session = Session(load_questionnaire())
    before = [(alike.first.id, alike.share) for alike in session.standing()]
    session.say("board-8", "unknown")
    assert [(alike.first.id, alike.share) for alike in session.standing()] == before
    session.say("board-8", "yes")
    assert [(alike.first.id, alike.share) for alike in session.standing()] != before
    session.unsay()
    assert session.said == {}


@pytest.mark.parametrize(("question", "said", "times"), [("white-begins", "yes", 19), ("board-8", "no", 999)])
def test_an_answer_weighs_as_it_should(question: str, said: Saying, times: int) -> None:
    """By hand: the game that gives the answer is 0.95 / 0.05 = 19 times as likely; if sure, 0.999 / 0.001 = 999."""
    session = Session(load_questionnaire())
    session.say(question, said)
    shares = {
        alike.first.id: alike.share / sum(guess.prior for guess in alike.guesses)
        for alike in session.standing()
        if not alike.first.changed
    }
    assert shares["frisian"] / shares["english"] == pytest.approx(times)


@pytest.mark.thorough
def test_who_does_not_know_one_draw_is_asked_of_something_else() -> None:
    """Draws come last; after a don't know about one, no other of them is asked while anything else tells something."""
    session = Session(load_questionnaire())
    answers = dict(zip(session.enquiries.by_id, load_questionnaire().answers["english"], strict=True))
    subjects = []
    while len(session.said) < 16 and (question := session.next()) is not None:
        subjects.append(question.subject)
        session.say(question.id, "unknown" if question.subject == "draws" else WORDS[answers[question.id]])
    assert "draws" not in subjects[:8]
    assert subjects.count("draws") <= 2


@pytest.mark.thorough
def test_the_question_that_tells_most_is_asked() -> None:
    """Of two games left that differ in the size of the board alone, it is asked about the board."""
    session = answered("de?board=10x10", 40)
    assert session.said["board-10"] == "yes" or session.said["board-8"] == "no"
    assert len(session.said) == len(set(session.said))
