"""The folder known/: expected failures of named engines, the matrix of engines and rulesets, badges."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any, Literal

from damspec import data
from damspec.safe_yaml import read_json


@dataclass(frozen=True)
class ExpectedFailures:
    """The expected failures of an engine on a ruleset: causes in words, and each failing case's cause and faults."""

    engine: str
    version: str
    ruleset: str
    causes: Mapping[str, str]
    failures: Mapping[str, Mapping[str, Any]]

    def failing(self, cause: str) -> list[str]:
        """Return the ids of the cases that fail for a cause."""
        return [id for id, failure in self.failures.items() if failure["cause"] == cause]


def path(engine: str, ruleset: str) -> Path:
    """Return the file with the expected failures of an engine on a ruleset."""
    return data.root() / "known" / engine / f"{ruleset}.yaml"


def load(engine: str, ruleset: str) -> ExpectedFailures:
    """Load the expected failures of an engine on a ruleset. Raises FileError if there is no file."""
    return read(path(engine, ruleset))


def read(file: Path) -> ExpectedFailures:
    """Load expected failures from a file. Raises FileError."""
    content = data.load_yaml(file)
    data.check(content, "known", data.path_text(file))
    for id, failure in content["failures"].items():
        if failure["cause"] not in content["causes"]:
            causes = ", ".join(content["causes"])
            raise data.FileError(
                f"{data.path_text(file)}: failures.{id}.cause: found {failure['cause']!r}, expected one of {causes}"
            )
    return ExpectedFailures(**content)


Colour = Literal["brightgreen", "yellow", "red"]
#: shields.io's colours, with the values for SVG.
_COLOURS: dict[Colour, str] = {"brightgreen": "#2c7a1f", "yellow": "#8a6200", "red": "#b3261e"}
#: Letters that are narrow and wide in Verdana at 11 pixels, and the width of the others.
_NARROW, _WIDE, _LETTER = " fijlrt.,:/'-()", "mwMWO%", 7.0


def badge_svg(label: str, message: str, colour: Colour) -> str:
    """Return a badge as SVG."""
    left, right = (_width(text) + 10 for text in (label, message))
    texts = ((left / 2, label), (left + right / 2, message))
    said = escape(f"{label}: {message}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="20" role="img" aria-label="{said}">'
        f"<title>{said}</title>"
        f'<clipPath id="r"><rect width="{left + right}" height="20" rx="3"/></clipPath>'
        f'<g clip-path="url(#r)"><rect width="{left}" height="20" fill="#444"/>'
        f'<rect x="{left}" width="{right}" height="20" fill="{_COLOURS[colour]}"/></g>'
        '<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">'
        + "".join(f'<text x="{middle:g}" y="14">{escape(text)}</text>' for middle, text in texts)
        + "</g></svg>\n"
    )


def badge_json(label: str, message: str, colour: Colour) -> str:
    """Return a badge as JSON for shields.io's endpoint."""
    badge = {"schemaVersion": 1, "label": label, "message": message, "color": colour}
    return json.dumps(badge, ensure_ascii=False) + "\n"


def _width(text: str) -> int:
    return round(sum(3.9 if letter in _NARROW else 10.0 if letter in _WIDE else _LETTER for letter in text))


#: The file of the matrix, relative to the data root.
MATRIX_FILE = Path("known", "matrix.json")
#: The lines before and after a table on a page.
TABLE_BEGIN, TABLE_END = "<!-- the matrix: written by damspec compare -->", "<!-- the end of the matrix -->"


@dataclass(frozen=True)
class GamesSummary:
    """The result of random games; `found` has a line for each kind of wrong answer, with the smallest position."""

    seed: int
    games: int
    positions: int
    found: tuple[str, ...] = ()


@dataclass(frozen=True)
class FailureCause:
    """A cause of failures, in words, and the number of cases that show it."""

    cause: str
    about: str
    cases: int


@dataclass(frozen=True)
class Standing:
    """The result of an engine on a ruleset: the number of its cases by verdict.

    `reading` counts cases that are right under another reading, `twice` moves listed more than once. `games` were
    played only if no case failed.
    """

    engine: str
    version: str
    ruleset: str
    cases: int
    passed: int
    failed: int
    reading: int
    unsupported: int
    twice: int
    questions: tuple[str, ...]
    wrong: tuple[FailureCause, ...] = ()
    games: GamesSummary | None = None

    @property
    def right(self) -> bool:
        """Whether no answer was wrong."""
        return not self.failed and not (self.games and self.games.found)

    @property
    def answered_share(self) -> int:
        """The percentage of the cases that the engine could be asked."""
        return round(100 * (self.cases - self.unsupported) / self.cases)

    @property
    def colour(self) -> Colour:
        """Red if anything is wrong, else green if every case passes, else yellow."""
        return "red" if not self.right else "brightgreen" if self.passed == self.cases else "yellow"

    def badges(self) -> Mapping[str, str]:
        """Return its badges by file extension."""
        badge = (f"damspec {self.ruleset}", f"{self.passed} of {self.cases} cases", self.colour)
        return {"svg": badge_svg(*badge), "json": badge_json(*badge)}


