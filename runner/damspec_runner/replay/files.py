"""Files of games in PDN: folders, compressed files and archives, and the encoding of their bytes."""

from __future__ import annotations

import gzip
import io
import re
import sys
import zipfile
import zlib
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from damspec.errors import FileError
from damspec.pdn.parser import Chunk, lines_of

#: The names of files that are read in folders and in archives.
_FOLDER_NAMES = re.compile(r".*\.(?:pdn|pdn\.gz|zip)", re.IGNORECASE)
_ARCHIVE_NAMES = re.compile(r".*\.(?:pdn|pgn|txt)", re.IGNORECASE)
#: The number of bytes at the beginning of a file that are examined for UTF-16.
_UTF_16_SAMPLE = 512
#: The number of bytes that are not ASCII from which the guess of an encoding stays as it is.
_SURE_BYTES = 4_000
_CYRILLIC = ("cp1251", "cp866", "koi8-r")
_NON_ASCII = re.compile(rb"[\x80-\xff]+")


@dataclass(frozen=True)
class PdnFile:
    """A file of games: the path, `-` for standard input, and the member if the path is a zip archive."""

    path: Path
    member: str = ""

    @property
    def is_standard_input(self) -> bool:
        """Whether the file is standard input."""
        return str(self.path) == "-"

    @property
    def name(self) -> str:
        """The name shown: a member of an archive as a path within it."""
        return f"{self.path}/{self.member}" if self.member else str(self.path)

    @property
    def size(self) -> int | None:
        """The size in bytes, or None if that is not the number of characters to read."""
        is_plain = not (self.is_standard_input or self.member or self.path.suffix.lower() == ".gz")
        return self.path.stat().st_size if is_plain else None

    def lines(self, encoding: str | None = None) -> Generator[str]:
        """Yield the lines, decoded as Latin-1, so that each byte is a character.

        UTF-16 and what else is not a superset of ASCII comes as the bytes of UTF-8; `encoding` is that of the file, if
        not what its bytes look like. Raises FileError.
        """
        try:
            with self._open() as file:
                yield from _lines_in(file, encoding)
        except (OSError, EOFError, zlib.error, zipfile.BadZipFile, RuntimeError, UnicodeError) as error:
            says = getattr(error, "strerror", None) or str(error)
            raise FileError(f"{self.name!r} cannot be read: {says}") from None

    @contextmanager
    def _open(self) -> Iterator[BinaryIO]:
        if self.is_standard_input:
            yield sys.stdin.buffer
        elif self.member:
            with zipfile.ZipFile(self.path) as archive, archive.open(self.member) as member:
                yield io.BufferedReader(member)  # type: ignore[type-var]
        elif self.path.suffix.lower() == ".gz":
            with gzip.open(self.path) as unpacked:
                yield io.BufferedReader(unpacked)
        else:
            with self.path.open("rb") as file:
                yield file


def find_files(paths: Iterable[Path]) -> list[PdnFile]:
    """Return the files of games that paths lead to: `*.pdn`, `*.pdn.gz` and `*.zip` of folders, members of archives.

    Raises FileError for a folder or an archive without any.
    """
    found: list[PdnFile] = []
    for path in paths:
        within = [path]
        if path.is_dir():
            within = sorted(file for file in path.rglob("*") if file.is_file() and _FOLDER_NAMES.fullmatch(file.name))
            if not within:
                raise FileError(f"{str(path)!r}: found no file *.pdn, *.pdn.gz or *.zip in the folder")
        for file in within:
            found += _members(file) if file.suffix.lower() == ".zip" else [PdnFile(file)]
    return found


def _members(path: Path) -> list[PdnFile]:
    try:
        with zipfile.ZipFile(path) as archive:
            names = sorted(name for name in archive.namelist() if _ARCHIVE_NAMES.fullmatch(name))
    except (OSError, zipfile.BadZipFile) as error:
        raise FileError(f"{str(path)!r} cannot be read: {error}") from None
    if not names:
        raise FileError(f"{str(path)!r}: found no file *.pdn, *.pgn or *.txt in the archive")
    return [PdnFile(path, name) for name in names]


def _lines_in(file: BinaryIO, encoding: str | None) -> Iterator[str]:
    if encoding is None:
        if not hasattr(file, "peek"):
            file = io.BufferedReader(file)  # type: ignore[type-var]
        wide = _utf_16_of(file.peek(_UTF_16_SAMPLE)[:_UTF_16_SAMPLE])
    else:
        wide = None if _extends_ascii(encoding) else encoding
    if wide is None:
        yield from lines_of(io.TextIOWrapper(file, "latin-1"))
        return
    for line in lines_of(io.TextIOWrapper(file, wide, errors="replace")):
        yield line.encode("utf-8", "replace").decode("latin-1")


def _extends_ascii(encoding: str) -> bool:
    return "[x]\n".encode(encoding) == b"[x]\n"


def _utf_16_of(begin: bytes) -> str | None:
    """Return the UTF-16 that bytes are in, if they are."""
    if begin.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    half = len(begin) // 2
    if half and begin[1::2].count(0) > half // 2:
        return "utf-16-le"
    return "utf-16-be" if half and begin[::2].count(0) > half // 2 else None


class EncodingDetector:
    """A decoder of a file's chunks: in the given encoding, else as UTF-8, else as what their bytes look like."""

    def __init__(self, encoding: str | None) -> None:
        self.given = encoding if encoding and _extends_ascii(encoding) else None
        self._non_ascii = b""  # runs of bytes that are not ASCII
        self.guess = ""

    def decode(self, chunk: Chunk) -> tuple[str, str, int]:
        """Return the text, what is unusual about its bytes if anything, and the line where that is.

        Bytes that are wrong in a given encoding are read as Latin-1.
        """
        content = chunk.text.encode("latin-1")
        try:
            return content.decode(self.given or "utf-8"), "", 0
        except UnicodeError as error:
            start = error.start if isinstance(error, UnicodeDecodeError) else 0
            line = chunk.line + content[:start].count(b"\n")
            if self.given:
                return chunk.text, f"found the byte 0x{content[start]:02x}, expected {self.given}", line
        if not self.guess or len(self._non_ascii) < _SURE_BYTES:
            self._non_ascii += b" ".join([b"", *_NON_ASCII.findall(content)])
            self.guess = guess_encoding(self._non_ascii)
        says = f"not UTF-8: read as {self.guess}, which the bytes look like; --encoding says what it is"
        return content.decode(self.guess, "replace"), says, line


def guess_encoding(content: bytes) -> str:
    """Return the legacy encoding that bytes look like: one of Cyrillic, where most come in words, else Windows-1252.

    >>> guess_encoding("Шашки".encode("koi8-r")), guess_encoding("José".encode("cp1252"))
    ('koi8-r', 'cp1252')
    """
    runs = _NON_ASCII.findall(content)
    in_words = sum(len(run) for run in runs if len(run) > 2)
    if 2 * in_words <= sum(map(len, runs)):
        return "cp1252"
    return max(_CYRILLIC, key=lambda encoding: _likeness(content, encoding))


def _likeness(content: bytes, encoding: str) -> int:
    """Return how much bytes look like Cyrillic words: small letters, capitals only at their beginnings."""
    text = content.decode(encoding, "replace")
    small = len(re.findall("[а-яё]", text))
    inner_capitals = len(re.findall("[а-яё][А-ЯЁ]", text))
    strange = len(re.findall("[^а-яёА-ЯЁ\x00-\x7f]", text))
    return 2 * small - 4 * inner_capitals - 3 * strange
