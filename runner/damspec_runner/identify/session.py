"""A questionnaire session: candidate games, answers, and the next question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import log2
from typing import Any

from damspec.data import freeze
from damspec.mutations import is_ranked

from ..cases.questionnaire import AGAIN, RECAP, Kind, Letter, PersonQuestion, Questionnaire, Saying
from .facts import Facts, PossibleValues
from .known import known_games
from .statements import Statement, Unit, alternatives, make_statement, read_statement, tokens, whole_token

#: Digits for comparison; in a tie the question that comes first in the file wins.
_DIGITS = 9
#: The kinds of statements about a part of a value; the last two of a list whose order matters.
_LIST_KINDS: tuple[Kind, ...] = ("has", "begins", "ends")


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

        Rules that are known count once for each sentence, unless they only follow from others, and where a game has
        them otherwise, no question about them counts once more.
        """
        belief = self.enquiries.belief
        units = [unit for unit in self.enquiries.units if not (facts.values.keys() - facts.following).isdisjoint(unit)]
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
                if statement.holds(game.values, facts.rules_of[statement.id]):
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
        if found := next((each for each in self._sentences_against(facts, game) if each.id not in self.said), None):
            return found
        if len(self.said) + len(due) < belief.plain - belief.spare:
            question, worth = self.best(facts, standing)
            if worth >= belief.doubt:
                return question
        if due:
            return next(iter(due.values()))
        # A known game is found in fifteen questions, of which the last may be that all of it is so.
        is_due = len(self.said) != belief.plain or not self._fits(game, facts)
        is_answered = self.said.get(RECAP, "no") != "no"  # a no does not say what is otherwise
        return read_statement(self.enquiries, RECAP) if facts.values and is_due and not is_answered else None

    def _fits(self, game: Candidate, facts: Facts) -> bool:
        """Return whether a known game has all that is known, and what was answered about positions."""
        if any(game.values.get(rule) != value for rule, value in facts.values.items()):
            return False
        return not any(id in self.enquiries.by_id and self.agrees(game, id) is False for id in self.said)

    def sentences(self, statement: Statement, facts: Facts) -> list[Statement]:
        """Return a statement for each sentence of one about a topic, or about all that is known, by topics.

        Each can be marked as not so. There are none when a topic is first asked about, and is otherwise in games that
        it may be too. Left out is what only follows from other rules.
        """
        if not statement.is_of_topic and statement.kind != "recap":
            return []
        if statement.is_of_topic and not statement.is_again:
            share = sum(share for game, share in self.standing(facts) if facts.holds(statement, game.values))
            if share < self.enquiries.belief.common:
                return []
        values = facts.values if statement.kind == "recap" else statement.values
        told = {*facts.rules(statement)} - facts.following
        units = [unit for unit in self.enquiries.units if told.issuperset(unit)]
        return [self._unsaid(self._whole_unit(unit, values)) for unit in units]

    def mark(self, statement: Statement, marked: Sequence[Statement]) -> None:
        """Record which sentences of a statement are not so; of one about a topic all others are."""
        for each in marked:
            self.say(each.id, "no")
        if not marked:
            self.say(statement.id, "yes")
        elif statement.is_of_topic:
            rest = self._unsaid(make_statement(self.enquiries, statement.topic, "rest-as", statement.last))
            if self.facts.rules(rest):
                self.say(rest.id, "yes")

    def _unsaid(self, statement: Statement) -> Statement:
        """Return a statement, to be put once more as often as it was put already."""
        while statement.id in self.said:
            statement = statement.again()
        return statement

    def best(self, facts: Facts, standing: Sequence[tuple[Candidate, float]]) -> tuple[PersonQuestion | None, float]:
        """Return the question of the file with the most informative answer, and its information in bits."""
        likely = [(game.answers, share) for game, share in standing if share >= self.enquiries.belief.slight]
        unknown = Counter(
            question.subject
            for id, said in self.said.items()
            if said == "unknown" and (question := self.enquiries.by_id.get(id))
        )
        best, most = None, 0.0
        for place, question in enumerate(self.enquiries.questions):
            if question.id in self.said or self.enquiries.is_in_words(question) or question.rule in facts.values:
                continue
            yes = sum(share for answers, share in likely if answers[place] == "y")
            no = sum(share for answers, share in likely if answers[place] == "n")
            ease = question.ease * self.enquiries.belief.unknown ** unknown[question.subject]
            worth = round(ease * self._worth(question, yes, no), _DIGITS)
            if worth > most:
                best, most = question, worth
        return best, most

    def _worth(self, question: PersonQuestion, yes: float, no: float) -> float:
        """Return the information in an answer, given the weights of yes and no; less if others have no answer."""
        belief = self.enquiries.belief
        wrong = belief.slip(question)
        none = 1 - yes - no
        heard = yes * (1 - wrong) + no * wrong + none / 2
        return float((yes + no) ** belief.applies * (_entropy(heard) - (yes + no) * _entropy(wrong) - none))

    def _value_statement(self, facts: Facts) -> Statement | None:
        """Return the statement that tells most about a unit that may be otherwise than was said."""
        for unit, doubted in facts.doubted.items():
            if facts.is_settled(unit):
                continue
            best, most = None, 0.0
            for statement in self._about_unit(unit, doubted):
                worth = self._worth_of_statement(statement, doubted)
                if worth > most:
                    best, most = statement, worth
            if best:
                return best
        return None

    def _worth_of_statement(self, statement: Statement, doubted: PossibleValues) -> float:
        """Return the information in an answer to a statement about a unit."""
        wrong = self.enquiries.belief.wrong
        pairs = zip(doubted.changes, doubted.shares, strict=True)
        holds = sum(share for change, share in pairs if statement.holds(change.told))
        return round(_entropy(holds * (1 - wrong) + (1 - holds) * wrong) - _entropy(wrong), _DIGITS)

    def _about_unit(self, unit: Unit, doubted: PossibleValues) -> Iterator[Statement]:
        """Yield statements that tell what a unit is, last those that were made already, to be put once more."""
        found = [*self._all_about_unit(unit, doubted)]
        yield from (each for each in found if each.id not in self.said)
        again = (self._unsaid(each) for each in found if each.id in self.said)
        yield from (each for each in again if each.id.count(AGAIN) <= self.enquiries.belief.twice)

    def _all_about_unit(self, unit: Unit, doubted: PossibleValues) -> Iterator[Statement]:
        for change in doubted.changes:
            yield self._whole_unit(unit, change.told)
        for rule in unit:
            if len(unit) == 1 and not any(isinstance(each.told[rule], Mapping | tuple) for each in doubted.changes):
                continue  # the part of it is the whole
            for token in dict.fromkeys(token for each in doubted.changes for token in tokens(each.told.get(rule))):
                for kind in _LIST_KINDS if is_ranked(rule) else _LIST_KINDS[:1]:
                    yield make_statement(self.enquiries, rule, kind, token)

    def _whole_unit(self, unit: Unit, told: Mapping[str, Any]) -> Statement:
        """Return a statement about all rules of a unit, as a known game has them, if one has."""
        for id, game in known_games().items():
            if all(game.values.get(rule) == told.get(rule) for rule in unit):
                return make_statement(self.enquiries, unit[0], "as", id)
        return make_statement(self.enquiries, unit[0], "is", whole_token(unit, told))

    def _sentences_against(self, facts: Facts, game: Candidate) -> Iterator[Statement]:
        """Yield statements about rules on which a board was answered otherwise than the game has it.

        There are none where words have said already that the rule is otherwise.
        """
        for id in self.said:
            question = self.enquiries.by_id.get(id)
            if question is None or question.rule not in self.enquiries.topic_of:
                continue
            value = game.values.get(question.rule)
            if facts.values.get(question.rule, value) == value and self.agrees(game, id) is False:
                statement = make_statement(self.enquiries, question.rule, "as", game.id)
                if statement.rules not in facts.doubted:
                    yield statement

    def _topic_statement(
        self, facts: Facts, topic: str, standing: Sequence[tuple[Candidate, float]]
    ) -> Statement | None:
        """Return what is asked next about a topic: all of it, or the rest; if that is not so, each sentence.

        If each sentence is so, or another rule is otherwise, the denial may be a slip: all of it is asked again.
        """
        belief, units, (game, share) = self.enquiries.belief, self.enquiries.topics[topic], standing[0]
        is_there = topic == belief.always or any(game.values.get(rule) is not None for unit in units for rule in unit)
        left = [unit for unit in units if unit not in facts.doubted and any(rule not in facts.values for rule in unit)]
        kind: Kind = "all-as" if len(left) == len(units) else "rest-as"
        whole = make_statement(self.enquiries, topic, kind, game.id)
        denied = facts.open.get(topic) or ([whole] if left and self.said.get(whole.id) == "no" else [])
        if not is_there or not (left or denied):
            return None
        times = sum(id.startswith(f"{topic}-all-as-") for id in self.said)
        if left and whole.id not in self.said and (not denied or (share >= belief.likely and times < belief.twice)):
            return whole
        if not denied:
            return None
        again = denied[-1].again()
        if facts.rules(again) and not any(id.startswith(f"{AGAIN}{topic}-") for id in self.said):
            return again
        left.sort(key=lambda unit: all(denied[0].values.get(rule) is None for rule in unit))
        once = [make_statement(self.enquiries, unit[0], "as", denied[0].last) for unit in left or units]
        statements = [each.again() if each.id in self.said else each for each in once]
        found = next((each for each in statements if each.id not in self.said and alternatives(each)), None)
        if found or not left or times > belief.twice:
            return found
        others = (make_statement(self.enquiries, topic, kind, game.id) for game, _ in standing[: belief.others])
        return next((each for each in others if each.id not in self.said), None)


def _entropy(part: float) -> float:
    return 0.0 if part <= 0 or part >= 1 else -part * log2(part) - (1 - part) * log2(1 - part)
