"""Which rules a wrong answer puts in doubt, and whether two wrong answers come from the same fault."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice

import damspec
from damspec import Action, Ruleset

from ..answers.player import Fields, fields, key
from ..answers.question import questions
from ..cases.made import ABOUT_IT, AboutIt, made
from ..cases.notation import Key
from ..positions.walks import Ply
from .hypotheses import Hypothesis, plain_hypotheses
from .observation import Given, Observation, observe
from .result import Result

#: How many right answers are kept to rule explanations out, and how many rules and clauses are named.
_KEPT, _RULES, _CLAUSES = 100, 3, 4


class Doubts:
    """What is known of an engine's answers beyond the cases; `asked` are the questions that it is asked."""

    def __init__(self, ruleset: Ruleset, asked: Container[str]) -> None:
        self.ruleset = ruleset
        self._asked = asked
        self._right: list[Observation] = []
        self._plies: list[Callable[[], Iterable[Ply]]] = []

    def right(self, result: Result) -> None:
        """Take in a right answer, which no explanation may contradict."""
        if len(self._right) < _KEPT and (seen := self._seen(result)):
            self._right.append(seen)

    def agreed(self, plies: Callable[[], Iterable[Ply]]) -> None:
        """Take in positions of which in the first the engine's answers were right, as far as it was asked."""
        if len(self._plies) + len(self._right) < 2 * _KEPT:
            self._plies.append(plies)

    def suspicion(self, result: Result) -> Suspicion:
        """What may lie behind a wrong answer."""
        return Suspicion(self, result)

    def explaining(self, result: Result, among: Sequence[Hypothesis] | None = None) -> list[Hypothesis]:
        """The rules that would give a wrong answer, and contradict no right one."""
        seen = self._seen(result)
        if seen is None:
            return []
        candidates = self._hypotheses if among is None else among
        while self._plies:
            first, *_ = islice(self._plies.pop()(), 1)
            self._right += self._seen_in(first)
        return [
            one
            for one in candidates
            if seen.agrees(one.player) and all(right.agrees(one.player) for right in self._right)
        ]

    @cached_property
    def _hypotheses(self) -> Sequence[Hypothesis]:
        return plain_hypotheses(self.ruleset)

    def _seen_in(self, ply: Ply) -> Iterator[Observation]:
        """What a right answer in a game showed: the list, where the action played leads, the outcome."""

        def given(actions: Sequence[Action]) -> Given:
            after: dict[Key | None, Fields | None] = {}
            if "play" in self._asked and ply.chosen is not None and ply.after is not None and ply.chosen in actions:
                after[key(ply.chosen)] = fields(ply.after)
            return Given(frozenset(map(key, actions)), after)

        asked: dict[AboutIt, Observation] = {}
        for question in ABOUT_IT:
            case = made(self.ruleset, ply.position, question, "", "games", readings=False)
            asked[question] = Observation(questions(self.ruleset, [case])[0], False)
        if "moves" in self._asked:
            lapses = given(ply.lapses) if self.ruleset.rules.huff else None
            yield replace(asked["moves"], moves=given(ply.actions), lapses=lapses)
        if "outcome" in self._asked:
            yield replace(asked["outcome"], outcome=ply.result)

    def _seen(self, result: Result) -> Observation | None:
        (question,) = questions(self.ruleset, [result.case])
        faults = result.faults() | {"played": result.played}
        return observe(question, result.status, faults, leading="play" in self._asked)


class Suspicion:
    """What lies behind wrong answers: the rules that would give them all, or where none would, what they look like."""

    def __init__(self, doubts: Doubts, result: Result) -> None:
        self._doubts = doubts
        self._first = result
        self._suspects = doubts.explaining(result)

    def shows_in(self, result: Result) -> bool:
        """Whether another wrong answer comes from the same; the rules in doubt are then those that explain both."""
        first = self._first
        if (result.status, result.kind) != (first.status, first.kind):
            return False
        if not self._suspects:
            return _look(result) <= _look(first)
        both = self._doubts.explaining(result, self._suspects)
        self._suspects = both or self._suspects
        return bool(both)

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules in doubt, those that most explanations change first; not those of whole other rulesets."""
        values = self._doubts.ruleset.values
        suspects = [one for one in self._suspects if one.kind != "ruleset"]
        found = Counter(
            rule
            for one in suspects
            for rule in values.keys() | one.ruleset.values.keys()
            if one.ruleset.values.get(rule) != values.get(rule)
        )
        return tuple(rule for rule, _ in sorted(found.items(), key=lambda entry: (-entry[1], entry[0]))[:_RULES])


def clauses_behind(ruleset: Ruleset, rules: Sequence[str]) -> tuple[str, ...]:
    """The clauses that rules rest on, the first few."""
    known = damspec.load_clauses()
    found = [id for rule in rules for id in ruleset.rests_on.get(rule, ()) if id in known]
    return tuple(dict.fromkeys(found))[:_CLAUSES]


def _look(result: Result) -> frozenset[tuple[str, str]]:
    """What is wrong, and with what kind of action."""
    kinds = {(word, _kind(move)) for word, moves, _ in result.listings() for move in moves if word != "duplicate"}
    if result.status == "reading":
        kinds.add(("reading", str(result.reading)))
    return frozenset(kinds | {(what.split(" ")[0], _kind(what.partition(" ")[2])) for what, _ in result.mismatches()})


def _kind(action: str) -> str:
    return "capture" if "x" in action else "move" if "-" in action else action.split("=")[0].split(" ")[0]
