"""The processes of an engine: all that it has started, wherever that went, found and ended.

An engine is started in a session of its own, with a mark in its environment. What it starts can leave the session,
lose its parent or clear its environment. A process is the engine's if it descends from it, is in a session of it
(POSIX), or has its mark. `adopt_orphans` catches what has done all three (Linux).
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
from collections.abc import Collection, Iterator, Mapping, Sequence

import psutil

#: The variable in an engine's environment that has the mark.
MARK = "DAMSPEC_PROCESS"
#: Seconds after which what has been killed and is still there is given up.
PATIENCE = 2.0

_PR_SET_CHILD_SUBREAPER = 36
_DEAD = (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD)
_numbers = itertools.count(1)
#: How the marks of this process's engines begin.
_run_mark = f"{os.getpid()}-{os.urandom(4).hex()}-"
#: The trees that are there or about to be.
_trees: set[ProcessTree] = set()
#: While orphans are adopted, the children that this process had before; else None.
_own_children: set[int] | None = None


class ProcessTree:
    """A process with all that it starts; `patience` is the seconds after which what cannot be killed is given up."""

    def __init__(
        self,
        words: Sequence[str],
        environment: Mapping[str, str],
        folder: str | None = None,
        *,
        patience: float = PATIENCE,
    ) -> None:
        """Start a process, with pipes. Raises OSError, and ValueError for words that no command can have."""
        self._mark = f"{_run_mark}{next(_numbers)}"
        self._patience = patience
        _trees.add(self)  # before it starts, so that nobody takes it for a stray
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
            _trees.discard(self)
            raise

    @property
    def ended(self) -> bool:
        """Whether the process has ended.

        On POSIX its status is not asked for yet, so that its id and its session are nobody else's.
        """
        if self.process.returncode is not None:
            return True
        if os.name != "posix":
            return self.process.poll() is not None
        try:
            return psutil.Process(self.process.pid).status() in _DEAD
        except psutil.NoSuchProcess:  # somebody else has asked for its status
            return True

    def end(self) -> tuple[int, ...]:
        """Kill them all; the ids of those that are still there after a while."""
        root = self.process.pid
        ids, sessions, left = {root}, {root}, tuple[int, ...]()
        for _ in _rounds(self._patience):
            # Looked for before the first is killed: then the descent of orphans cannot be seen any more.
            found = self._members(ids, sessions)
            ids |= {one.pid for one in found}
            sessions |= {session for one in found if (session := _session(one.pid))}
            left = _kill(found)
            if not left:
                break
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(self._patience)
        _reap(ids - {root})
        _trees.discard(self)
        return left + _end_strays(self._patience)

    def _members(self, ids: Collection[int], sessions: Collection[int]) -> list[psutil.Process]:
        """The living: known ones, what they have started, what is in their sessions, what has the mark."""
        known, everybody = set(ids), _processes()
        members = _with_descendants(
            everybody, {one.pid for one in everybody if one.pid in known or _session(one.pid) in sessions}, known
        )
        return [one for one in everybody if one.pid in members or _mark(one) == self._mark]


@contextlib.contextmanager
def adopt_orphans() -> Iterator[None]:
    """Have orphans become children of this process for as long, so that none of an engine's can get lost (Linux only).

    Every new child in another session is taken for an engine's when the last engine ends: this is for a program that
    starts nothing else meanwhile. Elsewhere nothing is done.
    """
    global _own_children
    if not _set_subreaper(1):
        yield
        return
    _own_children = {one.pid for one in psutil.Process().children()}
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


def _processes() -> list[psutil.Process]:
    """All processes of this system that live, each with `info`."""
    return [one for one in psutil.process_iter(["ppid", "status"]) if one.info["status"] not in _DEAD]


def _session(id: int) -> int:
    """The session of a process; 0 if it is gone, or where there are none."""
    try:
        return os.getsid(id) if hasattr(os, "getsid") else 0
    except OSError:
        return 0


def _mark(one: psutil.Process) -> str:
    """The mark in a process's environment; none if it is gone, or another user's."""
    try:
        return one.environ().get(MARK, "")
    except (psutil.Error, OSError):
        return ""


def _with_descendants(everybody: Sequence[psutil.Process], ids: set[int], parents: Collection[int] = ()) -> set[int]:
    """Some processes with what they, and some parents that may be gone, have started."""
    known = {*ids, *parents}
    while more := {one.pid for one in everybody if one.info["ppid"] in known} - known:
        ids, known = ids | more, known | more
    return ids


def _rounds(patience: float) -> Iterator[None]:
    """Time after time until patience is at an end."""
    until = time.monotonic() + patience
    for pause in itertools.chain((0.002, 0.005, 0.01), itertools.repeat(0.02)):
        yield
        if time.monotonic() > until:
            return
        time.sleep(pause)


def _kill(found: Sequence[psutil.Process]) -> tuple[int, ...]:
    """Kill processes; their ids."""
    for one in found:
        with contextlib.suppress(psutil.Error, OSError):
            one.kill()
    return tuple(one.pid for one in found)


def _reap(ids: Collection[int]) -> None:
    """Take in the exit status of those that have become children of this process, where orphans are adopted."""
    for id in ids if _own_children is not None else ():
        with contextlib.suppress(OSError):
            os.waitpid(id, os.WNOHANG)


def _end_strays(patience: float = PATIENCE) -> tuple[int, ...]:
    """When no tree is there any more: kill what has a mark of this process all the same, or was adopted."""
    gone: set[int] = set()
    left = tuple[int, ...]()
    for _ in _rounds(patience) if not _trees else ():
        everybody = _processes()
        adopted = set() if _own_children is None else _adopted(everybody, _own_children)
        strays = [one for one in everybody if one.pid in adopted or _mark(one).startswith(_run_mark)]
        if _trees:  # another was started meanwhile
            break
        gone |= {one.pid for one in strays}
        left = _kill(strays)
        if not left:
            break
    _reap(gone)
    return left


def _adopted(everybody: Sequence[psutil.Process], own: Collection[int]) -> set[int]:
    """New children of this process in another session, with what they have started."""
    here, session = os.getpid(), _session(0)
    new = {one.pid for one in everybody if one.info["ppid"] == here and _session(one.pid) != session}
    return _with_descendants(everybody, new - {*own})


def _forget_all() -> None:
    """A copy of this process has no engines: those it knows of are its parent's, and so are their pipes."""
    global _run_mark, _own_children
    for tree in _trees:
        for stream in (tree.process.stdin, tree.process.stdout, tree.process.stderr):
            if stream is not None:
                stream.close()
    _trees.clear()
    _run_mark, _own_children = f"{os.getpid()}-{os.urandom(4).hex()}-", None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)


@atexit.register
def _end_all() -> None:
    """At the end of this process, however it came, nothing of an engine is left; nobody interrupts that."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for tree in list(_trees):
        tree.end()
    if next(_numbers) > 1:
        _end_strays()
