"""Explaining failures: which other rules would give exactly the answers that an engine gave.

The hypotheses are every mutant of the ruleset, every alternative reading and every other ruleset on the same board;
where none of them explains all, every fault of the catalogue, then pairs of changes, a few thousand, and then what
explains a part each, together. What is compared are the answers to the cases, those that passed too, and in games.

If no rules explain all, some may explain a part; the rest may have a pattern in common. Every explanation is tested
first (`confirmation`), in further positions if the engine can be asked. What fails the test is left unexplained, and
what cannot be tested is hedged.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, islice
from typing import Any

from damspec import Position, Ruleset

from ..answers.player import CaseQuestion, RulePlayer, case_questions
from ..cases.adapt import ABOUT_IT, AboutIt, make_case
from ..engines.process import Engine
from ..positions.sampling import sample_positions
from .ask import ask
from .confirmation import Confirmation, cross_validate
from .hypotheses import (
    Evidence,
    Fit,
    Hypothesis,
    combine,
    merge_equal,
    plain_hypotheses,
    several_changes,
    with_faults,
    with_faults_in_form,
)
from .interview import Interview, differing_positions
from .observation import HELLO, Observation, SimulatedEngine, observations, observe
from .patterns import COVERED, KnownAnswers, Pattern
from .result import RIGHT_ALONE, Report, Result

__all__ = ["Diagnosis", "diagnose", "explain", "find_telling_position", "observations", "observe", "probe"]

#: The most positions looked at to find one that tells hypotheses apart.
LOOKED_AT = 20_000

#: The most positions asked to tell explanations apart.
PROBES = 40
#: How many complete explanations are shown in sentences; the JSON has them all.
SHOWN = 5
#: How many of the unexplained failures are shown, those with the fewest pieces.
SMALLEST = 3

#: How many explanations of a part are tried, how many are tried together by twos and by threes, and the fewest failures
#: and the least share of them that one explains which cannot be put to a test.
_PARTS, _TWOS, _THREES, _FEWEST, _SHARE = 8, 12, 5, 3, 0.2
#: The most complete explanations that are put to a test.
_MANY = 400


@dataclass(frozen=True)
class Diagnosis:
    """The explanation of a run's failures: `complete` fits explain all of them, `partial` ones some."""

    ruleset: str
    failures: int
    passes: int
    complete: tuple[Fit, ...]
    partial: tuple[Fit, ...]
    #: The unexplained failures, and the cases without an answer, those with the fewest pieces first.
    unexplained: tuple[str, ...]
    #: A position whose answer tells several complete explanations apart, if one was found.
    ask_next: str | None = None
    #: The positions that the engine was asked to tell them apart.
    probed: tuple[str, ...] = ()
    #: What the unexplained answers have in common.
    patterns: tuple[Pattern, ...] = ()
    #: How many failed cases were right when asked alone of a fresh process.
    unstable: int = 0
    #: The positions of the smallest unexplained failures, by their ids.
    smallest: dict[str, str] = field(default_factory=dict)

    def lines(self) -> list[str]:
        """Return the diagnosis in sentences."""
        lines = []
        if self.unstable:
            alone = f"{self.unstable} wrong answers were right when asked alone"
            lines.append(f"{alone}: they depend on earlier questions or on chance")
        lines += [self._describe_fit(explanation) for explanation in self.complete[:SHOWN] or self.partial]
        if self.complete[SHOWN:]:
            lines.append(f"and {len(self.complete) - SHOWN} more that explain as much")
        if self.probed:
            lines.append(f"{len(self.probed)} further positions were asked to tell explanations apart")
        if len(self.complete) > 1:
            lines.append(
                f"these {len(self.complete)} cannot be told apart by the cases"
                + (f"; ask the moves of {self.ask_next}" if self.ask_next else ", nor by any position tried")
            )
        lines += [pattern.line() for pattern in sorted(self.patterns, key=lambda one: one.symptom)]
        if self.unexplained:
            shown = [f"{id} ({self.smallest[id]})" if id in self.smallest else id for id in self.unexplained[:SMALLEST]]
            more = f" and {len(self.unexplained) - SMALLEST} more" if len(self.unexplained) > SMALLEST else ""
            lines.append(f"unexplained: {', '.join(shown)}{more}")
        return lines

    def _describe_fit(self, explanation: Fit) -> str:
        # What leaves much unexplained may be near the cause without being it.
        most = len(explanation.explains) >= COVERED * self.failures
        sure = explanation.confirmed and most and len(self.complete) < 2
        tried = f"; tried in {explanation.tried} further positions" if explanation.tried else ""
        return (
            f"{explanation.hypothesis.describe(self.ruleset, 'plays' if sure else 'perhaps plays')}"
            f" (explains {len(explanation.explains)} of {self.failures} failures"
            f" and contradicts none of {self.passes} passes{tried})"
        )

    def as_json(self) -> dict[str, Any]:
        """Return the diagnosis as plain data."""

        def entry(explanation: Fit) -> dict[str, Any]:
            return {
                "names": list(explanation.hypothesis.names),
                "kind": explanation.hypothesis.kind,
                "explains": list(explanation.explains),
                "confirmed": explanation.confirmed,
                **({"tried": explanation.tried} if explanation.tried else {}),
            }

        return {
            "failures": self.failures,
            "passes": self.passes,
            "complete": [entry(explanation) for explanation in self.complete],
            "partial": [entry(explanation) for explanation in self.partial],
            "unexplained": list(self.unexplained),
            "lines": self.lines(),
            **({"ask_next": self.ask_next} if self.ask_next else {}),
            **({"probed": list(self.probed)} if self.probed else {}),
            **({"unstable": self.unstable} if self.unstable else {}),
            **({"patterns": [pattern.as_json() for pattern in self.patterns]} if self.patterns else {}),
        }


