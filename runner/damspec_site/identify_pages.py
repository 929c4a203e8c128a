"""Pages of the questionnaire: questions, collected answers, and their map."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, pairwise
from math import ceil, cos, dist, floor, pi, radians, sin
from typing import Any

import damspec
from damspec.mutations import RANKED
from damspec.vocabulary import groups
from damspec_runner.cases.questionnaire import AnswersFile, PersonQuestion, Questionnaire, Saying, load_questionnaire
from damspec_runner.mutants.mutants import changes, differing_values

from . import pages
from .boards import captured, squares
from .diagrams import Picture
from .library import SiteData
from .pages import SECTIONS, File, Link, Page, data_script
from .words import question_keys


def identify_pages(library: SiteData, collected: bool) -> Iterator[Page | File]:
    """Yield the pages, and the scripts with the questions, the words of the page and each game's changes.

    The first page links to the collected answers, if there are any.
    """
    asked = load_questionnaire()
    boards = {one.id: board(asked, one) for one in asked.questions}
    example = next(one for one in asked.questions if boards[one.id])
    yield from (picture.file for picture in boards.values() if picture)
    yield Page(
        pages.IDENTIFY,
        "identify.html",
        "Which game did you play?",
        "Small positions with a question each, to find out which game of draughts somebody played.",
        "identify",
        scripts=(
            "identify-session.js",
            "identify-verdict.js",
            "identify-words.js",
            "answers-file.js",
            "identify.js",
        ),
        given={
            "number": len(asked.questions),
            "asks": example.asks,
            "example": boards[example.id],
            "collected": collected,
        },
    )
    yield Page(
        pages.QUESTIONS,
        "questions.html",
        "All questions about a game",
        "Every question by which a game is found out, on boards, to print and to fill in.",
        "identify",
        (SECTIONS["identify"],),
        given={"groups": _by_group(asked), "boards": boards, "keys": question_keys()},
    )
    yield data_script("identify/questions", questions_data(asked, boards))
    for id in library.rulesets:
        yield data_script(f"identify/changes/{id}", changes(id))


def board(asked: Questionnaire, enquiry: PersonQuestion) -> Picture | None:
    """Draw the board of a question with its move; None if it has no board.

    Captured pieces are not crossed out, since it may matter whether they are kings.
    """
    position = asked.board(enquiry)
    if position is None:
        return None
    if not enquiry.move:
        return Picture(position)
    taken = ", ".join(map(str, captured(position, enquiry.move)))
    says = f"The move: {enquiry.move}" + (f", capturing {taken}." if taken else ".")
    return Picture(position, arrows=(squares(position, enquiry.move),), says=says)


def _by_group(asked: Questionnaire) -> list[tuple[str, list[PersonQuestion]]]:
    """Return the questions by the group of their rules."""
    found = [
        (group.id, [one for one in asked.questions if one.rule in {rule.name for rule in group.rules}])
        for group in groups()
    ]
    return [(group, questions) for group, questions in found if questions]


def questions_data(asked: Questionnaire, drawn: Mapping[str, Picture | None]) -> Mapping[str, Any]:
    """Return the questions, each with its board, the topics, and the known games with their answers."""
    return {
        "belief": vars(asked.belief),
        "topics": {topic: [" ".join(unit) for unit in units] for topic, units in asked.topics.items()},
        "ranked": sorted(RANKED),
        "questions": [_question(asked, one, drawn[one.id]) for one in asked.questions],
        "games": {game: [_answers(asked, game), *_read_otherwise(game)] for game in asked.answers},
    }


def _question(asked: Questionnaire, one: PersonQuestion, picture: Picture | None) -> Mapping[str, Any]:
    said = {key: value for key, value in vars(one).items() if value not in ("", None, {}, False)}
    words = {"inWords": True} if asked.is_in_words(one) else {}
    shown = {"board": [picture.src, picture.alt, picture.width(320), picture.height(320)]} if picture else {}
    return {**said, **words, **shown}


def _answers(asked: Questionnaire, game: str) -> str | Mapping[str, str]:
    """Return a game's answers to all questions; for a reading only those that differ from its ruleset."""
    own = asked.answers[game.partition("?")[0]]
    if "?" not in game:
        return own
    words = zip(asked.by_id, own, asked.answers[game], strict=True)
    return {id: letter for id, before, letter in words if letter != before}


def _read_otherwise(game: str) -> list[Any]:
    """Return the rule values of a reading that its ruleset has otherwise."""
    if "?" not in game:
        return []
    return [differing_values(damspec.load_ruleset(game.partition("?")[0]).values, damspec.load_ruleset(game).values)]


#: Latitude and longitude.
Degrees = tuple[float, float]

