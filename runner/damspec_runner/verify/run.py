"""A run of cases against an engine: its sessions, retries, and what ends it."""

from __future__ import annotations

import time
from bisect import insort
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from damspec import Ruleset

from ..answers.answer import Question
from ..cases.cases import Case
from ..engines import protocol
from ..engines.process import Engine
from ..engines.protocol import Hello
from .ask import Asked, ask
from .capabilities import CapabilityAdapter
from .exchange import BrokenWindowError, Window, ask_params, foreseen
from .preflight import preflight, smoke_test
from .result import DIFFERS, FAILING, RIGHT_ALONE, Report, Result
from .sessions import run_sessions, split

#: Cases that may break the engine's process before it is given up.
RESTARTS = 10
#: Failing cases that are asked a second time, each of a fresh process.
SECOND_ASKS = 10
#: Retries that may get no answer before the others are left out.
_SILENT = 3
#: The most cases that a session takes at once.
_AT_ONCE = 64
#: The kinds of error after which the process is not asked any more.
BREAKING = frozenset({"died", "timeout", "json", "form", "id", "size", "start"})
#: Those after which the same case is asked again at once, of a fresh process: not where it takes long.
_ASKED_AGAIN = BREAKING - {"timeout"}
INTERRUPTED = "the run was interrupted"


@dataclass(frozen=True)
class RunConfig:
    """The configuration of a run: concurrent processes, when it ends early, how often a question is repeated."""

    jobs: int = 1
    max_failures: int | None = None
    restarts: int = RESTARTS
    times: int = 1
    second_asks: int = SECOND_ASKS
    #: Whether a few questions before the cases look for conventions of the engine's own.
    preflight: bool = False


class RunObserver:
    """An observer of a run, called in the thread that runs it; this base class ignores everything."""

    def on_start(self, hello: Hello) -> None:
        """Called with the hello of the engine. An EngineError raised here ends the run."""

    def on_warning(self, line: str) -> None:
        """Called with a warning about the engine."""

    def on_result(self, result: Result) -> None:
        """Called with each result, in the order in which they come."""

    def on_revision(self, result: Result) -> None:
        """Called with the final result of a case that was retried."""


def check(
    ruleset: Ruleset,
    cases: Sequence[Case],
    start: Callable[[], Engine],
    *,
    label: str,
    run_config: RunConfig = RunConfig(),
    before: Mapping[str, Result] | None = None,
    observer: RunObserver | None = None,
) -> Report:
    """Ask an engine all the cases.

    `start` makes an engine that has not been started. `before` has results, by the ids of their cases, that need not be
    asked for. Raises EngineError if the engine cannot be run at all. A KeyboardInterrupt ends the run, and its report
    says so.
    """
    began = time.monotonic()
    observer = observer or RunObserver()
    state = RunState(ruleset, cases, run_config)
    first = EngineSession(start(), ruleset, cases, run_config.times)
    sessions: list[EngineSession] = [first]
    retrying: list[RetrySession] = []
    warning: str | None = None
    interrupted = False
    try:
        try:
            hello = smoke_test(first.engine, ruleset)
            if run_config.preflight:
                warning = preflight(first.engine, ruleset, hello)
                hello, start = first.engine.hello(), _in_notation_of(first.engine, start)
            first.hello = hello
            observer.on_start(hello)
            if warning:
                observer.on_warning(warning)

            def take(place: int, result: Result) -> None:
                state.add(place, result)
                observer.on_result(result)

            places = state.add_earlier(before or {})
            more = min(run_config.jobs, len(places)) - 1
            sessions += [EngineSession(start(), ruleset, cases, run_config.times, hello) for _ in range(more)]
            run_sessions(sessions, split(places, len(sessions), _AT_ONCE), take, state.wants)
        finally:
            for session in sessions:
                session.close()
        state.finish()
        if places := state.worth_asking_again(run_config.second_asks):
            retries = _Retries()
            number = min(run_config.jobs, len(places))
            retrying += [RetrySession(start, ruleset, cases, hello) for _ in range(number)]
            run_sessions(retrying, split(places, number, _AT_ONCE), retries.add, retries.wants)
            retries.decide(state)
    except KeyboardInterrupt:
        if first.hello is None:
            raise
        interrupted, hello = True, first.hello
    results = state.results()
    for result in results if not interrupted else ():
        if state.is_revised(result):
            observer.on_revision(result)
    noise = tuple(line for session in sessions for line in session.noise)
    engines: list[EngineSession | RetrySession] = [*sessions, *retrying]
    left_over = tuple(id for session in engines for id in session.stray_processes)
    seconds = time.monotonic() - began
    return Report(
        ruleset,
        label,
        hello,
        results,
        noise,
        seconds,
        interrupted=interrupted,
        stray_processes=left_over,
        preflight=warning,
    )


