"""The pipes of an engine process, with a deadline for every wait.

One thread for each pipe writes or reads, so the caller never blocks on a pipe. Buffers are bounded. A pipe that another
process keeps open blocks only its own thread, a daemon.
"""

from __future__ import annotations

import subprocess
import time
from collections import deque
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from threading import Condition, Lock, Thread

#: How many lines of an engine's standard error are kept, and how many bytes of each.
STDERR_LINES = 200
STDERR_BYTES = 500
_CHUNK = 1 << 16
#: The polling interval in `drain`, in seconds.
_POLL_INTERVAL = 0.005
#: Seconds to wait for output that a process wrote before it closed its input or ended.
_LAST_OUTPUT_TIMEOUT = 1.0
#: The longest single wait, in seconds: on Windows a wait cannot be interrupted.
_LONGEST_WAIT = 1.0


class EngineTimeoutError(Exception):
    """The deadline has passed."""


class EngineExitedError(Exception):
    """The engine has closed a pipe; `input_only` says whether it was only its input."""

    def __init__(self, input_only: bool) -> None:
        super().__init__()
        self.input_only = input_only


class LineTooLongError(Exception):
    """A line is longer than allowed; `str()` is its beginning."""


class EngineClosedError(Exception):
    """Another thread has ended the wait by `EnginePipes.wake`."""


