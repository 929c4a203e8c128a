"""Checking an engine: all cases put to one process of it or to several at once, decided in the order of the cases.

A verdict does not hang on which process was asked when. What ends a run, so many failures or an engine that has to be
started again too often, is counted in the order of the cases: those after it are not asked, even if another process
has asked them by then.
"""

from __future__ import annotations

import time
from bisect import insort
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from damspec import Ruleset

from ..cases.cases import Case
from ..engines.process import Engine
from ..engines.protocol import Hello
from .ahead import Broken, right
from .ask import ask
from .moves import are_same_faults
from .preflight import preflight, smoked
from .result import DIFFERS, FAILING, RIGHT_ALONE, Report, Result
from .workers import spread

#: Cases that may cost an engine its process before it is given up.
RESTARTS = 10
#: Failing cases that are asked a second time, each of a fresh process.
SECOND_ASKS = 10
#: Second asks that may get no answer before they are left.
_SILENT = 3
#: The kinds of error after which the process is not asked any more.
BREAKING = frozenset({"died", "timeout", "json", "form", "id", "size", "start"})
#: Those after which the same case is asked again at once, of a fresh process: not where it takes long.
_ASKED_AGAIN = BREAKING - {"timeout"}
#: What a result is but for its case.
_FIELDS = tuple(field.name for field in fields(Result) if field.name != "case")
INTERRUPTED = "the run was interrupted"
LOST = "not asked: the process that was to ask it has ended"


@dataclass(frozen=True)
class Conduct:
    """How a run goes: processes at once; when it ends early; how often the same is asked."""

    jobs: int = 1
    max_failures: int | None = None
    restarts: int = RESTARTS
    times: int = 1
    second_asks: int = SECOND_ASKS
    #: Whether a few questions before the cases look for conventions of the engine's own.
    preflight: bool = False


def check(
    ruleset: Ruleset,
    cases: Sequence[Case],
    start: Callable[[], Engine],
    *,
    label: str,
    conduct: Conduct = Conduct(),
    before: Mapping[str, Result] | None = None,
    begun: Callable[[Hello], None] = lambda hello: None,
    warn: Callable[[str], None] = lambda line: None,
    tell: Callable[[Result], None] = lambda result: None,
    settle: Callable[[Result], None] = lambda result: None,
) -> Report:
    """Ask an engine all the cases.

    `start` makes an engine that has not been started. `before` has results of cases that need not be asked, by their
    ids. `begun` hears what the engine says of itself, `warn` what is odd about it, `tell` each result as it comes,
    `settle` each that became another in the end. Raises EngineError if the engine cannot be run at all. A
    KeyboardInterrupt ends the run, not the report.
    """
    began = time.monotonic()
    course = _Course(ruleset, cases, conduct)
    first = _Put(start(), ruleset, cases, conduct.times)
    last: list[_Last] = []
    odd: str | None = None
    interrupted = False
    try:
        try:
            first.hello = hello = smoked(first.engine, ruleset)
            ready = time.monotonic() - began
            begun(hello)
            if conduct.preflight and (odd := preflight(first.engine, ruleset, hello)):
                warn(odd)

            def another() -> _Put:
                return _Put(start(), ruleset, cases, conduct.times, hello)

            def take(place: int, result: Result) -> bool:
                course.add(place, result)
                tell(result)
                return not course.over

            left = course.take(before or {})
            jobs = max(min(conduct.jobs, len(left)), 1)
            last += spread(left, first, another, take, jobs=jobs, pause=ready, wanted=course.wants)
        finally:
            first.engine.close()
        course.finish()
        again = _Again(start, ruleset, cases, hello, course)
        places = again.places(conduct.second_asks)
        jobs = max(min(conduct.jobs, len(places)), 1)
        last += spread(places, again, lambda: again, again.take, jobs=jobs, pause=ready) if places else []
        again.decide()
    except KeyboardInterrupt:
        if first.hello is None:
            raise
        interrupted, hello = True, first.hello
        last = last or [first.end()]
    done = course.results(INTERRUPTED if interrupted else LOST)
    for result in done if not interrupted else ():
        if course.changed(result):
            settle(result)
    noise = tuple(line for lines, _ in last for line in lines)
    left_over = tuple(id for _, ids in last for id in ids)
    seconds = time.monotonic() - began
    return Report(ruleset, label, hello, done, noise, seconds, interrupted=interrupted, left=left_over, preflight=odd)


