"""What collectors have brought together: their answers files in a table, on a map, and each on a page of its own.

The files are read and judged before; here is what became of each.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from ...cases.collected import Collected, Saying
from ...cases.enquiries import Enquiry, enquiries
from . import links
from .identify import board
from .library import Library
from .links import Link
from .pages import SECTIONS, File, Page
from .pictures import Gallery, Picture
from .places import Pin, PlaceMap, place_map

#: The columns of the table to download.
_COLUMNS = (
    *("file", "place", "country", "latitude", "longitude", "year", "told", "by"),
    *("game", "differs", "answers", "contradictions"),
)
#: How many different signs there are, by shape and colour.
_SHAPES, _COLOURS = 7, 6


@dataclass(frozen=True)
class CollectedGame:
    """An answers file by its name, and what became of it: the game found, what is different, what the game answers.

    Without a game nothing could be found out. `clashes` are the answers that do not go together, in groups.
    """

    name: str
    file: Collected
    game: str
    differs: tuple[str, ...]
    expected: Mapping[str, Saying]
    clashes: tuple[tuple[str, ...], ...] = ()

    @property
    def place(self) -> str:
        """Where it was played, or else the name of the file."""
        return self.file.place.name if self.file.place else self.name

    @property
    def country(self) -> str:
        """The country, in two letters, if it is told."""
        return self.file.place.country if self.file.place else ""

    @property
    def at(self) -> tuple[float, float] | None:
        """Latitude and longitude, if they are told."""
        place = self.file.place
        return (
            None
            if place is None or place.latitude is None or place.longitude is None
            else (place.latitude, place.longitude)
        )

    @property
    def year(self) -> str:
        """When it was played so, in words."""
        return "" if self.file.year is None else str(self.file.year)

    @property
    def answered(self) -> int:
        """How many questions have an answer."""
        return sum(said != "unknown" for said in self.file.answers.values())


@dataclass(frozen=True)
class GameSign:
    """The sign by which a game is known on the map: its shape and its colour, by numbers."""

    shape: int
    colour: int


@dataclass(frozen=True)
class CollectedRow:
    """An answers file with its number, its page, its sign, and its pin on the map if it says where it is from."""

    number: int
    record: CollectedGame
    href: str
    sign: GameSign
    pin: Pin | None


@dataclass(frozen=True)
class ShownAnswer:
    """A question with its board, if it has one, what was answered, what the game found says, and what was noted."""

    enquiry: Enquiry
    picture: Picture | None
    said: Saying
    expected: Saying
    note: str

    @property
    def against(self) -> bool:
        """Whether the game found has it otherwise."""
        return "unknown" not in (self.said, self.expected) and self.said != self.expected


def pages(library: Library, gallery: Gallery, records: Sequence[CollectedGame]) -> Iterator[Page | File]:
    """The table with the map, the table to download, and a page for each file."""
    drawn, rows = _rows(records)
    games = Counter(record.game for record in records)
    found = [(id, number, sign) for (id, number), sign in zip(games.most_common(), _signs(), strict=False) if id]
    yield Page(
        links.COLLECTED,
        "collected.html",
        "Games as they are told",
        "Which game was played where, by the answers of those who played it: a table and a map.",
        "identify",
        (SECTIONS["identify"],),
        ("collected.js",),
        {
            "rows": rows,
            "map": drawn,
            "games": found,
            "countries": sorted({record.country for record in records if record.country}),
        },
    )
    yield File(links.COLLECTED_TABLE, table(library, records).encode())
    for row in rows:
        yield _page(gallery, row)


def table(library: Library, records: Sequence[CollectedGame]) -> str:
    """All files as CSV, a line for each."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for one in records:
        latitude, longitude = one.at or ("", "")
        game = library.rulesets[one.game].name if one.game else ""
        where = (one.name, one.place, one.country, latitude, longitude, one.year, one.file.told, one.file.by)
        clashes = "; ".join(" and ".join(clash) for clash in one.clashes)
        writer.writerow((*where, game, " ".join(one.differs), one.answered, clashes))
    return text.getvalue()


def _rows(records: Sequence[CollectedGame]) -> tuple[PlaceMap | None, list[CollectedRow]]:
    """The map, and the files in their order with what the table shows of each."""
    signs = dict(
        zip((id for id, _ in Counter(record.game for record in records).most_common()), _signs(), strict=False)
    )
    located = [record for record in records if record.at]
    drawn = place_map([record.at for record in located if record.at])
    pins = dict(zip((record.name for record in located), drawn.pins if drawn else (), strict=True))
    return drawn, [
        CollectedRow(number, record, links.collected(record.name), signs[record.game], pins.get(record.name))
        for number, record in enumerate(records, 1)
    ]


def _signs() -> Iterator[GameSign]:
    """A sign for each game, that of the game found most often first; they come again after many."""
    return (GameSign(number % _SHAPES, number % _COLOURS) for number in count())


def _page(gallery: Gallery, row: CollectedRow) -> Page:
    """The page of a file: what was found, what does not go together, and every answer on its board."""
    record = row.record
    shown = {id: _shown(gallery, record, id) for id in record.file.answers}
    return Page(
        row.href,
        "collected_one.html",
        f"{record.place}, {record.year}" if record.year else record.place,
        f"How draughts was played in {record.place}: the answers of somebody who played it, on boards.",
        "identify",
        (SECTIONS["identify"], Link("Games as they are told", links.COLLECTED)),
        given={
            "row": row,
            "answers": [*shown.values()],
            "clashes": [[shown[id] for id in clash] for clash in record.clashes],
            "again": "answers=" + ",".join(f"{id}.{said[0]}" for id, said in record.file.answers.items()),
        },
    )


def _shown(gallery: Gallery, record: CollectedGame, id: str) -> ShownAnswer:
    asked, file = enquiries(), record.file
    enquiry = asked.by_id[id]
    expected = record.expected.get(id, "unknown")
    return ShownAnswer(enquiry, board(gallery, asked, enquiry), file.answers[id], expected, file.notes.get(id, ""))
