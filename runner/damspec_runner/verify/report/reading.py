"""Reading a report that was written down, JSON or a journal, from a file or from standard input."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from damspec import DamspecError, data
from damspec.strict import read_json

from ..journal import read_journal
from ..result import Report
from .plain import read_reports

#: Bytes of a report that are read; more is refused.
LIMIT = 64 * 1024 * 1024


def load_reports(name: str) -> list[Report]:
    """The reports in a file, or on standard input where the name is `-`.

    Raises FileError, which names the file, for what cannot be read or has another form, and for a ruleset, a reading
    or a position that there is not.
    """
    where = "standard input" if name == "-" else name
    text = _text(_content(name, where), where)
    try:
        return read_journal(text, where) if _is_journal(text) else read_reports(_json(text, where), where)
    except data.FileError:
        raise
    except DamspecError as error:
        raise data.FileError(f"{where}: {error}") from None


def _content(name: str, where: str) -> bytes:
    try:
        if name == "-":
            content = sys.stdin.buffer.read(LIMIT + 1)
        else:
            with Path(name).open("rb") as file:
                content = file.read(LIMIT + 1)
    except OSError as error:
        raise data.FileError(f"cannot read {where!r}: {error.strerror}") from None
    if len(content) > LIMIT:
        raise data.FileError(f"{where}: longer than the {LIMIT // 2**20} MB that a report may have")
    return content


def _text(content: bytes, where: str) -> str:
    """The text, in whichever Unicode a shell has written it."""
    encoding = json.detect_encoding(content)
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        raise data.FileError(f"{where}: byte {error.start + 1}: not {error.encoding} text: {error.reason}") from None


def _is_journal(text: str) -> bool:
    """Whether the first line is a journal's header. A report is one value, on one line or on many."""
    first = text.lstrip().partition("\n")[0]
    try:
        entry = read_json(first)
    except ValueError:
        return False
    return isinstance(entry, dict) and "damspec" in entry and "reports" not in entry


def _json(text: str, where: str) -> Any:
    try:
        return read_json(text)
    except json.JSONDecodeError as error:
        raise data.FileError(f"{where}:{error.lineno}:{error.colno}: not JSON: {error.msg}") from None
    except ValueError as error:  # what `read_json` refuses beyond what is no JSON
        raise data.FileError(f"{where}: not JSON: {error}") from None