#: The width of a map in its own units, its least and greatest height, and the least distance of two signs.
WIDTH, _LOW, _HIGH, _APART = 360.0, 220.0, 420.0, 24.0
#: The least extent of a map in degrees, and its free margin at each edge as a proportion.
_LEAST, _FREE = 2.0, 0.12
#: The possible distances between grid lines, in degrees, and the most distances on a map.
_STEPS, _MOST = (0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 60.0, 90.0), 7


@dataclass(frozen=True)
class Pin:
    """The position of a place's sign on the map, and of the place itself."""

    x: float
    y: float
    place_x: float
    place_y: float

    @property
    def aside(self) -> bool:
        """Whether the sign is beside its place."""
        return (self.x, self.y) != (self.place_x, self.place_y)


@dataclass(frozen=True)
class PlaceMap:
    """A map: its height, the grid lines with their labels, and the pins in the order of the places."""

    height: float
    meridians: list[tuple[float, str]]
    parallels: list[tuple[float, str]]
    pins: list[Pin]


def place_map(places: Sequence[Degrees]) -> PlaceMap | None:
    """Return the map of some places; None if there are none."""
    if not places:
        return None
    begin = _begin([longitude for _, longitude in places])
    eastward = [begin + round(longitude - begin, 6) % 360 for _, longitude in places]
    latitudes = [latitude for latitude, _ in places]
    narrower = cos(radians(min(75.0, abs(max(latitudes) + min(latitudes)) / 2)))
    west, wide = _span(eastward, _LEAST / narrower)
    south, high = _span(latitudes, _LEAST)
    unit = WIDTH / wide / narrower
    height = min(_HIGH, max(_LOW, high * unit))
    if high * unit > height:  # too high: widen it on both sides
        unit = height / high
        west, wide = west - (WIDTH / unit / narrower - wide) / 2, WIDTH / unit / narrower
    south, high = south - (height / unit - high) / 2, height / unit

    def across(longitude: float) -> float:
        return round((longitude - west) * narrower * unit, 1)

    def down(latitude: float) -> float:
        return round(height - (latitude - south) * unit, 1)

    return PlaceMap(
        round(height, 1),
        [(across(line), _direction_name((line + 180) % 360 - 180, "EW")) for line in _lines(west, wide)],
        [(down(line), _direction_name(line, "NS")) for line in _lines(south, high) if abs(line) <= 90],
        _spread([(across(longitude), down(latitude)) for longitude, latitude in zip(eastward, latitudes, strict=True)]),
    )


def _begin(longitudes: list[float]) -> float:
    """Return the western edge in degrees: the longitude after the widest gap around the world."""
    around = sorted({longitude % 360 for longitude in longitudes})
    found = max((other - one, other) for one, other in pairwise([*around, around[0] + 360]))[1]
    return (found + 180) % 360 - 180


def _span(values: list[float], least: float) -> tuple[float, float]:
    """Return the start and extent of a map that has all values within free margins."""
    wide = max(least, max(values) - min(values)) * (1 + 2 * _FREE)
    return (max(values) + min(values) - wide) / 2, wide


def _lines(begin: float, wide: float) -> Iterator[float]:
    """Return the degrees at which the grid has lines."""
    step = next((step for step in _STEPS if wide / step <= _MOST), _STEPS[-1])
    return (step * number for number in range(ceil(begin / step), floor((begin + wide) / step) + 1))


def _direction_name(degrees: float, sides: str) -> str:
    side = "" if degrees in (0, -180) else f" {sides[degrees < 0]}"
    return f"{abs(degrees):g}°{side}"


def _spread(middles: list[tuple[float, float]]) -> list[Pin]:
    """Return the pins of places; those that would overlap are placed on a ring around their middle."""
    found: dict[int, Pin] = {}
    for group in _groups(middles):
        x, y = (sum(middles[number][axis] for number in group) / len(group) for axis in (0, 1))
        ring = max(_APART / 2, _APART * len(group) / (2 * pi)) if len(group) > 1 else 0.0
        for turn, number in enumerate(group):
            angle = 2 * pi * turn / len(group) - pi / 2
            at = (round(x + ring * cos(angle), 1), round(y + ring * sin(angle), 1)) if ring else middles[number]
            found[number] = Pin(*at, *middles[number])
    return [found[number] for number in range(len(middles))]


def _groups(middles: list[tuple[float, float]]) -> list[list[int]]:
    """Group the indexes of places that are near each other, directly or through others."""
    groups: list[list[int]] = []
    for number, middle in enumerate(middles):
        near = [group for group in groups if any(dist(middle, middles[other]) < _APART for other in group)]
        groups = [group for group in groups if group not in near] + [[*(n for group in near for n in group), number]]
    return [sorted(group) for group in groups]


