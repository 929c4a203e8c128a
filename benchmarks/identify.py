"""How well `damspec identify` finds the game of people who answer: a known game, or one with a single rule changed.

    python benchmarks/identify.py [--every 10] [-j 2] [RULESET]...

Players answer truly; or do not know what draws a game; or err about once in fifteen answers, but not about what
everybody knows who plays (the questions that are `sure`). Of each ruleset it plays the game itself and every change of
one rule that some question shows and that makes it no other known game.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field

from damspec import ruleset_ids
from damspec_runner.cases.questionnaire import PersonQuestion, Saying, load_questionnaire
from damspec_runner.identify.session import Candidate, Session
from damspec_runner.identify.verdict import identify_game
from damspec_runner.mutants.mutants import UNTOLD

WORDS: dict[str, Saying] = {"y": "yes", "n": "no", "-": "unknown"}
OTHER: dict[Saying, Saying] = {"yes": "no", "no": "yes", "unknown": "unknown"}
KINDS = ("truly", "not about draws", "with a slip")
#: How many answers a slip comes in.
SLIP = 15


@dataclass
class Node:
    """A session, the question it puts, and those that follow by answer."""

    session: Session
    question: PersonQuestion | None
    after: dict[Saying, Node] = field(default_factory=dict)

    def follow(self, said: Saying) -> Node:
        """Return what follows an answer."""
        assert self.question
        if said not in self.after:
            session = self.session.branch()
            session.say(self.question.id, said)
            self.after[said] = Node(session, session.next())
        return self.after[said]


def interview(root: Node, game: Candidate, kind: str) -> Session:
    """Put the questions to a player of a game; return the session at its end."""
    rng, node = random.Random(f"{game.id} {game.changed} {kind}"), root
    while node.question:
        question = node.question
        said = WORDS[node.session.word(game, question.id)]
        if kind == "not about draws" and question.subject == "draws":
            said = "unknown"
        if kind == "with a slip" and not question.sure and rng.randrange(SLIP) == 0:
            said = OTHER[said]
        node = node.follow(said)
    return node.session


def rules(game: Candidate, kind: str) -> dict[str, object]:
    """Return the rules that such a player could tell."""
    without = "draws" if kind == "not about draws" else UNTOLD
    return {
        rule: value for rule, value in game.ruleset.values.items() if rule != UNTOLD and not rule.startswith(without)
    }


def measure(ruleset: str, every: int) -> tuple[str, Counter[tuple[str, str]], list[str], float]:
    """Return for one ruleset how often each thing happened, by kind of player; what went wrong; and seconds."""
    began, counts, wrong = time.process_time(), Counter[tuple[str, str]](), []
    questionnaire = load_questionnaire()
    root = Node(session := Session(questionnaire), session.next())
    own = next(guess for guess in session.guesses if guess.id == ruleset and not guess.changed)
    known = set(questionnaire.answers.values())
    changed = [game for game in session.changes(own) if game.answers not in known]
    changed = changed[random.Random(ruleset).randrange(every) :: every] if every > 1 else changed
    for kind in KINDS:
        for game in (own, *changed):
            end = interview(root, game, kind)
            verdict = identify_game(end)
            alike = verdict.guess.answers == game.answers or rules(verdict.guess, kind) == rules(game, kind)
            what = "house" if game.changed else "known"
            counts[kind, what] += 1
            counts[kind, f"{what} questions"] += len(end.said)
            counts[kind, f"{what} over"] += len(end.said) > questionnaire.belief.plain
            counts[kind, f"{what} game"] += alike or verdict.guess.base == ruleset
            counts[kind, f"{what} rule"] += alike
            if not alike:
                wrong.append(
                    f"{kind}: {ruleset} {game.changed}: "
                    f"{verdict.guess.id} {verdict.guess.changed} after {len(end.said)}"
                )
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
            part = {key: 100 * total[kind, f"{what} {key}"] / number for key in ("game", "rule", "over")}
            mean = total[kind, f"{what} questions"] / number
            print(
                f"{f'{name}, {kind}':38}{number:>8}{part['game']:>7.1f}%{part['rule']:>9.1f}%"
                f"{mean:>11.1f}{part['over']:>8.1f}%"
            )


if __name__ == "__main__":
    main()
