"""How well `damspec identify` finds the game of people who answer: a known game, or one with a single rule changed.

    python benchmarks/identify.py [--every 10] [-j 2] [-v] [RULESET]...

Players answer truly; or do not know what draws a game; or err about once in fifteen answers, but not about what
everybody knows who plays (the questions that are `sure`). Where sentences can be marked they mark those that are not
so, up to two of a topic, and else say no. They err with one topic of fifteen that they read, also when all is read out:
they miss what is not so, or mark what is so. Each mark and each answer counts as a question.

Of each ruleset it plays the game itself and every change of one rule that a player can notice, that is not proved to
show in no position, and that makes it no other known game.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from damspec import load_ruleset, ruleset_ids
from damspec.mutations import proof
from damspec_runner.cases.questionnaire import PersonQuestion, Saying, load_questionnaire
from damspec_runner.identify.known import QuestionnaireAnswers, known_games
from damspec_runner.identify.session import Session
from damspec_runner.identify.statements import Statement
from damspec_runner.identify.verdict import identify_game
from damspec_runner.mutants.mutants import visible_changes

WORDS: dict[str, Saying] = {"y": "yes", "n": "no", "-": "unknown"}
OTHER: dict[Saying, Saying] = {"yes": "no", "no": "yes", "unknown": "unknown"}
KINDS = ("truly", "not about draws", "with a slip")
#: How many answers a slip comes in.
SLIP = 15
#: The most sentences of a topic that a player marks; who would mark more says that it is not so.
MARKS = 2


class Player:
    """Somebody who plays by rule values and answers in a certain way."""

    def __init__(self, name: str, values: Mapping[str, Any], kind: str) -> None:
        self.values, self.kind = values, kind
        self._rng = random.Random(f"{name} {kind}")
        self._answers = QuestionnaireAnswers(values, load_questionnaire())

    def answer(self, session: Session, question: PersonQuestion | Statement) -> None:
        """Answer a question; where there are sentences to mark, mark those that are not so."""
        if isinstance(question, PersonQuestion):
            said, draws, sure = WORDS[self._answers.answer(question)], question.subject == "draws", question.sure
        elif sentences := session.sentences(question, session.facts):
            return self._mark(session, question, sentences)
        else:
            holds = session.facts.holds(question, self.values)
            said, draws, sure = "yes" if holds else "no", question.topic == "draws", False
        if draws and self.kind == "not about draws":
            said = "unknown"
        return session.say(question.id, OTHER[said] if not sure and self._slips() else said)

    def _mark(self, session: Session, statement: Statement, sentences: list[Statement]) -> None:
        """Read topic by topic; a slip is to mark none in a topic where something is not so, or one that is so."""
        facts, marked = session.facts, list[Statement]()
        holds = facts.holds(statement, self.values) or statement.kind == "recap"
        for topic in dict.fromkeys(each.topic for each in sentences):
            if topic == "draws" and self.kind == "not about draws":
                continue
            said = [each for each in sentences if each.topic == topic]
            wrong = [each for each in said if not facts.holds(each, self.values)]
            if self._slips():
                wrong, holds = ([], True) if wrong or not holds else ([self._rng.choice(said)], holds)
            marked += wrong
        if statement.topic == "draws" and self.kind == "not about draws":
            session.say(statement.id, "unknown")
        elif statement.is_of_topic and (len(marked) > MARKS or not (marked or holds)):
            session.say(statement.id, "no")
        else:
            session.mark(statement, marked)

    def _slips(self) -> bool:
        return self.kind == "with a slip" and self._rng.randrange(SLIP) == 0

    def visible(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the rules of a game that such a player could tell."""
        topics = load_questionnaire().topic_of
        draws = self.kind != "not about draws"
        return {rule: value for rule, value in values.items() if rule in topics and (draws or topics[rule] != "draws")}


def interview(player: Player) -> Session:
    """Put the questions to a player; return the session at its end."""
    session = Session(load_questionnaire())
    while question := session.next():
        player.answer(session, question)
    return session


def measure(ruleset: str, every: int) -> tuple[str, Counter[tuple[str, str]], list[str], float]:
    """Return for one ruleset how often each thing happened, by kind of player; what went wrong; and seconds."""
    began, counts, wrong = time.process_time(), Counter[tuple[str, str]](), []
    game = load_ruleset(ruleset)
    known = [each.values for each in known_games().values()]
    changed = [each for each in visible_changes(game) if each.values not in known and not proof(game, each.name)]
    changed = changed[random.Random(ruleset).randrange(every) :: every] if every > 1 else changed
    for kind in KINDS:
        for name, values in (("", game.values), *((each.name, each.values) for each in changed)):
            player = Player(f"{ruleset} {name}", values, kind)
            verdict = identify_game(end := interview(player))
            alike = player.visible(verdict.values) == player.visible(values)
            what = "house" if name else "known"
            counts[kind, what] += 1
            counts[kind, f"{what} questions"] += len(end.said)
            counts[kind, f"{what} over"] += len(end.said) > load_questionnaire().belief.plain
            counts[kind, f"{what} game"] += alike or verdict.base.id == ruleset
            counts[kind, f"{what} rule"] += alike
            if not alike:
                words = " ".join(f"{each.rule}={each.value}" for each in verdict.changes)
                wrong.append(f"{kind}: {ruleset} {name}: {verdict.nearest_known.id} {words} after {len(end.said)}")
    return ruleset, counts, wrong, time.process_time() - began


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("rulesets", nargs="*", metavar="RULESET")
    parser.add_argument("--every", type=int, default=1, help="only each Nth change of a rule")
    parser.add_argument("-j", type=int, default=1, help="how many processes")
    parser.add_argument("-v", action="store_true", help="also print which games were missed")
    given = parser.parse_args()
    total, seconds = Counter[tuple[str, str]](), 0.0
    with ProcessPoolExecutor(given.j) as pool:
        ids = given.rulesets or ruleset_ids()
        for ruleset, counts, wrong, took in pool.map(measure, ids, [given.every] * len(ids)):
            total += counts
            seconds += took
            if given.v:
                print(f"{ruleset}: {took:.0f} s", *wrong, sep="\n  ", flush=True)
    print(f"{len(ids)} rulesets, {total[KINDS[0], 'house']} changes of one rule, {seconds:.0f} s of processor time")
    print(f"{'':32}{'players':>8}{'game':>8}{'and rule':>10}{'questions':>11}{'over 15':>9}")
    for kind in KINDS:
        for what, name in (("known", "a known game"), ("house", "one with a house rule")):
            number = total[kind, what]
            part = {key: 100 * total[kind, f"{what} {key}"] / max(1, number) for key in ("game", "rule", "over")}
            mean = total[kind, f"{what} questions"] / max(1, number)
            print(
                f"{f'{name}, {kind}':38}{number:>8}{part['game']:>7.1f}%{part['rule']:>9.1f}%"
                f"{mean:>11.1f}{part['over']:>8.1f}%"
            )


if __name__ == "__main__":
    main()
