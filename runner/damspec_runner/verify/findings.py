"""Disagreements that games find, minimised and grouped by cause."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import cached_property

import damspec
from damspec import Position, Ruleset
from damspec.validity import find_invalidity, may_be_reached

from ..cases.adapt import ABOUT_IT, AboutIt, make_case
from ..cases.answer import Question
from ..cases.case import Case
from ..cases.notation import Key
from ..engines.process import Engine
from ..engines.protocol import Hello
from ..mutants.mutants import differing_values
from ..positions.random_games import Ply
from .ask import ask
from .explain.hypotheses import Hypothesis, plain_hypotheses
from .explain.imitation import gives
from .plies import ply_question
from .result import DIFFERS, Divergence, Result, describe_divergence
from .run import BREAKING, compare_retry
from .shrink import shrink

#: Right answers kept to rule out explanations; the most rules and clauses that are named.
_KEPT, _RULES, _CLAUSES = 100, 3, 4
#: The most wrong and right answers kept as a sample.
_KEPT_WRONG, _KEPT_RIGHT = 60, 300
#: How often a position with the same fault is minimised.
_SHRUNK = 4
#: The limits for minimising one position: questions, seconds, and broken processes.
_TRIES, _SECONDS, _BREAKS = 2000, 30.0, 20


class FuzzLimitError(Exception):
    """The comparison has to end; `str()` says why."""


def ask_about(
    engine: Engine, ruleset: Ruleset, hello: Hello, position: Position, about: AboutIt, id: str, topic: str,
    *, readings: bool = True,
) -> Result:  # fmt: skip
    """Return the result of a case about a position; with `readings` it has the answers under other readings too."""
    engine.restarts_left = 1
    return ask(engine, ruleset, hello, make_case(ruleset, position, about, id, topic, readings=readings))


class Findings:
    """The faults found so far, and the engine that is asked about them; `engine` if one is given, else one of its own.

    `start` makes an engine that has not been started.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        start: Callable[[], Engine],
        hello: Hello,
        most: int,
        restarts: int,
        engine: Engine | None = None,
    ) -> None:
        self.engine = engine or start()
        #: How many positions the engine declined to answer.
        self.unsupported = 0
        #: How often the engine has broken.
        self.broken = 0
        self._ruleset, self._start, self._hello = ruleset, start, hello
        self._most, self._restarts = most, restarts
        self._found: list[Finding] = []
        self._wrong: list[Result] = []
        self._right_plies: list[Ply] = []
        #: Right answers, which no explanation may contradict, and the plies of others, read only when needed.
        self._right: list[Result] = []
        self._first_plies: list[Ply] = []

    def divergences(self, seed: int | None) -> tuple[Divergence, ...]:
        """Return everything found, described for a report; `seed` is that of the games."""
        return tuple(describe_divergence(each.divergence(), seed) for each in self._found)

    def add_right_ply(self, ply: Ply, *, is_first: bool) -> None:
        """Add a ply that was answered right; if it is the first of a game, explanations may not contradict it."""
        if len(self._right_plies) < _KEPT_RIGHT:
            self._right_plies.append(ply)
        if is_first and len(self._first_plies) + len(self._right) < 2 * _KEPT:
            self._first_plies.append(ply)

    def sample(self) -> tuple[Result, ...]:
        """Return some answers in positions as they came up: wrong ones, and right ones beside them."""
        cases = (
            make_case(self._ruleset, ply.position, "moves", f"right-{place}", "games", readings=False)
            for place, ply in enumerate(self._right_plies if self._wrong else ())
        )
        questions = (Question(case, self._ruleset) for case in cases)
        # Just the list of moves is known to be right.
        return (*self._wrong, *(Result(one, "passed", replace(one.expected, after={})) for one in questions))

    def note_error(self, kind: str | None) -> None:
        """Count an error that broke the engine. Raises FuzzLimitError if there are too many."""
        if kind == "gone":
            raise FuzzLimitError("the engine could not be started again")
        self.broken += kind in BREAKING
        if self.broken > self._restarts:
            raise FuzzLimitError(f"the engine was given up after breaking {self.broken} times")

    def add(self, result: Result, place: int) -> None:
        """Add a result, with the number of its game or its line; if it is wrong, minimise the position."""
        self.note_error(result.kind)
        if result.status in ("unsupported", "not-asked"):
            self.unsupported += result.status == "unsupported"
            return
        if result.status == "passed":
            if result.case.topic != "games" or result.played is not None:
                self._add_right(result)
                return
            result = replace(result, status="unstable", message=DIFFERS)
        if result.status in ("failed", "reading", "error", "timeout") and len(self._wrong) < _KEPT_WRONG:
            self._wrong.append(result)
        known = next((each for each in self._found if each.includes(result)), None)
        if known is None:
            if len(self._found) == self._most:
                raise FuzzLimitError(f"{self._most} different disagreements were found")
            result = self._recheck_alone(result)
            known = Finding(self, result)
            self._found.append(known)
        known.places.add(place)
        if known.shrunk < _SHRUNK and result.status in ("failed", "reading", "error"):
            known.shrunk += 1
            known.keep_smaller(self._shrink(known, result))

    def find_hypotheses(self, result: Result, among: Sequence[Hypothesis] | None = None) -> list[Hypothesis]:
        """Return the hypotheses that give a wrong answer and contradict no right one."""
        if result.said is None or result.status not in ("passed", "failed", "reading"):
            return []
        while self._first_plies:
            self._right += self._right_answers(self._first_plies.pop())
        answers = result, *self._right
        candidates = self._hypotheses if among is None else among
        return [one for one in candidates if all(gives(one.player, each, quick=True) for each in answers)]

    @cached_property
    def _hypotheses(self) -> Sequence[Hypothesis]:
        # By its numbers another board means other squares, which right answers contradict.
        board = self._ruleset.rules.board
        return [one for one in plain_hypotheses(self._ruleset) if one.ruleset.rules.board == board]

    def _add_right(self, result: Result) -> None:
        if len(self._right) < _KEPT and result.said is not None:
            self._right.append(result)

    def _right_answers(self, ply: Ply) -> Iterator[Result]:
        """Yield what right answers in a game showed: the list, where the action played leads, the outcome."""
        for about in ABOUT_IT:
            if about in self._hello.questions:
                question = ply_question(self._ruleset, ply, about)
                answer = question.expected
                after = {one: answer.after[one] for one in answer.texts} if "play" in self._hello.questions else {}
                lapses = answer.lapses if self._ruleset.rules.huff else None
                yield Result(question, "passed", replace(answer, after=after, lapses=lapses))

    def _recheck_alone(self, result: Result) -> Result:
        """Return the result, made unstable if a fresh process gives the right answer."""
        is_wrong = result.status in ("failed", "reading", "error") and result.kind != "timeout"
        if not is_wrong or result.played is not None:
            return result
        with closing(self._start()) as fresh:
            alone = ask(fresh, self._ruleset, self._hello, result.case)
        return compare_retry(result, alone) if alone.status == "passed" else result

    def _shrink(self, finding: Finding, result: Result) -> Result:
        """Return the result in the smallest position found with the same fault that a game may come to."""
        case, turns, position = result.case, self._ruleset.turns, result.question.position
        about: AboutIt = "moves" if case.expected.outcome is None else "outcome"
        reachable = may_be_reached(turns, position)  # a position of a person's own need not be
        deadline, tries, breaks = time.monotonic() + _SECONDS, 0, 0
        best = result
        # If the list is wrong, `play` need not be asked to see whether another list is right.
        listed = result.missing or result.extra or result.unparsable
        first = replace(self._hello, questions=self._hello.questions - {"play"}) if listed else self._hello

        def ask_smaller(smaller: Position, hello: Hello, *, readings: bool = False) -> Result:
            ruleset = self._ruleset
            return ask_about(self.engine, ruleset, hello, smaller, about, case.id, case.topic, readings=readings)

        def shows(smaller: Position) -> bool:
            nonlocal best, tries, breaks
            if tries == _TRIES or breaks == _BREAKS or time.monotonic() > deadline:
                return False
            if find_invalidity(turns, smaller) or (reachable and not may_be_reached(turns, smaller)):
                return False
            tries += 1
            found = ask_smaller(smaller, first)
            breaks += found.kind in BREAKING
            if found.status == "passed":
                if not listed:
                    self._add_right(found)
                return False
            if found.status == "failed":
                found = ask_smaller(smaller, self._hello, readings=True)
            if not finding.includes(found):
                return False
            best = found
            return True

        shrink(position, shows)
        return best


