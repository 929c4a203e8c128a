"""A run of cases against an engine: its sessions, retries, and what ends it."""

from __future__ import annotations

import time
from bisect import insort
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from damspec import Ruleset

from ..cases.answer import Question
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
        """Called with each result, in the order in which they come; of several of a case the last one counts."""


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
            retries, silent = dict[int, Result](), list[int]()

            def add_retry(place: int, result: Result) -> None:
                retries[place] = result
                silent.extend([place] if result.kind in BREAKING else [])

            def is_worth_it(place: int) -> bool:
                return sum(other < place for other in silent) < _SILENT

            number = min(run_config.jobs, len(places))
            retrying += [RetrySession(start, ruleset, cases, hello) for _ in range(number)]
            run_sessions(retrying, split(places, number, _AT_ONCE), add_retry, is_worth_it)
            for place in filter(is_worth_it, retries):
                state.add_retry(place, retries[place])
    except KeyboardInterrupt:
        if first.hello is None:
            raise
        interrupted, hello = True, first.hello
    for result in state.revised() if not interrupted else ():
        observer.on_result(result)
    noise = tuple(line for session in sessions for line in session.engine.noise)
    engines = [*(session.engine for session in sessions), *(engine for each in retrying for engine in each.engines)]
    left_over = tuple(id for engine in engines for id in engine.stray_processes)
    others = (*(session.engine.other_hello for session in sessions), *(session.other_hello for session in retrying))
    if other := next(filter(None, others), None):
        changed = f"says another hello when started again: {_named(other)}, and before that {_named(hello)}"
        observer.on_warning(changed)
        warning = f"{warning}; it {changed}" if warning else changed
    seconds = time.monotonic() - began
    return Report(
        ruleset,
        label,
        hello,
        state.results(),
        noise,
        seconds,
        interrupted=interrupted,
        stray_processes=left_over,
        preflight=warning,
    )


def _named(hello: Hello) -> str:
    return f"{hello.name} {hello.version} with {', '.join(sorted(hello.answers))}"


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
            for question in questions:
                began = time.monotonic()
                is_right = window.next_case()
                place = left.popleft()
                if is_right:
                    seconds = time.monotonic() - began
                    yield place, Result(question, "passed", notes=window.notes(), seconds=seconds)
                else:
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
            result = compare_retry(before, result)
        yield first, result

    def _result(self, place: int, engine: Asked) -> Result:
        """Return the result of a case; one that broke the process is retried once in a fresh process."""
        result = self._ask(place, engine)
        if result.kind in _ASKED_AGAIN:
            result = compare_retry(result, self._ask(place, self.engine))
        return result

    def _ask(self, place: int, engine: Asked) -> Result:
        self.engine.restarts_left = 1
        assert self.hello is not None
        began = time.monotonic()
        result = ask(engine, self._ruleset, self.hello, self._cases[place], times=self._times)
        return replace(result, seconds=time.monotonic() - began)


class RetrySession:
    """A session that retries failing cases, each in a fresh process."""

    def __init__(self, start: Callable[[], Engine], ruleset: Ruleset, cases: Sequence[Case], hello: Hello) -> None:
        self._start, self._ruleset, self._cases, self._hello = start, ruleset, cases, hello
        self._closed = False
        #: All that were started; the last one is asked.
        self.engines: list[Engine] = []
        #: What one of them says of itself, if that is something else.
        self.other_hello: Hello | None = None

    def results(self, places: Iterable[int]) -> Iterator[tuple[int, Result]]:
        """Yield what a fresh process answers to each."""
        for place in places:
            self.engines.append(engine := self._start())
            if self._closed:
                return
            try:
                result = ask(engine, self._ruleset, self._hello, self._cases[place])
                if result.kind is None and engine.hello() != self._hello:
                    self.other_hello = engine.hello()
                yield place, result
            finally:
                engine.close()

    def close(self) -> None:
        """End the engine that is being asked, and start no other."""
        self._closed = True
        for engine in self.engines[-1:]:
            engine.close()


class RunState:
    """The results so far, by the places of their cases, and the conditions that end the run."""

    def __init__(self, ruleset: Ruleset, cases: Sequence[Case], run_config: RunConfig) -> None:
        self._questions = [Question(case, ruleset) for case in cases]
        self._most_failures, self._restarts = run_config.max_failures, run_config.restarts
        self._results: dict[int, Result] = {}
        #: The places of cases whose result is another one than was reported at first.
        self._revised: set[int] = set()
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
        for place, question in enumerate(self._questions):
            if question.case.id in before:
                self.add(place, before[question.case.id])
        return [place for place in range(len(self._questions)) if place not in self._results and self.wants(place)]

    def add(self, place: int, result: Result) -> None:
        """Add a result that has come."""
        self._results[place] = result
        if result.status in FAILING:
            insort(self._failed, place)
        if result.kind in BREAKING:
            insort(self._broken, place)
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
        for place in range(last + 1, len(self._questions)):
            if place in self._results:
                self._revised.add(place)
            self._results[place] = self._not_asked(place, why)

    def worth_asking_again(self, most: int) -> list[int]:
        """Return the places of the first `most` failures that were not asked twice already."""
        failing = ((place, self._results[place]) for place in self._failed)
        asked = [(place, one) for place, one in failing if one.status in FAILING and one.kind != "timeout"]
        return [place for place, one in asked[:most] if one.status != "unstable" and one.kind not in _ASKED_AGAIN]

    def add_retry(self, place: int, retry: Result) -> None:
        """Add what a fresh process answered."""
        result = self._results[place]
        self._results[place] = decided = compare_retry(result, retry)
        if decided is not result:
            self._revised.add(place)

    def results(self) -> tuple[Result, ...]:
        """Return a result for every case."""
        places = range(len(self._questions))
        return tuple(self._results.get(place) or self._not_asked(place, INTERRUPTED) for place in places)

    def revised(self) -> list[Result]:
        """Return the results of cases of which another one was reported before."""
        return [self._results[place] for place in sorted(self._revised)]

    def _not_asked(self, place: int, why: str) -> Result:
        return Result(self._questions[place], "not-asked", message=why)


def compare_retry(first: Result, retry: Result) -> Result:
    """Return the result of a case after a retry in a fresh process; `first` itself if both are the same.

    An illegal move that was played is one, whatever is played the next time.
    """
    if first.played is not None or (first.kind in BREAKING and first.kind == retry.kind):
        return first
    if first.status == retry.status and first.has_same_faults(retry):
        return first
    why = RIGHT_ALONE if retry.status == "passed" else f"{DIFFERS}: {retry.message or retry.status}"
    return replace(first, status="unstable", message=f"{first.message}; {why}" if first.message else why, reading=None)
