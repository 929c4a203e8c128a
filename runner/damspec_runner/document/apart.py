"""How far apart two games are, and how much a rule has to do with it: the record that `damspec diff --measure` makes.

Both are shares of positions that come up in random games of the two.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from damspec import data


def share(one: str, other: str) -> float | None:
    """The share of positions of their games that two games answer differently; None if it was not measured."""
    return share_in(_file(), one, other)


def share_in(record: Mapping[str, Any], one: str, other: str) -> float | None:
    """The same by a record that is given."""
    counts = (record["otherwise"].get(a, {}).get(b) for a, b in ((one, other), (other, one)))
    return _mean(counts, record["positions"])


def strength(one: str, other: str, rule: str) -> float | None:
    """The share of positions of their games in which a rule alone changes the answer.

    None if it was not measured: it shows in no position, or cannot be changed without another rule.
    """
    counts = (_changed().get((a, b, rule)) for a, b in ((one, other), (other, one)))
    return _mean(counts, positions())


def weights() -> Mapping[str, list[tuple[str, str, float]]]:
    """For each game a rule, a game that has it otherwise, and the share of positions in which that changes answers."""
    return {
        game: [(entry["rule"], entry["as"][0], entry["otherwise"] / positions()) for entry in entries]
        for game, entries in _file()["rules"].items()
    }


def positions() -> int:
    """How many positions of each game were tried."""
    number: int = _file()["positions"]
    return number


def measured() -> tuple[str, ...]:
    """The games that were measured."""
    return tuple(_file()["otherwise"])


def path() -> Path:
    """Where the record is."""
    return data.root() / "cases" / "apart.yaml"


def _mean(counts: Iterable[int | None], positions: int) -> float | None:
    known = [count for count in counts if count is not None]
    return sum(known) / len(known) / positions if known else None


@cache
def _file() -> Mapping[str, Any]:
    content: Mapping[str, Any] = data.load_yaml(path())
    data.check(content, "apart", data.shown(path()))
    return content


@cache
def _changed() -> Mapping[tuple[str, str, str], int]:
    return {
        (one, other, entry["rule"]): entry["otherwise"]
        for one, entries in _file()["rules"].items()
        for entry in entries
        for other in entry["as"]
    }
