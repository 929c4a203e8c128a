"""Disagreements that games find, minimised and grouped by cause."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, islice
from typing import NamedTuple

import damspec
from damspec import DamspecError, Position, Ruleset
from damspec.validity import find_invalidity, may_be_reached

from ..answers.answer import Answer, Question, answer_of
from ..answers.player import RulePlayer, key
from ..cases.adapt import ABOUT_IT, AboutIt, make_case
from ..engines.process import Engine
from ..engines.protocol import Hello
from ..positions.random_games import Ply
from .ask import ask
from .explain.hypotheses import Hypothesis, plain_hypotheses
from .result import DIFFERS, DRAWN, RIGHT_ALONE, Divergence, Result, describe_divergence
from .run import BREAKING
from .shrink import shrink

#: Right answers kept to rule out explanations; the most rules and clauses that are named.
_KEPT, _RULES, _CLAUSES = 100, 3, 4


class Seen(NamedTuple):
    """An engine's answer to a question."""

    question: Question
    answer: Answer

    def is_given_by(self, player: RulePlayer) -> bool:
        """Return whether rules would have given this answer."""
        if player.ruleset.rules.board != self.question.ruleset.rules.board:
            return False  # by its numbers it means other squares, which right answers contradict
        try:
            return answer_of(player, self.question).agrees(self.answer)
        except DamspecError:
            return False


class FailureClusters:
    """Groups wrong answers beyond the cases by cause; `asked` are the kinds of question that are asked."""

    def __init__(self, ruleset: Ruleset, asked: Container[str]) -> None:
        self.ruleset = ruleset
        self._asked = asked
        self._right: list[Seen] = []
        self._plies: list[Callable[[], Iterable[Ply]]] = []

    def add_right(self, result: Result) -> None:
        """Record a right answer; hypotheses that contradict it are dropped."""
        if len(self._right) < _KEPT and result.answer is not None:
            self._right.append(Seen(result.question, result.answer))

    def add_right_plies(self, plies: Callable[[], Iterable[Ply]]) -> None:
        """Record plies of which the first was answered right; they are worked out only when needed."""
        if len(self._plies) + len(self._right) < 2 * _KEPT:
            self._plies.append(plies)

    def cluster(self, result: Result) -> FailureCluster:
        """Return a new cluster for a wrong answer."""
        return FailureCluster(self, result)

    def find_hypotheses(self, result: Result, among: Sequence[Hypothesis] | None = None) -> list[Hypothesis]:
        """Return the hypotheses that give a wrong answer and contradict no right one."""
        if result.answer is None or result.status not in ("passed", "failed", "reading"):
            return []
        seen = Seen(result.question, result.answer)
        candidates = self._hypotheses if among is None else among
        while self._plies:
            first, *_ = islice(self._plies.pop()(), 1)
            self._right += self._observe_ply(first)
        return [
            one
            for one in candidates
            if seen.is_given_by(one.player) and all(right.is_given_by(one.player) for right in self._right)
        ]

    @cached_property
    def _hypotheses(self) -> Sequence[Hypothesis]:
        return plain_hypotheses(self.ruleset)

    def _observe_ply(self, ply: Ply) -> Iterator[Seen]:
        """Yield what a right answer in a game showed: the list, where the action played leads, the outcome."""
        questions = {
            kind: Question(make_case(self.ruleset, ply.position, kind, "", "games", readings=False), self.ruleset)
            for kind in ABOUT_IT
        }
        if "moves" in self._asked:
            lapses = {key(one): one for one in ply.lapses} if self.ruleset.rules.huff else None
            after = {}
            if "play" in self._asked and ply.chosen is not None and ply.after is not None:
                after[key(ply.chosen)] = ply.after
            yield Seen(questions["moves"], Answer({key(one): one for one in ply.actions}, lapses, after))
        if "outcome" in self._asked:
            yield Seen(questions["outcome"], Answer(outcome=ply.result))


