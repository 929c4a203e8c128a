"""Talking to a process over its pipes, with a deadline for whatever may take long.

Threads write and read, one for each pipe, so that who asks waits for news and never in a pipe. What they keep is
bounded. A pipe that something else keeps open holds up nobody but its thread, which ends with the program.
"""

from __future__ import annotations

import subprocess
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from queue import SimpleQueue
from threading import Condition, Lock, Thread

#: Lines of an engine's standard error that are kept, and the bytes kept of each.
STDERR_LINES = 200
STDERR_BYTES = 500
_CHUNK = 1 << 16
#: Seconds between two looks at what nobody tells.
_GLANCE = 0.005
#: Seconds for what a process has answered before it closed its input, or has said before its end.
_LAST_WORDS = 1.0
#: The longest single wait, in seconds: on Windows nothing interrupts one.
_AT_A_TIME = 1.0


class EngineTimeoutError(Exception):
    """The deadline has passed."""


class EngineExitedError(Exception):
    """The other side has closed a pipe: `taking` is whether that was its input alone."""

    def __init__(self, taking: bool) -> None:
        super().__init__()
        self.taking = taking


class LineTooLongError(Exception):
    """A line goes on for longer than is read; `str()` is how it starts."""


class EngineClosedError(Exception):
    """Another thread wants the waiting to end."""