class StderrTail:
    """The last lines of an engine's standard error, each truncated."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._lines: deque[bytes] = deque(maxlen=STDERR_LINES)
        self._begun = b""

    def add(self, chunk: bytes) -> None:
        """Append output."""
        with self._lock:
            text = (self._begun + chunk).replace(b"\r", b"\n")
            *lines, begun = text.split(b"\n")
            self._begun = begun[:STDERR_BYTES]
            self._lines.extend(line[:STDERR_BYTES] for line in lines[-2 * STDERR_LINES :] if line.strip())

    def end(self) -> None:
        """Complete the last line: no more output follows."""
        self.add(b"\n")

    def lines(self) -> tuple[str, ...]:
        """Return the lines so far."""
        with self._lock:
            return tuple(line.decode("utf-8", "replace").rstrip().expandtabs() for line in self._lines)


class EnginePipes:
    """The three pipes of a process; `max_line` is the maximum length of a line in bytes.

    Only one thread at a time may use them. Methods that wait raise EngineTimeoutError after a deadline,
    EngineExitedError, LineTooLongError, and EngineClosedError after a `wake` from another thread.
    """

    def __init__(self, process: subprocess.Popen[bytes], tail: StderrTail, max_line: int) -> None:
        streams = process.stdin, process.stdout, process.stderr
        self._in, self._out, self._err = (stream for stream in streams if stream is not None)
        self._tail = tail
        self._max_line = max_line
        #: Messages to write; None closes the input.
        self._unsent: SimpleQueue[bytes | None] = SimpleQueue()
        #: Guards the attributes below, and is notified of each change.
        self._changed = Condition()
        #: Output not consumed yet; its first `_searched` bytes have no newline.
        self._buffer = bytearray()
        self._searched = 0
        self.has_output = False
        #: Whether the reader waits for room in the buffer, whether it discards output, and whether it has ended.
        self._full = self._discarding = self._output_ended = False
        #: When writing to the process first failed.
        self._write_failed: float | None = None
        self._woken, self._wakeable = False, True
        #: Whether nobody waits for the rest of the output any more: a process that still writes is not read for ever.
        self._closed = False
        self._threads = [Thread(target=each, daemon=True) for each in (self._write, self._read_all, self._read_errors)]
        for thread in self._threads:
            thread.start()

    @property
    def incomplete_line(self) -> bytes:
        """The output after the last newline."""
        with self._changed:
            return bytes(self._buffer).lstrip()

    def send(self, message: bytes) -> None:
        """Queue a message for writing."""
        self._unsent.put(message)

    def receive(self, deadline: float) -> bytes:
        """Return the next line that is not blank."""
        with self._changed:
            while not (line := self._line()):
                self._wait(deadline)
            return line

    def close_input(self) -> None:
        """Close the input once all queued messages are written."""
        self._unsent.put(None)

    def wake(self) -> None:
        """End the wait of another thread, now or as soon as it waits."""
        with self._changed:
            self._woken = True
            self._changed.notify_all()

    def ignore_wake(self) -> None:
        """Let `wake` have no effect from now on."""
        self._wakeable = False

    def drain(self, deadline: float, until: Callable[[], bool]) -> bool:
        """Discard output until a condition holds; return whether it did before the deadline."""
        self._discard()
        while not until():
            if self._woken and self._wakeable:
                raise EngineClosedError
            if time.monotonic() >= deadline:
                return False
            time.sleep(_POLL_INTERVAL)
        return True

    def close(self) -> None:
        """Read the rest of an ended process's standard error, and close the pipes.

        A pipe that another process keeps open is closed when that process closes it, or writes to it once more.
        """
        self.close_input()
        self._discard()
        deadline = time.monotonic() + _LAST_OUTPUT_TIMEOUT
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))
        self._closed = True
        self._tail.end()

    # --- in the threads -----------------------------------------------------------------------

    def _write(self) -> None:
        try:
            with self._in:
                while (message := self._unsent.get()) is not None:
                    unsent = memoryview(message)
                    while unsent:
                        unsent = unsent[self._in.write(unsent) :]
        except OSError:
            with self._changed:
                self._write_failed = time.monotonic()
                self._changed.notify_all()

    def _read_all(self) -> None:
        with self._out:
            for chunk in self._chunks(self._out.read):
                with self._changed:
                    while len(self._buffer) > self._max_line and not self._discarding:
                        self._full = True
                        self._changed.wait()
                    if not self._discarding:
                        self._buffer += chunk
                        self.has_output = True
                        self._changed.notify_all()
        with self._changed:
            self._output_ended = True
            self._changed.notify_all()

    def _read_errors(self) -> None:
        with self._err:
            for chunk in self._chunks(self._err.read):
                self._tail.add(chunk)

    def _chunks(self, read: Callable[[int], bytes]) -> Iterator[bytes]:
        """Yield what is read from a pipe until its writers have closed it, or `close` has waited for them."""
        try:
            while (chunk := read(_CHUNK)) and not self._closed:
                yield chunk
        except OSError:
            return

    # --- with the lock held -------------------------------------------------------------------

    def _wait(self, deadline: float) -> None:
        if self._woken and self._wakeable:
            raise EngineClosedError
        if self._output_ended:
            if not self._buffer.strip():
                raise EngineExitedError(input_only=False)
            self._buffer += b"\n"  # the end of the last line
            return
        if self._write_failed is not None:
            deadline = min(deadline, self._write_failed + _LAST_OUTPUT_TIMEOUT)
        left = deadline - time.monotonic()
        if left <= 0:
            raise EngineTimeoutError if self._write_failed is None else EngineExitedError(input_only=True)
        self._changed.wait(min(left, _LONGEST_WAIT))

    def _line(self) -> bytes:
        """Remove and return the next line of the buffer that is not blank; empty if there is none."""
        buffer = self._buffer
        while True:
            end = buffer.find(b"\n", self._searched)
            if (len(buffer) if end < 0 else end) > self._max_line:
                raise LineTooLongError(buffer[:200].decode("utf-8", "replace"))
            if end < 0:
                self._searched = len(buffer)
                return b""
            line = bytes(buffer[:end])
            del buffer[: end + 1]
            self._searched = 0
            if not line or line.isspace():
                self._buffer = buffer = buffer.lstrip()
            if self._full:
                self._full = False
                self._changed.notify_all()
            if line and not line.isspace():
                return line

    def _discard(self) -> None:
        with self._changed:
            self._discarding = True
            self._buffer.clear()
            self._changed.notify_all()
