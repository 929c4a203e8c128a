"""The verdict of a questionnaire: the game, or the nearest with its differences, and answers that clash."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

from damspec import Ruleset, load_ruleset
from damspec.data import thaw
from damspec.rules import rule_names
from damspec.vocabulary import word_value

from ..mutants.mutants import UNTOLD, essential
from .session import Candidate, Session

#: How many more answers a second changed rule has to explain: one answer may be a slip.
_LEAST_GAIN = 2
#: The most rules changed one after another to explain the answers, the number of games compared, and the most answers
#: in a clash.
_CHANGES, _COMPARED, _CLASHING = 3, 6, 4


@dataclass(frozen=True)
class Changed:
    """A rule in which a game differs from its ruleset: the two values, None where there is no such rule."""

    rule: str
    value: Any
    instead: Any

    @property
    def words(self) -> str:
        """The rule's value in a sentence."""
        if self.value is None:
            return f"Not so: {word_value(self.rule, self.instead)}"
        return word_value(self.rule, self.value)


@dataclass(frozen=True)
class Nearest:
    """A known game compared with the answers: how many it agrees with, of how many that apply to it."""

    id: str
    name: str
    agrees: int
    of: int
    differs: tuple[Changed, ...]


@dataclass(frozen=True)
class Identification:
    """The identified game and the answers it rests on."""

    session: Session
    guess: Candidate
    share: float
    alike: tuple[str, ...]

    @property
    def base(self) -> Ruleset:
        """The ruleset of the game, without its changes."""
        return load_ruleset(self.guess.base)

    @cached_property
    def changes(self) -> tuple[Changed, ...]:
        """The changes to that ruleset, without those that follow from others."""
        changes = {each.rule: each for each in differing_answers(self.base, self.guess.ruleset)}
        said = essential(self.base.values, {rule: each.value for rule, each in changes.items()})
        return tuple(changes[rule] for rule in said)

    @property
    def title(self) -> str:
        """The game in words: `Flemish draughts, and your house rule: A captured king counts two men.`"""
        return game_name(self.base.name, self.changes)

    @property
    def only(self) -> str:
        """The id of the answer that alone speaks for the changes, if just one does: it may be a slip."""
        plain = next(guess for guess in self.session.guesses if guess.id == self.guess.id and not guess.changed)
        found = [
            id
            for id in self.session.said
            if self.session.agrees(plain, id) is False and self.session.agrees(self.guess, id)
        ]
        return found[0] if len(found) == 1 and not self.session.enquiries.by_id[found[0]].sure else ""

    @cached_property
    def unasked(self) -> tuple[str, ...]:
        """The rules of the game of which no answer would be otherwise if one of them alone were."""
        session, rules = self.session, dict.fromkeys(self.guess.ruleset.values, False)
        for changed in session.changes(self.guess):
            for rule in changed.rules:
                if rule in rules and any(self._differs(changed, id) for id in session.said):
                    rules[rule] = True
        return tuple(rule for rule, told in rules.items() if not told and rule in self._changeable)

    @property
    def _changeable(self) -> set[str]:
        """The rules that can be changed alone and have a question."""
        asked = {question.rule for question in self.session.enquiries.questions}
        return {rule for changed in self.session.changes(self.guess) for rule in changed.rules} & asked

    def _differs(self, changed: Candidate, id: str) -> bool:
        """Return whether a changed game answers a question that was answered otherwise than the game."""
        words = self.session.word(changed, id), self.session.word(self.guess, id)
        return self.session.said[id] != "unknown" and words[0] != words[1]

    @property
    def against(self) -> tuple[str, ...]:
        """The ids of the answers that the game contradicts."""
        return tuple(id for id in self.session.said if self.session.agrees(self.guess, id) is False)

    @cached_property
    def clashes(self) -> tuple[tuple[str, ...], ...]:
        """Sets of answers that no candidate gives together, one for each answer the game contradicts."""
        found: dict[frozenset[str], tuple[str, ...]] = {}
        for id in self.against:
            clash = self._clash(id)
            if clash and frozenset(clash) not in found:
                found[frozenset(clash)] = clash
        return tuple(found.values())

    def nearest(self, number: int = _COMPARED) -> list[Nearest]:
        """Return the known games that agree best with the answers."""
        found = []
        for guess in self.session.guesses:
            if not guess.changed:
                words = [agrees for id in self.session.said if (agrees := self.session.agrees(guess, id)) is not None]
                found.append((sum(words), len(words), guess))
        found.sort(key=lambda each: (-each[0], each[1], each[2].id != self.guess.id, "?" in each[2].id))
        return [
            Nearest(guess.id, guess.ruleset.name, agrees, of, differing_answers(guess.ruleset, self.guess.ruleset))
            for agrees, of, guess in found[:number]
        ]

    def ruleset_file(self, id: str = "as-told") -> str:
        """Return the game as the text of a ruleset file."""
        head = {
            "damspec": 1,
            "id": id,
            "name": f"{self.base.name} as it was told",
            "about": self.title,
            "extends": self.guess.base,
            "documents": [],
        }
        lines = [f"{key}: {_flow(value)}" for key, value in head.items()]
        rules = [f"  {each.rule}: {{value: {_flow(each.value)}}}" for each in self.changes]
        return "\n".join([*lines, *(["rules:", *rules] if rules else ["rules: {}"])]) + "\n"

    def _clash(self, id: str) -> tuple[str, ...] | None:
        """Return the smallest set of answers, with `id`, that no candidate gives together; None if too large."""
        session = self.session
        same = session.enquiries.by_id[id].rule
        others = [each for each, said in session.said.items() if each != id and said != "unknown"]
        others.sort(key=lambda each: session.enquiries.by_id[each].rule != same)
        giving = [guess for guess in session.guesses if session.agrees(guess, id)]
        gives = {each: {place for place, guess in enumerate(giving) if session.agrees(guess, each)} for each in others}
        for number in range(1, _CLASHING):
            for some in combinations(others, number):
                if not set.intersection(*(gives[each] for each in some)):
                    return (id, *some)
        return None


