"""An engine under test: a question is written to its process, a line read back, and nothing it does lasts for ever."""

from __future__ import annotations

import shutil
import signal
import threading
import time
from abc import abstractmethod
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Protocol, Self

from . import protocol
from .lines import LineFormat
from .pipes import EngineClosedError, EngineExitedError, EnginePipes, EngineTimeoutError, LineTooLongError, StderrTail
from .process_tree import ProcessTree
from .protocol import LIMITS, AnswerLimits, EngineError, Hello, Question, UnsupportedError
from .sandbox import SandboxConfig


class Engine(Protocol):
    """Whatever answers questions: a process, a player over a connection, rules in this process."""

    #: How it is started, or what it is called.
    command: Sequence[str] = ()
    #: Seconds that each question has.
    timeout: float = 10.0
    #: How often it may be started again.
    restarts_left: int = 0

    def __enter__(self) -> Self:
        self.hello()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def left(self) -> tuple[int, ...]:
        """The ids of processes that could not be ended."""
        return ()

    @property
    def noise(self) -> tuple[str, ...]:
        """The last lines of its standard error, as they can be shown."""
        return ()

    @abstractmethod
    def hello(self) -> Hello:
        """What the engine says of itself; starts it if it is not running. Raises EngineError."""

    @abstractmethod
    def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        """The answer to a question. Raises UnsupportedError, or EngineError when there is no usable answer."""

    def ask_all(self, questions: Sequence[Question]) -> Generator[Any]:
        """The answers to questions in order; an UnsupportedError, or an EngineError that refuses one, is given.

        Some are sent before those before them are answered, where the engine takes that: nothing else can be asked
        until this is gone through to its end, or closed. Raises EngineError at the first question that has no usable
        answer.
        """
        for method, params in questions:
            try:
                answer = self.ask(method, params)
            except (UnsupportedError, EngineError) as error:
                if not _harmless(error):
                    raise
                answer = error
            yield answer

    def take_notes(self) -> tuple[str, ...]:
        """How the answers since the last time came about, where there is something to say of it."""
        return ()

    def close(self) -> None:
        """End it; what has no process has nothing to end."""
        return