class Finding:
    """Wrong answers with one cause: hypotheses that give them all, or, without any, the same symptoms.

    It has the result in the smallest position found that shows it, and the games or lines in which it came up.
    """

    def __init__(self, findings: Findings, result: Result) -> None:
        self._findings, self._ruleset = findings, result.question.ruleset
        self._first = self._smallest = result
        self._suspects = findings.find_hypotheses(result)
        self.places: set[int] = set()
        self.shrunk = 0

    def includes(self, result: Result) -> bool:
        """Return whether another wrong answer has the same cause; if so, keep only hypotheses that give both."""
        first = self._first
        if (result.status, result.kind) != (first.status, first.kind):
            return False
        if not self._suspects:
            return _symptoms(result) <= _symptoms(first)
        both = self._findings.find_hypotheses(result, self._suspects)
        self._suspects = both or self._suspects
        return bool(both)

    def keep_smaller(self, other: Result) -> None:
        """Keep the result with the smaller position."""
        self._smallest = min(self._smallest, other, key=lambda one: (_size(one.question.position), one.case.position))

    def divergence(self) -> Divergence:
        """Return what was found, with the clauses that the rules in doubt rest on."""
        known, rules = damspec.load_clauses(), self._rules
        clauses = [id for rule in rules for id in self._ruleset.rests_on.get(rule, ()) if id in known]
        case: Case = replace(self._smallest.case, clauses=tuple(dict.fromkeys(clauses))[:_CLAUSES])
        return Divergence(self._smallest.with_case(case), self._first.case.position, len(self.places), rules)

    @property
    def _rules(self) -> tuple[str, ...]:
        """The rules in doubt, those that most hypotheses change first, but for whole other rulesets."""
        others = [one.ruleset.values for one in self._suspects if one.kind != "ruleset"]
        found = Counter(rule for other in others for rule in differing_values(self._ruleset.values, other))
        return tuple(rule for rule, _ in sorted(found.items(), key=lambda entry: (-entry[1], entry[0]))[:_RULES])


def _size(position: Position) -> tuple[int, int, int]:
    return len(position), position.fen().count(":"), (position.white_kings | position.black_kings).bit_count()


def _symptoms(result: Result) -> frozenset[tuple[str, str]]:
    """Return what is wrong, and with what kind of action."""
    unparsable, legal = result.unparsable, result.question.expected.moves or {}
    kinds = {("unparsable" if each.key in unparsable else each.what, _kind(each.key)) for each in result.differences}
    if result.played is not None and len(legal) == 1:
        kinds.add(("missing", _kind(*legal)))
    return frozenset(kinds | ({("reading", str(result.reading))} if result.status == "reading" else set()))


def _kind(key: Key | None) -> str:
    """Return the kind of action of a key; one that is a text has only that."""
    if not isinstance(key, str):
        return "" if key is None else "capture" if key[2] else "move"
    return "capture" if "x" in key else "move" if "-" in key else key.split("=")[0].split(" ")[0]
