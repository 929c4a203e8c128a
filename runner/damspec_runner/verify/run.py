"""A run of cases against an engine: sessions on threads, retries, and what ends it."""

from __future__ import annotations

import os
import signal
import time
from bisect import insort
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

from damspec import Ruleset

from ..cases.cases import Case
from ..engines import protocol
from ..engines.process import Engine
from ..engines.protocol import Hello
from .ask import AskedAhead, BrokenAheadError, ask, questions_of
from .judge import are_same_faults
from .preflight import preflight, smoke_test
from .result import DIFFERS, FAILING, RIGHT_ALONE, Report, Result

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

#: Bytes for the number of a piece of work.
_WIDTH = 4
#: Pieces of work in a pipe at most: it holds them all, so that nobody waits for a reader.
_PIECES = 8000
#: Work handed out at once, if there is enough.
_AT_ONCE = 64
#: Seconds after which what is done is told, however little it is.
_TELL = 0.2
_PROCESSORS = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Worker(Protocol):
    """One that does the work of one process."""

    def do(self, places: Iterable[int]) -> Iterator[tuple[int, Any]]:
        """What comes of the work at some places: each place, in about their order, with what was done there."""

    def pack(self, done: Any) -> Any:
        """That as it goes from process to process."""

    def unpack(self, place: int, packed: Any) -> Any:
        """And as it was before."""

    def end(self) -> Any:
        """What is left to say when all is done."""


class _Ended(BaseException):
    """This process is told to end."""


def spread(
    places: Sequence[int],
    mine: Worker,
    another: Callable[[], Worker],
    take: Callable[[int, Any], bool],
    *,
    jobs: int,
    pause: float,
    wanted: Callable[[int], bool] = lambda place: True,
) -> list[Any]:
    """Have the work at all places done, in about this order, by `mine` here and by up to `jobs - 1` others.

    `take` is given what comes, and says whether to go on: what nobody has begun is left then. Work is begun in the
    order of the places, some places at a time; `wanted` is asked of each that is done here. `pause` is the seconds from
    one process to the next. Gives what the workers said in the end. Whatever is raised here, a
    KeyboardInterrupt too, the other processes are ended first and what they had done is taken.
    """
    work = _Work(places, jobs)
    others: list[_Other] = []
    began, busy = time.monotonic(), time.process_time()

    def theirs(place: int, packed: Any) -> bool:
        return take(place, mine.unpack(place, packed))

    def one_more() -> bool:
        """Whether another process is of use: not more than there are processors, where it is us who are slow."""
        took = time.monotonic() - began
        if took < pause * (len(others) + 1):
            return False
        return len(others) + 1 < _PROCESSORS or time.process_time() - busy < took / 3

    try:
        for piece in work.pieces():
            for place, done in mine.do(filter(wanted, piece)):
                if not take(place, done):
                    work.leave()
                if len(others) + 1 < jobs and one_more():
                    others.append(_Other(work, another, others))
                if others:
                    _listen(others, work, theirs, 0.0)
        while any(other.there for other in others):
            _listen(others, work, theirs, None)
    except BaseException:
        work.leave()
        for other in others:
            other.tell_to_end()
        while any(other.there for other in others):
            _listen(others, work, theirs, None)
        raise
    finally:
        work.close()
        for other in others:
            other.bury()
    return [mine.end(), *(other.last for other in others if other.last is not None)]


def _listen(others: Sequence[_Other], work: _Work, take: Callable[[int, Any], bool], seconds: float | None) -> None:
    """Take what others have done, if there is anything, or once there is."""
    there = {other.results: other for other in others if other.there}
    if not there:
        return
    from multiprocessing.connection import wait

    for results in wait(list(there), seconds):
        for place, done in there[results].heard():  # type: ignore[index]
            if not take(place, done):
                work.leave()


