"""What answers come to: the game, or the nearest with what differs, and the answers that do not fit together."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

from damspec import Ruleset, load_ruleset
from damspec.rules import rule_names
from damspec.vocabulary import word_value

from ..mutants.mutants import UNTOLD, essential, visible_changes
from .session import Candidate, Session

#: How many rules are changed, one after another, where one change does not explain the answers; how many games are
#: compared; and how many answers that do not fit together are shown at most.
_CHANGES, _COMPARED, _TOGETHER = 3, 6, 4


@dataclass(frozen=True)
class Changed:
    """A rule in which a game differs from the one it is called by: the two values, None where there is no such rule."""

    rule: str
    value: Any
    instead: Any

    @property
    def words(self) -> str:
        """What holds, in a sentence."""
        if self.value is None:
            return f"Not so: {word_value(self.rule, self.instead)}"
        return word_value(self.rule, self.value)


@dataclass(frozen=True)
class Nearest:
    """A known game beside the answers: to how many it agrees, of how many it has an answer to."""

    id: str
    name: str
    agrees: int
    of: int
    differs: tuple[Changed, ...]


@dataclass(frozen=True)
class Identification:
    """The game that the answers come to, and what it rests on."""

    session: Session
    guess: Candidate
    share: float
    alike: tuple[str, ...]

    @property
    def base(self) -> Ruleset:
        """The ruleset that it is, but for what is changed."""
        return load_ruleset(self.guess.base)

    @cached_property
    def changes(self) -> tuple[Changed, ...]:
        """In what it is not that ruleset, without what then follows of itself."""
        changes = {each.rule: each for each in differing_answers(self.base, self.guess.ruleset)}
        said = essential(self.base.values, {rule: each.value for rule, each in changes.items()})
        return tuple(changes[rule] for rule in said)

    @property
    def title(self) -> str:
        """The game in words: `Flemish draughts, but: A captured king counts two men.`"""
        return game_name(self.base.name, self.changes)

    @property
    def against(self) -> tuple[str, ...]:
        """The questions that it answers otherwise than they were answered."""
        return tuple(id for id in self.session.said if self.session.agrees(self.guess, id) is False)

    @cached_property
    def clashes(self) -> tuple[tuple[str, ...], ...]:
        """Answers that no game looked at gives together: each not given here, with those it clashes with."""
        found: dict[frozenset[str], tuple[str, ...]] = {}
        for id in self.against:
            clash = self._clash(id)
            if clash and frozenset(clash) not in found:
                found[frozenset(clash)] = clash
        return tuple(found.values())

    def nearest(self, number: int = _COMPARED) -> list[Nearest]:
        """The known games by how well they agree with the answers."""
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
        """The game as a ruleset of its own, as the text of its file."""
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
        """The fewest answers that no game gives together with one, those about its rule first; None if too many."""
        session = self.session
        same = session.enquiries.by_id[id].rule
        others = [each for each, said in session.said.items() if each != id and said != "unknown"]
        others.sort(key=lambda each: session.enquiries.by_id[each].rule != same)
        giving = [guess for guess in session.guesses if session.agrees(guess, id)]
        gives = {each: {place for place, guess in enumerate(giving) if session.agrees(guess, each)} for each in others}
        for number in range(1, _TOGETHER):
            for some in combinations(others, number):
                if not set.intersection(*(gives[each] for each in some)):
                    return (id, *some)
        return None


def identify_game(session: Session) -> Identification:
    """What the answers come to now.

    Where the likeliest game does not give all of them, its rules are changed one by one as long as that explains more.
    """
    first = session.standing()[0]
    guess, told = first.first, tuple(dict.fromkeys(each.id for each in first.guesses[1:] if not each.changed))
    plainly = guess
    for _ in range(_CHANGES):
        better = _changed(session, guess)
        if better is None:
            break
        guess = better
    return Identification(session, guess, first.share, told if guess is plainly else ())


def _changed(session: Session, guess: Candidate) -> Candidate | None:
    """The game with a single rule changed that gives the most answers more; None if none does."""
    wrong = [id for id in session.said if session.agrees(guess, id) is False]
    if not wrong:
        return None
    rules = {session.enquiries.by_id[id].rule for id in wrong}
    best, most = None, _given(session, guess)
    mutants = sorted(visible_changes(guess.ruleset), key=lambda mutant: rules.isdisjoint(mutant.rules_changed))
    for mutant in mutants:
        tried = session.changed(guess, mutant)
        if (given := _given(session, tried)) > most:
            best, most = tried, given
    return best


def _given(session: Session, guess: Candidate) -> int:
    """How many of the answers a game gives."""
    return sum(session.agrees(guess, id) is True for id in session.said)


def differing_answers(one: Ruleset, other: Ruleset) -> tuple[Changed, ...]:
    """The rules in which a game is not another, but for what nobody can tell: its values, and those of the other."""
    return tuple(
        Changed(rule, other.values.get(rule), one.values.get(rule))
        for rule in rule_names()
        if rule != UNTOLD and one.values.get(rule) != other.values.get(rule)
    )


def game_name(name: str, changes: Sequence[Changed]) -> str:
    """A game's name with what is changed."""
    return f"{name}, but: {' '.join(each.words for each in changes)}" if changes else name


def plain_values(value: Any) -> Any:
    """A rule's value as YAML and JSON write it: lists and mappings that are nothing more."""
    if isinstance(value, Mapping):
        return {key: plain_values(part) for key, part in value.items()}
    return [plain_values(part) for part in value] if isinstance(value, tuple) else value


def _flow(value: Any) -> str:
    """A value on one line, as YAML."""
    return json.dumps(plain_values(value), ensure_ascii=False)