def identify_game(session: Session) -> Identification:
    """Return the game that the answers identify so far.

    If the most probable game contradicts some answers, its rules are changed one by one while that explains more of
    them.
    """
    first = session.standing()[0]
    guess = first.first
    told = tuple(dict.fromkeys(each.id for each in first.guesses if each is not guess and not each.changed))
    plainly = guess
    for _ in range(_CHANGES):
        better = _best_change(session, guess, _LEAST_GAIN if guess.rules else 1)
        if better is None:
            break
        guess = better
    return Identification(session, guess, first.share, told if guess is plainly else ())


def _best_change(session: Session, guess: Candidate, more: int) -> Candidate | None:
    """Return the game with the one rule change that agrees with most answers; None if none agrees with so many more."""
    wrong = [id for id in session.said if session.agrees(guess, id) is False]
    if not wrong:
        return None
    rules = {session.enquiries.by_id[id].rule for id in wrong}
    best, most = None, _count_agreeing(session, guess) + more - 1
    for tried in sorted(session.changes(guess), key=lambda changed: rules.isdisjoint(changed.rules)):
        if (given := _count_agreeing(session, tried)) > most:
            best, most = tried, given
    return best


def _count_agreeing(session: Session, guess: Candidate) -> int:
    """Return how many answers a game agrees with."""
    return sum(session.agrees(guess, id) is True for id in session.said)


def differing_answers(one: Ruleset, other: Ruleset) -> tuple[Changed, ...]:
    """Return the rules in which two games differ noticeably, with the value of `other` and instead of which."""
    return tuple(
        Changed(rule, other.values.get(rule), one.values.get(rule))
        for rule in rule_names()
        if rule != UNTOLD and one.values.get(rule) != other.values.get(rule)
    )


def game_name(name: str, changes: Sequence[Changed]) -> str:
    """Return a game's name with its changes."""
    if not changes:
        return name
    rules = "house rule" if len(changes) == 1 else "house rules"
    return f"{name}, and your {rules}: {' '.join(each.words for each in changes)}"


def _flow(value: Any) -> str:
    """Return a value as one line of YAML."""
    return json.dumps(thaw(value), ensure_ascii=False)
