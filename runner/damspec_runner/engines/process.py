"""Engines: what they all can be asked, and one that is a process, with timeouts and restarts."""

from __future__ import annotations

import shutil
import signal
import threading
import time
from abc import abstractmethod
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from typing import Any, Protocol, Self

from . import protocol
from .lines import LineFormat
from .pipes import EngineClosedError, EngineExitedError, EnginePipes, EngineTimeoutError, LineTooLongError, StderrTail
from .protocol import (
    LIMITS,
    AnswerLimits,
    EngineError,
    Hello,
    Question,
    UnsupportedError,
    answer_or_refusal,
    can_continue,
)
from .sandbox import SandboxConfig


class Engine(Protocol):
    """Anything that answers questions: a process, a player over a connection, rules in this process."""

    #: The command that starts it, or its name.
    command: Sequence[str] = ()
    #: Seconds to answer a question.
    timeout: float = 10.0
    #: How often it may still be restarted.
    restarts_left: int = 0

    def __enter__(self) -> Self:
        self.hello()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def stray_processes(self) -> tuple[int, ...]:
        """The ids of processes that could not be ended."""
        return ()

    @property
    def other_hello(self) -> Hello | None:
        """What it says of itself since it was started again, if that is something else."""
        return None

    @property
    def noise(self) -> tuple[str, ...]:
        """The last lines of its standard error, without control characters."""
        return ()

    @abstractmethod
    def hello(self) -> Hello:
        """Start the engine if it is not running, and return what it says of itself. Raises EngineError."""

    @abstractmethod
    def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        """Return the answer to a question. Raises UnsupportedError, or EngineError if there is no usable answer."""

    def ask_all(self, questions: Sequence[Question]) -> Generator[Any]:
        """Yield the answers to questions in order; UnsupportedError and a refusal (EngineError) are yielded too.

        Requests are pipelined if the engine allows it: nothing else may be asked until the generator is exhausted or
        closed. Raises EngineError at the first question without a usable answer.
        """
        for question in questions:
            yield answer_or_refusal(self.ask, *question)

    def take_notes(self) -> tuple[str, ...]:
        """Return and forget notes on how the answers since the last call came about."""
        return ()

    def close(self) -> None:
        """End its process, if it has one."""
        return