class _Work:
    """Places to be handed out: their numbers lie in a pipe, from which each process takes the next."""

    def __init__(self, places: Sequence[int], jobs: int) -> None:
        self._places = places
        share = min(_AT_ONCE, len(places) // (8 * jobs)) if jobs > 1 else _AT_ONCE
        self._size = max(-(-len(places) // _PIECES), share, 1)
        self._source, full = os.pipe()
        pieces = range(0, len(places), self._size)
        os.write(full, b"".join(piece.to_bytes(_WIDTH, "big") for piece in pieces))
        os.close(full)

    def pieces(self) -> Iterator[Sequence[int]]:
        """The places that this process takes, some at a time."""
        while number := os.read(self._source, _WIDTH):
            first = int.from_bytes(number, "big")
            yield self._places[first : first + self._size]

    def leave(self) -> None:
        """What nobody has begun is not to be done."""
        while os.read(self._source, _WIDTH * _PIECES):
            pass

    def close(self) -> None:
        os.close(self._source)


class _Other:
    """Another process that works."""

    def __init__(self, work: _Work, another: Callable[[], Worker], others: Sequence[_Other]) -> None:
        from multiprocessing.connection import Pipe

        self.results, theirs = Pipe(duplex=False)
        self.there, self.last = True, None
        # Held back until it is known what to do with them.
        held = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM))
        self._id = os.fork()
        if self._id == 0:
            for connection in (self.results, *(other.results for other in others)):
                connection.close()
            _work(work, another, theirs, held)
        signal.pthread_sigmask(signal.SIG_SETMASK, held)
        theirs.close()

    def heard(self) -> list[tuple[int, Any]]:
        """What it has done, if it is still there."""
        try:
            done, self.last = self.results.recv()
        except (EOFError, OSError):
            self.there = False
            return []
        found: list[tuple[int, Any]] = done
        return found

    def tell_to_end(self) -> None:
        if self.there:
            os.kill(self._id, signal.SIGTERM)

    def bury(self) -> None:
        self.results.close()
        os.waitpid(self._id, 0)


def _work(work: _Work, another: Callable[[], Worker], results: Connection, signals: Any) -> NoReturn:
    """The life of another process: a signal to end ends what it does, the interrupt key is not for it."""

    def end(*_: object) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        raise _Ended

    def tell() -> None:
        """Tell what is done; a message is written whole or not at all."""
        before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGTERM,))
        results.send((done, None))
        done.clear()
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

    done: list[tuple[int, Any]] = []
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, end)
        worker = another()
        try:
            signal.pthread_sigmask(signal.SIG_SETMASK, signals)
            for piece in work.pieces():
                began = time.monotonic()
                for place, one in worker.do(piece):
                    done.append((place, worker.pack(one)))
                    if time.monotonic() - began > _TELL:
                        tell()
                        began = time.monotonic()
                tell()
        except _Ended:
            pass
        finally:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            last = worker.end()
        results.send((done, last))
    except BrokenPipeError:
        pass  # nobody is there to be told
    except BaseException:
        os._exit(1)
    os._exit(0)


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
class RunConfig:
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
    run_config: RunConfig = RunConfig(),
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
    course = RunState(ruleset, cases, run_config)
    first = EngineSession(start(), ruleset, cases, run_config.times)
    last: list[_Last] = []
    odd: str | None = None
    interrupted = False
    try:
        try:
            first.hello = hello = smoke_test(first.engine, ruleset)
            ready = time.monotonic() - began
            begun(hello)
            if run_config.preflight and (odd := preflight(first.engine, ruleset, hello)):
                warn(odd)

            def another() -> EngineSession:
                return EngineSession(start(), ruleset, cases, run_config.times, hello)

            def take(place: int, result: Result) -> bool:
                course.add(place, result)
                tell(result)
                return not course.over

            left = course.take(before or {})
            jobs = max(min(run_config.jobs, len(left)), 1)
            last += spread(left, first, another, take, jobs=jobs, pause=ready, wanted=course.wants)
        finally:
            first.engine.close()
        course.finish()
        again = RetrySession(start, ruleset, cases, hello, course)
        places = again.places(run_config.second_asks)
        jobs = max(min(run_config.jobs, len(places)), 1)
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


class EngineSession(_Asks):
    """Puts cases to one engine."""

    def __init__(
        self, engine: Engine, ruleset: Ruleset, cases: Sequence[Case], times: int, hello: Hello | None = None
    ) -> None:
        self.engine, self.hello = engine, hello
        #: Whether questions are sent ahead: not any more once the engine has broken meanwhile.
        self._ahead = times == 1
        self._ruleset, self._cases, self._times = ruleset, cases, times

    def do(self, places: Iterable[int]) -> Iterator[tuple[int, Result]]:
        """The results of cases: once the engine has broken with several questions in flight, one asked at a time."""
        assert self.hello is not None
        if not self._ahead or self.hello.max_in_flight < 2:
            yield from ((place, self._asked(place, self.engine)) for place in places)
            return
        left = deque(places)
        self.engine.restarts_left = 1
        ahead = AskedAhead(self.engine, [questions_of(self._ruleset, self.hello, self._cases[place]) for place in left])
        try:
            while left:
                ahead.next_case()
                place = left.popleft()
                yield place, self._asked(place, ahead)
        except BrokenAheadError as error:
            self._ahead = False
            yield from self._after(error, left)
        finally:
            ahead.close()

    def _after(self, broken: BrokenAheadError, places: Iterable[int]) -> Iterator[tuple[int, Result]]:
        """The results of the case at which the engine broke, and of those after it.

        It broke at the question of that case, or at one in flight with it: that shows now, or else it was this one.
        """
        steady, (first, *others) = True, places
        result = self._asked(first, self.engine)
        for place in others:
            other = self._asked(place, self.engine)
            steady = steady and other.kind not in BREAKING
            yield place, other
        if steady and result.kind not in BREAKING:
            kind, request = broken.error.kind, protocol.request(1, *broken.question)
            before = Result(self._cases[first], "error", message=str(broken), kind=kind, request=request)
            result = _second(self._ruleset, before, result)
        yield first, result

    def _asked(self, place: int, engine: Engine) -> Result:
        """The result of a case. One that broke the process is asked once more, of a fresh one."""
        result = self._ask(place, engine)
        if result.kind in _ASKED_AGAIN:
            result = _second(self._ruleset, result, self._ask(place, self.engine))
        return result

    def end(self) -> _Last:
        """End the engine."""
        self.engine.close()
        return self.engine.noise, self.engine.left

    def _ask(self, place: int, engine: Engine) -> Result:
        self.engine.restarts_left = 1
        assert self.hello is not None
        return ask(engine, self._ruleset, self.hello, self._cases[place], times=self._times)


class RetrySession(_Asks):
    """Asks failing cases again, each of a process that is asked nothing else."""

    def __init__(
        self, start: Callable[[], Engine], ruleset: Ruleset, cases: Sequence[Case], hello: Hello, course: RunState
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


class RunState:
    """The results as they come, and what ends the run."""

    def __init__(self, ruleset: Ruleset, cases: Sequence[Case], run_config: RunConfig) -> None:
        self._ruleset, self._cases = ruleset, cases
        self._most_failures, self._restarts = run_config.max_failures, run_config.restarts
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
