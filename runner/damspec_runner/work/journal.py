"""A journal of shares: the result of each, written down as soon as it is there, to be gone on with.

The first line says what work it is; a journal of other work is refused (schemas/work.schema.json). `damspec check` has
a journal of its own, which is a report.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from damspec import Ruleset, data
from damspec.strict import read_json

from .lines import GrowingLines, as_line
from .stamp import WorkError, stamp


@dataclass(frozen=True)
class Work:
    """What work is done: the command, and all arguments that a result depends on, as JSON has them."""

    command: str
    arguments: Mapping[str, Any]

    def header(self) -> dict[str, Any]:
        """The first line of its journals."""
        return {"work": self.command, **stamp(), "arguments": dict(self.arguments)}


def digest(ruleset: Ruleset) -> str:
    """What says of a ruleset, one of your own too, that its rules are the same."""
    values = json.dumps(dict(ruleset.values), sort_keys=True, default=str)
    return hashlib.sha256(values.encode()).hexdigest()


class ShareJournal:
    """The results of shares in a file, by the key of each share. `known` has what was there.

    Raises WorkError for the journal of other work, FileError for what is none, LockedError for one that another
    process is writing, and OSError.
    """

    def __init__(self, path: Path, work: Work) -> None:
        self.known: dict[str, Any] = {}
        header = json.loads(json.dumps(work.header()))
        self._lines = GrowingLines(path)
        try:
            if not self._read(path, header):
                self._lines.write(header)
        except BaseException:
            self._lines.close()
            raise

    def __enter__(self) -> ShareJournal:
        return self

    def __exit__(self, *_: object) -> None:
        self._lines.close()

    def add(self, key: str, result: Any) -> None:
        """Write the result of a share down. Raises TypeError for one that would be read as another."""
        if json.loads(json.dumps(result)) != result:
            raise TypeError(f"share {key!r}: JSON cannot have its result")
        self._lines.write({"share": key, "result": result})

    def _read(self, path: Path, header: Mapping[str, Any]) -> bool:
        """Take in what is there, and say whether a header is. A last line that was cut off counts for nothing."""
        first, *rest = self._lines.content.split(b"\n")
        if not rest:  # not even the header was written to its end, if it is one
            if not as_line(header).encode().startswith(first):
                raise WorkError(f"{path}: found something else, expected a journal of work")
            return False
        _check(path, _entry(path, 1, first, "header"), header)
        for number, line in enumerate(rest[:-1], 2):
            entry = _entry(path, number, line, "share")
            self.known[entry["share"]] = entry["result"]
        return True


def _entry(path: Path, number: int, line: bytes, kind: str) -> Mapping[str, Any]:
    """A line of a journal. Raises FileError for one that is none."""
    place = f"{path}:{number}"
    try:
        entry = read_json(line.decode())
    except ValueError as error:
        raise data.FileError(f"{place}: not JSON: {error}") from None
    data.check(entry, "work", place, definition=kind)
    return cast(Mapping[str, Any], entry)


def _check(path: Path, found: Mapping[str, Any], expected: Mapping[str, Any]) -> None:
    """Raise WorkError where a journal is of other work, naming the first thing in which it is."""
    flat = [{**entry, **entry.get("arguments", {})} for entry in (found, expected)]
    for key in [*expected, *expected["arguments"]]:
        here, wanted = (each.get(key) for each in flat)
        if here != wanted and key != "arguments":
            said = f"{key} {_short(here)}, expected {_short(wanted)}"
            raise WorkError(f"{path}: a journal of other work: found {said}; name another file, or remove it")


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}..."
