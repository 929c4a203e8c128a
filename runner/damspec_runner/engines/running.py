"""One process of an engine, with its pipes and its folder, from its start to the end of all that it has started."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress

from . import hints, protocol
from .confinement import Confinement
from .family import Family
from .forms import Limits
from .pipes import Ended, Late, Noise, Pipes, TooLong, Woken
from .protocol import EngineError

#: Seconds for an engine to end: told to quit, or having closed its output.
TO_END = 1.0
#: Seconds for a last word, when its input is closed after it has said nothing in time.
_LAST_WORD = 0.5
#: No deadline is farther away than these seconds.
_LONGEST = 1e6
#: Lines that a process may say without answering.
_CHATTER = 20_000


class Dead(Exception):
    """A process that has ended or has closed its pipes; `str()` is when, for a message."""


class Running:
    """One process of an engine."""

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
        """The line after a question of a method. Raises Woken, Dead, or EngineError of kind `timeout` or `size`."""
        deadline = time.monotonic() + (timeout if timeout < _LONGEST else _LONGEST)
        try:
            line = self._pipes.exchange(question.encode() + b"\n", deadline)
        except (Late, TooLong, Ended) as problem:
            raise self._error(problem, method, timeout) from None
        return line.decode("utf-8", "replace")

    def exchange_ahead(self, messages: Sequence[bytes], ahead: int, timeout: float) -> Iterator[list[bytes]]:
        """The lines that answer messages, as they come, up to `ahead` sent before the first. Raises as `exchange`."""
        answered = 0
        try:
            for lines in self._pipes.exchange_ahead(messages, ahead, timeout if timeout < _LONGEST else _LONGEST):
                answered += len(lines)
                yield lines
        except (Late, TooLong, Ended) as problem:
            raise self._error(problem, protocol.method_of(messages[answered]), timeout) from None

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
        except (Late, TooLong, Ended) as problem:
            raise self._error(problem, method, timeout) from None

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
                return Dead("takes no more questions" if problem.taking else f"ended while asked {method}")

    def quit(self, message: str) -> None:
        """Say quit, by this message, and wait a moment for the end."""
        deadline = time.monotonic() + TO_END
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
                    self._pipes.drain(time.monotonic() + TO_END, lambda: self._family.ended)
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