def diagnose(
    ruleset: Ruleset,
    seen: Sequence[Observation],
    failed: Sequence[str],
    *,
    beside: Sequence[Observation] = (),
    unanswered: Sequence[tuple[str, CaseQuestion]] = (),
    unanswered_beside: Sequence[tuple[str, CaseQuestion]] = (),
    unstable: int = 0,
    interview: Interview | None = None,
    tell: Callable[[str], None] = lambda line: None,
) -> Diagnosis:
    """Explain the failures of a run, given the observations and the ids of all cases that failed.

    `beside` are answers beyond those: wrong ones, and ones of which just the list of moves is known to be right.
    `unanswered` are the cases that had no answer, with the kind of error, and `unanswered_beside` questions beyond
    them; `unstable` says how many were right when asked again. By an `interview` explanations are put to a test.
    `tell` hears what is being tried, since pairs of changes take their time.
    """
    beside = [replace(one, leading=False) if one.passed else one for one in beside]
    evidence = Evidence(seen, beside, plain_hypotheses(ruleset))
    known = KnownAnswers(
        [*seen, *beside],
        [question for kind, question in (*unanswered, *unanswered_beside) if kind == "refused"],
        [question for kind, question in (*unanswered, *unanswered_beside) if kind != "refused"],
    )
    if interview is not None:
        interview.kinds = tuple(kind for kind in ABOUT_IT if any(_is_about(kind, question) for question in known.wrong))
    silent = [question.case.id for _, question in unanswered]
    found = _Search(ruleset, evidence, known, failed, silent, interview, tell).run()
    return replace(found, unstable=unstable)


def _is_about(kind: AboutIt, question: CaseQuestion) -> bool:
    """Return whether a question is of a kind; one about a game is of both."""
    if question.expected.end is not None:
        return True
    return (kind == "outcome") == (question.expected.outcome is not None)


def explain(
    report: Report, interview: Interview | None = None, tell: Callable[[str], None] = lambda line: None
) -> Diagnosis:
    """Explain all that went wrong in a run."""
    failed = [result.case.id for result in report.answers if result.status in ("failed", "reading")]
    unstable = sum(RIGHT_ALONE in (result.message or "") for result in report.answers if result.status == "unstable")
    seen = observations(report.ruleset, report.answers, leading=report.leading)
    sample = report.games.sample if report.games else ()
    beside = observations(report.ruleset, sample, leading=report.leading)
    return diagnose(
        report.ruleset,
        seen,
        failed,
        beside=beside,
        unanswered=_unanswered_questions(report.ruleset, report.answers),
        unanswered_beside=_unanswered_questions(report.ruleset, sample),
        unstable=unstable,
        interview=interview,
        tell=tell,
    )


def _unanswered_questions(ruleset: Ruleset, results: Sequence[Result]) -> list[tuple[str, CaseQuestion]]:
    silent = [result for result in results if result.status in ("error", "timeout")]
    asked = case_questions(ruleset, [result.case for result in silent])
    return [(result.kind or "error", question) for result, question in zip(silent, asked, strict=True)]


