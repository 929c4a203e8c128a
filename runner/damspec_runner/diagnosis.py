"""Explaining failures: which other rules would give exactly the answers that an engine gave.

The hypotheses are every mutant of the ruleset, every alternative reading and every other ruleset on the same board;
where none of them explains all, every pair of changes. What is compared are the answers to the cases, those that
passed too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from damspec import DamspecError, MoveError, Position, Ruleset, ruleset, ruleset_ids

from .check import Report
from .compare import Key, trace
from .judge import Answer, Fields, Player, Question, fields, questions
from .mutants import pairs, single

#: Positions looked at in search of one that tells two hypotheses apart.
LOOKED_AT = 20_000


@dataclass(frozen=True)
class Given:
    """What an engine listed, and the position it gave after each where it was asked for that."""

    listed: frozenset[Key | None]
    after: Mapping[Key | None, Fields | None]

    def agrees(self, answer: Answer) -> bool:
        """Whether rules that answer so would have said the same."""
        by_key: dict[Key | None, set[Fields]] = {}
        for key, after in answer:
            by_key.setdefault(key, set()).add(after)
        if by_key.keys() != self.listed:
            return False
        return all(after in by_key[key] for key, after in self.after.items() if key in by_key)


@dataclass(frozen=True)
class Observation:
    """An engine's answer to a case, as far as the report says it."""

    question: Question
    passed: bool
    faults: Mapping[str, Any] = field(default_factory=dict)
    moves: Given | None = None
    lapses: Given | None = None
    outcome: str | None = None
    game: tuple[tuple[bool, Fields | None], ...] = ()

    def agrees(self, player: Player) -> bool:
        """Whether rules would have given this answer."""
        if self.passed:
            return self.question.answered_by(player)
        question = self.question.put_to(player)
        if question is not self.question:  # an engine on another board means other squares by its numbers
            there = _observe(question, self.faults)
            return there is not None and there.agrees(player)
        position = player.fitted(self.question.position)
        if self.question.expected.outcome:
            return player.outcome(position) == self.outcome
        if self.question.expected.end:
            return bool(self.game) and self._same_game(player)
        if self.moves is None or not self.moves.agrees(player.moves(position)):
            return False
        return self.lapses is None or self.lapses.agrees(player.lapses(position))

    def _same_game(self, player: Player) -> bool:
        last = self.question.position
        for (before, action, _), (listed, after) in zip(self.question.game, self.game, strict=True):
            position = player.fitted(before)
            answer = player.moves(position) | player.lapses(position)
            if listed != (action in {key for key, _ in answer}):
                return False
            if listed and after is not None and (action, after) not in answer:
                return False
            last = position
        final = self.question.reader.read(self.question.expected.game[-1][1]) if self.game else last
        return self.outcome is None or player.outcome(player.fitted(final)) == self.outcome


@dataclass(frozen=True)
class Hypothesis:
    """Rules that the engine may play, by the names they go by, the plainest first."""

    names: tuple[str, ...]
    kind: str
    rules: Ruleset = field(repr=False)

    @property
    def name(self) -> str:
        """The names as a report gives them."""
        also = f" (the same as {', '.join(self.names[1:])})" if self.names[1:] else ""
        return self.names[0] + also


@dataclass(frozen=True)
class Explanation:
    """How well a hypothesis fits: the failures it explains and the passes it contradicts."""

    hypothesis: Hypothesis
    explains: tuple[str, ...]
    contradicts: tuple[str, ...]


