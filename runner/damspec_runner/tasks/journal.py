"""Journals: files of JSON lines that one process writes and a later run resumes; the journal of finished tasks."""

from __future__ import annotations

import errno
import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO, Self

from damspec import Ruleset, data
from damspec.errors import DamspecError
from damspec.safe_yaml import read_json
from damspec.version import __version__


class TaskError(DamspecError):
    """Tasks that cannot be started or resumed: no workers, or a journal of another job."""


@cache
def data_fingerprint() -> Mapping[str, str]:
    """Return the version and a digest of all rules and cases; results are valid only where both are equal."""
    found = hashlib.sha256()
    for folder in ("spec", "cases"):
        for path in sorted((data.root() / folder).rglob("*.yaml")):
            found.update(path.read_bytes())
    return {"damspec": __version__, "data": found.hexdigest()}


class LockedError(DamspecError):
    """A file that another process is writing."""


class JsonLinesFile:
    """A file of JSON lines, written by this process alone; `write` returns once a line is passed to the system.

    `content` is what was there when it was opened. It stays until the first line is written, which first drops an
    incomplete last line, or what `keep` says. A device or a pipe is only written to. Raises OSError, and LockedError if
    another process is writing the file; the system releases the lock however that process ends.

    A lock does not hold back a program that asks for none, such as an engine. `write` and `finish` raise OSError if the
    file is no longer what was written to it, and make one that is still there unreadable: nothing in it can be trusted.
    """

    def __init__(self, path: Path) -> None:
        # Most commands write no journal, and these two take a third of the time in which they start.
        from multiprocessing.util import register_after_fork

        from filelock import lock_descriptor

        self._path, self.content = path, b""
        self._regular = regular = path.is_file() or not path.exists()
        opened = os.open(path, (os.O_RDWR if regular else os.O_WRONLY) | os.O_CREAT, 0o666)
        self._file: BinaryIO = open(opened, "r+b" if regular else "wb")  # noqa: SIM115
        register_after_fork(self._file, lambda file: file.close())  # a worker must not hold the lock after this one
        self._kept: int | None = None
        if regular:
            try:
                if not lock_descriptor(opened, blocking=False):
                    raise LockedError(f"{path}: another run is writing to it: wait until it ends, or name another file")
                self.content = self._file.read()
            except BaseException:
                self.close()
                raise
            self.keep(len(self.complete))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object = None, *_: object) -> None:
        try:
            if kind is None:
                self.finish()
        finally:
            self.close()

    @property
    def complete(self) -> bytes:
        """The content without an incomplete last line."""
        return self.content[: self.content.rfind(b"\n") + 1]

    def keep(self, size: int) -> None:
        """Continue after the first `size` bytes of the content."""
        if self._regular:
            self._kept = size

    def write(self, entry: Mapping[str, Any]) -> None:
        """Append a line. Raises OSError."""
        if self._kept is not None:
            self._check_unchanged(len(self.content))
            self._digest = hashlib.sha256(self.content[: self._kept])
            self._file.seek(self._kept)
            self._file.truncate()
            self._kept = None
        elif self._regular:
            self._check_unchanged(self._file.tell())
        line = as_line(entry).encode("utf-8", "backslashreplace")
        if self._regular:
            self._digest.update(line)
        self._file.write(line)
        self._file.flush()

    def finish(self) -> None:
        """Check all that has been written, if anything has. Raises OSError."""
        if self._regular and self._kept is None and not self._file.closed:
            self._check_unchanged(self._file.tell(), self._digest.digest())

    def _check_unchanged(self, size: int, digest: bytes = b"") -> None:
        """Raise OSError unless the file is still there, and as long as it was; with this digest, if one is given."""
        own = os.fstat(self._file.fileno())
        if self._path.exists() and os.path.samestat(self._path.stat(), own) and own.st_size == size:
            self._file.seek(0)
            if not digest or hashlib.sha256(self._file.read()).digest() == digest:
                self._file.seek(size)
                return
        self._file.seek(0, os.SEEK_END)
        self._file.write(b"\nanother program removed or changed this file during the run\n")
        self._file.flush()
        raise OSError(errno.ESTALE, "another program removed or changed it during the run")

    def close(self) -> None:
        """Close the file and release its lock, which a worker that has only just been forked may have too."""
        if self._regular and not self._file.closed:
            from filelock import unlock_descriptor

            unlock_descriptor(self._file.fileno())
        self._file.close()


def as_line(entry: Mapping[str, Any]) -> str:
    """Return an entry as a line of JSON."""
    return json.dumps(entry, ensure_ascii=False) + "\n"


def read_lines(content: bytes, where: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the place and the entry of each line that is not blank; `where` names the file in messages.

    A last line without a newline that is no JSON was cut off, and is left out. Raises FileError.
    """
    lines = content.split(b"\n")
    for number, line in enumerate(lines, 1):
        place = f"{where}:{number}"
        if not line.strip():
            continue
        try:
            entry = read_json(line.decode())
        except ValueError as error:
            if number == len(lines):
                return
            raise data.FileError(f"{place}: not JSON: {error}") from None
        if not isinstance(entry, dict):
            raise data.FileError(f"{place}: found {data.quote(entry)}, expected an object")
        yield place, entry


@dataclass(frozen=True)
class JobHeader:
    """A job: the command, and all arguments that its results depend on, as JSON data."""

    command: str
    arguments: Mapping[str, Any]

    def header(self) -> dict[str, Any]:
        """Return the first line of its journals."""
        return {"work": self.command, **data_fingerprint(), "arguments": dict(self.arguments)}


def digest(ruleset: Ruleset) -> str:
    """Return a digest of a ruleset's values, which is equal for equal rules."""
    values = json.dumps(dict(ruleset.values), sort_keys=True, default=str)
    return hashlib.sha256(values.encode()).hexdigest()


class TaskJournal(JsonLinesFile):
    """The results of tasks in a file, by task key; `known` has those of earlier runs.

    Raises TaskError for the journal of another job, FileError for no journal, LockedError for one that another process
    is writing, and OSError.
    """

    def __init__(self, path: Path, work: JobHeader) -> None:
        super().__init__(path)
        self.known: dict[str, Any] = {}
        header = json.loads(json.dumps(work.header()))
        try:
            lines = read_lines(self.complete, str(path))
            if first := next(lines, None):
                _check_header(path, *first, header)
                for place, entry in lines:
                    data.check(entry, "work", place, definition="share")
                    self.known[entry["share"]] = entry["result"]
            elif as_line(header).encode().startswith(self.content):  # not even the header was written to its end
                self.write(header)
            else:
                raise TaskError(f"{path}: found something else, expected a journal of work")
        except BaseException:
            self.close()
            raise

    def add(self, key: str, result: Any) -> None:
        """Append the result of a task. Raises TypeError for one that JSON does not preserve, and OSError."""
        if json.loads(json.dumps(result)) != result:
            raise TypeError(f"task {key!r}: its result is no JSON value")
        self.write({"share": key, "result": result})


def _check_header(path: Path, place: str, found: Mapping[str, Any], expected: Mapping[str, Any]) -> None:
    """Raise FileError for no header, and TaskError for that of another job, naming the first difference."""
    data.check(found, "work", place, definition="header")
    flat = [{**entry, **entry.get("arguments", {})} for entry in (found, expected)]
    for key in [*expected, *expected["arguments"]]:
        here, wanted = (each.get(key) for each in flat)
        if here != wanted and key != "arguments":
            said = f"{key} {_short(here)}, expected {_short(wanted)}"
            raise TaskError(f"{path}: a journal of other work: found {said}; name another file, or remove it")


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}..."