class FailureCluster:
    """Wrong answers with one cause: hypotheses that give them all, or, without any, the same symptoms."""

    def __init__(self, clusters: FailureClusters, result: Result) -> None:
        self._clusters = clusters
        self._first = result
        self._suspects = clusters.find_hypotheses(result)

    def includes(self, result: Result) -> bool:
        """Return whether another wrong answer has the same cause; if so, keep only hypotheses that give both."""
        first = self._first
        if (result.status, result.kind) != (first.status, first.kind):
            return False
        if not self._suspects:
            return _symptoms(result) <= _symptoms(first)
        both = self._clusters.find_hypotheses(result, self._suspects)
        self._suspects = both or self._suspects
        return bool(both)

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules in doubt, those that most hypotheses change first, but for whole other rulesets."""
        values = self._clusters.ruleset.values
        suspects = [one for one in self._suspects if one.kind != "ruleset"]
        found = Counter(
            rule
            for one in suspects
            for rule in values.keys() | one.ruleset.values.keys()
            if one.ruleset.values.get(rule) != values.get(rule)
        )
        return tuple(rule for rule, _ in sorted(found.items(), key=lambda entry: (-entry[1], entry[0]))[:_RULES])


def clauses_behind(ruleset: Ruleset, rules: Sequence[str]) -> tuple[str, ...]:
    """Return the first few clauses that rules rest on."""
    known = damspec.load_clauses()
    found = [id for rule in rules for id in ruleset.rests_on.get(rule, ()) if id in known]
    return tuple(dict.fromkeys(found))[:_CLAUSES]


def _symptoms(result: Result) -> frozenset[tuple[str, str]]:
    """Return what is wrong, and with what kind of action."""
    kinds = {(word, _kind(move)) for word, moves, _ in result.listings() for move in moves if word != "duplicate"}
    if result.status == "reading":
        kinds.add(("reading", str(result.reading)))
    return frozenset(kinds | {(what.split(" ")[0], _kind(what.partition(" ")[2])) for what, _ in result.mismatches()})


def _kind(action: str) -> str:
    return "capture" if "x" in action else "move" if "-" in action else action.split("=")[0].split(" ")[0]


#: The topics of findings, by the first word of their ids.
_TOPICS = {"game": "games", "position": "positions", DRAWN: DRAWN}
#: The most wrong and right answers kept as a sample.
_KEPT_WRONG, _KEPT_RIGHT = 60, 300
#: How often a position with the same fault is minimised.
_SHRUNK = 4
#: The limits for minimising one position: questions, seconds, and broken processes.
_TRIES, _SECONDS, _BREAKS = 2000, 30.0, 20


class FuzzLimitError(Exception):
    """The comparison has to end; `str()` says why."""


class JudgedAnswer(NamedTuple):
    """The result of a question about a position, and the number of the game or the line where it came up."""

    position: Position
    question: AboutIt
    place: int
    result: Result


@dataclass
class Finding:
    """A fault: the smallest position found that shows it, the first one, and where it came up."""

    cluster: FailureCluster
    result: Result
    first: str
    places: set[int] = field(default_factory=set)
    shrunk: int = 0

    def keep_smaller(self, smaller: Result) -> None:
        """Keep the result with the smaller position."""
        self.result = min(self.result, smaller, key=lambda one: (_size(one.case.position), one.case.position))


def _size(fen: str) -> tuple[int, int, int]:
    sides = fen.split(":")
    pieces = [square for side in sides[1:3] for square in side[1:].split(",") if square]
    return len(pieces), len(sides), sum(square.startswith("K") for square in pieces)


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
        self.clusters = FailureClusters(ruleset, hello.questions)
        self._ruleset, self._start, self._hello = ruleset, start, hello
        self._most, self._restarts = most, restarts
        self._found: list[Finding] = []
        self._wrong: list[Result] = []
        self._right: list[Callable[[], Iterable[Ply]]] = []
        self._kept = 0
        #: How often the engine has broken.
        self.broken = 0

    def divergences(self, seed: int | None) -> tuple[Divergence, ...]:
        """Return everything found, described for a report; `seed` is that of the games."""
        done = []
        for each in self._found:
            rules = each.cluster.rules
            case = replace(each.result.case, clauses=clauses_behind(self._ruleset, rules))
            one = Divergence(each.result.with_case(case), each.first, len(each.places), rules)
            done.append(describe_divergence(one, seed))
        return tuple(done)

    def add_right_plies(self, plies: Callable[[], Iterable[Ply]], positions: int = 1) -> None:
        """Add plies of a game that were answered right; they are worked out only when needed."""
        if self._kept < _KEPT_RIGHT:
            self._kept += positions
            self._right.append(plies)

    def sample(self) -> tuple[Result, ...]:
        """Return some answers in positions as they came up: wrong ones, and right ones beside them."""
        if not self._wrong:
            return ()
        questions = (
            Question(
                make_case(self._ruleset, ply.position, "moves", f"right-{n}", "games", readings=False), self._ruleset
            )
            for n, ply in enumerate(islice(chain.from_iterable(plies() for plies in self._right), _KEPT_RIGHT))
        )
        return (*self._wrong, *(Result(one, "passed", one.expected) for one in questions))

    def note_error(self, kind: str | None) -> None:
        """Count an error that broke the engine. Raises FuzzLimitError if there are too many."""
        if kind == "gone":
            raise FuzzLimitError("the engine could not be started again")
        self.broken += kind in BREAKING
        if self.broken > self._restarts:
            raise FuzzLimitError(f"the engine was given up after breaking {self.broken} times")

    def add(self, judged: JudgedAnswer) -> None:
        """Add an answer that was judged; if it is wrong, minimise the position."""
        result, position = judged.result, judged.position
        self.note_error(result.kind)
        if result.status in ("unsupported", "not-asked"):
            self.unsupported += result.status == "unsupported"
            return
        if result.status == "passed":
            if result.case.topic != "games" or result.played is not None:
                self.clusters.add_right(result)
                return
            result = replace(result, status="unstable", message=DIFFERS)
        if result.status in ("failed", "reading", "error", "timeout") and len(self._wrong) < _KEPT_WRONG:
            self._wrong.append(result)
        known = next((each for each in self._found if each.cluster.includes(result)), None)
        if known is None:
            if len(self._found) == self._most:
                raise FuzzLimitError(f"{self._most} different disagreements were found")
            result = self._recheck_alone(result)
            known = Finding(self.clusters.cluster(result), result, position.fen())
            self._found.append(known)
        known.places.add(judged.place)
        if known.shrunk < _SHRUNK and result.status in ("failed", "reading", "error"):
            known.shrunk += 1
            known.keep_smaller(self._shrink(known.cluster, position, result, judged.question))

    def _recheck_alone(self, result: Result) -> Result:
        """Return the result, made unstable if a fresh process gives the right answer."""
        is_wrong = result.status in ("failed", "reading", "error") and result.kind != "timeout"
        if not is_wrong or result.played is not None:
            return result
        fresh = self._start()
        try:
            alone = ask(fresh, self._ruleset, self._hello, result.case)
        finally:
            fresh.close()
        if alone.status != "passed":
            return result
        message = "; ".join(filter(None, [result.message, RIGHT_ALONE]))
        return replace(result, status="unstable", reading=None, message=message)

    def _shrink(self, cluster: FailureCluster, position: Position, result: Result, question: AboutIt) -> Result:
        """Return the result in the smallest position found with the same fault that a game may come to."""
        id, turns = result.case.id, self._ruleset.turns
        reachable = may_be_reached(turns, position)  # a position of a person's own need not be
        deadline, tries, breaks = time.monotonic() + _SECONDS, 0, 0
        best = result
        # If the list is wrong, `play` need not be asked to see whether another list is right.
        listed = result.missing or result.extra or result.unparsable
        first = replace(self._hello, questions=self._hello.questions - {"play"}) if listed else self._hello

        def shows(smaller: Position) -> bool:
            nonlocal best, tries, breaks
            if tries == _TRIES or breaks == _BREAKS or time.monotonic() > deadline:
                return False
            if find_invalidity(turns, smaller) or (reachable and not may_be_reached(turns, smaller)):
                return False
            tries += 1
            found = self._judge(smaller, question, id, first)
            breaks += found.kind in BREAKING
            if found.status == "passed":
                if not listed:
                    self.clusters.add_right(found)
                return False
            if found.status == "failed":
                found = self._judge(smaller, question, id, self._hello, readings=True)
            if not cluster.includes(found):
                return False
            best = found
            return True

        shrink(position, shows)
        return best

    def _judge(self, position: Position, question: AboutIt, id: str, hello: Hello, *, readings: bool = False) -> Result:
        return judge(self.engine, self._ruleset, hello, position, question, id, readings=readings)


def judge(
    engine: Engine,
    ruleset: Ruleset,
    hello: Hello,
    position: Position,
    question: AboutIt,
    id: str,
    *,
    readings: bool = True,
) -> Result:
    """Return the result of a case about a position; with `readings` it has the answers under other readings too."""
    engine.restarts_left = 1
    topic = _TOPICS[id.partition("-")[0]]
    return ask(engine, ruleset, hello, make_case(ruleset, position, question, id, topic, readings=readings))
