"""The files of solved positions: one for each material, read through a memory map (docs/solve.md has the format)."""

from __future__ import annotations

import hashlib
import json
import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from damspec.data import FileError
from damspec.kernel.retrograde import VALUE_BITS, Section
from damspec.safe_yaml import read_json

#: What the name of a file ends in.
SUFFIX = ".damsolve"
_MAGIC, _VERSION = b"DAMSOLVE", 1
#: Magic, version, size of the header, squares, sections, bytes of a distance, king limit, digest of the rules.
_HEAD = struct.Struct("<8sIIHBBB3x32s32s")
#: Side, men, kings, enemy men and kings, squares without men, squares without enemy men, number of entries.
_SECTION = struct.Struct("<8BQ")
#: Headers are filled up to a multiple of this; distances up to this are written in one byte.
_ALIGNMENT, _MOST_IN_A_BYTE = 64, 255
_AT_ONCE = 1 << 22

Codes = np.ndarray[Any, np.dtype[np.uint16]]


@dataclass(frozen=True)
class Head:
    """What a file says of itself: the digest of the rules, the board, the king limit, the sections, and for people
    the ruleset, the material and the number of each square in FEN.
    """

    rules: str
    squares: int
    king_limit: int
    sections: tuple[Section, ...]
    excluded: tuple[tuple[int, int], ...]
    sizes: tuple[int, ...]
    about: dict[str, Any]


class EndgameFile:
    """A file of solved positions, mapped into memory.

    Raises FileError for one that is none, is cut off, or whose sections are not as long as it says.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._bytes = np.memmap(path, np.uint8, "r") if path.stat().st_size else np.zeros(0, np.uint8)
        except OSError as error:
            raise FileError(f"{path}: cannot read: {error.strerror}") from None
        content = self._bytes
        if len(content) < _HEAD.size or bytes(content[: len(_MAGIC)]) != _MAGIC:
            raise FileError(f"{path}: not a file of solved positions: it does not begin with {_MAGIC.decode()}")
        _, version, self._start, squares, number, self.distance_bytes, limit, rules, self._sum = _HEAD.unpack(
            bytes(content[: _HEAD.size])
        )
        if version != _VERSION:
            raise FileError(f"{path}: found version {version} of the format, expected {_VERSION}")
        tables = _HEAD.size + number * _SECTION.size
        if not (0 < number <= 2 and self.distance_bytes <= 2 and tables <= self._start <= len(content)):
            raise FileError(f"{path}: the header is damaged")
        rows = [*_SECTION.iter_unpack(bytes(content[_HEAD.size : tables]))]
        sections = tuple(Section(*row[:5]) for row in rows)
        try:
            about = read_json(bytes(content[tables : self._start]).decode())
        except ValueError:
            raise FileError(f"{path}: the header is damaged") from None
        sizes = tuple(row[8] for row in rows)
        self.head = Head(rules.hex(), squares, limit, sections, tuple(row[5:7] for row in rows), sizes, about)
        end = self._start + sum(_bytes_of(size, self.distance_bytes) for size in sizes)
        if len(content) != end:
            raise FileError(f"{path}: found {len(content):,} bytes, expected {end:,}")

    def check_sum(self) -> None:
        """Raise FileError unless the file has the checksum in its head."""
        found = hashlib.sha256()
        for start in range(_HEAD.size, len(self._bytes), _AT_ONCE):
            found.update(self._bytes[start : start + _AT_ONCE].data)
        if found.digest() != self._sum:
            raise FileError(f"{self.path}: the checksum is wrong: the file is damaged")

    def codes(self, section: Section) -> Codes:
        """Return the codes of a section in memory: values, and above them distances, 0 if the file has none."""
        start, size = self._place(section)
        values = self._bytes[start : start + (size + 3) // 4]
        found = np.empty((len(values), 4), np.uint16)
        for place in range(4):
            found[:, place] = values >> 2 * place & 3
        codes = found.reshape(-1)[:size]
        if self.distance_bytes:
            at = start + len(values)
            kind = "<u1" if self.distance_bytes == 1 else "<u2"
            distances = self._bytes[at : at + size * self.distance_bytes].view(kind)
            codes |= distances.astype(np.uint16) << VALUE_BITS
        return codes

    def code(self, section: Section, number: int) -> int:
        """Return the code of one position."""
        start, size = self._place(section)
        value = int(self._bytes[start + number // 4]) >> 2 * (number % 4) & 3
        at = start + (size + 3) // 4 + number * self.distance_bytes
        distance = int.from_bytes(bytes(self._bytes[at : at + self.distance_bytes]), "little")
        return value | distance << VALUE_BITS

    def _place(self, section: Section) -> tuple[int, int]:
        start = self._start
        for each, size in zip(self.head.sections, self.head.sizes, strict=True):
            if each == section:
                return start, size
            start += _bytes_of(size, self.distance_bytes)
        raise FileError(f"{self.path}: has no positions of {section}")


def write_endgame_file(path: Path, head: Head, codes: list[Codes], *, distance: bool) -> None:
    """Write a file whole: it is there only when all of it is on the disk. Raises OSError."""
    longest = max(int((each >> VALUE_BITS).max()) for each in codes)
    distance_bytes = 0 if not distance else 1 if longest <= _MOST_IN_A_BYTE else 2
    tables = b"".join(
        _SECTION.pack(*section, *excluded, 0, number)
        for section, excluded, number in zip(head.sections, head.excluded, head.sizes, strict=True)
    )
    tables += json.dumps(head.about, ensure_ascii=True).encode()
    size = _HEAD.size + len(tables)
    size += -size % _ALIGNMENT
    parts = [tables.ljust(size - _HEAD.size), *(part for each in codes for part in _parts(each, distance_bytes))]
    found = hashlib.sha256()
    for part in parts:
        found.update(part)
    about_board = head.squares, len(head.sections), distance_bytes, head.king_limit
    head_bytes = _HEAD.pack(_MAGIC, _VERSION, size, *about_board, bytes.fromhex(head.rules), found.digest())
    beside = path.with_name(f".{path.name}.part")
    with beside.open("wb") as file:
        file.write(head_bytes)
        for part in parts:
            file.write(part)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)


def _bytes_of(size: int, distance_bytes: int) -> int:
    return (size + 3) // 4 + size * distance_bytes


def _parts(codes: Codes, distance_bytes: int) -> Iterator[bytes]:
    """Yield the values of a section, four to a byte, and its distances."""
    values = np.zeros((len(codes) + 3) // 4 * 4, np.uint8)
    values[: len(codes)] = codes & 3
    four = values.reshape(-1, 4)
    yield (four[:, 0] | four[:, 1] << 2 | four[:, 2] << 4 | four[:, 3] << 6).tobytes()
    if distance_bytes:
        yield (codes >> VALUE_BITS).astype("<u1" if distance_bytes == 1 else "<u2").tobytes()
