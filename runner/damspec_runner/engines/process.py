"""An engine as a process: starting it, asking with a timeout, keeping its standard error, restarting it."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from . import protocol
from .protocol import EngineError, Hello, Unsupported

#: Lines of an engine's standard error that are kept.
NOISE_LINES = 200


class Engine:
    """A running engine, asked one question at a time.

    After an answer that breaks the protocol, a timeout or its death the process is started anew for the next
    question, at most `restarts` times. `timeout` is in seconds for each question; `environment` is added to this
    process's own. `close` may be called from another thread: it ends the question being asked, and nothing is
    started any more.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        timeout: float = 10.0,
        restarts: int = 3,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.command = list(command)
        self.timeout = min(threading.TIMEOUT_MAX, timeout)
        self.restarts_left = restarts
        self.noise: deque[str] = deque(maxlen=NOISE_LINES)
        self._environment = {**os.environ, **(environment or {})}
        self._process: subprocess.Popen[str] | None = None
        self._lock = threading.Lock()
        self._closed = False
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._listener: threading.Thread | None = None
        self._last_id = 0
        self._hello: Hello | None = None

    def __enter__(self) -> Engine:
        self.hello()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def hello(self) -> Hello:
        """What the engine says of itself; starts it if it is not running. Raises EngineError."""
        if self._process is None:
            self._start()
            try:
                self._hello = protocol.hello(self._exchange("hello", protocol.hello_params()))
            except Unsupported as reason:
                self._kill()
                raise EngineError("refused", f"does not answer hello: {reason}") from None
            except EngineError:
                self._kill()
                raise
        assert self._hello is not None
        return self._hello

    def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        """The answer to a question. Raises Unsupported, or EngineError when there is no usable answer."""
        if self._process is None and self._last_id:
            if self.restarts_left <= 0:
                raise EngineError("gone", "not asked: the engine has failed too often to be started again")
            self.restarts_left -= 1
        self.hello()
        try:
            return self._exchange(method, params)
        except EngineError as error:
            if error.kind != "refused":
                self._kill()
            raise

    def close(self) -> None:
        """Say quit, wait a moment, and end the process if it is still there."""
        with self._lock:
            self._closed = True
            process = self._process
        if process is None:
            return
        try:
            self._write(protocol.request(self._last_id + 1, "quit", None))
            if process.stdin:
                process.stdin.close()
            process.wait(1.0)
        except (OSError, EngineError, subprocess.TimeoutExpired):
            pass
        self._kill()

    def _start(self) -> None:
        with self._lock:
            if self._closed:
                raise EngineError("gone", "not asked: the run is over")
            try:
                self._process = process = subprocess.Popen(
                    self.command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    encoding="utf-8",
                    errors="replace",
                    bufsize=1,
                    env=self._environment,
                    start_new_session=True,
                )
            except OSError as error:
                raise EngineError("start", f"cannot start {self.command[0]!r}: {error.strerror or error}") from None
        self._lines = queue.SimpleQueue()
        threading.Thread(target=_listen, args=(process.stdout, self._lines), daemon=True).start()
        self._listener = threading.Thread(target=_keep, args=(process.stderr, self.noise), daemon=True)
        self._listener.start()

    def _exchange(self, method: str, params: Mapping[str, Any]) -> Any:
        self._last_id += 1
        self._write(protocol.request(self._last_id, method, params))
        try:
            line = self._lines.get(timeout=self.timeout)
        except queue.Empty:
            raise EngineError("timeout", f"did not answer {method} within {self.timeout:g} seconds") from None
        if line is None:
            raise EngineError("died", f"ended while asked {method}{self._ending()}")
        return protocol.result(line, self._last_id, method)

    def _write(self, line: str) -> None:
        process = self._process
        if process is None or process.stdin is None:
            raise EngineError("gone", "not asked: the run is over")
        try:
            process.stdin.write(line + "\n")
            process.stdin.flush()
        except (OSError, ValueError):  # ValueError: closed on this side
            raise EngineError("died", f"takes no more questions{self._ending()}") from None

    def _ending(self) -> str:
        """The exit status and the last line of noise of a process that has ended, for a message."""
        process = self._process
        if process is None:
            return ""
        try:
            status = process.wait(1.0)
        except subprocess.TimeoutExpired:
            return ", its output closed"
        if self._listener:
            self._listener.join(1.0)
        said = f", having said {protocol.excerpt(self.noise[-1])}" if self.noise else ""
        return f", exit status {status}{said}"

    def _kill(self) -> None:
        with self._lock:
            process, self._process = self._process, None
        if process is None:
            return
        _end(process)
        if self._listener:
            self._listener.join(1.0)
        for stream in (process.stdin, process.stdout, process.stderr):
            try:
                if stream:
                    stream.close()
            except OSError:
                pass


def _end(process: subprocess.Popen[str]) -> None:
    """Kill a process with whatever it has started: a shell or a launcher is not the engine itself."""
    if hasattr(os, "killpg"):
        with suppress(OSError):  # none of them is left
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()


def _keep(stream: Any, noise: deque[str]) -> None:
    """Keep the last lines of an engine's standard error."""
    with suppress(ValueError):  # the stream was closed while it was read
        for line in stream:
            noise.append(protocol.plain(line.rstrip().expandtabs()))


def _listen(stream: Any, lines: queue.SimpleQueue[str | None]) -> None:
    """Pass an engine's lines on, and None at the end; blank lines are skipped."""
    try:
        for line in stream:
            if line.strip():
                lines.put(line)
    except ValueError:  # the stream was closed while it was read
        pass
    lines.put(None)
