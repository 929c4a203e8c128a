"""People who answer the questions of `damspec identify`."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from damspec_runner.cases.questionnaire import PersonQuestion, Saying, load_questionnaire
from damspec_runner.identify.known import QuestionnaireAnswers
from damspec_runner.identify.session import Session
from damspec_runner.identify.statements import Statement

WORDS: dict[str, Saying] = {"y": "yes", "n": "no", "-": "unknown"}
TURNED: dict[Saying, Saying] = {"yes": "no", "no": "yes", "unknown": "unknown"}


class Player:
    """Somebody who plays by rule values; with `rng`, one answer in fifteen is a slip and one is missing."""

    def __init__(self, values: Mapping[str, Any], rng: random.Random | None = None) -> None:
        self.values = values
        self._rng = rng
        self._answers = QuestionnaireAnswers(values, load_questionnaire())

    def say(self, session: Session, question: PersonQuestion | Statement) -> Saying:
        """The answer to a question."""
        if isinstance(question, PersonQuestion):
            said = WORDS[self._answers.answer(question)]
        else:
            said = "yes" if session.facts.holds(question, self.values) else "no"
        chance = self._rng.randrange(15) if self._rng else None
        return TURNED[said] if chance == 0 else "unknown" if chance == 1 else said

    def marks(self, session: Session, question: PersonQuestion | Statement) -> list[Statement]:
        """The sentences that the player marks as not so, none if there are many."""
        facts = session.facts
        sentences = session.sentences(question, facts) if isinstance(question, Statement) else []
        marked = [each for each in sentences if not facts.holds(each, self.values)]
        if sentences and self._rng and self._rng.randrange(15) == 0:
            return [] if marked else [self._rng.choice(sentences)]
        return marked if len(marked) <= 2 else []

    def answer(self, session: Session, question: PersonQuestion | Statement) -> list[str]:
        """Answer a question, by marks if there are any; return the ids of the answers.

        When all rules are read out, what is not marked is so.
        """
        before, marked = {*session.said}, self.marks(session, question)
        if isinstance(question, Statement) and (marked or question.kind == "recap"):
            session.mark(question, marked)
        else:
            session.say(question.id, self.say(session, question))
        return [id for id in session.said if id not in before]

    def session(self) -> Session:
        """A session with all the questions that this player is asked."""
        session = Session(load_questionnaire())
        while question := session.next():
            self.answer(session, question)
        return session
