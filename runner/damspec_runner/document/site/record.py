"""The record of a build, in the file by which the folder is known: of each part what it was made from and what it is.

A part is there still if all its files are, with the contents that the record has a digest of. The pictures of boards
are not in the record: pages name them, and their names are digests of their contents.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

from .inputs import digest_of
from .links import board

#: A file by which a build is known.
MARKER = ".damspec-site"
_NOTE = "This folder was made by `damspec site build`, which replaces it as a whole."
_BOARD = re.compile(rb"boards/[0-9a-f]{16}\.svg")

#: The pages that say the same in other languages, each with the tag of its language.
Alternates = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Made:
    """What became of a part: digests of what it was made from and of its files, and these, the pages apart."""

    source: str
    content: str
    pages: Mapping[str, Alternates]
    others: tuple[str, ...]


@dataclass(frozen=True)
class BuildRecord:
    """A build: a digest of all that it was made from, and its parts by name."""

    source: str
    parts: Mapping[str, Made]

    @property
    def pages(self) -> dict[str, Alternates]:
        """The pages of all parts."""
        return {page: alternates for part in self.parts.values() for page, alternates in part.pages.items()}

    def text(self) -> str:
        """The record as it is written down."""
        parts = {name: asdict(part) for name, part in self.parts.items()}
        return json.dumps({"note": _NOTE, "source": self.source, "parts": parts}, sort_keys=True, indent=0) + "\n"


def _read(folder: Path) -> BuildRecord:
    """The record of an earlier build in a folder; an empty one if there is none that can be read."""
    try:
        found = json.loads((folder / MARKER).read_text(encoding="utf-8"))
        parts = {name: _made(part) for name, part in found["parts"].items()}
        return BuildRecord(found["source"], parts)
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return BuildRecord("", {})


def _made(part: Mapping[str, object]) -> Made:
    pages, others = part["pages"], part["others"]
    assert isinstance(pages, dict)
    assert isinstance(others, list)
    alternates = {page: tuple((tag, href) for tag, href in given) for page, given in pages.items()}
    return Made(str(part["source"]), str(part["content"]), alternates, tuple(others))


def boards_of(content: bytes) -> set[str]:
    """The addresses of the boards that a file names."""
    return {found.decode() for found in _BOARD.findall(content)}


def content_digest(contents: Mapping[str, bytes]) -> str:
    """The digest of files with these contents."""
    return digest_of(*(f"{path} {sha256(contents[path]).hexdigest()}" for path in sorted(contents)))


class Earlier:
    """An earlier build: its record, and the files that are there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.record = _read(folder)
        self.files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
        self._boards: dict[str, bool] = {}

    def files_of(self, name: str) -> set[str] | None:
        """The files of a part with the boards on it; None if one is not there as it was."""
        made = self.record.parts[name]
        files = {*made.pages, *made.others}
        if not files <= self.files:
            return None
        contents = {path: (self.folder / path).read_bytes() for path in files}
        shown = {address for content in contents.values() for address in boards_of(content)}
        whole = content_digest(contents) == made.content and all(map(self._has_board, shown))
        return files | shown if whole else None

    def has(self, texts: Mapping[str, str]) -> bool:
        """Whether files are there with these contents."""
        return texts.keys() <= self.files and all(
            (self.folder / path).read_bytes() == text.encode() for path, text in texts.items()
        )

    def _has_board(self, address: str) -> bool:
        if address not in self._boards:
            there = address in self.files
            self._boards[address] = there and address == board((self.folder / address).read_bytes())
        return self._boards[address]