#: What a worker says in the end: the engine's standard error, and the processes that could not be ended.
_Last = tuple[tuple[str, ...], tuple[int, ...]]


class _Asks:
    """What asks cases; a result goes from process to process without its case."""

    _cases: Sequence[Case]

    def pack(self, result: Result) -> dict[str, Any]:
        """What a result is but for its case, as far as there is anything to say."""
        plain = not (result.duplicates or result.start_told or result.notes or result.played)
        if result.status == "passed" and plain:
            return {"status": "passed"}
        return {name: value for name in _FIELDS if (value := getattr(result, name)) or name == "status"}

    def unpack(self, place: int, values: dict[str, Any]) -> Result:
        """The result of the case at a place."""
        return Result(self._cases[place], **values)


class _Put(_Asks):
    """Puts cases to one engine."""

    def __init__(
        self, engine: Engine, ruleset: Ruleset, cases: Sequence[Case], times: int, hello: Hello | None = None
    ) -> None:
        self.engine, self.hello = engine, hello
        #: Whether questions are sent ahead: not any more once the engine has broken meanwhile.
        self._ahead = times == 1
        self._ruleset, self._cases, self._times = ruleset, cases, times

    def do(self, places: Iterable[int]) -> Iterator[tuple[int, Result]]:
        """The results of cases. What is not plainly right is asked one question at a time."""
        assert self.hello is not None
        if not self._ahead or self.hello.ahead < 2:
            yield from ((place, self._asked(place)) for place in places)
            return
        left = dict.fromkeys(places)
        broken, held = None, None
        try:
            for place in right(self.engine, self._ruleset, self.hello, self._cases, tuple(left)):
                del left[place]
                yield place, Result(self._cases[place], "passed")
        except Broken as error:
            broken, self._ahead = error, False
        steady = True
        for place in left:
            result = self._asked(place)
            steady = steady and result.kind not in BREAKING
            if broken is not None and place == broken.place:
                held = result
            else:
                yield place, result
        if broken is not None and held is not None:
            # It broke at this question, or at one sent after it: that has shown now, or else it was this one.
            yield broken.place, _second(self._ruleset, broken.result, held) if steady else held

    def _asked(self, place: int) -> Result:
        """The result of a case. One that broke the process is asked once more, of a fresh one."""
        result = self._ask(place)
        if result.kind in _ASKED_AGAIN:
            result = _second(self._ruleset, result, self._ask(place))
        return result

    def end(self) -> _Last:
        """End the engine."""
        self.engine.close()
        return self.engine.noise, self.engine.left

    def _ask(self, place: int) -> Result:
        self.engine.restarts_left = 1
        assert self.hello is not None
        return ask(self.engine, self._ruleset, self.hello, self._cases[place], times=self._times)


class _Again(_Asks):
    """Asks failing cases again, each of a process that is asked nothing else."""

    def __init__(
        self, start: Callable[[], Engine], ruleset: Ruleset, cases: Sequence[Case], hello: Hello, course: _Course
    ) -> None:
        self._start, self._ruleset, self._cases, self._hello, self._course = start, ruleset, cases, hello, course
        self._answers: dict[int, Result] = {}
        self._left: tuple[int, ...] = ()
        self._silent = 0

    def places(self, most: int) -> list[int]:
        """The first failures, without those that are known to differ already or have had their fresh process."""
        return [place for place in self._course.failing()[:most] if self._course.may_be_steady(place)]

    def do(self, places: Iterable[int]) -> Iterator[tuple[int, Result]]:
        """What a fresh process answers to each."""
        for place in places:
            engine = self._start()
            try:
                yield place, ask(engine, self._ruleset, self._hello, self._cases[place])
            finally:
                engine.close()
                self._left += engine.left

    def end(self) -> _Last:
        return (), self._left

    def take(self, place: int, answer: Result) -> bool:
        """Note an answer; whether to go on."""
        self._answers[place] = answer
        self._silent += answer.kind in BREAKING
        return self._silent < _SILENT

    def decide(self) -> None:
        """Make cases unstable that were answered otherwise, in order."""
        silent = 0
        for place, answer in sorted(self._answers.items()):
            if silent < _SILENT:
                self._course.again(place, answer)
            silent += answer.kind in BREAKING