@dataclass(frozen=True)
class Matrix:
    """The results of all engines on all rulesets, grouped by engine in the order of the registry."""

    cells: tuple[Standing, ...] = field(default=())

    @property
    def rulesets(self) -> list[str]:
        """The rulesets, those that most engines play first."""
        played = [cell.ruleset for cell in self.cells]
        return sorted(dict.fromkeys(played), key=lambda id: (-played.count(id), id))

    def by_engine(self) -> Iterator[tuple[str, list[Standing]]]:
        """Yield each engine's name with its cells."""
        for name, cells in groupby(self.cells, key=lambda cell: cell.engine):
            yield name, list(cells)

    def text(self) -> str:
        """Return the text of the file."""
        cells = [{key: value for key, value in asdict(cell).items() if value is not None} for cell in self.cells]
        return json.dumps({"cells": cells}, indent=1, ensure_ascii=False) + "\n"


def read_matrix(path: Path | None = None) -> Matrix:
    """Read a matrix from a file, by default the one in known/. Raises FileError."""
    file = path or data.root() / MATRIX_FILE
    try:
        content = read_json(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise data.FileError(f"{data.path_text(file)}: cannot be read: {error}") from None
    data.check(content, "matrix", data.path_text(file))
    return Matrix(tuple(_cell(entry) for entry in content["cells"]))


def _cell(entry: Mapping[str, Any]) -> Standing:
    games = GamesSummary(**{**entry["games"], "found": tuple(entry["games"]["found"])}) if "games" in entry else None
    wrong = tuple(FailureCause(**each) for each in entry["wrong"])
    return Standing(**{**entry, "questions": tuple(entry["questions"]), "wrong": wrong, "games": games})


def short_table(matrix: Matrix) -> str:
    """Return a Markdown table of each engine's rulesets without and with wrong answers."""
    lines = ["| engine | right | wrong, with the cases that fail |", "|---|---|---|"]
    for _, cells in matrix.by_engine():
        right = ", ".join(cell.ruleset for cell in cells if cell.right)
        wrong = ", ".join(f"{cell.ruleset} {_failing(cell)}" for cell in cells if not cell.right)
        lines.append(f"| {cells[0].engine} {cells[0].version} | {right or '·'} | {wrong or '·'} |")
    return "\n".join(lines)


def _failing(cell: Standing) -> str:
    return f"{cell.failed} of {cell.cases}" if cell.failed else "in games"


def full_table(matrix: Matrix) -> str:
    """Return a Markdown table with the counts of each engine on each ruleset."""
    lines = [
        "| engine | ruleset | passed | failed | other reading | not answered | listed twice | games |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for cell in matrix.cells:
        games = _games(cell.games) if cell.games else "·"
        counts = (cell.passed, cell.failed, cell.reading, cell.unsupported, cell.twice)
        lines.append(f"| {cell.engine} {cell.version} | {cell.ruleset} | {' | '.join(map(str, counts))} | {games} |")
    return "\n".join(lines)


def _games(games: GamesSummary) -> str:
    return f"{games.positions:,} positions" + (f", {len(games.found)} wrong" if games.found else "")


def replace_table(page: str, table: str) -> str:
    """Return a page with its table replaced. Raises ValueError if it has none."""
    before, begin, rest = page.partition(f"{TABLE_BEGIN}\n")
    _, end, after = rest.partition(f"{TABLE_END}\n")
    if not begin or not end:
        raise ValueError(f"found no lines {TABLE_BEGIN} and {TABLE_END}")
    return f"{before}{begin}{table}\n{end}{after}"


def merge_matrix(old: Matrix, new: Sequence[Standing], order: Sequence[tuple[str, str, str]]) -> Matrix:
    """Return the old cells, replaced by new ones, in the given order; cells that it does not list are dropped."""
    known = {(cell.engine, cell.version, cell.ruleset): cell for cell in (*old.cells, *new)}
    return Matrix(tuple(known[place] for place in order if place in known))
