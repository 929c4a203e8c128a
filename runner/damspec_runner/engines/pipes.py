"""Talking to a process over its pipes: all in the thread that asks, with a deadline for whatever may take long.

No thread reads for another: a pipe that something else keeps open holds nobody up. What comes is kept to a bound.
"""

from __future__ import annotations

import os
import select
import subprocess
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence

#: Lines of an engine's standard error that are kept, and the bytes kept of each.
NOISE_LINES = 200
NOISE_BYTES = 500
_CHUNK = 1 << 16
#: Seconds between two looks at what no descriptor tells.
_GLANCE = 0.005
#: Seconds for what a process has answered before it closed its input.
_LAST_WORDS = 1.0
#: The longest single wait, in seconds: poll takes a number of milliseconds that fits in 32 bits.
_LONGEST = 1e6


class Late(Exception):
    """The deadline has passed."""


class Ended(Exception):
    """The other side has closed a pipe: `taking` is whether it was its input."""

    def __init__(self, taking: bool) -> None:
        super().__init__()
        self.taking = taking


class TooLong(Exception):
    """A line goes on for longer than is read; `str()` is how it starts."""


class Woken(Exception):
    """Another thread wants the waiting to end."""


class Noise:
    """The last lines of a standard error, each cut."""

    def __init__(self) -> None:
        self._lines: deque[bytes] = deque(maxlen=NOISE_LINES)
        self._begun = b""

    def add(self, chunk: bytes) -> None:
        """Take in what was said."""
        text = (self._begun + chunk).replace(b"\r", b"\n")
        *lines, begun = text.split(b"\n")
        self._begun = begun[:NOISE_BYTES]
        self._lines.extend(line[:NOISE_BYTES] for line in lines[-2 * NOISE_LINES :] if line.strip())

    def end(self) -> None:
        """What was begun is a line: nothing more will come of it."""
        self.add(b"\n")

    def lines(self) -> tuple[str, ...]:
        """The lines so far."""
        return tuple(line.decode("utf-8", "replace").rstrip().expandtabs() for line in self._lines)


