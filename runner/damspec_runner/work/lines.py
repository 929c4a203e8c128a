"""A file of JSON lines that grows as work is done: what is cut off loses one line at most."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any


class GrowingLines:
    """A file of JSON lines being written. Every line is on its way to the disk when `write` returns.

    A file that is there is gone on with; a last line that was cut off is taken away first. Raises OSError.
    """

    def __init__(self, path: Path) -> None:
        take_cut_line(path)
        self._file = path.open("a", encoding="utf-8", errors="backslashreplace", newline="\n")

    def write(self, entry: Mapping[str, Any]) -> None:
        """Add a line."""
        self._file.write(as_line(entry))
        self._file.flush()

    def close(self) -> None:
        """End the writing."""
        self._file.close()


def as_line(entry: Mapping[str, Any]) -> str:
    """An entry as a line."""
    return json.dumps(entry, ensure_ascii=False) + "\n"


def take_cut_line(path: Path) -> None:
    """Take away the last line of a file if it does not end. Raises OSError."""
    if path.is_file():
        content = path.read_bytes()
        if not content.endswith(b"\n"):
            with path.open("r+b") as file:
                file.truncate(content.rfind(b"\n") + 1)