def _in_notation_of(engine: Engine, start: Callable[[], Engine]) -> Callable[[], Engine]:
    """Return what starts further engines with the conventions of one, which its preflight may have found."""
    if not isinstance(engine, CapabilityAdapter):
        return start
    conventions = engine.conventions

    def start_alike() -> Engine:
        other = start()
        if isinstance(other, CapabilityAdapter):
            other.adopt(conventions)
        return other

    return start_alike


class EngineSession:
    """A session that asks one engine about cases."""

    def __init__(
        self, engine: Engine, ruleset: Ruleset, cases: Sequence[Case], times: int, hello: Hello | None = None
    ) -> None:
        self.engine, self.hello = engine, hello
        #: Whether questions are pipelined: not any more once the engine has broken with several in flight.
        self._pipelined = times == 1
        self._ruleset, self._cases, self._times = ruleset, cases, times

    @property
    def noise(self) -> tuple[str, ...]:
        """The last lines of the engine's standard error."""
        return self.engine.noise

    @property
    def stray_processes(self) -> tuple[int, ...]:
        """The ids of processes that could not be ended."""
        return self.engine.stray_processes

    def close(self) -> None:
        """End the engine."""
        self.engine.close()

    def results(self, places: Iterable[int]) -> Iterator[tuple[int, Result]]:
        """Yield the results of cases; once the engine has broken with several questions in flight, one at a time."""
        assert self.hello is not None
        if not self._pipelined or self.hello.max_in_flight < 2:
            yield from ((place, self._result(place, self.engine)) for place in places)
            return
        left = deque(places)
        self.engine.restarts_left = 1
        params = ask_params(self._ruleset, self.hello)
        questions = [Question(self._cases[place], self._ruleset) for place in left]
        window = Window(self.engine, [foreseen(question, self.hello, params) for question in questions])
        try:
            while left:
                window.next_case()
                place = left.popleft()
                yield place, self._result(place, window)
        except BrokenWindowError as error:
            self._pipelined = False
            yield from self._results_after(error, left)
        finally:
            window.close()

    def _results_after(self, broken: BrokenWindowError, places: Iterable[int]) -> Iterator[tuple[int, Result]]:
        """Yield the results of the case at which the engine broke, and of those after it.

        It broke at the question of that case, or at one in flight with it: if no case breaks it now, it was this one.
        """
        unbroken, (first, *others) = True, places
        result = self._result(first, self.engine)
        for place in others:
            other = self._result(place, self.engine)
            unbroken = unbroken and other.kind not in BREAKING
            yield place, other
        if unbroken and result.kind not in BREAKING:
            kind, request = broken.error.kind, protocol.request(1, *broken.request)
            before = Result(
                Question(self._cases[first], self._ruleset), "error", message=str(broken), kind=kind, request=request
            )
            result = _compare_retry(before, result)
        yield first, result

    def _result(self, place: int, engine: Asked) -> Result:
        """Return the result of a case; one that broke the process is retried once in a fresh process."""
        result = self._ask(place, engine)
        if result.kind in _ASKED_AGAIN:
            result = _compare_retry(result, self._ask(place, self.engine))
        return result

    def _ask(self, place: int, engine: Asked) -> Result:
        self.engine.restarts_left = 1
        assert self.hello is not None
        return ask(engine, self._ruleset, self.hello, self._cases[place], times=self._times)


class RetrySession:
    """A session that retries failing cases, each in a fresh process."""

    def __init__(self, start: Callable[[], Engine], ruleset: Ruleset, cases: Sequence[Case], hello: Hello) -> None:
        self._start, self._ruleset, self._cases, self._hello = start, ruleset, cases, hello
        self._engine: Engine | None = None
        self._closed = False
        self.stray_processes: tuple[int, ...] = ()

    def results(self, places: Iterable[int]) -> Iterator[tuple[int, Result]]:
        """Yield what a fresh process answers to each."""
        for place in places:
            self._engine = engine = self._start()
            if self._closed:
                return
            try:
                yield place, ask(engine, self._ruleset, self._hello, self._cases[place])
            finally:
                engine.close()
                self.stray_processes += engine.stray_processes

    def close(self) -> None:
        """End the engine that is being asked, and start no other."""
        self._closed = True
        if self._engine is not None:
            self._engine.close()