@dataclass(frozen=True)
class Diagnosis:
    """What the failures come from. `complete` explain all and contradict nothing; else `partial` are the best."""

    ruleset: str
    failures: int
    passes: int
    complete: tuple[Explanation, ...]
    partial: tuple[Explanation, ...]
    unexplained: tuple[str, ...]
    #: A position whose answer tells the complete explanations apart, if there are several and one was found.
    ask_next: str | None = None
    #: The positions that were asked to tell them apart.
    probed: tuple[str, ...] = ()

    def lines(self) -> list[str]:
        """The diagnosis in sentences."""
        said = []
        for explanation in self.complete or self.partial:
            passes = f"{len(explanation.contradicts) or 'none'} of {self.passes} passes"
            said.append(
                f"plays {self.ruleset} except {explanation.hypothesis.name}"
                if explanation.hypothesis.kind != "ruleset"
                else f"plays {explanation.hypothesis.name} in the place of {self.ruleset}"
            )
            said[-1] += f" (explains {len(explanation.explains)} of {self.failures} failures and contradicts {passes})"
        if self.probed:
            said.append(f"{len(self.probed)} further positions were asked to tell explanations apart")
        if len(self.complete) > 1:
            said.append(
                f"these {len(self.complete)} cannot be told apart by the cases"
                + (f"; ask the moves of {self.ask_next}" if self.ask_next else ", nor by any position tried")
            )
        if self.unexplained:
            more = f" and {len(self.unexplained) - 5} more" if len(self.unexplained) > 5 else ""
            said.append(f"unexplained: {', '.join(self.unexplained[:5])}{more}")
        return said

    def as_json(self) -> dict[str, Any]:
        """The diagnosis as plain data."""

        def entry(explanation: Explanation) -> dict[str, Any]:
            return {
                "names": list(explanation.hypothesis.names),
                "kind": explanation.hypothesis.kind,
                "explains": list(explanation.explains),
                "contradicts": list(explanation.contradicts),
            }

        return {
            "failures": self.failures,
            "passes": self.passes,
            "complete": [entry(explanation) for explanation in self.complete],
            "partial": [entry(explanation) for explanation in self.partial],
            "unexplained": list(self.unexplained),
            **({"ask_next": self.ask_next} if self.ask_next else {}),
            **({"probed": list(self.probed)} if self.probed else {}),
        }


def observations(rules: Ruleset, report: Report) -> list[Observation]:
    """What a run showed."""
    asked = questions(rules, [result.case for result in report.results])
    seen = (
        observe(question, result.status, result.faults())
        for question, result in zip(asked, report.results, strict=True)
    )
    return [observation for observation in seen if observation]


def observe(question: Question, status: str, faults: Mapping[str, Any]) -> Observation | None:
    """What the faults of a result say of the engine's answer; None where it gave none.

    An answer that makes no sense on this board may make sense on another.
    """
    if status == "passed":
        return Observation(question, True)
    if status not in ("failed", "reading") or "message" in faults:
        return None
    try:
        seen = _observe(question, faults)
    except DamspecError:
        seen = None
    return seen or Observation(question, False, faults)


def _observe(question: Question, faults: Mapping[str, Any]) -> Observation | None:
    expected = question.expected
    if expected.outcome:
        return Observation(question, False, faults, outcome=faults["outcome"]["got"])
    if expected.end:
        outcome = faults["outcome"]["got"] if "outcome" in faults else expected.end.result
        return Observation(question, False, faults, outcome=outcome, game=tuple(_played(question, faults)))
    moves = _given(question, expected.moves or {}, faults, "")
    lapses = None
    if question.lapses is not None:
        lapses = _given(question, expected.lapses or {}, faults, "lapse ")
    if moves is None or (question.lapses is not None and lapses is None):
        return None
    return Observation(question, False, faults, moves, lapses)


def _given(question: Question, expected: Mapping[str, str], faults: Mapping[str, Any], prefix: str) -> Given | None:
    position = question.position
    missing = [text.removeprefix(prefix) for text in faults.get("missing", ()) if _is(text, prefix)]
    after: dict[Key | None, Fields | None] = {}
    for text, fen in expected.items():
        if text not in missing:
            wrong = faults.get("after", {}).get(text)
            after[trace(position, text)] = _fields(question, wrong["got"] if wrong else fen)
    listed = [*faults.get("extra", ()), *faults.get("unparsable", ())]
    extra = [_extra(position, text.removeprefix(prefix)) for text in listed if _is(text, prefix)]
    if None in extra:
        return None
    return Given(frozenset([*after, *extra]), after)


def _is(text: str, prefix: str) -> bool:
    return text.startswith("lapse ") == bool(prefix)


def _extra(position: Position, text: str) -> Key | None:
    """An action an engine listed beyond those expected; None if its notation leaves open what it captures."""
    taking = re.fullmatch(r"(\S+) \(takes ([0-9, ]+|nothing)\)", text)
    if not taking:
        return trace(position, text)
    squares = re.split("[-x:]", taking[1])
    captured = frozenset(map(int, re.findall("[0-9]+", taking[2])))
    return position.board.square(squares[0]), position.board.square(squares[-1]), captured


def _played(question: Question, faults: Mapping[str, Any]) -> Iterator[tuple[bool, Fields | None]]:
    for place, (action, fen) in enumerate(question.expected.game, 1):
        name = f"{place}. {action}"
        wrong = faults.get("after", {}).get(name)
        yield name not in faults.get("missing", ()), _fields(question, wrong["got"] if wrong else fen)


def _fields(question: Question, fen: str) -> Fields | None:
    """A position that an engine gave; an impossible one is like no other."""
    try:
        return fields(question.reader.read(fen))
    except (DamspecError, MoveError):
        return (fen,)