class _Search:
    def __init__(
        self,
        ruleset: Ruleset,
        evidence: Evidence,
        known: KnownAnswers,
        failed: Sequence[str],
        silent: Sequence[str],
        interview: Interview | None,
        tell: Callable[[str], None],
    ) -> None:
        self._ruleset, self._evidence, self._known = ruleset, evidence, known
        self._failed, self._silent = failed, silent
        self._tell = tell
        self._confirmation = Confirmation(ruleset, evidence, interview) if interview else None
        self._seen_failed = tuple(one.question.case.id for one in evidence.failed)
        #: The faults and pairs of changes, which may explain a part.
        self._others: list[Hypothesis] = []

    def run(self) -> Diagnosis:
        """Find what explains them."""
        whole = self._find_complete() if self._evidence.wrong else []
        all_seen = set(self._failed) <= set(self._seen_failed)
        if whole:
            patterns = self._patterns(whole)
            return self._diagnosis(whole if all_seen else [], [] if all_seen else whole, patterns)
        candidates = [fit for fit in self._evidence.parts(self._others) if fit.explains]
        self._others = []  # thousands, each with rules of its own
        rules = self._find_partial([fit for fit in candidates if not fit.hypothesis.turns], ())
        faults = self._find_partial([fit for fit in candidates if fit.hypothesis.turns], rules)
        # A fault that explains nearly all is the cause. Where several explain a little each, one pattern may say more.
        main = [fit for fit in faults[:1] if len(fit.explains) >= COVERED * len(self._seen_failed)]
        patterns = self._patterns([*rules, *main])
        if main:  # what little it leaves may come of it too: a pattern with exceptions claims nothing
            patterns = [each for each in patterns if each.symptom or each.wrong == each.of]
        alike = {id for pattern in patterns if not pattern.symptom for id in pattern.cases}
        faults = [fit for fit in faults if fit in main or not alike.issuperset(fit.explains)]
        return self._diagnosis([], [*rules, *faults], patterns)

    def _patterns(self, explained_by: Sequence[Fit]) -> list[Pattern]:
        """Return what the wrong answers have in common that the fits do not explain."""
        if any(fit.hypothesis.ruleset.rules.board != self._ruleset.rules.board for fit in explained_by):
            return []  # by the numbers of another board the moves left are others than they seem
        known = self._known.without({id for fit in explained_by for id in fit.explains})
        players = [fit.hypothesis.player for fit in explained_by if not fit.hypothesis.remembers]
        known.observations = [one for one in known.observations if one.passed or not any(map(one.agrees, players))]
        if not any(known.wrong):
            return []
        return self._confirmation.patterns(known, explained_by) if self._confirmation else cross_validate(known)

    def _diagnosis(self, complete: Sequence[Fit], partial: Sequence[Fit], patterns: Sequence[Pattern]) -> Diagnosis:
        explained = {id for fit in (*complete, *partial) for id in fit.explains}
        explained |= {id for pattern in patterns if not pattern.symptom for id in pattern.cases}
        explained |= {each.case.id for each in self._known.unanswered if self._is_refused_too(each, complete)}
        left = [id for id in dict.fromkeys([*self._failed, *self._silent]) if id not in explained]
        number, passes = len(self._failed), len(self._evidence.right)
        fits = tuple(complete), tuple(partial)
        found = Diagnosis(self._ruleset.id, number, passes, *fits, (), patterns=tuple(patterns))
        return replace(self._with_next_question(found), **self._unexplained_entry(left))

    def _is_refused_too(self, question: CaseQuestion, complete: Sequence[Fit]) -> bool:
        players = (SimulatedEngine(fit.hypothesis.ruleset, strict=True) for fit in complete)
        return any(ask(player, self._ruleset, HELLO, question.case).kind == "refused" for player in players)

    def _unexplained_entry(self, left: Sequence[str]) -> dict[str, Any]:
        asked = {question.case.id: question for question in self._known.wrong}
        ordered = sorted(
            left, key=lambda id: len(asked[id].position) if id in asked else len(self._ruleset.rules.board)
        )
        shown = {id: asked[id].position.fen() for id in ordered[:SMALLEST] if id in asked}
        return {"unexplained": tuple(ordered), "smallest": shown}

    def _with_next_question(self, found: Diagnosis) -> Diagnosis:
        if len(found.complete) < 2 or self._confirmation:
            return found
        self._tell(f"{len(found.complete)} explanations: looking for a position that tells them apart")
        apart = find_telling_position([fit.hypothesis.player for fit in found.complete], self._ruleset)
        return replace(found, ask_next=apart.fen() if apart else None)

    def _find_complete(self) -> list[Fit]:
        """Return the explanations of all wrong answers, of the first kind of hypothesis that has any.

        If no change of rules can be put to a test, faults are tried too.
        """
        fits: list[Fit] = []
        for hypotheses in (self._plain, self._faults, self._pairs, self._twos, self._threes):
            fitting = merge_plain(one for one in hypotheses() if self._evidence.fits(one))
            if fitting and self._confirmation:
                known = [fit.hypothesis for fit in fits]
                self._tell(f"asking further positions to confirm {len(fitting) + len(known)} explanations")
                fits = self._confirmation.confirm_complete([*known, *fitting[:_MANY]], self._seen_failed)
            else:
                fits += [Fit(one, self._seen_failed) for one in fitting]
            is_tried = not self._confirmation or any(fit.confirmed for fit in fits)
            if fits and (is_tried or hypotheses != self._plain):
                break
        return sorted(fits, key=lambda fit: not fit.confirmed)

    def _plain(self) -> Sequence[Hypothesis]:
        return plain_hypotheses(self._ruleset)

    def _faults(self) -> Sequence[Hypothesis]:
        self._others = [*with_faults(self._ruleset), *with_faults_in_form(self._ruleset)]
        return self._others

    def _pairs(self) -> Sequence[Hypothesis]:
        two = several_changes(self._ruleset, self._evidence.most_explaining())
        self._tell(f"no single change explains it: trying {len(two)} pairs of changes")
        allowed = [one for one in two if self._evidence.allows(one)]
        self._others = [*self._others, *allowed]
        return allowed

    def _twos(self) -> Iterator[Hypothesis]:
        """Yield pairs of hypotheses that explain a part each: changes of rules, with one fault at most."""
        parts = [fit.hypothesis for fit in self._evidence.parts(self._others) if fit.explains]
        for two in combinations(parts[:_TWOS], 2):
            if sum(bool(one.turns) for one in two) < 2 and (found := combine(self._ruleset, *two)):
                yield found

    def _threes(self) -> Iterator[Hypothesis]:
        """Yield triples of changes of rules that explain a part each."""
        parts = [fit.hypothesis for fit in self._evidence.parts(()) if fit.explains]
        for first, second, third in combinations(parts[:_THREES], 3):
            if (two := combine(self._ruleset, first, second)) and (three := combine(self._ruleset, two, third)):
                yield three

    def _find_partial(self, candidates: Sequence[Fit], after: Sequence[Fit]) -> list[Fit]:
        """Return few partial explanations that together explain as much as all, of what those in `after` leave."""
        chosen: list[Fit] = []
        left = set(self._seen_failed).difference(*(fit.explains for fit in after))
        for _ in range(_PARTS):
            candidates = [fit for fit in candidates if left.intersection(fit.explains)]
            if not candidates:
                break
            best = max(candidates, key=lambda fit: len(left.intersection(fit.explains)))
            candidates.remove(best)
            if found := self._confirm_partial(best, left):
                chosen.append(found)
                left -= set(found.explains)
        # An engine cannot play two values of one rule: it plays neither.
        rules = Counter(rule for fit in chosen for rule in _rules(fit))
        return [fit for fit in chosen if all(rules[rule] == 1 for rule in _rules(fit))]

    def _confirm_partial(self, fit: Fit, left: set[str]) -> Fit | None:
        if self._confirmation:
            return self._confirmation.confirm_partial(fit)
        number = len(left.intersection(fit.explains))
        return fit if number >= max(_FEWEST, _SHARE * len(left)) else None


