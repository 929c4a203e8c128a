"""The processes of an engine: all that it has started, wherever that went, found and ended.

An engine is started in a session of its own, with a mark in its environment. What it starts can leave the session,
lose its parent or clear its environment. On Linux /proc tells: a process is the engine's if it descends from it, is in
a session of it, or has its mark. `adopting` catches what has done all three. Elsewhere the process group is all there
is to know.
"""

from __future__ import annotations

import atexit
import contextlib
import itertools
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

#: The variable in an engine's environment that has the mark.
MARK = "DAMSPEC_PROCESS"
#: Seconds after which what has been killed and is still there is given up.
PATIENCE = 2.0

_PR_SET_CHILD_SUBREAPER = 36
_RUN = f"{os.getpid()}-{os.urandom(4).hex()}"
_numbers = itertools.count(1)
#: The families that are there or about to be.
_families: set[Family] = set()
#: While orphans are adopted, the children that this process had before; else None.
_own_children: set[int] | None = None


class Family:
    """A process with all that it starts."""

    def __init__(self, words: Sequence[str], environment: Mapping[str, str], folder: str | None) -> None:
        """Start a process, with pipes. Raises OSError, and ValueError for words that no command can have."""
        self._mark = f"{_RUN}-{next(_numbers)}"
        _families.add(self)  # before it starts, so that nobody takes it for a stray
        try:
            self.process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                env={**environment, MARK: self._mark},
                cwd=folder,
                start_new_session=True,
            )
        except BaseException:
            _families.discard(self)
            raise

    @property
    def ended(self) -> bool:
        """Whether the process has ended. It is not buried yet, so that its id and its session are nobody else's."""
        if self.process.returncode is not None:
            return True
        if not hasattr(os, "waitid"):
            return self.process.poll() is not None
        try:
            return os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        except ChildProcessError:  # somebody else has buried it
            return True

    def end(self) -> tuple[int, ...]:
        """Kill them all; the ids of those that are still there after a while."""
        root = self.process.pid
        family, sessions, left = {root}, {root}, tuple[int, ...]()
        for _ in _rounds():
            # Looked for before the first is killed: then the descent of orphans cannot be seen any more.
            found = self._members(family, sessions)
            family |= {one.id for one in found}
            sessions |= {one.session for one in found}
            if self.process.returncode is None:
                with contextlib.suppress(OSError):
                    os.killpg(root, signal.SIGKILL)
                with contextlib.suppress(OSError):
                    os.kill(root, signal.SIGKILL)
            left = _kill(found)
            if not left:
                break
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(PATIENCE)
        _bury(family - {root})
        _families.discard(self)
        return left + _end_strays()

    def _members(self, family: set[int], sessions: set[int]) -> list[_Process]:
        """The living: known ones, what they have started, what is in their sessions, what has the mark."""
        members: list[_Process] = []
        known, others = set(family), _processes()
        while found := [one for one in others if one.id in known or one.parent in known or one.session in sessions]:
            members += found
            known |= {one.id for one in found}
            others = [one for one in others if one.id not in known]
        return members + [one for one in others if one.has_mark(f"{self._mark}\0")]


@dataclass(frozen=True)
class _Process:
    """A process that is there and is not merely waiting to be buried."""

    id: int
    parent: int
    session: int

    def has_mark(self, start: str) -> bool:
        """Whether its environment has a mark that starts so."""
        try:
            environment = Path(f"/proc/{self.id}/environ").read_bytes()
        except OSError:  # gone, or another user's
            return False
        return f"\0{MARK}={start}".encode() in b"\0" + environment


@contextlib.contextmanager
def adopting() -> Iterator[None]:
    """Orphans become children of this process for as long, so that none of an engine's can get lost (Linux).

    Every new child in another session is taken for an engine's when the last engine ends: this is for a program that
    starts nothing else meanwhile.
    """
    global _own_children
    if not _set_subreaper(1):
        yield
        return
    _own_children = {one.id for one in _processes() if one.parent == os.getpid()}
    try:
        yield
    finally:
        _own_children = None
        _set_subreaper(0)


def _set_subreaper(value: int) -> bool:
    """Tell the kernel whether this process adopts the orphans among its descendants; whether it can be told."""
    if sys.platform != "linux":
        return False
    import ctypes

    try:
        return bool(ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, value, 0, 0, 0) == 0)
    except (OSError, AttributeError):
        return False


def _processes() -> list[_Process]:
    """All processes of this system; none where there is no /proc."""
    found = []
    for name in os.listdir("/proc") if sys.platform == "linux" else ():
        if name.isdigit():
            with contextlib.suppress(OSError):  # gone meanwhile
                fields = Path(f"/proc/{name}/stat").read_bytes().rpartition(b")")[2].split()
                if fields[0] not in (b"Z", b"X"):
                    found.append(_Process(int(name), int(fields[1]), int(fields[3])))
    return found


def _rounds() -> Iterator[None]:
    """Time after time until patience is at an end."""
    until = time.monotonic() + PATIENCE
    for pause in itertools.chain((0.002, 0.005, 0.01), itertools.repeat(0.02)):
        yield
        if time.monotonic() > until:
            return
        time.sleep(pause)


def _kill(found: Sequence[_Process]) -> tuple[int, ...]:
    """Kill processes; their ids."""
    for one in found:
        with contextlib.suppress(OSError):
            os.kill(one.id, signal.SIGKILL)
    return tuple(one.id for one in found)


def _bury(ids: set[int]) -> None:
    """Take in the exit status of those that have become children of this process."""
    for id in ids:
        with contextlib.suppress(OSError):
            os.waitpid(id, os.WNOHANG)


def _end_strays() -> tuple[int, ...]:
    """When no family is there any more: kill what has a mark of this process all the same, or was adopted."""
    gone: set[int] = set()
    left = tuple[int, ...]()
    for _ in _rounds() if not _families else ():
        everybody = _processes()
        adopted = set() if _own_children is None else _adopted(everybody, _own_children)
        strays = [one for one in everybody if one.id in adopted or one.has_mark(f"{_RUN}-")]
        if _families:  # another was started meanwhile
            break
        gone |= {one.id for one in strays}
        left = _kill(strays)
        if not left:
            break
    _bury(gone)
    return left


def _adopted(everybody: Sequence[_Process], own: set[int]) -> set[int]:
    """New children of this process in another session, with what they have started."""
    here, session = os.getpid(), os.getsid(0)
    found = {one.id for one in everybody if one.parent == here and one.session != session} - own
    while more := {one.id for one in everybody if one.parent in found} - found:
        found |= more
    return found


def _in_a_copy() -> None:
    """A copy of this process has no engines: those it knows of are its parent's, and so are their pipes."""
    global _RUN, _own_children
    for family in _families:
        for stream in (family.process.stdin, family.process.stdout, family.process.stderr):
            if stream is not None:
                stream.close()
    _families.clear()
    _RUN, _own_children = f"{os.getpid()}-{os.urandom(4).hex()}", None


os.register_at_fork(after_in_child=_in_a_copy)


@atexit.register
def _end_all() -> None:
    """At the end of this process, however it came, nothing of an engine is left; nobody interrupts that."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for family in list(_families):
        family.end()
    if next(_numbers) > 1:
        _end_strays()
