"""A file of JSON lines that grows as work is done: one process writes it, and being cut off loses one line at most."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from multiprocessing.util import register_after_fork
from pathlib import Path
from typing import Any, BinaryIO

from filelock import lock_descriptor

from damspec.errors import DamspecError


class LockedError(DamspecError):
    """A file that another process is writing."""


class GrowingLines:
    """A file of JSON lines being written, by this process alone. A line is on its way to the disk when `write` returns.

    `content` is what was there when it was opened. It stays as it is until the first line is written; what goes then
    is a last line that was cut off, or what `keep` says. A device or a pipe is written to as it is. Raises OSError,
    and LockedError where another process is writing the file: the system ends a lock with its process, however it ends.
    """

    def __init__(self, path: Path) -> None:
        self.content = b""
        self._regular = regular = path.is_file() or not path.exists()
        opened = os.open(path, (os.O_RDWR if regular else os.O_WRONLY) | os.O_CREAT, 0o666)
        self._file: BinaryIO = open(opened, "r+b" if regular else "wb")  # noqa: SIM115
        register_after_fork(self, GrowingLines.close)  # a worker must not hold the lock when this process is gone
        self._kept: int | None = None
        if regular:
            try:
                if not lock_descriptor(opened, blocking=False):
                    raise LockedError(f"{path}: another run is writing to it: wait until it ends, or name another file")
                self.content = self._file.read()
            except BaseException:
                self.close()
                raise
            self.keep(self.content.rfind(b"\n") + 1)

    def keep(self, size: int) -> None:
        """Go on after so many bytes of what is there."""
        if self._regular:
            self._kept = size

    def write(self, entry: Mapping[str, Any]) -> None:
        """Add a line."""
        if self._kept is not None:
            self._file.seek(self._kept)
            self._file.truncate()
            self._kept = None
        self._file.write(as_line(entry).encode("utf-8", "backslashreplace"))
        self._file.flush()

    def close(self) -> None:
        """End the writing, and the lock."""
        self._file.close()


def as_line(entry: Mapping[str, Any]) -> str:
    """An entry as a line."""
    return json.dumps(entry, ensure_ascii=False) + "\n"
