"""What collectors have brought together: their answers files in a table, on a map, and each on a page of its own.

The files are read and judged before; here is what became of each.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Literal

from damspec import Position

from . import links
from .library import Library
from .links import Link
from .pages import SECTIONS, File, Page
from .pictures import Gallery, Picture, squares
from .places import Pin, PlaceMap, place_map

Said = Literal["yes", "no", "unknown"]

#: The columns of the table to download.
_COLUMNS = (
    *("file", "place", "country", "latitude", "longitude", "year", "told", "by"),
    *("game", "differs", "answers", "contradictions"),
)
#: How many different signs there are, by shape and colour.
_SHAPES, _COLOURS = 7, 6


@dataclass(frozen=True)
class GivenAnswer:
    """A question of an answers file: its words and board, the answer, and what the game found would say."""

    id: str
    asks: str
    said: Said
    expected: Said
    note: str = ""
    position: Position | None = None
    move: str = ""

    @property
    def against(self) -> bool:
        """Whether the game found would have it otherwise."""
        return "unknown" not in (self.said, self.expected) and self.said != self.expected


@dataclass(frozen=True)
class Collected:
    """An answers file: its name, where, when and by whom, the game found, what is different there, and the answers.

    Without a game nothing could be found out. `clashes` are the answers that do not go together, in groups.
    """

    name: str
    place: str
    country: str
    year: str
    told: str
    by: str
    at: tuple[float, float] | None
    game: str
    differs: tuple[str, ...]
    replies: tuple[GivenAnswer, ...]
    clashes: tuple[tuple[str, ...], ...] = ()

    @property
    def answered(self) -> int:
        """How many questions have an answer."""
        return sum(reply.said != "unknown" for reply in self.replies)


@dataclass(frozen=True)
class GameSign:
    """The sign by which a game is known on the map: its shape and its colour, by numbers."""

    shape: int
    colour: int


@dataclass(frozen=True)
class CollectedRow:
    """An answers file with its number, its page, its sign, and its pin on the map if it says where it is from."""

    number: int
    record: Collected
    href: str
    sign: GameSign
    pin: Pin | None


@dataclass(frozen=True)
class ShownAnswer:
    """An answer with its board, if the question has one."""

    given: GivenAnswer
    picture: Picture | None


def pages(library: Library, gallery: Gallery, records: Sequence[Collected]) -> Iterator[Page | File]:
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


def table(library: Library, records: Sequence[Collected]) -> str:
    """All files as CSV, a line for each."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for one in records:
        latitude, longitude = one.at or ("", "")
        game = library.rulesets[one.game].name if one.game else ""
        where = (one.name, one.place, one.country, latitude, longitude, one.year, one.told, one.by)
        clashes = "; ".join(" and ".join(clash) for clash in one.clashes)
        writer.writerow((*where, game, "; ".join(one.differs), one.answered, clashes))
    return text.getvalue()


def _rows(records: Sequence[Collected]) -> tuple[PlaceMap | None, list[CollectedRow]]:
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
    shown = {given.id: ShownAnswer(given, _board(gallery, given)) for given in record.replies}
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
        },
    )


def _board(gallery: Gallery, given: GivenAnswer) -> Picture | None:
    if given.position is None:
        return None
    path = squares(given.position, given.move) if given.move else ()
    return gallery.board(given.position, arrows=[path] if path else [])