def diagnose(
    rules: Ruleset,
    seen: Sequence[Observation],
    failed: Sequence[str],
    *,
    tell: Callable[[str], None] = lambda line: None,
) -> Diagnosis:
    """Explain the failures of a run, given by what was observed and the ids of all cases that failed.

    `tell` hears what is being tried, since pairs of changes take their time.
    """
    wrong = [observation for observation in seen if not observation.passed]
    right = [observation for observation in seen if observation.passed]
    if not failed:
        return Diagnosis(rules.id, 0, len(right), (), (), ())
    fitted = [
        explanation
        for hypothesis in merged(plain_hypotheses(rules))
        if (explanation := _fit(hypothesis, wrong, right)) is not None
    ]
    complete = [e for e in fitted if len(e.explains) == len(failed) and not e.contradicts]
    if not complete and len(wrong) == len(failed):
        tell("no single change explains it: trying every two")
        order = list(wrong)
        for mutant in pairs(rules):
            hypothesis = Hypothesis((mutant.name,), "pair", mutant.ruleset)
            if _explains_all(hypothesis, order, right):
                complete.append(Explanation(hypothesis, tuple(failed), ()))
    partial: list[Explanation] = []
    if not complete:
        harmless = [e for e in fitted if not e.contradicts]
        partial = _cover(harmless)
    explained = {id for explanation in complete or partial for id in explanation.explains}
    unexplained = tuple(id for id in failed if id not in explained)
    found = Diagnosis(rules.id, len(failed), len(right), tuple(complete), tuple(partial), unexplained)
    if len(complete) < 2:
        return found
    apart = telling([Player(e.hypothesis.rules) for e in complete], rules)
    return replace(found, ask_next=apart.fen() if apart else None)


def plain_hypotheses(rules: Ruleset) -> Iterator[Hypothesis]:
    """One change, another reading, another ruleset."""
    for mutant in single(rules):
        yield Hypothesis((mutant.name,), "change", mutant.ruleset)
    for name, alternative in rules.alternatives.items():
        yield Hypothesis((f"the reading {name}",), "reading", alternative)
    for id in ruleset_ids():
        other = ruleset(id)
        if id != rules.base and other.rules.board == rules.rules.board:
            yield Hypothesis((id,), "ruleset", other)


def merged(hypotheses: Iterator[Hypothesis]) -> list[Hypothesis]:
    """Hypotheses with those of the same rules made one, under all their names."""
    by_values: dict[str, Hypothesis] = {}
    for hypothesis in hypotheses:
        values = json.dumps(hypothesis.rules.values, sort_keys=True, default=str)
        known = by_values.get(values)
        names = (*known.names, *hypothesis.names) if known else hypothesis.names
        by_values[values] = Hypothesis(names, known.kind if known else hypothesis.kind, hypothesis.rules)
    return list(by_values.values())


def telling(players: Sequence[Player], rules: Ruleset, seed: int = 0) -> Position | None:
    """A position that not all players answer alike; None if none of those looked at does."""
    import random
    from itertools import islice

    from .generate import differing
    from .sampling import positions

    candidates = islice(positions(rules, random.Random(seed)), LOOKED_AT)
    return next(iter(differing(players, candidates)), None)


def _fit(hypothesis: Hypothesis, wrong: Sequence[Observation], right: Sequence[Observation]) -> Explanation | None:
    """How a hypothesis fits; None if it explains nothing."""
    player = Player(hypothesis.rules)
    explains = tuple(o.question.case.id for o in wrong if _agrees(o, player))
    if not explains:
        return None
    contradicts = tuple(o.question.case.id for o in right if not _agrees(o, player))
    return Explanation(hypothesis, explains, contradicts)


def _explains_all(hypothesis: Hypothesis, wrong: list[Observation], right: Sequence[Observation]) -> bool:
    player = Player(hypothesis.rules)
    for place, observation in enumerate(wrong):
        if not _agrees(observation, player):
            wrong.insert(0, wrong.pop(place))  # what refutes one refutes the next
            return False
    return all(_agrees(observation, player) for observation in right)


def _agrees(observation: Observation, player: Player) -> bool:
    try:
        return observation.agrees(player)
    except DamspecError:
        return False


def _cover(harmless: list[Explanation]) -> list[Explanation]:
    """Explanations that together explain what any of them does, the widest first."""
    left = {id for explanation in harmless for id in explanation.explains}
    chosen = []
    while left:
        best = max(harmless, key=lambda explanation: len(left & set(explanation.explains)))
        chosen.append(best)
        left -= set(best.explains)
    return chosen
