"""What the makers of recorded files share: finished parts, and digests of what these are made from."""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Any, TypeVar

import yaml

from damspec import data
from damspec_runner.mutants.ruleset_diff import counts_history
from damspec_runner.tasks.executor import TaskRunner

V = TypeVar("V")


@dataclass(frozen=True)
class Limits:
    """How far proofs and counts go: the most pieces (None: as many as usual), and enough nodes of a perft count."""

    pieces: int | None
    nodes: int


@dataclass(frozen=True)
class Job:
    """What is to be made: the units of a recorded file whose inputs have changed, and those that are gone."""

    units: frozenset[str]
    doing: TaskRunner
    limits: Limits

    def split(self, known: Iterable[str]) -> tuple[list[str], tuple[str, ...]]:
        """Return the units to make, in the order of those that are known, and those that are gone."""
        new = [unit for unit in known if unit in self.units]
        return new, (*sorted(self.units.difference(new)),)


@dataclass(frozen=True)
class Part:
    """A finished part: the units that are done, and what proved wrong, in lines.

    `texts`, or bytes, are to be written by their paths; a file with None is taken away. `inputs` has the digests of
    units that are others now that the part is made.
    """

    units: tuple[str, ...]
    texts: Mapping[Path, str | bytes | None]
    wrong: tuple[str, ...] = ()
    inputs: Mapping[str, str] = field(default_factory=dict)


def digest(*inputs: Any) -> str:
    """Return a short digest of values, which changes with any of them."""
    text = json.dumps(inputs, sort_keys=True, default=_plain, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def without_history(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return rule values without those about earlier moves, which show in no position."""
    return {rule: value for rule, value in values.items() if not counts_history(rule)}


def generated_path(name: str) -> Path:
    """Return the path of a recorded file."""
    return data.root() / "cases" / "generated" / name


def in_order(ids: Iterable[str], found: Mapping[str, V]) -> dict[str, V]:
    """Return what was found of some ids, in their order."""
    return {id: found[id] for id in ids if id in found}


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Return rows as CSV."""
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def markdown_table(head: Sequence[str], lines: Iterable[Sequence[object]], words: int | None = None) -> Iterator[str]:
    """Yield the lines of a table, whose first columns are words and whose others are numbers; or all are words."""
    numbers = 0 if words is None else len(head) - words
    yield _row(head)
    yield f"|{'---|' * (len(head) - numbers)}{'--:|' * numbers}"
    yield from map(_row, lines)


def _row(cells: Sequence[object]) -> str:
    return "".join(f"| {cell} " if cell != "" else "| " for cell in cells) + "|"


def text_of(header: str, content: Mapping[str, Any], *, width: int = 160) -> str:
    """Return the text of a recorded file."""
    dumped = yaml.safe_dump(content, sort_keys=False, default_flow_style=None, width=width, allow_unicode=True)
    return header + dumped


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"no digest of {type(value).__name__}")
