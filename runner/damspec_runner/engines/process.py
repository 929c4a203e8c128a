"""An engine under test: a question is written to its process, a line read back, and nothing it does lasts for ever."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from . import hints, protocol
from .confinement import Confinement
from .forms import LIMITS, Limits
from .lines import Lines
from .pipes import Noise, Woken
from .protocol import EngineError, Hello, Unsupported, Written
from .running import TO_END, Dead, Running


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
        self._running: Running | None = None
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
        return tuple(map(protocol.strip_control_characters, self._noise.lines()))

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

    @property
    def next_id(self) -> int:
        """The id of the next question."""
        return self._last_id + 1

    def ask_ahead(self, lines: Written, ahead: int) -> Iterator[Any]:
        """The answers to questions in order, up to `ahead` of them sent before the first is answered; their ids begin
        with the next.

        A number stands for so many that are written as foreseen; an Unsupported, or an EngineError that leaves the
        process alive, is given and not raised. Nothing is given by an engine that is not running. To be gone through
        to its end, or closed. Raises EngineError at the first question that has no usable answer.
        """
        with self._asking:
            if self._running is None:
                return
            first = self._last_id + 1
            self._last_id += len(lines.asked)
            done = 0
            try:
                for some in self._running.exchange_ahead(lines.asked, ahead, self.timeout):
                    told = lines.told[done : done + len(some)]
                    if some == told:
                        done += len(some)
                        yield len(some)
                        continue
                    foreseen = 0
                    for line, right in zip(some, told, strict=True):
                        if line == right or protocol.is_reordered(line, right):
                            foreseen += 1
                            continue
                        if foreseen:
                            yield foreseen
                        done += foreseen
                        foreseen = 0
                        yield self._unforeseen(line, first + done, protocol.method_of(lines.asked[done]))
                        done += 1
                    if foreseen:
                        yield foreseen
                    done += foreseen
            except BaseException as error:
                raise self._after(error) from None

    def _unforeseen(self, line: bytes, id: int, method: str) -> Any:
        """An answer that has to be read; what leaves the process alive is given and not raised."""
        try:
            return protocol.result(line.decode("utf-8", "replace"), id, method, self._limits)
        except (Unsupported, EngineError) as error:
            if not _harmless(error):
                raise
            return error

    def take_notes(self) -> tuple[str, ...]:
        """How the answers since the last time came about: of a process there is nothing to say."""
        return ()

    def close(self) -> None:
        """Say quit, wait a moment, and end the process if it is still there."""
        with self._gate:
            self._closed = True
            if self._wake is not None:
                os.write(self._wake[1], b"!")
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
        with self._gate:
            for descriptor in self._wake or ():
                os.close(descriptor)
            self._wake = None

    def _greeted(self) -> Hello:
        """The handshake, with a new process if there is none."""
        if self._running is None:
            self._start()
            try:
                self._hello = self._greeting()
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
        self._running = Running(self.command, self._environment, self._confinement, self._noise, self._limits, wake)

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
        if isinstance(error, Dead):
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