def _rules(fit: Fit) -> tuple[str, ...]:
    return fit.hypothesis.mutant.rules_changed if fit.hypothesis.mutant else ()


def merge_plain(hypotheses: Iterator[Hypothesis]) -> list[Hypothesis]:
    """Join hypotheses with the same rules and without a fault into one."""
    found = [*hypotheses]
    return [*merge_equal(one for one in found if not one.turns), *(one for one in found if one.turns)]


def find_telling_position(players: Sequence[RulePlayer], ruleset: Ruleset, seed: int = 0) -> Position | None:
    """Return a position that not all players answer alike; None if none was found."""
    candidates = islice(sample_positions(ruleset, random.Random(seed)), LOOKED_AT)
    return next(differing_positions(players, candidates, most=LOOKED_AT), None)


def probe(engine: Engine, ruleset: Ruleset, found: Diagnosis) -> Diagnosis:
    """Ask an engine positions that the complete explanations answer differently, and drop those that are wrong.

    Ends when one explanation is left, or no position tells the rest apart. Raises EngineError.
    """
    left, hello = list(found.complete), engine.hello()
    asked: list[str] = []
    while len(left) > 1 and len(asked) < PROBES:
        position = find_telling_position([fit.hypothesis.player for fit in left], ruleset, seed=len(asked))
        if position is None:
            break
        asked.append(position.fen())
        cases = [make_case(ruleset, position, question, "probe", "games", readings=False) for question in ABOUT_IT]
        engine.restarts_left = max(engine.restarts_left, 1)
        answers = observations(
            ruleset, [ask(engine, ruleset, hello, case) for case in cases], leading="play" in hello.questions
        )
        if not answers:
            break
        left = [fit for fit in left if all(seen.agrees(fit.hypothesis.player) for seen in answers)]
    return replace(found, complete=tuple(left), probed=tuple(asked), ask_next=None)