class SubprocessEngine(Engine):
    """An engine that is a process, asked one question at a time.

    After an answer that breaks the protocol, a timeout or its death the process is started anew for the next
    question, at most `restarts` times. `timeout` is in seconds for each question; `environment` is added to what
    the engine is let have of this process's own. With `lines` it is asked in plain text. `close` may be called from
    another thread: it ends the question being asked, and nothing is started any more.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        timeout: float = 10.0,
        restarts: int = 3,
        environment: Mapping[str, str] | None = None,
        limits: AnswerLimits = LIMITS,
        sandbox: SandboxConfig | None = None,
        lines: bool = False,
    ) -> None:
        self.command = list(command)
        self.timeout = timeout
        self.restarts_left = restarts
        self._left: tuple[int, ...] = ()
        self._limits = limits
        self._sandbox = sandbox or SandboxConfig()
        self._environment = dict(environment or {})
        self._lines = LineFormat() if lines else None
        #: How questions are written and answers read.
        self._speech: _Speech = self._lines or protocol
        self._noise = StderrTail()
        self._running: EngineProcess | None = None
        self._last_id = 0
        self._hello: Hello | None = None
        #: Held by the thread that asks or closes.
        self._asking = threading.Lock()
        #: Held for a moment to look whether all is over, or to say so.
        self._gate = threading.Lock()
        self._closed = False

    @property
    def left(self) -> tuple[int, ...]:
        """The ids of processes that could not be ended."""
        return self._left

    @property
    def noise(self) -> tuple[str, ...]:
        """The last lines of its standard error, as they can be shown."""
        return tuple(map(protocol.strip_control_characters, self._noise.lines()))

    def hello(self) -> Hello:
        """What the engine says of itself; starts it if it is not running. Raises EngineError."""
        with self._asking:
            return self._greeted()

    def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        """The answer to a question. Raises UnsupportedError, or EngineError when there is no usable answer."""
        with self._asking:
            if self._lines is not None and (known := self._lines.known(method, params)) is not None:
                return known
            self._ready()
            return self._answer(method, params)

    def ask_all(self, questions: Sequence[Question]) -> Generator[Any]:
        """The answers to questions in order, as many in flight as the engine takes. Raises EngineError."""
        if self._hello is None or self._hello.max_in_flight < 2:
            yield from super().ask_all(questions)
            return
        with self._asking:
            running = self._ready()
            first = self._last_id + 1
            self._last_id += len(questions)
            numbered = enumerate(questions, first)
            asked = [(method, self._speech.request(id, method, params)) for id, (method, params) in numbered]
            lines = running.exchange_ahead(asked, self._hello.max_in_flight, self.timeout)
            answered = first
            try:
                for (method, _), line in zip(asked, lines, strict=True):
                    try:
                        answer = self._speech.result(line, answered, method, self._limits)
                    except (UnsupportedError, EngineError) as error:
                        if not _harmless(error):
                            raise
                        answer = error
                    answered += 1
                    yield answer
            except GeneratorExit:
                if answered <= self._last_id:  # the other answers would come to the next questions
                    self._end()
                raise
            except BaseException as error:
                raise self._after(error) from None

    def close(self) -> None:
        """Say quit, wait a moment, and end the process if it is still there."""
        with self._gate:
            self._closed = True
            if self._running is not None:
                self._running.wake()
        if not self._asking.acquire(timeout=5 * TO_END):
            return  # it is being ended in another thread, and takes its time
        try:
            if self._running is not None:
                self._running.quit(self._farewell())
        finally:
            try:
                self._end()
            finally:
                self._asking.release()

    def _ready(self) -> EngineProcess:
        """The running process, started again if there is none and it may be."""
        if self._running is None:
            if self._last_id and self.restarts_left <= 0:
                raise EngineError("gone", "not asked: the engine has failed too often to be started again")
            self.restarts_left -= self._last_id > 0
            self._greeted()
        assert self._running is not None
        return self._running

    def _greeted(self) -> Hello:
        """The handshake, with a new process if there is none."""
        if self._running is None:
            self._start()
            try:
                self._hello = self._greeting()
            except UnsupportedError as reason:
                self._end()
                raise EngineError("refused", f"does not answer hello: {reason}") from None
            except EngineError:
                self._end()
                raise
        assert self._hello is not None
        return self._hello

    def _start(self) -> None:
        if self._closed:
            raise EngineError("gone", "not asked: the run is over")
        running = EngineProcess(self.command, self._environment, self._sandbox, self._noise, self._limits)
        with self._gate:
            self._running = running
            if self._closed:
                running.wake()

    def _answer(self, method: str, params: Mapping[str, Any]) -> Any:
        """The answer of the running process, which is ended if there is none."""
        self._last_id += 1
        try:
            return self._asked(method, params)
        except BaseException as error:
            raise self._after(error) from None

    # --- how it is spoken to ------------------------------------------------------------------

    def _greeting(self) -> Hello:
        """What the process that was just started says of itself."""
        return protocol.hello(self._answer("hello", protocol.hello_params()))

    def _asked(self, method: str, params: Mapping[str, Any]) -> Any:
        """What the running process says to a question."""
        assert self._running is not None
        question = self._speech.request(self._last_id, method, params)
        line = self._running.exchange(question, method, self.timeout)
        return self._speech.result(line, self._last_id, method, self._limits)

    def _farewell(self) -> str:
        """What tells the process to end."""
        return self._speech.request(self._last_id + 1, "quit", None)

    # --- how it ends --------------------------------------------------------------------------

    def _after(self, error: BaseException) -> BaseException:
        """What is to be raised where no answer came; the process is ended, unless it can go on."""
        if isinstance(error, EngineDiedError):
            return EngineError("died", f"{error}{self._ending()}")
        if not _harmless(error):  # interrupted too: the answer would come to the next question
            self._end()
        return EngineError("gone", "not asked: the run is over") if isinstance(error, EngineClosedError) else error

    def _end(self, *, patient: bool = False) -> int | None:
        """End the process; its exit status if it ends by itself."""
        running, self._running = self._running, None
        if running is None:
            return None
        status, left = running.end(patient=patient)
        self._left += left
        return status

    def _ending(self) -> str:
        """End a process that has closed its pipes: how it has ended and its last words, for a message."""
        status = self._end(patient=True)
        if status is None:
            return ", its output closed"
        noise = self.noise
        said = f", having said {protocol.excerpt(noise[-1])}" if noise else ""
        return f", {_status(status)}{said}{protocol.stderr_hint(noise)}"


def _status(status: int) -> str:
    """An exit status in words."""
    try:
        return f"exit status {status}" if status >= 0 else f"ended by {signal.Signals(-status).name}"
    except ValueError:
        return f"ended by signal {-status}"


def _harmless(error: BaseException) -> bool:
    """Whether a process can go on after what it has said."""
    return isinstance(error, UnsupportedError) or (isinstance(error, EngineError) and error.kind == "refused")


class _Speech(Protocol):
    """How questions are written and answers read: the module `protocol`, or `Lines`."""

    def request(self, id: int, method: str, params: Mapping[str, Any] | None) -> str: ...

    def result(self, line: str, id: int, method: str, limits: AnswerLimits) -> Any: ...


#: Seconds for an engine to end: told to quit, or having closed its output.
TO_END = 1.0
#: Seconds for a last word, when its input is closed after it has said nothing in time.
_LAST_WORD = 0.5
#: No deadline is farther away than these seconds.
_LONGEST = 1e6
#: Lines that a process may say without answering.
_CHATTER = 20_000


class EngineDiedError(Exception):
    """A process that has ended or has closed its pipes; `str()` is when, for a message."""


class EngineProcess:
    """One process of an engine."""

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        sandbox: SandboxConfig,
        noise: StderrTail,
        limits: AnswerLimits,
    ) -> None:
        self._noise = noise
        self._most = limits.answer
        self._folder = sandbox.folder()
        try:
            words = sandbox.words(command, self._folder)
            temporary = {"TMPDIR": self._folder} if self._folder else {}
            self._tree = ProcessTree(words, {**sandbox.environment(), **temporary, **environment}, self._folder)
        except (OSError, ValueError) as error:
            self._remove_folder()
            reason = getattr(error, "strerror", None) or error
            raise EngineError("start", f"cannot start {command[0]!r}: {reason}") from None
        except BaseException:
            self._remove_folder()
            raise
        try:
            self._pipes = EnginePipes(self._tree.process, noise, limits.answer)
        except RuntimeError as error:  # there are too many threads
            self._tree.end()
            self._remove_folder()
            raise EngineError("start", f"cannot talk to {command[0]!r}: {error}") from None

    def exchange(self, question: str, method: str, timeout: float) -> str:
        """The line after a question of a method.

        Raises EngineClosedError, EngineDiedError, or EngineError of kind `timeout` or `size`.
        """
        deadline = time.monotonic() + (timeout if timeout < _LONGEST else _LONGEST)
        try:
            line = self._pipes.exchange(question.encode() + b"\n", deadline)
        except (EngineTimeoutError, LineTooLongError, EngineExitedError) as problem:
            raise self._error(problem, method, timeout) from None
        return line.decode("utf-8", "replace")

    def exchange_ahead(self, questions: Sequence[tuple[str, str]], most: int, timeout: float) -> Iterator[str]:
        """The lines that answer questions of some methods, with at most so many in flight. Raises as `exchange`."""
        messages = [f"{question}\n".encode() for _, question in questions]
        lines = self._pipes.exchange_ahead(messages, most, timeout if timeout < _LONGEST else _LONGEST)
        for method, _ in questions:
            try:
                line = next(lines)
            except (EngineTimeoutError, LineTooLongError, EngineExitedError) as problem:
                raise self._error(problem, method, timeout) from None
            yield line.decode("utf-8", "replace")

    def converse(
        self, text: str, method: str, timeout: float, answers: Callable[[str], bool] = lambda line: True
    ) -> Iterator[str]:
        """Write lines, and give each line that comes meanwhile and afterwards, for as long as anybody wants one.

        What `answers` has `timeout` seconds, each time anew. Raises as `exchange`.
        """
        seconds = min(timeout, _LONGEST)
        deadline, chatter = [time.monotonic() + seconds], 0
        try:
            for line in self._pipes.converse(text.encode(), lambda: deadline[0]):
                said = line.decode("utf-8", "replace")
                chatter += 1
                if answers(said):
                    deadline[0], chatter = time.monotonic() + seconds, 0
                if chatter > _CHATTER:
                    raise EngineError("size", f"answered {method} with more than {_CHATTER} lines that are no answer")
                yield said
        except (EngineTimeoutError, LineTooLongError, EngineExitedError) as problem:
            raise self._error(problem, method, timeout) from None

    def _error(
        self, problem: EngineTimeoutError | LineTooLongError | EngineExitedError, method: str, timeout: float
    ) -> Exception:
        """What is raised where no line came for a question."""
        match problem:
            case EngineTimeoutError():
                late = f"did not answer {method} within {timeout:g} seconds"
                return EngineError("timeout", late + self._why_late())
            case LineTooLongError():
                quoted = protocol.excerpt(str(problem))
                return EngineError("size", f"answered {method} with a line of more than {self._most} bytes: {quoted}")
            case EngineExitedError():
                return EngineDiedError("takes no more questions" if problem.taking else f"ended while asked {method}")

    def wake(self) -> None:
        """End the waiting of another thread."""
        self._pipes.wake()

    def quit(self, message: str) -> None:
        """Say quit, by this message, and wait a moment for the end."""
        deadline = time.monotonic() + TO_END
        self._pipes.ignore_wake()
        self._pipes.send(message.encode() + b"\n")
        self._pipes.close_input()
        self._pipes.drain(deadline, lambda: self._tree.ended)

    def end(self, *, patient: bool = False) -> tuple[int | None, tuple[int, ...]]:
        """End it with all that it has started: its exit status, if it ends by itself, and the ids of what is left.

        `patient` waits a moment for it to end by itself.
        """
        by_itself, left = False, tuple[int, ...]()
        try:
            if patient:
                with suppress(EngineClosedError):
                    self._pipes.drain(time.monotonic() + TO_END, lambda: self._tree.ended)
            by_itself = self._tree.ended
        finally:
            left = self._tree.end()
            self._pipes.close()
            self._remove_folder()
        return self._tree.process.returncode if by_itself else None, left

    def _why_late(self) -> str:
        """What may be wrong when no answer has come, as far as it can be seen; it may take a moment to see."""
        if begun := self._pipes.begun:
            return protocol.unfinished_hint(begun)
        if self._pipes.heard:
            return "; its process has ended, and another holds its output" if self._tree.ended else ""
        if hint := protocol.stderr_hint(self._noise.lines()):
            return hint
        self._pipes.close_input()
        with suppress(EngineTimeoutError, EngineExitedError, LineTooLongError, EngineClosedError):
            self._pipes.receive(time.monotonic() + _LAST_WORD)
        return protocol.FLUSH_HINT if self._pipes.heard else ""

    def _remove_folder(self) -> None:
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)
