"""An engine under test: a question is written to its process, a line read back, and nothing it does lasts for ever."""

from __future__ import annotations

import os
import shutil
import signal
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Protocol

from . import hints, protocol
from .confinement import Confinement
from .family import Family
from .forms import LIMITS, Limits
from .lines import Lines
from .pipes import Ended, Late, Noise, Pipes, TooLong, Woken
from .protocol import EngineError, Foreseen, Hello, Unsupported

#: Seconds for an engine to end: told to quit, or having closed its output.
_TO_END = 1.0
#: Seconds for a last word, when its input is closed after it has said nothing in time.
_LAST_WORD = 0.5
#: No deadline is farther away than these seconds.
_LONGEST = 1e6


class Engine:
    """A running engine, asked one question at a time.

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
        limits: Limits = LIMITS,
        confinement: Confinement | None = None,
        lines: bool = False,
    ) -> None:
        self.command = list(command)
        self.timeout = timeout
        self.restarts_left = restarts
        self._left: tuple[int, ...] = ()
        self._limits = limits
        self._confinement = confinement or Confinement()
        self._environment = dict(environment or {})
        self._lines = Lines() if lines else None
        #: How questions are written and answers read.
        self._speech: _Speech = self._lines or protocol
        self._noise = Noise()
        self._running: _Running | None = None
        self._last_id = 0
        self._hello: Hello | None = None
        #: Held by the thread that asks or closes.
        self._asking = threading.Lock()
        #: Held for a moment: whether all is over, and the pipe that tells it to the thread that asks.
        self._gate = threading.Lock()
        self._closed = False
        self._wake: tuple[int, int] | None = None

    def __enter__(self) -> Engine:
        self.hello()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def left(self) -> tuple[int, ...]:
        """The ids of processes that could not be ended."""
        return self._left

    @property
    def noise(self) -> tuple[str, ...]:
        """The last lines of its standard error, as they can be shown."""
        return tuple(map(protocol.plain, self._noise.lines()))

    def hello(self) -> Hello:
        """What the engine says of itself; starts it if it is not running. Raises EngineError."""
        with self._asking:
            return self._greeted()

    def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        """The answer to a question. Raises Unsupported, or EngineError when there is no usable answer."""
        with self._asking:
            if self._lines is not None and (known := self._lines.known(method, params)) is not None:
                return known
            if self._running is None:
                if self._last_id and self.restarts_left <= 0:
                    raise EngineError("gone", "not asked: the engine has failed too often to be started again")
                self.restarts_left -= self._last_id > 0
                self._greeted()
            return self._answer(method, params)

    def ask_ahead(self, questions: Sequence[Foreseen], ahead: int) -> Iterator[Any]:
        """The answers to questions in order, up to `ahead` of them sent before the first is answered.

        One that is written as foreseen is given as None; an Unsupported, or an EngineError that leaves the process
        alive, is given and not raised. Nothing is given by an engine that is not running. To be gone through to its
        end, or closed. Raises EngineError at the first question that has no usable answer.
        """
        with self._asking:
            if self._running is None:
                return
            first = self._last_id + 1
            self._last_id += len(questions)
            try:
                lines = self._running.exchange_ahead(first, questions, ahead, self.timeout)
                for id, (question, line) in enumerate(zip(questions, lines, strict=True), first):
                    if protocol.is_foreseen(line, id, question):
                        yield None
                        continue
                    try:
                        answer = protocol.result(line.decode("utf-8", "replace"), id, question.method, self._limits)
                    except (Unsupported, EngineError) as error:
                        if not _harmless(error):
                            raise
                        answer = error
                    yield answer
            except BaseException as error:
                raise self._after(error) from None

    def take_notes(self) -> tuple[str, ...]:
        """How the answers since the last time came about: of a process there is nothing to say."""
        return ()

    def close(self) -> None:
        """Say quit, wait a moment, and end the process if it is still there."""
        with self._gate:
            self._closed = True
            if self._wake is not None:
                os.write(self._wake[1], b"!")
        if not self._asking.acquire(timeout=5 * _TO_END):
            return  # it is being ended in another thread, and takes its time
        try:
            if self._running is not None:
                self._running.quit(self._speech.request(self._last_id + 1, "quit", None))
        finally:
            try:
                self._end()
            finally:
                self._asking.release()
        with self._gate:
            for descriptor in self._wake or ():
                os.close(descriptor)
            self._wake = None

    def _greeted(self) -> Hello:
        """The handshake, with a new process if there is none."""
        if self._running is None:
            self._start()
            try:
                self._hello = protocol.hello(self._answer("hello", protocol.hello_params()))
            except Unsupported as reason:
                self._end()
                raise EngineError("refused", f"does not answer hello: {reason}") from None
            except EngineError:
                self._end()
                raise
        assert self._hello is not None
        return self._hello

    def _start(self) -> None:
        with self._gate:
            if self._closed:
                raise EngineError("gone", "not asked: the run is over")
            try:
                self._wake = self._wake or os.pipe()
            except OSError as error:
                raise EngineError("start", f"cannot start {self.command[0]!r}: {error.strerror}") from None
            wake = self._wake[0]
        self._running = _Running(self.command, self._environment, self._confinement, self._noise, self._limits, wake)

    def _answer(self, method: str, params: Mapping[str, Any]) -> Any:
        """The answer of the running process, which is ended if there is none."""
        self._last_id += 1
        try:
            assert self._running is not None
            question = self._speech.request(self._last_id, method, params)
            line = self._running.exchange(question, method, self.timeout)
            return self._speech.result(line, self._last_id, method, self._limits)
        except BaseException as error:
            raise self._after(error) from None

    def _after(self, error: BaseException) -> BaseException:
        """What is to be raised where no answer came; the process is ended, unless it can go on."""
        if isinstance(error, _Dead):
            return EngineError("died", f"{error}{self._ending()}")
        if not _harmless(error):  # interrupted too: the answer would come to the next question
            self._end()
        return EngineError("gone", "not asked: the run is over") if isinstance(error, Woken) else error

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
        return f", {_status(status)}{said}{hints.of_noise(noise)}"


def _status(status: int) -> str:
    """An exit status in words."""
    try:
        return f"exit status {status}" if status >= 0 else f"ended by {signal.Signals(-status).name}"
    except ValueError:
        return f"ended by signal {-status}"


def _harmless(error: BaseException) -> bool:
    """Whether a process can go on after what it has said."""
    return isinstance(error, Unsupported) or (isinstance(error, EngineError) and error.kind == "refused")


class _Speech(Protocol):
    """How questions are written and answers read: the module `protocol`, or `Lines`."""

    def request(self, id: int, method: str, params: Mapping[str, Any] | None) -> str: ...

    def result(self, line: str, id: int, method: str, limits: Limits) -> Any: ...


class _Dead(Exception):
    """A process that has ended or has closed its pipes; `str()` is when, for a message."""


class _Running:
    """One process of an engine, with its pipes and its folder."""

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        confinement: Confinement,
        noise: Noise,
        limits: Limits,
        wake: int,
    ) -> None:
        self._noise = noise
        self._most = limits.answer
        self._folder = confinement.folder()
        try:
            words = confinement.words(command, self._folder)
            temporary = {"TMPDIR": self._folder} if self._folder else {}
            self._family = Family(words, {**confinement.environment(), **temporary, **environment}, self._folder)
        except (OSError, ValueError) as error:
            self._remove_folder()
            reason = getattr(error, "strerror", None) or error
            raise EngineError("start", f"cannot start {command[0]!r}: {reason}") from None
        except BaseException:
            self._remove_folder()
            raise
        self._pipes = Pipes(self._family.process, noise, limits.answer, wake)

    def exchange(self, question: str, method: str, timeout: float) -> str:
        """The line after a question of a method. Raises Woken, _Dead, or EngineError of kind `timeout` or `size`."""
        deadline = time.monotonic() + (timeout if timeout < _LONGEST else _LONGEST)
        try:
            line = self._pipes.exchange(question.encode() + b"\n", deadline)
        except (Late, TooLong, Ended) as problem:
            raise self._error(problem, method, timeout) from None
        return line.decode("utf-8", "replace")

    def exchange_ahead(self, first: int, questions: Sequence[Foreseen], ahead: int, timeout: float) -> Iterator[bytes]:
        """The line for each question, up to `ahead` of them sent before the first comes. Raises as `exchange`."""
        answered = 0
        try:
            messages = protocol.lines_ahead(questions, first)
            for line in self._pipes.exchange_ahead(messages, ahead, timeout if timeout < _LONGEST else _LONGEST):
                answered += 1
                yield line
        except (Late, TooLong, Ended) as problem:
            raise self._error(problem, questions[answered].method, timeout) from None

    def _error(self, problem: Late | TooLong | Ended, method: str, timeout: float) -> Exception:
        """What is raised where no line came for a question."""
        match problem:
            case Late():
                late = f"did not answer {method} within {timeout:g} seconds"
                return EngineError("timeout", late + self._why_late())
            case TooLong():
                quoted = protocol.excerpt(str(problem))
                return EngineError("size", f"answered {method} with a line of more than {self._most} bytes: {quoted}")
            case Ended():
                return _Dead("takes no more questions" if problem.taking else f"ended while asked {method}")

    def quit(self, message: str) -> None:
        """Say quit, by this message, and wait a moment for the end."""
        deadline = time.monotonic() + _TO_END
        self._pipes.ignore_wake()
        with suppress(Late, Ended):
            self._pipes.send(message.encode() + b"\n", deadline)
        self._pipes.close_input()
        self._pipes.drain(deadline, lambda: self._family.ended)

    def end(self, *, patient: bool = False) -> tuple[int | None, tuple[int, ...]]:
        """End it with all that it has started: its exit status, if it ends by itself, and the ids of what is left.

        `patient` waits a moment for it to end by itself.
        """
        by_itself, left = False, tuple[int, ...]()
        try:
            if patient:
                with suppress(Woken):
                    self._pipes.drain(time.monotonic() + _TO_END, lambda: self._family.ended)
            by_itself = self._family.ended
        finally:
            left = self._family.end()
            self._pipes.close()
            self._remove_folder()
        return self._family.process.returncode if by_itself else None, left

    def _why_late(self) -> str:
        """What may be wrong when no answer has come, as far as it can be seen; it may take a moment to see."""
        if begun := self._pipes.begun:
            return hints.of_begun(begun)
        if self._pipes.heard:
            return "; its process has ended, and another holds its output" if self._family.ended else ""
        if hint := hints.of_noise(self._noise.lines()):
            return hint
        self._pipes.close_input()
        with suppress(Late, Ended, TooLong, Woken):
            self._pipes.receive(time.monotonic() + _LAST_WORD)
        return hints.FLUSH if self._pipes.heard else ""

    def _remove_folder(self) -> None:
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)