class SubprocessEngine(Engine):
    """An engine that runs as a process.

    After an answer that breaks the protocol, a timeout or its death, the process is restarted for the next question,
    at most `restarts` times. `timeout` is in seconds for each question; `environment` is added to the part of this
    process's environment that the sandbox passes on. With `lines` it is asked by the line protocol. `close` may be
    called from another thread: it interrupts a question, and prevents restarts.
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
        self._format: _MessageFormat = self._lines or protocol
        self._stderr = StderrTail()
        self._process: EngineProcess | None = None
        self._last_id = 0
        self._hello: Hello | None = None
        self._other_hello: Hello | None = None
        #: Held by the thread that asks or closes.
        self._asking = threading.Lock()
        #: Guards `_closed` together with `_process`; held only for a moment.
        self._state = threading.Lock()
        self._closed = False

    @property
    def stray_processes(self) -> tuple[int, ...]:
        """The ids of processes that could not be ended."""
        return self._left

    @property
    def other_hello(self) -> Hello | None:
        """What it says of itself since it was started again, if that is something else."""
        return self._other_hello

    @property
    def noise(self) -> tuple[str, ...]:
        """The last lines of its standard error, without control characters."""
        return tuple(map(protocol.strip_control_characters, self._stderr.lines()))

    def hello(self) -> Hello:
        """Start the engine if it is not running, and return what it says of itself. Raises EngineError."""
        with self._asking:
            return self._ensure_hello()

    def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        """Return the answer to a question. Raises UnsupportedError, or EngineError if there is no usable answer."""
        with self._asking:
            if self._lines is not None and (known := self._lines.known_answer(method, params)) is not None:
                return known
            self._ensure_running()
            return self._exchange_or_end(method, params)

    def ask_all(self, questions: Sequence[Question]) -> Generator[Any]:
        """Yield the answers to questions in order, with as many in flight as the engine allows. Raises EngineError."""
        if self._hello is None or self._hello.max_in_flight < 2:
            yield from super().ask_all(questions)
            return
        with self._asking:
            process = self._ensure_running()
            first = self._last_id + 1
            self._last_id += len(questions)
            numbered = enumerate(questions, first)
            asked = [(method, self._format.request(id, method, params)) for id, (method, params) in numbered]
            lines = process.exchange(asked, self._hello.max_in_flight, self.timeout)
            answered = first
            try:
                for (method, _), line in zip(asked, lines, strict=True):
                    answer = answer_or_refusal(self._format.result, line, answered, method, self._limits)
                    answered += 1
                    yield answer
            except GeneratorExit:
                if answered <= self._last_id:  # the next questions would get the remaining answers
                    self._end()
                raise
            except BaseException as error:
                raise self._end_unless_harmless(error) from None

    def close(self) -> None:
        """Send quit, wait a moment, and kill the process if it still runs."""
        with self._state:
            self._closed = True
            if self._process is not None:
                self._process.wake()
        if not self._asking.acquire(timeout=5 * QUIT_TIMEOUT):
            return  # another thread is ending it
        try:
            if self._process is not None:
                self._process.quit(self._quit_message())
        finally:
            try:
                self._end()
            finally:
                self._asking.release()

    def _ensure_running(self) -> EngineProcess:
        if self._process is None:
            if self._last_id and self.restarts_left <= 0:
                raise EngineError("gone", "not asked: the engine has failed too often to be started again")
            self.restarts_left -= self._last_id > 0
            self._ensure_hello()
        assert self._process is not None
        return self._process

    def _ensure_hello(self) -> Hello:
        if self._process is None:
            self._start()
            try:
                before, self._hello = self._hello, self._handshake()
            except UnsupportedError as reason:
                self._end()
                raise EngineError("refused", f"does not answer hello: {reason}") from None
            except EngineError:
                self._end()
                raise
            if before not in (None, self._hello):
                self._other_hello = self._hello
        assert self._hello is not None
        return self._hello

    def _start(self) -> None:
        if self._closed:
            raise EngineError("gone", "not asked: the engine is closed")
        process = EngineProcess(self.command, self._environment, self._sandbox, self._stderr, self._limits)
        with self._state:
            self._process = process
            if self._closed:
                process.wake()

    def _exchange_or_end(self, method: str, params: Mapping[str, Any]) -> Any:
        """Return the answer of the running process, or end it."""
        self._last_id += 1
        try:
            return self._exchange(method, params)
        except BaseException as error:
            raise self._end_unless_harmless(error) from None

    # --- overridden for other protocols -------------------------------------------------------

    def _handshake(self) -> Hello:
        return protocol.hello(self._exchange_or_end("hello", protocol.hello_params()))

    def _exchange(self, method: str, params: Mapping[str, Any]) -> Any:
        assert self._process is not None
        request = self._format.request(self._last_id, method, params)
        timeout = self.timeout + protocol.thinking_seconds(params)
        line = next(self._process.exchange([(method, request)], 1, timeout))
        return self._format.result(line, self._last_id, method, self._limits)

    def _quit_message(self) -> str:
        return self._format.request(self._last_id + 1, "quit", None)

    # --- ending the process -------------------------------------------------------------------

    def _end_unless_harmless(self, error: BaseException) -> BaseException:
        """End the process after an error, unless it can continue, and return the error to raise."""
        if isinstance(error, EngineDiedError):
            return EngineError("died", f"{error}{self._end_and_describe()}")
        if not can_continue(error):  # after an interrupt, too, the next question would get this one's answer
            self._end()
        return EngineError("gone", "not asked: the engine is closed") if isinstance(error, EngineClosedError) else error

    def _end(self, *, patient: bool = False) -> int | None:
        """End the process, and return its exit status if it ended by itself."""
        process, self._process = self._process, None
        if process is None:
            return None
        status, left = process.end(patient=patient)
        self._left += left
        return status

    def _end_and_describe(self) -> str:
        """End a process that has closed its pipes, and return its status and last output for a message."""
        status = self._end(patient=True)
        if status is None:
            return ", its output closed"
        noise = self.noise
        said = f", having said {protocol.excerpt(noise[-1])}" if noise else ""
        hint = script_hint(self.command[0]) if status == _NOT_FOUND else protocol.stderr_hint(noise)
        return f", {_status(status)}{said}{hint}"


#: The exit status of `env` and of shells for a program that is not there.
_NOT_FOUND = 127


def script_hint(program: str, else_wrong: str = "") -> str:
    """Return that the first line of a script ends in CRLF, or else, if anything, what is wrong; "" for no script."""
    with suppress(OSError), open(shutil.which(program) or program, "rb") as file:
        line = file.readline(200)
        wrong = "ends in CRLF, expected LF" if line.endswith(b"\r\n") else else_wrong
        if line.startswith(b"#!") and wrong:
            return f"; the first line of the script, {protocol.excerpt(line.decode(errors='replace'))}, {wrong}"
    return ""


def _status(status: int) -> str:
    """Return an exit status in words."""
    try:
        return f"exit status {status}" if status >= 0 else f"ended by {signal.Signals(-status).name}"
    except ValueError:
        return f"ended by signal {-status}"


class _MessageFormat(Protocol):
    """How requests are written and answers are read: the module `protocol`, or `LineFormat`."""

    def request(self, id: int, method: str, params: Mapping[str, Any] | None) -> str: ...

    def result(self, line: str, id: int, method: str, limits: AnswerLimits) -> Any: ...


#: Seconds for an engine to end after quit, or after it has closed its output.
QUIT_TIMEOUT = 1.0
#: Seconds for an answer that comes only once the input is closed, since the engine does not flush.
_FLUSH_TIMEOUT = 0.5
#: The longest timeout, in seconds.
_MAX_TIMEOUT = 1e6
#: The maximum number of lines in a row that answer nothing.
_MAX_OTHER_LINES = 20_000


class EngineDiedError(Exception):
    """A process that has ended or has closed its pipes; `str()` says when, for a message."""


class EngineProcess:
    """One process of an engine."""

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        sandbox: SandboxConfig,
        stderr: StderrTail,
        limits: AnswerLimits,
    ) -> None:
        from .process_tree import ProcessTree  # loads psutil, which the reference as an engine does not need

        self._stderr = stderr
        self._max_line = limits.answer
        self._folder = sandbox.folder()
        with ExitStack() as undo:
            undo.callback(self._remove_folder)
            try:
                words = sandbox.wrap(command, self._folder)
                temporary = {"TMPDIR": self._folder} if self._folder else {}
                self._tree = ProcessTree(words, {**sandbox.environment(), **temporary, **environment}, self._folder)
            except (OSError, ValueError) as error:
                reason = getattr(error, "strerror", None) or error
                is_missing = isinstance(error, FileNotFoundError)
                hint = script_hint(command[0], "names a program that is not there") if is_missing else ""
                raise EngineError("start", f"cannot start {command[0]!r}: {reason}{hint}") from None
            undo.callback(self._tree.end)
            try:
                self._pipes = EnginePipes(self._tree.process, stderr, limits.answer)
            except RuntimeError as error:  # too many threads
                raise EngineError("start", f"cannot talk to {command[0]!r}: {error}") from None
            undo.pop_all()

    def exchange(self, requests: Sequence[tuple[str, str]], max_in_flight: int, timeout: float) -> Iterator[str]:
        """Write requests, each with its method, at most `max_in_flight` unanswered; yield the line that answers each.

        `timeout` is in seconds for each line. Raises EngineClosedError, EngineDiedError, or EngineError of kind
        `timeout` or `size`.
        """
        sent = 0
        for answered, (method, _) in enumerate(requests):
            if 2 * (sent - answered) <= max_in_flight and sent < len(requests):
                messages = requests[sent : answered + max_in_flight]
                self._pipes.send("".join(f"{message}\n" for _, message in messages).encode())
                sent = answered + max_in_flight
            yield self._receive(method, timeout, time.monotonic())

    def converse(
        self, text: str, method: str, timeout: float, is_answer: Callable[[str], bool] = lambda line: True
    ) -> Iterator[str]:
        """Write lines, and yield each line that comes meanwhile and afterwards, without end.

        Each line that `is_answer` accepts restarts the timeout. Raises as `exchange` does.
        """
        began, others = time.monotonic(), 0
        self._pipes.send(text.encode())
        while True:
            line = self._receive(method, timeout, began)
            others += 1
            if is_answer(line):
                began, others = time.monotonic(), 0
            if others > _MAX_OTHER_LINES:
                raise EngineError(
                    "size", f"answered {method} with more than {_MAX_OTHER_LINES} lines that are no answer"
                )
            yield line

    def _receive(self, method: str, timeout: float, began: float) -> str:
        """Return the next line that comes before the timeout. Raises as `exchange` does."""
        try:
            return self._pipes.receive(began + min(timeout, _MAX_TIMEOUT)).decode("utf-8", "replace")
        except (EngineTimeoutError, LineTooLongError, EngineExitedError) as problem:
            raise self._error(problem, method, timeout) from None

    def _error(
        self, problem: EngineTimeoutError | LineTooLongError | EngineExitedError, method: str, timeout: float
    ) -> Exception:
        """Return the error to raise if no line came for a question."""
        match problem:
            case EngineTimeoutError():
                return EngineError(
                    "timeout", f"did not answer {method} within {timeout:g} seconds{self._timeout_hint()}"
                )
            case LineTooLongError():
                size = f"a line of more than {self._max_line} bytes"
                return EngineError("size", f"answered {method} with {size}: {protocol.excerpt(str(problem))}")
            case EngineExitedError():
                when = "takes no more questions" if problem.input_only else f"ended while asked {method}"
                return EngineDiedError(when)

    def wake(self) -> None:
        """End the wait of another thread."""
        self._pipes.wake()

    def quit(self, message: str) -> None:
        """Send a message that says quit, and wait a moment for the process to end."""
        deadline = time.monotonic() + QUIT_TIMEOUT
        self._pipes.ignore_wake()
        self._pipes.send(message.encode() + b"\n")
        self._pipes.close_input()
        self._pipes.drain(deadline, lambda: self._tree.has_ended)

    def end(self, *, patient: bool = False) -> tuple[int | None, tuple[int, ...]]:
        """End the process and all its descendants.

        Return the exit status if it ended by itself, for which `patient` waits a moment, and the ids of processes that
        could not be ended.
        """
        by_itself, left = False, tuple[int, ...]()
        try:
            if patient:
                with suppress(EngineClosedError):
                    self._pipes.drain(time.monotonic() + QUIT_TIMEOUT, lambda: self._tree.has_ended)
            by_itself = self._tree.has_ended
        finally:
            left = self._tree.end()
            self._pipes.close()
            self._remove_folder()
        return self._tree.process.returncode if by_itself else None, left

    def _timeout_hint(self) -> str:
        """Return what may be wrong if no answer has come. It may close the input and wait a moment."""
        if begun := self._pipes.incomplete_line:
            return protocol.unfinished_hint(begun)
        if self._pipes.has_output:
            return "; its process has ended, and another holds its output" if self._tree.has_ended else ""
        if hint := protocol.stderr_hint(self._stderr.lines()):
            return hint
        self._pipes.close_input()
        with suppress(EngineTimeoutError, EngineExitedError, LineTooLongError, EngineClosedError):
            self._pipes.receive(time.monotonic() + _FLUSH_TIMEOUT)
        return protocol.FLUSH_HINT if self._pipes.has_output else ""

    def _remove_folder(self) -> None:
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)
