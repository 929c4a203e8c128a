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
            said = self._of(session, question)
        chance = self._rng.randrange(15) if self._rng else None
        return TURNED[said] if chance == 0 else "unknown" if chance == 1 else said

    def _of(self, session: Session, statement: Statement) -> Saying:
        return "yes" if session.facts.holds(statement, self.values) else "no"

    def session(self) -> Session:
        """A session with all the questions that this player is asked."""
        session = Session(load_questionnaire())
        while question := session.next():
            session.say(question.id, self.say(session, question))
        return session