class StderrTail:
    """The last lines of a standard error, each cut."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._lines: deque[bytes] = deque(maxlen=STDERR_LINES)
        self._begun = b""

    def add(self, chunk: bytes) -> None:
        """Take in what was said."""
        with self._lock:
            text = (self._begun + chunk).replace(b"\r", b"\n")
            *lines, begun = text.split(b"\n")
            self._begun = begun[:STDERR_BYTES]
            self._lines.extend(line[:STDERR_BYTES] for line in lines[-2 * STDERR_LINES :] if line.strip())

    def end(self) -> None:
        """What was begun is a line: nothing more will come of it."""
        self.add(b"\n")

    def lines(self) -> tuple[str, ...]:
        """The lines so far."""
        with self._lock:
            return tuple(line.decode("utf-8", "replace").rstrip().expandtabs() for line in self._lines)


class EnginePipes:
    """The three pipes of a process; `most` is the bytes a line may have.

    One thread at a time asks. What it waits in raises EngineTimeoutError after a deadline, EngineExitedError,
    LineTooLongError, and EngineClosedError after a `wake` from another thread.
    """

    def __init__(self, process: subprocess.Popen[bytes], tail: StderrTail, most: int) -> None:
        streams = process.stdin, process.stdout, process.stderr
        self._in, self._out, self._err = (stream for stream in streams if stream is not None)
        self._tail = tail
        self._most = most
        #: Messages to write; None closes the input.
        self._unsent: SimpleQueue[bytes | None] = SimpleQueue()
        #: Held to look at or change what follows, and told of each change.
        self._news = Condition()
        #: What has come and is not taken yet: the part that has been searched for a newline is `_searched` long.
        self._buffer = bytearray()
        self._searched = 0
        #: Whether anything has ever come.
        self.heard = False
        #: Whether the reader waits until there is room, whether what it reads is dropped, and whether it has ended.
        self._full = self._dropping = self._output_ended = False
        #: When the process was found to take no more.
        self._refused: float | None = None
        #: Whether the waiting is to end, and whether it can be ended so.
        self._woken, self._wakeable = False, True
        self._threads = [Thread(target=each, daemon=True) for each in (self._write, self._read, self._read_errors)]
        for thread in self._threads:
            thread.start()

    @property
    def begun(self) -> bytes:
        """What has come of a line whose end is missing."""
        with self._news:
            return bytes(self._buffer).lstrip()

    def exchange(self, message: bytes, deadline: float) -> bytes:
        """Write a message and read the next line that is not blank."""
        self.send(message)
        return self.receive(deadline)

    def exchange_ahead(self, messages: Sequence[bytes], most: int, timeout: float) -> Iterator[bytes]:
        """Write messages, with so many unanswered at most; a line for each comes, `timeout` seconds apart at most."""
        sent = 0
        for answered in range(len(messages)):
            if 2 * (sent - answered) <= most and sent < len(messages) and self._refused is None:
                self._unsent.put(b"".join(messages[sent : answered + most]))
                sent = answered + most
            yield self.receive(time.monotonic() + timeout)

    def converse(self, message: bytes, deadline: Callable[[], float]) -> Iterator[bytes]:
        """Write a message, and give each line that comes, while it is being written and afterwards.

        The deadline is asked for whenever there is something to wait for.
        """
        self.send(message)
        while True:
            with self._news:
                while not (line := self._line()):
                    self._wait(deadline())
            yield line

    def send(self, message: bytes) -> None:
        """Have a message written."""
        self._unsent.put(message)

    def receive(self, deadline: float) -> bytes:
        """The next line that is not blank."""
        with self._news:
            while not (line := self._line()):
                self._wait(deadline)
            return line

    def close_input(self) -> None:
        """Let the process know that nothing more will be asked."""
        self._unsent.put(None)

    def wake(self) -> None:
        """End the waiting of another thread, now or as soon as it waits."""
        with self._news:
            self._woken = True
            self._news.notify_all()

    def ignore_wake(self) -> None:
        """From now on nobody ends the waiting but the deadlines."""
        self._wakeable = False

    def drain(self, deadline: float, until: Callable[[], bool]) -> bool:
        """Wait for something, with the output read and forgotten from now on; whether it came before the deadline."""
        self._drop()
        while not until():
            if self._woken and self._wakeable:
                raise EngineClosedError
            if time.monotonic() >= deadline:
                return False
            time.sleep(_GLANCE)
        return True

    def close(self) -> None:
        """Take in what an ended process has said on its standard error, and close all.

        What something else keeps open is closed when that lets go of it.
        """
        self.close_input()
        self._drop()
        deadline = time.monotonic() + _LAST_WORDS
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))
        self._tail.end()

    # --- what the threads do ------------------------------------------------------------------

    def _write(self) -> None:
        try:
            with self._in:
                while (message := self._unsent.get()) is not None:
                    unsent = memoryview(message)
                    while unsent:
                        unsent = unsent[self._in.write(unsent) :]
        except OSError:
            with self._news:
                self._refused = time.monotonic()
                self._news.notify_all()

    def _read(self) -> None:
        with self._out:
            for chunk in _chunks(self._out.read):
                with self._news:
                    while len(self._buffer) > self._most and not self._dropping:
                        self._full = True
                        self._news.wait()
                    if not self._dropping:
                        self._buffer += chunk
                        self.heard = True
                        self._news.notify_all()
        with self._news:
            self._output_ended = True
            self._news.notify_all()

    def _read_errors(self) -> None:
        with self._err:
            for chunk in _chunks(self._err.read):
                self._tail.add(chunk)

    # --- what has come ------------------------------------------------------------------------

    def _wait(self, deadline: float) -> None:
        """Wait for news."""
        if self._woken and self._wakeable:
            raise EngineClosedError
        if self._output_ended:
            if not self._buffer.strip():
                raise EngineExitedError(taking=False)
            self._buffer += b"\n"  # the end of the last line
            return
        if self._refused is not None:
            deadline = min(deadline, self._refused + _LAST_WORDS)
        left = deadline - time.monotonic()
        if left <= 0:
            raise EngineTimeoutError if self._refused is None else EngineExitedError(taking=True)
        self._news.wait(min(left, _AT_A_TIME))

    def _line(self) -> bytes:
        """A line that is there already; nothing if there is none."""
        buffer = self._buffer
        while True:
            end = buffer.find(b"\n", self._searched)
            if (len(buffer) if end < 0 else end) > self._most:
                raise LineTooLongError(buffer[:200].decode("utf-8", "replace"))
            if end < 0:
                self._searched = len(buffer)
                return b""
            line = bytes(buffer[:end])
            del buffer[: end + 1]
            self._searched = 0
            if not line or line.isspace():
                self._buffer = buffer = buffer.lstrip()
            self._has_room()
            if line and not line.isspace():
                return line

    def _has_room(self) -> None:
        """Tell the reader that something was taken, if it waits for that."""
        if self._full:
            self._full = False
            self._news.notify_all()

    def _drop(self) -> None:
        """From now on what comes on the output is dropped."""
        with self._news:
            self._dropping = True
            self._buffer.clear()
            self._news.notify_all()


def _chunks(read: Callable[[int], bytes]) -> Iterator[bytes]:
    """What is read from a pipe until it is closed."""
    try:
        while chunk := read(_CHUNK):
            yield chunk
    except OSError:
        return