#: The columns of the table to download.
_COLUMNS = (
    *("file", "place", "country", "latitude", "longitude", "year", "told", "by"),
    *("game", "differs", "answers", "contradictions"),
)
#: The number of different signs, by shape and colour.
_SHAPES, _COLOURS = 7, 6


@dataclass(frozen=True)
class CollectedGame:
    """An answers file by name, and its result: the game, its changes, and the game's answers.

    `asks` has the text of each question. Without a game nothing could be identified. `clashes` are groups of answers
    that do not go together.
    """

    name: str
    file: AnswersFile
    asks: Mapping[str, str]
    game: str
    differs: tuple[str, ...]
    expected: Mapping[str, Saying]
    clashes: tuple[tuple[str, ...], ...] = ()

    @property
    def place(self) -> str:
        """The place where it was played, or else the name of the file."""
        return self.file.place.name if self.file.place else self.name

    @property
    def country(self) -> str:
        """The two-letter country, if given."""
        return self.file.place.country if self.file.place else ""

    @property
    def at(self) -> tuple[float, float] | None:
        """Latitude and longitude, if given."""
        place = self.file.place
        return (
            None
            if place is None or place.latitude is None or place.longitude is None
            else (place.latitude, place.longitude)
        )

    @property
    def year(self) -> str:
        """The time when it was played, as text."""
        return "" if self.file.year is None else str(self.file.year)

    @property
    def answered(self) -> int:
        """The number of questions answered."""
        return sum(said != "unknown" for said in self.file.answers.values())


@dataclass(frozen=True)
class GameSign:
    """The sign of a game on the map: its shape and colour, by number."""

    shape: int
    colour: int


@dataclass(frozen=True)
class CollectedRow:
    """An answers file with its number, page and sign, and its pin on the map if it has coordinates."""

    number: int
    record: CollectedGame
    href: str
    sign: GameSign
    pin: Pin | None


@dataclass(frozen=True)
class ShownAnswer:
    """What was asked with its board, if any, the answer, the answer of the identified game, and the note."""

    asks: str
    picture: Picture | None
    said: Saying
    expected: Saying
    note: str

    @property
    def against(self) -> bool:
        """Whether the identified game answers differently."""
        return "unknown" not in (self.said, self.expected) and self.said != self.expected


def collected_pages(library: SiteData, records: Sequence[CollectedGame]) -> Iterator[Page | File]:
    """Yield the table with the map, the table to download, and a page for each file."""
    drawn, rows = _rows(records)
    games = Counter(record.game for record in records)
    found = [(id, number, sign) for (id, number), sign in zip(games.most_common(), _signs(), strict=False) if id]
    yield Page(
        pages.COLLECTED,
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
    yield File(pages.COLLECTED_TABLE, table(library, records).encode())
    for row in rows:
        yield _page(row)


def table(library: SiteData, records: Sequence[CollectedGame]) -> str:
    """Return all files as CSV, a line each."""
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
    """Return the map, and the files in order as rows of the table."""
    signs = dict(
        zip((id for id, _ in Counter(record.game for record in records).most_common()), _signs(), strict=False)
    )
    located = [record for record in records if record.at]
    drawn = place_map([record.at for record in located if record.at])
    pins = dict(zip((record.name for record in located), drawn.pins if drawn else (), strict=True))
    return drawn, [
        CollectedRow(number, record, pages.collected(record.name), signs[record.game], pins.get(record.name))
        for number, record in enumerate(records, 1)
    ]


def _signs() -> Iterator[GameSign]:
    """Yield a sign for each game; after many, signs repeat."""
    return (GameSign(number % _SHAPES, number % _COLOURS) for number in count())


def _page(row: CollectedRow) -> Page:
    """Return the page of a file: the verdict, clashing answers, and every answer on its board."""
    record = row.record
    shown = {id: _show_answer(record, id) for id in record.file.answers}
    return Page(
        row.href,
        "collected_one.html",
        f"{record.place}, {record.year}" if record.year else record.place,
        f"How draughts was played in {record.place}: the answers of somebody who played it, on boards.",
        "identify",
        (SECTIONS["identify"], Link("Games as they are told", pages.COLLECTED)),
        given={
            "row": row,
            "answers": [*shown.values()],
            "clashes": [[shown[id] for id in clash] for clash in record.clashes],
            "again": "answers=" + ",".join(f"{id}.{said[0]}" for id, said in record.file.answers.items()),
        },
    )


def _show_answer(record: CollectedGame, id: str) -> ShownAnswer:
    asked, file = load_questionnaire(), record.file
    picture = board(asked, asked.by_id[id]) if id in asked.by_id else None
    expected = record.expected.get(id, "unknown")
    return ShownAnswer(record.asks[id], picture, file.answers[id], expected, file.notes.get(id, ""))
