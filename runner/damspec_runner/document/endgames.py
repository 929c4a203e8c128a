"""What is on record of endgames: who wins each material by each game, what changed rules and readings make of it."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from damspec import data


@dataclass(frozen=True)
class EndgameRow:
    """The positions of a material with one side to move, by a game: a line of `docs/endgames.csv`.

    `sides` has the side to move first. `limits` names the rules that may draw wins before their end. The numbers on the
    main road are of positions in which the only piece of one side is a king, and the only one there; None in other
    materials, and on boards without a main road.
    """

    ruleset: str
    sides: str
    positions: int
    won: int
    lost: int
    drawn: int
    longest: int | None
    longest_positions: int
    longest_position: str | None
    limits: tuple[str, ...]
    road_positions: int | None
    road_won: int | None
    road_lost: int | None

    @property
    def pieces(self) -> int:
        """The number of pieces."""
        return len(self.sides) - 1

    @property
    def numbers(self) -> tuple[int, int]:
        """The number of pieces of the side to move, and of the other side."""
        own, other = self.sides.split("v")
        return len(own), len(other)

    def cells(self) -> list[str]:
        """Return the line of the file."""
        values = [getattr(self, name) for name in COLUMNS]
        return [" ".join(each) if isinstance(each, tuple) else "" if each is None else str(each) for each in values]


#: The columns of the file.
COLUMNS = tuple(EndgameRow.__dataclass_fields__)
_WORDS = frozenset(("ruleset", "sides", "longest_position", "limits"))


def table_path() -> Path:
    """Return the path of the table of all materials."""
    return data.root() / "docs" / "endgames.csv"


def record_path() -> Path:
    """Return the path of the longest wins, and of what changed rules and readings make of endgames."""
    return data.root() / "cases" / "generated" / "endgames.yaml"


@cache
def load_table() -> Mapping[str, list[EndgameRow]]:
    """Load the table, by game. Raises FileError."""
    found: dict[str, list[EndgameRow]] = {}
    where = data.path_text(table_path())
    try:
        with table_path().open(encoding="utf-8", newline="") as file:
            for number, cells in enumerate(csv.DictReader(file), 2):
                try:
                    row = _row(cells)
                except (KeyError, TypeError, ValueError):
                    raise data.FileError(f"{where}:{number}: expected the columns {', '.join(COLUMNS)}") from None
                found.setdefault(row.ruleset, []).append(row)
    except OSError as error:
        raise data.FileError(f"{where}: cannot be read: {error.strerror}") from None
    return found


def _row(cells: Mapping[str, str]) -> EndgameRow:
    values: dict[str, Any] = {}
    for name in COLUMNS:
        cell = cells[name]
        if name == "limits":
            values[name] = tuple(cell.split())
        else:
            values[name] = cell if name in _WORDS and cell else int(cell) if cell else None
    return EndgameRow(**values)


@cache
def load_record() -> Mapping[str, Any]:
    """Load the record; schemas/recorded_endgames.schema.json says what the keys mean. Raises FileError."""
    content: Mapping[str, Any] = data.load_yaml(record_path())
    data.check(content, "recorded_endgames", data.path_text(record_path()))
    return content


def share(number: int, of: int) -> str:
    """Return a share in percent, which is 100% or 0% only where no position is otherwise."""
    if number in (0, of):
        return "100%" if number else "0%"
    return f"{min(max(100 * number / of, 0.1), 99.9):.1f}%"


#: What is said of some materials, by the sides, the first of which is to move.
_MATERIALS = {"KKvK": "two kings to move against one", "KKKvK": "three kings to move against one"}


def reading_effect(reading: str, alternative: str) -> str:
    """Return in a sentence what an alternative of a reading does to endgames; empty if that is not on record.

    Of several games it is said of that in which most endgames change.
    """
    found = [
        (entry["changed"] / entry["endgames"], id, entry)
        for id, game in load_record()["games"].items()
        for entry in game["readings"]
        if (entry["reading"], entry["alternative"]) == (reading, alternative)
    ]
    if not found:
        return ""
    _, id, entry = max(found, key=lambda each: (each[0], len(each[2].get("smallest", ())), each[2]["won"] != {}))
    if "smallest" not in entry:
        return "No endgame of up to three pieces changes its value."
    of = f"{entry['changed']:,} of {entry['endgames']:,} endgames of up to three pieces change their value"
    said = [f"{of if entry['changed'] else 'No endgame of up to three pieces changes its value'} (by {id})"]
    for sides, words in _MATERIALS.items():
        won = entry["won"].get(sides)
        if won and won["as-chosen"] != won["otherwise"]:
            numbers = f"{won['otherwise']:,} instead of {won['as-chosen']:,} of {won['of']:,} positions"
            said.append(f"{words} win {numbers}")
    smallest = entry["smallest"]
    values = f"a {smallest['as-chosen']} as chosen, else a {smallest['otherwise']}"
    return f"{'; '.join(said)}. The smallest: {smallest['position']} is {values}."
