"""An engine's process and all its descendants, found and killed.

An engine is started in its own session, with a mark in its environment. A descendant can leave the session, lose its
parent or clear its environment. A process belongs to the engine if it descends from it, is in one of its sessions
(POSIX), or has its mark. On Linux, `adopt_orphans` also catches a process that has done all three.
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
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

import psutil

#: The environment variable with the mark.
MARK = "DAMSPEC_PROCESS"
#: Seconds to try to kill processes.
PATIENCE = 2.0

_PR_SET_CHILD_SUBREAPER = 36
_DEAD = (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD)
_numbers = itertools.count(1)
#: The prefix of the marks of all engines of this process.
_run_mark = f"{os.getpid()}-{os.urandom(4).hex()}-"
#: The trees that exist or are about to.
_trees: set[ProcessTree] = set()
#: While orphans are adopted, the other children of this process; else None.
_own_children: set[int] | None = None
#: The processes that were there before the first engine, so that none is an engine's; they are not looked at again.
_older: frozenset[psutil.Process] = frozenset()
_first = threading.Lock()


class ProcessTree:
    """A process with its descendants."""

    def __init__(self, words: Sequence[str], environment: Mapping[str, str], folder: str | None = None) -> None:
        """Start a process with three pipes. Raises OSError, and ValueError for a command with null characters."""
        _note_older_processes()
        self._mark = f"{_run_mark}{next(_numbers)}"
        _trees.add(self)  # before it starts, so that it is not taken for a stray
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
    def has_ended(self) -> bool:
        """Whether the process has ended.

        On POSIX it is not reaped, so that its id and its session are not reused.
        """
        if self.process.returncode is not None:
            return True
        if os.name != "posix":
            return self.process.poll() is not None
        try:
            return psutil.Process(self.process.pid).status() in _DEAD
        except psutil.NoSuchProcess:  # reaped elsewhere
            return True

    def end(self) -> tuple[int, ...]:
        """Kill all processes, and return the ids of those that remain."""
        root = self.process.pid
        ids, sessions = {root}, {root}

        def find() -> list[psutil.Process]:
            # Found before the first is killed: an orphan's descent cannot be seen.
            found = self._members(ids, sessions)
            ids.update(one.pid for one in found)
            sessions.update(session for one in found if (session := _session(one.pid)))
            return found

        left = _kill_all(find)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(PATIENCE)
        _reap(ids - {root})
        _trees.discard(self)
        return left + _end_strays()

    def _members(self, ids: Collection[int], sessions: Collection[int]) -> list[psutil.Process]:
        """Return the living processes that are known, descend from those, are in their sessions, or have the mark."""
        known, everybody = set(ids), _processes()
        members = _with_descendants(
            everybody, {one.pid for one in everybody if one.pid in known or _session(one.pid) in sessions}, known
        )
        return [one for one in everybody if one.pid in members or _mark(one) == self._mark]


@contextlib.contextmanager
def adopt_orphans() -> Iterator[None]:
    """Adopt orphaned descendants of this process meanwhile, so that none of an engine's gets lost.

    Only for Linux; elsewhere nothing is done. When the last engine ends, every new child in another session is killed:
    this is for a program that starts nothing else meanwhile.
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
    """Let this process adopt orphaned descendants, or not; return whether the system can do that."""
    if sys.platform != "linux":
        return False
    import ctypes

    try:
        return bool(ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, value, 0, 0, 0) == 0)
    except (OSError, AttributeError):
        return False


def _note_older_processes() -> None:
    global _older
    with _first:
        _older = _older or frozenset(psutil.process_iter())


def _processes() -> list[psutil.Process]:
    """Return the living processes of this machine that began after the first engine, each with `info`."""
    found = []
    for one in psutil.process_iter():
        with contextlib.suppress(psutil.NoSuchProcess):
            if one not in _older:
                one.info = one.as_dict(["ppid", "status"])
                found += [one] if one.info["status"] not in _DEAD else []
    return found


def _session(id: int) -> int:
    """Return the session of a process; 0 if it is gone, or where there are no sessions."""
    try:
        return os.getsid(id) if hasattr(os, "getsid") else 0
    except OSError:
        return 0


def _mark(one: psutil.Process) -> str:
    """Return the mark of a process; empty if it is gone or belongs to another user."""
    try:
        return one.environ().get(MARK, "")
    except (psutil.Error, OSError):
        return ""


def _with_descendants(everybody: Sequence[psutil.Process], ids: set[int], parents: Collection[int] = ()) -> set[int]:
    """Return processes with their descendants and those of `parents`, which may be gone."""
    known = {*ids, *parents}
    while more := {one.pid for one in everybody if one.info["ppid"] in known} - known:
        ids, known = ids | more, known | more
    return ids


def _kill_all(find: Callable[[], Sequence[psutil.Process]]) -> tuple[int, ...]:
    """Kill the processes that are found, until there are none or for `PATIENCE` seconds; return the ids of the rest."""
    until = time.monotonic() + PATIENCE
    for pause in itertools.chain((0.002, 0.005, 0.01), itertools.repeat(0.02)):
        found = find()
        for one in found:
            with contextlib.suppress(psutil.Error, OSError):
                one.kill()
        if not found or time.monotonic() > until:
            break
        time.sleep(pause)
    return tuple(one.pid for one in found)


def _reap(ids: Collection[int]) -> None:
    """Reap adopted processes."""
    for id in ids if _own_children is not None else ():
        with contextlib.suppress(OSError):
            os.waitpid(id, os.WNOHANG)


def _end_strays() -> tuple[int, ...]:
    """Once no tree is left, kill what has a mark of this process or was adopted; return the ids of what remains."""
    gone: set[int] = set()

    def find() -> list[psutil.Process]:
        everybody = _processes()
        adopted = set() if _own_children is None else _adopt(everybody, _own_children)
        strays = [one for one in everybody if one.pid in adopted or _mark(one).startswith(_run_mark)]
        if _trees:  # another engine was started meanwhile
            return []
        gone.update(one.pid for one in strays)
        return strays

    left = () if _trees else _kill_all(find)
    _reap(gone)
    return left


def _adopt(everybody: Sequence[psutil.Process], own: Collection[int]) -> set[int]:
    """Return the new children of this process in other sessions, with their descendants."""
    here, session = os.getpid(), _session(0)
    new = {one.pid for one in everybody if one.info["ppid"] == here and _session(one.pid) != session}
    return _with_descendants(everybody, new - {*own})


def _forget_all() -> None:
    """Forget, in a fork of this process, the engines, which are its parent's, and close their pipes."""
    global _run_mark, _own_children, _first
    for tree in _trees:
        for stream in (tree.process.stdin, tree.process.stdout, tree.process.stderr):
            if stream is not None:
                stream.close()
    _trees.clear()
    _run_mark, _own_children = f"{os.getpid()}-{os.urandom(4).hex()}-", None
    _first = threading.Lock()  # which another thread may have held


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)


@atexit.register
def _end_all() -> None:
    """End all engines when this process ends, whatever ends it, without interruption."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for tree in list(_trees):
        tree.end()
    if next(_numbers) > 1:
        _end_strays()