class _Retries:
    """Results of retries, in any order."""

    def __init__(self) -> None:
        self._results: dict[int, Result] = {}
        self._silent: list[int] = []

    def add(self, place: int, result: Result) -> None:
        """Take in a result."""
        self._results[place] = result
        if result.kind in BREAKING:
            self._silent.append(place)

    def wants(self, place: int) -> bool:
        """Return whether a case is to be retried: not after several that got no answer."""
        return sum(silent < place for silent in self._silent) < _SILENT

    def decide(self, state: RunState) -> None:
        """Make those cases unstable that were answered otherwise."""
        for place, result in self._results.items():
            if self.wants(place):
                state.add_retry(place, result)


class RunState:
    """The results so far, and the conditions that end the run."""

    def __init__(self, ruleset: Ruleset, cases: Sequence[Case], run_config: RunConfig) -> None:
        self._ruleset, self._cases = ruleset, cases
        self._most_failures, self._restarts = run_config.max_failures, run_config.restarts
        self._results: list[Result | None] = [None] * len(cases)
        #: The ids of cases whose result is another one than was reported at first.
        self._revised: set[str] = set()
        #: The places where the engine broke, and where it failed, ascending.
        self._broken: list[int] = []
        self._failed: list[int] = []
        #: The case that ends the run, by what is known so far; it can only turn out to be an earlier one.
        self._last: int | None = None

    def wants(self, place: int) -> bool:
        """Return whether a case can matter."""
        return self._last is None or place < self._last

    def add_earlier(self, before: Mapping[str, Result]) -> list[int]:
        """Add the results of an earlier run; the places that are left."""
        for place, case in enumerate(self._cases):
            if case.id in before:
                self.add(place, before[case.id])
        return [place for place, result in enumerate(self._results) if result is None and self.wants(place)]

    def add(self, place: int, result: Result) -> None:
        """Add a result that has come."""
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
        """Drop the results after the case that ends the run."""
        last = self._last
        if last is None:
            return
        given_up = last in self._broken[self._restarts : self._restarts + 1]
        broken = f"not asked: the engine was given up after {self._restarts + 1} cases that broke it"
        why = broken if given_up else f"the run ended after {self._most_failures} failures"
        for place in range(last + 1, len(self._cases)):
            if self._results[place] is not None:
                self._revised.add(self._cases[place].id)
            self._results[place] = self._not_asked(place, why)

    def worth_asking_again(self, most: int) -> list[int]:
        """Return the places of the first `most` failures that were not asked twice already."""
        failing = (
            (place, result)
            for place, result in enumerate(self._results)
            if result is not None and result.status in ("failed", "error", "unstable") and result.kind != "timeout"
        )
        return [
            place
            for place, result in [*failing][:most]
            if result.status != "unstable" and result.kind not in _ASKED_AGAIN
        ]

    def add_retry(self, place: int, retry: Result) -> None:
        """Add what a fresh process answered."""
        result = self._results[place]
        assert result is not None
        decided = _compare_retry(result, retry)
        if decided is not result:
            self._revised.add(result.case.id)
            self._results[place] = decided

    def results(self) -> tuple[Result, ...]:
        """Return a result for every case."""
        return tuple(result or self._not_asked(place, INTERRUPTED) for place, result in enumerate(self._results))

    def _not_asked(self, place: int, why: str) -> Result:
        return Result(Question(self._cases[place], self._ruleset), "not-asked", message=why)

    def is_revised(self, result: Result) -> bool:
        """Return whether another result of the case was reported before."""
        return result.case.id in self._revised


def _compare_retry(first: Result, retry: Result) -> Result:
    """Return the result of a case after a retry in a fresh process; `first` itself if both are the same.

    An illegal move that was played is one, whatever is played the next time.
    """
    if first.played is not None or (first.kind in BREAKING and first.kind == retry.kind):
        return first
    if first.status == retry.status and first.has_same_faults(retry):
        return first
    why = RIGHT_ALONE if retry.status == "passed" else f"{DIFFERS}: {retry.message or retry.status}"
    return replace(first, status="unstable", message=f"{first.message}; {why}" if first.message else why, reading=None)