class Pipes:
    """The three pipes of a process.

    `most` is the bytes a line may have; a descriptor `wake` that becomes readable ends any waiting.
    """

    def __init__(self, process: subprocess.Popen[bytes], noise: Noise, most: int, wake: int) -> None:
        self._streams = [stream for stream in (process.stdin, process.stdout, process.stderr) if stream]
        self._in, self._out, self._err = (stream.fileno() for stream in self._streams)
        for descriptor in (self._in, self._out, self._err):
            os.set_blocking(descriptor, False)
        self._noise = noise
        self._most = most
        self._wake = wake
        self._poll = select.poll()
        for descriptor in (self._out, self._err, wake):
            self._poll.register(descriptor, select.POLLIN)
        #: What has come and is not read yet: the part that has been searched for a newline is `_searched` long.
        self._buffer = bytearray()
        self._searched = 0
        #: Whether anything has ever come.
        self.heard = False

    @property
    def begun(self) -> bytes:
        """What has come of a line whose end is missing."""
        return bytes(self._buffer).lstrip()

    def exchange(self, message: bytes, deadline: float) -> bytes:
        """Write a message and read the next line that is not blank. Raises Late, Ended, TooLong, Woken."""
        if self._buffer or self._out < 0:
            self.send(message, deadline)
            return self.receive(deadline)
        # Mostly the message goes at once, and just the answer comes.
        try:
            written = os.write(self._in, message)
        except BlockingIOError:
            written = 0
        except OSError:
            raise Ended(taking=True) from None
        if written < len(message):
            self.send(message[written:], deadline)
        if self._out in self._wait(deadline):
            chunk = self._read()
            end = chunk.find(b"\n")
            if 0 < end == len(chunk) - 1 <= self._most and not chunk.isspace():
                self.heard = True
                return chunk
            if not chunk:
                raise Ended(taking=False)
            self.heard = True
            self._buffer += chunk
        return self.receive(deadline)

    def exchange_ahead(self, messages: Sequence[bytes], ahead: int, timeout: float) -> Iterator[list[bytes]]:
        """Write messages, up to `ahead` of them unanswered, and read a line for each: those that have come, again and
        again, at most `timeout` seconds apart. Raises as `exchange`.
        """
        sent = answered = 0
        unsent, taking, deadline = b"", True, 0.0
        while answered < len(messages):
            if taking and not unsent and sent < len(messages) and 2 * (sent - answered) <= ahead:
                upto = min(answered + ahead, len(messages))
                sent, unsent = upto, b"".join(messages[sent:upto])
            if unsent:
                try:
                    unsent = unsent[os.write(self._in, unsent) :]
                except BlockingIOError:
                    pass
                except OSError:  # what it has answered before may still be there
                    unsent, taking = b"", False
            if lines := self._lines(sent - answered):
                answered += len(lines)
                deadline = 0.0
                yield lines
                continue
            deadline = deadline or time.monotonic() + (timeout if taking else min(timeout, _LAST_WORDS))
            try:
                self._receive_some(deadline, writing=bool(unsent))
            except Late:
                if taking:
                    raise
                raise Ended(taking=True) from None

    def converse(self, message: bytes, deadline: Callable[[], float]) -> Iterator[bytes]:
        """Write a message, and give each line that comes, while it is being written and afterwards.

        The deadline is asked for whenever there is something to wait for. Raises as `exchange`.
        """
        unsent = memoryview(message)
        while True:
            if unsent:
                try:
                    unsent = unsent[os.write(self._in, unsent[:_CHUNK]) :]
                except BlockingIOError:
                    pass
                except OSError:
                    raise Ended(taking=True) from None
            while line := self._line():
                yield line
            self._receive_some(deadline(), writing=bool(unsent))

    def _receive_some(self, deadline: float, *, writing: bool) -> None:
        """Wait for something to read, or to write to if one is `writing`. Raises Late, Ended, Woken."""
        if writing:
            self._poll.register(self._in, select.POLLOUT)
        try:
            happened = self._wait(deadline)
        finally:
            if writing:
                self._poll.unregister(self._in)
        if self._out in happened:
            chunk = self._read()
            if not chunk:
                if not self._buffer.strip():
                    raise Ended(taking=False)
                chunk = b"\n"  # the end of the last line
            self.heard = True
            self._buffer += chunk

    def send(self, message: bytes, deadline: float) -> None:
        """Write a message. Raises Late, Ended, Woken."""
        while True:
            try:
                written = os.write(self._in, message)
            except BlockingIOError:
                written = 0
            except OSError:
                raise Ended(taking=True) from None
            if written == len(message):
                return
            message = message[written:]
            self._poll.register(self._in, select.POLLOUT)
            self._poll.unregister(self._out)  # nobody reads it now
            try:
                self._wait(deadline)
            finally:
                self._poll.unregister(self._in)
                self._poll.register(self._out, select.POLLIN)

    def receive(self, deadline: float) -> bytes:
        """The next line that is not blank. Raises Late, Ended, TooLong, Woken."""
        while True:
            if line := self._line():
                return line
            while self._out not in self._wait(deadline):
                pass
            chunk = self._read()
            if not chunk:
                rest, self._buffer, self._searched = bytes(self._buffer), bytearray(), 0
                if rest.strip():
                    return rest
                raise Ended(taking=False)
            self.heard = True
            self._buffer += chunk

    def close_input(self) -> None:
        """Let the process know that nothing more will be asked."""
        self._streams[0].close()

    def ignore_wake(self) -> None:
        """From now on nobody ends the waiting but the deadlines."""
        self._poll.unregister(self._wake)

    def drain(self, deadline: float, until: Callable[[], bool]) -> bool:
        """Wait for something, with the output read and forgotten meanwhile and the standard error kept.

        Whether it came before the deadline. Raises Woken.
        """
        while not until():
            try:
                happened = self._wait(min(deadline, time.monotonic() + _GLANCE))
            except Late:
                if time.monotonic() >= deadline:
                    return False
                continue
            if self._out in happened and not self._read():
                self._poll.unregister(self._out)
                self._out = -1
        return True

    def close(self) -> None:
        """Take in what is left of the standard error without waiting for more, and close all."""
        for _ in range(64):
            if not self._hear():
                break
        self._noise.end()
        for stream in self._streams:
            stream.close()

    def _line(self) -> bytes:
        """A line that is there already; nothing if there is none."""
        buffer = self._buffer
        while True:
            end = buffer.find(b"\n", self._searched)
            if (len(buffer) if end < 0 else end) > self._most:
                raise TooLong(buffer[:200].decode("utf-8", "replace"))
            if end < 0:
                self._searched = len(buffer)
                return b""
            line = bytes(buffer[:end])
            del buffer[: end + 1]
            self._searched = 0
            if line and not line.isspace():
                return line
            self._buffer = buffer = buffer.lstrip()

    def _lines(self, most: int) -> list[bytes]:
        """The lines that are there already, at most so many and none after one that is too long."""
        if not (line := self._line()):
            return []
        found = [line]
        end = self._buffer.rfind(b"\n")
        if end >= 0 and most > 1:
            lines = bytes(self._buffer[:end]).split(b"\n")
            fit = len(lines)
            if max(map(len, lines)) > self._most:
                fit = next(place for place, each in enumerate(lines) if len(each) > self._most)
            taken = lines[: min(fit, most - 1)]
            self._buffer[: end + 1] = b"".join(each + b"\n" for each in lines[len(taken) :])
            self._searched = 0
            found += [each for each in taken if each and not each.isspace()]
        return found

    def _wait(self, deadline: float) -> list[int]:
        """The descriptors where something has happened; the standard error is read here. Raises Late, Woken."""
        seconds = deadline - time.monotonic()
        if seconds <= 0:
            raise Late
        polled = self._poll.poll(min(seconds, _LONGEST) * 1000)
        if not polled:
            raise Late
        if len(polled) == 1 and polled[0][0] == self._out:
            return [self._out]
        happened = [descriptor for descriptor, _ in polled]
        if self._wake in happened:
            raise Woken
        if self._err in happened:
            self._hear()
        return happened

    def _read(self) -> bytes:
        """What has come on the output; nothing if it is closed."""
        try:
            return os.read(self._out, _CHUNK)
        except OSError:
            return b""

    def _hear(self) -> bool:
        """Take in what has come on the standard error; false if there is nothing."""
        try:
            chunk = os.read(self._err, _CHUNK)
        except OSError:
            return False
        if chunk:
            self._noise.add(chunk)
            return True
        self._poll.unregister(self._err)
        self._err = -1
        return False