class _Course:
    """The results as they come, and what ends the run."""

    def __init__(self, ruleset: Ruleset, cases: Sequence[Case], conduct: Conduct) -> None:
        self._ruleset, self._cases = ruleset, cases
        self._most_failures, self._restarts = conduct.max_failures, conduct.restarts
        self._results: list[Result | None] = [None] * len(cases)
        self._told: dict[str, Result] = {}
        #: Where the engine broke and where it failed, ascending; the last place of which a result has come just now.
        self._broken: list[int] = []
        self._failed: list[int] = []
        self._farthest = -1
        #: The case that ends the run by what is known so far; it can only turn out to be an earlier one.
        self._last: int | None = None

    @property
    def over(self) -> bool:
        """Whether all that has not been begun is after the case that ends the run: cases are begun in order."""
        return self._last is not None and self._last <= self._farthest

    def wants(self, place: int) -> bool:
        """Whether a case can matter."""
        return self._last is None or place < self._last

    def take(self, before: Mapping[str, Result]) -> list[int]:
        """Take results that are there already; the places that are left."""
        for place, case in enumerate(self._cases):
            if case.id in before:
                self._add(place, before[case.id])
        return [place for place, result in enumerate(self._results) if result is None and self.wants(place)]

    def add(self, place: int, result: Result) -> None:
        """Take in a result that has come."""
        self._farthest = max(place, self._farthest)
        self._add(place, result)

    def _add(self, place: int, result: Result) -> None:
        self._results[place] = result
        if result.status in FAILING:
            insort(self._failed, place)
        if result.kind in BREAKING:
            insort(self._broken, place)
        if self._failed or self._broken:
            ends = self._broken[self._restarts : self._restarts + 1]
            if self._most_failures is not None:
                ends = ends + self._failed[self._most_failures - 1 : self._most_failures]
            self._last = min(ends, default=None)

    def finish(self) -> None:
        """Take away what was asked after the case that ends the run: everything that can matter has come."""
        last = self._last
        if last is None:
            return
        given_up = last in self._broken[self._restarts : self._restarts + 1]
        broken = f"not asked: the engine was given up after {self._restarts + 1} cases that broke it"
        why = broken if given_up else f"the run ended after {self._most_failures} failures"
        for place in range(last + 1, len(self._cases)):
            case, told = self._cases[place], self._results[place]
            self._results[place] = Result(case, "not-asked", message=why)
            if told is not None:
                self._told[case.id] = told

    def failing(self) -> list[int]:
        """The places of failures that a second ask may tell more about."""
        return [
            place
            for place, result in enumerate(self._results)
            if result is not None and result.status in ("failed", "error", "unstable") and result.kind != "timeout"
        ]

    def may_be_steady(self, place: int) -> bool:
        """Whether a failure is one that has not been asked again yet."""
        result = self._results[place]
        return result is not None and result.status != "unstable" and result.kind not in _ASKED_AGAIN

    def again(self, place: int, answer: Result) -> None:
        """Take in what a fresh process answered."""
        result = self._results[place]
        assert result is not None
        decided = _second(self._ruleset, result, answer)
        if decided is not result:
            self._told[result.case.id] = result
            self._results[place] = decided

    def results(self, why: str) -> tuple[Result, ...]:
        """A result for every case; `why` is for those that have none."""
        return tuple(
            result or Result(case, "not-asked", message=why)
            for case, result in zip(self._cases, self._results, strict=True)
        )

    def changed(self, result: Result) -> bool:
        """Whether another result was told before."""
        return result.case.id in self._told


def _second(ruleset: Ruleset, first: Result, again: Result) -> Result:
    """The result of a case that was asked a second time, of a fresh process; `first` itself if both are the same."""
    if first.kind in BREAKING and first.kind == again.kind:
        return first
    same = are_same_faults(ruleset, first.case, first.faults(), again.faults())
    if first.status == again.status and same:
        return first
    why = RIGHT_ALONE if again.status == "passed" else f"{DIFFERS}: {again.message or again.status}"
    return replace(first, status="unstable", message=f"{first.message}; {why}" if first.message else why, reading=None)
