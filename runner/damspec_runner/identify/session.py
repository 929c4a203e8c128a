"""A questionnaire session: candidate games, answers, and the next question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import log2
from typing import Any

from damspec.data import freeze
from damspec.mutations import RANKED

from ..cases.questionnaire import Kind, Letter, PersonQuestion, Questionnaire, Saying
from .known import known_games
from .statements import Change, Statement, alternatives, make_statement, read_statement, tokens

#: The exponent of the penalty for questions that do not apply to all games.
_APPLICABILITY_EXPONENT = 4
#: The least weight of a game that the choice of questions heeds, relative to all.
_LEAST_WEIGHT = 1e-5
#: What the questions about a subject are worth after each "don't know" about it.
_UNKNOWN = 0.1
#: The topic that every game is asked about, and that comes last.
_DRAWS = "draws"
#: How many games are tried for a topic before each sentence is asked about, and how likely the second must be.
_TWICE, _LIKELY = 2, 0.3
#: How many of the likeliest games are tried for a topic of which no sentence is otherwise.
_OTHERS = 5
#: How many questions are spared for a topic that is not as in the game that seemed likeliest.
_SPARE = 1
#: Digits for comparison; in a tie the question that comes first in the file wins.
_DIGITS = 9

#: The kinds of statements about a value, and those about a list whose order matters.
_VALUE_KINDS: tuple[Kind, ...] = ("has",)
_LIST_KINDS: tuple[Kind, ...] = ("has", "begins", "ends")

Unit = tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Candidate:
    """A known game with its answers to the questions; `alike` are those that no player tells from it."""

    id: str
    answers: str
    prior: float
    values: Mapping[str, Any]
    alike: tuple[str, ...] = ()

    @property
    def base(self) -> str:
        """The id of the ruleset that it is, or is a reading of."""
        return self.id.partition("?")[0]


@cache
def _candidates(enquiries: Questionnaire) -> tuple[Candidate, ...]:
    """Return every known game; those that differ only in what is never asked are one."""
    found: dict[Any, list[str]] = {}
    for id, game in known_games().items():
        told = {rule: value for rule, value in game.values.items() if rule in enquiries.topic_of}
        found.setdefault((freeze(told), enquiries.answers[id]), []).append(id)
    belief = enquiries.belief
    return tuple(
        Candidate(
            ids[0],
            answers,
            sum(belief.reading if "?" in id else belief.ruleset for id in ids),
            known_games()[ids[0]].values,
            tuple(ids[1:]),
        )
        for (_, answers), ids in found.items()
    )


class Facts:
    """What the answers to statements come to, heeded one after another.

    `values` are the rules that are known, None for one that the game has not. `denied` are the units that are otherwise
    than was said, with what they can still be; `spoken` the rules that each statement spoke of when it was made; `open`
    has by topic the statements that are not so, as long as it is not found what is otherwise.
    """

    def __init__(self, enquiries: Questionnaire, said: Mapping[str, Saying]) -> None:
        self.values: dict[str, Any] = {}
        self.denied: dict[Unit, list[Change]] = {}
        self.spoken: dict[str, Unit] = {}
        self.open: dict[str, list[Statement]] = {}
        self._parts: dict[str, Any] = {}
        self._about_values: list[tuple[Statement, bool]] = []
        for id, word in said.items():
            if id not in enquiries.by_id and (statement := read_statement(enquiries, id)):
                self._heed(statement, word)

    def _heed(self, statement: Statement, said: Saying) -> None:
        rules = statement.rules
        if statement.is_of_topic:
            rules = tuple(rule for rule in rules if rule not in self.values)
        self.spoken[statement.id] = rules
        if said == "unknown":
            return
        if statement.kind in _LIST_KINDS:
            self._parts[statement.id] = self.part(statement)
            self._about_values.append((statement, said == "yes"))
            self._narrow(statement, said == "yes")
        elif said == "yes":
            same = [each.values for each in self.denied.pop(rules, ()) if statement.holds(each.told)]
            self.values |= {**(same[0] if same else {}), **{rule: statement.values.get(rule) for rule in rules}}
            if statement.is_of_topic:
                self.open.pop(statement.topic, None)
        elif statement.is_of_topic:
            self.open.setdefault(statement.topic, []).append(statement)
        else:
            self.values = {rule: value for rule, value in self.values.items() if rule not in rules}
            self.open.pop(statement.topic, None)
            left = [each for each in self.denied.get(rules, ()) if not statement.holds(each.told)]
            self._settle(rules, left or [*alternatives(statement)])
            for each, is_so in self._about_values if not left else ():
                if each.rules[0] in rules:
                    self._narrow(each, is_so)

    def _narrow(self, statement: Statement, is_so: bool) -> None:
        """Drop what a unit cannot be."""
        for unit, left in [*self.denied.items()]:
            if statement.rules[0] in unit:
                self._settle(unit, [each for each in left if statement.holds(each.told) == is_so])

    def part(self, statement: Statement) -> Any:
        """Return the value of a rule that has only the part that a statement names; None for no such rule."""
        if statement.id in self._parts:
            return self._parts[statement.id]
        (rule,) = statement.rules
        values = (each.told[rule] for unit, left in self.denied.items() if rule in unit for each in left)
        return next((statement.part(value) for value in values if statement.last in tokens(value)), None)

    def is_certain(self, unit: Unit) -> bool:
        """Return whether the values of a unit of one rule need no more questions: one was said, or none excluded."""
        about = [is_so for statement, is_so in self._about_values if statement.rules[0] in unit]
        return len(unit) == 1 and (not about or any(about))

    def _settle(self, unit: Unit, left: list[Change]) -> None:
        """Note what a unit can still be, and its values once there is one change left."""
        self.denied[unit] = left
        if len(left) == 1:
            self.values |= left[0].values


class Session:
    """One person's answers, and what follows from them."""

    def __init__(self, enquiries: Questionnaire, said: Mapping[str, Saying] | None = None) -> None:
        self.enquiries = enquiries
        self.said: dict[str, Saying] = dict(said or {})
        self.candidates = _candidates(enquiries)
        self._places = {each.id: place for place, each in enumerate(enquiries.questions)}

    def say(self, id: str, said: Saying) -> None:
        """Record an answer, replacing an earlier one."""
        self.said[id] = said

    def unsay(self) -> None:
        """Take back the last answer, if any."""
        if self.said:
            self.said.popitem()

    @property
    def facts(self) -> Facts:
        """What the answers to statements come to."""
        return Facts(self.enquiries, self.said)

    def standing(self, facts: Facts | None = None) -> list[tuple[Candidate, float]]:
        """Return the known games with their probabilities, the most probable first."""
        weights = self._weights(facts or self.facts)
        total = sum(weights)
        found = [(game, weight / total) for game, weight in zip(self.candidates, weights, strict=True)]
        return sorted(found, key=lambda each: -round(each[1], _DIGITS))

    def question(self, id: str) -> PersonQuestion | Statement | None:
        """Return a question or statement by its id; None if there is none."""
        return self.enquiries.by_id.get(id) or read_statement(self.enquiries, id)

    def agrees(self, game: Candidate, id: str) -> bool | None:
        """Return whether a known game agrees with an answer to a question of the file; None if either has none."""
        said, word = self.said.get(id, "unknown"), self.word(game, id)
        return None if said == "unknown" or word == "-" else word == said[0]

    def word(self, game: Candidate, id: str) -> Letter:
        """Return a known game's answer to a question of the file."""
        return game.answers[self._places[id]]  # type: ignore[return-value]

    def _weights(self, facts: Facts) -> list[float]:
        """Return the weight of each known game.

        Rules that are known count once for each sentence, and where a game has them otherwise, no question about them
        counts once more.
        """
        belief = self.enquiries.belief
        units = [unit for unit in self.enquiries.units if not facts.values.keys().isdisjoint(unit)]
        said = [
            (self._places[id], word[0], question.rule, belief.slip(question))
            for id, word in self.said.items()
            if word != "unknown" and (question := self.enquiries.by_id.get(id))
        ]
        weights = []
        for game in self.candidates:
            wrong = {rule for rule, value in facts.values.items() if game.values.get(rule) != value}
            weight = game.prior * belief.wrong ** sum(not wrong.isdisjoint(unit) for unit in units)
            for place, word, rule, slip in said:
                mine = game.answers[place]
                if mine == "-":
                    weight *= 0.5
                elif mine == word:
                    weight *= 1 - slip
                elif rule not in wrong:
                    weight *= slip
            for statement in (each for denied in facts.open.values() for each in denied):
                if statement.holds(game.values, facts.spoken[statement.id]):
                    weight *= belief.wrong
            weights.append(weight)
        return weights

    def next(self) -> PersonQuestion | Statement | None:
        """Return the question to ask now; None if all is known, or enough were asked."""
        belief, facts = self.enquiries.belief, self.facts
        if len(self.said) >= belief.most:
            return None
        if value := self._value_statement(facts):
            return value
        standing = self.standing(facts)
        game = standing[0][0]
        asked = {topic: self._topic_statement(facts, topic, standing) for topic in self.enquiries.topics}
        due = {topic: statement for topic, statement in asked.items() if statement}
        if found := next((due[topic] for topic in facts.open if topic in due), None):
            return found
        if doubted := self._doubted(facts, game):
            return doubted
        if len(self.said) + len(due) < (belief.most if facts.denied else belief.plain - _SPARE):
            question, worth = self.best(facts, standing)
            if worth >= belief.doubt:
                return question
        return next(iter(due.values()), None)

    def best(self, facts: Facts, standing: Sequence[tuple[Candidate, float]]) -> tuple[PersonQuestion | None, float]:
        """Return the question of the file with the most informative answer, and its information in bits."""
        likely = [(game.answers, share) for game, share in standing if share >= _LEAST_WEIGHT]
        unknown = Counter(
            question.subject
            for id, said in self.said.items()
            if said == "unknown" and (question := self.enquiries.by_id.get(id))
        )
        best, most = None, 0.0
        for place, question in enumerate(self.enquiries.questions):
            if question.id in self.said or question.in_words or question.rule in facts.values:
                continue
            yes = sum(share for answers, share in likely if answers[place] == "y")
            no = sum(share for answers, share in likely if answers[place] == "n")
            ease = question.ease * _UNKNOWN ** unknown[question.subject]
            worth = round(ease * self._worth(question, yes, no), _DIGITS)
            if worth > most:
                best, most = question, worth
        return best, most

    def _worth(self, question: PersonQuestion, yes: float, no: float) -> float:
        """Return the information in an answer, given the weights of yes and no; less if others have no answer."""
        wrong = self.enquiries.belief.slip(question)
        none = 1 - yes - no
        heard = yes * (1 - wrong) + no * wrong + none / 2
        return float((yes + no) ** _APPLICABILITY_EXPONENT * (_entropy(heard) - (yes + no) * _entropy(wrong) - none))

    def _value_statement(self, facts: Facts) -> Statement | None:
        """Return the statement that tells most about the value of a rule that is otherwise than was said."""
        for unit, left in facts.denied.items():
            total = sum(each.weight for each in left)
            best, most = None, 0.0
            for statement in self._about_unit(unit, left):
                share = sum(each.weight for each in left if statement.holds(each.told)) / total
                if round(_entropy(share), _DIGITS) > most and statement.id not in self.said:
                    best, most = statement, round(_entropy(share), _DIGITS)
            if best is None and len(left) == 1 and not facts.is_certain(unit):
                best = self._whole_unit(unit, left[0])
            if best:
                return best
        return None

    def _about_unit(self, unit: Unit, left: Sequence[Change]) -> Iterator[Statement]:
        """Yield statements that tell changes of a unit apart: known games that have it so, and parts of values."""
        known = (self._whole_unit(unit, each) for each in left)
        yield from (statement for statement in known if statement)
        for rule in unit:
            for token in dict.fromkeys(token for each in left for token in tokens(each.told.get(rule))):
                for kind in _LIST_KINDS if rule in RANKED else _VALUE_KINDS:
                    yield make_statement(self.enquiries, rule, kind, token)

    def _whole_unit(self, unit: Unit, change: Change) -> Statement | None:
        """Return a statement about all rules of a unit, if a known game has them so, to be sure that all were found."""
        for id, game in known_games().items():
            if all(game.values.get(rule) == change.told[rule] for rule in unit):
                statement = make_statement(self.enquiries, unit[0], "as", id)
                return None if statement.id in self.said else statement
        return None

    def _doubted(self, facts: Facts, game: Candidate) -> Statement | None:
        """Return a statement about a rule on which a board was answered otherwise than the game has it.

        There is none where words have said already that the rule is otherwise.
        """
        for id in self.said:
            question = self.enquiries.by_id.get(id)
            if question is None or question.rule not in self.enquiries.topic_of:
                continue
            value = game.values.get(question.rule)
            if facts.values.get(question.rule, value) == value and self.agrees(game, id) is False:
                statement = make_statement(self.enquiries, question.rule, "as", game.id)
                if statement.rules not in facts.denied and statement.id not in self.said:
                    return statement
        return None

    def _topic_statement(
        self, facts: Facts, topic: str, standing: Sequence[tuple[Candidate, float]]
    ) -> Statement | None:
        """Return what is asked next about a topic: all of it, or the rest; if that is not so, each sentence."""
        units, (game, share) = self.enquiries.topics[topic], standing[0]
        is_there = topic == _DRAWS or any(game.values.get(rule) is not None for unit in units for rule in unit)
        left = [unit for unit in units if unit not in facts.denied and any(rule not in facts.values for rule in unit)]
        if not left or not is_there:
            return None
        kind: Kind = "all-as" if len(left) == len(units) else "rest-as"
        whole = make_statement(self.enquiries, topic, kind, game.id)
        times = sum(id.startswith(f"{topic}-all-as-") for id in self.said)
        denied = facts.open.get(topic) or ([whole] if self.said.get(whole.id) == "no" else [])
        if whole.id not in self.said and (not denied or (share >= _LIKELY and times < _TWICE)):
            return whole
        if not denied:
            return None
        left.sort(key=lambda unit: all(denied[0].values.get(rule) is None for rule in unit))
        statements = [make_statement(self.enquiries, unit[0], "as", denied[0].last) for unit in left]
        found = next((each for each in statements if each.id not in self.said and alternatives(each)), None)
        if found or topic not in facts.open or times > _TWICE:
            return found
        others = (make_statement(self.enquiries, topic, kind, game.id) for game, _ in standing[:_OTHERS])
        return next((each for each in others if each.id not in self.said), None)


def _entropy(part: float) -> float:
    return 0.0 if part <= 0 or part >= 1 else -part * log2(part) - (1 - part) * log2(1 - part)
